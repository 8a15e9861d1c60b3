mod bindings;
mod data;
mod definitions;
mod hostile;
mod references;
mod render;
mod roots;

use atlas_syntax::{FileFacts, Language};

fn facts(source: &str) -> FileFacts {
    atlas_lang_python::extract(source.as_bytes(), Language::Python).expect("the grammar loads")
}
