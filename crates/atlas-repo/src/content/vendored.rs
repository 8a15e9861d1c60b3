//! Other people's code, by where it lies.
//!
//! A path alone cannot always tell: a project may call a part of its own `vendor` or `deps`. The names
//! that only tools make count anywhere. `vendor` counts at the top, and further down where it
//! lies among static assets, since an application's own package may be about vendors. `deps` counts at
//! the top only, and only for what lies in a directory there.

use atlas_tree::RepoPath;

/// Directories that hold nothing else, wherever they are.
const ANYWHERE: [&str; 17] = [
    "node_modules",
    "bower_components",
    "jspm_packages",
    ".yarn",
    ".pnp",
    "Pods",
    "Carthage",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "_vendor",
    "_vendored",
    "vendored",
    "site-packages",
    ".venv",
    ".bundle",
];

/// Directories below which `vendor` means others' assets.
const ASSETS: [&str; 10] =
    ["static", "assets", "public", "js", "css", "javascripts", "stylesheets", "lib", "libs", "www"];

/// File names of libraries that are copied into projects, up to their version.
const LIBRARIES: [&str; 9] =
    ["jquery", "jquery-ui", "bootstrap", "underscore", "backbone", "angular", "lodash", "moment", "modernizr"];

pub(super) fn vendored(path: &RepoPath) -> Option<&'static str> {
    let mut above: Vec<&str> = Vec::new();
    for dir in path.parent().split('/').filter(|dir| !dir.is_empty()) {
        if ANYWHERE.contains(&dir) {
            return Some("in a directory of other people's code");
        }
        if dir == "vendor" && (above.is_empty() || above.iter().any(|dir| ASSETS.contains(dir))) {
            return Some("in a `vendor` directory");
        }
        if above == ["deps"] {
            return Some("in the top `deps` directory");
        }
        above.push(dir);
    }
    library(path.file_name()).then_some("a copy of a well-known library")
}

/// `jquery.js`, `jquery-3.7.1.min.js`, `bootstrap.bundle.css`; not `jquery-plugin.js`.
fn library(name: &str) -> bool {
    let Some((stem, _)) = name.rsplit_once('.').filter(|(_, ext)| matches!(*ext, "js" | "mjs" | "css")) else {
        return false;
    };
    LIBRARIES.iter().any(|library| {
        stem.strip_prefix(library).is_some_and(|rest| {
            rest.split(['.', '-'])
                .all(|part| part.bytes().all(|b| b.is_ascii_digit()) || ["min", "bundle", "slim"].contains(&part))
        })
    })
}
