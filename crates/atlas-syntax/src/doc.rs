//! Which comment documents what follows it.

use crate::{Builder, end_line_of, line_of};
use tree_sitter::Node;

/// The comment lines met last.
#[derive(Debug, Default)]
pub struct DocComments {
    last: Option<(u32, u32)>,
}

impl DocComments {
    /// Takes note of a comment. One that stands behind code on its line documents that code.
    pub fn comment(&mut self, node: Node, b: &Builder) {
        let (start, end) = (line_of(node), end_line_of(node));
        if !starts_its_line(node, b.source) {
            self.last = None;
            return;
        }
        self.last = match self.last {
            Some((first, last)) if last + 1 == start => Some((first, end)),
            _ => Some((start, end)),
        };
    }

    /// The comment that ends right above `line`, or on it.
    #[must_use]
    pub fn take(&mut self, line: u32) -> Option<(u32, u32)> {
        self.last.take().filter(|&(_, end)| end == line || end + 1 == line)
    }
}

/// Whether only blanks stand before the node on its line. Looks back a bounded number of bytes.
fn starts_its_line(node: Node, source: &[u8]) -> bool {
    const BACK_MAX: usize = 256;
    let start = node.start_byte();
    let column = node.start_position().column;
    column <= BACK_MAX && source[start - column..start].iter().all(u8::is_ascii_whitespace)
}
