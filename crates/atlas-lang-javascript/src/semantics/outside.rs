//! What members and calls of the standard library and of well-known packages give.

use atlas_graph::link::Value;

/// The value of `ty.member`, or of `ty.member(…)` when called; None if nothing is known of it.
#[must_use]
pub fn member(ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
    let name = ty.rsplit(['.', '/']).next().unwrap_or(ty);
    let first = || args.first().cloned().unwrap_or_default();
    let last = || args.last().cloned().unwrap_or_default();
    match name {
        "list" | "Array" | "ReadonlyArray" | "Set" | "ReadonlySet" if called => match member {
            "filter" | "slice" | "concat" | "reverse" | "sort" | "toSorted" | "toReversed" | "splice" | "fill"
            | "with" | "flat" | "add" => Some(list(last())),
            "find" | "findLast" | "pop" | "shift" | "at" => Some(last()),
            "values" => Some(list(last())),
            _ => None,
        },
        "Map" | "ReadonlyMap" | "WeakMap" if called => match member {
            "get" => Some(last()),
            "values" => Some(list(last())),
            "keys" => Some(list(first())),
            "set" => Some(vec![Value::ExternalInstance(ty.into(), args.to_vec())]),
            _ => None,
        },
        "Promise" | "PromiseLike" if called && matches!(member, "catch" | "finally") => {
            Some(vec![Value::ExternalInstance(ty.into(), args.to_vec())])
        }
        "Ref" | "ShallowRef" | "ComputedRef" | "WritableComputedRef" | "Signal" if member == "value" && !called => {
            Some(first())
        }
        "RefObject" | "MutableRefObject" if member == "current" && !called => Some(first()),
        "Repository" | "TreeRepository" | "EntityRepository" | "Model" if called => {
            let one = first();
            match member {
                "find" | "findBy" | "findByIds" | "findAll" | "query" => Some(promise(list(one))),
                "findOne" | "findOneBy" | "findOneOrFail" | "findOneByOrFail" | "findById" | "save" | "preload" => {
                    Some(promise(one))
                }
                "create" => Some(one),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What a call of an outside function gives.
#[must_use]
pub fn call(name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
    let last = name.rsplit(['.', '/']).next().unwrap_or(name);
    match last {
        // What they are given. (A wrapped function is another function: what is known of it is what the
        // extractor says of its name.)
        "reactive" | "readonly" | "shallowReactive" | "markRaw" | "toRaw" | "cloneDeep" | "structuredClone"
        | "shallowReadonly" | "freeze" | "useCallback"
            if !arg0.is_empty() =>
        {
            Some(arg0.to_vec())
        }
        "ref" | "shallowRef" | "computed" if name.starts_with("vue") || name.starts_with("@vue") => {
            Some(vec![Value::ExternalInstance("Ref".into(), vec![arg0.to_vec()])])
        }
        "resolve" if name == "Promise.resolve" => Some(promise(arg0.to_vec())),
        "values" if name == "Object.values" => elements(arg0).map(list),
        "from" if name == "Array.from" => elements(arg0).map(list),
        "getRepository" => {
            let entity = arg0.iter().filter_map(|value| match value {
                Value::Def(node) => Some(Value::Instance(*node, Vec::new())),
                _ => None,
            });
            Some(vec![Value::ExternalInstance("Repository".into(), vec![entity.collect()])])
        }
        _ => None,
    }
}

fn list(of: Vec<Value>) -> Vec<Value> {
    vec![Value::ExternalInstance("list".into(), vec![of])]
}

fn promise(of: Vec<Value>) -> Vec<Value> {
    vec![Value::ExternalInstance("Promise".into(), vec![of])]
}

/// The elements of what is given, where it is one known collection.
fn elements(values: &[Value]) -> Option<Vec<Value>> {
    match values {
        [Value::ExternalInstance(_, args)] => args.last().cloned(),
        _ => None,
    }
}
