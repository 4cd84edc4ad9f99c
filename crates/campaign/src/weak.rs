//! Calls that are documented as not atomic: what they return while others change the object may be what no order
//! explains, and that is no fault.
//!
//! The sentences are those of the classes' own documentation, in short:
//!
//! - collections of `java.util.concurrent`: bulk operations are not necessarily atomic, iterators are weakly consistent;
//! - those without a lock of their own: also `size`, `isEmpty`, `clear` and whatever else walks through all elements;
//! - adders and accumulators: the value is no atomic snapshot;
//! - `java.util.Collection`: operations that walk through all elements may fail for a collection that contains itself;
//! - `java.util.concurrent.BlockingQueue.drainTo`: undefined if the collection that is drained into is modified meanwhile;
//! - `java.util.Random`: what takes several draws is documented as so many calls of `next`, each atomic;
//! - `java.io`: what a stream does that is closed meanwhile, or read in several steps, is not specified;
//! - the caches of Guava: sizes, statistics and operations on several keys are approximate or not atomic; when an entry of a
//!   cache with a bound is evicted is not specified; who asks for a value that is being loaded waits for that, and shares
//!   its failure.

use std::collections::BTreeSet;

use raddle_plan::{Argument, Call, Part, TestPlan};

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

/// Collections of this package are made for threads; of those elsewhere, nobody knows what they promise.
const CONCURRENT: &str = "java.util.concurrent.";

/// Whether the plan puts a collection into itself. Maps say that only their `equals` and `hashCode` are not defined then.
pub(crate) fn contains_itself(class: &str, plan: &TestPlan) -> bool {
    let is_collection = class.starts_with(CONCURRENT) && !class.contains("Map");
    let gives_itself = |call: &Call| call.on.as_deref().is_some_and(|on| is_given(call, on));
    is_collection && plan.calls().any(|(_, _, call)| gives_itself(call))
}

/// Whether a thread drains a queue into one that another thread modifies.
pub(crate) fn drains_into_modified(class: &str, plan: &TestPlan) -> bool {
    let calls = || {
        plan.calls().filter_map(|(_, part, call)| match part {
            Part::Thread(thread) => Some((thread, call)),
            _ => None,
        })
    };
    class.starts_with(CONCURRENT)
        && calls().any(|(thread, call)| {
            call.member.name == "drainTo"
                && calls().any(|(other, modifying)| {
                    let receiver = modifying.on.as_deref();
                    other != thread && receiver.is_some_and(|receiver| is_given(call, receiver))
                })
        })
}

fn is_given(call: &Call, name: &str) -> bool {
    let is_it = |argument: &Argument| matches!(argument, Argument::Var(variable) if variable == name);
    call.args.iter().any(is_it)
}

/// What makes a cache forget by itself.
const BOUNDS: [Weak; 2] = [
    Weak {
        classes: &["com.google.common.cache.CacheBuilderSpec"],
        methods: &["*"],
    },
    Weak {
        classes: &["com.google.common.cache.CacheBuilder"],
        methods: &["expire*", "from", "maximum*", "soft*", "weak*"],
    },
];

/// Whether a thread of the plan calls a method of the class that is documented as not atomic.
pub(crate) fn calls_weak(class: &str, plan: &TestPlan) -> bool {
    let is_bound = |call: &Call| is_listed(&BOUNDS, &call.member.class, &call.member.name);
    calls_of_threads(plan).any(|(_, method)| is_weak(class, method)) || plan.prefix.iter().any(is_bound)
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
        assert!(is_listed(
            &BOUNDS,
            "com.google.common.cache.CacheBuilderSpec",
            "disableCaching"
        ));
        assert!(is_listed(
            &BOUNDS,
            "com.google.common.cache.CacheBuilder",
            "maximumSize"
        ));
        assert!(!is_listed(
            &BOUNDS,
            "com.google.common.cache.CacheBuilder",
            "newBuilder"
        ));
        let cache = "com.google.common.cache.LocalCache$LocalManualCache";
        assert!(is_listed(&FAILING_TOGETHER, cache, "get") && !is_listed(&FAILING_TOGETHER, cache, "put"));
    }

    fn plan(prefix: &str, threads: [&str; 2]) -> TestPlan {
        let call = |text: &str| {
            let (on, rest) = text.split_once('.').unwrap();
            let (name, argument) = rest.split_once(' ').unwrap();
            format!(
                r#"{{"invoke": "virtual", "member": "p.Queue.{name}(Ljava/lang/Object;)V", "on": "{on}",
                    "args": [{{"var": "{argument}"}}]}}"#
            )
        };
        let make =
            |name: &str| format!(r#"{{"let": "{name}", "invoke": "new", "member": "p.Queue.<init>()V"}}"#);
        let text = format!(
            r#"{{"raddle_plan": 1, "prefix": [{}, {}, {}], "threads": [[{}], [{}]]}}"#,
            make("a"),
            make("b"),
            call(prefix),
            call(threads[0]),
            call(threads[1])
        );
        TestPlan::from_json(&text).unwrap()
    }

    #[test]
    fn a_collection_in_itself_promises_nothing_but_a_map_does() {
        let itself = plan("a.add a", ["a.offer b", "a.offer b"]);
        assert!(contains_itself(
            "java.util.concurrent.ConcurrentLinkedQueue",
            &itself
        ));
        assert!(!contains_itself(
            "java.util.concurrent.ConcurrentHashMap",
            &itself
        ));
        assert!(!contains_itself("com.acme.Queue", &itself));
        let other = plan("a.add b", ["a.offer b", "a.offer b"]);
        assert!(!contains_itself(
            "java.util.concurrent.ConcurrentLinkedQueue",
            &other
        ));
    }

    #[test]
    fn queues_drained_into_each_other_promise_nothing() {
        let queue = "java.util.concurrent.ArrayBlockingQueue";
        assert!(drains_into_modified(
            queue,
            &plan("a.add b", ["a.drainTo b", "b.drainTo a"])
        ));
        assert!(drains_into_modified(
            queue,
            &plan("a.add b", ["a.drainTo b", "b.offer a"])
        ));
        assert!(!drains_into_modified(
            queue,
            &plan("a.add b", ["a.drainTo b", "a.drainTo b"])
        ));
        assert!(!drains_into_modified(
            "com.acme.Queue",
            &plan("a.add b", ["a.drainTo b", "b.drainTo a"])
        ));
    }
}
