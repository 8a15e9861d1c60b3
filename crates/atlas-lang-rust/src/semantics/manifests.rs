//! Cargo manifests: packages, their targets, and what their dependencies are called.

use atlas_graph::link::Program;
use atlas_syntax::Family;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use toml::{Table, Value};

/// One package of the tree.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub dir: String,
    /// Its name with `-` as `_`.
    pub name: String,
    /// The name of its library, if it has one, and the library's root file.
    pub library: Option<(String, String)>,
    /// Root files of its other targets: programs, tests, examples, benches, the build script.
    pub programs: Vec<String>,
    /// Packages of the tree, by the name that code uses.
    pub dependencies: BTreeMap<String, usize>,
    /// Names of its dependencies outside the tree.
    pub outside: BTreeSet<String>,
}

/// All packages of the tree, in order of their directories.
pub(super) fn packages(program: &Program) -> Vec<Package> {
    let paths: BTreeSet<&str> = program
        .files()
        .iter()
        .filter(|file| file.facts.language.family() == Family::Rust)
        .map(|file| file.path.as_str())
        .collect();
    let manifests: Vec<(String, Table)> = program
        .configs()
        .iter()
        .filter(|config| config.path.file_name() == "Cargo.toml")
        .filter_map(|config| {
            let text = std::str::from_utf8(&config.bytes).ok()?;
            let table = text.parse::<Table>().ok()?;
            Some((directory(config.path.as_str()).to_owned(), table))
        })
        .collect();
    let mut packages = Vec::new();
    let mut tables = Vec::new();
    for (dir, table) in &manifests {
        let Some(name) = table.get("package").and_then(|package| package.get("name")).and_then(Value::as_str) else {
            continue;
        };
        let name = name.replace('-', "_");
        packages.push(targets(dir, name, table, &paths));
        tables.push((dir.as_str(), table));
    }
    let by_dir: FxHashMap<String, usize> =
        packages.iter().enumerate().map(|(at, package)| (package.dir.clone(), at)).collect();
    let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (at, package) in packages.iter().enumerate() {
        by_name.entry(package.name.clone()).or_default().push(at);
    }
    for (at, (dir, table)) in tables.iter().enumerate() {
        let workspace = workspace_of(dir, &manifests);
        let (mut found, mut outside) = (BTreeMap::new(), BTreeSet::new());
        for dependencies in dependency_tables(table) {
            for (key, value) in dependencies {
                let name = key.replace('-', "_");
                match dependency(dir, key, value, workspace, &by_dir, &by_name) {
                    Some(package) => {
                        found.insert(name, package);
                    }
                    None => {
                        outside.insert(name);
                    }
                }
            }
        }
        (packages[at].dependencies, packages[at].outside) = (found, outside);
    }
    packages
}

/// The package of the tree that a dependency means.
fn dependency(
    dir: &str,
    key: &str,
    value: &Value,
    workspace: Option<(&str, &Table)>,
    by_dir: &FxHashMap<String, usize>,
    by_name: &FxHashMap<String, Vec<usize>>,
) -> Option<usize> {
    let shared = value.get("workspace").and_then(Value::as_bool) == Some(true);
    let (dir, value) = match (shared, workspace) {
        (true, Some((root, table))) => {
            let dependencies = table.get("workspace")?.get("dependencies")?;
            (root, dependencies.get(key)?)
        }
        _ => (dir, value),
    };
    if let Some(path) = value.get("path").and_then(Value::as_str)
        && let Some(target) = resolve(dir, path)
    {
        return by_dir.get(&target).copied();
    }
    // A version or a git address: the tree's own package of that name, if there is but one.
    let name = value.get("package").and_then(Value::as_str).unwrap_or(key).replace('-', "_");
    match by_name.get(&name).map(Vec::as_slice) {
        Some([only]) => Some(*only),
        _ => None,
    }
}

/// The nearest manifest above that declares a workspace.
fn workspace_of<'m>(dir: &str, manifests: &'m [(String, Table)]) -> Option<(&'m str, &'m Table)> {
    manifests
        .iter()
        .filter(|(root, table)| table.contains_key("workspace") && is_below(dir, root))
        .max_by_key(|(root, _)| root.len())
        .map(|(root, table)| (root.as_str(), table))
}

fn dependency_tables(table: &Table) -> Vec<&Table> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let mut found: Vec<&Table> = KINDS.iter().filter_map(|kind| table.get(*kind)?.as_table()).collect();
    if let Some(targets) = table.get("target").and_then(Value::as_table) {
        for target in targets.values().filter_map(Value::as_table) {
            found.extend(KINDS.iter().filter_map(|kind| target.get(*kind)?.as_table()));
        }
    }
    found
}

/// Targets as declared and as Cargo finds them by itself.
fn targets(dir: &str, name: String, table: &Table, paths: &BTreeSet<&str>) -> Package {
    let exists = |path: &str| paths.contains(path);
    let library = table.get("lib");
    let library_path = library
        .and_then(|library| library.get("path"))
        .and_then(Value::as_str)
        .and_then(|path| resolve(dir, path))
        .unwrap_or_else(|| join(dir, "src/lib.rs"));
    let library_name = library
        .and_then(|library| library.get("name"))
        .and_then(Value::as_str)
        .map_or_else(|| name.clone(), |name| name.replace('-', "_"));
    let library = exists(&library_path).then_some((library_name, library_path));
    let mut programs: BTreeSet<String> = BTreeSet::new();
    for kind in ["bin", "test", "example", "bench"] {
        let Some(list) = table.get(kind).and_then(Value::as_array) else { continue };
        for target in list {
            if let Some(path) = target.get("path").and_then(Value::as_str).and_then(|path| resolve(dir, path)) {
                programs.insert(path);
            }
        }
    }
    let build = table.get("package").and_then(|package| package.get("build")).and_then(Value::as_str);
    programs.extend(resolve(dir, build.unwrap_or("build.rs")));
    programs.insert(join(dir, "src/main.rs"));
    for folder in ["src/bin", "tests", "examples", "benches"] {
        let below = join(dir, folder);
        let prefix = format!("{below}/");
        for path in paths.range(prefix.as_str()..).take_while(|path| path.starts_with(&prefix)) {
            let rest = &path[prefix.len()..];
            if !rest.contains('/') || (rest.ends_with("/main.rs") && rest.matches('/').count() == 1) {
                programs.insert((*path).to_owned());
            }
        }
    }
    programs.retain(|path| exists(path));
    Package { dir: dir.to_owned(), name, library, programs: programs.into_iter().collect(), ..Package::default() }
}

pub(super) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

pub(super) fn join(dir: &str, rest: &str) -> String {
    if dir.is_empty() { rest.to_owned() } else { format!("{dir}/{rest}") }
}

pub(super) fn is_below(dir: &str, root: &str) -> bool {
    root.is_empty() || dir == root || (dir.starts_with(root) && dir.as_bytes().get(root.len()) == Some(&b'/'))
}

/// A path relative to a directory; None if it leaves the tree.
pub(super) fn resolve(dir: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split(['/', '\\']) {
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
