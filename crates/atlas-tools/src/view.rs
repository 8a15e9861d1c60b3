//! `view_file`: lines of one file.

use crate::page::json_bytes;
use crate::spec::ViewFile;
use crate::{ErrorCode, RetryHint, ToolError, ToolSurface};
use atlas_artifact::limits::{ANSWER_BYTES, VIEW_LINES};
use atlas_tree::{Lines, line_count, lines_bytes, sha256};
use serde_json::{Value, json};

/// Bytes kept free for everything but the text.
const HEAD_BYTES: usize = 640;

pub fn run(surface: &ToolSurface, args: &ViewFile) -> Result<Value, ToolError> {
    let path = surface.path(&args.path)?;
    let lines = Lines::new(args.start_line, args.end_line).map_err(|e| ToolError::invalid(e.to_string()))?;
    let bytes = surface.read(&path)?;
    if is_binary(&bytes) {
        return Err(ToolError::new(ErrorCode::BinaryContent, format!("`{path}` is binary"), RetryHint::DifferentTool));
    }
    let total = line_count(&bytes);
    if lines.start() > total {
        return Err(ToolError::invalid(format!("`{path}` has {total} lines")));
    }
    let wanted = lines.end().min(total);
    let last_allowed = wanted.min(lines.start().saturating_add(VIEW_LINES - 1));
    let mut text = String::new();
    let mut lossy = false;
    let mut shown = 0;
    let mut used = HEAD_BYTES + path.as_str().len() * 2;
    for number in lines.start()..=last_allowed {
        let one = Lines::new(number, number).ok().and_then(|one| lines_bytes(&bytes, one)).unwrap_or_default();
        let line = String::from_utf8_lossy(one);
        let cost = json_bytes(&Value::String(line.to_string()));
        if used + cost > ANSWER_BYTES {
            break;
        }
        used += cost;
        lossy |= matches!(line, std::borrow::Cow::Owned(_));
        text.push_str(&line);
        shown = number;
    }
    if shown == 0 {
        // A line that no answer can hold: its beginning is shown, and said to be no more than that.
        let one =
            Lines::new(lines.start(), lines.start()).ok().and_then(|one| lines_bytes(&bytes, one)).unwrap_or_default();
        let line = String::from_utf8_lossy(one);
        let start: String = line.chars().take(1_000).collect();
        return Ok(json!({
            "path": path.as_str(), "start_line": lines.start(), "end_line": lines.start(), "total_lines": total,
            "text": start, "clipped_line": { "line": lines.start(), "bytes": one.len() },
            "truncated": true, "next_line": lines.start() + 1,
        }));
    }
    let range = Lines::new(lines.start(), shown).map_err(|e| ToolError::invalid(e.to_string()))?;
    let excerpt = lines_bytes(&bytes, range).map(sha256);
    let mut answer = json!({
        "path": path.as_str(), "start_line": lines.start(), "end_line": shown, "total_lines": total, "text": text,
        "truncated": shown < wanted,
    });
    if let (Some(digest), Some(object)) = (excerpt, answer.as_object_mut()) {
        object.insert("excerpt_ref".to_owned(), Value::String(format!("memex://excerpt/{digest}")));
        if shown < wanted {
            object.insert("next_line".to_owned(), Value::from(shown + 1));
        }
        if lossy {
            object.insert(
                "encoding".to_owned(),
                Value::String("not UTF-8: undecodable bytes are shown as U+FFFD".to_owned()),
            );
        }
    }
    Ok(answer)
}

/// A NUL among the first bytes, unless they are UTF-16 with a byte order mark.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    const LOOK: usize = 8 * 1024;
    !bytes.starts_with(&[0xff, 0xfe])
        && !bytes.starts_with(&[0xfe, 0xff])
        && bytes[..bytes.len().min(LOOK)].contains(&0)
}
