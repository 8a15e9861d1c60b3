//! Markdown as a flat list of blocks with plain text in them.
//!
//! Escapes and entities are resolved; what a writer of plain prose may have meant literally
//! (`__init__`, `Vec<T>`, back-ticked names) keeps its marks. Line ends within a paragraph separate
//! lines; a line end written as an entity belongs to the text.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// One block, in document order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Heading(String),
    Paragraph(Vec<String>),
    /// `depth` is 1 for an item of an outermost list.
    Item {
        depth: usize,
        lines: Vec<String>,
    },
    Code {
        info: String,
        text: String,
    },
    Row(Vec<String>),
}

pub(super) fn blocks(markdown: &str) -> Vec<Block> {
    let mut flat = Flattener::default();
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        flat.take(event, &markdown[range]);
    }
    flat.flush();
    flat.blocks
}

#[derive(Default)]
struct Flattener {
    blocks: Vec<Block>,
    lines: Vec<String>,
    /// Items that are open.
    depth: usize,
    /// Whether the innermost open item has its block already.
    item_begun: bool,
    heading: bool,
    html: bool,
    code: Option<(String, String)>,
    row: Option<Vec<String>>,
}

impl Flattener {
    fn take(&mut self, event: Event<'_>, source: &str) {
        match event {
            Event::Start(tag) => self.start(&tag, source),
            Event::End(tag) => self.end(tag, source),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.push(&text),
            },
            Event::Code(text) if text.contains('`') => self.push(source),
            Event::Code(text) => self.push(&format!("`{text}`")),
            Event::InlineHtml(html) if html.starts_with("<!--") => {}
            Event::InlineHtml(html) => self.push(&html),
            Event::Html(html) => {
                if self.html {
                    self.lines.extend(html.lines().map(str::to_owned));
                }
            }
            Event::SoftBreak | Event::HardBreak => self.lines.push(String::new()),
            Event::Rule => self.flush(),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                self.push(source)
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>, source: &str) {
        match tag {
            Tag::Heading { .. } => {
                self.flush();
                self.heading = true;
            }
            Tag::Item => {
                self.flush();
                self.depth += 1;
                self.item_begun = false;
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((info, String::new()));
            }
            Tag::HtmlBlock => {
                self.flush();
                self.html = !source.starts_with("<!--");
            }
            Tag::TableHead | Tag::TableRow => {
                self.flush();
                self.row = Some(Vec::new());
            }
            Tag::Paragraph | Tag::List(_) | Tag::Table(_) | Tag::BlockQuote(_) => self.flush(),
            Tag::Emphasis => self.push(source.get(..1).unwrap_or_default()),
            Tag::Strong => self.push(source.get(..2).unwrap_or_default()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, source: &str) {
        match tag {
            TagEnd::Heading(_) => {
                let text = self.taken().join(" ");
                self.blocks.push(Block::Heading(text));
                self.heading = false;
            }
            TagEnd::Item => {
                self.flush();
                self.depth = self.depth.saturating_sub(1);
                self.item_begun = true;
            }
            TagEnd::CodeBlock => {
                if let Some((info, text)) = self.code.take() {
                    self.blocks.push(Block::Code { info, text });
                }
            }
            TagEnd::HtmlBlock => {
                self.flush();
                self.html = false;
            }
            TagEnd::TableCell => {
                let cell = self.taken().join(" ");
                if let Some(row) = &mut self.row {
                    row.push(cell);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some(row) = self.row.take() {
                    self.blocks.push(Block::Row(row));
                }
            }
            TagEnd::Paragraph | TagEnd::List(_) | TagEnd::BlockQuote(_) => self.flush(),
            TagEnd::Emphasis => self.push(source.get(..1).unwrap_or_default()),
            TagEnd::Strong => self.push(source.get(..2).unwrap_or_default()),
            _ => {}
        }
    }

    fn push(&mut self, text: &str) {
        if self.lines.is_empty() {
            self.lines.push(String::new());
        }
        if let Some(line) = self.lines.last_mut() {
            line.push_str(text);
        }
    }

    fn taken(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }

    fn flush(&mut self) {
        if self.heading || self.row.is_some() || self.lines.is_empty() {
            return;
        }
        let lines = self.taken();
        if self.depth > 0 && !self.item_begun {
            self.item_begun = true;
            self.blocks.push(Block::Item { depth: self.depth, lines });
        } else {
            self.blocks.push(Block::Paragraph(lines));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn every_kind_of_block_keeps_its_text() {
        let text = "# A `b`\n\nfoo \\*bar\\* &#10;baz\n__init__ Vec<T>\n\n- **DT-1** x\n  - y\n\n  more\n- z\n\n```text\na\nb\n```\n\n| k | v |\n|--|--|\n| `a\\|b` | 1 |\n\n<!-- gone -->\n";
        assert_eq!(
            blocks(text),
            [
                Block::Heading("A `b`".into()),
                Block::Paragraph(lines(&["foo *bar* \nbaz", "__init__ Vec<T>"])),
                Block::Item { depth: 1, lines: lines(&["**DT-1** x"]) },
                Block::Item { depth: 2, lines: lines(&["y"]) },
                Block::Paragraph(lines(&["more"])),
                Block::Item { depth: 1, lines: lines(&["z"]) },
                Block::Code { info: "text".into(), text: "a\nb\n".into() },
                Block::Row(lines(&["k", "v"])),
                Block::Row(lines(&["`a|b`", "1"])),
            ]
        );
    }

    #[test]
    fn hostile_markdown_ends_soon() {
        for text in
            [">".repeat(100_000), "[".repeat(100_000), "- ".repeat(50_000), "*a ".repeat(50_000), "`".repeat(100_001)]
        {
            assert!(blocks(&text).len() <= 2, "{:?}", &text[..4]);
        }
    }
}
