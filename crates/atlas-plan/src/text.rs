//! How names from a repository are shown to people and to branches.

use std::borrow::Cow;

/// A path or a quotation on one line: control characters and line breaks are escaped, everything else stays.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if !text.contains(breaks) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .flat_map(|c| {
            if breaks(c) { c.escape_default().collect::<String>() } else { c.to_string() }.chars().collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_name_stays_on_one_line() {
        assert_eq!(shown("src/a b.rs"), "src/a b.rs");
        assert_eq!(shown("new\nline\u{2028}é\t"), "new\\nline\\u{2028}é\\t");
    }
}
