//! From a module specifier to the file that it loads.

use super::manifest::{Manifests, Package, join, split_package};
use atlas_graph::link::{FileId, Program};
use atlas_syntax::Family;
use serde_json::Value;

/// Extensions that a specifier may leave out, in the order they are tried.
const EXTENSIONS: [&str; 12] =
    [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".d.mts"];

/// Extensions of compiled files with those of the sources that they come from.
const COMPILED: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx", ".d.ts"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
];

/// Directories of build results, whose sources stand in `src`.
const BUILT: [&str; 9] = ["dist", "lib", "build", "out", "esm", "cjs", "es", "output", "types"];

/// Conditions of `exports` that are followed, best first: what leads to a source comes first.
const CONDITIONS: [&str; 12] = [
    "source",
    "development",
    "types",
    "import",
    "module",
    "require",
    "node",
    "default",
    "browser",
    "svelte",
    "bun",
    "deno",
];

/// Nested conditions of an `exports` field that are followed.
const CONDITION_DEPTH: u32 = 8;

pub struct Resolver<'p> {
    program: &'p Program,
    manifests: Manifests,
}

impl<'p> Resolver<'p> {
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program, manifests: Manifests::read(program) }
    }

    /// The file that a specifier names when it stands in `from`; None if it is outside the tree.
    #[must_use]
    pub fn resolve(&self, from: FileId, specifier: &str) -> Option<FileId> {
        let path = self.program.path(from).as_str();
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        // Bundlers take what to do with a file after `?` or before `!`.
        let specifier = specifier.rsplit('!').next().unwrap_or(specifier);
        let specifier = specifier.split('?').next().unwrap_or(specifier);
        if specifier.is_empty() || specifier.contains('\0') || specifier.len() > 1024 {
            return None;
        }
        if specifier.starts_with("./") || specifier.starts_with("../") || matches!(specifier, "." | "..") {
            return self.load(&join(dir, specifier)?);
        }
        if specifier.starts_with('/') || specifier.contains("://") || specifier.starts_with("node:") {
            return None;
        }
        self.mapped(dir, specifier)
            .or_else(|| self.own_import(dir, specifier))
            .or_else(|| self.package_file(dir, specifier))
            .or_else(|| self.conventional(dir, specifier))
    }

    /// The directory of the named package that a file is in.
    #[must_use]
    pub fn package_dir(&self, file: FileId) -> Option<&str> {
        let path = self.program.path(file).as_str();
        self.package_around(path.rsplit_once('/').map_or("", |(dir, _)| dir)).map(|package| package.dir.as_str())
    }

    fn package_around(&self, dir: &str) -> Option<&Package> {
        ancestors(dir).find_map(|dir| self.manifests.packages.get(dir))
    }

    /// `paths` and `baseUrl` of the nearest configurations.
    fn mapped(&self, dir: &str, specifier: &str) -> Option<FileId> {
        for dir in ancestors(dir) {
            for options in self.manifests.configs.get(dir).map_or(&[][..], Vec::as_slice) {
                for (pattern, targets) in &options.paths {
                    let Some(middle) = star(pattern, specifier) else { continue };
                    let found = targets.iter().find_map(|target| self.load(&target.replacen('*', middle, 1)));
                    if found.is_some() {
                        return found;
                    }
                }
                if let Some(base) = &options.base
                    && let Some(path) = join(base, specifier)
                    && let Some(found) = self.load(&path)
                {
                    return Some(found);
                }
            }
        }
        None
    }

    /// `#name`: the `imports` of the package itself.
    fn own_import(&self, dir: &str, specifier: &str) -> Option<FileId> {
        if !specifier.starts_with('#') {
            return None;
        }
        let package = self.package_around(dir)?;
        let targets = conditional(package.imports.as_ref()?, specifier);
        targets.iter().find_map(|target| self.load_in(package, target))
    }

    /// A package of the tree by its name.
    fn package_file(&self, dir: &str, specifier: &str) -> Option<FileId> {
        let (name, rest) = split_package(specifier)?;
        let dirs = self.manifests.by_name.get(name)?;
        let own = self.package_around(dir);
        let package = dirs.iter().filter_map(|dir| self.manifests.packages.get(dir)).find(|package| {
            let itself = own.is_some_and(|own| own.dir == package.dir);
            let linked = own.is_some_and(|own| own.linked.iter().any(|linked| linked == name));
            itself || linked || package.member || !self.manifests.workspaces
        })?;
        let key = if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") };
        if let Some(exports) = &package.exports {
            let targets = conditional(exports, &key);
            if let Some(found) = targets.iter().find_map(|target| self.load_in(package, target)) {
                return Some(found);
            }
        }
        if rest.is_empty() {
            let entries = package.entries.iter().find_map(|entry| self.load_in(package, entry));
            let index = || {
                ["src/index", "index", "lib/index", "src/main", "src"]
                    .iter()
                    .find_map(|entry| self.load_in(package, entry))
            };
            entries.or_else(index)
        } else {
            self.load_in(package, rest).or_else(|| self.load_in(package, &format!("src/{rest}")))
        }
    }

    /// `@/x` and `~/x` as bundlers are usually set up, where no configuration says so.
    fn conventional(&self, dir: &str, specifier: &str) -> Option<FileId> {
        let rest = specifier.strip_prefix("@/").or_else(|| specifier.strip_prefix("~/"))?;
        let root = self.package_around(dir).map_or("", |package| package.dir.as_str());
        ["src", "", "app"].iter().find_map(|below| self.load(&join(&join(root, below)?, rest)?))
    }

    /// A path within a package; where it is a build result, the source that it comes from.
    fn load_in(&self, package: &Package, target: &str) -> Option<FileId> {
        let relative = join("", target)?;
        let found = self.load(&join(&package.dir, &relative)?);
        if found.is_some() {
            return found;
        }
        let mut parts: Vec<&str> = relative.split('/').collect();
        let built = parts.iter().take_while(|part| BUILT.contains(part)).count();
        if built == 0 {
            return None;
        }
        parts.drain(..built);
        let rest = parts.join("/");
        let rest = rest.strip_prefix("src/").unwrap_or(&rest);
        // `index.esm.js`, `index.d.ts` come from `index.ts`.
        let stem = rest.split_once('.').map_or(rest, |(stem, _)| stem);
        [format!("src/{rest}"), format!("src/{stem}"), stem.to_owned()]
            .iter()
            .find_map(|path| self.load(&join(&package.dir, path)?))
    }

    /// A file by its path as a specifier may write it.
    fn load(&self, path: &str) -> Option<FileId> {
        for (compiled, sources) in COMPILED {
            if let Some(stem) = path.strip_suffix(compiled) {
                for source in sources {
                    if let Some(found) = self.file(&format!("{stem}{source}")) {
                        return Some(found);
                    }
                }
            }
        }
        self.file(path)
            .or_else(|| EXTENSIONS.iter().find_map(|extension| self.file(&format!("{path}{extension}"))))
            .or_else(|| self.directory(path))
    }

    fn directory(&self, path: &str) -> Option<FileId> {
        if let Some(package) = self.manifests.packages.get(path) {
            for entry in &package.entries {
                let entry = join(path, entry)?;
                let found = self
                    .file(&entry)
                    .or_else(|| EXTENSIONS.iter().find_map(|extension| self.file(&format!("{entry}{extension}"))));
                if found.is_some() {
                    return found;
                }
            }
        }
        let index = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
        EXTENSIONS.iter().find_map(|extension| self.file(&format!("{index}{extension}")))
    }

    fn file(&self, path: &str) -> Option<FileId> {
        self.program.find(path).filter(|&file| self.program.family(file) == Family::JavaScript)
    }
}

/// A directory and those around it, the root last.
fn ancestors(dir: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(dir);
    std::iter::from_fn(move || {
        let dir = next?;
        next = if dir.is_empty() { None } else { Some(dir.rsplit_once('/').map_or("", |(up, _)| up)) };
        Some(dir)
    })
}

/// What the star of a pattern stands for; the empty string for a pattern without one.
fn star<'s>(pattern: &str, text: &'s str) -> Option<&'s str> {
    match pattern.split_once('*') {
        None => (pattern == text).then_some(""),
        Some((before, after)) => text.strip_prefix(before)?.strip_suffix(after),
    }
}

/// The targets that an `exports` or `imports` field gives a key, best first.
fn conditional(field: &Value, key: &str) -> Vec<String> {
    let mut out = Vec::new();
    let is_map = field.as_object().is_some_and(|object| object.keys().any(|key| key.starts_with(['.', '#'])));
    if !is_map {
        if key == "." {
            targets(field, "", &mut out, 0);
        }
        return out;
    }
    let Some(object) = field.as_object() else { return out };
    if let Some(exact) = object.get(key) {
        targets(exact, "", &mut out, 0);
        return out;
    }
    let mut patterns: Vec<(&String, &Value)> = object.iter().filter(|(pattern, _)| pattern.contains('*')).collect();
    patterns.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    for (pattern, value) in patterns {
        if let Some(middle) = star(pattern, key) {
            targets(value, middle, &mut out, 0);
        }
    }
    out
}

fn targets(value: &Value, middle: &str, out: &mut Vec<String>, depth: u32) {
    if depth > CONDITION_DEPTH {
        return;
    }
    match value {
        Value::String(target) => out.push(target.replace('*', middle)),
        Value::Array(list) => list.iter().for_each(|one| targets(one, middle, out, depth + 1)),
        Value::Object(object) => {
            for condition in CONDITIONS {
                if let Some(one) = object.get(condition) {
                    targets(one, middle, out, depth + 1);
                }
            }
        }
        _ => {}
    }
}
