//! What the linker should know of PHP's own functions and of names that say little.

use atlas_graph::link::Value;

/// Outside types whose elements are their last type argument. Sorted.
pub(super) const CONTAINERS: [&str; 17] = [
    "ArrayAccess",
    "ArrayCollection",
    "ArrayIterator",
    "ArrayObject",
    "Collection",
    "Generator",
    "Iterator",
    "IteratorAggregate",
    "LazyCollection",
    "SplDoublyLinkedList",
    "SplFixedArray",
    "SplObjectStorage",
    "SplQueue",
    "SplStack",
    "Traversable",
    "array",
    "iterable",
];

/// Members of so many types that a name alone tells nothing. Sorted.
pub(super) const COMMON_MEMBERS: [&str; 62] = [
    "add",
    "all",
    "append",
    "apply",
    "build",
    "call",
    "clear",
    "close",
    "configure",
    "contains",
    "count",
    "create",
    "current",
    "delete",
    "each",
    "end",
    "error",
    "execute",
    "exists",
    "filter",
    "find",
    "first",
    "flush",
    "format",
    "get",
    "getCode",
    "getId",
    "getMessage",
    "getName",
    "getType",
    "getValue",
    "handle",
    "has",
    "info",
    "init",
    "isEmpty",
    "key",
    "last",
    "load",
    "log",
    "make",
    "map",
    "merge",
    "name",
    "next",
    "open",
    "parse",
    "process",
    "push",
    "put",
    "read",
    "register",
    "remove",
    "render",
    "reset",
    "run",
    "save",
    "set",
    "start",
    "toArray",
    "update",
    "write",
];

/// What a function of the language gives: the elements of its first argument, or that argument again.
pub(super) fn call(name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
    let name = name.strip_prefix('\\')?.strip_suffix("()")?;
    match name {
        "array_pop" | "array_shift" | "current" | "end" | "reset" | "next" | "prev" | "array_first" | "array_last"
        | "max" | "min" => {
            let elements = arg0.iter().filter_map(|value| match value {
                Value::ExternalInstance(of, args) if &**of == "list" || CONTAINERS.contains(&&**of) => args.last(),
                _ => None,
            });
            Some(elements.flatten().cloned().collect())
        }
        "array_values"
        | "array_filter"
        | "array_reverse"
        | "array_slice"
        | "array_merge"
        | "array_unique"
        | "array_diff"
        | "array_intersect"
        | "array_diff_key"
        | "array_intersect_key"
        | "array_replace"
        | "iterator_to_array" => Some(arg0.to_vec()),
        _ => None,
    }
}
