//! Whether a text orders a write (contract §3): "fix the login bug", "please add …", "can you
//! implement …", "we need to migrate …". Words like these inside a read-only text do not count:
//! "find where files are deleted", "how do I add a route?", "Add-on loading: how does it work?".
//!
//! A text is led by a write verb if its first word, once politeness and set phrases before it are
//! taken off, is a verb of the table in its plain form (or its `-ing` form, unless the text asks
//! something). A word that is part of an identifier, a path or a compound (`delete_user`, `Add-on`,
//! `update()`), or that stands in back-ticks or quotes, is a name and no verb. A topic before a
//! colon ("Build system: which targets exist?") is a name too.

use crate::refusal::AgentKind;

/// An order to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOrder {
    /// The verb in its plain form, such as `fix` or `set up`.
    pub verb: &'static str,
    /// Who does such work.
    pub hand_to: AgentKind,
}

/// The write verb that leads the text, if one does.
#[must_use]
pub fn write_order(text: &str) -> Option<WriteOrder> {
    let words = words(text);
    let asks = super::question::has_question_mark(text);
    let (start, polite) = skip_preface(&words, asks);
    let word = words.get(start)?;
    if word.is_name {
        return None;
    }
    if let Some((verb, kind)) = phrase_at(&words[start..]) {
        return Some(WriteOrder { verb, hand_to: kind });
    }
    let (verb, kind, gerund) = verb_of(&word.text)?;
    let next = words.get(start + 1);
    if gerund && asks && !polite {
        return None;
    }
    if !polite && NOUNS.contains(&verb) && is_topic(text, word, next, asks) {
        return None;
    }
    if !polite && next.is_some_and(|next| next.text == "of") {
        return None;
    }
    match verb {
        "resolve" if next.is_some_and(|next| ["where", "which", "who", "whether", "how"].contains(&&*next.text)) => {
            return None;
        }
        // "Make a list of …" and "write down …" ask for an answer, not for a change.
        "make" if next.is_some_and(|next| ["sure", "sense"].contains(&&*next.text)) => return None,
        "make" | "create" | "generate" | "write" | "build" if orders_an_answer(&words[start + 1..]) => return None,
        _ => {}
    }
    Some(WriteOrder { verb, hand_to: kind })
}

use AgentKind::{Implementation as I, Operations as O, Planning as P};

/// Verbs that change something, with who does it.
const VERBS: [(&str, AgentKind); 91] = [
    ("add", I),
    ("adjust", I),
    ("amend", I),
    ("append", I),
    ("apply", I),
    ("automate", I),
    ("build", I),
    ("bump", O),
    ("change", I),
    ("clean", I),
    ("commit", I),
    ("configure", O),
    ("convert", P),
    ("correct", I),
    ("create", I),
    ("decommission", O),
    ("delete", I),
    ("deploy", O),
    ("deprecate", I),
    ("develop", I),
    ("disable", O),
    ("downgrade", O),
    ("drop", I),
    ("edit", I),
    ("eliminate", I),
    ("enable", O),
    ("enhance", I),
    ("erase", I),
    ("expand", I),
    ("extend", I),
    ("fix", I),
    ("format", I),
    ("generate", I),
    ("harden", I),
    ("hotfix", I),
    ("implement", I),
    ("improve", I),
    ("inline", I),
    ("insert", I),
    ("install", O),
    ("integrate", P),
    ("introduce", I),
    ("launch", O),
    ("make", I),
    ("merge", I),
    ("migrate", P),
    ("modernise", P),
    ("modernize", P),
    ("modify", I),
    ("move", I),
    ("optimise", I),
    ("optimize", I),
    ("overhaul", P),
    ("parallelize", I),
    ("patch", I),
    ("port", P),
    ("provision", O),
    ("publish", O),
    ("purge", I),
    ("push", O),
    ("rearchitect", P),
    ("refactor", P),
    ("reformat", I),
    ("release", O),
    ("remove", I),
    ("rename", I),
    ("reorganise", P),
    ("reorganize", P),
    ("repair", I),
    ("replace", P),
    ("resolve", I),
    ("restructure", P),
    ("revert", I),
    ("rewrite", P),
    ("rollback", O),
    ("scaffold", I),
    ("setup", O),
    ("ship", O),
    ("simplify", I),
    ("solve", I),
    ("split", P),
    ("squash", I),
    ("streamline", P),
    ("switch", P),
    ("tidy", I),
    ("undo", I),
    ("uninstall", O),
    ("update", I),
    ("upgrade", O),
    ("wire", I),
    ("write", I),
];

/// Verbs of more than one word.
const PHRASES: [(&[&str], &str, AgentKind); 14] = [
    (&["set", "up"], "set up", O),
    (&["get", "rid", "of"], "get rid of", I),
    (&["roll", "back"], "roll back", O),
    (&["roll", "out"], "roll out", O),
    (&["turn", "on"], "turn on", O),
    (&["turn", "off"], "turn off", O),
    (&["hook", "up"], "hook up", I),
    (&["speed", "up"], "speed up", I),
    (&["take", "out"], "take out", I),
    (&["open", "a", "pr"], "open a pull request", I),
    (&["open", "a", "pull"], "open a pull request", I),
    (&["raise", "a", "pr"], "open a pull request", I),
    (&["pull", "out"], "pull out", I),
    (&["swap", "out"], "swap out", I),
];

/// Verbs that are nouns as often: "Update check: when does it run?".
const NOUNS: [&str; 24] = [
    "add", "build", "change", "commit", "create", "delete", "deploy", "drop", "edit", "fix", "format", "insert",
    "install", "merge", "move", "patch", "port", "push", "release", "rename", "split", "update", "upgrade", "write",
];

/// Words that come before an order and are not part of it; the longest that fits is taken off, again and again.
const PREFACES: [&[&str]; 66] = [
    &["please"],
    &["pls"],
    &["plz"],
    &["kindly"],
    &["just"],
    &["now"],
    &["then"],
    &["first"],
    &["next"],
    &["also"],
    &["and"],
    &["so"],
    &["ok"],
    &["okay"],
    &["hey"],
    &["hi"],
    &["hello"],
    &["atlas"],
    &["agent"],
    &["claude"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["can", "u"],
    &["can", "someone"],
    &["could", "someone"],
    &["would", "you", "mind"],
    &["you", "should"],
    &["you", "must"],
    &["you", "need", "to"],
    &["you", "have", "to"],
    &["i", "want", "you", "to"],
    &["i", "want", "to"],
    &["i", "need", "you", "to"],
    &["i", "need", "to"],
    &["i", "would", "like", "to"],
    &["i", "would", "like", "you", "to"],
    &["i'd", "like", "to"],
    &["i'd", "like", "you", "to"],
    &["we", "need", "to"],
    &["we", "want", "to"],
    &["we", "have", "to"],
    &["we", "must"],
    &["we", "should"],
    &["we", "would", "like", "to"],
    &["we'd", "like", "to"],
    &["we", "will"],
    &["let's"],
    &["lets"],
    &["let", "us"],
    &["let", "me"],
    &["help", "me"],
    &["help", "us"],
    &["help"],
    &["goal"],
    &["task"],
    &["todo"],
    &["objective"],
    &["mission"],
    &["try", "to"],
    &["go", "ahead", "and"],
    &["feel", "free", "to"],
    &["need", "to"],
    &["start"],
    &["proceed", "to"],
];

/// Longer ones that end in "is to": "the goal is to", "your task is to".
const AIMS: [&str; 8] = ["goal", "task", "job", "objective", "aim", "plan", "mission", "idea"];

const DETERMINERS: [&str; 24] = [
    "the", "a", "an", "this", "that", "these", "those", "all", "any", "every", "each", "our", "my", "your", "its",
    "it", "them", "some", "new", "another", "more", "missing", "support", "up",
];

/// What one may make, create, generate or write without touching the repository.
const ANSWERS: [&str; 14] = [
    "list",
    "inventory",
    "overview",
    "map",
    "table",
    "summary",
    "report",
    "diagram",
    "outline",
    "catalogue",
    "catalog",
    "down",
    "answer",
    "index",
];

struct Word<'t> {
    /// Lower case, with the hyphens of `re-write` gone.
    text: String,
    /// Byte offset behind it.
    end: usize,
    is_name: bool,
    source: &'t str,
}

/// The first words of a text; more never matter.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    while words.len() < 24 {
        let Some(start) = text[at..].find(is_word_char).map(|found| at + found) else { break };
        let end = text[start..].find(|c| !is_word_char(c)).map_or(text.len(), |found| start + found);
        let source = &text[start..end];
        let before = text[..start].chars().next_back();
        let mut after = text[end..].chars();
        let (next, second) = (after.next(), after.next());
        let joined = match next {
            Some('-' | '/' | '.' | '#') => second.is_some_and(char::is_alphanumeric),
            Some(':') => second == Some(':'),
            Some('(') => second == Some(')'),
            Some('`' | '"' | '”') => true,
            _ => false,
        };
        let plain = source.to_lowercase();
        let mut word = Word {
            is_name: joined || source.contains('_') || matches!(before, Some('`' | '"' | '“' | '/' | '.' | '@' | '#')),
            text: plain,
            end,
            source,
        };
        if next == Some('-') {
            rejoin(&mut word, text);
        }
        at = word.end;
        words.push(word);
    }
    words
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')
}

/// `re-write` and `clean-up` are the verbs without their hyphen; `Add-on` stays a name.
fn rejoin(word: &mut Word<'_>, text: &str) {
    let rest = &text[word.end + 1..];
    let len = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
    let whole = format!("{}{}", word.text, rest[..len].to_lowercase());
    if verb_of(&whole).is_some() || ["cleanup", "rollout"].contains(&&*whole) {
        word.text = if whole == "cleanup" { "clean".into() } else { whole };
        word.end += 1 + len;
        word.is_name = false;
    }
}

/// How many words come before the order, and whether any of them makes it one.
fn skip_preface(words: &[Word<'_>], asks: bool) -> (usize, bool) {
    let mut at = 0;
    let mut polite = false;
    loop {
        let rest = &words[at..];
        let is = |index: usize, wanted: &str| {
            rest.get(index).is_some_and(|word| !word.is_name && word.text.replace('’', "'") == wanted)
        };
        let longest = PREFACES
            .iter()
            .filter(|preface| preface.iter().enumerate().all(|(index, wanted)| is(index, wanted)))
            .map(|preface| preface.len())
            .max();
        if let Some(len) = longest {
            at += len;
            polite = true;
            continue;
        }
        // "The goal is to …", "your job is to …", and a bare "to …" of a text that asks nothing.
        let aim = rest.iter().take(3).position(|word| AIMS.contains(&&*word.text));
        if let Some(aim) = aim.filter(|aim| is(aim + 1, "is") && is(aim + 2, "to")) {
            at += aim + 3;
            polite = true;
            continue;
        }
        // The number of a list's entry.
        if at == 0 && rest.first().is_some_and(|word| word.text.bytes().all(|byte| byte.is_ascii_digit())) {
            at += 1;
            continue;
        }
        if is(0, "to") && !asks {
            at += 1;
            continue;
        }
        // "Quickly fix …", "carefully remove …".
        let adverb = rest.first().is_some_and(|word| {
            !word.is_name && word.text.len() > 4 && word.text.ends_with("ly") && verb_of(&word.text).is_none()
        });
        if adverb {
            at += 1;
            continue;
        }
        return (at, polite);
    }
}

fn phrase_at(words: &[Word<'_>]) -> Option<(&'static str, AgentKind)> {
    PHRASES
        .iter()
        .find(|(phrase, ..)| {
            phrase.iter().enumerate().all(|(at, wanted)| words.get(at).is_some_and(|word| word.text == *wanted))
        })
        .map(|(_, verb, kind)| (*verb, *kind))
}

/// The verb of this word, and whether the word is its `-ing` form.
fn verb_of(word: &str) -> Option<(&'static str, AgentKind, bool)> {
    let of = |plain: &str| VERBS.iter().find(|(verb, _)| *verb == plain);
    if let Some((verb, kind)) = of(word) {
        return Some((verb, *kind, false));
    }
    let stem = word.strip_suffix("ing")?;
    let doubled = || {
        let mut chars = stem.chars();
        let last = chars.next_back()?;
        (chars.clone().next_back() == Some(last)).then(|| of(chars.as_str())).flatten()
    };
    let (verb, kind) = of(stem).or_else(|| of(&format!("{stem}e"))).or_else(doubled)?;
    Some((verb, *kind, true))
}

/// Whether the word opens a topic: a few words without a determiner, a colon or dash, then a question.
fn is_topic(text: &str, word: &Word<'_>, next: Option<&Word<'_>>, asks: bool) -> bool {
    if !asks || next.is_some_and(|next| DETERMINERS.contains(&&*next.text)) {
        return false;
    }
    let rest = &text[word.end..];
    let cut = [": ", " — ", " – ", " - "].iter().filter_map(|mark| rest.find(mark)).min();
    cut.is_some_and(|cut| {
        let topic = &rest[..cut];
        topic.split_whitespace().count() <= 4 && !topic.contains(['.', '?', '!', ','])
    })
}

fn orders_an_answer(rest: &[Word<'_>]) -> bool {
    let mut rest = rest.iter().skip_while(|word| ["me", "us", "a", "an", "the"].contains(&&*word.text));
    let first = rest.next();
    let second = rest.next();
    first.is_some_and(|word| ANSWERS.contains(&&*word.text))
        || first.is_some_and(|word| {
            word.source.ends_with("ed") || ["short", "complete", "full", "call"].contains(&&*word.text)
        }) && second.is_some_and(|word| ANSWERS.contains(&&*word.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verb(text: &str) -> Option<&'static str> {
        write_order(text).map(|order| order.verb)
    }

    #[test]
    fn a_leading_write_verb_is_an_order_however_it_is_dressed() {
        for (text, wanted) in [
            ("fix the login bug", "fix"),
            ("Implement rate limiting for the API", "implement"),
            ("Please fix the login bug", "fix"),
            ("We need to add CSRF tokens", "add"),
            ("Can you implement a cache for sessions?", "implement"),
            ("could you please quickly rename Vote to Ballot?", "rename"),
            ("Would you mind refactoring the auth module?", "refactor"),
            ("I'd like you to delete the old routes", "delete"),
            ("I’d like to deploy the service", "deploy"),
            ("The goal is to migrate the database to Postgres", "migrate"),
            ("GOAL: upgrade all dependencies", "upgrade"),
            ("To remove dead code from the tree", "remove"),
            ("1. Create a new endpoint", "create"),
            ("- **Update** the README", "update"),
            ("Let's build an admin page", "build"),
            ("Refactoring the payment flow into services", "refactor"),
            ("Re-write the parser in Rust", "rewrite"),
            ("Clean-up the unused imports", "clean"),
            ("set up continuous integration", "set up"),
            ("get rid of the legacy client", "get rid of"),
            ("write code that validates the session", "write"),
            ("Write a test for the login flow", "write"),
            ("Install redis on the server", "install"),
            ("change the timeout to 30 seconds", "change"),
            ("Make the importer faster", "make"),
            ("Fix the login bug: why does it fail?", "fix"),
            ("please update: which docs are stale?", "update"),
            ("thoroughly optimize queries", "optimize"),
        ] {
            assert_eq!(verb(text), Some(wanted), "{text:?}");
        }
    }

    #[test]
    fn a_read_only_text_may_hold_the_same_words() {
        for text in [
            "find where files are deleted",
            "audit how migrations are applied",
            "Add-on loading: how does it work?",
            "How do I add a new route?",
            "Which functions write the audit log?",
            "Should we migrate to Postgres?",
            "Can the user delete a vote?",
            "delete_user: who calls it?",
            "`update` is called from where?",
            "\"Fix\" button: which handler runs?",
            "update() callers, by module",
            "Vote.delete: where is it called?",
            "Build system: which targets exist?",
            "Update checks: when do they run?",
            "Deployment scripts and what they touch",
            "Migrations: in which order are they applied?",
            "To add a route, which files must be touched?",
            "Deleting a user removes which rows?",
            "Make a list of all writers of the audit log",
            "Write down where sessions are created",
            "Create an inventory of the HTTP routes",
            "Locate the code that installs hooks",
            "make sure every route is guarded",
            "Changes to the schema: who makes them?",
            "src/delete.rs: what does it export?",
            "add::entry is called by whom?",
            "Format of the session cookie and where it is read",
            "Code paths that write the audit log",
            "Resolve where the cookie is signed",
            "哪些函数写审计日志？",
            "",
            "???",
        ] {
            assert_eq!(verb(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_work_is_handed_to_who_does_it() {
        for (text, kind) in [
            ("fix the bug", AgentKind::Implementation),
            ("migrate the data", AgentKind::Planning),
            ("deploy to production", AgentKind::Operations),
        ] {
            assert_eq!(write_order(text).unwrap().hand_to, kind);
        }
    }
}
