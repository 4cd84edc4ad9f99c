//! Loading a JDK's JVM into this process.
#![allow(unsafe_code, reason = "the JVM is a shared library with a C interface")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;

use crate::error::EngineError;
use crate::intercept;
use crate::jni::{self, Env, RawTable, Vm};

/// Within the home directory.
const LIBRARY: &str = "lib/server/libjvm.so";

/// `JavaVMOption`.
#[repr(C)]
struct RawOption {
    text: *mut c_char,
    extra: *mut c_void,
}

/// `JavaVMInitArgs`.
#[repr(C)]
struct InitArguments {
    version: i32,
    count: i32,
    options: *mut RawOption,
    ignore_unrecognized: u8,
}

/// `JNI_CreateJavaVM`.
type CreateJavaVm = unsafe extern "system" fn(*mut RawTable, *mut RawTable, *mut InitArguments) -> i32;

/// A JVM's library, loaded for ever.
#[derive(Clone, Debug)]
pub(crate) struct LibJvm {
    home: PathBuf,
    create: CreateJavaVm,
}

impl LibJvm {
    /// Loads the library of the JDK in that home directory.
    pub(crate) fn load(home: &Path) -> Result<Self, EngineError> {
        let path = home.join(LIBRARY);
        let problem = |reason: String| EngineError::Library {
            path: path.clone(),
            reason,
        };
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|reason| problem(reason.to_string()))?;
        // SAFETY: the name ends with a zero byte. The library's initialisers are those of a JVM.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if library.is_null() {
            return Err(problem(last_error()));
        }
        // SAFETY: the library has just been opened, and the name ends with a zero byte.
        let function = unsafe { libc::dlsym(library, c"JNI_CreateJavaVM".as_ptr()) };
        if function.is_null() {
            return Err(problem(last_error()));
        }
        // SAFETY: the library has just been opened, and this thread is the only one that knows it.
        unsafe { intercept::install(library) }.map_err(problem)?;
        Ok(Self {
            home: home.to_owned(),
            // SAFETY: this is the type that `jni.h` gives the function.
            create: unsafe { std::mem::transmute::<*mut c_void, CreateJavaVm>(function) },
        })
    }

    /// Makes the JVM of the process; the current thread becomes its main thread.
    pub(crate) fn create(&self, arguments: &[String]) -> Result<(Vm, Env<'static>), EngineError> {
        let problem = |code| EngineError::Create {
            home: self.home.clone(),
            code,
        };
        let texts: Result<Vec<CString>, _> =
            arguments.iter().map(|text| CString::new(text.as_str())).collect();
        // A zero byte in an option is what JNI calls invalid arguments.
        let texts = texts.map_err(|_| problem(-6))?;
        let mut options: Vec<RawOption> = texts
            .iter()
            .map(|text| RawOption {
                text: text.as_ptr().cast_mut(),
                extra: ptr::null_mut(),
            })
            .collect();
        let mut init = InitArguments {
            version: jni::VERSION,
            count: i32::try_from(options.len()).unwrap_or(i32::MAX),
            options: options.as_mut_ptr(),
            ignore_unrecognized: 0,
        };
        let (mut vm, mut env): (RawTable, RawTable) = (ptr::null(), ptr::null());
        // SAFETY: all arguments live until the call returns, and the JVM copies what it keeps.
        let code = unsafe { (self.create)(&raw mut vm, &raw mut env, &raw mut init) };
        if code != jni::OK {
            return Err(problem(code));
        }
        // SAFETY: the JVM has just given these; the thread stays attached since nothing detaches it.
        Ok(unsafe { (Vm::from_raw(vm), Env::from_raw(env)) })
    }
}

/// What the dynamic loader says of the last failure.
fn last_error() -> String {
    // SAFETY: the result is null or a string that stays until the next call for this thread.
    let text = unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            c"no reason given"
        } else {
            CStr::from_ptr(text)
        }
    };
    text.to_string_lossy().into_owned()
}
