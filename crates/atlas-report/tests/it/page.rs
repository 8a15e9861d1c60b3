use crate::sample::{Sample, sample};
use crate::support::{any_finding, any_findings, hostile};
use atlas_report::{View, report_html};
use proptest::prelude::*;

fn page(sample: &Sample) -> String {
    sample.view(report_html)
}

/// With `ATLAS_PAGE=FILE` the sample's page is written there, to be looked at.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a developer's command in the guise of a test writes where it is told to"
)]
fn the_same_input_gives_the_same_page() {
    let first = page(&sample());
    assert_eq!(first, page(&sample()));
    if let Some(path) = std::env::var_os("ATLAS_PAGE") {
        std::fs::write(path, first).unwrap();
    }
}

#[test]
fn the_page_is_self_contained_and_allows_nothing() {
    let page = page(&sample());
    assert!(page.contains("default-src 'none'; style-src 'sha256-"));
    for banned in ["<script", "http://", "https://", "url(", "@import", "src=", " style=", "onclick", "<iframe", "<img"]
    {
        assert!(!page.contains(banned), "{banned}");
    }
}

#[test]
fn everything_of_the_mission_is_on_the_page() {
    let sample = sample();
    let page = page(&sample);
    for finding in &sample.findings.findings {
        assert!(page.contains(&format!("id=\"{}\"", finding.id)), "{}", finding.id);
    }
    for text in [
        "id=\"GAP-001\"",
        "def withdraw_vote(key):",
        "data-n=\"20\"",
        "INSERT INTO audit_log",
        "Working hypothesis, not established: the job lives in another repository",
        "no cron or Celery entry names <code>purge</code>",
        "past the deadline",
        "not probed: no sub-question has affinity above 0.05",
        "11 of 24</span><meter",
        "Rule <b>exclusive</b>",
        "src/web/routes.py has 24 lines, not 40",
    ] {
        assert!(page.contains(text), "{text}");
    }
    // Cut between C1 and C4: the weight of the edges between their files, both ways.
    assert!(page.contains(">12</text>"));
}

/// Tags in order, and whether each that opens also closes.
fn is_well_formed(page: &str) -> Result<(), String> {
    const VOID: [&str; 5] = ["meta", "wbr", "line", "rect", "circle"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = &page[page.find("<html").unwrap()..];
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').ok_or("an open tag")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default();
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop();
            if last != Some(name) {
                return Err(format!("</{name}> closes {last:?}"));
            }
        } else if name == "style" {
            rest = &rest[rest.find("</style>").unwrap() + 8..];
        } else if !VOID.contains(&name) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} stay open")) }
}

#[test]
fn a_page_without_plan_source_or_findings_stands() {
    let sample = sample();
    let findings = crate::support::findings(Vec::new(), Vec::new());
    let page = report_html(&View {
        mission: &sample.mission,
        map: &sample.map,
        plan: None,
        findings: &findings,
        branches: &[],
        excerpt: &|_| None,
    });
    is_well_formed(&page).unwrap();
    assert!(page.contains("<b>0</b> of 4 questions answered"));
    let full = sample.view(|view| report_html(&View { excerpt: &|_| None, ..*view }));
    assert!(full.contains("The lines are not there any more."));
}

#[test]
fn the_samples_page_is_well_formed() {
    is_well_formed(&page(&sample())).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn hostile_text_never_becomes_markup(
        findings in any_findings(6), extra in any_finding(999), words in hostile(), bytes in proptest::collection::vec(any::<u8>(), 0..200)
    ) {
        let mut sample = sample();
        sample.findings.findings.extend(findings.findings);
        sample.findings.findings.push(extra);
        sample.mission.goal = words.clone();
        sample.mission.sub_questions[0].text = words.clone();
        sample.plan.gate.reason = words.clone();
        sample.plan.clusters[0].modules = vec![words.clone()];
        sample.plan.clusters[1].globs = vec![words.clone()];
        sample.findings.gaps[0].working_hypothesis = Some(words.clone());
        sample.findings.ruled_out.push(words.clone());
        sample.branches[0].ended = words;
        let page = sample.view(|view| report_html(&View { excerpt: &|_| Some(bytes.clone()), ..*view }));
        let raw = page.contains(['\u{1b}', '\u{202e}']);
        prop_assert!(!raw);
        prop_assert_eq!(is_well_formed(&page), Ok(()));
    }
}
