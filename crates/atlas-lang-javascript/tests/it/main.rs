//! Facts of JavaScript and TypeScript files, and how their names resolve.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bindings;
mod cases;
mod data;
mod definitions;
mod facts;
mod hostile;
mod imports;
mod linked;
mod modules;
mod places;
mod references;
mod resolution;
mod roots;
mod tables;
