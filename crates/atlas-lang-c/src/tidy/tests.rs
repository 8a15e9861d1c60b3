//! What the grammar gets to see.

use super::tidy;

/// The tidied text, blanks at the ends of lines cut.
fn tidied(source: &str, cpp: bool) -> String {
    let text = tidy(source.as_bytes(), cpp);
    assert_eq!(text.len(), source.len(), "the length stays");
    let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(lines(&text), lines(source.as_bytes()), "the line ends stay");
    let text = String::from_utf8(text.into_owned()).expect("what was text is text");
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn check(cpp: bool, source: &str, expected: &str) {
    assert_eq!(tidied(source, cpp).trim_end(), expected.trim_end(), "{source}");
}

#[test]
fn plain_code_is_left_alone() {
    for source in [
        "static inline int f(const char *s, unsigned long n) { return g(s); }\n",
        "#if A\nint f(void);\n#else\nint g(void);\n#endif\n",
        "LONG f(DWORD n);\nBOOL\ng(int x)\n{\n}\n",
        "struct client *c, d;\ntypedef struct x x;\nenum e { A, B };\n",
        "FILE *f(void) { if (x) RETURN(1); a = b * C; }\n",
        "class A : public B { A(); int x; };\n",
    ] {
        assert!(matches!(tidy(source.as_bytes(), true), std::borrow::Cow::Borrowed(_)), "{source}");
    }
}

#[test]
fn macros_before_and_behind_declarations_are_blanked() {
    check(false, "MY_API int f(int a);", "       int f(int a);");
    check(false, "static my_atomic size_t n = 0;", "static           size_t n = 0;");
    check(true, "class EXPORT DB { int x; };", "class        DB { int x; };");
    check(true, "class A { int n GUARDED_BY(mu); };", "class A { int n               ; };");
    check(true, "void f() EXCLUDES(mu) { }", "void f()              { }");
    check(false, "void f(UNUSED int a, int b UNUSED) { }", "void f(       int a, int b       ) { }");
    check(false, "API int (get)(T *t);", "    int (get)(T *t);");
}

#[test]
fn macro_calls_get_the_semicolon_they_lack() {
    check(false, "NO_CHECK(\"x\")\nint f(void) { }", "NO_CHECK;\nint f(void) { }");
    check(false, "void f(void) {\n  STEP(1)\n  if (x) y();\n}", "void f(void) {\n  STEP;\n  if (x) y();\n}");
}

#[test]
fn types_among_arguments_become_names_or_numbers() {
    check(false, "void f(void) { a = va_arg(l, char *); }", "void f(void) { a = va_arg(l        ); }");
    check(false, "void f(void) { g(cast(T *, x)); }", "void f(void) { g(cast(T  , x)); }");
    check(false, "void f(void) { h(unsigned int, x); }", "void f(void) { h(0           , x); }");
}

#[test]
fn groups_that_hold_no_whole_statements_keep_one_branch() {
    check(
        false,
        "void f(void) {\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}",
        "void f(void) {\n\n  if (a) {\n\n\n\n  }\n}",
    );
    check(
        false,
        "void f(void) {\n  if (a) { }\n#ifdef A\n  else if (b) { }\n#endif\n}",
        "void f(void) {\n  if (a) { }\n\n  else if (b) { }\n\n}",
    );
    check(false, "int a[] = {\n#ifdef A\n  1,\n#else\n  2,\n#endif\n};", "int a[] = {\n\n  1,\n\n  2,\n\n};");
}

#[test]
fn linkage_under_a_condition_goes_by_the_language() {
    let source = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif";
    check(false, source, "\n\n\nint f(void);");
    check(true, source, "\nextern \"C\" {\n\nint f(void);\n\n}");
}

#[test]
fn comments_that_the_grammar_cannot_take_are_blanked() {
    check(
        false,
        "#define F(x) do { /* a */ \\\n  g(x); } while (0)",
        "#define F(x) do {         \\\n  g(x); } while (0)",
    );
    check(false, "int a;\n/* no end\nint b;", "int a;");
    check(false, "int a; /* end */", "int a; /* end */");
}
