//! What a question gives to go by: exact names, paths, quoted text, routes, tables, the relation
//! that is asked, and plain words.

use crate::terms::{is_stop_word, words};
use regex::Regex;
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
    /// Paths and file names, with a line if one was given.
    pub paths: Vec<(String, Option<u32>)>,
    /// Text between quotes.
    pub quoted: Vec<String>,
    /// `/users/{id}`.
    pub routes: Vec<String>,
    pub relations: Vec<Relation>,
    /// Stemmed words with how often each occurs.
    pub terms: Vec<(String, u32)>,
}

impl Evidence {
    /// Whether there is nothing to go by.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.identifiers.is_empty() && self.paths.is_empty() && self.quoted.is_empty() && self.terms.is_empty()
    }
}

/// Characters of a question that are read; an issue with a log attached is longer than it is wise.
const QUESTION_CHARS_MAX: usize = 50_000;

fn regex(cell: &'static OnceLock<Regex>, pattern: &str) -> &'static Regex {
    cell.get_or_init(|| Regex::new(pattern).expect("the pattern is a constant that tests compile"))
}

/// Takes a question apart.
#[must_use]
pub fn analyse(question: &str) -> Evidence {
    static PATH: OnceLock<Regex> = OnceLock::new();
    static NAME: OnceLock<Regex> = OnceLock::new();
    static QUOTED: OnceLock<Regex> = OnceLock::new();
    static TICKED: OnceLock<Regex> = OnceLock::new();
    static ROUTE: OnceLock<Regex> = OnceLock::new();
    let end = question.char_indices().nth(QUESTION_CHARS_MAX).map_or(question.len(), |(at, _)| at);
    let text = &question[..end];
    let mut evidence = Evidence::default();
    let path = regex(
        &PATH,
        r#"(?:[\w.@-]+/)*[\w.@-]+\.(?:bash|c|cc|cpp|cs|cxx|erb|ex|go|h|hpp|html|java|js|json|jsx|kt|lua|md|mjs|php|py|pyi|rake|rb|rs|scala|sh|sql|swift|toml|ts|tsx|vue|xml|yaml|yml)\b(?::(\d+))?|(?:[\w.@-]+/){1,}[\w.@-]+"#,
    );
    for found in path.captures_iter(text) {
        let whole = found.get(0).map_or("", |m| m.as_str());
        let line = found.get(1).and_then(|m| m.as_str().parse().ok());
        let bare = if line.is_some() { whole.rsplit_once(':').map_or(whole, |(p, _)| p) } else { whole };
        push(&mut evidence.paths, (bare.trim_start_matches("./").to_owned(), line));
    }
    for found in regex(&TICKED, r"`([^`\n]{1,120})`").captures_iter(text) {
        let inside = found.get(1).map_or("", |m| m.as_str()).trim();
        if is_symbol(inside) {
            push(&mut evidence.identifiers, inside.trim_end_matches("()").to_owned());
        } else {
            push(&mut evidence.quoted, inside.to_owned());
        }
    }
    for found in regex(&QUOTED, r#""([^"\n]{2,200})"|'([^'\n]{2,200})'(?:\W|$)"#).captures_iter(text) {
        let inside = found.get(1).or_else(|| found.get(2)).map_or("", |m| m.as_str()).trim();
        if is_symbol(inside) && looks_like_code(inside) {
            push(&mut evidence.identifiers, inside.to_owned());
        } else if !inside.is_empty() {
            push(&mut evidence.quoted, inside.to_owned());
        }
    }
    for found in regex(&ROUTE, r"(?:^|[\s(`'\x22])(/[\w{}:<>*.-]+(?:/[\w{}:<>*.-]*)*)").captures_iter(text) {
        push(&mut evidence.routes, found.get(1).map_or("", |m| m.as_str()).to_owned());
    }
    let name = regex(&NAME, r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?");
    for found in name.find_iter(text) {
        let word = found.as_str();
        let in_path = evidence.paths.iter().any(|(path, _)| path == word || path.ends_with(&format!("/{word}")));
        if looks_like_code(word) && !in_path {
            push(&mut evidence.identifiers, word.trim_end_matches("()").to_owned());
        }
    }
    evidence.relations = relations(text);
    let mut terms: Vec<(String, u32)> = Vec::new();
    words(text, |word| {
        if is_stop_word(word) {
            return;
        }
        match terms.iter_mut().find(|(known, _)| known == word) {
            Some((_, count)) => *count += 1,
            None => terms.push((word.to_owned(), 1)),
        }
    });
    evidence.terms = terms;
    evidence
}

fn push<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
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
