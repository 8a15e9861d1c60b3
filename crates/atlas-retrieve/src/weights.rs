//! Every constant of the ranking in one place, with how each was found in `docs/retrieval.md`.

use crate::index::FIELDS;
use crate::zones::ZONES;
use serde::Deserialize;

pub(crate) type PerField = [f64; FIELDS];
pub(crate) type PerZone = [f64; ZONES];

/// What a ranking adds up, and how. The defaults are what every search uses; other sets exist for
/// measurement alone.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// What a word in each field counts in a file: path, name, owner, body, doc, comment, text, pair.
    pub file_fields: PerField,
    /// How much a long field is held against a file, from 0 (not) to 1 (in proportion).
    pub file_norms: PerField,
    /// Where the count of a word stops to matter in a file.
    pub file_saturation: f64,
    pub symbol_fields: PerField,
    pub symbol_norms: PerField,
    pub symbol_saturation: f64,
    /// What a word counts in each zone of the question: title, prose, named, code, log, message, form.
    pub zones: PerZone,
    /// Where the repetition of a word within a zone stops to matter.
    pub repeat: f64,
    /// What a word of the same root counts, against 1 for the word itself.
    pub kin: f64,
    /// What two words in a row count, against one word.
    pub pair: f64,
    /// What two words of the question that code writes as one count.
    pub glue: f64,
    /// What a name in each zone counts as naming a symbol.
    pub mentions: PerZone,
    /// How much each further meaning takes from a name.
    pub meanings: f64,
    /// What the next frame of a trace counts, against the one further in.
    pub frame_decay: f64,
    /// How many neighbours are shared with besides the true ones.
    pub damp: f64,
    /// Sums to a file's score: text, title, names, best symbol, named, path, trace, near.
    pub file: [f64; FILE_SIGNALS],
    /// Sums to a symbol's score: text, title, names, file, named, trace, owner named, near, owner's text, size.
    pub symbol: [f64; SYMBOL_SIGNALS],
    /// Where the lines of a symbol stop to matter.
    pub size: f64,
    /// Factors of source, tests, examples, foreign files.
    pub kinds: [f64; 4],
    /// Factors of plain symbols, tests, declarations, constructors.
    pub symbol_kinds: [f64; 4],
}

pub(crate) const FILE_SIGNALS: usize = 8;
pub(crate) const SYMBOL_SIGNALS: usize = 10;

impl Default for Weights {
    fn default() -> Self {
        Self {
            file_fields: [4.0, 3.0, 0.0, 1.0, 1.5, 1.0, 1.0, 1.0],
            file_norms: [0.3, 0.5, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6],
            file_saturation: 2.0,
            symbol_fields: [0.0, 5.0, 2.0, 1.0, 1.5, 1.2, 1.2, 1.0],
            symbol_norms: [0.3, 0.3, 0.3, 0.6, 0.6, 0.6, 0.6, 0.6],
            symbol_saturation: 1.5,
            zones: [2.0, 1.0, 1.5, 0.5, 0.3, 1.0, 0.1],
            repeat: 1.5,
            kin: 0.3,
            pair: 0.5,
            glue: 0.7,
            mentions: [1.5, 1.0, 1.2, 0.5, 0.3, 0.8, 0.0],
            meanings: 0.25,
            frame_decay: 0.6,
            damp: 2.0,
            file: [1.0, 0.3, 0.2, 0.5, 0.4, 0.5, 0.6, 0.2],
            symbol: [1.0, 0.3, 0.2, 0.6, 0.5, 0.6, 0.2, 0.2, 0.2, 0.3],
            size: 20.0,
            kinds: [1.0, 0.2, 0.4, 0.2],
            symbol_kinds: [1.0, 0.4, 0.4, 0.8],
        }
    }
}
