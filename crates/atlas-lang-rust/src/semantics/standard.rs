//! What the standard library's wrappers, collections and iterators give, as far as it leads back to
//! types of the tree.
//!
//! Types are known by the last name of their path, so that the many crates that model theirs after
//! the standard library's count too. Members that start with `#` are those that patterns ask for.

use atlas_graph::link::Value;

type Values = Vec<Value>;

/// Types that stand for their first argument wherever it matters, sorted.
pub(super) const TRANSPARENT: &[&str] = &[
    "Arc",
    "Box",
    "Cow",
    "Guard",
    "Lazy",
    "LazyCell",
    "LazyLock",
    "ManuallyDrop",
    "MutexGuard",
    "Pin",
    "Rc",
    "Ref",
    "RefMut",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "UniqueArc",
];

/// What iterating over a value of the type, or indexing it, gives.
const SEQUENCES: &[&str] = &[
    "ArrayVec",
    "BTreeSet",
    "BinaryHeap",
    "HashSet",
    "IndexSet",
    "LinkedList",
    "SmallVec",
    "Vec",
    "VecDeque",
    "array",
    "list",
    "slice",
];
const MAPS: &[&str] = &["BTreeMap", "DashMap", "FxHashMap", "HashMap", "IndexMap"];
const ITERATORS: &[&str] = &[
    "DoubleEndedIterator",
    "Drain",
    "ExactSizeIterator",
    "IntoIter",
    "IntoIterator",
    "Iter",
    "IterMut",
    "Iterator",
    "ParallelIterator",
    "Peekable",
    "Stream",
];
const CELLS: &[&str] = &["Cell", "Mutex", "OnceCell", "OnceLock", "RefCell", "RwLock", "UnsafeCell"];
const CHANNELS: &[&str] = &["Receiver", "UnboundedReceiver"];

/// The value of `ty.member`, or of its call.
pub(super) fn member(ty: &str, args: &[Values], member: &str) -> Option<Values> {
    let name = ty.rsplit(['.', ':']).next().unwrap_or(ty);
    let first = || args.first().cloned().unwrap_or_default();
    let same = || one(ty, args.to_vec());
    match name {
        "Option" | "Poll" => option(args, member),
        "Result" => result(args, member),
        _ if SEQUENCES.contains(&name) => sequence(ty, args, member),
        _ if MAPS.contains(&name) => map(args, member),
        _ if ITERATORS.contains(&name) => iterator(args, member),
        _ if CELLS.contains(&name) => match member {
            "lock" | "read" | "write" | "borrow" | "borrow_mut" | "get_mut" | "into_inner" | "try_lock"
            | "try_read" | "try_write" | "load" | "take" | "replace" | "get_or_init" | "blocking_lock"
            | "try_borrow" | "try_borrow_mut" | "lock_owned" => Some(first()),
            "get" => Some(option_of(first())),
            "#with" => Some(same()),
            _ => passes_through(member).then(same),
        },
        _ if CHANNELS.contains(&name) => match member {
            "recv" | "try_recv" | "blocking_recv" | "recv_timeout" | "next" => Some(option_of(first())),
            "iter" | "try_iter" | "into_iter" => Some(one("Iter", vec![first()])),
            "#item" => Some(first()),
            _ => None,
        },
        "Entry" => match member {
            "or_insert" | "or_insert_with" | "or_default" | "or_insert_with_key" | "#value" => args.get(1).cloned(),
            "and_modify" => Some(same()),
            _ => None,
        },
        "LocalKey" => (member == "#with").then(first),
        "Weak" => match member {
            "upgrade" => Some(option_of(first())),
            "clone" => Some(same()),
            _ => None,
        },
        "AsMut" | "AsRef" | "Borrow" | "BorrowMut" | "Deref" | "DerefMut" | "Into" | "ToOwned" => match member {
            "as_mut" | "as_ref" | "borrow" | "borrow_mut" | "deref" | "deref_mut" | "into" | "to_owned" => {
                Some(first())
            }
            _ => None,
        },
        "Range" | "RangeInclusive" => (member == "#item").then(|| one("number", Vec::new())),
        _ => passes_through(member).then(same),
    }
}

/// What a call of a function outside the tree gives.
pub(super) fn call(name: &str, arg0: &[Value]) -> Option<Values> {
    let mut parts = name.rsplit(['.', ':']).filter(|part| !part.is_empty());
    let (last, owner) = (parts.next()?, parts.next().unwrap_or_default());
    let arg = || arg0.to_vec();
    match (owner, last) {
        ("", "Some") | ("Option", "Some") | ("Poll", "Ready") => Some(option_of(arg())),
        ("", "Ok") | ("Result", "Ok") => Some(one("Result", vec![arg(), Vec::new()])),
        ("", "Err") | ("Result", "Err") => Some(one("Result", vec![Vec::new(), arg()])),
        (_, "new" | "from" | "pin" | "clone" | "from_ref") if TRANSPARENT.contains(&owner) => Some(arg()),
        (_, "new" | "from" | "const_new") if CELLS.contains(&owner) => {
            Some(one(owner, if last == "new" && owner.starts_with("Once") { Vec::new() } else { vec![arg()] }))
        }
        ("Arc" | "Rc", "downgrade") => Some(one("Weak", vec![arg()])),
        ("Arc" | "Rc", "make_mut") | ("Cow", "Borrowed" | "Owned") => Some(arg()),
        ("mem", "take" | "replace") => Some(arg()),
        ("iter", "once" | "repeat") => Some(one("Iter", vec![arg()])),
        ("", "drop") => Some(Vec::new()),
        (_, "new" | "with_capacity" | "default" | "from") if SEQUENCES.contains(&owner) || MAPS.contains(&owner) => {
            Some(one(owner, Vec::new()))
        }
        ("String", _) => Some(one("String", Vec::new())),
        _ => None,
    }
}

/// Members that every value has by the library's blanket implementations.
pub(super) fn common(base: &Value, member: &str) -> Option<Values> {
    let mut outside = vec![Value::External(member.into())];
    match member {
        "as_mut" | "as_ref" | "borrow" | "borrow_mut" | "by_ref" | "clone" | "cloned" | "deref" | "deref_mut"
        | "expect" | "into_inner" | "to_owned" | "unwrap" | "unwrap_or_default" | "default" | "get_mut"
        | "as_deref" | "as_deref_mut" | "boxed" | "as_any" | "clone_from" => {
            outside.push(match base {
                Value::Def(node) => Value::Instance(*node, Vec::new()),
                other => other.clone(),
            });
            Some(outside)
        }
        "#try" | "#Some" | "#Ok" | "#with" => Some(vec![base.clone()]),
        // What `pin_project` makes has the fields of the type.
        "project" | "project_ref" => {
            outside.push(base.clone());
            Some(outside)
        }
        "to_string" => {
            outside.push(Value::ExternalInstance("String".into(), Vec::new()));
            Some(outside)
        }
        "borrow_from" | "cmp" | "eq" | "fmt" | "hash" | "into" | "ne" | "partial_cmp" | "try_into" | "type_id"
        | "with" | "try_with" | "max" | "min" | "clamp" | "lt" | "le" | "gt" | "ge" | "as_ptr" | "into_iter"
        | "iter" => Some(outside),
        _ => None,
    }
}

fn option(args: &[Values], member: &str) -> Option<Values> {
    let inner = || args.first().cloned().unwrap_or_default();
    match member {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" | "unwrap_unchecked" | "insert"
        | "get_or_insert" | "get_or_insert_with" | "#try" | "#Some" | "#Ok" | "#item" => Some(inner()),
        "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "cloned" | "copied" | "take" | "filter" | "or"
        | "or_else" | "inspect" | "replace" | "clone" | "to_owned" | "as_pin_mut" | "xor" | "flatten" => {
            Some(option_of(inner()))
        }
        "ok_or" | "ok_or_else" | "context" | "with_context" => Some(one("Result", vec![inner(), Vec::new()])),
        "iter" | "iter_mut" | "into_iter" => Some(one("Iter", vec![inner()])),
        "zip" => Some(option_of(Vec::new())),
        "map" | "and_then" | "and" => Some(option_of(Vec::new())),
        "map_or" | "map_or_else" | "#Err" => Some(Vec::new()),
        "transpose" => Some(inner()),
        _ => None,
    }
}

fn result(args: &[Values], member: &str) -> Option<Values> {
    let ok = || args.first().cloned().unwrap_or_default();
    let err = || args.get(1).cloned().unwrap_or_default();
    match member {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" | "#try" | "#Ok" | "#Some"
        | "#item" | "into_ok" => Some(ok()),
        "unwrap_err" | "expect_err" | "#Err" => Some(err()),
        "ok" => Some(option_of(ok())),
        "err" => Some(option_of(err())),
        "as_ref" | "as_mut" | "or" | "or_else" | "inspect" | "inspect_err" | "cloned" | "copied" | "clone"
        | "as_deref" | "context" | "with_context" | "map_err" | "wrap_err" | "into_diagnostic" => {
            Some(one("Result", vec![ok(), err()]))
        }
        "iter" | "into_iter" => Some(one("Iter", vec![ok()])),
        "map" | "and_then" | "and" => Some(one("Result", vec![Vec::new(), err()])),
        "map_or" | "map_or_else" => Some(Vec::new()),
        "transpose" => Some(ok()),
        _ => None,
    }
}

fn sequence(ty: &str, args: &[Values], member: &str) -> Option<Values> {
    let element = || args.first().cloned().unwrap_or_default();
    match member {
        "#item" | "#index" | "remove" | "swap_remove" | "get_unchecked" => Some(element()),
        "first" | "last" | "get" | "get_mut" | "first_mut" | "last_mut" | "pop" | "pop_front" | "pop_back"
        | "front" | "back" | "front_mut" | "back_mut" | "peek" | "peek_mut" | "iter_next" | "take" | "replace"
        | "pop_first" | "pop_last" => Some(option_of(element())),
        "iter" | "iter_mut" | "into_iter" | "drain" | "par_iter" | "into_par_iter" | "par_iter_mut" | "retain"
        | "splice" | "union" | "intersection" | "difference" => Some(one("Iter", vec![element()])),
        "chunks" | "windows" | "chunks_exact" | "chunks_mut" | "split" => {
            Some(one("Iter", vec![one("list", vec![element()])]))
        }
        "split_first" | "split_last" => {
            Some(option_of(vec![Value::Tuple(vec![element(), one("list", vec![element()])])]))
        }
        "split_at" | "split_at_mut" => {
            let half = one("list", vec![element()]);
            Some(vec![Value::Tuple(vec![half.clone(), half])])
        }
        "len" => Some(one("number", Vec::new())),
        _ => passes_through(member).then(|| one(ty, args.to_vec())).or_else(|| {
            matches!(member, "to_vec" | "as_slice" | "as_mut_slice" | "into_vec" | "split_off" | "into_boxed_slice")
                .then(|| one(ty, args.to_vec()))
        }),
    }
}

fn map(args: &[Values], member: &str) -> Option<Values> {
    let key = || args.first().cloned().unwrap_or_default();
    let value = || args.get(1).cloned().unwrap_or_default();
    let pair = || vec![Value::Tuple(vec![key(), value()])];
    match member {
        "get" | "get_mut" | "remove" | "insert" | "swap_remove" | "shift_remove" => Some(option_of(value())),
        "#index" => Some(value()),
        "#item" => Some(pair()),
        "iter" | "iter_mut" | "into_iter" | "drain" | "range" | "retain" => Some(one("Iter", vec![pair()])),
        "keys" | "into_keys" => Some(one("Iter", vec![key()])),
        "values" | "values_mut" | "into_values" => Some(one("Iter", vec![value()])),
        "entry" => Some(one("Entry", vec![key(), value()])),
        "first_key_value" | "last_key_value" | "pop_first" | "pop_last" | "remove_entry" | "get_key_value"
        | "get_index" => Some(option_of(pair())),
        "len" => Some(one("number", Vec::new())),
        _ => passes_through(member).then(|| one("HashMap", args.to_vec())),
    }
}

fn iterator(args: &[Values], member: &str) -> Option<Values> {
    let item = || args.first().cloned().unwrap_or_default();
    let same = || one("Iter", vec![item()]);
    match member {
        "#item" => Some(item()),
        "next" | "last" | "nth" | "find" | "max" | "min" | "max_by_key" | "min_by_key" | "max_by" | "min_by"
        | "peek" | "reduce" | "next_back" | "peek_mut" | "next_if" | "try_next" => Some(option_of(item())),
        "filter" | "skip" | "take" | "rev" | "step_by" | "chain" | "cloned" | "copied" | "peekable" | "inspect"
        | "by_ref" | "fuse" | "cycle" | "take_while" | "skip_while" | "into_iter" | "iter" | "sorted"
        | "sorted_by_key" | "sorted_by" | "unique" | "dedup" | "par_bridge" => Some(same()),
        "enumerate" => Some(one("Iter", vec![vec![Value::Tuple(vec![one("number", Vec::new()), item()])]])),
        "zip" => Some(one("Iter", vec![vec![Value::Tuple(vec![item(), Vec::new()])]])),
        "collect" | "collect_vec" => Some(one("list", vec![item()])),
        "map" | "flat_map" | "filter_map" | "flatten" | "scan" | "map_while" => Some(one("Iter", vec![Vec::new()])),
        "partition" => {
            let half = one("list", vec![item()]);
            Some(vec![Value::Tuple(vec![half.clone(), half])])
        }
        "count" | "position" | "sum" => Some(one("number", Vec::new())),
        _ => passes_through(member).then(same),
    }
}

/// Members that give their receiver again.
fn passes_through(member: &str) -> bool {
    matches!(
        member,
        "clone" | "as_ref" | "as_mut" | "to_owned" | "borrow" | "by_ref" | "unwrap" | "expect" | "#try" | "deref"
    )
}

fn one(ty: &str, args: Vec<Values>) -> Values {
    vec![Value::ExternalInstance(ty.into(), args)]
}

fn option_of(inner: Values) -> Values {
    one("Option", vec![inner])
}
