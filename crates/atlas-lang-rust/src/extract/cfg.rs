//! Conditional compilation, evaluated for the default build: Linux on x86-64, every feature on.

/// Whether the arguments of a `cfg` attribute hold. What cannot be read holds.
pub(super) fn holds(args: &str) -> bool {
    evaluate(args, 0).unwrap_or(true)
}

/// Whether the arguments ask for test builds.
pub(super) fn is_test(args: &str) -> bool {
    let args = args.trim();
    args == "test" || inner(args, "all").is_some_and(|inner| split(inner).iter().any(|part| part.trim() == "test"))
}

fn evaluate(text: &str, depth: u32) -> Option<bool> {
    let text = text.trim();
    if depth > 32 || text.is_empty() {
        return None;
    }
    if let Some(inner) = inner(text, "not") {
        // Tests and what tests replace are both kept: neither is more the code than the other.
        if inner.trim() == "test" {
            return Some(true);
        }
        return evaluate(inner, depth + 1).map(|value| !value);
    }
    if let Some(inner) = inner(text, "all") {
        let parts = split(inner);
        return Some(parts.iter().all(|part| evaluate(part, depth + 1).unwrap_or(true)));
    }
    if let Some(inner) = inner(text, "any") {
        let parts = split(inner);
        return Some(parts.iter().any(|part| evaluate(part, depth + 1).unwrap_or(true)));
    }
    match text.split_once('=') {
        Some((key, value)) => {
            let value = value.trim().trim_matches('"');
            Some(match key.trim() {
                "target_os" => value == "linux",
                "target_family" => value == "unix",
                "target_arch" => value == "x86_64",
                "target_pointer_width" => value == "64",
                "target_endian" => value == "little",
                "target_env" => value == "gnu",
                "panic" => value == "unwind",
                "target_has_atomic" | "feature" | "target_feature" => true,
                _ => return None,
            })
        }
        None => Some(match text {
            "unix" | "test" | "debug_assertions" | "doc" | "docsrs" => true,
            "windows" | "loom" | "miri" | "fuzzing" | "kani" => false,
            _ => return None,
        }),
    }
}

/// What stands in the brackets of `name(…)`.
fn inner<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_prefix(name)?.trim_start().strip_prefix('(')?.trim_end().strip_suffix(')')
}

/// The parts between commas that stand in no bracket.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_other_than_linux_are_left_out() {
        assert!(holds("unix") && holds("target_os = \"linux\"") && holds("feature = \"x\""));
        assert!(!holds("windows") && !holds("not(unix)") && !holds("target_os = \"macos\""));
        assert!(!holds("all(unix, any(windows, target_arch = \"wasm32\"))"));
        assert!(!holds("not(feature = \"x\")"));
        assert!(holds("any(windows, not(loom))"));
    }

    #[test]
    fn what_cannot_be_read_holds() {
        assert!(holds("tokio_unstable") && holds("") && holds("all(") && holds(&"not(".repeat(10_000)));
    }

    #[test]
    fn test_builds_are_told_apart() {
        assert!(holds("test") && holds("not(test)"));
        assert!(is_test("test") && is_test("all(test, unix)"));
        assert!(!is_test("not(test)") && !is_test("feature = \"test\""));
    }
}
