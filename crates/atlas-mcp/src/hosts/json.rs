//! One member in and out of a JSON object, in its text: every other byte of a user's file stays.

use std::ops::Range;

/// A member: where it begins, its key, and its value.
struct Member {
    key: String,
    start: usize,
    value: Range<usize>,
}

/// Scans text that is known to be JSON.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while self.byte().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn string(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.byte() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
        self.at = self.at.min(self.text.len());
        start..self.at
    }

    /// Passes over a value, however deep.
    fn value(&mut self) -> Range<usize> {
        let start = self.at;
        let mut depth = 0usize;
        while let Some(byte) = self.byte() {
            match byte {
                b'"' => {
                    self.string();
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' if depth == 0 => break,
                byte if depth == 0 && byte.is_ascii_whitespace() => break,
                _ => self.at += 1,
            }
            if depth == 0 && matches!(byte, b'"' | b'}' | b']') {
                break;
            }
        }
        start..self.at
    }
}

/// The members of the object that begins at `open`, and where its closing brace is.
fn members(text: &str, open: usize) -> (Vec<Member>, usize) {
    let mut scan = Scan { text, at: open + 1 };
    let mut members = Vec::new();
    loop {
        scan.space();
        match scan.byte() {
            Some(b',') => scan.at += 1,
            Some(b'"') => {
                let key = scan.string();
                scan.space();
                scan.at += 1;
                scan.space();
                let value = scan.value();
                let name = serde_json::from_str(&text[key.clone()]).unwrap_or_default();
                members.push(Member { key: name, start: key.start, value });
            }
            _ => return (members, scan.at),
        }
    }
}

/// What stands on the line of `at` before it, if that is white space alone.
fn indent(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..at];
    if before.bytes().all(|byte| byte.is_ascii_whitespace()) { before } else { "" }
}

fn insert_member(text: &str, open: usize, depth: usize, key: &str, value: &serde_json::Value) -> String {
    let (members, close) = members(text, open);
    let own = match members.first() {
        Some(first) => indent(text, first.start).to_owned(),
        None => "  ".repeat(depth),
    };
    let pretty = serde_json::to_string_pretty(value).unwrap_or_default().replace('\n', &format!("\n{own}"));
    let member = format!("\n{own}{}: {pretty}", serde_json::Value::from(key));
    match members.last() {
        Some(last) => format!("{},{member}{}", &text[..last.value.end], &text[last.value.end..]),
        None => format!("{}{member}\n{}{}", &text[..=open], "  ".repeat(depth - 1), &text[close..]),
    }
}

fn remove_member(text: &str, open: usize, key: &str) -> String {
    let (members, close) = members(text, open);
    let Some(at) = members.iter().position(|member| member.key == key) else { return text.to_owned() };
    let (start, end) = if at > 0 {
        (members[at - 1].value.end, members[at].value.end)
    } else if let Some(next) = members.get(1) {
        (members[0].start, next.start)
    } else {
        (open + 1, close)
    };
    format!("{}{}", &text[..start], &text[end..])
}

fn object_at(text: &str) -> Option<usize> {
    let open = text.find(|c: char| !c.is_whitespace() && c != '\u{feff}')?;
    (text.as_bytes()[open] == b'{').then_some(open)
}

/// The text with `section.key` set; None if the text holds no JSON object, or the section is none.
pub fn insert(text: &str, section: &str, key: &str, value: &serde_json::Value) -> Option<String> {
    if text.trim().is_empty() {
        let whole = serde_json::json!({ section: { key: value } });
        return Some(format!("{whole:#}\n"));
    }
    let open = object_at(text)?;
    let (top, _) = members(text, open);
    match top.iter().find(|member| member.key == section) {
        Some(found) if text[found.value.clone()].starts_with('{') => {
            Some(insert_member(text, found.value.start, 2, key, value))
        }
        Some(_) => None,
        None => Some(insert_member(text, open, 1, section, &serde_json::json!({ key: value }))),
    }
}

/// The text without `section.key`, and without the section if it is empty then; empty if nothing is
/// left. None if it is not there.
pub fn remove(text: &str, section: &str, key: &str) -> Option<String> {
    let open = object_at(text)?;
    let (top, _) = members(text, open);
    let found = top.iter().find(|member| member.key == section)?;
    if !members(text, found.value.start).0.iter().any(|member| member.key == key) {
        return None;
    }
    let mut text = remove_member(text, found.value.start, key);
    if members(&text, found.value.start).0.is_empty() {
        text = remove_member(&text, open, section);
    }
    Some(if members(&text, open).0.is_empty() { String::new() } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn every_other_byte_stays() {
        let value = json!({ "command": "/bin/atlas", "args": ["serve"] });
        for text in [
            "{\n    \"theme\": \"dark, {\\\"x\\\"}\",\n    \"mcpServers\": {\n        \"toy\": {\"a\": [1, {}]}\n    }\n}\n",
            "{\"a\":1}",
            "{\n  \"mcpServers\": {\"x\": 1},\n  \"z\": []\n}",
            "{ \"n\" : -1.5e3 , \"t\":true}\n\n",
        ] {
            let with = insert(text, "mcpServers", "atlas", &value).unwrap();
            let parsed: serde_json::Value = serde_json::from_str(&with).unwrap();
            assert_eq!(parsed["mcpServers"]["atlas"], value, "{with}");
            assert_eq!(remove(&with, "mcpServers", "atlas").as_deref(), Some(text), "{with}");
        }
        let made = insert("", "mcp", "atlas", &value).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&made).unwrap(), json!({ "mcp": { "atlas": value } }));
        assert_eq!(remove(&made, "mcp", "atlas").as_deref(), Some(""));
        assert_eq!(remove("{\"mcp\": {}}", "mcp", "atlas"), None);
        assert_eq!(insert("[1]", "mcp", "atlas", &value), None);
        assert_eq!(insert("{\"mcp\": 5}", "mcp", "atlas", &value), None);
    }

    fn tree() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<i32>().prop_map(serde_json::Value::from),
            ".{0,8}".prop_map(serde_json::Value::from)
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                prop::collection::btree_map(".{0,6}", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_stands_in_the_file_in_and_out_leave_it_as_it_was(
            others in prop::collection::btree_map("[a-z]{1,5}", tree(), 1..4), pretty in any::<bool>()
        ) {
            let before = serde_json::Value::Object(others.into_iter().collect());
            let text = if pretty { format!("{before:#}\n") } else { before.to_string() };
            let value = json!({ "k": ["v"] });
            let with = insert(&text, "servers-x", "atlas", &value).unwrap();
            let mut wanted = before.clone();
            wanted["servers-x"] = json!({ "atlas": value });
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&with).unwrap(), wanted);
            prop_assert_eq!(remove(&with, "servers-x", "atlas").unwrap(), text);
        }
    }
}
