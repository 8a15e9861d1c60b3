//! Contract cases, and the same kinds of fault in further forms.

use super::C;

#[test]
fn contract_cases_hold() {
    C.contract_cases(include_str!("data/contract_cases.json"));
}

const PAIR: &str = r#"
=== s.h
struct Store {
  void put(int);
};
=== s.cpp
#include "s.h"
void Store::put(int x) {}
=== u.cpp
#include "s.h"
void a(Store* s) { s->put(1); }
void b(Store s) {
  s.put(2);
}
"#;

#[test]
fn a_member_is_found_by_either_form_of_its_name_and_place() {
    let callers = ["u.cpp:2", "u.cpp:4"];
    for query in ["Store::put", "Store.put", "s.cpp:Store::put", "s.h:Store.put"] {
        assert_eq!(C.ask(PAIR, &format!("callers_of: {query}")), callers, "{query}");
    }
}
