//! Collects the facts of one file while its tree is walked.

use crate::Language;
use crate::facts::*;
use crate::walk::node_text;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

/// What an extractor knows about a definition when it meets it.
#[derive(Debug, Clone)]
pub struct DefSpec {
    pub kind: DefKind,
    pub name: String,
    /// Line and column of its name; the node's own start if None.
    pub name_at: Option<(u32, u32)>,
    pub owner: Option<TypeId>,
    /// First line if it differs from the node's: decorators stand before.
    pub start: Option<u32>,
    pub signature_end: Option<u32>,
    pub doc: Option<(u32, u32)>,
    pub arity: (u16, u16),
    pub ty: Option<TypeId>,
    pub flags: DefFlags,
}

impl DefSpec {
    #[must_use]
    pub fn new(kind: DefKind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            name_at: None,
            owner: None,
            start: None,
            signature_end: None,
            doc: None,
            arity: (0, u16::MAX),
            ty: None,
            flags: DefFlags::default(),
        }
    }

    /// Names it by this node's text and place.
    #[must_use]
    pub fn named(kind: DefKind, name: Node, source: &[u8]) -> Self {
        let mut spec = Self::new(kind, node_text(name, source));
        spec.name_at = Some((line_of(name), column_of(name)));
        spec
    }
}

/// 1-based first line of a node.
#[must_use]
pub fn line_of(node: Node) -> u32 {
    node.start_position().row as u32 + 1
}

/// 1-based column in bytes.
#[must_use]
pub fn column_of(node: Node) -> u32 {
    node.start_position().column as u32 + 1
}

/// 1-based last line that holds a byte of the node.
#[must_use]
pub fn end_line_of(node: Node) -> u32 {
    let end = node.end_position();
    if end.column == 0 && end.row > node.start_position().row { end.row as u32 } else { end.row as u32 + 1 }
}

/// Facts under construction. The walk keeps the stack of open definitions.
pub struct Builder<'s> {
    pub source: &'s [u8],
    facts: FileFacts,
    symbols: FxHashMap<Box<str>, Sym>,
    /// Open definitions with the id of the node that closes each.
    open: Vec<(DefIx, usize)>,
    /// Expressions already made, by node id, so that long call chains cost linear time.
    by_node: FxHashMap<usize, ExprId>,
    bags: FxHashMap<Option<DefIx>, usize>,
    counts: FxHashMap<(Option<DefIx>, Sym), usize>,
    prose: Vec<Prose>,
}

/// A comment or a part of a string literal.
struct Prose {
    /// The innermost definition around it.
    def: Option<DefIx>,
    line: u32,
    bytes: (usize, usize),
    is_string: bool,
}

/// Longest word that is kept, in bytes.
pub(crate) const WORD_BYTES_MAX: usize = 80;
/// Bytes of one comment or string that are read for words.
const PROSE_BYTES_MAX: usize = 16 * 1024;

/// The words of a text, in order.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let mut end = text.len().min(PROSE_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end]
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 1 && word.len() <= WORD_BYTES_MAX)
}

/// The words of a definition, made when first asked for.
fn bag_of<'b>(
    bags: &mut FxHashMap<Option<DefIx>, usize>,
    terms: &'b mut Vec<TermBag>,
    def: Option<DefIx>,
) -> &'b mut TermBag {
    let at = *bags.entry(def).or_insert_with(|| {
        terms.push(TermBag { def, ..TermBag::default() });
        terms.len() - 1
    });
    &mut terms[at]
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s [u8], language: Language) -> Self {
        let facts = FileFacts {
            language,
            lines: atlas_tree::line_count(source),
            strings: Vec::new(),
            package: None,
            defs: Vec::new(),
            refs: Vec::new(),
            args: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            bases: Vec::new(),
            bindings: Vec::new(),
            exprs: vec![Expr::Unknown],
            types: vec![Type::Unknown],
            roots: Vec::new(),
            table_defs: Vec::new(),
            table_uses: Vec::new(),
            errors: Vec::new(),
            error_count: 0,
            terms: Vec::new(),
        };
        let mut builder = Self {
            source,
            facts,
            symbols: FxHashMap::default(),
            open: Vec::new(),
            by_node: FxHashMap::default(),
            bags: FxHashMap::default(),
            counts: FxHashMap::default(),
            prose: Vec::new(),
        };
        builder.sym("");
        builder
    }

    /// The text of a node.
    #[must_use]
    pub fn text(&self, node: Node) -> &'s str {
        node_text(node, self.source)
    }

    /// Interns a string. The empty string is symbol 0.
    pub fn sym(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.symbols.get(text) {
            return sym;
        }
        let sym = self.facts.strings.len() as Sym;
        self.facts.strings.push(text.into());
        self.symbols.insert(text.into(), sym);
        sym
    }

    /// Interns a node's text.
    pub fn sym_of(&mut self, node: Node) -> Sym {
        let text = node_text(node, self.source);
        self.sym(text)
    }

    #[must_use]
    pub fn str(&self, sym: Sym) -> &str {
        self.facts.str(sym)
    }

    #[must_use]
    pub fn facts(&self) -> &FileFacts {
        &self.facts
    }

    /// Adds an expression. `Unknown` is always 0.
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        if expr == Expr::Unknown {
            return 0;
        }
        self.facts.exprs.push(expr);
        self.facts.exprs.len() as ExprId - 1
    }

    /// The expression of a node, made once by `make`.
    pub fn expr_of(&mut self, node: Node, make: impl FnOnce(&mut Self) -> Expr) -> ExprId {
        if let Some(&id) = self.by_node.get(&node.id()) {
            return id;
        }
        let expr = make(self);
        let id = self.expr(expr);
        self.by_node.insert(node.id(), id);
        id
    }

    /// The expression of a node if it was made before: a long chain is built from its innermost link
    /// outwards, and this tells where to start.
    #[must_use]
    pub fn known_expr(&self, node: Node) -> Option<ExprId> {
        self.by_node.get(&node.id()).copied()
    }

    /// Gives an expression another form, once more of it is known.
    pub fn set_expr(&mut self, id: ExprId, expr: Expr) {
        if let Some(place) = self.facts.exprs.get_mut(id as usize).filter(|_| id != 0) {
            *place = expr;
        }
    }

    /// Adds a type. `Unknown` is always 0.
    pub fn ty(&mut self, ty: Type) -> TypeId {
        if ty == Type::Unknown {
            return 0;
        }
        self.facts.types.push(ty);
        self.facts.types.len() as TypeId - 1
    }

    /// A plain type by its path.
    pub fn ty_path(&mut self, path: &[&str]) -> TypeId {
        let path = path.iter().map(|part| self.sym(part)).collect();
        self.ty(Type::Path { path, args: Vec::new() })
    }

    /// The innermost open definition.
    #[must_use]
    pub fn here(&self) -> Option<DefIx> {
        self.open.last().map(|&(ix, _)| ix)
    }

    /// The innermost open definition that satisfies `wanted`.
    #[must_use]
    pub fn enclosing(&self, wanted: impl Fn(&Def) -> bool) -> Option<DefIx> {
        self.open.iter().rev().map(|&(ix, _)| ix).find(|&ix| wanted(self.facts.def(ix)))
    }

    /// The innermost open type.
    #[must_use]
    pub fn enclosing_type(&self) -> Option<DefIx> {
        self.enclosing(|def| def.kind.is_type())
    }

    /// The innermost open function, method, constructor.
    #[must_use]
    pub fn enclosing_callable(&self) -> Option<DefIx> {
        self.enclosing(|def| def.kind.is_callable())
    }

    /// Adds a definition without opening it: nothing stands inside it.
    pub fn add_def(&mut self, node: Node, spec: DefSpec) -> DefIx {
        let start = spec.start.unwrap_or_else(|| line_of(node));
        let end = end_line_of(node).max(start);
        let (name_line, name_column) = spec.name_at.unwrap_or((line_of(node), column_of(node)));
        let name = self.sym(&spec.name);
        let def = Def {
            kind: spec.kind,
            name,
            container: self.here(),
            owner: spec.owner,
            start,
            end,
            name_line,
            name_column,
            signature_end: spec.signature_end.unwrap_or(start).clamp(start, end),
            doc: spec.doc,
            arity: spec.arity,
            ty: spec.ty,
            flags: spec.flags,
        };
        self.facts.defs.push(def);
        self.facts.defs.len() as DefIx - 1
    }

    /// Adds a definition and opens it: what the walk meets inside `node` belongs to it.
    pub fn open_def(&mut self, node: Node, spec: DefSpec) -> DefIx {
        let ix = self.add_def(node, spec);
        self.open.push((ix, node.id()));
        ix
    }

    /// How many definitions are open inside each other.
    pub(crate) fn nesting(&self) -> usize {
        self.open.len()
    }

    /// Opens a definition that exists already for another node: a reopened namespace, a body that
    /// stands apart from its declaration.
    pub fn reopen_def(&mut self, node: Node, ix: DefIx) {
        self.open.push((ix, node.id()));
    }

    pub fn def_mut(&mut self, ix: DefIx) -> &mut Def {
        &mut self.facts.defs[ix as usize]
    }

    /// Adds a reference; `at` is the node of its last name.
    pub fn add_ref(&mut self, kind: RefKind, at: Node, expr: ExprId, argc: u16, arg0: Option<Sym>) {
        let name = self.sym_of(at);
        let within = self.here();
        self.facts.refs.push(Ref { kind, name, expr, line: line_of(at), column: column_of(at), within, argc, arg0 });
    }

    /// As [`Builder::add_ref`], for a name that is not the text of a node.
    pub fn add_ref_named(&mut self, kind: RefKind, name: &str, at: Node, expr: ExprId, argc: u16, arg0: Option<Sym>) {
        let name = self.sym(name);
        let within = self.here();
        self.facts.refs.push(Ref { kind, name, expr, line: line_of(at), column: column_of(at), within, argc, arg0 });
    }

    /// As [`Builder::add_ref`], for a name inside a text that has no nodes, such as a macro's body: its
    /// line and column.
    pub fn add_ref_at(&mut self, kind: RefKind, name: &str, (line, column): (u32, u32), expr: ExprId, argc: u16) {
        let name = self.sym(name);
        let within = self.here();
        self.facts.refs.push(Ref { kind, name, expr, line, column, within, argc, arg0: None });
    }

    /// States the arguments of the call added last, for languages with overloads.
    pub fn add_args(&mut self, values: &[ExprId]) {
        let Some(of) = self.facts.refs.len().checked_sub(1) else { return };
        for (n, &value) in values.iter().enumerate().take(usize::from(u16::MAX)) {
            if value != 0 {
                self.facts.args.push(Arg { of: of as u32, n: n as u16, value });
            }
        }
    }

    pub fn add_import(&mut self, import: Import) {
        self.facts.imports.push(import);
    }

    pub fn add_export(&mut self, name: &str, value: ExprId, line: u32) {
        let name = self.sym(name);
        self.facts.exports.push(Export { name, value, line });
    }

    pub fn add_base(&mut self, sub: BaseSub, sup: TypeId, relation: BaseRelation, at: Node) {
        self.add_base_at(sub, sup, relation, (line_of(at), column_of(at)));
    }

    /// As [`Builder::add_base`], for a clause whose node is not at hand: its line and column.
    pub fn add_base_at(&mut self, sub: BaseSub, sup: TypeId, relation: BaseRelation, (line, column): (u32, u32)) {
        self.facts.bases.push(Base { sub, sup, relation, line, column });
    }

    /// Binds a name in `scope`.
    pub fn bind(
        &mut self,
        kind: BindingKind,
        scope: Option<DefIx>,
        name: &str,
        line: u32,
        ty: Option<TypeId>,
        value: Option<ExprId>,
    ) {
        let name = self.sym(name);
        self.facts.bindings.push(Binding { kind, name, scope, line, ty, value });
    }

    pub fn set_package(&mut self, package: &str) {
        let package = self.sym(package);
        self.facts.package = Some(package);
    }

    pub fn add_root(&mut self, root: RootFact) {
        self.facts.roots.push(root);
    }

    pub fn add_table_def(&mut self, table: &str, model: Option<DefIx>, line: u32, rule: &str) {
        let (table, rule) = (self.sym(table), self.sym(rule));
        self.facts.table_defs.push(TableDef { table, model, line, rule });
    }

    pub fn add_table_use(&mut self, target: TableTarget, write: bool, at: Node, rule: &str) {
        let rule = self.sym(rule);
        let within = self.here();
        self.facts.table_uses.push(TableUse { target, write, line: line_of(at), column: column_of(at), within, rule });
    }

    pub(crate) fn add_error(&mut self, node: Node) {
        self.facts.error_count = self.facts.error_count.saturating_add(1);
        if self.facts.errors.len() < FileFacts::ERRORS_MAX {
            self.facts.errors.push((line_of(node), end_line_of(node)));
        }
    }

    /// Counts an identifier as a word of the innermost open definition.
    pub(crate) fn add_identifier(&mut self, word: &str) {
        let sym = self.sym(word);
        let def = self.here();
        let list = &mut bag_of(&mut self.bags, &mut self.facts.terms, def).identifiers;
        let at = *self.counts.entry((def, sym)).or_insert_with(|| {
            list.push((sym, 0));
            list.len() - 1
        });
        list[at].1 = list[at].1.saturating_add(1);
    }

    /// Takes note of a text whose words are collected when all definitions are known: a comment above
    /// a definition is met before it.
    pub(crate) fn add_prose(&mut self, node: Node, is_string: bool) {
        let bytes = (node.start_byte(), node.end_byte());
        self.prose.push(Prose { def: self.here(), line: line_of(node), bytes, is_string });
    }

    /// Words of comments and strings, each to the definition that it documents or stands in.
    fn collect_prose(&mut self) {
        let mut docs: Vec<(u32, u32, DefIx)> = Vec::new();
        for (ix, def) in self.facts.defs.iter().enumerate() {
            docs.extend(def.doc.map(|(start, end)| (start, end, ix as DefIx)));
        }
        docs.sort_unstable();
        for prose in std::mem::take(&mut self.prose) {
            let before = docs.partition_point(|&(start, ..)| start <= prose.line);
            let documented = docs[..before].last().filter(|&&(_, end, _)| prose.line <= end).map(|&(.., ix)| ix);
            let def = documented.or(prose.def);
            let source = self.source;
            let text = source.get(prose.bytes.0..prose.bytes.1).and_then(|bytes| std::str::from_utf8(bytes).ok());
            let words: Vec<Sym> = words_of(text.unwrap_or_default()).map(|word| self.sym(word)).collect();
            if words.is_empty() {
                continue;
            }
            let bag = bag_of(&mut self.bags, &mut self.facts.terms, def);
            let list = match (documented, prose.is_string) {
                (Some(_), _) => &mut bag.doc,
                (None, true) => &mut bag.strings,
                (None, false) => &mut bag.comments,
            };
            if !list.is_empty() {
                list.push(0);
            }
            list.extend(words);
        }
    }

    /// Closes the definitions that `node` opened.
    pub(crate) fn close(&mut self, node: Node) {
        while self.open.last().is_some_and(|&(_, id)| id == node.id()) {
            self.open.pop();
        }
    }

    /// Drops reads of names that are bound locally without being a definition.
    pub(crate) fn finish(mut self) -> FileFacts {
        let dropped = self.local_reads();
        self.keep_refs(&dropped, false);
        self.collect_prose();
        self.facts.terms.sort_by_key(|bag| bag.def.map_or(0, |ix| ix + 1));
        self.facts
    }

    /// Puts references into source order: for an extractor that makes them when it leaves a node.
    pub fn sort_refs(&mut self) {
        let dropped = vec![false; self.facts.refs.len()];
        self.keep_refs(&dropped, true);
    }

    /// Leaves out what was dropped; arguments follow their references.
    fn keep_refs(&mut self, dropped: &[bool], sort: bool) {
        let refs = std::mem::take(&mut self.facts.refs);
        let mut kept: Vec<(usize, Ref)> = refs.into_iter().enumerate().filter(|(at, _)| !dropped[*at]).collect();
        if sort {
            kept.sort_by_key(|(_, r)| (r.line, r.column));
        }
        let mut place = vec![u32::MAX; dropped.len()];
        for (new, (old, _)) in kept.iter().enumerate() {
            place[*old] = new as u32;
        }
        self.facts.refs = kept.into_iter().map(|(_, r)| r).collect();
        for arg in &mut self.facts.args {
            arg.of = place[arg.of as usize];
        }
        self.facts.args.retain(|arg| arg.of != u32::MAX);
        self.facts.args.sort_by_key(|arg| (arg.of, arg.n));
    }

    /// A read of a parameter or local names nothing outside its function. What a binding holds is
    /// still found through the bindings themselves.
    fn local_reads(&self) -> Vec<bool> {
        // Functions nest a few deep; whoever nests deeper keeps such a read.
        const SCOPES_MAX: usize = 64;
        let facts = &self.facts;
        let mut local: FxHashMap<(DefIx, Sym), ()> = FxHashMap::default();
        for binding in &facts.bindings {
            if let (BindingKind::Param(_) | BindingKind::Local, Some(scope)) = (binding.kind, binding.scope) {
                let kind = facts.def(scope).kind;
                if !kind.is_type() && kind != DefKind::Namespace {
                    local.insert((scope, binding.name), ());
                }
            }
        }
        let is_local = |r: &Ref| {
            let mut scope = r.within;
            for _ in 0..SCOPES_MAX {
                let Some(ix) = scope else { return false };
                if local.contains_key(&(ix, r.name)) {
                    return true;
                }
                scope = facts.def(ix).container;
            }
            false
        };
        let reads = |r: &Ref| r.kind == RefKind::Read && *facts.expr(r.expr) == Expr::Name(r.name);
        facts.refs.iter().map(|r| reads(r) && is_local(r)).collect()
    }
}
