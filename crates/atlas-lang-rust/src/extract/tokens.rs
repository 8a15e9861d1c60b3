//! Token trees: what stands in a macro's arguments, as far as it reads like expressions and items.
//!
//! A macro may do anything with its tokens, but most hand them on. Calls (`name(…)`, `a::b(…)`,
//! `.name(…)`) are references as they would be outside; `let` binds; where items may stand, `fn`
//! makes a definition, and `mod` and `use` count. Each tree is read once, on its own, in a line.

use super::RustExtractor;
use super::items::flag;
use super::refs::string_value;
use atlas_syntax::{
    BindingKind, Builder, DefFlags, DefKind, DefSpec, Expr, ExprId, FrameKind, RefKind, Sym, Type, TypeId, line_of,
};
use tree_sitter::Node;

impl RustExtractor {
    pub(super) fn token_tree(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let children: Vec<Node> = node.children(&mut cursor).collect();
        let inside = match children.as_slice() {
            [_, inside @ .., _] => inside,
            _ => return,
        };
        if let Some(function) = self.token_functions.remove(&node.id()) {
            let ix = b.open_def(node, function.spec);
            self.locals.open(node, Some(ix), FrameKind::Closed);
            for (position, (name, ty)) in function.parameters.into_iter().enumerate() {
                let bound = self.locals.declare(name, b);
                let bound = b.str(bound).to_owned();
                let position = position.min(usize::from(u16::MAX)) as u16;
                b.bind(BindingKind::Param(position), Some(ix), &bound, line_of(node), ty, None);
            }
        } else {
            self.locals.open(node, b.here(), FrameKind::Block);
        }
        // Names stand for values only where the reader below says so.
        for token in inside.iter().filter(|token| token.kind() == "identifier") {
            self.handled.insert(token.id());
        }
        let items = self.item_trees.contains(&node.id());
        let mut reader = Tokens { all: inside, at: 0, items };
        while reader.at < reader.all.len() {
            self.statement(&mut reader, b);
        }
    }

    fn statement(&mut self, t: &mut Tokens, b: &mut Builder) {
        match t.kind() {
            "let" => self.token_let(t, b),
            "fn" if t.items => self.token_function(t, b),
            "identifier" if t.items && t.text(b) == "mod" => t.at += 1,
            "mod" if t.items => {
                let public = t.at > 0 && t.all[t.at - 1].kind() == "pub";
                if let Some(name) = t.all.get(t.at + 1).filter(|name| name.kind() == "identifier")
                    && t.all.get(t.at + 2).is_some_and(|end| end.kind() == ";")
                {
                    let text = b.text(*name).to_owned();
                    self.child_module(&text, None, line_of(*name), public, b);
                }
                t.at += 1;
            }
            "use" if t.items => {
                let public = t.at > 0 && (t.all[t.at - 1].kind() == "pub" || t.all[t.at - 1].kind() == "token_tree");
                let from = t.at + 1;
                while t.at < t.all.len() && t.kind() != ";" {
                    t.at += 1;
                }
                if let (Some(first), Some(last)) = (t.all.get(from), t.all.get(t.at.saturating_sub(1)))
                    && from < t.at
                    && let Some(text) = b.source.get(first.start_byte()..last.end_byte())
                    && let Ok(text) = std::str::from_utf8(text)
                {
                    self.use_tree(text, line_of(*first), public, b);
                }
            }
            _ => {
                self.chain(t, b);
            }
        }
    }

    /// `let name = chain`.
    fn token_let(&mut self, t: &mut Tokens, b: &mut Builder) {
        t.at += 1;
        if t.kind() == "mutable_specifier" {
            t.at += 1;
        }
        let Some(name) = t.take("identifier") else { return };
        let mut ty = None;
        if t.kind() == ":" {
            t.at += 1;
            ty = self.token_type(t, b);
        }
        if t.kind() != "=" {
            return;
        }
        t.at += 1;
        while matches!(t.kind(), "&" | "mutable_specifier" | "*") {
            t.at += 1;
        }
        let value = self.chain(t, b);
        let text = b.text(name);
        if !super::patterns::binds(text) {
            return;
        }
        let sym = b.sym(text);
        let bound = self.locals.declare(sym, b);
        let bound = b.str(bound).to_owned();
        // A chain that goes on in a way unknown here gives something unknown.
        let ends = matches!(t.kind(), ";" | "" | "else");
        let value = value.filter(|&id| id != 0 && ends);
        b.bind(BindingKind::Local, self.locals.def(), &bound, line_of(name), ty, value);
    }

    /// A type that is a path with arguments left out.
    fn token_type(&mut self, t: &mut Tokens, b: &mut Builder) -> Option<u32> {
        while matches!(t.kind(), "&" | "mutable_specifier" | "'") {
            t.at += 1;
        }
        let mut path = Vec::new();
        while matches!(t.kind(), "identifier" | "crate" | "self" | "super" | "primitive_type") {
            path.push(b.sym_of(t.all[t.at]));
            t.at += 1;
            if t.kind() != "::" {
                break;
            }
            t.at += 1;
        }
        t.skip_generics();
        (!path.is_empty()).then(|| b.ty(Type::Path { path, args: Vec::new() }))
    }

    /// One expression's worth of tokens: a path or `self`, then fields, calls, `?`, `.await`, indices.
    /// Anything else is passed by. What it gives, if that is known.
    fn chain(&mut self, t: &mut Tokens, b: &mut Builder) -> Option<ExprId> {
        let first = t.all.get(t.at).copied()?;
        let mut current: Option<ExprId> = match first.kind() {
            "self" if t.peek(1) != "::" => {
                t.at += 1;
                Some(b.expr(Expr::This))
            }
            "identifier" | "crate" | "super" | "self" | "primitive_type" => return self.path_chain(t, b),
            "string_literal" | "raw_string_literal" => {
                t.at += 1;
                Some(b.expr(Expr::Literal(atlas_syntax::Literal::String)))
            }
            "token_tree" => {
                t.at += 1;
                None
            }
            _ => {
                t.at += 1;
                return None;
            }
        };
        self.postfix(t, &mut current, b);
        current
    }

    fn path_chain(&mut self, t: &mut Tokens, b: &mut Builder) -> Option<ExprId> {
        let start = t.at;
        let mut names = vec![t.all[t.at]];
        t.at += 1;
        loop {
            if t.kind() != "::" {
                break;
            }
            if t.peek(1) == "<" {
                t.at += 1;
                t.skip_generics();
                continue;
            }
            let Some(next) = t.all.get(t.at + 1).filter(|next| matches!(next.kind(), "identifier" | "super")) else {
                break;
            };
            names.push(*next);
            t.at += 2;
        }
        let (Some(&first), Some(&last)) = (names.first(), names.last()) else { return None };
        let head = b.sym_of(first);
        let local = if names.len() == 1 { self.locals.lookup(head) } else { None };
        let mut path = if first.kind() == "identifier" { self.stands_for(head, b) } else { vec![head] };
        path.extend(names[1..].iter().map(|name| b.sym_of(*name)));
        let expr = match local {
            Some(bound) => b.expr(Expr::Name(bound)),
            None => self.names(&path, b),
        };
        match t.kind() {
            "!" if t.peek(1) == "token_tree" && local.is_none() => {
                b.add_ref(RefKind::Macro, last, expr, u16::MAX, None);
                t.at += 2;
                let mut current = None;
                self.postfix(t, &mut current, b);
                return None;
            }
            "token_tree" if t.opens(b, b'(') => {
                let known = local.is_some_and(|bound| self.closure_locals.contains(&bound));
                let prelude = names.len() == 1 && matches!(b.text(last), "Some" | "Ok" | "Err");
                if !known && !prelude {
                    let (argc, arg0) = arguments(t.all[t.at], b);
                    let arg0 = arg0.map(|text| b.sym(&text));
                    b.add_ref(RefKind::Call, last, expr, argc, arg0);
                }
                let arg0 = self.first_in_tokens(t.all[t.at], b);
                t.at += 1;
                let mut current = Some(b.expr(Expr::Call { callee: expr, arg0 }));
                self.postfix(t, &mut current, b);
                return current;
            }
            // `Foo { a: 1 }`; after `if x` or `match x` a brace is no literal.
            "token_tree" if t.opens(b, b'{') && starts_upper(last, b) && !t.is_keyword_before(start) => {
                b.add_ref(RefKind::Construct, last, expr, u16::MAX, None);
                t.at += 1;
                let ty = b.ty(Type::Path { path, args: Vec::new() });
                return Some(b.expr(Expr::New(ty)));
            }
            _ => {}
        }
        let mut current = Some(expr);
        let before = t.at;
        self.postfix(t, &mut current, b);
        // A name alone between commas or brackets is a value: it may be a function that is handed on.
        if before == t.at && local.is_none() && t.stands_alone(start) && first.kind() == "identifier" {
            b.add_ref(RefKind::Read, last, expr, 0, None);
        }
        current
    }

    fn postfix(&mut self, t: &mut Tokens, current: &mut Option<ExprId>, b: &mut Builder) {
        loop {
            match t.kind() {
                "." if t.peek(1) == "await" => {
                    t.at += 2;
                    *current = current.map(|of| b.expr(Expr::Await(of)));
                }
                "." if matches!(t.peek(1), "identifier" | "integer_literal") => {
                    let name = t.all[t.at + 1];
                    t.at += 2;
                    if t.kind() == "::" && t.peek(1) == "<" {
                        t.at += 1;
                        t.skip_generics();
                    }
                    let sym = b.sym_of(name);
                    let base = current.unwrap_or(0);
                    let member = b.expr(Expr::Member { base, name: sym });
                    if t.kind() == "token_tree" && t.opens(b, b'(') {
                        let (argc, arg0) = arguments(t.all[t.at], b);
                        let arg0 = arg0.map(|text| b.sym(&text));
                        b.add_ref(RefKind::Call, name, member, argc, arg0);
                        t.at += 1;
                        *current = current.map(|_| b.expr(Expr::Call { callee: member, arg0: None }));
                    } else {
                        if name.kind() == "identifier" && base != 0 {
                            b.add_ref(RefKind::Read, name, member, 0, None);
                        }
                        *current = current.map(|_| member);
                    }
                }
                "?" => {
                    t.at += 1;
                    *current = current.map(|of| self.asked(of, "#try", b));
                }
                "token_tree" if t.opens(b, b'[') && current.is_some() => {
                    t.at += 1;
                    *current = current.map(|of| self.asked(of, "#index", b));
                }
                _ => return,
            }
        }
    }

    /// What the first argument in a token tree gives, if it is a chain of its own.
    pub(super) fn first_in_tokens(&mut self, tree: Node, b: &mut Builder) -> Option<ExprId> {
        let first = tree.child(1).filter(|first| first.kind() == "identifier")?;
        let second = tree.child(2)?;
        let name = b.sym_of(first);
        match second.kind() {
            "," | ")" | "]" | ";" => {
                let bound = self.locals.lookup(name)?;
                Some(b.expr(Expr::Name(bound)))
            }
            "::" => {
                let member = tree.child(3).filter(|member| member.kind() == "identifier")?;
                let path = self.stands_for(name, b);
                let base = self.names(&path, b);
                let member = b.sym_of(member);
                let callee = b.expr(Expr::Member { base, name: member });
                let called = tree.child(4).is_some_and(|next| next.kind() == "token_tree");
                called.then(|| b.expr(Expr::Call { callee, arg0: None }))
            }
            "token_tree" if starts_upper(first, b) => {
                let ty = b.ty(Type::Path { path: vec![name], args: Vec::new() });
                Some(b.expr(Expr::New(ty)))
            }
            _ => None,
        }
    }

    /// `fn name(…) … { … }` in the input of a macro that stands where items do.
    fn token_function(&mut self, t: &mut Tokens, b: &mut Builder) {
        let from = t.at;
        t.at += 1;
        let Some(name) = t.take("identifier") else { return };
        t.skip_generics();
        if t.kind() != "token_tree" {
            return;
        }
        let parameters = t.all[t.at];
        let result_from = t.at + 1;
        // The body is the next brace; a semicolon before it makes a declaration.
        while t.at < t.all.len() && t.kind() != ";" {
            t.at += 1;
            if t.kind() == "token_tree" && t.opens(b, b'{') {
                break;
            }
        }
        let Some(body) = t.all.get(t.at).copied() else { return };
        let start = first_of_item(t.all, from);
        let mut spec = DefSpec::named(DefKind::Function, name, b.source);
        spec.start = Some(line_of(start));
        let (count, has_self) = token_parameters(parameters, b);
        let named = self.parameter_names(parameters, b);
        spec.arity = (count, count);
        let mut result = Tokens { all: t.all, at: result_from, items: false };
        if result.kind() == "->" {
            result.at += 1;
            spec.ty = self.token_type(&mut result, b);
        }
        self.membership(start, &mut spec, b);
        spec.flags.set(DefFlags::EXPORTED, t.all[..from].last().is_some_and(|token| token.kind() == "pub"));
        if spec.kind == DefKind::Method {
            spec.flags.set(DefFlags::STATIC, !has_self);
        }
        spec.flags.set(DefFlags::ASYNC, t.all[..from].iter().rev().take(3).any(|token| token.kind() == "async"));
        let marks = self.marks(start, &[]);
        flag(&mut spec, marks);
        if body.kind() == "token_tree" {
            spec.signature_end = Some(line_of(body));
            self.token_functions.insert(body.id(), TokenFunction { spec, parameters: named });
        } else {
            spec.flags.set(DefFlags::DECLARATION, true);
            b.add_def(name, spec);
        }
        t.at += 1;
    }

    /// The parameters of a function in tokens that are plain names, with their types.
    fn parameter_names(&mut self, tree: Node, b: &mut Builder) -> Vec<(Sym, Option<TypeId>)> {
        let mut cursor = tree.walk();
        let tokens: Vec<Node> = tree.children(&mut cursor).collect();
        let mut t = Tokens { all: &tokens, at: 1, items: false };
        let mut found = Vec::new();
        while t.at < t.all.len() {
            if t.kind() == "mutable_specifier" {
                t.at += 1;
            }
            if t.kind() == "identifier" && t.peek(1) == ":" {
                let name = b.sym_of(t.all[t.at]);
                t.at += 2;
                let ty = self.token_type(&mut t, b);
                found.push((name, ty));
            }
            while t.at < t.all.len() && t.kind() != "," {
                t.at += 1;
            }
            t.at += 1;
        }
        found
    }

    /// `static ref NAME: Type = …;` of `lazy_static!`, `static NAME: Type = …` of `thread_local!`.
    pub(super) fn static_tokens(&mut self, tree: Node, b: &mut Builder) {
        let mut cursor = tree.walk();
        let tokens: Vec<Node> = tree.children(&mut cursor).collect();
        let mut t = Tokens { all: &tokens, at: 0, items: false };
        while t.at < t.all.len() {
            if t.kind() != "static" {
                t.at += 1;
                continue;
            }
            let start = first_of_item(t.all, t.at);
            t.at += 1;
            if t.kind() == "identifier" && t.text(b) == "ref" {
                t.at += 1;
            }
            let Some(name) = t.take("identifier") else { continue };
            let mut spec = DefSpec::named(DefKind::Variable, name, b.source);
            if t.kind() == ":" {
                t.at += 1;
                spec.ty = self.token_type(&mut t, b);
            }
            spec.start = Some(line_of(start));
            spec.arity = (0, 0);
            spec.flags.set(DefFlags::EXPORTED, start.kind() == "pub");
            while t.at < t.all.len() && t.kind() != ";" {
                t.at += 1;
            }
            let text = spec.name.clone();
            b.bind(BindingKind::Local, b.here(), &text, line_of(name), spec.ty, None);
            b.add_def(name, spec);
        }
    }

    /// What a macro's own text refers to: by `$crate`, which is its definition's crate.
    pub(super) fn macro_body(&mut self, node: Node, b: &mut Builder) {
        let mut cursor = node.walk();
        let rules: Vec<Node> = node.named_children(&mut cursor).filter(|rule| rule.kind() == "macro_rule").collect();
        for rule in rules {
            let Some(right) = rule.child_by_field_name("right") else { continue };
            let mut stack = vec![right];
            while let Some(tree) = stack.pop() {
                let mut cursor = tree.walk();
                let tokens: Vec<Node> = tree.children(&mut cursor).collect();
                self.crate_paths(&tokens, b);
                stack.extend(
                    tokens.into_iter().filter(|token| matches!(token.kind(), "token_tree" | "token_repetition")),
                );
            }
        }
    }

    fn crate_paths(&mut self, tokens: &[Node], b: &mut Builder) {
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at].kind() != "metavariable" || b.text(tokens[at]) != "$crate" {
                at += 1;
                continue;
            }
            let mut path = vec![b.sym("crate")];
            let mut last = tokens[at];
            at += 1;
            while at + 1 < tokens.len() && tokens[at].kind() == "::" && tokens[at + 1].kind() == "identifier" {
                last = tokens[at + 1];
                path.push(b.sym_of(last));
                at += 2;
            }
            if path.len() < 2 {
                continue;
            }
            let expr = self.names(&path, b);
            match tokens.get(at).map(|next| next.kind()) {
                Some("!") => b.add_ref(RefKind::Macro, last, expr, u16::MAX, None),
                Some("token_tree") if b.source.get(tokens[at].start_byte()) == Some(&b'(') => {
                    b.add_ref(RefKind::Call, last, expr, u16::MAX, None);
                }
                _ => b.add_ref(RefKind::Read, last, expr, 0, None),
            }
        }
    }
}

/// A function found in tokens, until its body is met.
pub(super) struct TokenFunction {
    spec: DefSpec,
    parameters: Vec<(Sym, Option<TypeId>)>,
}

/// A place in the tokens of one tree.
struct Tokens<'a, 't> {
    all: &'a [Node<'t>],
    at: usize,
    items: bool,
}

impl<'t> Tokens<'_, 't> {
    fn kind(&self) -> &'t str {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> &'t str {
        self.all.get(self.at + ahead).map_or("", |token| token.kind())
    }

    fn text<'s>(&self, b: &Builder<'s>) -> &'s str {
        self.all.get(self.at).map(|token| b.text(*token)).unwrap_or_default()
    }

    fn take(&mut self, kind: &str) -> Option<Node<'t>> {
        let token = self.all.get(self.at).copied().filter(|token| token.kind() == kind)?;
        self.at += 1;
        Some(token)
    }

    /// Whether the tree here starts with this bracket.
    fn opens(&self, b: &Builder, bracket: u8) -> bool {
        self.all.get(self.at).and_then(|tree| b.source.get(tree.start_byte())) == Some(&bracket)
    }

    /// Passes by `<…>`.
    fn skip_generics(&mut self) {
        if self.kind() != "<" {
            return;
        }
        let mut depth = 0i32;
        while self.at < self.all.len() {
            depth += match self.kind() {
                "<" => 1,
                "<<" => 2,
                ">" => -1,
                ">>" => -2,
                ";" => return,
                _ => 0,
            };
            self.at += 1;
            if depth <= 0 {
                return;
            }
        }
    }

    fn is_keyword_before(&self, start: usize) -> bool {
        start.checked_sub(1).is_some_and(|before| {
            matches!(self.all[before].kind(), "if" | "match" | "while" | "==" | "!=" | "&&" | "||" | "impl" | "for")
        })
    }

    /// Whether what began at `start` and ended here is an argument of its own.
    fn stands_alone(&self, start: usize) -> bool {
        let before = start.checked_sub(1).map_or("", |before| self.all[before].kind());
        matches!(before, "" | "," | "&" | "=>") && matches!(self.kind(), "" | ",")
    }
}

fn starts_upper(name: Node, b: &Builder) -> bool {
    b.text(name).starts_with(char::is_uppercase)
}

/// Arguments in a call's tree, counted by its commas, and the first if it is a string.
fn arguments(tree: Node, b: &Builder) -> (u16, Option<String>) {
    let mut cursor = tree.walk();
    let tokens: Vec<Node> = tree.children(&mut cursor).collect();
    let inside = match tokens.as_slice() {
        [_, inside @ .., _] => inside,
        _ => &[],
    };
    if inside.is_empty() {
        return (0, None);
    }
    // Commas between the bars of a closure or within `<…>` make the count unsure.
    let unsure = inside.iter().any(|token| matches!(token.kind(), "|" | "<"));
    let commas = inside.iter().filter(|token| token.kind() == ",").count();
    let trailing = inside.last().is_some_and(|token| token.kind() == ",");
    let count = (commas + usize::from(!trailing)).min(usize::from(u16::MAX - 1)) as u16;
    let arg0 = string_value(inside[0], b);
    (if unsure { u16::MAX } else { count }, arg0)
}

/// Parameters of a function in tokens, the receiver not counted, and whether it has one.
fn token_parameters(tree: Node, b: &Builder) -> (u16, bool) {
    let (count, _) = arguments(tree, b);
    let mut cursor = tree.walk();
    let has_self = tree.children(&mut cursor).take(6).any(|token| token.kind() == "self");
    let count = if count == u16::MAX { 0 } else { count };
    (count.saturating_sub(u16::from(has_self)), has_self)
}

/// The first token of an item whose `fn` stands at `at`: its visibility and modifiers.
fn first_of_item<'t>(tokens: &[Node<'t>], at: usize) -> Node<'t> {
    let mut first = at;
    while first > 0 {
        let before = tokens[first - 1].kind();
        let visibility = before == "token_tree" && first >= 2 && tokens[first - 2].kind() == "pub";
        if visibility || matches!(before, "pub" | "async" | "const" | "unsafe" | "default") {
            first -= 1;
        } else {
            break;
        }
    }
    tokens[first]
}
