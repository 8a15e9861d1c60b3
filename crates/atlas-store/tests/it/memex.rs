//! Excerpts.

use atlas_store::{Inside, Memex, MissionFolder, StoreError};
use atlas_tree::sha256;

#[test]
fn excerpts_come_back_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let memex = Memex::in_mission(dir.path());
    for bytes in [&b""[..], b"def a():\r\n", b"\0\xff\xfe", &[7; 100_000]] {
        assert_eq!(memex.get(&sha256(bytes)), Ok(None));
        let digest = memex.put(bytes).unwrap();
        assert_eq!(digest, sha256(bytes));
        assert_eq!(memex.get(&digest), Ok(Some(bytes.to_vec())));
        assert_eq!(memex.put(bytes), Ok(digest));
    }
    assert_eq!(std::fs::read_dir(dir.path().join("memex")).unwrap().count(), 4);
}

#[test]
fn a_damaged_excerpt_is_told_of_and_mended_by_storing_it_again() {
    let dir = tempfile::tempdir().unwrap();
    let memex = Memex::in_mission(dir.path());
    let digest = memex.put(b"the bytes").unwrap();
    let path = dir.path().join("memex").join(digest.to_string());
    for damage in [&b"the byteS"[..], b"the", b""] {
        std::fs::write(&path, damage).unwrap();
        let cause = "its bytes do not have its digest".to_owned();
        assert_eq!(memex.get(&digest), Err(StoreError::Corrupt { path: path.clone(), cause }));
        memex.put(b"the bytes").unwrap();
        assert_eq!(memex.get(&digest), Ok(Some(b"the bytes".to_vec())));
    }
}

#[test]
fn a_mission_keeps_its_excerpts() {
    let dir = tempfile::tempdir().unwrap();
    let digest = MissionFolder::open(dir.path(), Inside::No).unwrap().memex().put(b"x").unwrap();
    let again = MissionFolder::open(dir.path(), Inside::No).unwrap();
    assert_eq!(again.memex().get(&digest), Ok(Some(b"x".to_vec())));
}
