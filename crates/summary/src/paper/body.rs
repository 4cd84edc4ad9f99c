//! DepCon+ section 4: a method as an ordered sequence of R(x), W(x), ACQ(l), REL(l) and INVOKE(callee).

use raddle_classfile::ClassFileError;
use raddle_program::{ClassId, MethodId, Program};
use smallvec::SmallVec;

use super::alias::Scan;
use super::path::{Path, Root, Value};

/// An instruction of one of the five types.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) pc: u32,
    pub(super) op: Op,
}

/// The five types.
#[derive(Debug)]
pub(super) enum Op {
    Read(Path),
    Write(Path),
    /// ACQ(l); a lock without a name cannot be shared.
    Acquire(Value),
    Release(Value),
    Invoke(Box<Call>),
}

/// INVOKE(callee) with the aliases of its arguments, the receiver first.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) target: Target,
    /// Whether an overriding method may run instead.
    pub(super) is_virtual: bool,
    pub(super) arguments: SmallVec<[Value; 4]>,
}

/// What a call instruction names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The method of the static type.
    Method(MethodId),
    /// Nothing that could be found.
    Missing(Box<Missing>),
}

/// A callee that could not be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missing {
    /// `java.util.List.add(java.lang.Object)`.
    pub(super) callee: String,
    /// The class that could not be loaded; `None` when the classes are there but the method is not.
    pub(super) class: Option<ClassId>,
}

/// A method as a sequence. Every acquisition has exactly one release after it.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) events: Vec<Event>,
    /// Why the code could not be read; there are no events then.
    pub(super) fault: Option<ClassFileError>,
}

impl Body {
    /// Reads a method. Abstract and native methods have no instructions but may be synchronized.
    pub(super) fn read(program: &Program, id: MethodId) -> Body {
        let Some((class, method)) = program.method(id) else {
            return Body::default();
        };
        let code = class
            .file()
            .methods()
            .nth(usize::from(id.index))
            .map(|view| view.code());
        let (mut events, end) = match code {
            Some(Ok(Some(code))) => match Scan::run(program, class, method, &code) {
                Ok(events) => (events, (code.bytes().len() as u32).saturating_sub(1)),
                Err(fault) => {
                    return Body {
                        events: Vec::new(),
                        fault: Some(fault),
                    };
                }
            },
            Some(Err(fault)) => {
                return Body {
                    events: Vec::new(),
                    fault: Some(fault),
                };
            }
            Some(Ok(None)) | None => (Vec::new(), 0),
        };
        if let Some(lock) = entry_lock(program, id) {
            events.insert(
                0,
                Event {
                    pc: 0,
                    op: Op::Acquire(Some(lock)),
                },
            );
            events.push(Event {
                pc: end,
                op: Op::Release(Some(lock)),
            });
        }
        Body { events, fault: None }
    }

    /// The calls, in order.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Call> {
        self.events.iter().filter_map(|event| match &event.op {
            Op::Invoke(call) => Some(&**call),
            _ => None,
        })
    }
}

/// The lock that the JVM takes on entry to a synchronized method.
pub(super) fn entry_lock(program: &Program, id: MethodId) -> Option<Path> {
    let (_, method) = program.method(id)?;
    let root = if method.access.is_static() {
        Root::Class(id.class)
    } else {
        Root::This
    };
    (method.access.is_synchronized() && !method.access.is_abstract()).then(|| Path::new(root))
}
