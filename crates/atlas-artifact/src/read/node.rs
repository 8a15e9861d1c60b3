//! YAML and JSON as one plain tree, with repeated keys kept so that they can be named.

use crate::refusal::{Problem, ProblemCode, Refusal};
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// Levels of nesting that a mission may have; its own form has four.
const DEPTH_MAX: usize = 32;
/// Scalars, lists and mappings together, aliases expanded.
const NODES_MAX: usize = 20_000;

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Whole(i128),
    Fraction(f64),
    Text(String),
    List(Vec<Node>),
    /// In written order; a key may stand twice.
    Mapping(Vec<(String, Node)>),
}

impl Node {
    /// # Errors
    /// A refusal of one problem that says where the text stops being YAML.
    pub(crate) fn from_yaml(text: &str) -> Result<Self, Refusal> {
        let options = serde_saphyr::options! {
            budget: serde_saphyr::budget! {
                flow_nesting_limit: DEPTH_MAX,
                max_depth: DEPTH_MAX,
                max_events: 4 * NODES_MAX,
                max_nodes: NODES_MAX,
                max_documents: 1,
                max_aliases: 64,
                max_anchors: 64,
                max_recorded_anchor_events: NODES_MAX,
                max_recorded_anchor_bytes: super::MISSION_BYTES_MAX,
                max_merge_keys: 16,
            },
            alias_limits: serde_saphyr::alias_limits! {
                max_total_replayed_events: NODES_MAX,
                max_replay_stack_depth: 8,
            },
            duplicate_keys: serde_saphyr::DuplicateKeyPolicy::PassThrough,
            with_snippet: false,
            strict_booleans: true,
        };
        serde_saphyr::from_str_with_options(text, options).map_err(|error| {
            let place = error
                .location()
                .map(|at| format!(" at line {}, column {}", at.line(), at.column()))
                .unwrap_or_default();
            unreadable("YAML", &place, &error.to_string())
        })
    }

    /// # Errors
    /// A refusal of one problem that says where the text stops being JSON.
    pub(crate) fn from_json(text: &str) -> Result<Self, Refusal> {
        serde_json::from_str(text).map_err(|error| unreadable("JSON", "", &error.to_string()))
    }

    /// What it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Whole(_) => "a whole number",
            Self::Fraction(_) => "a fraction",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

fn unreadable(format: &str, place: &str, cause: &str) -> Refusal {
    let cause: String =
        cause.chars().map(|c| if crate::refusal::is_unprintable(c) { ' ' } else { c }).take(300).collect();
    Refusal::of(Problem::new(
        "mission",
        ProblemCode::Unreadable,
        format!("is not readable as {format}{place}: {}", cause.trim()),
        format!("mend the {format}, or write the mission in another of the forms YAML, JSON and Markdown"),
    ))
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, a boolean, a list or a mapping")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Whole(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Whole(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Node, E> {
        Ok(Node::Whole(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Node, E> {
        Ok(Node::Whole(i128::try_from(value).unwrap_or(i128::MAX)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Fraction(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
            bounded::<A::Error>(items.len())?;
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<String, Node>()? {
            entries.push(entry);
            bounded::<A::Error>(entries.len())?;
        }
        Ok(Node::Mapping(entries))
    }
}

fn bounded<E: de::Error>(len: usize) -> Result<(), E> {
    if len <= NODES_MAX { Ok(()) } else { Err(E::custom(format!("more than {NODES_MAX} entries"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Node {
        Node::Text(text.to_owned())
    }

    #[test]
    fn yaml_and_json_give_the_same_tree_and_keep_repeated_keys() {
        let tree = Node::Mapping(vec![
            ("a".into(), Node::List(vec![Node::Whole(1), Node::Null, Node::Bool(true), text("x")])),
            ("a".into(), Node::Fraction(1.5)),
        ]);
        assert_eq!(Node::from_yaml("a: [1, null, true, x]\na: 1.5\n"), Ok(tree.clone()));
        assert_eq!(Node::from_json(r#"{"a": [1, null, true, "x"], "a": 1.5}"#), Ok(tree));
        assert_eq!(Node::from_yaml("id: 20260101-001"), Ok(Node::Mapping(vec![("id".into(), text("20260101-001"))])));
    }

    #[test]
    fn bombs_and_depth_are_refused_cleanly() {
        let bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n\
                    c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n\
                    e: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n";
        let deep = "[".repeat(100_000);
        let block: String = (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        for text in [bomb, &deep, &block, "a: *missing", "a: b: c", "\"", "--- a\n--- b\n", "? [x]\n: y"] {
            let refusal = Node::from_yaml(text).unwrap_err();
            assert_eq!(refusal.problems[0].code, ProblemCode::Unreadable, "{refusal}");
        }
        for text in [&*deep, &"{\"a\":".repeat(100_000), "{", "{} {}", "{\"a\": 1e999}", ""] {
            assert_eq!(Node::from_json(text).unwrap_err().problems[0].code, ProblemCode::Unreadable);
        }
    }
}
