mod data;
mod definitions;
mod hostile;
mod references;
#[path = "../../../atlas-lang-python/tests/it/render.rs"]
mod render;
mod roots;

use atlas_syntax::{FileFacts, Language};

fn facts(source: &str) -> FileFacts {
    atlas_lang_ruby::extract(source.as_bytes(), Language::Ruby).expect("the grammar loads")
}
