//! Items: functions, types, traits, `impl` blocks, constants, modules, macros.

use super::attrs::Attr;
use super::{Impl, Marks, RustExtractor};
use atlas_syntax::{
    BaseRelation, BaseSub, BindingKind, Builder, DefFlags, DefIx, DefKind, DefSpec, FrameKind, Import, ImportKind,
    Type, TypeId, end_line_of, line_of,
};
use tree_sitter::Node;

impl RustExtractor {
    pub(super) fn function(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        self.type_parameters(node, b);
        let parameters = node.child_by_field_name("parameters");
        let has_self = parameters.is_some_and(|list| has_receiver(list, b));
        let mut spec = DefSpec::named(DefKind::Function, name, b.source);
        self.membership(node, &mut spec, b);
        if spec.kind == DefKind::Method {
            spec.flags.set(DefFlags::STATIC, !has_self);
        }
        spec.doc = self.take_doc(node, attrs);
        spec.arity = parameters.map_or((0, 0), arity);
        spec.ty = node.child_by_field_name("return_type").map(|ty| self.ty(ty, b)).filter(|&id| id != 0);
        let last = node.child_by_field_name("return_type").or(parameters);
        spec.signature_end = Some(last.map_or_else(|| line_of(node), end_line_of));
        spec.flags.set(DefFlags::DECLARATION, node.child_by_field_name("body").is_none());
        spec.flags.set(DefFlags::ASYNC, has_modifier(node, "async"));
        let marks = self.marks(node, attrs);
        flag(&mut spec, marks);
        let text = spec.name.clone();
        let ix = b.open_def(node, spec);
        self.mark_within(node, marks);
        self.bind_type_parameters(node, ix, b);
        self.locals.open(node, Some(ix), FrameKind::Closed);
        if let Some(body) = node.child_by_field_name("body") {
            self.bodies.insert(body.id());
        }
        if let Some(list) = parameters {
            self.parameters(list, ix, b);
        }
        self.function_roots(node, ix, &text, attrs, b);
    }

    /// Where an item stands decides what it is: a member of the type of its `impl` or of its trait.
    pub(super) fn membership(&self, node: Node, spec: &mut DefSpec, b: &Builder) {
        spec.flags.set(DefFlags::EXPORTED, is_public(node));
        // An item nested in a method stands nearer to that method than to the block around it.
        let block = self.impls.last().filter(|open| open.within == b.here() && open.holds_items);
        if let Some(open) = block {
            if spec.kind == DefKind::Function {
                spec.kind = DefKind::Method;
            }
            spec.owner = open.owner;
            if open.of_trait {
                spec.flags.set(DefFlags::EXPORTED, true);
            }
        }
    }

    fn parameters(&mut self, list: Node, of: DefIx, b: &mut Builder) {
        let mut position = 0u16;
        let mut cursor = list.walk();
        let nodes: Vec<Node> = list.named_children(&mut cursor).collect();
        for node in nodes {
            match node.kind() {
                "parameter" => {
                    let Some(pattern) = node.child_by_field_name("pattern") else { continue };
                    if pattern.kind() == "self" {
                        continue;
                    }
                    let ty = node.child_by_field_name("type").map(|ty| self.ty(ty, b)).filter(|&id| id != 0);
                    self.mark_pattern(pattern, b, 0);
                    match plain_name(pattern) {
                        Some(name) => {
                            let sym = b.sym_of(name);
                            let bound = self.locals.declare(sym, b);
                            let bound = b.str(bound).to_owned();
                            b.bind(BindingKind::Param(position), Some(of), &bound, line_of(name), ty, None);
                        }
                        None => {
                            let value = ty.map(|ty| b.expr(atlas_syntax::Expr::Cast(ty)));
                            self.declare_pattern(pattern, value, None, b, 0);
                        }
                    }
                    position = position.saturating_add(1);
                }
                "self_parameter" | "attribute_item" | "line_comment" | "block_comment" => {}
                _ => position = position.saturating_add(1),
            }
        }
    }

    pub(super) fn module(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        let doc = self.take_doc(node, attrs);
        if node.child_by_field_name("body").is_some() {
            let mut spec = DefSpec::named(DefKind::Namespace, name, b.source);
            spec.doc = doc;
            spec.start = attrs.first().map(|attr| attr.line);
            spec.arity = (0, 0);
            let marks = self.marks(node, attrs);
            flag(&mut spec, marks);
            spec.flags.set(DefFlags::EXPORTED, is_public(node));
            b.open_def(node, spec);
            self.mark_within(node, marks);
            return;
        }
        let path = attrs.iter().find(|attr| attr.path == "path").map(|attr| attr.args.clone());
        let text = b.text(name).to_owned();
        self.importing_late = self.is_late(node, attrs);
        self.child_module(&text, path.as_deref(), line_of(node), is_public(node), b);
        self.importing_late = false;
    }

    /// `mod name;` in another file, at `path` if an attribute says so.
    pub(super) fn child_module(&mut self, name: &str, path: Option<&str>, line: u32, public: bool, b: &mut Builder) {
        let local = b.sym(name);
        let module = path.map_or(local, |path| b.sym(path));
        let import = Import {
            kind: ImportKind::ChildModule,
            module,
            level: u8::from(path.is_some()),
            name: Some(local),
            local: Some(local),
            line,
            within: b.here(),
            reexport: public,
            type_only: false,
        };
        self.import(import, b);
    }

    pub(super) fn type_item(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        self.type_parameters(node, b);
        let kind = match node.kind() {
            "enum_item" => DefKind::Enum,
            "union_item" => DefKind::Union,
            _ => DefKind::Struct,
        };
        let mut spec = DefSpec::named(kind, name, b.source);
        self.item(node, attrs, &mut spec);
        let fields = node.child_by_field_name("body").filter(|body| body.kind() == "ordered_field_declaration_list");
        let count = fields.map_or(0, count_types);
        spec.arity = (count, count);
        let ix = b.open_def(node, spec);
        self.bind_type_parameters(node, ix, b);
        let path = vec![b.facts().def(ix).name];
        self.impls.push(Impl {
            node: node.id(),
            path,
            owner: None,
            this: None,
            of_trait: false,
            within: Some(ix),
            holds_items: false,
        });
        self.derived(ix, attrs, b);
        self.type_roots(node, ix, attrs, b);
        self.table_model(ix, attrs, b);
    }

    fn item(&mut self, node: Node, attrs: &[Attr], spec: &mut DefSpec) {
        spec.doc = self.take_doc(node, attrs);
        spec.start = attrs.first().map(|attr| attr.line);
        let body = node.child_by_field_name("body");
        spec.signature_end = Some(body.map_or_else(|| end_line_of(node), line_of));
        spec.arity = (0, 0);
        spec.flags.set(DefFlags::EXPORTED, is_public(node));
        flag(spec, self.marks(node, attrs));
    }

    pub(super) fn variant(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        let mut spec = DefSpec::named(DefKind::EnumMember, name, b.source);
        spec.doc = self.take_doc(node, attrs);
        spec.start = attrs.first().map(|attr| attr.line);
        spec.flags.set(DefFlags::EXPORTED, true);
        let fields = node.child_by_field_name("body").filter(|body| body.kind() == "ordered_field_declaration_list");
        let count = fields.map_or(0, count_types);
        spec.arity = (count, count);
        let ix = b.open_def(node, spec);
        self.variant_roots(ix, attrs, b);
    }

    pub(super) fn field(&mut self, node: Node, b: &mut Builder) {
        let (Some(name), Some(ty), Some(of)) =
            (node.child_by_field_name("name"), node.child_by_field_name("type"), b.here())
        else {
            return;
        };
        let ty = Some(self.ty(ty, b)).filter(|&id| id != 0);
        let mut spec = DefSpec::named(DefKind::Field, name, b.source);
        spec.doc = self.take_doc(node, &[]);
        spec.ty = ty;
        spec.arity = (0, 0);
        spec.flags.set(DefFlags::EXPORTED, is_public(node));
        let text = spec.name.clone();
        b.bind(BindingKind::Field, Some(of), &text, line_of(name), ty, None);
        b.add_def(node, spec);
    }

    /// The fields of a tuple struct or variant are named by their places.
    pub(super) fn ordered_fields(&mut self, node: Node, b: &mut Builder) {
        let Some(of) = b.here() else { return };
        let mut cursor = node.walk();
        let types: Vec<Node> = node.children_by_field_name("type", &mut cursor).filter(Node::is_named).collect();
        for (at, ty) in types.into_iter().enumerate() {
            let line = line_of(ty);
            let ty = Some(self.ty(ty, b)).filter(|&id| id != 0);
            b.bind(BindingKind::Field, Some(of), &at.to_string(), line, ty, None);
        }
    }

    pub(super) fn trait_item(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        self.type_parameters(node, b);
        let mut spec = DefSpec::named(DefKind::Trait, name, b.source);
        self.item(node, attrs, &mut spec);
        let marks = self.marks(node, attrs);
        let ix = b.open_def(node, spec);
        self.mark_within(node, marks);
        self.bind_type_parameters(node, ix, b);
        let path = vec![b.facts().def(ix).name];
        self.impls.push(Impl {
            node: node.id(),
            path,
            owner: None,
            this: None,
            of_trait: true,
            within: Some(ix),
            holds_items: true,
        });
        let Some(bounds) = node.child_by_field_name("bounds") else { return };
        let mut cursor = bounds.walk();
        let parents: Vec<Node> = bounds.named_children(&mut cursor).collect();
        for parent in parents {
            if matches!(parent.kind(), "lifetime" | "removed_trait_bound") {
                continue;
            }
            let ty = self.ty(parent, b);
            if ty != 0 {
                b.add_base(BaseSub::Def(ix), ty, BaseRelation::Inherit, parent);
            }
        }
    }

    pub(super) fn impl_item(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        self.doc = None;
        self.type_parameters(node, b);
        self.mark_within(node, self.marks(node, attrs));
        let named = self_type(ty);
        self.by_bounds = named.kind() == "type_identifier";
        let owner = self.owner_type(named, node.child_by_field_name("trait"), b);
        self.by_bounds = false;
        let path = match named.kind() {
            "type_identifier" => {
                let name = b.sym_of(named);
                self.stands_for(name, b)
            }
            _ => self.type_path(named, b, 0).unwrap_or_default(),
        };
        let of_trait = node.child_by_field_name("trait");
        if let Some(sup) = of_trait {
            let negative = {
                let mut cursor = node.walk();
                node.children(&mut cursor).any(|child| child.kind() == "!")
            };
            let sup_type = self.ty(sup, b);
            if sup_type != 0 && owner != 0 && !negative {
                b.add_base(BaseSub::Type(owner), sup_type, BaseRelation::Implement, sup);
                self.dereferences(node, sup, owner, b);
            }
        }
        // Unknown types (`[T; N]`, tuples) still own what stands in their block: it is no free function.
        let owner = if owner == 0 { b.ty_path(&["?"]) } else { owner };
        let within = b.here();
        let this = match named.kind() {
            "type_identifier" => {
                let name = b.sym_of(named);
                self.type_param(name).flatten()
            }
            _ => None,
        };
        self.impls.push(Impl {
            node: node.id(),
            path,
            owner: Some(owner),
            this,
            of_trait: of_trait.is_some(),
            within,
            holds_items: true,
        });
    }

    /// The type whose members the block defines. A wrapper of the standard library is meant itself, not
    /// what it holds; and a trait gets no members from the block that forwards it (`impl<T: Tr> Tr for &T`).
    fn owner_type(&mut self, named: Node, of_trait: Option<Node>, b: &mut Builder) -> TypeId {
        const WRAPPERS: [&str; 8] = ["Arc", "Box", "Cow", "Mutex", "Option", "Pin", "Rc", "RefCell"];
        if named.kind() == "generic_type" {
            let path = named.child_by_field_name("type").and_then(|ty| self.type_path(ty, b, 0));
            if let Some(path) = path
                && path.last().is_some_and(|&name| WRAPPERS.contains(&b.str(name)))
            {
                return b.ty(Type::Path { path, args: Vec::new() });
            }
        }
        let owner = self.ty(named, b);
        if named.kind() == "type_identifier" {
            let name = b.sym_of(named);
            let of_trait = of_trait.and_then(|of_trait| self.type_path(of_trait, b, 0));
            let forwards = |ty: TypeId| match (b.facts().ty(ty), &of_trait) {
                (Type::Path { path, .. }, Some(of_trait)) => path.last() == of_trait.last(),
                _ => false,
            };
            let parts = match b.facts().ty(owner) {
                Type::Union(parts) => parts.clone(),
                _ => vec![owner],
            };
            if self.type_param(name).is_some() && parts.into_iter().any(forwards) {
                return b.ty(Type::Path { path: vec![name], args: Vec::new() });
            }
        }
        owner
    }

    /// `impl Deref for T { type Target = U; }`: T has U's members.
    fn dereferences(&mut self, node: Node, sup: Node, owner: TypeId, b: &mut Builder) {
        if !matches!(b.text(sup), "Deref" | "std::ops::Deref" | "ops::Deref" | "core::ops::Deref") {
            return;
        }
        let Some(body) = node.child_by_field_name("body") else { return };
        let mut cursor = body.walk();
        let target = body
            .named_children(&mut cursor)
            .filter(|item| item.kind() == "type_item")
            .find_map(|item| item.child_by_field_name("type"));
        let Some(target) = target else { return };
        let ty = self.ty(target, b);
        if matches!(b.facts().ty(ty), Type::Path { .. }) {
            b.add_base(BaseSub::Type(owner), ty, BaseRelation::Include, target);
        }
    }

    pub(super) fn alias(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        self.type_parameters(node, b);
        let mut spec = DefSpec::named(DefKind::TypeAlias, name, b.source);
        self.item(node, attrs, &mut spec);
        self.membership(node, &mut spec, b);
        spec.ty = match (node.child_by_field_name("type"), node.child_by_field_name("bounds")) {
            (Some(ty), _) => Some(self.ty(ty, b)),
            (None, Some(bounds)) => self.bounds(bounds, b),
            (None, None) => None,
        }
        .filter(|&id| id != 0);
        let ix = b.open_def(node, spec);
        self.bind_type_parameters(node, ix, b);
    }

    pub(super) fn constant(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        self.handled.insert(name.id());
        let kind = if node.kind() == "const_item" { DefKind::Constant } else { DefKind::Variable };
        let mut spec = DefSpec::named(kind, name, b.source);
        self.item(node, attrs, &mut spec);
        self.membership(node, &mut spec, b);
        spec.kind = kind;
        spec.ty = node.child_by_field_name("type").map(|ty| self.ty(ty, b)).filter(|&id| id != 0);
        let text = spec.name.clone();
        if text == "_" {
            // `const _: () = { … };` holds items and checks, and has no name.
            self.locals.open(node, b.here(), FrameKind::Closed);
            return;
        }
        let ty = spec.ty;
        b.bind(BindingKind::Local, b.here(), &text, line_of(name), ty, None);
        let ix = b.open_def(node, spec);
        self.locals.open(node, Some(ix), FrameKind::Closed);
    }

    pub(super) fn macro_definition(&mut self, node: Node, attrs: &[Attr], b: &mut Builder) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let mut spec = DefSpec::named(DefKind::Macro, name, b.source);
        spec.doc = self.take_doc(node, attrs);
        spec.flags.set(DefFlags::EXPORTED, attrs.iter().any(|attr| attr.path == "macro_export"));
        let marks = self.marks(node, attrs);
        spec.flags.set(DefFlags::CONDITIONAL, marks.left_out);
        b.open_def(node, spec);
        self.macro_body(node, b);
    }
}

/// The type whose members an `impl` block defines: references and the wrappers of a receiver taken off.
fn self_type(ty: Node) -> Node {
    let mut at = ty;
    for _ in 0..16 {
        let next = match at.kind() {
            "reference_type" | "pointer_type" => at.child_by_field_name("type"),
            "dynamic_type" => at.child_by_field_name("trait"),
            _ => None,
        };
        match next {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

pub(super) fn flag(spec: &mut DefSpec, marks: Marks) {
    spec.flags.set(DefFlags::CONDITIONAL, marks.left_out);
    spec.flags.set(DefFlags::TEST, marks.test);
}

pub(super) fn is_public(node: Node) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).take(4).any(|child| child.kind() == "visibility_modifier")
}

fn has_modifier(node: Node, word: &str) -> bool {
    let mut cursor = node.walk();
    let modifiers = node.children(&mut cursor).take(6).find(|child| child.kind() == "function_modifiers");
    modifiers.is_some_and(|modifiers| {
        let mut cursor = modifiers.walk();
        modifiers.children(&mut cursor).any(|child| child.kind() == word)
    })
}

fn has_receiver(list: Node, b: &Builder) -> bool {
    let mut cursor = list.walk();
    list.named_children(&mut cursor).take(4).any(|parameter| match parameter.kind() {
        "self_parameter" => true,
        "parameter" => parameter.child_by_field_name("pattern").is_some_and(|pattern| b.text(pattern) == "self"),
        _ => false,
    })
}

/// Parameters that a caller gives, the receiver not counted.
fn arity(list: Node) -> (u16, u16) {
    let (mut count, mut variadic) = (0u16, false);
    let mut cursor = list.walk();
    for parameter in list.named_children(&mut cursor) {
        match parameter.kind() {
            "self_parameter" | "attribute_item" | "line_comment" | "block_comment" => {}
            "variadic_parameter" => variadic = true,
            "parameter" if parameter.child_by_field_name("pattern").is_some_and(|p| p.kind() == "self") => {}
            _ => count = count.saturating_add(1),
        }
    }
    (count, if variadic { u16::MAX } else { count })
}

fn count_types(list: Node) -> u16 {
    let mut cursor = list.walk();
    list.children_by_field_name("type", &mut cursor).filter(Node::is_named).count().min(usize::from(u16::MAX)) as u16
}

/// The name of a pattern that is nothing but a name.
pub(super) fn plain_name(pattern: Node) -> Option<Node> {
    match pattern.kind() {
        "identifier" => Some(pattern),
        "mut_pattern" | "ref_pattern" => {
            let mut cursor = pattern.walk();
            let inner = pattern.named_children(&mut cursor).find(|child| child.kind() != "mutable_specifier")?;
            (inner.kind() == "identifier").then_some(inner)
        }
        _ => None,
    }
}
