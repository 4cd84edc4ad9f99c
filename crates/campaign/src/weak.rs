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
//! - the caches of Guava: sizes, statistics and operations on several keys are approximate or not atomic.

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

/// Whether a thread of the plan calls a method of the class that is documented as not atomic.
pub(crate) fn calls_weak(class: &str, plan: &TestPlan) -> bool {
    plan.calls()
        .filter(|(_, part, _)| matches!(part, Part::Thread(_)))
        .any(|(_, _, call)| is_weak(class, &call.member.name))
}

fn is_weak(class: &str, method: &str) -> bool {
    let is_of = |beginnings: &[&str]| beginnings.iter().any(|beginning| class.starts_with(beginning));
    let is_named = |pattern: &&str| match pattern.strip_suffix('*') {
        Some(beginning) => method.starts_with(beginning),
        None => method == *pattern,
    };
    !is_of(&STRONG)
        && WEAK
            .iter()
            .any(|weak| is_of(weak.classes) && weak.methods.iter().any(is_named))
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
    }
}
