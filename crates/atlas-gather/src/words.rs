//! Word sets of claims and their equivalence (contract §10): the Jaccard index of the sets, kept as
//! an exact fraction.

use regex::Regex;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\w+").expect("a valid expression"));

/// Calls `each` with the runs of word characters of a text that is in lower case already.
fn each_word<'a>(lower: &'a str, mut each: impl FnMut(&'a str)) {
    if lower.is_ascii() {
        // The same runs as below; most claims are plain, and this is several times faster.
        let words = lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.filter(|word| !word.is_empty()).for_each(each);
    } else {
        WORD.find_iter(lower).for_each(|word| each(word.as_str()));
    }
}

/// Word sets as sorted numbers; equal texts share one set.
#[derive(Debug, Default)]
pub struct WordSets {
    ids: FxHashMap<String, u32>,
    of_text: FxHashMap<String, u32>,
    sets: Vec<Box<[u32]>>,
}

impl WordSets {
    /// The number of this text's set.
    pub fn add(&mut self, text: &str) -> u32 {
        if let Some(set) = self.of_text.get(text) {
            return *set;
        }
        let mut set: Vec<u32> = Vec::new();
        each_word(&text.to_lowercase(), |word| {
            let next = self.ids.len() as u32;
            set.push(self.ids.get(word).copied().unwrap_or(next));
            if set.last() == Some(&next) {
                self.ids.insert(word.to_owned(), next);
            }
        });
        set.sort_unstable();
        set.dedup();
        let number = self.sets.len() as u32;
        self.sets.push(set.into_boxed_slice());
        self.of_text.insert(text.to_owned(), number);
        number
    }

    pub fn set(&self, number: u32) -> &[u32] {
        &self.sets[number as usize]
    }
}

/// An equivalence from 0 to 1 that compares as the fraction itself does.
///
/// It is ⌊shared · 2³¹ ÷ union⌋. A claim has at most 500 words, so two different fractions are at
/// least 1 ÷ 1000² apart, and their images differ and keep their order; equal fractions have equal
/// images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Equivalence(u32);

impl Equivalence {
    pub const SAME: Self = Self(1 << 31);

    /// Two empty sets are the same set.
    pub fn of(a: &[u32], b: &[u32]) -> Self {
        let shared = shared(a, b);
        Self::fraction(shared, a.len() + b.len() - shared)
    }

    /// No pair of sets of these sizes is more equivalent than this.
    pub fn bound(a_size: usize, b_size: usize) -> Self {
        Self::fraction(a_size.min(b_size), a_size.max(b_size))
    }

    /// Large for small equivalence: sorts the highest first.
    pub fn descending(self) -> u32 {
        Self::SAME.0 - self.0
    }

    fn fraction(part: usize, whole: usize) -> Self {
        if whole == 0 {
            return Self::SAME;
        }
        Self(u32::try_from(((part as u64) << 31) / whole as u64).unwrap_or(Self::SAME.0))
    }
}

fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        count += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lower_case_runs_of_word_characters() {
        let words = |text: &str| {
            let mut words = Vec::new();
            each_word(&text.to_lowercase(), |word| words.push(word.to_owned()));
            words
        };
        assert_eq!(words("`Vote#record` isn't x_1, naïve-É."), ["vote", "record", "isn", "t", "x_1", "naïve", "é"]);
        assert_eq!(words("a.b_c::D 42"), ["a", "b_c", "d", "42"]);
        assert_eq!(words("--"), [""; 0]);
    }

    #[test]
    fn equivalence_orders_exactly_as_the_fractions() {
        let mut all = Vec::new();
        for whole in 1..=60usize {
            for part in 0..=whole {
                all.push((part, whole));
            }
        }
        for a in &all {
            for b in &all {
                let exact = (a.0 * b.1).cmp(&(b.0 * a.1));
                assert_eq!(Equivalence::fraction(a.0, a.1).cmp(&Equivalence::fraction(b.0, b.1)), exact, "{a:?} {b:?}");
            }
        }
        assert!(Equivalence::fraction(498, 499) < Equivalence::fraction(499, 500));
        assert!(Equivalence::fraction(999, 1000) < Equivalence::SAME);
    }

    #[test]
    fn jaccard_of_word_sets() {
        let mut sets = WordSets::default();
        let (a, b) = (sets.add("the log writes the cache"), sets.add("The cache reads"));
        assert_eq!(Equivalence::of(sets.set(a), sets.set(b)), Equivalence::fraction(2, 5));
        let empty = sets.add("----------");
        assert_eq!(Equivalence::of(sets.set(empty), sets.set(empty)), Equivalence::SAME);
        assert_eq!(Equivalence::of(sets.set(empty), sets.set(a)), Equivalence::fraction(0, 1));
        assert!(Equivalence::bound(2, 4) >= Equivalence::of(sets.set(a), sets.set(b)));
    }
}
