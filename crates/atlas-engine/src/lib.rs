//! Carries words through the phases (contract §2): the library behind `atlas`.
//!
//! [`Workspace`] opens and indexes a repository; [`scout`] runs a whole mission. This is where pure
//! steps meet the disk, the clock and threads. What is deliberately *not* here: rules of the
//! contract (each lives in its own crate), arguments and printing.

mod branch;
mod error;
mod hosted;
mod index;
mod languages;
mod locate;
mod progress;
mod scout;
mod settings;
mod steps;
mod workspace;

pub use atlas_plan::explain;
pub use atlas_report::{findings_md, fold_md, report_md};
pub use branch::{Branch, BranchTask, Closed, Closing, HandIn, Prober};
pub use error::EngineError;
pub use hosted::{HandedIn, HostedBranch, HostedMission, HostedPlan, Source};
pub use index::IndexStats;
pub use progress::{Progress, Silent};
pub use scout::{ScoutOptions, ScoutOutcome, Verdict, refold, scout, scout_with};
pub use settings::Settings;
pub use workspace::{FoundFile, FoundSymbol, RepositoryExcerpts, SearchResult, Workspace, tools_over};
