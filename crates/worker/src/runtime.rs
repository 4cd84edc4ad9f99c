//! The Java half of the runtime: compiled by the build script, part of the executable.

use std::ffi::CStr;

/// Internal names and class files, each after those it extends and implements.
pub(crate) static CLASSES: &[(&CStr, &[u8])] = include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// The class with the hooks that rewritten code calls.
pub(crate) const HOOKS: &CStr = c"java/lang/Raddle";
/// The class with the entry points for this crate.
pub(crate) const ENGINE: &CStr = c"java/lang/RaddleEngine";
/// The class with the native methods.
pub(crate) const NATIVE: &CStr = c"java/lang/RaddleNative";
