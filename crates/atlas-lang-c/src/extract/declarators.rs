//! Declarators: the name that a declaration gives, and what is declared by it.

use super::{C, DEPTH_MAX};
use atlas_syntax::{Builder, Type, TypeId};
use tree_sitter::Node;

/// A declarator taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declarator<'t> {
    /// The node that spells the declared name: an identifier, a qualified name, an operator.
    pub name: Node<'t>,
    /// The parameter list of a function; None for a variable, a pointer to a function included.
    pub parameters: Option<Node<'t>>,
    /// The function declarator itself.
    pub function: Option<Node<'t>>,
    pub array: bool,
    /// A pointer or reference to the type.
    pub indirect: bool,
    /// A pointer to a function.
    pub callback: bool,
    pub value: Option<Node<'t>>,
}

/// Takes a declarator apart; None if it names nothing.
pub(super) fn declarator(node: Node) -> Option<Declarator> {
    let mut found = Declarator {
        name: node,
        parameters: None,
        function: None,
        array: false,
        indirect: false,
        callback: false,
        value: None,
    };
    let mut at = node;
    // The function declarator that encloses a parenthesised one declares a pointer to a function.
    let mut enclosing_function = None;
    for _ in 0..DEPTH_MAX {
        match at.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "operator_name"
            | "destructor_name"
            | "operator_cast"
            | "template_function"
            | "structured_binding_declarator"
            | "template_method"
            | "namespace_identifier" => {
                found.name = at;
                if at.kind() == "operator_cast" {
                    let inner = at.child_by_field_name("declarator");
                    found.parameters = inner.and_then(|inner| inner.child_by_field_name("parameters"));
                    found.function = inner;
                }
                return Some(found);
            }
            "init_declarator" => {
                found.value = at.child_by_field_name("value");
                at = at.child_by_field_name("declarator")?;
            }
            "function_declarator" => {
                if found.function.is_none() {
                    found.function = Some(at);
                    found.parameters = at.child_by_field_name("parameters");
                }
                enclosing_function = Some(at);
                at = at.child_by_field_name("declarator")?;
            }
            "pointer_declarator" | "pointer_type_declarator" => {
                found.indirect = true;
                if enclosing_function.is_some() {
                    found.callback = true;
                    found.parameters = None;
                    found.function = None;
                    enclosing_function = None;
                }
                at = inner_declarator(at)?;
            }
            "reference_declarator" | "variadic_declarator" => {
                found.indirect = true;
                at = inner_declarator(at)?;
            }
            "array_declarator" => {
                found.array = true;
                at = at.child_by_field_name("declarator")?;
            }
            "parenthesized_declarator" | "attributed_declarator" => at = inner_declarator(at)?,
            _ => return None,
        }
    }
    None
}

fn inner_declarator(node: Node) -> Option<Node> {
    if let Some(inner) = node.child_by_field_name("declarator") {
        return Some(inner);
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| {
        child.kind().ends_with("declarator")
            || matches!(
                child.kind(),
                "identifier" | "field_identifier" | "type_identifier" | "qualified_identifier" | "operator_name"
            )
    })
}

impl C {
    /// The type that a declarator gives its name, from the type that its declaration begins with.
    pub(super) fn declarator_type(&self, d: &Declarator, base: Option<TypeId>, b: &mut Builder) -> Option<TypeId> {
        if d.callback {
            return Some(b.ty(Type::Function(base)));
        }
        match base {
            Some(base) if d.array => Some(b.ty(Type::List(base))),
            other => other,
        }
    }
}

/// The fewest and most arguments that a parameter list takes. In C an empty list says nothing.
pub(super) fn arity(parameters: Node, cpp: bool, b: &Builder) -> (u16, u16) {
    let (mut least, mut most, mut any) = (0u16, 0u16, false);
    let mut cursor = parameters.walk();
    for parameter in parameters.children(&mut cursor) {
        match parameter.kind() {
            "parameter_declaration" => {
                if parameter.child_by_field_name("declarator").is_none()
                    && parameter.child_by_field_name("type").is_some_and(|ty| b.text(ty) == "void")
                {
                    return (0, 0);
                }
                least = least.saturating_add(1);
                most = most.saturating_add(1);
            }
            // K&R: the names alone.
            "identifier" => {
                least = least.saturating_add(1);
                most = most.saturating_add(1);
            }
            "optional_parameter_declaration" => most = most.saturating_add(1),
            "variadic_parameter" | "variadic_parameter_declaration" | "..." => any = true,
            _ => {}
        }
    }
    if any || (most == 0 && !cpp) { (least, u16::MAX) } else { (least, most) }
}
