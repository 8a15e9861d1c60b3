//! A mission as it comes in: YAML, JSON or Markdown, read into a [`Draft`] (contract §3).
//!
//! Reading is generous: it takes what can be understood and notes what cannot beside it, so that
//! [`crate::assess`] can name every problem at once. What is deliberately *not* here: whether the
//! mission may be taken on.

mod blocks;
mod draft;
mod fields;
mod labels;
mod node;
mod template;

pub use draft::{Draft, DraftBudget, DraftHandoff, DraftQuestion, DraftScope, DraftStop, DraftTrigger};
pub use labels::closing_detail;

use crate::refusal::{Problem, ProblemCode, Refusal};
use node::Node;

/// UTF-8 bytes of a mission, at most: far above any real one, low enough that no reader is slow on it.
pub const MISSION_BYTES_MAX: usize = 256 * 1024;

/// The forms a mission may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Yaml,
    Json,
    Markdown,
}

impl Format {
    /// The form that a file's name promises.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }

    /// The form that a text looks like.
    #[must_use]
    pub fn guess(text: &str) -> Self {
        let text = text.trim_start();
        if text.starts_with('{') {
            return Self::Json;
        }
        let heading = |line: &str| line.starts_with("## ") || line.starts_with("**MISSION");
        if front_matter(text).is_some() || text.lines().any(heading) { Self::Markdown } else { Self::Yaml }
    }
}

/// Reads a mission. `name` is the file's name, if it has one; without a telling one the text decides.
///
/// # Errors
/// A refusal if the bytes are too many, are not UTF-8, or are not of the form at all. Anything
/// smaller is noted in the draft.
pub fn read_mission(bytes: &[u8], name: Option<&str>) -> Result<Draft, Refusal> {
    if bytes.len() > MISSION_BYTES_MAX {
        return Err(Refusal::of(Problem::new(
            "mission",
            ProblemCode::TooLarge,
            format!("has more than {MISSION_BYTES_MAX} bytes"),
            "keep to the fields of a mission; material belongs into the repository under study",
        )));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Refusal::of(Problem::new(
            "mission",
            ProblemCode::Unreadable,
            format!("is not UTF-8 at byte {}", error.valid_up_to()),
            "save the file as UTF-8",
        ))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match name.and_then(Format::from_name).unwrap_or_else(|| Format::guess(text)) {
        Format::Yaml => Ok(fields::draft(Node::from_yaml(text)?)),
        Format::Json => Ok(fields::draft(Node::from_json(text)?)),
        Format::Markdown => read_markdown(text),
    }
}

/// Front matter first; what it leaves open, the headed template below it may say.
fn read_markdown(text: &str) -> Result<Draft, Refusal> {
    match front_matter(text) {
        Some((yaml, body)) => Ok(fields::draft(Node::from_yaml(yaml)?).filled_from(template::draft(body))),
        None => Ok(template::draft(text)),
    }
}

/// The YAML between a first line `---` and the next line `---` or `...`, and what follows it.
fn front_matter(text: &str) -> Option<(&str, &str)> {
    let first = text.split_inclusive('\n').next()?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut at = first.len();
    for line in text[at..].split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((&text[first.len()..at], &text[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests;
