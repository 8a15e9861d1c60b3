//! `memex_read`: exact bytes by their digest.

use crate::page::json_bytes;
use crate::spec::MemexRead;
use crate::{ErrorCode, RetryHint, ToolError, ToolSurface};
use atlas_artifact::limits::ANSWER_BYTES;
use atlas_tree::Digest;
use serde_json::{Value, json};

pub fn run(surface: &ToolSurface, args: &MemexRead) -> Result<Value, ToolError> {
    let digest =
        args.reference.strip_prefix("memex://excerpt/").and_then(Digest::parse).ok_or_else(|| {
            ToolError::invalid("`ref` must be `memex://excerpt/` and 64 lower-case hexadecimal digits")
        })?;
    let bytes = surface
        .excerpts
        .get(&digest)
        .map_err(|message| ToolError::new(ErrorCode::Corrupt, message, RetryHint::None))?
        .ok_or_else(|| ToolError::not_found(format!("no excerpt `{digest}` is stored here")))?;
    if atlas_tree::sha256(&bytes) != digest {
        return Err(ToolError::new(
            ErrorCode::Corrupt,
            format!("excerpt `{digest}` does not have its digest"),
            RetryHint::None,
        ));
    }
    let total = bytes.len();
    let whole = match String::from_utf8(bytes) {
        Ok(text) => json!({ "ref": args.reference, "bytes": total, "text": text, "truncated": false }),
        Err(error) => {
            let hex: String = error.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "ref": args.reference, "bytes": total, "hex": hex, "truncated": false })
        }
    };
    if json_bytes(&whole) <= ANSWER_BYTES {
        return Ok(whole);
    }
    Err(ToolError::new(
        ErrorCode::InvalidArgument,
        format!("the excerpt has {total} bytes, more than an answer holds; view its lines instead"),
        RetryHint::DifferentTool,
    ))
}
