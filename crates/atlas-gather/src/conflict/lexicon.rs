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
    /// Which of several is taken: a conflict where all else is the same.
    Pick,
    /// A distinction between two things; no conflict by itself.
    Mark,
}

/// Words that say how a claim is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Small {
    Be,
    Auxiliary,
    Possible,
    Hedge,
    Determiner,
    Preposition,
    Pronoun,
    Empty,
    LightVerb,
    Kind,
    Weak,
    Vacuous,
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

impl Meaning {
    /// Takes over senses of pairs that it has no side of.
    pub fn add_senses(&mut self, senses: &[Sense]) {
        for sense in senses {
            if !self.senses.iter().any(|own| own.pair == sense.pair) {
                self.senses.push(*sense);
            }
        }
    }
}

pub struct Lexicon {
    /// Runs of stems that start with a stem, longest first; `_` stands for any one word.
    runs: FxHashMap<String, Vec<(Vec<String>, Meaning)>>,
    /// Of each run with senses its most telling word → its next most telling one, and the senses.
    telling: FxHashMap<String, Vec<(Option<String>, Sense)>>,
    kinds: Vec<Kind>,
    verbs: FxHashSet<String>,
    /// Word → a bit for each class it is in.
    small: FxHashMap<&'static str, u16>,
    light_verbs: FxHashSet<String>,
    /// Value → (family, which value of it).
    families: FxHashMap<String, Vec<(u16, u16)>>,
    /// A word of each value, the most telling one → the next most telling one of the value.
    value_words: FxHashMap<String, Vec<Option<String>>>,
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
        let mut groups: FxHashMap<&str, &str> = FxHashMap::default();
        for line in lines(include_str!("lexicon/antonyms.txt")) {
            if let Some((name, words)) = line.split_once(" = ") {
                groups.insert(name, words);
                continue;
            }
            let (kind, sides) = line.split_once(':').expect("a line of opposites starts with its kind");
            let kind = match kind {
                "is" => Kind::Is,
                "how" => Kind::How,
                "does" => Kind::Does,
                "pick" => Kind::Pick,
                "mark" => Kind::Mark,
                other => unreachable!("the lexicon has no kind `{other}`"),
            };
            let (left, right) = sides.split_once('|').expect("opposites have two sides");
            for (side, words) in [(true, left), (false, right)] {
                let words = words.split(',').map(str::trim);
                let words = words.flat_map(|word| match groups.get(word) {
                    Some(group) => group.split(',').collect(),
                    None => vec![word],
                });
                for run in words.map(stems) {
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

        let mut small: FxHashMap<&'static str, u16> = FxHashMap::default();
        let mut light_verbs = FxHashSet::default();
        for (class, words) in lines(include_str!("lexicon/small.txt")).filter_map(|line| line.split_once(": ")) {
            let class = Small::parse(class);
            for word in words.split(' ') {
                *small.entry(word).or_default() |= class.bit();
            }
            if class == Small::LightVerb {
                light_verbs.extend(words.split(' ').map(stem));
            }
        }
        let mut families: FxHashMap<String, Vec<(u16, u16)>> = FxHashMap::default();
        let mut many: Vec<Vec<String>> = Vec::new();
        let mut value_words: FxHashMap<String, Vec<Option<String>>> = FxHashMap::default();
        for (family, line) in lines(include_str!("lexicon/families.txt")).enumerate() {
            for (value, names) in line.split(',').enumerate() {
                for name in names.split('=') {
                    families.entry(stems(name).join(" ")).or_default().push((family as u16, value as u16));
                    let (word, next) = most_telling(&stems(name), &small);
                    value_words.entry(word).or_default().push(next);
                    if name.trim().contains(' ') {
                        many.push(stems(name));
                    }
                }
            }
        }
        for run in many {
            meanings.entry(run).or_default();
        }

        let mut telling: FxHashMap<String, Vec<(Option<String>, Sense)>> = FxHashMap::default();
        for (run, meaning) in &meanings {
            let (word, next) = most_telling(run, &small);
            let entries = telling.entry(word).or_default();
            entries.extend(meaning.senses.iter().map(|sense| (next.clone(), *sense)));
        }
        let mut runs: FxHashMap<String, Vec<(Vec<String>, Meaning)>> = FxHashMap::default();
        for (run, meaning) in meanings {
            runs.entry(run[0].clone()).or_default().push((run, meaning));
        }
        for of_first in runs.values_mut() {
            of_first.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        }
        Self { runs, telling, kinds, verbs, small, light_verbs, families, value_words }
    }

    /// The longest run of words known that `stems` starts with: how many words it takes, and what it
    /// means. Articles within a run are passed over: "ignores the case".
    pub fn longest(&self, stems: &[&str]) -> Option<(usize, Meaning)> {
        let candidates = self.runs.get(*stems.first()?)?;
        let mut found: Option<(usize, Meaning)> = None;
        for (run, meaning) in candidates {
            let Some(length) = run_length(run, stems) else { continue };
            match &mut found {
                None => found = Some((length, meaning.clone())),
                // Runs of one length may match with and without `_`: all that they mean holds.
                Some((longest, all)) if *longest == length => {
                    all.class = all.class.take().or_else(|| meaning.class.clone());
                    all.add_senses(&meaning.senses);
                }
                Some(_) => {}
            }
        }
        found
    }

    pub fn kind(&self, sense: Sense) -> Kind {
        self.kinds[sense.pair as usize]
    }

    /// Whether a word is in a class.
    pub fn is_small(&self, word: &str, class: Small) -> bool {
        self.small.get(word).is_some_and(|classes| classes & class.bit() != 0)
    }

    /// A bit for each class that all words of a run are in.
    pub fn classes(&self, run: &str) -> u16 {
        run.split(' ').map(|word| self.small.get(word).copied().unwrap_or(0)).fold(u16::MAX, |all, one| all & one)
    }

    /// Whether this stem is that of a verb without content of its own.
    pub fn is_light_verb(&self, stem: &str) -> bool {
        self.light_verbs.contains(stem)
    }

    /// Whether this stem is that of a verb.
    pub fn is_verb(&self, stem: &str) -> bool {
        self.verbs.contains(stem)
    }

    /// Whether this stem begins any run that means something.
    pub fn knows(&self, stem: &str) -> bool {
        self.runs.contains_key(stem)
    }

    /// The senses of the runs whose most telling word has this stem, each with the next most telling
    /// word of its run, if it has several.
    pub fn senses_with(&self, stem: &str) -> &[(Option<String>, Sense)] {
        self.telling.get(stem).map_or(&[], Vec::as_slice)
    }

    /// For each value whose most telling word has this stem, the next most telling one, if it has
    /// several.
    pub fn values_with(&self, stem: &str) -> &[Option<String>] {
        self.value_words.get(stem).map_or(&[], Vec::as_slice)
    }

    /// The families that a value, given by its stems, belongs to.
    pub fn families(&self, value: &str) -> &[(u16, u16)] {
        self.families.get(value).map_or(&[], Vec::as_slice)
    }
}

impl Small {
    /// Its bit among the classes.
    pub fn bit(self) -> u16 {
        1 << self as u16
    }

    fn parse(class: &str) -> Self {
        match class {
            "be" => Self::Be,
            "auxiliary" => Self::Auxiliary,
            "possible" => Self::Possible,
            "hedge" => Self::Hedge,
            "determiner" => Self::Determiner,
            "preposition" => Self::Preposition,
            "pronoun" => Self::Pronoun,
            "empty" => Self::Empty,
            "light-verb" => Self::LightVerb,
            "kind" => Self::Kind,
            "weak" => Self::Weak,
            "vacuous" => Self::Vacuous,
            other => unreachable!("the lexicon has no class `{other}`"),
        }
    }
}

/// The longest word of a run that is none of the small ones, and the next longest.
fn most_telling(run: &[String], small: &FxHashMap<&'static str, u16>) -> (String, Option<String>) {
    let mut words: Vec<&String> = run.iter().filter(|word| *word != "_").collect();
    words.sort_by_key(|word| (small.contains_key(word.as_str()), std::cmp::Reverse(word.len()), *word));
    words.dedup();
    let mut words = words.into_iter().cloned();
    (words.next().expect("a run has words"), words.next())
}

/// How many of `stems` the run takes up, if they start with it.
fn run_length(run: &[String], stems: &[&str]) -> Option<usize> {
    let mut at = 0;
    for (nth, word) in run.iter().enumerate() {
        let article = |stem: &&str| matches!(*stem, "a" | "an" | "the" | "its") && word != stem;
        while nth > 0 && stems.get(at).is_some_and(article) {
            at += 1;
        }
        stems.get(at).filter(|stem| word == **stem || word == "_")?;
        at += 1;
    }
    Some(at)
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
            lexicon
                .longest(&stems.iter().map(String::as_str).collect::<Vec<_>>())
                .map(|(length, meaning)| (length, meaning.senses.len()))
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
