//! Frames on standard input and output: one JSON value a line.
//!
//! rmcp's own reader drops what it cannot read, and leaves when a notification comes before the first
//! request; here every frame that could be a request is answered, and none ends the server. What goes
//! out is one whole line at a time, and nothing else in the process writes to standard output.

use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Write};
use tokio::sync::mpsc;

/// Bytes of one frame; a longer one is answered with an error and passed over.
pub const FRAME_BYTES_MAX: usize = 4 << 20;
/// Frames that wait to be looked at; a client that writes faster is made to wait.
const FRAMES_QUEUED: usize = 8;

/// One line of input.
enum Frame {
    Line(Vec<u8>),
    TooLong,
}

pub struct Stdio {
    frames: mpsc::Receiver<Frame>,
    /// The first request that chooses an era has passed; before it rmcp takes no notification.
    begun: bool,
}

impl Stdio {
    /// Begins to read.
    ///
    /// # Errors
    /// No thread could be started.
    pub fn start() -> io::Result<Self> {
        let (sender, frames) = mpsc::channel(FRAMES_QUEUED);
        std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
            let mut input = BufReader::with_capacity(64 << 10, io::stdin().lock());
            while let Some(frame) = next_frame(&mut input, FRAME_BYTES_MAX) {
                if sender.blocking_send(frame).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { frames, begun: false })
    }
}

/// The next line, or None at the end of input. Memory is bounded whatever comes.
fn next_frame(input: &mut impl BufRead, bytes_max: usize) -> Option<Frame> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if available.is_empty() {
            // What has no line end was never sent whole.
            return None;
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if too_long || line.len() + part.len() > bytes_max {
            too_long = true;
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Some(if too_long { Frame::TooLong } else { Frame::Line(line) });
        }
    }
}

/// What is to be done with a line.
enum Read {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Answer(Value),
    Nothing,
}

/// Requests that are answered here: one of that name that rmcp does not recognise has wrong parameters.
pub const METHODS: [&str; 11] = [
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
];

fn read(line: &[u8], begun: &mut bool) -> Read {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Read::Nothing;
    }
    let mut value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            return Read::Answer(refusal(Value::Null, ErrorCode::PARSE_ERROR, format!("not JSON: {error}")));
        }
    };
    let Some(object) = value.as_object_mut() else {
        let message = "a message is one JSON object; batches are not part of the protocol any more";
        return Read::Answer(refusal(Value::Null, ErrorCode::INVALID_REQUEST, message.to_owned()));
    };
    let id = object.get("id").cloned();
    let usable_id = match &id {
        Some(Value::String(_)) => true,
        Some(Value::Number(number)) => number.as_i64().is_some(),
        _ => false,
    };
    let method = object.get("method").and_then(Value::as_str).map(str::to_owned);
    let is_response = object.contains_key("result") || object.contains_key("error");
    let Some(method) = method else {
        // Nothing was asked, so that a response answers nothing.
        return if is_response {
            Read::Nothing
        } else {
            let id = id.filter(|_| usable_id).unwrap_or_default();
            Read::Answer(refusal(id, ErrorCode::INVALID_REQUEST, "`method` is missing or no string".to_owned()))
        };
    };
    if id.is_some() && !usable_id {
        let message = "`id` must be a string or a whole number".to_owned();
        return Read::Answer(refusal(Value::Null, ErrorCode::INVALID_REQUEST, message));
    }
    if !*begun && id.is_none() {
        // Before the first request there is nothing that a notification could be about.
        return Read::Nothing;
    }
    object.insert("jsonrpc".to_owned(), Value::from("2.0"));
    if method == "server/discover" {
        complete_metadata(object);
    }
    let answer_id = id.clone().unwrap_or_default();
    match serde_json::from_value(value) {
        Ok(message) => {
            *begun |= id.is_some() && !matches!(method.as_str(), "ping" | "server/discover");
            Read::Message(Box::new(message))
        }
        Err(_) if id.is_none() => Read::Nothing,
        Err(error) => Read::Answer(refusal(answer_id, ErrorCode::INVALID_PARAMS, format!("{method}: {error}"))),
    }
}

/// A client that only asks what there is may leave out who it is.
fn complete_metadata(request: &mut Map<String, Value>) {
    let params = request.entry("params").or_insert_with(|| json!({}));
    let Some(params) = params.as_object_mut() else { return };
    let meta = params.entry("_meta").or_insert_with(|| json!({}));
    let Some(meta) = meta.as_object_mut() else { return };
    let given = [
        ("protocolVersion", json!("2026-07-28")),
        ("clientInfo", json!({ "name": "unknown", "version": "0" })),
        ("clientCapabilities", json!({})),
    ];
    for (key, value) in given {
        meta.entry(format!("io.modelcontextprotocol/{key}")).or_insert(value);
    }
}

fn refusal(id: Value, code: ErrorCode, message: String) -> Value {
    let message: String = message.chars().take(400).collect();
    let error = ErrorData::new(code, message, None);
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

/// One line, whole.
fn write(value: &impl serde::Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value).map_err(io::Error::other)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        Cow::Borrowed("stdio")
    }

    #[expect(clippy::manual_async_fn, reason = "the future must not borrow the transport")]
    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        async move {
            // A client that does not read makes this wait; it must not make the runtime wait.
            tokio::task::spawn_blocking(move || write(&item)).await.map_err(io::Error::other)?
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let read = match self.frames.recv().await? {
                Frame::Line(line) => read(&line, &mut self.begun),
                Frame::TooLong => {
                    let message = format!("a message has at most {FRAME_BYTES_MAX} bytes");
                    Read::Answer(refusal(Value::Null, ErrorCode::INVALID_REQUEST, message))
                }
            };
            match read {
                Read::Message(message) => return Some(*message),
                Read::Answer(answer) => {
                    let _ = tokio::task::spawn_blocking(move || write(&answer)).await;
                }
                Read::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.frames.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_frame_that_is_too_long_is_passed_over_whole() {
        let mut input = BufReader::with_capacity(3, &b"12345\n123456\n\nabc"[..]);
        let mut next = || match next_frame(&mut input, 5) {
            Some(Frame::Line(line)) => String::from_utf8(line).ok(),
            Some(Frame::TooLong) => Some("too long".to_owned()),
            None => None,
        };
        assert_eq!(next().as_deref(), Some("12345"));
        assert_eq!(next().as_deref(), Some("too long"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next(), None, "a line without an end was not sent whole");
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
            prop::sample::select(METHODS.to_vec()).prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            let key = prop::sample::select(vec![
                "id",
                "method",
                "params",
                "name",
                "arguments",
                "_meta",
                "uri",
                "ref",
                "argument",
                "cursor",
                "result",
                "error",
                "requestId",
                "protocolVersion",
                "capabilities",
                "clientInfo",
                "progressToken",
            ]);
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((key, inner), 0..6)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
            ]
        })
    }

    proptest! {
        /// Whatever comes, it is read or refused, and only a request is refused by its id.
        #[test]
        fn every_frame_is_taken_or_refused(frame in json(), id in json(), method in prop::sample::select(METHODS.to_vec())) {
            for frame in [frame.clone(), json!({ "id": id, "method": method, "params": frame })] {
                for mut begun in [false, true] {
                    if let Read::Answer(answer) = read(frame.to_string().as_bytes(), &mut begun) {
                        prop_assert!(answer["error"]["code"].is_i64());
                        prop_assert!(answer["id"].is_null() || answer["id"] == frame["id"]);
                    }
                }
            }
        }

        #[test]
        fn every_line_of_bytes_is_taken_or_refused(line in prop::collection::vec(any::<u8>(), 0..200)) {
            read(&line, &mut false);
        }
    }
}
