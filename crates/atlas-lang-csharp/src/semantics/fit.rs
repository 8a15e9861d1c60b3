//! Which arguments go to which parameters where one of the types is built in or outside the tree.

use super::library::short_name;
use atlas_graph::link::{FIT_EXACT, Value};

/// Numbers by width; a narrower one goes to a wider one.
const NUMBERS: [&str; 9] = ["byte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"];
/// Types whose values are never null and never of another type.
const VALUES: [&str; 6] = ["bool", "char", "decimal", "Guid", "DateTime", "TimeSpan"];

pub(super) fn fit(parameter: &Value, argument: &Value) -> Option<i32> {
    match (name_of(parameter), name_of(argument)) {
        (Some(p), None) => match p {
            "object" | "dynamic" => Some(5),
            _ if is_value(p) || matches!(p, "string" | "list" | "function" | "Type") => None,
            _ => Some(0),
        },
        (None, Some(a)) => {
            if a == "null" || is_vague(a) {
                Some(0)
            } else if a == "function" {
                Some(6)
            } else {
                None
            }
        }
        (Some(p), Some(a)) => outside(p, a),
        (None, None) => Some(0),
    }
}

fn outside(p: &str, a: &str) -> Option<i32> {
    if is_vague(a) || is_vague(p) {
        return Some(0);
    }
    if a == "null" {
        return if is_value(p) { None } else { Some(0) };
    }
    if p == a {
        return Some(FIT_EXACT);
    }
    if p == "object" || p == "dynamic" {
        return Some(4);
    }
    if p == "T" {
        return Some(3);
    }
    let width = |name: &str| NUMBERS.iter().position(|&number| number == name);
    match (width(p), width(a)) {
        (Some(p), Some(a)) => return if p > a { Some(FIT_EXACT - (p - a) as i32) } else { None },
        (None, Some(_)) if p == "decimal" => return Some(6),
        _ => {}
    }
    if a == "function" {
        return if is_value(p) || matches!(p, "string" | "list" | "Type") { None } else { Some(6) };
    }
    if a == "string" {
        return match p {
            "IEnumerable" | "ReadOnlySpan" | "IComparable" => Some(8),
            _ if is_value(p) || matches!(p, "list" | "function" | "Type" | "Exception") => None,
            _ => Some(0),
        };
    }
    if is_value(p) || is_value(a) || p == "string" || p == "function" {
        return None;
    }
    if a == "list" {
        return match p {
            "IEnumerable"
            | "IList"
            | "ICollection"
            | "IReadOnlyList"
            | "IReadOnlyCollection"
            | "Array"
            | "ReadOnlySpan"
            | "Span" => Some(10),
            "Type" | "Exception" => None,
            _ => Some(0),
        };
    }
    Some(0)
}

fn is_value(name: &str) -> bool {
    NUMBERS.contains(&name) || VALUES.contains(&name)
}

/// Whether nothing is known of what an outside value is: an element or a member of something outside.
fn is_vague(name: &str) -> bool {
    name.ends_with("[]") || name.starts_with('<')
}

/// The last name of an outside type, by its short form where the language has one.
fn name_of(value: &Value) -> Option<&str> {
    match value {
        Value::ExternalInstance(name, _) if name.contains('.') && !name.starts_with("System.") => Some("<outside>"),
        Value::ExternalInstance(name, _) => Some(short_name(name.rsplit('.').next().unwrap_or(name))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str) -> Value {
        Value::ExternalInstance(name.into(), Vec::new())
    }

    #[test]
    fn arguments_fit_as_the_language_converts() {
        for (parameter, argument, expected) in [
            ("int", "int", Some(16)),
            ("long", "int", Some(14)),
            ("int", "long", None),
            ("String", "string", Some(16)),
            ("object", "string", Some(4)),
            ("int", "string", None),
            ("int", "null", None),
            ("string", "null", Some(0)),
            ("Func", "function", Some(6)),
            ("string", "function", None),
            ("IEnumerable", "list", Some(10)),
        ] {
            assert_eq!(fit(&value(parameter), &value(argument)), expected, "{argument} for {parameter}");
        }
    }
}
