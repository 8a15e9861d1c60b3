//! Writers that are killed in the middle: what they were told is kept is kept, and nothing half.

use atlas_store::{EventRecord, Inside, MissionFolder, Phase};
use atlas_tree::{Digest, sha256};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

const FOLDER: &str = "ATLAS_STORE_TEST_FOLDER";

/// Not a test of its own: writes without end, telling on standard output what is kept.
#[test]
#[ignore = "run by `nothing_kept_is_lost_when_the_writer_is_killed`"]
fn writer() {
    let Some(dir) = std::env::var_os(FOLDER) else { return };
    let folder = MissionFolder::open(Path::new(&dir), Inside::No).unwrap();
    let (journal, record) = folder.branch(1, "key").unwrap();
    let log = folder.events(|_, _| true).unwrap();
    let memex = folder.memex();
    for n in record.handed_in.len() as u64.. {
        let text = format!("{n}").repeat(2_000);
        let digest = memex.put(text.as_bytes()).unwrap();
        // The call comes before what it led to: a writer that dies between the two has logged a call
        // that the next one logs again, and never handed in what no logged call led to.
        log.append(&EventRecord {
            phase: Phase::Locate,
            branch: 1,
            sequence: n,
            tool: "view_file".to_owned(),
            args: text,
            bytes_out: 1,
            ms: 1,
            error: None,
        })
        .unwrap();
        journal.hand_in(&json!({ "n": n, "digest": digest.to_string() })).unwrap();
        folder.write("findings.json", json!({ "n": n, "filler": "x".repeat(100_000) }).to_string().as_bytes()).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nkept {n}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn nothing_kept_is_lost_when_the_writer_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let mut kept_before = 0;
    for kill in 0..12 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "kills::writer", "--nocapture", "--test-threads=1"])
            .env(FOLDER, dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let kept: u64 = told
            .by_ref()
            .filter_map(|line| line.strip_prefix("kept ").and_then(|n| n.parse().ok()))
            .nth(kill % 4)
            .unwrap();
        child.kill().unwrap();
        // What it managed to tell between the last line that was read and its end counts too.
        let kept: u64 =
            told.filter_map(|line| line.strip_prefix("kept ").and_then(|n| n.parse().ok())).last().unwrap_or(kept);
        child.wait().unwrap();

        // The lock of the dead is open; nothing half is there.
        let folder = MissionFolder::open(dir.path(), Inside::No).unwrap();
        let (_, record) = folder.branch(1, "key").unwrap();
        assert!(record.handed_in.len() as u64 > kept, "{} of {kept}", record.handed_in.len());
        assert!(kept >= kept_before);
        kept_before = kept;
        for (n, value) in record.handed_in.iter().enumerate() {
            assert_eq!(value["n"], n);
            let digest = Digest::parse(value["digest"].as_str().unwrap()).unwrap();
            let bytes = folder.memex().get(&digest).unwrap().unwrap();
            assert_eq!(sha256(&bytes), digest);
        }
        let findings: serde_json::Value =
            serde_json::from_slice(&folder.read("findings.json").unwrap().unwrap()).unwrap();
        assert!(findings["n"].as_u64().unwrap() >= kept);
        let log = folder.events(|_, _| true).unwrap();
        log.finish().unwrap();
        let events = String::from_utf8(folder.read("events.jsonl").unwrap().unwrap()).unwrap();
        let sequences: Vec<u64> =
            events.lines().map(|line| serde_json::from_str::<EventRecord>(line).unwrap().sequence).collect();
        assert!(sequences.iter().copied().take_while(|n| *n <= kept).eq(0..=kept), "{sequences:?}");
        let parts = std::fs::read_dir(dir.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
        assert_eq!(parts.count(), 0);
    }
}
