//! Abstract values: what a local variable or stack slot may refer to.

use raddle_program::{ClassId, FieldId, Symbol};
use smallvec::SmallVec;

use super::path::{Path, Root};

/// One thing a value may be.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Item {
    /// The null reference.
    Null,
    /// An object that no other thread can hurt: made by the platform from nothing shared.
    Trusted,
    /// The object at a path.
    Path(Path),
    /// An object allocated by this activation; index into its allocation table.
    Fresh(u16),
    /// A class literal.
    Class(ClassId),
    /// A string constant.
    Text(Symbol),
    /// A `VarHandle`, field updater or `Unsafe` offset that stands for a field.
    Handle(FieldId),
    /// A `VarHandle` for array elements.
    ElementHandle,
    /// The read or write lock of the read-write lock at a path.
    ReadLock(Path),
    /// See [`Item::ReadLock`].
    WriteLock(Path),
}

/// More alternatives than this are "unknown".
const MAX_ITEMS: usize = 10;

/// A set of alternatives, sorted. Empty for primitives and for values no path has produced yet.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Value {
    items: SmallVec<[Item; 2]>,
    /// There were too many: beside those near at hand, all are one unknown object.
    overflowed: bool,
}

impl Value {
    pub(crate) fn one(item: Item) -> Value {
        let mut items = SmallVec::new();
        items.push(item);
        Value {
            items,
            overflowed: false,
        }
    }

    pub(crate) fn trusted() -> Value {
        Value::one(Item::Trusted)
    }

    pub(crate) fn unknown(class: ClassId) -> Value {
        Value::one(Item::Path(Path::root(Root::Unknown(class))))
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The only non-null alternative.
    pub(crate) fn single(&self) -> Option<Item> {
        let mut real = self.items.iter().filter(|item| **item != Item::Null);
        match (real.next(), real.next()) {
            (Some(item), None) => Some(*item),
            _ => None,
        }
    }

    /// Adds an alternative; says whether the set grew. Past the limit, what is far from the method's own parameters
    /// becomes one unknown object. Parameters and their fields stay, since of an unknown object nobody could tell that it
    /// is one of them; unless there are too many of those, too.
    pub(crate) fn insert(&mut self, item: Item, object: ClassId) -> bool {
        let unknown = Item::Path(Path::root(Root::Unknown(object)));
        if self.overflowed && (!is_near(item) || self.items.as_slice() == [unknown]) {
            return false;
        }
        let Err(at) = self.items.binary_search(&item) else {
            return false;
        };
        if self.items.len() < MAX_ITEMS {
            self.items.insert(at, item);
            return true;
        }
        if self.overflowed {
            self.items.clear();
        } else {
            self.items.retain(|item| is_near(*item));
            if is_near(item) {
                self.items.push(item);
            }
            if self.items.len() >= MAX_ITEMS {
                self.items.clear();
            }
        }
        self.overflowed = true;
        self.items.push(unknown);
        self.items.sort_unstable();
        self.items.dedup();
        true
    }

    pub(crate) fn join(&mut self, other: &Value, object: ClassId) -> bool {
        let mut changed = false;
        if other.overflowed && !self.overflowed {
            self.overflowed = true;
            let unknown = Item::Path(Path::root(Root::Unknown(object)));
            self.items.retain(|item| is_near(*item));
            self.items.push(unknown);
            self.items.sort_unstable();
            changed = true;
        }
        for &item in &other.items {
            changed |= self.insert(item, object);
        }
        changed
    }
}

/// A parameter, or what a field of one holds.
fn is_near(item: Item) -> bool {
    matches!(item, Item::Path(path) if matches!(path.root, Root::Param(_)) && path.steps().len() < 2)
}

#[cfg(test)]
mod tests {
    use raddle_program::Program;

    use super::*;

    #[test]
    fn an_overflowing_value_still_knows_the_parameters() {
        let jdk = raddle_classpath::Jdk::locate(None).unwrap();
        let class_path = raddle_classpath::ClassPath::open(&[], jdk.feature()).unwrap();
        let program = Program::new(jdk, class_path);
        let object = program.object();
        let near = Item::Path(Path::param(1));
        let far = |at: usize| Item::Class(program.class_id(&format!("C{at}")));
        let mut value = Value::one(near);
        for at in 0..=MAX_ITEMS {
            value.insert(far(at), object);
        }
        assert_eq!(value.items().len(), 2);
        assert!(value.items().contains(&near));
        assert!(!value.insert(far(MAX_ITEMS + 2), object));
    }
}
