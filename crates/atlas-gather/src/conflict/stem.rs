//! Word forms to stems, for comparing words (contract §10.4, by words).
//!
//! A stem is a key, not a word: `validate`, `validates`, `validating` and `validation` give the same
//! one. What no rule finds is in `lexicon/irregular.txt`.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Form → base form, both lower case.
static IRREGULAR: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("lexicon/irregular.txt").lines().filter(|line| !line.starts_with('#'));
    let mut map = FxHashMap::default();
    for (forms, base) in lines.filter_map(|line| line.split_once(" = ")) {
        map.extend(forms.split(' ').map(|form| (form, base)));
    }
    map
});

/// The ending that tells how a verb is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Bare,
    /// `reads`
    S,
    /// `created`, `written`
    Past,
    /// `reading`
    Ing,
}

/// The stem of a word in lower case.
pub fn stem(word: &str) -> String {
    let base = base(word).0;
    derive(&base)
}

/// The ending of a word in lower case.
pub fn ending(word: &str) -> Ending {
    base(word).1
}

/// Without inflection, spelt one way.
fn base(word: &str) -> (String, Ending) {
    if let Some(base) = IRREGULAR.get(word) {
        let ending = match word.as_bytes() {
            [.., b's'] => Ending::S,
            [.., b'i', b'n', b'g'] => Ending::Ing,
            _ => Ending::Past,
        };
        return ((*base).to_owned(), ending);
    }
    if !word.is_ascii() || word.len() < 4 {
        return (word.to_owned(), Ending::Bare);
    }
    let vowel = |text: &str| text.bytes().any(|byte| b"aeiouy".contains(&byte));
    let strip =
        |suffix: &str, at_least: usize| word.strip_suffix(suffix).filter(|rest| rest.len() >= at_least && vowel(rest));
    if let Some(rest) = strip("ies", 2).or_else(|| strip("ied", 2)) {
        let ending = if word.ends_with('s') { Ending::S } else { Ending::Past };
        return (format!("{rest}y"), ending);
    }
    for suffix in ["sses", "shes", "ches", "xes", "zes"] {
        if word.ends_with(suffix) {
            return (word[..word.len() - 2].to_owned(), Ending::S);
        }
    }
    if !["ss", "us", "is"].iter().any(|suffix| word.ends_with(suffix))
        && let Some(rest) = strip("s", 3)
    {
        return (rest.to_owned(), Ending::S);
    }
    if let Some(rest) = strip("ed", 2).filter(|_| !word.ends_with("eed")) {
        return (rest.to_owned(), Ending::Past);
    }
    if let Some(rest) = strip("ing", 2).filter(|rest| rest.len() > 2 || vowel(rest)) {
        return (rest.to_owned(), Ending::Ing);
    }
    (word.to_owned(), Ending::Bare)
}

/// Without derivation: nouns of action and adverbs meet their verbs and adjectives.
fn derive(base: &str) -> String {
    let mut stem = base.to_owned();
    if !stem.is_ascii() {
        return stem;
    }
    let cut = |stem: &mut String, suffix: &str, at_least: usize, put: &str| -> bool {
        let fits = stem.ends_with(suffix) && stem.len() >= suffix.len() + at_least;
        if fits {
            stem.truncate(stem.len() - suffix.len());
            stem.push_str(put);
        }
        fits
    };
    const NO_ADVERB: &[&str] = &["only", "early", "reply", "apply", "supply", "multiply", "family", "assembly", "rely"];
    if !NO_ADVERB.contains(&base) {
        let _ = cut(&mut stem, "ically", 3, "ic") || cut(&mut stem, "ily", 3, "y") || cut(&mut stem, "ly", 3, "");
    }
    let _ = cut(&mut stem, "ness", 4, "");
    let _ = cut(&mut stem, "isation", 3, "iz")
        || cut(&mut stem, "ization", 3, "iz")
        || cut(&mut stem, "ification", 2, "ify")
        || cut(&mut stem, "ation", 2, "at")
        || cut(&mut stem, "ition", 3, "")
        || cut(&mut stem, "tion", 4, "t")
        || cut(&mut stem, "sion", 4, "s")
        || cut(&mut stem, "ise", 3, "iz")
        || cut(&mut stem, "is", 5, "iz");

    // British and American spelling.
    if stem.len() > 4 {
        let _ = cut(&mut stem, "our", 2, "or") || cut(&mut stem, "tre", 2, "ter") || cut(&mut stem, "ogue", 3, "og");
    }
    while stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    let _ = cut(&mut stem, "at", 3, "");
    let _ = cut(&mut stem, "ment", 3, "");
    let bytes = stem.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && stem.len() > 2
        && !b"aeiou".contains(a)
    {
        stem.pop();
    }
    if stem.ends_with('y') && stem.len() > 2 {
        stem.pop();
        stem.push('i');
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            "validate validates validated validating validation",
            "verify verifies verified verifying verification",
            "encrypt encrypts encrypted encrypting encryption",
            "serialize serializes serialise serialised serialization serialisation serializing",
            "create creates created creating creation",
            "delete deletes deleted deletion",
            "copy copies copied copying",
            "cancel cancels canceled cancelled cancelling",
            "log logs logged logging",
            "write writes written wrote writing",
            "store stores stored storing storage",
            "pass passes passed passing",
            "cache caches cached caching",
            "free frees freed freeing",
            "add adds added adding",
            "color colour colours",
            "assign assigned assignment assignments",
            "lazy lazily",
            "atomic atomically",
            "synchronous synchronously",
            "query queries queried",
            "compress compresses compression",
            "remove removes removal",
            "index indexes indices",
            "implement implements implementation",
            "deliver delivers delivered delivery",
        ] {
            let stems: Vec<String> = forms.split(' ').map(stem).collect();
            assert!(stems.iter().all(|one| *one == stems[0]), "{forms}: {stems:?}");
        }
    }

    #[test]
    fn different_words_have_different_stems() {
        for (a, b) in [
            ("string", "strict"),
            ("thing", "then"),
            ("bus", "bu"),
            ("status", "state"),
            ("local", "lock"),
            ("write", "rite"),
            ("reply", "rep"),
        ] {
            assert_ne!(stem(a), stem(b));
        }
    }

    #[test]
    fn any_text_has_a_stem() {
        for word in ["", "s", "ed", "ing", "é", "naïves", "ies", "sses", "ation", "-", "\u{0}"] {
            let _ = (stem(word), ending(word));
        }
    }
}
