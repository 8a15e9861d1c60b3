//! Declarations of variables, and the functions that are known by them.

use super::grammar::Kind;
use super::{Js, Note, Pending, Role};
use atlas_syntax::{
    BindingKind, Builder, DefFlags, DefIx, DefKind, Expr, ImportKind, Literal, Sym, TypeId, column_of, line_of,
};
use tree_sitter::Node;

/// How a name of a pattern comes from the value of the whole.
#[derive(Debug, Clone, Copy)]
pub enum Step<'s> {
    Member(&'s str),
    Part(u16),
    /// What remains of a list or object.
    Rest,
}

/// A name that takes a part of a value.
#[derive(Debug, Clone)]
pub struct Target<'s> {
    pub scope: Option<DefIx>,
    pub name: Sym,
    pub line: u32,
    /// Its own declared type.
    pub ty: Option<TypeId>,
    /// The declared type of the whole that it is a part of.
    pub whole: Option<TypeId>,
    pub steps: Vec<Step<'s>>,
    /// The definition that it is, at the file's top level.
    pub def: Option<DefIx>,
}

/// A declaration statement, as its declarators need it.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    pub var: bool,
    pub constant: bool,
    pub exported: bool,
    pub doc: Option<(u32, u32)>,
}

/// How a pattern's names are meant.
#[derive(Debug, Clone, Copy)]
pub enum Mode {
    Declare(Declaration),
    /// A local of the innermost frame.
    Local,
}

impl<'s> Js<'s> {
    /// `const …`, `let …`, `var …`: remembers what its declarators need.
    pub(super) fn enter_declaration(&mut self, node: Node, kind: Kind) {
        let exported = self.exported.remove(&node.id()).is_some();
        if !exported {
            self.on_statement(node);
        }
        let keyword = self.field(node, self.g.fields.kind).map_or("", |keyword| self.text(keyword));
        let declaration = Declaration {
            var: kind == Kind::VariableDeclaration,
            constant: keyword == "const" || kind == Kind::UsingDeclaration,
            exported,
            doc: self.docs.take(self.statement),
        };
        self.declarations.push((node.id(), declaration));
    }

    pub(super) fn enter_declarator(&mut self, node: Node, b: &mut Builder) {
        let f = &self.g.fields;
        let Some(name) = self.field(node, f.name) else { return };
        let Some(&(_, declaration)) = self.declarations.last() else { return };
        let mode = Mode::Declare(declaration);
        let value = self.field(node, f.value);
        let ty = self.field(node, f.type_).and_then(|ty| self.ty(ty, b));
        let Some(value) = value else {
            self.declare_without_value(name, mode, ty, b);
            return;
        };
        let inner = self.unwrap_assigned(value, name, b);
        if self.bind_loaded(name, inner, declaration, b) {
            return;
        }
        if self.kind(name) != Kind::Identifier {
            let mut targets = Vec::new();
            self.pattern(name, mode, &mut Vec::new(), &mut targets, b, 0);
            for target in &mut targets {
                target.whole = ty;
                self.span(target, node, b);
            }
            let annotation = self.field(node, self.g.fields.type_);
            self.type_targets(&mut targets, annotation, b);
            self.pending.push((node.id(), Pending::Bind(targets)));
            return;
        }
        self.consume(name);
        self.expect(self.field(node, f.type_).or_else(|| self.satisfied(value)), inner, b);
        let kind = self.kind(inner);
        if Self::is_function(kind) {
            let note = self.variable_note(name, declaration);
            self.notes.insert(inner.id(), note);
        } else if kind == Kind::Class {
            let note = Note { kind: DefKind::Class, ..self.variable_note(name, declaration) };
            self.notes.insert(inner.id(), note);
        } else if kind == Kind::Call && self.name_wrapped(inner, name, declaration, node) {
            // The function inside took the name.
        } else {
            self.declare_value(node, name, inner, declaration, ty, b);
        }
    }

    /// The type that a value is checked against: `value satisfies T`.
    fn satisfied<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        (self.kind(value) == Kind::Satisfies).then(|| self.last(value)).flatten()
    }

    /// Says that a function, or the functions of an object literal, stand where a type is expected.
    pub(super) fn expect(&mut self, ty: Option<Node>, value: Node, b: &mut Builder) {
        let kind = self.kind(value);
        if !(Self::is_function(kind) || kind == Kind::Object) {
            return;
        }
        let Some(context) = ty.and_then(|ty| self.context_of(ty, b)) else { return };
        if Self::is_function(kind) {
            self.contexts.insert(value.id(), (context, ""));
            return;
        }
        let f = &self.g.fields;
        for member in self.children(value).into_iter().take(256) {
            let (function, key) = match self.kind(member) {
                Kind::MethodDefinition => (Some(member), self.field(member, f.name)),
                Kind::Pair => (self.field(member, f.value).map(|value| self.unwrap(value)), self.field(member, f.key)),
                _ => (None, None),
            };
            if let (Some(function), Some(key)) = (function, key)
                && (Self::is_function(self.kind(function)) || self.kind(function) == Kind::MethodDefinition)
            {
                self.contexts.insert(function.id(), (context, self.key(key)));
            }
        }
    }

    /// A variable that holds a value of its own.
    fn declare_value(
        &mut self,
        node: Node,
        name: Node,
        value: Node,
        declaration: Declaration,
        ty: Option<TypeId>,
        b: &mut Builder,
    ) {
        let mut target = self.declare(name, Mode::Declare(declaration), b);
        target.ty = ty;
        self.span(&target, node, b);
        self.note_router(self.text(name), value);
        if let (Kind::This, Some(fields)) = (self.kind(value), self.frames.last().and_then(|frame| frame.fields)) {
            self.selves.insert((target.scope, target.name), fields);
        }
        if let (true, Some(ix)) = (self.is_model(value), target.def) {
            // The variable stands for the table: what the call gives says less.
            self.models.insert(value.id(), ix);
            return;
        }
        let object = self.literal_in(value);
        if !self.at_top() {
            if let Some(object) = object.filter(|object| object.id() == value.id())
                && let Some(held) = self.scopes.holds_object(self.text(name))
            {
                self.roles.insert(object.id(), Role::Local(held));
            }
            self.pending.push((node.id(), Pending::Bind(vec![target])));
            return;
        }
        let (Some(object), Some(ix)) = (object, target.def) else {
            self.pending.push((node.id(), Pending::Bind(vec![target])));
            return;
        };
        // What stands inside belongs to the variable.
        b.reopen_def(node, ix);
        self.made.insert(object.id(), ix);
        self.roles.insert(object.id(), Role::Value(ix));
        if object.id() != value.id() && !self.is_frozen(value) || ty.is_some() {
            self.pending.push((node.id(), Pending::Bind(vec![target])));
        }
    }

    /// The object literal that a value is, or that is an argument of the call that it is.
    pub(super) fn literal_in<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        match self.kind(value) {
            Kind::Object => Some(value),
            Kind::Call | Kind::New => {
                let args = self.field(value, self.g.fields.arguments)?;
                let args = self.children(args);
                args.into_iter().take(4).map(|arg| self.unwrap(arg)).find(|&arg| self.kind(arg) == Kind::Object)
            }
            _ => None,
        }
    }

    /// `Object.freeze({ … })` and its like are the literal itself.
    pub(super) fn is_frozen(&self, value: Node) -> bool {
        self.kind(value) == Kind::Call
            && self.field(value, self.g.fields.function).is_some_and(|f| self.text(f).starts_with("Object."))
    }

    /// The value behind `a = b = value`; `module.exports = value` on the way is told its name.
    fn unwrap_assigned<'t>(&mut self, value: Node<'t>, name: Node, b: &mut Builder) -> Node<'t> {
        let mut value = self.unwrap(value);
        let mut left = 16;
        while self.kind(value) == Kind::AssignmentExpression && left > 0 {
            let Some(right) = self.field(value, self.g.fields.right) else { break };
            if self.kind(name) == Kind::Identifier {
                let text = self.text(name);
                let sym = b.sym(text);
                self.aliases.insert(value.id(), sym);
            }
            value = self.unwrap(right);
            left -= 1;
        }
        value
    }

    /// What a variable says of the function or class that it holds.
    fn variable_note(&mut self, name: Node, declaration: Declaration) -> Note<'s> {
        let mut flags = DefFlags::default();
        flags.set(DefFlags::EXPORTED, declaration.exported);
        Note {
            name: self.text(name),
            at: (line_of(name), column_of(name)),
            kind: DefKind::Function,
            owner: None,
            flags,
            doc: declaration.doc,
            declares: true,
            this: None,
            fields: None,
            opaque: false,
            start: Some(line_of(name)),
            title: None,
            root: None,
        }
    }

    /// `const f = wrap(() => …)`: the function inside is known by the variable's name. True if so.
    fn name_wrapped(&mut self, call: Node, name: Node, declaration: Declaration, node: Node) -> bool {
        let f = &self.g.fields;
        let Some(function) = self.field(call, f.function) else { return false };
        let callee = self.unwrap(function);
        let mut note = self.variable_note(name, declaration);
        if Self::is_function(self.kind(callee)) {
            // Called in place: the name holds the result.
            note.flags.set(DefFlags::GETTER, true);
            self.notes.insert(callee.id(), note);
            return true;
        }
        let args = self.field(call, f.arguments).map(|args| self.children(args)).unwrap_or_default();
        let functions: Vec<Node> =
            args.into_iter().map(|arg| self.unwrap(arg)).filter(|&arg| Self::is_function(self.kind(arg))).collect();
        let called = self.last_name(callee);
        let chosen = if called.starts_with("create") { functions.last() } else { functions.first() };
        let Some(&chosen) = chosen else { return false };
        match called {
            _ if LOADERS.binary_search(&called).is_ok() => {
                note.flags.set(DefFlags::GETTER, true);
                note.opaque = true;
                self.pending.push((node.id(), Pending::Wrapped(chosen.id())));
            }
            _ if WRAPPERS.binary_search(&called).is_ok() => {}
            _ if MEMOS.binary_search(&called).is_ok() => note.flags.set(DefFlags::GETTER, true),
            _ => {
                note.flags.set(DefFlags::GETTER, true);
                note.opaque = true;
                self.pending.push((node.id(), Pending::Wrapped(chosen.id())));
            }
        }
        self.notes.insert(chosen.id(), note);
        true
    }

    /// The last name of a dotted callee.
    pub(super) fn last_name(&self, node: Node) -> &'s str {
        match self.kind(node) {
            Kind::Identifier => self.text(node),
            Kind::Member => self.field(node, self.g.fields.property).map_or("", |property| self.text(property)),
            Kind::Call | Kind::InstantiationExpression => {
                self.field(node, self.g.fields.function).map_or("", |function| self.last_name(self.unwrap(function)))
            }
            _ => "",
        }
    }

    fn declare_without_value(&mut self, name: Node, mode: Mode, ty: Option<TypeId>, b: &mut Builder) {
        let mut targets = Vec::new();
        self.pattern(name, mode, &mut Vec::new(), &mut targets, b, 0);
        let null = b.expr(Expr::Literal(Literal::Null));
        for target in targets {
            if let (Some(ix), true) = (target.def, target.steps.is_empty()) {
                b.def_mut(ix).ty = ty;
            }
            let name = b.str(target.name).to_owned();
            b.bind(BindingKind::Local, target.scope, &name, target.line, ty, ty.is_none().then_some(null));
        }
    }

    pub(super) fn settle_targets(&mut self, node: Node, targets: Vec<Target<'s>>, b: &mut Builder) {
        let Some(value) = self.field(node, self.g.fields.value).map(|value| self.unwrap(value)) else { return };
        // `const App = memo(App_)` may be called by either name; `const Button = styled(Base)` is its own.
        let name = self.field(node, self.g.fields.name).map_or("", |name| self.text(name));
        let inner = self.wrapped_name(value, 0);
        let inner = inner.filter(|&inner| self.text(inner).trim_end_matches(['_', '$', '0', '1']) == name);
        let value = match inner {
            Some(inner) => self.wrapped_value(inner, value, b),
            None => self.expr(value, b),
        };
        self.bind_targets(value, targets, b);
    }

    /// `const x = require('m')`, `const {a} = await import('m')`: imports. True if it was one.
    fn bind_loaded(&mut self, name: Node, value: Node, declaration: Declaration, b: &mut Builder) -> bool {
        let f = &self.g.fields;
        // `require('m').member`
        let (load, member) = match self.kind(value) {
            Kind::Member => {
                let Some(object) = self.field(value, f.object) else { return false };
                let property = self.field(value, f.property).map(|property| self.text(property));
                (self.unwrap(object), property)
            }
            _ => (value, None),
        };
        let load =
            if self.kind(load) == Kind::Await { self.first(load).map_or(load, |l| self.unwrap(l)) } else { load };
        let Some(module) = self.loaded(load) else { return false };
        if declaration.exported {
            return false;
        }
        let line = line_of(name);
        match self.kind(name) {
            Kind::Identifier => {
                self.consume(name);
                let kind = match member {
                    None => ImportKind::Module,
                    Some("default") => ImportKind::Default,
                    Some(_) => ImportKind::Name,
                };
                let local = self.text(name);
                self.scopes.declare_plain(local);
                self.add_import(kind, module.1, member, Some(local), line, b);
            }
            Kind::ObjectPattern if member.is_none() => {
                let children = self.children(name);
                let simple = |child: &Node| match self.kind(*child) {
                    Kind::ShorthandPropertyPattern => true,
                    Kind::PairPattern => {
                        self.field(*child, f.value).is_some_and(|value| self.kind(value) == Kind::Identifier)
                    }
                    _ => false,
                };
                if !children.iter().all(simple) {
                    return false;
                }
                for child in children {
                    let (key, local) = match self.kind(child) {
                        Kind::PairPattern => {
                            let (Some(key), Some(value)) = (self.field(child, f.key), self.field(child, f.value))
                            else {
                                continue;
                            };
                            self.consume(value);
                            (self.key(key), self.text(value))
                        }
                        _ => (self.text(child), self.text(child)),
                    };
                    self.scopes.declare_plain(local);
                    let kind = if key == "default" { ImportKind::Default } else { ImportKind::Name };
                    self.add_import(kind, module.1, Some(key), Some(local), line_of(child), b);
                }
            }
            _ => return false,
        }
        self.consume(load);
        if member.is_some() {
            self.consume(value);
        }
        true
    }
}

/// Calls that give back the function they are given, in other clothes; sorted.
const WRAPPERS: [&str; 37] = [
    "action",
    "asyncHandler",
    "asyncWrapper",
    "autorun",
    "cache",
    "callback",
    "catchAsync",
    "createAsyncThunk",
    "createSelector",
    "createServerFn",
    "createSharedComposable",
    "curry",
    "debounce",
    "defineComponent",
    "defineEventHandler",
    "defineStore",
    "eventHandler",
    "expressAsyncHandler",
    "forwardRef",
    "memo",
    "memoize",
    "observer",
    "once",
    "partial",
    "promisify",
    "reaction",
    "task",
    "throttle",
    "useCallback",
    "useDebounceFn",
    "useDebouncedCallback",
    "useEffectEvent",
    "useEvent",
    "useThrottleFn",
    "withErrorHandling",
    "wrap",
    "wrapAsync",
];

/// Calls that give the default export of the module that their function loads; sorted.
const LOADERS: [&str; 6] = ["defineAsyncComponent", "dynamic", "lazy", "lazyWithPreload", "lazyWithRetry", "loadable"];

/// Calls that give what the function they are given returns; sorted.
const MEMOS: [&str; 6] = ["asyncComputed", "computed", "createMemo", "run", "untracked", "useMemo"];
