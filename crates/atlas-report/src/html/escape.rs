//! Strangers' text inside HTML.

use atlas_artifact::refusal::is_unprintable;
use std::fmt::Write as _;

/// The text as HTML text or attribute value. What is not printable is shown as its code.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if is_unprintable(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The text with its back-ticked parts as code.
pub(super) fn rich(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some((before, tail)) = rest.split_once('`') {
        let Some((code, after)) = tail.split_once('`').filter(|(code, _)| !code.is_empty()) else { break };
        let _ = write!(out, "{}<code>{}</code>", text(before), text(code));
        rest = after;
    }
    out.push_str(&text(rest));
    out
}

/// A path, a glob, an identifier: code that may break at its separators.
pub(super) fn code(source: &str) -> String {
    let escaped = text(source);
    format!("<code>{}</code>", escaped.replace('/', "/<wbr>"))
}

/// Base64 as a content security policy wants it.
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let group = u32::from(chunk[0]) << 16
            | u32::from(chunk.get(1).copied().unwrap_or(0)) << 8
            | u32::from(chunk.get(2).copied().unwrap_or(0));
        for at in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_stranger_becomes_markup() {
        assert_eq!(
            text("<b a='x' & \"y\">\u{1b}\u{202e}"),
            r"&lt;b a=&#39;x&#39; &amp; &quot;y&quot;&gt;\u{1b}\u{202e}"
        );
        assert_eq!(rich("a `<b>` c `d"), "a <code>&lt;b&gt;</code> c `d");
        assert_eq!(rich("`` x"), "`` x");
        assert_eq!(code("a/<b>"), "<code>a/<wbr>&lt;b&gt;</code>");
    }

    #[test]
    fn base64_is_padded() {
        for (bytes, wanted) in
            [(&b""[..], ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (b"foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes), wanted);
        }
    }
}
