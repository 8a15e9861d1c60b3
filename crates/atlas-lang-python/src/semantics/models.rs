//! Managers and query sets of Django: they give instances of their model.

use atlas_graph::link::Value;

const MANAGER: &str = "django.db.models.Manager";

/// The manager of a model's instances.
pub(super) fn manager_of(instance: Value) -> Vec<Value> {
    vec![Value::ExternalInstance(MANAGER.into(), vec![vec![instance]])]
}

/// What a member of a manager or query set gives when called.
pub(super) fn manager_member(ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
    if ty != MANAGER || !called {
        return None;
    }
    let model = args.first()?;
    match member {
        "get" | "create" | "first" | "last" | "earliest" | "latest" | "aget" | "acreate" | "afirst" | "alast" => {
            Some(model.clone())
        }
        "get_or_create" | "update_or_create" | "aget_or_create" | "aupdate_or_create" => {
            Some(vec![Value::Tuple(vec![model.clone(), Vec::new()])])
        }
        "all" | "filter" | "exclude" | "order_by" | "select_related" | "prefetch_related" | "annotate" | "distinct"
        | "using" | "defer" | "only" | "reverse" | "none" | "select_for_update" | "alias" | "union" | "extra"
        | "iterator" | "bulk_create" | "db_manager" | "complex_filter" => {
            Some(vec![Value::ExternalInstance(MANAGER.into(), args.to_vec())])
        }
        _ => None,
    }
}
