//! The only writer (contract §2): mission folders, excerpts, and the cache of facts.
//!
//! | what | where | when it fails |
//! | --- | --- | --- |
//! | [`write_whole`] | any file | an error that names the file; what was there stays |
//! | [`MissionFolder`] | `--out`, or the user's data directory | an error: the run must not go on as if it were recorded |
//! | [`Memex`] | `memex/` in a mission folder | likewise |
//! | [`FactsCache`] | the user's cache directory | a warning: the run goes on without it |
//!
//! What is deliberately not here: the clock, the environment (both are arguments), and anything of
//! the repository under study but its name. Whether an `--out` lies in the repository is `atlas-repo`'s to say.

mod branches;
mod cache;
mod error;
mod events;
mod lines;
mod memex;
mod mission;
mod places;
mod shared;
mod whole;

pub use branches::{BranchJournal, BranchRecord};
pub use cache::{CACHE_BYTES_MAX, CACHE_RUNS_KEPT, FactsCache, FactsKey, RACY_NS};
pub use error::StoreError;
pub use events::{EventLog, EventRecord, Phase};
pub use memex::Memex;
pub use mission::{Inside, MissionFolder};
pub use places::{Directories, repository_folder};
pub use shared::SharedJournal;
pub use whole::{remove_file, write_whole, write_whole_in};
