//! What the scores of one question are sums of, for fitting weights.

use atlas_graph::Graph;
use atlas_graph::link::NodeId;
use atlas_retrieve::{RetrievalIndex, Signals, Weights, analyse, search_seen};
use serde_json::{Value, json};

/// Files, and callables, that are shown of each question, best first.
const FILES: usize = 120;
const SYMBOLS: usize = 250;

/// `{"id", "files": [[path, factor, [signal]]], "symbols": [[path, name, factor, [signal]]]}`.
pub fn of(
    graph: &Graph,
    index: &RetrievalIndex,
    question: &str,
    weights: &Weights,
    is_wanted: impl Fn(NodeId) -> bool,
    id: &str,
) -> Value {
    let (mut files, mut symbols): (Vec<(f64, Value)>, Vec<(f64, Value)>) = (Vec::new(), Vec::new());
    let program = &graph.program;
    let shown = |parts: &[f64]| -> Vec<f64> { parts.iter().map(|part| (part * 1e4).round() / 1e4).collect() };
    let sum = |parts: &[f64], by: &[f64]| -> f64 { parts.iter().zip(by).map(|(part, by)| part * by).sum() };
    search_seen(graph, index, &analyse(question), weights, &mut |seen| match seen {
        Signals::File(file, factor, parts) if is_wanted(program.file_node(file)) => {
            let row = json!([program.path(file).as_str(), factor, shown(parts)]);
            files.push((factor * sum(parts, &weights.file), row));
        }
        Signals::Symbol(node, factor, parts)
            if is_wanted(node) && program.def(node).is_some_and(|def| def.kind.is_callable()) =>
        {
            let path = program.path(program.file_of(node)).as_str();
            let row = json!([path, graph.qualified_name(node), factor, shown(parts)]);
            symbols.push((factor * sum(parts, &weights.symbol), row));
        }
        _ => {}
    });
    json!({ "id": id, "files": best(files, FILES), "symbols": best(symbols, SYMBOLS) })
}

fn best(mut rows: Vec<(f64, Value)>, most: usize) -> Vec<Value> {
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.into_iter().take(most).map(|(_, row)| row).collect()
}
