//! Input that no one would write: no panic, no overflow, no quadratic time, and what parsed is kept.

use atlas_lang_javascript::{LANGUAGES, extract};
use atlas_syntax::{FileFacts, Language};
use proptest::prelude::*;

fn facts(source: &[u8]) -> FileFacts {
    extract(source, Language::JavaScript).unwrap()
}

#[test]
fn every_language_is_read_and_no_other() {
    for &language in LANGUAGES {
        assert!(extract(b"const a = 1;\n", language).is_some(), "{language:?}");
    }
    assert!(extract(b"x = 1\n", Language::Python).is_none());
}

#[test]
fn what_parses_around_an_error_is_kept() {
    let facts = facts(b"function a() {}\n)))) ((\nfunction b() {}\n");
    assert!(facts.error_count > 0);
    let names: Vec<&str> = facts.defs.iter().map(|def| facts.str(def.name)).collect();
    assert!(names.contains(&"a") && names.contains(&"b"), "{names:?}");
}

#[test]
fn empty_binary_and_broken_text_give_facts() {
    assert_eq!(facts(b"").defs.len(), 0);
    facts(b"\xff\xfe\x00\x01function \xff() {}");
    facts("\u{feff}function a() {}\r\nfunction b() {}\r\n".as_bytes());
    extract(b"<script", Language::Vue).unwrap();
    extract(b"<script lang=ts>\xff</script>", Language::Vue).unwrap();
}

#[test]
fn nesting_of_any_depth_is_walked() {
    let deep = 5_000;
    for (open, close) in [("(", ")"), ("[", "]"), ("{a:", "}"), ("f(", ")"), ("!", ""), ("a?b:", "c")] {
        let text = format!("x = {}1{};\nfunction last() {{}}\n", open.repeat(deep), close.repeat(deep));
        facts(text.as_bytes());
    }
    facts(format!("{}{}", "function f() {".repeat(deep), "}".repeat(deep)).as_bytes());
    facts(format!("{}{}", "if (a) {".repeat(deep), "}".repeat(deep)).as_bytes());
}

#[test]
fn long_chains_and_lists_take_linear_time() {
    let long = 5_000;
    facts(format!("x{};\n", ".then(a => a.b)".repeat(long)).as_bytes());
    facts(format!("x{};\n", ".a".repeat(long)).as_bytes());
    facts(format!("y = 'a'{};\n", " + 'b'".repeat(long)).as_bytes());
    facts(format!("y = a{};\n", " || b".repeat(long)).as_bytes());
    facts(format!("const o = {{{}}};\n", "k: v, ".repeat(long)).as_bytes());
    facts(format!("{}1;\n", "a = ".repeat(5_000)).as_bytes());
    facts("a();b.c = () => d;\n".repeat(long).as_bytes());
    extract("f<A>`x`;\n".repeat(5_000).as_bytes(), Language::TypeScript).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_text_panics(words in prop::collection::vec(prop::sample::select(WORDS), 0..60), tail in ".{0,20}") {
        let text = format!("{} {tail}", words.join(" "));
        for &language in LANGUAGES {
            let facts = extract(text.as_bytes(), language).unwrap();
            for (ix, def) in facts.defs.iter().enumerate() {
                prop_assert!(def.start <= def.signature_end && def.signature_end <= def.end);
                prop_assert!(def.container.is_none_or(|container| (container as usize) < ix));
            }
            for reference in &facts.refs {
                prop_assert!((reference.expr as usize) < facts.exprs.len());
                prop_assert!(reference.line >= 1 && reference.column >= 1);
            }
        }
    }
}

const WORDS: &[&str] = &[
    "export",
    "default",
    "import",
    "from",
    "'./a'",
    "*",
    "as",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "=>",
    "=",
    ",",
    ";",
    ":",
    ".",
    "function",
    "class",
    "extends",
    "async",
    "await",
    "const",
    "let",
    "var",
    "x",
    "y",
    "this",
    "super",
    "new",
    "return",
    "<App",
    "/>",
    "</App>",
    "`",
    "${",
    "static",
    "get",
    "set",
    "constructor",
    "interface",
    "type",
    "enum",
    "namespace",
    "declare",
    "@Dec",
    "module.exports",
    "exports.a",
    "require('m')",
    "X.prototype.y",
    "for",
    "of",
    "in",
    "if",
    "try",
    "catch",
    "?",
    "??",
    "...",
    "#p",
    "\n",
    "<script>",
    "</script>",
    "it('t', ",
    "app.get('/x', ",
    "'SELECT a FROM b'",
];
