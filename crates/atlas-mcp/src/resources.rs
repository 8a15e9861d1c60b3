//! Excerpts as resources: `memex://excerpt/<sha256>` (contract §1).

use atlas_tree::Digest;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

const PREFIX: &str = "memex://excerpt/";
/// Resources of one page.
const PAGE: usize = 200;

/// One page of what is stored, in the order of digests, and where the next one begins.
pub fn page(stored: &[(Digest, u64)], cursor: Option<&str>) -> Option<(Vec<Resource>, Option<String>)> {
    let after = match cursor {
        Some(cursor) => Some(Digest::parse(cursor)?),
        None => None,
    };
    // A place, not a count: nothing is lost or repeated when excerpts are added meanwhile.
    let rest = &stored[stored.partition_point(|(digest, _)| after.is_some_and(|after| *digest <= after))..];
    let shown = &rest[..rest.len().min(PAGE)];
    let next = (rest.len() > shown.len()).then(|| shown.last().map(|(digest, _)| digest.to_string())).flatten();
    let resources = shown
        .iter()
        .map(|(digest, size)| {
            let name = digest.to_string();
            Resource::new(format!("{PREFIX}{name}"), format!("excerpt {}", &name[..12])).with_size(*size)
        })
        .collect();
    Some((resources, next))
}

pub fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{PREFIX}{{sha256}}"), "excerpt")
        .with_description("The exact bytes of an excerpt, by the SHA-256 of its bytes.")
}

/// The digest that a URI names.
pub fn digest(uri: &str) -> Option<Digest> {
    uri.strip_prefix(PREFIX).and_then(Digest::parse)
}

/// An excerpt as the protocol carries it: text if it is UTF-8, else base64.
pub fn contents(uri: &str, bytes: Vec<u8>) -> ReadResourceResult {
    let contents = match String::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, uri),
        Err(error) => ResourceContents::blob(BASE64_STANDARD.encode(error.as_bytes()), uri),
    };
    ReadResourceResult::new(vec![contents])
}

/// Digests that begin as typed, at most `limit`, and how many there are.
pub fn complete(stored: &[(Digest, u64)], typed: &str, limit: usize) -> (Vec<String>, usize) {
    let matching: Vec<String> =
        stored.iter().map(|(digest, _)| digest.to_string()).filter(|name| name.starts_with(typed)).collect();
    let total = matching.len();
    (matching.into_iter().take(limit).collect(), total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_cover_all_once_and_a_foreign_cursor_is_refused() {
        let mut stored: Vec<(Digest, u64)> =
            (0..450u32).map(|n| (atlas_tree::sha256(&n.to_le_bytes()), u64::from(n))).collect();
        stored.sort();
        let (mut cursor, mut seen) = (None::<String>, Vec::new());
        loop {
            let (resources, next) = page(&stored, cursor.as_deref()).unwrap();
            seen.extend(resources.into_iter().map(|resource| resource.uri));
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        let wanted: Vec<String> = stored.iter().map(|(digest, _)| format!("{PREFIX}{digest}")).collect();
        assert_eq!(seen, wanted);
        assert!(page(&stored, Some("nonsense")).is_none());
    }
}
