//! The lexicon of conflicts by words (contract §10.4): opposites, synonyms, families of values and
//! verbs. It is data, in `lexicon/*.txt`, made to be read and added to; this reads it once.

use super::stem::stem;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// What a pair of opposites says of two claims that hold one side each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A property of the subject.
    Is,
    /// The manner of an action.
    How,
    /// Opposite actions.
    Does,
    /// A distinction between two things; no conflict by itself.
    Mark,
}

/// One side of a pair of opposites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sense {
    pub pair: u16,
    pub side: bool,
}

/// What a word, or a run of words, means.
#[derive(Debug, Clone, Default)]
pub struct Meaning {
    /// The name of its class of synonyms.
    pub class: Option<String>,
    pub senses: Vec<Sense>,
}

pub struct Lexicon {
    /// Runs of stems that start with a stem, longest first.
    runs: FxHashMap<String, Vec<(Vec<String>, Meaning)>>,
    kinds: Vec<Kind>,
    verbs: FxHashSet<String>,
    /// Value → (family, which value of it).
    families: FxHashMap<String, Vec<(u16, u16)>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

pub fn lexicon() -> &'static Lexicon {
    &LEXICON
}

impl Lexicon {
    fn read() -> Self {
        let mut meanings: FxHashMap<Vec<String>, Meaning> = FxHashMap::default();
        let mut verbs: FxHashSet<String> = FxHashSet::default();
        for line in lines(include_str!("lexicon/synonyms.txt")) {
            let words: Vec<Vec<String>> = line.split(',').map(stems).collect();
            for run in &words {
                meanings.entry(run.clone()).or_default().class.get_or_insert_with(|| words[0].join(" "));
            }
        }
        let mut kinds = Vec::new();
        for line in lines(include_str!("lexicon/antonyms.txt")) {
            let (kind, sides) = line.split_once(':').expect("a line of opposites starts with its kind");
            let kind = match kind {
                "is" => Kind::Is,
                "how" => Kind::How,
                "does" => Kind::Does,
                "mark" => Kind::Mark,
                other => unreachable!("the lexicon has no kind `{other}`"),
            };
            let (left, right) = sides.split_once('|').expect("opposites have two sides");
            for (side, words) in [(true, left), (false, right)] {
                for run in words.split(',').map(stems) {
                    if kind == Kind::Does {
                        verbs.insert(run[0].clone());
                    }
                    let senses = &mut meanings.entry(run).or_default().senses;
                    let sense = Sense { pair: kinds.len() as u16, side };
                    if !senses.contains(&sense) {
                        senses.push(sense);
                    }
                }
            }
            kinds.push(kind);
        }
        verbs.extend(lines(include_str!("lexicon/verbs.txt")).flat_map(|line| line.split(' ')).map(stem));

        let mut runs: FxHashMap<String, Vec<(Vec<String>, Meaning)>> = FxHashMap::default();
        for (run, meaning) in meanings {
            runs.entry(run[0].clone()).or_default().push((run, meaning));
        }
        for of_first in runs.values_mut() {
            of_first.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        }
        let mut families: FxHashMap<String, Vec<(u16, u16)>> = FxHashMap::default();
        for (family, line) in lines(include_str!("lexicon/families.txt")).enumerate() {
            for (value, names) in line.split(',').enumerate() {
                for name in names.split('=') {
                    families.entry(stems(name).join(" ")).or_default().push((family as u16, value as u16));
                }
            }
        }
        Self { runs, kinds, verbs, families }
    }

    /// The longest run of words known that `stems` starts with: how many, and what it means.
    pub fn longest<'a>(&self, stems: impl Iterator<Item = &'a str> + Clone) -> Option<(usize, &Meaning)> {
        let candidates = self.runs.get(stems.clone().next()?)?;
        candidates
            .iter()
            .find(|(run, _)| run.iter().map(String::as_str).eq(stems.clone().take(run.len())))
            .map(|(run, meaning)| (run.len(), meaning))
    }

    pub fn kind(&self, sense: Sense) -> Kind {
        self.kinds[sense.pair as usize]
    }

    /// Whether this stem is that of a verb.
    pub fn is_verb(&self, stem: &str) -> bool {
        self.verbs.contains(stem)
    }

    /// Whether this stem begins any run that means something.
    pub fn knows(&self, stem: &str) -> bool {
        self.runs.contains_key(stem)
    }

    /// The families that a value, given by its stems, belongs to.
    pub fn families(&self, value: &str) -> &[(u16, u16)] {
        self.families.get(value).map_or(&[], Vec::as_slice)
    }
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn stems(words: &str) -> Vec<String> {
    words.split_whitespace().map(stem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_the_longest_run_wins() {
        let lexicon = lexicon();
        let found = |words: &str| {
            let stems = stems(words);
            lexicon.longest(stems.iter().map(String::as_str)).map(|(length, meaning)| (length, meaning.senses.len()))
        };
        assert_eq!(found("in place of it").map(|(length, _)| length), Some(2));
        assert_eq!(found("not thread safe"), None);
        assert_eq!(found("thread safe").map(|(length, _)| length), Some(2));
        assert_eq!(found("case insensitively when").map(|(length, _)| length), Some(2));
        assert!(lexicon.is_verb(&stem("validates")));
        assert_eq!(lexicon.families("utf 8"), lexicon.families("utf8"));
    }

    #[test]
    fn no_run_is_on_both_sides_of_a_pair() {
        for of_first in lexicon().runs.values() {
            for (run, meaning) in of_first {
                for sense in &meaning.senses {
                    let other = Sense { side: !sense.side, ..*sense };
                    assert!(!meaning.senses.contains(&other), "{run:?}");
                }
            }
        }
    }
}
