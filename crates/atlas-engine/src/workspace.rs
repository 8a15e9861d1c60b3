//! A repository, opened and indexed.

use crate::error::EngineError;
use crate::index::{IndexStats, index};
use crate::progress::Progress;
use crate::settings::Settings;
use atlas_artifact::limits::HEAT_WINDOW_DAYS;
use atlas_artifact::{Heat, Map, MapGap, MissionId, MissionScope};
use atlas_map::{MapInput, map};
use atlas_repo::{DiskTree, Options, Placement};
use atlas_retrieve::analyse;
use atlas_store::{FactsCache, Memex};
use atlas_tools::{CodeIndex, Excerpts, ToolSurface};
use atlas_tree::{Digest, RepoPath, Scope, Tree};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A repository as it was when it was opened. Nothing here writes to it.
pub struct Workspace {
    pub tree: Arc<DiskTree>,
    pub index: Arc<CodeIndex>,
    pub stats: IndexStats,
    /// The commit that the work tree stands at, if there is git.
    pub commit: Option<String>,
    pub settings: Settings,
}

/// What `atlas search` prints; best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchResult {
    pub files: Vec<FoundFile>,
    pub symbols: Vec<FoundSymbol>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundFile {
    pub path: String,
    pub score: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundSymbol {
    pub path: String,
    /// Qualified.
    pub name: String,
    pub start: u32,
    pub end: u32,
    pub score: f64,
    /// Share of the question's words, by their rarity, that it holds.
    pub coverage: f64,
}

impl Workspace {
    /// Walks and indexes the repository.
    ///
    /// # Errors
    /// [`EngineError::Open`]. A cache that cannot be used is a note.
    pub fn open(repo: &Path, settings: &Settings, progress: &dyn Progress) -> Result<Self, EngineError> {
        let tree = Self::walk(repo, settings, progress)?;
        Ok(Self::over(Arc::new(tree), settings, progress))
    }

    /// Walks the repository: what the tools without an index need.
    ///
    /// # Errors
    /// [`EngineError::Open`].
    pub fn walk(repo: &Path, settings: &Settings, progress: &dyn Progress) -> Result<DiskTree, EngineError> {
        progress.phase("walk", 0);
        let tree = open_tree(repo, settings)?;
        for note in tree.notes() {
            progress.note(note);
        }
        Ok(tree)
    }

    /// Indexes a tree that was walked. A cache that cannot be used is a note.
    #[must_use]
    pub fn over(tree: Arc<DiskTree>, settings: &Settings, progress: &dyn Progress) -> Self {
        let identity = tree.git().map_or(tree.root(), |git| git.common_dir.as_path()).to_owned();
        let cache = match settings.directories.cache(&identity) {
            // Nothing is written into the repository, not even below a home directory that is in it.
            Some(dir) if settings.use_cache && tree.placement(&dir) == Placement::Inside => {
                progress.note(&format!(
                    "parsed files are not cached: `{}` lies in the repository and git does not ignore it",
                    dir.display()
                ));
                FactsCache::none()
            }
            Some(dir) if settings.use_cache => FactsCache::open(&dir),
            _ => FactsCache::none(),
        };
        let indexed = index(&tree, &cache, progress);
        if let Some(warning) = cache.warning() {
            progress.note(&warning);
        }
        let commit = match tree.history().and_then(|history| history.map(|h| h.head()).transpose()) {
            Ok(commit) => commit.flatten(),
            Err(error) => {
                progress.note(&error.to_string());
                None
            }
        };
        Self { tree, index: indexed.index, stats: indexed.stats, commit, settings: settings.clone() }
    }

    /// The tools over a repository that is not indexed: text, files, directories.
    ///
    /// # Errors
    /// [`EngineError::Open`].
    pub fn text_tools(repo: &Path, settings: &Settings) -> Result<ToolSurface, EngineError> {
        Ok(tools_over(Arc::new(open_tree(repo, settings)?), None))
    }

    /// All tools over the whole surface, without a budget.
    #[must_use]
    pub fn tools(&self) -> ToolSurface {
        tools_over(self.tree.clone(), Some(Arc::clone(&self.index)))
    }

    /// The excerpts of a mission folder.
    #[must_use]
    pub fn excerpts(mission_dir: &Path) -> Arc<dyn Excerpts> {
        Arc::new(StoredExcerpts(Memex::in_mission(mission_dir)))
    }

    /// The files of a scope, in path order.
    ///
    /// # Errors
    /// A bad glob, or a scope without a file.
    pub fn surface(&self, scope: &MissionScope) -> Result<Vec<RepoPath>, EngineError> {
        let scope = Scope::new(&scope.include, &scope.exclude)?;
        let files: Vec<RepoPath> =
            self.tree.files().iter().map(|entry| entry.path.clone()).filter(|path| scope.contains(path)).collect();
        if files.is_empty() { Err(EngineError::EmptyScope) } else { Ok(files) }
    }

    /// The map of a scope.
    ///
    /// # Errors
    /// As [`Workspace::surface`].
    pub fn map(&self, mission_id: MissionId, scope: &MissionScope) -> Result<Map, EngineError> {
        let surface = self.surface(scope)?;
        let within = Scope::new(&scope.include, &scope.exclude)?;
        let gaps: Vec<MapGap> = self.index.gaps.iter().filter(|gap| within.contains_str(&gap.path)).cloned().collect();
        Ok(map(MapInput {
            mission_id,
            commit: self.commit.clone(),
            surface: &surface,
            graph: &self.index.graph,
            weightless: &self.index.weightless,
            heat: self.heat(&surface),
            gaps,
        }))
    }

    /// Commits and authors per file of the surface; empty without git.
    fn heat(&self, surface: &[RepoPath]) -> Vec<Heat> {
        let report = self.tree.history().ok().flatten().and_then(|history| history.heat(HEAT_WINDOW_DAYS).ok());
        let files = report.map(|report| report.files).unwrap_or_default();
        files.into_iter().filter(|heat| surface.binary_search_by(|p| p.as_str().cmp(&heat.path)).is_ok()).collect()
    }

    /// Ranks files and symbols by a question.
    #[must_use]
    pub fn search(&self, question: &str, limit: usize) -> SearchResult {
        let graph = &self.index.graph;
        let program = &graph.program;
        let ranking = atlas_retrieve::search(graph, &self.index.retrieval, &analyse(question));
        let files = ranking.files.iter().take(limit);
        let symbols = ranking.symbols.iter().take(limit);
        SearchResult {
            files: files
                .map(|found| FoundFile { path: program.path(found.file).to_string(), score: found.score })
                .collect(),
            symbols: symbols
                .filter_map(|found| {
                    let def = program.def(found.node)?;
                    Some(FoundSymbol {
                        path: program.path(program.file_of(found.node)).to_string(),
                        name: graph.qualified_name(found.node),
                        start: def.start,
                        end: def.end,
                        score: found.score,
                        coverage: found.coverage,
                    })
                })
                .collect(),
        }
    }
}

/// The tools over a tree, with its index if that is at hand: the one place where a surface begins.
#[must_use]
pub fn tools_over(tree: Arc<DiskTree>, index: Option<Arc<CodeIndex>>) -> ToolSurface {
    ToolSurface::new(tree, index)
}

fn open_tree(repo: &Path, settings: &Settings) -> Result<DiskTree, EngineError> {
    Ok(DiskTree::open(repo, &Options { global_excludes: settings.global_excludes.clone() })?)
}

/// A mission's memex as the tools read it.
pub(crate) struct StoredExcerpts(pub Memex);

impl Excerpts for StoredExcerpts {
    fn get(&self, digest: &Digest) -> Result<Option<Vec<u8>>, String> {
        self.0.get(digest).map_err(|error| error.to_string())
    }
}

/// The excerpts of every mission of one repository.
pub struct RepositoryExcerpts {
    missions: Option<PathBuf>,
}

impl RepositoryExcerpts {
    /// `root` is the canonical root of the repository. Without a home there are none.
    #[must_use]
    pub fn new(settings: &Settings, root: &Path) -> Self {
        Self { missions: settings.directories.missions(root).ok() }
    }

    /// Mission folders, newest identifier first.
    fn memexes(&self) -> Vec<Memex> {
        let Some(listing) = self.missions.as_ref().and_then(|dir| std::fs::read_dir(dir).ok()) else {
            return Vec::new();
        };
        let mut folders: Vec<PathBuf> = listing.filter_map(Result::ok).map(|entry| entry.path()).collect();
        folders.sort_unstable_by(|a, b| b.cmp(a));
        folders.iter().map(|folder| Memex::in_mission(folder)).collect()
    }

    /// What is stored, with sizes in bytes, by digest, each once.
    #[must_use]
    pub fn list(&self) -> Vec<(Digest, u64)> {
        let mut all: Vec<(Digest, u64)> =
            self.memexes().iter().filter_map(|memex| memex.list().ok()).flatten().collect();
        all.sort_unstable();
        all.dedup_by_key(|(digest, _)| *digest);
        all
    }
}

impl Excerpts for RepositoryExcerpts {
    fn get(&self, digest: &Digest) -> Result<Option<Vec<u8>>, String> {
        let mut damaged = None;
        for memex in self.memexes() {
            match memex.get(digest) {
                Ok(Some(bytes)) => return Ok(Some(bytes)),
                Ok(None) => {}
                // Another mission may hold it whole.
                Err(error) => damaged = Some(error.to_string()),
            }
        }
        damaged.map_or(Ok(None), Err)
    }
}
