//! `atlas schema NAME`.

use super::print_json;
use crate::args::SchemaArgs;
use crate::exit::{Exit, Failure};
use atlas_artifact::{SCHEMA_NAMES, schema};

pub fn run(args: &SchemaArgs) -> Result<Exit, Failure> {
    let schema = schema(&args.name).ok_or_else(|| {
        Failure::new(format!("no artifact is called `{}`", args.name))
            .hint(format!("the artifacts are {}", SCHEMA_NAMES.join(", ")))
            .with(Exit::Usage)
    })?;
    print_json(&schema)?;
    Ok(Exit::Done)
}
