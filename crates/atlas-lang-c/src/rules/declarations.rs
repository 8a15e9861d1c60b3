//! Declarations and what they declare: prototypes and functions, members in a class and out of it,
//! forward declarations and types, `extern` and variables.

use super::includes::common_parts;
use super::namespaces::Namespaces;
use atlas_graph::link::{FileId, NodeId, Program};
use atlas_syntax::{BindingKind, Def, DefFlags, DefIx, DefKind, Family, FileFacts, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Declarations with what they declare.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// The definition of each declaration that has one.
    pub canonical: FxHashMap<NodeId, NodeId>,
    /// Definitions of members that could have been a declaration's, had not another been nearer.
    pub passed_over: FxHashSet<NodeId>,
}

pub(super) fn join(program: &Program, namespaces: &Namespaces) -> Joined {
    let joiner = Joiner { program, namespaces, parameters: parameters(program) };
    let mut joined = Joined::default();
    for (_, nodes) in namespaces.all() {
        joiner.join_names(nodes, &mut joined.canonical);
    }
    joiner.join_members(&mut joined);
    joined
}

struct Joiner<'p, 'n> {
    program: &'p Program,
    namespaces: &'n Namespaces<'p>,
    /// The written types of each function's parameters, where they are written.
    parameters: FxHashMap<NodeId, Vec<(u16, String)>>,
}

/// What may be declared and defined apart.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Sort {
    Function,
    Type,
    Variable,
    Macro,
}

fn sort_of(kind: DefKind) -> Option<Sort> {
    match kind {
        DefKind::Function | DefKind::Method | DefKind::Constructor => Some(Sort::Function),
        DefKind::Class | DefKind::Struct | DefKind::Union | DefKind::Enum => Some(Sort::Type),
        DefKind::Variable | DefKind::Constant | DefKind::Field => Some(Sort::Variable),
        DefKind::Macro => Some(Sort::Macro),
        _ => None,
    }
}

impl Joiner<'_, '_> {
    /// Joins what has one name in one namespace.
    fn join_names(&self, nodes: &[NodeId], canonical: &mut FxHashMap<NodeId, NodeId>) {
        if nodes.len() < 2 {
            return;
        }
        for &node in nodes {
            let Some(def) = self.program.def(node) else { continue };
            let Some(sort) = sort_of(def.kind) else { continue };
            let file = self.program.file_of(node);
            let is_declaration = def.flags.has(DefFlags::DECLARATION);
            let candidates: Vec<NodeId> = nodes
                .iter()
                .copied()
                .filter(|&other| other != node)
                .filter(|&other| {
                    self.program.def(other).is_some_and(|other_def| {
                        let same_file = self.program.file_of(other) == file;
                        sort_of(other_def.kind) == Some(sort)
                            && !other_def.flags.has(DefFlags::DECLARATION)
                            && (same_file || (is_declaration && self.links(def, other_def)))
                            && self.same_signature(node, def, other, other_def)
                    })
                })
                .collect();
            let target = if is_declaration {
                self.nearest(node, candidates)
            } else {
                // Of alternatives in one file the first of the default build stands for all.
                self.first_alternative(node, def, candidates)
            };
            if let Some(target) = target {
                canonical.insert(node, target);
            }
        }
    }

    /// Whether a declaration can mean a definition of another file: both must be seen by the linker.
    fn links(&self, declaration: &Def, definition: &Def) -> bool {
        let is_type = definition.kind.is_type();
        is_type || (!declaration.flags.has(DefFlags::FILE_LOCAL) && !definition.flags.has(DefFlags::FILE_LOCAL))
    }

    /// Same parameters, as far as they are written; in C the name is enough.
    fn same_signature(&self, a: NodeId, a_def: &Def, b: NodeId, b_def: &Def) -> bool {
        if sort_of(a_def.kind) != Some(Sort::Function) {
            return true;
        }
        let c_only = [a, b]
            .iter()
            .all(|&node| self.program.facts(self.program.file_of(node)).language == atlas_syntax::Language::C);
        if c_only {
            return true;
        }
        if a_def.arity.1 != b_def.arity.1 && a_def.arity.1 != u16::MAX && b_def.arity.1 != u16::MAX {
            return false;
        }
        let (a_types, b_types) = (self.parameters.get(&a), self.parameters.get(&b));
        let (Some(a_types), Some(b_types)) = (a_types, b_types) else { return true };
        a_types.iter().all(|(n, ty)| b_types.iter().find(|(m, _)| m == n).is_none_or(|(_, other)| other == ty))
    }

    /// Of several definitions the one nearest to the declaration, if one is.
    fn nearest(&self, declaration: NodeId, mut candidates: Vec<NodeId>) -> Option<NodeId> {
        let flagged = |node: NodeId| self.program.def(node).is_some_and(|def| def.flags.has(DefFlags::CONDITIONAL));
        if candidates.iter().any(|&node| !flagged(node)) {
            candidates.retain(|&node| !flagged(node));
        }
        let from = self.program.path(self.program.file_of(declaration));
        let closeness = |node: NodeId| {
            let path = self.program.path(self.program.file_of(node));
            let same_dir = path.parent() == from.parent();
            let same_stem = path.stem() == from.stem();
            let other_system = is_other_system(path.as_str());
            (path == from, same_dir && same_stem, !other_system, same_stem, common_parts(path.parent(), from.parent()))
        };
        let best = candidates.iter().map(|&node| closeness(node)).max()?;
        let mut of_best = candidates.into_iter().filter(|&node| closeness(node) == best);
        let first = of_best.next()?;
        // Two equally near: in one file they are alternatives, elsewhere there is no telling.
        let file = self.program.file_of(first);
        of_best.all(|other| self.program.file_of(other) == file).then_some(first)
    }

    fn first_alternative(&self, node: NodeId, def: &Def, candidates: Vec<NodeId>) -> Option<NodeId> {
        if matches!(def.kind, DefKind::Variable | DefKind::Constant) && def.container.is_some() {
            return None;
        }
        let rank = |node: NodeId| {
            let conditional = self.program.def(node).is_some_and(|def| def.flags.has(DefFlags::CONDITIONAL));
            (conditional, node)
        };
        let best = candidates.into_iter().min_by_key(|&other| rank(other))?;
        (rank(best) < rank(node)).then_some(best)
    }

    /// Joins members declared in a class with their definitions outside of it.
    fn join_members(&self, joined: &mut Joined) {
        // Definitions outside by (last name of the owner, own name).
        let mut outside: FxHashMap<(&str, &str), Vec<(NodeId, Vec<&str>)>> = FxHashMap::default();
        self.each_def(|file, facts, ix, def| {
            let (Some(owner), false) = (def.owner, def.flags.has(DefFlags::DECLARATION)) else { return };
            if !matches!(sort_of(def.kind), Some(Sort::Function | Sort::Variable)) {
                return;
            }
            let Some(path) = type_path(facts, owner) else { return };
            let Some(&last) = path.last() else { return };
            let node = self.program.def_node(file, ix);
            let full = self.full_path(file, def.container, &path);
            outside.entry((last, facts.str(def.name))).or_default().push((node, full));
        });
        self.each_def(|file, facts, ix, def| {
            let Some(class) = def.container.filter(|&class| facts.def(class).kind.is_type()) else { return };
            let declares = def.flags.has(DefFlags::DECLARATION) || def.kind == DefKind::Field;
            if !declares || !matches!(sort_of(def.kind), Some(Sort::Function | Sort::Variable)) {
                return;
            }
            let class_name = facts.str(facts.def(class).name);
            let Some(candidates) = outside.get(&(class_name, facts.str(def.name))) else { return };
            let node = self.program.def_node(file, ix);
            let full = self.full_path(file, facts.def(class).container, &[class_name]);
            let fits: Vec<NodeId> = candidates
                .iter()
                .filter(|(other, path)| {
                    let ends = path.len().min(full.len());
                    let same_place = path[path.len() - ends..] == full[full.len() - ends..];
                    let same_sort = self.program.def(*other).is_some_and(|o| sort_of(o.kind) == sort_of(def.kind));
                    same_place
                        && same_sort
                        && self.program.def(*other).is_some_and(|o| self.same_signature(node, def, *other, o))
                })
                .map(|(other, _)| *other)
                .collect();
            if let Some(target) = self.nearest(node, fits.clone()) {
                joined.canonical.insert(node, target);
                joined.passed_over.extend(fits.into_iter().filter(|&other| other != target));
            }
        });
    }

    fn each_def<'a>(&'a self, mut each: impl FnMut(FileId, &'a FileFacts, DefIx, &'a Def)) {
        for (id, file) in self.program.files().iter().enumerate() {
            if file.facts.language.family() != Family::C {
                continue;
            }
            for (ix, def) in file.facts.defs.iter().enumerate() {
                each(id as FileId, &file.facts, ix as DefIx, def);
            }
        }
    }

    /// The names from the outermost namespace to the end of `path`, which stands in `container`.
    fn full_path<'a>(&'a self, file: FileId, container: Option<DefIx>, path: &[&'a str]) -> Vec<&'a str> {
        let facts = self.program.facts(file);
        let mut classes = Vec::new();
        let mut scope = container;
        while let Some(ix) = scope {
            let def = facts.def(ix);
            if def.kind.is_type() {
                classes.push(facts.str(def.name));
            }
            scope = def.container;
        }
        let namespace = self.namespaces.name(self.namespaces.enclosing(file, container));
        let mut full: Vec<&str> = namespace.split("::").filter(|part| !part.is_empty()).collect();
        full.extend(classes.into_iter().rev());
        full.extend(path);
        full
    }
}

fn type_path(facts: &FileFacts, ty: TypeId) -> Option<Vec<&str>> {
    match facts.ty(ty) {
        Type::Path { path, .. } => Some(path.iter().map(|&part| facts.str(part)).collect()),
        _ => None,
    }
}

/// Whether a path says that its file is for another system than Linux.
fn is_other_system(path: &str) -> bool {
    path.split(['/', '_', '-', '.']).any(|part| {
        matches!(
            part.to_ascii_lowercase().as_str(),
            "win"
                | "win32"
                | "win64"
                | "windows"
                | "mac"
                | "macos"
                | "osx"
                | "darwin"
                | "ios"
                | "android"
                | "freebsd"
                | "solaris"
                | "cygwin"
                | "mingw"
                | "msvc"
                | "wasm"
                | "emscripten"
                | "os2"
                | "vms"
                | "dos"
        )
    })
}

/// The types of all parameters that are written, by function.
fn parameters(program: &Program) -> FxHashMap<NodeId, Vec<(u16, String)>> {
    let mut all: FxHashMap<NodeId, Vec<(u16, String)>> = FxHashMap::default();
    for (id, file) in program.files().iter().enumerate() {
        if file.facts.language.family() != Family::C {
            continue;
        }
        for binding in &file.facts.bindings {
            if let (BindingKind::Param(n), Some(scope), Some(ty)) = (binding.kind, binding.scope, binding.ty)
                && let Some(ty) = last_name(&file.facts, ty, 0)
            {
                all.entry(program.def_node(id as FileId, scope)).or_default().push((n, ty));
            }
        }
    }
    all
}

/// A type by its last name, so that `std::string` and `string` are one.
fn last_name(facts: &FileFacts, ty: TypeId, depth: u32) -> Option<String> {
    match facts.ty(ty) {
        Type::Path { path, .. } => path.last().map(|&last| facts.str(last).to_owned()),
        Type::List(of) if depth < 8 => last_name(facts, *of, depth + 1),
        _ => None,
    }
}
