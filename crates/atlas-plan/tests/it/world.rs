//! A mission over a made-up surface.

use atlas_artifact::map::FileGraph;
use atlas_artifact::{Budget, DtId, HandoffRecipients, Mission, MissionId, MissionScope, Plan, SubQuestion};
use atlas_graph::analyse::{Csr, pagerank};
use atlas_plan::{Footprint, PlanInput, plan};

#[derive(Debug, Clone)]
pub struct Question {
    pub text: &'static str,
    /// Its footprint is spread evenly over what this matches.
    pub scope: &'static str,
    pub depends_on: Vec<u32>,
}

impl Question {
    pub fn in_scope(scope: &'static str) -> Self {
        Self { text: "Where is `x` defined, and what calls it?", scope, depends_on: vec![] }
    }
}

#[derive(Debug, Clone)]
pub struct World {
    pub mission: Mission,
    pub file_graph: FileGraph,
    pub source: Vec<bool>,
    pub centrality: Vec<f64>,
    pub footprints: Vec<Footprint>,
    pub packages: Vec<String>,
    pub serial: bool,
}

impl World {
    /// Every file but `*.md` is source.
    pub fn new(files: &[&str], edges: &[(u32, u32, u32)], questions: Vec<Question>) -> Self {
        let footprints = (1..)
            .zip(&questions)
            .map(|(id, question)| Footprint::from_scope(DtId(id), &[question.scope.to_owned()], files).expect("a glob"))
            .collect();
        let sub_questions = (1..)
            .zip(questions)
            .map(|(id, question)| SubQuestion {
                id: DtId(id),
                text: question.text.to_owned(),
                scope: vec![question.scope.to_owned()],
                depends_on: question.depends_on.into_iter().map(DtId).collect(),
            })
            .collect();
        Self {
            mission: mission(sub_questions),
            file_graph: FileGraph { files: files.iter().map(|&file| file.to_owned()).collect(), edges: edges.to_vec() },
            source: files.iter().map(|file| !file.ends_with(".md")).collect(),
            centrality: pagerank(&Csr::directed(files.len(), edges), 0.85, 1e-9),
            footprints,
            packages: vec![],
            serial: false,
        }
    }

    /// Three chains of ten files each, in `auth`, `core` and `web`, with one edge from each to the next.
    pub fn of_three_islands(questions: Vec<Question>) -> Self {
        let files: Vec<String> = ["auth/a", "core/c", "web/w"]
            .iter()
            .flat_map(|stem| (0..10).map(move |i| format!("{stem}{i}.py")))
            .collect();
        let chain = |base: u32| (base..base + 9).flat_map(move |i| [(i, i + 1, 9), (i, base + 9, 9)]);
        let mut edges: Vec<_> = [0, 10, 20].into_iter().flat_map(chain).collect();
        edges.extend([(3, 13, 1), (14, 24, 1)]);
        Self::new(&files.iter().map(String::as_str).collect::<Vec<_>>(), &edges, questions)
    }

    pub fn plan(&self) -> Plan {
        plan(&PlanInput {
            mission: &self.mission,
            file_graph: &self.file_graph,
            source: &self.source,
            centrality: &self.centrality,
            footprints: &self.footprints,
            packages: &self.packages,
            serial: self.serial,
        })
    }
}

fn mission(sub_questions: Vec<SubQuestion>) -> Mission {
    Mission {
        mission_id: MissionId::parse("20260101-001").expect("a mission id"),
        created: "2026-01-01T00:00:00Z".to_owned(),
        parent_mission_id: None,
        goal: "Find out how things hang together".to_owned(),
        decision_target: "Which parts would a change touch?".to_owned(),
        sub_questions,
        scope: MissionScope { include: vec!["**".to_owned()], exclude: vec![] },
        budget: Budget {
            max_tool_calls: 60,
            max_tokens_input: 100_000,
            max_wall_clock_s: 600,
            max_subagents: 5,
            max_recursion_depth: 1,
        },
        stop_conditions: vec![],
        escalation_triggers: vec![],
        handoff_recipients: HandoffRecipients { primary: "human".to_owned(), fallback: "human".to_owned() },
    }
}
