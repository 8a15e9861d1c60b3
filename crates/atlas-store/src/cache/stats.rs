//! Which files did not change, told without reading them.

use super::{FactsCache, RACY_NS};
use atlas_tree::{Digest, FileStat, RepoPath};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use std::collections::BTreeMap;

impl FactsCache {
    /// What each file of the root held when it was last remembered, if its size, times and inode
    /// are still the same; in the order of `files`. `root` is the canonical path of the work tree.
    #[must_use]
    pub fn remembered(&self, root: &str, files: &[(&RepoPath, FileStat)]) -> Vec<Option<Digest>> {
        let known = self.state().with(|connection| match root_id(connection, root)? {
            Some(id) => rows(connection, id),
            None => Ok(BTreeMap::new()),
        });
        let known = known.unwrap_or_default();
        files
            .iter()
            .map(|(path, stat)| known.get(path.as_str()).filter(|(then, _)| then == stat).map(|(_, content)| *content))
            .collect()
    }

    /// Remembers what each file of the root holds; what is not in `files` is forgotten. `now_ns` is
    /// a time, in nanoseconds since 1970, not later than when the first of the files was looked at: a file
    /// that changed less than [`RACY_NS`] before it could change again within the same tick, and is
    /// not remembered. A file of the future is never.
    pub fn remember(&self, root: &str, files: &[(&RepoPath, FileStat, Digest)], now_ns: i64) {
        let limit = now_ns.saturating_sub(RACY_NS);
        let calm: BTreeMap<&str, (FileStat, Digest)> = files
            .iter()
            .filter(|(_, stat, _)| stat.mtime_ns.max(stat.ctime_ns) < limit)
            .map(|(path, stat, content)| (path.as_str(), (*stat, *content)))
            .collect();
        let mut state = self.state();
        let run = state.run;
        state.with(|connection| {
            let writing = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            writing.execute(
                "INSERT INTO roots (path, used) VALUES (?1, ?2) ON CONFLICT (path) DO UPDATE SET used = excluded.used",
                params![root, run],
            )?;
            let id = root_id(&writing, root)?.unwrap_or_default();
            write_difference(&writing, id, &calm)?;
            writing.commit()
        });
    }
}

/// Most files are as they were: only the others are written.
fn write_difference(
    writing: &Transaction<'_>,
    root: i64,
    files: &BTreeMap<&str, (FileStat, Digest)>,
) -> rusqlite::Result<()> {
    let before = rows(writing, root)?;
    let mut delete = writing.prepare_cached("DELETE FROM stats WHERE root = ?1 AND path = ?2")?;
    for path in before.keys().filter(|path| !files.contains_key(path.as_str())) {
        delete.execute(params![root, path])?;
    }
    let mut insert = writing.prepare_cached(
        "INSERT OR REPLACE INTO stats (root, path, size, mtime, ctime, inode, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (path, (stat, content)) in files.iter().filter(|(path, now)| before.get(**path) != Some(now)) {
        let (size, inode) = (stat.size.cast_signed(), stat.inode.cast_signed());
        insert.execute(params![root, path, size, stat.mtime_ns, stat.ctime_ns, inode, content.0])?;
    }
    Ok(())
}

fn root_id(connection: &Connection, root: &str) -> rusqlite::Result<Option<i64>> {
    connection.query_row("SELECT id FROM roots WHERE path = ?1", [root], |row| row.get(0)).optional()
}

fn rows(connection: &Connection, root: i64) -> rusqlite::Result<BTreeMap<String, (FileStat, Digest)>> {
    let mut select =
        connection.prepare_cached("SELECT path, size, mtime, ctime, inode, content FROM stats WHERE root = ?1")?;
    let rows = select.query_map([root], |row| {
        let stat = FileStat {
            size: row.get::<_, i64>(1)?.cast_unsigned(),
            mtime_ns: row.get(2)?,
            ctime_ns: row.get(3)?,
            inode: row.get::<_, i64>(4)?.cast_unsigned(),
        };
        Ok((row.get(0)?, (stat, Digest(row.get(5)?))))
    })?;
    rows.collect()
}
