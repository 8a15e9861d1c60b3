//! The right place first, for each kind of evidence.

use crate::shop;

#[test]
fn plain_words_find_the_file_and_tests_stand_behind() {
    let world = shop();
    let files = world.files("Where is the session cookie signed and verified?");
    assert_eq!(files[0], "shop/auth/session.py");
    assert!(files[..3].contains(&"shop/core/signing.py"), "{files:?}");
    assert!(files.contains(&"tests/test_signing.py"), "ranked apart, not hidden: {files:?}");
}

#[test]
fn plain_words_find_the_function() {
    let world = shop();
    assert_eq!(world.symbols("Which functions write the audit log?")[0], "write_entry");
    assert_eq!(world.symbols("How is the total of an order computed?")[0], "Order.total");
}

#[test]
fn an_identifier_means_its_definition() {
    let world = shop();
    let ranking = world.search("`MailSender.connect` is called too often");
    assert_eq!(world.graph.qualified_name(ranking.symbols[0].node), "MailSender.connect");
    assert_eq!(ranking.symbols[0].coverage.to_bits(), 1.0f64.to_bits());
    assert_eq!(world.files("find_products ignores case")[0], "shop/catalog/search.py");
}

#[test]
fn a_path_means_its_file() {
    let world = shop();
    assert_eq!(world.files("please look at shop/catalog/search.py")[0], "shop/catalog/search.py");
    assert_eq!(world.files("an error in sender.py:7")[0], "shop/mail/sender.py");
}

#[test]
fn a_trace_means_its_innermost_frames() {
    let world = shop();
    let issue = r#"Sessions break
Traceback (most recent call last):
  File "/srv/site-packages/django/core/handlers.py", line 7, in inner
    response = get_response(request)
  File "/srv/site-packages/shop/orders/views.py", line 5, in cancel_order
    order.cancel(request.user)
  File "/srv/site-packages/shop/audit/log.py", line 3, in write_entry
    with open("audit.log", "a") as log:
PermissionError: [Errno 13] Permission denied: 'audit.log'
"#;
    assert_eq!(world.files(issue)[..2], ["shop/audit/log.py", "shop/orders/views.py"]);
    assert_eq!(world.symbols(issue)[0], "write_entry");
}

#[test]
fn the_text_of_an_error_means_the_string_it_comes_from() {
    let world = shop();
    assert_eq!(world.symbols("I get \"mail server refused the connection\" at night")[0], "MailSender.connect");
}

#[test]
fn forms_of_a_word_meet() {
    let world = shop();
    assert_eq!(world.symbols("the connections of the sender")[0], "MailSender.connect");
}

#[test]
fn unknown_words_are_told() {
    let world = shop();
    let ranking = world.search("the frobnicator of the catalogue");
    assert_eq!(ranking.unknown_terms, ["frobnicator"]);
}

#[test]
fn coverage_is_the_share_of_the_question_that_is_there() {
    let world = shop();
    let ranking = world.search("audit log frobnicator zygote");
    let best = ranking.symbols[0];
    assert_eq!(world.graph.qualified_name(best.node), "write_entry");
    assert!(best.coverage > 0.2 && best.coverage < 0.6, "{}", best.coverage);
    let none = world.search("frobnicator zygote");
    assert!(none.symbols.is_empty() && none.files.is_empty());
}
