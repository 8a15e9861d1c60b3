//! The fold, the report and the forms that people read, from the outside: exact texts, laws, hostile text.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod artifacts;
mod fold;
mod mission;
mod page;
mod report;
mod sample;
mod support;
mod terminal;
