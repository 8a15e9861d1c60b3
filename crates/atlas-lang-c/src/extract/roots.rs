//! Entry points: `main`, and tests of gtest, Catch2, doctest, Boost.Test, Check and Criterion.

use super::C;
use super::exprs::literal_text;
use atlas_syntax::{
    Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, FrameKind, RefKind, RootFact, RootKind, column_of, line_of,
};
use tree_sitter::Node;

/// Macros whose arguments name a suite and a case. Sorted; true: the suite is a fixture class.
const SUITE_CASE: [(&str, bool, &str); 11] = [
    ("BOOST_FIXTURE_TEST_CASE", false, "boost test case"),
    ("GTEST_TEST", false, "gtest case"),
    ("MOCK_TEST", false, "gtest case"),
    ("TEST", false, "gtest case"),
    ("TEST_F", true, "gtest fixture case"),
    ("TEST_P", true, "gtest parameterised case"),
    ("TYPED_TEST", true, "gtest typed case"),
    ("TYPED_TEST_P", true, "gtest typed case"),
    ("Test", false, "criterion test"),
    ("ParameterizedTest", false, "criterion test"),
    ("TESTM", false, "gtest case"),
];

/// Macros whose one argument, an identifier, names a case.
const CASE: [(&str, &str); 5] = [
    ("BOOST_AUTO_TEST_CASE", "boost test case"),
    ("BOOST_AUTO_TEST_CASE_TEMPLATE", "boost test case"),
    ("START_TEST", "check test"),
    ("TEST", "test macro"),
    ("TEST_BEGIN", "test macro"),
];

/// Macros whose first argument, a string, names a case.
const TITLE: [(&str, &str); 6] = [
    ("SCENARIO", "catch2 scenario"),
    ("TEST_CASE", "catch2 test case"),
    ("TEST_CASE_FIXTURE", "doctest fixture case"),
    ("TEST_CASE_METHOD", "catch2 test case"),
    ("TEST_CASE_TEMPLATE", "doctest template case"),
    ("TEMPLATE_TEST_CASE", "catch2 test case"),
];

/// A test macro in front of a block.
#[derive(Debug, Clone)]
pub(super) struct PendingTest {
    name: String,
    at: (u32, u32),
    rule: &'static str,
    /// First byte that the block may begin at.
    end: usize,
}

impl C {
    /// `TEST(Suite, Case) { … }` and `START_TEST(case) { … }`, which read as functions without a type.
    pub(super) fn test_function(&mut self, node: Node, declarator: Node, b: &mut Builder) -> bool {
        let (name, arguments) = match declarator.kind() {
            "function_declarator" => {
                match (declarator.child_by_field_name("declarator"), declarator.child_by_field_name("parameters")) {
                    (Some(name), Some(parameters)) if node.child_by_field_name("type").is_none() => (name, parameters),
                    _ => return false,
                }
            }
            // `START_TEST(case)` reads as a declarator in parentheses.
            "parenthesized_declarator" => match node.child_by_field_name("type") {
                Some(ty) => (ty, declarator),
                None => return false,
            },
            _ => return false,
        };
        let mut cursor = arguments.walk();
        let arguments: Vec<Node> = arguments.named_children(&mut cursor).filter(|child| !child.is_extra()).collect();
        let text = b.text(name);
        let (suite, case, fixture, rule) = match arguments.as_slice() {
            [suite, case, ..] => match SUITE_CASE.iter().find(|(known, ..)| *known == text) {
                Some(&(_, fixture, rule)) => (Some(*suite), *case, fixture, rule),
                None => return false,
            },
            [case] => match CASE.iter().find(|(known, _)| *known == text) {
                Some(&(_, rule)) => (None, *case, false, rule),
                None => return false,
            },
            [] => return false,
        };
        for one in arguments.iter().chain([&name]) {
            self.skip(Some(*one));
        }
        let mut spec = DefSpec::new(DefKind::Function, b.text(case));
        spec.name_at = Some((line_of(case), column_of(case)));
        if let Some(suite) = suite {
            let suite = b.text(suite);
            spec.owner = Some(b.ty_path(&[suite]));
            if fixture {
                spec.kind = DefKind::Method;
            }
        }
        spec.arity = (0, 0);
        spec.doc = self.doc.take(line_of(node));
        spec.flags = DefFlags::TEST.with(DefFlags::FILE_LOCAL);
        let at = spec.name_at.unwrap_or_default().0;
        let title = spec.name.clone();
        let def = b.open_def(node, spec);
        self.locals.open(node, Some(def), FrameKind::Function);
        push_test(&title, at, def, rule, b);
        true
    }

    /// `TEST_CASE("…") { … }` reads as a call, and then a block.
    pub(super) fn test_macro_statement(&mut self, node: Node, b: &mut Builder) {
        let Some(call) = node.named_child(0) else { return };
        if call.kind() == "identifier" && node.named_child_count() == 1 {
            // A name by itself does nothing: it is a macro, whose arguments may have been blanked.
            self.done(Some(call));
            let name = b.sym_of(call);
            let expr = b.expr(Expr::Name(name));
            b.add_ref(RefKind::Call, call, expr, u16::MAX, None);
            return;
        }
        if call.kind() != "call_expression" || self.in_function(b) {
            return;
        }
        let (Some(function), Some(arguments)) =
            (call.child_by_field_name("function"), call.child_by_field_name("arguments"))
        else {
            return;
        };
        let Some(&(_, rule)) = TITLE.iter().find(|(known, _)| *known == b.text(function)) else { return };
        let mut cursor = arguments.walk();
        let title = arguments.named_children(&mut cursor).find(|argument| {
            matches!(argument.kind(), "string_literal" | "raw_string_literal" | "concatenated_string")
        });
        let Some(title) = title else { return };
        self.skip(Some(call));
        self.pending_test = Some(PendingTest {
            name: literal_text(title, b),
            at: (line_of(call), column_of(call)),
            rule,
            end: node.end_byte(),
        });
    }

    pub(super) fn open_pending_test(&mut self, node: Node, b: &mut Builder) {
        let Some(test) = self.pending_test.take() else { return };
        let between = b.source.get(test.end..node.start_byte()).unwrap_or_default();
        if self.in_function(b) || !between.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let mut spec = DefSpec::new(DefKind::Function, test.name.as_str());
        spec.name_at = Some(test.at);
        spec.start = Some(test.at.0);
        spec.arity = (0, 0);
        spec.doc = self.doc.take(test.at.0);
        spec.flags = DefFlags::TEST.with(DefFlags::FILE_LOCAL);
        let def = b.open_def(node, spec);
        self.locals.open(node, Some(def), FrameKind::Function);
        push_test(&test.name, test.at.0, def, test.rule, b);
    }

    pub(super) fn main_function(&mut self, node: Node, spec: &DefSpec, b: &mut Builder) {
        let is_main = matches!(spec.name.as_str(), "main" | "wmain" | "WinMain" | "wWinMain");
        if !is_main || spec.kind != DefKind::Function || b.here().is_some() {
            return;
        }
        let line = spec.name_at.map_or_else(|| line_of(node), |(line, _)| line);
        let def = b.facts().defs.len() as DefIx;
        let (name, rule) = (b.sym(&spec.name), b.sym("main function"));
        b.add_root(RootFact {
            kind: RootKind::Cli,
            line,
            name,
            verb: None,
            route: None,
            handler: None,
            def: Some(def),
            rule,
        });
    }
}

fn push_test(name: &str, line: u32, def: DefIx, rule: &str, b: &mut Builder) {
    let (name, rule) = (b.sym(name), b.sym(rule));
    b.add_root(RootFact {
        kind: RootKind::Test,
        line,
        name,
        verb: None,
        route: None,
        handler: None,
        def: Some(def),
        rule,
    });
}
