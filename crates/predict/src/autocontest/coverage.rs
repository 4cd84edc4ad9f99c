//! Sequential coverage: what is new about a call (slides, "Our Intuition").
//!
//! "Granularity at outermost method call; ordered sequence of the object's field accesses; context and synchronisation
//! sensitive: lock acquires and releases, calling context." Decisions that the slides leave open:
//! - Every object that the call comes to counts, under the number of its first access, parameters first, so that equal
//!   sequences on different objects are equal behaviour and aliases are not.
//! - Elements of an array are one field. An access counts [`TIMES`] times at the same place with the same context and
//!   object; without that every length of a loop would be new, and no search would end.
//! - A lock that the thread has already is taken all the same.

use std::collections::BTreeMap;

use crate::calls::{Call, calls};
use crate::trace::{Action, Object, Trace};

/// None, once, and again: more often says nothing new.
const TIMES: u32 = 2;

/// What each call of a test does, as a hash: the step with which it begins, and its behaviour. `contexts` tells how each step
/// of the trace was come to.
pub fn behaviours(trace: &Trace, contexts: &[u64]) -> Vec<(usize, u64)> {
    let traces = std::slice::from_ref(trace);
    let hash = |call: &Call<'_>| (call.enter, behaviour(call, contexts));
    calls(traces).iter().map(hash).collect()
}

fn behaviour(call: &Call<'_>, contexts: &[u64]) -> u64 {
    let mut hash = Fnv::default();
    let method = call.method;
    for text in [&method.class, &method.name, &method.descriptor] {
        hash.text(text);
    }
    let mut numbers: BTreeMap<Object, u64> = BTreeMap::new();
    for object in call.parameters.iter().flatten() {
        let next = numbers.len() as u64;
        numbers.entry(*object).or_insert(next);
    }
    let mut times: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    for (number, step) in call.body.iter().enumerate() {
        let (kind, base, field) = match &step.action {
            Action::Read { base, field, .. } => (1, *base, Some(field)),
            Action::Write { base, field, .. } => (2, *base, Some(field)),
            Action::Lock(object) => (3, Some(*object), None),
            Action::Unlock(object) => (4, Some(*object), None),
            Action::Enter { .. } | Action::Exit { .. } | Action::Alloc(_) => continue,
        };
        let next = numbers.len() as u64;
        let object = base.map_or(u64::MAX, |base| *numbers.entry(base).or_insert(next));
        let context = contexts.get(call.enter + 1 + number).copied().unwrap_or(0);
        let mut what = Fnv::default();
        what.number(kind);
        if let Some(field) = field {
            what.text(&field.class);
            what.text(&field.name);
        }
        if let Some(place) = &step.place {
            what.text(&place.spot());
        }
        let seen = times.entry([what.0, context, object]).or_default();
        *seen += 1;
        if *seen <= TIMES {
            hash.number(what.0);
            hash.number(context);
            hash.number(object);
        }
    }
    hash.0
}

/// FNV-1a: the same on every machine and in every version.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn number(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.byte(byte);
        }
    }

    fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            self.byte(byte);
        }
        self.byte(0);
    }
}
