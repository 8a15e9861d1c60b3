//! The contract cases of this family.

use crate::linked::graph;
use atlas_graph::query::{Query, run};
use serde_json::Value;

#[test]
fn contract_cases() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../cases/graph.json")).unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let files: Vec<(&str, &str)> = case["files"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str().unwrap()))
            .collect();
        let graph = graph(&files);
        let answer = run(&graph, &Query::parse(case["query"].as_str().unwrap()).unwrap()).unwrap();
        let sites: Vec<String> = answer
            .edges
            .iter()
            .filter(|row| row.confidence != "AMBIGUOUS")
            .map(|row| format!("{}:{}", row.site.path, row.site.line))
            .collect();
        let list = |key: &str| -> Vec<String> {
            case[key].as_array().unwrap().iter().map(|site| site.as_str().unwrap().to_owned()).collect()
        };
        for site in list("sites") {
            assert!(sites.contains(&site), "{}: {site} is missing among {sites:?}", case["name"]);
        }
        for site in list("not_sites") {
            assert!(!sites.contains(&site), "{}: {site} must not be there", case["name"]);
        }
    }
}
