//! Items in the input of macros, read as the items that they are.
//!
//! `cfg_net! { pub struct Stream { … } }`, `pin_project! { struct Body { … } }`: what such macros are
//! given comes out much as it went in. Where a macro stands among items, has braces, and what is in
//! them reads as items without an error, its name and braces are blanked before the file is read, so
//! that lines and columns stay what they are. What is deliberately *not* here: macros that define
//! something else than they are given.

use atlas_syntax::{Expr, FileFacts, Ref, RefKind};
use tree_sitter::{Node, Parser, Tree};

/// Layers of macros in macros that are opened.
const LAYERS_MAX: usize = 4;

/// The name of a macro whose call was blanked, and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unwrapped {
    name: String,
    /// 1-based; the column in bytes.
    line: u32,
    column: u32,
    end: u32,
}

/// Lines of items that the default build leaves out, as the names of their macros say.
pub(crate) fn left_out(unwrapped: &[Unwrapped]) -> Vec<(u32, u32)> {
    unwrapped.iter().filter(|one| one.name.starts_with("cfg_not_")).map(|one| (one.line, one.end)).collect()
}

/// The source with item macros blanked; `None` if it has none.
pub(crate) fn unwrap(source: &[u8], grammar: &tree_sitter::Language) -> Option<(Vec<u8>, Vec<Unwrapped>)> {
    if !may_have_item_macros(source) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut text = source.to_vec();
    let mut all = Vec::new();
    for _ in 0..LAYERS_MAX {
        let tree = parser.parse(&text, None)?;
        let found = item_macros(&tree, &text, &mut parser);
        if found.is_empty() {
            break;
        }
        for (unwrapped, opening, closing) in found {
            blank(&mut text, opening);
            blank(&mut text, closing);
            all.push(unwrapped);
        }
    }
    (!all.is_empty()).then_some((text, all))
}

/// Adds the calls of the macros that were blanked.
pub(crate) fn add_calls(facts: &mut FileFacts, unwrapped: &[Unwrapped]) {
    for one in unwrapped {
        let known = facts.strings.iter().position(|string| **string == *one.name);
        let name = known.unwrap_or_else(|| {
            facts.strings.push(one.name.as_str().into());
            facts.strings.len() - 1
        }) as u32;
        facts.exprs.push(Expr::Name(name));
        facts.refs.push(Ref {
            kind: RefKind::Macro,
            name,
            expr: facts.exprs.len() as u32 - 1,
            line: one.line,
            column: one.column,
            within: None,
            argc: u16::MAX,
            arg0: None,
        });
    }
    // Nothing counts references by their place yet: Rust keeps no arguments.
    facts.refs.sort_by_key(|r| (r.line, r.column));
}

/// Whether some line starts like `name! {`: a parse is spared to files without one.
fn may_have_item_macros(source: &[u8]) -> bool {
    source.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii();
        let Some(at) = line.iter().position(|&byte| byte == b'!') else { return false };
        let name = &line[..at];
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
        !name.is_empty() && name.iter().all(is_name) && line[at + 1..].trim_ascii_start().starts_with(b"{")
    })
}

type Found = (Unwrapped, std::ops::Range<usize>, std::ops::Range<usize>);

/// Macros that stand among items and are given items.
fn item_macros(tree: &Tree, text: &[u8], parser: &mut Parser) -> Vec<Found> {
    let mut found = Vec::new();
    let mut waiting = vec![tree.root_node()];
    while let Some(list) = waiting.pop() {
        let mut cursor = list.walk();
        for item in list.named_children(&mut cursor) {
            match item.kind() {
                "mod_item" | "impl_item" | "trait_item" | "foreign_mod_item" => {
                    waiting.extend(item.child_by_field_name("body"));
                }
                "macro_invocation" => found.extend(opened(item, text, parser)),
                "expression_statement" => {
                    let inner = item.named_child(0).filter(|inner| inner.kind() == "macro_invocation");
                    found.extend(inner.and_then(|inner| opened(inner, text, parser)));
                }
                _ => {}
            }
        }
    }
    found
}

fn opened(call: Node, text: &[u8], parser: &mut Parser) -> Option<Found> {
    let name = call.child_by_field_name("macro")?;
    let mut cursor = call.walk();
    let input = call.named_children(&mut cursor).find(|child| child.kind() == "token_tree")?;
    let (start, end) = (input.start_byte(), input.end_byte());
    if text.get(start) != Some(&b'{') || end < start + 2 {
        return None;
    }
    let inside = text.get(start + 1..end - 1)?;
    let parsed = parser.parse(inside, None)?;
    if !holds_items(parsed.root_node()) {
        return None;
    }
    let last = name.child_by_field_name("name").unwrap_or(name);
    let unwrapped = Unwrapped {
        name: std::str::from_utf8(text.get(last.byte_range())?).ok()?.to_owned(),
        line: last.start_position().row as u32 + 1,
        column: last.start_position().column as u32 + 1,
        end: input.end_position().row as u32 + 1,
    };
    Some((unwrapped, call.start_byte()..start + 1, end - 1..end))
}

/// Whether a text is items and nothing else, at least one that defines or brings in a name.
fn holds_items(root: Node) -> bool {
    if root.has_error() {
        return false;
    }
    let mut any = false;
    let mut cursor = root.walk();
    for child in root.named_children(&mut cursor) {
        match child.kind() {
            "function_item"
            | "struct_item"
            | "enum_item"
            | "union_item"
            | "trait_item"
            | "impl_item"
            | "mod_item"
            | "use_declaration"
            | "const_item"
            | "static_item"
            | "type_item"
            | "foreign_mod_item"
            | "function_signature_item"
            | "macro_definition" => any = true,
            "macro_invocation" => any |= child.named_child_count() > 1,
            "attribute_item"
            | "inner_attribute_item"
            | "line_comment"
            | "block_comment"
            | "empty_statement"
            | "extern_crate_declaration"
            | "associated_type" => {}
            "expression_statement" if child.named_child(0).is_some_and(|inner| inner.kind() == "macro_invocation") => {}
            _ => return false,
        }
    }
    any
}

/// Overwrites with spaces, ends of lines kept.
fn blank(text: &mut [u8], range: std::ops::Range<usize>) {
    if let Some(bytes) = text.get_mut(range) {
        for byte in bytes.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unwrapped(source: &str) -> Option<(String, Vec<String>)> {
        let (text, all) = unwrap(source.as_bytes(), &tree_sitter_rust::LANGUAGE.into())?;
        let names = all.into_iter().map(|one| format!("{} {}:{}", one.name, one.line, one.column)).collect();
        Some((String::from_utf8(text).unwrap(), names))
    }

    #[test]
    fn macros_of_items_are_blanked_layer_by_layer() {
        let source =
            "cfg_a! {\n    pub struct A;\n    cfg::b! { fn f() {} }\n}\nimpl A {\n    cfg_c! { fn g(&self) {} }\n}\n";
        let (text, names) = unwrapped(source).unwrap();
        assert_eq!(
            text,
            "        \n    pub struct A;\n              fn f() {}  \n \nimpl A {\n             fn g(&self) {}  \n}\n"
        );
        assert_eq!(text.len(), source.len());
        assert_eq!(names, ["cfg_a 1:1", "cfg_c 6:5", "b 3:10"]);
    }

    #[test]
    fn what_does_not_read_as_items_stays() {
        assert_eq!(unwrapped("m! { a => b }\n"), None);
        assert_eq!(unwrapped("m! { 1 + 2 }\n"), None);
        assert_eq!(unwrapped("fn f() {\n    select! { fn g() {} }\n}\n"), None);
        assert_eq!(unwrapped("macro_rules! m { () => { fn f() {} } }\n"), None);
        assert_eq!(unwrapped("m!(fn f() {});\n"), None);
    }
}
