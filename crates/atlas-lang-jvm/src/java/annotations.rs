//! Annotations, read into plain values.

use super::Java;
use super::exprs::string_value;
use atlas_syntax::Builder;
use tree_sitter::Node;

/// One annotation of a declaration.
#[derive(Debug, Clone)]
pub(super) struct Annotation {
    /// Last part of its name.
    pub name: String,
    /// Arguments in order; a single unnamed one is `value`.
    pub args: Vec<(String, Vec<AnnotationValue>)>,
}

/// A value of an annotation's argument, as far as it is constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AnnotationValue {
    Text(String),
    /// A name, its last part: `GET` of `RequestMethod.GET`, `Foo` of `Foo.class`.
    Name(String),
    Other,
}

impl Annotation {
    /// The texts of the first of these arguments that is given.
    pub(super) fn texts(&self, keys: &[&str]) -> Vec<&str> {
        self.values(keys)
            .iter()
            .filter_map(|value| match value {
                AnnotationValue::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    pub(super) fn names(&self, keys: &[&str]) -> Vec<&str> {
        self.values(keys)
            .iter()
            .filter_map(|value| match value {
                AnnotationValue::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect()
    }

    fn values(&self, keys: &[&str]) -> &[AnnotationValue] {
        keys.iter()
            .find_map(|key| self.args.iter().find(|(name, _)| name == key))
            .map_or(&[], |(_, values)| values.as_slice())
    }
}

/// The first annotation that has one of these names.
pub(super) fn find<'a>(annotations: &'a [Annotation], names: &[&str]) -> Option<&'a Annotation> {
    annotations.iter().find(|annotation| names.contains(&annotation.name.as_str()))
}

impl Java {
    /// The annotations of a declaration, in order.
    pub(super) fn annotations(&self, declaration: Node, b: &Builder) -> Vec<Annotation> {
        let mut cursor = declaration.walk();
        let Some(modifiers) = declaration.named_children(&mut cursor).find(|child| child.kind() == "modifiers") else {
            return Vec::new();
        };
        let mut cursor = modifiers.walk();
        modifiers
            .named_children(&mut cursor)
            .filter(|child| matches!(child.kind(), "annotation" | "marker_annotation"))
            .filter_map(|child| self.annotation(child, b))
            .collect()
    }

    fn annotation(&self, node: Node, b: &Builder) -> Option<Annotation> {
        let name = b.text(node.child_by_field_name("name")?);
        let name = name.rsplit('.').next().unwrap_or(name).trim().to_owned();
        let mut args = Vec::new();
        if let Some(list) = node.child_by_field_name("arguments") {
            let mut cursor = list.walk();
            for child in list.named_children(&mut cursor).filter(|child| !child.is_extra()) {
                if child.kind() == "element_value_pair" {
                    let key = child.child_by_field_name("key").map(|key| b.text(key).to_owned());
                    let value = child.child_by_field_name("value").map(|value| self.annotation_values(value, b));
                    args.extend(key.zip(value));
                } else {
                    args.push(("value".to_owned(), self.annotation_values(child, b)));
                }
            }
        }
        Some(Annotation { name, args })
    }

    fn annotation_values(&self, node: Node, b: &Builder) -> Vec<AnnotationValue> {
        if node.kind() == "element_value_array_initializer" {
            let mut cursor = node.walk();
            return node
                .named_children(&mut cursor)
                .filter(|c| !c.is_extra())
                .map(|c| self.annotation_value(c, b))
                .collect();
        }
        vec![self.annotation_value(node, b)]
    }

    fn annotation_value(&self, node: Node, b: &Builder) -> AnnotationValue {
        match node.kind() {
            "string_literal" | "binary_expression" => {
                string_value(node, &self.constants, b).map_or(AnnotationValue::Other, AnnotationValue::Text)
            }
            "identifier" => {
                let name = b.text(node);
                match self.constants.get(name) {
                    Some(text) => AnnotationValue::Text(text.clone()),
                    None => AnnotationValue::Name(name.to_owned()),
                }
            }
            "field_access" => node
                .child_by_field_name("field")
                .map_or(AnnotationValue::Other, |f| AnnotationValue::Name(b.text(f).to_owned())),
            "class_literal" => {
                let text = b.text(node).trim_end_matches("class").trim_end().trim_end_matches('.');
                AnnotationValue::Name(text.rsplit('.').next().unwrap_or(text).to_owned())
            }
            _ => AnnotationValue::Other,
        }
    }
}
