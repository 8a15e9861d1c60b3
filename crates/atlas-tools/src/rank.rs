//! What the index holds that is about a question, within the scope and the bound of an answer.

use crate::page::json_bytes;
use crate::{ToolError, ToolSurface};
use atlas_artifact::limits::ANSWER_BYTES;
use atlas_graph::link::{NodeId, Program};
use atlas_retrieve::{Relation, analyse, search, split_identifier, stem};
use atlas_syntax::DefFlags;
use atlas_tree::{Lines, RepoPath, lines_bytes};
use serde::{Deserialize, Serialize};

/// A definition, best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedSymbol {
    pub path: String,
    /// Qualified.
    pub name: String,
    pub kind: String,
    /// Line of its name, and the last line of its signature.
    pub line: u32,
    pub signature_end: u32,
    pub start: u32,
    pub end: u32,
    pub score: f64,
    /// Share of the question's words, by their rarity, that it holds.
    pub coverage: f64,
    pub test: bool,
    /// Where its documentation stands, if it has any, …
    pub doc_lines: Option<(u32, u32)>,
    /// … and the first sentence of it.
    pub doc: Option<String>,
}

/// A table whose name the question speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedTable {
    pub name: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    pub symbols: Vec<RankedSymbol>,
    pub tables: Vec<RankedTable>,
    /// Words of the question that occur nowhere in the index.
    pub unknown_terms: Vec<String>,
}

/// Stems of the words with which questions about code are asked.
const ASKING: [&str; 7] = ["call", "caller", "class", "code", "cod", "function", "method"];

pub(crate) fn run(surface: &ToolSurface, question: &str, limit: usize) -> Result<Ranked, ToolError> {
    let index = surface.index()?;
    let graph = &index.graph;
    let program = &graph.program;
    let mut evidence = analyse(question);
    // Words that ask are no words of the matter: the relation they ask for is evidence of its own.
    evidence.terms.retain(|(term, _)| !ASKING.contains(&term.as_str()));
    let ranking = search(graph, &index.retrieval, &evidence);
    let mut ranked = Ranked { unknown_terms: ranking.unknown_terms, ..Ranked::default() };
    ranked.unknown_terms.truncate(32);
    let asked: Vec<&str> = evidence.terms.iter().map(|(term, _)| term.as_str()).collect();
    let reads_or_writes =
        evidence.relations.iter().any(|relation| matches!(relation, Relation::Writers | Relation::Readers));
    for table in graph.tables() {
        let parts = split_identifier(&table.name);
        let named = evidence.identifiers.iter().any(|name| name.eq_ignore_ascii_case(&table.name));
        // One word alone, such as `log`, is a table only where reading or writing is asked for.
        let speaks = parts.len() > 1 || reads_or_writes;
        if named || (speaks && !parts.is_empty() && parts.iter().all(|part| asked.contains(&stem(part)))) {
            ranked.tables.push(RankedTable { name: table.name.to_string() });
        }
    }
    ranked.tables.truncate(16);
    let mut bytes = serde_json::to_value(&ranked).map_or(0, |value| json_bytes(&value));
    for symbol in &ranking.symbols {
        let file = program.file_of(symbol.node);
        let (Some(def), true) = (program.def(symbol.node), surface.scope().contains(program.path(file))) else {
            continue;
        };
        // A declaration says less than the definition that it stands for.
        if graph.canonical(symbol.node) != symbol.node {
            continue;
        }
        let row = RankedSymbol {
            path: program.path(file).to_string(),
            name: graph.qualified_name(symbol.node),
            kind: def.kind.as_str().to_owned(),
            line: def.name_line,
            signature_end: def.signature_end.max(def.name_line),
            start: def.start,
            end: def.end,
            score: symbol.score,
            coverage: symbol.coverage,
            test: index.retrieval.is_test(file) || is_test(program, symbol.node),
            doc_lines: def.doc,
            doc: def.doc.and_then(|lines| summary(surface, program.path(file), lines)),
        };
        bytes += serde_json::to_value(&row).map_or(0, |value| json_bytes(&value)) + 1;
        if ranked.symbols.len() >= limit || bytes > ANSWER_BYTES {
            break;
        }
        ranked.symbols.push(row);
    }
    Ok(ranked)
}

/// Whether a definition, or one around it, is test code by its language's own marks.
fn is_test(program: &Program, node: NodeId) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        if program.def(node).is_some_and(|def| def.flags.has(DefFlags::TEST)) {
            return true;
        }
        at = program.container(node);
    }
    false
}

/// Characters of a summary; a longer first sentence is left out rather than cut.
const SUMMARY_CHARS_MAX: usize = 220;

/// Lines of a documentation comment in which its first sentence is looked for.
const SUMMARY_LINES: usize = 8;

/// The first sentence of a documentation comment, without the marks of comments.
fn summary(surface: &ToolSurface, path: &RepoPath, (start, end): (u32, u32)) -> Option<String> {
    let bytes = surface.tree.read(path).ok()?;
    let text = std::str::from_utf8(lines_bytes(&bytes, Lines::new(start, end).ok()?)?).ok()?;
    first_sentence(text)
}

/// None if it has fewer than three words, or is too long to stand whole.
fn first_sentence(text: &str) -> Option<String> {
    let mut sentence = String::new();
    let mut in_tag = false;
    for line in without_string_prefix(text).lines().take(SUMMARY_LINES) {
        let line = line.trim().trim_start_matches(['/', '*', '#', '!', '"', '\'', '<', '-', ';', '%']).trim();
        let line = line.trim_end_matches(['*', '/', '"', '\'']).trim();
        let tag = line.starts_with(['@', ':']);
        if (line.is_empty() || tag) && !sentence.is_empty() {
            break;
        }
        // A tag goes on until a line is empty.
        in_tag = tag || in_tag && !line.is_empty();
        if line.is_empty() || in_tag {
            continue;
        }
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(line);
        if let Some(end) = sentence_end(&sentence) {
            sentence.truncate(end);
            break;
        }
    }
    let sentence: String =
        sentence.chars().map(|c| if c.is_control() || c == '`' || c == '"' { '\'' } else { c }).collect();
    let words = sentence.split_whitespace().count();
    (words >= 3 && sentence.chars().count() <= SUMMARY_CHARS_MAX).then_some(sentence)
}

/// A docstring that begins as `r"""` does begins with its text.
fn without_string_prefix(text: &str) -> &str {
    let trimmed = text.trim_start();
    let rest = trimmed.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B', 'f', 'F']);
    if trimmed.len() - rest.len() <= 2 && rest.starts_with(['"', '\'']) { rest } else { text }
}

/// Where the first sentence ends: behind a full stop that no abbreviation needs.
fn sentence_end(text: &str) -> Option<usize> {
    const ABBREVIATIONS: [&str; 6] = ["e.g.", "i.e.", "cf.", "vs.", "etc.", "approx."];
    text.match_indices('.').map(|(at, _)| at + 1).find(|&end| {
        let last = text[..end].rsplit([' ', '(']).next().unwrap_or_default();
        (end == text.len() || text[end..].starts_with(' ')) && !ABBREVIATIONS.contains(&last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn begins(text: &str, summary: &str) {
        assert_eq!(first_sentence(text).as_deref(), Some(summary));
    }

    #[test]
    fn a_summary_is_the_first_whole_sentence() {
        begins("// Runs the block. Then ends.", "Runs the block.");
        begins("/**\n * Runs the block\n * in one go\n *\n * Later.\n */", "Runs the block in one go");
        begins("# Chains jars, e.g. `signed`. More.", "Chains jars, e.g. 'signed'.");
        begins("/// Version 1.2 of it. More.", "Version 1.2 of it.");
    }

    #[test]
    fn the_prefix_of_a_docstring_is_no_word_of_it() {
        begins("r\"\"\"\nInitializes the pretty printer.\n", "Initializes the pretty printer.");
        begins("    Rb'''Class for converting input.'''", "Class for converting input.");
        begins("run the 'quoted' thing.", "run the 'quoted' thing.");
    }

    #[test]
    fn a_tag_is_no_summary_nor_are_the_lines_that_go_on_with_it() {
        assert_eq!(
            first_sentence("/**\n * @private exported for core use, but not from\n * the main package\n */"),
            None
        );
        begins("/**\n * @internal for\n * core\n *\n * Triggers all effects.\n */", "Triggers all effects.");
        begins("/**\n * Triggers all effects\n * @param x what\n */", "Triggers all effects");
    }

    #[test]
    fn a_few_words_and_an_endless_sentence_are_left_out() {
        assert_eq!(first_sentence("// See below."), None);
        assert_eq!(first_sentence(&format!("// {}", "word ".repeat(60))), None);
        assert_eq!(first_sentence(""), None);
    }
}
