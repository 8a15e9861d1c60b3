//! The patterns by which a question is read, each compiled once.

use regex::Regex;
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern {
    Url,
    /// A link to a file of a hosted repository.
    Blob,
    PythonFrame,
    JavaFrame,
    ScriptFrame,
    NativeFrame,
    /// `SomeError: what went wrong`, with or without a path before it.
    Error,
    LogLine,
    CodeLine,
    FormLine,
    Path,
    Quoted,
    Route,
    Name,
}

const ALL: [(Pattern, &str); 14] = [
    (Pattern::Url, r#"https?://[^\s)>\]"'`]+"#),
    (
        Pattern::Blob,
        r"https?://[^\s/]+/[^\s/]+/[^\s/]+/(?:-/)?(?:blob|tree|raw|blame)/[^\s/]+/([^\s#?)\]>]+)(?:#L(\d+))?",
    ),
    (Pattern::PythonFrame, r#"^File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<function>[\w<>]+))?"#),
    (Pattern::JavaFrame, r"^at (?P<function>[\w.$<>]+)\((?P<path>[\w$]+\.(?:java|kt|scala)):(?P<line>\d+)\)"),
    (
        Pattern::ScriptFrame,
        r"^at (?:(?:async )?(?P<function>[\w.$<>]+)(?: \[as [\w$]+\])? \()?(?:file://)?(?P<path>[^\s():]*[\w.-]+\.(?:[cm]?[jt]sx?|vue)):(?P<line>\d+)(?::\d+)?\)?$",
    ),
    (
        Pattern::NativeFrame,
        r"^(?:at )?(?P<path>[./~][^\s:]*\.(?:rs|go|c|cc|cpp|h|hpp|rb)):(?P<line>\d+)(?::\d+)?(?: \+0x[0-9a-f]+|:in `(?P<function>[\w?!]+)')?$",
    ),
    (
        Pattern::Error,
        r"^(?:E\s+)?(?:Caused by: |Uncaught |panic: |fatal error: |thread '[^']*' panicked at |[\w.]*(?:Error|Exception|Warning|Exit|Interrupt)\b:?\s)",
    ),
    (
        Pattern::LogLine,
        r"^(?:\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\d\d:\d\d:\d\d|\[?(?:INFO|DEBUG|TRACE|WARN|ERROR)\b|[\w.-]+==[\d.]+|[=_-]{10,})",
    ),
    (
        Pattern::CodeLine,
        r"^(?:>>> |\.\.\. |In \[\d+\]:|\$ |(?:from [\w.]+ )?import [\w.{*]|(?:async )?def \w+\(|class \w+[(:]|@\w[\w.]*(?:\(|$)|return\b.*[\w)]$|self\.\w|print\(|[\w.\[\]]+ = \S|[\w.]+\([^)]*\)\s*[;{]?$|(?:if|for|while|with) .*:$|(?:let|const|var|fn|func|pub|use|struct|impl|package|#include)\b.*[;{)(>]$|[{}]\s*[;,)]*$|//|/\*)",
    ),
    (
        Pattern::FormLine,
        r"(?i)^(?:#{1,6}\s*|\*\*|-\s*\[[ x]\]\s*)?\W*(?:describe (?:the|your) .*|expected (?:behaviou?r|results?|output).*|actual (?:behaviou?r|results?|output).*|(?:steps )?to reproduce.*|steps.*reproduce.*|how to reproduce.*|minimal .*example.*|environment(?: info)?|system details|your environment.*|versions?|(?:what )?(?:operating )?(?:system|os)\b.*|os ?/ ?environment|additional (?:context|dependencies|information).*|screenshots?|bug (?:description|report)|description|summary|command used|configuration|is your feature request related.*|describe the solution.*|describe alternatives.*|affected version.*|a clear and concise.*|what version .*|please (?:complete|make sure|include|provide).*|_?no response_?|checklist|i have (?:searched|read|checked).*|thanks for submitting.*)\W*$",
    ),
    (
        Pattern::Path,
        r#"(?:[\w.@-]+/)*[\w.@-]+\.(?:bash|c|cc|cpp|cs|cxx|erb|ex|go|h|hpp|html|java|js|json|jsx|kt|lua|md|mjs|php|py|pyi|rake|rb|rs|scala|sh|sql|swift|toml|ts|tsx|vue|xml|yaml|yml)\b(?::(\d+))?|(?:[\w.@-]+/){1,}[\w.@-]+"#,
    ),
    (Pattern::Quoted, r#""([^"\n]{2,200})"|'([^'\n]{2,200})'(?:\W|$)"#),
    (Pattern::Route, r"(?:^|[\s(`'\x22])(/[\w{}:<>*.-]+(?:/[\w{}:<>*.-]*)*)"),
    (Pattern::Name, r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?"),
];

pub(crate) fn pattern(which: Pattern) -> &'static Regex {
    static COMPILED: [OnceLock<Regex>; ALL.len()] = [const { OnceLock::new() }; ALL.len()];
    let at = which as usize;
    COMPILED[at].get_or_init(|| Regex::new(ALL[at].1).expect("the pattern is a constant that a test compiles"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_stands_at_its_place() {
        for (at, (which, _)) in ALL.iter().enumerate() {
            assert_eq!(*which as usize, at);
            pattern(*which);
        }
    }

    #[test]
    fn lines_are_told_apart() {
        for (which, line, is) in [
            (Pattern::CodeLine, "from django.db import models", true),
            (Pattern::CodeLine, "a = models.User.objects.first()", true),
            (Pattern::CodeLine, "from what I can see, it fails", false),
            (Pattern::CodeLine, "This is prose (with a note)", false),
            (Pattern::FormLine, "### Expected behavior", true),
            (Pattern::FormLine, "**Describe the bug**", true),
            (Pattern::FormLine, "The version is read too late", false),
            (Pattern::Error, "TypeError: cannot pickle", true),
            (Pattern::Error, "django.db.utils.ProgrammingError: no", true),
            (Pattern::Error, "Errors are good", false),
            (Pattern::LogLine, "attrs==19.3.0", true),
            (Pattern::LogLine, "2020-01-10 00:05:52 started", true),
        ] {
            assert_eq!(pattern(which).is_match(line), is, "{which:?} {line}");
        }
    }
}
