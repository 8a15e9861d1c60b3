//! Facts of blobs, kept between runs: they depend on bytes and language alone.

use super::git::{Blobs, Entry};
use super::languages::extract;
use atlas_graph::link::{ConfigFile, Program, SourceFile, is_config};
use atlas_repo::classify;
use atlas_syntax::{EXTRACTOR_VERSION, FileFacts, Language};
use atlas_tree::RepoPath;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Key = (String, Language);

/// The facts of one repository's blobs.
pub struct Facts {
    known: FxHashMap<Key, Option<Arc<FileFacts>>>,
    stored: FxHashMap<Key, Vec<u8>>,
    file: Option<PathBuf>,
    fresh: Vec<(Key, Option<Arc<FileFacts>>)>,
    pub parsed: usize,
}

impl Facts {
    /// Reads what an earlier run left in `dir`; a file of another format is as good as none.
    pub fn open(dir: Option<&Path>, name: &str) -> Self {
        let file = dir.map(|dir| dir.join(format!("{name}.facts{EXTRACTOR_VERSION}")));
        let mut stored = FxHashMap::default();
        if let Some(opened) = file.as_ref().and_then(|file| File::open(file).ok()) {
            let mut from = BufReader::new(opened);
            while let Some((key, blob)) = read_row(&mut from) {
                stored.insert(key, blob);
            }
        }
        Self { known: FxHashMap::default(), stored, file, fresh: Vec::new(), parsed: 0 }
    }

    /// The program that a listing is.
    pub fn program(&mut self, entries: &[Entry], blobs: &mut Blobs) -> Program {
        let mut configs = Vec::new();
        let mut wanted = Vec::new();
        let mut unread: Vec<(Key, RepoPath, Vec<u8>)> = Vec::new();
        for entry in entries {
            let Ok(path) = RepoPath::new(&entry.path) else { continue };
            if is_config(&path)
                && let Some(bytes) = blobs.get(&entry.oid)
            {
                configs.push(ConfigFile { path: path.clone(), bytes: bytes.into() });
            }
            // Only headers need their text to tell the language; both readings are keyed.
            let Some(language) = Language::of(&path, b"") else { continue };
            if !language.is_code() {
                continue;
            }
            let key = (entry.oid.clone(), language);
            if !self.known.contains_key(&key) {
                match self.stored.remove(&key) {
                    Some(blob) => {
                        let facts = postcard::from_bytes::<Option<FileFacts>>(&blob).ok().flatten();
                        self.known.insert(key.clone(), facts.map(Arc::new));
                    }
                    None => {
                        if let Some(bytes) = blobs.get(&entry.oid) {
                            unread.push((key.clone(), path.clone(), bytes));
                            self.known.insert(key.clone(), None);
                        }
                    }
                }
            }
            wanted.push((path, key));
        }
        self.parsed += unread.len();
        let read: Vec<(Key, Option<Arc<FileFacts>>)> = unread
            .into_par_iter()
            .map(|(key, path, bytes)| {
                let facts = facts_of(&path, &bytes).map(Arc::new);
                (key, facts)
            })
            .collect();
        for (key, facts) in read {
            self.known.insert(key.clone(), facts.clone());
            self.fresh.push((key, facts));
        }
        let files = wanted
            .into_iter()
            .filter_map(|(path, key)| Some(SourceFile { path, facts: self.known.get(&key)?.clone()? }))
            .collect();
        Program::new(files, configs)
    }

    /// Appends what is new to the file.
    pub fn save(&mut self) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        if self.fresh.is_empty() {
            return Ok(());
        }
        let failed = |error: std::io::Error| format!("{}: {error}", file.display());
        let opened = File::options().append(true).create(true).open(file).map_err(failed)?;
        let mut to = BufWriter::new(opened);
        for ((oid, language), facts) in self.fresh.drain(..) {
            let Ok(key) = postcard::to_stdvec(&(oid, language)) else { continue };
            let Ok(blob) = postcard::to_stdvec(&facts.as_deref()) else { continue };
            for part in [key, blob] {
                to.write_all(&(part.len() as u32).to_le_bytes()).map_err(failed)?;
                to.write_all(&part).map_err(failed)?;
            }
        }
        to.flush().map_err(failed)
    }
}

fn read_row(from: &mut impl Read) -> Option<(Key, Vec<u8>)> {
    let mut part = || {
        let mut length = [0; 4];
        from.read_exact(&mut length).ok()?;
        let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
        from.read_exact(&mut bytes).ok()?;
        Some(bytes)
    };
    let key = postcard::from_bytes(&part()?).ok()?;
    Some((key, part()?))
}

fn facts_of(path: &RepoPath, bytes: &[u8]) -> Option<FileFacts> {
    if classify(path, bytes).is_some_and(|content| !content.parse) {
        return None;
    }
    extract(bytes, Language::of(path, bytes)?)
}
