//! The tree of Python modules: which file an import means.
//!
//! A directory or file is a module by its name; several directories can be where absolute names
//! start (a folder on `sys.path`). From a file they are tried from the nearest outwards, as a script,
//! a package of a project or an installed checkout would see them.

use atlas_graph::link::{FileId, ModuleId, Program};
use atlas_syntax::Family;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A package directory, a module file, or a directory that holds some.
#[derive(Debug)]
pub(super) struct Module {
    /// `x.py`, or `__init__.py` of a package; a stub if there is nothing else.
    pub file: Option<FileId>,
    pub parent: Option<ModuleId>,
    children: FxHashMap<Box<str>, ModuleId>,
    /// A directory with `__init__`.
    is_package: bool,
}

/// All modules of a program; 0 is the root directory.
#[derive(Debug)]
pub(super) struct Modules {
    modules: Vec<Module>,
    of_file: FxHashMap<FileId, ModuleId>,
    /// Where the absolute name of a directory's modules starts.
    roots: Vec<ModuleId>,
    /// Directories where absolute names start, by the first names that they hold, in path order.
    starts: FxHashMap<Box<str>, Vec<ModuleId>>,
}

/// Folders of a project in which its packages may stand.
const SOURCE_FOLDERS: [&str; 4] = ["src", "lib", "python", "source"];
/// Packages that nest deeper than this are cycles or hostile.
const DEPTH_MAX: usize = 64;

impl Modules {
    pub fn new(program: &Program) -> Self {
        let mut this = Self {
            modules: vec![Module::new(None)],
            of_file: FxHashMap::default(),
            roots: Vec::new(),
            starts: FxHashMap::default(),
        };
        for (id, file) in program.files().iter().enumerate() {
            if file.facts.language.family() == Family::Python {
                this.add(id as FileId, file.path.as_str());
            }
        }
        this.find_roots();
        this
    }

    fn add(&mut self, id: FileId, path: &str) {
        let mut at: ModuleId = 0;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_some() {
                at = self.child_or_new(at, part);
                continue;
            }
            let (stem, extension) = part.rsplit_once('.').unwrap_or((part, ""));
            let is_stub = extension == "pyi";
            let module = if stem == "__init__" {
                self.modules[at as usize].is_package = true;
                at
            } else {
                self.child_or_new(at, stem)
            };
            self.of_file.insert(id, module);
            let entry = &mut self.modules[module as usize];
            // A package wins over a module of the same name, source over a stub.
            let is_init = stem == "__init__";
            if entry.file.is_none() || !is_stub && (is_init || !entry.is_package) {
                entry.file = Some(id);
            }
        }
    }

    fn child_or_new(&mut self, parent: ModuleId, name: &str) -> ModuleId {
        if let Some(&child) = self.modules[parent as usize].children.get(name) {
            return child;
        }
        let id = self.modules.len() as ModuleId;
        self.modules.push(Module::new(Some(parent)));
        self.modules[parent as usize].children.insert(name.into(), id);
        id
    }

    /// A directory's names start above the outermost package that it is part of.
    fn find_roots(&mut self) {
        self.roots = vec![0; self.modules.len()];
        for id in 0..self.modules.len() {
            // Parents have smaller numbers than their children.
            let Some(parent) = self.modules[id].parent else { continue };
            let package = self.modules[parent as usize].is_package;
            self.roots[id] = if package { self.roots[parent as usize] } else { parent };
        }
        let mut starts: BTreeMap<&str, Vec<ModuleId>> = BTreeMap::new();
        for (id, module) in self.modules.iter().enumerate() {
            if module.is_package {
                continue;
            }
            for (name, &child) in &module.children {
                if self.modules[child as usize].file.is_some() {
                    starts.entry(name).or_default().push(id as ModuleId);
                }
            }
        }
        self.starts = starts.into_iter().map(|(name, dirs)| (name.into(), dirs)).collect();
    }

    pub fn get(&self, id: ModuleId) -> &Module {
        &self.modules[id as usize]
    }

    pub fn of_file(&self, file: FileId) -> Option<ModuleId> {
        self.of_file.get(&file).copied()
    }

    pub fn child(&self, module: ModuleId, name: &str) -> Option<ModuleId> {
        self.modules[module as usize].children.get(name).copied()
    }

    /// The module that `level` leading dots and a path mean from a file.
    pub fn relative(&self, file: FileId, level: u8, path: &str) -> Option<ModuleId> {
        let own = self.of_file(file)?;
        // A package's own file is inside the package.
        let is_init = self.modules[own as usize].is_package && self.modules[own as usize].file == Some(file);
        let mut at = if is_init { own } else { self.modules[own as usize].parent? };
        for _ in 1..level {
            at = self.modules[at as usize].parent?;
        }
        self.walk(at, path)
    }

    fn walk(&self, from: ModuleId, path: &str) -> Option<ModuleId> {
        let mut at = from;
        for part in path.split('.').filter(|part| !part.is_empty()).take(DEPTH_MAX) {
            at = self.child(at, part)?;
        }
        Some(at)
    }

    /// The module that an absolute path means from a file: from the nearest folder outwards, then
    /// the only folder of the tree that starts it.
    pub fn absolute(&self, file: FileId, path: &str, is_standard: impl Fn(&str) -> bool) -> Option<ModuleId> {
        let first = path.split('.').next().unwrap_or(path);
        let own = self.of_file(file)?;
        let start = self.roots[own as usize];
        // A name of the standard library is shadowed only by what stands beside the file itself.
        if is_standard(first) {
            return self.child(start, first).and_then(|_| self.walk(start, path));
        }
        let mut at = Some(start);
        for _ in 0..DEPTH_MAX {
            let Some(dir) = at else { break };
            if self.child(dir, first).is_some() {
                return self.walk(dir, path);
            }
            for folder in SOURCE_FOLDERS {
                if let Some(source) = self.child(dir, folder)
                    && !self.modules[source as usize].is_package
                    && self.child(source, first).is_some()
                {
                    return self.walk(source, path);
                }
            }
            at = self.modules[dir as usize].parent;
        }
        match self.starts.get(first).map(Vec::as_slice) {
            Some([only]) => self.walk(*only, path),
            _ => None,
        }
    }
}

impl Module {
    fn new(parent: Option<ModuleId>) -> Self {
        Self { file: None, parent, children: FxHashMap::default(), is_package: false }
    }
}
