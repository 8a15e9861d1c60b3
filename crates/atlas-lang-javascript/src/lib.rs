//! JavaScript and TypeScript: facts of one file, and how names resolve across files.
//!
//! Reads JavaScript with JSX, TypeScript, TSX, and the scripts of Vue and Svelte components
//! (contract §4). What is deliberately *not* here: the templates of components, and anything that
//! runs or installs packages.

mod blank;
mod component;
mod extract;
mod routes;
mod semantics;

use atlas_syntax::{FileFacts, Language};
use extract::{Grammar, Js};

pub use routes::complete_roots;
pub use semantics::JavaScriptSemantics;

/// What this crate reads.
pub const LANGUAGES: &[Language] =
    &[Language::JavaScript, Language::TypeScript, Language::Tsx, Language::Vue, Language::Svelte];

/// The facts of one file; None if it is in none of [`LANGUAGES`].
///
/// A component file is read by its scripts alone, at their own lines. JavaScript that does not parse
/// as such is tried with type annotations as well, and the better reading kept.
#[must_use]
pub fn extract(source: &[u8], language: Language) -> Option<FileFacts> {
    match language {
        Language::JavaScript => {
            let facts = read(source, language, Language::JavaScript)?;
            if facts.error_count == 0 {
                return Some(facts);
            }
            let typed = read(source, language, Language::Tsx)?;
            Some(if typed.error_count < facts.error_count { typed } else { facts })
        }
        Language::TypeScript | Language::Tsx => read(source, language, language),
        Language::Vue | Language::Svelte => {
            let (script, grammar) = component::script(source);
            read(&script, language, grammar)
        }
        _ => None,
    }
}

fn read(source: &[u8], language: Language, grammar: Language) -> Option<FileFacts> {
    let grammar = Grammar::of(grammar)?;
    let blanked = if grammar.typed { blank::blanked(source) } else { None };
    let source = blanked.as_deref().unwrap_or(source);
    let mut extractor = Js::new(source, grammar);
    atlas_syntax::extract(source, language, &grammar.language, &mut extractor)
}
