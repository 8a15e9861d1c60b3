//! A realistic mission with its source, plan and branches, for the page and the terminal.

use crate::support::{finding, findings, gap, map, mission};
use atlas_artifact::findings::{Dispute, FollowUp};
use atlas_artifact::map::FileGraph;
use atlas_artifact::{
    Also, Anchor, BranchId, DtId, ExitGateItem, Findings, GapReason, Map, Mission, Module, Origin, Plan, RejectReason,
    Rejected, Strike, Tier,
};
use atlas_report::{BranchOutcome, View};
use atlas_tree::{Lines, MemTree, RepoPath, Tree, lines_bytes};
use serde_json::json;

pub struct Sample {
    pub mission: Mission,
    pub map: Map,
    pub plan: Plan,
    pub findings: Findings,
    pub branches: Vec<BranchOutcome>,
    pub tree: MemTree,
}

impl Sample {
    /// Calls `show` with the view of this sample, its source lines read from the tree.
    pub fn view<T>(&self, show: impl FnOnce(&View<'_>) -> T) -> T {
        let excerpt = |anchor: &Anchor| {
            let bytes = self.tree.read(&RepoPath::new(&anchor.path).ok()?).ok()?.into_owned();
            lines_bytes(&bytes, Lines::parse(&anchor.lines).ok()?).map(<[u8]>::to_vec)
        };
        show(&View {
            mission: &self.mission,
            map: &self.map,
            plan: Some(&self.plan),
            findings: &self.findings,
            branches: &self.branches,
            excerpt: &excerpt,
        })
    }
}

const LOG: &str = "import json\nfrom datetime import datetime, timezone\n\nfrom .store import connection\n\n\nclass AuditLog:\n    \"\"\"Append-only record of who did what.\"\"\"\n\n    def __init__(self, dsn):\n        self.dsn = dsn\n\n    def record(self, actor, action, subject, **detail):\n        row = (datetime.now(timezone.utc), actor.id, action, subject.key, json.dumps(detail, sort_keys=True))\n        with connection(self.dsn) as db:\n            db.execute(\n                \"INSERT INTO audit_log (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)\",\n                row,\n            )\n\n    def purge(self, before):\n        with connection(self.dsn) as db:\n            db.execute(\"DELETE FROM audit_log WHERE at < ?\", (before,))\n";
const ROUTES: &str = "from flask import Blueprint, request, session\n\nfrom audit.log import AuditLog\nfrom auth.session import require_login\n\nbp = Blueprint(\"votes\", __name__)\naudit = AuditLog(\"votes.db\")\n\n\n@bp.post(\"/votes\")\n@require_login\ndef cast_vote():\n    vote = Vote.from_form(request.form)\n    vote.save()\n    audit.record(session.user, \"vote.cast\", vote)\n    return vote.receipt(), 201\n\n\n@bp.delete(\"/votes/<key>\")\ndef withdraw_vote(key):\n    vote = Vote.get(key)\n    vote.delete()\n    audit.record(session.user, \"vote.withdrawn\", vote)\n    return \"\", 204\n";
const SESSION: &str = "import hmac\nfrom hashlib import sha256\n\nfrom config import SECRET\n\nCOOKIE = \"sid\"\n\n\ndef sign(value):\n    mac = hmac.new(SECRET, value.encode(), sha256).hexdigest()\n    return f\"{value}.{mac}\"\n\n\ndef verify(cookie):\n    value, _, mac = cookie.rpartition(\".\")\n    if not hmac.compare_digest(sign(value), cookie):\n        raise PermissionError(\"bad session cookie\")\n    return value\n";

pub fn sample() -> Sample {
    let tree =
        MemTree::new([("src/audit/log.py", LOG), ("src/web/routes.py", ROUTES), ("src/auth/session.py", SESSION)]);
    let mut mission = mission(&[
        "Which functions write the `audit_log` table, and who calls them?",
        "Where is the session cookie signed and verified?",
        "Is every route that changes a vote guarded by `require_login`?",
        "Which job purges old audit entries?",
    ]);
    mission.goal = "Find out how votes are audited and how the session is guarded".into();
    let mut findings = found();
    findings.exit_gate = [
        "both flags verified before scattering",
        "partition from the graph, at most 5 branches",
        "clean context, one object, no transcript",
        "shares sum to no more than what remained",
    ]
    .map(|item| ExitGateItem {
        item: item.into(),
        pass: true,
        evidence: "surface true, disjoint true, not_tight true".into(),
    })
    .to_vec();
    Sample { mission, map: mapped(), plan: planned(), findings, branches: ran(), tree }
}

fn found() -> Findings {
    let mut record = finding(
        1,
        Tier::H,
        1,
        "`AuditLog.record` in src/audit/log.py:13 writes `audit_log` and is called by 2 functions in 1 module.",
        &["src/audit/log.py:13-19", "src/web/routes.py:15-15", "src/web/routes.py:23-23"],
    );
    record.ruled_out = vec!["no other INSERT into audit_log in 214 files".into()];
    record.also_supports = vec![DtId(3)];
    let mut purge = finding(
        2,
        Tier::L,
        1,
        "[DISPUTED] Only `AuditLog.record` writes `audit_log`. ⟂ `AuditLog.purge` writes `audit_log`.",
        &["src/audit/log.py:21-23"],
    );
    purge.disputed = true;
    let also = |text: &str, branch, confidence| Also {
        text: text.into(),
        confidence,
        origin: Origin { branch_id: BranchId(branch), id: "FINDING-002".into() },
    };
    purge.claims = vec![
        also("Only `AuditLog.record` writes `audit_log`.", 1, Tier::H),
        also("`AuditLog.purge` writes `audit_log`.", 2, Tier::H),
    ];
    purge.disputes = vec![Dispute {
        a: "1/FINDING-002".into(),
        b: "2/FINDING-002".into(),
        rule: "exclusive".into(),
        because: "one says that only `AuditLog.record` writes `audit_log`, the other names `AuditLog.purge`".into(),
    }];
    purge.follow_up = Some(FollowUp {
        probe: "graph_query {\"query\":\"writers_to: audit_log\"}".into(),
        question: "What writes `audit_log`?".into(),
    });
    let sign = finding(
        3,
        Tier::H,
        2,
        "`sign` in src/auth/session.py:9 signs the cookie with HMAC-SHA-256 of `SECRET`.",
        &["src/auth/session.py:9-11"],
    );
    let verify = finding(
        4,
        Tier::M,
        2,
        "`verify` refuses a cookie of which the digest differs, in constant time.",
        &["src/auth/session.py:14-18"],
    );
    let guard = finding(
        5,
        Tier::H,
        3,
        "`withdraw_vote` handles DELETE /votes/<key> without `require_login`.",
        &["src/web/routes.py:19-24"],
    );
    let mut weak =
        finding(6, Tier::L, 3, "`cast_vote` likely trusts the form's voter id.", &["src/web/routes.py:10-16"]);
    weak.notes = vec!["hedged".into()];
    let mut gap = gap(1, 4, GapReason::Empty);
    gap.text = Some("DT-4 — Which job purges old audit entries?".into());
    gap.reason = None;
    gap.origin.branch_id = Some(BranchId(2));
    gap.strikes = vec![
        Strike { probe: "search_symbol {\"name\":\"purge\"}".into(), result: "1 definition, no caller".into() },
        Strike { probe: "graph_query {\"query\":\"callers_of: AuditLog.purge\"}".into(), result: "no edge".into() },
        Strike {
            probe: "search_text {\"pattern\":\"purge\"}".into(),
            result: "no match outside its definition".into(),
        },
    ];
    gap.working_hypothesis = Some("the job lives in another repository".into());
    let mut findings = findings(vec![record, purge, sign, verify, guard, weak], vec![gap]);
    findings.ruled_out = vec![
        "no other INSERT into `audit_log` in 214 files".into(),
        "no cron or Celery entry names `purge`".into(),
        "no second cookie name beside `sid`".into(),
    ];
    findings.rejected = vec![Rejected {
        branch_id: BranchId(3),
        id: "FINDING-004".into(),
        reason: RejectReason::Lines,
        detail: "src/web/routes.py has 24 lines, not 40".into(),
    }];
    findings.telemetry.advice = vec!["dedup_count and fan_out_ratio are low: the branches were disjoint".into()];
    findings
}

fn mapped() -> Map {
    let mut map = map();
    let files = [
        "src/audit/log.py",
        "src/audit/store.py",
        "src/auth/session.py",
        "src/jobs/nightly.py",
        "src/web/routes.py",
        "src/web/views.py",
    ];
    map.graph.file_graph = FileGraph {
        files: files.map(str::to_owned).to_vec(),
        edges: vec![(0, 1, 4), (2, 0, 3), (4, 0, 12), (4, 2, 7), (5, 4, 9), (3, 0, 1)],
    };
    map.modules.push(Module { path: "src/auth".into(), files: 7, lines: 640, centrality: 0.19 });
    map
}

fn planned() -> Plan {
    let cluster = |id: u32, dir: &str, files: u64, centrality: f64| json!({"id": id, "globs": [format!("{dir}/**")], "files": files, "modules": [dir], "centrality": centrality});
    let budget = json!({"max_tool_calls": 24, "max_tokens_input": 24_000});
    let branch = |id: u32, dir: &str, dt: &str, question: &str| {
        json!({
            "parent_mission_id": "20260101-001", "branch_id": id, "question": question, "supports_decision": dt,
            "scope": [format!("{dir}/**")], "budget": budget, "map_excerpt": ""
        })
    };
    let flag = |name: &str, observed: &str, threshold: &str| json!({"name": name, "observed": observed, "threshold": threshold, "pass": true});
    serde_json::from_value(json!({
        "mission_id": "20260101-001",
        "gate": {
            "decision": "scatter",
            "flags": [
                flag("surface", "11 modules, 214 source files", "modules > 5 or source files > 25"),
                flag("disjoint", "3 groups: DT-1+DT-3, DT-2, DT-4", "at least 2"),
                flag("not_tight", "24 tool calls and 24,000 tokens each", "≥ 8 tool calls and ≥ 4,000 tokens")
            ],
            "reason": "all three flags hold"
        },
        "surface": {"modules": 11, "source_files": 214, "files": 260},
        "clusters": [
            cluster(1, "src/audit", 38, 0.34),
            cluster(2, "src/auth", 52, 0.21),
            cluster(3, "src/jobs", 14, 0.04),
            cluster(4, "src/web", 110, 0.41)
        ],
        "modularity": {"before_merges": 0.612, "after_merges": 0.588},
        "cut_weight": 23,
        "branches": [
            branch(1, "src/audit", "DT-1", "Which functions write the `audit_log` table, and who calls them?"),
            branch(2, "src/auth", "DT-2", "Where is the session cookie signed and verified?"),
            branch(3, "src/web", "DT-1", "Which functions write the `audit_log` table, and who calls them?")
        ],
        "serial": ["DT-3"],
        "not_probed": [{"cluster": 3, "reason": "no sub-question has affinity above 0.05"}],
        "serial_budget": budget
    }))
    .unwrap()
}

fn ran() -> Vec<BranchOutcome> {
    let branch = |id: u32, ended: &str, calls: u64, tokens: u64, findings: u64| BranchOutcome {
        branch_id: BranchId(id),
        kind: "prober".into(),
        ended: ended.into(),
        well: ended == "returned",
        tool_calls: calls,
        tokens_used: tokens,
        findings,
        gaps: 0,
    };
    vec![
        branch(1, "returned", 11, 6_200, 2),
        branch(2, "returned", 17, 9_800, 3),
        branch(3, "past the deadline", 24, 21_400, 1),
        branch(4, "returned", 6, 3_100, 2),
    ]
}
