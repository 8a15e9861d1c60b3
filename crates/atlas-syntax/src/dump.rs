//! The facts of a file as text, one fact a line: for tests and for looking at what an extractor saw.
//!
//! Nothing reads this form; it may change at any time.

use crate::facts::*;
use std::fmt::Write as _;

/// Depth to which expressions and types are written out.
const DEPTH_MAX: u32 = 12;

/// All facts but terms, in their order, grouped by kind.
#[must_use]
pub fn dump(facts: &FileFacts) -> String {
    let dumper = Dumper { facts };
    let mut out = String::new();
    dumper.defs(&mut out);
    dumper.refs(&mut out);
    dumper.modules(&mut out);
    dumper.types(&mut out);
    dumper.bindings(&mut out);
    dumper.roots_and_tables(&mut out);
    for (start, end) in &facts.errors {
        let _ = writeln!(out, "error {start}-{end}");
    }
    out
}

/// An expression as text.
#[must_use]
pub fn dump_expr(facts: &FileFacts, expr: ExprId) -> String {
    Dumper { facts }.expr(expr, 0)
}

/// A type as text.
#[must_use]
pub fn dump_type(facts: &FileFacts, ty: TypeId) -> String {
    Dumper { facts }.ty(ty, 0)
}

struct Dumper<'f> {
    facts: &'f FileFacts,
}

impl Dumper<'_> {
    fn defs(&self, out: &mut String) {
        if let Some(package) = self.facts.package {
            let _ = writeln!(out, "package {}", self.facts.str(package));
        }
        for (ix, def) in self.facts.defs.iter().enumerate() {
            let _ = write!(
                out,
                "def {} {} {}-{} @{}:{}",
                def.kind.as_str(),
                self.path(ix as DefIx),
                def.start,
                def.end,
                def.name_line,
                def.name_column
            );
            if def.signature_end != def.start {
                let _ = write!(out, " sig={}", def.signature_end);
            }
            if let Some(owner) = def.owner {
                let _ = write!(out, " owner={}", self.ty(owner, 0));
            }
            if def.kind.is_callable() {
                let most = if def.arity.1 == u16::MAX { "*".to_owned() } else { def.arity.1.to_string() };
                let _ = write!(out, " arity={}..{most}", def.arity.0);
            }
            if let Some(ty) = def.ty {
                let _ = write!(out, " ty={}", self.ty(ty, 0));
            }
            if let Some((start, end)) = def.doc {
                let _ = write!(out, " doc={start}-{end}");
            }
            let _ = writeln!(out, "{}", flags(def.flags));
        }
    }

    fn refs(&self, out: &mut String) {
        for r in &self.facts.refs {
            let kind = match r.kind {
                RefKind::Call => "call",
                RefKind::Construct => "construct",
                RefKind::Read => "read",
                RefKind::Write => "write",
                RefKind::TypeUse => "type",
                RefKind::Decorator => "decorator",
                RefKind::Macro => "macro",
            };
            let _ = write!(out, "{kind} {}:{} {}", r.line, r.column, self.expr(r.expr, 0));
            if matches!(r.kind, RefKind::Call | RefKind::Macro | RefKind::Decorator) {
                let argc = if r.argc == u16::MAX { "*".to_owned() } else { r.argc.to_string() };
                let _ = write!(out, "/{argc}");
            }
            if let Some(arg0) = r.arg0 {
                let _ = write!(out, " {:?}", self.facts.str(arg0));
            }
            let _ = writeln!(out, " in {}", self.scope(r.within));
        }
    }

    fn modules(&self, out: &mut String) {
        for import in &self.facts.imports {
            let _ = write!(out, "import {:?} {}", import.kind, self.facts.str(import.module));
            if import.level != 0 {
                let _ = write!(out, " level={}", import.level);
            }
            if let Some(name) = import.name {
                let _ = write!(out, " name={}", self.facts.str(name));
            }
            if let Some(local) = import.local {
                let _ = write!(out, " as {}", self.facts.str(local));
            }
            let _ = write!(out, " line={}", import.line);
            if import.within.is_some() {
                let _ = write!(out, " in {}", self.scope(import.within));
            }
            for (on, text) in [(import.reexport, " reexport"), (import.type_only, " type-only")] {
                if on {
                    out.push_str(text);
                }
            }
            out.push('\n');
        }
        for export in &self.facts.exports {
            let _ = writeln!(
                out,
                "export {} = {} line={}",
                self.facts.str(export.name),
                self.expr(export.value, 0),
                export.line
            );
        }
    }

    fn types(&self, out: &mut String) {
        for base in &self.facts.bases {
            let sub = match base.sub {
                BaseSub::Def(ix) => self.path(ix),
                BaseSub::Type(ty) => format!("type {}", self.ty(ty, 0)),
            };
            let _ =
                writeln!(out, "base {sub} {:?} {} {}:{}", base.relation, self.ty(base.sup, 0), base.line, base.column);
        }
    }

    fn bindings(&self, out: &mut String) {
        for binding in &self.facts.bindings {
            let _ = write!(
                out,
                "bind {:?} {:?} in {} line={}",
                binding.kind,
                self.facts.str(binding.name),
                self.scope(binding.scope),
                binding.line
            );
            if let Some(ty) = binding.ty {
                let _ = write!(out, ": {}", self.ty(ty, 0));
            }
            if let Some(value) = binding.value {
                let _ = write!(out, " = {}", self.expr(value, 0));
            }
            out.push('\n');
        }
    }

    fn roots_and_tables(&self, out: &mut String) {
        for root in &self.facts.roots {
            let _ = write!(out, "root {} {} line={}", root.kind.as_str(), self.facts.str(root.name), root.line);
            for part in [root.verb, root.route].into_iter().flatten() {
                let _ = write!(out, " {:?}", self.facts.str(part));
            }
            if let Some(handler) = root.handler {
                let _ = write!(out, " handler={}", self.expr(handler, 0));
            }
            if let Some(def) = root.def {
                let _ = write!(out, " def={}", self.path(def));
            }
            let _ = writeln!(out, " by {}", self.facts.str(root.rule));
        }
        for table in &self.facts.table_defs {
            let _ = write!(out, "table {} line={}", self.facts.str(table.table), table.line);
            if let Some(model) = table.model {
                let _ = write!(out, " model={}", self.path(model));
            }
            let _ = writeln!(out, " by {}", self.facts.str(table.rule));
        }
        for used in &self.facts.table_uses {
            let target = match used.target {
                TableTarget::Name(name) => self.facts.str(name).to_owned(),
                TableTarget::Model(expr) => format!("model {}", self.expr(expr, 0)),
            };
            let verb = if used.write { "writes" } else { "reads" };
            let _ = writeln!(
                out,
                "{verb} {target} {}:{} in {} by {}",
                used.line,
                used.column,
                self.scope(used.within),
                self.facts.str(used.rule)
            );
        }
    }

    fn scope(&self, scope: Option<DefIx>) -> String {
        scope.map_or_else(|| "file".to_owned(), |ix| self.path(ix))
    }

    fn path(&self, ix: DefIx) -> String {
        let mut names = Vec::new();
        let mut at = Some(ix);
        while let Some(ix) = at {
            let def = self.facts.def(ix);
            names.push(self.facts.str(def.name));
            at = def.container;
        }
        names.reverse();
        names.join(".")
    }

    fn expr(&self, id: ExprId, depth: u32) -> String {
        if depth > DEPTH_MAX {
            return "…".to_owned();
        }
        let inner = |id| self.expr(id, depth + 1);
        match self.facts.expr(id) {
            Expr::Unknown => "?".to_owned(),
            Expr::Name(name) => self.facts.str(*name).to_owned(),
            Expr::This => "this".to_owned(),
            Expr::Super => "super".to_owned(),
            Expr::Member { base, name } => format!("{}.{}", inner(*base), self.facts.str(*name)),
            Expr::Root => "root".to_owned(),
            Expr::Call { callee, arg0: None } => format!("{}()", inner(*callee)),
            Expr::Call { callee, arg0: Some(arg0) } => format!("{}({})", inner(*callee), inner(*arg0)),
            Expr::New(ty) => format!("new {}", self.ty(*ty, depth + 1)),
            Expr::Index(base) => format!("{}[]", inner(*base)),
            Expr::Element(base) => format!("each {}", inner(*base)),
            Expr::Await(base) => format!("await {}", inner(*base)),
            Expr::Part { of, n } => format!("{}#{n}", inner(*of)),
            Expr::Cast(ty) => format!("as {}", self.ty(*ty, depth + 1)),
            Expr::OneOf(all) => all.iter().map(|&one| inner(one)).collect::<Vec<_>>().join(" | "),
            Expr::Literal(literal) => format!("<{literal:?}>"),
            Expr::Def(ix) => format!("def {}", self.path(*ix)),
            Expr::Made(ix) => format!("made {}", self.path(*ix)),
            Expr::Elements(all) => format!("[{}]", all.iter().map(|&one| inner(one)).collect::<Vec<_>>().join(", ")),
            Expr::Tuple(all) => format!("({})", all.iter().map(|&one| inner(one)).collect::<Vec<_>>().join(", ")),
        }
    }

    fn ty(&self, id: TypeId, depth: u32) -> String {
        if depth > DEPTH_MAX {
            return "…".to_owned();
        }
        let list = |ids: &[TypeId]| ids.iter().map(|&id| self.ty(id, depth + 1)).collect::<Vec<_>>();
        match self.facts.ty(id) {
            Type::Path { path, args } => {
                let path: Vec<&str> = path.iter().map(|&part| self.facts.str(part)).collect();
                let args = if args.is_empty() { String::new() } else { format!("<{}>", list(args).join(", ")) };
                format!("{}{args}", path.join("."))
            }
            Type::Union(all) => list(all).join(" | "),
            Type::List(of) => format!("[{}]", self.ty(*of, depth + 1)),
            Type::Tuple(parts) => format!("({})", list(parts).join(", ")),
            Type::This => "This".to_owned(),
            Type::Function(result) => {
                format!("fn -> {}", result.map_or_else(|| "()".to_owned(), |ty| self.ty(ty, depth + 1)))
            }
            Type::Unknown => "?".to_owned(),
        }
    }
}

fn flags(flags: DefFlags) -> String {
    const NAMES: [(DefFlags, &str); 11] = [
        (DefFlags::EXPORTED, "exported"),
        (DefFlags::STATIC, "static"),
        (DefFlags::FILE_LOCAL, "file-local"),
        (DefFlags::DECLARATION, "declaration"),
        (DefFlags::ASYNC, "async"),
        (DefFlags::TEST, "test"),
        (DefFlags::DEFAULT_EXPORT, "default-export"),
        (DefFlags::GETTER, "getter"),
        (DefFlags::CLASS_METHOD, "class-method"),
        (DefFlags::DISTINCT, "distinct"),
        (DefFlags::CONDITIONAL, "conditional"),
    ];
    NAMES.iter().filter(|(flag, _)| flags.has(*flag)).map(|(_, name)| format!(" {name}")).collect()
}
