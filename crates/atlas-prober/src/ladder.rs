//! The five tiers, climbed in order.

use crate::facts::{Fact, by_source, counted, edge_fact, is_test_path, placed, tier_weight};
use crate::report::assemble;
use crate::tools::{GraphAnswer, Place, Tools, Trouble};
use atlas_artifact::limits::STRIKES;
use atlas_artifact::{Assertion, BranchId, BranchReturn, DtId, Strike, Tier};
use atlas_retrieve::{Evidence, Relation, analyse};
use atlas_tools::{RankedSymbol, ToolSurface};
use std::collections::BTreeMap;

/// One sub-question for one branch.
#[derive(Debug, Clone)]
pub struct ProbeInput<'a> {
    pub branch_id: BranchId,
    pub supports_decision: DtId,
    pub question: &'a str,
}

/// Words of the question that a symbol must hold, by their rarity, for its fact to be one short
/// inference away …
const COVERAGE_M: f64 = 0.45;
/// … and to be told at all.
const COVERAGE_L: f64 = 0.3;
/// Share of the best score below which a symbol is left alone.
const SCORE_MIN: f64 = 0.6;
/// Symbols that are looked into.
const TARGETS_MAX: usize = 4;
/// Lines of a signature, or of documentation, that an anchor takes in beyond the first.
const SIGNATURE_LINES: u32 = 7;
/// Symbols that a ranking is asked for.
const RANKED: usize = 16;

/// Answers one sub-question with the tools of this surface.
#[must_use]
pub fn probe(input: &ProbeInput<'_>, surface: &ToolSurface) -> BranchReturn {
    let mut ladder = Ladder {
        tools: Tools { surface },
        evidence: analyse(input.question),
        question: input.question,
        facts: Vec::new(),
        strikes: Vec::new(),
        ruled_out: Vec::new(),
        in_a_row: 0,
        exhausted: false,
    };
    ladder.climb();
    let spent = surface.meter().spent();
    assemble(input, ladder.facts, ladder.strikes, ladder.ruled_out, ladder.exhausted, spent)
}

struct Ladder<'t> {
    tools: Tools<'t>,
    evidence: Evidence,
    question: &'t str,
    facts: Vec<Fact>,
    strikes: Vec<Strike>,
    ruled_out: Vec<String>,
    /// Strikes since the last probe that told something.
    in_a_row: usize,
    exhausted: bool,
}

/// A definition that the question is taken to be about.
#[derive(Debug, Clone)]
struct Target {
    place: Place,
    /// Last line of its signature.
    signature_end: u32,
    /// The first sentence of its documentation, and the lines of the whole of it.
    doc: Option<(String, (u32, u32))>,
    /// H for one that the question names, else by how much of the question it holds.
    tier: Tier,
    weight: f64,
}

impl Ladder<'_> {
    fn asks(&self, relation: Relation) -> bool {
        self.evidence.relations.contains(&relation)
    }

    fn over(&self) -> bool {
        self.exhausted || self.in_a_row >= STRIKES
    }

    fn answered(&self) -> bool {
        self.facts.iter().any(|fact| fact.tier >= Tier::M)
    }

    fn climb(&mut self) {
        let targets = self.symbol_tier();
        if !self.over() {
            self.graph_tier(&targets);
        }
        if !self.answered() && !self.over() {
            self.text_tier();
        }
        if !self.answered() && !self.over() {
            self.read_tier(&targets);
        }
    }

    /// Takes an answer, or notes why there is none.
    fn take<T>(&mut self, probe: &str, result: Result<T, Trouble>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Trouble::Exhausted) => {
                self.exhausted = true;
                None
            }
            Err(Trouble::Failed(message)) => {
                self.strike(probe, &message);
                None
            }
        }
    }

    fn strike(&mut self, probe: &str, result: &str) {
        self.strikes.push(Strike { probe: probe.to_owned(), result: result.to_owned() });
        self.in_a_row += 1;
    }

    fn told(&mut self, facts: Vec<Fact>) {
        if facts.iter().any(|fact| fact.tier >= Tier::M) {
            self.in_a_row = 0;
        }
        for fact in facts {
            // Two probes may meet at one site: the stronger statement of it stays.
            let same = self
                .facts
                .iter_mut()
                .find(|known| known.anchors.first() == fact.anchors.first() && known.assertion == fact.assertion);
            match same {
                Some(known) if fact.weight > known.weight => *known = fact,
                Some(_) => {}
                None => self.facts.push(fact),
            }
        }
    }

    /// Tier 1: names that the question writes, then what the index holds of its words.
    fn symbol_tier(&mut self) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for name in self.evidence.identifiers.clone().into_iter().take(6) {
            let probe = format!("search_symbol {name}");
            let result = self.tools.symbols(&name);
            let Some(found) = self.take(&probe, result) else {
                if self.over() {
                    return targets;
                }
                continue;
            };
            if found.is_empty() {
                self.ruled_out.push(format!("no definition of `{name}` in this scope"));
                continue;
            }
            for symbol in found.into_iter().filter(|s| s.role == "definition").take(3) {
                let weight = if is_test_path(&symbol.path) { 4.0 } else { 10.0 };
                let place = Place { path: symbol.path, line: symbol.line, name: symbol.name, kind: symbol.kind };
                targets.push(Target { signature_end: place.line, doc: None, place, tier: Tier::H, weight });
            }
        }
        let result = self.tools.rank(self.question, RANKED);
        let Some(ranked) = self.take("rank by the question's words", result) else { return targets };
        for table in &ranked.tables {
            self.table(&table.name);
        }
        let mut ranked: Vec<RankedSymbol> = ranked.symbols.into_iter().filter(|s| s.coverage >= COVERAGE_L).collect();
        // Tests speak of everything; they answer only who asks for them, or where nothing else does.
        if !self.asks(Relation::Tests) && ranked.iter().any(|symbol| !symbol.test) {
            ranked.retain(|symbol| !symbol.test);
        }
        if ranked.is_empty() && targets.is_empty() && self.facts.is_empty() {
            self.strike("search_symbol by the question's words", "no definition in this scope holds enough of them");
        }
        let best = ranked.first().map_or(0.0, |symbol| symbol.score);
        for symbol in ranked {
            let doc = symbol.doc.zip(symbol.doc_lines);
            if let Some(known) = targets.iter_mut().find(|t| t.place.path == symbol.path && t.place.line == symbol.line)
            {
                known.doc = doc;
                known.signature_end = symbol.signature_end;
                continue;
            }
            // Far below the best, a symbol shares words with the question and nothing else.
            if symbol.score < best * SCORE_MIN {
                continue;
            }
            let tier = if symbol.coverage >= COVERAGE_M { Tier::M } else { Tier::L };
            let weight = 5.0 * symbol.score / best.max(1e-9) * if symbol.test { 0.3 } else { 1.0 };
            let place = Place { path: symbol.path, line: symbol.line, name: symbol.name, kind: symbol.kind };
            targets.push(Target { place, signature_end: symbol.signature_end, doc, tier, weight });
        }
        targets.truncate(if targets.iter().any(|t| t.tier == Tier::H) { TARGETS_MAX + 2 } else { TARGETS_MAX * 2 });
        targets
    }

    /// A table that the question speaks of: who writes it, who reads it.
    fn table(&mut self, name: &str) {
        let writers = self.asks(Relation::Writers) || !self.asks(Relation::Readers);
        let asked = [
            (writers, "writers_to", "writes the table", "writes"),
            (self.asks(Relation::Readers), "readers_of", "reads the table", "reads"),
        ];
        for (wanted, verb, words, relation) in asked {
            if !wanted || self.over() {
                continue;
            }
            let probe = format!("graph_query {verb}: {name}");
            let result = self.tools.graph(&format!("{verb}: {name}"));
            let Some(answer) = self.take(&probe, result) else { continue };
            if answer.edges.is_empty() {
                self.ruled_out.push(format!("nothing in this scope {words} `{name}`"));
                continue;
            }
            let groups = by_source(&answer.edges);
            let facts: Vec<Fact> =
                groups.iter().filter_map(|group| edge_fact(group, words, relation, name, 12.0)).collect();
            self.told(facts);
            if self.asks(Relation::Callers) {
                let sources: Vec<Place> = groups.iter().filter_map(|g| g[0].source.clone()).take(TARGETS_MAX).collect();
                for place in sources {
                    self.callers(&place, Tier::H, 9.0);
                    let signature_end = place.line;
                    self.definition(&Target { place, signature_end, doc: None, tier: Tier::H, weight: 9.5 });
                }
            }
        }
    }

    /// Tier 2: what the graph says of each target, by the relation that is asked.
    fn graph_tier(&mut self, targets: &[Target]) {
        if self.asks(Relation::Routes) {
            self.routes();
        }
        let mut looked_into = 0;
        for target in targets {
            if self.over() {
                return;
            }
            self.definition(target);
            if looked_into >= TARGETS_MAX {
                continue;
            }
            looked_into += 1;
            let placed = placed(&target.place);
            for (relation, verb, words, name) in [
                (Relation::Implementers, "implementers_of", "implements", "implements"),
                (Relation::Subclasses, "subclasses_of", "inherits from", "inherits"),
                (Relation::Importers, "importers_of", "imports", "imports"),
            ] {
                if self.asks(relation) && is_type_or_module(&target.place.kind) {
                    self.relation(target, verb, &placed, words, name);
                }
            }
            if self.asks(Relation::Writers) && is_value(&target.place.kind) {
                self.relation(target, "writers_to", &placed, "writes", "writes");
            }
            if self.asks(Relation::Readers) && is_value(&target.place.kind) {
                self.relation(target, "readers_of", &placed, "reads", "reads");
            }
            let flow = self.asks(Relation::Flow) || self.asks(Relation::Callees);
            if flow && is_callable(&target.place.kind) && !self.over() {
                self.callees(target, &placed);
            }
            if (self.asks(Relation::Callers) || self.asks(Relation::Tests)) && !self.over() {
                self.callers(&target.place, target.tier, target.weight);
            }
        }
    }

    /// The definition itself, with how much it is used and what its authors say of it.
    fn definition(&mut self, target: &Target) {
        let place = &target.place;
        let mut claim =
            format!("`{}` ({}) is defined at {}:{}", place.name, place.kind.replace('_', " "), place.path, place.line);
        if is_callable(&place.kind) {
            let query = format!("callers_of: {}", placed(place));
            let result = self.tools.graph(&query);
            let Some(answer) = self.take(&format!("graph_query {query}"), result) else { return };
            let confident: Vec<_> = answer.edges.iter().filter(|e| e.confidence != "AMBIGUOUS").cloned().collect();
            if confident.is_empty() {
                claim.push_str("; no caller of it is known in this scope");
            } else {
                let (number, text) = counted(&confident);
                let verb = if number == 1 { "calls" } else { "call" };
                claim.push_str(&format!("; {text} in this scope {verb} it"));
            }
        }
        let end = target.signature_end.max(place.line).min(place.line + SIGNATURE_LINES);
        let mut anchors = vec![(place.path.clone(), place.line, end)];
        if let Some((doc, (first, last))) = &target.doc {
            claim.push_str(&format!("; its documentation begins \"{doc}\""));
            // The quote stands in what is cited: around the signature if it is short, else beside it.
            let quoted = (*first, (*last).min(*first + SIGNATURE_LINES));
            let both = (place.line.min(*first), end.max(*last));
            if both.1 - both.0 <= SIGNATURE_LINES {
                anchors[0] = (place.path.clone(), both.0, both.1);
            } else {
                anchors.push((place.path.clone(), quoted.0, quoted.1));
            }
        } else {
            claim.push('.');
        }
        // The fact is structural; that it is what the question means is as sure as the match.
        self.told(vec![Fact {
            claim,
            assertion: None,
            anchors,
            tier: target.tier,
            weight: target.weight * tier_weight(target.tier),
            further: 0,
        }]);
    }

    fn callers(&mut self, place: &Place, tier: Tier, weight: f64) {
        if self.over() || !(is_callable(&place.kind) || is_type_or_module(&place.kind)) {
            return;
        }
        let query = format!("callers_of: {}", placed(place));
        let result = self.tools.graph(&query);
        let Some(answer) = self.take(&format!("graph_query {query}"), result) else { return };
        let confident: Vec<_> = answer.edges.iter().filter(|e| e.confidence != "AMBIGUOUS").cloned().collect();
        if confident.is_empty() {
            let open = match answer.edges.len() as u64 + answer.unresolved {
                0 => String::new(),
                n => format!("; {n} calls of that name lead to an unknown receiver"),
            };
            self.ruled_out.push(format!("no confident caller of `{}` in this scope{open}", place.name));
            return;
        }
        let mut facts: Vec<Fact> = by_source(&confident)
            .iter()
            .filter_map(|group| {
                let verb = if group[0].relation == "construct" { "constructs" } else { "calls" };
                edge_fact(group, verb, verb, &place.name, weight * 0.9)
            })
            .collect();
        for fact in &mut facts {
            fact.tier = fact.tier.min(tier.max(Tier::M));
        }
        self.note_rest(&answer, &place.name);
        self.told(facts);
    }

    fn callees(&mut self, target: &Target, placed: &str) {
        let query = format!("callees_of: {placed}");
        let result = self.tools.graph(&query);
        let Some(answer) = self.take(&format!("graph_query {query}"), result) else { return };
        // One fact per step, in the order of the code: how it works is what it calls, in turn.
        let mut by_callee: BTreeMap<(u32, String), Vec<&crate::tools::Edge>> = BTreeMap::new();
        let mut first_line: BTreeMap<String, u32> = BTreeMap::new();
        for edge in answer.edges.iter().filter(|e| e.confidence != "AMBIGUOUS") {
            let Some(callee) = &edge.target else { continue };
            // A step of the answer speaks of the question; the rest is plumbing.
            if !self.speaks_of(&callee.name) {
                continue;
            }
            let line = *first_line.entry(callee.name.clone()).or_insert(edge.site.line);
            by_callee.entry((line, callee.name.clone())).or_default().push(edge);
        }
        let mut facts = Vec::new();
        for (step, ((_, callee), group)) in by_callee.iter().enumerate() {
            let weight = target.weight * 0.7 / (1.0 + 0.1 * step as f64);
            if let Some(mut fact) = edge_fact(group, "calls", "calls", callee, weight) {
                fact.tier = fact.tier.min(target.tier.max(Tier::M));
                facts.push(fact);
            }
        }
        self.told(facts);
    }

    /// Whether a name holds a word of the question.
    fn speaks_of(&self, name: &str) -> bool {
        // Words that ask are no words of the matter.
        const ASKING: [&str; 8] = ["call", "caller", "clas", "class", "function", "method", "name", "type"];
        let mut holds = false;
        atlas_retrieve::words(name, |word| {
            holds |= !ASKING.contains(&word) && self.evidence.terms.iter().any(|(term, _)| term == word);
        });
        holds
    }

    fn relation(&mut self, target: &Target, verb: &str, placed: &str, words: &str, name: &str) {
        let query = format!("{verb}: {placed}");
        let result = self.tools.graph(&query);
        let Some(answer) = self.take(&format!("graph_query {query}"), result) else { return };
        if answer.edges.is_empty() {
            self.ruled_out.push(format!("nothing in this scope {words} `{}`", target.place.name));
            return;
        }
        let facts: Vec<Fact> = by_source(&answer.edges)
            .iter()
            .filter_map(|group| edge_fact(group, words, name, &target.place.name, target.weight * 1.1))
            .collect();
        self.note_rest(&answer, &target.place.name);
        self.told(facts);
    }

    fn note_rest(&mut self, answer: &GraphAnswer, name: &str) {
        let rest = answer.total.saturating_sub(answer.edges.len() as u64);
        if rest > 0 {
            self.ruled_out.push(format!("{rest} further sites of `{name}` were counted and not listed"));
        }
    }

    /// Entry points whose route or handler holds words of the question.
    fn routes(&mut self) {
        let result = self.tools.graph("roots: http_route");
        let Some(answer) = self.take("graph_query roots: http_route", result) else { return };
        if answer.nodes.is_empty() {
            self.ruled_out.push("no HTTP route is registered in this scope".to_owned());
            return;
        }
        let terms: Vec<&str> = self.evidence.terms.iter().map(|(term, _)| term.as_str()).collect();
        let mut facts = Vec::new();
        for node in &answer.nodes {
            let mut shared = 0;
            atlas_retrieve::words(&format!("{} {} {}", node.name, node.note, node.path), |word| {
                shared += usize::from(terms.contains(&word));
            });
            let claim =
                format!("The route `{}` is handled by `{}`, in {}:{}.", node.note, node.name, node.path, node.line);
            facts.push(Fact {
                claim,
                assertion: Some(Assertion {
                    subject: node.note.clone(),
                    relation: "handled_by".to_owned(),
                    object: node.name.clone(),
                    polarity: true,
                    exclusive: false,
                }),
                anchors: vec![(node.path.clone(), node.line, node.line)],
                tier: Tier::H,
                weight: 6.0 + shared as f64 - if is_test_path(&node.path) { 5.0 } else { 0.0 },
                further: 0,
            });
        }
        let rest = answer.total.saturating_sub(answer.nodes.len() as u64);
        if rest > 0 {
            self.ruled_out.push(format!("{rest} further routes were counted and not listed"));
        }
        self.told(facts);
    }

    /// Tier 3: quoted text and routes as they stand, then lines that hold two of the rarest words.
    fn text_tier(&mut self) {
        let mut literal: Vec<String> = self.evidence.quoted.clone();
        literal.extend(self.evidence.routes.clone());
        for text in literal.into_iter().take(3) {
            if self.over() {
                return;
            }
            self.text(&text, false, &format!("`{}`", text.replace('`', "'")), Tier::H, 7.0);
        }
        if self.answered() || self.over() {
            return;
        }
        let words: Vec<String> = plain_words(self.question);
        for pair in words.windows(2).take(2) {
            if self.answered() || self.over() {
                return;
            }
            let (a, b) = (regex_escape(&pair[0]), regex_escape(&pair[1]));
            let pattern = format!("(?i){a}.{{0,24}}{b}");
            self.text(&pattern, true, &format!("\"{} … {}\"", pair[0], pair[1]), Tier::M, 4.0);
        }
    }

    fn text(&mut self, pattern: &str, regex: bool, shown: &str, tier: Tier, weight: f64) {
        const LIMIT: usize = 20;
        let probe = format!("search_text {pattern}");
        let result = self.tools.text(pattern, regex, LIMIT);
        let Some((matches, more)) = self.take(&probe, result) else { return };
        let code: Vec<_> = matches.iter().filter(|m| !is_test_path(&m.path)).collect();
        // What only tests say is a hint and no answer.
        let tier = if code.is_empty() { Tier::L } else { tier };
        let used = if code.is_empty() { matches.iter().collect() } else { code };
        if used.is_empty() {
            self.strike(&probe, "no match in this scope");
            return;
        }
        if more {
            // Narrowed, never raised: a text that is everywhere tells nothing.
            self.strike(&probe, "more matches than one probe may show; too common to answer with");
            return;
        }
        let mut by_file: BTreeMap<&str, Vec<&crate::tools::Match>> = BTreeMap::new();
        for found in used {
            by_file.entry(&found.path).or_default().push(found);
        }
        let facts = by_file
            .into_iter()
            .map(|(path, found)| {
                let first = found[0];
                let preview = quote(&first.preview);
                let times =
                    if found.len() > 1 { format!(" ({} lines in this file)", found.len()) } else { String::new() };
                Fact {
                    claim: format!("{shown} occurs at {path}:{}{times}: \"{preview}\".", first.line),
                    assertion: None,
                    anchors: found.iter().take(3).map(|m| (m.path.clone(), m.line, m.line)).collect(),
                    tier,
                    weight: weight * tier_weight(tier),
                    further: found.len().saturating_sub(3),
                }
            })
            .collect();
        self.told(facts);
    }

    /// Tier 4: a window into the best weak match; it counts if the words of the question are there.
    fn read_tier(&mut self, targets: &[Target]) {
        let words = plain_words(self.question);
        for target in targets.iter().take(2) {
            if self.over() {
                return;
            }
            let place = &target.place;
            let probe = format!("view_file {}:{}", place.path, place.line);
            let result = self.tools.view(&place.path, place.line.saturating_sub(4), place.line + 40);
            let Some(text) = self.take(&probe, result) else { continue };
            let lower = text.to_lowercase();
            let held: Vec<&String> = words.iter().filter(|word| lower.contains(word.as_str())).collect();
            if held.len() * 2 < words.len() || held.len() < 2 {
                self.strike(&probe, "the source does not hold the question's words");
            }
        }
    }
}

fn is_callable(kind: &str) -> bool {
    matches!(kind, "function" | "method" | "constructor" | "macro")
}

fn is_type_or_module(kind: &str) -> bool {
    matches!(
        kind,
        "class" | "struct" | "interface" | "trait" | "enum" | "union" | "type_alias" | "namespace" | "module"
    )
}

fn is_value(kind: &str) -> bool {
    matches!(kind, "variable" | "constant" | "field" | "property" | "table")
}

/// The question's content words as written, lower case, without the relation's own verbs.
fn plain_words(question: &str) -> Vec<String> {
    const ASKING: [&str; 22] = [
        "call",
        "calls",
        "called",
        "caller",
        "callers",
        "class",
        "classes",
        "code",
        "defined",
        "file",
        "files",
        "find",
        "function",
        "functions",
        "handled",
        "implemented",
        "list",
        "method",
        "methods",
        "module",
        "modules",
        "show",
    ];
    let mut words: Vec<String> = Vec::new();
    for word in question.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let word = word.to_lowercase();
        if word.chars().count() > 2
            && !atlas_retrieve::is_stop_word(&word)
            && ASKING.binary_search(&word.as_str()).is_err()
            && !words.contains(&word)
        {
            words.push(word);
        }
    }
    words
}

fn regex_escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if !c.is_alphanumeric() && c != '_' {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A line as it can stand in a claim: trimmed, without quotes and control characters, short.
fn quote(line: &str) -> String {
    let text: String =
        line.trim().chars().map(|c| if c.is_control() || c == '`' || c == '"' { '\'' } else { c }).collect();
    match text.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
