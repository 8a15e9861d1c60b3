//! Answers of at most 8 KiB, cut on a whole element (contract §8).

use crate::{ErrorCode, RetryHint, ToolError};
use atlas_artifact::limits::ANSWER_BYTES;
use serde_json::{Map, Value};

/// Bytes kept free for `truncated`, `next_cursor` and the braces.
const TAIL_BYTES: usize = 160;

/// Fills an answer with elements until the next one would not fit.
#[derive(Debug)]
pub(crate) struct Page {
    head: Map<String, Value>,
    list: &'static str,
    items: Vec<Value>,
    bytes: usize,
    count_max: usize,
}

impl Page {
    /// `head` is what the answer says besides its list.
    pub fn new(head: Map<String, Value>, list: &'static str, count_max: usize) -> Self {
        let bytes = json_bytes(&Value::Object(head.clone())) + list.len() + 6 + TAIL_BYTES;
        Self { head, list, items: Vec::new(), bytes, count_max }
    }

    /// Takes the element if it fits. An element that could never fit, even alone, is an error: it
    /// must not block the way to those behind it.
    ///
    /// # Errors
    /// The element alone is larger than an answer may be.
    pub fn push(&mut self, item: Value) -> Result<bool, ToolError> {
        let bytes = json_bytes(&item) + 1;
        if self.items.len() >= self.count_max {
            return Ok(false);
        }
        if self.bytes + bytes > ANSWER_BYTES {
            if self.items.is_empty() {
                return Err(ToolError::new(
                    ErrorCode::InvalidArgument,
                    "one element alone exceeds the answer's bound",
                    RetryHint::DifferentTool,
                ));
            }
            return Ok(false);
        }
        self.bytes += bytes;
        self.items.push(item);
        Ok(true)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The answer; `next` is the cursor of what follows, if anything does.
    pub fn finish(self, next: Option<String>) -> Value {
        let mut answer = self.head;
        answer.insert(self.list.to_owned(), Value::Array(self.items));
        answer.insert("truncated".to_owned(), Value::Bool(next.is_some()));
        if let Some(cursor) = next {
            answer.insert("next_cursor".to_owned(), Value::String(cursor));
        }
        Value::Object(answer)
    }
}

/// Bytes of the compact JSON form.
pub(crate) fn json_bytes(value: &Value) -> usize {
    // Counting through a writer avoids building the text.
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).map_or(usize::MAX, |()| count.0)
}

/// A cursor that counts elements of a list which `version` identifies.
pub(crate) fn offset_cursor(version: u64, offset: usize) -> String {
    format!("{version:016x}.{offset}")
}

/// Reads it back.
///
/// # Errors
/// A cursor of another list, or of one that has changed since, is refused: honouring it would lose
/// or repeat elements.
pub(crate) fn read_offset_cursor(cursor: Option<&str>, version: u64) -> Result<usize, ToolError> {
    let Some(cursor) = cursor else { return Ok(0) };
    let parsed = cursor
        .split_once('.')
        .and_then(|(v, offset)| Some((u64::from_str_radix(v, 16).ok()?, offset.parse::<usize>().ok()?)));
    match parsed {
        Some((v, offset)) if v == version => Ok(offset),
        Some(_) => Err(ToolError::new(
            ErrorCode::InvalidArgument,
            "this cursor belongs to another call or to an older state of the tree; ask again without a cursor",
            RetryHint::PaginationCursor,
        )),
        None => Err(ToolError::invalid("this is not a cursor that an answer gave")),
    }
}

/// A fingerprint of what a cursor belongs to (FNV-1a: stable over platforms and versions).
pub(crate) fn version_of(parts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for part in parts {
        for &byte in part.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}
