//! Spellings of TypeScript that the grammar cannot read, blanked at equal length before parsing, so
//! that every line and column stays.

/// The text without the type arguments of tagged templates (`` css<Props>`…` ``) and without
/// `typeof import('m')` types; None if it has neither.
#[must_use]
pub fn blanked(source: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    for at in memchr::memmem::find_iter(source, b">`") {
        if let Some(open) = opening(source, at) {
            let out = out.get_or_insert_with(|| source.to_vec());
            for byte in &mut out[open..=at] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
    }
    for at in memchr::memmem::find_iter(source, b"typeof import(") {
        let end = source[at..].iter().take(BACK_MAX).position(|&byte| byte == b')').map(|end| at + end);
        if let Some(end) = end.filter(|&end| !source[at..end].contains(&b'\n')) {
            let out = out.get_or_insert_with(|| source.to_vec());
            out[at..=end].fill(b' ');
            out[at..at + 7].copy_from_slice(b"unknown");
        }
    }
    out
}

/// Bytes that type arguments may take.
const BACK_MAX: usize = 4096;

/// The `<` that the `>` at `close` ends, if type arguments stand between them.
fn opening(source: &[u8], close: usize) -> Option<usize> {
    let mut depth = 0u32;
    for at in (close.saturating_sub(BACK_MAX)..=close).rev() {
        match source[at] {
            b'>' if at > 0 && source[at - 1] == b'=' => {}
            b'>' => depth += 1,
            b'<' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let before = *source.get(at.checked_sub(1)?)?;
                    let follows = source[at + 1] != b'/';
                    let names = before.is_ascii_alphanumeric() || matches!(before, b'_' | b'$' | b')' | b']');
                    return (follows && names).then_some(at);
                }
            }
            b'`' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::blanked;

    fn text(source: &str) -> Option<String> {
        blanked(source.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn type_arguments_before_a_template_are_blanked_in_place() {
        assert_eq!(text("styled.a<{\n x: Y<Z> }>`b`").unwrap(), "styled.a  \n           `b`");
        assert_eq!(text("f<(a: A) => B>`x`").unwrap(), "f             `x`");
        assert_eq!(text("html`<b>${x}</b>`"), None);
        assert_eq!(text("a > `x`"), None);
        assert_eq!(text("x => x>`y`"), None);
    }

    #[test]
    fn module_types_become_unknown() {
        assert_eq!(text("f<typeof import('./m')>()").unwrap(), "f<unknown             >()");
    }
}
