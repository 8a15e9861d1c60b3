//! What holds for the project as a whole.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod layers;
mod tidy;
