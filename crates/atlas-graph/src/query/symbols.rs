//! Which nodes a symbol means: bare (`record`), qualified (`Vote.record`, `Vote#record`,
//! `vote::record`) or placed (`src/vote.py:Vote.record`).

use crate::graph::Graph;
use crate::link::NodeId;
use atlas_syntax::Family;

const FAMILIES: [Family; 15] = [
    Family::Bash,
    Family::C,
    Family::CSharp,
    Family::Elixir,
    Family::Go,
    Family::JavaScript,
    Family::Jvm,
    Family::Lua,
    Family::Markup,
    Family::Php,
    Family::Python,
    Family::Ruby,
    Family::Rust,
    Family::Sql,
    Family::Swift,
];

/// A symbol as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The file, if the symbol is placed.
    pub path: Option<String>,
    /// Names from the outermost to the symbol's own.
    pub names: Vec<String>,
}

impl Symbol {
    /// Takes a symbol apart. Arguments and generics are dropped; an empty text gives no names.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim().trim_matches('`').trim();
        let (path, rest) = split_path(text);
        Self { path: path.map(str::to_owned), names: names(rest) }
    }
}

/// `src/vote.py:Vote.record` is a path, a colon that is not part of `::`, and a symbol.
fn split_path(text: &str) -> (Option<&str>, &str) {
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices(':') {
        let doubled = bytes.get(at + 1) == Some(&b':') || (at > 0 && bytes[at - 1] == b':');
        if !doubled && at > 0 {
            let (path, rest) = (&text[..at], &text[at + 1..]);
            if path.contains('/') || path.contains('.') {
                return (Some(path.strip_prefix("./").unwrap_or(path)), rest);
            }
        }
    }
    (None, text)
}

fn names(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    let mut depth = 0usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if plain.ends_with('-') && depth == 0 => {
                plain.pop();
                plain.push('.');
            }
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ':' if chars.peek() == Some(&':') => {
                chars.next();
                plain.push('.');
            }
            '#' => plain.push('.'),
            other => plain.push(other),
        }
    }
    plain.split('.').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Every definition and table that the symbol may mean, in node order; declarations count as what
/// they declare.
#[must_use]
pub fn find(graph: &Graph, symbol: &Symbol) -> Vec<NodeId> {
    let Some((name, outer)) = symbol.names.split_last() else { return Vec::new() };
    let program = &graph.program;
    let mut found: Vec<NodeId> = Vec::new();
    for family in FAMILIES {
        for &node in program.named(family, name) {
            let in_file = symbol.path.as_ref().is_none_or(|path| program.path(program.file_of(node)).as_str() == path);
            if in_file && encloses(graph, node, outer) {
                found.push(graph.canonical(node));
            }
        }
    }
    // In a file that has exactly what was written, another of that name inside something else is not meant.
    if symbol.path.is_some() {
        let whole = symbol.names.join(".");
        let exact: Vec<NodeId> = found.iter().copied().filter(|&node| graph.qualified_name(node) == whole).collect();
        if !exact.is_empty() {
            found = exact;
        }
    }
    if symbol.path.is_none() && outer.len() <= 1 {
        let table = symbol.names.join(".");
        found.extend(graph.table_named(&table).or_else(|| graph.table_named(name)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the names around a definition end in `outer`: its types and namespaces first, then its
/// file's name, directories and package.
fn encloses(graph: &Graph, node: NodeId, outer: &[String]) -> bool {
    let program = &graph.program;
    let mut wanted = outer;
    let mut at = node;
    let mut steps = 0;
    while let Some(up) = graph.type_around(at).or_else(|| program.container(at)) {
        steps += 1;
        let Some((last, rest)) = wanted.split_last() else { return true };
        if program.def(up).is_none() || steps > 64 {
            break;
        }
        if program.name(up) == last {
            wanted = rest;
        } else if wanted.len() != outer.len() {
            // The chain has begun: it must go on without a hole.
            return false;
        }
        at = up;
    }
    if wanted.is_empty() {
        return true;
    }
    let file = program.file_of(node);
    let facts = program.facts(file);
    let path = program.path(file);
    let stem = path.stem();
    let mut around: Vec<&str> = path.parent().split('/').filter(|part| !part.is_empty()).collect();
    if !matches!(stem, "__init__" | "mod" | "index" | "lib" | "main")
        || around.last() != wanted.last().map(String::as_str).as_ref()
    {
        around.push(stem);
    }
    let ends = |names: &[&str]| {
        names.len() >= wanted.len() && names[names.len() - wanted.len()..].iter().zip(wanted).all(|(a, b)| a == b)
    };
    if ends(&around) || ends(&around[..around.len().saturating_sub(1)]) {
        return true;
    }
    let package: Vec<&str> =
        facts.package.map_or("", |p| facts.str(p)).split(['.', ':', '\\', '/']).filter(|p| !p.is_empty()).collect();
    ends(&package)
}

/// The files that a text means: a path, a directory, or a dotted or `::` module name.
#[must_use]
pub fn find_files(graph: &Graph, text: &str) -> Vec<NodeId> {
    let program = &graph.program;
    let text = text.trim().trim_matches('`').trim().trim_start_matches("./").trim_end_matches('/');
    if text.is_empty() {
        return Vec::new();
    }
    if let Some(file) = program.find(text) {
        return vec![program.file_node(file)];
    }
    let dotted = text.replace("::", "/").replace('.', "/");
    let mut found = Vec::new();
    for (id, file) in program.files().iter().enumerate() {
        let path = file.path.as_str();
        let bare = path.rsplit_once('.').map_or(path, |(bare, _)| bare);
        let module = bare
            .strip_suffix("/__init__")
            .or_else(|| bare.strip_suffix("/index"))
            .or_else(|| bare.strip_suffix("/mod"))
            .unwrap_or(bare);
        let is = |name: &str| module == name || module.ends_with(&format!("/{name}"));
        if bare == text || file.path.parent() == text || is(&dotted) || is(text) {
            found.push(program.file_node(id as u32));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_symbol() {
        let symbol = |text: &str| {
            let s = Symbol::parse(text);
            (s.path, s.names.join("|"))
        };
        assert_eq!(symbol("record"), (None, "record".into()));
        assert_eq!(symbol("Vote.record"), (None, "Vote|record".into()));
        assert_eq!(symbol("Vote#record"), (None, "Vote|record".into()));
        assert_eq!(symbol("vote::record()"), (None, "vote|record".into()));
        assert_eq!(symbol("Store<T>->put"), (None, "Store|put".into()));
        assert_eq!(symbol("src/vote.py:Vote.record"), (Some("src/vote.py".into()), "Vote|record".into()));
        assert_eq!(symbol("./a.c:init"), (Some("a.c".into()), "init".into()));
        assert_eq!(symbol("std::a.b"), (None, "std|a|b".into()));
        assert_eq!(symbol(""), (None, String::new()));
    }
}
