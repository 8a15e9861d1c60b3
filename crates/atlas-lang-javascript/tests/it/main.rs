//! Facts of JavaScript and TypeScript files, and how their names resolve.

mod cases;
mod linked;
mod resolution;
