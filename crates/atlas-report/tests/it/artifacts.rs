//! Markdown forms of whole artifacts, and that what is written is what the schemas publish.

use crate::sample::sample;
use crate::support::{any_findings, hostile, sample as small};
use atlas_artifact::{FoldOutcome, MapGap, SkipReason, schema};
use atlas_report::{envelope, findings_md, fold, fold_md, map_md, mission_md, report, report_md};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde::Serialize;

#[test]
fn a_map_reads_as_it_should() {
    let mut map = crate::support::map();
    map.gaps = vec![MapGap { path: "a|b`c.py".into(), reason: SkipReason::SyntaxError, detail: "line 3".into() }];
    insta::assert_snapshot!(map_md(&map), @r#"
    # Map of mission 20260101-001

    - commit: `4f2a9c1`
    - files of the surface: 0
    - definitions: 0
    - edges: 0
    - references without a candidate: 17
    - analyses: EXTRACTED and INFERRED edges

    ## Roots (1)

    | kind | place | name | route | rule |
    | --- | --- | --- | --- | --- |
    | http_route | `src/web/routes.py:12` | `login` | `POST /login` | flask |

    ## Modules (2)

    | module | files | lines | centrality |
    | --- | --- | --- | --- |
    | `src/audit` | 4 | 310 | 0.4100 |
    | `src/web` | 9 | 1204 | 0.3000 |

    ## Heat (1)

    | file | commits | authors |
    | --- | --- | --- |
    | `src/web/routes.py` | 14 | 3 |

    ## Gaps (1)

    | file | reason | detail |
    | --- | --- | --- |
    | `"a\u007cb\u0060c.py"` | syntax-error | line 3 |
    "#);
}

#[test]
fn findings_read_as_they_should() {
    let (_, _, mut findings) = small();
    findings.findings[0].ruled_out = vec!["no other *writer*".into()];
    findings.ruled_out = findings.findings[0].ruled_out.clone();
    insta::assert_snapshot!(findings_md(&findings), @r#"
    # Findings of mission 20260101-001

    `scatter | branches: 3 | fan_out_ratio: 1.12 | dedup_count: 2 | disputed: 1 | tool_calls: 61`

    ## FINDING-001 — H (established), DT-1

    `record` in src/audit/log.py:12 is called by 3 functions in 2 modules.

    - `src/audit/log.py:12-20` · `memex://excerpt/0000000000000000000000000000000000000000000000000000000000000000`
    - `src/web/routes.py:31-31` · `memex://excerpt/0000000000000000000000000000000000000000000000000000000000000000`
    - `src/web/routes.py:77-77` · `memex://excerpt/0000000000000000000000000000000000000000000000000000000000000000`
    - ruled out: no other \*writer\*
    - origin: branch 1 FINDING-001

    ## FINDING-002 — M (by one inference), DT-1

    `flush` reaches the table through `record`.

    - `src/audit/flush.py:5-9` · `memex://excerpt/0000000000000000000000000000000000000000000000000000000000000000`
    - origin: branch 1 FINDING-002

    ## FINDING-003 — L (disputed), DT-1

    [DISPUTED] `purge` writes the log. ⟂ `purge` never writes the log.

    - `src/audit/log.py:40-44` · `memex://excerpt/0000000000000000000000000000000000000000000000000000000000000000`
    - claim (H, branch 1 FINDING-002): `purge` writes the log.
    - claim (M, branch 2 FINDING-001): `purge` never writes the log.
    - follow-up: Which holds? by `view_file {"path":"src/audit/log.py","start_line":40,"end_line":44}`
    - origin: branch 1 FINDING-003

    ## Gaps

    ### GAP-001 — DT-2

    nothing was found

    - escalate to: human

    ## Ruled out

    - no other \*writer\*
    "#);
}

#[test]
fn a_long_table_is_cut_and_says_so() {
    let mut map = crate::support::map();
    map.heat = vec![map.heat[0].clone(); 1_000];
    let text = map_md(&map);
    assert!(text.contains("\n800 more stand in `map.json`.\n"));
    assert!(text.lines().count() < 300);
}

fn objections(name: &str, value: &impl Serialize) -> Vec<String> {
    let validator = jsonschema::validator_for(&schema(name).unwrap()).unwrap();
    let value = serde_json::to_value(value).unwrap();
    validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn every_artifact_is_valid_against_its_schema() {
    let sample = sample();
    let outcome = fold(&sample.mission, &sample.map, &sample.findings);
    let FoldOutcome::Fits(fold) = &outcome else { panic!() };
    let report = report(&sample.mission, &sample.map, &sample.findings, fold);
    let none = Vec::<String>::new();
    assert_eq!(objections("mission", &sample.mission), none);
    assert_eq!(objections("map", &sample.map), none);
    assert_eq!(objections("plan", &sample.plan), none);
    assert_eq!(objections("findings", &sample.findings), none);
    assert_eq!(objections("fold", &outcome), none);
    assert_eq!(objections("report", &report), none);
    assert_eq!(objections("envelope", &envelope(&sample.mission, report_md(&report).as_bytes())), none);
}

/// The headings, and how many tables, lists and code blocks there are; raw HTML is an error.
fn shape(markdown: &str) -> Result<(Vec<String>, [usize; 3]), String> {
    let mut headings = Vec::new();
    let mut counts = [0; 3];
    let mut in_heading = false;
    for event in Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                in_heading = true;
                headings.push(String::new());
            }
            Event::End(pulldown_cmark::TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Table(_)) => counts[0] += 1,
            Event::Start(Tag::List(_)) => counts[1] += 1,
            Event::Start(Tag::CodeBlock(_)) => counts[2] += 1,
            Event::Html(html) | Event::InlineHtml(html) => return Err(html.to_string()),
            Event::Start(
                Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis | Tag::Strikethrough | Tag::BlockQuote(Some(_)),
            ) => return Err(format!("{event:?}")),
            Event::Text(text) if in_heading => {
                if let Some(heading) = headings.last_mut() {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    Ok((headings, counts))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn hostile_text_leaves_every_document_in_shape(findings in any_findings(8), words in hostile()) {
        let calm = sample();
        let mut wild = sample();
        wild.mission.goal = words.clone();
        wild.mission.stop_conditions[0].description = words.clone();
        wild.map.modules[0].path = words.clone();
        wild.map.roots[0].name = words.clone();
        wild.findings.findings[0].claim = words.clone();
        wild.findings.findings[1].claims[0].text = words.clone();
        wild.findings.gaps[0].text = Some(format!("DT-4 — {words}"));
        wild.findings.gaps[0].strikes[0].probe = words.clone();
        wild.findings.rejected[0].detail = words.clone();
        wild.findings.ruled_out[0] = words;
        prop_assert_eq!(shape(&map_md(&wild.map)), shape(&map_md(&calm.map)));
        let (headings, counts) = shape(&findings_md(&wild.findings)).unwrap();
        let (wanted, calm_counts) = shape(&findings_md(&calm.findings)).unwrap();
        prop_assert_eq!((headings.len(), counts), (wanted.len(), calm_counts));
        prop_assert_eq!(shape(&mission_md(&wild.mission)), shape(&mission_md(&calm.mission)));
        let both = [&calm, &wild].map(|sample| {
            let outcome = fold(&sample.mission, &sample.map, &sample.findings);
            let FoldOutcome::Fits(fold) = &outcome else { panic!("the sample fits") };
            let report = report(&sample.mission, &sample.map, &sample.findings, fold);
            (shape(&fold_md(&outcome)).unwrap(), shape(&report_md(&report)).unwrap().0)
        });
        prop_assert_eq!(&both[0], &both[1]);
        // Whatever the findings are, their document parses without raw HTML, links or pictures.
        prop_assert!(shape(&findings_md(&findings)).is_ok());
    }
}
