//! The checks on returns and findings (contract §9), by the parent, against the files.
//!
//! Rules in the order of the contract: schema (`shape`), path, lines, excerpt; then grounding and
//! hedges (`ground`), which lower a tier and leave a note. Anchors are visited file by file, so
//! that each file is read once and one file at a time is held.

use crate::conflict::{Names, Stated};
use crate::ground::{self, Needs};
use crate::parse::{Json, parse};
use crate::shape::{InvalidShape, ShapedFinding, ShapedGap, ShapedReturn, shape};
use crate::{ReturnInput, sub_questions_of};
use atlas_artifact::findings::InvalidReturn;
use atlas_artifact::{Assertion, BranchId, DtId, Mission, Plan, RejectReason, Rejected, Tier};
use atlas_tree::{Digest, Lines, RepoPath, Scope, Tree, line_starts, sha256};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// What the code index knows of names; gathering needs no more of it.
pub trait Grounding {
    /// Whether the surface defines this name. It comes as the claim writes it, bare or qualified
    /// (`record`, `Vote.record`, `Vote#record`, `vote::record`), and again with `.` for `#` and `::`.
    fn is_definition(&self, name: &str) -> bool;
}

/// No index: every name must stand in a cited excerpt.
pub struct NoIndex;

impl Grounding for NoIndex {
    fn is_definition(&self, _: &str) -> bool {
        false
    }
}

/// What returns are checked against.
pub struct Against<'a> {
    pub mission: &'a Mission,
    pub plan: Option<&'a Plan>,
    pub serial: Option<BranchId>,
    pub tree: &'a dyn Tree,
    pub index: &'a dyn Grounding,
}

/// All that came of the returns, in key order.
#[derive(Debug)]
pub struct Checked {
    /// The names of the assertions of `accepted`.
    pub names: Names,
    pub accepted: Vec<Accepted>,
    pub rejected: Vec<Rejected>,
    pub gaps: Vec<HandedGap>,
    pub ruled_out: Vec<String>,
    pub invalid: Vec<InvalidReturn>,
    /// Sub-questions that a rejected finding named.
    pub named_by_rejected: BTreeSet<DtId>,
    pub valid_branches: BTreeSet<BranchId>,
    /// Branch of each invalid return, as far as it could be read.
    pub invalid_branches: BTreeSet<Option<BranchId>>,
    pub tool_calls: u64,
    pub tokens_used: u64,
}

impl Checked {
    fn new() -> Self {
        Self {
            names: Names::new(),
            accepted: Vec::new(),
            rejected: Vec::new(),
            gaps: Vec::new(),
            ruled_out: Vec::new(),
            invalid: Vec::new(),
            named_by_rejected: BTreeSet::new(),
            valid_branches: BTreeSet::new(),
            invalid_branches: BTreeSet::new(),
            tool_calls: 0,
            tokens_used: 0,
        }
    }
}

/// A finding that passed every check.
#[derive(Debug, Clone)]
pub struct Accepted {
    pub branch: BranchId,
    pub id: String,
    pub claim: String,
    pub assertion: Option<Assertion>,
    /// The assertion as it is compared.
    pub stated: Option<Stated>,
    /// At least one; the first is the primary one.
    pub anchors: Vec<CheckedAnchor>,
    pub ruled_out: Vec<String>,
    pub tier: Tier,
    pub supports: DtId,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckedAnchor {
    pub path: RepoPath,
    pub lines: Lines,
    pub digest: Digest,
}

#[derive(Debug)]
pub struct HandedGap {
    pub branch: BranchId,
    pub gap: ShapedGap,
}

/// Why an anchor fails.
#[derive(Debug, Clone)]
struct Fault {
    reason: RejectReason,
    detail: String,
}

/// Checks all returns, whatever their order.
pub fn check(returns: Vec<ReturnInput>, against: &Against<'_>) -> Checked {
    let mut checked = Checked::new();
    let valid = sort_out(returns, against, &mut checked);

    let mut candidates: Vec<(BranchId, usize, ShapedFinding)> = Vec::new();
    let mut rejected: Vec<(BranchId, usize, Rejected)> = Vec::new();
    for (branch, shaped) in valid {
        checked.valid_branches.insert(branch);
        checked.tool_calls = checked.tool_calls.saturating_add(shaped.telemetry.tool_calls);
        checked.tokens_used = checked.tokens_used.saturating_add(shaped.telemetry.tokens_used);
        checked.ruled_out.extend(shaped.ruled_out);
        let findings_given = shaped.findings.len();
        for (at, finding) in shaped.findings.into_iter().enumerate() {
            match finding {
                Ok(finding) => candidates.push((branch, at, finding)),
                Err(bad) => {
                    checked.named_by_rejected.extend(bad.dt);
                    let reason = RejectReason::Schema;
                    rejected.push((branch, at, Rejected { branch_id: branch, id: bad.id, reason, detail: bad.detail }));
                }
            }
        }
        for (at, gap) in shaped.gaps.into_iter().enumerate() {
            match gap {
                Ok(gap) => checked.gaps.push(HandedGap { branch, gap }),
                Err(bad) => {
                    let reason = RejectReason::Schema;
                    let entry = Rejected { branch_id: branch, id: bad.id, reason, detail: bad.detail };
                    rejected.push((branch, findings_given + at, entry));
                }
            }
        }
    }
    keep_first_of_each(&mut checked.ruled_out);

    let mut needs: Vec<Needs> =
        candidates.iter().map(|(_, _, finding)| Needs::of(&finding.claim, against.index)).collect();
    let mut anchors = check_anchors(&candidates, &mut needs, against).into_iter();
    for (at, (branch, position, finding)) in candidates.into_iter().enumerate() {
        let (mut checked_anchors, mut first_fault) = (Vec::with_capacity(finding.evidence.len()), None);
        for result in anchors.by_ref().take(finding.evidence.len()) {
            match result.expect("every anchor is visited once") {
                Ok(anchor) => checked_anchors.push(anchor),
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        if let Some(fault) = first_fault {
            checked.named_by_rejected.insert(finding.supports);
            let entry = Rejected { branch_id: branch, id: finding.id, reason: fault.reason, detail: fault.detail };
            rejected.push((branch, position, entry));
        } else {
            let stated = finding.assertion.as_ref().map(|assertion| checked.names.state(assertion));
            checked.accepted.push(accept(branch, finding, stated, checked_anchors, &needs[at], against.index));
        }
    }
    rejected.sort_by_key(|(branch, at, _)| (*branch, *at));
    checked.rejected = rejected.into_iter().map(|(_, _, entry)| entry).collect();
    checked
}

/// Valid returns by branch; the invalid ones are told in `checked`, in an order that does not
/// depend on the order in which they were given.
fn sort_out(
    returns: Vec<ReturnInput>,
    against: &Against<'_>,
    checked: &mut Checked,
) -> BTreeMap<BranchId, ShapedReturn> {
    let mut claimed: BTreeMap<i64, u64> = BTreeMap::new();
    let mut shaped = Vec::with_capacity(returns.len());
    for given in returns {
        let value = match given {
            ReturnInput::Json(value) => Ok(Json::from(value)),
            ReturnInput::Bytes(bytes) => parse(&bytes),
        };
        let one = value
            .map_err(|detail| InvalidShape { branch_id: None, detail })
            .and_then(|value| shape(value, against.mission));
        let id = match &one {
            Ok(one) => Some(i64::from(one.branch.0)),
            Err(bad) => bad.branch_id,
        };
        if let Some(id) = id {
            *claimed.entry(id).or_default() += 1;
        }
        shaped.push(one);
    }

    let mut valid = BTreeMap::new();
    let mut order: Vec<(Option<i64>, Option<String>)> = Vec::with_capacity(shaped.len());
    for one in shaped {
        let (id, fault) = match one {
            Err(bad) => (bad.branch_id, Some(bad.detail)),
            Ok(one) => {
                let id = i64::from(one.branch.0);
                let fault = outside_plan(one.branch, against).or_else(|| {
                    let times = claimed[&id];
                    (times > 1).then(|| format!("`branch_id` {id} is claimed by {times} returns"))
                });
                if fault.is_none() {
                    valid.insert(one.branch, one);
                }
                (Some(id), fault)
            }
        };
        order.push((id, fault));
    }
    // Returns that cannot be told apart by this key are told in the same words, so that their
    // order among themselves shows nowhere.
    order.sort_by(|a, b| (a.0.is_none(), a).cmp(&(b.0.is_none(), b)));
    for (at, (branch_id, fault)) in order.into_iter().enumerate() {
        let Some(detail) = fault else { continue };
        checked.invalid_branches.insert(branch_id.and_then(|id| u32::try_from(id).ok()).map(BranchId));
        checked.invalid.push(InvalidReturn { position: at as u64 + 1, branch_id, detail });
    }
    valid
}

fn outside_plan(branch: BranchId, against: &Against<'_>) -> Option<String> {
    let plan = against.plan?;
    let known = against.serial == Some(branch) || plan.branches.iter().any(|sub| sub.branch_id == branch);
    (!known).then(|| format!("the plan has no branch {branch}"))
}

/// One anchor to look up. In its order the anchors of a file stand together, and equal ranges next to
/// each other.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Visit {
    /// The number of its path, by first mention.
    path: u32,
    start: u64,
    end: u64,
    candidate: u32,
    /// Its place among all anchors.
    slot: u32,
}

/// The outcome of every anchor of all candidates, in order. Needs of grounding that an excerpt meets
/// are crossed off on the way, while its file is at hand.
fn check_anchors(
    candidates: &[(BranchId, usize, ShapedFinding)],
    needs: &mut [Needs],
    against: &Against<'_>,
) -> Vec<Option<Result<CheckedAnchor, Fault>>> {
    let scopes = Scopes::new(against, candidates.iter().map(|(branch, _, _)| *branch).collect());
    let mut paths: Vec<&str> = Vec::new();
    let mut path_numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let mut visits: Vec<Visit> = Vec::new();
    let mut references: Vec<Option<&str>> = Vec::new();
    for (candidate, (_, _, finding)) in candidates.iter().enumerate() {
        for anchor in &finding.evidence {
            let path = *path_numbers.entry(anchor.path.as_str()).or_insert_with(|| {
                paths.push(&anchor.path);
                paths.len() as u32 - 1
            });
            let (candidate, slot) = (candidate as u32, visits.len() as u32);
            visits.push(Visit { path, start: anchor.start, end: anchor.end, candidate, slot });
            references.push(anchor.excerpt_ref.as_deref());
        }
    }
    visits.sort_unstable();

    let mut out = vec![None; visits.len()];
    for of_path in visits.chunk_by(|a, b| a.path == b.path) {
        let path = paths[of_path[0].path as usize];
        let file = open(path, &scopes, against);
        let mut captured: Option<(Lines, Digest)> = None;
        let mut excerpts: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
        for visit in of_path {
            let candidate = visit.candidate as usize;
            let result = file.as_ref().map_err(Clone::clone).and_then(|file| {
                if !scopes.contain(candidates[candidate].0, path) {
                    let detail = format!("`{path}` is not in the branch's scope");
                    return Err(Fault { reason: RejectReason::Path, detail });
                }
                let lines = within(visit.start, visit.end, file.starts.len(), path)?;
                let range = file.range(lines);
                let digest = match captured {
                    Some((same, digest)) if same == lines => digest,
                    _ => sha256(&file.bytes[range.clone()]),
                };
                captured = Some((lines, digest));
                if references[visit.slot as usize].is_some_and(|given| given != excerpt_ref(digest)) {
                    let detail = format!("`excerpt_ref` is not the digest of lines {lines} of `{path}`");
                    return Err(Fault { reason: RejectReason::Excerpt, detail });
                }
                if needs[candidate].open() {
                    excerpts.push((candidate, range));
                }
                Ok(CheckedAnchor { path: file.path.clone(), lines, digest })
            });
            out[visit.slot as usize] = Some(result);
        }
        if let Ok(file) = &file
            && !excerpts.is_empty()
        {
            ground::meet(&file.bytes, &excerpts, needs);
        }
    }
    out
}

/// The reference of an excerpt with this digest.
pub fn excerpt_ref(digest: Digest) -> String {
    format!("memex://excerpt/{digest}")
}

struct OpenFile<'a> {
    path: RepoPath,
    bytes: std::borrow::Cow<'a, [u8]>,
    starts: Vec<usize>,
}

impl OpenFile<'_> {
    fn range(&self, lines: Lines) -> std::ops::Range<usize> {
        let start = self.starts[lines.start() as usize - 1];
        start..self.starts.get(lines.end() as usize).copied().unwrap_or(self.bytes.len())
    }
}

/// The file, if it is part of the mission's surface and can be read.
fn open<'a>(path: &str, scopes: &Scopes, against: &Against<'a>) -> Result<OpenFile<'a>, Fault> {
    let fault = |why: String| Fault { reason: RejectReason::Path, detail: why };
    let shown = path.escape_debug();
    let path = RepoPath::new(path).map_err(|error| fault(format!("`{shown}`: {error}")))?;
    if against.tree.entry(&path).is_none() || !scopes.mission.as_ref().is_some_and(|scope| scope.contains(&path)) {
        return Err(fault(format!("`{shown}` is not a file of the surface")));
    }
    let bytes = against.tree.read(&path).map_err(|error| fault(error.to_string()))?;
    let starts = line_starts(&bytes);
    Ok(OpenFile { path, bytes, starts })
}

fn within(start: u64, end: u64, count: usize, path: &str) -> Result<Lines, Fault> {
    let lines = u32::try_from(start).ok().zip(u32::try_from(end).ok());
    lines.and_then(|(start, end)| Lines::new(start, end).ok()).filter(|lines| lines.end() as usize <= count).ok_or_else(
        || Fault { reason: RejectReason::Lines, detail: format!("lines {start}-{end} of `{path}`, which has {count}") },
    )
}

/// The scope of the mission and of each branch. One with a glob that cannot be read holds nothing.
struct Scopes {
    mission: Option<Scope>,
    /// None where the mission's holds.
    branches: BTreeMap<BranchId, Option<Scope>>,
}

impl Scopes {
    fn new(against: &Against<'_>, branches: BTreeSet<BranchId>) -> Self {
        let nothing = || Scope::new([] as [&str; 0], [] as [&str; 0]).ok();
        let of = |branch| {
            let plan = against.plan.filter(|_| against.serial != Some(branch))?;
            let sub = plan.branches.iter().find(|sub| sub.branch_id == branch)?;
            Scope::new(&sub.scope, [] as [&str; 0]).ok().or_else(nothing)
        };
        let scope = &against.mission.scope;
        Self {
            mission: Scope::new(&scope.include, &scope.exclude).ok(),
            branches: branches.into_iter().map(|branch| (branch, of(branch))).collect(),
        }
    }

    fn contain(&self, branch: BranchId, path: &str) -> bool {
        self.branches.get(&branch).and_then(Option::as_ref).is_none_or(|scope| scope.contains_str(path))
    }
}

fn accept(
    branch: BranchId,
    finding: ShapedFinding,
    stated: Option<Stated>,
    anchors: Vec<CheckedAnchor>,
    needs: &Needs,
    index: &dyn Grounding,
) -> Accepted {
    let mut notes = Vec::new();
    let mut tier = finding.tier;
    let ungrounded = needs.ungrounded(&anchors, index);
    if !ungrounded.is_empty() {
        tier = Tier::L;
        notes.push(format!("ungrounded: {}", ungrounded.join(", ")));
    }
    if let Some(cap) = ground::hedge(&finding.claim).filter(|cap| finding.tier > *cap) {
        tier = tier.min(cap);
        notes.push("hedged".to_owned());
    }
    let ShapedFinding { id, claim, assertion, ruled_out, supports, .. } = finding;
    Accepted { branch, id, claim, assertion, stated, anchors, ruled_out, tier, supports, notes }
}

/// Lists up to this length are searched by looking, longer ones by hash.
pub const FEW: usize = 16;

/// Drops what has occurred before.
pub fn keep_first_of_each(texts: &mut Vec<String>) {
    if texts.len() <= FEW {
        let mut kept = 0;
        for at in 0..texts.len() {
            if !texts[..kept].contains(&texts[at]) {
                texts.swap(kept, at);
                kept += 1;
            }
        }
        texts.truncate(kept);
    } else {
        let mut seen = FxHashSet::default();
        texts.retain(|text| seen.insert(text.clone()));
    }
}

/// The sub-questions of branches whose return was invalid. A return whose branch could not be read
/// stands for all without a plan; with one for none, since the return that the plan expects is then
/// missing as well.
pub fn failed_by_invalid(
    invalid: &BTreeSet<Option<BranchId>>,
    mission: &Mission,
    plan: Option<&Plan>,
    serial: Option<BranchId>,
) -> BTreeSet<DtId> {
    let of = |branch: &Option<BranchId>| match (branch, plan) {
        (Some(branch), _) => sub_questions_of(mission, plan, serial, *branch),
        (None, None) => mission.sub_questions.iter().map(|question| question.id).collect(),
        (None, Some(_)) => Vec::new(),
    };
    invalid.iter().flat_map(of).collect()
}
