//! What the linker should know of the JVM's standard library: which names the language gives, and what
//! collections, streams, optionals and their like hand out.

use atlas_graph::link::{Conventions, Value};

pub(super) const CONVENTIONS: Conventions = Conventions {
    implicit_this: true,
    overloads: true,
    overloads_inherit: true,
    methods_apart: true,
    constructors_inherit: false,
    containers: &CONTAINERS,
    common_members: &COMMON_MEMBERS,
    ..Conventions::NONE
};

/// Types whose elements are their last argument. Sorted.
const CONTAINERS: [&str; 64] = [
    "AbstractList",
    "ArrayDeque",
    "ArrayList",
    "AtomicReference",
    "BiMap",
    "BlockingQueue",
    "Collection",
    "CompletableFuture",
    "CompletionStage",
    "ConcurrentHashMap",
    "ConcurrentLinkedQueue",
    "ConcurrentMap",
    "CopyOnWriteArrayList",
    "Deque",
    "EnumMap",
    "EnumSet",
    "Flow",
    "Flowable",
    "Flux",
    "HashMap",
    "HashSet",
    "Hashtable",
    "ImmutableCollection",
    "ImmutableList",
    "ImmutableMap",
    "ImmutableSet",
    "ImmutableSortedSet",
    "IntStream",
    "Iterable",
    "Iterator",
    "LinkedBlockingQueue",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "List",
    "ListIterator",
    "Map",
    "Mono",
    "MutableCollection",
    "MutableIterable",
    "MutableIterator",
    "MutableList",
    "MutableMap",
    "MutableSet",
    "NavigableMap",
    "NavigableSet",
    "Observable",
    "Optional",
    "Page",
    "PriorityQueue",
    "Queue",
    "Sequence",
    "Set",
    "Single",
    "Slice",
    "SortedMap",
    "SortedSet",
    "Stack",
    "Stream",
    "TreeMap",
    "TreeSet",
    "Vector",
    "WeakHashMap",
    "array",
];

/// Members of so many types that a name alone tells nothing. Sorted.
const COMMON_MEMBERS: [&str; 76] = [
    "accept",
    "add",
    "addAll",
    "addListener",
    "append",
    "apply",
    "build",
    "builder",
    "call",
    "cancel",
    "clear",
    "clone",
    "close",
    "compare",
    "compareTo",
    "contains",
    "containsKey",
    "copy",
    "count",
    "create",
    "delete",
    "end",
    "equals",
    "error",
    "execute",
    "exists",
    "filter",
    "find",
    "findById",
    "first",
    "flush",
    "forEach",
    "format",
    "get",
    "getBytes",
    "getClass",
    "getId",
    "getKey",
    "getMessage",
    "getName",
    "getType",
    "getValue",
    "handle",
    "hasNext",
    "hashCode",
    "info",
    "init",
    "isEmpty",
    "iterator",
    "length",
    "load",
    "map",
    "name",
    "next",
    "of",
    "open",
    "parse",
    "process",
    "put",
    "read",
    "remove",
    "reset",
    "run",
    "save",
    "send",
    "set",
    "setValue",
    "size",
    "start",
    "stop",
    "stream",
    "test",
    "toString",
    "update",
    "value",
    "write",
];

/// Outside interfaces whose first argument is the entity that they store. Sorted.
pub(super) const REPOSITORIES: [&str; 20] = [
    "BaseRepository",
    "CassandraRepository",
    "CoroutineCrudRepository",
    "CrudRepository",
    "ElasticsearchRepository",
    "JpaRepository",
    "KeyValueRepository",
    "ListCrudRepository",
    "ListPagingAndSortingRepository",
    "MongoRepository",
    "Neo4jRepository",
    "PagingAndSortingRepository",
    "PanacheRepository",
    "PanacheRepositoryBase",
    "R2dbcRepository",
    "ReactiveCrudRepository",
    "ReactiveMongoRepository",
    "ReactiveSortingRepository",
    "Repository",
    "RxJava3CrudRepository",
];

/// First parts of the names of packages that are usually outside.
const OUTSIDE_ROOTS: [&str; 14] = [
    "android", "androidx", "com", "dagger", "io", "jakarta", "java", "javax", "jdk", "kotlin", "kotlinx", "net", "org",
    "sun",
];

pub(super) fn is_outside_root(name: &str) -> bool {
    OUTSIDE_ROOTS.binary_search(&name).is_ok()
}

/// Whether a name is written as types are: a capital, then a small letter somewhere, or one capital alone.
pub(super) fn looks_like_type(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(char::is_uppercase) && (name.len() == 1 || chars.any(char::is_lowercase))
}

/// What a member of an outside type gives, by the type's last name; None if that is not known. `called`
/// tells a method from a constant.
pub(super) fn member(ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
    let name = match ty.rsplit('.').next().unwrap_or(ty) {
        "string" => "String",
        other => other,
    };
    if !called {
        return constant(name, member);
    }
    container_result(name, args, member)
        .or_else(|| text_result(name, member))
        .or_else(|| common_result(ty, name, member))
}

fn plain(name: &str) -> Option<Vec<Value>> {
    Some(vec![Value::ExternalInstance(name.into(), Vec::new())])
}

fn array(of: &str) -> Option<Vec<Value>> {
    Some(vec![Value::ExternalInstance("list".into(), vec![vec![Value::ExternalInstance(of.into(), Vec::new())]])])
}

/// The primitive type that a class boxes.
fn boxed(name: &str) -> Option<&'static str> {
    Some(match name {
        "Boolean" => "boolean",
        "Byte" => "byte",
        "Character" => "char",
        "Double" => "double",
        "Float" => "float",
        "Integer" => "int",
        "Long" => "long",
        "Short" => "short",
        _ => return None,
    })
}

fn constant(ty: &str, member: &str) -> Option<Vec<Value>> {
    match member {
        "MAX_VALUE" | "MIN_VALUE" | "NaN" | "POSITIVE_INFINITY" | "NEGATIVE_INFINITY" => plain(boxed(ty)?),
        "TRUE" | "FALSE" if ty == "Boolean" => plain("Boolean"),
        "ZERO" | "ONE" | "TEN" if ty.starts_with("Big") => plain(ty),
        "length" if ty == "list" => plain("int"),
        _ => None,
    }
}

/// Methods of strings and of what builds them.
fn text_result(ty: &str, member: &str) -> Option<Vec<Value>> {
    match ty {
        "String" => match member {
            "charAt" => plain("char"),
            "codePointAt" | "compareTo" | "compareToIgnoreCase" => plain("int"),
            "split" => array("String"),
            "getBytes" => array("byte"),
            "toCharArray" => array("char"),
            "chars" | "codePoints" => plain("IntStream"),
            "concat" | "copyValueOf" | "format" | "formatted" | "indent" | "intern" | "join" | "repeat" | "replace"
            | "replaceAll" | "replaceFirst" | "strip" | "stripIndent" | "stripLeading" | "stripTrailing"
            | "substring" | "toLowerCase" | "toUpperCase" | "trim" | "valueOf" => plain("String"),
            _ => None,
        },
        "StringBuilder" | "StringBuffer" => match member {
            "append" | "appendCodePoint" | "delete" | "deleteCharAt" | "insert" | "replace" | "reverse" => plain(ty),
            "substring" => plain("String"),
            "charAt" => plain("char"),
            _ => None,
        },
        _ => None,
    }
}

/// Methods that give the same whatever has them, and makers of instances.
fn common_result(ty: &str, name: &str, member: &str) -> Option<Vec<Value>> {
    let is_type = looks_like_type(name);
    match member {
        "toString" | "getSimpleName" | "getCanonicalName" => plain("String"),
        "hashCode" | "size" | "length" | "indexOf" | "lastIndexOf" | "compareTo" | "ordinal" | "intValue"
        | "nextInt" => plain("int"),
        "equals" | "isEmpty" | "contains" | "containsKey" | "containsValue" | "containsAll" | "hasNext"
        | "startsWith" | "endsWith" | "equalsIgnoreCase" | "matches" | "isPresent" | "anyMatch" | "allMatch"
        | "noneMatch" | "booleanValue" | "isInstance" | "isAssignableFrom" => plain("boolean"),
        "longValue" | "currentTimeMillis" | "nanoTime" | "doubleToLongBits" | "getTimeInMillis" | "toMillis" => {
            plain("long")
        }
        "getTime" if name == "Calendar" => plain("java.util.Date"),
        "getTime" if name == "Date" || name == "Timestamp" => plain("long"),
        "floatToIntBits" | "identityHashCode" => plain("int"),
        "doubleValue" => plain("double"),
        "floatValue" => plain("float"),
        "shortValue" => plain("short"),
        "byteValue" => plain("byte"),
        "charValue" => plain("char"),
        "parseInt" | "bitCount" if boxed(name).is_some() => plain("int"),
        "parseLong" => plain("long"),
        "parseDouble" => plain("double"),
        "parseBoolean" => plain("boolean"),
        "name" if ty.is_empty() => plain("String"),
        "asList" | "emptyList" | "singletonList" | "unmodifiableList" | "nCopies" => plain("List"),
        "emptyMap" | "singletonMap" | "unmodifiableMap" => plain("Map"),
        "emptySet" | "singleton" | "unmodifiableSet" => plain("Set"),
        "valueOf" | "of" | "ofNullable" | "parse" | "now" | "getInstance" | "from" | "copyOf" | "ofMillis"
        | "ofSeconds" | "compile" | "getDefault" | "noneOf" | "allOf" | "add" | "multiply" | "subtract" | "negate"
        | "plus" | "minus"
            if is_type && !matches!(member, "add") || name.starts_with("Big") =>
        {
            plain(ty)
        }
        "getClass" => plain("Class"),
        _ => None,
    }
}

/// What collections, streams, optionals and other wrappers hand out.
fn container_result(ty: &str, args: &[Vec<Value>], member: &str) -> Option<Vec<Value>> {
    let arg = |n: usize| args.get(n).cloned().unwrap_or_default();
    let of = |name: &str, args: Vec<Vec<Value>>| Some(vec![Value::ExternalInstance(name.into(), args)]);
    if args.is_empty() {
        return None;
    }
    match ty {
        "Class" => match member {
            "newInstance" | "cast" => Some(arg(0)),
            _ => None,
        },
        "Entry" => match member {
            "getKey" => Some(arg(0)),
            "getValue" | "setValue" => Some(arg(1)),
            _ => None,
        },
        _ if ty.ends_with("Map") || ty == "Hashtable" => match member {
            "get" | "getOrDefault" | "put" | "remove" | "computeIfAbsent" | "computeIfPresent" | "compute"
            | "merge" | "putIfAbsent" | "replace" => Some(arg(1)),
            "values" => of("Collection", vec![arg(1)]),
            "keySet" | "navigableKeySet" => of("Set", vec![arg(0)]),
            "entrySet" => of("Set", vec![vec![Value::ExternalInstance("Entry".into(), args.to_vec())]]),
            "firstEntry" | "lastEntry" | "floorEntry" | "ceilingEntry" | "pollFirstEntry" | "higherEntry" => {
                of("Entry", args.to_vec())
            }
            "firstKey" | "lastKey" | "floorKey" | "ceilingKey" => Some(arg(0)),
            "headMap" | "tailMap" | "subMap" | "descendingMap" => of(ty, args.to_vec()),
            _ => None,
        },
        "Function" | "BiFunction" | "UnaryOperator" | "BinaryOperator" => match member {
            "apply" => args.last().cloned(),
            _ => None,
        },
        "Supplier"
        | "Callable"
        | "Provider"
        | "Lazy"
        | "ObjectProvider"
        | "Future"
        | "CompletableFuture"
        | "AtomicReference"
        | "ThreadLocal"
        | "WeakReference"
        | "SoftReference"
        | "Reference"
        | "ListenableFuture"
        | "ObjectFactory"
        | "Instance"
        | "ResponseEntity"
        | "AtomicReferenceArray" => match member {
            "get" | "call" | "join" | "getNow" | "getAndSet" | "getObject" | "getIfAvailable" | "getBody"
            | "getIfUnique" | "updateAndGet" | "getAndUpdate" => Some(arg(0)),
            "whenComplete" | "exceptionally" | "orTimeout" => of(ty, args.to_vec()),
            _ => None,
        },
        _ if args.len() == 1 && CONTAINERS.binary_search(&ty).is_ok() => element_result(ty, args, member),
        _ => None,
    }
}

fn element_result(ty: &str, args: &[Vec<Value>], member: &str) -> Option<Vec<Value>> {
    let element = args.first().cloned().unwrap_or_default();
    let of = |name: &str| Some(vec![Value::ExternalInstance(name.into(), args.to_vec())]);
    match member {
        "get" | "getFirst" | "getLast" | "first" | "last" | "peek" | "poll" | "pop" | "element" | "next"
        | "previous" | "orElse" | "orElseGet" | "orElseThrow" | "take" | "pollFirst" | "pollLast" | "peekFirst"
        | "peekLast" | "removeFirst" | "removeLast" | "remove" | "set" | "floor" | "ceiling" | "higher" | "lower"
        | "block" | "blockFirst" | "blockLast" | "firstElement" | "lastElement" | "elementAt" | "push" | "join" => {
            Some(element)
        }
        "findFirst" | "findAny" | "min" | "max" | "or" => of("Optional"),
        "iterator" | "listIterator" | "descendingIterator" => of("Iterator"),
        "stream" | "parallelStream" | "sorted" | "distinct" | "limit" | "skip" | "takeWhile" | "dropWhile"
        | "parallel" | "sequential" | "unordered" | "onClose" => of("Stream"),
        "filter" | "doOnNext" | "switchIfEmpty" | "onErrorResume" => of(ty),
        "toList" | "subList" | "reversed" | "getContent" | "asList" => of("List"),
        "collect" | "headSet" | "tailSet" | "subSet" | "descendingSet" | "toSet" => of("Collection"),
        _ => None,
    }
}
