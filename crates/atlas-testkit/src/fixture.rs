//! A tiny repository in one string.
//!
//! ```text
//! === src/login.py
//! def login(user):
//!     ^^^^^ ~ def login
//!     write(user)
//! === src/audit.py
//! def write(entry): ...
//! ```
//!
//! A block runs from its `=== path` line to the next one. A line of blanks and carets that is
//! followed by ` ~ text` is a [`Mark`] on the line above it and is taken out, so that the line
//! numbers of the rest stay true. Every line of a block ends in `\n`.

use atlas_tree::MemTree;
use std::collections::BTreeMap;
use std::path::Path;

/// Files by path, and the marks that stood in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixture {
    pub files: BTreeMap<String, Vec<u8>>,
    /// In the order of the text.
    pub marks: Vec<Mark>,
}

/// `^^^^^ ~ text` below a source line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub path: String,
    /// The marked line, 1-based.
    pub line: u32,
    /// The marked columns as characters of the line, 0-based and half-open.
    pub columns: std::ops::Range<usize>,
    /// The marked characters.
    pub marked: String,
    /// What stands behind the tilde, trimmed.
    pub text: String,
}

impl Fixture {
    /// # Panics
    /// On text before the first block, a mark with no line above it or beyond that line's end, and a path named twice.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut fixture = Self::default();
        let mut path: Option<String> = None;
        let mut lines: Vec<&str> = Vec::new();
        for line in text.lines() {
            if let Some(next) = line.strip_prefix("=== ") {
                fixture.close(path.replace(next.trim().to_owned()), &mut lines);
            } else if let Some(open) = &path {
                match mark(line) {
                    Some((columns, text)) => {
                        let above = lines.last().unwrap_or_else(|| panic!("a mark above the first line of `{open}`"));
                        let marked: String = above.chars().skip(columns.start).take(columns.len()).collect();
                        assert_eq!(marked.chars().count(), columns.len(), "a mark beyond the end of `{above}`");
                        let line = u32::try_from(lines.len()).expect("a fixture is small");
                        fixture.marks.push(Mark { path: open.clone(), line, columns, marked, text: text.to_owned() });
                    }
                    None => lines.push(line),
                }
            } else {
                assert!(line.trim().is_empty(), "text before the first `=== path`: `{line}`");
            }
        }
        fixture.close(path, &mut lines);
        fixture
    }

    /// Adds a file that text cannot say: other line ends, no last line end, bytes that are not UTF-8.
    #[must_use]
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        assert!(self.files.insert(path.to_owned(), bytes.into()).is_none(), "`{path}` is named twice");
        self
    }

    /// The files in memory.
    #[must_use]
    pub fn tree(&self) -> MemTree {
        MemTree::new(self.files.iter().map(|(path, bytes)| (path, bytes.clone())))
    }

    /// The files on disk, below `dir`; directories are made as needed.
    pub fn write(&self, dir: &Path) {
        for (path, bytes) in &self.files {
            let file = dir.join(path);
            std::fs::create_dir_all(file.parent().expect("a file has a directory")).expect("a writable directory");
            std::fs::write(file, bytes).expect("a writable directory");
        }
    }

    /// The files in a directory of their own that goes when the value is dropped.
    #[must_use]
    pub fn dir(&self) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a writable temporary directory");
        self.write(dir.path());
        dir
    }

    fn close(&mut self, path: Option<String>, lines: &mut Vec<&str>) {
        let Some(path) = path else { return };
        let mut text = String::new();
        for line in lines.drain(..) {
            text.push_str(line);
            text.push('\n');
        }
        assert!(self.files.insert(path.clone(), text.into_bytes()).is_none(), "`{path}` is named twice");
    }
}

/// `(columns, text)` of a mark line.
fn mark(line: &str) -> Option<(std::ops::Range<usize>, &str)> {
    let start = line.chars().take_while(|c| *c == ' ').count();
    let rest = &line[start..];
    let carets = rest.bytes().take_while(|b| *b == b'^').count();
    let text = rest[carets..].strip_prefix(" ~ ")?;
    (carets > 0).then(|| (start..start + carets, text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
=== src/login.py
def login(user):
    ^^^^^ ~ def login
    write(user)
    ^^^^^ ~ call src/audit.py:write EXTRACTED
=== src/audit.py
def write(entry): ...
=== empty
";

    #[test]
    fn blocks_become_files_and_marks_are_taken_out() {
        let fixture = Fixture::new(TEXT);
        assert_eq!(fixture.files["src/login.py"], b"def login(user):\n    write(user)\n");
        assert_eq!(fixture.files["src/audit.py"], b"def write(entry): ...\n");
        assert_eq!(fixture.files["empty"], b"");
        assert_eq!(
            fixture.marks,
            [
                Mark {
                    path: "src/login.py".into(),
                    line: 1,
                    columns: 4..9,
                    marked: "login".into(),
                    text: "def login".into()
                },
                Mark {
                    path: "src/login.py".into(),
                    line: 2,
                    columns: 4..9,
                    marked: "write".into(),
                    text: "call src/audit.py:write EXTRACTED".into()
                },
            ]
        );
    }

    #[test]
    fn memory_and_disk_hold_the_same_files() {
        use atlas_tree::Tree as _;
        let fixture = Fixture::new(TEXT).with("bin/x", [0u8, 255]);
        let dir = fixture.dir();
        let tree = fixture.tree();
        assert_eq!(tree.files().len(), 4);
        for entry in tree.files() {
            let on_disk = std::fs::read(dir.path().join(entry.path.as_str())).unwrap();
            assert_eq!(tree.read(&entry.path).unwrap().as_ref(), on_disk);
        }
    }

    #[test]
    #[should_panic(expected = "beyond the end")]
    fn a_mark_beyond_its_line_is_an_error() {
        let _ = Fixture::new("=== a\nab\n ^^^ ~ x\n");
    }
}
