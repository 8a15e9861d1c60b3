//! Precision and recall of conflicts by words on files of labelled pairs:
//! `cargo run -p atlas-gather --example conflicts -- FILE… [-v]`.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use serde_json::Value;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|argument| argument == "-v");
    for file in arguments.iter().filter(|argument| *argument != "-v") {
        let text = std::fs::read_to_string(file).expect("a readable file");
        let (mut hit, mut false_alarm, mut missed, mut quiet) = (0u32, 0u32, 0u32, 0u32);
        for line in text.lines() {
            let pair: Value = serde_json::from_str(line).expect("a pair a line");
            let (a, b) = (pair["a"].as_str().unwrap_or_default(), pair["b"].as_str().unwrap_or_default());
            let verdict = atlas_gather::by_words(a, b);
            let wrong = match (pair["label"] == "conflict", verdict.is_some()) {
                (true, true) => (&mut hit, false),
                (false, true) => (&mut false_alarm, true),
                (true, false) => (&mut missed, true),
                (false, false) => (&mut quiet, false),
            };
            *wrong.0 += 1;
            if verbose && wrong.1 {
                println!("{} {} {}\n   {a}\n   {b}\n   {verdict:?}", pair["id"], pair["kind"], pair["label"]);
            }
        }
        let ratio = |part: u32, whole: u32| f64::from(part) / f64::from(whole.max(1));
        println!(
            "{file}: precision {:.3}, recall {:.3} ({hit} found, {false_alarm} false, {missed} missed, {quiet} rightly quiet)",
            ratio(hit, hit + false_alarm),
            ratio(hit, hit + missed)
        );
    }
}
