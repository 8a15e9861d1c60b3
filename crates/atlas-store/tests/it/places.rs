//! Default places.

use atlas_artifact::MissionId;
use atlas_store::{Directories, StoreError, repository_folder};
use std::ffi::OsString;
use std::path::Path;

fn directories(vars: &[(&str, &str)]) -> Directories {
    Directories::from_env(|name| vars.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value)))
}

#[test]
#[cfg(target_os = "linux")]
fn missions_and_cache_have_their_places() {
    let id = MissionId::parse("20260101-001").unwrap();
    let root = Path::new("/src/my app");
    let folder = repository_folder(root);
    let home = directories(&[("HOME", "/home/ada")]);
    assert_eq!(
        home.mission(root, &id).unwrap(),
        Path::new("/home/ada/.local/share/atlas").join(&folder).join("20260101-001")
    );
    assert_eq!(home.cache(root), Some(Path::new("/home/ada/.cache/atlas").join(&folder)));
    let xdg = directories(&[("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data"), ("XDG_CACHE_HOME", "relative")]);
    assert_eq!(xdg.missions(root).unwrap(), Path::new("/data/atlas").join(&folder));
    assert_eq!(xdg.cache(root), Some(Path::new("/home/ada/.cache/atlas").join(&folder)));
}

#[test]
fn without_a_home_the_way_out_is_named() {
    let none = directories(&[("HOME", "not/absolute")]);
    let error = none.missions(Path::new("/src/app")).unwrap_err();
    assert_eq!(error, StoreError::NoHome);
    assert_eq!(error.hint(), Some("name a folder with `--out`"));
    assert_eq!(none.cache(Path::new("/src/app")), None);
}

#[test]
fn folders_are_named_in_plain_characters_and_told_apart() {
    let name = |path: &str| {
        let folder = repository_folder(Path::new(path));
        let (name, hash) = folder.rsplit_once('-').unwrap();
        assert_eq!(hash.len(), 12);
        name.to_owned()
    };
    assert_eq!(name("/src/my app"), "my-app");
    assert_eq!(name("/src/app/.git"), "app");
    assert_eq!(name("/src/..hidden"), "hidden");
    assert_eq!(name("/"), "repository");
    assert_eq!(name("/src/名前"), "repository");
    assert_eq!(name(&format!("/src/{}", "n".repeat(200))), "n".repeat(40));
    assert_ne!(repository_folder(Path::new("/a/app")), repository_folder(Path::new("/b/app")));
}

#[test]
fn missions_of_a_day_are_numbered() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().to_str().unwrap();
    let directories = directories(&[("XDG_DATA_HOME", data)]);
    let root = Path::new("/src/app");
    let next = |day: &str| directories.next_mission(root, day).unwrap().0.as_str().to_owned();
    assert_eq!(next("20260101"), "20260101-001");
    assert_eq!(next("20260101"), "20260101-002");
    assert_eq!(next("20260102"), "20260102-001");
    std::fs::create_dir(directories.missions(root).unwrap().join("20260101-998")).unwrap();
    assert_eq!(next("20260101"), "20260101-999");
    assert_eq!(next("20260101"), "20260101-1000");
    let ids: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| next("20260103"))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 8);
}
