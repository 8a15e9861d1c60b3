//! What a checkable question is (contract §3).
//!
//! A text is one when a finding could settle it, as far as its form can tell:
//!
//! 1. it asks: a sentence of it ends in a question mark, or it opens with a question word or an
//!    auxiliary ("which …", "does …", "whether …"), or with a verb of looking that is followed by
//!    what decides ("list every …", "determine whether …", "find all …");
//! 2. it asks something definite: not "what about auth?", "any thoughts?", "is everything ok?";
//! 3. it is no placeholder ("TBD", "to be defined?") and holds at least one word that says what it is about.
//!
//! Whether it orders a write is [`super::order`]'s to say.

/// Why a text is no checkable question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCheckable {
    /// Says something, or names a topic, but asks nothing.
    AsksNothing,
    /// Asks, but no finding could settle it.
    Vague,
    Placeholder,
}

impl NotCheckable {
    /// The reason as a refusal words it.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::AsksNothing => "is not a checkable question: it asks nothing that a finding could settle",
            Self::Vague => "is not a checkable question: no finding could settle it",
            Self::Placeholder => "is a placeholder, not a checkable question",
        }
    }
}

/// Checks the form of a question.
///
/// # Errors
/// The first rule of this module that the text breaks.
pub fn checkable(text: &str) -> Result<(), NotCheckable> {
    let words = plain_words(text);
    if is_placeholder(&words) {
        return Err(NotCheckable::Placeholder);
    }
    if VAGUE.iter().any(|phrase| begins(&words, phrase)) {
        return Err(NotCheckable::Vague);
    }
    let opens = || {
        words.first().is_some_and(|word| ASKING.contains(&word.as_str()))
            || words.len() > 1 && PREPOSITIONS.contains(&words[0].as_str()) && ASKING.contains(&words[1].as_str())
    };
    let looks = || {
        words.first().is_some_and(|word| LOOKING.contains(&word.as_str()))
            && words.iter().skip(1).any(|word| ASKING.contains(&word.as_str()) || DECIDING.contains(&word.as_str()))
    };
    if has_question_mark(text) || opens() || looks() { Ok(()) } else { Err(NotCheckable::AsksNothing) }
}

/// A question mark that ends a sentence, outside back-ticks: not that of `a?.b` or of an address.
#[must_use]
pub fn has_question_mark(text: &str) -> bool {
    let mut in_code = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '`' => in_code = !in_code,
            '？' | '؟' | '⁇' | '⁈' | '⁉' if !in_code => return true,
            '?' if !in_code => {
                let closes = |c: char| {
                    c.is_whitespace() || matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '?' | '!' | '*' | '_')
                };
                if chars.peek().is_none_or(|next| closes(*next)) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

const ASKING: [&str; 40] = [
    "which",
    "who",
    "whom",
    "whose",
    "where",
    "what",
    "when",
    "how",
    "why",
    "whether",
    "is",
    "are",
    "was",
    "were",
    "do",
    "does",
    "did",
    "has",
    "have",
    "had",
    "can",
    "could",
    "will",
    "would",
    "should",
    "may",
    "might",
    "must",
    "isn't",
    "aren't",
    "doesn't",
    "don't",
    "didn't",
    "hasn't",
    "can't",
    "won't",
    "if",
    "wherever",
    "whichever",
    "am",
];
const PREPOSITIONS: [&str; 15] =
    ["in", "on", "at", "by", "from", "to", "under", "through", "for", "with", "of", "after", "before", "into", "via"];
const LOOKING: [&str; 24] = [
    "check",
    "confirm",
    "count",
    "decide",
    "determine",
    "detect",
    "discover",
    "enumerate",
    "establish",
    "find",
    "identify",
    "list",
    "locate",
    "map",
    "name",
    "prove",
    "report",
    "say",
    "show",
    "state",
    "tell",
    "trace",
    "verify",
    "pinpoint",
];
const DECIDING: [&str; 12] =
    ["all", "every", "each", "any", "the", "no", "only", "both", "either", "callers", "writers", "readers"];
const VAGUE: [&[&str]; 16] = [
    &["what", "about"],
    &["how", "about"],
    &["any", "thoughts"],
    &["any", "ideas"],
    &["what", "do", "you", "think"],
    &["thoughts", "on"],
    &["is", "everything"],
    &["is", "it", "good"],
    &["is", "it", "ok"],
    &["is", "this", "good"],
    &["is", "this", "ok"],
    &["how", "good", "is"],
    &["how", "are", "things"],
    &["how", "is", "the", "code"],
    &["is", "the", "code", "good"],
    &["what's", "up"],
];
const FILLERS: [&str; 26] = [
    "tbd",
    "tba",
    "todo",
    "tbc",
    "n",
    "a",
    "na",
    "none",
    "null",
    "unknown",
    "unclear",
    "to",
    "be",
    "defined",
    "determined",
    "decided",
    "later",
    "placeholder",
    "fill",
    "in",
    "here",
    "lorem",
    "ipsum",
    "xxx",
    "question",
    "your",
];

/// Lower-case words; what stands in no script with words between spaces is one word.
fn plain_words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')))
        .filter(|word| !word.is_empty())
        .take(200)
        .map(|word| word.to_lowercase().replace('’', "'"))
        .collect()
}

fn is_placeholder(words: &[String]) -> bool {
    words.iter().all(|word| FILLERS.contains(&word.as_str()))
}

fn begins(words: &[String], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, wanted)| word == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_a_finding_can_settle() {
        for text in [
            "Which functions write the audit log, and is each write guarded?",
            "Does every handler check the session",
            "Whether every write of the audit log is guarded",
            "Determine whether the cookie is signed",
            "List every writer of cast_vote_records",
            "In which module is the cookie signed",
            "Find all callers of `record`",
            "The cookie is signed where?",
            "Is `a?.b` handled?",
            "哪些函数写审计日志，每次写入是否受保护？",
            "Welche Funktionen schreiben das Audit-Log?",
            "Sessions (who creates them?)",
        ] {
            assert_eq!(checkable(text), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_checkable_question_and_why() {
        for (text, why) in [
            ("Understand the authentication module in depth", NotCheckable::AsksNothing),
            ("The audit log and everything around it", NotCheckable::AsksNothing),
            ("Improve the quality of the code base", NotCheckable::AsksNothing),
            ("Explore how the scheduler works", NotCheckable::AsksNothing),
            ("Map auth", NotCheckable::AsksNothing),
            ("See https://example.org/?q=session for details", NotCheckable::AsksNothing),
            ("Uses `a ? b : c` in many places", NotCheckable::AsksNothing),
            ("What about the auth system?", NotCheckable::Vague),
            ("Any thoughts on sessions?", NotCheckable::Vague),
            ("Is everything in order?", NotCheckable::Vague),
            ("TBD", NotCheckable::Placeholder),
            ("To be defined later?", NotCheckable::Placeholder),
            ("?????????????????????", NotCheckable::Placeholder),
            ("", NotCheckable::Placeholder),
        ] {
            assert_eq!(checkable(text), Err(why), "{text:?}");
        }
    }
}
