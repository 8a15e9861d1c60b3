//! The kinds of fault behind the contract's cases, in C#.

#[test]
fn contract_cases_hold() {
    super::harness::contract_cases(
        include_str!("data/contract_cases.json"),
        atlas_lang_csharp::extract,
        &atlas_lang_csharp::CSharpSemantics,
    );
}
