//! `atlas init` in homes of its own: what it writes, that it writes it once, and that it comes out again.

use crate::{atlas, repo, stderr, stdout};
use serde_json::{Value, json};
use std::path::Path;

const HOSTS: [(&str, &str, &str, &str); 6] = [
    ("claude-code", ".claude.json", "mcpServers", ".claude/skills/atlas-scatter/SKILL.md"),
    ("codex", ".codex/config.toml", "mcp_servers", ".codex/skills/atlas-scatter/SKILL.md"),
    ("cursor", ".cursor/mcp.json", "mcpServers", ".cursor/skills/atlas-scatter/SKILL.md"),
    ("vscode", ".config/Code/User/mcp.json", "servers", ".copilot/skills/atlas-scatter/SKILL.md"),
    ("opencode", ".config/opencode/opencode.json", "mcp", ".config/opencode/skills/atlas-scatter/SKILL.md"),
    ("gemini", ".gemini/settings.json", "mcpServers", ".gemini/skills/atlas-scatter/SKILL.md"),
];

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn every_host_is_wired_once_and_unwired_to_the_byte() {
    for (host, config, section, skill) in HOSTS {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(config);
        let theirs = match host {
            "codex" => "model = \"x\"\n\n[mcp_servers.toy]\ncommand = \"toy\"\n".to_owned(),
            _ => format!(
                "{{\n    \"theme\": \"dark\",\n    \"{section}\": {{ \"toy\": {{\"command\": \"toy\"}} }}\n}}\n"
            ),
        };
        write(&path, &theirs);
        let shown = atlas(home.path(), &["init", host, "--dry-run"]);
        assert_eq!(shown.status.code(), Some(0), "{host}: {}", stderr(&shown));
        assert!(stdout(&shown).contains("+++") && stdout(&shown).contains("serve"), "{}", stdout(&shown));
        assert_eq!(read(&path), theirs, "a dry run writes nothing");
        assert!(atlas(home.path(), &["init", host]).status.success());
        let once = read(&path);
        let whole: Value = if host == "codex" {
            assert!(once.starts_with(&theirs) && once.contains("[mcp_servers.atlas]\n"), "{once}");
            json!({ section: { "atlas": { "args": ["serve", "--missions"] }, "toy": { "command": "toy" } } })
        } else {
            serde_json::from_str(&once).unwrap()
        };
        let entry = whole[section]["atlas"].to_string();
        assert!(entry.contains("serve") && entry.contains("--missions"), "{host}: {entry}");
        assert_eq!(whole[section]["toy"]["command"], "toy");
        let text = read(&home.path().join(skill));
        assert!(text.starts_with("---\nname: atlas-scatter\ndescription: "), "{text}");
        let again = atlas(home.path(), &["init", host]);
        assert_eq!((stdout(&again), read(&path)), ("nothing to change\n", once), "{host}");
        assert!(atlas(home.path(), &["init", host, "--undo"]).status.success());
        assert_eq!(read(&path), theirs, "{host}");
        assert!(!home.path().join(skill).exists());
        assert_eq!(stdout(&atlas(home.path(), &["init", host, "--undo"])), "nothing to change\n");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn where_there_was_nothing_nothing_is_left() {
    for (host, config, _, skill) in HOSTS {
        let home = tempfile::tempdir().unwrap();
        assert!(atlas(home.path(), &["init", host]).status.success());
        assert!(home.path().join(config).exists() && home.path().join(skill).exists(), "{host}");
        assert!(atlas(home.path(), &["init", host, "--undo"]).status.success());
        assert!(!home.path().join(config).exists() && !home.path().join(skill).exists(), "{host}");
    }
}

#[test]
fn what_somebody_else_wrote_is_not_touched() {
    let entry = "{\"mcpServers\": {\"atlas\": {\"command\": \"mine\", \"args\": [\"serve\"]}}}";
    for (text, said) in [(entry, "did not write"), ("{ // mine\n}", "not plain JSON"), ("[]", "shape")] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(".claude.json");
        write(&path, text);
        let output = atlas(home.path(), &["init", "claude-code"]);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(stderr(&output).contains(said) && stderr(&output).contains("hint:"), "{}", stderr(&output));
        assert_eq!(read(&path), text);
        assert!(!home.path().join(".claude/skills").exists(), "all or nothing");
    }
    let home = tempfile::tempdir().unwrap();
    assert!(atlas(home.path(), &["init", "claude-code"]).status.success());
    let skill = home.path().join(".claude/skills/atlas-scatter/SKILL.md");
    let changed = read(&skill).replace("read-only", "read-mostly");
    write(&skill, &changed);
    assert_eq!(atlas(home.path(), &["init", "claude-code", "--undo"]).status.code(), Some(3));
    assert_eq!(read(&skill), changed);
}

#[test]
fn a_repository_is_written_when_asked_and_said_so() {
    let (repo, home) = (repo(&crate::SMALL), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let output = atlas(home.path(), &["init", "claude-code", "--project", "--repo", at]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("in the repository"), "{}", stdout(&output));
    assert!(repo.path().join(".mcp.json").exists());
    assert!(std::fs::read_dir(home.path()).unwrap().next().is_none(), "the home stays as it was");
    assert!(atlas(home.path(), &["init", "claude-code", "--project", "--undo", "--repo", at]).status.success());
    assert!(
        !repo.path().join(".mcp.json").exists() && !repo.path().join(".claude/skills").join("atlas-scatter").exists()
    );
    let generic = atlas(home.path(), &["init", "generic"]);
    let (entry, skill) = stdout(&generic).split_once("\n\n").unwrap();
    let entry: Value = serde_json::from_str(entry).unwrap();
    assert_eq!(entry["mcpServers"]["atlas"]["args"], json!(["serve", "--missions"]));
    assert!(skill.starts_with("---\nname: atlas-scatter"));
}
