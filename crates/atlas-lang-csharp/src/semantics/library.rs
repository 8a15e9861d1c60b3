//! What the linker should know of .NET: its built-in types, what collections and tasks hand out.

use atlas_graph::link::Value;

/// Built-in types by the keyword that names them, which may stand before a dot.
pub(super) const PREDEFINED: [&str; 16] = [
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte", "short", "string", "uint",
    "ulong", "ushort", "nint",
];

/// The keyword of a built-in type that is written by its class.
pub(super) fn short_name(name: &str) -> &str {
    match name {
        "String" => "string",
        "Object" => "object",
        "Int32" | "number" => "int",
        "Int64" => "long",
        "Boolean" => "bool",
        "Char" => "char",
        "Double" => "double",
        "Decimal" => "decimal",
        other => other,
    }
}

/// Outside types whose elements are their last argument. Sorted.
pub(super) const CONTAINERS: [&str; 36] = [
    "ConcurrentBag",
    "ConcurrentDictionary",
    "ConcurrentQueue",
    "ConcurrentStack",
    "DbSet",
    "Dictionary",
    "HashSet",
    "IAsyncEnumerable",
    "ICollection",
    "IDictionary",
    "IEnumerable",
    "IEnumerator",
    "IImmutableList",
    "IList",
    "IOrderedEnumerable",
    "IQueryable",
    "IReadOnlyCollection",
    "IReadOnlyDictionary",
    "IReadOnlyList",
    "ISet",
    "ImmutableArray",
    "ImmutableDictionary",
    "ImmutableHashSet",
    "ImmutableList",
    "LinkedList",
    "List",
    "ObservableCollection",
    "Queue",
    "ReadOnlyCollection",
    "ReadOnlySpan",
    "SortedDictionary",
    "SortedList",
    "SortedSet",
    "Span",
    "Stack",
    "list",
];

pub(super) fn instance(name: &str) -> Value {
    Value::ExternalInstance(name.into(), Vec::new())
}

/// What a member of an outside type gives; None if that is not known.
pub(super) fn member(ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
    let name = ty.rsplit('.').next().unwrap_or(ty);
    if name == "string" {
        return match (member, called) {
            ("Length" | "IndexOf" | "LastIndexOf" | "CompareTo", _) => Some(vec![instance("int")]),
            ("Split", true) => Some(vec![Value::ExternalInstance("list".into(), vec![vec![instance("string")]])]),
            ("Contains" | "StartsWith" | "EndsWith" | "IsNullOrEmpty" | "IsNullOrWhiteSpace" | "Equals", true) => {
                Some(vec![instance("bool")])
            }
            (
                "Format" | "Join" | "Concat" | "Replace" | "Substring" | "Trim" | "TrimEnd" | "TrimStart" | "ToLower"
                | "ToUpper" | "ToLowerInvariant" | "ToUpperInvariant" | "Insert" | "Remove" | "PadLeft" | "PadRight"
                | "ToString",
                true,
            ) => Some(vec![instance("string")]),
            ("Empty", false) => Some(vec![instance("string")]),
            _ => None,
        };
    }
    let (first, last) = (args.first(), args.last());
    match (name, member, called) {
        (_, "ToString", true) => Some(vec![instance("string")]),
        ("Task" | "ValueTask", "Result", false) => first.cloned(),
        ("Task" | "ValueTask", "ConfigureAwait", true) => {
            Some(vec![Value::ExternalInstance(name.into(), args.to_vec())])
        }
        ("Lazy" | "Nullable" | "AsyncLocal" | "ThreadLocal" | "IOptions" | "LinkedListNode", "Value", false) => {
            first.cloned()
        }
        ("IOptionsMonitor", "CurrentValue", false) => first.cloned(),
        ("KeyValuePair", "Key", false) => first.cloned(),
        ("KeyValuePair", "Value", false) => last.cloned(),
        ("Func", "Invoke", true) => last.cloned(),
        ("IEnumerator", "Current", false) => first.cloned(),
        _ if CONTAINERS.binary_search(&name).is_ok() && !args.is_empty() => container(name, args, member, called),
        _ => None,
    }
}

fn container(name: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
    let is_map = name.ends_with("Dictionary") || name == "SortedList";
    let last = args.last().cloned().unwrap_or_default();
    let list = |of: Vec<Value>| Some(vec![Value::ExternalInstance("IEnumerable".into(), vec![of])]);
    match (member, called) {
        ("Values", false) if is_map => list(last),
        ("Keys", false) if is_map => list(args.first().cloned().unwrap_or_default()),
        ("GetOrAdd" | "AddOrUpdate" | "GetValueOrDefault", true) if is_map => Some(last),
        (
            "First" | "FirstOrDefault" | "Last" | "LastOrDefault" | "Single" | "SingleOrDefault" | "ElementAt" | "Find"
            | "Pop" | "Peek" | "Dequeue" | "MaxBy" | "MinBy" | "FindLast" | "ElementAtOrDefault",
            true,
        ) if !is_map => Some(last),
        ("FirstAsync" | "FirstOrDefaultAsync" | "SingleAsync" | "SingleOrDefaultAsync" | "FindAsync", true)
            if !is_map =>
        {
            Some(vec![Value::ExternalInstance("Task".into(), vec![last])])
        }
        ("ToListAsync" | "ToArrayAsync", true) if !is_map => {
            Some(vec![Value::ExternalInstance("Task".into(), vec![list(last)?])])
        }
        (
            "Where" | "OrderBy" | "OrderByDescending" | "ThenBy" | "Skip" | "Take" | "Reverse" | "Distinct" | "ToList"
            | "ToArray" | "AsEnumerable" | "AsQueryable" | "AsReadOnly" | "Concat" | "Union" | "Except" | "FindAll"
            | "AsNoTracking" | "Include" | "SkipWhile" | "TakeWhile" | "ToHashSet" | "DistinctBy" | "GetRange",
            true,
        ) if !is_map => list(last),
        ("Count" | "Length", false) => Some(vec![instance("int")]),
        ("Contains" | "ContainsKey" | "Any" | "All" | "Remove", true) => Some(vec![instance("bool")]),
        ("GetEnumerator", true) if !is_map => Some(vec![Value::ExternalInstance("IEnumerator".into(), vec![last])]),
        _ => None,
    }
}
