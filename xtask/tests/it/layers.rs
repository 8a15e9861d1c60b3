//! Who may depend on whom: the table of ARCHITECTURE.md, checked against every manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Words,
    Mind,
    Hands,
    Shell,
}

/// In the order of dependence: a crate may depend only on crates above it.
const TABLE: [(&str, Layer); 25] = [
    ("atlas-tree", Layer::Words),
    ("atlas-artifact", Layer::Words),
    ("atlas-syntax", Layer::Mind),
    ("atlas-graph", Layer::Mind),
    ("atlas-lang-c", Layer::Mind),
    ("atlas-lang-csharp", Layer::Mind),
    ("atlas-lang-go", Layer::Mind),
    ("atlas-lang-javascript", Layer::Mind),
    ("atlas-lang-jvm", Layer::Mind),
    ("atlas-lang-php", Layer::Mind),
    ("atlas-lang-python", Layer::Mind),
    ("atlas-lang-ruby", Layer::Mind),
    ("atlas-lang-rust", Layer::Mind),
    ("atlas-retrieve", Layer::Mind),
    ("atlas-map", Layer::Mind),
    ("atlas-plan", Layer::Mind),
    ("atlas-tools", Layer::Mind),
    ("atlas-prober", Layer::Mind),
    ("atlas-gather", Layer::Mind),
    ("atlas-report", Layer::Mind),
    ("atlas-repo", Layer::Hands),
    ("atlas-store", Layer::Hands),
    ("atlas-engine", Layer::Shell),
    ("atlas-mcp", Layer::Shell),
    ("atlas-cli", Layer::Shell),
];

fn manifests() -> BTreeMap<String, toml::Table> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let manifest: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap().to_owned();
        assert_eq!(
            path.parent().unwrap().file_name().unwrap().to_str(),
            Some(name.as_str()),
            "folder and crate are named alike"
        );
        all.insert(name, manifest);
    }
    all
}

fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    manifest
        .get("dependencies")
        .and_then(toml::Value::as_table)
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default()
}

#[test]
fn crates_depend_only_on_crates_above_them() {
    let place: BTreeMap<&str, (usize, Layer)> =
        TABLE.iter().enumerate().map(|(at, &(name, layer))| (name, (at, layer))).collect();
    for (name, manifest) in manifests() {
        if name == "atlas-testkit" {
            continue;
        }
        let &(at, layer) = place.get(name.as_str()).unwrap_or_else(|| panic!("`{name}` has no layer"));
        for dependency in dependencies(&manifest).iter().filter(|name| name.starts_with("atlas-")) {
            let &(other, other_layer) =
                place.get(dependency.as_str()).unwrap_or_else(|| panic!("`{name}` ships with `{dependency}`"));
            assert!(other < at, "`{name}` depends on `{dependency}`, which is below it");
            assert!(
                layer == Layer::Shell || other_layer != Layer::Hands,
                "`{name}` depends on `{dependency}`: hands are the shell's alone"
            );
            assert!(
                !(name.starts_with("atlas-lang-") && dependency.starts_with("atlas-lang-")),
                "`{name}` sees the language `{dependency}`"
            );
        }
    }
}

#[test]
fn no_pure_crate_can_reach_the_world() {
    const WORLD: [&str; 10] =
        ["tokio", "reqwest", "gix", "rusqlite", "tempfile", "ignore", "clap", "indicatif", "rmcp", "rustix"];
    let place: BTreeMap<&str, Layer> = TABLE.iter().copied().collect();
    for (name, manifest) in manifests() {
        if place.get(name.as_str()).is_some_and(|layer| *layer <= Layer::Mind) {
            let used = dependencies(&manifest);
            let reached: Vec<&&str> = WORLD.iter().filter(|world| used.contains(**world)).collect();
            assert!(reached.is_empty(), "`{name}` depends on {reached:?}");
        }
    }
}

/// Whether some source of the crate names the dependency.
fn is_used(dir: &Path, name: &str) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else { return false };
    entries.filter_map(Result::ok).map(|entry| entry.path()).any(|path| {
        if path.is_dir() {
            return is_used(&path, name);
        }
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        is_source && std::fs::read_to_string(&path).is_ok_and(|text| text.contains(name))
    })
}

#[test]
fn every_dependency_is_used() {
    let mut idle = Vec::new();
    for (name, manifest) in manifests() {
        let dir = root().join("crates").join(&name).join("src");
        for dependency in dependencies(&manifest) {
            if !is_used(&dir, &dependency.replace('-', "_")) {
                idle.push(format!("{name} -> {dependency}"));
            }
        }
    }
    assert!(idle.is_empty(), "never named in the source: {}", idle.join(", "));
}
