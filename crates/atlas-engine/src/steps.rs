//! Single steps over a workspace: plan, gather, verify.

use crate::error::EngineError;
use crate::workspace::Workspace;
use atlas_artifact::{Findings, Mission, Plan};
use atlas_gather::{GatherInput, Grounding, ReturnInput, VerifyReport, gather, verify};
use atlas_graph::link::FileId;
use atlas_graph::query::{Symbol, find};
use atlas_map::{SurfaceGraph, surface_graph};
use atlas_plan::{Footprint, PlanInput, plan};
use atlas_retrieve::analyse;
use atlas_store::Memex;
use atlas_tree::Digest;
use std::collections::BTreeMap;
use std::path::Path;

impl Grounding for Workspace {
    fn is_definition(&self, name: &str) -> bool {
        !find(&self.index.graph, &Symbol::parse(name)).is_empty()
    }
}

impl Workspace {
    /// The plan of a mission: gate, clusters, branches.
    ///
    /// # Errors
    /// A scope that matches no file, or a bad glob.
    pub fn plan(&self, mission: &Mission, serial: bool) -> Result<Plan, EngineError> {
        let surface = self.surface(&mission.scope)?;
        let of = surface_graph(&surface, &self.index.graph, &self.index.weightless);
        let footprints = self.footprints(mission, &of)?;
        let packages: Vec<String> = self
            .index
            .graph
            .program
            .configs()
            .iter()
            .filter(|config| is_manifest(config.path.file_name()))
            .map(|config| config.path.parent().to_owned())
            .collect();
        Ok(plan(&PlanInput {
            mission,
            file_graph: &of.file_graph,
            source: &of.is_source,
            centrality: &of.centrality,
            footprints: &footprints,
            packages: &packages,
            serial,
        }))
    }

    /// Where each sub-question lives: what it declares, else what its words retrieve.
    fn footprints(&self, mission: &Mission, of: &SurfaceGraph) -> Result<Vec<Footprint>, EngineError> {
        let graph = &self.index.graph;
        let mut at: BTreeMap<FileId, u32> = BTreeMap::new();
        for (place, file) in of.parsed.iter().enumerate() {
            if let Some(file) = file {
                at.insert(*file, place as u32);
            }
        }
        let weighs = |file: FileId| {
            at.contains_key(&file) && !self.index.weightless.get(file as usize).copied().unwrap_or(false)
        };
        let edges = graph.file_edges(weighs);
        mission
            .sub_questions
            .iter()
            .map(|question| {
                if !question.scope.is_empty() {
                    return Ok(Footprint::from_scope(question.id, &question.scope, &of.file_graph.files)?);
                }
                let evidence = analyse(&question.text);
                let found = atlas_retrieve::footprint(graph, &self.index.retrieval, &evidence, &edges, weighs);
                Ok(Footprint::from_weights(question.id, found.0.iter().map(|&(file, weight)| (at[&file], weight))))
            })
            .collect()
    }

    /// Gathers returns that were made elsewhere.
    ///
    /// # Errors
    /// A bad glob in the mission's scope.
    pub fn gather(
        &self,
        mission: &Mission,
        plan: Option<&Plan>,
        returns: Vec<Vec<u8>>,
    ) -> Result<Findings, EngineError> {
        atlas_tree::Scope::new(&mission.scope.include, &mission.scope.exclude)?;
        let returns = returns.into_iter().map(ReturnInput::Bytes).collect();
        Ok(gather(GatherInput { plan, index: self, ..GatherInput::new(mission, &*self.tree, returns) }))
    }

    /// Checks every anchor and excerpt of findings against the files as they are now.
    #[must_use]
    pub fn verify(&self, findings: &Findings) -> VerifyReport {
        verify(findings, &*self.tree, self)
    }

    /// As [`Workspace::verify`] for the findings of a mission folder, with the excerpts that it keeps.
    #[must_use]
    pub fn verify_folder(&self, findings: &Findings, mission_dir: &Path) -> VerifyReport {
        let memex = Memex::in_mission(mission_dir);
        let kept = |digest: &Digest| memex.get(digest).map(|bytes| bytes.is_some()).map_err(|error| error.to_string());
        self.verify(findings).with_excerpts(findings, kept)
    }
}

/// A file whose directory is a package.
fn is_manifest(name: &str) -> bool {
    matches!(
        name,
        "package.json"
            | "go.mod"
            | "Cargo.toml"
            | "pyproject.toml"
            | "setup.py"
            | "composer.json"
            | "pom.xml"
            | "build.gradle"
            | "build.gradle.kts"
    ) || name.ends_with(".gemspec")
        || name.ends_with(".csproj")
}
