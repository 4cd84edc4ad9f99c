//! An append-only table that gives equal keys the same small number, from any thread.

use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;

/// Keys to numbers and back. Values live as long as the table, so look-ups hand out plain references.
pub(crate) struct Interner<K, V> {
    numbers: RwLock<FxHashMap<K, u32>>,
    values: boxcar::Vec<V>,
}

impl<K: Hash + Eq, V> Interner<K, V> {
    pub(crate) fn new() -> Self {
        Interner {
            numbers: RwLock::default(),
            values: boxcar::Vec::new(),
        }
    }

    /// The number of a key seen before.
    pub(crate) fn get<Q>(&self, key: &Q) -> Option<u32>
    where
        K: std::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.numbers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .copied()
    }

    /// The number of `key`, creating its value the first time.
    pub(crate) fn intern(&self, key: K, value: impl FnOnce(&K) -> V) -> u32 {
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(&key) {
            return *number;
        }
        let number = self.values.push(value(&key)) as u32;
        numbers.insert(key, number);
        number
    }

    /// The value behind a number this table handed out.
    pub(crate) fn value(&self, number: u32) -> &V {
        &self.values[number as usize]
    }
}
