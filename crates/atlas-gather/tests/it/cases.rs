//! The contract cases: every field that `expected` holds must match exactly.

use crate::support::Definitions;
use atlas_artifact::Mission;
use atlas_gather::{GatherInput, ReturnInput, gather};
use atlas_tree::MemTree;
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn every_contract_case_gathers_as_expected() {
    let mut ran = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("gather-") {
            continue;
        }
        let case: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        check(&name, &case);
        ran += 1;
    }
    assert_eq!(ran, 30);
}

fn check(name: &str, case: &Value) {
    let files =
        || case["files"].as_object().unwrap().iter().map(|(path, text)| (path.as_str(), text.as_str().unwrap()));
    let tree = MemTree::new(files());
    let index = Definitions::of(files().map(|(_, text)| text));
    let mission: Mission = serde_json::from_value(case["mission"].clone()).unwrap();
    let returns = case["returns"].as_array().unwrap();
    let returns = returns.iter().map(|one| ReturnInput::Bytes(serde_json::to_vec(one).unwrap())).collect();
    let got = gather(GatherInput { index: &index, ..GatherInput::new(&mission, &tree, returns) });
    let got = serde_json::to_value(&got).unwrap();
    for (key, wanted) in case["expected"].as_object().unwrap() {
        compare(&format!("{name}: {key}"), key, wanted, &got[key]);
    }
}

fn compare(at: &str, key: &str, wanted: &Value, got: &Value) {
    match (wanted, got) {
        (Value::Array(wanted), Value::Array(got)) if key == "ruled_out" || key == "rejected" => {
            let set = |items: &[Value]| -> BTreeSet<String> {
                items.iter().map(|item| without_detail(item).to_string()).collect()
            };
            assert_eq!(set(wanted), set(got), "{at}");
        }
        (Value::Array(wanted), Value::Array(got)) => {
            assert_eq!(wanted.len(), got.len(), "{at}: {got:#?}");
            for (n, (wanted, got)) in wanted.iter().zip(got).enumerate() {
                let got = if key == "also" || key == "claims" { &got["text"] } else { got };
                compare(&format!("{at}[{n}]"), "", wanted, got);
            }
        }
        (Value::Object(wanted), Value::Object(_)) => {
            for (key, wanted) in wanted {
                compare(&format!("{at}.{key}"), key, wanted, &got[key]);
            }
        }
        _ => assert_eq!(wanted, got, "{at}"),
    }
}

fn without_detail(item: &Value) -> Value {
    let mut item = item.clone();
    if let Some(entry) = item.as_object_mut() {
        entry.remove("detail");
    }
    item
}
