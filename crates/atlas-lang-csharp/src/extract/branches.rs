//! Files that `#if` cuts through the middle of a declaration, which the grammar cannot take: one branch of
//! each is read, as if the others were blank. Nothing moves.

/// The source with its directives and all branches but the first blanked; None if it has none.
pub(super) fn first_branches(source: &[u8]) -> Option<Vec<u8>> {
    memchr::memmem::find(source, b"#if")?;
    let mut out = source.to_vec();
    // Of each open `#if`: whether the branch that is read has ended.
    let mut open: Vec<bool> = Vec::new();
    let mut start = 0;
    while start < source.len() {
        let end = memchr::memchr(b'\n', &source[start..]).map_or(source.len(), |at| start + at);
        let line = source[start..end].trim_ascii();
        let directive = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        let is = |word: &[u8]| directive.is_some_and(|directive| directive.starts_with(word));
        if is(b"if") {
            open.push(false);
        } else if is(b"elif") || is(b"else") {
            if let Some(ended) = open.last_mut() {
                *ended = true;
            }
        } else if is(b"endif") {
            open.pop();
        }
        if directive.is_some() || open.contains(&true) {
            for byte in out[start..end].iter_mut().filter(|byte| **byte != b'\r') {
                *byte = b' ';
            }
        }
        start = end + 1;
    }
    Some(out)
}
