//! Abstract and Synthesize: the fold, the report, its envelope, and the forms that people read
//! (contract §12, §13).
//!
//! ```text
//! mission, map, findings ──fold──▶ Fold ──report──▶ Report ──envelope──▶ Envelope
//! ```
//!
//! All are pure functions from artifacts to an artifact or a text, the same bytes for the same input.
//! What is deliberately *not* here: reading or writing files (source lines come in through a
//! function), and the plan's Markdown form, which is `atlas-plan`'s.

pub mod cite;
mod envelope;
mod fold;
mod html;
mod markdown;
mod report;
mod terminal;
pub mod text;
mod view;
pub mod wording;

pub use envelope::{envelope, envelope_holds};
pub use fold::{FoldFault, check_fold, fold};
pub use html::report_html;
pub use markdown::{findings_md, fold_md, map_md, mission_md, report_md};
pub use report::{ReportFault, check_report, report};
pub use terminal::{Look, report_terminal};
pub use view::{BranchOutcome, Status, View};
