//! Facts of one JavaScript or TypeScript file (contract §4).
//!
//! One pass over the tree. A parent says what its child will be before the walk reaches it (a
//! *note* by node id): the name that a function gets from the variable, property or assignment it
//! stands in, the definition an object literal belongs to. What needs the definitions inside a node
//! (an object literal's members, what a function returns) is stated when the walk leaves it.
//!
//! Conventions of the facts, for [`crate::semantics`]:
//! - a module's own exports are definitions flagged `EXPORTED` or [`atlas_syntax::Export`]s, under
//!   `default` for the default export and [`WHOLE_EXPORT`] for `module.exports = …`;
//! - `export * from` is an `Effect` import that re-exports; `export {a as b} from` binds `b`;
//! - `require` binds a module like `import * as`; an inline `require(…)` or `import(…)` binds a
//!   name that no source can spell;
//! - an object literal that a module-level name holds is a definition (a variable) with members; a
//!   function that stands in any other literal names [`UNNAMED_OWNER`], so that no bare name means it;
//! - a JSX element is a call of its component; the linker makes it a construction if that is a class;
//! - `this` of a constructor function and the object that a function returns are what it *made*.

mod assign;
mod bindings;
mod calls;
mod classes;
mod data;
mod functions;
mod grammar;
mod modules;
mod objects;
mod parameters;
mod patterns;
mod roots;
mod scope;
mod types;
mod values;
mod web;

pub use grammar::Grammar;

use atlas_syntax::{
    Builder, DefFlags, DefIx, DefKind, DocComments, Expr, ExprId, Extractor, RefKind, Sym, TypeId, Visit, line_of,
    node_text,
};
use grammar::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Local, Scopes};
use tree_sitter::Node;

/// The export name of a CommonJS module's value as a whole.
pub const WHOLE_EXPORT: &str = "module.exports";

/// The owner of a function that is a member of something without a name: the unknown type.
const UNNAMED_OWNER: TypeId = 0;

/// What `this` is in a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum This {
    Unknown,
    /// As the engine sees it: the enclosing or owning type's.
    Own,
    /// An object literal with a definition.
    Object(DefIx),
    /// What a constructor function or a returned literal makes.
    Made(DefIx),
}

/// A function, class body or other place with its own `this`.
#[derive(Debug, Clone, Copy)]
struct Frame {
    node: usize,
    /// The definition it became.
    def: Option<DefIx>,
    this: This,
    /// Whose field `this.x = …` assigns.
    fields: Option<DefIx>,
    /// Whether `return` of it gives the definition's result.
    returns: bool,
    constructor: bool,
}

/// What the parent of a function or class says of it.
#[derive(Debug, Clone)]
struct Note<'s> {
    name: &'s str,
    /// Line and column of the name.
    at: (u32, u32),
    kind: DefKind,
    owner: Option<TypeId>,
    flags: DefFlags,
    doc: Option<(u32, u32)>,
    /// Whether the name is new in the scope it stands in.
    declares: bool,
    this: Option<This>,
    fields: Option<DefIx>,
    /// Its returns are not the definition's result, which is stated elsewhere.
    opaque: bool,
    start: Option<u32>,
    /// The name where it is no text of the file.
    title: Option<String>,
    root: Option<roots::RootNote>,
}

/// What an object literal is to its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    /// The value of a definition that is open around it.
    Value(DefIx),
    /// `module.exports = { … }`, whose definition is open around it.
    Exports(DefIx),
    /// Held by a local variable.
    Local(u32),
    /// What a function returns.
    Returned(DefIx),
    /// `X.prototype = { … }`.
    Prototype(TypeId),
    /// `methods`, `computed`, `actions` … of a component: members of the component itself.
    Section(DefIx),
}

/// What is stated when the walk leaves a node.
#[derive(Debug, Clone)]
enum Pending<'s> {
    /// Bind each target to its part of the node's value.
    Bind(Vec<bindings::Target<'s>>),
    Assign(assign::Left<'s>),
    Return(DefIx),
    /// The function of this node is what the declarator's value wraps.
    Wrapped(usize),
    Object(Role),
    Default,
    Field(DefIx, &'s str),
}

/// The extractor. `'s` is the file's text.
pub struct Js<'s> {
    source: &'s [u8],
    g: &'static Grammar,
    scopes: Scopes<'s>,
    frames: Vec<Frame>,
    notes: FxHashMap<usize, Note<'s>>,
    roles: FxHashMap<usize, Role>,
    /// Pairs whose value gets a definition of its own.
    pairs: FxHashMap<usize, objects::PairNote>,
    /// Values of the parameters of a function written in place.
    hints: FxHashMap<usize, Vec<(u16, ExprId)>>,
    /// Functions written where a type of this name is expected, or a member of it.
    contexts: FxHashMap<usize, (Sym, &'s str)>,
    /// Declarations that an `export` stands before; true for `export default`.
    exported: FxHashMap<usize, bool>,
    /// Nodes that need no reference of their own.
    consumed: FxHashSet<usize>,
    /// Functions, classes and objects that became definitions.
    made: FxHashMap<usize, DefIx>,
    /// Definitions at the file's top level, by name.
    top: FxHashMap<&'s str, DefIx>,
    /// Fields that a class or its constructor has declared.
    declared_fields: FxHashSet<(DefIx, &'s str)>,
    pending: Vec<(usize, Pending<'s>)>,
    /// Values of assignments that are walked: a chain of them is evaluated from its end.
    assigned: FxHashMap<usize, ExprId>,
    /// Open declaration statements.
    declarations: Vec<(usize, bindings::Declaration)>,
    /// Assignments within a declarator's value, with the variable's name.
    aliases: FxHashMap<usize, Sym>,
    /// Blocks that are the body of a function.
    bodies: FxHashSet<usize>,
    docs: DocComments,
    /// Line of the first decorator of the member that comes next.
    decorated: Option<u32>,
    /// Line where the innermost statement starts.
    statement: u32,
    /// Whether the file is a module rather than a script.
    module: bool,
    /// Synthetic names of modules that are loaded in an expression.
    loaded: FxHashMap<(bool, &'s str), Sym>,
    /// Variables that hold `this`, by bound name and scope, with the definition whose fields it has.
    selves: FxHashMap<(Option<DefIx>, Sym), DefIx>,
    hints_of_roots: roots::Hints,
    /// Variables that hold a router.
    routers: web::Routers<'s>,
    /// Roots of functions that get their name elsewhere.
    late_roots: FxHashMap<usize, roots::RootNote>,
    /// Decorators of the class or member that comes next.
    decorators: Vec<web::Decorated<'s>>,
    /// Route prefix of each open class that is a controller.
    controllers: Vec<Option<&'s str>>,
    /// Variables that hold the model that a call defines.
    models: FxHashMap<usize, DefIx>,
    /// Calls that are part of a chain that was looked at as a whole.
    chained: FxHashSet<usize>,
    /// Whether the file can hold calls of a query builder.
    has_builders: bool,
}

impl<'s> Js<'s> {
    #[must_use]
    pub fn new(source: &'s [u8], g: &'static Grammar) -> Self {
        Self {
            source,
            g,
            scopes: Scopes::default(),
            frames: Vec::new(),
            notes: FxHashMap::default(),
            roles: FxHashMap::default(),
            pairs: FxHashMap::default(),
            hints: FxHashMap::default(),
            contexts: FxHashMap::default(),
            exported: FxHashMap::default(),
            consumed: FxHashSet::default(),
            made: FxHashMap::default(),
            top: FxHashMap::default(),
            declared_fields: FxHashSet::default(),
            pending: Vec::new(),
            assigned: FxHashMap::default(),
            declarations: Vec::new(),
            aliases: FxHashMap::default(),
            bodies: FxHashSet::default(),
            docs: DocComments::default(),
            decorated: None,
            statement: 1,
            module: false,
            loaded: FxHashMap::default(),
            selves: FxHashMap::default(),
            hints_of_roots: roots::Hints::default(),
            routers: FxHashMap::default(),
            late_roots: FxHashMap::default(),
            decorators: Vec::new(),
            controllers: Vec::new(),
            models: FxHashMap::default(),
            chained: FxHashSet::default(),
            has_builders: ["knex", "Knex", "drizzle"]
                .iter()
                .any(|name| memchr::memmem::find(source, name.as_bytes()).is_some()),
        }
    }

    /// A node's text, as far as it can be a name or a dotted path: a longer one is empty, so that
    /// asking for the text of a long chain's every link costs linear time.
    fn text(&self, node: Node) -> &'s str {
        const NAME_BYTES_MAX: usize = 1024;
        if node.byte_range().len() > NAME_BYTES_MAX { "" } else { node_text(node, self.source) }
    }

    /// The text of a literal, however long.
    fn literal(&self, node: Node) -> &'s str {
        node_text(node, self.source)
    }

    fn kind(&self, node: Node) -> Kind {
        self.g.kind(node)
    }

    fn field<'t>(&self, node: Node<'t>, field: u16) -> Option<Node<'t>> {
        if field == 0 { None } else { node.child_by_field_id(field) }
    }

    fn consume(&mut self, node: Node) {
        self.consumed.insert(node.id());
    }

    /// Whether bindings and definitions made here are those of the file, a namespace or a class:
    /// not inside any function or block.
    fn at_top(&self) -> bool {
        !self.scopes.inside()
    }

    /// What `this` is where the walk stands.
    fn this(&self) -> This {
        self.frames.last().map_or(This::Unknown, |frame| frame.this)
    }

    /// A property's or method's name without quotes or brackets.
    fn key(&self, node: Node) -> &'s str {
        let text = self.text(node);
        text.trim_matches(|c| matches!(c, '\'' | '"' | '[' | ']' | '`'))
    }

    /// The text of a string literal without parts to fill in.
    fn string(&self, node: Node) -> Option<&'s str> {
        match self.kind(node) {
            Kind::String => {
                let text = self.literal(node);
                text.get(1..text.len().saturating_sub(1))
            }
            Kind::TemplateString if !self.has_substitution(node) => {
                let text = self.literal(node);
                text.get(1..text.len().saturating_sub(1))
            }
            _ => None,
        }
    }

    fn has_substitution(&self, node: Node) -> bool {
        (0..node.named_child_count() as u32)
            .take(64)
            .filter_map(|at| node.named_child(at))
            .any(|child| self.kind(child) == Kind::TemplateSubstitution)
    }

    /// The expression behind parentheses, casts and assertions.
    fn unwrap<'t>(&self, node: Node<'t>) -> Node<'t> {
        let mut node = node;
        loop {
            let inner = match self.kind(node) {
                Kind::Parenthesized | Kind::AsExpression | Kind::Satisfies | Kind::NonNull => self.first(node),
                Kind::TypeAssertion => self.last(node),
                _ => None,
            };
            let Some(inner) = inner else { return node };
            node = inner;
        }
    }

    /// The first named child that is no comment.
    fn first<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        (0..node.named_child_count() as u32)
            .filter_map(|at| node.named_child(at))
            .find(|&child| self.kind(child) != Kind::Comment)
    }

    /// The last named child that is no comment.
    fn last<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        (0..node.named_child_count() as u32)
            .rev()
            .filter_map(|at| node.named_child(at))
            .find(|&child| self.kind(child) != Kind::Comment)
    }

    /// Named children that are no comments.
    fn children<'t>(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|&child| self.kind(child) != Kind::Comment).collect()
    }

    fn is_function(kind: Kind) -> bool {
        matches!(kind, Kind::ArrowFunction | Kind::FunctionExpression | Kind::GeneratorFunction)
    }

    /// A bare identifier in an expression: a read, unless it is local.
    fn read(&mut self, node: Node, b: &mut Builder) {
        let name = self.text(node);
        match self.scopes.lookup(name) {
            Some(Local::Bound(_) | Local::TypeParameter(_)) => {}
            Some(Local::Def(_) | Local::Plain | Local::Hoisted(_)) | None => {
                if name != "arguments" && !name.is_empty() {
                    let expr = self.expr(node, b);
                    b.add_ref(RefKind::Read, node, expr, 0, None);
                }
            }
        }
    }

    /// The expression that a bare name is here.
    fn name_expr(&mut self, name: &str, b: &mut Builder) -> Expr {
        match self.scopes.lookup(name) {
            Some(Local::Bound(sym) | Local::Hoisted(sym)) => Expr::Name(sym),
            Some(Local::Def(ix)) => Expr::Def(ix),
            Some(Local::Plain) | None => Expr::Name(b.sym(name)),
            Some(Local::TypeParameter(_)) => Expr::Unknown,
        }
    }

    /// Whether a name is no local: a name of the file, an import or a global.
    fn is_free(&self, name: &str) -> bool {
        self.scopes.lookup(name).is_none()
    }

    fn on_statement(&mut self, node: Node) {
        self.statement = line_of(node);
    }
}

impl Extractor for Js<'_> {
    fn enter(&mut self, node: Node, b: &mut Builder) -> Visit {
        let kind = self.kind(node);
        match kind {
            Kind::Comment => self.docs.comment(node, b),
            Kind::Identifier | Kind::Member if self.consumed.remove(&node.id()) => {}
            Kind::Identifier => self.read(node, b),
            Kind::ShorthandProperty => self.read(node, b),
            Kind::Member => self.read_member(node, b),
            Kind::Call => return self.enter_call(node, b),
            Kind::New => self.enter_new(node, b),
            Kind::ArrowFunction
            | Kind::FunctionExpression
            | Kind::GeneratorFunction
            | Kind::FunctionDeclaration
            | Kind::GeneratorFunctionDeclaration
            | Kind::MethodDefinition => self.enter_function(node, kind, b),
            Kind::FunctionSignature | Kind::MethodSignature | Kind::AbstractMethodSignature => {
                self.enter_signature(node, kind, b);
            }
            Kind::StatementBlock | Kind::ForStatement | Kind::SwitchBody => self.enter_block(node, b),
            Kind::ForInStatement => self.enter_for_in(node, b),
            Kind::CatchClause => self.enter_catch(node, b),
            Kind::VariableDeclarator => self.enter_declarator(node, b),
            Kind::LexicalDeclaration | Kind::VariableDeclaration | Kind::UsingDeclaration => {
                self.enter_declaration(node, kind);
            }
            Kind::AssignmentExpression => self.enter_assignment(node, b),
            Kind::AugmentedAssignment | Kind::UpdateExpression => self.enter_update(node, kind, b),
            Kind::Object => self.enter_object(node),
            Kind::Pair => self.enter_pair(node, b),
            Kind::ReturnStatement => self.enter_return(node),
            Kind::ExpressionStatement => self.on_statement(node),
            Kind::ImportStatement => {
                self.enter_import(node, b);
                return Visit::Skip;
            }
            Kind::ImportAlias => {
                self.enter_import_alias(node, b);
                return Visit::Skip;
            }
            Kind::ExportStatement => return self.enter_export(node, b),
            Kind::Class | Kind::ClassDeclaration | Kind::AbstractClassDeclaration => self.enter_class(node, b),
            Kind::ClassBody => self.enter_class_body(b),
            Kind::Binary => self.enter_binary(node, b),
            Kind::ClassStaticBlock => self.enter_static_block(node, b),
            Kind::FieldDefinition | Kind::PublicFieldDefinition => self.enter_field(node, b),
            Kind::Decorator => self.enter_decorator(node, b),
            Kind::InterfaceDeclaration => self.enter_interface(node, b),
            Kind::PropertySignature => self.enter_property_signature(node, b),
            Kind::EnumDeclaration => self.enter_enum(node, b),
            Kind::TypeAlias => self.enter_type_alias(node, b),
            Kind::InternalModule | Kind::Module => self.enter_namespace(node, b),
            Kind::JsxOpeningElement | Kind::JsxSelfClosingElement => self.enter_jsx(node, b),
            Kind::JsxClosingElement | Kind::JsxNamespaceName => return Visit::Skip,
            Kind::TypeIdentifier => self.type_use(node, b),
            Kind::NestedTypeIdentifier => self.nested_type_use(node, b),
            Kind::TypeParameter | Kind::InferType => self.enter_type_parameter(node),
            Kind::MappedTypeClause | Kind::IndexSignature | Kind::TypePredicate => {
                if let Some(name) = self.field(node, self.g.fields.name) {
                    self.consume(name);
                }
            }
            Kind::RequiredParameter | Kind::OptionalParameter => self.enter_parameter(node),
            Kind::FunctionType | Kind::CallSignature => self.enter_type_scope(node, b),
            Kind::Asserts => {
                if let Some(name) = self.first(node) {
                    self.consume(name);
                }
            }
            Kind::String | Kind::TemplateString => self.sql_literal(node, b),
            _ => {}
        }
        Visit::Children
    }

    fn leave(&mut self, node: Node, b: &mut Builder) {
        let id = node.id();
        while self.pending.last().is_some_and(|(of, _)| *of == id) {
            let (_, pending) = self.pending.pop().expect("the loop saw one");
            self.settle(node, pending, b);
        }
        while self.declarations.last().is_some_and(|(of, _)| *of == id) {
            self.declarations.pop();
        }
        match self.kind(node) {
            Kind::MethodDefinition | Kind::FieldDefinition | Kind::PublicFieldDefinition => {
                self.decorated = None;
                self.decorators.clear();
            }
            Kind::ClassBody => {
                self.decorated = None;
                self.decorators.clear();
                self.controllers.pop();
            }
            _ => {}
        }
        while self.frames.last().is_some_and(|frame| frame.node == id) {
            self.frames.pop();
        }
        self.scopes.close(id);
    }

    fn finish(&mut self, b: &mut Builder) {
        self.finish_exports(b);
        self.finish_roots(b);
    }
}

impl<'s> Js<'s> {
    fn settle(&mut self, node: Node, pending: Pending<'s>, b: &mut Builder) {
        match pending {
            Pending::Bind(targets) => self.settle_targets(node, targets, b),
            Pending::Assign(left) => self.settle_assignment(node, left, b),
            Pending::Return(def) => self.settle_return(node, def, b),
            Pending::Wrapped(function) => self.settle_wrapped(node, function, b),
            Pending::Object(role) => self.settle_object(node, role, b),
            Pending::Default => self.settle_default(node, b),
            Pending::Field(class, name) => self.settle_field(node, class, name, b),
        }
    }
}
