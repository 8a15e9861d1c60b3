//! Facts of JavaScript and TypeScript files, and how their names resolve.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod cases;
mod linked;
mod resolution;
