//! Entry points: Sinatra and Grape routes, workers, Rake and Thor commands, tests.

use super::expr::{first_argument, option};
use super::{FrameKind, Ruby, plain_text};
use atlas_syntax::{Builder, DefFlags, DefIx, DefKind, Expr, RootFact, RootKind, line_of};
use tree_sitter::Node;

const VERBS: [&str; 7] = ["delete", "get", "head", "options", "patch", "post", "put"];

impl Ruby {
    pub(super) fn root(
        &mut self,
        kind: RootKind,
        at: Node,
        name: &str,
        rule: &str,
        b: &mut Builder,
        set: impl FnOnce(&mut RootFact, &mut Builder),
    ) {
        let (name, rule) = (b.sym(name), b.sym(rule));
        let mut root =
            RootFact { kind, line: line_of(at), name, verb: None, route: None, handler: None, def: None, rule };
        set(&mut root, b);
        b.add_root(root);
    }

    pub(super) fn call_roots(&mut self, node: Node, name: &str, receiver: Option<Node>, b: &mut Builder) {
        if self.route_call(node, name, receiver, b) {
            return;
        }
        let block = node.child_by_field_name("block");
        match receiver {
            None => match (name, block) {
                ("it" | "specify" | "example" | "fit" | "xit" | "test" | "should", Some(_)) => {
                    self.example(node, name, b)
                }
                (
                    "before" | "after" | "around" | "setup" | "teardown" | "let" | "let!" | "subject"
                    | "shared_examples",
                    Some(_),
                ) => {
                    self.test_helper(node, name, b);
                }
                (verb, Some(_)) if VERBS.binary_search(&verb).is_ok() => self.sinatra_route(node, verb, b),
                ("task", _) => self.rake_task(node, b),
                ("namespace", Some(_)) => {
                    if let Some(text) = first_argument(node).and_then(|first| plain_text(first, b)) {
                        self.tasks.push((node.id(), text.to_owned()));
                    }
                }
                ("desc", _) => self.described = true,
                _ => {}
            },
            Some(receiver) => {
                let object = b.text(receiver);
                match (object, name) {
                    ("OptionParser", "new") => self.option_parser(node, b),
                    ("ActiveSupport::Notifications", "subscribe") => {
                        let event =
                            first_argument(node).and_then(|first| plain_text(first, b)).unwrap_or("*").to_owned();
                        self.root(RootKind::EventHandler, node, &event, "rails notification", b, |root, b| {
                            root.route = Some(b.sym(&event));
                        });
                    }
                    ("Signal", "trap") => {
                        let signal =
                            first_argument(node).and_then(|first| plain_text(first, b)).unwrap_or("*").to_owned();
                        self.root(RootKind::EventHandler, node, &signal, "process signal", b, |root, b| {
                            root.route = Some(b.sym(&signal));
                        });
                    }
                    _ => {}
                }
            }
        }
    }

    /// `it "works" do`, `test "works" do`: the block is a test by that name.
    fn example(&mut self, node: Node, name: &str, b: &mut Builder) {
        let rails = matches!(name, "test" | "should");
        if rails && !self.in_test_class(b) || !rails && self.frames.iter().any(|f| f.kind == FrameKind::Method) {
            return;
        }
        let first = first_argument(node);
        let title = match first {
            Some(first) => match plain_text(first, b) {
                Some(text) => text,
                None => return,
            },
            None => name,
        };
        let end = title.char_indices().nth(120).map_or(title.len(), |(at, _)| at);
        let title = title[..end].to_owned();
        let frame = if rails { FrameKind::Method } else { FrameKind::Program };
        let kind = if rails { DefKind::Method } else { DefKind::Function };
        let ix = self.open_named(node, first.unwrap_or(node), &title, kind, frame, b);
        let flags = &mut b.def_mut(ix).flags;
        *flags = DefFlags::TEST;
        b.def_mut(ix).arity = (0, 0);
        let rule = if rails { "rails test" } else { "rspec example" };
        self.test_root(ix, &title, rule, node, b);
    }

    /// Hooks and lazy values of a spec.
    fn test_helper(&mut self, node: Node, name: &str, b: &mut Builder) {
        if self.frames.iter().any(|f| f.kind == FrameKind::Method) {
            return;
        }
        let first = first_argument(node);
        let text = first.and_then(|first| plain_text(first, b)).map(str::to_owned);
        match (name, text) {
            ("let" | "let!" | "subject", Some(text)) if !text.is_empty() => {
                let ix = self.open_named(node, first.unwrap_or(node), &text, DefKind::Function, FrameKind::Program, b);
                b.def_mut(ix).flags = DefFlags::TEST;
                b.def_mut(ix).arity = (0, 0);
                let body = node.child_by_field_name("block").and_then(|block| block.child_by_field_name("body"));
                if let Some(body) = body {
                    let value = self.expr(body, b);
                    if value != 0 {
                        b.bind(atlas_syntax::BindingKind::Return, Some(ix), "", line_of(body), None, Some(value));
                    }
                }
            }
            ("before" | "after" | "around", _) if self.type_frame().is_none() => {
                let ix = self.open_named(node, node, name, DefKind::Function, FrameKind::Program, b);
                b.def_mut(ix).flags = DefFlags::TEST;
            }
            _ => {}
        }
    }

    pub(super) fn in_test_class(&self, b: &Builder) -> bool {
        let class = self.type_frame().and_then(|frame| frame.def);
        class.is_some_and(|ix| b.facts().def(ix).flags.has(DefFlags::TEST))
    }

    pub(super) fn test_method(&self, name: &str, b: &Builder) -> bool {
        name.starts_with("test_") && self.in_test_class(b)
    }

    pub(super) fn test_root(&mut self, ix: DefIx, name: &str, rule: &str, at: Node, b: &mut Builder) {
        self.root(RootKind::Test, at, name, rule, b, |root, _| root.def = Some(ix));
    }

    /// Methods that a framework calls by name.
    pub(super) fn method_roots(&mut self, ix: DefIx, name: &str, at: Node, singleton: bool, b: &mut Builder) {
        let Some(class) = self.type_frame() else { return };
        let Some(class_ix) = class.def else { return };
        let parent = class.parents.first().map_or("", |parent| parent);
        let has = |wanted: &[&str]| class.parents.iter().any(|parent| wanted.contains(&&**parent));
        let (rule, kind) = if name == "perform" && has(&["Sidekiq::Worker", "Sidekiq::Job", "Sidekiq::IterableJob"]) {
            ("sidekiq worker", RootKind::Worker)
        } else if name == "perform" && !singleton && (parent.ends_with("Job") || parent == "ActiveJob::Base") {
            ("active job", RootKind::Worker)
        } else if name == "perform" && singleton && class.defined.contains(&b.sym("@queue")) {
            ("resque job", RootKind::Worker)
        } else if matches!(parent, "Thor" | "Thor::Group") && !singleton && (self.described || parent == "Thor::Group")
        {
            ("thor command", RootKind::Cli)
        } else {
            return;
        };
        self.described = false;
        let name = match kind {
            RootKind::Worker => b.str(b.facts().def(class_ix).name).to_owned(),
            _ => name.to_owned(),
        };
        self.root(kind, at, &name, rule, b, |root, _| root.def = Some(ix));
    }

    /// `get '/x' do … end` of Sinatra or Grape: the block is a function by that name.
    fn sinatra_route(&mut self, node: Node, verb: &str, b: &mut Builder) {
        let parent = self.type_frame().and_then(|frame| frame.parents.first().cloned()).unwrap_or_default();
        let in_app = parent.starts_with("Sinatra::") || parent.starts_with("Grape::");
        let known = in_app || self.requires("sinatra") && self.type_frame().is_none();
        if !known {
            return;
        }
        let Some(first) = first_argument(node) else { return };
        let Some(path) = plain_text(first, b).map(str::to_owned) else { return };
        let verb = verb.to_ascii_uppercase();
        let name = format!("{verb} {path}");
        let ix = self.open_named(node, first, &name, DefKind::Function, FrameKind::Method, b);
        b.def_mut(ix).arity = (0, 0);
        let rule = if parent.starts_with("Grape::") { "grape route" } else { "sinatra route" };
        self.root(RootKind::HttpRoute, node, &name, rule, b, |root, b| {
            root.verb = Some(b.sym(&verb));
            root.route = Some(b.sym(&path));
            root.def = Some(ix);
        });
    }

    /// `task :name => :dep do`, `task name: :dep`.
    fn rake_task(&mut self, node: Node, b: &mut Builder) {
        if self.type_frame().is_some() || self.frames.len() > 1 {
            return;
        }
        let Some(first) = node.child_by_field_name("arguments").and_then(|list| list.named_child(0)) else { return };
        let named = if first.kind() == "pair" { first.child_by_field_name("key") } else { Some(first) };
        let Some(name) = named.and_then(|name| plain_text(name, b)) else { return };
        let path: Vec<&str> = self.tasks.iter().map(|(_, name)| name.as_str()).chain([name]).collect();
        let name = path.join(":");
        if node.child_by_field_name("block").is_none() {
            return;
        }
        let ix = self.open_named(node, first, &name, DefKind::Function, FrameKind::Program, b);
        self.root(RootKind::Cli, node, &name, "rake task", b, |root, _| root.def = Some(ix));
    }

    fn option_parser(&mut self, node: Node, b: &mut Builder) {
        let def = b.enclosing_callable();
        let name = def.map_or_else(|| "optparse".to_owned(), |ix| b.str(b.facts().def(ix).name).to_owned());
        self.root(RootKind::Cli, node, &name, "option parser", b, |root, _| root.def = def);
    }

    /// `if __FILE__ == $0`
    pub(super) fn main_guard(&mut self, node: Node, b: &mut Builder) {
        let (Some(condition), Some(body)) =
            (node.child_by_field_name("condition"), node.child_by_field_name("consequence"))
        else {
            return;
        };
        let text = b.text(condition);
        if text.len() > 64 || !text.contains("__FILE__") || !(text.contains("$0") || text.contains("$PROGRAM_NAME")) {
            return;
        }
        let mut cursor = body.walk();
        let first = body.named_children(&mut cursor).find(|n| matches!(n.kind(), "call" | "identifier"));
        let (name, handler) = match first {
            Some(call) => {
                let value = self.expr(call, b);
                let name = call.child_by_field_name("method").map_or_else(|| b.text(call), |method| b.text(method));
                let handler = match b.facts().expr(value) {
                    Expr::Call { callee, .. } => Some(*callee),
                    _ => None,
                };
                (name.to_owned(), handler)
            }
            None => ("main".to_owned(), None),
        };
        self.root(RootKind::Cli, node, &name, "main guard", b, |root, _| root.handler = handler);
    }

    /// The `only:`/`except:` of a route or callback as plain names.
    pub(super) fn names_of(&self, call: Node, key: &str, b: &Builder) -> Option<Vec<String>> {
        let value = option(call, key, b)?;
        if let Some(one) = plain_text(value, b) {
            return Some(vec![one.to_owned()]);
        }
        let mut cursor = value.walk();
        Some(value.named_children(&mut cursor).take(32).filter_map(|n| plain_text(n, b)).map(str::to_owned).collect())
    }
}
