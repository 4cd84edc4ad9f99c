//! How much of a class is rewritten, decided by its name.

/// How much of a class is rewritten.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Everything.
    Full,
    /// Locks, waiting, time and zones, but no accesses to data and no loops. For classes below the ones under
    /// test, whose state is their own business and whose accesses would drown all others.
    Locks,
    /// Nothing.
    None,
}

/// Names that begin like this are left alone: the hooks themselves, the plans that call them, code that the JVM
/// spins, and exceptions, whose only lock is that on a new object while its stack is filled in.
const NONE: [&str; 5] = [
    "java/lang/Raddle",
    "RaddlePlan$",
    "java/lang/Throwable",
    "java/lang/invoke/LambdaForm",
    "jdk/internal/reflect/Generated",
];

/// Packages below which only locks are of interest.
const LOCKS: [&str; 6] = [
    "java/lang/",
    "jdk/",
    "sun/",
    "java/security/",
    "java/util/zip/",
    "java/util/jar/",
];

/// Classes of `java.lang` that hold state their users share. `ThreadGroup` is none of them: what is in it depends on threads
/// of earlier runs that are about to leave it.
const FULL: [&str; 3] = ["StringBuffer", "AbstractStringBuilder", "StringBuilder"];

impl Tier {
    /// The tier of a class, by its internal name.
    pub fn of(name: &str) -> Tier {
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        // Hidden classes have the address of their definition in their names.
        if name == "java/lang/Object" || starts(&NONE) || name.contains("/0x") || name.contains("+0x") {
            return Tier::None;
        }
        if let Some(simple) = name.strip_prefix("java/lang/") {
            return if FULL.contains(&simple) {
                Tier::Full
            } else {
                Tier::Locks
            };
        }
        if starts(&LOCKS) { Tier::Locks } else { Tier::Full }
    }
}

#[cfg(test)]
mod tests {
    use super::Tier;

    #[test]
    fn a_name_decides() {
        for (name, tier) in [
            ("Counter", Tier::Full),
            ("org/example/Counter", Tier::Full),
            ("java/util/Hashtable", Tier::Full),
            ("java/util/regex/Pattern", Tier::Full),
            ("java/util/concurrent/locks/LockSupport", Tier::Full),
            ("java/lang/StringBuffer", Tier::Full),
            ("java/lang/ThreadLocal$ThreadLocalMap", Tier::Locks),
            ("java/lang/Throwable", Tier::None),
            ("RaddlePlan$1", Tier::None),
            ("java/lang/Thread", Tier::Locks),
            ("java/lang/ref/Reference", Tier::Locks),
            ("java/util/zip/ZipFile", Tier::Locks),
            ("jdk/internal/misc/Unsafe", Tier::Locks),
            ("java/lang/Object", Tier::None),
            ("java/lang/Raddle", Tier::None),
            ("java/lang/RaddleEngine$Worker", Tier::None),
            ("java/lang/invoke/LambdaForm$MH/0x0000012", Tier::None),
            ("org/example/Counter$$Lambda/0x00007f0c", Tier::None),
            ("jdk/internal/reflect/GeneratedMethodAccessor7", Tier::None),
        ] {
            assert_eq!(Tier::of(name), tier, "{name}");
        }
    }
}
