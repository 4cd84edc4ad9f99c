//! The native methods of `java.lang.RaddleNative`.
#![allow(
    unsafe_code,
    reason = "the JVM calls these functions, and CPUs are chosen through libc"
)]

use std::collections::BTreeMap;
use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use raddle_classfile::ClassFile;

use crate::agent::Agent;
use crate::jni::{Env, NativeMethod, Object, RawObject, RawTable};
use crate::jvmti::MethodName;
use crate::runtime;

/// Counts what the controlled threads do. The Java side writes to it through its address.
static PROGRESS: AtomicU64 = AtomicU64::new(0);
/// The CPUs that the process could use when it began.
static CPUS: OnceLock<libc::cpu_set_t> = OnceLock::new();

/// What methods are called, by their identifiers, in one run: later, identifiers may stand for others.
static METHODS: Mutex<BTreeMap<usize, MethodName>> = Mutex::new(BTreeMap::new());

/// What is offered: name, descriptor, function.
fn offered() -> [(&'static CStr, &'static CStr, *const c_void); 5] {
    [
        (c"pin", c"(I)V", pin as *const c_void),
        (c"progressAddress", c"()J", progress_address as *const c_void),
        (c"field", c"(I)Ljava/lang/String;", field as *const c_void),
        (c"context", c"(Z)J", context as *const c_void),
        (c"callers", c"()I", callers as *const c_void),
    ]
}

/// The counter of what the controlled threads did.
pub(crate) fn progress_count() -> u64 {
    PROGRESS.load(Ordering::Relaxed)
}

/// The CPU that the calling thread is on.
pub(crate) fn current_cpu() -> Option<u32> {
    // SAFETY: this only asks.
    u32::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// The CPUs that this process may use, beginning with the one that the calling thread is on.
pub fn usable_cpus() -> Vec<u32> {
    remember_cpus();
    let Some(all) = CPUS.get() else {
        return Vec::new();
    };
    // SAFETY: bits within the set are looked at.
    let is_usable = |cpu: usize| unsafe { libc::CPU_ISSET(cpu, all) };
    let mut usable: Vec<u32> = (0..8 * size_of::<libc::cpu_set_t>())
        .filter(|&cpu| is_usable(cpu))
        .filter_map(|cpu| u32::try_from(cpu).ok())
        .collect();
    let at = current_cpu().and_then(|current| usable.iter().position(|cpu| *cpu == current));
    usable.rotate_left(at.unwrap_or(0));
    usable
}

/// To be called before any thread is pinned.
pub(crate) fn remember_cpus() {
    CPUS.get_or_init(|| {
        let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
        // SAFETY: the kernel fills at most that many bytes; a set of zeros is a set.
        unsafe {
            libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), set.as_mut_ptr());
            set.assume_init()
        }
    });
}

/// Binds those native methods that the runtime's class declares. Only these, since an exception can be made neither
/// of one that is missing nor of anything else before the JVM is up.
pub(crate) fn bind(env: Env<'_>, class: Object<'_>) -> Result<(), String> {
    let mut natives = Vec::new();
    for (name, descriptor) in declared()? {
        let found = offered().into_iter().find(|(offer, shape, _)| {
            offer.to_bytes() == name.as_bytes() && shape.to_bytes() == descriptor.as_bytes()
        });
        let Some((name, descriptor, function)) = found else {
            return Err(format!("nothing implements its native method {name}{descriptor}"));
        };
        natives.push(NativeMethod {
            name: name.as_ptr(),
            descriptor: descriptor.as_ptr(),
            function,
        });
    }
    // SAFETY: the strings are C literals, and each function has the type of its descriptor, see `offered`.
    unsafe { env.register_natives(class, &natives) }.map_err(|_| String::from("RegisterNatives refused"))
}

/// Names and descriptors of the native methods in the runtime's class file.
fn declared() -> Result<Vec<(String, String)>, String> {
    let found = runtime::CLASSES.iter().find(|(name, _)| *name == runtime::NATIVE);
    let (_, bytes) = found.ok_or_else(|| String::from("the class is missing"))?;
    let class = ClassFile::parse(bytes).map_err(|reason| reason.to_string())?;
    Ok(class
        .methods()
        .filter(|method| method.access().is_native())
        .map(|method| (method.name().into_owned(), method.descriptor().into_owned()))
        .collect())
}

/// `static native void pin(int cpu)`: to that CPU; -1 - n is the n-th of all that the process may use, from 1 and round.
extern "system" fn pin(_env: RawTable, _class: RawObject, cpu: i32) {
    let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
    // SAFETY: a set of zeros is a set. Bits beyond its end are not touched. A refusal leaves the thread where it is,
    // which costs speed only.
    unsafe {
        let set = set.assume_init_mut();
        match (usize::try_from(cpu), CPUS.get()) {
            (Ok(cpu), _) if cpu < 8 * size_of::<libc::cpu_set_t>() => libc::CPU_SET(cpu, set),
            (Err(_), Some(all)) => {
                let usable: Vec<usize> = (0..8 * size_of::<libc::cpu_set_t>())
                    .filter(|&cpu| libc::CPU_ISSET(cpu, all))
                    .collect();
                let nth = usize::try_from(-2 - i64::from(cpu)).unwrap_or(0);
                match usable.get(nth % usable.len().max(1)) {
                    Some(&cpu) => libc::CPU_SET(cpu, set),
                    None => return,
                }
            }
            _ => return,
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), set);
    }
}

/// `static native long progressAddress()`.
extern "system" fn progress_address(_env: RawTable, _class: RawObject) -> i64 {
    PROGRESS.as_ptr().expose_provenance().cast_signed() as i64
}

/// `static native String field(int site)`: `owner.name:descriptor`, or null.
extern "system" fn field(env: RawTable, _class: RawObject, id: i32) -> RawObject {
    string(env, |agent| {
        agent.site(id)?.target.map(|target| target.to_string())
    })
}

/// `static native long context(boolean first)`: 0 if it cannot be told.
extern "system" fn context(env: RawTable, _class: RawObject, first: u8) -> i64 {
    let context = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the JVM passes the pointer of the current thread, which is attached while it is here.
        let env = unsafe { Env::from_raw(env) };
        let jvmti = Agent::get().and_then(Agent::jvmti)?;
        let mut names = METHODS.lock().unwrap_or_else(PoisonError::into_inner);
        if first != 0 {
            names.clear();
        }
        jvmti.context(env, &mut names)
    }));
    context.ok().flatten().unwrap_or(0).cast_signed()
}

/// `static native int callers()`: 0 if there are none.
extern "system" fn callers(env: RawTable, _class: RawObject) -> i32 {
    let number = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the JVM passes the pointer of the current thread, which is attached while it is here.
        let env = unsafe { Env::from_raw(env) };
        Agent::get().and_then(Agent::jvmti)?.callers(env)
    }));
    number.ok().flatten().unwrap_or(0)
}

/// A Java string, or null. A panic must not reach the JVM.
fn string(env: RawTable, text: impl FnOnce(&Agent) -> Option<String>) -> RawObject {
    let text = catch_unwind(AssertUnwindSafe(|| Agent::get().and_then(text)))
        .ok()
        .flatten();
    let Some(text) = text else {
        return ptr::null_mut();
    };
    // SAFETY: the JVM passes the pointer of the current thread, which is attached while it is here.
    let env = unsafe { Env::from_raw(env) };
    env.new_string(&text).map_or(ptr::null_mut(), Object::raw)
}
