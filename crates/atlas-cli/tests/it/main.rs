//! The binary as a user meets it: standard output, standard error, exit codes.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make repositories, start the binary, and fail by panicking"
)]

mod gate;
mod hosted;
mod init;
mod kills;
mod serve;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the binary with a home of its own.
fn atlas(home: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_atlas"))
        .args(args)
        .env_clear()
        .env("HOME", home)
        .env("USERPROFILE", home)
        .env("LOCALAPPDATA", home)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

fn repo(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

const SMALL: [(&str, &str); 2] = [
    ("pay.py", "def charge(x):\n    return x\n"),
    ("shop.py", "from pay import charge\n\n\ndef buy():\n    return charge(1)\n"),
];

#[test]
fn a_query_prints_one_json_value_and_nothing_else() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let output = atlas(home.path(), &["query", "callers_of: charge", "--format", "json", "--repo", at]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["edges"][0]["site"]["path"], "shop.py");
    assert_eq!(answer["edges"][0]["site"]["line"], 5);
    assert_eq!(answer["edges"][0]["source"]["name"], "buy");
    assert_eq!(answer["truncated"], false);
    assert_eq!(stderr(&output), "");
}

#[test]
fn exit_codes_tell_usage_refusal_and_failure_apart() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let code = |args: &[&str]| {
        let output = atlas(home.path(), args);
        (output.status.code(), stderr(&output).to_owned(), stdout(&output).to_owned())
    };
    let (usage, message, _) = code(&["scout"]);
    assert_eq!(usage, Some(2), "{message}");
    let (refused, message, out) = code(&["scout", "--repo", at, "Fix the login bug in the session code"]);
    assert_eq!((refused, out.as_str()), (Some(3), ""), "{message}");
    assert!(message.contains("hint"), "{message}");
    let (refused, message, _) = code(&["scout", "--repo", at, "too short"]);
    assert_eq!(refused, Some(3), "{message}");
    let (failed, message, _) = code(&["map", "--repo", "/nonexistent/place"]);
    assert_eq!(failed, Some(1), "{message}");
    assert!(message.contains("does not exist") && message.contains("hint:"), "{message}");
    let (usage, ..) = code(&["schema", "nonsense"]);
    assert_eq!(usage, Some(2));
    let (done, _, out) = code(&["schema", "findings"]);
    assert_eq!(done, Some(0));
    assert!(out.contains("2020-12"));
}

#[test]
fn a_scout_prints_its_answer_and_its_folder_and_strict_tells_of_gaps() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let output = atlas(home.path(), &["scout", "--repo", at, "Who calls `charge` in this shop?"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("shop.py:5") && text.contains("return charge(1)"), "{text}");
    assert!(text.contains("Stayed serial"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colour where there is no terminal");
    let strict = ["scout", "--repo", at, "--strict", "Where does the quantum flux capacitor overheat?"];
    let output = atlas(home.path(), &strict);
    assert_eq!(output.status.code(), Some(4), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn returns_made_elsewhere_are_gathered_and_verified() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let files = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = files.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mission = write(
        "mission.yaml",
        "mission_id: 20260101-001\ncreated: 2026-01-01T00:00:00Z\ngoal: Find who charges customers\n\
         decision_target: Which functions charge a customer, and from where?\nsub_questions:\n  - id: DT-1\n    text: Who calls charge?\n\
         scope: {include: ['**']}\nbudget: {max_tool_calls: 50, max_tokens_input: 50000, max_wall_clock_s: 60, max_subagents: 2, max_recursion_depth: 0}\n\
         stop_conditions: [{id: SC-1, description: all answered}]\nhandoff_recipients: {primary: human, fallback: human}\n",
    );
    let good = write(
        "good.json",
        r#"{"return":{"branch_id":1,"findings":[
            {"id":"FINDING-001","claim":"`buy` calls `charge` with one.","evidence":[{"path":"shop.py","lines":"5-5"}],"ruled_out":[],"confidence":"H","supports_decision":"DT-1"},
            {"id":"FINDING-002","claim":"`sell` calls `charge` as well.","evidence":[{"path":"shop.py","lines":"50-51"}],"ruled_out":[],"confidence":"H","supports_decision":"DT-1"}],
            "gaps":[],"ruled_out":[],"telemetry":{"tokens_used":10,"tool_calls":2}}}"#,
    );
    let bad = write("bad.json", "not json at all");
    let args = ["gather", "--repo", at, "--mission", &mission, "--format", "json", &good, &bad];
    let output = atlas(home.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let findings = json(&output);
    assert_eq!(findings["findings"].as_array().unwrap().len(), 1);
    assert_eq!(findings["findings"][0]["evidence"][0]["lines"], "5-5");
    assert_eq!(findings["rejected"][0]["reason"], "lines");
    assert_eq!(findings["telemetry"]["branches"], 2);
    let saved = write("findings.json", stdout(&output));
    let output = atlas(home.path(), &["verify", &saved, "--repo", at, "--strict"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    std::fs::write(
        repo.path().join("shop.py"),
        "from pay import charge\n\n\ndef buy():\n    # moved\n    return charge(1)\n",
    )
    .unwrap();
    let output = atlas(home.path(), &["verify", &saved, "--repo", at, "--strict", "--format", "json"]);
    assert_eq!(output.status.code(), Some(4), "{}", stdout(&output));
    assert_eq!(json(&output)["anchors"][0]["moved_to"]["lines"], "6-6");
}

#[test]
fn a_tool_call_answers_as_a_branch_would_see_it() {
    let (repo, home) = (repo(&SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let call = |name: &str, args: &str| {
        let output = atlas(home.path(), &["tool", name, args, "--repo", at]);
        (output.status.code(), json(&output))
    };
    let (code, answer) = call("view_file", r#"{"path":"pay.py","start_line":1,"end_line":9}"#);
    assert_eq!((code, answer["text"].as_str()), (Some(0), Some("def charge(x):\n    return x\n")));
    for (name, args, error) in [
        ("view_file", r#"{"path":"../etc/passwd","start_line":1,"end_line":2}"#, "OUT_OF_SCOPE"),
        ("view_file", r#"{"path":"/etc/passwd","start_line":1,"end_line":2}"#, "OUT_OF_SCOPE"),
        ("view_file", r#"{"path":"gone.py","start_line":1,"end_line":2}"#, "NOT_FOUND"),
        ("view_file", r#"{"path":"pay.py"}"#, "INVALID_ARGUMENT"),
        ("search_text", r#"{"pattern":"("}"#, "INVALID_ARGUMENT"),
        ("test_dry_run", r#"{"path":"pay.py"}"#, "SANDBOX_UNAVAILABLE"),
        ("write_file", r#"{"path":"pay.py"}"#, "FORBIDDEN"),
    ] {
        let (code, answer) = call(name, args);
        assert_eq!((code, answer["error"].as_str()), (Some(1), Some(error)), "{name} {args}");
    }
}

#[test]
fn a_mission_folder_is_verified_with_its_excerpts_in_every_form() {
    let (repo, home, out) = (repo(&SMALL), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (at, folder) = (repo.path().to_str().unwrap(), out.path().to_str().unwrap());
    let scout = ["scout", "--repo", at, "--out", folder, "Who calls `charge` in this shop?"];
    let output = atlas(home.path(), &scout);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let verify = |format: &str, strict: bool| {
        let mut args = vec!["verify", folder, "--repo", at, "--format", format];
        args.extend(strict.then_some("--strict"));
        let output = atlas(home.path(), &args);
        (output.status.code(), stdout(&output).to_owned())
    };
    let (code, summary) = verify("text", true);
    assert_eq!(code, Some(0), "{summary}");
    assert!(summary.starts_with("verify | findings: ") && summary.lines().count() == 1, "{summary}");

    // Lines that moved: told with the new anchor, a warning beside the lines where they are now.
    let moved = "# a comment\nfrom pay import charge\n\n\ndef buy():\n    return charge(1)\n";
    std::fs::write(repo.path().join("shop.py"), moved).unwrap();
    let (code, text) = verify("text", false);
    assert_eq!(code, Some(0), "only --strict fails");
    assert!(text.contains(" shop.py:5-5 moved to shop.py:6-6\n"), "{text}");
    let (code, text) = verify("github", true);
    assert_eq!(code, Some(4));
    assert!(text.contains("::warning file=shop.py,line=6,endLine=6,title=FINDING-"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("verify | "), "{text}");
    let (code, text) = verify("json", true);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report["ok"]), (Some(4), &Value::Bool(false)));

    // An excerpt that somebody changed, and one that is gone.
    std::fs::write(repo.path().join("shop.py"), SMALL[1].1).unwrap();
    let excerpts: Vec<_> =
        std::fs::read_dir(out.path().join("memex")).unwrap().map(|one| one.unwrap().path()).collect();
    std::fs::write(&excerpts[0], "forged").unwrap();
    let (code, text) = verify("text", true);
    assert_eq!(code, Some(4));
    assert!(
        text.contains("is damaged: its bytes do not have its digest") && text.contains("lost excerpts: 1"),
        "{text}"
    );
    std::fs::remove_file(&excerpts[0]).unwrap();
    let (_, text) = verify("text", true);
    assert!(text.contains("the mission folder does not hold this excerpt"), "{text}");

    // What is no findings file is told as such.
    let output = atlas(home.path(), &["verify", &format!("{at}/shop.py"), "--repo", at]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("holds no findings") && stderr(&output).contains("hint:"), "{}", stderr(&output));
}

#[test]
fn a_return_of_a_gigabyte_is_refused_by_its_size() {
    let (repo, home, files) = (repo(&SMALL), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let mission = files.path().join("mission.yaml");
    std::fs::write(
        &mission,
        "mission_id: 20260101-001\ncreated: 2026-01-01T00:00:00Z\ngoal: Find who charges customers\n\
         decision_target: Which functions charge a customer, and from where?\nsub_questions:\n  - {id: DT-1, text: Who calls charge?}\n\
         scope: {include: ['**']}\nstop_conditions: [{id: SC-1, description: every sub-question has a finding or a gap}]\nhandoff_recipients: {primary: human, fallback: human}\n",
    )
    .unwrap();
    // A file with a hole takes no room on the disk.
    let huge = files.path().join("huge.json");
    std::fs::File::create(&huge).unwrap().set_len(1 << 30).unwrap();
    let (mission, huge) = (mission.to_str().unwrap(), huge.to_str().unwrap());
    let args = ["gather", "--repo", at, "--mission", mission, "--format", "json", huge];
    let output = atlas(home.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let findings = json(&output);
    assert_eq!(
        findings["telemetry"]["invalid_returns"][0]["detail"],
        "more than the 134217728 bytes that a return may have"
    );
    assert_eq!(findings["gaps"][0]["reason"], "branch-failed");
}
