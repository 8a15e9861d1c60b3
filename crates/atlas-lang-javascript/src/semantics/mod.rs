//! How names of JavaScript and TypeScript resolve across files.
//!
//! A module is a file. What it exports is read from the conventions that [`crate::extract`] keeps;
//! re-exports are followed through any number of barrels, cycles included. What is deliberately
//! *not* here: scopes, types and inheritance, which the engine knows for all languages.

mod builtin;
mod exports;
mod manifest;
mod outside;
mod resolver;

use atlas_graph::link::{Conventions, Entity, FileId, ModuleId, NodeId, Program, Rules, Semantics, Value};
use atlas_syntax::{DefFlags, DefIx, DefKind, Family, Import, Language};
use exports::Exports;
use resolver::Resolver;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The rules of the JavaScript family.
#[derive(Debug, Clone, Copy, Default)]
pub struct JavaScriptSemantics;

impl Semantics for JavaScriptSemantics {
    fn family(&self) -> Family {
        Family::JavaScript
    }

    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p> {
        let resolver = Resolver::new(program);
        let mut dirs: BTreeMap<&str, u32> = BTreeMap::new();
        for file in 0..program.files().len() as FileId {
            if let Some(dir) = resolver.package_dir(file) {
                let next = dirs.len() as u32 + 1;
                dirs.entry(dir).or_insert(next);
            }
        }
        let packages = (0..program.files().len() as FileId)
            .map(|file| resolver.package_dir(file).and_then(|dir| dirs.get(dir).copied()).unwrap_or(0))
            .collect::<Vec<u32>>();
        let globals = globals(program, &packages);
        let canonical = canonical(program);
        let exports = Exports::new(program, &resolver);
        Box::new(JavaScriptRules { exports, packages, globals, canonical })
    }
}

struct JavaScriptRules<'p> {
    exports: Exports<'p>,
    packages: Vec<u32>,
    /// Names at the top level of scripts, which other scripts of the package see, and of ambient
    /// declarations, which all files see: (package, name) to definitions.
    globals: Globals,
    canonical: FxHashMap<NodeId, NodeId>,
}

#[derive(Default)]
struct Globals {
    scripts: FxHashMap<(u32, Box<str>), Vec<NodeId>>,
    ambient: FxHashMap<(u32, Box<str>), Vec<NodeId>>,
    is_script: Vec<bool>,
}

impl Rules for JavaScriptRules<'_> {
    fn conventions(&self) -> &Conventions {
        &builtin::CONVENTIONS
    }

    fn import(&self, file: FileId, import: &Import) -> Vec<Entity> {
        self.exports.import(file, import)
    }

    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity> {
        self.exports.member(module, name)
    }

    fn module_files(&self, module: ModuleId) -> Vec<FileId> {
        vec![module]
    }

    fn module_of(&self, file: FileId) -> Option<ModuleId> {
        Some(file)
    }

    fn visible(&self, file: FileId, _within: Option<DefIx>, name: &str) -> Vec<Entity> {
        if name == "exports" {
            let whole = self.exports.whole(file);
            return if whole.is_empty() { vec![Entity::Module(file)] } else { whole };
        }
        let key = (self.packages[file as usize], Box::from(name));
        let mut found: Vec<NodeId> = Vec::new();
        if self.globals.is_script[file as usize] {
            found.extend(self.globals.scripts.get(&key).map_or(&[][..], Vec::as_slice));
        }
        if found.is_empty() {
            found.extend(self.globals.ambient.get(&key).map_or(&[][..], Vec::as_slice));
        }
        found.into_iter().map(Entity::Def).collect()
    }

    fn package_of(&self, file: FileId) -> u32 {
        self.packages[file as usize]
    }

    fn canonical(&self, def: NodeId) -> NodeId {
        self.canonical.get(&def).copied().unwrap_or(def)
    }

    fn external_member(&self, ty: &str, args: &[Vec<Value>], member: &str, called: bool) -> Option<Vec<Value>> {
        outside::member(ty, args, member, called)
    }

    fn external_call(&self, name: &str, arg0: &[Value]) -> Option<Vec<Value>> {
        outside::call(name, arg0)
    }
}

/// Files of this family, by id.
fn files(program: &Program) -> impl Iterator<Item = FileId> + '_ {
    (0..program.files().len() as FileId).filter(|&file| program.family(file) == Family::JavaScript)
}

fn globals(program: &Program, packages: &[u32]) -> Globals {
    let mut globals = Globals { is_script: vec![false; program.files().len()], ..Globals::default() };
    for file in files(program) {
        let facts = program.facts(file);
        let is_module = !facts.imports.is_empty()
            || !facts.exports.is_empty()
            || facts.defs.iter().any(|def| def.container.is_none() && def.flags.has(DefFlags::EXPORTED));
        let is_component = matches!(facts.language, Language::Vue | Language::Svelte);
        if is_module || is_component {
            continue;
        }
        let ambient = program.path(file).as_str().ends_with(".d.ts");
        globals.is_script[file as usize] = true;
        let map = if ambient { &mut globals.ambient } else { &mut globals.scripts };
        for (ix, def) in facts.defs.iter().enumerate() {
            if def.container.is_none() && def.owner.is_none() {
                let key = (packages[file as usize], Box::from(facts.str(def.name)));
                map.entry(key).or_default().push(program.def_node(file, ix as DefIx));
            }
        }
    }
    globals
}

/// Overload signatures stand for their implementation, a setter for the getter of its name.
fn canonical(program: &Program) -> FxHashMap<NodeId, NodeId> {
    let mut canonical = FxHashMap::default();
    for file in files(program) {
        let facts = program.facts(file);
        let mut groups: BTreeMap<(Option<DefIx>, u32), Vec<DefIx>> = BTreeMap::new();
        for (ix, def) in facts.defs.iter().enumerate() {
            if def.kind.is_callable() && def.owner.unwrap_or_default() == 0 {
                groups.entry((def.container, def.name)).or_default().push(ix as DefIx);
            }
        }
        for group in groups.into_values().filter(|group| group.len() > 1) {
            let has = |ix: &DefIx, flag| facts.def(*ix).flags.has(flag);
            let same_side = |a: DefIx, b: DefIx| has(&a, DefFlags::STATIC) == has(&b, DefFlags::STATIC);
            for &ix in &group {
                let declared = has(&ix, DefFlags::DECLARATION);
                let target = group.iter().copied().find(|&other| {
                    other != ix
                        && same_side(ix, other)
                        && if declared {
                            !has(&other, DefFlags::DECLARATION) || other < ix
                        } else {
                            facts.def(ix).kind == DefKind::Method
                                && has(&other, DefFlags::GETTER)
                                && !has(&ix, DefFlags::GETTER)
                        }
                });
                if let Some(target) = target {
                    canonical.insert(program.def_node(file, ix), program.def_node(file, target));
                }
            }
        }
    }
    // A signature may stand for a signature that stands for the implementation.
    let snapshot = canonical.clone();
    for target in canonical.values_mut() {
        for _ in 0..64 {
            match snapshot.get(target) {
                Some(&next) => *target = next,
                None => break,
            }
        }
    }
    canonical
}
