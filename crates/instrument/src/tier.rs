//! How much of a class is rewritten.
//!
//! Whatever a test can reach is interleaved, wherever it comes from. What the runtime itself stands on is not: a switch
//! inside of it could happen while the JVM, the hooks or a class loader hold something that no thread may wait for. Calls
//! of such code are steps of the caller instead, see [`crate::effects`].

/// How much of a class is rewritten.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Everything.
    Full,
    /// Locks, waiting, time and zones, but no accesses to data and no loops.
    Locks,
    /// Nothing.
    None,
}

/// Names that begin like this are left alone: the hooks themselves, the plans that call them, and code that the JVM
/// spins.
const NONE: [&str; 4] = [
    "java/lang/Raddle",
    "RaddlePlan$",
    "java/lang/invoke/LambdaForm",
    "jdk/internal/reflect/Generated",
];

/// What the runtime stands on, by the beginnings of names, and why nothing in it is a step of its own.
const FOUNDATION: [(&str, &str); 20] = [
    (
        "java/lang/",
        "threads, classes, strings and boxes: the hooks use them while threads are stopped",
    ),
    (
        "java/security/AccessControl",
        "whose rights code has: it depends on how classes were loaded, and is the same for all threads",
    ),
    (
        "jdk/internal/access/",
        "the JDK's way around its own access control",
    ),
    (
        "jdk/internal/classfile/",
        "the JDK's own class writer, by which call sites are linked",
    ),
    ("jdk/internal/event/", "what the JVM writes down about itself"),
    (
        "jdk/internal/foreign/",
        "raw memory, whose accesses go through Unsafe",
    ),
    ("jdk/internal/invoke/", "linkage of native functions"),
    ("jdk/internal/jimage/", "the file that classes are loaded from"),
    ("jdk/internal/loader/", "class loading, under locks of the JVM"),
    (
        "jdk/internal/misc/",
        "Unsafe and what is as basic; its accesses are hooked where it is called",
    ),
    ("jdk/internal/module/", "class loading, under locks of the JVM"),
    ("jdk/internal/org/", "the JDK's own class writer"),
    ("jdk/internal/perf/", "counters of the JVM"),
    (
        "jdk/internal/ref/",
        "the cleaner, whose thread serves all runs and is not controlled",
    ),
    ("jdk/internal/reflect/", "linkage of reflective calls"),
    (
        "jdk/internal/util/",
        "copying and comparing of arrays, which calls count as touching",
    ),
    ("jdk/internal/vm/", "what the JVM implements itself"),
    ("sun/invoke/", "linkage of method handles"),
    (
        "sun/misc/",
        "Unsafe, whose accesses are hooked where it is called",
    ),
    (
        "sun/reflect/",
        "what class files say of annotations and generic types, computed when first asked for",
    ),
];

/// Classes of these packages that hold state their users share, and interfaces whose methods go through what their users implement.
const FULL: [&str; 6] = [
    "java/lang/AbstractStringBuilder",
    "java/lang/CharSequence",
    "java/lang/Iterable",
    "java/lang/ProcessBuilder",
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
];

impl Tier {
    /// The tier of a class, by its internal name.
    pub fn of(name: &str) -> Tier {
        // Hidden classes have the address of their definition in their names.
        let is_hidden = name.contains("/0x") || name.contains("+0x");
        if name == "java/lang/Object" || is_hidden || NONE.iter().any(|start| name.starts_with(start)) {
            Tier::None
        } else if FULL.contains(&name) || !FOUNDATION.iter().any(|(start, _)| name.starts_with(start)) {
            Tier::Full
        } else {
            Tier::Locks
        }
    }

    /// Why a class is not interleaved; none if it is, or need not be.
    pub fn reason(name: &str) -> Option<&'static str> {
        let reason = |(start, reason): &(&str, &'static str)| name.starts_with(start).then_some(*reason);
        (Tier::of(name) == Tier::Locks)
            .then(|| FOUNDATION.iter().find_map(reason))
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::Tier;

    #[test]
    fn what_the_runtime_does_not_stand_on_is_interleaved() {
        for (name, tier) in [
            ("Counter", Tier::Full),
            ("org/example/Counter", Tier::Full),
            ("java/util/Hashtable", Tier::Full),
            ("java/util/regex/Pattern", Tier::Full),
            ("java/util/concurrent/locks/LockSupport", Tier::Full),
            ("java/lang/StringBuffer", Tier::Full),
            ("java/lang/Iterable", Tier::Full),
            ("java/util/zip/CRC32", Tier::Full),
            ("java/security/MessageDigest", Tier::Full),
            ("sun/security/provider/MD5", Tier::Full),
            ("jdk/internal/net/http/HttpClientImpl", Tier::Full),
            ("java/lang/ThreadLocal$ThreadLocalMap", Tier::Locks),
            ("java/lang/Throwable", Tier::Locks),
            ("java/lang/Thread", Tier::Locks),
            ("java/lang/ref/Reference", Tier::Locks),
            ("jdk/internal/misc/Unsafe", Tier::Locks),
            ("RaddlePlan$1", Tier::None),
            ("java/lang/Object", Tier::None),
            ("java/lang/Raddle", Tier::None),
            ("java/lang/RaddleEngine$Worker", Tier::None),
            ("java/lang/invoke/LambdaForm$MH/0x0000012", Tier::None),
            ("org/example/Counter$$Lambda/0x00007f0c", Tier::None),
            ("jdk/internal/reflect/GeneratedMethodAccessor7", Tier::None),
        ] {
            assert_eq!(Tier::of(name), tier, "{name}");
            assert_eq!(Tier::reason(name).is_some(), tier == Tier::Locks, "{name}");
        }
    }
}
