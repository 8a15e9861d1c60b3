//! Attributes: what they say of the item that follows.

use super::RustExtractor;
use atlas_syntax::{BaseRelation, BaseSub, Builder, DefIx, Expr, RefKind, column_of, line_of};
use tree_sitter::Node;

/// One `#[path(args)]` or `#[path = args]`.
#[derive(Debug, Clone)]
pub(super) struct Attr {
    /// As written, blanks removed: `tokio::main`.
    pub path: String,
    /// What stands between the outer brackets, or after `=`; quotes of a string taken off.
    pub args: String,
    pub line: u32,
    pub column: u32,
}

impl Attr {
    /// The last name of its path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }

    /// Whether it makes its function a test: `#[test]`, `#[tokio::test]`, `#[rstest]`, …
    pub(super) fn is_test(&self) -> bool {
        matches!(self.name(), "test" | "rstest" | "test_case" | "quickcheck" | "wasm_bindgen_test" | "bench")
    }

    /// The string value of `key = "value"` in its arguments.
    pub(super) fn value_of(&self, key: &str) -> Option<&str> {
        let mut rest = self.args.as_str();
        while let Some(at) = rest.find(key) {
            let (before, after) = rest.split_at(at);
            let after = &after[key.len()..];
            let starts = before.chars().last().is_none_or(|c| !c.is_alphanumeric() && c != '_');
            if starts && let Some(value) = after.trim_start().strip_prefix('=') {
                let value = value.trim_start();
                return match value.strip_prefix('"') {
                    Some(quoted) => quoted.split('"').next(),
                    None => value.split([',', ')', ' ']).next(),
                };
            }
            rest = after;
        }
        None
    }

    /// The names in a `derive`'s arguments.
    pub(super) fn derives(&self) -> impl Iterator<Item = &str> {
        let args = if self.path == "derive" { self.args.as_str() } else { "" };
        args.split(',').map(str::trim).filter(|name| !name.is_empty())
    }
}

impl RustExtractor {
    pub(super) fn attribute(&mut self, node: Node, b: &mut Builder) {
        let Some(attribute) = node.named_child(0).filter(|child| child.kind() == "attribute") else { return };
        let Some(path) = attribute.named_child(0) else { return };
        let text: String = b.text(path).chars().filter(|c| !c.is_whitespace()).collect();
        let args = match (attribute.child_by_field_name("arguments"), attribute.child_by_field_name("value")) {
            (Some(tree), _) => {
                let text = b.text(tree);
                text.get(1..text.len().saturating_sub(1)).unwrap_or_default().to_owned()
            }
            (None, Some(value)) => b.text(value).trim_matches('"').to_owned(),
            (None, None) => String::new(),
        };
        if !is_built_in(&text) {
            let expr = self.path_expr(path, b);
            let at = path.child_by_field_name("name").unwrap_or(path);
            b.add_ref(RefKind::Decorator, at, expr, u16::MAX, None);
        }
        if matches!(text.as_str(), "serde" | "arg" | "clap" | "builder") {
            self.functions_in_attribute(attribute, b);
        }
        self.attrs.push(Attr { path: text, args, line: line_of(node), column: column_of(node) });
    }

    /// `#[serde(default = "path::of_function")]` and the like: the derived code calls it.
    fn functions_in_attribute(&mut self, attribute: Node, b: &mut Builder) {
        let Some(tree) = attribute.child_by_field_name("arguments") else { return };
        let mut cursor = tree.walk();
        let tokens: Vec<Node> = tree.children(&mut cursor).collect();
        for window in tokens.windows(3) {
            let [key, equals, value] = window else { continue };
            if equals.kind() != "=" || value.kind() != "string_literal" {
                continue;
            }
            if !matches!(
                b.text(*key),
                "default" | "serialize_with" | "deserialize_with" | "skip_serializing_if" | "value_parser"
            ) {
                continue;
            }
            let text = b.text(*value).trim_matches('"').to_owned();
            let parts: Vec<&str> = text.split("::").collect();
            if parts.iter().any(|part| part.is_empty() || !part.chars().all(|c| c.is_alphanumeric() || c == '_')) {
                continue;
            }
            let (Some(first), Some(last)) = (parts.first(), parts.last()) else { continue };
            let name = b.sym(first);
            let mut expr = b.expr(Expr::Name(name));
            for part in &parts[1..] {
                let name = b.sym(part);
                expr = b.expr(Expr::Member { base: expr, name });
            }
            b.add_ref_named(RefKind::Read, last, *value, expr, 0, None);
        }
    }

    /// Each derived trait is implemented by the type.
    pub(super) fn derived(&mut self, def: DefIx, attrs: &[Attr], b: &mut Builder) {
        for attr in attrs {
            for name in attr.derives() {
                let path: Vec<&str> = name.split("::").map(str::trim).collect();
                let ty = b.ty_path(&path);
                b.add_base_at(BaseSub::Def(def), ty, BaseRelation::Implement, (attr.line, attr.column));
            }
        }
    }
}

/// Attributes that the compiler or its tools define.
fn is_built_in(path: &str) -> bool {
    const BUILT_IN: [&str; 62] = [
        "allow",
        "arg",
        "automatically_derived",
        "bench",
        "builder",
        "cfg",
        "cfg_attr",
        "clap",
        "cold",
        "command",
        "crate_name",
        "crate_type",
        "debugger_visualizer",
        "default",
        "deny",
        "deprecated",
        "derive",
        "diesel",
        "doc",
        "error",
        "expect",
        "export_name",
        "feature",
        "forbid",
        "from",
        "global_allocator",
        "group",
        "ignore",
        "inline",
        "instruction_set",
        "link",
        "link_name",
        "link_section",
        "macro_export",
        "macro_use",
        "must_use",
        "naked",
        "no_builtins",
        "no_link",
        "no_main",
        "no_mangle",
        "no_std",
        "non_exhaustive",
        "panic_handler",
        "path",
        "pin",
        "proc_macro",
        "proc_macro_attribute",
        "proc_macro_derive",
        "repr",
        "rustc_const_stable",
        "rustfmt::skip",
        "serde",
        "should_panic",
        "source",
        "stable",
        "target_feature",
        "test",
        "track_caller",
        "unsafe",
        "used",
        "warn",
    ];
    BUILT_IN.binary_search(&path).is_ok() || path.starts_with("clippy::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attr(path: &str, args: &str) -> Attr {
        Attr { path: path.into(), args: args.into(), line: 1, column: 1 }
    }

    #[test]
    fn values_are_found_by_their_whole_key() {
        let it = attr("diesel", "sql_type = X, table_name = users)");
        assert_eq!(it.value_of("table_name"), Some("users"));
        assert_eq!(attr("x", "rename_path = \"a\", path = \"b/c\"").value_of("path"), Some("b/c"));
        assert_eq!(attr("x", "path").value_of("path"), None);
    }

    #[test]
    fn tests_are_known_by_the_last_name() {
        assert!(attr("tokio::test", "").is_test() && attr("test", "").is_test());
        assert!(!attr("cfg", "test").is_test());
    }
}
