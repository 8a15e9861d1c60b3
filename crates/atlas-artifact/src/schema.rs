//! The published JSON Schemas (2020-12), generated from the types.

use crate::{BranchReturn, Envelope, Findings, FoldOutcome, Map, Mission, Plan, Report, SubMission};

/// The names that [`schema`] knows, in the order of the flow.
pub const SCHEMA_NAMES: [&str; 9] =
    ["mission", "map", "plan", "sub-mission", "return", "findings", "fold", "report", "envelope"];

/// The JSON Schema of an artifact by its name.
#[must_use]
pub fn schema(name: &str) -> Option<serde_json::Value> {
    let schema = match name {
        "mission" => schemars::schema_for!(Mission),
        "map" => schemars::schema_for!(Map),
        "plan" => schemars::schema_for!(Plan),
        "sub-mission" => schemars::schema_for!(SubMission),
        "return" => schemars::schema_for!(BranchReturn),
        "findings" => schemars::schema_for!(Findings),
        "fold" => schemars::schema_for!(FoldOutcome),
        "report" => schemars::schema_for!(Report),
        "envelope" => schemars::schema_for!(Envelope),
        _ => return None,
    };
    Some(schema.to_value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_2020_12_schema() {
        for name in SCHEMA_NAMES {
            let schema = schema(name).unwrap();
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        }
        assert_eq!(schema("nonsense"), None);
    }
}
