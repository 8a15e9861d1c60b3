//! How a caller takes a call back.

use crate::{ErrorCode, RetryHint, ToolError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that many hold and any may raise; it never goes down again.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    /// `TIMEOUT` once the flag is up: nobody waits for the answer any more.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        if self.is_cancelled() {
            return Err(ToolError::new(ErrorCode::Timeout, "the call was cancelled", RetryHint::None));
        }
        Ok(())
    }
}
