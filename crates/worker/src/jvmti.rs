//! The JVM Tool Interface, as far as it is used: calls through the JVM's function table by slot number.
//!
//! The slot numbers are those of `jvmti.h`, where they count from 1; a test compares them with the header of the JDK
//! at hand.
#![allow(
    unsafe_code,
    reason = "JVMTI is a C interface; every use of it is confined to this file"
)]

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use raddle_plan::Caller;

use crate::callers::{self, Met};
use crate::jni::{Env, Object, RawObject, RawTable, Vm, function};

/// `JVMTI_VERSION_11`: the oldest that has all that is used here, and every later JDK offers it.
const VERSION: i32 = 0x300b_0000;
/// `JVMTI_ENABLE`.
const ENABLE: i32 = 1;
/// Where a native method is.
const NATIVE: i64 = -1;
/// Deeper stacks are cut there.
const MAX_FRAMES: i32 = 256;

/// Frames of a thread that tell how it came to where it is.
const CONTEXT_FRAMES: i32 = 64;
/// What generated classes of plans and the classes with the hooks are called.
const PLAN_CLASS: &str = "RaddlePlan";
const RUNTIME_CLASSES: &str = "java.lang.Raddle";
/// The end of the name of the class whose object loads those classes of the platform that the JVM does not load itself.
const PLATFORM_LOADER: &str = "$PlatformClassLoader";

/// Slots of `jvmtiInterface_1_`, with the numbers of the header.
pub(crate) mod slot {
    pub(crate) const SET_EVENT_NOTIFICATION_MODE: usize = 2;
    pub(crate) const GET_THREAD_INFO: usize = 9;
    pub(crate) const GET_CURRENT_CONTENDED_MONITOR: usize = 11;
    pub(crate) const DEALLOCATE: usize = 47;
    pub(crate) const GET_CLASS_SIGNATURE: usize = 48;
    pub(crate) const GET_SOURCE_FILE_NAME: usize = 50;
    pub(crate) const GET_CLASS_LOADER: usize = 57;
    pub(crate) const GET_OBJECT_MONITOR_USAGE: usize = 59;
    pub(crate) const GET_METHOD_NAME: usize = 64;
    pub(crate) const GET_METHOD_DECLARING_CLASS: usize = 65;
    pub(crate) const GET_LINE_NUMBER_TABLE: usize = 70;
    pub(crate) const GET_ALL_STACK_TRACES: usize = 100;
    pub(crate) const GET_STACK_TRACE: usize = 104;
    pub(crate) const SET_EVENT_CALLBACKS: usize = 122;
    pub(crate) const ADD_CAPABILITIES: usize = 142;
}

/// Bits of `jvmtiCapabilities`.
pub(crate) mod capability {
    pub(crate) const GET_CURRENT_CONTENDED_MONITOR: u32 = 6;
    pub(crate) const GET_MONITOR_INFO: u32 = 7;
    pub(crate) const GET_SOURCE_FILE_NAME: u32 = 11;
    pub(crate) const GET_LINE_NUMBERS: u32 = 12;
    pub(crate) const GENERATE_EARLY_VMSTART: u32 = 41;
}

/// `jvmtiEvent`.
#[derive(Copy, Clone)]
#[repr(i32)]
pub(crate) enum Event {
    ThreadStart = 52,
    VmStart = 57,
}

/// A JVMTI function refused, with that error number.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("JVMTI error {0}")]
pub(crate) struct JvmtiError(pub(crate) i32);

fn checked(code: i32) -> Result<(), JvmtiError> {
    if code == 0 { Ok(()) } else { Err(JvmtiError(code)) }
}

/// Of the VM start event.
pub(crate) type OnVmStart = unsafe extern "system" fn(RawTable, RawTable);
/// Of the events that are about a thread.
pub(crate) type OnThread = unsafe extern "system" fn(RawTable, RawTable, RawObject);
/// The first events of `jvmtiEventCallbacks`; the JVM is told how long it is.
#[repr(C)]
pub(crate) struct Callbacks {
    pub(crate) vm_init: *const c_void,
    pub(crate) vm_death: *const c_void,
    pub(crate) thread_start: Option<OnThread>,
    pub(crate) thread_end: *const c_void,
    pub(crate) class_file_load_hook: *const c_void,
    pub(crate) class_load: *const c_void,
    pub(crate) class_prepare: *const c_void,
    pub(crate) vm_start: Option<OnVmStart>,
}

impl Callbacks {
    /// Nothing is called.
    pub(crate) const NONE: Self = Self {
        vm_init: ptr::null(),
        vm_death: ptr::null(),
        thread_start: None,
        thread_end: ptr::null(),
        class_file_load_hook: ptr::null(),
        class_load: ptr::null(),
        class_prepare: ptr::null(),
        vm_start: None,
    };
}

/// `jvmtiThreadInfo`.
#[repr(C)]
struct ThreadInfo {
    name: *mut c_char,
    priority: i32,
    is_daemon: u8,
    group: RawObject,
    loader: RawObject,
}

/// `jvmtiFrameInfo`.
#[repr(C)]
struct FrameInfo {
    method: *mut c_void,
    location: i64,
}

/// `jvmtiStackInfo`.
#[repr(C)]
struct StackInfo {
    thread: RawObject,
    state: i32,
    frames: *mut FrameInfo,
    count: i32,
}

/// `jvmtiLineNumberEntry`.
#[repr(C)]
struct LineEntry {
    start: i64,
    line: i32,
}

/// `jvmtiMonitorUsage`.
#[repr(C)]
struct MonitorUsage {
    owner: RawObject,
    entry_count: i32,
    waiter_count: i32,
    waiters: *mut RawObject,
    notify_waiter_count: i32,
    notify_waiters: *mut RawObject,
}

/// One thread's stack, of [`Jvmti::stacks`].
pub(crate) struct RawStack {
    pub(crate) name: String,
    /// Bits of `JVMTI_THREAD_STATE_*`.
    pub(crate) state: i32,
    /// Class of the object whose monitor it waits to enter, and who holds that.
    pub(crate) contended: Option<(String, Option<String>)>,
    /// Innermost first.
    pub(crate) frames: Vec<String>,
}

/// Whose a method on the stack is.
#[derive(Copy, Clone, Debug)]
pub(crate) enum MethodName {
    /// The plan's.
    Plan,
    /// A hook's.
    Runtime,
    /// Of the library under test, with a hash of its name.
    Other(u64),
}

/// The tool interface, `jvmtiEnv *`. There is one in a process, for ever.
#[derive(Copy, Clone)]
pub(crate) struct Jvmti(RawTable);

// SAFETY: a JVMTI environment may be used on every thread.
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

/// Calls a function of the table. The types are those of `jvmti.h`.
macro_rules! call {
    ($jvmti:expr, $slot:expr, ($($argument:expr => $type:ty),*)) => {{
        // SAFETY: `Jvmti` is only made of live interface pointers, and the type is the one `jvmti.h` gives for the
        // slot. Pointers among the arguments are to variables that live until the call returns.
        let code = unsafe {
            let function: unsafe extern "system" fn(RawTable, $($type),*) -> i32 = function($jvmti.0, $slot - 1);
            function($jvmti.0, $($argument),*)
        };
        checked(code)
    }};
}

impl Jvmti {
    /// A new environment of that JVM.
    pub(crate) fn new(vm: Vm) -> Result<Self, i32> {
        vm.interface(VERSION).map(Self)
    }

    /// Asks for capabilities, numbered as in [`capability`].
    pub(crate) fn add_capabilities(self, wanted: &[u32]) -> Result<(), JvmtiError> {
        let mut bits = [0_u32; 4];
        for bit in wanted {
            if let Some(word) = bits.get_mut((bit / 32) as usize) {
                *word |= 1 << (bit % 32);
            }
        }
        call!(self, slot::ADD_CAPABILITIES, (bits.as_ptr() => *const u32))
    }

    /// Says what is called at events.
    pub(crate) fn set_callbacks(self, callbacks: &Callbacks) -> Result<(), JvmtiError> {
        let size = i32::try_from(size_of::<Callbacks>()).unwrap_or(0);
        call!(self, slot::SET_EVENT_CALLBACKS, (&raw const *callbacks => *const Callbacks, size => i32))
    }

    /// From here on the event's callback is called.
    pub(crate) fn enable(self, event: Event) -> Result<(), JvmtiError> {
        // SAFETY: the slot has this type in `jvmti.h`, where it is the only one with a variable argument list.
        let code = unsafe {
            let function: unsafe extern "C" fn(RawTable, i32, i32, RawObject, ...) -> i32 =
                function(self.0, slot::SET_EVENT_NOTIFICATION_MODE - 1);
            function(self.0, ENABLE, event as i32, ptr::null_mut())
        };
        checked(code)
    }

    fn free<T>(self, memory: *mut T) {
        if !memory.is_null() {
            // A refusal would mean that the memory is not the JVM's, and then there is nothing to give back.
            let _ = call!(self, slot::DEALLOCATE, (memory.cast() => *mut u8));
        }
    }

    /// Copies a string that the JVM made, and gives it back.
    fn text(self, memory: *mut c_char) -> String {
        if memory.is_null() {
            return String::new();
        }
        // SAFETY: strings from JVMTI end with a zero byte, and this one is given back only afterwards.
        let text = unsafe { CStr::from_ptr(memory) }.to_string_lossy().into_owned();
        self.free(memory);
        text
    }

    /// The stacks of all threads.
    pub(crate) fn stacks(self, env: Env<'_>) -> Result<Vec<RawStack>, JvmtiError> {
        let mut infos: *mut StackInfo = ptr::null_mut();
        let mut count = 0_i32;
        call!(self, slot::GET_ALL_STACK_TRACES, (
            MAX_FRAMES => i32, &raw mut infos => *mut *mut StackInfo, &raw mut count => *mut i32
        ))?;
        // SAFETY: the JVM has just filled that many entries, and they are given back only below.
        let stacks = unsafe { slice(infos, count) }
            .iter()
            .map(|info| RawStack {
                name: self.thread_name(info.thread),
                state: info.state,
                contended: self.contended(env, info.thread),
                // SAFETY: as above; frames are part of the same block.
                frames: unsafe { slice(info.frames, info.count) }
                    .iter()
                    .map(|frame| self.frame(env, frame))
                    .collect(),
            })
            .collect();
        self.free(infos);
        Ok(stacks)
    }

    fn thread_name(self, thread: RawObject) -> String {
        let mut info = ThreadInfo {
            name: ptr::null_mut(),
            priority: 0,
            is_daemon: 0,
            group: ptr::null_mut(),
            loader: ptr::null_mut(),
        };
        let known = call!(self, slot::GET_THREAD_INFO, (
            thread => RawObject, &raw mut info => *mut ThreadInfo
        ));
        if known.is_err() {
            return String::from("?");
        }
        self.text(info.name)
    }

    fn contended(self, env: Env<'_>, thread: RawObject) -> Option<(String, Option<String>)> {
        let mut monitor: RawObject = ptr::null_mut();
        call!(self, slot::GET_CURRENT_CONTENDED_MONITOR, (
            thread => RawObject, &raw mut monitor => *mut RawObject
        ))
        .ok()?;
        if monitor.is_null() {
            return None;
        }
        // SAFETY: the JVM has just made this local reference.
        let class = env.class_of(unsafe { Object::from_raw(monitor) });
        Some((self.class_name(class.raw()), self.owner(monitor)))
    }

    fn owner(self, monitor: RawObject) -> Option<String> {
        let mut usage = MonitorUsage {
            owner: ptr::null_mut(),
            entry_count: 0,
            waiter_count: 0,
            waiters: ptr::null_mut(),
            notify_waiter_count: 0,
            notify_waiters: ptr::null_mut(),
        };
        call!(self, slot::GET_OBJECT_MONITOR_USAGE, (
            monitor => RawObject, &raw mut usage => *mut MonitorUsage
        ))
        .ok()?;
        self.free(usage.waiters);
        self.free(usage.notify_waiters);
        (!usage.owner.is_null()).then(|| self.thread_name(usage.owner))
    }

    /// Binary name with dots.
    fn class_name(self, class: RawObject) -> String {
        let mut signature: *mut c_char = ptr::null_mut();
        let known = call!(self, slot::GET_CLASS_SIGNATURE, (
            class => RawObject, &raw mut signature => *mut *mut c_char, ptr::null_mut() => *mut *mut c_char
        ));
        if known.is_err() {
            return String::from("?");
        }
        let text = self.text(signature);
        let name = text.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
        name.unwrap_or(&text).replace('/', ".")
    }

    fn method_name(self, method: *mut c_void) -> String {
        let mut name: *mut c_char = ptr::null_mut();
        let named = call!(self, slot::GET_METHOD_NAME, (
            method => *mut c_void, &raw mut name => *mut *mut c_char,
            ptr::null_mut() => *mut *mut c_char, ptr::null_mut() => *mut *mut c_char
        ));
        if named.is_ok() {
            self.text(name)
        } else {
            String::from("?")
        }
    }

    /// The frames of the current thread, innermost first, up to a number.
    fn current_frames(self) -> Option<Vec<FrameInfo>> {
        let none = || FrameInfo {
            method: ptr::null_mut(),
            location: 0,
        };
        let mut frames: Vec<FrameInfo> = (0..CONTEXT_FRAMES).map(|_| none()).collect();
        let mut count = 0_i32;
        call!(self, slot::GET_STACK_TRACE, (
            ptr::null_mut() => RawObject, 0 => i32, CONTEXT_FRAMES => i32,
            frames.as_mut_ptr() => *mut FrameInfo, &raw mut count => *mut i32
        ))
        .ok()?;
        frames.truncate(usize::try_from(count).unwrap_or(0));
        Some(frames)
    }

    /// The number, for [`callers::of`], of the lines through which the current thread came to where it is.
    pub(crate) fn callers(self, env: Env<'_>) -> Option<i32> {
        let frames = self.current_frames()?;
        let marks = frames.iter().map(|frame| (frame.method.addr(), frame.location));
        let describe = |at: usize| frames.get(at).and_then(|frame| self.met(env, frame));
        Some(callers::number(marks.collect(), &describe))
    }

    /// Whose line a frame is at.
    fn met(self, env: Env<'_>, frame: &FrameInfo) -> Option<Met> {
        let mut class: RawObject = ptr::null_mut();
        call!(self, slot::GET_METHOD_DECLARING_CLASS, (
            frame.method => *mut c_void, &raw mut class => *mut RawObject
        ))
        .ok()?;
        let owner = self.class_name(class);
        let mut source: *mut c_char = ptr::null_mut();
        let sourced = call!(self, slot::GET_SOURCE_FILE_NAME, (
            class => RawObject, &raw mut source => *mut *mut c_char
        ));
        let source = sourced.ok().map(|()| self.text(source));
        let is_platform = self.is_of_platform(env, class);
        // SAFETY: the JVM has just made this local reference.
        env.delete_local(unsafe { Object::from_raw(class) });
        let simple = owner.rsplit('.').next().unwrap_or(&owner);
        if simple.starts_with(PLAN_CLASS) {
            return Some(Met::Plan);
        }
        if owner.starts_with(RUNTIME_CLASSES) {
            return Some(Met::Runtime);
        }
        let line = self.line(frame.method, frame.location);
        let caller = Caller {
            method: self.method_name(frame.method),
            class: owner,
            source,
            line: line.and_then(|line| u32::try_from(line).ok()),
        };
        Some(if is_platform {
            Met::Platform(caller)
        } else {
            Met::Other(caller)
        })
    }

    fn is_of_platform(self, env: Env<'_>, class: RawObject) -> bool {
        let mut loader: RawObject = ptr::null_mut();
        let known = call!(self, slot::GET_CLASS_LOADER, (
            class => RawObject, &raw mut loader => *mut RawObject
        ));
        if known.is_err() || loader.is_null() {
            return known.is_ok();
        }
        // SAFETY: the JVM has just made this local reference.
        let loader = unsafe { Object::from_raw(loader) };
        let kind = env.class_of(loader);
        let is_platform = self.class_name(kind.raw()).ends_with(PLATFORM_LOADER);
        env.delete_local(kind);
        env.delete_local(loader);
        is_platform
    }

    /// How the current thread came to where it is: a hash of the methods between the plan and the hook, and of where in them
    /// it is. None if the plan is not among its frames.
    pub(crate) fn context(self, env: Env<'_>, known: &mut BTreeMap<usize, MethodName>) -> Option<u64> {
        let frames = self.current_frames()?;
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for frame in &frames {
            let name = known
                .entry(frame.method.addr())
                .or_insert_with(|| self.kind_of_method(env, frame.method));
            match name {
                MethodName::Runtime => {}
                MethodName::Plan => return Some(hash),
                MethodName::Other(name) => {
                    hash = (hash ^ *name).wrapping_mul(0x0100_0000_01b3);
                    hash = (hash ^ frame.location.cast_unsigned()).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        // Deeper than anybody looks: the plan is somewhere below.
        (frames.len() == CONTEXT_FRAMES as usize).then_some(hash)
    }

    fn kind_of_method(self, env: Env<'_>, method: *mut c_void) -> MethodName {
        let mut class: RawObject = ptr::null_mut();
        let owned = call!(self, slot::GET_METHOD_DECLARING_CLASS, (
            method => *mut c_void, &raw mut class => *mut RawObject
        ));
        if owned.is_err() {
            return MethodName::Runtime;
        }
        let owner = self.class_name(class);
        // SAFETY: the JVM has just made this local reference.
        env.delete_local(unsafe { Object::from_raw(class) });
        if owner.starts_with(PLAN_CLASS) {
            return MethodName::Plan;
        }
        if owner.starts_with(RUNTIME_CLASSES) {
            return MethodName::Runtime;
        }
        let text = format!("{owner}.{}", self.method_name(method));
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        MethodName::Other(hash)
    }

    /// A frame as Java prints it.
    fn frame(self, env: Env<'_>, frame: &FrameInfo) -> String {
        let method = self.method_name(frame.method);
        let mut class: RawObject = ptr::null_mut();
        let owned = call!(self, slot::GET_METHOD_DECLARING_CLASS, (
            frame.method => *mut c_void, &raw mut class => *mut RawObject
        ));
        if owned.is_err() {
            return method;
        }
        let mut source: *mut c_char = ptr::null_mut();
        let sourced = call!(self, slot::GET_SOURCE_FILE_NAME, (
            class => RawObject, &raw mut source => *mut *mut c_char
        ));
        let source = sourced.ok().map(|()| self.text(source));
        let place = match (frame.location, source) {
            (NATIVE, _) => String::from("Native Method"),
            (_, None) => String::from("Unknown Source"),
            (location, Some(source)) => match self.line(frame.method, location) {
                Some(line) => format!("{source}:{line}"),
                None => source,
            },
        };
        let text = format!("{}.{method}({place})", self.class_name(class));
        // SAFETY: the JVM has just made this local reference.
        env.delete_local(unsafe { Object::from_raw(class) });
        text
    }

    fn line(self, method: *mut c_void, location: i64) -> Option<i32> {
        let (mut count, mut entries) = (0_i32, ptr::null_mut::<LineEntry>());
        call!(self, slot::GET_LINE_NUMBER_TABLE, (
            method => *mut c_void, &raw mut count => *mut i32, &raw mut entries => *mut *mut LineEntry
        ))
        .ok()?;
        // SAFETY: the JVM has just filled that many entries, and they are given back only below.
        let line = unsafe { slice(entries, count) }
            .iter()
            .filter(|entry| entry.start <= location)
            .max_by_key(|entry| entry.start)
            .map(|entry| entry.line);
        self.free(entries);
        line
    }
}

/// An array that the JVM filled.
///
/// # Safety
/// `first` is null, or the first of `count` entries that live as long as the result is used.
unsafe fn slice<'a, T>(first: *const T, count: i32) -> &'a [T] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: the caller vouches for it.
    unsafe { std::slice::from_raw_parts(first, usize::try_from(count).unwrap_or(0)) }
}

#[cfg(test)]
mod tests;
