//! What is kept, on real directories.
#![expect(clippy::disallowed_methods, reason = "tests damage what was kept, and kill those who keep it")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod cache;
mod kills;
mod memex;
mod missions;
mod places;
