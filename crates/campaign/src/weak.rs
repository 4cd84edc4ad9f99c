//! Calls that are documented as not atomic: what they return while others change the object may be what no order
//! explains, and that is no fault.
//!
//! The sentences are those of the classes' own documentation, in short:
//!
//! - collections of `java.util.concurrent`: bulk operations are not necessarily atomic, iterators are weakly consistent;
//! - those without a lock of their own: also `size`, `isEmpty`, `clear` and whatever else walks through all elements;
//! - adders and accumulators: the value is no atomic snapshot;
//! - `java.util.Random`: what takes several draws is documented as so many calls of `next`, each atomic;
//! - `java.io`: what a stream does that is closed meanwhile, or read in several steps, is not specified;
//! - the caches of Guava: sizes, statistics and operations on several keys are approximate or not atomic; who asks for a
//!   value that is being loaded waits for that, and shares its failure.

use std::collections::BTreeSet;

use raddle_plan::{Part, TestPlan};

/// Methods of classes whose names begin so.
struct Weak {
    classes: &'static [&'static str],
    /// Whole names, or beginnings of names if there is a star.
    methods: &'static [&'static str],
}

/// Every method of these works on one state, even bulk operations.
const STRONG: [&str; 1] = ["java.util.concurrent.CopyOnWrite"];

const WEAK: [Weak; 6] = [
    Weak {
        classes: &["java.util.concurrent."],
        methods: &[
            "addAll",
            "containsAll",
            "drainTo",
            "equals",
            "forEach*",
            "hashCode",
            "iterator",
            "parallelStream",
            "putAll",
            "removeAll",
            "removeIf",
            "retainAll",
            "spliterator",
            "stream",
        ],
    },
    Weak {
        classes: &[
            "java.util.concurrent.Concurrent",
            "java.util.concurrent.LinkedTransferQueue",
        ],
        methods: &[
            "clear",
            "contains",
            "containsValue",
            "elements",
            "isEmpty",
            "keys",
            "mappingCount",
            "reduce*",
            "replaceAll",
            "search*",
            "size",
            "toArray",
            "toString",
        ],
    },
    Weak {
        classes: &[
            "java.util.concurrent.atomic.Double",
            "java.util.concurrent.atomic.LongAccumulator",
            "java.util.concurrent.atomic.LongAdder",
        ],
        methods: &[
            "byteValue",
            "doubleValue",
            "floatValue",
            "get",
            "getThenReset",
            "intValue",
            "longValue",
            "reset",
            "shortValue",
            "sum",
            "sumThenReset",
            "toString",
        ],
    },
    Weak {
        classes: &["java.io."],
        methods: &["close", "readAllBytes", "readNBytes", "skipNBytes", "transferTo"],
    },
    Weak {
        classes: &["java.util.Random"],
        methods: &["doubles", "ints", "longs", "next*"],
    },
    Weak {
        classes: &["com.google.common.cache."],
        methods: &[
            "asMap",
            "cleanUp",
            "getAll*",
            "invalidateAll",
            "putAll",
            "size",
            "stats",
            "toString",
        ],
    },
];

/// Calls that may throw what another call of the same kind, under way at the same time, has thrown.
const FAILING_TOGETHER: [Weak; 1] = [Weak {
    classes: &["com.google.common.cache."],
    methods: &["apply", "get*", "refresh"],
}];

/// Whether a thread of the plan calls a method of the class that is documented as not atomic.
pub(crate) fn calls_weak(class: &str, plan: &TestPlan) -> bool {
    calls_of_threads(plan).any(|(_, method)| is_weak(class, method))
}

/// Whether two threads of the plan call methods of the class that are documented to fail together.
pub(crate) fn fails_together(class: &str, plan: &TestPlan) -> bool {
    let threads: BTreeSet<u32> = calls_of_threads(plan)
        .filter(|(_, method)| is_listed(&FAILING_TOGETHER, class, method))
        .map(|(thread, _)| thread)
        .collect();
    threads.len() > 1
}

fn calls_of_threads(plan: &TestPlan) -> impl Iterator<Item = (u32, &str)> {
    plan.calls().filter_map(|(_, part, call)| match part {
        Part::Thread(thread) => Some((thread, &*call.member.name)),
        _ => None,
    })
}

fn is_weak(class: &str, method: &str) -> bool {
    !is_of(&STRONG, class) && is_listed(&WEAK, class, method)
}

fn is_of(beginnings: &[&str], class: &str) -> bool {
    beginnings.iter().any(|beginning| class.starts_with(beginning))
}

fn is_listed(list: &[Weak], class: &str, method: &str) -> bool {
    let is_named = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(beginning) => method.starts_with(beginning),
        None => method == *pattern,
    };
    list.iter()
        .any(|weak| is_of(weak.classes, class) && weak.methods.iter().any(is_named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_weak_depends_on_the_class() {
        let map = "java.util.concurrent.ConcurrentHashMap";
        let queue = "java.util.concurrent.LinkedBlockingQueue";
        assert!(is_weak(map, "putAll") && is_weak(map, "size") && is_weak(map, "forEachKey"));
        assert!(!is_weak(map, "put") && !is_weak(map, "putIfAbsent"));
        assert!(is_weak(queue, "addAll") && !is_weak(queue, "size"));
        assert!(is_weak("java.util.concurrent.atomic.LongAdder", "sum"));
        assert!(!is_weak("java.util.concurrent.atomic.LongAdder", "add"));
        assert!(!is_weak("java.util.concurrent.CopyOnWriteArrayList", "addAll"));
        assert!(!is_weak("com.acme.Cache", "putAll"));
        let cache = "com.google.common.cache.LocalCache$LocalManualCache";
        assert!(is_listed(&FAILING_TOGETHER, cache, "get") && !is_listed(&FAILING_TOGETHER, cache, "put"));
    }
}
