//! `use` declarations and `extern crate`, in every form.

use super::RustExtractor;
use super::attrs::Attr;
use super::items::is_public;
use atlas_syntax::{Builder, Import, ImportKind, line_of};
use tree_sitter::Node;

/// Nesting of groups that is followed.
const GROUPS_MAX: usize = 32;

impl RustExtractor {
    pub(super) fn use_declaration(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(argument) = node.child_by_field_name("argument") else { return };
        let text = b.text(argument).to_owned();
        self.importing_late = self.is_late(node, attrs);
        self.use_tree(&text, line_of(argument), is_public(node), b);
        self.importing_late = false;
    }

    pub(super) fn extern_crate(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let alias = node.child_by_field_name("alias").unwrap_or(name);
        let (name, alias) = (b.text(name).to_owned(), b.text(alias).to_owned());
        self.leaf(&[&name], Some(&alias), line_of(node), is_public(node), b);
    }

    /// Reads the text of a use tree; `line` is where it starts.
    pub(super) fn use_tree(&mut self, text: &str, line: u32, public: bool, b: &mut Builder) {
        let tokens = lex(text);
        let mut reader = Reader { tokens: &tokens, at: 0, prefix: Vec::new() };
        let mut found = Vec::new();
        reader.tree(&mut found, 0);
        for leaf in found {
            let path: Vec<&str> = leaf.path.iter().map(String::as_str).collect();
            let line = line + leaf.line;
            if leaf.wildcard {
                self.wildcard(&path, line, public, b);
            } else {
                self.leaf(&path, leaf.alias.as_deref(), line, public, b);
            }
        }
    }

    fn leaf(&mut self, path: &[&str], alias: Option<&str>, line: u32, public: bool, b: &mut Builder) {
        let Some((last, prefix)) = path.split_last() else { return };
        let first = path[0];
        self.crates.insert(first.into());
        // `use a::{self}` brings a in.
        let (last, prefix) = match (*last, prefix.split_last()) {
            ("self", Some((name, prefix))) => (*name, prefix),
            _ => (*last, prefix),
        };
        let local = alias.unwrap_or(last);
        let module = b.sym(&prefix.join("::"));
        let name = b.sym(last);
        // `use a as _` brings a trait's methods in, and no name.
        let local = (local != "_").then(|| b.sym(local));
        let import = Import {
            kind: ImportKind::Name,
            module,
            level: 0,
            name: Some(name),
            local,
            line,
            within: b.here(),
            reexport: public,
            type_only: false,
        };
        self.import(import, b);
    }

    fn wildcard(&mut self, path: &[&str], line: u32, public: bool, b: &mut Builder) {
        if let Some(first) = path.first() {
            self.crates.insert((*first).into());
        }
        let module = b.sym(&path.join("::"));
        let import = Import {
            kind: ImportKind::Wildcard,
            module,
            level: 0,
            name: None,
            local: None,
            line,
            within: b.here(),
            reexport: public,
            type_only: false,
        };
        self.import(import, b);
    }
}

/// A name that a use tree brings in.
struct Leaf {
    path: Vec<String>,
    alias: Option<String>,
    wildcard: bool,
    /// Lines below the first.
    line: u32,
}

struct Token<'t> {
    text: &'t str,
    line: u32,
}

fn lex(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let bytes = text.as_bytes();
    let (mut at, mut line) = (0, 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
            }
            b':' if bytes.get(at + 1) == Some(&b':') => {
                at += 2;
                tokens.push(Token { text: "::", line });
            }
            b'{' | b'}' | b',' | b'*' => {
                at += 1;
                tokens.push(Token { text: &text[start..at], line });
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                while at < bytes.len() && !bytes[at..].starts_with(b"*/") {
                    line += u32::from(bytes[at] == b'\n');
                    at += 1;
                }
                at = (at + 2).min(bytes.len());
            }
            byte if byte == b'_' || byte == b'#' || byte == b'$' || byte.is_ascii_alphanumeric() || byte >= 0x80 => {
                while at < bytes.len()
                    && (matches!(bytes[at], b'_' | b'#' | b'$')
                        || bytes[at].is_ascii_alphanumeric()
                        || bytes[at] >= 0x80)
                {
                    at += 1;
                }
                let word = &text[start..at];
                let word = word.strip_prefix("r#").or_else(|| word.strip_prefix('$')).unwrap_or(word);
                tokens.push(Token { text: word, line });
            }
            _ => at += 1,
        }
    }
    tokens
}

struct Reader<'r, 't> {
    tokens: &'r [Token<'t>],
    at: usize,
    prefix: Vec<String>,
}

impl Reader<'_, '_> {
    /// One tree: a path, then a group, a star, a rename or nothing.
    fn tree(&mut self, out: &mut Vec<Leaf>, depth: usize) {
        let mark = self.prefix.len();
        let mut line = self.tokens.get(self.at).map_or(0, |token| token.line);
        while let Some(token) = self.tokens.get(self.at) {
            match token.text {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    self.group(out, depth + 1);
                    self.prefix.truncate(mark);
                    return;
                }
                "*" => {
                    self.at += 1;
                    out.push(Leaf { path: self.prefix.clone(), alias: None, wildcard: true, line: token.line });
                    self.prefix.truncate(mark);
                    return;
                }
                "as" => {
                    let alias = self.tokens.get(self.at + 1).map(|token| token.text.to_owned());
                    self.at += 2;
                    out.push(Leaf { path: self.prefix.clone(), alias, wildcard: false, line });
                    self.prefix.truncate(mark);
                    return;
                }
                "}" | "," => break,
                name => {
                    line = token.line;
                    self.prefix.push(name.to_owned());
                    self.at += 1;
                }
            }
        }
        if self.prefix.len() > mark {
            out.push(Leaf { path: self.prefix.clone(), alias: None, wildcard: false, line });
        }
        self.prefix.truncate(mark);
    }

    fn group(&mut self, out: &mut Vec<Leaf>, depth: usize) {
        if depth > GROUPS_MAX {
            self.at = self.tokens.len();
            return;
        }
        while let Some(token) = self.tokens.get(self.at) {
            match token.text {
                "}" => {
                    self.at += 1;
                    return;
                }
                "," => self.at += 1,
                _ => self.tree(out, depth),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(text: &str) -> Vec<String> {
        let tokens = lex(text);
        let mut reader = Reader { tokens: &tokens, at: 0, prefix: Vec::new() };
        let mut out = Vec::new();
        reader.tree(&mut out, 0);
        out.into_iter()
            .map(|leaf| {
                let star = if leaf.wildcard { "::*" } else { "" };
                let alias = leaf.alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
                format!("{}{star}{alias} +{}", leaf.path.join("::"), leaf.line)
            })
            .collect()
    }

    #[test]
    fn groups_nest_rename_and_keep_their_lines() {
        assert_eq!(
            leaves("a::{\n  self, // note\n  b::{c as d, *},\n  r#type,\n}"),
            ["a::self +1", "a::b::c as d +2", "a::b::* +2", "a::type +3"]
        );
        assert_eq!(leaves("::std::x"), ["std::x +0"]);
        assert_eq!(leaves("{a, b as _}"), ["a +0", "b as _ +0"]);
        assert_eq!(leaves("*"), ["::* +0"]);
    }

    #[test]
    fn broken_and_deep_trees_end() {
        assert_eq!(leaves("a::{b, "), ["a::b +0"]);
        assert_eq!(leaves("a as"), ["a +0"]);
        assert!(leaves(&"a::{".repeat(50_000)).is_empty());
    }
}
