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
}

impl Value {
    pub(crate) fn one(item: Item) -> Value {
        let mut items = SmallVec::new();
        items.push(item);
        Value { items }
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

    /// Adds an alternative; says whether the set grew. Past the limit the set becomes one unknown object.
    pub(crate) fn insert(&mut self, item: Item, object: ClassId) -> bool {
        let overflow = Item::Path(Path::root(Root::Unknown(object)));
        if self.items.as_slice() == [overflow] {
            return false;
        }
        match self.items.binary_search(&item) {
            Ok(_) => false,
            Err(_) if self.items.len() == MAX_ITEMS => {
                self.items.clear();
                self.items.push(overflow);
                true
            }
            Err(at) => {
                self.items.insert(at, item);
                true
            }
        }
    }

    pub(crate) fn join(&mut self, other: &Value, object: ClassId) -> bool {
        let mut changed = false;
        for &item in &other.items {
            changed |= self.insert(item, object);
        }
        changed
    }
}
