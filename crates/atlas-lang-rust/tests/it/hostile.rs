//! Input that no Rust programmer would write.

use atlas_lang_rust::extract;
use atlas_syntax::{FileFacts, Language};
use proptest::prelude::*;

fn facts(source: &str) -> FileFacts {
    extract(source.as_bytes(), Language::Rust).expect("the grammar loads")
}

#[test]
fn another_language_is_not_read() {
    assert!(extract(b"fn f() {}", Language::Go).is_none());
}

#[test]
fn what_parses_beside_errors_is_kept() {
    let facts = facts("fn a() { b( }\n\nstruct S { x: }\n\nfn c() { d() }\n");
    let names: Vec<&str> = facts.defs.iter().map(|def| facts.str(def.name)).collect();
    assert!(names.contains(&"c"), "{names:?}");
    assert!(facts.error_count > 0);
}

#[test]
fn depth_and_length_do_no_harm() {
    const MANY: usize = 20_000;
    for source in [
        format!("fn f() {{ {} }}\n", "{".repeat(MANY)),
        format!("const X: u8 = {}1{};\n", "(".repeat(MANY), ")".repeat(MANY)),
        format!("fn f() {{ a{}; }}\n", ".b()".repeat(MANY)),
        format!("fn f() {{ a{}; }}\n", "?.c".repeat(MANY)),
        format!("const X: u8 = {}1;\n", "a + ".repeat(MANY)),
        format!("const X: u8 = {}1{};\n", "f(".repeat(MANY), ")".repeat(MANY)),
        format!("type T = {}u8{};\n", "Vec<".repeat(5_000), ">".repeat(5_000)),
        format!("type T = {}u8;\n", "&".repeat(MANY)),
        format!("fn f() {{ let {}x{} = y; }}\n", "(".repeat(5_000), ",)".repeat(5_000)),
        format!("fn f() {{ m!({}{}) }}\n", "(".repeat(MANY), ")".repeat(MANY)),
        format!("fn f() {{ m!(a{}) }}\n", ".b()".repeat(MANY)),
        format!("use {}b;\n", "a::{".repeat(MANY)),
        format!("fn f<T: {}A>() {{}}\n", "A + ".repeat(MANY)),
        format!("fn f() {{ {} }}\n", "if let Some(x) = y {".repeat(2_000)),
        format!("fn f() {{ {} }}\n", "match x { A(y) => ".repeat(2_000)),
        format!("{}fn f() {{}}\n", "#[a(b = \"c\")] ".repeat(5_000)),
        format!("mod a {{ {} }}\n", "mod b {".repeat(5_000)),
    ] {
        facts(&source);
    }
}

#[test]
fn bytes_that_are_not_text_make_no_names() {
    let facts = extract(b"fn \xff\xfe() {}\nconst S: &str = \"\xff\";\n\0", Language::Rust).expect("the grammar loads");
    assert_eq!(facts.lines, 3);
}

#[test]
fn ends_of_lines_and_a_byte_order_mark_keep_lines_true() {
    let facts = facts("\u{feff}//! crate\r\n\r\n/// doc\r\nfn f() {\r\n}\r\n");
    let f = facts.defs.first().expect("one definition");
    assert_eq!((f.start, f.end, f.doc), (4, 5, Some((3, 3))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_tokens_give_facts_whose_parts_hold_together(
        tokens in proptest::collection::vec(proptest::sample::select(TOKENS.to_vec()), 0..60)
    ) {
        let source = tokens.join(" ");
        let facts = facts(&source);
        for def in &facts.defs {
            prop_assert!(def.start <= def.signature_end && def.signature_end <= def.end && def.end <= facts.lines.max(1));
        }
        for r in &facts.refs {
            prop_assert!((r.expr as usize) < facts.exprs.len() && (r.name as usize) < facts.strings.len());
        }
        for pair in facts.refs.windows(2) {
            prop_assert!((pair[0].line, pair[0].column) <= (pair[1].line, pair[1].column));
        }
        prop_assert_eq!(atlas_syntax::dump(&facts), atlas_syntax::dump(&extract(source.as_bytes(), Language::Rust).expect("again")));
    }
}

const TOKENS: [&str; 58] = [
    "fn",
    "f",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "T",
    "x",
    "self",
    "Self",
    "::",
    ".",
    ",",
    ";",
    "\n",
    "let",
    "mut",
    "struct",
    "enum",
    "impl",
    "trait",
    "for",
    "in",
    "match",
    "=>",
    "if",
    "else",
    "|",
    "||",
    "&",
    "*",
    "?",
    "!",
    "#",
    "[derive(A)]",
    "[cfg(test)]",
    "macro_rules!",
    "m!",
    "$crate",
    "use",
    "mod",
    "pub",
    "async",
    "await",
    "\"SELECT a FROM b\"",
    "1",
    "=",
    "->",
    ":",
    "'a",
    "where",
    "static",
    "const",
    "type",
];
