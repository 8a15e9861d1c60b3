//! Errors of tools: a code to branch on, a text for people, a hint for what to do next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    NotFound,
    BinaryContent,
    InvalidArgument,
    Forbidden,
    OutOfScope,
    BudgetExhausted,
    RateLimited,
    Timeout,
    IndexUnavailable,
    SandboxUnavailable,
    Corrupt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RetryHint {
    NarrowerScope,
    PaginationCursor,
    DifferentTool,
    ReturnNow,
    None,
}

/// What a tool answers instead of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolError {
    pub error: ErrorCode,
    pub message: String,
    pub retry_hint: RetryHint,
}

/// Characters of a message; hostile arguments are quoted in it.
const MESSAGE_CHARS_MAX: usize = 400;

impl ToolError {
    #[must_use]
    pub fn new(error: ErrorCode, message: impl Into<String>, retry_hint: RetryHint) -> Self {
        let message: String = message.into();
        let message = match message.char_indices().nth(MESSAGE_CHARS_MAX) {
            Some((at, _)) => format!("{}…", &message[..at]),
            None => message,
        };
        Self { error, message, retry_hint }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message, RetryHint::None)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::NotFound, message, RetryHint::DifferentTool)
    }

    pub(crate) fn out_of_scope(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::OutOfScope, message, RetryHint::NarrowerScope)
    }
}
