//! `events.jsonl`: every tool call of a mission (contract §2).

use crate::error::StoreError;
use crate::lines::Lines;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The phases in their order (contract §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Assess,
    Traverse,
    Locate,
    Abstract,
    Synthesize,
}

/// One tool call. No two of a mission share phase, branch and sequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRecord {
    pub phase: Phase,
    /// 0 is the parent.
    pub branch: u32,
    /// 1-based within phase and branch.
    pub sequence: u64,
    pub tool: String,
    /// SHA-256 of the arguments, in hexadecimal.
    pub args: String,
    pub bytes_out: u64,
    pub ms: u64,
    /// The error code that was answered, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The log, open for appending by any number of threads.
#[derive(Debug)]
pub struct EventLog {
    lines: Lines,
}

impl EventLog {
    pub(crate) fn open(path: &Path, keep: impl Fn(Phase, u32) -> bool) -> Result<Self, StoreError> {
        let keep = |value: &Value| record(value).is_some_and(|record| keep(record.phase, record.branch));
        Ok(Self { lines: Lines::open(path, keep)?.0 })
    }

    /// Appends a call; it is durable when this returns. Lines stand in the order of arrival until
    /// [`EventLog::finish`].
    ///
    /// # Errors
    /// [`StoreError::Io`]; the log then is as it was before.
    pub fn append(&self, record: &EventRecord) -> Result<(), StoreError> {
        self.lines.append(&serde_json::to_value(record).expect("a record of plain fields is JSON"))
    }

    /// Puts the lines in the order of phase, branch and sequence. Of lines that share all three the last one stays.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn finish(&self) -> Result<(), StoreError> {
        let bytes = self.lines.read()?;
        let mut records: Vec<EventRecord> = bytes
            .split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .filter_map(|value| record(&value))
            .collect();
        let key = |record: &EventRecord| (record.phase, record.branch, record.sequence);
        records.reverse();
        records.sort_by_key(key);
        records.dedup_by_key(|record| key(record));
        let mut sorted = Vec::with_capacity(bytes.len());
        for record in &records {
            serde_json::to_writer(&mut sorted, record).expect("memory takes any bytes");
            sorted.push(b'\n');
        }
        self.lines.replace(&sorted)
    }
}

fn record(value: &Value) -> Option<EventRecord> {
    EventRecord::deserialize(value).ok()
}
