//! Where questions live, and how much two of them share.

use crate::{World, shop};
use atlas_retrieve::{Footprint, analyse, footprint};

fn of(world: &World, question: &str) -> Footprint {
    let edges = world.graph.file_edges(|_| true);
    footprint(&world.graph, &world.index, &analyse(question), &edges, |_| true)
}

fn overlap(a: &Footprint, b: &Footprint) -> f64 {
    a.0.iter()
        .map(|&(file, weight)| {
            b.0.iter().find(|(other, _)| *other == file).map_or(0.0, |(_, other)| weight.min(*other))
        })
        .sum()
}

#[test]
fn a_footprint_sums_to_one() {
    let world = shop();
    let found = of(world, "Where is the session cookie signed?");
    let sum: f64 = found.0.iter().map(|(_, weight)| weight).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    assert!(found.0.is_sorted_by(|a, b| a.0 < b.0));
}

#[test]
fn no_evidence_gives_no_footprint() {
    let world = shop();
    for question in ["", "is it the?", "frobnicator zygote", "\u{1F600}", "…"] {
        assert_eq!(of(world, question), Footprint::default(), "{question}");
    }
}

#[test]
fn related_questions_overlap_and_unrelated_ones_do_not() {
    let world = shop();
    let signed = of(world, "Where is the session cookie signed?");
    let verified = of(world, "What happens when the signature of a session cookie does not match?");
    let mail = of(world, "How often does the mail sender retry the connection to the server?");
    assert!(overlap(&signed, &verified) > 0.5, "{}", overlap(&signed, &verified));
    assert!(overlap(&signed, &mail) < 0.5, "{}", overlap(&signed, &mail));
}

#[test]
fn only_files_that_count_are_in_it() {
    let world = shop();
    let edges = world.graph.file_edges(|_| true);
    let signing = world.graph.program.find("shop/core/signing.py").unwrap();
    let evidence = analyse("Where is the session cookie signed?");
    let found = footprint(&world.graph, &world.index, &evidence, &edges, |file| file != signing);
    assert!(!found.0.is_empty() && found.0.iter().all(|(file, _)| *file != signing));
}
