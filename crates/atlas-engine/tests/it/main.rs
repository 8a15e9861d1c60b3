//! Whole runs over small repositories.

#![expect(clippy::disallowed_methods, reason = "tests make the repositories that they study")]

mod graph_cases;
mod nasty;
mod runs;
mod support;
