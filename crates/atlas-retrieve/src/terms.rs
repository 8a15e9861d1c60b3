//! Words of code and of questions, brought to one form.

/// English words that say nothing about code. Sorted.
const STOP: [&str; 123] = [
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot", "could", "did",
    "do", "does", "doing", "done", "down", "during", "each", "every", "few", "for", "from", "further", "had", "has",
    "have", "having", "he", "her", "here", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "like",
    "me", "more", "most", "my", "no", "nor", "not", "now", "of", "off", "on", "once", "one", "only", "or", "other",
    "our", "out", "over", "own", "please", "same", "she", "should", "so", "some", "such", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "until", "up",
    "use", "used", "using", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
    "whose", "why", "will", "with", "would", "you", "your",
];

/// Whether a lower-case word is only grammar.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

/// Words of programming languages that say nothing about a program. Sorted.
const KEYWORDS: [&str; 62] = [
    "args",
    "assert",
    "async",
    "await",
    "bool",
    "break",
    "case",
    "class",
    "const",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "enum",
    "except",
    "extends",
    "false",
    "final",
    "finally",
    "fn",
    "func",
    "function",
    "impl",
    "implements",
    "import",
    "include",
    "init",
    "int",
    "interface",
    "kwargs",
    "lambda",
    "let",
    "main",
    "mut",
    "namespace",
    "new",
    "nil",
    "none",
    "null",
    "package",
    "pass",
    "print",
    "private",
    "pub",
    "public",
    "raise",
    "require",
    "return",
    "self",
    "static",
    "str",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "var",
    "void",
    "yield",
];

/// Whether a lower-case word is a keyword of many languages, or as common as one.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// The lower-case parts of an identifier: camel case, snake case, digits apart from letters, runs
/// of capitals as one word (`HTTPServer2` → `http`, `server`, `2`).
#[must_use]
pub fn split_identifier(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut current = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            flush(&mut current, &mut parts);
            continue;
        }
        let before = at.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(at + 1);
        let starts = before.is_some_and(|b| {
            (c.is_uppercase() && (b.is_lowercase() || b.is_numeric()))
                || (c.is_uppercase() && b.is_uppercase() && after.is_some_and(|a| a.is_lowercase()))
                || (c.is_numeric() != b.is_numeric() && b.is_alphanumeric())
        });
        if starts {
            flush(&mut current, &mut parts);
        }
        current.extend(c.to_lowercase());
    }
    flush(&mut current, &mut parts);
    parts
}

fn flush(current: &mut String, parts: &mut Vec<String>) {
    if !current.is_empty() {
        parts.push(std::mem::take(current));
    }
}

/// A word without its most common English endings: plural, -ed, -ing. Deliberately light, and the
/// same for questions and code, so that what it does to a word matters less than that it does the
/// same to both.
#[must_use]
pub fn stem(word: &str) -> &str {
    let ascii = word.bytes().all(|b| b.is_ascii_lowercase());
    if !ascii || word.len() < 4 {
        return word;
    }
    let vowel = |text: &str| text.bytes().any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'));
    let mut base = word;
    if let Some(short) = base.strip_suffix("ing").or_else(|| base.strip_suffix("ed"))
        && short.len() >= 3
        && vowel(short)
    {
        base = short;
    } else if base.ends_with("ies") && base.len() > 4 {
        return &base[..base.len() - 3];
    } else if let Some(short) = base.strip_suffix("es")
        && (short.ends_with('s') || short.ends_with('x') || short.ends_with("ch") || short.ends_with("sh"))
    {
        base = short;
    } else if base.ends_with('s') && !base.ends_with("ss") && !base.ends_with("us") && !base.ends_with("is") {
        base = &base[..base.len() - 1];
    }
    // `stopp` and `stop`, `write` and `writ`, `querie` and `query` meet in one form.
    let bytes = base.as_bytes();
    let n = bytes.len();
    if n > 3 && bytes[n - 1] == bytes[n - 2] && !matches!(bytes[n - 1], b'l' | b's' | b'z' | b'e' | b'o') {
        return &base[..n - 1];
    }
    if n > 3 && matches!(bytes[n - 1], b'e' | b'y') {
        return &base[..n - 1];
    }
    base
}

/// A stem without the endings that make one kind of word of another, so that `serializer`,
/// `serialize` and `serialization` meet. Coarser than [`stem`], and weaker evidence.
#[must_use]
pub fn root(stem: &str) -> &str {
    /// Longest first: the first that fits is taken.
    const ENDINGS: [&str; 37] = [
        "ization", "isation", "ability", "ibility", "abilit", "ibilit", "ational", "iveness", "fulness", "tional",
        "ation", "ition", "ement", "ative", "ator", "ment", "ness", "ance", "ence", "able", "ible", "abl", "ibl",
        "ive", "iv", "ful", "ous", "ity", "ion", "ify", "ise", "ize", "iz", "er", "or", "ic", "ly",
    ];
    const LEFT_MIN: usize = 4;
    if !stem.bytes().all(|b| b.is_ascii_lowercase()) {
        return stem;
    }
    let strip = |base, endings: &[&str]| {
        endings.iter().find_map(|ending| str::strip_suffix(base, ending).filter(|left| left.len() >= LEFT_MIN))
    };
    match strip(stem, &ENDINGS) {
        // `serializer` loses `er`, then `iz`.
        Some(left) => strip(left, &["iz", "is"]).unwrap_or(left),
        None => stem,
    }
}

/// One word of a text, as [`each_word`] gives it.
#[derive(Debug, Clone, Copy)]
pub struct Word<'t> {
    /// As it is written.
    pub written: &'t str,
    /// Lower case, underscores and all else left out.
    pub whole: &'t str,
    /// The lower-case parts of more than one letter.
    pub parts: &'t [String],
    /// Whether it has several parts, short ones included.
    pub compound: bool,
}

/// The words of a text in order: runs of letters, digits and underscores.
pub fn each_word(text: &str, mut take: impl FnMut(Word)) {
    for written in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let mut parts = split_identifier(written);
        if parts.is_empty() {
            continue;
        }
        let whole = parts.concat();
        let compound = parts.len() > 1;
        parts.retain(|part| part.chars().nth(1).is_some());
        take(Word { written, whole: &whole, parts: &parts, compound });
    }
}

/// The terms that a piece of text stands for: its parts and each compound as a whole, stemmed.
pub fn words(text: &str, mut take: impl FnMut(&str)) {
    each_word(text, |word| {
        for part in word.parts {
            take(stem(part));
        }
        if word.compound {
            take(stem(word.whole));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP.is_sorted() && KEYWORDS.is_sorted());
        assert!(is_stop_word("which") && !is_stop_word("session"));
    }

    #[test]
    fn identifiers_are_taken_apart() {
        for (text, parts) in [
            ("HTTPServer2", "http server 2"),
            ("getHTTPResponse", "get http response"),
            ("snake_case_name", "snake case name"),
            ("__init__", "init"),
            ("simpleName", "simple name"),
            ("ÜberName", "über name"),
            ("", ""),
        ] {
            assert_eq!(split_identifier(text).join(" "), parts, "{text}");
        }
    }

    #[test]
    fn forms_of_a_word_meet() {
        for group in [
            &["write", "writes", "writing"][..],
            &["query", "queries"],
            &["sign", "signed", "signs", "signing"],
            &["stop", "stopped", "stopping"],
            &["class", "classes"],
            &["verify", "verifies"],
            &["cache", "cached", "caches"],
        ] {
            let stems: Vec<&str> = group.iter().map(|word| stem(word)).collect();
            assert!(stems.iter().all(|s| *s == stems[0]), "{group:?} {stems:?}");
        }
        assert_ne!(stem("status"), stem("stat"));
    }

    #[test]
    fn kinds_of_a_word_have_one_root() {
        for group in [
            &["serializer", "serialize", "serialization", "serializing", "serializers"][..],
            &["connect", "connection", "connector", "connected"],
            &["separable", "separability"],
            &["create", "creation", "creator"],
            &["load", "loader", "loading"],
        ] {
            let roots: Vec<&str> = group.iter().map(|word| root(stem(word))).collect();
            assert!(roots.iter().all(|r| *r == roots[0]), "{group:?} {roots:?}");
        }
        assert_ne!(root(stem("user")), root(stem("use")));
        assert_eq!(root("über"), "über");
    }
}
