//! Clusters as path globs that match exactly their files within the surface (contract §6).
//!
//! Per directory: `dir/**` where everything below belongs to the cluster, `dir/*` where all its
//! own files do, `dir/*.ext` where all of its files with that ending do, else file names, escaped.
//! Deliberately *not* here: what a glob means; `atlas_tree::Scope` alone knows.

use atlas_tree::escape_glob;
use std::collections::BTreeMap;

/// Globs with a `*` of one cluster, at most, besides any number of `dir/**`. Each of them costs every
/// look-up a regular expression, a file name costs nothing; beyond this many, those that stand for the
/// fewest files are spelled out.
const STARS_MAX: usize = 64;

/// A glob that stands for these files of one directory.
struct Star {
    files: Vec<usize>,
    glob: String,
}

/// For each of `clusters` clusters its globs, sorted. `paths` are ascending and distinct, `cluster[i]`
/// is the cluster of `paths[i]`; no path is a directory of another.
pub(crate) fn globs(paths: &[&str], cluster: &[u32], clusters: usize) -> Vec<Vec<String>> {
    let mut globs: Vec<Vec<String>> = vec![Vec::new(); clusters];
    let mut stars: Vec<Vec<Star>> = (0..clusters).map(|_| Vec::new()).collect();

    // Where the run of equal clusters that starts at a path ends.
    let mut run_end: Vec<usize> = vec![paths.len(); paths.len()];
    for at in (1..paths.len()).rev() {
        run_end[at - 1] = if cluster[at - 1] == cluster[at] { run_end[at] } else { at };
    }

    // Directories still to look at: the length of their prefix, `/` included, and their range of paths.
    let mut open: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    if !paths.is_empty() {
        open.push((0, 0..paths.len()));
    }
    while let Some((prefix, range)) = open.pop() {
        let directory = &paths[range.start][..prefix];
        if run_end[range.start] >= range.end {
            globs[cluster[range.start] as usize].push(format!("{}**", escape_glob(directory)));
            continue;
        }
        let mut own: Vec<usize> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            match paths[at][prefix..].find('/') {
                None => {
                    own.push(at);
                    at += 1;
                }
                Some(slash) => {
                    let below = &paths[at][..prefix + slash + 1];
                    let end = at + paths[at..range.end].partition_point(|path| path.starts_with(below));
                    open.push((below.len(), at..end));
                    at = end;
                }
            }
        }
        for (files, glob) in own_files(&own, directory, paths, cluster) {
            let of = cluster[files[0]] as usize;
            match glob {
                Some(glob) => stars[of].push(Star { files, glob }),
                None => globs[of].extend(files.iter().map(|&file| escape_glob(paths[file]))),
            }
        }
    }

    for (globs, mut stars) in globs.iter_mut().zip(stars) {
        stars.sort_by(|a, b| b.files.len().cmp(&a.files.len()).then_with(|| a.glob.cmp(&b.glob)));
        for star in stars.split_off(stars.len().min(STARS_MAX)) {
            globs.extend(star.files.iter().map(|&file| escape_glob(paths[file])));
        }
        globs.extend(stars.into_iter().map(|star| star.glob));
        globs.sort_unstable();
    }
    globs
}

/// The files that stand in a directory itself, in parts of one cluster each, with a glob where one
/// stands for several.
fn own_files(own: &[usize], directory: &str, paths: &[&str], cluster: &[u32]) -> Vec<(Vec<usize>, Option<String>)> {
    let uniform = |files: &[usize]| files.iter().all(|&file| cluster[file] == cluster[files[0]]);
    if own.len() > 1 && uniform(own) {
        return vec![(own.to_vec(), Some(format!("{}*", escape_glob(directory))))];
    }
    let mut by_ending: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &file in own {
        let name = &paths[file][directory.len()..];
        // From the last dot on: then "ends so" and "has this ending" are the same, as the glob needs.
        let ending = name.rfind('.').map_or("", |dot| &name[dot..]);
        by_ending.entry(ending).or_default().push(file);
    }
    let mut parts = Vec::new();
    for (ending, files) in by_ending {
        if files.len() > 1 && !ending.is_empty() && uniform(&files) {
            let glob = format!("{}*{}", escape_glob(directory), escape_glob(ending));
            parts.push((files, Some(glob)));
        } else {
            parts.extend(files.into_iter().map(|file| (vec![file], None)));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use atlas_tree::Scope;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn of(files: &[(&str, u32)]) -> Vec<Vec<String>> {
        let (paths, cluster): (Vec<_>, Vec<_>) = files.iter().copied().unzip();
        let clusters = cluster.iter().max().map_or(0, |max| max + 1);
        globs(&paths, &cluster, clusters as usize)
    }

    #[test]
    fn whole_directories_then_files_of_one_kind_then_names() {
        assert_eq!(of(&[("a/x", 0), ("b/y", 0)]), [["**"]]);
        assert_eq!(of(&[("a/b/x", 0), ("a/y", 0), ("c", 1)]), [["a/**"], ["c"]]);
        assert_eq!(of(&[("a/b/x", 1), ("a/y", 0), ("a/z", 0)]), [["a/*"], ["a/b/**"]]);
        assert_eq!(
            of(&[("a/p.py", 0), ("a/q.py", 0), ("a/r.c", 1), ("a/s.c", 0)]),
            [vec!["a/*.py", "a/s.c"], vec!["a/r.c"]]
        );
        assert_eq!(of(&[("p", 0), ("q", 0), ("r/s", 1)]), [["*"], ["r/**"]]);
    }

    #[test]
    fn a_name_that_looks_like_a_glob_is_escaped() {
        assert_eq!(of(&[("[id]/a*.ts", 0), ("[id]/b.ts", 1)]), [[r"\[id\]/a\*.ts"], [r"\[id\]/b.ts"]]);
        assert_eq!(of(&[("[id]/a", 0), ("{x,y}/b", 1)]), [[r"\[id\]/**"], [r"\{x\,y\}/**"]]);
        assert_eq!(of(&[("a.{c}", 0), ("b.{c}", 0), ("c", 1)]), [[r"*.\{c\}"], ["c"]]);
    }

    #[test]
    fn a_hidden_file_ends_like_others() {
        assert_eq!(of(&[("a/.py", 1), ("a/b.py", 0), ("a/c.py", 0)]), [vec!["a/b.py", "a/c.py"], vec!["a/.py"]]);
    }

    #[test]
    fn beyond_64_stars_small_directories_are_spelled_out() {
        let mut files: Vec<(String, u32)> = Vec::new();
        for dir in 0..70 {
            let extra = usize::from(dir < 3);
            files.extend((0..2 + extra).map(|file| (format!("d{dir:02}/f{file}"), 0)));
            files.push((format!("d{dir:02}/g/x"), 1));
        }
        let of = of(&files.iter().map(|(path, cluster)| (path.as_str(), *cluster)).collect::<Vec<_>>());
        let stars: Vec<&String> = of[0].iter().filter(|glob| glob.contains('*')).collect();
        assert_eq!(stars.len(), 64);
        assert!(of[0].contains(&"d02/*".to_owned()) && of[0].contains(&"d69/f1".to_owned()));
    }

    /// Paths of odd parts, none a directory of another.
    fn odd_paths() -> impl Strategy<Value = BTreeSet<String>> {
        let part = prop::sample::select(vec![
            "a",
            "b",
            "a b",
            "[x]",
            "a*",
            "?",
            "{a,b}",
            "back\\",
            "new\nline",
            "!not",
            "a.py",
            "b.py",
            ".py",
            "é",
            "-",
            "c.",
            "x,y",
            "]",
            "}",
        ]);
        prop::collection::vec(prop::collection::vec(part, 1..4), 1..30).prop_map(|paths| {
            let all: BTreeSet<String> = paths.into_iter().map(|parts| parts.join("/")).collect();
            let is_directory = |path: &str| all.iter().any(|other| other.starts_with(&format!("{path}/")));
            all.iter().filter(|path| !is_directory(path)).cloned().collect()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn globs_match_back_exactly(paths in odd_paths(), clusters in prop::collection::vec(0u32..3, 30)) {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let cluster = &clusters[..paths.len()];
            for (of, globs) in (0..3).zip(globs(&paths, cluster, 3)) {
                let scope = Scope::new(&globs, [] as [&str; 0]).unwrap();
                for (path, &is) in paths.iter().zip(cluster) {
                    prop_assert_eq!(scope.contains_str(path), is == of, "{:?} by {:?}", path, globs);
                }
            }
        }
    }
}
