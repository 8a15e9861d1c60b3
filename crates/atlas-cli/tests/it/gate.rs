//! A gate that is closed stays closed, whatever the binary is told (contract §5).
//!
//! The options come from the binary's own help, and the environment variables from its own bytes, so
//! that one that is added later is tried as well.

use crate::{atlas, json, repo, stderr, stdout};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Two questions that have nothing to do with each other, over a surface that fits one context.
const QUESTIONS: [&str; 2] = ["Who calls `charge` in this shop?", "Where is the parcel weighed and labelled?"];

fn small() -> tempfile::TempDir {
    repo(&[
        ("pay/charge.py", "def charge(x):\n    return x\n"),
        ("pay/shop.py", "from pay.charge import charge\n\n\ndef buy():\n    return charge(1)\n"),
        (
            "post/parcel.py",
            "def weigh_parcel(parcel):\n    return parcel.weight\n\n\ndef label_parcel(parcel):\n    return weigh_parcel(parcel)\n",
        ),
    ])
}

/// The decision, if there is a plan at all.
fn decision(output: &std::process::Output) -> Option<String> {
    (output.status.code() == Some(0)).then(|| json(output)["gate"]["decision"].as_str().unwrap().to_owned())
}

/// Every long option that the help of `plan` and `scout` names.
fn options(home: &Path) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for command in ["plan", "scout"] {
        let help = atlas(home, &[command, "--help"]);
        for word in stdout(&help).split(|c: char| c.is_whitespace() || c == ',' || c == '=') {
            if word.starts_with("--") && word.len() > 2 {
                options.insert(word.to_owned());
            }
        }
    }
    options
}

#[test]
fn no_option_opens_a_closed_gate() {
    let (repo, home) = (small(), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let base = ["plan", "--repo", at, "--format", "json", QUESTIONS[0], QUESTIONS[1]];
    let plain = atlas(home.path(), &base);
    assert_eq!(decision(&plain).as_deref(), Some("serial"), "{}", stderr(&plain));
    // It is the surface alone that closes this gate.
    let flags: Vec<bool> =
        json(&plain)["gate"]["flags"].as_array().unwrap().iter().map(|flag| flag["pass"].as_bool().unwrap()).collect();
    assert_eq!(flags, [false, true, true], "{}", stdout(&plain));

    let options = options(home.path());
    assert!(options.contains("--serial") && options.contains("--include"), "{options:?}");
    let mut planned = 0;
    for option in options.iter().filter(|option| !["--help", "--version"].contains(&option.as_str())) {
        for value in [None, Some("1"), Some("**"), Some("prober")] {
            let mut args = base.to_vec();
            args.push(option);
            args.extend(value);
            let output = atlas(home.path(), &args);
            let decision = decision(&output);
            assert_ne!(decision.as_deref(), Some("scatter"), "{args:?}");
            planned += usize::from(decision.is_some());
        }
    }
    assert!(planned >= 6, "only {planned} of the command lines were understood");
    // Options that nobody has ever had are refused, not passed over.
    for option in ["--force", "--scatter", "--no-gate", "--gate=open", "--parallel", "--branches=5"] {
        let mut args = base.to_vec();
        args.push(option);
        assert_eq!(atlas(home.path(), &args).status.code(), Some(2), "{option}");
    }
}

#[test]
fn no_environment_variable_opens_a_closed_gate() {
    let (repo, home) = (small(), tempfile::tempdir().unwrap());
    let binary = std::fs::read(env!("CARGO_BIN_EXE_atlas")).unwrap();
    let mut names: BTreeSet<String> =
        ["ATLAS_FORCE", "ATLAS_SCATTER", "ATLAS_GATE", "ATLAS_SERIAL", "CI", "RAYON_NUM_THREADS"]
            .into_iter()
            .map(str::to_owned)
            .collect();
    for at in (0..binary.len()).filter(|&at| binary[at..].starts_with(b"ATLAS_")) {
        let name: Vec<u8> =
            binary[at..].iter().copied().take_while(|b| b.is_ascii_uppercase() || *b == b'_').take(40).collect();
        names.insert(String::from_utf8(name).unwrap().trim_end_matches('_').to_owned());
    }
    for value in ["0", "1", "open", "scatter"] {
        let output = Command::new(env!("CARGO_BIN_EXE_atlas"))
            .args(["plan", "--format", "json", QUESTIONS[0], QUESTIONS[1], "--repo"])
            .arg(repo.path())
            .env_clear()
            .env("HOME", home.path())
            .envs(names.iter().map(|name| (name.as_str(), value)))
            .output()
            .unwrap();
        assert_eq!(decision(&output).as_deref(), Some("serial"), "{names:?}={value} {}", stderr(&output));
    }
}

#[test]
fn no_field_of_a_mission_opens_a_closed_gate() {
    let (repo, home, files) = (small(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = repo.path().to_str().unwrap();
    let mission = |top: &str, budget: &str, question: &str| {
        format!(
            "mission_id: 20260101-001\ncreated: 2026-01-01T00:00:00Z\ngoal: Understand the shop and its parcels\n\
             decision_target: Who calls charge, and where is the parcel weighed?\nsub_questions:\n\
             - {{id: DT-1, text: '{}'{question}}}\n- {{id: DT-2, text: '{}'{question}}}\n\
             scope: {{include: ['**']}}\nbudget: {{max_tool_calls: 1000, max_tokens_input: 500000, max_wall_clock_s: 60, \
             max_subagents: 16, max_recursion_depth: 1{budget}}}\nstop_conditions: [{{id: SC-1, description: every sub-question has a finding or a gap}}]\n\
             handoff_recipients: {{primary: human, fallback: human}}\n{top}",
            QUESTIONS[0], QUESTIONS[1]
        )
    };
    let mut understood = 0;
    for (top, budget, question) in [
        ("", "", ""),
        ("gate: open\n", "", ""),
        ("force_scatter: true\n", "", ""),
        ("serial: false\n", "", ""),
        ("gate: {decision: scatter, flags: []}\n", "", ""),
        ("thresholds: {modules: 0, source_files: 0}\n", "", ""),
        ("surface: {modules: 900, source_files: 9000}\n", "", ""),
        ("escalation_triggers: []\n", "", ""),
        ("parent_mission_id: user\n", "", ""),
        ("", ", min_modules: 0", ""),
        ("", ", scatter: true", ""),
        ("", "", ", depends_on: []"),
        ("", "", ", scope: ['**']"),
        ("", "", ", group: 1"),
    ] {
        let path = files.path().join("mission.yaml");
        std::fs::write(&path, mission(top, budget, question)).unwrap();
        let output =
            atlas(home.path(), &["plan", "--repo", at, "--format", "json", "--mission", path.to_str().unwrap()]);
        match output.status.code() {
            Some(0) => {
                assert_eq!(decision(&output).as_deref(), Some("serial"), "{top}{budget}{question}");
                understood += 1;
            }
            Some(3) => assert!(stderr(&output).contains("refused"), "{}", stderr(&output)),
            other => panic!("{other:?} {}", stderr(&output)),
        }
    }
    assert!(understood >= 4, "{understood}");
    // A value is no way round either: none of the fields takes more than it may.
    let path = files.path().join("mission.yaml");
    std::fs::write(&path, mission("", "", "").replace("max_subagents: 16", "max_subagents: 17")).unwrap();
    let output = atlas(home.path(), &["plan", "--repo", at, "--mission", path.to_str().unwrap()]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(3), &b""[..]), "{}", stderr(&output));
}
