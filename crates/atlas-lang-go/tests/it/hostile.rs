//! Input that no Go programmer would write.

use atlas_lang_go::extract;
use atlas_syntax::{FileFacts, Language};
use proptest::prelude::*;

fn facts(source: &str) -> FileFacts {
    extract(source.as_bytes(), Language::Go).expect("the grammar loads")
}

#[test]
fn another_language_is_not_read() {
    assert!(extract(b"package p", Language::Rust).is_none());
}

#[test]
fn what_parses_beside_errors_is_kept() {
    let facts = facts("package p\n\nfunc a() { b( }\n\nfunc c() { d() }\n");
    let names: Vec<&str> = facts.defs.iter().map(|def| facts.str(def.name)).collect();
    assert!(names.contains(&"a") && names.contains(&"c"), "{names:?}");
    assert!(facts.error_count > 0);
}

#[test]
fn depth_and_length_do_no_harm() {
    const MANY: usize = 20_000;
    for source in [
        format!("package p\nfunc f() {{ {} }}\n", "{".repeat(MANY)),
        format!("package p\nvar x = {}1{}\n", "(".repeat(MANY), ")".repeat(MANY)),
        format!("package p\nfunc f() {{ a{} }}\n", ".b()".repeat(MANY)),
        format!("package p\nvar x = {}1\n", "a + ".repeat(MANY)),
        format!("package p\nvar x = {}1{}\n", "f(".repeat(MANY), ")".repeat(MANY)),
        format!("package p\ntype T {}int\n", "[]".repeat(MANY)),
        format!("package p\nvar x = {}\n", "[]T{{".repeat(2_000)),
        format!("package p\nfunc f() {{ x{} }}\n", "[0]".repeat(MANY)),
        format!("package p\nfunc f() {{ {} }}\n", "if x := y; x {".repeat(2_000)),
        format!("package p\nfunc f() {{ switch x := {}y.(type) {{ case T: }} }}\n", "*".repeat(MANY)),
    ] {
        facts(&source);
    }
}

#[test]
fn bytes_that_are_not_text_make_no_names() {
    let facts =
        extract(b"package p\nfunc \xff\xfe() {}\nvar s = \"\xff\"\n\0", Language::Go).expect("the grammar loads");
    assert_eq!(facts.lines, 4);
}

#[test]
fn ends_of_lines_and_a_byte_order_mark_keep_lines_true() {
    let facts = facts("\u{feff}package p\r\n\r\n// doc\r\nfunc f() {\r\n}\r\n");
    let f = facts.defs.first().expect("one definition");
    assert_eq!((f.start, f.end, f.doc), (4, 5, Some((3, 3))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_tokens_give_facts_whose_parts_hold_together(
        tokens in proptest::collection::vec(proptest::sample::select(TOKENS.to_vec()), 0..60)
    ) {
        let facts = facts(&format!("package p\n{}", tokens.join(" ")));
        for def in &facts.defs {
            prop_assert!(def.start <= def.signature_end && def.signature_end <= def.end && def.end <= facts.lines.max(1));
        }
        for r in &facts.refs {
            prop_assert!((r.expr as usize) < facts.exprs.len() && (r.name as usize) < facts.strings.len());
        }
        prop_assert_eq!(atlas_syntax::dump(&facts), atlas_syntax::dump(&extract(format!("package p\n{}", tokens.join(" ")).as_bytes(), Language::Go).expect("again")));
    }
}

const TOKENS: [&str; 44] = [
    "func",
    "f",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "T",
    "x",
    ":=",
    "=",
    ".",
    ",",
    "\n",
    "var",
    "const",
    "type",
    "struct",
    "interface",
    "map",
    "chan",
    "<-",
    "*",
    "&",
    "\"s\"",
    "1",
    "range",
    "for",
    "if",
    "switch",
    "case",
    ":",
    "select",
    "go",
    "defer",
    "return",
    "import",
    "`gorm:\"x\"`",
    "new",
    "make",
    "append",
    "...",
    ";",
];
