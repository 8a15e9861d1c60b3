//! What one file says, in a compact form: interned strings, flat arenas, no copies of source.
//!
//! Ids are indices: [`Sym`] into `strings`, [`ExprId`] into `exprs`, [`TypeId`] into `types`,
//! [`DefIx`] into `defs`. Everything is in source order.

use crate::Language;
use serde::{Deserialize, Serialize};

/// An interned string of one file.
pub type Sym = u32;
/// An expression of one file.
pub type ExprId = u32;
/// A type expression of one file.
pub type TypeId = u32;
/// A definition of one file.
pub type DefIx = u32;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    pub language: Language,
    /// Number of lines (contract §9).
    pub lines: u32,
    pub strings: Vec<Box<str>>,
    /// The package or namespace clause: Go, Java, Kotlin, PHP, C#.
    pub package: Option<Sym>,
    /// In order of (start line, name position); a container comes before what it contains.
    pub defs: Vec<Def>,
    pub refs: Vec<Ref>,
    /// Arguments of calls, in order of (`of`, `n`), where overloads make them matter; `Unknown` ones
    /// are left out.
    pub args: Vec<Arg>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub bases: Vec<Base>,
    pub bindings: Vec<Binding>,
    pub exprs: Vec<Expr>,
    pub types: Vec<Type>,
    pub roots: Vec<RootFact>,
    pub table_defs: Vec<TableDef>,
    pub table_uses: Vec<TableUse>,
    /// Lines of source that the grammar could not take, at most [`FileFacts::ERRORS_MAX`].
    pub errors: Vec<(u32, u32)>,
    /// How many such places there were in all.
    pub error_count: u32,
    /// Words for retrieval, one bag per definition that holds any, in order; the file's own first.
    pub terms: Vec<TermBag>,
}

impl FileFacts {
    /// Error ranges that are kept.
    pub const ERRORS_MAX: usize = 16;

    #[must_use]
    pub fn str(&self, sym: Sym) -> &str {
        &self.strings[sym as usize]
    }

    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id as usize]
    }

    #[must_use]
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id as usize]
    }

    /// The known arguments of the call that `refs[of]` is.
    #[must_use]
    pub fn args_of(&self, of: u32) -> &[Arg] {
        let start = self.args.partition_point(|arg| arg.of < of);
        let count = self.args[start..].partition_point(|arg| arg.of == of);
        &self.args[start..start + count]
    }

    #[must_use]
    pub fn def(&self, ix: DefIx) -> &Def {
        &self.defs[ix as usize]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DefKind {
    Namespace,
    Class,
    Struct,
    Union,
    Interface,
    Trait,
    Enum,
    EnumMember,
    TypeAlias,
    Function,
    Method,
    Constructor,
    Property,
    Field,
    /// A variable or constant at module or class level that other code may name.
    Variable,
    Constant,
    Macro,
    Table,
    /// A heading of a document.
    Section,
    /// A key of a configuration file.
    Key,
}

impl DefKind {
    /// Whether it can have members and instances.
    #[must_use]
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Union | Self::Interface | Self::Trait | Self::Enum | Self::TypeAlias
        )
    }

    /// Whether it has a body that runs when called.
    #[must_use]
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Macro)
    }

    /// The name used in every output: `function`, `method`, `class`, …
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Enum => "enum",
            Self::EnumMember => "enum_member",
            Self::TypeAlias => "type_alias",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Property => "property",
            Self::Field => "field",
            Self::Variable => "variable",
            Self::Constant => "constant",
            Self::Macro => "macro",
            Self::Table => "table",
            Self::Section => "section",
            Self::Key => "key",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Def {
    pub kind: DefKind,
    pub name: Sym,
    /// The innermost definition around it.
    pub container: Option<DefIx>,
    /// The type it is a member of, where it does not stand inside it: a Rust `impl`, a Go receiver,
    /// a C++ `Store::put`, a Kotlin extension.
    pub owner: Option<TypeId>,
    /// First line, decorators and attributes included, documentation not.
    pub start: u32,
    pub end: u32,
    pub name_line: u32,
    /// 1-based column in bytes.
    pub name_column: u32,
    /// Last line of its signature; `start ≤ signature_end ≤ end`.
    pub signature_end: u32,
    /// Lines of its documentation, wherever it stands.
    pub doc: Option<(u32, u32)>,
    /// Parameters a caller gives (a receiver is not one): fewest, most (`u16::MAX`: any number).
    pub arity: (u16, u16),
    /// Declared return type of a callable; declared type of a field, property or variable.
    pub ty: Option<TypeId>,
    pub flags: DefFlags,
}

/// A set of [`DefFlags`] bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefFlags(pub u16);

impl DefFlags {
    /// Visible outside its file or module by the language's own rule.
    pub const EXPORTED: Self = Self(1);
    /// A member of the type itself, not of its instances; a C function with internal linkage is FILE_LOCAL.
    pub const STATIC: Self = Self(1 << 1);
    /// Cannot be named outside its file.
    pub const FILE_LOCAL: Self = Self(1 << 2);
    /// Without a body: an interface or abstract method, a prototype, a forward declaration.
    pub const DECLARATION: Self = Self(1 << 3);
    pub const ASYNC: Self = Self(1 << 4);
    /// A test or part of test code by the language's own marks (attribute, name rule of the runner).
    pub const TEST: Self = Self(1 << 5);
    /// The default export of its module.
    pub const DEFAULT_EXPORT: Self = Self(1 << 6);
    /// Read like a field though it is a function: Python `@property`, a getter.
    pub const GETTER: Self = Self(1 << 7);
    /// A class method whose first parameter is the class.
    pub const CLASS_METHOD: Self = Self(1 << 8);
    /// A type of its own though it is written as another (`ty`): a Go defined type. It has none of
    /// the other's methods, but its elements and fields.
    pub const DISTINCT: Self = Self(1 << 9);
    /// Left out of the default build (Linux on x86-64) by a build constraint; where another definition
    /// has its name, that one is meant.
    pub const CONDITIONAL: Self = Self(1 << 10);
    /// A field that is only ever assigned through an instance; what an ancestor declares by its name wins.
    pub const ASSIGNED: Self = Self(1 << 11);

    #[must_use]
    pub fn has(self, flag: Self) -> bool {
        self.0 & flag.0 == flag.0
    }

    #[must_use]
    pub fn with(self, flag: Self) -> Self {
        Self(self.0 | flag.0)
    }

    pub fn set(&mut self, flag: Self, on: bool) {
        if on {
            self.0 |= flag.0;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RefKind {
    Call,
    /// Makes an instance: `new T()`, `T { … }`, and where classes are called, decided by the linker.
    Construct,
    /// Names a value that may be a definition: an argument, a callback, a base of a member access.
    Read,
    Write,
    /// Names a type: an annotation, a cast, a generic argument.
    TypeUse,
    /// A decorator, attribute or annotation.
    Decorator,
    /// A macro call.
    Macro,
}

/// A place that names something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ref {
    pub kind: RefKind,
    /// The last name of it: `f` of `a.b.f(…)`.
    pub name: Sym,
    /// What is named, receiver included: for a call, the callee.
    pub expr: ExprId,
    /// Where the last name stands.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// The innermost definition around it.
    pub within: Option<DefIx>,
    /// Arguments given; `u16::MAX` if unknown (a spread).
    pub argc: u16,
    /// The first argument, if it is a string literal.
    pub arg0: Option<Sym>,
}

/// One argument of a call, for languages that choose between overloads by their types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arg {
    /// The index in `refs` of the call.
    pub of: u32,
    /// 0-based position.
    pub n: u16,
    pub value: ExprId,
}

/// An expression as far as it can name or type something. Anything else is `Unknown`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    Unknown,
    Name(Sym),
    /// `self`, `this`.
    This,
    /// `super`, `super()`, `base`, `parent`.
    Super,
    /// `base.name`, `base::name`, `base->name`.
    Member {
        base: ExprId,
        name: Sym,
    },
    /// A path from the root of names: `::name`, `crate::name` is a Member of Name("crate").
    Root,
    Call {
        callee: ExprId,
        arg0: Option<ExprId>,
    },
    /// An instance made by syntax: `new T()`, `T { … }`, `&T{}`.
    New(TypeId),
    /// `base[…]`.
    Index(ExprId),
    /// One element of what is iterated over: `for x in xs`.
    Element(ExprId),
    Await(ExprId),
    /// Part `n` of a tuple or of a multiple result, 0-based: `db, err := Open()`.
    Part {
        of: ExprId,
        n: u16,
    },
    /// `(a, b)`, as a value.
    Tuple(Vec<ExprId>),
    /// A collection whose elements are any of these: `[a, b]`, `[f(x) for x in xs]`, what a
    /// generator yields.
    Elements(Vec<ExprId>),
    /// A cast or conversion.
    Cast(TypeId),
    /// One of several, in order: a conditional, `a || b`.
    OneOf(Vec<ExprId>),
    Literal(Literal),
    /// A function or class written in place, when it became a definition.
    Def(DefIx),
    /// An instance of what a definition of this file makes: of a class without a usable name, or the
    /// object that a function builds (`this` of a constructor function, a returned object literal).
    Made(DefIx),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Literal {
    String,
    Number,
    Bool,
    Null,
    List,
    Map,
    Function,
}

/// A type expression, stripped of references, pointers and `const`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Type {
    /// `a::b::C<D, E>` is path `[a, b, C]` with args `[D, E]`.
    Path {
        path: Vec<Sym>,
        args: Vec<TypeId>,
    },
    /// `A | B`, in order.
    Union(Vec<TypeId>),
    /// `[]T`, `T[]`, `&[T]`.
    List(TypeId),
    /// `(A, B)`, a multiple result.
    Tuple(Vec<TypeId>),
    /// The enclosing type: `Self`, `this`, `self`, `static`.
    This,
    /// A function type with its result.
    Function(Option<TypeId>),
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ImportKind {
    /// Binds a module: `import a.b`, `import * as a from`, `import "x/y"`, `using N`, `#include`-less.
    Module,
    /// Binds one name of a module: `from a import b`, `import {b} from`, `use a::b`, Java `import a.B`.
    Name,
    /// Brings every public name of a module into scope: `from a import *`, `use a::*`, `import a.*`.
    Wildcard,
    /// The default export: `import x from`.
    Default,
    /// Loads it for its effects alone.
    Effect,
    /// `#include "x"`; `name` is None; `level` 1 for `<x>`.
    Include,
    /// Declares a child module in another file: Rust `mod x;`.
    ChildModule,
    /// Ruby `require`/`require_relative` (level 1).
    Require,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    pub kind: ImportKind,
    /// The module as written: `pkg.util`, `./api`, `crate::a`, `ex.org/app/store`, `stdio.h`.
    pub module: Sym,
    /// Leading dots of a Python relative import; see also the kinds.
    pub level: u8,
    /// The imported name, for `Name`.
    pub name: Option<Sym>,
    /// The name it is bound to in this file, if any.
    pub local: Option<Sym>,
    pub line: u32,
    pub within: Option<DefIx>,
    /// Also makes it visible to importers of this file: `export … from`, `pub use`.
    pub reexport: bool,
    /// Types only: `import type`, `if TYPE_CHECKING:`.
    pub type_only: bool,
}

/// A name that the file gives to importers under its own or another name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The exported name; `default` for a default export.
    pub name: Sym,
    pub value: ExprId,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BaseRelation {
    Inherit,
    Implement,
    /// Ruby `include`/`extend`/`prepend`, PHP `use Trait`, Go embedding.
    Include,
}

/// An inheritance clause, or an implementation of one type's interface for another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    pub sub: BaseSub,
    pub sup: TypeId,
    pub relation: BaseRelation,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BaseSub {
    Def(DefIx),
    /// `impl Trait for T` names T.
    Type(TypeId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BindingKind {
    /// With its 0-based position (a receiver is not counted).
    Param(u16),
    Local,
    /// A field or attribute of the type that `scope` is: declared, or assigned through `self`.
    Field,
    /// What a function gives back: `name` is empty, `scope` the function.
    Return,
    /// Declared `global`/`nonlocal` in this scope: look further out.
    Outer,
    /// A type parameter of the type or function that `scope` is, with its 0-based position; `ty` is its
    /// bound.
    TypeParam(u16),
}

/// A name with a value or type inside one scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    pub kind: BindingKind,
    pub name: Sym,
    /// The definition that is its scope; None for the file.
    pub scope: Option<DefIx>,
    pub line: u32,
    pub ty: Option<TypeId>,
    pub value: Option<ExprId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RootKind {
    HttpRoute,
    Worker,
    Cli,
    PublicApi,
    EventHandler,
    Test,
}

impl RootKind {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HttpRoute => "http_route",
            Self::Worker => "worker",
            Self::Cli => "cli",
            Self::PublicApi => "public_api",
            Self::EventHandler => "event_handler",
            Self::Test => "test",
        }
    }
}

/// An entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootFact {
    pub kind: RootKind,
    pub line: u32,
    /// What to call it: the handler's or command's name.
    pub name: Sym,
    /// `GET`, `POST`, …; `ANY` if all.
    pub verb: Option<Sym>,
    /// The route's path, or the event's or queue's name.
    pub route: Option<Sym>,
    /// The code that handles it, as an expression, …
    pub handler: Option<ExprId>,
    /// … or as a definition of this file.
    pub def: Option<DefIx>,
    /// The rule that found it, such as `flask route decorator`.
    pub rule: Sym,
}

/// A table, or a class that stands for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableDef {
    pub table: Sym,
    /// The model class, if it is one.
    pub model: Option<DefIx>,
    pub line: u32,
    pub rule: Sym,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableUse {
    pub target: TableTarget,
    pub write: bool,
    pub line: u32,
    pub column: u32,
    pub within: Option<DefIx>,
    /// The rule that found it, such as `sql literal` or `django manager create`.
    pub rule: Sym,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableTarget {
    /// The table by name.
    Name(Sym),
    /// A model class, or an instance of one; the use counts only if it resolves to a model.
    Model(ExprId),
}

/// Words of one definition (its nested definitions' own words excluded), for retrieval.
///
/// Prose is kept as sequences, so that phrases can be told from words that merely occur: symbol 0,
/// the empty string, stands between two texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermBag {
    /// None for the file's top level.
    pub def: Option<DefIx>,
    /// Identifiers, unsplit, each with its count, in order of first appearance.
    pub identifiers: Vec<(Sym, u16)>,
    /// Words of its documentation, wherever that stands.
    pub doc: Vec<Sym>,
    /// Words of other comments.
    pub comments: Vec<Sym>,
    /// Words of string literals.
    pub strings: Vec<Sym>,
}
