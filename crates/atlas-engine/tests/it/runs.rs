//! Scatter and serial, the same bytes, nothing written, resuming.

use crate::support::{QUESTIONS, mission, open, settings, two_concerns, write};
use atlas_artifact::{FoldOutcome, GateDecision, SCHEMA_NAMES, Tier, schema};
use atlas_engine::{ScoutOptions, Silent, Verdict, Workspace, scout};
use atlas_repo::fingerprint;
use std::collections::BTreeMap;
use std::path::Path;

/// Artifacts by name, without what may differ: durations in the log, the lock.
fn artifacts(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name == "memex" {
            for excerpt in std::fs::read_dir(entry.path()).unwrap() {
                let excerpt = excerpt.unwrap();
                all.insert(
                    format!("memex/{}", excerpt.file_name().to_str().unwrap()),
                    std::fs::read(excerpt.path()).unwrap(),
                );
            }
            continue;
        }
        if entry.path().is_dir() {
            continue;
        }
        let mut bytes = std::fs::read(entry.path()).unwrap();
        if name == "events.jsonl" {
            let text = String::from_utf8(bytes).unwrap();
            let lines: Vec<String> = text
                .lines()
                .map(|line| {
                    let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
                    event["ms"] = 0.into();
                    event.to_string()
                })
                .collect();
            bytes = lines.join("\n").into_bytes();
        }
        all.insert(name, bytes);
    }
    all
}

fn run(repo: &Path, home: &Path, out: &Path, threads: usize, questions: &[&str]) -> atlas_engine::ScoutOutcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let workspace = open(repo, home);
        let options = ScoutOptions { out: Some(out.to_owned()), serial: false };
        scout(&workspace, mission(questions), &options, &Silent).unwrap()
    })
}

#[test]
fn two_disjoint_questions_over_a_large_surface_scatter() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let outcome = run(repo.path(), home.path(), out.path(), 2, &QUESTIONS);
    assert_eq!(outcome.plan.gate.decision, GateDecision::Scatter, "{}", outcome.plan.gate.reason);
    assert!(outcome.plan.branches.len() >= 2);
    assert_eq!(outcome.verdict, Verdict::Done, "{:#?}", outcome.findings.exit_gate);
    let claims: Vec<&str> = outcome.findings.findings.iter().map(|f| f.claim.as_str()).collect();
    let has = |words: &[&str]| claims.iter().any(|claim| words.iter().all(|word| claim.contains(word)));
    assert!(has(&["`write_entry`", "audit_log", "audit/writer.py:5"]), "{claims:#?}");
    assert!(has(&["`sign_cookie`"]) && has(&["`verify_cookie`"]), "{claims:#?}");
    assert!(matches!(outcome.fold, FoldOutcome::Fits(_)));
    for finding in &outcome.findings.findings {
        assert!(!finding.disputed, "{finding:?}");
        assert!(finding.confidence >= Tier::L);
    }
}

#[test]
fn a_question_asked_in_the_wrong_cluster_is_followed_up_by_the_parent() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let mut mission = mission(&QUESTIONS);
    mission.sub_questions[0].scope = vec!["session/flows/**".to_owned()];
    mission.sub_questions[1].scope = vec!["session/*.py".to_owned(), "audit/models.py".to_owned()];
    let options = ScoutOptions { out: Some(out.path().to_owned()), serial: false };
    let outcome = scout(&open(repo.path(), home.path()), mission, &options, &Silent).unwrap();
    assert_eq!(outcome.plan.branches[1].scope, ["audit/**"]);
    assert_eq!(outcome.plan.followed_up, [outcome.mission.sub_questions[1].id]);
    assert_eq!(outcome.verdict, Verdict::Done, "{:#?}", outcome.findings.exit_gate);
    let found = outcome.findings.findings.iter().find(|f| f.claim.starts_with("`sign_cookie`")).unwrap();
    assert_eq!(found.origin[0].branch_id.0, 3);
    // All together have spent no more than Locate may.
    let calls: u64 = outcome.branches.iter().map(|branch| branch.tool_calls).sum();
    let left: u64 =
        outcome.branches[..2].iter().map(|b| outcome.plan.branches[0].budget.max_tool_calls - b.tool_calls).sum();
    assert!(outcome.branches.len() == 3 && outcome.branches[2].tool_calls <= left, "{:?}", outcome.branches);
    assert!(calls <= outcome.mission.budget.max_tool_calls * 6 / 10, "{calls}");
}

#[test]
fn one_question_or_a_small_surface_stays_serial_and_says_why() {
    let (repo, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let out = tempfile::tempdir().unwrap();
    let outcome = run(repo.path(), home.path(), out.path(), 2, &QUESTIONS[..1]);
    assert_eq!(outcome.plan.gate.decision, GateDecision::Serial);
    assert!(outcome.plan.gate.reason.contains("only one sub-question"), "{}", outcome.plan.gate.reason);
    assert!(outcome.findings.findings.iter().any(|f| f.claim.contains("audit_log")));
    let small = tempfile::tempdir().unwrap();
    write(small.path(), &two_concerns()[..4]);
    let out = tempfile::tempdir().unwrap();
    let outcome = run(small.path(), home.path(), out.path(), 2, &QUESTIONS);
    assert_eq!(outcome.plan.gate.decision, GateDecision::Serial);
    let surface = outcome.plan.gate.flags.iter().find(|flag| flag.name == "surface").unwrap();
    assert!(!surface.pass, "{surface:?}");
    assert!(outcome.plan.branches.is_empty() && outcome.plan.serial.len() == 2);
}

#[test]
fn threads_file_order_and_place_do_not_change_a_byte() {
    let home = tempfile::tempdir().unwrap();
    let files = two_concerns();
    let mut shuffled = files.clone();
    shuffled.reverse();
    shuffled.rotate_left(7);
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(a.path(), &files);
    write(b.path(), &shuffled);
    let mut seen: Option<BTreeMap<String, Vec<u8>>> = None;
    for (repo, threads) in [(&a, 1), (&a, 2), (&b, 8)] {
        let out = tempfile::tempdir().unwrap();
        run(repo.path(), home.path(), out.path(), threads, &QUESTIONS);
        let now = artifacts(out.path());
        if let Some(before) = &seen {
            assert_eq!(before.keys().collect::<Vec<_>>(), now.keys().collect::<Vec<_>>());
            for (name, bytes) in &now {
                assert!(before[name] == *bytes, "{name} differs with {threads} threads");
            }
        }
        seen = Some(now);
    }
}

#[test]
fn every_artifact_is_there_and_valid() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let outcome = run(repo.path(), home.path(), out.path(), 2, &QUESTIONS);
    let all = artifacts(out.path());
    for name in [
        "mission.json",
        "mission.md",
        "map.json",
        "map.md",
        "plan.json",
        "plan.md",
        "findings.json",
        "findings.md",
        "fold.json",
        "fold.md",
        "scout-report.json",
        "scout-report.md",
        "scout-report.envelope.json",
        "report.html",
        "events.jsonl",
    ] {
        assert!(all.get(name).is_some_and(|bytes| !bytes.is_empty()), "{name}");
    }
    for (file, name) in [
        ("mission.json", "mission"),
        ("map.json", "map"),
        ("plan.json", "plan"),
        ("findings.json", "findings"),
        ("fold.json", "fold"),
        ("scout-report.json", "report"),
        ("scout-report.envelope.json", "envelope"),
    ] {
        assert!(SCHEMA_NAMES.contains(&name));
        let validator = jsonschema::validator_for(&schema(name).unwrap()).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&all[file]).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{file}: {errors:#?}");
    }
    // Every anchor's excerpt is kept under its digest.
    for anchor in outcome.findings.findings.iter().flat_map(|f| &f.evidence) {
        let digest = anchor.excerpt_ref.strip_prefix("memex://excerpt/").unwrap();
        assert!(all.contains_key(&format!("memex/{digest}")), "{anchor:?}");
    }
}

#[test]
fn the_repository_and_its_git_are_untouched() {
    if !atlas_testkit::git_is_installed() {
        return;
    }
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let git = atlas_testkit::Git::init(repo.path());
    git.commit_all("begin", "ann", 1_767_225_600);
    std::fs::write(repo.path().join("audit/new.py"), "x = 1\n").unwrap();
    let before = fingerprint(repo.path()).unwrap();
    run(repo.path(), home.path(), out.path(), 2, &QUESTIONS);
    let after = fingerprint(repo.path()).unwrap();
    assert_eq!(after.changed_since(&before), Vec::<String>::new());
}

#[test]
fn an_out_in_the_repository_is_refused_unless_git_ignores_it() {
    let (repo, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let workspace = Workspace::open(repo.path(), &settings(home.path()), &Silent).unwrap();
    let options = ScoutOptions { out: Some(repo.path().join("out")), serial: false };
    let error = scout(&workspace, mission(&QUESTIONS), &options, &Silent).err().unwrap();
    assert!(error.to_string().contains("git does not ignore"), "{error}");
    assert!(!repo.path().join("out").exists());
}

#[test]
fn a_folder_resumes_its_mission_and_refuses_another() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    run(repo.path(), home.path(), out.path(), 2, &QUESTIONS);
    let first = artifacts(out.path());
    // As if the run had been killed before it gathered.
    for name in ["findings.json", "fold.json", "scout-report.md", "report.html"] {
        std::fs::remove_file(out.path().join(name)).unwrap();
    }
    run(repo.path(), home.path(), out.path(), 2, &QUESTIONS);
    assert!(artifacts(out.path()) == first);
    let workspace = open(repo.path(), home.path());
    let options = ScoutOptions { out: Some(out.path().to_owned()), serial: false };
    let other = mission(&["Which routes need an administrator to be logged in?"]);
    assert!(scout(&workspace, other, &options, &Silent).err().unwrap().to_string().contains("another mission"));
}
