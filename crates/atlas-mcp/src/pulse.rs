//! Progress while a call is worked on, so that no client takes a slow answer for none.

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use std::time::Duration;

/// How often a client hears of a call that is not answered yet.
pub const BEAT: Duration = Duration::from_secs(1);

/// Tells whoever gave a progress token; nobody else.
pub struct Pulse {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    last: f64,
}

impl Pulse {
    pub fn new(peer: Peer<RoleServer>, token: Option<ProgressToken>) -> Self {
        Self { peer, token, last: 0.0 }
    }

    /// Sends one notification. Values rise even where phases count anew: the protocol asks for it.
    pub async fn beat(&mut self, done: u64, total: Option<u64>, message: String) {
        let Some(token) = &self.token else { return };
        #[expect(clippy::cast_precision_loss, reason = "files of a repository, far below 2^52")]
        let (done, total) = (done as f64, total.map(|total| total as f64));
        self.last = if done > self.last { done } else { self.last + 1.0 };
        let mut progress = ProgressNotificationParam::new(token.clone(), self.last).with_message(message);
        if let Some(total) = total.filter(|total| *total >= self.last) {
            progress = progress.with_total(total);
        }
        // A client that has gone away needs no progress.
        let _ = self.peer.notify_progress(progress).await;
    }
}
