//! From a callee's names for things to the caller's: paths, locations, locks.

use smallvec::SmallVec;

use super::engine::Holds;
use super::interp::Interp;
use super::lock::{Lock, LockBase, Protection, Section};
use super::path::{Path, Root, Step};
use super::state::State;
use super::value::{Item, Value};

impl Interp<'_, '_> {
    pub(crate) fn map_item(&self, st: &State, item: Item, args: &[Value]) -> SmallVec<[Item; 4]> {
        match item {
            Item::Path(path) => match (path.root, path.is_root()) {
                // The argument itself, whatever it is.
                (Root::Param(at), true) => args
                    .get(usize::from(at))
                    .map(|arg| arg.items().iter().copied().collect())
                    .unwrap_or_default(),
                _ => self
                    .map_path(st, path, args)
                    .into_iter()
                    .map(Item::Path)
                    .collect(),
            },
            Item::ReadLock(path) => self
                .map_path(st, path, args)
                .into_iter()
                .map(Item::ReadLock)
                .collect(),
            Item::WriteLock(path) => self
                .map_path(st, path, args)
                .into_iter()
                .map(Item::WriteLock)
                .collect(),
            other => SmallVec::from_slice(&[other]),
        }
    }

    /// The objects of the caller that a callee's path may mean.
    pub(crate) fn map_path(&self, st: &State, path: Path, args: &[Value]) -> SmallVec<[Path; 4]> {
        let Root::Param(at) = path.root else {
            return if self.is_trusted_root(path.root) {
                SmallVec::new()
            } else {
                SmallVec::from_slice(&[path])
            };
        };
        let mut found = SmallVec::new();
        let Some(arg) = args.get(usize::from(at)) else {
            return found;
        };
        self.walk(st, arg, path.steps(), 0, &mut |base, rest| {
            let path = base.follow_all(rest);
            if !found.contains(&path) {
                found.push(path);
            }
        });
        found
    }

    pub(crate) fn map_location(&self, st: &State, location: Path, args: &[Value]) -> SmallVec<[Path; 4]> {
        let Root::Param(at) = location.root else {
            return if self.is_trusted_root(location.root) {
                SmallVec::new()
            } else {
                SmallVec::from_slice(&[location])
            };
        };
        let mut found = SmallVec::new();
        let Some(arg) = args.get(usize::from(at)) else {
            return found;
        };
        let steps = location.steps();
        self.walk(st, arg, steps, 0, &mut |base, rest| {
            if rest.is_empty() {
                return; // a field of a new object
            }
            let location = base.relocate(rest, self.engine);
            if !found.contains(&location) {
                found.push(location);
            }
        });
        found
    }

    /// Shared objects found on the way along `steps` from a value, with the steps still to go.
    pub(crate) fn walk(
        &self,
        st: &State,
        value: &Value,
        steps: &[Step],
        depth: usize,
        visit: &mut dyn FnMut(Path, &[Step]),
    ) {
        for item in value.items() {
            match *item {
                Item::Path(path) => visit(path, steps),
                Item::Fresh(number) => {
                    let alloc = &self.allocs[usize::from(number)];
                    if st.is_published(number) {
                        for path in &alloc.paths {
                            visit(*path, steps);
                        }
                    }
                    if depth > 2 {
                        continue;
                    }
                    let (step, rest) = match steps {
                        [] => continue,
                        // State of a new object: its own is nobody's, what it refers to may be somebody's.
                        [Step::Any] => (Step::Any, steps),
                        [only] => (*only, &[][..]),
                        [first, rest @ ..] => (*first, rest),
                    };
                    let wanted = match step {
                        Step::Field(field) => self.engine.held_by(field),
                        _ => Holds::Anything,
                    };
                    if !st.is_overwritten(number, step) {
                        for path in &alloc.copy_of {
                            visit(path.follow(step), rest);
                        }
                    }
                    let mut inner = Value::default();
                    for &content in alloc.contents.items() {
                        if content != *item && self.engine.may_be(self, content, wanted) {
                            inner.insert(content, self.program().object());
                        }
                    }
                    self.walk(st, &inner, rest, depth + 1, visit);
                }
                _ => {}
            }
        }
    }

    /// An object that a callee reaches from something this method only reaches itself: all that is left to tell such
    /// objects apart is their type. Without this the number of lock pairs explodes.
    pub(crate) fn or_type_only(&self, theirs: Path, ours: Path) -> Path {
        let stays =
            theirs.is_root() || ours.steps() == theirs.steps() && !matches!(ours.root, Root::Unknown(_));
        match self.callee {
            Some(callee) if !stays => {
                let class = self
                    .engine
                    .path_class(callee, theirs)
                    .unwrap_or(self.program().object());
                Path::root(Root::Unknown(class))
            }
            _ => ours,
        }
    }

    /// Static state of another part of the platform, and objects it got hold of by itself, are its own affair.
    pub(crate) fn is_trusted_root(&self, root: Root) -> bool {
        match root {
            Root::Static(field) => self.trusts_static(field),
            Root::Unknown(_) => self.foreign,
            Root::Param(_) => false,
        }
    }

    /// A callee's lock here; certain when it can be only one.
    pub(crate) fn map_lock(&self, st: &State, lock: Lock, args: &[Value]) -> SmallVec<[(Lock, bool); 2]> {
        let path = match lock.base {
            LockBase::Path(path) => path,
            LockBase::Class(class) if self.engine.is_foreign_platform(self.class.id(), class) => {
                return SmallVec::new();
            }
            LockBase::Class(_) => return SmallVec::from_slice(&[(lock, true)]),
        };
        if let (Root::Param(at), true) = (path.root, path.is_root())
            && let Some(arg) = args.get(usize::from(at))
            && let Some(mapped) = self.lock_of(st, arg)
        {
            return SmallVec::from_slice(&[(
                Lock {
                    shared: lock.shared || mapped.shared,
                    ..mapped
                },
                true,
            )]);
        }
        let paths = self.map_path(st, path, args);
        let sources = match path.root {
            Root::Param(at) => args.get(usize::from(at)).map_or(0, |arg| arg.items().len()),
            _ => 1,
        };
        let certain = paths.len() == 1 && sources == 1;
        let mut locks: SmallVec<[(Lock, bool); 2]> = SmallVec::new();
        for mapped in paths {
            let base = self.or_type_only(path, mapped);
            let lock = Lock {
                base: LockBase::Path(base),
                ..lock
            };
            if !locks.iter().any(|(known, _)| *known == lock) {
                locks.push((lock, certain && base == mapped));
            }
        }
        locks
    }

    pub(crate) fn map_protection(
        &self,
        st: &State,
        outer: &Protection,
        inner: &Protection,
        args: &[Value],
    ) -> Protection {
        let mut held = outer.clone();
        for (lock, section) in inner {
            for (lock, certain) in self.map_lock(st, *lock, args) {
                if certain && !held.iter().any(|(known, _)| *known == lock) {
                    let section = if self.in_loop {
                        Section::REPEATED
                    } else {
                        section.within_call(self.bci)
                    };
                    held.push((lock, section));
                }
            }
        }
        held
    }
}
