//! Which arguments go to which parameters where one of the types is built in or outside the tree. Values
//! convert in so many ways that a poor fit is seldom ruled out.

use atlas_graph::link::{FIT_EXACT, Value};

pub(super) fn fit(parameter: &Value, argument: &Value) -> Option<i32> {
    let (p, a) = match (name_of(parameter), name_of(argument)) {
        (Some(p), Some(a)) => (p, a),
        // Between a class and a number or a text only a conversion leads: poor, but known.
        (Some(one), None) | (None, Some(one)) if number(one).is_some() || one == "text" => return Some(1),
        _ => return Some(0),
    };
    if p == a {
        return Some(FIT_EXACT);
    }
    let (p_number, a_number) = (number(p), number(a));
    match (p, a) {
        ("char", "text") => Some(12),
        ("string" | "string_view" | "Slice" | "StringPiece" | "StringRef" | "QString", "text") => Some(10),
        (_, "text") if p_number.is_some() => None,
        (_, "null") => Some(if p_number.is_some() { 0 } else { 2 }),
        ("function", _) | (_, "function") => Some(if a == "function" && p_number.is_some() { 0 } else { 4 }),
        _ => match (p_number, a_number) {
            (Some(p), Some(a)) => Some(FIT_EXACT - 2 - (p - a).abs()),
            (None, Some(_)) | (Some(_), None) => Some(1),
            (None, None) => Some(0),
        },
    }
}

/// The last name of an outside type; a string literal is `text`.
fn name_of(value: &Value) -> Option<&str> {
    match value {
        Value::ExternalInstance(name, _) if &**name == "string" => Some("text"),
        Value::ExternalInstance(name, _) => Some(name.rsplit(['.', ':']).next().unwrap_or(name)),
        _ => None,
    }
}

/// Numbers by width.
fn number(name: &str) -> Option<i32> {
    Some(match name {
        "bool" => 0,
        "char" => 1,
        "int" | "int32_t" | "uint32_t" | "unsigned" | "short" | "int8_t" | "uint8_t" | "int16_t" | "uint16_t" => 2,
        "long" | "size_t" | "ssize_t" | "int64_t" | "uint64_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t" => 3,
        "float" => 4,
        "double" => 5,
        _ => return None,
    })
}
