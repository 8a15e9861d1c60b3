//! Built-in and standard types as far as they pass on what they hold.

use super::names::BUILTINS;
use atlas_graph::link::Value;

/// Outside types whose elements are their last type argument, sorted.
pub(super) const CONTAINERS: &[&str] = &[
    "AbstractSet",
    "AsyncIterable",
    "AsyncIterator",
    "Collection",
    "Container",
    "Deque",
    "FrozenSet",
    "Iterable",
    "Iterator",
    "KeysView",
    "List",
    "MutableSequence",
    "MutableSet",
    "Reversible",
    "Sequence",
    "Set",
    "ValuesView",
    "deque",
    "frozenset",
    "iterator",
    "list",
    "set",
    "tuple",
];

/// Outside types that map keys to values.
const MAPS: [&str; 14] = [
    "ChainMap",
    "Counter",
    "DefaultDict",
    "Dict",
    "Mapping",
    "MutableMapping",
    "OrderedDict",
    "UserDict",
    "WeakKeyDictionary",
    "WeakValueDictionary",
    "defaultdict",
    "dict",
    "map",
    "mappingproxy",
];

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn instance(name: &str, args: Vec<Vec<Value>>) -> Vec<Value> {
    vec![Value::ExternalInstance(name.into(), args)]
}

fn list_of(elements: Vec<Value>) -> Vec<Value> {
    instance("list", vec![elements])
}

fn is_map(ty: &str) -> bool {
    MAPS.contains(&last(ty))
}

fn is_list(ty: &str) -> bool {
    CONTAINERS.binary_search(&last(ty)).is_ok()
}

/// What an index or a loop over a value gives, where it is not the last type argument.
pub(super) fn element(ty: &str, args: &[Vec<Value>], index: bool) -> Option<Vec<Value>> {
    let name = last(ty);
    if is_map(ty) {
        let which = if index { args.get(1) } else { args.first() };
        return Some(which.cloned().unwrap_or_default());
    }
    match name {
        "Generator" | "AsyncGenerator" => Some(args.first().cloned().unwrap_or_default()),
        "Manager" | "QuerySet" => Some(args.first().cloned().unwrap_or_default()),
        "str" | "string" => Some(instance("str", Vec::new())),
        _ => None,
    }
}

/// What `ty.member`, or its call, gives.
pub(super) fn member(ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
    if !called {
        return None;
    }
    if is_map(ty) {
        let (key, value) = (args.first().cloned().unwrap_or_default(), args.get(1).cloned().unwrap_or_default());
        return match member {
            "get" | "pop" | "setdefault" => Some(value),
            "items" | "iteritems" => Some(list_of(vec![Value::Tuple(vec![key, value])])),
            "values" | "itervalues" => Some(list_of(value)),
            "keys" | "iterkeys" => Some(list_of(key)),
            "popitem" => Some(vec![Value::Tuple(vec![key, value])]),
            "copy" => Some(vec![Value::ExternalInstance(ty.into(), args.to_vec())]),
            _ => None,
        };
    }
    if is_list(ty) {
        let element = args.last().cloned().unwrap_or_default();
        return match member {
            "pop" | "popleft" | "__next__" | "__getitem__" => Some(element),
            "copy" | "union" | "intersection" | "difference" | "__add__" | "__or__" | "__and__" | "__sub__"
            | "__mul__" | "__iter__" => Some(vec![Value::ExternalInstance(ty.into(), args.to_vec())]),
            _ => None,
        };
    }
    match last(ty) {
        // Boxes of one value.
        "ContextVar" | "Queue" | "SimpleQueue" | "LifoQueue" | "PriorityQueue" | "JoinableQueue"
            if matches!(member, "get" | "get_nowait") =>
        {
            Some(args.first().cloned().unwrap_or_default())
        }
        "Future" | "Task" if member == "result" => Some(args.first().cloned().unwrap_or_default()),
        "str" | "string" => Some(match member {
            "split" | "rsplit" | "splitlines" | "partition" | "rpartition" => list_of(instance("str", Vec::new())),
            "encode" => instance("bytes", Vec::new()),
            "startswith" | "endswith" | "isdigit" | "isalpha" => instance("bool", Vec::new()),
            "find" | "rfind" | "index" | "count" => instance("number", Vec::new()),
            _ => instance("str", Vec::new()),
        }),
        "number" | "int" | "float" => Some(instance("number", Vec::new())),
        // The value that a context manager of the library binds is of its own kind.
        _ if matches!(member, "__enter__" | "__aenter__") => Some(instance(ty, args.to_vec())),
        _ => None,
    }
}

/// The elements of the values that are known to hold some.
fn elements_of(values: &[Value]) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for value in values {
        let Value::ExternalInstance(ty, args) = value else { continue };
        let found = match element(ty, args, false) {
            Some(found) => found,
            None if is_list(ty) => args.last().cloned().unwrap_or_default(),
            None => Vec::new(),
        };
        for one in found {
            if !out.contains(&one) {
                out.push(one);
            }
        }
    }
    out
}

/// What a call of a built-in or standard function gives.
pub(super) fn call(name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
    Some(match name {
        "list"
        | "sorted"
        | "reversed"
        | "set"
        | "frozenset"
        | "tuple"
        | "iter"
        | "aiter"
        | "itertools.chain"
        | "itertools.islice"
        | "itertools.cycle"
        | "collections.deque"
        | "itertools.chain.from_iterable" => list_of(elements_of(arg0)),
        "next" | "anext" | "max" | "min" | "random.choice" => elements_of(arg0),
        "enumerate" => list_of(vec![Value::Tuple(vec![instance("number", Vec::new()), elements_of(arg0)])]),
        "zip" | "itertools.zip_longest" => list_of(vec![Value::Tuple(vec![elements_of(arg0)])]),
        "dict" | "collections.OrderedDict" => arg0
            .iter()
            .find(|value| matches!(value, Value::ExternalInstance(ty, _) if is_map(ty)))
            .cloned()
            .map_or_else(|| instance("dict", Vec::new()), |same| vec![same]),
        "collections.defaultdict" => {
            let made = arg0.iter().filter_map(made_by).collect();
            instance("dict", vec![Vec::new(), made])
        }
        "type" => arg0.iter().filter_map(class_of).collect(),
        "typing.cast" | "cast" => arg0.iter().filter_map(made_by).collect(),
        // These give back what they are given, or something that behaves like it.
        "copy.copy"
        | "copy.deepcopy"
        | "dataclasses.replace"
        | "functools.partial"
        | "functools.partialmethod"
        | "weakref.proxy"
        | "contextlib.closing"
        | "contextlib.aclosing"
        | "asyncio.run"
        | "asyncio.create_task"
        | "asyncio.ensure_future"
        | "asyncio.wait_for"
        | "asyncio.shield"
        | "functools.lru_cache"
        | "functools.cache"
        | "staticmethod"
        | "classmethod"
        | "inspect.unwrap"
        | "typing.no_type_check"
        | "functools.total_ordering" => arg0.to_vec(),
        "len" | "int" | "float" | "abs" | "round" | "sum" | "ord" | "hash" | "id" | "pow" | "divmod" | "complex" => {
            instance("number", Vec::new())
        }
        "range" | "xrange" => list_of(instance("number", Vec::new())),
        "str" | "repr" | "format" | "chr" | "hex" | "bin" | "oct" | "ascii" | "input" | "raw_input" | "unicode" => {
            instance("str", Vec::new())
        }
        "bool" | "isinstance" | "issubclass" | "callable" | "hasattr" | "any" | "all" => instance("bool", Vec::new()),
        "open" | "io.open" => instance("io.TextIOWrapper", Vec::new()),
        "bytes" | "bytearray" => instance("bytes", Vec::new()),
        "print" | "setattr" | "delattr" => Vec::new(),
        // Making a built-in exception.
        _ if name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning") => {
            if BUILTINS.binary_search(&name).is_err() {
                return None;
            }
            instance(name, Vec::new())
        }
        _ => return None,
    })
}

/// The instance that calling a class gives.
fn made_by(value: &Value) -> Option<Value> {
    match value {
        Value::Def(node) => Some(Value::Instance(*node, Vec::new())),
        Value::External(name) => Some(Value::ExternalInstance(name.clone(), Vec::new())),
        _ => None,
    }
}

/// `type(x)`
fn class_of(value: &Value) -> Option<Value> {
    match value {
        Value::Instance(node, _) => Some(Value::Def(*node)),
        _ => None,
    }
}
