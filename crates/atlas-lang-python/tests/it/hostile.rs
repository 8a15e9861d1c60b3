use crate::facts;
use atlas_syntax::Language;
use proptest::prelude::*;

#[test]
fn deep_and_long_sources_are_read_without_harm() {
    let deep = 3_000;
    for source in [
        format!("x = {}1{}", "(".repeat(deep), ")".repeat(deep)),
        format!("x = a{}", ".b()".repeat(20_000)),
        format!("x = a{}", "[0]".repeat(20_000)),
        format!("x = a{}", " + a".repeat(20_000)),
        format!("x = 's'{}", " + 's'".repeat(20_000)),
        format!("x = a{}", " and a".repeat(deep)),
        format!("x = {}y", "not ".repeat(deep)),
        format!("x = {}1", "lambda: ".repeat(deep)),
        format!("x: {}int{} = 1", "list[".repeat(deep), "]".repeat(deep)),
        format!("x: \"{}int{}\" = 1", "list[".repeat(100), "]".repeat(100)),
        format!("{} = 1", vec!["a"; 5_000].join(" = ")),
        format!("{} = b", vec!["a"; 20_000].join(", ")),
        format!("f({})", "a, ".repeat(20_000)),
        format!("x = [{}]", "'s', ".repeat(50_000)),
        format!("x = {}", "'s' ".repeat(20_000)),
        format!("Vote.objects{}", ".filter()".repeat(5_000)),
        "if isinstance(x, T):\n    x.f()\n".repeat(3_000),
        format!("def f(x):\n{}", "    if not isinstance(x, T): return x.f()\n".repeat(3_000)),
        "class A:\n def f(self):\n  self.x = self.y = 1\n".repeat(2_000),
        format!("__all__ = [{}]", "'a', ".repeat(20_000)),
        "@a\n".repeat(5_000) + "def f(): pass\n",
        (0..200).map(|n| format!("{}if x:\n", " ".repeat(n))).collect::<String>(),
    ] {
        let facts = facts(&source);
        assert!(facts.lines > 0);
    }
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    for source in [&b"\xff\xfe\x00d\x00e\x00f"[..], b"def f(\xe9): '\xff'\n\x00", b"\xef\xbb\xbfdef f(): pass", b""] {
        assert!(atlas_lang_python::extract(source, Language::Python).is_some());
    }
    assert!(atlas_lang_python::extract(b"", Language::Ruby).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_tokens_give_facts_in_order(words in proptest::collection::vec(
        prop_oneof!["def |class |f|(|)|:|\n|    |=|x|\\.|self|@|import |from |lambda |\"|'|\\[|\\]|,|return |if |with | as |yield |match |case |\\*", "[a-z]{1,2}"],
        0..60,
    )) {
        let facts = facts(&words.concat());
        for def in &facts.defs {
            prop_assert!(def.start <= def.signature_end && def.signature_end <= def.end);
            prop_assert!(def.container.is_none_or(|c| (c as usize) < facts.defs.len()));
        }
    }
}
