//! Where classes come in: between the JVM and the places it has class files from.
//!
//! JVMTI has an event for this purpose, but since JDK 25 the JVM verifies every class that a tool has changed, whatever
//! its options say (JDK-8351654), and rewritten methods have no stack maps. So the bytes are changed before the JVM has
//! them. There are two ways for them to come:
//!
//! - Boot classes come from the JDK's image, through functions of `libjimage` that the JVM looks up by name. Its lookups
//!   are redirected to [`lookup`].
//! - All others come through `JVM_DefineClassWithSource` and `JVM_LookupDefineClass`, which `libjava` calls for
//!   `ClassLoader.defineClass` and `Lookup.defineClass`. The executable exports functions of these names, and the dynamic
//!   linker prefers the executable's.
#![allow(unsafe_code, reason = "the JVM and its libraries call these functions")]

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;

use crate::agent::Agent;
use crate::import_patch;
use crate::jni::{RawObject, RawTable};

/// The functions that are replaced.
static ORIGINAL: Original = Original {
    find: OnceLock::new(),
    get: OnceLock::new(),
    define: OnceLock::new(),
    look_up: OnceLock::new(),
};

struct Original {
    find: OnceLock<FindResource>,
    get: OnceLock<GetResource>,
    define: OnceLock<DefineClass>,
    look_up: OnceLock<LookupDefineClass>,
}

/// `JIMAGE_FindResource`.
type FindResource =
    unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *const c_char, *mut i64) -> i64;
/// `JIMAGE_GetResource`.
type GetResource = unsafe extern "C" fn(*mut c_void, i64, *mut c_char, i64) -> i64;
/// `JVM_DefineClassWithSource`.
type DefineClass = unsafe extern "system" fn(
    RawTable,
    *const c_char,
    RawObject,
    *const u8,
    i32,
    RawObject,
    *const c_char,
) -> RawObject;
/// `JVM_LookupDefineClass`.
type LookupDefineClass = unsafe extern "system" fn(
    RawTable,
    RawObject,
    *const c_char,
    *const u8,
    i32,
    RawObject,
    u8,
    i32,
    RawObject,
) -> RawObject;

/// Among the flags of `JVM_LookupDefineClass`.
const HIDDEN: i32 = 2;

thread_local! {
    /// A rewritten class that was found and is about to be fetched, and its place in the image.
    static FOUND: RefCell<Option<(i64, Vec<u8>)>> = const { RefCell::new(None) };
}

/// Puts itself between the JVM and its classes. To be called before the JVM is made; the reason if that is not possible.
///
/// # Safety
/// `library` is the JVM's, from `dlopen`, and none of its code has run.
pub(crate) unsafe fn install(library: *mut c_void) -> Result<(), String> {
    // SAFETY: the caller vouches for the library; names end with a zero byte; the types are those of `jvm.h`.
    unsafe {
        for (name, own) in [
            (
                c"JVM_DefineClassWithSource",
                JVM_DefineClassWithSource as *const c_void,
            ),
            (c"JVM_LookupDefineClass", JVM_LookupDefineClass as *const c_void),
        ] {
            if libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()).cast_const() != own {
                return Err(format!(
                    "the program does not show its {}",
                    name.to_string_lossy()
                ));
            }
        }
        let define = libc::dlsym(library, c"JVM_DefineClassWithSource".as_ptr());
        let look_up = libc::dlsym(library, c"JVM_LookupDefineClass".as_ptr());
        if define.is_null() || look_up.is_null() {
            return Err(String::from("it does not have the functions that define classes"));
        }
        let _ = ORIGINAL
            .define
            .set(std::mem::transmute::<*mut c_void, DefineClass>(define));
        let _ = ORIGINAL
            .look_up
            .set(std::mem::transmute::<*mut c_void, LookupDefineClass>(look_up));
        if !import_patch::redirect(library, c"dlsym", lookup as *const c_void) {
            return Err(String::from("it does not look functions up in the usual way"));
        }
    }
    Ok(())
}

/// Stands in for `dlsym` in the JVM.
unsafe extern "C" fn lookup(library: *mut c_void, name: *const c_char) -> *mut c_void {
    // SAFETY: the arguments are those of the JVM's call.
    let found = unsafe { libc::dlsym(library, name) };
    if found.is_null() || name.is_null() {
        return found;
    }
    // SAFETY: the name ends with a zero byte. The types are those that the JVM's `jimage.hpp` gives.
    unsafe {
        match CStr::from_ptr(name).to_bytes() {
            b"JIMAGE_FindResource" => {
                let _ = ORIGINAL
                    .find
                    .set(std::mem::transmute::<*mut c_void, FindResource>(found));
                find_resource as *mut c_void
            }
            b"JIMAGE_GetResource" => {
                let _ = ORIGINAL
                    .get
                    .set(std::mem::transmute::<*mut c_void, GetResource>(found));
                get_resource as *mut c_void
            }
            _ => found,
        }
    }
}

/// Looks for a file in the image. The JVM fetches what it has found next, on the same thread.
unsafe extern "C" fn find_resource(
    image: *mut c_void,
    module: *const c_char,
    version: *const c_char,
    name: *const c_char,
    size: *mut i64,
) -> i64 {
    let (Some(find), Some(get)) = (ORIGINAL.find.get(), ORIGINAL.get.get()) else {
        return 0;
    };
    // SAFETY: the arguments are those of the JVM's call; the buffer has the size that the image asks for.
    unsafe {
        let place = find(image, module, version, name, size);
        if place == 0 || name.is_null() {
            return place;
        }
        let name = CStr::from_ptr(name).to_string_lossy();
        let (Some(name), Ok(length)) = (name.strip_suffix(".class"), usize::try_from(*size)) else {
            return place;
        };
        let mut bytes = vec![0_u8; length];
        get(image, place, bytes.as_mut_ptr().cast(), *size);
        if let Some(rewritten) = rewrite(name, &bytes) {
            *size = i64::try_from(rewritten.len()).unwrap_or(*size);
            FOUND.set(Some((place, rewritten)));
        }
        place
    }
}

/// Fetches a file from the image.
unsafe extern "C" fn get_resource(image: *mut c_void, place: i64, buffer: *mut c_char, size: i64) -> i64 {
    if let Some((found, bytes)) = FOUND.take()
        && found == place
        && i64::try_from(bytes.len()) == Ok(size)
    {
        // SAFETY: the JVM has made the buffer of the size that `find_resource` told.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.cast(), bytes.len()) };
        return size;
    }
    // SAFETY: the arguments are those of the JVM's call.
    ORIGINAL
        .get
        .get()
        .map_or(0, |get| unsafe { get(image, place, buffer, size) })
}

/// Called by `libjava` for `ClassLoader.defineClass`.
///
/// # Safety
/// The arguments are as `jvm.h` says.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name is the JVM's")]
pub(crate) unsafe extern "system" fn JVM_DefineClassWithSource(
    env: RawTable,
    name: *const c_char,
    loader: RawObject,
    bytes: *const u8,
    length: i32,
    domain: RawObject,
    source: *const c_char,
) -> RawObject {
    let Some(define) = ORIGINAL.define.get() else {
        return ptr::null_mut();
    };
    // SAFETY: the caller vouches for the arguments.
    unsafe {
        match changed(name, bytes, length) {
            Some((bytes, length)) => define(env, name, loader, bytes.as_ptr(), length, domain, source),
            None => define(env, name, loader, bytes, length, domain, source),
        }
    }
}

/// Called by `libjava` for `Lookup.defineClass` and for hidden classes. The latter stay as they are: they are code that
/// the JDK spins.
///
/// # Safety
/// The arguments are as `jvm.h` says.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name is the JVM's")]
pub(crate) unsafe extern "system" fn JVM_LookupDefineClass(
    env: RawTable,
    host: RawObject,
    name: *const c_char,
    bytes: *const u8,
    length: i32,
    domain: RawObject,
    initialize: u8,
    flags: i32,
    data: RawObject,
) -> RawObject {
    let Some(define) = ORIGINAL.look_up.get() else {
        return ptr::null_mut();
    };
    // SAFETY: the caller vouches for the arguments.
    unsafe {
        let changed = if flags & HIDDEN == 0 {
            changed(name, bytes, length)
        } else {
            None
        };
        match changed {
            Some((bytes, length)) => define(
                env,
                host,
                name,
                bytes.as_ptr(),
                length,
                domain,
                initialize,
                flags,
                data,
            ),
            None => define(env, host, name, bytes, length, domain, initialize, flags, data),
        }
    }
}

/// The class as it is to be defined, and its length; none if that is as it is.
unsafe fn changed(name: *const c_char, bytes: *const u8, length: i32) -> Option<(Vec<u8>, i32)> {
    let length = usize::try_from(length).ok()?;
    if bytes.is_null() {
        return None;
    }
    // SAFETY: the caller vouches for name and bytes, which stay until it returns.
    let (name, bytes) = unsafe {
        let name = if name.is_null() { c"" } else { CStr::from_ptr(name) };
        (name.to_string_lossy(), std::slice::from_raw_parts(bytes, length))
    };
    let rewritten = rewrite(&name, bytes)?;
    let length = i32::try_from(rewritten.len()).ok()?;
    Some((rewritten, length))
}

/// The rewriter does not panic; should it, the class is loaded as it is.
fn rewrite(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let agent = Agent::get()?;
    catch_unwind(AssertUnwindSafe(|| agent.rewrite(name, bytes)))
        .ok()
        .flatten()
}
