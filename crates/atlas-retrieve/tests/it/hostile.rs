//! Questions that nobody should ask, and the same answer for every number of threads.

use crate::{World, shop};
use atlas_retrieve::{RetrievalIndex, analyse, search};
use proptest::prelude::*;

#[test]
fn an_empty_repository_answers_nothing() {
    let world = World::new("");
    assert!(world.files("Where is the session cookie signed?").is_empty());
    assert!(world.symbols("`a.b` in c.py:3").is_empty());
}

#[test]
fn a_megabyte_of_anything_is_read_to_a_bound() {
    let world = shop();
    let lines = "  File \"/a/b.py\", line 3, in f\n".repeat(40_000);
    for text in [
        "session cookie ".repeat(70_000),
        "a.b::c->d#".repeat(100_000),
        "`".repeat(1_000_000),
        "(".repeat(1_000_000),
        "\"'".repeat(500_000),
        "/a".repeat(500_000),
        "```\n".repeat(250_000),
        format!("x\nTraceback (most recent call last):\n{lines}"),
        (0..200_000u32).map(|n| format!("w{n} ")).collect::<String>(),
        "é".repeat(500_000),
        "a".repeat(1_000_000),
    ] {
        let evidence = analyse(&text);
        assert!(evidence.terms.len() <= 50_000);
        let _ = search(&world.graph, &world.index, &evidence);
    }
}

#[test]
fn letters_of_every_script_are_words() {
    let world = World::new(
        "=== a.py\ndef größe_prüfen():\n    \"\"\"Проверка размера\"\"\"\n=== b.py\ndef other():\n    pass\n",
    );
    assert_eq!(world.symbols("Größe prüfen")[0], "größe_prüfen");
    assert_eq!(world.symbols("проверка размера")[0], "größe_prüfen");
}

#[test]
fn one_thread_and_four_give_the_same_answer() {
    let world = shop();
    let question = "Where is the session cookie signed, and who writes `audit.log`? cancel_order fails";
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(&world.graph, &RetrievalIndex::build(&world.graph), &analyse(question)))
    };
    assert_eq!(of(1), of(4));
    assert_eq!(of(1), world.search(question));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_question_has_an_answer_in_order(text in "[ \\PC\n`'\"./:(){}]{0,200}|(session|cookie|sign|`Order|File \"a.py\", line 3|\n| ){0,40}") {
        let world = shop();
        let ranking = world.search(&text);
        prop_assert!(ranking.files.is_sorted_by(|a, b| a.score > b.score || (a.score == b.score && a.file < b.file)));
        prop_assert!(ranking.symbols.is_sorted_by(|a, b| a.score > b.score || (a.score == b.score && a.node < b.node)));
        prop_assert!(ranking.symbols.iter().all(|s| s.score.is_finite() && s.score > 0.0 && (0.0..=1.0).contains(&s.coverage)));
    }
}
