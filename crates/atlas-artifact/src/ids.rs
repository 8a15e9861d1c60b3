//! Identifiers and tiers that can only be made valid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A text that is not the identifier it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not of the form `{form}`")]
pub struct IdError {
    pub text: String,
    pub form: &'static str,
}

/// A sub-question's identifier, `DT-n` with n ≥ 1; ordered by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DtId(pub u32);

/// A branch's number, 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BranchId(pub u32);

/// A mission's identifier, `YYYYMMDD-NNN`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MissionId(String);

/// How well a claim is established; `H > M > L`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Tier {
    /// Plausible, not established.
    L,
    /// One short inference away.
    M,
    /// Read directly from a structural fact or quoted source.
    H,
}

/// The digits behind `prefix`: no sign, no leading zero, at least 1.
fn numbered(text: &str, prefix: &str) -> Option<u32> {
    let digits = text.strip_prefix(prefix)?;
    if digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

impl DtId {
    /// # Errors
    /// [`IdError`] unless the text is `DT-` and a number without leading zeros.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        numbered(text, "DT-").map(Self).ok_or_else(|| IdError { text: text.to_owned(), form: "DT-n" })
    }

    /// The `DT-n` that a gap's `sub_question` starts with, if it does: `DT-2 — not found`.
    #[must_use]
    pub fn leading(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("DT-")?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if rest[digits..].chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        Self::parse(&text[..3 + digits]).ok()
    }
}

impl MissionId {
    /// # Errors
    /// [`IdError`] unless the text is eight digits, a dash and at least three digits.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let ok = text.split_once('-').is_some_and(|(day, number)| {
            day.len() == 8
                && number.len() >= 3
                && number.len() <= 9
                && day.bytes().chain(number.bytes()).all(|b| b.is_ascii_digit())
        });
        if ok { Ok(Self(text.to_owned())) } else { Err(IdError { text: text.to_owned(), form: "YYYYMMDD-NNN" }) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Tier {
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "H" => Some(Self::H),
            "M" => Some(Self::M),
            "L" => Some(Self::L),
            _ => None,
        }
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::H => "H",
            Self::M => "M",
            Self::L => "L",
        }
    }
}

impl fmt::Display for DtId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DT-{}", self.0)
    }
}

impl fmt::Display for BranchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for MissionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for DtId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::parse(&text)
    }
}

impl From<DtId> for String {
    fn from(id: DtId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for MissionId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::parse(&text)
    }
}

impl From<MissionId> for String {
    fn from(id: MissionId) -> Self {
        id.0
    }
}

/// A JSON Schema of a string that matches `pattern`.
fn pattern(pattern: &str) -> schemars::Schema {
    schemars::json_schema!({ "type": "string", "pattern": pattern })
}

impl JsonSchema for DtId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DtId".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        pattern("^DT-[1-9][0-9]*$")
    }
}

impl JsonSchema for BranchId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "BranchId".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 1 })
    }
}

impl JsonSchema for MissionId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MissionId".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        pattern("^[0-9]{8}-[0-9]{3,9}$")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_question_ids() {
        assert_eq!(DtId::parse("DT-12"), Ok(DtId(12)));
        for bad in ["DT-0", "DT-01", "DT-", "dt-1", "DT-1 ", "DT--1", "DT-+1", "DT-99999999999"] {
            assert!(DtId::parse(bad).is_err(), "{bad:?}");
        }
        assert!(DtId(2) < DtId(10));
        assert_eq!(DtId::leading("DT-2 — not found"), Some(DtId(2)));
        assert_eq!(DtId::leading("DT-2: x"), Some(DtId(2)));
        assert_eq!(DtId::leading("DT-2x"), None);
        assert_eq!(DtId::leading("about DT-2"), None);
    }

    #[test]
    fn mission_ids_and_tiers() {
        assert!(MissionId::parse("20260101-001").is_ok());
        for bad in ["20260101-01", "2026011-001", "20260101001", "20260101-a01", ""] {
            assert!(MissionId::parse(bad).is_err(), "{bad:?}");
        }
        assert!(Tier::H > Tier::M && Tier::M > Tier::L);
    }
}
