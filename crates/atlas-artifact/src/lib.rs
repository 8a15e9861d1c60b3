//! The artifacts of a mission: plain data, the same in memory, on disk and in the contract.
//!
//! Mission → Map → Plan → SubMission ×N → BranchReturn ×N → Findings → Fold → Report. Each has a
//! JSON form (the truth), a Markdown form and a JSON Schema ([`schema()`]). What is deliberately *not*
//! here: any step that turns one into another, and anything that reads a file.

pub mod assess;
pub mod findings;
pub mod fold;
pub mod ids;
pub mod limits;
pub mod map;
pub mod mission;
pub mod plan;
pub mod questions;
pub mod read;
pub mod refusal;
pub mod report;
pub mod returns;
pub mod schema;
pub mod tokens;

pub use assess::{Defaults, assess};
pub use findings::{
    Also, Anchor, Dispute, ExitGateItem, Finding, Findings, FindingsGap, FollowUp, GapOrigin, GapReason, Origin,
    RejectReason, Rejected, Telemetry,
};
pub use fold::{Fold, FoldEntry, FoldOutcome};
pub use ids::{BranchId, DtId, IdError, MissionId, Tier};
pub use map::{Heat, Map, MapEdge, MapGap, MapGraph, MapNode, Module, RootEntry, SkipReason};
pub use mission::{Budget, EscalationTrigger, HandoffRecipients, Mission, MissionScope, StopCondition, SubQuestion};
pub use plan::{Cluster, Flag, Gate, GateDecision, NotProbed, Plan, SubBudget, SubMission, SurfaceCounts};
pub use questions::{DEFAULT_BUDGET, QuestionOptions, from_questions};
pub use read::{Draft, read_mission};
pub use refusal::{AgentKind, Problem, ProblemCode, Refusal};
pub use report::{Envelope, Report};
pub use returns::{Assertion, BranchReturn, Evidence, RawFinding, RawGap, ReturnTelemetry, Strike};
pub use schema::{SCHEMA_NAMES, schema};
pub use tokens::tokens;
