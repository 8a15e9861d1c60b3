//! Local names under exact block scoping.
//!
//! A binding's scope is a whole definition ([`crate::Binding::scope`]), but languages scope locals by
//! block and let a later one shadow an earlier one. An extractor that opens a frame for each block
//! gets here a name for every local that is its own within the definition: the plain name where
//! nothing else can mean it, else the name with a number (`x#2`), which no source can spell. Used in
//! bindings and expressions alike, the numbered names make whole-definition scopes exact.
//! What is deliberately *not* here: what a name that is no local means; that is the linker's.

use crate::{Builder, DefIx, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// What a frame is to the names around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    /// The outermost frame of a function whose body sees no local from outside (a nested `fn` of Rust).
    Closed,
    /// The outermost frame of a function that sees the locals around it.
    Function,
    /// A block within a function.
    Block,
}

#[derive(Debug)]
struct Frame {
    node: usize,
    def: Option<DefIx>,
    kind: FrameKind,
    names: Vec<Sym>,
}

#[derive(Debug, Clone, Copy)]
struct Local {
    bound: Sym,
    frame: usize,
}

/// The locals that are visible where the walk stands.
#[derive(Debug, Default)]
pub struct Locals {
    frames: Vec<Frame>,
    /// Places in `frames` of the open ones that are closed to the outside.
    closed: Vec<usize>,
    /// Innermost last.
    visible: FxHashMap<Sym, Vec<Local>>,
    /// How often a name was declared in a definition, or used there before any declaration.
    taken: FxHashMap<(Option<DefIx>, Sym), u32>,
    free: FxHashSet<(Option<DefIx>, Sym)>,
    numbered: bool,
}

impl Locals {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Locals that always get a number: for languages in which types and modules share the names of
    /// locals, or are looked up where locals of the same name stand (`fn f(store: Store) { store::open() }`).
    #[must_use]
    pub fn numbered() -> Self {
        Self { numbered: true, ..Self::default() }
    }

    /// Opens a frame that [`Locals::close`] ends with the same node; bindings of it go to `def`.
    pub fn open(&mut self, node: Node, def: Option<DefIx>, kind: FrameKind) {
        if kind == FrameKind::Closed {
            self.closed.push(self.frames.len());
        }
        self.frames.push(Frame { node: node.id(), def, kind, names: Vec::new() });
    }

    /// Closes every frame that `node` opened.
    pub fn close(&mut self, node: Node) {
        while self.frames.last().is_some_and(|frame| frame.node == node.id()) {
            let frame = self.frames.pop().expect("the loop saw a frame");
            if frame.kind == FrameKind::Closed {
                self.closed.pop();
            }
            for name in frame.names {
                if let Some(stack) = self.visible.get_mut(&name) {
                    stack.pop();
                }
            }
        }
    }

    /// Whether the walk stands inside any frame.
    #[must_use]
    pub fn inside(&self) -> bool {
        !self.frames.is_empty()
    }

    /// The definition whose bindings the innermost frame makes.
    #[must_use]
    pub fn def(&self) -> Option<DefIx> {
        self.frames.last().and_then(|frame| frame.def)
    }

    /// Declares a local from here on in the innermost frame; gives the name to bind it by.
    pub fn declare(&mut self, name: Sym, builder: &mut Builder) -> Sym {
        let Some(at) = self.frames.len().checked_sub(1) else { return name };
        let frame = &mut self.frames[at];
        let key = (frame.def, name);
        let count = self.taken.entry(key).or_insert(0);
        *count += 1;
        // The plain name must mean this local wherever else in the definition it is written.
        let plain = !self.numbered && *count == 1 && frame.kind != FrameKind::Block && !self.free.contains(&key);
        let bound = if plain {
            name
        } else {
            let text = format!("{}#{count}", builder.str(name));
            builder.sym(&text)
        };
        frame.names.push(name);
        self.visible.entry(name).or_default().push(Local { bound, frame: at });
        bound
    }

    /// Whether the innermost frame has declared this name itself.
    #[must_use]
    pub fn declared_here(&self, name: Sym) -> bool {
        let Some(at) = self.frames.len().checked_sub(1) else { return false };
        self.visible.get(&name).and_then(|stack| stack.last()).is_some_and(|local| local.frame == at)
    }

    /// The bound name of the local that `name` means here, if it means one.
    pub fn lookup(&mut self, name: Sym) -> Option<Sym> {
        if self.frames.is_empty() {
            return None;
        }
        let closed = self.closed.last().copied().unwrap_or(0);
        let found = self.visible.get(&name).and_then(|stack| stack.last()).filter(|local| local.frame >= closed);
        if found.is_none() {
            self.free.insert((self.def(), name));
        }
        found.map(|local| local.bound)
    }
}
