//! Exit codes (contract §15) and how a failure is told.

use std::io::Write;
use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, gaps or not.
    Done = 0,
    /// The world or we are broken, or a promise was.
    Failed = 1,
    /// The command line was not understood.
    Usage = 2,
    /// The mission cannot be taken on as asked.
    Refused = 3,
    /// With `--strict`: gaps, disputes or differences remain.
    Strict = 4,
    /// A trigger halted the mission.
    Halted = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A message for a person: a fragment in lower case, and the next step.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub hint: Option<String>,
    pub exit: Exit,
}

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, exit: Exit::Failed }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn with(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// Says it on standard error.
    pub fn report(self) -> ExitCode {
        let mut err = std::io::stderr().lock();
        let _ = writeln!(err, "error: {}", self.message);
        if let Some(hint) = self.hint {
            let _ = writeln!(err, "hint: {hint}");
        }
        self.exit.into()
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::new(message)
    }
}
