//! What doc comments say of types: `@param`, `@return`, `@var`, `@template`.

use super::Php;
use atlas_syntax::{Builder, TypeId, line_of};
use tree_sitter::Node;

/// The texts behind one tag of a doc comment, each to the end of its line; generic arguments may go on
/// over several.
pub(super) fn tags<'s>(doc: &'s str, tag: &str) -> Vec<&'s str> {
    const TAGS_MAX: usize = 256;
    let mut found = Vec::new();
    let mut rest = doc;
    while let Some(at) = rest.find(tag) {
        let after = &rest[at + tag.len()..];
        rest = after;
        if found.len() >= TAGS_MAX {
            break;
        }
        if after.starts_with([' ', '\t']) {
            let text = after.trim_start();
            found.push(text.strip_suffix("*/").unwrap_or(text));
        }
    }
    found
}

impl Php {
    /// Template names that a doc comment declares.
    pub(super) fn templates(doc: &str) -> Vec<String> {
        ["@template", "@template-covariant", "@psalm-template", "@phpstan-template"]
            .iter()
            .flat_map(|tag| tags(doc, tag))
            .filter_map(|text| text.split_whitespace().next())
            .map(str::to_owned)
            .collect()
    }

    /// Template names that hold here: those of the class around and those of a doc comment.
    pub(super) fn templates_here(&self, doc: &str) -> Vec<String> {
        let mut all = Self::templates(doc);
        all.extend(self.types.last().into_iter().flat_map(|open| open.templates.iter().cloned()));
        all
    }

    /// The type behind `@return` or `@var`.
    pub(super) fn doc_tag_type(&self, doc: &str, tag: &str, b: &mut Builder) -> Option<TypeId> {
        if !doc.contains(tag) {
            return None;
        }
        let templates = self.templates_here(doc);
        let text = *tags(doc, tag).first()?;
        Some(self.doc_type(text, &templates, b)).filter(|&ty| ty != 0)
    }

    /// The type that `@param` gives a parameter.
    pub(super) fn doc_param(&self, doc: &str, name: &str, b: &mut Builder) -> Option<TypeId> {
        if !doc.contains("@param") {
            return None;
        }
        let names = |text: &&&str| {
            let line = text.split(" @").next().unwrap_or(text);
            let line = line.lines().next().unwrap_or(line);
            line.split_whitespace().any(|word| word.trim_start_matches(['&', '.']) == name)
        };
        let all = tags(doc, "@param");
        let text = *all.iter().find(names)?;
        let templates = self.templates_here(doc);
        Some(self.doc_type(text, &templates, b)).filter(|&ty| ty != 0)
    }

    /// `/** @var Foo $x */` before or inside a statement types `$x` from there on.
    pub(super) fn inline_var(&mut self, node: Node, text: &str, b: &mut Builder) {
        if self.frames.is_empty() || !text.contains("@var") {
            return;
        }
        for text in tags(text, "@var") {
            let line = text.lines().next().unwrap_or(text);
            let Some(name) = line.split_whitespace().find(|word| word.starts_with('$')) else { continue };
            let templates = self.templates_here("");
            let ty = self.doc_type(text, &templates, b);
            if ty != 0 && name != "$this" {
                self.bind_typed(name, line_of(node), ty, b);
            }
        }
    }
}
