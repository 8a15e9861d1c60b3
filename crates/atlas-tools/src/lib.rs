//! The seven read-only tools (contract §8): one implementation behind the command line, MCP and
//! branches, one way in.
//!
//! [`ToolSurface::call`] is the only door to the repository: scope, meter, bounds, triggers and
//! log are inside it, so that no kind of branch can forget them. Every answer is at most 8 KiB, cut
//! on a whole element, and can be paged to its end. What is deliberately *not* here: walking the
//! disk, building the index, running a test; those are behind traits.

mod cancel;
mod error;
mod list;
mod memex;
mod meter;
mod output;
mod page;
mod rank;
mod spec;
mod surface;
mod symbol;
mod testrun;
mod text;
mod triggers;
mod verbs;
mod view;

pub use cancel::Cancel;
pub use error::{ErrorCode, RetryHint, ToolError};
pub use meter::{Exhausted, Meter, Reservation, Spent};
pub use rank::{Ranked, RankedSymbol, RankedTable};
pub use spec::{TOOL_NAMES, ToolSpec, tool_specs};
pub use surface::{CodeIndex, Event, EventSink, Excerpts, NoEvents, NoExcerpts, ToolSurface};
pub use testrun::{TestOutcome, TestRunner};
pub use triggers::{Fired, Triggers};
