//! Imports in every form, and `__all__`.

use super::{FrameKind, Python, literal_text};
use atlas_syntax::{Builder, Expr, Import, ImportKind, line_of};
use tree_sitter::Node;

/// Names of one `__all__` that are read.
const EXPORTS_MAX: usize = 10_000;

impl Python {
    pub(super) fn import(&mut self, node: Node, b: &mut Builder) {
        if node.kind() == "import_statement" {
            self.import_modules(node, b);
        } else {
            self.import_names(node, b);
        }
    }

    /// `import a.b` binds `a` and loads `a.b`; `import a.b as c` binds `a.b`.
    fn import_modules(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).collect();
        for name in names {
            let (path, alias) = aliased(name);
            let text = compact(b.text(path));
            self.note_module(&text);
            match alias {
                Some(alias) => {
                    let alias = b.text(alias).to_owned();
                    self.origins.insert(alias.as_str().into(), text.as_str().into());
                    self.add(ImportKind::Module, &text, 0, None, Some(&alias), name, b);
                }
                None => {
                    let top = text.split('.').next().unwrap_or_default().to_owned();
                    self.origins.insert(top.as_str().into(), top.as_str().into());
                    self.add(ImportKind::Module, &top, 0, None, Some(&top), name, b);
                    if text != top {
                        self.add(ImportKind::Effect, &text, 0, None, None, name, b);
                    }
                }
            }
        }
    }

    fn import_names(&mut self, node: Node, b: &mut Builder) {
        let (module, level) = match node.child_by_field_name("module_name") {
            Some(module) if module.kind() == "relative_import" => {
                let text = compact(b.text(module));
                let path = text.trim_start_matches('.');
                let level = u8::try_from(text.len() - path.len()).unwrap_or(u8::MAX);
                (path.to_owned(), level)
            }
            Some(module) => (compact(b.text(module)), 0),
            None => ("__future__".to_owned(), 0),
        };
        self.note_module(&module);
        let mut cursor = node.walk();
        let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).collect();
        if names.is_empty() {
            let mut cursor = node.walk();
            let star = node.named_children(&mut cursor).find(|n| n.kind() == "wildcard_import");
            if let Some(star) = star {
                self.add(ImportKind::Wildcard, &module, level, None, None, star, b);
            }
            return;
        }
        for name in names {
            let (path, alias) = aliased(name);
            let imported = compact(b.text(path));
            let local = alias.map_or_else(|| imported.clone(), |alias| b.text(alias).to_owned());
            if level == 0 {
                self.origins.insert(local.as_str().into(), format!("{module}.{imported}").into());
            }
            self.add(ImportKind::Name, &module, level, Some(&imported), Some(&local), name, b);
        }
    }

    /// `importlib.import_module("x")`, `__import__("x")`.
    pub(super) fn dynamic_import(&mut self, call: Node, module: &str, b: &mut Builder) {
        let path = module.trim_start_matches('.');
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        if path.is_empty() || path.len() != module.len() || !path.chars().all(plain) {
            return;
        }
        self.add(ImportKind::Effect, path, 0, None, None, call, b);
    }

    /// An import that no statement makes, such as that of a console script; it is bound to `local`.
    pub(super) fn implied_import(&mut self, module: &str, name: &str, local: &str, at: Node, b: &mut Builder) {
        self.add(ImportKind::Name, module, 0, Some(name), Some(local), at, b);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one import, each said once")]
    fn add(
        &mut self,
        kind: ImportKind,
        module: &str,
        level: u8,
        name: Option<&str>,
        local: Option<&str>,
        at: Node,
        b: &mut Builder,
    ) {
        let import = Import {
            kind,
            module: b.sym(module),
            level,
            name: name.map(|name| b.sym(name)),
            local: local.map(|local| b.sym(local)),
            line: line_of(at),
            within: b.here(),
            // What a module imports is its own to give on.
            reexport: self.frame().kind == FrameKind::Module,
            type_only: at.start_byte() < self.type_only_until,
        };
        b.add_import(import);
    }

    fn note_module(&mut self, module: &str) {
        for part in module.split('.').take(16) {
            self.imported.insert(part.into());
        }
    }

    /// Names in `__all__ = […]`, `__all__ += […]`, `__all__.extend([…])`.
    pub(super) fn exports(&mut self, value: Option<Node>, b: &mut Builder) {
        let Some(value) = value else { return };
        let mut lists = vec![value];
        while let Some(list) = lists.pop() {
            match list.kind() {
                "list" | "tuple" | "set" | "parenthesized_expression" => {
                    let mut cursor = list.walk();
                    let names: Vec<Node> = list.named_children(&mut cursor).take(EXPORTS_MAX).collect();
                    for name in names {
                        if let Some(text) = literal_text(name, b) {
                            let symbol = b.sym(text);
                            let value = b.expr(Expr::Name(symbol));
                            b.add_export(text, value, line_of(name));
                        } else if matches!(name.kind(), "list" | "tuple") {
                            lists.push(name);
                        }
                    }
                }
                "binary_operator" => {
                    lists.extend(
                        [list.child_by_field_name("right"), list.child_by_field_name("left")].into_iter().flatten(),
                    );
                }
                _ => {}
            }
        }
    }
}

/// The imported path and its alias.
fn aliased(name: Node) -> (Node, Option<Node>) {
    if name.kind() == "aliased_import" {
        (name.child_by_field_name("name").unwrap_or(name), name.child_by_field_name("alias"))
    } else {
        (name, None)
    }
}

/// A dotted name without the blanks that may stand around its dots.
fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect()
}
