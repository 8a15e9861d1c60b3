//! Missions that a host drives, and the server of one branch: several processes, killed at will.

use crate::serve::{Client, error_of};
use crate::{SMALL, repo};
use serde_json::{Value, json};
use std::path::Path;

fn finding(id: &str, claim: &str, path: &str, lines: &str) -> Value {
    json!({
        "id": id, "claim": claim, "evidence": [{ "path": path, "lines": lines }], "confidence": "H",
        "supports_decision": "DT-1",
    })
}

fn returned(branch: u64) -> Value {
    json!({
        "branch_id": branch, "findings": [], "gaps": [], "ruled_out": ["no other shop"],
        "telemetry": { "tokens_used": 0, "tool_calls": 0 },
    })
}

const CLAIM: &str = "`buy` calls `charge` with the number one.";

/// The whole tree as bytes, to tell whether anything was touched.
fn snapshot(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                all.push((path.clone(), std::fs::read(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn a_host_drives_a_mission_through_servers_that_are_killed_between_its_steps() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let before = snapshot(repo.path());
    let args = ["--repo", repo.path().to_str().unwrap(), "--missions"];
    let mut client = Client::start(home.path(), &args);
    let names: Vec<Value> = client.modern(1, "tools/list", json!({}))["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| json!([tool["name"], tool["annotations"]["readOnlyHint"]]))
        .collect();
    let four =
        json!([["mission_plan", false], ["branch_tool", true], ["branch_return", false], ["mission_gather", false]]);
    assert_eq!(json!(names[7..]), four);
    assert_eq!(
        error_of(&client.call(2, "mission_plan", json!({ "questions": ["Fix the login bug"] }))),
        "INVALID_ARGUMENT"
    );
    assert_eq!(error_of(&client.call(3, "mission_plan", json!({ "nonsense": 1 }))), "INVALID_ARGUMENT");
    let questions = json!({ "questions": ["Who calls `charge` in this shop?"] });
    let plan = client.call(4, "mission_plan", questions)["structuredContent"].clone();
    assert_eq!(plan["gate"]["decision"], "serial");
    assert_eq!(plan["branches"], json!([]));
    let branch = plan["serial"]["handle"].as_str().unwrap().to_owned();
    let mission = plan["mission"].as_str().unwrap().to_owned();
    assert_eq!(branch.rsplit('.').next().unwrap().len(), 64, "a handle that nobody guesses");
    client.kill();

    // Another process serves the same mission; handles that were never given out are nobody's.
    let mut client = Client::start(home.path(), &args);
    let guessed = format!("{}0", &branch[..branch.len() - 1]);
    let guessed = if guessed == branch { format!("{}1", &branch[..branch.len() - 1]) } else { guessed };
    for bad in ["", "x", "20260101-001.1.00", "../../x.1.00", guessed.as_str()] {
        let call = json!({ "branch": bad, "tool": "list_dir", "arguments": { "path": "." } });
        assert_eq!(error_of(&client.call(10, "branch_tool", call)), "FORBIDDEN", "{bad}");
        assert_eq!(error_of(&client.call(11, "mission_gather", json!({ "mission": bad }))), "FORBIDDEN", "{bad}");
    }
    assert_eq!(error_of(&client.call(12, "mission_gather", json!({ "mission": branch }))), "FORBIDDEN");
    assert_eq!(error_of(&client.call(13, "branch_tool", json!({ "branch": mission }))), "FORBIDDEN");
    let brief = client.call(14, "branch_tool", json!({ "branch": branch }))["structuredContent"]["sub_mission"].clone();
    assert_eq!(brief["branch_id"], 1);
    let call = |tool: &str, arguments: Value| json!({ "branch": branch, "tool": tool, "arguments": arguments });
    let query = call("graph_query", json!({ "query": "callers_of: charge" }));
    let answer = client.call(15, "branch_tool", query)["structuredContent"].clone();
    assert_eq!(answer["edges"][0]["site"]["path"], "shop.py");
    assert_eq!(error_of(&client.call(16, "branch_tool", call("rm", json!({})))), "FORBIDDEN");
    let hand_in = |finding: Value| json!({ "branch": branch, "finding": finding });
    let good = finding("FINDING-001", CLAIM, "shop.py", "4-5");
    let kept = client.call(17, "branch_return", hand_in(good.clone()))["structuredContent"].clone();
    assert_eq!(kept, json!({ "closed": false, "findings_kept": 1, "gaps": 0, "rejected": [] }));
    client.kill();

    // What was answered is kept. What is wrong is told at the door, and can be mended.
    let mut client = Client::start(home.path(), &args);
    assert_eq!(client.call(20, "branch_return", hand_in(good))["structuredContent"]["findings_kept"], 1);
    for bad in [
        finding("FINDING-001", "`buy` is something else altogether.", "shop.py", "4-5"),
        finding("FINDING-002", CLAIM, "shop.py", "4-500"),
        finding("FINDING-002", CLAIM, "../shop.py", "4"),
        finding("nonsense", CLAIM, "shop.py", "4"),
        json!({}),
    ] {
        assert_eq!(error_of(&client.call(21, "branch_return", hand_in(bad))), "INVALID_ARGUMENT");
    }
    let close = |returned: Value| json!({ "branch": branch, "return": returned });
    let mut transcript = returned(1);
    transcript["transcript"] = json!("…");
    for bad in [transcript, returned(2), json!({ "return": returned(7) }), json!(5)] {
        let answer = client.modern(22, "tools/call", json!({ "name": "branch_return", "arguments": close(bad) }));
        assert_eq!(error_of(&answer["result"]), "INVALID_ARGUMENT");
    }
    assert_eq!(error_of(&client.call(23, "mission_gather", json!({ "mission": mission }))), "INVALID_ARGUMENT");
    let closed = client.call(24, "branch_return", close(json!({ "return": returned(1) })))["structuredContent"].clone();
    assert_eq!(closed, json!({ "closed": true, "findings_kept": 1, "gaps": 0, "rejected": [] }));
    assert_eq!(error_of(&client.call(25, "branch_return", close(returned(1)))), "FORBIDDEN");
    assert_eq!(error_of(&client.call(26, "branch_tool", call("list_dir", json!({ "path": "." })))), "FORBIDDEN");
    let gathered = client.call(27, "mission_gather", json!({ "mission": mission }))["structuredContent"].clone();
    assert_eq!(gathered["verdict"], "done", "{gathered}");
    assert_eq!((&gathered["findings_total"], &gathered["gaps_total"]), (&json!(1), &json!(0)), "{gathered}");
    client.close();

    let folder = Path::new(plan["folder"].as_str().unwrap());
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let findings: Value = serde_json::from_str(&read("findings.json")).unwrap();
    assert_eq!(findings["findings"][0]["claim"], CLAIM);
    assert_eq!(findings["ruled_out"], json!(["no other shop"]));
    assert_eq!(findings["telemetry"]["tool_calls"], 2, "the meter counts, not the branch");
    let events: Vec<Value> = read("events.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<(&Value, &Value)> = events.iter().map(|event| (&event["sequence"], &event["tool"])).collect();
    assert_eq!(told, [(&json!(1), &json!("graph_query")), (&json!(2), &json!("rm"))]);
    assert!(read("report.html").contains("charge"));
    assert!(!read("plan.json").contains(&branch) && !read(".atlas/hosted.json").contains(&branch));
    assert_eq!(snapshot(repo.path()), before, "the repository is as it was");
}

#[test]
fn what_was_handed_in_is_kept_of_a_branch_that_never_returns() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let args = ["--repo", repo.path().to_str().unwrap(), "--missions"];
    let mut client = Client::start(home.path(), &args);
    let questions =
        json!({ "questions": ["Who calls `charge` in this shop?", "Where is the moon landing faked here?"] });
    let plan = client.call(1, "mission_plan", questions)["structuredContent"].clone();
    let branch = plan["serial"]["handle"].clone();
    let good = finding("FINDING-001", CLAIM, "shop.py", "4-5");
    client.call(2, "branch_return", json!({ "branch": branch, "finding": good }));
    client.kill();
    let mut client = Client::start(home.path(), &args);
    let gather = json!({ "mission": plan["mission"], "unfinished": true });
    let gathered = client.call(3, "mission_gather", gather)["structuredContent"].clone();
    assert_eq!((&gathered["findings_total"], &gathered["gaps_total"]), (&json!(1), &json!(1)), "{gathered}");
}

/// A sub-mission as `plan.json` has it.
fn sub_mission(dir: &Path, scope: &str, calls: u64) -> String {
    let path = dir.join("branch.json");
    let shown = json!({
        "parent_mission_id": "20260101-001", "branch_id": 2, "question": "Who calls `charge` in this shop?",
        "supports_decision": "DT-1", "scope": [scope], "map_excerpt": "",
        "budget": { "max_tool_calls": calls, "max_tokens_input": 4000 },
    });
    std::fs::write(&path, shown.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_branch_is_held_to_its_scope_and_its_share_whatever_process_serves_it() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let files = tempfile::tempdir().unwrap();
    let out = files.path().join("mission");
    let at = repo.path().to_str().unwrap();
    let branch = sub_mission(files.path(), "shop.py", 4);
    let args = ["--repo", at, "--branch", &branch, "--out", out.to_str().unwrap()];
    let view = |path: &str| json!({ "path": path, "start_line": 1, "end_line": 5 });
    // Two at once, on one share.
    let (mut one, mut two) = (Client::start(home.path(), &args), Client::start(home.path(), &args));
    let tools = one.modern(1, "tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(tools.as_array().unwrap().len(), 8);
    assert_eq!(tools[7]["name"], "branch_return");
    assert_eq!(one.call(2, "view_file", view("shop.py"))["isError"], false);
    assert_eq!(error_of(&two.call(2, "view_file", view("pay.py"))), "OUT_OF_SCOPE");
    assert_eq!(error_of(&one.call(3, "mission_plan", json!({}))), "FORBIDDEN");
    assert_eq!(two.call(3, "list_dir", json!({ "path": "." }))["structuredContent"]["total"], 1);
    assert_eq!(error_of(&one.call(4, "view_file", view("shop.py"))), "BUDGET_EXHAUSTED");
    two.kill();
    one.kill();
    let mut three = Client::start(home.path(), &args);
    assert_eq!(error_of(&three.call(5, "view_file", view("shop.py"))), "BUDGET_EXHAUSTED");
    // It still may return what it has.
    let outside = finding("FINDING-001", CLAIM, "pay.py", "1");
    assert_eq!(error_of(&three.call(6, "branch_return", json!({ "finding": outside }))), "INVALID_ARGUMENT");
    let good = finding("FINDING-001", CLAIM, "shop.py", "4-5");
    let mut whole = returned(2);
    whole["findings"] = json!([good]);
    let closed = three.call(7, "branch_return", json!({ "return": whole }))["structuredContent"].clone();
    assert_eq!((&closed["closed"], &closed["findings_kept"]), (&json!(true), &json!(1)));
    three.close();
    let journal = std::fs::read_to_string(out.join(".atlas/served-2.jsonl")).unwrap();
    let last: Value = serde_json::from_str(journal.lines().last().unwrap()).unwrap();
    assert_eq!(last["closed"]["telemetry"]["tool_calls"], 4);
    // Another branch of the same number is not mixed with this one.
    let other = sub_mission(files.path(), "pay.py", 4);
    let mut four = Client::start(home.path(), &["--repo", at, "--branch", &other, "--out", out.to_str().unwrap()]);
    assert_eq!(error_of(&four.call(8, "view_file", view("pay.py"))), "CORRUPT");
    // Nothing is written into the repository.
    let inside = repo.path().join("out");
    let mut five = Client::start(home.path(), &["--repo", at, "--branch", &other, "--out", inside.to_str().unwrap()]);
    assert_eq!(error_of(&five.call(9, "view_file", view("pay.py"))), "CORRUPT");
    assert!(!inside.exists());
}
