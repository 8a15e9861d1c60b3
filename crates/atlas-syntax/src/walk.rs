//! One traversal of a syntax tree for every language: no recursion, so no depth is too deep.

use crate::builder::{WORD_BYTES_MAX, words_of};
use crate::{Builder, FileFacts, Language};
use tree_sitter::{Node, Parser};

/// Whether the walk goes into a node's children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    Children,
    /// The extractor has dealt with all of it. Words inside are still collected for retrieval.
    Skip,
}

/// What a language does with each node of its tree.
///
/// `enter` is called for every named node before its children, `leave` after them. A definition
/// opened by [`Builder::open_def`] is closed by the walk when its node ends.
pub trait Extractor {
    fn enter(&mut self, node: Node, builder: &mut Builder) -> Visit;

    fn leave(&mut self, _node: Node, _builder: &mut Builder) {}

    /// Whether what the grammar counts as an error, or as missing, is none in the language: a macro may
    /// do without the semicolon that every statement of C needs.
    fn tolerates(&self, _node: Node) -> bool {
        false
    }

    /// Called once when the whole tree was walked.
    fn finish(&mut self, _builder: &mut Builder) {}
}

/// A node's text; the empty string where it is not UTF-8.
#[must_use]
pub fn node_text<'s>(node: Node, source: &'s [u8]) -> &'s str {
    source.get(node.byte_range()).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Parses and walks one file. A UTF-8 byte order mark is the caller's to keep or drop: columns and
/// lines are those of `source` as given. `None` if the grammar cannot be loaded, which a test of
/// each language excludes.
#[must_use]
pub fn extract(
    source: &[u8],
    language: Language,
    grammar: &tree_sitter::Language,
    extractor: &mut dyn Extractor,
) -> Option<FileFacts> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let tree = parser.parse(source, None)?;
    let mut builder = Builder::new(source, language);
    walk(tree.root_node(), extractor, &mut builder);
    extractor.finish(&mut builder);
    Some(builder.finish())
}

/// Definitions inside each other that are read. What stands deeper is left out as if it did not parse: no
/// code is written so, and names that nest without bound cost time and memory in the square of their number.
const NESTING_MAX: usize = 2_000;

fn walk(root: Node, extractor: &mut dyn Extractor, builder: &mut Builder) {
    let mut cursor = root.walk();
    // Depth below which everything is skipped: the extractor said so at that depth.
    let mut skip_below: Option<u32> = None;
    let mut depth = 0u32;
    loop {
        let node = cursor.node();
        if (node.is_error() || node.is_missing()) && !extractor.tolerates(node) {
            builder.add_error(node);
        }
        if skip_below.is_none() && builder.nesting() > NESTING_MAX {
            builder.add_error(node);
            skip_below = Some(depth);
        } else if skip_below.is_none() && node.is_named() && extractor.enter(node, builder) == Visit::Skip {
            skip_below = Some(depth);
        }
        let descended = !collect_terms(node, builder) && cursor.goto_first_child();
        if descended {
            depth += 1;
            continue;
        }
        // Leave this node and every ancestor that ends with it, then go on with a sibling.
        loop {
            let node = cursor.node();
            if skip_below.is_none_or(|at| depth <= at) {
                if skip_below == Some(depth) {
                    skip_below = None;
                }
                if node.is_named() {
                    extractor.leave(node, builder);
                }
                builder.close(node);
            }
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}

/// Collects retrieval words of leaves, comments and strings. True if the node needs no descent for
/// its own sake: a comment or a string without parts.
fn collect_terms(node: Node, builder: &mut Builder) -> bool {
    let kind = node.kind();
    if kind.contains("comment") {
        builder.add_prose(node, false);
        return true;
    }
    if node.child_count() == 0 {
        if !node.is_named() {
            return false;
        }
        if is_string_part(kind) {
            builder.add_prose(node, true);
        } else if kind == "preproc_arg" {
            // The body of a C macro has no nodes of its own.
            let text = node_text(node, builder.source);
            for word in words_of(text).filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())) {
                builder.add_identifier(word);
            }
        } else if is_identifier(kind) {
            let word = node_text(node, builder.source);
            if !word.is_empty() && word.len() <= WORD_BYTES_MAX {
                builder.add_identifier(word);
            }
        }
    }
    false
}

fn is_string_part(kind: &str) -> bool {
    kind.contains("string")
        || kind.contains("heredoc")
        || matches!(kind, "template_chars" | "char_literal" | "jsx_text")
}

fn is_identifier(kind: &str) -> bool {
    kind.ends_with("identifier") || matches!(kind, "constant" | "name" | "word" | "simple_symbol" | "hash_key_symbol")
}
