//! Trees with everything wrong in them (contract §16): no panic, gaps listed, done.

use crate::support::{mission, open};
use atlas_engine::{ScoutOptions, Silent, scout};

#[test]
fn a_tree_with_everything_wrong_is_scouted_with_its_gaps_listed() {
    let (repo, home, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let _built = atlas_testkit::nasty_tree(repo.path());
    let workspace = open(repo.path(), home.path());
    let options = ScoutOptions { out: Some(out.path().to_owned()), serial: false };
    let questions = ["Where is the deep nesting of brackets opened?", "Which function reads the minified line?"];
    let outcome = scout(&workspace, mission(&questions), &options, &Silent).unwrap();
    assert!(!outcome.map.gaps.is_empty());
    let reasons: std::collections::BTreeSet<String> =
        outcome.map.gaps.iter().map(|gap| serde_json::json!(gap.reason).as_str().unwrap().to_owned()).collect();
    for reason in ["binary", "not-utf8", "unreadable"] {
        assert!(reasons.contains(reason), "{reason} among {reasons:?}");
    }
}

#[test]
fn no_cache_is_written_into_the_repository_below_a_home_that_lies_in_it() {
    let repo = tempfile::tempdir().unwrap();
    std::fs::write(repo.path().join("a.py"), "def f(): pass\n").unwrap();
    crate::support::open(repo.path(), repo.path());
    let left: Vec<_> = std::fs::read_dir(repo.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["a.py"]);
}
