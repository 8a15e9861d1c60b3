//! How tokens are counted (contract §7).

use crate::limits::BYTES_PER_TOKEN;

/// ⌈UTF-8 bytes ÷ 4⌉ of what is shown.
#[must_use]
pub fn tokens(text: &str) -> usize {
    text.len().div_ceil(BYTES_PER_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn a_token_is_four_bytes_rounded_up() {
        for (text, count) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("éé", 1), ("ééé", 2)] {
            assert_eq!(tokens(text), count, "{text:?}");
        }
    }
}
