//! The cache of facts, in health and in sickness.

use atlas_store::{CACHE_RUNS_KEPT, FactsCache, FactsKey, RACY_NS};
use atlas_tree::{Digest, FileStat, RepoPath, sha256};
use std::path::{Path, PathBuf};

fn key(n: u32) -> FactsKey {
    FactsKey { content: sha256(&n.to_be_bytes()), language: "python".to_owned(), version: 1 }
}

fn value(n: u32) -> Vec<u8> {
    format!("facts of {n}").repeat(50).into_bytes()
}

fn file(dir: &Path) -> PathBuf {
    dir.join("facts-1.sqlite")
}

/// A cache with the facts of `0..count`.
fn filled(dir: &Path, count: u32) -> FactsCache {
    let cache = FactsCache::open(dir);
    cache.put(&(0..count).map(|n| (key(n), value(n))).collect::<Vec<_>>());
    cache
}

fn hits(cache: &FactsCache, count: u32) -> usize {
    let found = cache.get(&(0..count).map(key).collect::<Vec<_>>());
    assert_eq!(found.len(), count as usize);
    for (n, found) in found.iter().enumerate() {
        assert!(found.as_ref().is_none_or(|found| *found == value(n as u32)));
    }
    found.iter().flatten().count()
}

#[test]
fn facts_come_back_by_content_language_and_version() {
    let dir = tempfile::tempdir().unwrap();
    let cache = filled(&dir.path().join("made/anew"), 3);
    assert_eq!(cache.warning(), None);
    let other = |language: &str, version| FactsKey { language: language.to_owned(), version, ..key(1) };
    cache.put(&[(other("go", 1), b"go".to_vec()), (other("python", 2), Vec::new())]);
    let found = cache.get(&[key(1), other("go", 1), other("python", 2), other("rust", 1), key(2), key(1)]);
    assert_eq!(found, [Some(value(1)), Some(b"go".to_vec()), Some(Vec::new()), None, Some(value(2)), Some(value(1))]);
    cache.put(&[(key(1), b"new".to_vec())]);
    drop(cache);
    assert_eq!(FactsCache::open(&dir.path().join("made/anew")).get(&[key(1)]), [Some(b"new".to_vec())]);
}

#[test]
fn values_have_names() {
    let dir = tempfile::tempdir().unwrap();
    let cache = FactsCache::open(dir.path());
    assert_eq!(cache.blob("graph"), None);
    cache.put_blob("graph", b"one");
    cache.put_blob("graph", b"two");
    assert_eq!(FactsCache::open(dir.path()).blob("graph"), Some(b"two".to_vec()));
}

#[test]
fn no_cache_is_a_cache_without_anything() {
    let cache = FactsCache::none();
    cache.put(&[(key(1), value(1))]);
    cache.put_blob("graph", b"x");
    cache.finish_run();
    assert_eq!((cache.get(&[key(1)]), cache.blob("graph"), cache.warning()), (vec![None], None, None));
}

#[test]
fn what_is_no_database_is_made_anew() {
    for noise in [&b"this is not a database, it only lies where one should be"[..], &[0xff; 8192]] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(file(dir.path()), noise).unwrap();
        let cache = filled(dir.path(), 5);
        assert_eq!(hits(&cache, 5), 5);
        let path = file(dir.path());
        assert_eq!(cache.warning(), Some(format!("the cache `{}` was damaged and is made anew", path.display())));
        drop(cache);
        assert_eq!(FactsCache::open(dir.path()).warning(), None);
    }
}

#[test]
fn any_damage_gives_misses_and_never_another_value() {
    let whole = tempfile::tempdir().unwrap();
    filled(whole.path(), 60).finish_run();
    let bytes = std::fs::read(file(whole.path())).unwrap();
    // Every so many bytes a page's worth of damage, and every so many bytes a file that ends there.
    for at in (0..bytes.len()).step_by(bytes.len() / 40) {
        for cut in [false, true] {
            let dir = tempfile::tempdir().unwrap();
            let mut damaged = bytes.clone();
            if cut {
                damaged.truncate(at);
            } else {
                let end = damaged.len().min(at + 700);
                damaged[at..end].iter_mut().for_each(|byte| *byte ^= 0x5a);
            }
            std::fs::write(file(dir.path()), &damaged).unwrap();
            let cache = FactsCache::open(dir.path());
            hits(&cache, 60);
            cache.put(&[(key(100), value(100))]);
            cache.put_blob("graph", b"x");
            cache.finish_run();
            // Whatever happened, a run or two later all is well again.
            for _ in 0..3 {
                let again = filled(dir.path(), 60);
                again.finish_run();
            }
            let healed = FactsCache::open(dir.path());
            assert_eq!(hits(&healed, 60), 60, "damage at {at}, cut: {cut}, {:?}", healed.warning());
        }
    }
}

#[test]
#[cfg(unix)]
fn a_place_that_cannot_be_used_is_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let cache = filled(&dir.path().join("file/cache"), 3);
    assert_eq!(hits(&cache, 3), 0);
    assert!(cache.warning().unwrap().contains("cannot be created"), "{:?}", cache.warning());
    // A directory in the place of the file.
    std::fs::create_dir(file(dir.path())).unwrap();
    let cache = filled(dir.path(), 3);
    assert_eq!(hits(&cache, 3), 0);
    assert!(cache.warning().unwrap().ends_with("cannot be opened"), "{:?}", cache.warning());
}

#[test]
fn a_cache_that_another_process_holds_is_read_or_done_without() {
    let dir = tempfile::tempdir().unwrap();
    drop(filled(dir.path(), 3));
    let other = rusqlite::Connection::open(file(dir.path())).unwrap();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE runs SET last = 9").unwrap();
    let cache = FactsCache::open(dir.path());
    assert_eq!((hits(&cache, 3), cache.warning()), (3, None));
    cache.put(&[(key(7), value(7))]);
    assert!(cache.warning().unwrap().ends_with("is in use by another process"), "{:?}", cache.warning());
    assert_eq!(hits(&cache, 3), 3);
    other.execute_batch("COMMIT").unwrap();
    cache.put(&[(key(7), value(7))]);
    assert_eq!(cache.get(&[key(7)]), [Some(value(7))]);
}

#[test]
fn many_open_at_once_and_all_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let warnings: Vec<Option<String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6u32)
            .map(|thread| {
                let dir = dir.path();
                scope.spawn(move || {
                    let cache = FactsCache::open(dir);
                    for n in 0..10 {
                        cache.put(&[(key(thread * 10 + n), value(thread * 10 + n))]);
                        let _ = cache.get(&[key(n)]);
                    }
                    cache.finish_run();
                    cache.warning()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(warnings, vec![None; 6]);
    assert_eq!(hits(&FactsCache::open(dir.path()), 60), 60);
}

#[test]
fn what_is_not_used_leaves_and_what_is_used_stays() {
    let dir = tempfile::tempdir().unwrap();
    let cache = filled(dir.path(), 4);
    cache.put_blob("used", b"x");
    cache.put_blob("unused", b"x");
    for _ in 0..CACHE_RUNS_KEPT {
        cache.finish_run();
    }
    assert_eq!(hits(&filled(dir.path(), 0), 4), 4);
    for _ in 0..CACHE_RUNS_KEPT {
        assert_eq!(cache.get(&[key(2)]).iter().flatten().count(), 1);
        assert!(cache.blob("used").is_some());
        cache.finish_run();
    }
    drop(cache);
    let cache = FactsCache::open(dir.path());
    assert_eq!(hits(&cache, 4), 1);
    assert_eq!((cache.blob("used"), cache.blob("unused")), (Some(b"x".to_vec()), None));
    assert_eq!(cache.warning(), None);
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

const SECOND: i64 = 1_000_000_000;
const NOW: i64 = 1_700_000_000 * SECOND;

#[test]
fn unchanged_files_are_known_by_their_stats() {
    let dir = tempfile::tempdir().unwrap();
    let cache = FactsCache::open(dir.path());
    let stat = FileStat { size: 7, mtime_ns: NOW - 60 * SECOND, ctime_ns: NOW - 50 * SECOND, inode: u64::MAX };
    let (a, b) = (path("a.py"), path("dir/b.py"));
    let (one, two) = (sha256(b"1"), sha256(b"2"));
    cache.remember("/src/app", &[(&a, stat, one), (&b, stat, two)], NOW);
    let ask = |cache: &FactsCache, stat: FileStat| cache.remembered("/src/app", &[(&b, stat), (&a, stat)]);
    assert_eq!(ask(&cache, stat), [Some(two), Some(one)]);
    for other in [
        FileStat { size: 8, ..stat },
        FileStat { mtime_ns: stat.mtime_ns + 1, ..stat },
        FileStat { ctime_ns: stat.ctime_ns + 1, ..stat },
        FileStat { inode: 1, ..stat },
    ] {
        assert_eq!(ask(&cache, other), [None, None], "{other:?}");
    }
    assert_eq!(cache.remembered("/src/other", &[(&a, stat)]), [None]);
    // What is remembered next replaces all of it.
    cache.remember("/src/app", &[(&a, stat, two)], NOW);
    cache.remember("/src/other", &[(&b, stat, one)], NOW);
    drop(cache);
    let cache = FactsCache::open(dir.path());
    assert_eq!(ask(&cache, stat), [None, Some(two)]);
    assert_eq!(cache.remembered("/src/other", &[(&b, stat)]), [Some(one)]);
    assert_eq!(cache.warning(), None);
}

#[test]
fn files_touched_just_now_are_not_trusted() {
    let dir = tempfile::tempdir().unwrap();
    let cache = FactsCache::open(dir.path());
    let a = path("a.py");
    let remembered = |mtime_ns, ctime_ns| -> Option<Digest> {
        let stat = FileStat { size: 1, mtime_ns, ctime_ns, inode: 1 };
        cache.remember("/r", &[(&a, stat, sha256(b"1"))], NOW);
        cache.remembered("/r", &[(&a, stat)])[0]
    };
    let calm = NOW - RACY_NS - 1;
    assert!(remembered(calm, calm).is_some());
    assert!(remembered(i64::MIN, 0).is_some());
    for (mtime, ctime) in [(NOW - RACY_NS, calm), (calm, NOW - 1), (NOW, NOW), (i64::MAX, calm), (calm, NOW + SECOND)] {
        assert_eq!(remembered(mtime, ctime), None, "{mtime} {ctime}");
    }
}
