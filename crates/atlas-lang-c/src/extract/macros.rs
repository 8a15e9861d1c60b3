//! The preprocessor: macros as definitions, calls in their bodies, branches that a build leaves out.

use super::C;
use atlas_syntax::{Builder, DefFlags, DefKind, DefSpec, Expr, RefKind, end_line_of, line_of};
use tree_sitter::Node;

/// Bytes of one macro's body that are looked at.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// Words of the language that stand before a parenthesis without being called. Sorted.
const KEYWORDS: [&str; 24] = [
    "__alignof__",
    "__asm__",
    "__attribute__",
    "__typeof__",
    "_Alignof",
    "_Generic",
    "_Static_assert",
    "alignof",
    "asm",
    "case",
    "catch",
    "decltype",
    "defined",
    "do",
    "else",
    "for",
    "if",
    "noexcept",
    "return",
    "sizeof",
    "static_assert",
    "switch",
    "typeof",
    "while",
];

/// A branch of a conditional group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    node: usize,
    /// Whether the default build takes it; None if that cannot be told.
    taken: Option<bool>,
    /// An earlier branch of its group is taken.
    settled: bool,
    /// It stands inside the node of the branch before it, instead of which it is taken.
    replaces: bool,
}

impl C {
    pub(super) fn macro_definition(&mut self, node: Node, b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let value = node.child_by_field_name("value");
        let parameters = node.child_by_field_name("parameters");
        let doc = self.doc.take(line_of(node));
        if value.is_none() && parameters.is_none() {
            // A flag or an include guard: it stands for nothing.
            return;
        }
        let kind = if parameters.is_some() { DefKind::Macro } else { DefKind::Constant };
        let mut spec = DefSpec::named(kind, name, b.source);
        spec.doc = doc;
        spec.flags = DefFlags::EXPORTED;
        spec.flags.set(DefFlags::CONDITIONAL, self.is_left_out());
        spec.signature_end = Some(parameters.map_or_else(|| line_of(node), end_line_of));
        let mut names: Vec<&str> = Vec::new();
        if let Some(parameters) = parameters {
            let mut variadic = false;
            let mut cursor = parameters.walk();
            for parameter in parameters.children(&mut cursor) {
                match parameter.kind() {
                    "identifier" => names.push(b.text(parameter)),
                    "..." => variadic = true,
                    _ => {}
                }
            }
            let count = u16::try_from(names.len()).unwrap_or(u16::MAX);
            spec.arity = (count, if variadic { u16::MAX } else { count });
        }
        let def = b.open_def(node, spec);
        // A macro belongs to no scope.
        b.def_mut(def).container = None;
        if let Some(value) = value {
            macro_body(value, &names, b);
        }
    }

    pub(super) fn condition(&mut self, node: Node, b: &Builder) {
        let condition = node.child_by_field_name("condition");
        let name = node.child_by_field_name("name");
        self.skip(condition);
        self.skip(name);
        let negated = node.child(0).is_some_and(|directive| b.text(directive).ends_with("ndef"));
        let mut taken = match (condition, name) {
            (Some(condition), _) => evaluate(b.text(condition)),
            (None, Some(name)) => defined(b.text(name)),
            (None, None) => None,
        };
        if negated {
            taken = taken.map(|taken| !taken);
        }
        let replaces = node.kind().starts_with("preproc_elif");
        let settled = replaces && self.is_settled();
        if settled {
            taken = Some(false);
        }
        self.branches.push(Branch { node: node.id(), taken, settled, replaces });
    }

    pub(super) fn otherwise(&mut self, node: Node) {
        let settled = self.is_settled();
        let taken = if settled { Some(false) } else { self.branches.last().and_then(|b| b.taken).map(|taken| !taken) };
        self.branches.push(Branch { node: node.id(), taken, settled, replaces: true });
    }

    fn is_settled(&self) -> bool {
        self.branches.last().is_some_and(|branch| branch.settled || branch.taken == Some(true))
    }

    pub(super) fn close_branches(&mut self, node: Node) {
        while self.branches.last().is_some_and(|branch| branch.node == node.id()) {
            self.branches.pop();
        }
    }

    /// Whether the default build, on Linux, leaves out the branch where the walk stands.
    pub(super) fn is_left_out(&self) -> bool {
        let mut replaced = false;
        for branch in self.branches.iter().rev() {
            if !replaced && branch.taken == Some(false) {
                return true;
            }
            replaced = branch.replaces;
        }
        false
    }
}

/// Calls and member calls in the text of a macro.
fn macro_body(value: Node, parameters: &[&str], b: &mut Builder) {
    let text = b.text(value);
    let mut end = text.len().min(BODY_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let bytes = &text.as_bytes()[..end];
    let (mut line, mut line_start) = (line_of(value), 0usize);
    let first_column = value.start_position().column;
    let first_line = line;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
                line_start = at;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let start = at;
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                let word = &text[start..at];
                let called = bytes[at..].iter().find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b'(');
                let before =
                    bytes[..start].iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map(|p| &bytes[..=p]);
                let before = before.unwrap_or_default();
                let pasted = before.ends_with(b"#") || bytes[at..].starts_with(b"##");
                let member = before.ends_with(b"->") || (before.ends_with(b".") && !before.ends_with(b".."));
                let scoped = before.ends_with(b"::");
                if called && !pasted && !parameters.contains(&word) && KEYWORDS.binary_search(&word).is_err() {
                    let column = start - line_start + if line == first_line { first_column } else { 0 };
                    let name = b.sym(word);
                    let expr = match (member, scoped) {
                        (true, _) => b.expr(Expr::Member { base: 0, name }),
                        (_, true) => match qualifier(before, b) {
                            0 => 0,
                            base => b.expr(Expr::Member { base, name }),
                        },
                        _ => b.expr(Expr::Name(name)),
                    };
                    b.add_ref_at(RefKind::Call, word, (line, column as u32 + 1), expr, u16::MAX);
                }
            }
            byte if byte.is_ascii_digit() => {
                while at < bytes.len() && (is_word(bytes[at]) || bytes[at] == b'.') {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
}

/// `a::b::` before a name, as an expression.
fn qualifier(before: &[u8], b: &mut Builder) -> atlas_syntax::ExprId {
    let text = std::str::from_utf8(before).unwrap_or_default();
    let start = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':').map_or(0, |at| at + 1);
    let Some(path) = text.get(start..) else { return 0 };
    let mut expr = 0;
    for part in path.split("::").filter(|part| !part.is_empty()) {
        let name = b.sym(part);
        expr = if expr == 0 { b.expr(Expr::Name(name)) } else { b.expr(Expr::Member { base: expr, name }) };
    }
    expr
}

/// Macros that only other systems and compilers define. Sorted.
const ELSEWHERE: [&str; 29] = [
    "WIN32",
    "WIN64",
    "WINDOWS",
    "_AIX",
    "_MSC_VER",
    "_WIN32",
    "_WIN32_WINNT",
    "_WIN64",
    "__ANDROID__",
    "__APPLE_CC__",
    "__APPLE__",
    "__BORLANDC__",
    "__CYGWIN__",
    "__DragonFly__",
    "__EMSCRIPTEN__",
    "__FreeBSD__",
    "__HAIKU__",
    "__INTEL_COMPILER",
    "__MACH__",
    "__MINGW32__",
    "__MINGW64__",
    "__NetBSD__",
    "__OpenBSD__",
    "__QNX__",
    "__SUNPRO_C",
    "__hpux",
    "__sgi",
    "__sun",
    "__wasm__",
];

/// Whether a macro is defined in a default build; None if that cannot be told.
pub(crate) fn defined(name: &str) -> Option<bool> {
    if ELSEWHERE.binary_search(&name).is_ok() {
        return Some(false);
    }
    matches!(name, "__linux__" | "__linux" | "__GNUC__" | "__unix__" | "__x86_64__").then_some(true)
}

/// The truth of a condition of `0`, `1`, `defined(X)` and `!defined(X)` joined by one kind of operator.
pub(crate) fn evaluate(condition: &str) -> Option<bool> {
    let condition = condition.trim();
    let (parts, any): (Vec<&str>, bool) = match (condition.contains("||"), condition.contains("&&")) {
        (true, true) => return None,
        (true, false) => (condition.split("||").collect(), true),
        _ => (condition.split("&&").collect(), false),
    };
    let mut unknown = false;
    for part in parts {
        match term(part) {
            Some(value) if value == any => return Some(any),
            Some(_) => {}
            None => unknown = true,
        }
    }
    if unknown { None } else { Some(!any) }
}

fn term(text: &str) -> Option<bool> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
    if let Some(rest) = text.strip_prefix('!') {
        return term(rest).map(|value| !value);
    }
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => {
            let name = text.strip_prefix("defined")?;
            defined(name.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate;

    #[test]
    fn conditions_are_true_false_or_unknown() {
        for (text, expected) in [
            ("0", Some(false)),
            ("1", Some(true)),
            ("defined(_WIN32)", Some(false)),
            ("defined _WIN32 || defined(__APPLE__)", Some(false)),
            ("defined(_WIN32) || defined(USE_X)", None),
            ("!defined(_WIN32)", Some(true)),
            ("defined(__linux__) && defined(USE_X)", None),
            ("defined(_WIN32) && defined(USE_X)", Some(false)),
            ("X > 3", None),
        ] {
            assert_eq!(evaluate(text), expected, "{text}");
        }
    }
}
