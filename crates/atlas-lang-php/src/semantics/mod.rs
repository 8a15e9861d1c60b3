//! How PHP names resolve. The facts name classes, functions and constants in full already; what is left
//! is to find them: in the file itself, in its Composer package, in the tree.

mod library;

use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{DefIx, DefKind, Expr, Family, Import, ImportKind};
use rustc_hash::FxHashMap;

/// PHP's [`Semantics`].
#[derive(Debug, Clone, Copy, Default)]
pub struct PhpSemantics;

impl Semantics for PhpSemantics {
    fn family(&self) -> Family {
        Family::Php
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        Box::new(PhpRules::new(program))
    }
}

const CONVENTIONS: Conventions = Conventions {
    body_sees_members: false,
    methods_apart: true,
    mixins_first: true,
    call_operator: Some("__invoke"),
    constructors: &["__construct"],
    dynamic: true,
    common_members: &library::COMMON_MEMBERS,
    containers: &library::CONTAINERS,
    index_method: Some("offsetGet"),
    ..Conventions::NONE
};

struct PhpRules<'p> {
    program: &'p Program,
    /// What is defined, by full name in lower case; of constants the last segment keeps its case.
    names: FxHashMap<String, Vec<NodeId>>,
    packages: Vec<u32>,
}

impl<'p> PhpRules<'p> {
    fn new(program: &'p Program) -> Self {
        let mut names: FxHashMap<String, Vec<NodeId>> = FxHashMap::default();
        for (id, file) in program.files().iter().enumerate() {
            let (id, facts) = (id as FileId, &*file.facts);
            if facts.language.family() != Family::Php {
                continue;
            }
            for export in &facts.exports {
                if let Expr::Def(ix) = facts.expr(export.value) {
                    names.entry(key(facts.str(export.name))).or_default().push(program.def_node(id, *ix));
                }
            }
        }
        Self { program, names, packages: packages(program) }
    }

    /// What a full name means to a file: what the file itself defines, else its package, else the tree.
    fn named(&self, file: FileId, name: &str) -> Vec<Entity> {
        let Some(all) = self.names.get(&key(name)) else { return Vec::new() };
        let in_file = |node: &&NodeId| self.program.file_of(**node) == file;
        let package = |file: FileId| self.packages.get(file as usize).copied().unwrap_or(0);
        let in_package = |node: &&NodeId| package(self.program.file_of(**node)) == package(file);
        let mut kept: Vec<NodeId> = all.iter().filter(in_file).copied().collect();
        if kept.is_empty() {
            kept = all.iter().filter(in_package).copied().collect();
        }
        if kept.is_empty() {
            kept.clone_from(all);
        }
        kept.into_iter().map(Entity::Def).collect()
    }

    /// A function or constant of a namespace, else the global one of its last segment.
    fn with_fallback(&self, file: FileId, name: &str) -> Vec<Entity> {
        let found = self.named(file, name);
        if !found.is_empty() {
            return found;
        }
        let global = match name.strip_prefix("const ") {
            Some(name) => format!("const \\{}", last_segment(name)),
            None => format!("\\{}", last_segment(name)),
        };
        let found = self.named(file, &global);
        if found.is_empty() { vec![Entity::External(global.into())] } else { found }
    }
}

fn last_segment(name: &str) -> &str {
    name.rsplit('\\').next().unwrap_or(name)
}

/// Names of classes and functions do not tell cases apart; those of constants do.
fn key(name: &str) -> String {
    match name.starts_with("const ") {
        true => match name.rsplit_once('\\') {
            Some((namespace, last)) => format!("{}\\{last}", namespace.to_lowercase()),
            None => name.to_owned(),
        },
        false => name.to_lowercase(),
    }
}

impl Rules for PhpRules<'_> {
    fn conventions(&self) -> &Conventions {
        &CONVENTIONS
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        let facts = self.program.facts(file);
        let module = facts.str(import.module);
        match (import.kind, import.name) {
            (ImportKind::Name, Some(name)) => {
                let name = facts.str(name);
                let (prefix, name) = name.strip_prefix("const ").map_or(("", name), |name| ("const ", name));
                let full =
                    if module.is_empty() { format!("{prefix}\\{name}") } else { format!("{prefix}\\{module}\\{name}") };
                self.named(file, &full)
            }
            (ImportKind::Require, _) => {
                let dir = self.program.path(file).parent();
                let found = normal(dir, module).and_then(|path| self.program.find(&path));
                let found = found.or_else(|| if import.level == 0 { self.program.find(module) } else { None });
                found.map(Entity::Module).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn module_member(&self, _module: ModuleId, _name: &str) -> Vec<Entity> {
        Vec::new()
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        vec![module]
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        Some(file)
    }

    fn visible(&self, file: FileId, _within: Option<DefIx>, name: &str) -> Vec<Entity> {
        if name.ends_with("()") || name.starts_with("const ") {
            return self.with_fallback(file, name);
        }
        if !name.starts_with('\\') {
            return Vec::new();
        }
        let found = self.named(file, name);
        if found.is_empty() { vec![Entity::External(name.into())] } else { found }
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.packages.get(file as usize).copied().unwrap_or(0)
    }

    fn common_member(&self, base: &Value, member: &str, called: bool) -> Option<Vec<Value>> {
        let Value::Def(node) = base else { return None };
        let is_enum = self.program.def(*node).is_some_and(|def| def.kind == DefKind::Enum);
        if !is_enum || !matches!(member, "cases" | "from" | "tryFrom") {
            return None;
        }
        let one = Value::Instance(*node, Vec::new());
        Some(match (member, called) {
            (_, false) => vec![Value::External(member.into())],
            ("cases", true) => vec![Value::ExternalInstance("list".into(), vec![vec![one]])],
            (_, true) => vec![one],
        })
    }

    fn external_call(&self, name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
        library::call(name, arg0)
    }
}

/// `dir/path` without `.` and `..`; None if it leaves the tree.
fn normal(dir: &str, path: &str) -> Option<String> {
    let mut all: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                all.pop()?;
            }
            part => all.push(part),
        }
    }
    Some(all.join("/"))
}

/// Files belong to the nearest directory with a Composer manifest; all others to the root.
fn packages(program: &Program) -> Vec<u32> {
    let manifests = program.configs().iter().filter(|config| config.path.file_name() == "composer.json");
    let number: FxHashMap<&str, u32> = manifests.map(|config| config.path.parent()).zip(1..).collect();
    let package = |path: &str| {
        let mut dir = path;
        while let Some((parent, _)) = dir.rsplit_once('/') {
            dir = parent;
            if let Some(&n) = number.get(dir) {
                return n;
            }
        }
        number.get("").copied().unwrap_or(0)
    };
    program.files().iter().map(|file| package(file.path.as_str())).collect()
}
