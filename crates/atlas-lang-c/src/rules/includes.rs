//! Which file an include names, and what a file sees through all of them.

use atlas_graph::link::{FileId, Program};
use atlas_syntax::{Family, Import, ImportKind};
use atlas_tree::RepoPath;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, RwLock};

/// Sets of seen files that are remembered; beyond that all are forgotten, and made again when asked for.
const SEEN_MAX: usize = 512;

/// Headers of the C standard library and POSIX: in angle brackets they are those. Sorted.
const STANDARD: [&str; 45] = [
    "arpa/inet.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "getopt.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "poll.h",
    "pthread.h",
    "regex.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/types.h",
    "syslog.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

pub(super) struct Includes<'p> {
    program: &'p Program,
    by_name: FxHashMap<&'p str, Vec<FileId>>,
    /// What each file includes, by file.
    direct: Vec<Vec<FileId>>,
    seen: RwLock<FxHashMap<FileId, Arc<FxHashSet<FileId>>>>,
}

impl<'p> Includes<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut by_name: FxHashMap<&str, Vec<FileId>> = FxHashMap::default();
        for (id, file) in program.files().iter().enumerate() {
            if file.facts.language.family() == Family::C {
                by_name.entry(file.path.file_name()).or_default().push(id as FileId);
            }
        }
        let mut includes = Self { program, by_name, direct: Vec::new(), seen: RwLock::default() };
        let direct = (0..program.files().len() as FileId)
            .map(|id| {
                if program.family(id) != Family::C {
                    return Vec::new();
                }
                let imports = program.facts(id).imports.iter();
                imports.filter(|i| i.kind == ImportKind::Include).filter_map(|i| includes.resolve(id, i)).collect()
            })
            .collect();
        includes.direct = direct;
        includes
    }

    /// The file that an include means: next to the including one, else the one whose path ends in what is
    /// written, of several the one whose directory is nearest.
    pub(super) fn resolve(&self, from: FileId, import: &Import) -> Option<FileId> {
        let written = self.program.facts(from).str(import.module);
        let dir = self.program.path(from).parent();
        let quoted = import.level == 0;
        if quoted
            && let Some(path) = RepoPath::join(dir, written)
            && let Some(file) = self.program.find(path.as_str())
        {
            return Some(file);
        }
        if !quoted && STANDARD.binary_search(&written).is_ok() {
            return None;
        }
        let plain = written.trim_start_matches("./");
        let plain = plain.rsplit("../").next().unwrap_or(plain);
        let name = plain.rsplit('/').next().unwrap_or(plain);
        let ends = |file: &&FileId| {
            let path = self.program.path(**file).as_str();
            path == plain || (path.ends_with(plain) && path.as_bytes()[path.len() - plain.len() - 1] == b'/')
        };
        let candidates: Vec<FileId> = self.by_name.get(name)?.iter().filter(ends).copied().collect();
        // Nearest: the longest common directory; then the shortest path, then the first.
        candidates.into_iter().min_by_key(|&file| {
            let path = self.program.path(file);
            (std::cmp::Reverse(common_parts(dir, path.parent())), path.as_str().matches('/').count(), file)
        })
    }

    /// The file itself and all it includes, directly or not.
    pub(super) fn seen_by(&self, file: FileId) -> Arc<FxHashSet<FileId>> {
        if let Some(seen) = self.seen.read().ok().and_then(|all| all.get(&file).cloned()) {
            return seen;
        }
        let mut seen: FxHashSet<FileId> = FxHashSet::default();
        let mut stack = vec![file];
        while let Some(at) = stack.pop() {
            if seen.insert(at) {
                stack.extend(self.direct.get(at as usize).into_iter().flatten());
            }
        }
        let seen = Arc::new(seen);
        if let Ok(mut all) = self.seen.write() {
            if all.len() >= SEEN_MAX {
                all.clear();
            }
            all.insert(file, Arc::clone(&seen));
        }
        seen
    }
}

/// How many leading directories two paths share.
pub(super) fn common_parts(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count()
}
