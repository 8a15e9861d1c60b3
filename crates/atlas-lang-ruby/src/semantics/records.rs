//! ActiveRecord: what classes of records and relations between them give.

use atlas_graph::link::{NodeId, Value};

/// The type of a relation, whose one argument is the record.
pub(super) const RELATION: &str = "ActiveRecord::Relation";

/// What a method of a record's class gives when called, where the class does not define it.
pub(super) fn class_member(record: NodeId, member: &str) -> Option<Vec<Value>> {
    given(vec![Value::Instance(record, Vec::new())], member)
}

/// What a method of a relation gives when called.
pub(super) fn relation_member(ty: &str, args: &[Vec<Value>], member: &str) -> Option<Vec<Value>> {
    if ty != RELATION {
        return None;
    }
    given(args.first().cloned().unwrap_or_default(), member)
}

fn given(record: Vec<Value>, member: &str) -> Option<Vec<Value>> {
    match member {
        "find"
        | "find_by"
        | "find_by!"
        | "first"
        | "first!"
        | "last"
        | "last!"
        | "take"
        | "take!"
        | "sole"
        | "create"
        | "create!"
        | "find_or_create_by"
        | "find_or_create_by!"
        | "find_or_initialize_by"
        | "first_or_create"
        | "first_or_create!"
        | "first_or_initialize"
        | "build" => Some(record),
        "all" | "where" | "order" | "includes" | "joins" | "left_joins" | "limit" | "offset" | "distinct" | "group"
        | "having" | "preload" | "eager_load" | "references" | "reorder" | "unscoped" | "none" | "not" | "or"
        | "merge" | "readonly" | "lock" | "find_each" | "each" | "select" | "unscope" | "in_batches" => {
            Some(vec![Value::ExternalInstance(RELATION.into(), vec![record])])
        }
        _ => None,
    }
}
