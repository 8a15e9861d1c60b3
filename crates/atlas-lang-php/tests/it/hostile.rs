//! Whatever the bytes, facts come back, and their indices hold.

use atlas_syntax::{BaseSub, FileFacts, Language};
use proptest::prelude::*;

fn facts(source: &[u8]) -> FileFacts {
    atlas_lang_php::extract(source, Language::Php).expect("the grammar loads")
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
    let crlf = facts(b"<?php\r\nclass A {\r\n  function f() {\r\n  }\r\n}\r\n");
    let spans: Vec<(u32, u32)> = crlf.defs.iter().map(|def| (def.start, def.end)).collect();
    assert_eq!(spans, [(2, 5), (3, 4)]);
}

#[test]
fn nesting_and_chains_of_any_depth_are_harmless() {
    const DEPTH: usize = 20_000;
    for (open, middle, close) in [
        ("(", "$x", ")"),
        ("{", "", "}"),
        ("new A(", "", ")"),
        ("!", "$x", ""),
        ("f(", "", ")"),
        ("[", "", "]"),
        ("fn($a) => ", "$a", ""),
        ("if ($x instanceof A) { ", "$x->f();", "}"),
    ] {
        let body = format!("{}{middle}{}", open.repeat(DEPTH), close.repeat(DEPTH));
        assert_sound(&facts(format!("<?php class A {{ function f($x) {{ {body}; }} }}").as_bytes()));
    }
    let chain = format!("<?php $a{};", "->b()".repeat(DEPTH));
    let chain = facts(chain.as_bytes());
    assert_sound(&chain);
    assert_eq!(chain.refs.iter().filter(|r| chain.str(r.name) == "b").count(), DEPTH);
    let all = format!("<?php if ($a{}) {{}}", " && $b".repeat(DEPTH));
    assert_sound(&facts(all.as_bytes()));
    let doc = format!("<?php /** @param {}A{} $x */ function f($x) {{}}", "array<".repeat(DEPTH), ">".repeat(DEPTH));
    assert_sound(&facts(doc.as_bytes()));
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
                "<?php", "class", "A", "{", "}", "(", ")", ";", "function", "f", "new", "=", "$x", "->", ",", "#[T]",
                "::", "use", "namespace", "\\", "if", "match", "enum", "case", "trait", "'s'", "fn", "=>", "extends",
                "static", "parent", "instanceof", "&&", "?", ":", "[", "]", "/** @var A<B> $x */", "foreach", "as",
            ]),
            0..120,
        )
    ) {
        assert_sound(&facts(format!("<?php {}", words.join(" ")).as_bytes()));
    }
}
