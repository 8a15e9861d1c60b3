//! How gathering grows: `cargo run --release -p atlas-gather --example scale`.
//!
//! Prints one line a run: findings, matching pairs a finding, seconds, resident memory at its peak.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use atlas_artifact::Mission;
use atlas_gather::{GatherInput, ReturnInput, gather};
use atlas_tree::MemTree;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Instant;

/// Lines of each file of the tree.
const LINES: u32 = 2_000;

fn main() {
    let only = std::env::args().nth(1);
    for (name, findings, files, length) in [
        ("sparse", 25_000, 5, 16),
        ("sparse", 50_000, 10, 16),
        ("sparse", 100_000, 20, 16),
        ("sparse", 200_000, 40, 16),
        ("clique", 100_000, 1, LINES),
        ("heavy", 100_000, 20, 100),
        ("heavier", 100_000, 2, 60),
    ] {
        if only.as_deref().is_none_or(|only| only == name) {
            measure(name, findings, files, length);
        }
    }
}

fn measure(name: &str, findings: u32, files: u32, length: u32) {
    let text: String = (1..=LINES).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "    x = g{n}(x)");
        text
    });
    let tree = MemTree::new((0..files).map(|n| (format!("src/m{n}.py"), text.clone())));
    let mission = mission();
    let mut random = Random(7);
    let mut matches = vec![0u64; (files * LINES + 2) as usize];
    let returns: Vec<ReturnInput> = (1..=5)
        .map(|branch| {
            // Written as text, so that the heap is as a program's that has just read its input.
            let mut text = format!("{{\"branch_id\": {branch}, \"findings\": [");
            for n in 0..findings / 5 {
                let (file, long) = (random.below(files), 1 + random.below(length.min(LINES)));
                let (start, long) =
                    if name == "clique" { (1, long) } else { (1 + random.below(LINES - long + 1), long) };
                for line in start..start + long {
                    matches[(file * LINES + line) as usize] += 1;
                }
                text += if n > 0 { ", " } else { "" };
                finding(&mut text, n, &format!("src/m{file}.py"), start, start + long - 1, &mut random);
            }
            text += r#"], "gaps": [], "ruled_out": [], "telemetry": {"tokens_used": 1, "tool_calls": 1}}"#;
            ReturnInput::Bytes(text.into_bytes())
        })
        .collect();
    // Findings on a line, on average over findings: near the number of matches while ranges are short.
    let crowd = matches.iter().map(|n| n * n).sum::<u64>() as f64 / matches.iter().sum::<u64>() as f64;
    let (before, cpu_before) = (Instant::now(), cpu_seconds());
    let out = gather(GatherInput::new(&mission, &tree, returns));
    let (seconds, cpu) = (before.elapsed().as_secs_f64(), cpu_seconds() - cpu_before);
    println!(
        "{name:8} | findings {findings:7} | on a line {crowd:9.1} | out {:6} | disputed {:5} | {seconds:7.2} s, {cpu:6.2} s of CPU | peak {} MiB",
        out.findings.len(),
        out.telemetry.disputed,
        peak_mib()
    );
}

fn finding(out: &mut String, n: u32, path: &str, start: u32, end: u32, random: &mut Random) {
    const WORDS: [&str; 20] = [
        "audit", "cache", "checks", "commit", "during", "each", "for", "handler", "log", "policy", "public", "retry",
        "route", "session", "the", "with", "and", "writes", "table", "lock",
    ];
    let _ = write!(out, r#"{{"id": "FINDING-{:03}", "claim": "`f{}_{}`"#, n + 1, n % 7, n % 131);
    for _ in 0..4 + random.below(9) {
        let _ = write!(out, " {}", WORDS[random.below(WORDS.len() as u32) as usize]);
    }
    let (tier, dt) = (["H", "M", "L"][random.below(3) as usize], 1 + random.below(3));
    let _ = write!(
        out,
        r#".", "evidence": [{{"path": "{path}", "lines": "{start}-{end}"}}], "ruled_out": ["nothing"], "confidence": "{tier}", "supports_decision": "DT-{dt}""#
    );
    if random.below(2) == 0 {
        let (class, function, table) = (random.below(50), random.below(50), random.below(100));
        let _ = write!(
            out,
            r#", "assertion": {{"subject": "C{class}.f{function}", "relation": "writes", "object": "t{table}", "polarity": {}}}"#,
            random.below(10) > 0
        );
    }
    out.push('}');
}

fn mission() -> Mission {
    let questions: Vec<Value> =
        (1..=3).map(|n| json!({"id": format!("DT-{n}"), "text": "What is written, and where?"})).collect();
    serde_json::from_value(json!({
        "mission_id": "20260101-001", "created": "2026-01-01T00:00:00Z", "goal": "Measure how gathering grows",
        "decision_target": "How does gathering grow with its input?", "sub_questions": questions, "scope": {"include": ["**"]},
        "budget": {"max_tool_calls": 1, "max_tokens_input": 1000, "max_wall_clock_s": 10, "max_subagents": 0, "max_recursion_depth": 0},
        "handoff_recipients": {"primary": "human", "fallback": "human"}
    }))
    .expect("a mission")
}

/// Time on the processor so far, where the system tells.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Resident memory at its peak so far, where the system tells.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// A small generator of numbers (xorshift); the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % u64::from(bound)) as u32
    }
}
