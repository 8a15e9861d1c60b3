//! What leaves the cache.

use super::{CACHE_BYTES_MAX, CACHE_RUNS_KEPT, FactsCache};
use rusqlite::{Transaction, TransactionBehavior, params};

/// A use is written down again only when the last one is this many runs old, so that a run that
/// finds everything writes next to nothing. What is kept is kept for so many runs more.
const USE_RUNS: i64 = CACHE_RUNS_KEPT / 3;

impl FactsCache {
    /// Ends a run: notes what it used, and evicts. Cheap if there is nothing to evict.
    pub fn finish_run(&self) {
        self.finish_run_within(CACHE_BYTES_MAX);
    }

    pub(crate) fn finish_run_within(&self, bytes_max: u64) {
        let mut state = self.state();
        let run = state.run;
        let (used, used_blobs) = (std::mem::take(&mut state.used), std::mem::take(&mut state.used_blobs));
        let done = state.with(|connection| {
            let writing = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            writing.execute("UPDATE runs SET last = max(last, ?1)", [run])?;
            {
                let mut mark = writing.prepare_cached("UPDATE uses SET used = ?2 WHERE id = ?1 AND used < ?3")?;
                for id in &used {
                    mark.execute(params![id, run, run - USE_RUNS])?;
                }
                let mut mark = writing.prepare_cached("UPDATE blobs SET used = ?2 WHERE name = ?1 AND used < ?3")?;
                for name in &used_blobs {
                    mark.execute(params![name, run, run - USE_RUNS])?;
                }
            }
            let mut evicted = unused(&writing, run - CACHE_RUNS_KEPT - USE_RUNS)?;
            evicted += too_many(&writing, bytes_max)?;
            writing.commit()?;
            if evicted > 0 {
                let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
                let mut pages = vacuum.query([])?;
                while pages.next()?.is_some() {}
            }
            Ok(())
        });
        if done.is_some() {
            state.run += 1;
        }
    }
}

fn unused(writing: &Transaction<'_>, before: i64) -> rusqlite::Result<usize> {
    let mut gone = writing.execute("DELETE FROM facts WHERE id IN (SELECT id FROM uses WHERE used < ?1)", [before])?;
    writing.execute("DELETE FROM uses WHERE used < ?1", [before])?;
    gone += writing.execute("DELETE FROM blobs WHERE used < ?1", [before])?;
    gone += writing.execute("DELETE FROM stats WHERE root IN (SELECT id FROM roots WHERE used < ?1)", [before])?;
    writing.execute("DELETE FROM roots WHERE used < ?1", [before])?;
    Ok(gone)
}

/// Evicts what was used longest ago, ties by age, until three quarters of the bound are left, so
/// that not every run evicts.
fn too_many(writing: &Transaction<'_>, bytes_max: u64) -> rusqlite::Result<usize> {
    let sum = |table: &str| -> rusqlite::Result<u64> {
        let sum: i64 = writing.query_row(table, [], |row| row.get(0))?;
        Ok(sum.max(0).cast_unsigned())
    };
    let blobs = sum("SELECT coalesce(sum(length(data)), 0) FROM blobs")?;
    let mut bytes = blobs.saturating_add(sum("SELECT coalesce(sum(bytes), 0) FROM uses")?);
    if bytes <= bytes_max {
        return Ok(0);
    }
    let mut oldest = writing.prepare("SELECT id, bytes FROM uses ORDER BY used, id")?;
    let mut rows = oldest.query([])?;
    let mut ids: Vec<i64> = Vec::new();
    while bytes > bytes_max / 4 * 3
        && let Some(row) = rows.next()?
    {
        ids.push(row.get(0)?);
        bytes = bytes.saturating_sub(row.get::<_, i64>(1)?.max(0).cast_unsigned());
    }
    let mut fact = writing.prepare("DELETE FROM facts WHERE id = ?1")?;
    let mut mark = writing.prepare("DELETE FROM uses WHERE id = ?1")?;
    for id in &ids {
        fact.execute([id])?;
        mark.execute([id])?;
    }
    Ok(ids.len())
}

#[cfg(test)]
mod tests {
    use crate::{FactsCache, FactsKey};
    use atlas_tree::sha256;

    fn key(n: u8) -> FactsKey {
        FactsKey { content: sha256(&[n]), language: "go".to_owned(), version: 1 }
    }

    #[test]
    fn above_the_bound_what_was_used_longest_ago_leaves() {
        let dir = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(dir.path());
        for n in 0..10 {
            cache.put(&[(key(n), vec![n; 1000])]);
            cache.finish_run_within(10_000);
        }
        let left = |cache: &FactsCache| -> Vec<u8> { (0..11).filter(|n| cache.get(&[key(*n)])[0].is_some()).collect() };
        cache.put(&[(key(0), vec![0; 1000]), (key(10), vec![10; 1000])]);
        cache.finish_run_within(10_000);
        // Eleven thousand bytes; the oldest go until at most seven and a half thousand are left.
        assert_eq!(left(&cache), [0, 5, 6, 7, 8, 9, 10]);
        // A value alone that is over the bound leaves too: the bound holds.
        cache.put(&[(key(1), vec![1; 50_000])]);
        cache.finish_run_within(10_000);
        assert_eq!(left(&cache), [0u8; 0]);
        assert_eq!(cache.warning(), None);
    }
}
