use crate::facts;
use atlas_syntax::Language;
use proptest::prelude::*;

#[test]
fn deep_and_long_sources_are_read_without_harm() {
    let deep = 2_000;
    for source in [
        format!("x = {}1{}", "(".repeat(deep), ")".repeat(deep)),
        format!("x = a{}", ".b()".repeat(10_000)),
        format!("x = A{}", "::B".repeat(10_000)),
        format!("x = a{}", " + a".repeat(10_000)),
        format!("x = 's'{}", " + 's'".repeat(10_000)),
        format!("x = {}y", "!".repeat(deep)),
        format!("x = {}1", "-> { ".repeat(500)),
        format!("{} = 1", vec!["a"; 2_000].join(" = ")),
        format!("{} = b", vec!["a"; 10_000].join(", ")),
        format!("f({})", "a, ".repeat(10_000)),
        format!("x = [{}]", "'s', ".repeat(20_000)),
        format!("Vote{}", ".where(a: 1)".repeat(5_000)),
        format!("if a\n1\n{}end", "elsif b\n2\n".repeat(2_000)),
        format!("class A\n{}end", "  private def m; end\n".repeat(2_000)),
        "class A\n".repeat(300) + &"end\n".repeat(300),
        format!("Rails.application.routes.draw do\n{}end", "resources :a\n".repeat(1_000)),
    ] {
        assert!(facts(&source).lines > 0);
    }
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    for source in [&b"\xff\xfe\x00d\x00e"[..], b"def f(\xe9); '\xff'\n\x00", b"\xef\xbb\xbfdef f; end", b""] {
        assert!(atlas_lang_ruby::extract(source, Language::Ruby).is_some());
    }
    assert!(atlas_lang_ruby::extract(b"", Language::Python).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_tokens_give_facts_in_order(words in proptest::collection::vec(
        prop_oneof!["def |class |end\n|\\(|\\)|\n|=|A|\\.|self|@a|do |\\|x\\||->|\"|'|\\[|\\]|,|return |if |case |in |when |::|<<~S\n|S\n|\\{|\\}|:", "[a-z]{1,2}"],
        0..60,
    )) {
        let facts = facts(&words.concat());
        for def in &facts.defs {
            prop_assert!(def.start <= def.signature_end && def.signature_end <= def.end);
            prop_assert!(def.container.is_none_or(|c| (c as usize) < facts.defs.len()));
        }
    }
}

#[test]
fn what_nests_without_bound_is_read_as_far_as_code_nests() {
    let deep = 3_000;
    let nested = facts(&("module A\n".repeat(deep) + &"end\n".repeat(deep)));
    assert!(nested.error_count > 0, "the file is said to be read in part");
    assert_eq!(nested.defs.len(), 2_001);
    let plain = facts(&("module A\n".repeat(300) + &"end\n".repeat(300)));
    assert_eq!((plain.error_count, plain.defs.len()), (0, 300));
}
