//! Conditional groups that do not hold whole statements.
//!
//! The grammar takes `#if … #endif` where statements or declarations stand, each branch complete. A group
//! inside an expression or an initialiser, one that opens a brace it does not close, or one that begins
//! with `else`, is flattened: one branch stays, without its directives.

use super::Edits;
use super::lexer::{Kind, Token};

/// Brackets that are open, as the grammar cares for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Round,
    /// A block or a body.
    Block,
    /// The braces of an initialiser or an enum.
    List,
}

#[derive(Debug)]
struct Branch {
    /// Index of its directive.
    directive: usize,
    /// Brackets at its end are as at its beginning, and none from before was closed in between.
    balanced: bool,
    /// Its code tokens: index of the first and last; None if it has none.
    code: Option<(usize, usize)>,
}

#[derive(Debug)]
struct Group {
    branches: Vec<Branch>,
    /// Brackets where the group begins.
    before: Vec<Bracket>,
    /// Brackets where its first branch ends.
    after: Option<Vec<Bracket>>,
    /// Fewest brackets open in the present branch.
    least: usize,
    /// The code token before the group.
    previous: Option<usize>,
}

/// Brackets open at once beyond which nothing is flattened.
const DEPTH_MAX: usize = 256;
/// Groups open at once beyond which nothing is flattened.
const GROUPS_MAX: usize = 64;

pub(super) fn flatten(source: &[u8], tokens: &[Token], cpp: bool, edits: &mut Edits) {
    let mut open: Vec<Bracket> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut previous: Option<usize> = None;
    // A group that is complete but for what follows it.
    let mut waiting: Vec<(Group, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::If | Kind::Elif) {
            has_include(source, *token, edits);
        }
        match token.kind {
            Kind::If => {
                if open.len() > DEPTH_MAX || groups.len() > GROUPS_MAX {
                    return;
                }
                groups.push(Group {
                    branches: vec![Branch { directive: at, balanced: true, code: None }],
                    before: open.clone(),
                    after: None,
                    least: open.len(),
                    previous,
                });
            }
            Kind::Elif | Kind::Else => {
                let Some(group) = groups.last_mut() else { continue };
                end_branch(group, &open);
                if group.after.is_none() {
                    group.after = Some(open.clone());
                }
                open.clone_from(&group.before);
                group.least = open.len();
                group.branches.push(Branch { directive: at, balanced: true, code: None });
                previous = group.previous;
            }
            Kind::Endif => {
                let Some(mut group) = groups.pop() else { continue };
                end_branch(&mut group, &open);
                if let Some(after) = group.after.take() {
                    open = after;
                }
                if let Some(outer) = groups.last_mut() {
                    outer.least = outer.least.min(group.least);
                }
                waiting.push((group, at));
            }
            Kind::OtherDirective => {
                comments(source, *token, edits);
                // The grammar takes no directive inside an expression.
                if matches!(open.last(), Some(Bracket::Round | Bracket::List)) {
                    edits.blank(token.start, token.end);
                }
            }
            _ => {
                for (group, endif) in waiting.drain(..) {
                    settle(source, tokens, cpp, &group, endif, Some(at), edits);
                }
                for group in &mut groups {
                    if let Some(branch) = group.branches.last_mut() {
                        branch.code = Some((branch.code.map_or(at, |(first, _)| first), at));
                    }
                }
                bracket(source, tokens, at, previous, &mut open);
                if let Some(group) = groups.last_mut() {
                    group.least = group.least.min(open.len());
                }
                previous = Some(at);
            }
        }
    }
    for (group, endif) in waiting {
        settle(source, tokens, cpp, &group, endif, None, edits);
    }
}

/// The grammar ends a macro's body at a comment, even where the line goes on.
fn comments(source: &[u8], directive: Token, edits: &mut Edits) {
    let text = directive.text(source);
    let mut at = 0;
    while let Some(start) = memchr::memmem::find(&text[at..], b"/*").map(|found| at + found) {
        let end = memchr::memmem::find(&text[start + 2..], b"*/").map_or(text.len(), |found| start + 2 + found + 2);
        if end == text.len() && !text[start + 2..].ends_with(b"*/") {
            edits.blank(directive.start + start as u32, directive.end);
            return;
        }
        edits.blank(directive.start + start as u32, directive.start + end as u32);
        for newline in memchr::memchr_iter(b'\n', &text[start..end]).map(|found| start + found) {
            let before = if text[newline - 1] == b'\r' { newline - 2 } else { newline - 1 };
            edits.put(directive.start + before as u32, b'\\');
        }
        at = end;
    }
}

/// The grammar does not know `__has_include(<x>)`: it becomes `1`.
fn has_include(source: &[u8], directive: Token, edits: &mut Edits) {
    let text = directive.text(source);
    for at in memchr::memmem::find_iter(text, b"__has_include") {
        if !text[at + 13..].trim_ascii_start().starts_with(b"(") {
            continue;
        }
        let end = text[at..].iter().position(|&byte| byte == b')').map_or(text.len(), |end| at + end + 1);
        edits.blank(directive.start + at as u32, directive.start + end as u32);
        edits.put(directive.start + at as u32, b'1');
    }
}

fn end_branch(group: &mut Group, open: &[Bracket]) {
    let balanced = open == group.before.as_slice() && group.least >= group.before.len();
    if let Some(branch) = group.branches.last_mut() {
        branch.balanced = balanced;
    }
}

/// Opens or closes brackets as a token does.
fn bracket(source: &[u8], tokens: &[Token], at: usize, previous: Option<usize>, open: &mut Vec<Bracket>) {
    match tokens[at].kind {
        Kind::Punct(b'(' | b'[') => open.push(Bracket::Round),
        Kind::Punct(b'{') => {
            let before = previous.map(|previous| tokens[previous]);
            let list = match before {
                Some(token) if token.is(b'=') => true,
                Some(token) if matches!(open.last(), Some(Bracket::List)) => token.is(b',') || token.is(b'{'),
                Some(token) if token.kind == Kind::Word => names_enum(source, tokens, at),
                _ => false,
            };
            open.push(if list { Bracket::List } else { Bracket::Block });
        }
        Kind::Punct(b')' | b']' | b'}') => drop(open.pop()),
        _ => {}
    }
}

/// Whether `enum`, `enum E` or `enum class E` stands before a brace.
fn names_enum(source: &[u8], tokens: &[Token], brace: usize) -> bool {
    tokens[..brace]
        .iter()
        .rev()
        .take(4)
        .take_while(|token| token.kind == Kind::Word)
        .any(|token| token.text(source) == b"enum")
}

/// Decides whether a group is flattened, and does it.
fn settle(
    source: &[u8],
    tokens: &[Token],
    cpp: bool,
    group: &Group,
    endif: usize,
    next: Option<usize>,
    edits: &mut Edits,
) {
    if !must_flatten(source, tokens, group, next) {
        return;
    }
    let keep_all = matches!(group.before.last(), Some(Bracket::List | Bracket::Round))
        && group.branches.iter().all(|branch| {
            branch.balanced
                && branch.code.is_none_or(|(first, last)| {
                    tokens[last].is(b',') || (first == last && tokens[first].kind == Kind::Literal)
                })
        });
    let kept = group.branches.iter().position(|branch| {
        let directive = tokens[branch.directive].text(source);
        condition(directive, cpp) != Some(false)
    });
    for (n, branch) in group.branches.iter().enumerate() {
        let from = tokens[branch.directive];
        let to = group.branches.get(n + 1).map_or(endif, |next| next.directive);
        if Some(n) == kept || keep_all {
            edits.blank(from.start, from.end);
        } else {
            edits.blank(from.start, tokens[to].start);
        }
    }
    edits.blank(tokens[endif].start, tokens[endif].end);
}

fn must_flatten(source: &[u8], tokens: &[Token], group: &Group, next: Option<usize>) -> bool {
    if group.branches.iter().all(|branch| branch.code.is_none()) {
        return matches!(group.before.last(), Some(Bracket::Round | Bracket::List));
    }
    let is_enum_or_init = matches!(group.before.last(), Some(Bracket::Round | Bracket::List));
    if is_enum_or_init || group.branches.iter().any(|branch| !branch.balanced) {
        return true;
    }
    let in_block = group.before.last() == Some(&Bracket::Block);
    if let Some(previous) = group.previous.map(|previous| tokens[previous])
        && !ends_statement(previous)
        && !may_be_macro(previous, source, in_block)
    {
        return true;
    }
    let begins_inside = |at: usize| {
        let token = tokens[at];
        match token.kind {
            Kind::Word => matches!(token.text(source), b"else" | b"catch"),
            Kind::Punct(byte) => matches!(byte, b',' | b')' | b']' | b'.' | b'?' | b'|' | b'+' | b'=' | b'<' | b'/'),
            Kind::Arrow => true,
            _ => false,
        }
    };
    if next.is_some_and(begins_inside) {
        return true;
    }
    let next_is_body = next.is_some_and(|next| tokens[next].is(b'{'));
    group.branches.iter().filter_map(|branch| branch.code).any(|(first, last)| {
        let last = tokens[last];
        begins_inside(first)
            || (last.is(b')') && next_is_body)
            || (!ends_statement(last) && !may_be_macro(last, source, in_block))
    })
}

fn ends_statement(token: Token) -> bool {
    matches!(token.kind, Kind::Punct(b';' | b'{' | b'}' | b':'))
}

/// Whether a statement may end here because a macro does: with its arguments, or in capitals.
fn may_be_macro(token: Token, source: &[u8], in_block: bool) -> bool {
    match token.kind {
        Kind::Punct(b')') => !in_block,
        Kind::Word => super::macros::is_caps(token.text(source)),
        _ => false,
    }
}

/// The truth of a directive's condition, as far as it is certain. An `#else` is true.
fn condition(directive: &[u8], cpp: bool) -> Option<bool> {
    let text = String::from_utf8_lossy(&directive[..directive.len().min(512)]);
    let text = text.trim_start_matches('#').trim();
    let (word, rest) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let rest = rest.split("/*").next().unwrap_or(rest).split("//").next().unwrap_or(rest).trim();
    let known = |name: &str| if name == "__cplusplus" { Some(cpp) } else { crate::extract::defined(name) };
    match word {
        "ifdef" | "elifdef" => known(rest),
        "ifndef" | "elifndef" => known(rest).map(|value| !value),
        "if" | "elif" => {
            let name = rest.trim_start_matches("defined").trim_matches([' ', '(', ')']);
            if name == "__cplusplus" { Some(cpp) } else { crate::extract::evaluate(rest) }
        }
        _ => Some(true),
    }
}
