//! What a method does on entry and on every way out: a monitor, a no-switch zone, hooks of special methods.
//!
//! ```text
//!   entered
//!   zoneEnter
//!   special hook, which may return from the method at once
//!   enter, monitorenter
//!     the original code; each return is preceded by
//!     initialised, monitorexit, exit, zoneExit
//!   handler of the monitor: monitorexit, exit, rethrow
//!   handler of the zone: zoneExit, rethrow
//! ```
//!
//! The handler of the monitor begins to watch after `monitorenter`, and neither handler watches what comes
//! after its own exit, so that nothing is left twice.

use raddle_classfile::{AccessFlags, Handler, Kind};

use crate::drafts::{About, Hooks};
use crate::emit::{self, ATHROW, DUP, IFEQ, IRETURN, LRETURN, MONITORENTER, MONITOREXIT, RETURN};
use crate::hook::Hook;
use crate::layout::{Layout, Leave};
use crate::method::Owner;
use crate::site::SiteKind;

/// What goes around one method.
#[derive(Debug)]
pub(crate) struct Wrapper {
    lock: Option<Lock>,
    // What is called on the way out of the zone that the method is.
    zone: Option<Hook>,
    special: Option<Special>,
    // Pool index of the class, if that it is initialised is to be told.
    initialises: Option<u16>,
    // The same, if the class is initialised in the run, and those who call the method have to wait for that.
    enters: Option<u16>,
}

/// The monitor of a synchronized method. It is kept in a local variable of its own, since code may assign to
/// the one that has `this`.
#[derive(Debug)]
struct Lock {
    slot: u16,
    // Pool index of the class whose monitor it is; `None` for that of `this`.
    class: Option<u16>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Special {
    VirtualThread,
    ThreadUncaught,
    ThreadJoin,
    ThreadInterrupt,
    RuntimeExit,
    RandomSeed,
    SecureRandom,
    NextInterleaving,
}

/// The code on entry, and where in it the handlers begin to watch.
#[derive(Debug, Default)]
pub(crate) struct Prologue {
    pub(crate) code: Vec<u8>,
    in_zone: u32,
    locked: u32,
}

impl Wrapper {
    /// For a method with code. `slot` is the first local variable the code does not use.
    pub(crate) fn new(
        owner: &Owner<'_>,
        (name, descriptor): (&str, &str),
        access: AccessFlags,
        slot: u16,
    ) -> Self {
        let class = owner.name;
        Wrapper {
            lock: (access.is_synchronized() && !is_momentary(class, name)).then_some(Lock {
                slot,
                class: access.is_static().then_some(owner.index),
            }),
            // The JVM does not call the initialiser of a class that is initialised in the run.
            zone: zone(class, name, descriptor).filter(|_| !(owner.is_deferred && name == "<clinit>")),
            special: special(class, name, descriptor),
            enters: (owner.is_deferred && is_entry(name, access)).then_some(owner.index),
            initialises: (owner.is_resettable && !owner.is_deferred && name == "<clinit>")
                .then_some(owner.index),
        }
    }

    /// Whether nothing goes around the method.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_exit() && self.special.is_none() && self.enters.is_none()
    }

    /// Whether returns need something before them.
    pub(crate) fn has_exit(&self) -> bool {
        self.lock.is_some() || self.zone.is_some()
    }

    /// The local slots it uses.
    pub(crate) fn slots(&self) -> u16 {
        u16::from(self.lock.is_some())
    }

    /// Whether the code loads the method's class.
    pub(crate) fn loads_class(&self) -> bool {
        self.initialises.is_some()
            || self.enters.is_some()
            || self.lock.as_ref().is_some_and(|lock| lock.class.is_some())
    }

    /// Whether the method was synchronized.
    pub(crate) fn locks(&self) -> bool {
        self.lock.is_some()
    }

    /// The stack that prologue and handlers need, on their own.
    pub(crate) fn stack(&self) -> u16 {
        // Thread, timeout and site; or exception, lock and site.
        if self.is_empty() { 0 } else { 4 }
    }

    pub(crate) fn prologue(&self, hooks: &mut Hooks<'_, '_>) -> Prologue {
        let mut prologue = Prologue::default();
        let out = &mut prologue.code;
        if let Some(class) = self.enters {
            emit::constant(out, class);
            hooks.call(out, (Hook::Entered, SiteKind::Enter), 0, About::default(), 0);
        }
        if self.zone.is_some() {
            hooks.call_plain(out, Hook::ZoneEnter, 0);
        }
        prologue.in_zone = out.len() as u32;
        if let Some(special) = self.special {
            special.write(hooks, out);
        }
        if let Some(lock) = &self.lock {
            match lock.class {
                Some(class) => emit::constant(out, class),
                None => emit::load(out, Kind::Ref, 0),
            }
            out.push(DUP);
            emit::store(out, Kind::Ref, lock.slot);
            hooks.call(out, (Hook::Enter, SiteKind::Enter), 0, About::default(), 0);
            emit::load(out, Kind::Ref, lock.slot);
            out.push(MONITORENTER);
        }
        prologue.locked = out.len() as u32;
        prologue
    }

    /// What goes before the return at `pc`.
    pub(crate) fn leave(&self, pc: u32, hooks: &mut Hooks<'_, '_>, out: &mut Vec<u8>) -> Leave {
        let start = out.len();
        if let Some(class) = self.initialises {
            emit::constant(out, class);
            hooks.call_plain(out, Hook::Initialised, 1);
        }
        let mut unlocked = 0;
        if let Some(lock) = &self.lock {
            emit::load(out, Kind::Ref, lock.slot);
            out.push(MONITOREXIT);
            unlocked = (out.len() - start) as u32;
            lock.announce_exit(pc, hooks, out);
        }
        let unzoned = (out.len() - start) as u32;
        if let Some(exit) = self.zone {
            hooks.call_plain(out, exit, 0);
        }
        Leave { unlocked, unzoned }
    }

    /// Writes the handlers behind the code, which `out` ends with, and adds them to the table.
    pub(crate) fn handlers(
        &self,
        prologue: &Prologue,
        layout: &Layout<'_, '_>,
        hooks: &mut Hooks<'_, '_>,
        out: &mut Vec<u8>,
        table: &mut Vec<Handler>,
    ) {
        let watch = |start, end, handler| Handler {
            start,
            end,
            handler,
            catch_type: None,
        };
        let mut end = layout.end();
        if let Some(lock) = &self.lock {
            layout.protect(watch(prologue.locked, end, end), false, table);
            let start = out.len();
            emit::load(out, Kind::Ref, lock.slot);
            out.push(MONITOREXIT);
            lock.announce_exit(0, hooks, out);
            out.push(ATHROW);
            end += (out.len() - start) as u32;
        }
        if let Some(exit) = self.zone {
            layout.protect(watch(prologue.in_zone, end, end), true, table);
            hooks.call_plain(out, exit, 0);
            out.push(ATHROW);
        }
    }
}

impl Lock {
    fn announce_exit(&self, pc: u32, hooks: &mut Hooks<'_, '_>, out: &mut Vec<u8>) {
        emit::load(out, Kind::Ref, self.slot);
        hooks.call(out, (Hook::Exit, SiteKind::Exit), pc, About::default(), 2);
    }
}

impl Special {
    fn write(self, hooks: &mut Hooks<'_, '_>, out: &mut Vec<u8>) {
        let (loads, hook): (&[(Kind, u16)], _) = match self {
            Special::VirtualThread => (&[(Kind::Ref, 0)], (Hook::Began, SiteKind::Start)),
            Special::ThreadUncaught => (&[(Kind::Ref, 0), (Kind::Ref, 1)], (Hook::Uncaught, SiteKind::End)),
            Special::ThreadJoin => (&[(Kind::Ref, 0), (Kind::Long, 1)], (Hook::Join, SiteKind::Join)),
            Special::ThreadInterrupt => (&[(Kind::Ref, 0)], (Hook::Interrupting, SiteKind::Interrupt)),
            Special::RuntimeExit => (&[(Kind::Int, 1)], (Hook::Exiting, SiteKind::ExitVm)),
            Special::RandomSeed => (&[], (Hook::Seed, SiteKind::Seed)),
            Special::SecureRandom => (&[(Kind::Ref, 1)], (Hook::Entropy, SiteKind::Random)),
            Special::NextInterleaving => {
                emit::load(out, Kind::Ref, 0);
                hooks.call_plain(out, Hook::FirstRound, 1);
                out.push(IRETURN);
                return;
            }
        };
        for &(kind, slot) in loads {
            emit::load(out, kind, slot);
        }
        hooks.call(out, hook, 0, About::default(), 0);
        match self {
            // Over the return when the hook says no.
            Special::ThreadUncaught | Special::ThreadJoin | Special::SecureRandom => {
                out.extend([IFEQ, 0, 4, RETURN]);
            }
            Special::RandomSeed => out.push(LRETURN),
            _ => {}
        }
    }
}

/// Whether a class is initialised before the method is called, for all that the caller's code shows: it may be called by a
/// lambda, by reflection or from a plan.
fn is_entry(name: &str, access: AccessFlags) -> bool {
    name == "<init>" || access.is_static() && name != "<clinit>"
}

fn special(class: &str, name: &str, descriptor: &str) -> Option<Special> {
    Some(match (class, name, descriptor) {
        // Nobody tells an agent of the beginning of these, as of that of other threads.
        ("java/lang/ThreadBuilders$BoundVirtualThread", "run", "()V") => Special::VirtualThread,
        ("java/lang/Thread", "dispatchUncaughtException", "(Ljava/lang/Throwable;)V") => {
            Special::ThreadUncaught
        }
        ("java/lang/Thread", "join", "(J)V") => Special::ThreadJoin,
        ("java/lang/Thread", "interrupt", "()V") => Special::ThreadInterrupt,
        ("java/lang/Runtime", "exit" | "halt", "(I)V") => Special::RuntimeExit,
        ("java/util/Random", "seedUniquifier", "()J") => Special::RandomSeed,
        ("java/security/SecureRandom", "nextBytes", "([B)V") => Special::SecureRandom,
        // A test that asks its own tool for one interleaving after the other gets one in each run.
        ("com/vmlens/api/AllInterleavings", "hasNext", "()Z") => Special::NextInterleaving,
        _ => return None,
    })
}

/// A synchronized method in which no hook is called, so that nobody is ever switched away from inside of it. Every exception
/// that is made goes through this one.
fn is_momentary(class: &str, name: &str) -> bool {
    class == "java/lang/Throwable" && name == "fillInStackTrace"
}

/// Classes with tables that the whole JVM shares. A run that is ended inside one of their methods would leave it locked
/// for all later runs.
const SHARED_BY_ALL: [&str; 10] = [
    "java/lang/ClassValue",
    "java/lang/invoke/MethodHandleImpl",
    "java/lang/invoke/MethodHandles$Lookup",
    "java/lang/invoke/MethodType",
    "java/lang/invoke/MethodType$ConcurrentWeakInternSet",
    "jdk/internal/reflect/MethodHandleAccessorFactory",
    "jdk/internal/reflect/ReflectionFactory",
    "jdk/internal/util/ReferencedKeyMap",
    "jdk/internal/util/ReferencedKeySet",
    "jdk/internal/vm/ThreadContainers",
];

/// What is called on the way out of a method that is a zone. The last method of a thread is one: what it takes out of the
/// tables of its group must be out of them before another thread goes on, which may look there.
fn zone(class: &str, name: &str, descriptor: &str) -> Option<Hook> {
    if (class, name, descriptor) == ("java/lang/Thread", "exit", "()V") {
        return Some(Hook::Ended);
    }
    is_zone(class, name, descriptor).then_some(Hook::ZoneExit)
}

/// Methods in which the JVM holds locks that no hook sees: a thread that is switched away from there would
/// block all others.
fn is_zone(class: &str, name: &str, descriptor: &str) -> bool {
    if SHARED_BY_ALL.contains(&class) {
        return name != "<init>";
    }
    match name {
        // What is known of a class is computed once, and takes long: a run that is ended there would begin again and again.
        "getMethodsRecursive" | "methodToString" | "annotationData" => class == "java/lang/Class",
        _ if name.starts_with("privateGet") => class == "java/lang/Class",
        "<clinit>" => true,
        "loadClass" => matches!(
            descriptor,
            "(Ljava/lang/String;)Ljava/lang/Class;" | "(Ljava/lang/String;Z)Ljava/lang/Class;"
        ),
        "linkCallSite"
        | "linkDynamicConstant"
        | "linkMethod"
        | "linkMethodHandleConstant"
        | "findMethodHandleType" => class == "java/lang/invoke/MethodHandleNatives",
        _ => false,
    }
}
