//! Gathering from the outside: the contract cases, the laws, hostile returns, and a slow reference.

#![expect(clippy::unwrap_used, reason = "a test that unwraps wrongly fails, as it should")]

mod cases;
mod hostile;
mod laws;
mod reference;
mod rules;
mod support;
