//! The headed Markdown template as a draft.
//!
//! Headings open sections by name, whatever their level or order: `GOAL`, `DECISION_TARGET`,
//! `SUB_QUESTIONS`, `SCOPE`, `BUDGET`, `STOP_CONDITIONS`, `ESCALATION_TRIGGERS`,
//! `HANDOFF_RECIPIENTS`; a section of another name is prose and is left alone. `DT-n` bullets count
//! wherever they stand. In any section a `yaml` or `json` code block may say the same as data.

use super::blocks::{Block, blocks};
use super::draft::{Draft, DraftQuestion, DraftStop, DraftTrigger};
use super::fields::{self, Reader, plain_name};
use super::labels::{
    action_of, amount, bare, closing_detail, globs, kind_of, names, numbered, split_label, unquoted, word,
};
use super::node::Node;
use crate::refusal::{ProblemCode, quote};

/// What the heading above says is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Before the first heading, and under a title.
    Preamble,
    Goal,
    DecisionTarget,
    SubQuestions,
    Scope,
    Budget,
    StopConditions,
    EscalationTriggers,
    Handoff,
    Other,
}

pub(super) fn draft(markdown: &str) -> Draft {
    let mut template = Template::default();
    for block in blocks(markdown) {
        template.take(block);
    }
    template.finish()
}

struct Template {
    draft: Draft,
    reader: Reader,
    section: Section,
    /// Under a label or heading that speaks of what is excluded.
    excluding: bool,
    seen: Vec<Section>,
    questions: Vec<Question>,
    /// Depth of the `DT-n` bullet whose nested bullets are being read.
    question_depth: Option<usize>,
}

struct Question {
    draft: DraftQuestion,
    /// Stands under `DECISION_TARGET`.
    under_target: bool,
    /// Has nested bullets that say its scope or what it depends on.
    spelled_out: bool,
}

impl Default for Template {
    fn default() -> Self {
        Self {
            draft: Draft::default(),
            reader: Reader::default(),
            section: Section::Preamble,
            excluding: false,
            seen: Vec::new(),
            questions: Vec::new(),
            question_depth: None,
        }
    }
}

impl Template {
    fn take(&mut self, block: Block) {
        if !matches!(block, Block::Item { depth, .. } if self.question_depth.is_some_and(|outer| depth > outer)) {
            self.question_depth = None;
        }
        match block {
            Block::Heading(text) => self.heading(&text),
            Block::Paragraph(lines) => self.paragraph(lines),
            Block::Item { depth, lines } => self.item(depth, &lines),
            Block::Code { info, text } => self.code(&info, &text),
            Block::Row(cells) => self.row(&cells),
        }
    }

    fn heading(&mut self, text: &str) {
        let name = plain_name(text.trim_matches(|c: char| !c.is_alphabetic()));
        self.excluding = false;
        let section = match name.as_str() {
            "goal" => Section::Goal,
            "decision_target" | "decision_targets" => Section::DecisionTarget,
            "sub_questions" | "sub_question" | "subquestions" | "questions" => Section::SubQuestions,
            "scope" => Section::Scope,
            "budget" | "budgets" => Section::Budget,
            "stop_conditions" | "stop_condition" => Section::StopConditions,
            "escalation_triggers" | "escalation_trigger" | "escalation" => Section::EscalationTriggers,
            "handoff_recipients" | "handoff" | "handoff_recipient" => Section::Handoff,
            _ if self.section == Section::Scope && (name.contains("clude") || name.contains("scope")) => {
                self.excluding = name.contains("exclu") || name.contains("out");
                return;
            }
            _ if name.contains("mission") => Section::Preamble,
            _ => Section::Other,
        };
        self.section = section;
        if matches!(section, Section::Preamble | Section::Other) {
            return;
        }
        if self.seen.contains(&section) {
            let reason = "has two sections".to_owned();
            self.reader.note(&name, ProblemCode::Duplicate, reason, "keep one of them".to_owned());
        }
        self.seen.push(section);
    }

    fn paragraph(&mut self, lines: Vec<String>) {
        match self.section {
            Section::Goal => add_text(&mut self.draft.goal, &lines),
            Section::DecisionTarget => {
                let mut rest = Vec::new();
                for line in lines {
                    if self.question(&line, 0, None) {
                        continue;
                    }
                    rest.push(line);
                }
                if !rest.is_empty() && !introduces(&rest) {
                    add_text(&mut self.draft.decision_target, &rest);
                }
            }
            Section::Preamble | Section::Other => {
                for line in &lines {
                    if self.section == Section::Preamble && self.preamble(line) {
                        continue;
                    }
                    self.question(line, 0, None);
                }
            }
            Section::SubQuestions
            | Section::Scope
            | Section::Budget
            | Section::StopConditions
            | Section::EscalationTriggers
            | Section::Handoff => {
                for line in &lines {
                    self.entry(line, 0);
                }
            }
        }
    }

    fn item(&mut self, depth: usize, lines: &[String]) {
        let text = lines.join(" ");
        if self.question_depth.is_some_and(|outer| depth > outer) {
            self.question_detail(&text);
            return;
        }
        if self.question(&text, depth, Some(depth)) {
            return;
        }
        match self.section {
            Section::Preamble => {
                self.preamble(&text);
            }
            Section::Goal => add_text(&mut self.draft.goal, &[text]),
            Section::DecisionTarget => add_text(&mut self.draft.decision_target, &[text]),
            Section::Other => {}
            _ => self.entry(&text, depth),
        }
    }

    /// One line, bullet or row of a section that holds entries.
    fn entry(&mut self, text: &str, depth: usize) {
        match self.section {
            Section::SubQuestions => {
                self.question(text, depth, None);
            }
            Section::Scope => self.scope_line(text),
            Section::Budget => {
                if let Some((name, value)) = text.split_once([':', '=']) {
                    self.budget(name, value);
                }
            }
            Section::StopConditions => self.stop_condition(text),
            Section::EscalationTriggers => self.trigger(text),
            Section::Handoff => {
                let recipients = self.draft.handoff_recipients.get_or_insert_default();
                if let Some((_, value)) = split_label(text, |text| word(text, "primary")) {
                    recipients.primary = Some(bare(value));
                } else if let Some((_, value)) = split_label(text, |text| word(text, "fallback")) {
                    recipients.fallback = Some(bare(value));
                }
            }
            Section::Preamble | Section::Goal | Section::DecisionTarget | Section::Other => {}
        }
    }

    /// `**MISSION-ID:** …` and its like. Whether the line was one.
    fn preamble(&mut self, line: &str) -> bool {
        let known: [(&str, fn(&mut Draft) -> &mut Option<String>); 7] = [
            ("mission_id", |draft| &mut draft.mission_id),
            ("created", |draft| &mut draft.created),
            ("parent_mission_id", |draft| &mut draft.parent_mission_id),
            ("parent_mission", |draft| &mut draft.parent_mission_id),
            ("parent", |draft| &mut draft.parent_mission_id),
            ("goal", |draft| &mut draft.goal),
            ("decision_target", |draft| &mut draft.decision_target),
        ];
        for (name, slot) in known {
            let Some((_, value)) = split_label(line, |text| word(text, name)) else { continue };
            let slot = slot(&mut self.draft);
            if slot.is_some() {
                self.reader.note(name, ProblemCode::Duplicate, "is given twice".into(), "keep one of them".into());
            } else if !value.trim().is_empty() {
                *slot = Some(bare(value));
            }
            return true;
        }
        false
    }

    /// A `DT-n` line. Whether it was one.
    fn question(&mut self, line: &str, depth: usize, nests: Option<usize>) -> bool {
        let Some((id, text)) = split_label(line, |text| numbered(text, "DT-")) else { return false };
        self.questions.push(Question {
            draft: DraftQuestion { id: Some(id.to_uppercase()), text: Some(text.to_owned()), ..Default::default() },
            under_target: self.section == Section::DecisionTarget,
            spelled_out: false,
        });
        self.question_depth = nests.map(|_| depth);
        true
    }

    fn question_detail(&mut self, text: &str) {
        let Some(question) = self.questions.last_mut() else { return };
        if let Some((_, value)) = split_label(text, |text| word(text, "scope")) {
            question.spelled_out = true;
            question.draft.scope.extend(globs(value));
        } else if let Some((_, value)) = split_label(text, |text| word(text, "depends_on")) {
            question.spelled_out = true;
            question.draft.depends_on.extend(names(value));
        }
    }

    fn scope_line(&mut self, text: &str) {
        for (name, excluding) in [("include", false), ("exclude", true), ("included", false), ("excluded", true)] {
            if let Some((_, value)) = split_label(text, |text| word(text, name)) {
                self.excluding = excluding;
                self.globs(globs(value));
                return;
            }
        }
        if text.contains('`') || !text.contains(' ') {
            self.globs(globs(text));
        } else {
            let lower = text.to_lowercase();
            self.excluding = lower.contains("exclu") || lower.contains("out of scope");
        }
    }

    fn globs(&mut self, globs: Vec<String>) {
        let scope = self.draft.scope.get_or_insert_default();
        let include = scope.include.get_or_insert_default();
        for glob in globs {
            match glob.strip_prefix('!') {
                Some(glob) => scope.exclude.push(glob.to_owned()),
                None if self.excluding => scope.exclude.push(glob),
                None => include.push(glob),
            }
        }
    }

    fn budget(&mut self, name: &str, value: &str) {
        let name = plain_name(name.trim_matches(|c: char| !c.is_alphanumeric() && c != ')'));
        let budget = self.draft.budget.get_or_insert_default();
        let slot = if name.contains("call") {
            &mut budget.max_tool_calls
        } else if name.contains("token") {
            &mut budget.max_tokens_input
        } else if name.contains("wall") || name.contains("clock") || name.contains("second") {
            &mut budget.max_wall_clock_s
        } else if name.contains("agent") || name.contains("branch") {
            &mut budget.max_subagents
        } else if name.contains("depth") || name.contains("recursion") {
            &mut budget.max_recursion_depth
        } else {
            return;
        };
        let field = format!("budget.{}", fields::BUDGET_FIELDS.iter().find(|field| **field == name).unwrap_or(&&*name));
        match amount(value) {
            Some(_) if slot.is_some() => {
                self.reader.note(&field, ProblemCode::Duplicate, "is given twice".into(), "keep one of them".into());
            }
            Some(number) => *slot = Some(number),
            None => {
                let reason = format!("is {}, not a whole number", quote(value.trim()));
                self.reader.note(&field, ProblemCode::WrongType, reason, "write digits alone".into());
            }
        }
    }

    fn stop_condition(&mut self, text: &str) {
        let conditions = self.draft.stop_conditions.get_or_insert_default();
        let (id, description) = match split_label(text, |text| numbered(text, "SC-")) {
            Some((id, rest)) => (id.to_uppercase(), rest),
            None => (format!("SC-{}", conditions.len() + 1), text),
        };
        conditions.push(DraftStop { id: Some(id), description: Some(description.to_owned()) });
    }

    fn trigger(&mut self, text: &str) {
        let Some((id, rest)) = split_label(text, |text| numbered(text, "ET-")) else { return };
        let mut trigger = DraftTrigger { id: Some(id.to_uppercase()), ..Default::default() };
        let mut plain = String::new();
        for (at, part) in rest.split('`').enumerate() {
            if at % 2 == 0 {
                plain.push_str(part);
                plain.push(' ');
            } else if let Some(kind) = kind_of(part) {
                trigger.kind.get_or_insert(kind.to_owned());
            } else if let Some(action) = action_of(part) {
                trigger.action.get_or_insert(action.to_owned());
            } else {
                trigger.pattern.get_or_insert(unquoted(part));
            }
        }
        let mut left = Vec::new();
        for part in plain.split([' ', '\t', ',', ';', '(', ')', '|', ':', '→']).filter(|part| !part.is_empty()) {
            if let Some(kind) = kind_of(part).filter(|_| trigger.kind.is_none()) {
                trigger.kind = Some(kind.to_owned());
            } else if let Some(action) = action_of(part).filter(|_| trigger.action.is_none()) {
                trigger.action = Some(action.to_owned());
            } else if part.chars().any(char::is_alphanumeric) && !["kind", "pattern", "action"].contains(&part) {
                left.push(part);
            }
        }
        if trigger.pattern.is_none() && !left.is_empty() {
            trigger.pattern = Some(left.join(" "));
        }
        self.draft.escalation_triggers.get_or_insert_default().push(trigger);
    }

    fn row(&mut self, cells: &[String]) {
        match (self.section, cells) {
            (Section::Budget, [name, value, ..]) => {
                let header = plain_name(value).contains("value") || plain_name(name) == "field";
                if !header {
                    self.budget(name, value);
                }
            }
            (Section::Handoff | Section::SubQuestions, [name, value, ..]) => {
                self.entry(&format!("{name}: {value}"), 0);
            }
            (Section::EscalationTriggers, [id, rest @ ..]) => self.trigger(&format!("{id}: {}", rest.join(" "))),
            (Section::StopConditions, [id, text, ..]) if numbered(id.trim_matches(['*', '`']), "SC-").is_some() => {
                self.stop_condition(&format!("{id}: {text}"));
            }
            (Section::DecisionTarget | Section::Other | Section::Preamble, [id, text, ..]) => {
                let line = format!("{id}: {text}");
                if self.section != Section::Preamble || !self.preamble(&line) {
                    self.question(&line, 0, None);
                }
            }
            _ => {}
        }
    }

    fn code(&mut self, info: &str, text: &str) {
        let language = info.split([' ', ',', '{']).next().unwrap_or_default().to_lowercase();
        let looks_like_data = text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| {
            let line = line.trim_start();
            line.starts_with('{') || ["include:", "exclude:", "scope:"].iter().any(|key| line.starts_with(key))
        });
        let is_data = matches!(language.as_str(), "yaml" | "yml" | "json");
        match self.section {
            Section::Scope if !is_data && !looks_like_data => self.scope_code(&language, text),
            Section::Goal if !is_data => add_text(&mut self.draft.goal, &[text.trim_end().to_owned()]),
            Section::DecisionTarget if !is_data => {
                add_text(&mut self.draft.decision_target, &[text.trim_end().to_owned()]);
            }
            _ if is_data || looks_like_data => self.data(text),
            _ => {
                for line in text.lines() {
                    if !self.question(line, 0, None) {
                        self.entry(line, 0);
                    }
                }
            }
        }
    }

    /// One glob a line; `#` opens a remark, `!` excludes, a list's `- ` is skipped.
    fn scope_code(&mut self, language: &str, text: &str) {
        let outer = self.excluding;
        match language {
            "include" => self.excluding = false,
            "exclude" => self.excluding = true,
            _ => {}
        }
        self.draft.scope.get_or_insert_default().include.get_or_insert_default();
        for line in text.lines() {
            let line = line.trim();
            let line = line.strip_prefix("- ").unwrap_or(line).trim_start();
            if line.starts_with('"') {
                // Quoted, so meant to the letter.
                let excluding = self.excluding;
                let scope = self.draft.scope.get_or_insert_default();
                let list = if excluding { &mut scope.exclude } else { scope.include.get_or_insert_default() };
                list.push(unquoted(line));
            } else if !line.is_empty() && !line.starts_with('#') {
                self.globs(vec![line.to_owned()]);
            }
        }
        self.excluding = outer;
    }

    /// The same fields as data, whole or only the section's part.
    fn data(&mut self, text: &str) {
        let node = match Node::from_yaml(text) {
            Ok(node) => node,
            Err(refusal) => {
                self.reader.problems.extend(refusal.problems);
                return;
            }
        };
        let name = match self.section {
            Section::Scope => "scope",
            Section::Budget => "budget",
            Section::SubQuestions | Section::DecisionTarget => "sub_questions",
            Section::StopConditions => "stop_conditions",
            Section::EscalationTriggers => "escalation_triggers",
            Section::Handoff => "handoff_recipients",
            Section::Preamble | Section::Goal => "mission",
            Section::Other => return,
        };
        let wrapped = matches!(&node, Node::Mapping(entries) if entries.iter().any(|(key, _)| plain_name(key) == name));
        let node = if wrapped || name == "mission" { node } else { Node::Mapping(vec![(name.to_owned(), node)]) };
        let given = fields::draft(node);
        self.draft = std::mem::take(&mut self.draft).filled_from(given);
    }

    fn finish(self) -> Draft {
        let mut draft = self.draft;
        let mut problems = self.reader.problems;
        problems.append(&mut draft.problems);
        draft.problems = problems;
        let derived = draft.decision_target.is_none().then(|| {
            let texts: Vec<&str> =
                self.questions.iter().filter(|q| q.under_target).filter_map(|q| q.draft.text.as_deref()).collect();
            texts.join(" ")
        });
        if !self.questions.is_empty() {
            let mut questions: Vec<DraftQuestion> = self.questions.into_iter().map(Question::finish).collect();
            questions.extend(draft.sub_questions.take().unwrap_or_default());
            draft.sub_questions = Some(questions);
        }
        if let Some(target) = derived.filter(|target| !target.is_empty()) {
            draft.decision_target = Some(target);
        }
        draft
    }
}

impl Question {
    /// Takes a closing `(scope: …; depends_on: …)` off the text, unless nested bullets spell it out.
    fn finish(self) -> DraftQuestion {
        let mut draft = self.draft;
        if self.spelled_out {
            return draft;
        }
        let Some(text) = draft.text.clone() else { return draft };
        if let Some((text, detail)) = closing_detail(&text) {
            for part in detail.split(';') {
                if let Some((_, value)) = split_label(part, |text| word(text, "scope")) {
                    draft.scope.extend(globs(value));
                } else if let Some((_, value)) = split_label(part, |text| word(text, "depends_on")) {
                    draft.depends_on.extend(names(value));
                }
            }
            draft.text = Some(text.to_owned());
        }
        draft
    }
}

fn add_text(slot: &mut Option<String>, lines: &[String]) {
    let text = lines.join(" ");
    match slot {
        Some(before) => {
            before.push('\n');
            before.push_str(&text);
        }
        None => *slot = Some(text),
    }
}

/// A paragraph that only leads to the bullets below it.
fn introduces(lines: &[String]) -> bool {
    lines.last().is_some_and(|line| line.trim_end_matches(['*', '_']).ends_with(':'))
}
