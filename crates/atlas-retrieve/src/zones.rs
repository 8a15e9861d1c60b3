//! Where in a question a word stands: its title, its prose, code, a log.
//!
//! An issue's text is read line by line: fenced blocks, sessions of an interpreter and stack traces
//! are told from prose, since a word says more where a person chose it. Deliberately *not* here: what the
//! words are.

use crate::patterns::{Pattern, pattern};

/// What a stretch of a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// The first line, or all of a question of one line.
    Title,
    Prose,
    /// Set as code within prose, or written as code is.
    Named,
    /// Lines of code.
    Code,
    /// Output: traces, logs, addresses.
    Log,
    /// What an error says.
    Message,
    /// Words of a form that every issue has.
    Form,
}

pub(crate) const ZONES: usize = 7;

/// A place in the code that a stack trace or a link names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// As it is written: often absolute, on another machine.
    pub path: String,
    pub line: Option<u32>,
    /// With its type where the trace gives it.
    pub function: Option<String>,
}

/// A question in stretches, and the frames of its traces, each trace's innermost first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Zoned<'t> {
    pub stretches: Vec<(Zone, &'t str)>,
    pub traces: Vec<Vec<Frame>>,
}

/// Takes a question apart. Linear in its length.
pub(crate) fn zoned(text: &str) -> Zoned<'_> {
    let mut out = Zoned::default();
    let mut reader = Reader::default();
    let mut lines = text.lines().enumerate().skip_while(|(_, line)| line.trim().is_empty());
    if let Some((_, title)) = lines.next() {
        out.prose(Zone::Title, title);
    }
    for (_, line) in lines {
        reader.line(line, &mut out);
    }
    reader.end_trace(&mut out);
    out
}

impl<'t> Zoned<'t> {
    fn push(&mut self, zone: Zone, text: &'t str) {
        if !text.trim().is_empty() {
            self.stretches.push((zone, text));
        }
    }

    /// A line of prose: what stands between back-ticks is named, addresses are output.
    fn prose(&mut self, zone: Zone, line: &'t str) {
        let mut named = false;
        for piece in line.split('`') {
            let mut at = 0;
            for url in pattern(Pattern::Url).find_iter(piece) {
                self.push(if named { Zone::Named } else { zone }, &piece[at..url.start()]);
                self.push(Zone::Log, url.as_str());
                at = url.end();
            }
            self.push(if named { Zone::Named } else { zone }, &piece[at..]);
            // Two in a row open or close one span.
            if !piece.is_empty() || named {
                named = !named;
            }
        }
    }
}

#[derive(Default)]
struct Reader {
    comment: bool,
    fence: Option<&'static str>,
    /// Inside a Python trace, whose last line is the error.
    trace: bool,
    frames: Vec<Frame>,
}

impl Reader {
    fn line<'t>(&mut self, line: &'t str, out: &mut Zoned<'t>) {
        let bare = line.trim();
        if self.comment || bare.starts_with("<!--") {
            self.comment = !bare.contains("-->");
            return;
        }
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (self.fence, mark) {
            (None, Some(mark)) if !bare[3..].contains(mark) => {
                self.fence = Some(mark);
                return;
            }
            (Some(open), Some(mark)) if open == mark => {
                self.fence = None;
                self.end_trace(out);
                return;
            }
            _ => {}
        }
        if self.frame(bare, out) {
            out.push(Zone::Log, line);
            return;
        }
        if self.trace {
            if line.starts_with([' ', '\t']) && !bare.is_empty() {
                out.push(Zone::Log, line);
                return;
            }
            if bare.is_empty() {
                return;
            }
            self.trace = false;
            self.end_trace(out);
            out.push(Zone::Message, line);
            return;
        }
        if pattern(Pattern::Error).is_match(bare) {
            out.push(Zone::Message, line);
            return;
        }
        if !self.frames.is_empty() && !bare.is_empty() {
            self.end_trace(out);
        }
        if pattern(Pattern::LogLine).is_match(bare) {
            out.push(Zone::Log, line);
        } else if self.fence.is_some() || pattern(Pattern::CodeLine).is_match(bare) {
            out.push(Zone::Code, line);
        } else if pattern(Pattern::FormLine).is_match(bare) {
            out.push(Zone::Form, line);
        } else {
            out.prose(Zone::Prose, line);
        }
    }

    /// Takes note of a frame of a trace, and of the head of one.
    fn frame(&mut self, bare: &str, out: &mut Zoned) -> bool {
        if bare.contains("Traceback (most recent call last)") {
            self.end_trace(out);
            self.trace = true;
            return true;
        }
        let found = [Pattern::PythonFrame, Pattern::JavaFrame, Pattern::ScriptFrame, Pattern::NativeFrame]
            .into_iter()
            .find_map(|kind| Some((kind, pattern(kind).captures(bare)?)));
        let Some((kind, found)) = found else { return false };
        let part = |name: &str| found.name(name).map(|part| part.as_str().to_owned());
        let frame = Frame {
            path: part("path").unwrap_or_default(),
            line: part("line").and_then(|line| line.parse().ok()),
            function: part("function").filter(|function| !function.starts_with('<')),
        };
        // Python prints the innermost frame last.
        if kind == Pattern::PythonFrame {
            self.trace = true;
            self.frames.insert(0, frame);
        } else {
            self.frames.push(frame);
        }
        true
    }

    fn end_trace(&mut self, out: &mut Zoned) {
        if !self.frames.is_empty() {
            out.traces.push(std::mem::take(&mut self.frames));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        zoned(text).stretches.iter().map(|(zone, text)| format!("{zone:?}:{}", text.trim())).collect()
    }

    #[test]
    fn an_issue_falls_into_its_zones() {
        let text = "Crash in `save()`\n\n### Describe the bug\nIt fails, see https://x.org/a/b now.\n```python\nm.save()\n```\n<!-- a hint\nof the form -->\n>>> 1 + 1\nDone.";
        assert_eq!(
            shown(text),
            [
                "Title:Crash in",
                "Named:save()",
                "Form:### Describe the bug",
                "Prose:It fails, see",
                "Log:https://x.org/a/b",
                "Prose:now.",
                "Code:m.save()",
                "Code:>>> 1 + 1",
                "Prose:Done.",
            ]
        );
    }

    #[test]
    fn traces_give_frames_innermost_first_and_their_message() {
        let text = "Oops\nTraceback (most recent call last):\n  File \"/usr/lib/site-packages/pkg/a.py\", line 3, in outer\n    inner()\n  File \"/usr/lib/site-packages/pkg/b.py\", line 7, in inner\n    raise X\npkg.X: no way\nAnd then prose.";
        let zoned = zoned(text);
        let frames: Vec<String> =
            zoned.traces[0].iter().map(|f| format!("{}:{:?} {:?}", f.path, f.line, f.function)).collect();
        assert_eq!(
            frames,
            [
                "/usr/lib/site-packages/pkg/b.py:Some(7) Some(\"inner\")",
                "/usr/lib/site-packages/pkg/a.py:Some(3) Some(\"outer\")"
            ]
        );
        assert!(zoned.stretches.contains(&(Zone::Message, "pkg.X: no way")));
        assert!(zoned.stretches.contains(&(Zone::Prose, "And then prose.")));
    }

    #[test]
    fn frames_of_other_languages() {
        for (line, path, number, function) in [
            ("\tat org.x.Store.put(Store.java:42)", "Store.java", Some(42), Some("org.x.Store.put")),
            ("    at Object.run (/srv/app/lib/run.js:10:5)", "/srv/app/lib/run.js", Some(10), Some("Object.run")),
            ("    at /srv/app/lib/run.js:10:5", "/srv/app/lib/run.js", Some(10), None),
            ("             at ./src/net/conn.rs:12:9", "./src/net/conn.rs", Some(12), None),
            ("\t/go/src/x/server.go:99 +0x1d", "/go/src/x/server.go", Some(99), None),
        ] {
            let text = format!("t\n{line}\n");
            let frame = zoned(&text).traces.concat().pop().unwrap_or_else(|| panic!("{line}"));
            assert_eq!((frame.path.as_str(), frame.line, frame.function.as_deref()), (path, number, function));
        }
    }

    #[test]
    fn nothing_in_nothing_out() {
        assert_eq!(zoned(""), Zoned::default());
        assert_eq!(zoned("\n \n"), Zoned::default());
        assert!(!zoned("```\n```\n`\n``").stretches.is_empty());
    }
}
