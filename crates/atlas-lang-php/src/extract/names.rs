//! Namespaces, `use` clauses, and the full names that written ones mean.

use super::{Php, parts};
use atlas_syntax::{Builder, Expr, ExprId, Import, ImportKind, RefKind, line_of};
use tree_sitter::Node;

/// What a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    Class,
    Function,
    Constant,
}

impl Php {
    /// `namespace A\B;` and `namespace A\B { … }`.
    pub(super) fn namespace(&mut self, node: Node, b: &mut Builder) {
        let name = node.child_by_field_name("name").map_or("", |name| b.text(name)).to_owned();
        if let Some(name) = node.child_by_field_name("name") {
            for part in parts(name) {
                self.done(Some(part));
            }
        }
        if b.facts().package.is_none() {
            b.set_package(&name);
        }
        self.namespace = name;
        self.classes.clear();
        self.functions.clear();
        self.constants.clear();
    }

    /// `use A\B as C, D;`, `use function A\f;`, `use A\{B, C as D};`.
    pub(super) fn use_declaration(&mut self, node: Node, b: &mut Builder) {
        let kind = use_kind(node, NameKind::Class, b);
        let mut prefix = String::new();
        for part in parts(node) {
            match part.kind() {
                "namespace_name" => prefix = format!("{}\\", b.text(part).trim_matches('\\')),
                "namespace_use_clause" => self.use_clause(part, "", kind, b),
                "namespace_use_group" => {
                    for clause in parts(part) {
                        self.use_clause(clause, &prefix, kind, b);
                    }
                }
                _ => {}
            }
        }
    }

    fn use_clause(&mut self, clause: Node, prefix: &str, kind: NameKind, b: &mut Builder) {
        let kind = use_kind(clause, kind, b);
        let alias = clause.child_by_field_name("alias");
        let name = parts(clause).into_iter().find(|part| Some(*part) != alias && is_name(*part));
        let Some(name) = name else { return };
        let full = format!("\\{prefix}{}", b.text(name).trim_matches('\\'));
        let last = last_segment(&full).to_owned();
        let local = alias.map_or(last.as_str(), |alias| b.text(alias)).to_owned();
        match kind {
            NameKind::Class => self.classes.insert(local.to_lowercase(), full.clone()),
            NameKind::Function => self.functions.insert(local.to_lowercase(), full.clone()),
            NameKind::Constant => self.constants.insert(local.clone(), full.clone()),
        };
        let module = full.rsplit_once('\\').map_or("", |(module, _)| module).trim_start_matches('\\');
        let written = match kind {
            NameKind::Class => last,
            NameKind::Function => format!("{last}()"),
            NameKind::Constant => format!("const {last}"),
        };
        let (module, written, local) = (b.sym(module), b.sym(&written), b.sym(&local));
        b.add_import(Import {
            kind: ImportKind::Name,
            module,
            level: 0,
            name: Some(written),
            local: Some(local),
            line: line_of(clause),
            within: None,
            reexport: false,
            type_only: false,
        });
        self.imported.push(full);
    }

    /// The full name that a written one means, in the form of the facts.
    pub(super) fn full_name(&self, written: &str, kind: NameKind) -> String {
        let name = self.resolve(written, kind);
        match kind {
            NameKind::Class => name,
            NameKind::Function => format!("{name}()"),
            NameKind::Constant => format!("const {name}"),
        }
    }

    fn resolve(&self, written: &str, kind: NameKind) -> String {
        if written.starts_with('\\') {
            return written.to_owned();
        }
        let here = |name: &str| match self.namespace.as_str() {
            "" => format!("\\{name}"),
            namespace => format!("\\{namespace}\\{name}"),
        };
        let lower = written.to_lowercase();
        if let Some(rest) = lower.strip_prefix("namespace\\") {
            return here(&written[written.len() - rest.len()..]);
        }
        if let Some((first, rest)) = written.split_once('\\') {
            return match self.classes.get(&first.to_lowercase()) {
                Some(full) => format!("{full}\\{rest}"),
                None => here(written),
            };
        }
        let imported = match kind {
            NameKind::Class => self.classes.get(&lower),
            NameKind::Function => self.functions.get(&lower),
            NameKind::Constant => self.constants.get(written),
        };
        imported.cloned().unwrap_or_else(|| here(written))
    }

    /// Whether something is imported, or named in full, from a namespace that starts so.
    pub(super) fn imports_from(&self, prefixes: &[&str]) -> bool {
        self.imported.iter().any(|name| prefixes.iter().any(|prefix| name.trim_start_matches('\\').starts_with(prefix)))
    }

    /// What the class name of a node means: `self`, `static` and `parent` by the class around.
    pub(super) fn class_expr(&self, node: Node, b: &mut Builder) -> ExprId {
        let text = b.text(node);
        let name = match text.to_ascii_lowercase().as_str() {
            "self" | "static" => match self.types.last() {
                Some(open) if !open.name.is_empty() => open.name.clone(),
                Some(_) => return b.expr(Expr::This),
                None => return 0,
            },
            "parent" => match self.types.last() {
                Some(open) if open.is_trait => return b.expr(Expr::Super),
                Some(open) => match &open.parent {
                    Some(parent) => parent.clone(),
                    None => return 0,
                },
                None => return 0,
            },
            _ => self.full_name(text, NameKind::Class),
        };
        let name = b.sym(&name);
        b.expr(Expr::Name(name))
    }

    /// A mention of a class: a reference, unless it is `self`, `static` or `parent`.
    pub(super) fn class_ref(&mut self, node: Node, kind: RefKind, b: &mut Builder) {
        if !is_name(node) || is_relative(b.text(node)) || !self.done.insert(node.id()) {
            return;
        }
        let expr = self.class_expr(node, b);
        b.add_ref(kind, last_name(node), expr, 0, None);
    }

    /// A constant that stands as a value.
    pub(super) fn constant_use(&mut self, node: Node, b: &mut Builder) {
        if !self.done.insert(node.id()) {
            return;
        }
        let name = self.full_name(b.text(node), NameKind::Constant);
        let name = b.sym(&name);
        let expr = b.expr(Expr::Name(name));
        b.add_ref(RefKind::Read, last_name(node), expr, 0, None);
    }
}

/// What a `use` clause says it imports: `use function …`, `use const …`.
fn use_kind(node: Node, otherwise: NameKind, b: &Builder) -> NameKind {
    match node.child_by_field_name("type").map(|ty| b.text(ty).to_ascii_lowercase()).as_deref() {
        Some("function") => NameKind::Function,
        Some("const") => NameKind::Constant,
        _ => otherwise,
    }
}

pub(super) fn is_name(node: Node) -> bool {
    matches!(node.kind(), "name" | "qualified_name" | "relative_name")
}

/// Whether a name stands for the class around, or its parent.
pub(super) fn is_relative(text: &str) -> bool {
    ["self", "static", "parent"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The node of a name's last segment.
pub(super) fn last_name(node: Node) -> Node {
    parts(node).into_iter().rfind(|part| part.kind() == "name").unwrap_or(node)
}

pub(super) fn last_segment(name: &str) -> &str {
    name.rsplit('\\').next().unwrap_or(name)
}
