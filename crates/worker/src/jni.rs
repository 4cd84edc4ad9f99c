//! The Java Native Interface, as far as it is used: calls through the JVM's function table by slot number.
//!
//! The slot numbers are fixed by the JNI specification; a test compares them with the header of the JDK at hand.
#![allow(
    unsafe_code,
    reason = "JNI is a C interface; every use of it is confined to this file"
)]

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::ptr;

/// `jint` results.
pub(crate) const OK: i32 = 0;
/// `JNI_VERSION_10`; every JDK since 10 accepts it.
pub(crate) const VERSION: i32 = 0x000a_0000;

/// Slots of `JNINativeInterface_` in `jni.h`.
pub(crate) mod slot {
    pub(crate) const DEFINE_CLASS: usize = 5;
    pub(crate) const FIND_CLASS: usize = 6;
    pub(crate) const EXCEPTION_OCCURRED: usize = 15;
    pub(crate) const EXCEPTION_CLEAR: usize = 17;
    pub(crate) const FATAL_ERROR: usize = 18;
    pub(crate) const PUSH_LOCAL_FRAME: usize = 19;
    pub(crate) const POP_LOCAL_FRAME: usize = 20;
    pub(crate) const NEW_GLOBAL_REF: usize = 21;
    pub(crate) const DELETE_LOCAL_REF: usize = 23;
    pub(crate) const GET_OBJECT_CLASS: usize = 31;
    pub(crate) const GET_METHOD_ID: usize = 33;
    pub(crate) const CALL_OBJECT_METHOD_A: usize = 36;
    pub(crate) const GET_STATIC_METHOD_ID: usize = 113;
    pub(crate) const CALL_STATIC_OBJECT_METHOD_A: usize = 116;
    pub(crate) const CALL_STATIC_VOID_METHOD_A: usize = 143;
    pub(crate) const NEW_STRING: usize = 163;
    pub(crate) const GET_STRING_LENGTH: usize = 164;
    pub(crate) const GET_ARRAY_LENGTH: usize = 171;
    pub(crate) const NEW_OBJECT_ARRAY: usize = 172;
    pub(crate) const GET_OBJECT_ARRAY_ELEMENT: usize = 173;
    pub(crate) const SET_OBJECT_ARRAY_ELEMENT: usize = 174;
    pub(crate) const NEW_BYTE_ARRAY: usize = 176;
    pub(crate) const GET_BYTE_ARRAY_REGION: usize = 200;
    pub(crate) const SET_BYTE_ARRAY_REGION: usize = 208;
    pub(crate) const REGISTER_NATIVES: usize = 215;
    pub(crate) const GET_STRING_REGION: usize = 220;
}

/// Slots of `JNIInvokeInterface_`.
mod vm_slot {
    pub(super) const GET_ENV: usize = 6;
    pub(super) const ATTACH_CURRENT_THREAD_AS_DAEMON: usize = 7;
}

/// A pointer to a pointer to a table of functions: what C sees as `JNIEnv *`, `JavaVM *` and `jvmtiEnv *`.
pub(crate) type RawTable = *const *const *const c_void;
/// A reference to a Java object, as C sees it.
pub(crate) type RawObject = *mut c_void;

/// The function at a slot of a table.
///
/// # Safety
/// `table` is a live interface pointer of the JVM, and `F` is the C type of the function at that slot.
pub(crate) unsafe fn function<F: Copy>(table: RawTable, slot: usize) -> F {
    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
    // SAFETY: the caller vouches for table and type; functions and data pointers have one size here.
    unsafe { std::mem::transmute_copy::<*const c_void, F>(&*(*table).add(slot)) }
}

/// A local reference. Good on the thread and in the native frame in which it was made.
#[derive(Copy, Clone)]
pub(crate) struct Object<'a> {
    raw: RawObject,
    frame: PhantomData<(&'a (), *const ())>,
}

impl Object<'_> {
    /// Takes over a reference from C.
    ///
    /// # Safety
    /// `raw` is null or a reference that is good for the life of the result.
    pub(crate) unsafe fn from_raw(raw: RawObject) -> Self {
        Self {
            raw,
            frame: PhantomData,
        }
    }

    pub(crate) fn raw(self) -> RawObject {
        self.raw
    }

    pub(crate) fn is_null(self) -> bool {
        self.raw.is_null()
    }
}

/// A reference that is good on every thread, for ever: none is given back.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Global(RawObject);

// SAFETY: JNI global references may be used on every thread.
unsafe impl Send for Global {}
// SAFETY: as above; the reference itself is never changed.
unsafe impl Sync for Global {}

impl Global {
    pub(crate) fn object(&self) -> Object<'_> {
        Object {
            raw: self.0,
            frame: PhantomData,
        }
    }
}

/// A method. Good as long as its class, which is kept by a [`Global`] wherever one of these is kept.
#[derive(Copy, Clone, Debug)]
pub(crate) struct MethodId(*mut c_void);

// SAFETY: method ids are not bound to a thread.
unsafe impl Send for MethodId {}
// SAFETY: as above.
unsafe impl Sync for MethodId {}

/// An argument, `jvalue`.
#[derive(Copy, Clone)]
#[repr(C)]
pub(crate) union Value {
    object: RawObject,
    int: i32,
    long: i64,
}

impl From<Object<'_>> for Value {
    fn from(object: Object<'_>) -> Self {
        Self { object: object.raw }
    }
}

impl From<i32> for Value {
    fn from(int: i32) -> Self {
        // The whole word is defined, since the union is passed by its widest member.
        let mut value = Self { long: 0 };
        value.int = int;
        value
    }
}

/// One entry for [`Env::register_natives`], `JNINativeMethod`.
#[repr(C)]
pub(crate) struct NativeMethod {
    pub(crate) name: *const c_char,
    pub(crate) descriptor: *const c_char,
    pub(crate) function: *const c_void,
}

/// An exception that was pending and no longer is.
#[derive(Copy, Clone)]
pub(crate) struct Thrown<'a>(pub(crate) Object<'a>);

/// What a call gives that can throw.
pub(crate) type Outcome<'a, T> = std::result::Result<T, Thrown<'a>>;

/// The JVM as seen from one attached thread, `JNIEnv *`.
#[derive(Copy, Clone)]
pub(crate) struct Env<'a> {
    table: RawTable,
    thread: PhantomData<&'a ()>,
}

/// Calls a function of the table. The types are those of `jni.h`.
macro_rules! call {
    ($env:expr, $slot:expr, ($($argument:expr => $type:ty),*) -> $result:ty) => {{
        // SAFETY: `Env` is only made of live interface pointers, and the type is the one `jni.h` gives for the slot.
        // References among the arguments are good, since `Object` is only made of good ones.
        unsafe {
            let function: unsafe extern "system" fn(RawTable, $($type),*) -> $result =
                function($env.table, $slot);
            function($env.table, $($argument),*)
        }
    }};
}

impl<'a> Env<'a> {
    /// Takes over an interface pointer.
    ///
    /// # Safety
    /// `table` is the `JNIEnv *` of the current thread, and the thread stays attached for the life of the result.
    pub(crate) unsafe fn from_raw(table: RawTable) -> Self {
        Self {
            table,
            thread: PhantomData,
        }
    }

    fn object(self, raw: RawObject) -> Object<'a> {
        let _ = self;
        Object {
            raw,
            frame: PhantomData,
        }
    }

    /// Takes a pending exception away.
    pub(crate) fn take_exception(self) -> Option<Thrown<'a>> {
        let raw = call!(self, slot::EXCEPTION_OCCURRED, () -> RawObject);
        if raw.is_null() {
            return None;
        }
        call!(self, slot::EXCEPTION_CLEAR, () -> ());
        Some(Thrown(self.object(raw)))
    }

    fn checked<T>(self, value: T) -> Outcome<'a, T> {
        self.take_exception().map_or(Ok(value), Err)
    }

    fn checked_object(self, raw: RawObject) -> Outcome<'a, Object<'a>> {
        self.checked(self.object(raw))
    }

    /// Defines a class in the boot loader.
    pub(crate) fn define_boot_class(self, name: &CStr, bytes: &[u8]) -> Outcome<'a, Object<'a>> {
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        let raw = call!(self, slot::DEFINE_CLASS, (
            name.as_ptr() => *const c_char, ptr::null_mut() => RawObject,
            bytes.as_ptr().cast() => *const i8, length => i32
        ) -> RawObject);
        self.checked_object(raw)
    }

    /// A class by internal name, from the loader of the calling frame or else the system loader.
    pub(crate) fn find_class(self, name: &CStr) -> Outcome<'a, Object<'a>> {
        let raw = call!(self, slot::FIND_CLASS, (name.as_ptr() => *const c_char) -> RawObject);
        self.checked_object(raw)
    }

    /// Ends the process with that message.
    pub(crate) fn fatal_error(self, message: &CStr) {
        call!(self, slot::FATAL_ERROR, (message.as_ptr() => *const c_char) -> ());
    }

    /// Runs `body`, then gives back all local references made in it.
    pub(crate) fn with_local_frame<T>(self, capacity: i32, body: impl FnOnce(Env<'_>) -> T) -> Option<T> {
        if call!(self, slot::PUSH_LOCAL_FRAME, (capacity => i32) -> i32) != OK {
            // Out of memory, with an exception pending that says so.
            self.take_exception();
            return None;
        }
        let result = body(self);
        call!(self, slot::POP_LOCAL_FRAME, (ptr::null_mut() => RawObject) -> RawObject);
        Some(result)
    }

    /// A reference for ever.
    pub(crate) fn new_global(self, object: Object<'_>) -> Option<Global> {
        let raw = call!(self, slot::NEW_GLOBAL_REF, (object.raw => RawObject) -> RawObject);
        (!raw.is_null()).then_some(Global(raw))
    }

    /// Gives a local reference back before its frame ends.
    pub(crate) fn delete_local(self, object: Object<'_>) {
        call!(self, slot::DELETE_LOCAL_REF, (object.raw => RawObject) -> ());
    }

    pub(crate) fn class_of(self, object: Object<'_>) -> Object<'a> {
        let raw = call!(self, slot::GET_OBJECT_CLASS, (object.raw => RawObject) -> RawObject);
        self.object(raw)
    }

    pub(crate) fn method(self, class: Object<'_>, name: &CStr, descriptor: &CStr) -> Outcome<'a, MethodId> {
        let id = call!(self, slot::GET_METHOD_ID, (
            class.raw => RawObject, name.as_ptr() => *const c_char, descriptor.as_ptr() => *const c_char
        ) -> *mut c_void);
        self.checked(MethodId(id))
    }

    /// A static method. Initialises the class.
    pub(crate) fn static_method(
        self,
        class: Object<'_>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Outcome<'a, MethodId> {
        let id = call!(self, slot::GET_STATIC_METHOD_ID, (
            class.raw => RawObject, name.as_ptr() => *const c_char, descriptor.as_ptr() => *const c_char
        ) -> *mut c_void);
        self.checked(MethodId(id))
    }

    /// Calls a method without parameters that returns a reference.
    ///
    /// # Safety
    /// `method` is such a method of the object's class.
    pub(crate) unsafe fn call_object(self, object: Object<'_>, method: MethodId) -> Outcome<'a, Object<'a>> {
        let raw = call!(self, slot::CALL_OBJECT_METHOD_A, (
            object.raw => RawObject, method.0 => *mut c_void, ptr::null() => *const Value
        ) -> RawObject);
        self.checked_object(raw)
    }

    /// Calls a static method that returns a reference.
    ///
    /// # Safety
    /// `method` is such a method of `class`, and the arguments have the types of its parameters.
    pub(crate) unsafe fn call_static_object(
        self,
        class: Object<'_>,
        method: MethodId,
        arguments: &[Value],
    ) -> Outcome<'a, Object<'a>> {
        let raw = call!(self, slot::CALL_STATIC_OBJECT_METHOD_A, (
            class.raw => RawObject, method.0 => *mut c_void, arguments.as_ptr() => *const Value
        ) -> RawObject);
        self.checked_object(raw)
    }

    /// Calls a static method without result.
    ///
    /// # Safety
    /// As for [`call_static_object`](Self::call_static_object).
    pub(crate) unsafe fn call_static_void(
        self,
        class: Object<'_>,
        method: MethodId,
        arguments: &[Value],
    ) -> Outcome<'a, ()> {
        call!(self, slot::CALL_STATIC_VOID_METHOD_A, (
            class.raw => RawObject, method.0 => *mut c_void, arguments.as_ptr() => *const Value
        ) -> ());
        self.checked(())
    }

    pub(crate) fn new_string(self, text: &str) -> Outcome<'a, Object<'a>> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let length = i32::try_from(units.len()).unwrap_or(i32::MAX);
        let raw = call!(self, slot::NEW_STRING, (units.as_ptr() => *const u16, length => i32) -> RawObject);
        self.checked_object(raw)
    }

    /// The text of a `java.lang.String`.
    pub(crate) fn text(self, string: Object<'_>) -> String {
        if string.is_null() {
            return String::new();
        }
        let length = call!(self, slot::GET_STRING_LENGTH, (string.raw => RawObject) -> i32);
        let mut units = vec![0_u16; usize::try_from(length).unwrap_or(0)];
        call!(self, slot::GET_STRING_REGION, (
            string.raw => RawObject, 0 => i32, length => i32, units.as_mut_ptr() => *mut u16
        ) -> ());
        String::from_utf16_lossy(&units)
    }

    pub(crate) fn array_length(self, array: Object<'_>) -> i32 {
        call!(self, slot::GET_ARRAY_LENGTH, (array.raw => RawObject) -> i32)
    }

    pub(crate) fn new_object_array(self, class: Object<'_>, length: usize) -> Outcome<'a, Object<'a>> {
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        let raw = call!(self, slot::NEW_OBJECT_ARRAY, (
            length => i32, class.raw => RawObject, ptr::null_mut() => RawObject
        ) -> RawObject);
        self.checked_object(raw)
    }

    pub(crate) fn element(self, array: Object<'_>, index: i32) -> Outcome<'a, Object<'a>> {
        let raw = call!(self, slot::GET_OBJECT_ARRAY_ELEMENT, (
            array.raw => RawObject, index => i32
        ) -> RawObject);
        self.checked_object(raw)
    }

    pub(crate) fn set_element(self, array: Object<'_>, index: usize, value: Object<'_>) -> Outcome<'a, ()> {
        let index = i32::try_from(index).unwrap_or(i32::MAX);
        call!(self, slot::SET_OBJECT_ARRAY_ELEMENT, (
            array.raw => RawObject, index => i32, value.raw => RawObject
        ) -> ());
        self.checked(())
    }

    pub(crate) fn new_byte_array(self, bytes: &[u8]) -> Outcome<'a, Object<'a>> {
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        let raw = call!(self, slot::NEW_BYTE_ARRAY, (length => i32) -> RawObject);
        let array = self.checked_object(raw)?;
        call!(self, slot::SET_BYTE_ARRAY_REGION, (
            array.raw => RawObject, 0 => i32, length => i32, bytes.as_ptr().cast() => *const i8
        ) -> ());
        self.checked(array)
    }

    /// The contents of a `byte[]`.
    pub(crate) fn bytes(self, array: Object<'_>) -> Vec<u8> {
        if array.is_null() {
            return Vec::new();
        }
        let length = self.array_length(array);
        let mut bytes = vec![0_u8; usize::try_from(length).unwrap_or(0)];
        call!(self, slot::GET_BYTE_ARRAY_REGION, (
            array.raw => RawObject, 0 => i32, length => i32, bytes.as_mut_ptr().cast() => *mut i8
        ) -> ());
        bytes
    }

    /// Binds native methods.
    ///
    /// # Safety
    /// Every entry's strings end with a zero byte, and its function has the C type that its descriptor means.
    pub(crate) unsafe fn register_natives(
        self,
        class: Object<'_>,
        natives: &[NativeMethod],
    ) -> Outcome<'a, ()> {
        let count = i32::try_from(natives.len()).unwrap_or(i32::MAX);
        call!(self, slot::REGISTER_NATIVES, (
            class.raw => RawObject, natives.as_ptr() => *const NativeMethod, count => i32
        ) -> i32);
        self.checked(())
    }
}

/// The JVM, `JavaVM *`. There is one in a process, for ever.
#[derive(Copy, Clone)]
pub(crate) struct Vm(RawTable);

// SAFETY: the invocation interface may be used on every thread.
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

/// `JavaVMAttachArgs`.
#[repr(C)]
struct AttachArguments {
    version: i32,
    name: *const c_char,
    group: RawObject,
}

impl Vm {
    /// Takes over an interface pointer.
    ///
    /// # Safety
    /// `table` is a live `JavaVM *`.
    pub(crate) unsafe fn from_raw(table: RawTable) -> Self {
        Self(table)
    }

    /// An interface of the JVM by version number: that of JNI or that of JVMTI.
    pub(crate) fn interface(self, version: i32) -> Result<RawTable, i32> {
        let mut found: *mut c_void = ptr::null_mut();
        // SAFETY: `Vm` is only made of live interface pointers, and this is the type in `jni.h`.
        let code = unsafe {
            let get_env: unsafe extern "system" fn(RawTable, *mut *mut c_void, i32) -> i32 =
                function(self.0, vm_slot::GET_ENV);
            get_env(self.0, &raw mut found, version)
        };
        if code == OK { Ok(found.cast()) } else { Err(code) }
    }

    /// Makes the current thread a Java thread of that name for the rest of its life, one the JVM does not wait for.
    pub(crate) fn attach_as_daemon(self, name: &CStr) -> Result<Env<'static>, i32> {
        let mut found: *mut c_void = ptr::null_mut();
        let mut arguments = AttachArguments {
            version: VERSION,
            name: name.as_ptr(),
            group: ptr::null_mut(),
        };
        // SAFETY: `Vm` is only made of live interface pointers, and this is the type in `jni.h`.
        let code = unsafe {
            let attach: unsafe extern "system" fn(RawTable, *mut *mut c_void, *mut AttachArguments) -> i32 =
                function(self.0, vm_slot::ATTACH_CURRENT_THREAD_AS_DAEMON);
            attach(self.0, &raw mut found, &raw mut arguments)
        };
        if code != OK {
            return Err(code);
        }
        // SAFETY: the pointer is the current thread's, which stays attached since nothing detaches it.
        Ok(unsafe { Env::from_raw(found.cast_const().cast()) })
    }
}

#[cfg(test)]
mod tests;
