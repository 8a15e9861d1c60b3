//! What the artifacts publish about themselves.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod schemas;
