//! Runs that are killed, or that the disk has no room for: the same folder goes on to the same
//! bytes, nothing half-written is ever there to see, and what was handed in is kept (contract §2).
//!
//! `ATLAS_KILLS=200 cargo test -p atlas-cli --test it kills` kills that many times; the suite, ten.

use crate::{repo, stderr};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Two parts of a program that have nothing to do with each other, large enough to scatter.
fn two_concerns() -> tempfile::TempDir {
    let mut files = vec![
        ("audit/models.py".to_owned(), "class AuditLog:\n    \"\"\"One row of the audit log.\"\"\"\n".to_owned()),
        (
            "audit/writer.py".to_owned(),
            "from audit.models import AuditLog\n\n\ndef write_entry(event):\n    \"\"\"Write the audit log.\"\"\"\n    return AuditLog(event)\n".to_owned(),
        ),
        (
            "session/cookie.py".to_owned(),
            "def sign_cookie(value, key):\n    \"\"\"Sign the session cookie.\"\"\"\n    return value + key\n\n\ndef verify_cookie(cookie, key):\n    \"\"\"Verify the session cookie.\"\"\"\n    return sign_cookie(cookie, key) == cookie\n".to_owned(),
        ),
    ];
    for n in 0..14 {
        files.push((
            format!("audit/flows/m{n}/step.py"),
            format!(
                "from audit.writer import write_entry\n\n\ndef audit_step_{n}(event):\n    return write_entry(event)\n"
            ),
        ));
        files.push((
            format!("session/flows/m{n}/step.py"),
            format!("from session.cookie import verify_cookie\n\n\ndef session_step_{n}(request):\n    return verify_cookie(request, '{n}')\n"),
        ));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    repo(&files)
}

const MISSION: &str = "mission_id: 20260101-001\ncreated: 2026-01-01T00:00:00Z\n\
    goal: Understand the audit log and the session cookie\n\
    decision_target: Which functions write the audit log, and which verify the session cookie?\n\
    sub_questions:\n\
    - {id: DT-1, text: 'Which functions write the audit log, and who calls them?'}\n\
    - {id: DT-2, text: 'Where is the session cookie signed and verified?'}\n\
    - {id: DT-3, text: 'Who calls `verify_cookie`?', depends_on: [DT-2]}\n\
    scope: {include: ['**']}\n\
    budget: {max_tool_calls: 200, max_tokens_input: 200000, max_wall_clock_s: 600, max_subagents: 5, max_recursion_depth: 0}\n\
    stop_conditions: [{id: SC-1, description: every sub-question has a finding or a gap}]\nhandoff_recipients: {primary: human, fallback: human}\n";

/// One mission over one repository, each run with a home of its own, so that the cache is written too.
struct Ground {
    repo: tempfile::TempDir,
    mission: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let ground = Self { repo: two_concerns(), mission: tempfile::tempdir().unwrap() };
        std::fs::write(ground.mission.path().join("mission.yaml"), MISSION).unwrap();
        ground
    }

    fn arguments(&self, out: &Path) -> Vec<String> {
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let mission = text(&self.mission.path().join("mission.yaml"));
        let words = ["scout", "--quiet", "--format", "json", "--mission", &mission, "--out", &text(out), "--repo"];
        words.into_iter().map(str::to_owned).chain([text(self.repo.path())]).collect()
    }

    fn command(&self, home: &Path, out: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_atlas"));
        command.args(self.arguments(out)).env_clear().env("HOME", home).env("USERPROFILE", home);
        command.env("LOCALAPPDATA", home);
        command
    }

    fn run(&self, home: &Path, out: &Path) -> Output {
        self.command(home, out).output().unwrap()
    }

    fn start(&self, home: &Path, out: &Path) -> Child {
        self.command(home, out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// What an undisturbed run leaves.
    fn undisturbed(&self) -> Artifacts {
        let (home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let output = self.run(home.path(), out.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let plan: serde_json::Value =
            serde_json::from_slice(&std::fs::read(out.path().join("plan.json")).unwrap()).unwrap();
        assert_eq!(plan["gate"]["decision"], "scatter", "{plan:#}");
        let all = artifacts(out.path());
        assert!(all.contains_key("report.html") && all.keys().any(|name| name.starts_with("memex/")));
        all
    }
}

type Artifacts = BTreeMap<String, Vec<u8>>;

/// All that may be seen in a mission folder; names that begin with a dot are the store's own.
fn artifacts(dir: &Path) -> Artifacts {
    let mut all = BTreeMap::new();
    for (folder, prefix) in [(dir.to_owned(), ""), (dir.join("memex"), "memex/")] {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if !name.starts_with('.') && entry.path().is_file() {
                all.insert(format!("{prefix}{name}"), std::fs::read(entry.path()).unwrap());
            }
        }
    }
    if let Some(events) = all.get_mut("events.jsonl") {
        // Durations are all that may differ.
        let lines = std::str::from_utf8(events).unwrap().lines().map(|line| {
            let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
            event["ms"] = 0.into();
            event.to_string()
        });
        *events = lines.collect::<Vec<_>>().join("\n").into_bytes();
    }
    all
}

/// Everything that is there to see is as in the undisturbed run, whenever one looks. The log grows
/// line by line, in the order in which calls come.
fn nothing_half_is_there(dir: &Path, whole: &Artifacts) {
    for (name, bytes) in artifacts_but_the_log(dir) {
        assert!(whole.get(&name).is_some_and(|wanted| *wanted == bytes), "{name} is there by halves");
    }
}

fn artifacts_but_the_log(dir: &Path) -> Artifacts {
    let mut all = BTreeMap::new();
    for (folder, prefix) in [(dir.to_owned(), ""), (dir.join("memex"), "memex/")] {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if !name.starts_with('.') && name != "events.jsonl" && entry.path().is_file() {
                // One that is renamed over between listing and reading is read whole all the same.
                all.insert(format!("{prefix}{name}"), std::fs::read(entry.path()).unwrap());
            }
        }
    }
    all
}

/// How far a run has come, in steps that only grow while it runs: artifacts, excerpts, calls logged,
/// lines of branches.
fn steps(dir: &Path) -> usize {
    let lines = |path: &Path| std::fs::read(path).map_or(0, |bytes| bytes.iter().filter(|b| **b == b'\n').count());
    let entries = |path: &Path| std::fs::read_dir(path).map_or(0, Iterator::count);
    let own: usize = std::fs::read_dir(dir.join(".atlas"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| 1 + lines(&entry.path()))
        .sum();
    entries(dir) + entries(&dir.join("memex")) + lines(&dir.join("events.jsonl")) + own
}

/// Findings that branches have handed in, by branch.
fn handed_in(dir: &Path) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(dir.join(".atlas")).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with("branch-") {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let findings = text.split_inclusive('\n').filter(|line| line.ends_with('\n') && line.contains("handed_in"));
            all.insert(name, findings.map(str::to_owned).collect());
        }
    }
    all
}

/// A small generator of numbers (xorshift); the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let kills: usize = std::env::var("ATLAS_KILLS").ok().map_or(10, |text| text.parse().unwrap());
    let ground = Ground::new();
    let whole = ground.undisturbed();
    let all_steps = {
        let (home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        ground.run(home.path(), out.path());
        steps(out.path())
    };
    let mut random = Random(0x5eed);
    let (mut killed, mut in_the_middle) = (0, 0);
    while killed < kills {
        let (home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut before: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // One to three kills of the same folder.
        for _ in 0..=random.below(3) {
            let mut child = ground.start(home.path(), out.path());
            let (target, delay) = (random.below(all_steps + 1), Duration::from_micros(random.below(3_000) as u64));
            let ended = loop {
                nothing_half_is_there(out.path(), &whole);
                if let Some(status) = child.try_wait().unwrap() {
                    break Some(status);
                }
                if steps(out.path()) >= target {
                    std::thread::sleep(delay);
                    child.kill().unwrap();
                    child.wait().unwrap();
                    break None;
                }
                std::thread::sleep(Duration::from_micros(300));
            };
            nothing_half_is_there(out.path(), &whole);
            killed += 1;
            in_the_middle += usize::from(ended.is_none() && (1..all_steps).contains(&steps(out.path())));
            // What was handed in before an earlier kill is still there after this one.
            let now = handed_in(out.path());
            for (branch, findings) in &before {
                let kept: &Vec<String> = &now[branch];
                assert!(kept.starts_with(findings.as_slice()), "{branch}: {findings:?} is not how {kept:?} begins");
            }
            before = now;
        }
        let output = ground.run(home.path(), out.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let now = artifacts(out.path());
        assert_eq!(now.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
        for (name, bytes) in &now {
            assert!(whole[name] == *bytes, "{name} differs after {killed} kills");
        }
        let last = handed_in(out.path());
        assert!(before.iter().all(|(branch, findings)| last[branch].starts_with(findings.as_slice())));
        let parts = std::fs::read_dir(out.path()).unwrap().flatten();
        assert_eq!(parts.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part")).count(), 0);
    }
    assert!(in_the_middle * 2 >= killed, "{in_the_middle} of {killed} kills met a run under way");
}

/// A limit on the size of files stands for a full disk: the write that exceeds it fails half way.
#[cfg(unix)]
#[test]
fn a_write_that_fails_half_way_is_told_and_the_folder_goes_on_later() {
    let ground = Ground::new();
    let whole = ground.undisturbed();
    let mut failed = 0;
    // In blocks of 512 or 1,024 bytes, as the shell has it.
    for blocks in [0, 1, 2, 4, 8, 16, 24, 32] {
        let (home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let output = Command::new("sh")
            .arg("-c")
            // The signal that comes with it would end the process before it could say anything.
            .arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""))
            .arg(env!("CARGO_BIN_EXE_atlas"))
            .args(ground.arguments(out.path()))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home.path())
            // Standard output and error are pipes, which the limit does not touch.
            .output()
            .unwrap();
        nothing_half_is_there(out.path(), &whole);
        match output.status.code() {
            Some(0) => {}
            Some(1) => {
                failed += 1;
                let said = stderr(&output);
                assert!(said.starts_with("error: ") && said.contains("cannot be "), "{said}");
                assert_eq!(output.stdout, b"");
            }
            other => panic!("{other:?} {}", stderr(&output)),
        }
        let output = ground.run(home.path(), out.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(artifacts(out.path()) == whole, "{blocks} blocks");
    }
    assert!(failed >= 3, "only {failed} of the runs were stopped by the limit");
}

/// A file system with no room left. It takes a mount, which not every machine allows.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_leaves_nothing_half() {
    let ground = Ground::new();
    let whole = ground.undisturbed();
    let mut failed = 0;
    for kib in [16, 48, 96] {
        let (home, disk, copy) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let script = format!(
            "mount -t tmpfs -o size={kib}k tmpfs \"$DISK\" || exit 77; \"$0\" \"$@\"; code=$?; cp -r \"$DISK\"/. \"$COPY\"; exit $code"
        );
        let output = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
            .arg(env!("CARGO_BIN_EXE_atlas"))
            .args(ground.arguments(disk.path()))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home.path())
            .env("DISK", disk.path())
            .env("COPY", copy.path())
            .output();
        let Ok(output) = output else { return skipped("there is no `unshare`") };
        match output.status.code() {
            Some(0) => continue,
            Some(1) if stderr(&output).starts_with("error: ") => {}
            _ => return skipped(stderr(&output)),
        }
        failed += 1;
        assert!(stderr(&output).contains("no space left on device"), "{}", stderr(&output));
        nothing_half_is_there(copy.path(), &whole);
        let output = ground.run(home.path(), copy.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(artifacts(copy.path()) == whole, "{kib} KiB");
    }
    assert!(failed >= 1, "no run was stopped by the full disk");
}

#[cfg(target_os = "linux")]
#[expect(clippy::print_stderr, reason = "a test that is not run says so")]
fn skipped(why: &str) {
    eprintln!("skipped: no file system of a bounded size can be mounted here: {}", why.trim());
}
