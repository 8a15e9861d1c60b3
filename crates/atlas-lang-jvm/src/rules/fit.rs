//! Which arguments go to which parameters where one of the types is built in or outside the tree.

use atlas_graph::link::{FIT_EXACT, Value};

/// Primitive types by width; a narrower one goes to a wider one.
const NUMBERS: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];

/// A function that needs no boxing is meant before any that does.
const BOXING_COST: i32 = 64;

/// Outside classes and what they extend or implement, as far as overloads commonly need it.
const PARENTS: [(&str, &[&str]); 51] = [
    ("Byte", &["Number", "Comparable"]),
    ("Double", &["Number", "Comparable"]),
    ("Float", &["Number", "Comparable"]),
    ("Integer", &["Number", "Comparable"]),
    ("Long", &["Number", "Comparable"]),
    ("Short", &["Number", "Comparable"]),
    ("ArrayList", &["List", "Collection", "Iterable"]),
    ("BigDecimal", &["Number", "Comparable"]),
    ("BigInteger", &["Number", "Comparable"]),
    ("BufferedReader", &["Reader", "Closeable"]),
    ("BufferedWriter", &["Writer", "Appendable"]),
    ("ByteArrayInputStream", &["InputStream"]),
    ("ByteArrayOutputStream", &["OutputStream"]),
    ("Calendar", &["Comparable"]),
    ("CharSequence", &[]),
    ("Class", &["Type", "GenericDeclaration", "AnnotatedElement"]),
    ("Collection", &["Iterable"]),
    ("Constructor", &["Executable", "AccessibleObject", "Member"]),
    ("Date", &["Comparable"]),
    ("Deque", &["Queue", "Collection", "Iterable"]),
    ("Error", &["Throwable"]),
    ("Exception", &["Throwable"]),
    ("Field", &["AccessibleObject", "Member", "AnnotatedElement"]),
    ("FileInputStream", &["InputStream"]),
    ("FileOutputStream", &["OutputStream"]),
    ("GenericArrayType", &["Type"]),
    ("GregorianCalendar", &["Calendar"]),
    ("HashMap", &["Map"]),
    ("HashSet", &["Set", "Collection", "Iterable"]),
    ("IOException", &["Exception", "Throwable"]),
    ("IllegalArgumentException", &["RuntimeException", "Exception", "Throwable"]),
    ("IllegalStateException", &["RuntimeException", "Exception", "Throwable"]),
    ("InputStreamReader", &["Reader"]),
    ("LinkedHashMap", &["HashMap", "Map"]),
    ("LinkedHashSet", &["HashSet", "Set", "Collection", "Iterable"]),
    ("LinkedList", &["List", "Deque", "Queue", "Collection", "Iterable"]),
    ("List", &["Collection", "Iterable"]),
    ("Method", &["Executable", "AccessibleObject", "Member", "AnnotatedElement"]),
    ("ParameterizedType", &["Type"]),
    ("PrintStream", &["OutputStream", "Appendable"]),
    ("PrintWriter", &["Writer", "Appendable"]),
    ("Queue", &["Collection", "Iterable"]),
    ("RuntimeException", &["Exception", "Throwable"]),
    ("Set", &["Collection", "Iterable"]),
    ("SortedMap", &["Map"]),
    ("StringBuffer", &["CharSequence", "Appendable"]),
    ("StringBuilder", &["CharSequence", "Appendable"]),
    ("StringReader", &["Reader", "Readable"]),
    ("StringWriter", &["Writer", "Appendable"]),
    ("TreeMap", &["SortedMap", "NavigableMap", "Map"]),
    ("TypeVariable", &["Type"]),
];

/// Classes that nothing extends: what is no instance of them goes nowhere.
const FINAL: [&str; 12] = [
    "Boolean",
    "Byte",
    "Character",
    "Class",
    "Double",
    "Float",
    "Integer",
    "Long",
    "Short",
    "String",
    "StringBuilder",
    "boolean",
];

pub(super) fn fit(parameter: &Value, argument: &Value) -> Option<i32> {
    let parameter_name = name_of(parameter);
    let argument_name = name_of(argument);
    match (parameter_name, argument_name) {
        // An instance of a type of the tree.
        (Some(p), None) => match p {
            "Object" => Some(5),
            _ if is_type_variable(p) => Some(3),
            _ if is_primitive(p) || FINAL.contains(&p) || matches!(p, "list" | "function") => None,
            _ => Some(0),
        },
        // Nothing outside extends a type of the tree, but what it is may not be known exactly.
        (None, Some(a)) => {
            if is_vague(a) || a == "null" {
                Some(0)
            } else {
                None
            }
        }
        (Some(p), Some(a)) => match (is_primitive(p), is_primitive(a)) {
            (true, true) => primitives(p, a),
            (true, false) => match unboxed(a) {
                Some(unboxed) => primitives(p, unboxed).map(|fit| fit - BOXING_COST),
                None if is_vague(a) => Some(0),
                None => None,
            },
            (false, true) => boxing(p, a),
            (false, false) => references(p, a, parameter, argument),
        },
        (None, None) => Some(0),
    }
}

/// The last name of an outside type; literals by the names of their classes.
fn name_of(value: &Value) -> Option<&str> {
    match value {
        Value::ExternalInstance(name, _) => Some(match name.rsplit('.').next().unwrap_or(name) {
            "string" => "String",
            "bool" => "boolean",
            other => other,
        }),
        _ => None,
    }
}

fn is_primitive(name: &str) -> bool {
    NUMBERS.contains(&name) || matches!(name, "char" | "boolean")
}

fn primitives(parameter: &str, argument: &str) -> Option<i32> {
    if parameter == argument {
        return Some(FIT_EXACT);
    }
    let width = |name: &str| match name {
        "char" => Some(1),
        other => NUMBERS.iter().position(|&number| number == other),
    };
    let (p, a) = (width(parameter)?, width(argument)?);
    if parameter == "char" || p <= a { None } else { Some(FIT_EXACT - (p - a) as i32) }
}

fn unboxed(name: &str) -> Option<&'static str> {
    Some(match name {
        "Integer" => "int",
        "Long" => "long",
        "Short" => "short",
        "Byte" => "byte",
        "Character" => "char",
        "Boolean" => "boolean",
        "Float" => "float",
        "Double" => "double",
        _ => return None,
    })
}

/// A primitive value for a parameter of a class.
fn boxing(parameter: &str, argument: &str) -> Option<i32> {
    if unboxed(parameter) == Some(argument) {
        return Some(FIT_EXACT - BOXING_COST);
    }
    let number = NUMBERS.contains(&argument);
    let fit = match parameter {
        "Object" | "Serializable" | "Comparable" => 4,
        "Number" if number => 5,
        _ if is_type_variable(parameter) => 4,
        _ => return None,
    };
    Some(fit - BOXING_COST)
}

fn references(p: &str, a: &str, parameter: &Value, argument: &Value) -> Option<i32> {
    if a == "null" {
        return Some(0);
    }
    if p == "Object" {
        return Some(5);
    }
    if is_type_variable(p) {
        return Some(4);
    }
    if is_vague(a) {
        return Some(0);
    }
    if a == "Object" {
        return None;
    }
    if p == a {
        return if p == "list" { elements(parameter, argument) } else { Some(FIT_EXACT) };
    }
    if p == "list" || a == "list" {
        return None;
    }
    if a == "function" {
        let is_class = FINAL.contains(&p) || PARENTS.iter().any(|(known, _)| *known == p);
        return if is_class { None } else { Some(6) };
    }
    if a == "String" {
        return matches!(p, "CharSequence" | "Comparable" | "Serializable").then_some(12);
    }
    if let Some((_, parents)) = PARENTS.iter().find(|(known, _)| *known == a) {
        if let Some(distance) = parents.iter().position(|parent| *parent == p) {
            return Some(FIT_EXACT - 1 - distance as i32);
        }
        // What is listed is listed in full, but for marks like `Serializable`.
        let listed = PARENTS.iter().any(|(known, _)| *known == p) || FINAL.contains(&p);
        return if listed { None } else { Some(0) };
    }
    if FINAL.contains(&p) || FINAL.contains(&a) { None } else { Some(0) }
}

/// Two arrays: their elements must be the same primitive, or references.
fn elements(parameter: &Value, argument: &Value) -> Option<i32> {
    let element = |value: &Value| match value {
        Value::ExternalInstance(_, args) => args.first().and_then(|values| values.first()).cloned(),
        _ => None,
    };
    let (Some(p), Some(a)) = (element(parameter), element(argument)) else { return Some(0) };
    if p == a {
        return Some(FIT_EXACT);
    }
    let (p_primitive, a_primitive) = (name_of(&p).is_some_and(is_primitive), name_of(&a).is_some_and(is_primitive));
    if p_primitive || a_primitive {
        return if name_of(&p) == name_of(&a) { Some(FIT_EXACT) } else { None };
    }
    match (&p, &a) {
        (Value::ExternalInstance(..), _) | (_, Value::ExternalInstance(..)) => {
            fit(&p, &a).map(|fit| if fit > 0 { FIT_EXACT - 4 } else { 0 })
        }
        _ => Some(FIT_EXACT - 2),
    }
}

/// Whether an outside value's type is not known: a type variable, an element of something outside, the
/// result of an outside method.
fn is_vague(name: &str) -> bool {
    is_type_variable(name)
        || name.ends_with("[]")
        || (name.starts_with(|c: char| c.is_lowercase())
            && !is_primitive(name)
            && !matches!(name, "list" | "function" | "null"))
}

/// Whether a name is written as those of type parameters are: `T`, `K2`.
fn is_type_variable(name: &str) -> bool {
    name.starts_with('<')
        || name.len() <= 2
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(name: &str) -> Value {
        Value::ExternalInstance(name.into(), Vec::new())
    }

    #[test]
    fn arguments_fit_as_the_language_converts() {
        for (parameter, argument, expected) in [
            ("int", "int", Some(16)),
            ("long", "int", Some(15)),
            ("int", "long", None),
            ("char", "int", None),
            ("int", "char", Some(15)),
            ("Integer", "int", Some(-48)),
            ("Long", "int", None),
            ("int", "Integer", Some(-48)),
            ("String", "string", Some(16)),
            ("CharSequence", "string", Some(12)),
            ("Object", "string", Some(5)),
            ("boolean", "bool", Some(16)),
            ("int", "string", None),
            ("java.util.Collection", "java.util.ArrayList", Some(14)),
            ("java.util.Map", "java.util.ArrayList", Some(0)),
            ("T", "string", Some(4)),
            ("String", "null", Some(0)),
            ("int", "null", None),
            ("Runnable", "function", Some(6)),
            ("String", "function", None),
        ] {
            assert_eq!(fit(&outside(parameter), &outside(argument)), expected, "{argument} for {parameter}");
        }
    }
}
