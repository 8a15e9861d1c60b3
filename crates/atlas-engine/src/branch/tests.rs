use super::*;
use atlas_store::{Inside, MissionFolder};
use serde_json::json;

fn open(dir: &std::path::Path) -> (MissionFolder, HandIn) {
    let folder = MissionFolder::open(dir, Inside::No).unwrap();
    let (journal, record) = folder.branch(1, "key").unwrap();
    let hand_in = HandIn::new(Arc::new(journal), &record);
    (folder, hand_in)
}

fn finding(id: &str, claim: &str) -> Value {
    json!({ "id": id, "claim": claim })
}

#[test]
fn what_was_handed_in_before_a_kill_stays_and_is_not_doubled() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, hand_in) = open(dir.path());
    hand_in.finding(finding("FINDING-001", "a")).unwrap();
    hand_in.finding(finding("FINDING-002", "b")).unwrap();
    // Killed: nothing closes the journal.
    drop((folder, hand_in));
    let (_folder, hand_in) = open(dir.path());
    assert_eq!(hand_in.count(), 2);
    // The next run finds one of them again, and something else under the other's name.
    hand_in.finding(finding("FINDING-001", "a")).unwrap();
    hand_in.finding(finding("FINDING-002", "c")).unwrap();
    assert_eq!(
        hand_in.close().unwrap(),
        [finding("FINDING-001", "a"), finding("FINDING-002", "b"), finding("FINDING-003", "c")]
    );
    let (_, record) = _folder.branch(1, "key").unwrap();
    assert_eq!(record.handed_in.len(), 3);
}

#[test]
fn a_double_id_of_one_run_is_left_for_the_check_to_reject() {
    let dir = tempfile::tempdir().unwrap();
    let (_folder, hand_in) = open(dir.path());
    for claim in ["a", "b"] {
        hand_in.finding(finding("FINDING-001", claim)).unwrap();
    }
    assert_eq!(hand_in.close().unwrap(), [finding("FINDING-001", "a"), finding("FINDING-001", "b")]);
}

#[test]
fn a_branch_left_behind_hands_nothing_in() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, hand_in) = open(dir.path());
    hand_in.finding(finding("FINDING-001", "a")).unwrap();
    assert_eq!(hand_in.close().unwrap().len(), 1);
    assert_eq!(hand_in.finding(finding("FINDING-002", "b")), Err(Closed));
    let (_, record) = folder.branch(1, "key").unwrap();
    assert_eq!(record.handed_in, [finding("FINDING-001", "a")]);
}
