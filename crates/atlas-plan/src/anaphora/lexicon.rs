//! The words that [`super`] knows, as data. Verbs and nouns are in their base form.
//!
//! Deliberately *not* here: what a word means for a reference.

/// Words that are never a noun of their own.
pub(super) const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "above", "across", "actually", "after", "again", "all", "along", "already", "also", "always", "am",
    "among", "an", "and", "another", "any", "anyone", "anything", "anywhere", "are", "as", "at", "be", "because",
    "been", "before", "being", "below", "besides", "between", "both", "but", "by", "can", "cannot", "could", "did",
    "do", "does", "done", "down", "during", "each", "earlier", "either", "else", "ever", "every", "everything",
    "everywhere", "except", "few", "first", "following", "for", "from", "further", "got", "had", "has", "have", "he",
    "hence", "her", "here", "his", "how", "however", "if", "in", "inside", "instead", "into", "is", "it", "its",
    "itself", "just", "last", "later", "least", "less", "like", "many", "may", "might", "more", "most", "much",
    "must", "my", "neither", "never", "new", "next", "no", "none", "nor", "not", "nothing", "now", "nowhere", "of",
    "off", "often", "on", "once", "only", "onto", "or", "other", "our", "out", "outside", "over", "own", "per",
    "please", "possible", "possibly", "previous", "rather", "respectively", "same", "shall", "she", "should", "since",
    "so", "some", "someone", "something", "somewhere", "still", "such", "than", "that", "the", "their", "them",
    "themselves", "then", "there", "these", "they", "this", "those", "through", "thus", "to", "together", "too",
    "toward", "towards", "two", "three", "four", "five", "six", "under", "unless", "until", "up", "upon", "us",
    "versus", "very", "via", "was", "we", "were", "what", "whatever", "when", "whenever", "where", "whereas",
    "wherever", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "without",
    "would", "yet", "you", "your", "zero",
];

/// Forms of *be* and *get*: behind them stands a participle, not a noun.
pub(super) const BE: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "being", "get", "gets", "got",
];

/// Auxiliaries, in front of a subject in a question.
pub(super) const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "be", "do", "does", "did", "can", "could", "will", "would", "should", "shall", "may",
    "might", "must", "has", "have", "had",
];

/// Words that ask, and so open a clause.
pub(super) const ASKING: &[&str] = &[
    "who", "whom", "whose", "what", "which", "where", "when", "why", "how", "whether", "whatever", "wherever",
    "whenever",
];

/// Words that open a subordinate clause.
pub(super) const SUBORDINATORS: &[&str] = &[
    "if", "unless", "until", "once", "because", "since", "while", "whereas", "before", "after", "but", "then", "so",
    "although",
];

pub(super) const PREPOSITIONS: &[&str] = &[
    "about", "across", "after", "against", "along", "among", "at", "before", "behind", "below", "between", "by",
    "during", "for", "from", "in", "inside", "into", "like", "of", "off", "on", "onto", "out", "outside", "over",
    "per", "than", "through", "to", "toward", "towards", "under", "upon", "via", "with", "within", "without",
];

pub(super) const DETERMINERS: &[&str] = &[
    "a", "an", "the", "its", "their", "this", "that", "these", "those", "any", "all", "each", "every", "some", "no",
    "our",
];

/// What questions about code say that things do.
pub(super) const VERBS: &[&str] = &[
    "accept", "access", "acquire", "add", "affect", "allocate", "allow", "apply", "assert", "assign", "authenticate",
    "authorize", "back", "become", "behave", "block", "break", "build", "cache", "call", "cancel", "catch", "change",
    "check", "clean", "clear", "close", "collect", "commit", "compare", "compile", "compute", "configure", "connect",
    "construct", "consume", "contain", "control", "convert", "copy", "count", "cover", "create", "cross", "decide",
    "declare", "decode", "decrypt", "define", "delete", "delegate", "depend", "describe", "deserialize", "detect",
    "determine", "differ", "disable", "dispatch", "do", "document", "drop", "emit", "enable", "encode", "encrypt",
    "end", "enforce", "ensure", "enter", "evaluate", "execute", "exercise", "exist", "expect", "expire", "explain",
    "export", "expose", "extend", "fail", "fetch", "filter", "find", "fire", "flush", "follow", "format", "free",
    "generate", "get", "give", "go", "guard", "handle", "happen", "hash", "hold", "identify", "ignore", "implement",
    "import", "include", "inherit", "initialize", "inject", "insert", "inspect", "install", "invalidate", "invoke",
    "join", "keep", "know", "launch", "lead", "limit", "list", "listen", "live", "load", "locate", "lock", "log",
    "look", "lose", "make", "manage", "map", "mark", "match", "mean", "merge", "migrate", "modify", "monitor",
    "mount", "move", "mutate", "need", "notify", "open", "override", "own", "parse", "pass", "perform", "persist",
    "populate", "prevent", "print", "process", "produce", "protect", "provide", "publish", "pull", "push", "put",
    "query", "queue", "raise", "reach", "read", "rebuild", "receive", "record", "recover", "refer", "reference",
    "refresh", "register", "reject", "release", "rely", "remove", "rename", "render", "replace", "report", "request",
    "require", "reset", "resolve", "respond", "restart", "restore", "retry", "return", "reuse", "revoke", "rotate",
    "route", "run", "sanitize", "save", "schedule", "select", "send", "serialize", "serve", "set", "share", "show",
    "sign", "skip", "sort", "split", "spawn", "start", "state", "stop", "store", "stream", "submit", "subscribe",
    "support", "sync", "take", "test", "throw", "time", "touch", "trace", "track", "transform", "trigger", "trust",
    "try", "turn", "update", "upload", "use", "validate", "verify", "visit", "wait", "walk", "watch", "work", "wrap",
    "write", "yield",
];

/// Those of [`VERBS`] that are nouns as well.
pub(super) const NOUNS_TOO: &[&str] = &[
    "access", "block", "build", "cache", "call", "catch", "change", "check", "commit", "control", "copy", "count",
    "cover", "document", "drop", "end", "exercise", "export", "filter", "format", "guard", "handle", "hash", "hold",
    "import", "limit", "list", "load", "lock", "log", "look", "map", "mark", "match", "mount", "move", "need",
    "override", "process", "pull", "push", "query", "queue", "read", "record", "reference", "refresh", "release",
    "report", "request", "reset", "restart", "retry", "return", "route", "run", "schedule", "set", "share", "sign",
    "sort", "split", "start", "state", "stop", "store", "stream", "support", "sync", "test", "throw", "time", "trace",
    "track", "trigger", "trust", "update", "upload", "use", "visit", "watch", "work", "wrap", "write",
];

/// Participles that do not end in *ed*.
pub(super) const PARTICIPLES: &[&str] = &[
    "built", "caught", "done", "found", "given", "held", "hit", "kept", "known", "left", "lost", "made", "put",
    "read", "run", "seen", "sent", "set", "shown", "split", "spawn", "taken", "thrown", "told", "understood",
    "written",
];

/// Words that end in *ed* or *ly* and yet are nouns.
pub(super) const NOUNS_AGAINST_THEIR_ENDING: &[&str] = &[
    "feed", "seed", "speed", "need", "embed", "reply", "assembly", "family", "supply", "anomaly", "monopoly", "breed",
];

/// Singular though they end in *s*.
pub(super) const SINGULAR_IN_S: &[&str] = &[
    "alias", "bias", "canvas", "atlas", "redis", "kubernetes", "https", "cors", "css", "js", "news", "lens", "chaos",
];

/// Plural though they do not end in *s*; the mass nouns may be taken for one or many.
pub(super) const PLURAL_WITHOUT_S: &[&str] = &[
    "children", "people", "data", "indices", "vertices", "criteria", "media", "metadata", "middleware", "code",
    "logic", "config", "configuration", "staff", "series", "schemata",
];

/// People: *they* may stand for a single one.
pub(super) const PERSONS: &[&str] = &[
    "user", "admin", "administrator", "client", "customer", "developer", "person", "owner", "member", "visitor",
    "guest", "player", "operator", "author", "maintainer", "subscriber", "tenant", "team", "employee", "student",
    "voter", "buyer", "seller", "sender", "recipient", "account",
];

/// Parts of a program that *that …* and *the …* can point at. None of them is a verb in such a text.
pub(super) const PARTS: &[&str] = &[
    "function", "method", "class", "module", "file", "endpoint", "handler", "table", "worker", "job", "service",
    "caller", "callee", "field", "column", "struct", "interface", "trait", "type", "variable", "constant", "value",
    "key", "token", "cookie", "package", "crate", "library", "command", "script", "path", "place", "site", "location",
    "event", "message", "error", "exception", "model", "component", "middleware", "controller", "template", "schema",
    "migration", "object", "result", "answer", "finding", "definition", "symbol", "feature", "flow", "data", "helper",
    "callback", "routine", "procedure", "setting", "option", "flag", "parameter", "argument", "configuration",
    "config", "directory", "folder", "layer", "validation", "logic", "code", "line", "entry", "entrypoint", "number",
    "id", "identifier", "header", "payload", "response", "session", "user", "role", "permission", "policy", "rule",
    "algorithm", "mechanism", "behaviour", "behavior", "convention", "pattern", "api", "client", "server", "database",
    "connection", "transaction", "lookup", "question", "component", "resource", "section", "part", "piece", "item",
    "thing", "pair",
];

/// [`PARTS`] that only something of their own kind can stand for: callables in one row, types in the other.
pub(super) const KINDS: &[&[&str]] = &[
    &[
        "function", "method", "handler", "endpoint", "route", "callback", "procedure", "routine", "helper", "caller",
        "callee", "hook", "controller", "middleware", "view", "worker", "job", "command",
    ],
    &["class", "struct", "interface", "trait", "type", "model", "enum", "subclass", "record"],
];

/// Nouns that stand in a relation to something: *the callers* are somebody's.
pub(super) const RELATIONAL: &[&str] = &[
    "callers", "callees", "subclasses", "implementers", "implementors", "overriders", "usages", "dependents",
    "importers", "call sites", "call-sites", "callsites",
];

/// What *this …* may name without pointing back: the repository itself.
pub(super) const THE_REPOSITORY: &[&str] = &[
    "repository", "repo", "project", "codebase", "code", "application", "app", "program", "system", "tool", "library",
    "package", "framework", "product", "software", "website", "workspace", "tree", "checkout", "branch", "version",
    "release", "monorepo", "crate", "service", "server",
];

/// Nouns that make *this …* and *that …* an idiom.
pub(super) const IDIOMS: &[&str] = &[
    "way", "point", "time", "kind", "sort", "case", "moment", "regard", "sense", "days", "end", "extent", "means",
    "order",
];

/// Verbs in front of *that* as a conjunction.
pub(super) const SAYING: &[&str] = &[
    "assert", "assume", "check", "confirm", "ensure", "expect", "find", "guarantee", "imply", "know", "mean", "prove",
    "require", "say", "see", "show", "sure", "suppose", "verify", "so", "such", "given", "fact",
];

/// Participles in front of *above* or *earlier*.
pub(super) const NAMED: &[&str] = &[
    "mentioned", "listed", "found", "identified", "described", "named", "given", "shown", "discovered", "located",
    "noted", "returned", "established", "seen", "collected", "enumerated",
];

/// What the previous question has left behind.
pub(super) const OUTCOMES: &[&str] = &[
    "question", "sub-question", "subquestion", "answer", "result", "finding", "step", "part", "point", "item", "list",
];

/// What *it* says without pointing at anything: *is it possible*.
pub(super) const EXPLETIVE: &[&str] = &[
    "possible", "impossible", "true", "safe", "necessary", "required", "ok", "okay", "enough", "worth", "likely",
    "take", "takes", "took", "matter", "matters", "clear", "correct", "guaranteed", "mean", "means", "fair", "easy",
    "hard", "sufficient",
];
