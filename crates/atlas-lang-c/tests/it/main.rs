//! Tests of the C and C++ crate.

mod cases;
mod harness;
mod hostile;
mod links;

use atlas_lang_c::CSemantics;
use harness::Subject;

const C: Subject = Subject { extract: atlas_lang_c::extract, semantics: &CSemantics };

/// Asserts the marks of a fixture.
fn check(text: &str) {
    C.check(text);
}
