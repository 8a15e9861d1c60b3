//! The words that the reader of statements knows, in lower case, a space between two.

/// Whether `word` is one of `words`, in whatever case.
pub(super) fn among(words: &str, word: &str) -> bool {
    !word.is_empty() && words.split(' ').any(|known| known.eq_ignore_ascii_case(word))
}

/// Words that can open a text of SQL.
pub(super) const OPENERS: &str = "\
    select insert update delete merge replace create alter truncate with drop explain begin set use declare \
    pragma start copy exec do lock if values";

/// Words that are never the name or the alias of a table where one is looked for.
pub(super) const RESERVED: &str = "\
    add all alter and as asc between by cascade case cross default delete desc distinct do drop else end except \
    exists fetch for force from full group having if ignore in inner insert intersect into is join lateral left \
    like limit natural not null offset on only or order outer output outfile qualify rename restart returning \
    right select set straight_join table then union update using values when where";

/// Words that begin an English noun phrase, and no table.
pub(super) const ENGLISH: &str = "\
    a an another any anything are available be can each either every existing her his it its my one our several \
    some that the their them there these this those what which you your";

/// Nouns of user interfaces, no table unless the statement has some sign of SQL.
pub(super) const NOUNS: &str = "\
    above below cache clipboard disk dropdown file files here input list lists memory menu options scratch \
    string text";

/// Other words of the grammar, which may stand beside each other without being prose.
pub(super) const GRAMMAR: &str = "\
    action any array begin cast collate column commit conflict constraint current date day first following index \
    interval key last low_priority matched materialized nothing nowait nulls over partition preceding primary \
    quick range recursive row rows separator share skip some temp temporary time timestamp unbounded window with \
    zone";
