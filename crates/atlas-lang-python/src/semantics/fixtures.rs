//! Fixtures of pytest: a parameter of a test asks for one by its name.

use crate::FIXTURE;
use atlas_graph::link::{FileId, NodeId, Program};
use atlas_syntax::{Expr, Family};
use rustc_hash::FxHashMap;

/// Fixtures by name, in file order.
#[derive(Debug)]
pub(super) struct Fixtures<'p> {
    by_name: FxHashMap<&'p str, Vec<(FileId, NodeId)>>,
}

impl<'p> Fixtures<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut by_name: FxHashMap<&'p str, Vec<(FileId, NodeId)>> = FxHashMap::default();
        for (id, file) in program.files().iter().enumerate() {
            let (id, facts) = (id as FileId, &*file.facts);
            if facts.language.family() != Family::Python {
                continue;
            }
            for binding in &facts.bindings {
                if let (None, Some(name), Some(value)) =
                    (binding.scope, facts.str(binding.name).strip_prefix(FIXTURE), binding.value)
                    && let Expr::Def(ix) = facts.expr(value)
                {
                    by_name.entry(name).or_default().push((id, program.def_node(id, *ix)));
                }
            }
        }
        Self { by_name }
    }

    /// The fixture that a file's tests get by a name: of the nearest `conftest.py`, else the only one
    /// of the package.
    pub fn seen_from(
        &self,
        program: &Program,
        file: FileId,
        name: &str,
        same_package: impl Fn(FileId) -> bool,
    ) -> Option<NodeId> {
        let all = self.by_name.get(name)?;
        let mut dir = program.path(file).as_str();
        while let Some((parent, _)) = dir.rsplit_once('/') {
            dir = parent;
            let found = all.iter().find(|&&(other, _)| {
                program.path(other).as_str().strip_prefix(dir).is_some_and(|rest| rest == "/conftest.py")
            });
            if let Some(&(_, node)) = found {
                return Some(node);
            }
        }
        if let Some(&(_, node)) = all.iter().find(|&&(other, _)| program.path(other).as_str() == "conftest.py") {
            return Some(node);
        }
        // Plugins give fixtures from anywhere; tests keep those of their own files.
        let is_test = |other: FileId| {
            let name = program.path(other).file_name();
            name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py"
        };
        let mut plugins = all.iter().filter(|&&(other, _)| same_package(other) && !is_test(other));
        match (plugins.next(), plugins.next()) {
            (Some(&(_, node)), None) => Some(node),
            _ => None,
        }
    }
}
