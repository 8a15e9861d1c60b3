//! The one door to the repository.

use crate::cancel::Cancel;
use crate::meter::{Exhausted, Meter};
use crate::page::json_bytes;
use crate::rank::{self, Ranked};
use crate::triggers::{Fired, Triggers};
use crate::{ErrorCode, RetryHint, TestRunner, ToolError, list, memex, symbol, testrun, text, verbs, view};
use atlas_artifact::limits::ANSWER_BYTES;
use atlas_artifact::mission::TriggerAction;
use atlas_artifact::{BranchId, MapGap};
use atlas_graph::Graph;
use atlas_retrieve::RetrievalIndex;
use atlas_tree::{Digest, FileEntry, ReadError, RepoPath, Scope, Tree, sha256};
use serde::Serialize;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The linked graph with what could not be indexed.
#[derive(Debug)]
pub struct CodeIndex {
    pub graph: Graph,
    /// In path order.
    pub gaps: Vec<MapGap>,
    /// Differs whenever the indexed bytes differ.
    pub version: u64,
    pub retrieval: RetrievalIndex,
    /// Per file of the graph's program: generated or vendored. Such a file keeps its definitions, so
    /// that references to them resolve, and weighs nothing in analyses.
    pub weightless: Vec<bool>,
}

/// Where excerpts are kept.
pub trait Excerpts: Send + Sync {
    /// The bytes of that digest; None if they were never stored.
    ///
    /// # Errors
    /// The stored bytes do not have that digest any more.
    fn get(&self, digest: &Digest) -> Result<Option<Vec<u8>>, String>;
}

/// Keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoExcerpts;

impl Excerpts for NoExcerpts {
    fn get(&self, _digest: &Digest) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}

/// One tool call as it is logged. Times are the recorder's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Event {
    pub tool: String,
    /// SHA-256 of the arguments' compact JSON.
    pub args: String,
    pub bytes_out: u64,
    pub branch: Option<BranchId>,
    /// 1-based, per branch.
    pub sequence: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorCode>,
}

/// Takes events as they happen.
pub trait EventSink: Send + Sync {
    fn record(&self, event: Event, elapsed: Duration);
}

/// Records nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEvents;

impl EventSink for NoEvents {
    fn record(&self, _event: Event, _elapsed: Duration) {}
}

/// The seven tools over one repository, for one caller: its scope, its meter, its log.
pub struct ToolSurface {
    pub(crate) tree: Arc<dyn Tree>,
    pub(crate) index: Option<Arc<CodeIndex>>,
    pub(crate) scope: Scope,
    pub(crate) meter: Arc<Meter>,
    pub(crate) excerpts: Arc<dyn Excerpts>,
    pub(crate) tests: Option<Arc<dyn TestRunner>>,
    pub(crate) cancel: Cancel,
    events: Arc<dyn EventSink>,
    branch: Option<BranchId>,
    triggers: Triggers,
    sequence: Mutex<u64>,
    fired: Mutex<Vec<Fired>>,
    /// When the mission's time is over; later calls are answered `TIMEOUT`.
    deadline: Option<Instant>,
    /// Why a call was refused for good: the caller's return is then told to be cut short.
    cut: Mutex<Option<ErrorCode>>,
}

impl ToolSurface {
    /// All tools over the whole surface, without a bound on how often.
    #[must_use]
    pub fn new(tree: Arc<dyn Tree>, index: Option<Arc<CodeIndex>>) -> Self {
        Self {
            tree,
            index,
            scope: Scope::all(),
            meter: Arc::new(Meter::unbounded()),
            excerpts: Arc::new(NoExcerpts),
            tests: None,
            cancel: Cancel::default(),
            events: Arc::new(NoEvents),
            branch: None,
            triggers: Triggers::none(),
            sequence: Mutex::new(0),
            fired: Mutex::new(Vec::new()),
            deadline: None,
            cut: Mutex::new(None),
        }
    }

    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    #[must_use]
    pub fn with_meter(mut self, meter: Arc<Meter>) -> Self {
        self.meter = meter;
        self
    }

    #[must_use]
    pub fn with_excerpts(mut self, excerpts: Arc<dyn Excerpts>) -> Self {
        self.excerpts = excerpts;
        self
    }

    #[must_use]
    pub fn with_tests(mut self, tests: Option<Arc<dyn TestRunner>>) -> Self {
        self.tests = tests;
        self
    }

    #[must_use]
    pub fn with_events(mut self, events: Arc<dyn EventSink>, branch: Option<BranchId>) -> Self {
        self.events = events;
        self.branch = branch;
        self
    }

    #[must_use]
    pub fn with_triggers(mut self, triggers: Triggers) -> Self {
        self.triggers = triggers;
        self
    }

    #[must_use]
    pub fn with_deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// Long searches look at this between two files.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Goes on where an earlier surface of the same caller ended: calls made, triggers fired.
    #[must_use]
    pub fn resumed(mut self, sequence: u64, fired: Vec<Fired>) -> Self {
        self.sequence = Mutex::new(sequence);
        self.fired = Mutex::new(fired);
        self
    }

    /// The error that told the caller to return at once, if one did: `BUDGET_EXHAUSTED`, `TIMEOUT`,
    /// or `FORBIDDEN` after a trigger that halts.
    #[must_use]
    pub fn cut_short(&self) -> Option<ErrorCode> {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[must_use]
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Triggers that fired so far, in order.
    #[must_use]
    pub fn fired(&self) -> Vec<Fired> {
        self.fired.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls a tool. The answer, serialised compactly, is at most 8 KiB.
    ///
    /// # Errors
    /// [`ToolError`]; `BUDGET_EXHAUSTED` costs nothing, every other answer costs one call and its
    /// tokens.
    pub fn call(&self, name: &str, args: &Value) -> Result<Value, ToolError> {
        let started = Instant::now();
        let (answer, bytes) = self.metered(name, args, || self.dispatch(name, args));
        self.log(name, args, &answer, bytes, started.elapsed());
        answer
    }

    /// Ranks what the index holds against a question: the prober's first look, no tool of a
    /// model's. It is held to the scope, costs one call and its tokens, and is logged as `rank`.
    ///
    /// # Errors
    /// As [`ToolSurface::call`].
    pub fn rank(&self, question: &str, limit: usize) -> Result<Ranked, ToolError> {
        let started = Instant::now();
        let args = serde_json::json!({ "question": question, "limit": limit });
        let (answer, bytes) = self.metered("rank", &args, || {
            let ranked = rank::run(self, question, limit)?;
            serde_json::to_value(&ranked).map_err(|error| ToolError::invalid(error.to_string()))
        });
        self.log("rank", &args, &answer, bytes, started.elapsed());
        serde_json::from_value(answer?).map_err(|error| ToolError::invalid(error.to_string()))
    }

    fn log(&self, name: &str, args: &Value, answer: &Result<Value, ToolError>, bytes: usize, elapsed: Duration) {
        let sequence = {
            let mut sequence = self.sequence.lock().unwrap_or_else(PoisonError::into_inner);
            *sequence += 1;
            *sequence
        };
        let event = Event {
            tool: name.chars().take(64).collect(),
            args: sha256(args.to_string().as_bytes()).to_string(),
            bytes_out: bytes as u64,
            branch: self.branch,
            sequence,
            error: answer.as_ref().err().map(|error| error.error),
        };
        self.events.record(event, elapsed);
    }

    fn metered(
        &self,
        name: &str,
        args: &Value,
        run: impl FnOnce() -> Result<Value, ToolError>,
    ) -> (Result<Value, ToolError>, usize) {
        if let Some(error) = self.stopped() {
            return (Err(self.return_now(error)), 0);
        }
        let reservation = match self.meter.reserve() {
            Ok(reservation) => reservation,
            Err(exhausted) => return (Err(self.return_now(exhausted_error(exhausted))), 0),
        };
        let answer = run().and_then(|answer| {
            // Every tool pages below the bound; this keeps a mistake of ours from leaving the house.
            if json_bytes(&answer) <= ANSWER_BYTES {
                Ok(answer)
            } else {
                Err(ToolError::new(
                    ErrorCode::InvalidArgument,
                    "the answer exceeds its bound; ask for less",
                    RetryHint::NarrowerScope,
                ))
            }
        });
        let bytes = match &answer {
            Ok(value) => json_bytes(value),
            Err(error) => serde_json::to_value(error).map_or(0, |value| json_bytes(&value)),
        };
        let tokens = bytes.div_ceil(atlas_artifact::limits::BYTES_PER_TOKEN) as u64;
        match reservation.commit(tokens) {
            Ok(()) => {
                if let Ok(value) = &answer {
                    self.note_triggers(name, args, value);
                }
                (answer, bytes)
            }
            Err(exhausted) => (Err(self.return_now(exhausted_error(exhausted))), 0),
        }
    }

    /// Past the deadline, or after a trigger that halts, nothing is served any more.
    fn stopped(&self) -> Option<ToolError> {
        let fired = self.fired.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(halt) = fired.iter().find(|one| one.action == TriggerAction::Halt) {
            let message = format!("{} has fired and halts the mission", halt.trigger);
            return Some(ToolError::new(ErrorCode::Forbidden, message, RetryHint::ReturnNow));
        }
        drop(fired);
        self.deadline
            .filter(|deadline| Instant::now() >= *deadline)
            .map(|_| ToolError::new(ErrorCode::Timeout, "the mission's time is over", RetryHint::ReturnNow))
    }

    fn return_now(&self, error: ToolError) -> ToolError {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error.error);
        error
    }

    fn note_triggers(&self, name: &str, args: &Value, answer: &Value) {
        let fired = self.triggers.check(name, args, answer);
        if !fired.is_empty() {
            let mut log = self.fired.lock().unwrap_or_else(PoisonError::into_inner);
            for one in fired {
                if !log.contains(&one) {
                    log.push(one);
                }
            }
        }
    }

    fn dispatch(&self, name: &str, args: &Value) -> Result<Value, ToolError> {
        match name {
            "view_file" => view::run(self, &parse(name, args)?),
            "list_dir" => list::run(self, &parse(name, args)?),
            "search_text" => text::run(self, &parse(name, args)?),
            "search_symbol" => symbol::run(self, &parse(name, args)?),
            "graph_query" => verbs::run(self, &parse(name, args)?),
            "test_dry_run" => testrun::run(self, &parse(name, args)?),
            "memex_read" => memex::run(self, &parse(name, args)?),
            other => Err(ToolError::new(
                ErrorCode::Forbidden,
                format!("`{other}` is not one of the seven tools: {}", crate::TOOL_NAMES.join(", ")),
                RetryHint::DifferentTool,
            )),
        }
    }

    pub(crate) fn index(&self) -> Result<&CodeIndex, ToolError> {
        self.index.as_deref().ok_or_else(|| {
            ToolError::new(
                ErrorCode::IndexUnavailable,
                "the index is not ready; text and files can be read meanwhile",
                RetryHint::DifferentTool,
            )
        })
    }

    /// Files of the surface that are in scope, in path order.
    pub(crate) fn files(&self) -> impl Iterator<Item = &FileEntry> {
        self.tree.files().iter().filter(|entry| self.scope.contains(&entry.path))
    }

    /// A path that a caller gave: normal, resolved, of the surface, in scope.
    pub(crate) fn path(&self, text: &str) -> Result<RepoPath, ToolError> {
        let path = normal_path(text)?;
        let resolved = self.tree.resolve(&path).map_err(read_error)?;
        if !self.scope.contains(&resolved) {
            return Err(ToolError::out_of_scope(format!("`{path}` is outside this scope")));
        }
        if self.tree.entry(&resolved).is_none() {
            return Err(ToolError::not_found(format!(
                "`{path}` is not part of the surface: ignored, or not a regular file"
            )));
        }
        Ok(resolved)
    }

    pub(crate) fn read(&self, path: &RepoPath) -> Result<std::borrow::Cow<'_, [u8]>, ToolError> {
        self.tree.read(path).map_err(read_error)
    }
}

fn exhausted_error(exhausted: Exhausted) -> ToolError {
    ToolError::new(
        ErrorCode::BudgetExhausted,
        format!(
            "{} of {} tool calls and {} of {} tokens are spent; this call cost nothing",
            exhausted.spent.tool_calls,
            exhausted.share.max_tool_calls,
            exhausted.spent.tokens,
            exhausted.share.max_tokens_input
        ),
        RetryHint::ReturnNow,
    )
}

fn parse<T: serde::de::DeserializeOwned>(name: &str, args: &Value) -> Result<T, ToolError> {
    T::deserialize(args).map_err(|error| ToolError::invalid(format!("{name}: {error}")))
}

/// Takes `./a` and a trailing `/`; anything that climbs or is absolute is out of scope.
pub(crate) fn normal_path(text: &str) -> Result<RepoPath, ToolError> {
    let bare = text.strip_prefix("./").unwrap_or(text);
    RepoPath::new(bare.strip_suffix('/').unwrap_or(bare)).map_err(|error| match error {
        atlas_tree::PathError::Absolute | atlas_tree::PathError::Dots => {
            ToolError::out_of_scope(format!("`{text}`: {error}"))
        }
        _ => ToolError::invalid(format!("`{}`: {error}", text.escape_debug())),
    })
}

pub(crate) fn read_error(error: ReadError) -> ToolError {
    let message = error.to_string();
    match error {
        ReadError::NotFound(_) => ToolError::not_found(message),
        ReadError::Outside(_) => ToolError::out_of_scope(message),
        ReadError::NotAFile(_) => ToolError::invalid(message),
        ReadError::Io { .. } => ToolError::not_found(message),
    }
}
