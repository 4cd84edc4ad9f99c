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

/// What methods of platform classes do. Each class is read once, and so is each method: a JVM that starts asks for
/// thousands of them.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    platform: Option<Platform>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// None if there is no such class.
    classes: FxHashMap<String, Option<Arc<ClassFile>>>,
    numbers: FxHashMap<Callee, usize>,
    /// By number.
    methods: Vec<Method>,
}

/// A method as it is called: internal name of a class, name and descriptor.
type Callee = (String, String, String);

/// A method that is followed.
#[derive(Debug)]
struct Method {
    callee: Callee,
    /// None if it was not read yet.
    body: Option<Arc<Body>>,
    /// With all that it calls. Only whole answers are kept: what was found on the way depends on where the way began.
    effect: Option<Effect>,
}

/// What the code of a method does.
#[derive(Debug, Default)]
struct Body {
    /// By itself.
    own: Effect,
    /// An object that is being made is nobody else's yet.
    is_making: bool,
    /// Numbers of the followed methods that it calls.
    callees: Vec<usize>,
}

impl Body {
    fn of(own: Effect) -> Body {
        Body {
            own,
            ..Body::default()
        }
    }
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
        if !is_followed(class, name) {
            return Effect::default();
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let number = known.number(class, name, descriptor);
        if let Some(effect) = known.methods[number].effect {
            return effect;
        }
        let effect = self.look(&mut known, number, &mut Vec::new());
        known.methods[number].effect = Some(effect);
        effect
    }

    /// `path` are the methods that are being looked at.
    fn look(&self, known: &mut Known, number: usize, path: &mut Vec<usize>) -> Effect {
        if path.len() > DEPTH || path.contains(&number) {
            return Effect::default();
        }
        let body = self.body(known, number);
        let mut effect = body.own;
        path.push(number);
        for callee in &body.callees {
            if effect == Effect::ANYTHING {
                break;
            }
            effect.add(self.look(known, *callee, path));
        }
        path.pop();
        if body.is_making {
            effect.state = Touch::Nothing;
        }
        effect
    }

    fn body(&self, known: &mut Known, number: usize) -> Arc<Body> {
        if let Some(body) = &known.methods[number].body {
            return Arc::clone(body);
        }
        let callee = known.methods[number].callee.clone();
        let body = Arc::new(self.read(known, &callee));
        known.methods[number].body = Some(Arc::clone(&body));
        body
    }

    fn read(&self, known: &mut Known, (class, name, descriptor): &Callee) -> Body {
        let mut at = class.clone();
        loop {
            let Some(file) = self.class(known, &at) else {
                return Body::of(Effect::ANYTHING);
            };
            let method = file
                .methods()
                .find(|method| method.name() == *name && method.descriptor() == *descriptor);
            if let Some(method) = method {
                return body(known, &file, method);
            }
            match file.super_name() {
                Some(parent) => at = parent.into_owned(),
                // Declared by an interface: whoever implements it is asked.
                None => return Body::default(),
            }
        }
    }

    fn class(&self, known: &mut Known, name: &str) -> Option<Arc<ClassFile>> {
        if let Some(class) = known.classes.get(name) {
            return class.clone();
        }
        let bytes = self.platform.as_ref().and_then(|platform| (platform.0)(name));
        let class = bytes
            .and_then(|bytes| ClassFile::parse(&bytes).ok())
            .map(Arc::new);
        known.classes.insert(name.to_owned(), class.clone());
        class
    }
}

impl Known {
    fn number(&mut self, class: &str, name: &str, descriptor: &str) -> usize {
        let callee = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        if let Some(number) = self.numbers.get(&callee) {
            return *number;
        }
        self.methods.push(Method {
            callee: callee.clone(),
            body: None,
            effect: None,
        });
        self.numbers.insert(callee, self.methods.len() - 1);
        self.methods.len() - 1
    }
}

fn body(known: &mut Known, file: &ClassFile, method: MethodView<'_>) -> Body {
    if method.access().is_native() {
        return Body::of(Effect::ANYTHING);
    }
    let Ok(Some(code)) = method.code() else {
        return Body::default();
    };
    let is_making = matches!(&*method.name(), "<init>" | "<clinit>");
    let mut own = Effect::default();
    let mut callees = Vec::new();
    let mut pc = 0;
    while let Ok((insn, end)) = code.instruction_at(pc) {
        match insn {
            Insn::PutField(_) | Insn::PutStatic(_) if !is_making => own.state = Touch::Writes,
            Insn::GetField(index) | Insn::GetStatic(index) if can_change(file, index) => {
                own.state = own.state.max(Touch::Reads);
            }
            Insn::ArrayStore(_) => own.stores_elements = true,
            Insn::InvokeStatic(index) | Insn::InvokeVirtual(index) | Insn::InvokeSpecial(index) => {
                if let Ok(callee) = file.pool().member_ref(index) {
                    if callee.class == "java/lang/System" && callee.name == "arraycopy" {
                        own.stores_elements = true;
                    }
                    if is_followed(&callee.class, &callee.name) {
                        let number = known.number(&callee.class, &callee.name, &callee.descriptor);
                        if !callees.contains(&number) {
                            callees.push(number);
                        }
                    }
                }
            }
            _ => {}
        }
        if end <= pc || end as usize >= code.bytes().len() {
            break;
        }
        pc = end;
    }
    Body {
        own,
        is_making,
        callees,
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
