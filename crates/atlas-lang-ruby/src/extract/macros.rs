//! Calls in the body of a class that define or change something: `attr_reader`, `include`,
//! `private`, associations, callbacks.

use super::expr::{first_argument, option};
use super::{FrameKind, Ruby, plain_text};
use atlas_syntax::{
    BaseRelation, Builder, DefFlags, DefIx, DefKind, DefSpec, Expr, Import, ImportKind, RefKind, RootKind, Type,
    line_of,
};
use tree_sitter::Node;

/// Callbacks of Rails that take names of methods.
const CALLBACKS: [&str; 43] = [
    "after_action",
    "after_commit",
    "after_create",
    "after_create_commit",
    "after_destroy",
    "after_destroy_commit",
    "after_enqueue",
    "after_find",
    "after_initialize",
    "after_perform",
    "after_rollback",
    "after_save",
    "after_save_commit",
    "after_touch",
    "after_update",
    "after_update_commit",
    "after_validation",
    "append_after_action",
    "append_before_action",
    "around_action",
    "around_create",
    "around_destroy",
    "around_perform",
    "around_save",
    "around_update",
    "before_action",
    "before_commit",
    "before_create",
    "before_destroy",
    "before_enqueue",
    "before_filter",
    "before_perform",
    "before_save",
    "before_update",
    "before_validation",
    "delegate_missing_to",
    "helper_method",
    "prepend_after_action",
    "prepend_around_action",
    "prepend_before_action",
    "set_callback",
    "skip_before_action",
    "validate",
];

impl Ruby {
    /// A bare word that changes what follows it. True if it is no call of its own.
    pub(super) fn bare_macro(&mut self, word: &str) -> bool {
        match word {
            "private" | "protected" => self.frame_mut().private = true,
            "public" => self.frame_mut().private = false,
            "module_function" => {}
            _ => return false,
        }
        matches!(self.frame().kind, FrameKind::Type | FrameKind::Singleton)
    }

    /// A call without a receiver. True if it needs no reference.
    pub(super) fn macro_call(&mut self, node: Node, name: &str, b: &mut Builder) -> bool {
        match name {
            "require" | "require_relative" | "load" | "require_dependency" | "autoload" => self.require(node, name, b),
            "raise" | "fail" => self.raised(node, b),
            "sig" => self.sorbet_signature(node, b),
            "include" if self.frames.len() == 1 => self.include_everywhere(node, b),
            _ if matches!(self.frame().kind, FrameKind::Type | FrameKind::Singleton) => {
                return self.class_macro(node, name, b);
            }
            _ => return false,
        }
        matches!(name, "require" | "require_relative" | "sig" | "require_dependency")
    }

    fn require(&mut self, node: Node, name: &str, b: &mut Builder) {
        let text = if name == "autoload" {
            node.child_by_field_name("arguments").and_then(|list| list.named_child(1))
        } else {
            first_argument(node)
        };
        let Some(path) = text.and_then(|text| plain_text(text, b)).filter(|path| !path.is_empty()) else { return };
        for part in path.split('/') {
            self.required.insert(part.into());
        }
        let import = Import {
            kind: ImportKind::Require,
            module: b.sym(path),
            level: u8::from(name == "require_relative"),
            name: None,
            local: None,
            line: line_of(node),
            within: b.here(),
            reexport: false,
            type_only: false,
        };
        b.add_import(import);
    }

    /// `include M` outside of any class brings the constants of M to every place.
    fn include_everywhere(&mut self, node: Node, b: &mut Builder) {
        let Some(module) = first_argument(node).filter(|m| matches!(m.kind(), "constant" | "scope_resolution")) else {
            return;
        };
        let import = Import {
            kind: ImportKind::Wildcard,
            module: b.sym_of(module),
            level: 0,
            name: None,
            local: None,
            line: line_of(node),
            within: None,
            reexport: false,
            type_only: false,
        };
        b.add_import(import);
    }

    /// `raise Err, "text"` makes an `Err`.
    fn raised(&mut self, node: Node, b: &mut Builder) {
        let Some(class) = first_argument(node).filter(|c| matches!(c.kind(), "constant" | "scope_resolution")) else {
            return;
        };
        self.done(Some(class));
        let name = if class.kind() == "constant" { Some(class) } else { class.child_by_field_name("name") };
        if let Some(name) = name {
            self.done(Some(name));
            let expr = self.expr(class, b);
            b.add_ref(RefKind::Construct, name, expr, u16::MAX, None);
        }
    }

    fn class_macro(&mut self, node: Node, name: &str, b: &mut Builder) -> bool {
        let Some(class) = self.type_frame().and_then(|frame| frame.def) else { return false };
        let arguments: Vec<Node> = match node.child_by_field_name("arguments") {
            Some(list) => {
                let mut cursor = list.walk();
                list.named_children(&mut cursor).collect()
            }
            None => Vec::new(),
        };
        match name {
            "include" | "extend" | "prepend" => {
                for module in arguments {
                    self.base(class, module, BaseRelation::Include, b);
                    let text = b.text(module);
                    if let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.kind == FrameKind::Type) {
                        frame.parents.push(text.into());
                    }
                }
                true
            }
            "attr_reader" | "attr_accessor" | "attr_writer" | "attr" | "cattr_accessor" | "mattr_accessor"
            | "class_attribute" | "cattr_reader" | "mattr_reader" => {
                self.attributes(name, &arguments, b);
                true
            }
            "private" | "protected" | "private_class_method" | "public" => {
                self.visibility(name, class, &arguments, b);
                true
            }
            "private_constant" | "module_function" | "public_class_method" => true,
            "alias_method" => {
                if let [new, old, ..] = arguments.as_slice()
                    && let (Some(new_name), Some(old_name)) = (plain_text(*new, b), plain_text(*old, b))
                {
                    self.alias_of(*new, new_name, old_name, b);
                }
                true
            }
            "define_method" => {
                if let Some(first) = arguments.first().copied()
                    && let Some(text) = plain_text(first, b).filter(|text| !text.is_empty())
                {
                    self.open_named(node, first, text, DefKind::Method, FrameKind::Method, b);
                }
                true
            }
            "delegate" => {
                self.delegation(node, &arguments, b);
                true
            }
            "def_delegators" | "def_delegator" | "def_instance_delegators" | "def_instance_delegator" => {
                self.forwarding(name.ends_with('s'), &arguments, b);
                true
            }
            "scope" => {
                if let Some(first) = arguments.first().copied()
                    && let Some(text) = plain_text(first, b).filter(|text| !text.is_empty())
                {
                    let ix = self.open_named(node, first, text, DefKind::Method, FrameKind::StaticMethod, b);
                    b.def_mut(ix).flags.set(DefFlags::STATIC, true);
                }
                true
            }
            "class_methods" => {
                if let Some(block) = node.child_by_field_name("block") {
                    self.push(FrameKind::Singleton, Some(class), block);
                }
                true
            }
            "has_many" | "has_one" | "belongs_to" | "has_and_belongs_to_many" => {
                self.association(node, name, &arguments, b);
                true
            }
            _ if CALLBACKS.binary_search(&name).is_ok() => {
                self.callback(name, &arguments, b);
                false
            }
            "rescue_from" => {
                if let Some(with) = option(node, "with", b) {
                    self.callback(name, &[with], b);
                }
                false
            }
            _ => false,
        }
    }

    fn attributes(&mut self, name: &str, arguments: &[Node], b: &mut Builder) {
        for &argument in arguments {
            let Some(text) = plain_text(argument, b).filter(|text| !text.is_empty()).map(str::to_owned) else {
                continue;
            };
            let base = b.expr(Expr::This);
            let field = b.sym(&format!("@{text}"));
            let value = b.expr(Expr::Member { base, name: field });
            let made = if name.ends_with("writer") { None } else { self.property(argument, &text, 0, value, b) };
            if let (Some(ix), true) = (made, name.starts_with(['c', 'm'])) {
                b.def_mut(ix).flags.set(DefFlags::STATIC, true);
            }
            if !name.ends_with("reader") && name != "attr" {
                self.property(argument, &format!("{text}="), 0, 0, b);
            }
        }
    }

    /// `private def x`, `private :x, :y`, `private_class_method :z`.
    fn visibility(&mut self, name: &str, class: DefIx, arguments: &[Node], b: &mut Builder) {
        if arguments.is_empty() {
            self.frame_mut().private = name != "public";
            return;
        }
        let names: Vec<&str> = arguments
            .iter()
            .filter_map(|argument| match argument.kind() {
                "method" | "singleton_method" => argument.child_by_field_name("name").map(|name| b.text(name)),
                _ => plain_text(*argument, b),
            })
            .collect();
        let count = b.facts().defs.len();
        // The definitions of a class that come before a call like this are few.
        for ix in (0..count as DefIx).rev().take(2_000) {
            if ix == class {
                break;
            }
            let def = b.facts().def(ix);
            if def.container == Some(class) && names.contains(&b.str(def.name)) && name != "public" {
                let flags = &mut b.def_mut(ix).flags;
                flags.0 &= !DefFlags::EXPORTED.0;
            }
        }
    }

    /// `delegate :name, to: :user` reads `user.name`.
    fn delegation(&mut self, node: Node, arguments: &[Node], b: &mut Builder) {
        let Some(to) = option(node, "to", b).and_then(|to| plain_text(to, b)).map(str::to_owned) else { return };
        let prefixed = option(node, "prefix", b).is_some();
        if to == "class" || prefixed {
            return;
        }
        for &argument in arguments {
            let Some(text) = plain_text(argument, b).map(str::to_owned) else { continue };
            let this = b.expr(Expr::This);
            let target = b.sym(&to);
            let receiver = b.expr(Expr::Member { base: this, name: target });
            let name = b.sym(&text);
            let value = b.expr(Expr::Member { base: receiver, name });
            self.property(argument, &text, 0, value, b);
        }
    }

    /// `def_delegators :@user, :name, :email`, `def_delegator :user, :name, :title`.
    fn forwarding(&mut self, many: bool, arguments: &[Node], b: &mut Builder) {
        let Some((&target, methods)) = arguments.split_first() else { return };
        let Some(target) = plain_text(target, b).map(str::to_owned) else { return };
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '?');
        if target == "self" || target.is_empty() || !target.chars().all(plain) {
            return;
        }
        // Of one delegator the last argument is the new name.
        let own: &[Node] = if many { methods } else { &methods[methods.len().saturating_sub(1)..] };
        for (n, &method) in own.iter().enumerate() {
            let called = if many { methods.get(n) } else { methods.first() };
            let (Some(called), Some(name)) = (called.and_then(|called| plain_text(*called, b)), plain_text(method, b))
            else {
                continue;
            };
            let (called, name) = (b.sym(called), name.to_owned());
            let this = b.expr(Expr::This);
            let target = b.sym(&target);
            let receiver = b.expr(Expr::Member { base: this, name: target });
            let value = b.expr(Expr::Member { base: receiver, name: called });
            self.property(method, &name, 0, value, b);
        }
    }

    /// Opens a method whose body is the block of a call.
    pub(super) fn open_named(
        &mut self,
        node: Node,
        at: Node,
        name: &str,
        kind: DefKind,
        frame: FrameKind,
        b: &mut Builder,
    ) -> DefIx {
        let mut spec = DefSpec::new(kind, name);
        spec.name_at = Some((line_of(at), atlas_syntax::column_of(at)));
        spec.doc = self.doc.take(line_of(node));
        spec.signature_end = Some(line_of(at));
        spec.flags.set(DefFlags::EXPORTED, !self.frame().private);
        let ix = b.open_def(node, spec);
        self.push(frame, Some(ix), node);
        ix
    }

    /// An association reads like a field of the other model's type.
    fn association(&mut self, node: Node, name: &str, arguments: &[Node], b: &mut Builder) {
        let Some(first) = arguments.first().copied() else { return };
        let Some(text) = plain_text(first, b).filter(|text| !text.is_empty()).map(str::to_owned) else { return };
        let many = name == "has_many" || name == "has_and_belongs_to_many";
        let class = option(node, "class_name", b).and_then(|class| plain_text(class, b)).map(str::to_owned);
        let polymorphic = option(node, "polymorphic", b).is_some();
        let class = class.unwrap_or_else(|| {
            let single = if many { singular(&text) } else { text.clone() };
            camelize(&single)
        });
        let one = if polymorphic { 0 } else { self.ty_named(&class, b) };
        let ty = if many && one != 0 { b.ty(Type::List(one)) } else { one };
        self.property(first, &text, ty, 0, b);
        self.property(first, &format!("{text}="), 0, 0, b);
    }

    /// Methods that a framework calls at some event.
    fn callback(&mut self, event: &str, arguments: &[Node], b: &mut Builder) {
        for &argument in arguments {
            let Some(text) = plain_text(argument, b).filter(|text| !text.is_empty()).map(str::to_owned) else {
                continue;
            };
            if argument.kind() == "string" {
                continue;
            }
            let base = b.expr(Expr::This);
            let name = b.sym(&text);
            let expr = b.expr(Expr::Member { base, name });
            b.add_ref_named(RefKind::Read, &text, argument, expr, 0, None);
            if event != "helper_method" && !event.starts_with("skip_") {
                self.root(RootKind::EventHandler, argument, &text, "rails callback", b, |root, b| {
                    root.route = Some(b.sym(event));
                    root.handler = Some(expr);
                });
            }
        }
    }
}

/// `votes` → `vote`, `categories` → `category`, as far as the regular rules go.
pub(super) fn singular(word: &str) -> String {
    const IRREGULAR: [(&str, &str); 8] = [
        ("people", "person"),
        ("children", "child"),
        ("men", "man"),
        ("women", "woman"),
        ("news", "news"),
        ("statuses", "status"),
        ("series", "series"),
        ("media", "medium"),
    ];
    for (many, one) in IRREGULAR {
        if let Some(stem) = word.strip_suffix(many) {
            return format!("{stem}{one}");
        }
    }
    for (ending, one) in [("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("ss", "ss")] {
        if let Some(stem) = word.strip_suffix(ending) {
            return format!("{stem}{one}");
        }
    }
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

/// `vote` → `votes`, `category` → `categories`, as far as the regular rules go.
pub(super) fn plural(word: &str) -> String {
    const IRREGULAR: [(&str, &str); 6] = [
        ("person", "people"),
        ("child", "children"),
        ("news", "news"),
        ("status", "statuses"),
        ("series", "series"),
        ("medium", "media"),
    ];
    for (one, many) in IRREGULAR {
        if let Some(stem) = word.strip_suffix(one) {
            return format!("{stem}{many}");
        }
    }
    let vowel_before_y = word.len() > 1 && word[..word.len() - 1].ends_with(['a', 'e', 'i', 'o', 'u']);
    if let Some(stem) = word.strip_suffix('y').filter(|_| !vowel_before_y) {
        return format!("{stem}ies");
    }
    if ["s", "x", "ch", "sh"].iter().any(|ending| word.ends_with(ending)) {
        return format!("{word}es");
    }
    format!("{word}s")
}

/// `admin/vote_log` → `Admin::VoteLog`.
pub(super) fn camelize(word: &str) -> String {
    let part = |part: &str| -> String {
        part.split('_')
            .map(|piece| {
                let mut chars = piece.chars();
                chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
            })
            .collect()
    };
    word.trim_matches('/').split('/').map(part).collect::<Vec<_>>().join("::")
}

/// `VoteLog` → `vote_log`.
pub(super) fn underscore(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (n, c) in chars.iter().enumerate() {
        let after_lower = n > 0 && !chars[n - 1].is_uppercase();
        let before_lower = n > 0 && chars.get(n + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && n > 0 && (after_lower || before_lower) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
