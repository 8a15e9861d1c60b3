//! Scopes that can be told to be wrong without looking at a tree: globs that compile to nothing,
//! and includes of which the excludes leave nothing (contract §3).

use crate::refusal::{Problem, ProblemCode, quote};
use atlas_tree::Scope;

/// Globs of one list, at most.
const GLOBS_MAX: usize = 500;
/// Characters of one glob, at most.
const GLOB_CHARS_MAX: usize = 1_000;
/// Paths that stand for all a glob can match, at most.
const SAMPLES_MAX: usize = 64;

/// The globs without repeats, in order, and what is wrong with each bad one.
pub(super) fn globs(field: &str, globs: &[String], problems: &mut Vec<Problem>) -> Vec<String> {
    if globs.len() > GLOBS_MAX {
        problems.push(Problem::new(
            field,
            ProblemCode::TooLarge,
            format!("has {} globs, more than {GLOBS_MAX}", globs.len()),
            "name directories (`src/**`) rather than files",
        ));
        return Vec::new();
    }
    let mut good: Vec<String> = Vec::new();
    for (at, glob) in globs.iter().enumerate() {
        match fault(glob) {
            Some((reason, remedy)) => {
                let place = format!("{field}[{at}]");
                problems.push(Problem::new(place, ProblemCode::Glob, format!("{} {reason}", quote(glob)), remedy));
            }
            None if good.contains(glob) => {}
            None => good.push(glob.clone()),
        }
    }
    good
}

fn fault(glob: &str) -> Option<(String, &'static str)> {
    if glob.trim().is_empty() {
        return Some(("is empty".into(), "write `**` for the whole repository"));
    }
    if glob.contains('\0') || glob.chars().count() > GLOB_CHARS_MAX {
        return Some((format!("holds a NUL or has more than {GLOB_CHARS_MAX} characters"), "shorten it"));
    }
    if glob.starts_with('/') || glob.starts_with("~/") {
        return Some(("is absolute".into(), "write it relative to the repository, as in `src/**`"));
    }
    if glob.split('/').any(|part| part == "..") {
        return Some(("leads out of the repository".into(), "leave out the `..`"));
    }
    if let Err(error) = Scope::new([glob], [] as [&str; 0]) {
        return Some((format!("does not compile: {}", error.cause), "mend the glob; `\\` escapes a special character"));
    }
    None
}

/// Whether `exclude` leaves nothing of `include`, as far as globs alone can tell: every path that
/// stands for what an include can match is excluded.
pub(super) fn leaves_nothing(include: &[String], exclude: &[String]) -> bool {
    if exclude.is_empty() || include.is_empty() {
        return false;
    }
    let Ok(excluded) = Scope::new(exclude, [] as [&str; 0]) else { return false };
    include.iter().all(|glob| {
        let Ok(included) = Scope::new([glob], [] as [&str; 0]) else { return false };
        let samples = samples(glob);
        let mut own = samples.iter().filter(|path| included.contains_str(path)).peekable();
        own.peek().is_some() && own.all(|path| excluded.contains_str(path))
    })
}

/// Paths that a glob matches, with names no one would choose in the place of wildcards, so that an
/// exclude that covers them covers by its own wildcards.
fn samples(glob: &str) -> Vec<String> {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let mut glob = glob.to_owned();
    if glob.ends_with('/') {
        glob.push_str("**");
    }
    let mut samples = vec![String::new()];
    let chars: Vec<char> = glob.chars().collect();
    expand(&chars, &mut samples);
    if !glob.contains(['*', '?', '[', '{', '\\']) {
        // A bare name is a directory and all below it; one with a dot in it may be a file as well.
        let below: Vec<String> = samples.iter().map(|path| format!("{path}/{NAME}")).collect();
        samples.retain(|path| path.rsplit('/').next().is_some_and(|name| name.contains('.')));
        samples.extend(below);
    }
    samples.truncate(SAMPLES_MAX);
    samples
}

const NAME: &str = "zq7-atlas";

fn expand(glob: &[char], samples: &mut Vec<String>) {
    let mut at = 0;
    while at < glob.len() {
        match glob[at] {
            '*' if glob[at..].starts_with(&['*', '*']) => {
                at += 2;
                let slash = glob.get(at) == Some(&'/');
                at += usize::from(slash);
                let end = if slash { "/" } else { "" };
                let none = if slash { String::new() } else { NAME.to_owned() };
                fork(samples, &[none, format!("{NAME}/{NAME}{end}"), format!("{NAME}{end}")]);
                continue;
            }
            '*' => fork(samples, &[NAME.to_owned()]),
            '?' => fork(samples, &["z".to_owned()]),
            '[' => at = class(glob, at, samples),
            '{' => {
                at = alternatives(glob, at, samples);
                continue;
            }
            '\\' => {
                at += 1;
                if let Some(c) = glob.get(at) {
                    fork(samples, &[c.to_string()]);
                }
            }
            c => samples.iter_mut().for_each(|sample| sample.push(c)),
        }
        at += 1;
    }
}

fn fork(samples: &mut Vec<String>, endings: &[String]) {
    let mut forked = Vec::new();
    for ending in endings {
        forked.extend(samples.iter().map(|sample| format!("{sample}{ending}")));
    }
    forked.truncate(SAMPLES_MAX);
    *samples = forked;
}

/// One character of `[…]`; of a negated one, a character that it surely does not name.
fn class(glob: &[char], open: usize, samples: &mut Vec<String>) -> usize {
    let negated = matches!(glob.get(open + 1), Some('!' | '^'));
    let first = open + 1 + usize::from(negated);
    let close = (first + 1..glob.len()).find(|at| glob[*at] == ']').unwrap_or(glob.len().saturating_sub(1));
    let named = if negated { '\u{17f}' } else { glob.get(first).copied().unwrap_or('z') };
    fork(samples, &[named.to_string()]);
    close
}

/// Every alternative of `{a,b}`; returns the place behind it.
fn alternatives(glob: &[char], open: usize, samples: &mut Vec<String>) -> usize {
    let mut depth = 0_usize;
    let mut begin = open + 1;
    let mut forked = Vec::new();
    for at in open..glob.len() {
        match glob[at] {
            '{' => depth += 1,
            ',' | '}' if depth == 1 => {
                let mut branch = samples.clone();
                // One level suffices: what an inner group holds is taken as it stands.
                let part: Vec<char> = glob[begin..at].iter().copied().filter(|c| !matches!(c, '{' | '}')).collect();
                expand(&part, &mut branch);
                forked.extend(branch);
                begin = at + 1;
                if glob[at] == '}' {
                    forked.truncate(SAMPLES_MAX);
                    *samples = forked;
                    return at + 1;
                }
            }
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    glob.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(include: &[&str], exclude: &[&str]) -> bool {
        let own = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        leaves_nothing(&own(include), &own(exclude))
    }

    #[test]
    fn an_include_that_is_wholly_excluded_is_a_contradiction() {
        for (include, exclude) in [
            (&["src/**"][..], &["src/**"][..]),
            (&["src"], &["src/"]),
            (&["src/auth/**"], &["src/**"]),
            (&["**"], &["**"]),
            (&["**/*.py"], &["**"]),
            (&["src/*.py"], &["**/*.py"]),
            (&["src/a.py", "lib/b.py"], &["lib/**", "src/a.py"]),
            (&["src/{a,b}.py"], &["src/a.py", "src/b.py"]),
            (&["src/**"], &["src/*", "src/*/**"]),
            (&["[ab].py"], &["?.py"]),
        ] {
            assert!(nothing(include, exclude), "{include:?} {exclude:?}");
        }
    }

    #[test]
    fn an_include_of_which_something_may_remain_is_none() {
        for (include, exclude) in [
            (&["src/**"][..], &["src/auth/**"][..]),
            (&["**"], &["*"]),
            (&["src/**"], &["**/*.py"]),
            (&["src/**", "lib/**"], &["src/**"]),
            (&["src/{a,b}.py"], &["src/a.py"]),
            (&["src/[!a].py"], &["src/[b-z].py"]),
            (&["src/**"], &[]),
            (&["src"], &["src"][..0]),
        ] {
            assert!(!nothing(include, exclude), "{include:?} {exclude:?}");
        }
    }

    #[test]
    fn bad_globs_are_each_named() {
        let mut problems = Vec::new();
        let given: Vec<String> = ["src/[", "", "/etc/**", "../x", "ok/**", "ok/**", "{a,b"].map(str::to_owned).into();
        assert_eq!(globs("scope.include", &given, &mut problems), ["ok/**"]);
        let fields: Vec<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
        assert_eq!(
            fields,
            ["scope.include[0]", "scope.include[1]", "scope.include[2]", "scope.include[3]", "scope.include[6]"]
        );
    }
}
