//! Sentences and their citations (contract §12, §13): one rule for who writes them and who checks them.
//!
//! A sentence ends at `.`, `!` or `?` (and what closes a quotation or a bracket behind it) where
//! white space or the end follows, outside back-ticks.

use crate::text::next_mark;

/// The sentences of a text, without the space between them.
#[must_use]
pub fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    let mut ended = false;
    for (at, c) in text.char_indices() {
        if ended && c.is_whitespace() {
            sentences.push(text[start..at].trim());
            start = at;
            ended = false;
        } else if c == '`' {
            in_code = !in_code;
            ended = false;
        } else if !in_code {
            ended = is_stop(c) || ended && is_closer(c);
        }
    }
    sentences.push(text[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The text with the citation at the end of each of its sentences, before the full stop; spaces and
/// line ends within it become single spaces.
#[must_use]
pub fn with_citation(text: &str, id: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    for sentence in sentences(&text) {
        let body = body(sentence);
        // A sentence of full stops alone says nothing.
        if body.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        let stop = &sentence[body.len()..];
        let stop = if stop.is_empty() { "." } else { stop };
        out.push_str(&format!("{} [{id}]{stop}", body.trim_end()));
    }
    if out.is_empty() { format!("[{id}].") } else { out }
}

/// A sentence without what ends it: full stops, and quotations and brackets that close behind them.
pub(crate) fn body(sentence: &str) -> &str {
    let mut body = sentence;
    loop {
        let inner = body.trim_end_matches(is_closer);
        let shorter = inner.trim_end_matches(is_stop);
        if shorter.len() == inner.len() {
            return body;
        }
        body = shorter;
    }
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？')
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»')
}

/// The ids that a text cites, in order.
#[must_use]
pub fn citations(text: &str) -> Vec<&str> {
    let mut ids = Vec::new();
    let mut rest = text;
    while let Some((_, mark, after)) = next_mark(rest) {
        let inner = &mark[1..mark.len() - 1];
        if inner != "DISPUTED" {
            ids.push(inner);
        }
        rest = after;
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_space_follows() {
        assert_eq!(
            sentences("`a. b` in x.py:3 calls c. It returns 1.5 (always.) Really? yes"),
            ["`a. b` in x.py:3 calls c.", "It returns 1.5 (always.)", "Really?", "yes"]
        );
        assert_eq!(sentences(" \n "), [""; 0]);
    }

    #[test]
    fn every_sentence_gets_its_citation() {
        let cited = with_citation("`a` calls `b`.\nWhy? It does", "FINDING-001");
        assert_eq!(cited, "`a` calls `b` [FINDING-001]. Why [FINDING-001]? It does [FINDING-001].");
        assert!(sentences(&cited).iter().all(|sentence| citations(sentence) == ["FINDING-001"]));
        assert_eq!(with_citation("...", "GAP-001"), "[GAP-001].");
        assert_eq!(with_citation(". a (b.). c (d)", "GAP-001"), "a (b [GAP-001].). c (d) [GAP-001].");
        assert_eq!(citations("[DISPUTED] a [FINDING-12] b [GAP-0012]"), ["GAP-0012"]);
    }
}
