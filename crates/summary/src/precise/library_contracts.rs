//! What is known without reading code: collections, atomics, callbacks, value types.
//!
//! Collections are modelled by the contracts of their interfaces rather than by the code of one implementation: a field
//! declared `Map` may hold any of them, and `this.map.*` is one location either way.

/// What a call on a collection (or iterator, or view) does to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a call")]
pub(crate) struct CollectionCall {
    pub(crate) writes: bool,
    pub(crate) returns: Returns,
    /// Argument that is itself read as a collection.
    pub(crate) bulk: Option<usize>,
    /// `equals` and `hashCode` (or `compareTo`, `toString`) of elements and arguments run.
    pub(crate) compares: bool,
    /// One call is one atomic step.
    pub(crate) atomic: bool,
    /// The call takes the receiver's own monitor.
    pub(crate) locks: bool,
}

/// Where the result of a collection call comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    /// Nothing that can be shared.
    Nothing,
    /// A view or iterator: touching it touches the collection.
    View,
    /// An element.
    Element,
}

const PLAIN: &[&str] = &[
    "java/lang/CharSequence",
    "java/lang/Iterable",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractQueue",
    "java/util/AbstractSequentialList",
    "java/util/AbstractSet",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/Collection",
    "java/util/Deque",
    "java/util/Dictionary",
    "java/util/EnumMap",
    "java/util/EnumSet",
    "java/util/Enumeration",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/IdentityHashMap",
    "java/util/Iterator",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/List",
    "java/util/ListIterator",
    "java/util/Map",
    "java/util/Map$Entry",
    "java/util/NavigableMap",
    "java/util/NavigableSet",
    "java/util/PriorityQueue",
    "java/util/Queue",
    "java/util/SequencedCollection",
    "java/util/SequencedMap",
    "java/util/SequencedSet",
    "java/util/Set",
    "java/util/SortedMap",
    "java/util/SortedSet",
    "java/util/Spliterator",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/WeakHashMap",
];

const SYNCHRONIZED: &[&str] = &[
    "java/util/Hashtable",
    "java/util/Properties",
    "java/util/Stack",
    "java/util/Vector",
];

const CONCURRENT: &[&str] = &[
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/BlockingDeque",
    "java/util/concurrent/BlockingQueue",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentLinkedDeque",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/ConcurrentMap",
    "java/util/concurrent/ConcurrentNavigableMap",
    "java/util/concurrent/ConcurrentSkipListMap",
    "java/util/concurrent/ConcurrentSkipListSet",
    "java/util/concurrent/CopyOnWriteArrayList",
    "java/util/concurrent/CopyOnWriteArraySet",
    "java/util/concurrent/DelayQueue",
    "java/util/concurrent/LinkedBlockingDeque",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/LinkedTransferQueue",
    "java/util/concurrent/PriorityBlockingQueue",
    "java/util/concurrent/SynchronousQueue",
    "java/util/concurrent/TransferQueue",
];

/// The model of a call, if `class` is a collection type.
pub(crate) fn collection(class: &str, name: &str) -> Option<CollectionCall> {
    if !class.starts_with("java/") || name == "<init>" {
        return None;
    }
    let (atomic, locks) = if PLAIN.binary_search(&class).is_ok() {
        (false, false)
    } else if SYNCHRONIZED.binary_search(&class).is_ok() {
        (true, true)
    } else if CONCURRENT.binary_search(&class).is_ok() {
        (true, false)
    } else {
        return None;
    };
    let returns = match name {
        "iterator" | "listIterator" | "descendingIterator" | "spliterator" | "keySet" | "values"
        | "entrySet" | "navigableKeySet" | "descendingKeySet" | "descendingMap" | "descendingSet"
        | "subList" | "subMap" | "headMap" | "tailMap" | "subSet" | "headSet" | "tailSet" | "elements"
        | "keys" | "stream" | "parallelStream" | "reversed" | "asIterator" | "subSequence" | "chars"
        | "codePoints" | "trySplit" => Returns::View,
        "size" | "isEmpty" | "contains" | "containsKey" | "containsValue" | "containsAll" | "hashCode"
        | "equals" | "toString" | "hasNext" | "hasPrevious" | "hasMoreElements" | "indexOf"
        | "lastIndexOf" | "nextIndex" | "previousIndex" | "toArray" | "clone" | "capacity" | "search"
        | "remainingCapacity" | "length" | "charAt" => Returns::Nothing,
        _ => Returns::Element,
    };
    let reads = matches!(returns, Returns::View)
        || matches!(
            name,
            "size"
                | "isEmpty"
                | "contains"
                | "containsKey"
                | "containsValue"
                | "containsAll"
                | "hashCode"
                | "equals"
                | "toString"
                | "hasNext"
                | "hasPrevious"
                | "hasMoreElements"
                | "indexOf"
                | "lastIndexOf"
                | "nextIndex"
                | "previousIndex"
                | "toArray"
                | "clone"
                | "capacity"
                | "search"
                | "remainingCapacity"
                | "get"
                | "getOrDefault"
                | "next"
                | "previous"
                | "nextElement"
                | "getKey"
                | "getValue"
                | "getFirst"
                | "getLast"
                | "first"
                | "last"
                | "firstKey"
                | "lastKey"
                | "firstEntry"
                | "lastEntry"
                | "peek"
                | "peekFirst"
                | "peekLast"
                | "element"
                | "elementAt"
                | "firstElement"
                | "lastElement"
                | "forEach"
                | "forEachRemaining"
                | "comparator"
                | "floor"
                | "ceiling"
                | "lower"
                | "higher"
                | "floorKey"
                | "ceilingKey"
                | "lowerKey"
                | "higherKey"
                | "floorEntry"
                | "ceilingEntry"
                | "lowerEntry"
                | "higherEntry"
                | "copyInto"
                | "getProperty"
                | "propertyNames"
                | "stringPropertyNames"
                | "characteristics"
                | "hasCharacteristics"
                | "getComparator"
                | "getExactSizeIfKnown"
                | "estimateSize"
                | "tryAdvance"
                | "length"
                | "charAt"
                | "subSequence"
                | "chars"
                | "codePoints"
        );
    // LinkedHashMap in access order and WeakHashMap change on get; they are rare enough to be named.
    let changes_on_get = matches!(class, "java/util/LinkedHashMap" | "java/util/WeakHashMap")
        && matches!(name, "get" | "getOrDefault");
    let bulk = match name {
        "addAll" | "putAll" | "removeAll" | "retainAll" | "containsAll" | "equals" => Some(1),
        _ => None,
    };
    let compares = !matches!(
        name,
        "size"
            | "isEmpty"
            | "clear"
            | "iterator"
            | "hasNext"
            | "next"
            | "keySet"
            | "values"
            | "entrySet"
            | "hasMoreElements"
            | "nextElement"
            | "getKey"
            | "getValue"
            | "listIterator"
            | "toArray"
            | "length"
            | "charAt"
            | "subSequence"
            | "chars"
            | "codePoints"
    );
    Some(CollectionCall {
        writes: !reads || changes_on_get,
        returns,
        bulk,
        compares,
        atomic,
        locks,
    })
}

/// Whether a call on a `java.util.concurrent.atomic` object only reads or only writes it.
pub(crate) fn atomic_effect(name: &str) -> (bool, bool) {
    match name {
        "get" | "getPlain" | "getAcquire" | "getOpaque" | "intValue" | "longValue" | "floatValue"
        | "doubleValue" | "toString" | "sum" | "getReference" | "getStamp" | "isMarked" | "length" => {
            (true, false)
        }
        "set" | "lazySet" | "setPlain" | "setRelease" | "setOpaque" | "reset" => (false, true),
        _ => (true, true),
    }
}

/// Whether a `VarHandle` or `Unsafe` access reads, writes.
pub(crate) fn handle_effect(name: &str) -> (bool, bool) {
    let compound = ["compare", "getAnd", "weakCompare"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    match name {
        _ if compound => (true, true),
        _ if name.starts_with("get") => (true, false),
        _ if name.starts_with("set") || name.starts_with("put") => (false, true),
        _ => (true, true),
    }
}

/// Types whose objects never change (or change unobservably, like a string's cached hash).
pub(crate) const VALUE_TYPES: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Number",
    "java/lang/Short",
    "java/lang/String",
    "java/lang/Void",
    "java/lang/invoke/MethodHandle",
    "java/lang/invoke/MethodType",
    "java/lang/invoke/VarHandle",
    "java/lang/reflect/Constructor",
    "java/lang/reflect/Field",
    "java/lang/reflect/Method",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/regex/Pattern",
];

/// Types that exist to be supplied by a client and called back: what the client's object does with itself is the
/// client's affair. (That the class under test may itself be the object is handled where open calls are expanded.)
pub(crate) fn is_callback_root(class: &str) -> bool {
    matches!(
        class,
        "java/util/EventListener"
            | "java/util/Observer"
            | "java/util/Comparator"
            | "java/lang/Comparable"
            | "java/lang/Runnable"
            | "java/util/concurrent/Callable"
            | "java/util/concurrent/Executor"
            | "java/util/concurrent/ThreadFactory"
    ) || class.starts_with("java/util/function/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_binary_search() {
        for table in [PLAIN, SYNCHRONIZED, CONCURRENT, VALUE_TYPES] {
            assert!(table.is_sorted());
        }
    }

    #[test]
    fn a_map_get_reads_and_a_put_writes() {
        let get = collection("java/util/Map", "get").unwrap();
        assert!(!get.writes && get.returns == Returns::Element && get.compares);
        let put = collection("java/util/HashMap", "put").unwrap();
        assert!(put.writes && !put.atomic);
        assert!(collection("java/util/Vector", "add").unwrap().locks);
        assert_eq!(collection("java/util/Calendar", "get"), None);
    }
}
