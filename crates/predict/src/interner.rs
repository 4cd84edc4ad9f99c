//! Small numbers for things that are compared often, given in the order in which the things are first seen.

use std::collections::HashMap;
use std::hash::Hash;

/// Things with numbers.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    numbers: HashMap<T, usize>,
    things: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            numbers: HashMap::new(),
            things: Vec::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// The number of a thing.
    pub(crate) fn number(&mut self, thing: T) -> usize {
        if let Some(&known) = self.numbers.get(&thing) {
            return known;
        }
        let number = self.things.len();
        self.numbers.insert(thing.clone(), number);
        self.things.push(thing);
        number
    }

    /// The number of a thing that was seen before.
    pub(crate) fn known(&self, thing: &T) -> Option<usize> {
        self.numbers.get(thing).copied()
    }

    /// The thing with a number that this interner gave.
    pub(crate) fn thing(&self, number: usize) -> &T {
        &self.things[number]
    }
}
