//! Whatever the bytes, facts come back, and their indices hold.

use atlas_syntax::{BaseSub, FileFacts, Language};
use proptest::prelude::*;

fn facts(source: &[u8]) -> FileFacts {
    atlas_lang_csharp::extract(source, Language::CSharp).expect("the grammar loads")
}

/// Every index of every fact points at something.
fn assert_sound(facts: &FileFacts) {
    let defs = facts.defs.len() as u32;
    let exprs = facts.exprs.len() as u32;
    for (ix, def) in facts.defs.iter().enumerate() {
        assert!(def.container.is_none_or(|container| container < ix as u32));
        assert!(def.start <= def.signature_end && def.signature_end <= def.end);
    }
    for r in &facts.refs {
        assert!(r.expr < exprs && r.within.is_none_or(|within| within < defs));
    }
    for arg in &facts.args {
        assert!((arg.of as usize) < facts.refs.len() && arg.value < exprs);
    }
    for base in &facts.bases {
        assert!(matches!(base.sub, BaseSub::Def(ix) if ix < defs));
    }
}

#[test]
fn empty_and_binary_files_have_no_definitions() {
    for source in [&b""[..], b"\0\0\0", b"\xff\xfe", b"\xef\xbb\xbf"] {
        assert!(facts(source).defs.is_empty());
    }
}

#[test]
fn line_ends_do_not_move_lines() {
    let crlf = facts(b"class A {\r\n  void F() {\r\n  }\r\n}\r\n");
    let spans: Vec<(u32, u32)> = crlf.defs.iter().map(|def| (def.start, def.end)).collect();
    assert_eq!(spans, [(1, 4), (2, 3)]);
}

#[test]
fn nesting_and_chains_of_any_depth_are_harmless() {
    const DEPTH: usize = 5_000;
    for (open, middle, close) in [
        ("(", "x", ")"),
        ("{", "", "}"),
        ("new A(", "", ")"),
        ("!", "x", ""),
        ("F(", "", ")"),
        ("x => ", "x", ""),
        ("if (o is A a) { ", "a.F();", "}"),
        ("x?.y(", "", ")"),
    ] {
        let body = format!("{}{middle}{}", open.repeat(DEPTH), close.repeat(DEPTH));
        assert_sound(&facts(format!("class A {{ object F(object o) {{ {body}; }} }}").as_bytes()));
    }
    for link in [".B()", "?.B()"] {
        let chain = facts(format!("class A {{ object F() {{ return a{}; }} }}", link.repeat(DEPTH)).as_bytes());
        assert_sound(&chain);
        assert_eq!(chain.refs.iter().filter(|r| chain.str(r.name) == "B").count(), DEPTH);
    }
    let generic = format!("class A {{ {}int{} f; }}", "List<".repeat(DEPTH), ">".repeat(DEPTH));
    assert_sound(&facts(generic.as_bytes()));
    let classes = format!("{}{}", "class A { ".repeat(1_000), "}".repeat(1_000));
    assert_eq!(facts(classes.as_bytes()).defs.len(), 1_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_bytes_give_sound_facts(source in proptest::collection::vec(any::<u8>(), 0..400)) {
        assert_sound(&facts(&source));
    }

    #[test]
    fn any_sequence_of_words_gives_sound_facts(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "class", "A", "{", "}", "(", ")", ";", "void", "F", "new", "=", "x", ".", "?.", ",", "[T]", "=>", "<",
                ">", "if", "switch", "case", "enum", "record", "interface", "\"s\"", "+", ":", "base", "this", "using",
                "namespace", "is", "var", "out", "static", "partial", "await", "from", "in", "select", "get", "params",
            ]),
            0..120,
        )
    ) {
        assert_sound(&facts(words.join(" ").as_bytes()));
    }
}
