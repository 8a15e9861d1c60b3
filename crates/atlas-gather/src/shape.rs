//! The shape of a return (contract §9): JSON that may be anything in, its parts out, each either
//! well-shaped or with what is wrong with it. Files are not looked at here.

use crate::parse::{Fields, Json};
use atlas_artifact::limits::{CLAIM_CHARS, RETURN_ANCHORS_MAX, RETURN_FINDINGS_MAX, RETURN_GAPS_MAX};
use atlas_artifact::{Assertion, BranchId, DtId, Mission, ReturnTelemetry, Strike, Tier};
use rustc_hash::FxHashSet;

/// A return whose top level is as it must be.
#[derive(Debug)]
pub struct ShapedReturn {
    pub branch: BranchId,
    /// In the order handed in.
    pub findings: Vec<Result<ShapedFinding, Misshapen>>,
    pub gaps: Vec<Result<ShapedGap, Misshapen>>,
    pub ruled_out: Vec<String>,
    pub telemetry: ReturnTelemetry,
}

/// A return that is invalid as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidShape {
    /// As far as it could be read.
    pub branch_id: Option<i64>,
    pub detail: String,
}

#[derive(Debug)]
pub struct ShapedFinding {
    pub id: String,
    pub claim: String,
    pub assertion: Option<Assertion>,
    pub evidence: Vec<ShapedAnchor>,
    pub ruled_out: Vec<String>,
    pub tier: Tier,
    pub supports: DtId,
}

#[derive(Debug)]
pub struct ShapedAnchor {
    pub path: String,
    /// As claimed: neither ordered nor within the file, saturated at the largest number.
    pub start: u64,
    pub end: u64,
    pub excerpt_ref: Option<String>,
}

#[derive(Debug)]
pub struct ShapedGap {
    pub dt: DtId,
    pub id: String,
    pub sub_question: String,
    pub strikes: Vec<Strike>,
    pub working_hypothesis: Option<String>,
    pub escalate_to: String,
}

/// A finding or gap that is rejected for its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misshapen {
    /// As handed in, or `#n` (1-based) where there is none to read.
    pub id: String,
    pub detail: String,
    /// The sub-question of the mission that it names, if it names one.
    pub dt: Option<DtId>,
}

const KEYS: [&str; 5] = ["branch_id", "findings", "gaps", "ruled_out", "telemetry"];

/// Takes a return apart.
///
/// # Errors
/// What makes it invalid as a whole.
pub fn shape(value: Json, mission: &Mission) -> Result<ShapedReturn, InvalidShape> {
    let mut top = unwrap_return(value)?;
    let branch_id = top.get("branch_id").and_then(Json::as_integer);
    let invalid = |detail: String| InvalidShape { branch_id, detail };

    if let Some(missing) = KEYS.iter().find(|key| top.get(key).is_none()) {
        return Err(invalid(format!("key `{missing}` is missing")));
    }
    if let Some(unknown) = top.keys().find(|key| !KEYS.contains(key)) {
        return Err(invalid(format!("unknown key `{}`", shorten(unknown))));
    }
    let branch = branch_id
        .and_then(|id| u32::try_from(id).ok())
        .filter(|id| *id >= 1)
        .map(BranchId)
        .ok_or_else(|| invalid("`branch_id` must be a whole number from 1".to_owned()))?;
    let mut list = |key: &str, max: usize| match top.take(key) {
        Some(Json::List(items)) if items.len() <= max => Ok(items),
        Some(Json::List(items)) => Err(invalid(format!("{} {key}, more than the {max} of a return", items.len()))),
        _ => Err(invalid(format!("`{key}` must be a list"))),
    };
    let findings = list("findings", RETURN_FINDINGS_MAX)?;
    let gaps = list("gaps", RETURN_GAPS_MAX)?;
    let ruled_out = list("ruled_out", usize::MAX)?;
    let ruled_out = texts(ruled_out).ok_or_else(|| invalid("`ruled_out` must be a list of texts".to_owned()))?;
    let count = |key: &str| {
        let Some(Json::Map(telemetry)) = top.get("telemetry") else {
            return Err(invalid("`telemetry` must be an object".to_owned()));
        };
        telemetry
            .get(key)
            .and_then(Json::as_whole)
            .ok_or_else(|| invalid(format!("`telemetry.{key}` must be a whole number from 0")))
    };
    let telemetry = ReturnTelemetry { tokens_used: count("tokens_used")?, tool_calls: count("tool_calls")? };

    let anchors: usize = findings.iter().map(anchor_count).sum();
    if anchors > RETURN_ANCHORS_MAX {
        return Err(invalid(format!("{anchors} anchors, more than the {RETURN_ANCHORS_MAX} of a return")));
    }

    let mut ids = FxHashSet::default();
    let findings =
        findings.into_iter().enumerate().map(|(at, finding)| shape_finding(finding, at, mission, &mut ids)).collect();
    let gaps = gaps.into_iter().enumerate().map(|(at, gap)| shape_gap(gap, at, mission)).collect();
    Ok(ShapedReturn { branch, findings, gaps, ruled_out, telemetry })
}

fn anchor_count(finding: &Json) -> usize {
    match finding {
        Json::Map(fields) => match fields.get("evidence") {
            Some(Json::List(anchors)) => anchors.len(),
            _ => 0,
        },
        _ => 0,
    }
}

/// The object itself, bare or as the sole value of `return`.
fn unwrap_return(value: Json) -> Result<Fields, InvalidShape> {
    let bad = |detail: &str| InvalidShape { branch_id: None, detail: detail.to_owned() };
    let Json::Map(mut top) = value else { return Err(bad("a return must be an object")) };
    if top.len() == 1
        && let Some(inner) = top.take("return")
    {
        let Json::Map(inner) = inner else { return Err(bad("`return` must be an object")) };
        return Ok(inner);
    }
    Ok(top)
}

fn shape_finding(
    value: Json,
    at: usize,
    mission: &Mission,
    ids: &mut FxHashSet<String>,
) -> Result<ShapedFinding, Misshapen> {
    let Json::Map(mut finding) = value else {
        return Err(Misshapen { id: position(at), detail: "a finding must be an object".to_owned(), dt: None });
    };
    let dt = dt_of(finding.get("supports_decision"), mission);
    let shown = finding.get("id").and_then(Json::as_text).map_or_else(|| position(at), shorten);
    let bad = |detail: String| Misshapen { id: shown.clone(), detail, dt };

    let id = finding.take_text("id").filter(|id| is_finding_id(id));
    let id = id.ok_or_else(|| bad("`id` must be `FINDING-` and at least three digits".to_owned()))?;
    if ids.contains(&id) {
        return Err(bad("`id` is that of an earlier finding of the return".to_owned()));
    }
    let claim = finding.take_text("claim").ok_or_else(|| bad("`claim` must be a text".to_owned()))?;
    let chars = claim.chars().count();
    if !CLAIM_CHARS.contains(&chars) {
        let (min, max) = (CLAIM_CHARS.start(), CLAIM_CHARS.end());
        return Err(bad(format!("`claim` has {chars} characters, not {min} to {max}")));
    }
    let tier = finding.get("confidence").and_then(Json::as_text).and_then(Tier::parse);
    let tier = tier.ok_or_else(|| bad("`confidence` must be H, M or L".to_owned()))?;
    let supports = dt.ok_or_else(|| bad("`supports_decision` must be a `DT-n` of the mission".to_owned()))?;
    let assertion = match finding.take("assertion") {
        None | Some(Json::Null) => None,
        Some(assertion) => Some(shape_assertion(assertion).map_err(|detail| bad(detail.to_owned()))?),
    };
    let ruled_out = match finding.take("ruled_out") {
        None | Some(Json::Null) => Some(Vec::new()),
        Some(Json::List(items)) => texts(items),
        Some(_) => None,
    };
    let ruled_out = ruled_out.ok_or_else(|| bad("`ruled_out` must be a list of texts".to_owned()))?;
    let Some(Json::List(evidence)) = finding.take("evidence") else {
        return Err(bad("`evidence` must be a list".to_owned()));
    };
    if evidence.is_empty() {
        return Err(bad("`evidence` must hold at least one anchor".to_owned()));
    }
    let evidence = evidence
        .into_iter()
        .enumerate()
        .map(|(at, anchor)| shape_anchor(anchor).map_err(|detail| bad(format!("anchor {}: {detail}", at + 1))))
        .collect::<Result<_, _>>()?;
    ids.insert(id.clone());
    Ok(ShapedFinding { id, claim, assertion, evidence, ruled_out, tier, supports })
}

fn shape_assertion(value: Json) -> Result<Assertion, &'static str> {
    let Json::Map(mut assertion) = value else { return Err("`assertion` must be an object") };
    let mut text = |key: &str| assertion.take_text(key).filter(|text| !text.trim().is_empty());
    let (Some(subject), Some(relation), Some(object)) = (text("subject"), text("relation"), text("object")) else {
        return Err("`assertion` must have `subject`, `relation` and `object`, each a text");
    };
    let flag = |key: &str, absent: bool| match assertion.get(key) {
        None | Some(Json::Null) => Some(absent),
        Some(Json::Bool(value)) => Some(*value),
        Some(_) => None,
    };
    let (Some(polarity), Some(exclusive)) = (flag("polarity", true), flag("exclusive", false)) else {
        return Err("`polarity` and `exclusive` of `assertion` must be true or false");
    };
    Ok(Assertion { subject, relation, object, polarity, exclusive })
}

fn shape_anchor(value: Json) -> Result<ShapedAnchor, &'static str> {
    let Json::Map(mut anchor) = value else { return Err("an anchor must be an object") };
    let path = anchor.take_text("path").ok_or("`path` must be a text")?;
    let (start, end) = anchor.get("lines").and_then(line_numbers).ok_or("`lines` must be `a-b` or `a`")?;
    let excerpt_ref = match anchor.take("excerpt_ref") {
        None | Some(Json::Null) => None,
        Some(Json::Text(text)) => Some(text),
        Some(_) => return Err("`excerpt_ref` must be a text"),
    };
    Ok(ShapedAnchor { path, start, end, excerpt_ref })
}

/// `a-b`, `a` or an integer; what is too large for a line number saturates and fails later, as a
/// line that no file has, and a negative integer likewise.
fn line_numbers(value: &Json) -> Option<(u64, u64)> {
    let digits = |text: &str| {
        let ok = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        ok.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match value {
        Json::Whole(line) => Some((*line, *line)),
        Json::Negative(_) => Some((0, 0)),
        Json::Text(text) => match text.split_once('-') {
            Some((start, end)) => Some((digits(start)?, digits(end)?)),
            None => digits(text).map(|line| (line, line)),
        },
        Json::Null | Json::Bool(_) | Json::Fraction | Json::List(_) | Json::Map(_) => None,
    }
}

/// A gap is kept if it names a sub-question of the mission; what is missing or odd in the rest of
/// it is left empty, since a gap that is half told is better than none.
fn shape_gap(value: Json, at: usize, mission: &Mission) -> Result<ShapedGap, Misshapen> {
    let Json::Map(mut gap) = value else {
        return Err(Misshapen { id: position(at), detail: "a gap must be an object".to_owned(), dt: None });
    };
    let id = gap.get("id").and_then(Json::as_text).map_or_else(|| position(at), shorten);
    let sub_question = gap.take_text("sub_question");
    let dt = sub_question.as_deref().and_then(DtId::leading).filter(|dt| mission.has(*dt));
    let (Some(sub_question), Some(dt)) = (sub_question, dt) else {
        let detail = "`sub_question` of a gap must start with a `DT-n` of the mission".to_owned();
        return Err(Misshapen { id, detail, dt: None });
    };
    let strikes = match gap.take("strikes") {
        Some(Json::List(strikes)) => strikes.into_iter().filter_map(shape_strike).collect(),
        _ => Vec::new(),
    };
    let working_hypothesis = gap.take_text("working_hypothesis");
    let escalate_to = gap.take_text("escalate_to").unwrap_or_else(|| mission.handoff_recipients.primary.clone());
    Ok(ShapedGap { dt, id, sub_question, strikes, working_hypothesis, escalate_to })
}

fn shape_strike(value: Json) -> Option<Strike> {
    match value {
        Json::Text(probe) => Some(Strike { probe, result: String::new() }),
        Json::Map(mut strike) => {
            let probe = strike.take_text("probe");
            let result = strike.take_text("result");
            (probe.is_some() || result.is_some())
                .then(|| Strike { probe: probe.unwrap_or_default(), result: result.unwrap_or_default() })
        }
        Json::Null | Json::Bool(_) | Json::Whole(_) | Json::Negative(_) | Json::Fraction | Json::List(_) => None,
    }
}

fn texts(items: Vec<Json>) -> Option<Vec<String>> {
    items
        .into_iter()
        .map(|item| match item {
            Json::Text(text) => Some(text),
            _ => None,
        })
        .collect()
}

fn is_finding_id(text: &str) -> bool {
    text.strip_prefix("FINDING-")
        .is_some_and(|digits| digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn dt_of(value: Option<&Json>, mission: &Mission) -> Option<DtId> {
    value.and_then(Json::as_text).and_then(|text| DtId::parse(text).ok()).filter(|dt| mission.has(*dt))
}

fn position(at: usize) -> String {
    format!("#{}", at + 1)
}

/// Strangers' ids and keys are shown, but not at any length.
fn shorten(text: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 100;
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}
