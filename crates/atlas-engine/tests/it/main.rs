//! Whole runs over small repositories.

mod graph_cases;
mod nasty;
mod runs;
mod support;
