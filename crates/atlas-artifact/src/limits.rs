//! Every number of the contract, each with its unit and section. Nothing else in the project
//! writes one of these numbers down.

/// §3 characters (Unicode scalar values) of a mission's goal.
pub const GOAL_CHARS: std::ops::RangeInclusive<usize> = 10..=300;
/// §3 characters of a mission's decision target.
pub const DECISION_TARGET_CHARS: std::ops::RangeInclusive<usize> = 20..=500;
/// §3 sub-questions of a mission.
pub const SUB_QUESTIONS: std::ops::RangeInclusive<usize> = 1..=12;
/// §3 characters of a sub-question, at least.
pub const SUB_QUESTION_CHARS_MIN: usize = 10;
/// §3 tool calls of a mission.
pub const TOOL_CALLS: std::ops::RangeInclusive<u64> = 1..=1000;
/// §3 input tokens of a mission.
pub const TOKENS_INPUT: std::ops::RangeInclusive<u64> = 1000..=500_000;
/// §3 wall clock of a mission, in seconds.
pub const WALL_CLOCK_S: std::ops::RangeInclusive<u64> = 10..=3600;
/// §3 sub-agents of a mission.
pub const SUBAGENTS: std::ops::RangeInclusive<u32> = 0..=16;
/// §3 recursion depth of a mission.
pub const RECURSION_DEPTH: std::ops::RangeInclusive<u32> = 0..=1;

/// §4 damping of PageRank.
pub const PAGERANK_DAMPING: f64 = 0.85;
/// §4 PageRank ends when the ranks change by less than this in total.
pub const PAGERANK_TOLERANCE: f64 = 1e-9;
/// §4 days of history that heat looks at, back from the newest commit.
pub const HEAT_WINDOW_DAYS: u32 = 90;

/// §5 the surface is large above this many modules …
pub const GATE_MODULES: usize = 5;
/// §5 … or above this many source files.
pub const GATE_SOURCE_FILES: usize = 25;
/// §5 disjoint groups of sub-questions, at least.
pub const GATE_GROUPS_MIN: usize = 2;
/// §5 tool calls that each branch must get, at least.
pub const GATE_SHARE_TOOL_CALLS_MIN: u64 = 8;
/// §5 input tokens that each branch must get, at least.
pub const GATE_SHARE_TOKENS_MIN: u64 = 4_000;
/// §5 footprints that share at least this much weight couple their sub-questions.
pub const COUPLING_OVERLAP: f64 = 0.5;

/// §6 clusters, at most; branches, at most.
pub const CLUSTERS_MAX: usize = 5;
/// §6 a remaining cluster is probed if its best affinity is above this.
pub const AFFINITY_MIN: f64 = 0.05;

/// §7 tenths of the mission's budget that Locate may use.
pub const LOCATE_TENTHS: u64 = 6;
/// §7 UTF-8 bytes of one token.
pub const BYTES_PER_TOKEN: usize = 4;
/// §7 tokens of a sub-mission's map excerpt, at most.
pub const MAP_EXCERPT_TOKENS: usize = 2_000;
/// §7 strikes in a row that end a sub-question.
pub const STRIKES: usize = 3;

/// §8 bytes of one tool answer, at most.
pub const ANSWER_BYTES: usize = 8 * 1024;
/// §8 lines of one `view_file` answer, at most.
pub const VIEW_LINES: u32 = 100;
/// §8 entries of one `list_dir` answer, at most.
pub const LIST_ENTRIES: usize = 200;
/// §8 matches of one `search_text` answer, at most.
pub const SEARCH_MATCHES: usize = 50;
/// §8 characters of a match's preview, at most.
pub const PREVIEW_CHARS: usize = 120;
/// §8 seconds of one `test_dry_run`.
pub const TEST_SECONDS: u64 = 30;
/// §8 bytes of output that `test_dry_run` shows, at most.
pub const TEST_OUTPUT_BYTES: usize = 8 * 1024;
/// §8 depth of `transitive_callers`, at most.
pub const TRANSITIVE_DEPTH: u32 = 5;

/// §9 characters of a claim.
pub const CLAIM_CHARS: std::ops::RangeInclusive<usize> = 10..=500;
/// §16 UTF-8 bytes of one return; a larger one is invalid as a whole and is not parsed.
pub const RETURN_BYTES_MAX: usize = 128 * 1024 * 1024;
/// §16 findings of one return; with more, the return is invalid as a whole.
pub const RETURN_FINDINGS_MAX: usize = 200_000;
/// §16 gaps of one return; with more, the return is invalid as a whole.
pub const RETURN_GAPS_MAX: usize = 10_000;
/// §16 anchors of one return, over all its findings; with more, the return is invalid as a whole.
pub const RETURN_ANCHORS_MAX: usize = 1_000_000;

/// §12 tokens of the fold's answer, at most.
pub const FOLD_ANSWER_TOKENS: usize = 200;
/// §12 tokens of the whole fold, at most.
pub const FOLD_TOKENS: usize = 2_000;
/// §12 findings that the prober hands in for one sub-question, at most.
pub const PROBER_FINDINGS: usize = 12;
/// §13 tokens of the scout report, at most.
pub const REPORT_TOKENS: usize = 3_000;
/// §13 bullets of the report's topology, at most.
pub const TOPOLOGY_BULLETS: usize = 10;

const _: () = assert!(FOLD_ANSWER_TOKENS < FOLD_TOKENS && FOLD_TOKENS < REPORT_TOKENS);
const _: () = assert!(LOCATE_TENTHS <= 10);
const _: () = assert!(GATE_GROUPS_MIN <= CLUSTERS_MAX);
