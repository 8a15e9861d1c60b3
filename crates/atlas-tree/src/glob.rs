//! Path globs, one meaning for missions, sub-missions, clusters and tools.
//!
//! `*` and `?` do not cross `/`, `**` does, `[…]` and `{a,b}` as usual, `\` escapes. A glob is
//! matched against the whole path relative to the repository. A glob that ends in `/`, and one
//! that names a directory without any wildcard, also stands for everything below it.

use crate::RepoPath;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// Which paths are in: any of `include` and none of `exclude`.
#[derive(Debug, Clone)]
pub struct Scope {
    include: GlobSet,
    exclude: GlobSet,
}

/// A glob that cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{glob}` is not a glob: {cause}")]
pub struct GlobError {
    pub glob: String,
    pub cause: String,
}

impl Scope {
    /// # Errors
    /// The first glob that does not compile.
    pub fn new<I, E>(include: I, exclude: E) -> Result<Self, GlobError>
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
        E: IntoIterator,
        E::Item: AsRef<str>,
    {
        Ok(Self { include: set(include)?, exclude: set(exclude)? })
    }

    /// Everything.
    #[must_use]
    pub fn all() -> Self {
        Self::new(["**"], [] as [&str; 0]).expect("`**` is a glob")
    }

    /// Whether the path is in this scope.
    #[must_use]
    pub fn contains(&self, path: &RepoPath) -> bool {
        self.contains_str(path.as_str())
    }

    /// As [`Scope::contains`], for a path in text form.
    #[must_use]
    pub fn contains_str(&self, path: &str) -> bool {
        self.include.is_match(path) && !self.exclude.is_match(path)
    }
}

fn set<I>(globs: I) -> Result<GlobSet, GlobError>
where
    I: IntoIterator,
    I::Item: AsRef<str>,
{
    let fail =
        |glob: &str, error: &globset::Error| GlobError { glob: glob.to_owned(), cause: error.kind().to_string() };
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        let text = glob.as_ref();
        let bare = text.strip_prefix("./").unwrap_or(text);
        if let Some(dir) = bare.strip_suffix('/') {
            builder.add(compile(&format!("{dir}/**")).map_err(|e| fail(text, &e))?);
            continue;
        }
        builder.add(compile(bare).map_err(|e| fail(text, &e))?);
        if !bare.contains(['*', '?', '[', '{', '\\']) && !bare.is_empty() {
            builder.add(compile(&format!("{bare}/**")).map_err(|e| fail(text, &e))?);
        }
    }
    builder.build().map_err(|e| fail(e.glob().unwrap_or_default(), &e))
}

fn compile(glob: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build()
}

/// The glob that matches exactly this path.
#[must_use]
pub fn escape_glob(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | ',' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(globs: &[&str], path: &str) -> bool {
        Scope::new(globs, [] as [&str; 0]).unwrap().contains_str(path)
    }

    #[test]
    fn stars_and_directories() {
        assert!(matches(&["src/**"], "src/a/b.rs"));
        assert!(matches(&["**"], "a"));
        assert!(matches(&["**/*.py"], "top.py"));
        assert!(!matches(&["*.py"], "pkg/a.py"));
        assert!(matches(&["src"], "src/a.rs") && matches(&["src/"], "src/a.rs"));
        assert!(!matches(&["src"], "src2/a.rs"));
        assert!(matches(&["./src/*.rs"], "src/a.rs"));
        let scope = Scope::new(["**"], ["vendor/**"]).unwrap();
        assert!(scope.contains_str("src/a") && !scope.contains_str("vendor/a"));
    }

    #[test]
    fn an_escaped_path_matches_itself_alone() {
        for path in
            ["a b.rs", "x[1].py", "{a,b}.ts", "wh?t*.md", "back\\slash", "new\nline", "!neg", "quote\"'.c", "a-b]"]
        {
            let glob = escape_glob(path);
            assert!(matches(&[&glob], path), "{path:?} by {glob:?}");
            assert!(!matches(&[&glob], &format!("{path}x")));
        }
        assert!(!matches(&[&escape_glob("*.py")], "a.py"));
    }

    #[test]
    fn a_bad_glob_is_named() {
        assert_eq!(Scope::new(["src/[", "b"], [] as [&str; 0]).unwrap_err().glob, "src/[");
    }
}
