//! The Markdown forms of the artifacts, for people; the JSON form is the truth (contract §2).
//!
//! Pure functions from artifact to text. `mission.md` reads back to the same mission. The plan's
//! form is `atlas-plan`'s. Every stranger's text goes through [`crate::text`].

mod findings;
mod fold;
mod map;
mod mission;
mod report;

pub use findings::findings_md;
pub use fold::{answer_md, fold_md};
pub use map::map_md;
pub use mission::mission_md;
pub use report::report_md;

use std::fmt::Write as _;

/// Rows of one table, at most; what is beyond is counted and stands in the JSON form.
const ROWS_MAX: usize = 200;

/// A table, or nothing without rows. Cells are Markdown already.
fn table(out: &mut String, head: &[&str], rows: impl ExactSizeIterator<Item = Vec<String>>, file: &str) {
    let all = rows.len();
    if all == 0 {
        return;
    }
    let _ = writeln!(out, "| {} |", head.join(" | "));
    let _ = writeln!(out, "|{}", " --- |".repeat(head.len()));
    for row in rows.take(ROWS_MAX) {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    if all > ROWS_MAX {
        let _ = writeln!(out, "\n{} more stand in `{file}`.", all - ROWS_MAX);
    }
}
