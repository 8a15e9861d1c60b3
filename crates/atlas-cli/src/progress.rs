//! Live progress on standard error: bars on a terminal, nothing elsewhere.

use atlas_artifact::{BranchId, SubMission};
use atlas_engine::Progress;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// One bar for the phase, one line for each branch.
pub struct Bars {
    all: MultiProgress,
    phase: Mutex<Option<ProgressBar>>,
    branches: Mutex<BTreeMap<BranchId, ProgressBar>>,
    quiet: bool,
}

impl Bars {
    pub fn new(quiet: bool) -> Self {
        let all = MultiProgress::new();
        if quiet || !std::io::stderr().is_terminal() {
            all.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self { all, phase: Mutex::new(None), branches: Mutex::new(BTreeMap::new()), quiet }
    }

    fn style(template: &str) -> ProgressStyle {
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
    }

    /// Takes every bar away, so that the result stands alone.
    pub fn clear(&self) {
        if let Some(bar) = lock(&self.phase).take() {
            bar.finish_and_clear();
        }
        for (_, bar) in std::mem::take(&mut *lock(&self.branches)) {
            bar.finish_and_clear();
        }
        let _ = self.all.clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shortens for one line of a terminal and takes control characters out.
fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

impl Progress for Bars {
    fn phase(&self, name: &str, total: u64) {
        let bar = if total > 0 {
            ProgressBar::new(total).with_style(Self::style("{prefix:>9} [{bar:30}] {pos}/{len} {elapsed}"))
        } else {
            ProgressBar::new_spinner().with_style(Self::style("{prefix:>9} {spinner} {elapsed}"))
        };
        let bar = self.all.add(bar.with_prefix(name.to_owned()));
        bar.enable_steady_tick(Duration::from_millis(120));
        if let Some(before) = lock(&self.phase).replace(bar) {
            before.finish_and_clear();
        }
    }

    fn step(&self) {
        if let Some(bar) = &*lock(&self.phase) {
            bar.inc(1);
        }
    }

    fn branch_started(&self, branch: &SubMission) {
        let bar = ProgressBar::new_spinner().with_style(Self::style("{prefix:>9} {spinner} {msg} {elapsed}"));
        let bar = self.all.add(bar.with_prefix(format!("branch {}", branch.branch_id)));
        bar.set_message(format!("{} {}", branch.supports_decision, short(&branch.question)));
        bar.enable_steady_tick(Duration::from_millis(120));
        lock(&self.branches).insert(branch.branch_id, bar);
    }

    fn branch_ended(&self, branch: BranchId, findings: usize, gaps: usize, tool_calls: u64) {
        if let Some(bar) = lock(&self.branches).get(&branch) {
            bar.finish_with_message(format!("{findings} findings, {gaps} gaps, {tool_calls} calls"));
        }
    }

    fn note(&self, text: &str) {
        if !self.quiet {
            let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            self.all.suspend(|| {
                let _ = writeln!(std::io::stderr().lock(), "note: {text}");
            });
        }
    }
}
