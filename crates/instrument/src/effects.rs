//! What a call of code does that is not interleaved: to its object, to the static state of its class, to arrays that it
//! is given.
//!
//! Such a call is one step of its caller. What the step touches follows from the code that is called, as far as that is
//! code: fields that it sets or reads, and calls of more such code. A native method may do anything to its object, but for
//! those of classes listed in [`HARMLESS`].

use std::sync::{Arc, Mutex, PoisonError};

use raddle_classfile::{ClassFile, Insn, MethodView};
use rustc_hash::FxHashMap;

use crate::tier::Tier;

/// The bytes of platform classes, by internal name.
#[derive(Clone)]
pub struct Platform(Arc<Find>);

type Find = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

impl Platform {
    /// Classes as this function knows them.
    pub fn new(find: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Platform {
        Platform(Arc::new(find))
    }
}

impl std::fmt::Debug for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Platform")
    }
}

/// What is done to the state of an object or class.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touch {
    #[default]
    Nothing,
    Reads,
    Writes,
}

/// What a method does.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    /// To its object, or to the static state of its class.
    pub(crate) state: Touch,
    /// To arrays; those that it makes itself included.
    pub(crate) stores_elements: bool,
}

impl Effect {
    /// When nothing is known.
    pub(crate) const ANYTHING: Effect = Effect {
        state: Touch::Writes,
        stores_elements: true,
    };

    fn add(&mut self, other: Effect) {
        self.state = self.state.max(other.state);
        self.stores_elements |= other.stores_elements;
    }
}

/// Classes whose callers never see a change, though fields of theirs are set or their methods are native, and why.
const HARMLESS: [(&str, &str); 17] = [
    ("java/lang/Object", "its methods are hooked, or about identity"),
    (
        "java/lang/String",
        "keeps the hash of characters that never change",
    ),
    (
        "java/lang/StringConcatHelper",
        "works on arrays that it makes itself",
    ),
    (
        "java/lang/Class",
        "keeps what the class file says, computed when first asked for",
    ),
    ("java/lang/ClassValue", "one value for each class, computed once"),
    ("java/lang/Float", "its native methods look at bits"),
    ("java/lang/Double", "its native methods look at bits"),
    ("java/lang/StrictMath", "computes"),
    ("java/lang/Math", "computes; its random numbers are hooked"),
    ("java/lang/Enum", "nothing in it changes but its kept hash"),
    ("java/lang/Record", "has no state"),
    ("java/lang/Runtime", "tells about the machine"),
    ("java/lang/StackTraceElement", "keeps texts of what never changes"),
    ("java/lang/StackWalker", "looks at the calling thread's stack"),
    ("java/lang/ThreadLocal", "every thread has a value of its own"),
    (
        "java/lang/invoke/",
        "linkage; what handles do is told where they are called",
    ),
    (
        "jdk/internal/",
        "Unsafe's accesses are hooked where they are made; the rest serves loading and linking",
    ),
];

/// Native methods, and those that set fields, of other classes whose callers see no change.
const HARMLESS_METHODS: [(&str, &str); 10] = [
    ("java/lang/System", "arraycopy"),
    ("java/lang/System", "identityHashCode"),
    ("java/lang/System", "mapLibraryName"),
    ("java/lang/Thread", "currentThread"),
    ("java/lang/Thread", "holdsLock"),
    // The flag is the thread's own, and setting it is hooked.
    ("java/lang/Thread", "interrupted"),
    ("java/lang/Thread", "isInterrupted"),
    ("java/lang/Thread", "getAndClearInterrupt"),
    ("java/lang/Thread", "clearInterrupt"),
    ("java/lang/Thread", "registerNatives"),
];

/// Calls within calls that are followed.
const DEPTH: usize = 8;

/// What methods of platform classes do, each looked at once.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    platform: Option<Platform>,
    known: Mutex<FxHashMap<String, Effect>>,
}

impl Effects {
    pub(crate) fn new(platform: Option<Platform>) -> Effects {
        Effects {
            platform,
            known: Mutex::default(),
        }
    }

    /// What a call of the method does, if it is not interleaved.
    pub(crate) fn of(&self, class: &str, name: &str, descriptor: &str) -> Effect {
        if is_followed(class, name) {
            let key = format!("{class}.{name}{descriptor}");
            if let Some(known) = self.known().get(&key) {
                return *known;
            }
            // Only whole answers are kept: what was found on the way depends on where the way began.
            let effect = self.look(class, name, descriptor, &mut Vec::new());
            self.known().insert(key, effect);
            effect
        } else {
            Effect::default()
        }
    }

    /// `path` are the methods that are being looked at.
    fn look(&self, class: &str, name: &str, descriptor: &str, path: &mut Vec<String>) -> Effect {
        let key = format!("{class}.{name}{descriptor}");
        if !is_followed(class, name) || path.len() > DEPTH || path.contains(&key) {
            return Effect::default();
        }
        path.push(key);
        let effect = self.find(class, name, descriptor, path);
        path.pop();
        effect
    }

    fn known(&self) -> std::sync::MutexGuard<'_, FxHashMap<String, Effect>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, class: &str, name: &str, descriptor: &str, path: &mut Vec<String>) -> Effect {
        let mut at = class.to_owned();
        loop {
            let bytes = self.platform.as_ref().and_then(|platform| (platform.0)(&at));
            let Some(file) = bytes.and_then(|bytes| ClassFile::parse(&bytes).ok()) else {
                return Effect::ANYTHING;
            };
            let method = file
                .methods()
                .find(|method| method.name() == name && method.descriptor() == descriptor);
            if let Some(method) = method {
                return self.effect(&file, method, path);
            }
            match file.super_name() {
                Some(parent) => at = parent.into_owned(),
                // Declared by an interface: whoever implements it is asked.
                None => return Effect::default(),
            }
        }
    }

    fn effect(&self, file: &ClassFile, method: MethodView<'_>, path: &mut Vec<String>) -> Effect {
        if method.access().is_native() {
            return Effect::ANYTHING;
        }
        let Ok(Some(code)) = method.code() else {
            return Effect::default();
        };
        // An object that is being made is nobody else's yet.
        let is_making = matches!(&*method.name(), "<init>" | "<clinit>");
        let mut effect = Effect::default();
        let mut pc = 0;
        while let Ok((insn, end)) = code.instruction_at(pc) {
            match insn {
                Insn::PutField(_) | Insn::PutStatic(_) if !is_making => effect.state = Touch::Writes,
                Insn::GetField(index) | Insn::GetStatic(index) if can_change(file, index) => {
                    effect.state = effect.state.max(Touch::Reads);
                }
                Insn::ArrayStore(_) => effect.stores_elements = true,
                Insn::InvokeStatic(index) | Insn::InvokeVirtual(index) | Insn::InvokeSpecial(index) => {
                    if let Ok(callee) = file.pool().member_ref(index) {
                        if callee.class == "java/lang/System" && callee.name == "arraycopy" {
                            effect.stores_elements = true;
                        }
                        effect.add(self.look(&callee.class, &callee.name, &callee.descriptor, path));
                    }
                }
                _ => {}
            }
            if end <= pc || end as usize >= code.bytes().len() {
                break;
            }
            pc = end;
        }
        if is_making {
            effect.state = Touch::Nothing;
        }
        effect
    }
}

/// What an interleaved class does is hooked.
fn is_followed(class: &str, name: &str) -> bool {
    Tier::of(class) != Tier::Full && !is_harmless(class, name)
}

fn is_harmless(class: &str, name: &str) -> bool {
    let is_of = |start: &str| {
        if start.ends_with('/') {
            class.starts_with(start)
        } else {
            class == start
        }
    };
    HARMLESS.iter().any(|(start, _)| is_of(start)) || HARMLESS_METHODS.contains(&(class, name))
}

/// Whether a field of the class itself is not final. Others are taken to be.
fn can_change(file: &ClassFile, index: u16) -> bool {
    let Ok(member) = file.pool().member_ref(index) else {
        return true;
    };
    member.class == file.name()
        && file.fields().any(|field| {
            field.name() == member.name
                && field.descriptor() == member.descriptor
                && !field.access().is_final()
        })
}
