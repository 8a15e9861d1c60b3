//! How Ruby names resolve: constants of the whole program, classes opened again, required files.

mod library;
mod records;

use crate::OWN_CLASS;
use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{BaseSub, DefIx, Family, Import, ImportKind};
use atlas_tree::RepoPath;
use rustc_hash::{FxHashMap, FxHashSet};

/// Ruby's [`Semantics`].
#[derive(Debug, Clone, Copy, Default)]
pub struct RubySemantics;

impl Semantics for RubySemantics {
    fn family(&self) -> Family {
        Family::Ruby
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        Box::new(RubyRules::new(program))
    }
}

const CONVENTIONS: Conventions = Conventions {
    // Bare words are written as members of `self` already; what is left are constants, which are seen
    // from every class and module around.
    implicit_this: true,
    types_reopen: true,
    statics_apart: true,
    mixins_first: true,
    call_operator: Some("call"),
    index_method: Some("[]"),
    new_methods: &["new"],
    constructors: &["initialize"],
    dynamic: true,
    common_members: library::COMMON_MEMBERS,
    builtins: library::BUILTINS,
    containers: &["Enumerator", "Relation", "Set", "list"],
    bare_by_name: true,
    package_is_open: true,
    properties_are_methods: true,
    ..Conventions::NONE
};

struct RubyRules<'p> {
    program: &'p Program,
    canonical: FxHashMap<NodeId, NodeId>,
    /// Constants, globals and functions at the top of any file, by name, in node order.
    tops: FxHashMap<&'p str, Vec<NodeId>>,
    /// Files by the last part of their path without its extension.
    by_stem: FxHashMap<&'p str, Vec<FileId>>,
    packages: Vec<u32>,
    records: FxHashSet<NodeId>,
    /// Types that no test defines, by their whole names.
    types: FxHashMap<String, NodeId>,
    /// Whole names of modules that some file includes outside of any class, sorted.
    everywhere: Vec<&'p str>,
}

impl<'p> RubyRules<'p> {
    fn new(program: &'p Program) -> Self {
        let mut this = Self {
            program,
            canonical: FxHashMap::default(),
            tops: FxHashMap::default(),
            by_stem: FxHashMap::default(),
            packages: packages(program),
            records: FxHashSet::default(),
            types: FxHashMap::default(),
            everywhere: Vec::new(),
        };
        let mut types: FxHashMap<(String, u32), Vec<NodeId>> = FxHashMap::default();
        for (id, file) in program.files().iter().enumerate() {
            let (id, facts) = (id as FileId, &*file.facts);
            if facts.language.family() != Family::Ruby {
                continue;
            }
            this.by_stem.entry(stem(&file.path)).or_default().push(id);
            let group = test_group(program, id);
            let mut paths: FxHashMap<DefIx, String> = FxHashMap::default();
            for (ix, def) in facts.defs.iter().enumerate() {
                let (ix, node) = (ix as DefIx, program.def_node(id, ix as DefIx));
                if def.container.is_none() && def.owner.is_none() {
                    this.tops.entry(facts.str(def.name)).or_default().push(node);
                }
                if !def.kind.is_type() {
                    continue;
                }
                let path = full_path(program, node, def.container.and_then(|c| paths.get(&c)).map(String::as_str));
                types.entry((path.clone(), group)).or_default().push(node);
                paths.insert(ix, path);
            }
            let everywhere = facts.imports.iter().filter(|import| import.kind == ImportKind::Wildcard);
            this.everywhere.extend(everywhere.map(|import| facts.str(import.module).trim_start_matches("::")));
            for table in &facts.table_defs {
                this.records.extend(table.model.map(|ix| program.def_node(id, ix)));
            }
        }
        this.everywhere.sort_unstable();
        this.everywhere.dedup();
        for ((path, group), openings) in types {
            let home = this.home_of(&openings);
            if group == NO_TEST {
                this.types.insert(path, home);
            }
            for node in openings.into_iter().filter(|&node| node != home) {
                this.canonical.insert(node, home);
            }
        }
        let records: Vec<NodeId> = this.records.iter().copied().collect();
        this.records = records.into_iter().map(|node| this.canonical(node)).collect();
        this
    }

    /// The opening that stands for a type: the first that names its parent, else the first.
    fn home_of(&self, openings: &[NodeId]) -> NodeId {
        let names_parent = |&&node: &&NodeId| {
            let facts = self.program.facts(self.program.file_of(node));
            let ix = self.program.def_ix(node);
            facts.bases.iter().any(|base| {
                base.relation == atlas_syntax::BaseRelation::Inherit
                    && matches!(base.sub, BaseSub::Def(sub) if Some(sub) == ix)
            })
        };
        openings.iter().find(names_parent).or(openings.first()).copied().unwrap_or_default()
    }

    /// What a constant or global means from anywhere: what is defined at the top of some file.
    fn top(&self, file: FileId, name: &str) -> Vec<Entity> {
        let Some(nodes) = self.tops.get(name) else {
            let included = self.everywhere.iter().filter_map(|module| self.types.get(&format!("{module}::{name}")));
            return included.map(|&node| Entity::Def(node)).collect();
        };
        let mut found: Vec<NodeId> = nodes.iter().map(|&node| self.canonical(node)).collect();
        found.sort_unstable();
        found.dedup();
        // Tests define what only they see.
        let near = |&node: &NodeId| {
            let group = test_group(self.program, self.program.file_of(node));
            group == NO_TEST || self.program.file_of(node) == file
        };
        if found.iter().any(near) {
            found.retain(near);
        }
        if found.iter().any(|&node| self.program.file_of(node) == file) {
            found.retain(|&node| self.program.file_of(node) == file);
        }
        found.into_iter().map(Entity::Def).collect()
    }

    fn required(&self, file: FileId, import: &Import) -> Option<FileId> {
        let path = self.program.facts(file).str(import.module);
        let path = path.strip_suffix(".rb").unwrap_or(path);
        if import.level > 0 {
            let dir = self.program.path(file).as_str().rsplit_once('/').map_or("", |(dir, _)| dir);
            return self.program.find(&format!("{}.rb", normal(dir, path)?));
        }
        let last = path.rsplit('/').next().unwrap_or(path);
        let suffix = format!("/{path}.rb");
        let whole = &suffix[1..];
        let fits = |&&id: &&FileId| {
            let found = self.program.path(id).as_str();
            found == whole || found.ends_with(&suffix)
        };
        let found: Vec<FileId> = self.by_stem.get(last)?.iter().filter(fits).copied().collect();
        // `lib` is where `require` looks; else the only file that it can mean.
        let in_lib = |&&id: &&FileId| {
            let path = self.program.path(id).as_str();
            path.strip_suffix(whole).is_some_and(|dir| dir == "lib/" || dir.ends_with("/lib/"))
                && self.packages[id as usize] == self.packages[file as usize]
        };
        found.iter().find(in_lib).copied().or(match found.as_slice() {
            [only] => Some(*only),
            _ => None,
        })
    }
}

impl Rules for RubyRules<'_> {
    fn conventions(&self) -> &Conventions {
        &CONVENTIONS
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        match import.kind {
            ImportKind::Require => self.required(file, import).map(Entity::Module).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        let found = self.tops.get(name).into_iter().flatten().copied();
        found.filter(|&node| self.program.file_of(node) == module).map(Entity::Def).collect()
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        vec![module]
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        Some(file)
    }

    fn visible(&self, file: FileId, within: Option<DefIx>, name: &str) -> Vec<Entity> {
        if name == OWN_CLASS {
            let facts = self.program.facts(file);
            let mut scope = within;
            while let Some(ix) = scope {
                if facts.def(ix).kind.is_type() {
                    return vec![Entity::Def(self.canonical(self.program.def_node(file, ix)))];
                }
                scope = facts.def(ix).container;
            }
            return Vec::new();
        }
        let name = name.strip_prefix("::").unwrap_or(name);
        if !name.starts_with(|c: char| c.is_uppercase() || c == '$') {
            return Vec::new();
        }
        let found = self.top(file, name);
        // A constant that nothing here defines is some gem's.
        if found.is_empty() { vec![Entity::External(name.into())] } else { found }
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.packages[file as usize]
    }

    fn canonical(&self, def: NodeId) -> NodeId {
        self.canonical.get(&def).copied().unwrap_or(def)
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
        if !called {
            return None;
        }
        records::relation_member(ty, args, member).or_else(|| library::member(ty, args, member))
    }

    fn common_member(&self, base: &Value, member: &str, called: bool) -> Option<Vec<Value>> {
        match (base, member) {
            (Value::Instance(node, _), "class" | "singleton_class") => Some(vec![Value::Def(*node)]),
            (Value::Def(node), _) if called && self.records.contains(node) => records::class_member(*node, member),
            _ => None,
        }
    }

    fn external_element(&self, ty: &str, args: &[Vec<Value>], _index: bool) -> Option<Vec<Value>> {
        (ty == records::RELATION).then(|| args.first().cloned().unwrap_or_default())
    }
}

/// Files of tests see the program; the program does not see them, nor they each other.
const NO_TEST: u32 = u32::MAX;

fn test_group(program: &Program, file: FileId) -> u32 {
    let is_test = program
        .path(file)
        .as_str()
        .split('/')
        .any(|part| matches!(part, "spec" | "specs" | "test" | "tests" | "features" | "fixtures" | "examples"));
    if is_test { file } else { NO_TEST }
}

/// The whole name of a type: that of what it stands in, the owner that it names, its own.
fn full_path(program: &Program, node: NodeId, around: Option<&str>) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let owner = program.written_owner(node);
    // `class ::A::B` starts at the top.
    let absolute = owner.first().is_some_and(|first| first.starts_with("::"));
    parts.extend(around.filter(|_| !absolute));
    parts.extend(owner.iter().map(|part| part.trim_start_matches("::")));
    parts.push(program.name(node));
    parts.join("::")
}

fn stem(path: &RepoPath) -> &str {
    let name = path.file_name();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// `dir/path` without `.` and `..`; None if it leaves the tree.
fn normal(dir: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Files belong to the nearest directory with a gem specification; all others to the root.
fn packages(program: &Program) -> Vec<u32> {
    let mut gems: Vec<&str> = program
        .configs()
        .iter()
        .filter(|config| config.path.as_str().ends_with(".gemspec"))
        .map(|config| config.path.as_str().rsplit_once('/').map_or("", |(dir, _)| dir))
        .collect();
    gems.sort_unstable();
    gems.dedup();
    let number: FxHashMap<&str, u32> = gems.iter().zip(1..).map(|(&dir, n)| (dir, n)).collect();
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
