//! The server as clients meet it: the real binary, frames in and out.

use crate::{SMALL, repo};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for the slowest machine: a server that does not answer fails the test, not the suite.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server and its client's side of the pipes.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    frames: Receiver<String>,
}

impl Client {
    pub fn start(home: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_atlas"))
            .arg("serve")
            .args(args)
            .env_clear()
            .env("HOME", home)
            .env("USERPROFILE", home)
            .env("LOCALAPPDATA", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, frames) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                if line.is_err() || sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, frames }
    }

    pub fn write(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// The next frame; it is JSON-RPC, whatever it says.
    pub fn read(&mut self) -> Value {
        let line = self.frames.recv_timeout(PATIENCE).expect("the server answers");
        let frame: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(frame["jsonrpc"], "2.0", "{line}");
        frame
    }

    /// Sends a request as it is and waits for its answer; notifications that come before it are given too.
    pub fn ask(&mut self, request: &Value) -> (Value, Vec<Value>) {
        self.write(request.to_string().as_bytes());
        let mut before = Vec::new();
        loop {
            let frame = self.read();
            if frame["id"] == request["id"] {
                return (frame, before);
            }
            before.push(frame);
        }
    }

    /// A request of the era without `initialize`.
    pub fn modern(&mut self, id: u64, method: &str, params: Value) -> Value {
        let mut params = params;
        params["_meta"] = meta();
        self.ask(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).0
    }

    pub fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        let answer = self.modern(id, "tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    pub fn initialize(&mut self, version: &str, client: &str) -> Value {
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": client, "version": "1" } });
        let request = json!({ "jsonrpc": "2.0", "id": "init", "method": "initialize", "params": params });
        let answer = self.ask(&request).0;
        self.write(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer["result"].clone()
    }

    /// Closes standard input; the server ends by itself, and well.
    pub fn close(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }

    /// Ends the server as hosts do: without a word.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
        "somebody.else/key": [1, 2, 3],
    })
}

/// The code of an answer that is an error.
pub fn error_of(result: &Value) -> Value {
    assert_eq!(result["isError"], true, "{result}");
    let error: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    let mut keys: Vec<&String> = error.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["error", "message", "retry_hint"]);
    error["error"].clone()
}

const SEVEN: [&str; 7] =
    ["view_file", "list_dir", "search_text", "search_symbol", "graph_query", "test_dry_run", "memex_read"];

#[test]
fn the_era_without_initialize_is_served() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let mut client = Client::start(home.path(), &["--repo", repo.path().to_str().unwrap()]);
    // Even a client that does not say who it is learns what there is.
    let bare = client.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover" })).0;
    let found = client.modern(2, "server/discover", json!({}));
    assert_eq!(bare["result"], found["result"]);
    assert_eq!(found["result"]["resultType"], "complete");
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28", "2025-11-25", "2025-06-18"]));
    assert!(found["result"]["capabilities"]["tools"].is_object(), "{found}");
    assert!(found["result"]["instructions"].as_str().unwrap().contains("read-only"));
    let tools = client.modern(3, "tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, SEVEN);
    for tool in tools.as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert!(!tool.to_string().contains("\"uint"), "a format that no validator knows: {tool}");
    }
    let result = client.call(4, "graph_query", json!({ "query": "callers_of: charge" }));
    assert_eq!(result["structuredContent"]["edges"][0]["site"], json!({ "path": "shop.py", "line": 5 }));
    assert_eq!(result["isError"], false);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.len() < 120 && !text.contains("shop.py"), "the payload is not sent twice: {text}");
    client.close();
}

#[test]
fn clients_that_initialize_are_served_in_their_version() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    for (asked, given) in [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")] {
        let mut client = Client::start(home.path(), &["--repo", at]);
        let hello = client.initialize(asked, "test");
        assert_eq!(hello["protocolVersion"], given);
        assert_eq!(hello["serverInfo"]["name"], "atlas");
        let ping = client.ask(&json!({ "jsonrpc": "2.0", "id": 5, "method": "ping" })).0;
        assert_eq!(ping, json!({ "jsonrpc": "2.0", "id": 5, "result": {} }));
        let params = json!({ "name": "search_text", "arguments": { "pattern": "charge" } });
        let call = json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": params });
        let result = client.ask(&call).0["result"].clone();
        assert_eq!(result["structuredContent"]["matches"].as_array().unwrap().len(), 3);
        assert!(result.get("resultType").is_none(), "an older client does not know it: {result}");
        client.close();
    }
}

/// The payload goes where the client's model sees it, once.
#[test]
fn clients_that_read_the_text_alone_get_it_there() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    for (name, args) in [("opencode", &["--repo", at][..]), ("test", &["--repo", at, "--answers", "text"])] {
        let mut client = Client::start(home.path(), args);
        client.initialize("2025-11-25", name);
        let list = client.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })).0;
        assert!(list["result"]["tools"][0].get("outputSchema").is_none());
        let params = json!({ "name": "list_dir", "arguments": { "path": "." } });
        let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
        let result = client.ask(&call).0["result"].clone();
        assert!(result.get("structuredContent").is_none(), "{result}");
        let payload: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(payload["entries"][0], json!({ "name": "pay.py", "kind": "file", "size": 28 }));
    }
}

#[test]
fn nothing_that_a_client_writes_ends_the_server() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let mut client = Client::start(home.path(), &["--repo", repo.path().to_str().unwrap()]);
    let mut refused = |line: &[u8], code: i64| {
        client.write(line);
        let frame = client.read();
        assert_eq!(frame["error"]["code"], code, "{frame}");
        frame["id"].clone()
    };
    assert_eq!(refused(b"nonsense", -32700), Value::Null);
    assert_eq!(refused(b"\xff\xfe\x00", -32700), Value::Null);
    assert_eq!(refused(&[vec![b'['; 100_000], vec![b']'; 100_000]].concat(), -32700), Value::Null);
    assert_eq!(refused(b"[]", -32600), Value::Null);
    assert_eq!(refused(b"{\"id\": 1}", -32600), json!(1));
    assert_eq!(refused(b"{\"id\": 1.5, \"method\": \"ping\"}", -32600), Value::Null);
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(5 << 20));
    assert_eq!(refused(long.as_bytes(), -32600), Value::Null);
    // Notifications and responses are never answered: not before the first request, not after.
    let silent: [&[u8]; 5] = [
        b"",
        b"  \r",
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/no-such","params":[1]}"#,
        br#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    ];
    for line in silent {
        client.write(line);
    }
    let answer = client.modern(1, "tools/list", json!({}));
    assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 7);
    for line in silent {
        client.write(line);
    }
    assert_eq!(client.modern(2, "no/such/method", json!({}))["error"]["code"], -32601);
    assert_eq!(client.modern(3, "tools/call", json!({ "arguments": {} }))["error"]["code"], -32602);
    assert_eq!(client.modern(4, "tools/call", json!({ "name": "list_dir", "arguments": 5 }))["error"]["code"], -32602);
    assert_eq!(error_of(&client.call(5, "rm", json!({ "path": "pay.py" }))), "FORBIDDEN");
    assert_eq!(error_of(&client.call(6, "view_file", json!({ "path": "pay.py" }))), "INVALID_ARGUMENT");
    assert_eq!(
        error_of(&client.call(7, "view_file", json!({ "path": "../x", "start_line": 1, "end_line": 1 }))),
        "OUT_OF_SCOPE"
    );
    assert_eq!(client.modern(8, "prompts/list", json!({}))["result"]["prompts"][0]["name"], "atlas-scatter");
    assert_eq!(client.modern(9, "resources/list", json!({}))["result"]["resources"], json!([]));
    client.close();
}

#[test]
fn a_repository_that_is_not_there_is_told_in_the_protocol() {
    let home = tempfile::tempdir().unwrap();
    let mut client = Client::start(home.path(), &["--repo", "/nonexistent/place"]);
    assert_eq!(client.modern(1, "tools/list", json!({}))["result"]["tools"].as_array().unwrap().len(), 7);
    assert_eq!(error_of(&client.call(2, "list_dir", json!({ "path": "." }))), "INDEX_UNAVAILABLE");
    assert_eq!(error_of(&client.call(3, "graph_query", json!({ "query": "roots: x" }))), "INDEX_UNAVAILABLE");
    client.close();
}

#[test]
fn who_gives_a_token_hears_of_progress() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let mut client = Client::start(home.path(), &["--repo", repo.path().to_str().unwrap()]);
    let mut params = json!({ "name": "graph_query", "arguments": { "query": "callers_of: charge" }, "_meta": meta() });
    params["_meta"]["progressToken"] = json!("here");
    let (answer, told) = client.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    assert_eq!(answer["result"]["structuredContent"]["total"], 1);
    let mut last = 0.0;
    for frame in &told {
        assert_eq!(frame["method"], "notifications/progress", "{frame}");
        assert_eq!(frame["params"]["progressToken"], "here");
        let progress = frame["params"]["progress"].as_f64().unwrap();
        assert!(progress > last, "{told:?}");
        last = progress;
    }
}

#[test]
fn answers_follow_the_files() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let mut client = Client::start(home.path(), &["--repo", repo.path().to_str().unwrap()]);
    let query = json!({ "query": "callers_of: charge" });
    assert_eq!(client.call(1, "graph_query", query.clone())["structuredContent"]["total"], 1);
    std::fs::write(repo.path().join("till.py"), "from pay import charge\n\n\ndef sell():\n    charge(2)\n").unwrap();
    let total = (2..200).map(|id| {
        std::thread::sleep(Duration::from_millis(20));
        client.call(id, "graph_query", query.clone())["structuredContent"]["total"].clone()
    });
    assert!(total.into_iter().any(|total| total == 2), "the new caller is found");
    let listed = client.call(900, "list_dir", json!({ "path": "." }))["structuredContent"]["total"].clone();
    assert_eq!(listed, 3);
}

#[test]
fn every_answer_has_the_shape_that_its_schema_says() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let scout = ["scout", "--repo", at, "Who calls `charge` in this shop?"];
    assert!(crate::atlas(home.path(), &scout).status.success());
    let mut client = Client::start(home.path(), &["--repo", at]);
    let tools = client.modern(1, "tools/list", json!({}))["result"]["tools"].clone();
    let stored = client.modern(2, "resources/list", json!({}))["result"]["resources"][0]["uri"].clone();
    let read = client.modern(3, "resources/read", json!({ "uri": stored }))["result"]["contents"][0].clone();
    let calls = [
        ("view_file", json!({ "path": "shop.py", "start_line": 1, "end_line": 99 })),
        ("list_dir", json!({ "path": ".", "glob": "*.py" })),
        ("search_text", json!({ "pattern": "charge", "limit": 2 })),
        ("search_symbol", json!({ "name": "charge" })),
        ("graph_query", json!({ "query": "callers_of: charge" })),
        ("graph_query", json!({ "query": "god_nodes: x" })),
        ("graph_query", json!({ "query": "untested: x" })),
        ("memex_read", json!({ "ref": stored })),
    ];
    for (at, (name, args)) in calls.into_iter().enumerate() {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        let result = client.call(10 + at as u64, name, args.clone());
        let answer = &result["structuredContent"];
        let wrong: Vec<String> = jsonschema::validator_for(&tool["outputSchema"])
            .unwrap()
            .iter_errors(answer)
            .map(|error| error.to_string())
            .collect();
        assert!(wrong.is_empty(), "{name} {args}: {wrong:?}: {answer}");
        assert!(jsonschema::is_valid(&tool["inputSchema"], &args), "{name} {args}");
        // A field that the schema does not know would be lost on whoever reads by the schema.
        let known = tool["outputSchema"]["properties"].as_object().unwrap();
        assert!(answer.as_object().unwrap().keys().all(|key| known.contains_key(key)), "{name}: {answer}");
        if name == "memex_read" {
            assert_eq!(answer["text"], read["text"]);
        }
    }
    let typed = stored.as_str().unwrap().trim_start_matches("memex://excerpt/")[..6].to_owned();
    let reference = json!({ "type": "ref/resource", "uri": "memex://excerpt/{sha256}" });
    let params = json!({ "ref": reference, "argument": { "name": "sha256", "value": typed } });
    let values = client.modern(90, "completion/complete", params)["result"]["completion"]["values"].clone();
    assert_eq!(values, json!([stored.as_str().unwrap().trim_start_matches("memex://excerpt/")]));
    let gone = client.modern(91, "resources/read", json!({ "uri": "memex://excerpt/00" }));
    assert_eq!(gone["error"]["code"], -32602);
}

/// One exchange over HTTP; status and body.
fn post(port: u16, headers: &[(&str, &str)], body: &Value) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let body = body.to_string();
    let mut request = format!(
        "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Accept: application/json, text/event-stream\r\n",
        body.len()
    );
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// A server over HTTP on a port of its own, and that port.
fn http(home: &Path, args: &[&str], token: Option<&str>) -> (Child, u16) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atlas"));
    command.args(["serve", "--http", "127.0.0.1:0"]).args(args).env_clear().env("HOME", home).env("LOCALAPPDATA", home);
    if let Some(token) = token {
        command.env("ATLAS_TOKEN", token);
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().trim_end_matches("/mcp").rsplit(':').next().unwrap().parse().expect(&line);
    (child, port)
}

#[test]
fn http_serves_both_eras_and_keeps_strangers_out() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let (mut child, port) = http(home.path(), &["--repo", repo.path().to_str().unwrap()], None);
    let host = format!("127.0.0.1:{port}");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let ok = [("Host", host.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    let (status, body) = post(port, &ok, &list);
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("search_symbol"), "{body}");
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let (status, body) =
        post(port, &ok[..1], &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("\"protocolVersion\":\"2025-11-25\""), "{body}");
    let params = json!({ "name": "graph_query", "arguments": { "query": "callers_of: charge" }, "_meta": meta() });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
    let modern = [
        ("Host", host.as_str()),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "graph_query"),
        ("Origin", "http://localhost:6274"),
    ];
    let (status, body) = post(port, &modern, &call);
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("shop.py"), "{body}");
    // A page that was told that evil.example is 127.0.0.1, and one that does not hide.
    assert_eq!(post(port, &[("Host", "evil.example")], &list).0, 403);
    assert_eq!(post(port, &[("Host", &host), ("Origin", "http://evil.example")], &list).0, 403);
    assert_eq!(post(port, &[("Host", &host), ("Origin", "null")], &list).0, 403);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn http_asks_for_its_token_and_insists_on_one_off_loopback() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let (mut child, port) = http(home.path(), &["--repo", at], Some("0123456789abcdef"));
    let host = format!("127.0.0.1:{port}");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    assert_eq!(post(port, &[("Host", &host)], &list).0, 401);
    assert_eq!(post(port, &[("Host", &host), ("Authorization", "Bearer 0123456789abcdeX")], &list).0, 401);
    let (status, body) = post(port, &[("Host", &host), ("Authorization", "Bearer 0123456789abcdef")], &list);
    assert_eq!(status, 200, "{body}");
    child.kill().unwrap();
    child.wait().unwrap();
    let output = crate::atlas(home.path(), &["serve", "--repo", at, "--http", "0.0.0.0:0"]);
    assert_eq!(output.status.code(), Some(2), "{}", crate::stderr(&output));
    assert!(crate::stderr(&output).contains("token") && output.stdout.is_empty());
}
