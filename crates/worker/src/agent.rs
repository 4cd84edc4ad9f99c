//! The executable as the JVM's own tool: has classes rewritten, puts the runtime in place before the first Java
//! instruction, and tells the runtime of new threads.
//!
//! Order of events: `Agent_OnLoad_raddle`; classes come in, `java.lang.Object` first; the early VM start, at which no
//! Java code has run yet and the runtime's classes are defined; more classes; from VM init on, Java code can be called.
#![allow(unsafe_code, reason = "the JVM calls these functions")]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};
use std::time::Instant;

use raddle_classfile::ClassFile;
use raddle_instrument::{LeftAlone, Options, Rewriter, Site, StaticState, Tier};

use crate::jni::{Env, Global, MethodId, Object, RawObject, RawTable, Value, Vm};
use crate::jvmti::{Callbacks, Event, Jvmti, capability};
use crate::{natives, runtime};

/// What `-agentlib:` is given.
pub(crate) const NAME: &str = "raddle";
/// The function that the JVM looks up in the executable for that.
const ENTRY: &CStr = c"Agent_OnLoad_raddle";

/// The one of the process.
static AGENT: OnceLock<Agent> = OnceLock::new();

/// What the callbacks share.
pub(crate) struct Agent {
    rewriter: Rewriter,
    jvmti: OnceLock<Jvmti>,
    began: OnceLock<(Global, MethodId)>,
    left_alone: Mutex<Vec<LeftAlone>>,
    resettable: RwLock<Vec<String>>,
    uninitialised: RwLock<Vec<String>>,
    /// The package whose classes are loaded with everything public that it sees, with its slash.
    open: RwLock<Option<String>>,
    /// Of these, those that are as new only if they are loaded anew, as far as they were loaded.
    loaded_anew: RwLock<BTreeSet<String>>,
    classes: AtomicU32,
    rewritten: AtomicU32,
    nanoseconds: AtomicU64,
}

/// How much the rewriter had to do so far.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewriting {
    /// Classes that the JVM offered.
    pub classes: u32,
    /// Those that were changed.
    pub rewritten: u32,
    /// Time that this took, of all threads together.
    pub nanoseconds: u64,
}

impl Agent {
    /// Makes the one of the process; none if there is one already.
    pub(crate) fn install(options: Options) -> Option<&'static Self> {
        let mut fresh = false;
        let agent = AGENT.get_or_init(|| {
            fresh = true;
            Self {
                rewriter: Rewriter::new(options),
                jvmti: OnceLock::new(),
                began: OnceLock::new(),
                left_alone: Mutex::default(),
                resettable: RwLock::default(),
                uninitialised: RwLock::default(),
                open: RwLock::default(),
                loaded_anew: RwLock::default(),
                classes: AtomicU32::new(0),
                rewritten: AtomicU32::new(0),
                nanoseconds: AtomicU64::new(0),
            }
        });
        fresh.then_some(agent)
    }

    /// The one of the process.
    pub(crate) fn get() -> Option<&'static Self> {
        AGENT.get()
    }

    /// Whether the JVM will find the entry point: the executable must have been linked so that it shows it.
    pub(crate) fn is_exported() -> bool {
        // SAFETY: the name ends with a zero byte. The comparison also keeps the function from being dropped as unused.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, ENTRY.as_ptr()) };
        std::ptr::eq(found.cast_const(), Agent_OnLoad_raddle as *const c_void)
    }

    pub(crate) fn jvmti(&self) -> Option<Jvmti> {
        self.jvmti.get().copied()
    }

    /// A place in rewritten code.
    pub(crate) fn site(&self, id: i32) -> Option<Site> {
        self.rewriter.site(id)
    }

    /// The methods and classes that are not under control.
    pub(crate) fn left_alone(&self) -> Vec<LeftAlone> {
        self.left_alone
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn rewriting(&self) -> Rewriting {
        Rewriting {
            classes: self.classes.load(Ordering::Relaxed),
            rewritten: self.rewritten.load(Ordering::Relaxed),
            nanoseconds: self.nanoseconds.load(Ordering::Relaxed),
        }
    }

    /// From here on, classes with these internal names are loaded so that their static state can be reset.
    pub(crate) fn make_resettable(&self, classes: Vec<String>) {
        *self.resettable.write().unwrap_or_else(PoisonError::into_inner) = classes;
    }

    /// From here on, classes with these internal names are loaded so that they are initialised in the run.
    pub(crate) fn defer(&self, classes: Vec<String>) {
        *self.uninitialised.write().unwrap_or_else(PoisonError::into_inner) = classes;
    }

    /// From here on, the tests are in this package, by its Java name: they see what its classes see.
    pub(crate) fn open_package(&self, package: Option<&str>) {
        let open = package.map(|package| match package {
            "" => String::new(),
            package => format!("{}/", package.replace('.', "/")),
        });
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = open;
    }

    fn is_open(&self, name: &str) -> bool {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let package = &name[..name.rfind('/').map_or(0, |slash| slash + 1)];
        // What tests are made of is in no package.
        open.as_deref() == Some(package) && self.rewriter.tier(name) != Tier::None
    }

    /// Whether the static state of the class is as new only if it is loaded anew.
    pub(crate) fn must_be_loaded_anew(&self, name: &str) -> bool {
        let classes = self.loaded_anew.read().unwrap_or_else(PoisonError::into_inner);
        classes.contains(name)
    }

    fn is_resettable(&self, name: &str) -> bool {
        let classes = self.resettable.read().unwrap_or_else(PoisonError::into_inner);
        classes.iter().any(|class| class == name)
    }

    /// From here on the runtime hears of new threads. To be called when Java code can run.
    pub(crate) fn announce_threads(&self, class: Global, began: MethodId) -> Result<(), String> {
        let jvmti = self.jvmti().ok_or("the JVM has not called the entry point")?;
        self.began.get_or_init(|| (class, began));
        jvmti
            .enable(Event::ThreadStart)
            .map_err(|reason| reason.to_string())
    }

    fn begin(&self, vm: Vm) -> Result<(), String> {
        let jvmti = Jvmti::new(vm).map_err(|code| format!("no JVMTI (code {code})"))?;
        let start = || {
            jvmti.add_capabilities(&[
                capability::GENERATE_EARLY_VMSTART,
                // For the report of threads that hang.
                capability::GET_SOURCE_FILE_NAME,
                capability::GET_LINE_NUMBERS,
                capability::GET_CURRENT_CONTENDED_MONITOR,
                capability::GET_MONITOR_INFO,
            ])?;
            jvmti.set_callbacks(&Callbacks {
                thread_start: Some(on_thread_start),
                vm_start: Some(on_vm_start),
                ..Callbacks::NONE
            })?;
            jvmti.enable(Event::VmStart)
        };
        start().map_err(|reason| reason.to_string())?;
        self.jvmti.get_or_init(|| jvmti);
        Ok(())
    }

    /// The class as it is to be loaded; none to load it as it is.
    pub(crate) fn rewrite(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let begin = Instant::now();
        let uninitialised = self.uninitialised.read().unwrap_or_else(PoisonError::into_inner);
        let state = StaticState {
            is_reset: self.is_resettable(name),
            uninitialised: &uninitialised,
        };
        let result = self.rewriter.rewrite_for(name, bytes, state);
        drop(uninitialised);
        if result.must_be_loaded_anew {
            let mut classes = self.loaded_anew.write().unwrap_or_else(PoisonError::into_inner);
            classes.insert(name.to_owned());
        }
        if !result.left_alone.is_empty() {
            let mut left_alone = self.left_alone.lock().unwrap_or_else(PoisonError::into_inner);
            left_alone.extend(result.left_alone);
        }
        self.classes.fetch_add(1, Ordering::Relaxed);
        self.rewritten
            .fetch_add(u32::from(result.bytes.is_some()), Ordering::Relaxed);
        let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        if !self.is_open(name) {
            return result.bytes;
        }
        let class = ClassFile::parse(result.bytes.as_deref().unwrap_or(bytes)).ok();
        class.map(|class| class.opened()).or(result.bytes)
    }
}

/// Called by the JVM while it is made. A result other than 0 ends it.
///
/// # Safety
/// Only the JVM may call it: the first argument is its `JavaVM *`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn Agent_OnLoad_raddle(
    vm: *const c_void,
    _options: *mut c_char,
    _reserved: *mut c_void,
) -> i32 {
    // SAFETY: see above.
    let vm = unsafe { Vm::from_raw(vm.cast()) };
    let begun = catch_unwind(|| Agent::get().is_some_and(|agent| agent.begin(vm).is_ok()));
    i32::from(!begun.unwrap_or(false))
}

/// The early VM start: the runtime's classes are defined before any Java code runs that calls them.
unsafe extern "system" fn on_vm_start(_jvmti: RawTable, jni: RawTable) {
    // SAFETY: the JVM passes the pointer of the current thread.
    let env = unsafe { Env::from_raw(jni) };
    let problem = catch_unwind(AssertUnwindSafe(|| install_runtime(env)))
        .unwrap_or_else(|_| Err(String::from("the installation of the runtime failed")));
    if let Err(problem) = problem {
        // Classes that need the runtime are loaded already, so the JVM cannot go on without.
        let message = CString::new(problem).unwrap_or_default();
        env.fatal_error(&message);
    }
}

fn install_runtime(env: Env<'_>) -> Result<(), String> {
    for (name, bytes) in runtime::CLASSES {
        let class = env
            .define_boot_class(name, bytes)
            .map_err(|_| format!("the JVM refuses Raddle's class {}", name.to_string_lossy()))?;
        if *name == runtime::NATIVE {
            natives::bind(env, class).map_err(|problem| {
                format!(
                    "the native methods of {} cannot be bound: {problem}",
                    name.to_string_lossy()
                )
            })?;
        }
        env.delete_local(class);
    }
    Ok(())
}

/// A thread begins, and this is on it.
unsafe extern "system" fn on_thread_start(_jvmti: RawTable, jni: RawTable, thread: RawObject) {
    let Some((class, began)) = Agent::get().and_then(|agent| agent.began.get()) else {
        return;
    };
    // SAFETY: the JVM passes the pointer of the current thread and a reference to it. The method is
    // `static void began(Thread)` of that class.
    unsafe {
        let env = Env::from_raw(jni);
        let thread = Object::from_raw(thread);
        // An exception would be reported in some later, unrelated place.
        let _ = env.call_static_void(class.object(), *began, &[Value::from(thread)]);
    }
}
