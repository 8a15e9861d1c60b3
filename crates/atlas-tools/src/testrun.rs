//! `test_dry_run`: one test in a sandbox that was checked to work, or not at all.

use crate::spec::TestDryRun;
use crate::{ErrorCode, RetryHint, ToolError, ToolSurface};
use atlas_tree::RepoPath;
use serde::Serialize;
use serde_json::{Value, json};

/// What a run gave. `output` is at most 8 KiB less what the answer needs around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestOutcome {
    pub runner: String,
    pub ran: u64,
    pub passed: u64,
    pub failed: u64,
    pub output: String,
    pub output_truncated: bool,
}

/// Runs tests where they can do no harm. It never falls back to running bare.
pub trait TestRunner: Send + Sync {
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` with what is missing, `TIMEOUT`, or `INVALID_ARGUMENT` for a file that
    /// no runner takes.
    fn run(&self, path: &RepoPath, case: Option<&str>) -> Result<TestOutcome, ToolError>;
}

pub fn run(surface: &ToolSurface, args: &TestDryRun) -> Result<Value, ToolError> {
    let path = surface.path(&args.path)?;
    let Some(runner) = &surface.tests else {
        return Err(ToolError::new(
            ErrorCode::SandboxUnavailable,
            "no sandbox is configured here; tests are never run without one",
            RetryHint::DifferentTool,
        ));
    };
    runner.run(&path, args.case.as_deref()).map(|outcome| json!(outcome))
}
