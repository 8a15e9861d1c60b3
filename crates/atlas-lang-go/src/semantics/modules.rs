//! Which directory an import path leads to: `go.mod` files, their `replace` directives, `vendor`
//! directories, and for trees without `go.mod` the path's end.

use super::directory;
use atlas_graph::link::{FileId, Program};
use atlas_syntax::Family;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A module of the tree.
#[derive(Debug)]
struct Module {
    dir: String,
    path: String,
    /// Module paths that are taken from directories of the tree instead.
    replaced: Vec<(String, String)>,
}

/// The modules of a tree and the Go files of each directory.
#[derive(Debug)]
pub(super) struct Modules {
    /// Deepest directory first.
    modules: Vec<Module>,
    files: BTreeMap<String, Vec<FileId>>,
    /// In a tree without `go.mod`: what comes before the tree's own directories in import paths.
    prefixes: Vec<String>,
}

impl Modules {
    pub(super) fn new(program: &Program) -> Self {
        let mut files: BTreeMap<String, Vec<FileId>> = BTreeMap::new();
        for (id, file) in program.files().iter().enumerate() {
            if file.facts.language.family() == Family::Go {
                files.entry(directory(file.path.as_str()).to_owned()).or_default().push(id as FileId);
            }
        }
        let mut modules: Vec<Module> = program
            .configs()
            .iter()
            .filter(|config| config.path.file_name() == "go.mod")
            .filter_map(|config| {
                let dir = directory(config.path.as_str()).to_owned();
                read_go_mod(&String::from_utf8_lossy(&config.bytes), dir)
            })
            .collect();
        modules.sort_by(|a, b| b.dir.len().cmp(&a.dir.len()).then_with(|| a.dir.cmp(&b.dir)));
        let prefixes = if modules.is_empty() { guess_prefixes(program, &files) } else { Vec::new() };
        Self { modules, files, prefixes }
    }

    pub(super) fn has_several(&self) -> bool {
        self.modules.len() > 1
    }

    pub(super) fn files_in(&self, dir: &str) -> &[FileId] {
        self.files.get(dir).map_or(&[], Vec::as_slice)
    }

    /// A number for the module that a file belongs to; 0 for none.
    pub(super) fn module_of(&self, path: &str) -> u32 {
        self.modules.iter().position(|module| is_below(directory(path), &module.dir)).map_or(0, |at| at as u32 + 1)
    }

    /// Directories of the tree that an import path can mean from a file, best first; only such as
    /// hold Go files.
    pub(super) fn directories(&self, from: &str, import: &str) -> Vec<String> {
        let mut found = Vec::new();
        let here = directory(from);
        self.vendored(here, import, &mut found);
        let own = self.modules.iter().find(|module| is_below(here, &module.dir));
        if let Some(own) = own {
            for (path, dir) in &own.replaced {
                self.add_below(path, dir, import, &mut found);
            }
            self.add_below(&own.path, &own.dir, import, &mut found);
        }
        // Other modules of the tree: the longest path that fits owns the package.
        let mut others: Vec<&Module> =
            self.modules.iter().filter(|module| rest_below(&module.path, import).is_some()).collect();
        others.sort_by(|a, b| {
            b.path.len().cmp(&a.path.len()).then_with(|| a.dir.len().cmp(&b.dir.len())).then_with(|| a.dir.cmp(&b.dir))
        });
        for module in others {
            self.add_below(&module.path, &module.dir, import, &mut found);
        }
        for prefix in &self.prefixes {
            self.add_below(prefix, "", import, &mut found);
        }
        found
    }

    fn add_below(&self, module: &str, dir: &str, import: &str, found: &mut Vec<String>) {
        let Some(rest) = rest_below(module, import) else { return };
        let dir = join(dir, rest);
        if self.files.contains_key(&dir) && !found.contains(&dir) {
            found.push(dir);
        }
    }

    /// `vendor` directories from here up to the root.
    fn vendored(&self, here: &str, import: &str, found: &mut Vec<String>) {
        let mut at = here;
        loop {
            let dir = join(&join(at, "vendor"), import);
            if self.files.contains_key(&dir) {
                found.push(dir);
                return;
            }
            if at.is_empty() {
                return;
            }
            at = directory(at);
        }
    }
}

fn join(dir: &str, rest: &str) -> String {
    match (dir.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_owned(),
        (_, true) => dir.to_owned(),
        _ => format!("{dir}/{rest}"),
    }
}

fn is_below(dir: &str, root: &str) -> bool {
    root.is_empty() || dir == root || (dir.starts_with(root) && dir.as_bytes().get(root.len()) == Some(&b'/'))
}

/// What follows `module` in an import path that leads into it.
fn rest_below<'i>(module: &str, import: &'i str) -> Option<&'i str> {
    // The standard library's own module has no prefix in import paths.
    if module == "std" {
        return Some(import);
    }
    if module.is_empty() {
        return None;
    }
    let rest = import.strip_prefix(module)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Reads `module` and the `replace` directives that lead to directories.
fn read_go_mod(text: &str, dir: String) -> Option<Module> {
    let mut path = None;
    let mut replaced = Vec::new();
    let mut block = "";
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if line == ")" {
            block = "";
            continue;
        }
        let (verb, rest) = match block {
            "" => line.split_once(char::is_whitespace).unwrap_or((line, "")),
            block => (block, line),
        };
        let rest = rest.trim();
        if block.is_empty() && (rest == "(" || line.ends_with('(')) {
            block = match verb.trim_end_matches('(') {
                "replace" => "replace",
                _ => "other",
            };
            continue;
        }
        match verb {
            "module" => path = Some(rest.trim_matches(['"', '`']).to_owned()),
            "replace" => {
                let Some((from, to)) = rest.split_once("=>") else { continue };
                let from = from.split_whitespace().next().unwrap_or_default().trim_matches('"');
                let to = to.split_whitespace().next().unwrap_or_default().trim_matches('"');
                if to.starts_with("./") || to.starts_with("../") || to == "." || to == ".." {
                    replaced.extend(resolve_dir(&dir, to).map(|to| (from.to_owned(), to)));
                }
            }
            _ => {}
        }
    }
    let path = path.filter(|path| !path.is_empty())?;
    Some(Module { dir, path, replaced })
}

/// A relative directory; None if it leaves the tree.
fn resolve_dir(from: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
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

/// What a tree below some `src` of a workspace is called there: the beginning of import paths whose
/// rest is a directory of the tree, the most frequent first.
fn guess_prefixes(program: &Program, files: &BTreeMap<String, Vec<FileId>>) -> Vec<String> {
    const PREFIXES_MAX: usize = 4;
    const PARTS_MAX: usize = 16;
    let mut votes: FxHashMap<&str, u32> = FxHashMap::default();
    for file in program.files().iter().filter(|file| file.facts.language.family() == Family::Go) {
        for import in &file.facts.imports {
            let path = file.facts.str(import.module);
            // Only paths with a host name are not the standard library's.
            if !path.split('/').next().is_some_and(|first| first.contains('.')) {
                continue;
            }
            for (at, _) in path.match_indices('/').take(PARTS_MAX) {
                if files.contains_key(&path[at + 1..]) {
                    *votes.entry(&path[..at]).or_insert(0) += 1;
                }
            }
        }
    }
    let mut ranked: Vec<(&str, u32)> = votes.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    ranked.truncate(PREFIXES_MAX);
    ranked.into_iter().map(|(prefix, _)| prefix.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_go_mod_names_its_module_and_replacements() {
        let text = "// x\nmodule \"ex.org/a/v2\" // c\n\ngo 1.22\nrequire (\n\tb v1 // indirect\n)\nreplace ex.org/b => ../b\nreplace (\n\tex.org/c v1.2.3 => ./c\n\tex.org/d => ex.org/e v1\n\tex.org/out => ../../../out\n)\n";
        let module = read_go_mod(text, "srv/a".into()).unwrap();
        assert_eq!(module.path, "ex.org/a/v2");
        assert_eq!(module.replaced, [("ex.org/b".into(), "srv/b".into()), ("ex.org/c".into(), "srv/a/c".into())]);
    }

    #[test]
    fn a_go_mod_without_a_module_is_none() {
        assert!(read_go_mod("go 1.22\n", String::new()).is_none());
        assert!(read_go_mod("module\n", String::new()).is_none());
    }

    #[test]
    fn paths_lead_below_whole_parts_alone() {
        assert_eq!(rest_below("ex.org/a", "ex.org/a/b"), Some("b"));
        assert_eq!(rest_below("ex.org/a", "ex.org/a"), Some(""));
        assert_eq!(rest_below("ex.org/a", "ex.org/ab"), None);
        assert!(is_below("a/b", "a") && is_below("a", "") && !is_below("ab", "a"));
    }
}
