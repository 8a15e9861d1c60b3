//! Paths under which the routers of a file are reached: blueprints of Flask, routers of FastAPI.
//!
//! A router that is mounted in another file is known by its own prefix alone.

use super::defs::last_name;
use super::expr::first_argument;
use super::roots::keyword;
use super::{Python, literal_text};
use atlas_syntax::Builder;
use tree_sitter::Node;

/// How deep the statements that make and mount routers are looked for: a factory function, a condition.
const DEPTH_MAX: usize = 4;
const ROUTERS_MAX: usize = 1000;

impl Python {
    /// Reads the whole file before its walk: routers are mounted after their routes are written.
    pub(super) fn routers(&mut self, module: Node, b: &Builder) {
        self.routers_in(module, DEPTH_MAX, b);
    }

    fn routers_in(&mut self, suite: Node, depth: usize, b: &Builder) {
        let mut cursor = suite.walk();
        for statement in suite.named_children(&mut cursor) {
            match statement.kind() {
                "expression_statement" => match statement.named_child(0) {
                    Some(inner) if inner.kind() == "assignment" => self.made_router(inner, b),
                    Some(inner) if inner.kind() == "call" => self.mounted_router(inner, b),
                    _ => {}
                },
                "function_definition" | "if_statement" | "with_statement" | "try_statement" if depth > 0 => {
                    for name in ["body", "consequence"] {
                        if let Some(body) = statement.child_by_field_name(name) {
                            self.routers_in(body, depth - 1, b);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// `bp = Blueprint("votes", __name__, url_prefix="/votes")`, `router = APIRouter(prefix="/votes")`.
    fn made_router(&mut self, assignment: Node, b: &Builder) {
        let (Some(left), Some(call)) =
            (assignment.child_by_field_name("left"), assignment.child_by_field_name("right"))
        else {
            return;
        };
        let made = call.child_by_field_name("function").map_or("", |function| last_name(b.text(function)));
        if !matches!(made, "Blueprint" | "APIBlueprint" | "APIRouter" | "Router") || self.routers.len() >= ROUTERS_MAX {
            return;
        }
        if let Some(prefix) = keyword(call, &["url_prefix", "prefix"], b).and_then(|value| literal_text(value, b)) {
            self.routers.insert(b.text(left).into(), prefix.into());
        }
    }

    /// `app.register_blueprint(bp, url_prefix="/api")`, `app.include_router(router, prefix="/api")`.
    fn mounted_router(&mut self, call: Node, b: &Builder) {
        let name = call.child_by_field_name("function").map_or("", |function| last_name(b.text(function)));
        if !matches!(name, "register_blueprint" | "include_router") {
            return;
        }
        let Some(router) = first_argument(call).filter(|router| router.kind() == "identifier") else { return };
        let Some(mount) = keyword(call, &["url_prefix", "prefix"], b).and_then(|value| literal_text(value, b)) else {
            return;
        };
        let whole = match self.routers.get(b.text(router)) {
            // Flask's is in the place of the blueprint's own, FastAPI's goes before it.
            Some(own) if name == "include_router" => format!("{mount}{own}"),
            _ => mount.to_owned(),
        };
        if self.routers.len() < ROUTERS_MAX {
            self.routers.insert(b.text(router).into(), whole.into());
        }
    }

    /// A route as it is reached: behind the prefix of the router that it is added to.
    pub(super) fn reached(&self, router: &str, path: &str) -> String {
        match self.routers.get(router) {
            Some(prefix) if path.starts_with('/') => format!("{}{path}", prefix.trim_end_matches('/')),
            Some(prefix) if path.is_empty() => prefix.to_string(),
            _ => path.to_owned(),
        }
    }
}
