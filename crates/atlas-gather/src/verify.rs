//! Findings that exist already, checked again against a tree (contract §15, `atlas verify`).
//!
//! Works on any findings of the published form, ours or another tool's, so nothing in them is
//! trusted. For an anchor whose lines no longer hold the excerpt, the excerpt is looked for
//! elsewhere in the file by its digest. What is deliberately *not* here: mending the findings, and
//! looking in other files.

use crate::check::{CheckedAnchor, Grounding, excerpt_ref};
use crate::ground::{self, Needs};
use atlas_artifact::{Anchor, Findings};
use atlas_tree::{Digest, Lines, RepoPath, Tree, line_starts, sha256};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::ops::Range;

/// How a reference to an excerpt begins.
const EXCERPT: &str = "memex://excerpt/";
/// Bytes hashed to find one anchor's lines again; the places nearest to the old one come first.
const SEARCHED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The same over all anchors together.
const SEARCHED_BYTES_TOTAL_MAX: u64 = 1024 * 1024 * 1024;

/// What came of checking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    pub mission_id: String,
    /// Whether nothing differs.
    pub ok: bool,
    pub findings: u64,
    pub counts: Counts,
    /// Every anchor, by finding and in evidence order.
    pub anchors: Vec<AnchorCheck>,
    /// Names of claims that neither the cited lines nor the index bear out now, and that the
    /// finding does not already note.
    pub ungrounded: Vec<Ungrounded>,
    /// Excerpts that the mission folder should hold and does not; always empty for findings alone.
    pub excerpts: Vec<LostExcerpt>,
}

/// An excerpt that is not kept as it was captured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LostExcerpt {
    pub finding: String,
    pub excerpt_ref: String,
    pub detail: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub holds: u64,
    pub moved: u64,
    pub changed: u64,
    pub gone: u64,
    pub malformed: u64,
    pub ungrounded: u64,
    pub lost_excerpts: u64,
}

/// One anchor of one finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnchorCheck {
    pub finding: String,
    pub path: String,
    pub lines: String,
    pub state: AnchorState,
    /// Where the same lines stand now; with state `moved` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<Anchor>,
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnchorState {
    /// The lines hold the excerpt.
    Holds,
    /// The excerpt stands elsewhere in the file.
    Moved,
    /// The file is there, the excerpt is not.
    Changed,
    /// The file is not there, or cannot be read.
    Gone,
    /// Not an anchor: its path, lines or reference cannot be read.
    Malformed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ungrounded {
    pub finding: String,
    /// As the claim writes them.
    pub names: Vec<String>,
    pub path: String,
    pub line: u32,
}

/// Checks every anchor, excerpt and name of the findings against the tree as it is now.
#[must_use]
pub fn verify(findings: &Findings, tree: &dyn Tree, index: &dyn Grounding) -> VerifyReport {
    let mut needs: Vec<Needs> = findings.findings.iter().map(|finding| Needs::of(&finding.claim, index)).collect();
    let checks = check_anchors(findings, tree, &mut needs);

    let mut report = VerifyReport {
        mission_id: findings.mission_id.to_string(),
        ok: true,
        findings: findings.findings.len() as u64,
        counts: Counts::default(),
        anchors: Vec::new(),
        ungrounded: Vec::new(),
        excerpts: Vec::new(),
    };
    for (at, (finding, checks)) in findings.findings.iter().zip(checks).enumerate() {
        let mut standing = Vec::new();
        for (check, now) in checks {
            *report.counts.of(check.state) += 1;
            report.anchors.push(check);
            standing.extend(now);
        }
        let noted: Vec<&str> = finding
            .notes
            .iter()
            .filter_map(|note| note.strip_prefix("ungrounded: "))
            .flat_map(|names| names.split(", "))
            .collect();
        let names: Vec<String> = needs[at]
            .ungrounded(&standing, index)
            .into_iter()
            .filter(|name| !noted.contains(name))
            .map(str::to_owned)
            .collect();
        if !names.is_empty() {
            report.counts.ungrounded += names.len() as u64;
            let (path, line) = standing.first().map_or_else(
                || (finding.evidence.first().map_or_else(String::new, |anchor| anchor.path.clone()), 1),
                |anchor| (anchor.path.to_string(), anchor.lines.start()),
            );
            report.ungrounded.push(Ungrounded { finding: finding.id.clone(), names, path, line });
        }
    }
    report.ok = report.counts.holds == report.anchors.len() as u64 && report.ungrounded.is_empty();
    report
}

impl Counts {
    fn of(&mut self, state: AnchorState) -> &mut u64 {
        match state {
            AnchorState::Holds => &mut self.holds,
            AnchorState::Moved => &mut self.moved,
            AnchorState::Changed => &mut self.changed,
            AnchorState::Gone => &mut self.gone,
            AnchorState::Malformed => &mut self.malformed,
        }
    }
}

impl VerifyReport {
    /// Checks the kept excerpts too: `kept` says whether the mission folder has one, or how what it
    /// has is damaged. Each is looked at once.
    #[must_use]
    pub fn with_excerpts(mut self, findings: &Findings, mut kept: impl FnMut(&Digest) -> Result<bool, String>) -> Self {
        let mut seen = FxHashSet::default();
        for finding in &findings.findings {
            for anchor in &finding.evidence {
                // A reference that cannot be read is a malformed anchor already.
                let Some(digest) = anchor.excerpt_ref.strip_prefix(EXCERPT).and_then(Digest::parse) else { continue };
                if !seen.insert(digest) {
                    continue;
                }
                let detail = match kept(&digest) {
                    Ok(true) => continue,
                    Ok(false) => "the mission folder does not hold this excerpt".to_owned(),
                    Err(damage) => damage,
                };
                let (finding, excerpt_ref) = (finding.id.clone(), anchor.excerpt_ref.clone());
                self.excerpts.push(LostExcerpt { finding, excerpt_ref, detail });
            }
        }
        self.counts.lost_excerpts = self.excerpts.len() as u64;
        self.ok = self.ok && self.excerpts.is_empty();
        self
    }

    /// One line for people and logs.
    #[must_use]
    pub fn summary(&self) -> String {
        let Counts { holds, moved, changed, gone, malformed, ungrounded, lost_excerpts } = self.counts;
        let lost = if lost_excerpts > 0 { format!(" | lost excerpts: {lost_excerpts}") } else { String::new() };
        format!(
            "verify | findings: {} | anchors: {} | hold: {holds} | moved: {moved} | changed: {changed} | gone: {gone} | \
             malformed: {malformed} | ungrounded: {ungrounded}{lost}",
            self.findings,
            self.anchors.len()
        )
    }

    /// One line a difference, in the order of the report: the finding, its anchor as cited, what is
    /// the matter, and for lines that have moved the anchor to cite instead.
    #[must_use]
    pub fn differences(&self) -> String {
        let mut out = String::new();
        for check in self.anchors.iter().filter(|check| check.state != AnchorState::Holds) {
            let (finding, path, lines) = (&check.finding, line(&check.path), line(&check.lines));
            out += &match &check.moved_to {
                Some(now) => format!("{finding} {path}:{lines} moved to {}:{}\n", line(&now.path), now.lines),
                None => format!("{finding} {path}:{lines} {}: {}\n", check.state.name(), line(&check.detail)),
            };
        }
        for one in &self.ungrounded {
            let names: Vec<String> = one.names.iter().map(|name| format!("`{}`", line(name))).collect();
            out += &format!("{} {}:{} ungrounded: {}\n", one.finding, line(&one.path), one.line, names.join(", "));
        }
        for one in &self.excerpts {
            out += &format!("{} {}: {}\n", one.finding, line(&one.excerpt_ref), line(&one.detail));
        }
        out
    }

    /// One GitHub workflow command a difference, each on its own line, in the order of the report.
    #[must_use]
    pub fn annotations(&self) -> String {
        let mut out = String::new();
        for check in self.anchors.iter().filter(|check| check.state != AnchorState::Holds) {
            let level = if check.state == AnchorState::Moved { "warning" } else { "error" };
            // Where the lines have moved, the note belongs beside them, not beside what is there now.
            let lines = check.moved_to.as_ref().map_or(&check.lines, |anchor| &anchor.lines);
            let place = match Lines::parse(lines) {
                Ok(lines) => format!(",line={},endLine={}", lines.start(), lines.end()),
                Err(_) => String::new(),
            };
            out += &format!(
                "::{level} file={}{place},title={}::{}\n",
                property(&check.path),
                property(&check.finding),
                message(&check.detail)
            );
        }
        for one in &self.ungrounded {
            let text = format!("not borne out by the cited lines or the index: {}", one.names.join(", "));
            let (path, title) = (property(&one.path), property(&one.finding));
            out += &format!("::warning file={path},line={},title={title}::{}\n", one.line, message(&text));
        }
        for one in &self.excerpts {
            let text = format!("{}: {}", one.excerpt_ref, one.detail);
            out += &format!("::error title={}::{}\n", property(&one.finding), message(&text));
        }
        out
    }
}

impl AnchorState {
    fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Malformed => "malformed",
        }
    }
}

/// Text of strangers as it may stand in a line of a terminal.
fn line(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// An anchor's check, and the anchor as it stands now, if it does.
type Outcome = (AnchorCheck, Option<CheckedAnchor>);

/// By finding, in evidence order; each file is read once.
fn check_anchors(findings: &Findings, tree: &dyn Tree, needs: &mut [Needs]) -> Vec<Vec<Outcome>> {
    let evidence = |at: usize| &findings.findings[at].evidence;
    let mut visits: Vec<(usize, usize)> =
        (0..findings.findings.len()).flat_map(|at| (0..evidence(at).len()).map(move |anchor| (at, anchor))).collect();
    visits.sort_by_key(|&(at, anchor)| (evidence(at)[anchor].path.as_str(), at, anchor));
    let mut out: Vec<Vec<Option<Outcome>>> =
        (0..findings.findings.len()).map(|at| vec![None; evidence(at).len()]).collect();

    let mut allowance = SEARCHED_BYTES_TOTAL_MAX;
    let path_of = |&(at, anchor): &(usize, usize)| &evidence(at)[anchor].path;
    for of_path in visits.chunk_by(|a, b| path_of(a) == path_of(b)) {
        let mut file = File::open(path_of(&of_path[0]), tree);
        let mut excerpts = Vec::new();
        for &(at, anchor) in of_path {
            let given = &evidence(at)[anchor];
            let (state, now, detail) = match &mut file {
                Err((state, detail)) => (*state, None, detail.clone()),
                Ok(file) => file.check(given, &mut allowance),
            };
            let standing = now.map(|(path, lines, digest)| CheckedAnchor { path, lines, digest });
            if let (Some(standing), Ok(file)) = (&standing, &file)
                && needs[at].open()
            {
                excerpts.push((at, file.range(standing.lines)));
            }
            let moved_to = standing.as_ref().filter(|_| state == AnchorState::Moved).map(|anchor| Anchor {
                path: anchor.path.to_string(),
                lines: anchor.lines.to_string(),
                excerpt_ref: excerpt_ref(anchor.digest),
            });
            let finding = findings.findings[at].id.clone();
            let (path, lines) = (given.path.clone(), given.lines.clone());
            out[at][anchor] = Some((AnchorCheck { finding, path, lines, state, moved_to, detail }, standing));
        }
        if let Ok(file) = &file
            && !excerpts.is_empty()
        {
            ground::meet(&file.bytes, &excerpts, needs);
        }
    }
    out.into_iter()
        .map(|checks| checks.into_iter().map(|one| one.expect("every anchor is visited once")).collect())
        .collect()
}

struct File<'a> {
    path: RepoPath,
    bytes: std::borrow::Cow<'a, [u8]>,
    starts: Vec<usize>,
    /// Digests of windows of lines that were looked at, by (first line, number of lines).
    seen: FxHashMap<(u32, u32), Digest>,
}

impl<'a> File<'a> {
    fn open(path: &str, tree: &'a dyn Tree) -> Result<Self, (AnchorState, String)> {
        let path = RepoPath::new(path).map_err(|error| (AnchorState::Malformed, error.to_string()))?;
        if tree.entry(&path).is_none() {
            return Err((AnchorState::Gone, format!("`{path}` is not in the tree")));
        }
        let bytes = tree.read(&path).map_err(|error| (AnchorState::Gone, error.to_string()))?;
        let starts = line_starts(&bytes);
        Ok(Self { path, bytes, starts, seen: FxHashMap::default() })
    }

    fn check(
        &mut self,
        given: &Anchor,
        allowance: &mut u64,
    ) -> (AnchorState, Option<(RepoPath, Lines, Digest)>, String) {
        let Ok(lines) = Lines::parse(&given.lines) else {
            return (AnchorState::Malformed, None, "`lines` must be `a-b`".to_owned());
        };
        let Some(digest) = given.excerpt_ref.strip_prefix(EXCERPT).and_then(Digest::parse) else {
            let detail = "`excerpt_ref` must be `memex://excerpt/` and 64 hexadecimal digits";
            return (AnchorState::Malformed, None, detail.to_owned());
        };
        let count = self.starts.len();
        let there = lines.end() as usize <= count;
        if there && self.digest(lines) == digest {
            return (
                AnchorState::Holds,
                Some((self.path.clone(), lines, digest)),
                "the lines hold the excerpt".to_owned(),
            );
        }
        match self.find(lines, digest, allowance) {
            Found::At(now) => {
                let detail = format!("the lines {lines} stand at {now} now");
                (AnchorState::Moved, Some((self.path.clone(), now, digest)), detail)
            }
            found @ (Found::Nowhere | Found::NotWithinBounds) => {
                let mut detail = if there {
                    format!("lines {lines} no longer hold the excerpt")
                } else {
                    format!("lines {lines} are past the end: the file has {count}")
                };
                if matches!(found, Found::NotWithinBounds) {
                    detail += "; the file is too large to look for it everywhere";
                }
                (AnchorState::Changed, None, detail)
            }
        }
    }

    /// The nearest other place with as many lines and this digest; of two as near, the earlier.
    fn find(&mut self, lines: Lines, digest: Digest, allowance: &mut u64) -> Found {
        let length = lines.end() - lines.start() + 1;
        let count = u32::try_from(self.starts.len()).unwrap_or(u32::MAX);
        let Some(last_start) = count.checked_sub(length).map(|rest| rest + 1).filter(|last| *last >= 1) else {
            return Found::Nowhere;
        };
        let mut left = SEARCHED_BYTES_MAX;
        let from = lines.start().min(last_start);
        for distance in 0..count {
            let before = from.checked_sub(distance).filter(|start| *start >= 1);
            let after = from.checked_add(distance).filter(|start| *start <= last_start && distance > 0);
            if before.is_none() && after.is_none() && distance > 0 {
                break;
            }
            for start in before.into_iter().chain(after) {
                let here = Lines::new(start, start + length - 1).expect("a window starts at 1 or later");
                let cost = if self.seen.contains_key(&(start, length)) { 0 } else { self.range(here).len() as u64 };
                if cost > left || cost > *allowance {
                    return Found::NotWithinBounds;
                }
                left -= cost;
                *allowance -= cost;
                if self.digest(here) == digest {
                    return Found::At(here);
                }
            }
        }
        Found::Nowhere
    }

    fn digest(&mut self, lines: Lines) -> Digest {
        let key = (lines.start(), lines.end() - lines.start() + 1);
        if let Some(digest) = self.seen.get(&key) {
            return *digest;
        }
        let digest = sha256(&self.bytes[self.range(lines)]);
        self.seen.insert(key, digest);
        digest
    }

    fn range(&self, lines: Lines) -> Range<usize> {
        let start = self.starts[lines.start() as usize - 1];
        start..self.starts.get(lines.end() as usize).copied().unwrap_or(self.bytes.len())
    }
}

enum Found {
    At(Lines),
    Nowhere,
    NotWithinBounds,
}

#[cfg(test)]
mod tests;
