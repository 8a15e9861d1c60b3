//! What a branch has handed in, durable at once, so that a killed run loses nothing and does no
//! finished branch again (contract §2, §7).

use crate::error::StoreError;
use crate::lines::Lines;
use serde_json::{Value, json};
use std::path::Path;

/// The journal of one branch, open for appending by any number of threads.
#[derive(Debug)]
pub struct BranchJournal {
    lines: Lines,
    key: String,
}

/// What a journal holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BranchRecord {
    /// In the order in which they were handed in.
    pub handed_in: Vec<Value>,
    /// The delivery that closed the branch. Nothing is handed in after it.
    pub closed: Option<Value>,
}

impl BranchJournal {
    pub(crate) fn open(path: &Path, key: &str) -> Result<(Self, BranchRecord), StoreError> {
        let (lines, values) = Lines::open(path, |_| true)?;
        let journal = Self { lines, key: key.to_owned() };
        let mut values = values.into_iter();
        if values.next().is_none_or(|first| first.get("key").and_then(Value::as_str) != Some(key)) {
            journal.restart()?;
            return Ok((journal, BranchRecord::default()));
        }
        let mut record = BranchRecord::default();
        for mut value in values {
            if let Some(closed) = value.get_mut("closed") {
                record.closed = Some(closed.take());
                break;
            }
            if let Some(handed_in) = value.get_mut("handed_in") {
                record.handed_in.push(handed_in.take());
            }
        }
        Ok((journal, record))
    }

    /// Keeps a finding, or whatever the branch hands in; it is durable when this returns.
    ///
    /// # Errors
    /// [`StoreError::Io`]; the journal then is as it was before.
    pub fn hand_in(&self, value: &Value) -> Result<(), StoreError> {
        self.lines.append(&json!({ "handed_in": value }))
    }

    /// Keeps the delivery that ends the branch.
    ///
    /// # Errors
    /// As [`BranchJournal::hand_in`].
    pub fn close(&self, delivery: &Value) -> Result<(), StoreError> {
        self.lines.append(&json!({ "closed": delivery }))
    }

    /// Forgets all of it: the branch runs again from its beginning.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn restart(&self) -> Result<(), StoreError> {
        self.lines.replace(format!("{}\n", json!({ "key": self.key })).as_bytes())
    }
}
