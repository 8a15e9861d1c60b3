//! ATLAS as a server of the Model Context Protocol (contract §8): the seven tools, one branch, or whole
//! missions, for whoever connects over stdio or HTTP.
//!
//! ```text
//! frame ──stdio | http──▶ rmcp ──▶ Server ──▶ ToolSurface | Hosted
//!                                   │ waits for
//!                                   ▼
//!                               Repository: walked and indexed in the background, looked at again
//! ```
//!
//! Both eras of the protocol are spoken: `initialize` (up to 2025-11-25), and 2026-07-28, where every
//! request carries its own metadata. Nothing that matters is kept for a connection: hosts kill servers,
//! start several, and let subagents share one. What is deliberately *not* here: what a tool does
//! (`atlas-tools`), how a mission is planned and gathered (`atlas-engine`).

pub mod hosts;
mod http;
mod missions;
mod pulse;
mod repository;
mod resources;
mod server;
mod skill;
mod stdio;
mod wire;

pub use http::{Listen, serve_http};
pub use server::{Offer, Options};
pub use skill::{SKILL_NAME, skill};
pub use wire::Answers;

use rmcp::service::serve_server;
use server::Server;
use std::net::SocketAddr;

/// Why a server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the server cannot start: {0}")]
    Start(std::io::Error),
    #[error("`{address}` cannot be listened on: {cause}")]
    Address { address: SocketAddr, cause: std::io::Error },
    #[error("`{0}` can be reached from other machines, so that a token is needed")]
    NoToken(SocketAddr),
    #[error("a token has at least {0} characters")]
    ShortToken(usize),
}

/// Serves one client on standard input and output until it goes away. Standard output carries the
/// protocol alone.
///
/// # Errors
/// [`ServeError`]; a client that goes away, in whatever way, is none.
pub fn serve_stdio(options: Options) -> Result<(), ServeError> {
    // The reader begins at once: what the client writes meanwhile is not lost.
    let transport = stdio::Stdio::start().map_err(ServeError::Start)?;
    let runtime = runtime()?;
    let server = Server::new(options);
    runtime.block_on(async move {
        if let Ok(running) = serve_server(server, transport).await {
            let _ = running.waiting().await;
        }
    });
    // A search that nobody waits for any more must not keep the process.
    runtime.shutdown_background();
    Ok(())
}

fn runtime() -> Result<tokio::runtime::Runtime, ServeError> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(ServeError::Start)
}
