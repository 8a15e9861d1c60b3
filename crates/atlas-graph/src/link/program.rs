//! All files of a tree with their facts, and one dense numbering of everything they define.

use atlas_syntax::{Def, DefIx, Family, FileFacts, Type};
use atlas_tree::RepoPath;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file of the program, by path order.
pub type FileId = u32;
/// A node of the graph: a file, one of its definitions, or a table. Numbered by (path, position in
/// the file's definitions), the file itself first; tables come last, by name.
pub type NodeId = u32;

/// One parsed file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub path: RepoPath,
    pub facts: Arc<FileFacts>,
}

/// A manifest or configuration file that resolution reads: `package.json`, `tsconfig.json`,
/// `go.mod`, `Cargo.toml`, `pyproject.toml`, …
#[derive(Debug, Clone)]
pub struct ConfigFile {
    pub path: RepoPath,
    pub bytes: Arc<[u8]>,
}

/// File names whose bytes [`Program::configs`] should hold.
#[must_use]
pub fn is_config(path: &RepoPath) -> bool {
    let name = path.file_name();
    matches!(
        name,
        "package.json"
            | "go.mod"
            | "go.work"
            | "Cargo.toml"
            | "pyproject.toml"
            | "setup.cfg"
            | "setup.py"
            | "composer.json"
            | "pnpm-workspace.yaml"
            | "lerna.json"
            | "pom.xml"
            | "build.gradle"
            | "build.gradle.kts"
            | "settings.gradle"
            | "settings.gradle.kts"
            | "Gemfile"
            | "compile_commands.json"
            | "deno.json"
    ) || (name.ends_with(".json") && (name.starts_with("tsconfig") || name.starts_with("jsconfig")))
        || name.ends_with(".gemspec")
        || name.ends_with(".csproj")
}

/// The whole tree as facts. Everything is in path order.
#[derive(Debug)]
pub struct Program {
    files: Vec<SourceFile>,
    configs: Vec<ConfigFile>,
    /// Node id of each file; one more entry at the end.
    base: Vec<NodeId>,
    by_path: FxHashMap<RepoPath, FileId>,
    by_name: BTreeMap<Family, FxHashMap<Box<str>, Vec<NodeId>>>,
}

impl Program {
    /// Files are put into path order; of two with one path the first is kept.
    #[must_use]
    pub fn new(mut files: Vec<SourceFile>, mut configs: Vec<ConfigFile>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        configs.sort_by(|a, b| a.path.cmp(&b.path));
        let mut base = Vec::with_capacity(files.len() + 1);
        let mut next = 0;
        let mut by_path = FxHashMap::default();
        let mut by_name: BTreeMap<Family, FxHashMap<Box<str>, Vec<NodeId>>> = BTreeMap::new();
        for (id, file) in files.iter().enumerate() {
            base.push(next);
            by_path.insert(file.path.clone(), id as FileId);
            let names = by_name.entry(file.facts.language.family()).or_default();
            for (ix, def) in file.facts.defs.iter().enumerate() {
                let name = file.facts.str(def.name).into();
                names.entry(name).or_default().push(next + 1 + ix as NodeId);
            }
            next += 1 + file.facts.defs.len() as NodeId;
        }
        base.push(next);
        Self { files, configs, base, by_path, by_name }
    }

    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    #[must_use]
    pub fn configs(&self) -> &[ConfigFile] {
        &self.configs
    }

    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id as usize]
    }

    #[must_use]
    pub fn facts(&self, id: FileId) -> &FileFacts {
        &self.files[id as usize].facts
    }

    #[must_use]
    pub fn path(&self, id: FileId) -> &RepoPath {
        &self.files[id as usize].path
    }

    #[must_use]
    pub fn family(&self, id: FileId) -> Family {
        self.facts(id).language.family()
    }

    #[must_use]
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// Number of file and definition nodes; table nodes are numbered from here on.
    #[must_use]
    pub fn node_count(&self) -> NodeId {
        self.base[self.files.len()]
    }

    #[must_use]
    pub fn file_node(&self, file: FileId) -> NodeId {
        self.base[file as usize]
    }

    #[must_use]
    pub fn def_node(&self, file: FileId, ix: DefIx) -> NodeId {
        self.base[file as usize] + 1 + ix
    }

    /// The node of a scope: a definition of the file, or the file itself.
    #[must_use]
    pub fn scope_node(&self, file: FileId, scope: Option<DefIx>) -> NodeId {
        scope.map_or_else(|| self.file_node(file), |ix| self.def_node(file, ix))
    }

    /// The file of a node (not of a table).
    #[must_use]
    pub fn file_of(&self, node: NodeId) -> FileId {
        (self.base.partition_point(|&base| base <= node) - 1) as FileId
    }

    /// The definition's index in its file; None for a file node.
    #[must_use]
    pub fn def_ix(&self, node: NodeId) -> Option<DefIx> {
        let base = self.base[self.file_of(node) as usize];
        (node > base).then(|| node - base - 1)
    }

    /// The definition of a node; None for a file node.
    #[must_use]
    pub fn def(&self, node: NodeId) -> Option<&Def> {
        let file = self.file_of(node);
        let base = self.base[file as usize];
        (node > base).then(|| &self.facts(file).defs[(node - base - 1) as usize])
    }

    /// The definition's name; the file's path for a file node.
    #[must_use]
    pub fn name(&self, node: NodeId) -> &str {
        let file = self.file_of(node);
        self.def(node).map_or_else(|| self.path(file).as_str(), |def| self.facts(file).str(def.name))
    }

    /// The node that a definition stands in: another definition or its file.
    #[must_use]
    pub fn container(&self, node: NodeId) -> Option<NodeId> {
        let def = self.def(node)?;
        Some(self.scope_node(self.file_of(node), def.container))
    }

    /// The owner that a definition names, as written; empty if it names none.
    #[must_use]
    pub fn written_owner(&self, node: NodeId) -> Vec<&str> {
        let facts = self.facts(self.file_of(node));
        let owner = self.def(node).and_then(|def| def.owner);
        match owner.map(|owner| facts.ty(owner)) {
            // A local of a block is bound under its name with a number (`x#2`).
            Some(Type::Path { path, .. }) => {
                let plain = |&part: &u32| facts.str(part).split('#').next().unwrap_or_default();
                path.iter().map(plain).filter(|part| !part.is_empty()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Every definition of the family with this name, in node order.
    #[must_use]
    pub fn named(&self, family: Family, name: &str) -> &[NodeId] {
        self.by_name.get(&family).and_then(|names| names.get(name)).map_or(&[], Vec::as_slice)
    }
}
