//! Types: written ones, and those of doc comments.

use super::names::{NameKind, is_name, last_name};
use super::{Php, parts};
use atlas_syntax::{Builder, RefKind, Type, TypeId};
use tree_sitter::Node;

/// Types that have no members; beside a class in a union they tell nothing.
const SCALARS: [&str; 22] = [
    "array-key",
    "bool",
    "boolean",
    "callable",
    "class-string",
    "double",
    "false",
    "float",
    "int",
    "integer",
    "never",
    "non-empty-string",
    "null",
    "numeric",
    "numeric-string",
    "positive-int",
    "resource",
    "scalar",
    "string",
    "true",
    "void",
    "literal-string",
];

impl Php {
    /// A use of a class as a type.
    pub(super) fn type_use(&mut self, node: Node, b: &mut Builder) {
        if let Some(name) = node.named_child(0) {
            self.class_ref(name, RefKind::TypeUse, b);
            self.done(Some(name));
        }
    }

    /// The type that a name means as a class.
    pub(super) fn class_type(&self, node: Node, b: &mut Builder) -> TypeId {
        let text = b.text(node);
        self.named_type(text, b)
    }

    fn named_type(&self, text: &str, b: &mut Builder) -> TypeId {
        let open = self.types.last();
        match text.to_ascii_lowercase().as_str() {
            "static" | "$this" => b.ty(Type::This),
            "self" => match open {
                Some(open) if !open.name.is_empty() && !open.is_trait => b.ty_path(&[&open.name]),
                _ => b.ty(Type::This),
            },
            "parent" => match open.and_then(|open| open.parent.clone()) {
                Some(parent) => b.ty_path(&[&parent]),
                None => 0,
            },
            _ => {
                let full = self.full_name(text, NameKind::Class);
                b.ty_path(&[&full])
            }
        }
    }

    /// The type that a type node means.
    pub(super) fn type_of(&self, node: Node, b: &mut Builder) -> TypeId {
        match node.kind() {
            "named_type" => node.named_child(0).map_or(0, |name| self.class_type(name, b)),
            "primitive_type" | "bottom_type" => match b.text(node).to_ascii_lowercase().as_str() {
                "static" => b.ty(Type::This),
                "mixed" | "object" => 0,
                name => b.ty_path(&[name]),
            },
            "optional_type" => node.named_child(0).map_or(0, |inner| self.type_of(inner, b)),
            "union_type" | "intersection_type" | "disjunctive_normal_form_type" | "type_list" => {
                let all = parts(node).into_iter().take(16).map(|part| self.type_of(part, b)).collect();
                union_of(all, b)
            }
            _ if is_name(node) => self.class_type(node, b),
            _ => 0,
        }
    }

    /// The type of a declaration, where a doc comment may say more than the code: what an array holds.
    pub(super) fn declared(&self, native: Option<Node>, doc: Option<TypeId>, b: &mut Builder) -> Option<TypeId> {
        let doc = doc.filter(|&ty| ty != 0);
        let Some(native) = native else { return doc };
        let written = self.type_of(native, b);
        let vague = match b.facts().ty(written) {
            Type::Unknown => true,
            Type::Path { path, .. } => {
                let name = path.last().map_or("", |&last| b.str(last));
                let name = name.trim_start_matches('\\');
                matches!(
                    name,
                    "array"
                        | "iterable"
                        | "callable"
                        | "object"
                        | "Traversable"
                        | "Iterator"
                        | "IteratorAggregate"
                        | "Generator"
                        | "ArrayAccess"
                )
            }
            _ => false,
        };
        let generic = doc.is_some_and(|doc| matches!(b.facts().ty(doc), Type::Path { args, .. } if !args.is_empty()));
        if vague || generic { doc.or(Some(written).filter(|&ty| ty != 0)) } else { Some(written) }
    }

    /// Reads a type as doc comments write them. Names that stand for a caller's choice are unknown.
    pub(super) fn doc_type(&self, text: &str, templates: &[String], b: &mut Builder) -> TypeId {
        let mut reader = DocReader { php: self, templates, text, at: 0 };
        reader.union(b, 0)
    }
}

/// A union without what has no members; unknown if it may be anything.
pub(super) fn union_of(all: Vec<TypeId>, b: &mut Builder) -> TypeId {
    let scalar = |ty: TypeId, b: &Builder| match b.facts().ty(ty) {
        Type::Path { path, .. } => path.len() == 1 && SCALARS.contains(&b.str(path[0])),
        _ => false,
    };
    if all.contains(&0) {
        return 0;
    }
    let mut kept: Vec<TypeId> = all.iter().copied().filter(|&ty| !scalar(ty, b)).collect();
    let is_array = |ty: TypeId, b: &Builder| match b.facts().ty(ty) {
        Type::List(_) => true,
        Type::Path { path, .. } => path.len() == 1 && matches!(b.str(path[0]), "array" | "iterable"),
        _ => false,
    };
    if kept.iter().any(|&ty| !is_array(ty, b)) {
        kept.retain(|&ty| !is_array(ty, b));
    }
    match kept.as_slice() {
        [] => all.first().copied().unwrap_or(0),
        [one] => *one,
        _ => b.ty(Type::Union(kept)),
    }
}

/// A reader of one type of a doc comment, up to the first blank outside brackets.
struct DocReader<'a> {
    php: &'a Php,
    templates: &'a [String],
    text: &'a str,
    at: usize,
}

/// Brackets nested deeper are not read.
const DOC_DEPTH_MAX: u32 = 12;

impl DocReader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|c| c == ' ' || c == '\n' || c == '\t' || c == '*') {
            self.at += 1;
        }
    }

    fn union(&mut self, b: &mut Builder, depth: u32) -> TypeId {
        let mut all = vec![self.one(b, depth)];
        while (self.eat('|') || self.eat('&')) && all.len() < 16 {
            all.push(self.one(b, depth));
        }
        union_of(all, b)
    }

    fn one(&mut self, b: &mut Builder, depth: u32) -> TypeId {
        if depth > DOC_DEPTH_MAX {
            return 0;
        }
        let optional = self.eat('?');
        let mut ty = if self.eat('(') {
            self.blanks();
            let inner = self.union(b, depth + 1);
            self.blanks();
            if !self.eat(')') {
                return 0;
            }
            inner
        } else {
            self.named(b, depth)
        };
        while self.text[self.at..].starts_with("[]") {
            self.at += 2;
            ty = b.ty(Type::List(ty));
        }
        let _ = optional;
        ty
    }

    fn named(&mut self, b: &mut Builder, depth: u32) -> TypeId {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\\' | '-' | '$'))).unwrap_or(rest.len());
        let name = &rest[..end];
        self.at += end;
        let mut args = Vec::new();
        if self.eat('<') {
            loop {
                self.blanks();
                args.push(self.union(b, depth + 1));
                self.blanks();
                if !self.eat(',') || args.len() > 8 {
                    break;
                }
            }
            if !self.eat('>') {
                return 0;
            }
        } else if matches!(self.peek(), Some('{' | '(')) {
            self.skip_brackets();
        }
        self.make(name, args, b)
    }

    /// Shapes and signatures are passed over.
    fn skip_brackets(&mut self) {
        let mut open = 0u32;
        for (at, c) in self.text[self.at..].char_indices() {
            match c {
                '{' | '(' | '<' => open += 1,
                '}' | ')' | '>' => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                self.at += at + c.len_utf8();
                return;
            }
        }
        self.at = self.text.len();
    }

    fn make(&self, name: &str, args: Vec<TypeId>, b: &mut Builder) -> TypeId {
        let lower = name.to_ascii_lowercase();
        if name.is_empty() || self.templates.iter().any(|template| template == name) {
            return 0;
        }
        match lower.as_str() {
            "mixed" | "object" => 0,
            "array" | "iterable" | "list" | "non-empty-array" | "non-empty-list" => match args.last() {
                Some(&last) => b.ty(Type::List(last)),
                None => b.ty_path(&["array"]),
            },
            // The class itself, not an instance: no source can be typed by it yet.
            "class-string" => b.ty_path(&["string"]),
            _ if SCALARS.contains(&lower.as_str()) => b.ty_path(&[&lower]),
            _ => {
                let plain = self.php.named_type(name, b);
                if args.is_empty() {
                    return plain;
                }
                let path = match b.facts().ty(plain) {
                    Type::Path { path, .. } => path.clone(),
                    _ => return plain,
                };
                b.ty(Type::Path { path, args })
            }
        }
    }
}

/// The node that names a class of `extends` and `implements` clauses, with that of its last segment.
pub(super) fn clause_names(clause: Node) -> Vec<(Node, Node)> {
    parts(clause).into_iter().filter(|part| is_name(*part)).map(|part| (part, last_name(part))).collect()
}
