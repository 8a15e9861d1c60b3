//! Names that are local to a function or block, and what each stands for.
//!
//! A binding's scope is a whole definition, JavaScript's is a block. So a local of an inner block or
//! of an anonymous function is bound under its name with a number (`x#2`), which no source can
//! spell; the numbered name stands in bindings and expressions alike.

use atlas_syntax::{Builder, DefIx, ExprId, Sym};
use rustc_hash::FxHashMap;

/// What a local name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Local {
    /// A parameter or variable, bound under this name.
    Bound(Sym),
    /// A function or class whose plain name is enough to find it.
    Plain,
    /// A function or class of an inner block.
    Def(DefIx),
    /// A function that an inner block declares further down; bound under this name when it is met.
    Hoisted(Sym),
    /// A parameter of a type: it names nothing outside. True if a definition declares it, so that it
    /// can be bound to an argument.
    TypeParameter(bool),
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    local: Local,
    /// Known members, if it holds an object literal.
    object: Option<u32>,
    def: Option<DefIx>,
}

#[derive(Debug)]
struct Frame<'s> {
    node: usize,
    /// Where its bindings go.
    def: Option<DefIx>,
    /// Whether it is the outermost frame of a definition: its names need no number.
    outer: bool,
    /// Whether `var` stops here.
    function: bool,
    names: Vec<&'s str>,
}

/// The locals that are visible where the walk stands. The file's own top level has no frame.
#[derive(Debug, Default)]
pub struct Scopes<'s> {
    frames: Vec<Frame<'s>>,
    visible: FxHashMap<&'s str, Vec<Entry>>,
    taken: FxHashMap<(Option<DefIx>, &'s str), u32>,
    objects: Vec<FxHashMap<&'s str, ExprId>>,
}

impl<'s> Scopes<'s> {
    /// Opens the frame of a function; `outer` if it became the definition `def`.
    pub fn open_function(&mut self, node: usize, def: Option<DefIx>, outer: bool) {
        self.frames.push(Frame { node, def, outer, function: true, names: Vec::new() });
    }

    /// Opens the frame of a block.
    pub fn open_block(&mut self, node: usize, def: Option<DefIx>) {
        self.frames.push(Frame { node, def, outer: false, function: false, names: Vec::new() });
    }

    /// Closes the frames that this node opened.
    pub fn close(&mut self, node: usize) {
        while self.frames.last().is_some_and(|frame| frame.node == node) {
            let frame = self.frames.pop().expect("the loop saw a frame");
            for name in frame.names {
                if let Some(stack) = self.visible.get_mut(name) {
                    stack.pop();
                }
            }
        }
    }

    /// Whether the walk stands inside any function or block.
    #[must_use]
    pub fn inside(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Whether the innermost frame is no definition's outermost one.
    #[must_use]
    pub fn in_block(&self) -> bool {
        self.frames.last().is_some_and(|frame| !frame.outer)
    }

    /// Declares a variable; gives its scope and the name to bind it by. None at the file's top level.
    pub fn declare(&mut self, name: &'s str, var: bool, builder: &mut Builder) -> Option<(Option<DefIx>, Sym)> {
        let at = self.frame_for(var)?;
        let (def, sym) = self.name_in(at, name, builder);
        self.put(at, name, Entry { local: Local::Bound(sym), object: None, def });
        Some((def, sym))
    }

    /// Declares a function that the innermost frame holds further down.
    pub fn hoist(&mut self, name: &'s str, builder: &mut Builder) {
        let Some(at) = self.frames.len().checked_sub(1) else { return };
        let def = self.frames[at].def;
        let local = match self.frames[at].outer {
            true => Local::Plain,
            false => Local::Hoisted(self.name_in(at, name, builder).1),
        };
        self.put(at, name, Entry { local, object: None, def });
    }

    /// Where a name of a frame is bound, and as what.
    fn name_in(&mut self, at: usize, name: &'s str, builder: &mut Builder) -> (Option<DefIx>, Sym) {
        let frame = &self.frames[at];
        let def = frame.def;
        if frame.outer {
            return (def, builder.sym(name));
        }
        let count = self.taken.entry((def, name)).or_insert(0);
        *count += 1;
        let text = format!("{name}#{count}");
        (def, builder.sym(&text))
    }

    /// Declares a function, class or type parameter in the innermost frame.
    pub fn declare_def(&mut self, name: &'s str, ix: DefIx) {
        if let Some(at) = self.frames.len().checked_sub(1) {
            let frame = &self.frames[at];
            let local = if frame.outer { Local::Plain } else { Local::Def(ix) };
            let def = frame.def;
            self.put(at, name, Entry { local, object: None, def });
        }
    }

    /// Declares a name that is enough to find what it means: an import within a function.
    pub fn declare_plain(&mut self, name: &'s str) {
        if let Some(at) = self.frames.len().checked_sub(1) {
            self.put(at, name, Entry { local: Local::Plain, object: None, def: None });
        }
    }

    /// Declares a function's own name inside it.
    pub fn declare_own(&mut self, name: &'s str, ix: DefIx) {
        if let Some(at) = self.frames.len().checked_sub(1) {
            self.put(at, name, Entry { local: Local::Def(ix), object: None, def: None });
        }
    }

    pub fn declare_type_parameter(&mut self, name: &'s str, bound: bool) {
        if let Some(at) = self.frames.len().checked_sub(1) {
            self.put(at, name, Entry { local: Local::TypeParameter(bound), object: None, def: None });
        }
    }

    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<Local> {
        self.visible.get(name).and_then(|stack| stack.last()).map(|entry| entry.local)
    }

    /// The scope that a local variable was bound in.
    #[must_use]
    pub fn scope_of(&self, name: &str) -> Option<DefIx> {
        self.visible.get(name).and_then(|stack| stack.last()).and_then(|entry| entry.def)
    }

    /// Says that the variable declared last under this name holds an object literal.
    pub fn holds_object(&mut self, name: &str) -> Option<u32> {
        let entry = self.visible.get_mut(name)?.last_mut()?;
        let id = self.objects.len() as u32;
        entry.object = Some(id);
        self.objects.push(FxHashMap::default());
        Some(id)
    }

    #[must_use]
    pub fn object_of(&self, name: &str) -> Option<u32> {
        self.visible.get(name)?.last()?.object
    }

    pub fn set_member(&mut self, object: u32, name: &'s str, value: ExprId) {
        self.objects[object as usize].insert(name, value);
    }

    #[must_use]
    pub fn member(&self, object: u32, name: &str) -> Option<ExprId> {
        self.objects[object as usize].get(name).copied()
    }

    /// The members of a local object, by name.
    #[must_use]
    pub fn members(&self, object: u32) -> Vec<(&'s str, ExprId)> {
        let mut all: Vec<_> = self.objects[object as usize].iter().map(|(&name, &value)| (name, value)).collect();
        all.sort_unstable();
        all
    }

    fn put(&mut self, at: usize, name: &'s str, entry: Entry) {
        self.frames[at].names.push(name);
        self.visible.entry(name).or_default().push(entry);
    }

    /// The frame that takes a declaration. A `var` goes to its function, which at the top of a
    /// block outside any function is the file.
    fn frame_for(&self, var: bool) -> Option<usize> {
        if var { self.frames.iter().rposition(|frame| frame.function) } else { self.frames.len().checked_sub(1) }
    }
}
