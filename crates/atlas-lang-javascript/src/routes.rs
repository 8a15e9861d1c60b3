//! Routes that a file has by its place: Next.js, SvelteKit, Nitro.
//!
//! Facts of a file never depend on its path; this completes their roots once the path is known.

use atlas_syntax::{DefFlags, DefIx, FileFacts, RootFact, RootKind, Sym};
use atlas_tree::RepoPath;

/// Gives handlers that a framework finds by file name their route, and adds those that only the
/// file's place makes handlers. Does nothing to a file of another place.
pub fn complete_roots(path: &RepoPath, facts: &mut FileFacts) {
    let Some(place) = Place::of(path.as_str()) else { return };
    // Other servers have directories of these names too.
    let handles = |name: &str| name.ends_with("ventHandler");
    if place.rule == NITRO && !facts.refs.iter().any(|call| handles(facts.str(call.name))) {
        return;
    }
    let route = sym(facts, &place.route);
    let rule = sym(facts, place.rule);
    if place.by_verb {
        let found: Vec<usize> =
            (0..facts.roots.len()).filter(|&at| facts.str(facts.roots[at].rule) == "exported route handler").collect();
        for at in found {
            facts.roots[at].route = Some(route);
            facts.roots[at].rule = rule;
        }
        return;
    }
    let handler = facts.defs.iter().position(|def| def.container.is_none() && def.flags.has(DefFlags::DEFAULT_EXPORT));
    let export = facts.exports.iter().find(|export| facts.str(export.name) == "default").cloned();
    let line = match (handler, &export) {
        (Some(ix), _) => facts.defs[ix].start,
        (None, Some(export)) => export.line,
        (None, None) => return,
    };
    let name = match handler {
        Some(ix) if facts.str(facts.defs[ix].name) != "default" => facts.defs[ix].name,
        _ => sym(facts, &format!("{} {}", place.verb, place.route)),
    };
    let verb = Some(sym(facts, place.verb));
    facts.roots.push(RootFact {
        kind: RootKind::HttpRoute,
        line,
        name,
        verb,
        route: Some(route),
        handler: export.filter(|_| handler.is_none()).map(|export| export.value),
        def: handler.map(|ix| ix as DefIx),
        rule,
    });
}

const NITRO: &str = "nitro server file";

/// What a file's path says.
struct Place {
    route: String,
    verb: &'static str,
    rule: &'static str,
    /// Whether each exported verb is a handler of its own.
    by_verb: bool,
}

impl Place {
    fn of(path: &str) -> Option<Self> {
        let (dir, file) = path.rsplit_once('/')?;
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let parts: Vec<&str> = dir.split('/').collect();
        let after = |name: &str| parts.iter().rposition(|part| *part == name).map(|at| &parts[at + 1..]);
        if stem == "route"
            && let Some(parts) = parts.iter().position(|part| *part == "app").map(|at| &parts[at + 1..])
        {
            return Some(Self::new(parts, "", "ANY", "next route file", true));
        }
        if stem == "+server"
            && let Some(parts) = after("routes")
        {
            return Some(Self::new(parts, "", "ANY", "sveltekit server file", true));
        }
        let api = parts.windows(2).position(|pair| pair == ["pages", "api"]);
        if let Some(at) = api {
            return Some(Self::new(&parts[at + 1..], stem, "ANY", "next api file", false));
        }
        let nitro = parts.windows(2).position(|pair| pair[0] == "server" && matches!(pair[1], "api" | "routes"));
        if let Some(at) = nitro {
            let from = if parts[at + 1] == "api" { at + 1 } else { at + 2 };
            let (stem, verb) = match stem.rsplit_once('.') {
                Some((stem, "get")) => (stem, "GET"),
                Some((stem, "post")) => (stem, "POST"),
                Some((stem, "put")) => (stem, "PUT"),
                Some((stem, "patch")) => (stem, "PATCH"),
                Some((stem, "delete")) => (stem, "DELETE"),
                _ => (stem, "ANY"),
            };
            return Some(Self::new(&parts[from..], stem, verb, NITRO, false));
        }
        None
    }

    fn new(parts: &[&str], stem: &str, verb: &'static str, rule: &'static str, by_verb: bool) -> Self {
        let mut route = String::new();
        let last = if stem == "index" { "" } else { stem };
        for part in parts.iter().copied().chain([last]) {
            // Groups and slots are no part of the address.
            if part.is_empty() || part.starts_with(['(', '@']) {
                continue;
            }
            route.push('/');
            match part.trim_matches(['[', ']']) {
                inner if inner.len() == part.len() => route.push_str(part),
                inner => {
                    route.push_str(if inner.starts_with("...") { "*" } else { ":" });
                    route.push_str(inner.trim_start_matches('.'));
                }
            }
        }
        if route.is_empty() {
            route.push('/');
        }
        Self { route, verb, rule, by_verb }
    }
}

fn sym(facts: &mut FileFacts, text: &str) -> Sym {
    if let Some(at) = facts.strings.iter().position(|known| &**known == text) {
        return at as Sym;
    }
    facts.strings.push(text.into());
    facts.strings.len() as Sym - 1
}
