//! Mission folders.

use atlas_store::{BranchRecord, EventRecord, Inside, MissionFolder, Phase, StoreError, write_whole};
use serde_json::json;
use std::path::Path;

fn open(dir: &Path) -> MissionFolder {
    MissionFolder::open(dir, Inside::No).unwrap()
}

fn event(phase: Phase, branch: u32, sequence: u64, tool: &str) -> EventRecord {
    EventRecord {
        phase,
        branch,
        sequence,
        tool: tool.to_owned(),
        args: "ab".to_owned(),
        bytes_out: 7,
        ms: 1,
        error: None,
    }
}

#[test]
fn artifacts_are_written_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(&dir.path().join("deep/out"));
    assert_eq!(folder.read("map.json"), Ok(None));
    folder.write("map.json", b"{}").unwrap();
    folder.write("map.json", b"{\"a\":1}").unwrap();
    assert_eq!(folder.read("map.json"), Ok(Some(b"{\"a\":1}".to_vec())));
    assert_eq!(MissionFolder::read_in(folder.dir(), "map.json"), Ok(Some(b"{\"a\":1}".to_vec())));
    for name in ["", ".", "..", "../map.json", "a/b", ".atlas", "a\\b", "a\0b", "/etc/passwd"] {
        assert_eq!(folder.write(name, b"x"), Err(StoreError::Name(name.to_owned())), "{name:?}");
        assert_eq!(folder.read(name), Err(StoreError::Name(name.to_owned())), "{name:?}");
    }
}

#[test]
fn a_folder_in_the_repository_is_refused_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let error = MissionFolder::open(&out, Inside::NotIgnored).unwrap_err();
    assert_eq!(error, StoreError::InsideRepository(out.clone()));
    assert!(error.hint().is_some());
    assert!(!out.exists());
    assert!(MissionFolder::open(&out, Inside::Ignored).is_ok());
}

#[test]
fn two_runs_do_not_write_one_folder() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(dir.path());
    assert_eq!(MissionFolder::open(dir.path(), Inside::No).unwrap_err(), StoreError::Busy(dir.path().to_owned()));
    drop(first);
    let _second = open(dir.path());
}

#[test]
fn parts_of_a_killed_run_are_gone_when_the_folder_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    std::fs::create_dir(dir.path().join("memex")).unwrap();
    let parts = [".atlas-1.part", ".atlas/.atlas-2.part", "memex/.atlas-3.part"];
    for part in parts {
        std::fs::write(dir.path().join(part), "half").unwrap();
    }
    let _folder = open(dir.path());
    assert!(parts.iter().all(|part| !dir.path().join(part).exists()));
}

#[test]
#[cfg(unix)]
fn a_place_where_nothing_can_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let out = dir.path().join("file/out");
    let error = MissionFolder::open(&out, Inside::No).unwrap_err();
    assert!(matches!(&error, StoreError::Io { path, .. } if path.starts_with(&out)), "{error}");
    assert!(matches!(write_whole(&out, b"x"), Err(StoreError::Io { path, .. }) if path == out));
}

#[test]
fn events_are_durable_as_they_come_and_sorted_at_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(dir.path());
    let log = folder.events(|_, _| true).unwrap();
    let events = [
        event(Phase::Locate, 2, 1, "view_file"),
        event(Phase::Locate, 1, 2, "search_text"),
        event(Phase::Traverse, 0, 1, "list_dir"),
        event(Phase::Locate, 1, 1, "old"),
        event(Phase::Locate, 10, 1, "view_file"),
        event(Phase::Locate, 1, 1, "graph_query"),
    ];
    for event in &events {
        log.append(event).unwrap();
    }
    let lines = || std::fs::read_to_string(dir.path().join("events.jsonl")).unwrap();
    assert_eq!(lines().lines().count(), 6);
    log.finish().unwrap();
    let tools =
        |text: String| -> Vec<EventRecord> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let sorted = [&events[2], &events[5], &events[1], &events[0], &events[4]].map(Clone::clone);
    assert_eq!(tools(lines()), sorted);
    assert_eq!(
        lines().lines().next().unwrap(),
        r#"{"phase":"traverse","branch":0,"sequence":1,"tool":"list_dir","args":"ab","bytes_out":7,"ms":1}"#
    );
    // The log goes on where it is.
    log.append(&event(Phase::Synthesize, 0, 1, "view_file")).unwrap();
    assert_eq!(tools(lines()).len(), 6);
}

#[test]
fn a_torn_line_goes_and_so_do_the_branches_that_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(dir.path());
    let log = folder.events(|_, _| true).unwrap();
    for (branch, sequence) in [(1, 1), (2, 1), (1, 2)] {
        log.append(&event(Phase::Locate, branch, sequence, "t")).unwrap();
    }
    drop(log);
    let path = dir.path().join("events.jsonl");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"phase\":\"locate\",\"bra");
    std::fs::write(&path, &bytes).unwrap();
    let log = folder.events(|_, branch| branch == 1).unwrap();
    log.append(&event(Phase::Locate, 2, 1, "again")).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let tools: Vec<(u32, String)> = text
        .lines()
        .map(|line| serde_json::from_str::<EventRecord>(line).unwrap())
        .map(|event| (event.branch, event.tool))
        .collect();
    assert_eq!(tools, [(1, "t".into()), (1, "t".into()), (2, "again".into())]);
}

#[test]
fn events_of_many_threads_are_whole_lines() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(dir.path());
    let log = folder.events(|_, _| true).unwrap();
    std::thread::scope(|scope| {
        for branch in 1..=5 {
            let log = &log;
            scope.spawn(move || {
                for sequence in 1..=20 {
                    log.append(&event(Phase::Locate, branch, sequence, &"t".repeat(300))).unwrap();
                }
            });
        }
    });
    log.finish().unwrap();
    let text = std::fs::read_to_string(dir.path().join("events.jsonl")).unwrap();
    let keys: Vec<(u32, u64)> = text
        .lines()
        .map(|line| serde_json::from_str::<EventRecord>(line).unwrap())
        .map(|event| (event.branch, event.sequence))
        .collect();
    let expected: Vec<(u32, u64)> = (1..=5).flat_map(|branch| (1..=20).map(move |n| (branch, n))).collect();
    assert_eq!(keys, expected);
}

#[test]
fn a_branch_keeps_what_it_handed_in_and_its_return() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(dir.path());
    let (journal, record) = folder.branch(1, "key").unwrap();
    assert_eq!(record, BranchRecord::default());
    journal.hand_in(&json!({"claim": "one\ntwo"})).unwrap();
    journal.hand_in(&json!({"claim": "three"})).unwrap();
    drop(journal);
    let (journal, record) = folder.branch(1, "key").unwrap();
    let handed_in = vec![json!({"claim": "one\ntwo"}), json!({"claim": "three"})];
    assert_eq!(record, BranchRecord { handed_in: handed_in.clone(), closed: None });
    journal.close(&json!({"return": 1})).unwrap();
    journal.hand_in(&json!("too late")).unwrap();
    let (_, record) = folder.branch(1, "key").unwrap();
    assert_eq!(record, BranchRecord { handed_in, closed: Some(json!({"return": 1})) });
    // Other branches, and other sub-missions of the same number, have nothing of it.
    assert_eq!(folder.branch(2, "key").unwrap().1, BranchRecord::default());
    assert_eq!(folder.branch(1, "other").unwrap().1, BranchRecord::default());
    assert_eq!(folder.branch(1, "key").unwrap().1, BranchRecord::default());
}

#[test]
fn a_branch_that_runs_again_begins_with_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(dir.path());
    let (journal, _) = folder.branch(3, "key").unwrap();
    journal.hand_in(&json!(1)).unwrap();
    journal.restart().unwrap();
    journal.hand_in(&json!(2)).unwrap();
    let (_, record) = folder.branch(3, "key").unwrap();
    assert_eq!(record, BranchRecord { handed_in: vec![json!(2)], closed: None });
}

#[test]
fn noise_in_a_journal_is_no_record() {
    let dir = tempfile::tempdir().unwrap();
    let folder = open(dir.path());
    for noise in [&b"\xff\xfe\n"[..], b"{}\n", b"[1]\n", b"\n\n", b"{\"key\":7}\n", b"{\"key\":\"key\"}"] {
        std::fs::write(dir.path().join(".atlas/branch-1.jsonl"), noise).unwrap();
        let (journal, record) = folder.branch(1, "key").unwrap();
        assert_eq!(record, BranchRecord::default());
        journal.hand_in(&json!(1)).unwrap();
        assert_eq!(folder.branch(1, "key").unwrap().1.handed_in, [json!(1)]);
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links_of_the_folder() {
    for name in [".atlas", "memex", "events.jsonl", ".atlas/lock", ".atlas/branch-1.jsonl"] {
        let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = dir.path().join(name);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        let error = MissionFolder::open(dir.path(), Inside::No).unwrap_err();
        assert_eq!(error, StoreError::Link(link), "{name}");
        assert!(error.refuses() && error.hint().is_some());
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0, "{name}");
    }
}
