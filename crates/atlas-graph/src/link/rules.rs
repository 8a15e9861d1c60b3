//! What a language tells the linker.
//!
//! The engine (`eval.rs`, `resolve.rs`) knows scopes, bindings, types, inheritance and confidence;
//! a language knows its modules, its imports and its conventions. One [`Semantics`] serves one
//! family of languages; [`Semantics::prepare`] looks at the whole program once and returns the
//! [`Rules`], which are then asked from many threads.

use super::program::{FileId, NodeId, Program};
use atlas_syntax::{BaseRelation, DefIx, Family, Import};

/// A module as the language's rules number it: a file, a package, a namespace, a crate's `mod`.
pub type ModuleId = u32;

/// What a name can stand for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    /// A definition of the tree.
    Def(NodeId),
    Module(ModuleId),
    /// Something outside the tree, by its full name as far as known: `typing.Optional`, `Vec`.
    /// A reference to it is neither an edge nor unresolved.
    External(Box<str>),
}

/// What an expression can evaluate to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The definition itself: a function, a class as an object, a namespace, a variable.
    Def(NodeId),
    /// An instance of a type of the tree, with its type arguments.
    Instance(NodeId, Vec<Vec<Value>>),
    /// The instance as its parent types see it: `super`.
    SuperOf(NodeId),
    Module(ModuleId),
    /// A function, class or module outside the tree.
    External(Box<str>),
    /// An instance of a type outside the tree, or of a built-in one, with its type arguments.
    ExternalInstance(Box<str>, Vec<Vec<Value>>),
    Tuple(Vec<Vec<Value>>),
}

/// A base that no clause states: a Go type that has an interface's methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExtraBase {
    pub sub: NodeId,
    pub sup: NodeId,
    pub relation: BaseRelation,
}

/// Fixed habits of a language family.
#[derive(Debug, Clone, Copy)]
pub struct Conventions {
    /// A bare name inside a method also finds members of the enclosing type and its bases.
    pub implicit_this: bool,
    /// Calling a class makes an instance.
    pub call_constructs: bool,
    /// `new f()` makes an instance of the function `f`, whose members are what it assigns to `this`.
    pub functions_construct: bool,
    /// Names written directly in a type's body find its members bare: a class body of Python.
    pub body_sees_members: bool,
    /// Several functions of one scope may share a name: a call means the one that its arguments fit.
    pub overloads: bool,
    /// A type's own functions do not hide those of the same name that it inherits.
    pub overloads_inherit: bool,
    /// Methods and fields have names of their own: `x.size` and `x.size()` never mean the same.
    pub methods_apart: bool,
    /// Making an instance of a type without constructors runs one that it inherits.
    pub constructors_inherit: bool,
    /// Values convert to types that they are no instances of: by constructors, by operators.
    pub converts: bool,
    /// The method that runs when a value itself is called: `__call__`, `__invoke`.
    pub call_operator: Option<&'static str>,
    /// The methods that an index into a value and a loop over it run.
    pub index_method: Option<&'static str>,
    pub iterate_method: Option<&'static str>,
    /// Names with this prefix, which no source can spell, are what a framework gives by a parameter's
    /// name. What is reached through them is AMBIGUOUS: no compiler would find it.
    pub injected: Option<&'static str>,
    /// Members of an included type win over those of the parent, and the last one included first.
    pub mixins_first: bool,
    /// A type may be opened again elsewhere: all openings share their members, those of the one that
    /// [`Rules::canonical`] names.
    pub types_reopen: bool,
    /// Members of a type and those of its instances are asked apart, where one of each has a name.
    pub statics_apart: bool,
    /// `T.new(…)` makes an instance of T when T defines no such member.
    pub new_methods: &'static [&'static str],
    /// Members that run when an instance is made.
    pub constructors: &'static [&'static str],
    /// Types are not declared: results of functions are inferred from what they return, and a
    /// variable assigned several times is unsure.
    pub dynamic: bool,
    /// Names that built-in or standard types have as members, sorted: never INFERRED by name alone.
    pub common_members: &'static [&'static str],
    /// Bare names that the language itself defines, sorted.
    pub builtins: &'static [&'static str],
    /// Outside types that behave as their first type argument (last name of their path), sorted:
    /// `Optional`, `Box`, `shared_ptr`.
    pub transparent: &'static [&'static str],
    /// Outside types whose elements are their last type argument, sorted: `List`, `Vec`, `Dict`.
    pub containers: &'static [&'static str],
    /// Outside types that `await` unwraps, sorted: `Promise`, `Awaitable`, `Task`.
    pub awaitables: &'static [&'static str],
    /// Properties are methods: a call by name may mean one.
    pub properties_are_methods: bool,
    /// Files of a package see each other without imports, so that a heuristic may expect any of them.
    pub package_is_open: bool,
    /// A bare call that no scope explains may mean the only function of that name in the package.
    pub bare_by_name: bool,
    /// A member call on an unknown receiver may mean the only such method of the package.
    pub member_by_name: bool,
}

impl Conventions {
    /// Nothing assumed.
    pub const NONE: Self = Self {
        implicit_this: false,
        call_constructs: false,
        functions_construct: false,
        body_sees_members: true,
        overloads: false,
        overloads_inherit: false,
        methods_apart: false,
        constructors_inherit: true,
        converts: false,
        call_operator: None,
        types_reopen: false,
        statics_apart: false,
        mixins_first: false,
        injected: None,
        index_method: None,
        iterate_method: None,
        new_methods: &[],
        constructors: &[],
        dynamic: false,
        common_members: &[],
        builtins: &[],
        transparent: &[],
        containers: &[],
        awaitables: &[],
        properties_are_methods: false,
        package_is_open: false,
        bare_by_name: false,
        member_by_name: true,
    };
}

/// How the names of one family of languages resolve.
pub trait Semantics: Send + Sync {
    fn family(&self) -> Family;

    /// Looks at the whole program once; other families' files are in it and are to be left alone.
    fn prepare<'p>(&self, program: &'p Program) -> Box<dyn Rules + 'p>;
}

/// A family's rules over one program. Every answer is in a fixed order, best first.
pub trait Rules: Send + Sync {
    fn conventions(&self) -> &Conventions;

    /// What an import means. `Module`, `ChildModule`, `Default`, `Name`: what is bound to its local
    /// name. `Wildcard`, `Include`, `Require`, `Effect`: the modules that are brought in. Several
    /// entities: any may be meant. None: nothing in the tree, and nothing known outside it.
    fn import(&self, file: FileId, import: &Import) -> Vec<Entity>;

    /// The public member `name` of a module, through its re-exports.
    fn module_member(&self, module: ModuleId, name: &str) -> Vec<Entity>;

    /// As [`Rules::module_member`], as far as a file sees it: where what a module holds depends on what
    /// the asking file includes.
    fn module_member_from(&self, _file: FileId, module: ModuleId, name: &str) -> Vec<Entity> {
        self.module_member(module, name)
    }

    /// The files that make up a module, the one that stands for it first; none for an outside one.
    fn module_files(&self, module: ModuleId) -> Vec<FileId>;

    /// The module that a file is, or is part of.
    fn module_of(&self, file: FileId) -> Option<ModuleId>;

    /// Names that a file sees without any import, after its own scopes and imports were tried:
    /// siblings of its package, the prelude, global constants.
    fn visible(&self, _file: FileId, _within: Option<DefIx>, _name: &str) -> Vec<Entity> {
        Vec::new()
    }

    /// Bounds every heuristic by name: files with different numbers never meet by name alone.
    fn package_of(&self, _file: FileId) -> u32 {
        0
    }

    /// The definition that a declaration stands for: a prototype's function, an overload
    /// signature's implementation.
    fn canonical(&self, def: NodeId) -> NodeId {
        def
    }

    /// Bases that no clause states.
    fn extra_bases(&self) -> Vec<ExtraBase> {
        Vec::new()
    }

    /// What a member of an outside or built-in type gives: the value of `ty.member`, or of
    /// `ty.member(…)` when `called`. `ty` is the name as imported or written.
    fn external_member(&self, _ty: &str, _args: &[Vec<Value>], _member: &str, _called: bool) -> Option<Vec<Value>> {
        None
    }

    /// A member that values have though their type does not define it, called or not: `clone` of a
    /// type that derives it. An [`Value::External`] among the values says that it is no edge.
    fn common_member(&self, _base: &Value, _member: &str, _called: bool) -> Option<Vec<Value>> {
        None
    }

    /// The associated type that says what this member gives, where a type has one: `Item`.
    fn associated(&self, _member: &str) -> Option<&'static str> {
        None
    }

    /// The associated type whose members a type has besides its own: what it dereferences to.
    fn dereferences(&self) -> Option<&'static str> {
        None
    }

    /// The outside type as which a type of the tree counts if it has this associated type, its only
    /// argument: an iterator has all that the library's trait provides.
    fn provided_by(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Of several members of one type that share a name, those that a use can mean.
    fn prefer(&self, nodes: Vec<NodeId>) -> Vec<NodeId> {
        nodes
    }

    /// What an index into a value of an outside type gives, or one element of a loop over it; None
    /// leaves it to [`Conventions::containers`].
    fn external_element(&self, _ty: &str, _args: &[Vec<Value>], _index: bool) -> Option<Vec<Value>> {
        None
    }

    /// How well an argument fits a parameter when either's type is outside the tree or built in: up to
    /// [`super::FIT_EXACT`]; 0 if that cannot be told; None if it cannot be meant for it.
    fn fit(&self, _parameter: &Value, _argument: &Value) -> Option<i32> {
        Some(0)
    }

    /// The module that a namespace's definition is part of, where namespaces extend over files.
    fn namespace(&self, _def: NodeId) -> Option<ModuleId> {
        None
    }

    /// The table that a class stands for which declares none, where code of `file` hands it to an
    /// object-relational mapper that names tables after classes.
    fn implied_table(&self, _file: FileId, _class: NodeId) -> Option<String> {
        None
    }

    /// The module that [`atlas_syntax::Expr::Root`] means.
    fn root_module(&self) -> Option<ModuleId> {
        None
    }

    /// What a call of an outside function gives; `arg0` is its first argument as far as known.
    fn external_call(&self, _name: &str, _arg0: &[Value]) -> Option<Vec<Value>> {
        None
    }
}

impl From<Entity> for Value {
    fn from(entity: Entity) -> Self {
        match entity {
            Entity::Def(node) => Self::Def(node),
            Entity::Module(module) => Self::Module(module),
            Entity::External(name) => Self::External(name),
        }
    }
}
