//! The branch without a model: it climbs the five tiers with the tools alone (contract §7).
//!
//! [`probe`] answers one sub-question inside one [`ToolSurface`]: symbol, graph, text, windowed
//! read, test, stopping at the first tier that answers. Every claim states a structural fact or
//! quotes source; its primary anchor is the site of that fact. Three strikes in a row end the
//! sub-question with a gap that lists them. What is deliberately *not* here: any way to the
//! repository but the tools, and any guess in prose.

mod facts;
mod ladder;
mod report;
mod tools;

pub use ladder::{ProbeInput, probe};
