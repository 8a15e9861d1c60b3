//! What `package.json`, `tsconfig.json` and workspace files say of names and paths.

use atlas_graph::link::Program;
use serde_json::Value;
use std::collections::BTreeMap;

/// A package of the tree.
#[derive(Debug)]
pub struct Package {
    /// Its directory, empty for the root, without a slash at the end.
    pub dir: String,
    /// Where its entry may be, best first, as written.
    pub entries: Vec<String>,
    /// The `exports` field.
    pub exports: Option<Value>,
    /// The `imports` field: names that begin with `#`.
    pub imports: Option<Value>,
    /// Dependencies that are links to other packages of the tree.
    pub linked: Vec<String>,
    /// Whether a workspace lists it.
    pub member: bool,
}

/// The path options of one `tsconfig.json`, its bases merged in.
#[derive(Debug, Clone, Default)]
pub struct PathOptions {
    /// Directory that bare names start from.
    pub base: Option<String>,
    /// Pattern and, relative to the tree, the substitutions to try, in order of the pattern's length.
    pub paths: Vec<(String, Vec<String>)>,
}

/// All manifests of the tree.
#[derive(Debug, Default)]
pub struct Manifests {
    /// By directory.
    pub packages: BTreeMap<String, Package>,
    /// Directories of packages by name; several may bear one name.
    pub by_name: BTreeMap<String, Vec<String>>,
    /// By directory: its own configuration first.
    pub configs: BTreeMap<String, Vec<PathOptions>>,
    /// Whether any workspace is declared.
    pub workspaces: bool,
}

/// Chains of `extends` that are followed.
const EXTENDS_MAX: u32 = 16;

impl Manifests {
    #[must_use]
    pub fn read(program: &Program) -> Self {
        let mut all = Self::default();
        let mut parsed: BTreeMap<String, Value> = BTreeMap::new();
        let mut patterns: Vec<(String, String)> = Vec::new();
        for config in program.configs() {
            let path = config.path.as_str();
            let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
            match name {
                "package.json" => {
                    let Some(value) = parse(&config.bytes) else { continue };
                    patterns.extend(workspace_patterns(&value).into_iter().map(|pattern| (dir.to_owned(), pattern)));
                    all.add_package(dir, &value);
                }
                "pnpm-workspace.yaml" => {
                    let text = String::from_utf8_lossy(&config.bytes);
                    patterns.extend(pnpm_patterns(&text).into_iter().map(|pattern| (dir.to_owned(), pattern)));
                }
                "lerna.json" => {
                    let found = parse(&config.bytes).map(|value| strings(value.get("packages")));
                    let found = found.filter(|list| !list.is_empty()).unwrap_or_else(|| vec!["packages/*".to_owned()]);
                    patterns.extend(found.into_iter().map(|pattern| (dir.to_owned(), pattern)));
                }
                _ if name.ends_with(".json") && (name.starts_with("tsconfig") || name.starts_with("jsconfig")) => {
                    if let Some(value) = parse(&config.bytes) {
                        parsed.insert(path.to_owned(), value);
                    }
                }
                _ => {}
            }
        }
        all.workspaces = !patterns.is_empty();
        all.mark_members(&patterns);
        all.add_configs(&parsed);
        all
    }

    fn add_package(&mut self, dir: &str, value: &Value) {
        let Some(name) = value.get("name").and_then(Value::as_str) else { return };
        let mut entries = Vec::new();
        for key in ["source", "types", "typings", "module", "main", "browser", "svelte"] {
            entries.extend(value.get(key).and_then(Value::as_str).map(str::to_owned));
        }
        let mut linked = Vec::new();
        for key in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
            let Some(list) = value.get(key).and_then(Value::as_object) else { continue };
            linked.extend(list.iter().filter(|(_, spec)| is_link(spec)).map(|(name, _)| name.clone()));
        }
        let package = Package {
            dir: dir.to_owned(),
            entries,
            exports: value.get("exports").cloned(),
            imports: value.get("imports").cloned(),
            linked,
            member: false,
        };
        self.by_name.entry(name.to_owned()).or_default().push(dir.to_owned());
        self.packages.insert(dir.to_owned(), package);
    }

    /// Marks the packages that a workspace's patterns list; a pattern with `!` takes out.
    fn mark_members(&mut self, patterns: &[(String, String)]) {
        for package in self.packages.values_mut() {
            let listed = |negative: bool| {
                patterns.iter().any(|(root, pattern)| {
                    let (is_negative, pattern) = match pattern.strip_prefix('!') {
                        Some(rest) => (true, rest),
                        None => (false, pattern.as_str()),
                    };
                    let Some(relative) = relative_to(root, &package.dir) else { return false };
                    is_negative == negative && matches(pattern.trim_start_matches("./").trim_end_matches('/'), relative)
                })
            };
            // The root of a workspace is a member too.
            let is_root = patterns.iter().any(|(root, _)| *root == package.dir);
            package.member = is_root || (listed(false) && !listed(true));
        }
    }

    fn add_configs(&mut self, parsed: &BTreeMap<String, Value>) {
        for path in parsed.keys() {
            let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
            let options = self.options(path, parsed, 0);
            let list = self.configs.entry(dir.to_owned()).or_default();
            if matches!(name, "tsconfig.json" | "jsconfig.json") {
                list.insert(0, options);
            } else if !options.paths.is_empty() {
                // Its own name is no default, but nothing else says what the aliases of a
                // `tsconfig.app.json` beside an empty `tsconfig.json` are.
                list.push(PathOptions { base: None, ..options });
            }
        }
    }

    /// The options of one file over those of what it extends.
    fn options(&self, path: &str, parsed: &BTreeMap<String, Value>, depth: u32) -> PathOptions {
        let Some(value) = parsed.get(path).filter(|_| depth < EXTENDS_MAX) else { return PathOptions::default() };
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let mut options = PathOptions::default();
        let bases = match value.get("extends") {
            Some(Value::String(one)) => vec![one.clone()],
            list => strings(list),
        };
        for base in bases {
            if let Some(base) = self.extended(dir, &base, parsed) {
                let inherited = self.options(&base, parsed, depth + 1);
                options.base = inherited.base.or(options.base);
                if !inherited.paths.is_empty() {
                    options.paths = inherited.paths;
                }
            }
        }
        let Some(compiler) = value.get("compilerOptions") else { return options };
        if let Some(base) = compiler.get("baseUrl").and_then(Value::as_str)
            && let Some(base) = join(dir, base)
        {
            options.base = Some(base);
        }
        if let Some(paths) = compiler.get("paths").and_then(Value::as_object) {
            // Relative to baseUrl if there is one, else to the file that has them.
            let from = options.base.clone().unwrap_or_else(|| dir.to_owned());
            let mut list: Vec<(String, Vec<String>)> = paths
                .iter()
                .map(|(pattern, targets)| {
                    let targets = strings(Some(targets)).iter().filter_map(|target| join(&from, target)).collect();
                    (pattern.clone(), targets)
                })
                .collect();
            list.sort_by(|(a, _), (b, _)| prefix(b).len().cmp(&prefix(a).len()).then_with(|| a.cmp(b)));
            options.paths = list;
        }
        options
    }

    /// The file that an `extends` names: a path, or one within a package of the tree.
    fn extended(&self, dir: &str, base: &str, parsed: &BTreeMap<String, Value>) -> Option<String> {
        let from = if base.starts_with('.') {
            join(dir, base)?
        } else {
            let (name, rest) = split_package(base)?;
            let package = self.by_name.get(name)?.first()?;
            join(package, if rest.is_empty() { "tsconfig.json" } else { rest })?
        };
        let tries = [from.clone(), format!("{from}.json"), format!("{from}/tsconfig.json")];
        tries.into_iter().find(|path| parsed.contains_key(path))
    }
}

fn is_link(spec: &Value) -> bool {
    spec.as_str()
        .is_some_and(|spec| ["workspace:", "file:", "link:", "portal:"].iter().any(|prefix| spec.starts_with(prefix)))
}

/// The part of a `paths` pattern before its star.
fn prefix(pattern: &str) -> &str {
    pattern.split('*').next().unwrap_or(pattern)
}

fn workspace_patterns(value: &Value) -> Vec<String> {
    match value.get("workspaces") {
        Some(Value::Object(object)) => strings(object.get("packages")),
        list => strings(list),
    }
}

/// The `packages:` list of a `pnpm-workspace.yaml`.
fn pnpm_patterns(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if let Some(rest) = trimmed.strip_prefix("packages:") {
            inside = true;
            let rest = rest.trim().trim_start_matches('[').trim_end_matches(']');
            found.extend(rest.split(',').map(unquote).filter(|item| !item.is_empty()));
        } else if let (true, Some(item)) = (inside, trimmed.strip_prefix("- ")) {
            found.push(unquote(item.split(" #").next().unwrap_or(item)));
        } else if !line.starts_with([' ', '\t', '-']) {
            inside = false;
        }
    }
    found
}

fn unquote(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(one)) => vec![one.clone()],
        _ => Vec::new(),
    }
}

/// A directory below `root`, relative to it.
fn relative_to<'d>(root: &str, dir: &'d str) -> Option<&'d str> {
    if root.is_empty() { Some(dir) } else { dir.strip_prefix(root)?.strip_prefix('/') }
}

/// Whether a workspace pattern lists a directory: `*` within a part, `**` over parts.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    // Reachable positions in the pattern, so that stars cost no backtracking.
    let mut at: Vec<bool> = vec![false; pattern.len() + 1];
    at[0] = true;
    let close = |at: &mut Vec<bool>| {
        for (ix, part) in pattern.iter().enumerate() {
            if at[ix] && *part == "**" {
                at[ix + 1] = true;
            }
        }
    };
    close(&mut at);
    for part in path {
        let mut next = vec![false; pattern.len() + 1];
        for (ix, wanted) in pattern.iter().enumerate() {
            if at[ix] {
                if *wanted == "**" {
                    next[ix] = true;
                } else if part_matches(wanted, part) {
                    next[ix + 1] = true;
                }
            }
        }
        close(&mut next);
        at = next;
    }
    at[pattern.len()]
}

fn part_matches(wanted: &str, part: &str) -> bool {
    let mut pieces = wanted.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = part.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The package name and the path below it of a bare specifier.
#[must_use]
pub fn split_package(specifier: &str) -> Option<(&str, &str)> {
    let from = if specifier.starts_with('@') { specifier.find('/')? + 1 } else { 0 };
    match specifier[from..].find('/') {
        Some(at) => Some((&specifier[..from + at], &specifier[from + at + 1..])),
        None => Some((specifier, "")),
    }
}

/// A path relative to a directory, without `.` and `..`; None if it leaves the tree.
#[must_use]
pub fn join(dir: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

/// JSON as configuration files have it: comments, and commas before a closing bracket.
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Some(value);
    }
    serde_json::from_slice(&plain_json(bytes)).ok()
}

fn plain_json(bytes: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let start = at;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                out.extend_from_slice(&bytes[start..at]);
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            close @ (b'}' | b']') => {
                while out.last().is_some_and(u8::is_ascii_whitespace) {
                    out.pop();
                }
                if out.last() == Some(&b',') {
                    out.pop();
                }
                out.push(close);
                at += 1;
            }
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_no_errors() {
        let text = b"\xef\xbb\xbf{ // c\n \"a\": [1, 2, /* x */ ], \"b\": \"// no\", }";
        assert_eq!(parse(text).unwrap(), serde_json::json!({"a": [1, 2], "b": "// no"}));
        assert_eq!(parse(b"{\"a\": \"\\"), None);
        assert_eq!(parse(b""), None);
    }

    #[test]
    fn workspace_patterns_match_parts() {
        assert!(matches("packages/*", "packages/a"));
        assert!(!matches("packages/*", "packages/a/b"));
        assert!(matches("packages/**", "packages/a/b"));
        assert!(matches("**/ui-*", "x/y/ui-kit"));
        assert!(matches("apps/web", "apps/web"));
        assert!(!matches("apps/web", "apps/website"));
    }

    #[test]
    fn workspace_lists_of_pnpm_are_read_in_both_forms() {
        assert_eq!(pnpm_patterns("packages:\n  - 'a/*'\n  - \"b\" # x\ncatalog:\n  - c\n"), ["a/*", "b"]);
        assert_eq!(pnpm_patterns("packages: ['a/*', b]\n"), ["a/*", "b"]);
    }

    #[test]
    fn package_names_split_from_paths() {
        assert_eq!(split_package("@a/b/c/d"), Some(("@a/b", "c/d")));
        assert_eq!(split_package("lodash"), Some(("lodash", "")));
        assert_eq!(split_package("@broken"), None);
    }

    #[test]
    fn paths_stay_in_the_tree() {
        assert_eq!(join("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(join("a", "../.."), None);
    }
}
