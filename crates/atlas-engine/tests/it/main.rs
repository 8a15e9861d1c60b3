//! Whole runs over small repositories.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make the repositories that they study, and fail by panicking"
)]

mod deaths;
mod graph_cases;
mod nasty;
mod runs;
mod support;
