//! Opening the file of a cache, whatever state it is in.

use crate::whole::make_directory;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The format of the tables; another number is another file.
const FORMAT: i32 = 1;
/// The file's name; the number is [`FORMAT`].
pub(super) const NAME: &str = "facts-1.sqlite";

const TABLES: &str = "
CREATE TABLE facts (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, sum INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE uses (id INTEGER PRIMARY KEY, used INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE roots (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, used INTEGER NOT NULL);
CREATE TABLE stats (
    root INTEGER NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
    ctime INTEGER NOT NULL, inode INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (root, path)
) WITHOUT ROWID;
CREATE TABLE blobs (name TEXT PRIMARY KEY, used INTEGER NOT NULL, sum INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE runs (last INTEGER NOT NULL);
INSERT INTO runs VALUES (0);
";

pub(super) struct Connected {
    pub(super) connection: Option<Connection>,
    pub(super) warning: Option<String>,
    pub(super) run: i64,
}

/// Connects to the cache at `path` in `dir`: for writing, else for reading alone, else not at all.
pub(super) fn connect(dir: &Path, path: &Path, busy: Duration) -> Connected {
    let made = make_directory(dir);
    let mut warning = made.err().map(|error| error.to_string());
    let mut tried = write(path, busy);
    if let Err(error) = &tried
        && is_damage(error)
    {
        warning.get_or_insert_with(|| format!("the cache `{}` was damaged and is made anew", path.display()));
        remove(path);
        tried = write(path, busy);
    }
    let error = match tried {
        Ok((connection, run)) => return Connected { connection: Some(connection), warning, run },
        Err(error) => error,
    };
    warning.get_or_insert_with(|| format!("the cache `{}` {}", path.display(), words(&error)));
    match read(path, busy) {
        Ok((connection, run)) => Connected { connection: Some(connection), warning, run },
        Err(_) => Connected { connection: None, warning, run: 0 },
    }
}

fn write(path: &Path, busy: Duration) -> rusqlite::Result<(Connection, i64)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    settle(&connection, busy)?;
    if format(&connection)? == 0 {
        // Before there is a table; afterwards it would need the whole file to be written again.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let making = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have been faster.
        if format(&making)? == 0 {
            making.execute_batch(TABLES)?;
            making.pragma_update(None, "user_version", FORMAT)?;
        }
        making.commit()?;
    }
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let run = run(&connection)?;
    Ok((connection, run))
}

fn read(path: &Path, busy: Duration) -> rusqlite::Result<(Connection, i64)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    settle(&connection, busy)?;
    let run = run(&connection)?;
    Ok((connection, run))
}

fn settle(connection: &Connection, busy: Duration) -> rusqlite::Result<()> {
    // Pages are read, not mapped: a mapped page that cannot be read would end the process.
    connection.set_prepared_statement_cache_capacity(32);
    connection.busy_timeout(busy)
}

fn format(connection: &Connection) -> rusqlite::Result<i32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// The number of the run that begins. Fails if the tables are not ours.
fn run(connection: &Connection) -> rusqlite::Result<i64> {
    let last: i64 = connection.query_row("SELECT last FROM runs", [], |row| row.get(0))?;
    Ok(last.saturating_add(1))
}

/// Whether the file is no cache that can be used again.
pub(super) fn is_damage(error: &Error) -> bool {
    match error {
        Error::SqliteFailure(failure, message) => {
            matches!(failure.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
                || message.as_ref().is_some_and(|m| m.starts_with("no such table") || m.starts_with("no such column"))
        }
        Error::QueryReturnedNoRows
        | Error::InvalidColumnType(..)
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..) => true,
        Error::SqlInputError { msg, .. } => msg.starts_with("no such"),
        _ => false,
    }
}

/// What an error means for the cache.
pub(super) fn words(error: &Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "is in use by another process".to_owned(),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => "cannot be written".to_owned(),
        Some(ErrorCode::CannotOpen) => "cannot be opened".to_owned(),
        Some(ErrorCode::DiskFull) => "does not fit on the disk".to_owned(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => "is damaged".to_owned(),
        _ => format!("cannot be used: {error}"),
    }
}

/// Removes the file and what SQLite keeps beside it. Whoever has it open still reads the old one.
pub(super) fn remove(path: &Path) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        // What cannot be removed is found damaged again by the next run.
        let _ = std::fs::remove_file(PathBuf::from(name));
    }
}
