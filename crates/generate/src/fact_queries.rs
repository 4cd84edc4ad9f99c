//! What the facts of a class say about its tests: which object a location or lock belongs to, and which calls change
//! what others read.

use std::collections::BTreeMap;

use raddle_summary::{AccessKind, ClassFacts, MethodFacts};

use crate::callable::Callable;

/// The object at the start of a location or lock, as a test sees it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// The receiver, or what it holds.
    Receiver,
    /// An argument, or what it holds.
    Parameter(usize),
    /// A static field or a class.
    Static,
    /// Not known.
    Unknown,
}

/// The root of `this.count`, `sb`, `Day.FORMAT.*` or `?Object`.
pub(crate) fn root(method: &Callable, text: &str) -> Root {
    let name = text.split(['.', '[']).next().unwrap_or(text);
    if name == "this" {
        Root::Receiver
    } else if name.starts_with('?') {
        Root::Unknown
    } else if let Some(at) = method.names.iter().position(|parameter| parameter == name) {
        Root::Parameter(at)
    } else {
        Root::Static
    }
}

/// As many accesses as it takes for two calls to come apart.
const MANY: usize = 3;

/// Locations of the receiver and of classes that a method reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    reads: Vec<String>,
    writes: Vec<String>,
    /// How often each location is accessed, at least.
    counts: BTreeMap<String, usize>,
}

/// What every method touches, by its number.
pub(crate) fn touched(facts: &ClassFacts) -> Vec<Touched> {
    facts.methods.iter().map(touched_by).collect()
}

fn touched_by(method: &MethodFacts) -> Touched {
    let of = |kind: AccessKind| {
        let mut locations: Vec<String> = method
            .accesses
            .iter()
            .filter(|access| access.kind == kind && access.is_of_state())
            .map(|access| access.location.clone())
            .collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for access in method.accesses.iter().filter(|access| access.is_of_state()) {
        // What is inside an object that the analysis does not look into is touched any number of times.
        let times = if access.location.ends_with('*') { MANY } else { 1 };
        *counts.entry(access.location.clone()).or_default() += times;
    }
    Touched {
        reads: of(AccessKind::Read),
        writes: of(AccessKind::Write),
        counts,
    }
}

/// Whether two methods touch the content of the same collection or array, and one of them changes it. That is where most
/// exceptions come from.
pub(crate) fn share_content(one: &Touched, other: &Touched) -> bool {
    let mut contested = contested(one, other);
    contested.any(|(location, _)| location.ends_with(['*', ']']))
}

/// Whether two methods touch the same static state, and one of them changes it: then two objects that know nothing of each
/// other can break one another.
pub(crate) fn share_statics(one: &Touched, other: &Touched) -> bool {
    let mut contested = contested(one, other);
    contested.any(|(location, _)| !location.starts_with("this"))
}

/// Locations that two methods touch, of which one writes, and how often they do so together.
fn contested<'t>(one: &'t Touched, other: &'t Touched) -> impl Iterator<Item = (&'t String, usize)> {
    let writes = |touched: &Touched, location: &String| touched.writes.binary_search(location).is_ok();
    one.counts
        .iter()
        .filter_map(|(location, count)| Some((location, count + other.counts.get(location)?)))
        .filter(move |(location, _)| writes(one, location) || writes(other, location))
}

/// How much two methods touch that the other touches too, and one of them writes. Two calls with one such access each
/// cannot come apart: whatever they do is what they do one after the other. (The idea of Intruder's PC-R pairs: it takes
/// two accesses in one call and one between them.) Facts tell locations and not how often each is accessed, so this is
/// good for an order and no more.
pub(crate) fn crossings(one: &Touched, other: &Touched) -> usize {
    contested(one, other).map(|(_, count)| count).sum()
}

/// Locations beyond which a method looks at more than an object's own state.
const FAR: usize = 40;

impl Touched {
    /// Whether it looks at nearly everything there is.
    pub(crate) fn reaches_far(&self) -> bool {
        self.reads.len() > FAR
    }

    /// What a method without facts touches.
    pub(crate) const NOTHING: Touched = Touched {
        reads: Vec::new(),
        writes: Vec::new(),
        counts: BTreeMap::new(),
    };

    pub(crate) fn writes_anything(&self) -> bool {
        !self.writes.is_empty()
    }

    /// Whether a call of this method can change what a call of the other reads.
    pub(crate) fn changes(&self, other: &Touched) -> bool {
        self.writes
            .iter()
            .any(|written| other.reads.iter().any(|read| overlap(written, read)))
    }
}

fn overlap(a: &str, b: &str) -> bool {
    let within = |whole: &str, part: &str| {
        whole
            .strip_suffix(".*")
            .is_some_and(|start| part.starts_with(start))
    };
    a == b || within(a, b) || within(b, a)
}

/// Verbs of methods that put something in.
const GROWING: [&str; 16] = [
    "add",
    "put",
    "append",
    "push",
    "offer",
    "insert",
    "write",
    "register",
    "store",
    "enqueue",
    "set",
    "increment",
    "inc",
    "log",
    "create",
    "map",
];
/// Verbs of methods that take something out or end the object's use.
const SHRINKING: [&str; 20] = [
    "remove",
    "clear",
    "delete",
    "reset",
    "close",
    "trim",
    "poll",
    "pop",
    "drain",
    "retain",
    "dispose",
    "stop",
    "shutdown",
    "unregister",
    "destroy",
    "take",
    "read",
    "next",
    "flush",
    "ensure",
];

/// How well a method gives an object some content, judged by its name; less is better.
pub(crate) fn growth(name: &str) -> u32 {
    if name.contains("All") {
        return 4;
    }
    // With a small number, these take elements away.
    if ["setSize", "setLength", "setCapacity", "setMax"]
        .iter()
        .any(|start| name.starts_with(start))
    {
        return 8;
    }
    if let Some(at) = GROWING.iter().position(|verb| *verb == name) {
        return u32::from(at > 9);
    }
    if GROWING.iter().any(|verb| name.starts_with(verb)) {
        2
    } else if SHRINKING.iter().any(|verb| name.starts_with(verb)) {
        9
    } else {
        UNTOLD
    }
}

/// The same of a name that tells nothing.
pub(crate) const UNTOLD: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_fills_an_object() {
        assert!(growth("put") < growth("set"));
        assert!(growth("set") < growth("addElement"));
        assert!(growth("addElement") < growth("putAll"));
        assert!(growth("putAll") < growth("rehash"));
        assert!(growth("rehash") < growth("removeAllElements") || growth("removeAllElements") == 4);
        assert!(growth("rehash") < growth("clear"));
    }

    #[test]
    fn locations_overlap_when_one_may_hold_the_other() {
        assert!(overlap("this.count", "this.count"));
        assert!(overlap("this.map.*", "this.map.*"));
        assert!(overlap("this.*", "this.count"));
        assert!(!overlap("this.count", "this.size"));
    }
}
