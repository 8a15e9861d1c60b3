//! The grammars, with the numbers of their node kinds and fields looked up once.

use atlas_syntax::Language;
use std::sync::OnceLock;
use tree_sitter::Node;

/// One grammar and its numbering.
pub struct Grammar {
    pub language: tree_sitter::Language,
    kinds: Vec<Kind>,
    pub fields: Fields,
    /// Whether it is one of the two TypeScript grammars.
    pub typed: bool,
}

impl Grammar {
    /// The grammar that reads a file of this language; the script of a component may say another.
    #[must_use]
    pub fn of(language: Language) -> Option<&'static Self> {
        static JAVASCRIPT: OnceLock<Grammar> = OnceLock::new();
        static TYPESCRIPT: OnceLock<Grammar> = OnceLock::new();
        static TSX: OnceLock<Grammar> = OnceLock::new();
        Some(match language {
            Language::JavaScript => {
                JAVASCRIPT.get_or_init(|| Self::new(tree_sitter_javascript::LANGUAGE.into(), false))
            }
            Language::TypeScript => {
                TYPESCRIPT.get_or_init(|| Self::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), true))
            }
            Language::Tsx => TSX.get_or_init(|| Self::new(tree_sitter_typescript::LANGUAGE_TSX.into(), true)),
            _ => return None,
        })
    }

    fn new(language: tree_sitter::Language, typed: bool) -> Self {
        let count = language.node_kind_count();
        let kinds = (0..count)
            .map(|id| {
                let id = id as u16;
                let name = language.node_kind_for_id(id).unwrap_or_default();
                if language.node_kind_is_named(id) { Kind::of(name) } else { Kind::Other }
            })
            .collect();
        let fields = Fields::new(&language);
        Self { language, kinds, fields, typed }
    }

    #[must_use]
    pub fn kind(&self, node: Node) -> Kind {
        self.kinds.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
    }
}

macro_rules! kinds {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// The node kinds that extraction looks at.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            Other,
            $($variant),*
        }

        impl Kind {
            fn of(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

kinds! {
    AbstractClassDeclaration = "abstract_class_declaration",
    AbstractMethodSignature = "abstract_method_signature",
    AccessibilityModifier = "accessibility_modifier",
    AmbientDeclaration = "ambient_declaration",
    Arguments = "arguments",
    Array = "array",
    ArrayPattern = "array_pattern",
    ArrayType = "array_type",
    ArrowFunction = "arrow_function",
    AsExpression = "as_expression",
    Asserts = "asserts",
    AssignmentExpression = "assignment_expression",
    AssignmentPattern = "assignment_pattern",
    AugmentedAssignment = "augmented_assignment_expression",
    Await = "await_expression",
    Binary = "binary_expression",
    BreakStatement = "break_statement",
    Call = "call_expression",
    CallSignature = "call_signature",
    CatchClause = "catch_clause",
    Class = "class",
    ClassBody = "class_body",
    ClassDeclaration = "class_declaration",
    ClassHeritage = "class_heritage",
    ClassStaticBlock = "class_static_block",
    Comment = "comment",
    ComputedPropertyName = "computed_property_name",
    ContinueStatement = "continue_statement",
    Decorator = "decorator",
    EnumAssignment = "enum_assignment",
    EnumBody = "enum_body",
    EnumDeclaration = "enum_declaration",
    ExportClause = "export_clause",
    ExportSpecifier = "export_specifier",
    ExportStatement = "export_statement",
    ExpressionStatement = "expression_statement",
    ExtendsClause = "extends_clause",
    ExtendsTypeClause = "extends_type_clause",
    False = "false",
    FieldDefinition = "field_definition",
    ForInStatement = "for_in_statement",
    ForStatement = "for_statement",
    FormalParameters = "formal_parameters",
    FunctionDeclaration = "function_declaration",
    FunctionExpression = "function_expression",
    FunctionSignature = "function_signature",
    FunctionType = "function_type",
    GeneratorFunction = "generator_function",
    GeneratorFunctionDeclaration = "generator_function_declaration",
    GenericType = "generic_type",
    Identifier = "identifier",
    ImplementsClause = "implements_clause",
    Import = "import",
    ImportAlias = "import_alias",
    ImportAttribute = "import_attribute",
    ImportClause = "import_clause",
    ImportRequireClause = "import_require_clause",
    ImportSpecifier = "import_specifier",
    ImportStatement = "import_statement",
    IndexSignature = "index_signature",
    InferType = "infer_type",
    InstantiationExpression = "instantiation_expression",
    InterfaceBody = "interface_body",
    InterfaceDeclaration = "interface_declaration",
    InternalModule = "internal_module",
    IntersectionType = "intersection_type",
    JsxAttribute = "jsx_attribute",
    JsxClosingElement = "jsx_closing_element",
    JsxNamespaceName = "jsx_namespace_name",
    JsxOpeningElement = "jsx_opening_element",
    JsxSelfClosingElement = "jsx_self_closing_element",
    LabeledStatement = "labeled_statement",
    LexicalDeclaration = "lexical_declaration",
    LiteralType = "literal_type",
    LookupType = "lookup_type",
    MappedTypeClause = "mapped_type_clause",
    Member = "member_expression",
    MethodDefinition = "method_definition",
    MethodSignature = "method_signature",
    Module = "module",
    NamedImports = "named_imports",
    NamespaceExport = "namespace_export",
    NamespaceImport = "namespace_import",
    NestedIdentifier = "nested_identifier",
    NestedTypeIdentifier = "nested_type_identifier",
    New = "new_expression",
    NonNull = "non_null_expression",
    Null = "null",
    Number = "number",
    Object = "object",
    ObjectAssignmentPattern = "object_assignment_pattern",
    ObjectPattern = "object_pattern",
    ObjectType = "object_type",
    OptionalParameter = "optional_parameter",
    OptionalType = "optional_type",
    OverrideModifier = "override_modifier",
    Pair = "pair",
    PairPattern = "pair_pattern",
    Parenthesized = "parenthesized_expression",
    ParenthesizedType = "parenthesized_type",
    PredefinedType = "predefined_type",
    PrivatePropertyIdentifier = "private_property_identifier",
    Program = "program",
    PropertyIdentifier = "property_identifier",
    PropertySignature = "property_signature",
    PublicFieldDefinition = "public_field_definition",
    ReadonlyType = "readonly_type",
    Regex = "regex",
    RequiredParameter = "required_parameter",
    RestPattern = "rest_pattern",
    RestType = "rest_type",
    ReturnStatement = "return_statement",
    Satisfies = "satisfies_expression",
    Sequence = "sequence_expression",
    ShorthandProperty = "shorthand_property_identifier",
    ShorthandPropertyPattern = "shorthand_property_identifier_pattern",
    Spread = "spread_element",
    StatementBlock = "statement_block",
    StatementIdentifier = "statement_identifier",
    String = "string",
    StringFragment = "string_fragment",
    Subscript = "subscript_expression",
    Super = "super",
    SwitchBody = "switch_body",
    TemplateString = "template_string",
    TemplateSubstitution = "template_substitution",
    Ternary = "ternary_expression",
    This = "this",
    ThisType = "this_type",
    True = "true",
    TupleType = "tuple_type",
    TypeAlias = "type_alias_declaration",
    TypeAnnotation = "type_annotation",
    TypeArguments = "type_arguments",
    TypeAssertion = "type_assertion",
    TypeIdentifier = "type_identifier",
    TypeParameter = "type_parameter",
    TypeParameters = "type_parameters",
    TypePredicate = "type_predicate",
    TypePredicateAnnotation = "type_predicate_annotation",
    TypeQuery = "type_query",
    Undefined = "undefined",
    UnionType = "union_type",
    UpdateExpression = "update_expression",
    UsingDeclaration = "using_declaration",
    VariableDeclaration = "variable_declaration",
    VariableDeclarator = "variable_declarator",
}

macro_rules! fields {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// The numbers of the fields that extraction looks at; 0 where a grammar lacks one, which
        /// no node has.
        #[derive(Debug, Clone, Copy)]
        pub struct Fields {
            $(pub $field: u16),*
        }

        impl Fields {
            fn new(language: &tree_sitter::Language) -> Self {
                let id = |name: &str| language.field_id_for_name(name).map_or(0, std::num::NonZeroU16::get);
                Self { $($field: id($name)),* }
            }
        }
    };
}

fields! {
    alias = "alias",
    alternative = "alternative",
    argument = "argument",
    arguments = "arguments",
    body = "body",
    consequence = "consequence",
    constraint = "constraint",
    constructor = "constructor",
    declaration = "declaration",
    function = "function",
    key = "key",
    kind = "kind",
    index = "index",
    left = "left",
    name = "name",
    object = "object",
    operator = "operator",
    parameter = "parameter",
    parameters = "parameters",
    pattern = "pattern",
    property = "property",
    return_type = "return_type",
    right = "right",
    source = "source",
    type_ = "type",
    type_arguments = "type_arguments",
    type_parameters = "type_parameters",
    value = "value",
}
