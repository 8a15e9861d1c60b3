//! What a question gives to go by: exact names, paths, quoted text, routes, tables, the relation
//! that is asked, and plain words.

use crate::patterns::{Pattern, pattern};
use crate::terms::{each_word, is_keyword, is_stop_word, stem};
use crate::zones::{Frame, ZONES, Zone, zoned};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// What kind of fact is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    Callers,
    Callees,
    Definition,
    Implementers,
    Subclasses,
    Writers,
    Readers,
    Importers,
    Routes,
    Tests,
    Config,
    /// How something works, what happens when.
    Flow,
}

/// A question taken apart. Everything is in the order of the question, without repeats.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Names as code writes them: back-ticked, qualified, snake or camel case, called.
    pub identifiers: Vec<String>,
    /// How often each identifier occurs in each zone.
    pub mentions: Vec<Zones>,
    /// Paths and file names, with a line if one was given.
    pub paths: Vec<(String, Option<u32>)>,
    /// Text between quotes.
    pub quoted: Vec<String>,
    /// `/users/{id}`.
    pub routes: Vec<String>,
    pub relations: Vec<Relation>,
    /// Stemmed words with how often each occurs.
    pub terms: Vec<(String, u32)>,
    /// How often each term occurs in each zone.
    pub zones: Vec<Zones>,
    /// Stack traces and links into code, each trace's innermost frame first.
    pub traces: Vec<Vec<Frame>>,
    /// Neighbours in the text, as they are written but in lower case, with how often per zone.
    pub pairs: Vec<(String, String, Zones)>,
}

/// How often something occurs in each zone.
pub type Zones = [u16; ZONES];

impl Evidence {
    /// Whether there is nothing to go by.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.identifiers.is_empty() && self.paths.is_empty() && self.quoted.is_empty() && self.terms.is_empty()
    }
}

/// Characters of a question that are read; an issue with a log attached is longer than it is wise.
const QUESTION_CHARS_MAX: usize = 50_000;

/// Takes a question apart.
#[must_use]
pub fn analyse(question: &str) -> Evidence {
    let end = question.char_indices().nth(QUESTION_CHARS_MAX).map_or(question.len(), |(at, _)| at);
    let text = &question[..end];
    let mut evidence = Evidence::default();
    let mut seen: FxHashSet<(String, Option<u32>)> = FxHashSet::default();
    for found in pattern(Pattern::Path).captures_iter(text) {
        let whole = found.get(0).map_or("", |m| m.as_str());
        let line = found.get(1).and_then(|m| m.as_str().parse().ok());
        let bare = if line.is_some() { whole.rsplit_once(':').map_or(whole, |(p, _)| p) } else { whole };
        let path = (bare.trim_start_matches("./").to_owned(), line);
        if seen.insert(path.clone()) {
            evidence.paths.push(path);
        }
    }
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for found in pattern(Pattern::Quoted).captures_iter(text) {
        let inside = found.get(1).or_else(|| found.get(2)).map_or("", |m| m.as_str()).trim();
        let named = is_symbol(inside) && looks_like_code(inside);
        if !inside.is_empty() && !named && seen.insert(inside) {
            evidence.quoted.push(inside.to_owned());
        }
    }
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for found in pattern(Pattern::Route).captures_iter(text) {
        let route = found.get(1).map_or("", |m| m.as_str());
        if seen.insert(route) {
            evidence.routes.push(route.to_owned());
        }
    }
    evidence.relations = relations(text);
    let zoned = zoned(text);
    evidence.traces = zoned.traces;
    for found in pattern(Pattern::Blob).captures_iter(text) {
        evidence.traces.push(vec![Frame {
            path: found[1].to_owned(),
            line: found.get(2).and_then(|line| line.as_str().parse().ok()),
            function: None,
        }]);
    }
    let mut reader = Reader::default();
    for (zone, stretch) in zoned.stretches {
        reader.names(zone, stretch, &mut evidence);
        reader.words(zone, stretch, &mut evidence);
    }
    evidence
}

/// Numbers what was met before.
#[derive(Default)]
struct Reader {
    names: FxHashMap<String, usize>,
    terms: FxHashMap<String, usize>,
    pairs: FxHashMap<(String, String), usize>,
}

impl Reader {
    fn names(&mut self, zone: Zone, stretch: &str, evidence: &mut Evidence) {
        let whole = stretch.trim();
        if zone == Zone::Named {
            if is_symbol(whole) {
                self.name(zone, whole, evidence);
                return;
            }
            if whole.len() <= 120 && !evidence.quoted.iter().any(|known| known == whole) {
                evidence.quoted.push(whole.to_owned());
            }
        }
        for found in pattern(Pattern::Name).find_iter(stretch) {
            let called = stretch[found.end()..].starts_with('(');
            let is_path = pattern(Pattern::Path).find(found.as_str()).is_some_and(|p| p.as_str() == found.as_str());
            if is_path {
                continue;
            }
            if looks_like_code(found.as_str()) || (called && zone != Zone::Form) {
                self.name(zone, found.as_str(), evidence);
            }
        }
    }

    fn name(&mut self, zone: Zone, name: &str, evidence: &mut Evidence) {
        let name = name.trim_end_matches("()");
        let at = *self.names.entry(name.to_owned()).or_insert_with(|| {
            evidence.identifiers.push(name.to_owned());
            evidence.mentions.push([0; ZONES]);
            evidence.mentions.len() - 1
        });
        raise(&mut evidence.mentions[at], zone);
    }

    fn words(&mut self, zone: Zone, stretch: &str, evidence: &mut Evidence) {
        let mut before: Option<(String, bool)> = None;
        each_word(stretch, |word| {
            let zone = if zone == Zone::Prose && looks_like_code(word.written) { Zone::Named } else { zone };
            let code = matches!(zone, Zone::Code | Zone::Log | Zone::Named);
            for part in word.parts {
                let grammar = is_stop_word(part) || (code && is_keyword(part));
                if !grammar {
                    self.term(zone, stem(part), evidence);
                }
            }
            if word.compound {
                self.term(zone, stem(word.whole), evidence);
            }
            let stop = is_stop_word(word.whole);
            if let Some((before, was_stop)) = before.take()
                && !(stop && was_stop)
            {
                self.pair(zone, before, word.whole, evidence);
            }
            before = Some((word.whole.to_owned(), stop));
        });
    }

    fn term(&mut self, zone: Zone, term: &str, evidence: &mut Evidence) {
        let at = match self.terms.get(term) {
            Some(&at) => at,
            None => {
                evidence.terms.push((term.to_owned(), 0));
                evidence.zones.push([0; ZONES]);
                self.terms.insert(term.to_owned(), evidence.terms.len() - 1);
                evidence.terms.len() - 1
            }
        };
        evidence.terms[at].1 += 1;
        raise(&mut evidence.zones[at], zone);
    }

    fn pair(&mut self, zone: Zone, first: String, second: &str, evidence: &mut Evidence) {
        let key = (first, second.to_owned());
        let at = match self.pairs.get(&key) {
            Some(&at) => at,
            None => {
                evidence.pairs.push((key.0.clone(), key.1.clone(), [0; ZONES]));
                self.pairs.insert(key, evidence.pairs.len() - 1);
                evidence.pairs.len() - 1
            }
        };
        raise(&mut evidence.pairs[at].2, zone);
    }
}

fn raise(zones: &mut Zones, zone: Zone) {
    let slot = &mut zones[zone as usize];
    *slot = slot.saturating_add(1);
}

fn is_symbol(text: &str) -> bool {
    let bare = text.trim_end_matches("()");
    !bare.is_empty()
        && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#' | '$' | '-' | '>'))
        && bare.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
        && !bare.ends_with(['.', ':', '#', '-', '>'])
}

/// Whether a word is a name of code rather than of prose: snake or camel case, qualified, called,
/// or all capitals with an underscore.
fn looks_like_code(word: &str) -> bool {
    let called = word.ends_with("()");
    let bare = word.trim_end_matches("()");
    let inner_upper = bare.chars().zip(bare.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let snake = bare.trim_matches('_').contains('_') || bare.starts_with("__");
    let qualified = bare.contains("::") || bare.contains("->") || bare.contains('#') || {
        // `e.g.` and the end of a sentence are no qualified names.
        bare.split('.').count() > 1 && bare.split('.').all(|part| part.len() > 1)
    };
    called || inner_upper || snake || qualified
}

/// Word patterns of each relation. The words are of the question, not of code.
fn relations(text: &str) -> Vec<Relation> {
    static SET: OnceLock<Vec<(Relation, Regex)>> = OnceLock::new();
    let table = SET.get_or_init(|| {
        [
            (Relation::Callers, r"\b(?:who|what|which\s+\w+(?:\s+\w+)?|where)\s+(?:all\s+)?(?:is\s+|are\s+)?(?:calls?|called|invokes?|invoked|uses?|used|triggers?|triggered|enqueues?)\b|\bcallers?\b|\bcall sites?\b|\bcalls\s+(?:it|them)\b|\bcalled\s+from\b"),
            (Relation::Callees, r"\bwhat\s+does\s+.{1,60}\s+calls?\b|\bcallees?\b|\bdepends?\s+on\b"),
            (Relation::Definition, r"\bwhere\s+(?:is|are)\s+.{1,80}\b(?:defined|declared|implemented|created|configured|set|signed|verified|checked|validated|parsed|computed|calculated|handled|built|stored|loaded|generated|registered|initiali[sz]ed)\b|\bdefinitions?\s+of\b"),
            (Relation::Implementers, r"\bimplement(?:s|ers?|ations?|ing)?\s+(?:of|the)\b|\bwhat\s+implements\b|\bimplementations?\b"),
            (Relation::Subclasses, r"\bsubclass(?:es)?\b|\binherits?\b|\bextends\b|\bderived\s+(?:class|from)"),
            (Relation::Writers, r"\b(?:writes?|writers?|written|writing|inserts?|inserted|updates?|updated|modif(?:y|ies|ied)|mutates?|saves?|saved|persists?|persisted|deletes?|deleted|sets)\b"),
            (Relation::Readers, r"\b(?:reads?|readers?|reading|quer(?:y|ies|ied)|selects?|fetch(?:es|ed)?|loads?|looks?\s+up)\b"),
            (Relation::Importers, r"\b(?:who|what|which\s+\w+)\s+(?:imports?|includes?|requires?)\b|\bimporters?\b|\bimported\s+by\b"),
            (Relation::Routes, r"\b(?:routes?|endpoints?|url\s+patterns?|http\s+(?:handlers?|api)|rest\s+api)\b"),
            (Relation::Tests, r"\b(?:tests?|tested|covered|coverage|untested|specs?)\b"),
            (Relation::Config, r"\b(?:configur(?:e|ed|ation|able)|settings?|options?|environment\s+variables?|env\s+vars?|flags?|defaults?)\b"),
            (Relation::Flow, r"\bhow\s+(?:does|do|is|are)\b|\bwhat\s+happens\b|\bwalk\s+(?:me\s+)?through\b|\bflow\s+of\b|\blifecycle\b"),
        ]
        .into_iter()
        .map(|(relation, pattern)| {
            let regex = Regex::new(&format!("(?i){pattern}")).expect("the pattern is a constant that tests compile");
            (relation, regex)
        })
        .collect()
    });
    let mut found: Vec<(usize, Relation)> =
        table.iter().filter_map(|(relation, regex)| regex.find(text).map(|m| (m.start(), *relation))).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, relation)| relation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_gives_its_evidence() {
        let e = analyse(
            "Who calls `Vote.record` in app/flows/cast.rb:42, and where is session_cookie signed? See \"bad token\" on /users/{id}",
        );
        assert_eq!(e.identifiers, ["Vote.record", "session_cookie"]);
        assert!(e.paths.contains(&("app/flows/cast.rb".to_owned(), Some(42))));
        assert_eq!(e.quoted, ["bad token"]);
        assert!(e.routes.contains(&"/users/{id}".to_owned()));
        assert_eq!(e.relations, [Relation::Callers, Relation::Definition]);
        assert!(e.terms.iter().any(|(term, _)| term == "cooki"));
    }

    #[test]
    fn prose_gives_no_identifiers() {
        let e = analyse("Which functions write the audit log, and who calls them? e.g. the first one.");
        assert!(e.identifiers.is_empty(), "{:?}", e.identifiers);
        assert_eq!(e.relations, [Relation::Writers, Relation::Callers]);
        assert!(analyse("").is_empty() && analyse("is it the?").is_empty());
    }
}
