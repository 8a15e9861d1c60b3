//! Facts as text, one a line, for comparison with what a test expects.

use atlas_syntax::{BaseSub, BindingKind, DefFlags, DefIx, Expr, ExprId, FileFacts, TableTarget, Type, TypeId};
use std::fmt::Write as _;

const FLAGS: [(DefFlags, &str); 9] = [
    (DefFlags::EXPORTED, "exported"),
    (DefFlags::STATIC, "static"),
    (DefFlags::FILE_LOCAL, "local"),
    (DefFlags::DECLARATION, "declaration"),
    (DefFlags::ASYNC, "async"),
    (DefFlags::TEST, "test"),
    (DefFlags::DEFAULT_EXPORT, "default"),
    (DefFlags::GETTER, "getter"),
    (DefFlags::CLASS_METHOD, "classmethod"),
];

pub fn qualified(facts: &FileFacts, ix: Option<DefIx>) -> String {
    let Some(ix) = ix else { return "-".to_owned() };
    let def = facts.def(ix);
    let name = facts.str(def.name);
    match def.container {
        Some(container) => format!("{}.{name}", qualified(facts, Some(container))),
        None => name.to_owned(),
    }
}

pub fn expr(facts: &FileFacts, id: ExprId) -> String {
    match facts.expr(id) {
        Expr::Unknown => "?".to_owned(),
        Expr::Name(name) => facts.str(*name).to_owned(),
        Expr::This => "@self".to_owned(),
        Expr::Super => "@super".to_owned(),
        Expr::Root => "@root".to_owned(),
        Expr::Member { base, name } => format!("{}.{}", expr(facts, *base), facts.str(*name)),
        Expr::Call { callee, arg0: Some(arg) } => format!("{}({})", expr(facts, *callee), expr(facts, *arg)),
        Expr::Call { callee, arg0: None } => format!("{}()", expr(facts, *callee)),
        Expr::New(of) => format!("new {}", ty(facts, *of)),
        Expr::Index(of) => format!("{}[]", expr(facts, *of)),
        Expr::Element(of) => format!("each {}", expr(facts, *of)),
        Expr::Await(of) => format!("await {}", expr(facts, *of)),
        Expr::Part { of, n } => format!("{}[{n}]", expr(facts, *of)),
        Expr::Cast(to) => format!("as {}", ty(facts, *to)),
        Expr::OneOf(all) => {
            let all: Vec<String> = all.iter().map(|&one| expr(facts, one)).collect();
            format!("({})", all.join(" or "))
        }
        Expr::Literal(literal) => format!("{literal:?}"),
        Expr::Def(ix) => format!("def {}", qualified(facts, Some(*ix))),
        Expr::Made(ix) => format!("made {}", qualified(facts, Some(*ix))),
        Expr::Tuple(all) => format!("({})", exprs(facts, all)),
        Expr::Elements(all) => format!("[{}]", exprs(facts, all)),
    }
}

fn exprs(facts: &FileFacts, all: &[ExprId]) -> String {
    all.iter().map(|&one| expr(facts, one)).collect::<Vec<_>>().join(", ")
}

pub fn ty(facts: &FileFacts, id: TypeId) -> String {
    let list = |ids: &[TypeId], by: &str| ids.iter().map(|&one| ty(facts, one)).collect::<Vec<_>>().join(by);
    match facts.ty(id) {
        Type::Unknown => "?".to_owned(),
        Type::Path { path, args } => {
            let path: Vec<&str> = path.iter().map(|&part| facts.str(part)).collect();
            let args = if args.is_empty() { String::new() } else { format!("<{}>", list(args, ", ")) };
            format!("{}{args}", path.join("."))
        }
        Type::Union(all) => list(all, " | "),
        Type::List(of) => format!("[{}]", ty(facts, *of)),
        Type::Tuple(all) => format!("({})", list(all, ", ")),
        Type::This => "Self".to_owned(),
        Type::Function(None) => "fn".to_owned(),
        Type::Function(Some(result)) => format!("fn -> {}", ty(facts, *result)),
    }
}

fn arity((least, most): (u16, u16)) -> String {
    match most {
        u16::MAX => format!("{least}+"),
        _ if least == most => least.to_string(),
        _ => format!("{least}-{most}"),
    }
}

pub fn defs(facts: &FileFacts) -> String {
    let mut out = String::new();
    for (ix, def) in facts.defs.iter().enumerate() {
        let name = qualified(facts, Some(ix as DefIx));
        let _ = write!(out, "{} {name} {}-{} sig {}", def.kind.as_str(), def.start, def.end, def.signature_end);
        let _ = write!(out, " @{}:{}", def.name_line, def.name_column);
        if let Some((from, to)) = def.doc {
            let _ = write!(out, " doc {from}-{to}");
        }
        if def.kind.is_callable() {
            let _ = write!(out, " ({})", arity(def.arity));
        }
        if let Some(of) = def.ty {
            let _ = write!(out, " : {}", ty(facts, of));
        }
        for (flag, name) in FLAGS {
            if def.flags.has(flag) {
                let _ = write!(out, " {name}");
            }
        }
        out.push('\n');
    }
    out
}

pub fn refs(facts: &FileFacts) -> String {
    let mut out = String::new();
    for r in &facts.refs {
        let kind = format!("{:?}", r.kind).to_lowercase();
        let _ = write!(out, "{}:{} {kind} {}", r.line, r.column, expr(facts, r.expr));
        if !expr(facts, r.expr).ends_with(facts.str(r.name)) {
            let _ = write!(out, " as {}", facts.str(r.name));
        }
        if kind == "call" || kind == "construct" || kind == "decorator" {
            let argc = if r.argc == u16::MAX { "*".to_owned() } else { r.argc.to_string() };
            let _ = write!(out, " ({argc})");
        }
        if let Some(text) = r.arg0 {
            let _ = write!(out, " {:?}", facts.str(text));
        }
        let _ = writeln!(out, " in {}", qualified(facts, r.within));
    }
    out
}

pub fn imports(facts: &FileFacts) -> String {
    let mut out = String::new();
    for import in &facts.imports {
        let kind = format!("{:?}", import.kind).to_lowercase();
        let _ = write!(out, "{} {kind} {}{}", import.line, ".".repeat(import.level.into()), facts.str(import.module));
        if let Some(name) = import.name {
            let _ = write!(out, " : {}", facts.str(name));
        }
        if let Some(local) = import.local {
            let _ = write!(out, " as {}", facts.str(local));
        }
        if import.type_only {
            out.push_str(" type-only");
        }
        let _ = writeln!(out, " in {}", qualified(facts, import.within));
    }
    for export in &facts.exports {
        let _ = writeln!(out, "{} export {} = {}", export.line, facts.str(export.name), expr(facts, export.value));
    }
    for base in &facts.bases {
        let sub = match base.sub {
            BaseSub::Def(ix) => qualified(facts, Some(ix)),
            BaseSub::Type(of) => ty(facts, of),
        };
        let relation = format!("{:?}", base.relation).to_lowercase();
        let _ = writeln!(out, "{}:{} {sub} {relation} {}", base.line, base.column, ty(facts, base.sup));
    }
    out
}

pub fn bindings(facts: &FileFacts) -> String {
    let mut out = String::new();
    for binding in &facts.bindings {
        let kind = match binding.kind {
            BindingKind::Param(n) => format!("param {n}"),
            other => format!("{other:?}").to_lowercase(),
        };
        let _ =
            write!(out, "{} {kind} {} in {}", binding.line, facts.str(binding.name), qualified(facts, binding.scope));
        if let Some(of) = binding.ty {
            let _ = write!(out, " : {}", ty(facts, of));
        }
        if let Some(value) = binding.value {
            let _ = write!(out, " = {}", expr(facts, value));
        }
        out.push('\n');
    }
    out
}

pub fn roots(facts: &FileFacts) -> String {
    let mut out = String::new();
    for root in &facts.roots {
        let _ = write!(out, "{} {} {}", root.line, root.kind.as_str(), facts.str(root.name));
        if let Some(verb) = root.verb {
            let _ = write!(out, " {}", facts.str(verb));
        }
        if let Some(route) = root.route {
            let _ = write!(out, " {:?}", facts.str(route));
        }
        if let Some(handler) = root.handler {
            let _ = write!(out, " by {}", expr(facts, handler));
        }
        if root.def.is_some() {
            let _ = write!(out, " is {}", qualified(facts, root.def));
        }
        let _ = writeln!(out, " [{}]", facts.str(root.rule));
    }
    out
}

pub fn tables(facts: &FileFacts) -> String {
    let mut out = String::new();
    for table in &facts.table_defs {
        let model = qualified(facts, table.model);
        let _ = writeln!(out, "{} table {} of {model} [{}]", table.line, facts.str(table.table), facts.str(table.rule));
    }
    for used in &facts.table_uses {
        let target = match used.target {
            TableTarget::Name(name) => facts.str(name).to_owned(),
            TableTarget::Model(model) => format!("model {}", expr(facts, model)),
        };
        let verb = if used.write { "writes" } else { "reads" };
        let within = qualified(facts, used.within);
        let _ = writeln!(out, "{}:{} {verb} {target} in {within} [{}]", used.line, used.column, facts.str(used.rule));
    }
    out
}
