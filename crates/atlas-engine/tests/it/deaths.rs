//! Branches that die: each ends once, harms no other, keeps what it had handed in, and leaves a gap
//! that says why (contract §7).

use crate::support::{QUESTIONS, mission, open, two_concerns, write};
use atlas_artifact::limits::RETURN_GAPS_MAX;
use atlas_artifact::{DtId, GapReason, Mission, RawGap, SubBudget};
use atlas_engine::{Branch, BranchTask, Closing, HandIn, ScoutOptions, ScoutOutcome, Silent, Verdict, scout_with};
use atlas_store::{Inside, MissionFolder};
use atlas_tools::ToolSurface;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

/// How a scripted branch ends once it has handed in one finding.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Return,
    Panic,
    Error,
    /// It waits for something that never comes, and asks no tool meanwhile.
    Hang,
    /// It calls tools until none is left.
    Spend,
}

/// The first branch ends as told, the others return.
struct Scripted {
    first: End,
    runs: AtomicUsize,
}

impl Branch for Scripted {
    fn kind(&self) -> &'static str {
        "model"
    }

    fn version(&self) -> u32 {
        0
    }

    fn work(&self, task: &BranchTask, tools: &ToolSurface, findings: &HandIn) -> Result<Closing, String> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let (path, line) = if task.id.0 == 1 { ("audit/writer.py", 4) } else { ("session/cookie.py", 4) };
        findings.finding(finding(1, path, line, task.questions[0].0)).map_err(|_| "closed".to_owned())?;
        let end = if task.id.0 == 1 { self.first } else { End::Return };
        match end {
            End::Return => {}
            End::Panic => panic!("a mistake in a branch"),
            End::Error => return Err("the server hung up".to_owned()),
            End::Hang => {
                let never = (Mutex::new(()), Condvar::new());
                let mut held = never.0.lock().unwrap();
                loop {
                    held = never.1.wait(held).unwrap();
                }
            }
            End::Spend => {
                let args = json!({ "path": path, "start_line": 1, "end_line": 2 });
                while tools.call("view_file", &args).is_ok() {}
            }
        }
        Ok(Closing { gaps: Vec::new(), ruled_out: vec!["elsewhere".to_owned()] })
    }
}

fn finding(id: u32, path: &str, line: u32, dt: DtId) -> Value {
    json!({
        "id": format!("FINDING-{id:03}"),
        "claim": format!("Something is defined in {path}."),
        "evidence": [{ "path": path, "lines": format!("{line}-{line}") }],
        "confidence": "H",
        "supports_decision": dt,
    })
}

fn run(mission: Mission, first: End, repo: &Path, home: &Path, out: &Path) -> (ScoutOutcome, usize) {
    let scripted = Arc::new(Scripted { first, runs: AtomicUsize::new(0) });
    let branch: Arc<dyn Branch> = scripted.clone();
    let options = ScoutOptions { out: Some(out.to_owned()), serial: false };
    let outcome = scout_with(&open(repo, home), mission, &options, &branch, &Silent).unwrap();
    (outcome, scripted.runs.load(Ordering::Relaxed))
}

#[test]
fn a_branch_that_dies_keeps_what_it_handed_in_and_harms_no_other() {
    for (first, ended, well) in [
        (End::Return, "returned", true),
        (End::Panic, "crashed", false),
        (End::Error, "crashed", false),
        (End::Spend, "budget exhausted", false),
    ] {
        let (repo, home, out) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(repo.path(), &two_concerns());
        let (outcome, runs) = run(mission(&QUESTIONS), first, repo.path(), home.path(), out.path());
        assert_eq!(outcome.plan.branches.len(), 2);
        assert_eq!((runs, outcome.branches[0].ended.as_str(), outcome.branches[0].well), (2, ended, well), "{first:?}");
        assert_eq!(outcome.branches[1].ended, "returned", "{first:?}");
        // Both findings are there: the sibling's, and what the dead one had handed in.
        assert_eq!(outcome.findings.findings.len(), 2, "{first:?}");
        assert_eq!(outcome.findings.rejected, []);
        assert_eq!(outcome.verdict, Verdict::Done, "{first:?} {:#?}", outcome.findings.exit_gate);
        let share = outcome.plan.branches[0].budget;
        let SubBudget { max_tool_calls, .. } = share;
        if first == End::Spend {
            assert!(outcome.branches[0].tool_calls <= max_tool_calls && outcome.branches[0].tokens_used > 0);
        }
        // A finished branch is not run twice, however it finished, and the folder gives the same again.
        let again = run(mission(&QUESTIONS), first, repo.path(), home.path(), out.path());
        assert_eq!(again.1, 0, "{first:?}");
        assert_eq!(again.0.findings, outcome.findings, "{first:?}");
    }
}

#[test]
fn a_branch_that_hangs_is_cancelled_at_the_deadline() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let mut mission = mission(&QUESTIONS);
    mission.budget.max_wall_clock_s = 1;
    let (outcome, _) = run(mission, End::Hang, repo.path(), home.path(), out.path());
    assert_eq!(outcome.branches[0].ended, "past the deadline");
    assert_eq!(outcome.findings.findings.len(), 2, "{:#?}", outcome.findings);
    // The lock of the folder is let go, though a thread of the branch is still there.
    MissionFolder::open(out.path(), Inside::No).unwrap();
}

/// Dies before it hands anything in.
struct Silenced;

impl Branch for Silenced {
    fn kind(&self) -> &'static str {
        "agent"
    }

    fn version(&self) -> u32 {
        0
    }

    fn work(&self, task: &BranchTask, _tools: &ToolSurface, findings: &HandIn) -> Result<Closing, String> {
        assert_ne!(task.id.0, 1, "a mistake in a branch");
        let handed_in = findings.finding(finding(1, "session/cookie.py", 4, task.questions[0].0));
        handed_in.map(|()| Closing::default()).map_err(|_| "closed".to_owned())
    }
}

#[test]
fn a_branch_that_dies_silent_leaves_a_gap_that_says_why() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let branch: Arc<dyn Branch> = Arc::new(Silenced);
    let options = ScoutOptions { out: Some(out.path().to_owned()), serial: false };
    let workspace = open(repo.path(), home.path());
    let outcome = scout_with(&workspace, mission(&QUESTIONS), &options, &branch, &Silent).unwrap();
    assert_eq!(outcome.findings.findings.len(), 1);
    let gaps: Vec<_> = outcome.findings.gaps.iter().map(|gap| (gap.sub_question.as_str(), gap.reason)).collect();
    assert_eq!(gaps, [("DT-1", Some(GapReason::BranchFailed))]);
    assert_eq!(outcome.verdict, Verdict::Done);
}

/// Returns more gaps than a return may have, so that its return is none.
struct Flooding;

impl Branch for Flooding {
    fn kind(&self) -> &'static str {
        "model"
    }

    fn version(&self) -> u32 {
        0
    }

    fn work(&self, task: &BranchTask, _tools: &ToolSurface, _findings: &HandIn) -> Result<Closing, String> {
        let gap = |n: usize| RawGap {
            id: format!("GAP-{n:03}"),
            sub_question: task.questions[0].0.to_string(),
            strikes: Vec::new(),
            working_hypothesis: None,
            escalate_to: "human".to_owned(),
        };
        Ok(Closing { gaps: (0..=RETURN_GAPS_MAX).map(gap).collect(), ruled_out: Vec::new() })
    }
}

#[test]
fn a_run_that_breaks_a_promise_says_which() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(repo.path(), &two_concerns());
    let branch: Arc<dyn Branch> = Arc::new(Flooding);
    let options = ScoutOptions { out: Some(out.path().to_owned()), serial: false };
    let workspace = open(repo.path(), home.path());
    let outcome = scout_with(&workspace, mission(&QUESTIONS), &options, &branch, &Silent).unwrap();
    assert_eq!(outcome.verdict, Verdict::PromiseBroken);
    let broken: Vec<(&str, &str)> = outcome
        .findings
        .exit_gate
        .iter()
        .filter(|item| !item.pass)
        .map(|item| (item.item.as_str(), item.evidence.as_str()))
        .collect();
    assert_eq!(broken, [("clean context, one object, no transcript", "2 returns of one object each, 2 invalid")]);
    // What no branch answered is a gap all the same.
    assert_eq!(outcome.findings.gaps.len(), 2);
    assert!(outcome.findings.gaps.iter().all(|gap| gap.reason == Some(GapReason::BranchFailed)));
}
