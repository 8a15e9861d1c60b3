//! Bytes to JSON, for returns (contract §9, §16).
//!
//! Stricter than the usual reader: a key that occurs twice in one object is an error, since keeping
//! either would drop something in silence. Nesting is bounded by the reader's own recursion limit.
//! What the JSON must look like is `shape`'s.

use atlas_artifact::limits::RETURN_BYTES_MAX;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reads one JSON value that takes up all of `bytes`; a leading byte order mark is passed over.
///
/// # Errors
/// What is wrong, in words: too large, or the first place that is not JSON.
pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    if bytes.len() > RETURN_BYTES_MAX {
        return Err(format!("{} bytes, more than the {RETURN_BYTES_MAX} that a return may have", bytes.len()));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let strict = Strict::deserialize(&mut reader).map_err(|error| format!("not JSON: {error}"))?;
    reader.end().map_err(|error| format!("not JSON: {error}"))?;
    Ok(strict.0)
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(Strict(value)) = seq.next_element()? {
            out.push(value);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if out.contains_key(&key) {
                return Err(A::Error::custom(format_args!("key `{}` occurs twice", key.escape_debug())));
            }
            let Strict(value) = map.next_value()?;
            out.insert(key, value);
        }
        Ok(Value::Object(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_json_and_nothing_else() {
        assert_eq!(parse(b" {\"a\": [1, -2, 2.5, null, true, \"x\"]} ").unwrap()["a"][1], -2);
        assert_eq!(parse(b"\xef\xbb\xbf{}").unwrap(), serde_json::json!({}));
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
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = [vec![b'['; 1_000_000], vec![b']'; 1_000_000]].concat();
        assert!(parse(&deep).unwrap_err().contains("recursion limit exceeded"));
    }
}
