//! Bytes to JSON, for returns (contract §9, §16).
//!
//! A tree of its own, because returns are large, their keys are few, and they are taken apart at
//! once: known keys are not allocated and values are moved out. It is stricter than the usual
//! reader: a key that occurs twice in one object is an error, since keeping either would drop
//! something in silence. Nesting is bounded by the reader's own recursion limit. What the JSON must
//! look like is `shape`'s.

use atlas_artifact::limits::RETURN_BYTES_MAX;
use rustc_hash::FxHashSet;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// From 0.
    Whole(u64),
    /// Below 0.
    Negative(i64),
    /// Any other number; nothing in a return is one.
    Fraction,
    Text(String),
    List(Vec<Json>),
    Map(Fields),
}

/// The fields of an object, in the order given, each key once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fields(Vec<(Cow<'static, str>, Json)>);

/// Keys that are not allocated.
const KNOWN: [&str; 27] = [
    "id",
    "claim",
    "evidence",
    "path",
    "lines",
    "excerpt_ref",
    "ruled_out",
    "confidence",
    "supports_decision",
    "assertion",
    "subject",
    "relation",
    "object",
    "polarity",
    "exclusive",
    "return",
    "branch_id",
    "findings",
    "gaps",
    "telemetry",
    "tokens_used",
    "tool_calls",
    "sub_question",
    "strikes",
    "probe",
    "result",
    "escalate_to",
];

/// Objects with more keys are searched for double ones by hash, others by looking.
const FEW: usize = 16;

/// Reads one JSON value that takes up all of `bytes`; a leading byte order mark is passed over.
///
/// # Errors
/// What is wrong, in words: too large, or the first place that is not JSON.
pub fn parse(bytes: &[u8]) -> Result<Json, String> {
    if bytes.len() > RETURN_BYTES_MAX {
        return Err(format!("more than the {RETURN_BYTES_MAX} bytes that a return may have"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let json = Json::deserialize(&mut reader).map_err(|error| format!("not JSON: {error}"))?;
    reader.end().map_err(|error| format!("not JSON: {error}"))?;
    Ok(json)
}

impl Json {
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_whole(&self) -> Option<u64> {
        match self {
            Self::Whole(number) => Some(*number),
            _ => None,
        }
    }

    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Whole(number) => i64::try_from(*number).ok(),
            Self::Negative(number) => Some(*number),
            _ => None,
        }
    }
}

impl Fields {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_ref())
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(other, _)| other == key).map(|(_, value)| value)
    }

    /// Takes a value out; its key goes with it.
    pub fn take(&mut self, key: &str) -> Option<Json> {
        let at = self.0.iter().position(|(other, _)| other == key)?;
        Some(self.0.swap_remove(at).1)
    }

    /// Takes a text out; of any other type it is lost, as if it had not been there.
    pub fn take_text(&mut self, key: &str) -> Option<String> {
        match self.take(key) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(whole), _) => Self::Whole(whole),
                (None, Some(negative)) => Self::Negative(negative),
                (None, None) => Self::Fraction,
            },
            Value::String(text) => Self::Text(text),
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(map) => {
                Self::Map(Fields(map.into_iter().map(|(key, value)| (Cow::Owned(key), Self::from(value))).collect()))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(u64::try_from(value).map_or(Json::Negative(value), Json::Whole))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Whole(value))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Fraction)
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut out = Vec::new();
        while let Some(value) = seq.next_element()? {
            out.push(value);
        }
        Ok(Json::List(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut out: Vec<(Cow<'static, str>, Json)> = Vec::new();
        let mut seen: FxHashSet<Cow<'static, str>> = FxHashSet::default();
        while let Some(key) = map.next_key_seed(Key)? {
            if out.len() == FEW {
                seen.extend(out.iter().map(|(key, _)| key.clone()));
            }
            let twice =
                if out.len() < FEW { out.iter().any(|(other, _)| *other == key) } else { !seen.insert(key.clone()) };
            if twice {
                return Err(A::Error::custom(format_args!("key `{}` occurs twice", key.escape_debug())));
            }
            out.push((key, map.next_value()?));
        }
        Ok(Json::Map(Fields(out)))
    }
}

struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'static, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Cow<'static, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        let known = KNOWN.iter().find(|known| **known == key);
        Ok(known.map_or_else(|| Cow::Owned(key.to_owned()), |known| Cow::Borrowed(*known)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_what_is_json_and_nothing_else() {
        let text = r#" {"a": [1, -2, 2.5, 18446744073709551616, null, true, "x\u00e9"], "claim": {}} "#;
        let wanted = json!({"a": [1, -2, 2.5, 18_446_744_073_709_551_616.0, null, true, "xé"], "claim": {}});
        assert_eq!(parse(text.as_bytes()), Ok(Json::from(wanted)));
        assert_eq!(parse(b"\xef\xbb\xbf{}"), Ok(Json::Map(Fields::default())));
        for bad in [&b""[..], b"{", b"{} {}", b"nonsense", b"\xff\xfe", b"[1e999]", b"\"\\ud800\"", b"{\"a\":1,}"] {
            assert!(parse(bad).unwrap_err().starts_with("not JSON: "), "{bad:?}");
        }
    }

    #[test]
    fn a_key_that_occurs_twice_is_an_error() {
        assert_eq!(
            parse(br#"{"a": {"b": 1, "b": 2}}"#).unwrap_err(),
            "not JSON: key `b` occurs twice at line 1 column 18"
        );
        for double in [0, FEW - 1, FEW, FEW + 1, 2 * FEW] {
            let keys: Vec<String> = (0..=2 * FEW).chain([double]).map(|n| format!("\"k{n}\": 0")).collect();
            let told = parse(format!("{{{}}}", keys.join(",")).as_bytes()).unwrap_err();
            assert!(told.starts_with(&format!("not JSON: key `k{double}` occurs twice")), "{told}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = [vec![b'['; 1_000_000], vec![b']'; 1_000_000]].concat();
        assert!(parse(&deep).unwrap_err().contains("recursion limit exceeded"));
    }
}
