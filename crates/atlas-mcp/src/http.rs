//! Streamable HTTP: every request stands for itself, no session is kept.
//!
//! A page in a browser can reach a server on loopback: hence the names that `Host` and `Origin` may have
//! are listed, which stops DNS rebinding, and any other address than loopback needs a token.

use crate::server::{Options, Server};
use crate::{ServeError, runtime};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The one path that is served.
pub const PATH: &str = "/mcp";
/// Connections at once; more wait to be accepted.
const CONNECTIONS: usize = 512;
/// How long a client may take to send its headers.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Bytes of a request's body.
const BODY_BYTES_MAX: usize = crate::stdio::FRAME_BYTES_MAX;
/// Characters of a token, at least.
const TOKEN_CHARS_MIN: usize = 16;

/// Where to listen, and whom to let in.
#[derive(Debug, Clone)]
pub struct Listen {
    pub address: SocketAddr,
    /// What `Authorization: Bearer …` must hold. May be left out on loopback alone.
    pub token: Option<String>,
    /// Names beside those of loopback under which clients reach this server.
    pub hosts: Vec<String>,
}

type Service = StreamableHttpService<Server, NeverSessionManager>;
type Body = BoxBody<Bytes, Infallible>;

/// Serves any number of clients over HTTP until the process ends. `ready` is told the address.
///
/// # Errors
/// [`ServeError`]: no token where one is needed, or the address cannot be had.
pub fn serve_http(options: Options, listen: &Listen, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    match &listen.token {
        None if !listen.address.ip().is_loopback() => return Err(ServeError::NoToken(listen.address)),
        Some(token) if token.chars().count() < TOKEN_CHARS_MIN => return Err(ServeError::ShortToken(TOKEN_CHARS_MIN)),
        _ => {}
    }
    let runtime = runtime()?;
    let server = Server::new(options);
    runtime.block_on(async move {
        let fail = |cause| ServeError::Address { address: listen.address, cause };
        let listener = TcpListener::bind(listen.address).await.map_err(fail)?;
        ready(listener.local_addr().map_err(fail)?);
        accept(&listener, &service(server, listen), listen.token.as_deref()).await;
        Ok(())
    })
}

fn service(server: Server, listen: &Listen) -> Service {
    let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
    if !listen.address.ip().is_unspecified() {
        hosts.push(listen.address.ip().to_string());
    }
    hosts.extend(listen.hosts.iter().cloned());
    let origins = hosts.iter().flat_map(|host| {
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        ["http", "https"].map(|scheme| format!("{scheme}://{host}:*"))
    });
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_BYTES_MAX)
        .with_allowed_origins(origins.collect::<Vec<_>>())
        .enforce_origin_validation()
        .with_allowed_hosts(hosts);
    StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config)
}

async fn accept(listener: &TcpListener, service: &Service, token: Option<&str>) {
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let token: Option<Arc<str>> = token.map(Arc::from);
    loop {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // No file descriptor left, or a client that went away: others still come.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let (service, token) = (service.clone(), token.clone());
        tokio::spawn(async move {
            let _slot = slot;
            let answer = service_fn(move |request| {
                let (service, token) = (service.clone(), token.clone());
                async move { Ok::<_, Infallible>(answer(&service, token.as_deref(), request).await) }
            });
            // How a connection ends is its client's business.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADERS_WITHIN)
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

async fn answer(service: &Service, token: Option<&str>, request: Request<Incoming>) -> Response<Body> {
    if request.uri().path() != PATH {
        return plain(StatusCode::NOT_FOUND, "the protocol is served at /mcp");
    }
    if let Some(token) = token
        && !request.headers().get(AUTHORIZATION).is_some_and(|given| is_bearer(given.as_bytes(), token))
    {
        let mut response = plain(StatusCode::UNAUTHORIZED, "the token of this server is missing or wrong");
        response.headers_mut().insert(WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer"));
        return response;
    }
    service.handle(request).await
}

/// Compares without telling by its duration how much was right.
fn is_bearer(given: &[u8], token: &str) -> bool {
    let Some((scheme, given)) = given.split_at_checked(7) else { return false };
    let given = atlas_tree::sha256(given);
    let wanted = atlas_tree::sha256(token.as_bytes());
    scheme.eq_ignore_ascii_case(b"bearer ") && given.0.iter().zip(wanted.0).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_is_the_token() {
        assert!(is_bearer(b"Bearer 0123456789abcdef", "0123456789abcdef"));
        assert!(is_bearer(b"bearer 0123456789abcdef", "0123456789abcdef"));
        for bad in ["", "Bearer", "Bearer ", "Bearer 0123456789abcdeF", "Basic  0123456789abcdef", "0123456789abcdef"] {
            assert!(!is_bearer(bad.as_bytes(), "0123456789abcdef"), "{bad}");
        }
    }
}
