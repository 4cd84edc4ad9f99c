//! DepCon+ Algorithm 1: the access summary AS(m) and the lock summary LS(m).

use std::rc::Rc;

use raddle_classfile::ClassFileError;
use raddle_program::{ClassId, MethodId};
use rustc_hash::FxHashSet;

use super::body::{Body, Call, Missing, Op, Target};
use super::family::Family;
use super::library::Library;
use super::path::Path;
use super::unroll::Site;
use crate::facts::AccessKind;

/// A shared-memory location.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Location {
    pub(super) path: Path,
    /// The state of the object held there, which an impure callee writes: W(p) of line 30.
    pub(super) state: bool,
}

impl Location {
    /// What `≡` compares. To the paper a field, the array or object it holds, and W(p) of a call on it are one location.
    pub(super) fn identity(self) -> Path {
        self.path.without_elements()
    }
}

/// R(x) or W(x).
#[derive(Copy, Clone, Debug)]
pub(super) struct Accessed {
    pub(super) location: Location,
    pub(super) kind: AccessKind,
    pub(super) site: Site,
    /// The call in m that leads there.
    pub(super) via: Option<u32>,
}

/// Something whose effect is unknown.
#[derive(Clone, Debug)]
pub(super) enum Unknown {
    /// A callee that could not be found.
    Callee(Box<Missing>, Site),
    /// A method whose code could not be read.
    Code(MethodId, ClassFileError),
}

/// ⟨AS(m), LS(m)⟩ and what was not known.
#[derive(Debug, Default)]
pub(super) struct AccessSummary {
    pub(super) accesses: Vec<Accessed>,
    pub(super) locks: Vec<Path>,
    pub(super) unknown: Vec<Unknown>,
    pub(super) missing: Vec<ClassId>,
}

/// A method being scanned: m itself, or a method of the class under test that it calls.
struct Frame {
    method: MethodId,
    body: Rc<Body>,
    next: usize,
}

/// Algorithm 1 on one method.
///
/// Callees of the class under test are followed once for m: what they add the second time is there already, and a
/// recursion adds nothing.
pub(super) fn summarize(family: &mut Family<'_>, library: &Library<'_>, method: MethodId) -> AccessSummary {
    let mut scan = Scan {
        library,
        summary: AccessSummary::default(),
        seen: FxHashSet::default(),
    };
    let mut visited = FxHashSet::from_iter([method]);
    let mut lock_releases: FxHashSet<Path> = FxHashSet::default();
    let mut via = None;
    let mut frames = vec![Frame {
        method,
        body: family.body(method),
        next: 0,
    }];
    while let Some(frame) = frames.last_mut() {
        let (body, at) = (Rc::clone(&frame.body), frame.next);
        let method = frame.method;
        frame.next += 1;
        let is_callee = frames.len() > 1;
        let Some(event) = body.events.get(at) else {
            scan.fault(method, &body);
            frames.pop();
            continue;
        };
        let site = Site { method, pc: event.pc };
        if !is_callee {
            via = None;
        }
        match &event.op {
            Op::Read(path) | Op::Write(path) => {
                if !path.is_shared() {
                    continue;
                }
                let kind = if matches!(event.op, Op::Read(_)) {
                    AccessKind::Read
                } else {
                    AccessKind::Write
                };
                scan.add(
                    Location {
                        path: *path,
                        state: false,
                    },
                    kind,
                    site,
                    via,
                );
                if !is_callee {
                    scan.summary.locks.retain(|lock| !lock_releases.contains(lock));
                    lock_releases.clear();
                }
            }
            Op::Acquire(Some(lock)) if !is_callee => {
                if scan.summary.accesses.is_empty() && !scan.summary.locks.contains(lock) {
                    scan.summary.locks.push(*lock);
                }
            }
            Op::Release(Some(lock)) if !is_callee => {
                if scan.summary.accesses.is_empty() {
                    scan.summary.locks.retain(|held| held != lock);
                } else {
                    lock_releases.insert(*lock);
                }
            }
            Op::Acquire(_) | Op::Release(_) => {}
            Op::Invoke(call) => match family.own_callee(call) {
                None => scan.foreign_call(call, site, via),
                Some(callee) => {
                    if visited.insert(callee) {
                        via = via.or(Some(event.pc));
                        frames.push(Frame {
                            method: callee,
                            body: family.body(callee),
                            next: 0,
                        });
                    }
                }
            },
        }
    }
    scan.summary
}

struct Scan<'a, 'p> {
    library: &'a Library<'p>,
    summary: AccessSummary,
    /// Locations read (false) and written (true).
    seen: FxHashSet<(Location, bool)>,
}

impl Scan<'_, '_> {
    fn add(&mut self, location: Location, kind: AccessKind, site: Site, via: Option<u32>) {
        if self.seen.insert((location, kind == AccessKind::Write)) {
            self.summary.accesses.push(Accessed {
                location,
                kind,
                site,
                via,
            });
        }
    }

    /// Lines 27 to 30: a callee that is not declared in the class under test.
    fn foreign_call(&mut self, call: &Call, site: Site, via: Option<u32>) {
        let impure = match &call.target {
            Target::Method(callee) => {
                let effect = self.library.effect(*callee);
                self.summary
                    .missing
                    .extend(effect.missing.iter().flat_map(|missing| missing.iter()));
                effect.impure
            }
            Target::Missing(missing) => {
                self.summary.missing.extend(missing.class);
                self.summary.unknown.push(Unknown::Callee(missing.clone(), site));
                true
            }
        };
        if impure {
            for &path in call.arguments.iter().flatten().filter(|path| path.is_shared()) {
                self.add(Location { path, state: true }, AccessKind::Write, site, via);
            }
        }
    }

    fn fault(&mut self, method: MethodId, body: &Body) {
        if let Some(fault) = &body.fault {
            self.summary.unknown.push(Unknown::Code(method, fault.clone()));
        }
    }
}
