//! The table of well-known JDK types and of calls that make objects for them.

use raddle_plan::Invoke;

/// One call on the way to an object.
pub(super) struct Step {
    pub(super) invoke: Invoke,
    pub(super) class: &'static str,
    pub(super) name: &'static str,
    pub(super) descriptor: &'static str,
    pub(super) args: &'static [Given],
}

/// An argument of a step.
#[derive(Copy, Clone)]
pub(super) enum Given {
    /// The result of the step before.
    Last,
    /// An element, the same for every object made so; numbered.
    Element(usize),
    Text(&'static str),
    Int(i32),
    Long(i64),
    /// A whole number as a method takes it that takes any.
    Number,
    Bytes,
    /// An empty array of strings.
    NoTexts,
}

/// A way to an object of a well-known type.
pub(crate) struct Known {
    /// Internal names of the types it is good for.
    pub(super) wanted: &'static [&'static str],
    pub(super) steps: &'static [Step],
    /// A call that gives the object some content.
    pub(super) fill: Option<Step>,
}

const fn new(class: &'static str) -> Step {
    Step {
        invoke: Invoke::New,
        class,
        name: "<init>",
        descriptor: "()V",
        args: &[],
    }
}

const fn made(class: &'static str, descriptor: &'static str, args: &'static [Given]) -> Step {
    Step {
        invoke: Invoke::New,
        class,
        name: "<init>",
        descriptor,
        args,
    }
}

const fn factory(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    args: &'static [Given],
) -> Step {
    Step {
        invoke: Invoke::Static,
        class,
        name,
        descriptor,
        args,
    }
}

/// A static method of an interface.
const fn of_interface(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    args: &'static [Given],
) -> Step {
    Step {
        invoke: Invoke::InterfaceStatic,
        class,
        name,
        descriptor,
        args,
    }
}

/// A method of what the step before gave.
const fn then(class: &'static str, name: &'static str, descriptor: &'static str) -> Step {
    Step {
        invoke: Invoke::Interface,
        class,
        name,
        descriptor,
        args: &[],
    }
}

const fn known(wanted: &'static [&'static str], steps: &'static [Step]) -> Known {
    Known {
        wanted,
        steps,
        fill: None,
    }
}

const fn filled(wanted: &'static [&'static str], steps: &'static [Step]) -> Known {
    Known {
        wanted,
        steps,
        fill: Some(Step {
            invoke: Invoke::Interface,
            class: "java/util/Collection",
            name: "add",
            descriptor: "(Ljava/lang/Object;)Z",
            args: &[Given::Element(0)],
        }),
    }
}

const fn filled_map(wanted: &'static [&'static str], steps: &'static [Step]) -> Known {
    Known {
        wanted,
        steps,
        fill: Some(Step {
            invoke: Invoke::Interface,
            class: "java/util/Map",
            name: "put",
            descriptor: "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            args: &[Given::Element(0), Given::Element(1)],
        }),
    }
}

const REVERSE: Step = factory(
    "java/util/Collections",
    "reverseOrder",
    "()Ljava/util/Comparator;",
    &[],
);
const TO_LIST: Step = factory(
    "java/util/stream/Collectors",
    "toList",
    "()Ljava/util/stream/Collector;",
    &[],
);
const EMPTY_ITERATOR: &str = "()Ljava/util/Iterator;";

pub(super) static KNOWN: &[Known] = &[
    filled(
        &[
            "java/util/Collection",
            "java/util/List",
            "java/lang/Iterable",
            "java/util/AbstractCollection",
            "java/util/AbstractList",
            "java/util/ArrayList",
            "java/util/RandomAccess",
            "java/lang/Cloneable",
        ],
        &[new("java/util/ArrayList")],
    ),
    filled(
        &["java/util/Collection", "java/util/List"],
        &[new("java/util/Vector")],
    ),
    filled(
        &[
            "java/util/Set",
            "java/util/AbstractSet",
            "java/util/HashSet",
            "java/util/Collection",
        ],
        &[new("java/util/HashSet")],
    ),
    filled(
        &[
            "java/util/SortedSet",
            "java/util/NavigableSet",
            "java/util/TreeSet",
        ],
        &[new("java/util/TreeSet")],
    ),
    filled(
        &["java/util/Queue", "java/util/Deque", "java/util/ArrayDeque"],
        &[new("java/util/ArrayDeque")],
    ),
    filled(
        &["java/util/AbstractSequentialList", "java/util/LinkedList"],
        &[new("java/util/LinkedList")],
    ),
    filled(
        &[
            "java/util/concurrent/BlockingQueue",
            "java/util/concurrent/BlockingDeque",
        ],
        &[new("java/util/concurrent/LinkedBlockingDeque")],
    ),
    filled_map(
        &["java/util/Map", "java/util/AbstractMap", "java/util/HashMap"],
        &[new("java/util/HashMap")],
    ),
    filled_map(
        &["java/util/Dictionary", "java/util/Hashtable", "java/util/Map"],
        &[new("java/util/Hashtable")],
    ),
    filled_map(
        &[
            "java/util/SortedMap",
            "java/util/NavigableMap",
            "java/util/TreeMap",
        ],
        &[new("java/util/TreeMap")],
    ),
    filled_map(
        &[
            "java/util/concurrent/ConcurrentMap",
            "java/util/concurrent/ConcurrentHashMap",
        ],
        &[new("java/util/concurrent/ConcurrentHashMap")],
    ),
    known(&["java/util/Properties"], &[new("java/util/Properties")]),
    known(
        &["java/util/Iterator"],
        &[factory(
            "java/util/Collections",
            "emptyIterator",
            EMPTY_ITERATOR,
            &[],
        )],
    ),
    known(
        &["java/util/ListIterator"],
        &[factory(
            "java/util/Collections",
            "emptyListIterator",
            "()Ljava/util/ListIterator;",
            &[],
        )],
    ),
    known(
        &["java/util/Enumeration"],
        &[factory(
            "java/util/Collections",
            "emptyEnumeration",
            "()Ljava/util/Enumeration;",
            &[],
        )],
    ),
    known(&["java/util/Comparator"], &[REVERSE]),
    known(
        &["java/util/Comparator"],
        &[of_interface(
            "java/util/Comparator",
            "naturalOrder",
            "()Ljava/util/Comparator;",
            &[],
        )],
    ),
    known(
        &["java/util/function/UnaryOperator", "java/util/function/Function"],
        &[of_interface(
            "java/util/function/UnaryOperator",
            "identity",
            "()Ljava/util/function/UnaryOperator;",
            &[],
        )],
    ),
    known(
        &["java/util/function/Function"],
        &[of_interface(
            "java/util/function/Function",
            "identity",
            "()Ljava/util/function/Function;",
            &[],
        )],
    ),
    known(
        &[
            "java/util/function/BinaryOperator",
            "java/util/function/BiFunction",
        ],
        &[
            REVERSE,
            of_interface(
                "java/util/function/BinaryOperator",
                "minBy",
                "(Ljava/util/Comparator;)Ljava/util/function/BinaryOperator;",
                &[Given::Last],
            ),
        ],
    ),
    known(
        &["java/util/function/Predicate"],
        &[of_interface(
            "java/util/function/Predicate",
            "isEqual",
            "(Ljava/lang/Object;)Ljava/util/function/Predicate;",
            &[Given::Element(0)],
        )],
    ),
    known(
        &["java/util/function/Supplier"],
        &[
            TO_LIST,
            then(
                "java/util/stream/Collector",
                "supplier",
                "()Ljava/util/function/Supplier;",
            ),
        ],
    ),
    known(
        &["java/util/function/BiConsumer"],
        &[
            TO_LIST,
            then(
                "java/util/stream/Collector",
                "accumulator",
                "()Ljava/util/function/BiConsumer;",
            ),
        ],
    ),
    known(&["java/util/stream/Collector"], &[TO_LIST]),
    known(
        &["java/util/function/IntUnaryOperator"],
        &[of_interface(
            "java/util/function/IntUnaryOperator",
            "identity",
            "()Ljava/util/function/IntUnaryOperator;",
            &[],
        )],
    ),
    known(
        &["java/util/function/LongUnaryOperator"],
        &[of_interface(
            "java/util/function/LongUnaryOperator",
            "identity",
            "()Ljava/util/function/LongUnaryOperator;",
            &[],
        )],
    ),
    known(
        &["java/util/function/DoubleUnaryOperator"],
        &[of_interface(
            "java/util/function/DoubleUnaryOperator",
            "identity",
            "()Ljava/util/function/DoubleUnaryOperator;",
            &[],
        )],
    ),
    // A thread that is not started does nothing when it is run.
    known(
        &["java/lang/Runnable", "java/lang/Thread"],
        &[new("java/lang/Thread")],
    ),
    known(
        &["java/util/concurrent/Callable"],
        &[
            new("java/lang/Thread"),
            factory(
                "java/util/concurrent/Executors",
                "callable",
                "(Ljava/lang/Runnable;)Ljava/util/concurrent/Callable;",
                &[Given::Last],
            ),
        ],
    ),
    known(
        &[
            "java/util/concurrent/ExecutorService",
            "java/util/concurrent/Executor",
        ],
        &[factory(
            "java/util/concurrent/Executors",
            "newFixedThreadPool",
            "(I)Ljava/util/concurrent/ExecutorService;",
            &[Given::Int(2)],
        )],
    ),
    known(
        &["java/util/concurrent/ScheduledExecutorService"],
        &[factory(
            "java/util/concurrent/Executors",
            "newScheduledThreadPool",
            "(I)Ljava/util/concurrent/ScheduledExecutorService;",
            &[Given::Int(1)],
        )],
    ),
    known(
        &["java/util/concurrent/ThreadFactory"],
        &[factory(
            "java/util/concurrent/Executors",
            "defaultThreadFactory",
            "()Ljava/util/concurrent/ThreadFactory;",
            &[],
        )],
    ),
    known(
        &["java/util/concurrent/locks/Lock"],
        &[new("java/util/concurrent/locks/ReentrantLock")],
    ),
    known(
        &["java/util/concurrent/locks/ReadWriteLock"],
        &[new("java/util/concurrent/locks/ReentrantReadWriteLock")],
    ),
    known(
        &["java/io/InputStream", "java/io/ByteArrayInputStream"],
        &[made("java/io/ByteArrayInputStream", "([B)V", &[Given::Bytes])],
    ),
    known(
        &[
            "java/io/OutputStream",
            "java/io/Closeable",
            "java/io/Flushable",
            "java/lang/AutoCloseable",
        ],
        &[new("java/io/ByteArrayOutputStream")],
    ),
    known(
        &["java/io/Reader", "java/lang/Readable"],
        &[made(
            "java/io/StringReader",
            "(Ljava/lang/String;)V",
            &[Given::Text("a b\n1 2\n")],
        )],
    ),
    known(
        &["java/io/Writer", "java/lang/Appendable", "java/io/StringWriter"],
        &[new("java/io/StringWriter")],
    ),
    known(
        &["java/io/PrintStream"],
        &[
            new("java/io/ByteArrayOutputStream"),
            made("java/io/PrintStream", "(Ljava/io/OutputStream;)V", &[Given::Last]),
        ],
    ),
    known(
        &["java/io/PrintWriter"],
        &[
            new("java/io/StringWriter"),
            made("java/io/PrintWriter", "(Ljava/io/Writer;)V", &[Given::Last]),
        ],
    ),
    known(
        &["java/io/File"],
        &[made(
            "java/io/File",
            "(Ljava/lang/String;)V",
            &[Given::Text("raddle.tmp")],
        )],
    ),
    // One that is there, and that nobody harms.
    known(
        &["java/io/File"],
        &[made(
            "java/io/File",
            "(Ljava/lang/String;)V",
            &[Given::Text("/dev/null")],
        )],
    ),
    known(
        &["java/nio/file/Path"],
        &[factory(
            "java/nio/file/Paths",
            "get",
            "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;",
            &[Given::Text("raddle.tmp"), Given::NoTexts],
        )],
    ),
    known(
        &["java/nio/file/Path"],
        &[factory(
            "java/nio/file/Paths",
            "get",
            "(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;",
            &[Given::Text("/dev/null"), Given::NoTexts],
        )],
    ),
    known(
        &["java/lang/StringBuffer"],
        &[made(
            "java/lang/StringBuffer",
            "(Ljava/lang/String;)V",
            &[Given::Text("abc")],
        )],
    ),
    known(
        &["java/lang/StringBuilder"],
        &[made(
            "java/lang/StringBuilder",
            "(Ljava/lang/String;)V",
            &[Given::Text("abc")],
        )],
    ),
    known(
        &["java/lang/Throwable", "java/lang/Exception"],
        &[made(
            "java/lang/Exception",
            "(Ljava/lang/String;)V",
            &[Given::Text("abc")],
        )],
    ),
    // Not nothing and not for ever, as the constants of these classes are.
    known(
        &["java/time/Duration", "java/time/temporal/TemporalAmount"],
        &[factory(
            "java/time/Duration",
            "ofSeconds",
            "(J)Ljava/time/Duration;",
            &[Given::Number],
        )],
    ),
    known(
        &["java/time/Duration"],
        &[factory(
            "java/time/Duration",
            "ofMillis",
            "(J)Ljava/time/Duration;",
            &[Given::Long(10)],
        )],
    ),
    known(
        &["java/time/Duration"],
        &[factory(
            "java/time/Duration",
            "ofHours",
            "(J)Ljava/time/Duration;",
            &[Given::Long(1)],
        )],
    ),
    known(
        &["java/time/Instant"],
        &[factory(
            "java/time/Instant",
            "ofEpochSecond",
            "(J)Ljava/time/Instant;",
            &[Given::Number],
        )],
    ),
    known(
        &["java/time/LocalDate"],
        &[factory(
            "java/time/LocalDate",
            "ofEpochDay",
            "(J)Ljava/time/LocalDate;",
            &[Given::Number],
        )],
    ),
    known(
        &["java/math/BigDecimal"],
        &[factory(
            "java/math/BigDecimal",
            "valueOf",
            "(J)Ljava/math/BigDecimal;",
            &[Given::Number],
        )],
    ),
    known(
        &["java/math/BigInteger"],
        &[factory(
            "java/math/BigInteger",
            "valueOf",
            "(J)Ljava/math/BigInteger;",
            &[Given::Number],
        )],
    ),
    known(
        &["java/util/Date"],
        &[made("java/util/Date", "(J)V", &[Given::Long(1000)])],
    ),
    known(
        &["java/util/Random"],
        &[made("java/util/Random", "(J)V", &[Given::Long(1)])],
    ),
    known(
        &["java/util/Calendar", "java/util/GregorianCalendar"],
        // Not the time of day, which two runs do not share.
        &[made(
            "java/util/GregorianCalendar",
            "(III)V",
            &[Given::Int(2001), Given::Int(1), Given::Int(3)],
        )],
    ),
    known(
        &["java/util/TimeZone"],
        &[factory(
            "java/util/TimeZone",
            "getTimeZone",
            "(Ljava/lang/String;)Ljava/util/TimeZone;",
            &[Given::Text("UTC")],
        )],
    ),
    known(
        &["java/util/Locale"],
        &[made(
            "java/util/Locale",
            "(Ljava/lang/String;)V",
            &[Given::Text("en")],
        )],
    ),
    known(
        &[
            "java/text/DateFormat",
            "java/text/SimpleDateFormat",
            "java/text/Format",
        ],
        &[made(
            "java/text/SimpleDateFormat",
            "(Ljava/lang/String;)V",
            &[Given::Text("yyyy-MM-dd")],
        )],
    ),
    known(
        &["java/text/NumberFormat", "java/text/DecimalFormat"],
        &[new("java/text/DecimalFormat")],
    ),
    known(
        &["java/nio/charset/Charset"],
        &[factory(
            "java/nio/charset/Charset",
            "defaultCharset",
            "()Ljava/nio/charset/Charset;",
            &[],
        )],
    ),
    known(
        &["java/lang/ClassLoader"],
        &[factory(
            "java/lang/ClassLoader",
            "getSystemClassLoader",
            "()Ljava/lang/ClassLoader;",
            &[],
        )],
    ),
    known(
        &["java/net/URL"],
        &[made(
            "java/net/URL",
            "(Ljava/lang/String;)V",
            &[Given::Text("file:raddle.tmp")],
        )],
    ),
];
