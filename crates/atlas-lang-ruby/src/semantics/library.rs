//! What Ruby itself and its core classes define.

use atlas_graph::link::Value;

/// Constants, globals and functions that need no definition, sorted.
#[rustfmt::skip]
pub(super) const BUILTINS: &[&str] = &[
    "$!", "$\"", "$&", "$'", "$*", "$+", "$,", "$.", "$/", "$0", "$1", "$2", "$3", "$4", "$:", "$;",
    "$<", "$>", "$?", "$@", "$DEBUG", "$LOADED_FEATURES", "$LOAD_PATH", "$PROGRAM_NAME", "$VERBOSE",
    "$\\", "$_", "$`", "$stderr", "$stdin", "$stdout", "$~", "ARGV", "Array", "BasicObject",
    "Benchmark", "BigDecimal", "Binding", "CSV", "Class", "Comparable", "Complex", "Data", "Date",
    "DateTime", "Digest", "Dir", "ENV", "EOFError", "ERB", "Encoding", "Enumerable", "Enumerator",
    "Errno", "Exception", "FalseClass", "Fiber", "File", "FileTest", "FileUtils", "Float",
    "FloatDomainError", "Forwardable", "GC", "Hash", "IO", "IOError", "IndexError", "Integer",
    "Interrupt", "JSON", "Kernel", "KeyError", "LoadError", "LocalJumpError", "Logger", "Marshal",
    "MatchData", "Math", "Method", "Module", "Monitor", "Mutex", "NameError", "NilClass",
    "NoMatchingPatternError", "NoMethodError", "NotImplementedError", "Numeric", "Object",
    "ObjectSpace", "Observable", "OpenStruct", "OptionParser", "Pathname", "Proc", "Process", "Queue",
    "RUBY_ENGINE", "RUBY_PLATFORM", "RUBY_VERSION", "Ractor", "Random", "Range", "RangeError",
    "Rational", "Regexp", "RegexpError", "RuntimeError", "SIGINT", "STDERR", "STDIN", "STDOUT",
    "ScriptError", "SecureRandom", "SecurityError", "Set", "Signal", "SignalException",
    "SimpleDelegator", "Singleton", "SizedQueue", "StandardError", "StopIteration", "String",
    "StringIO", "Struct", "Symbol", "SyntaxError", "SystemCallError", "SystemExit", "SystemStackError",
    "Tempfile", "Thread", "ThreadError", "Time", "Timeout", "TrueClass", "TypeError", "URI",
    "UnboundMethod", "UncaughtThrowError", "WeakRef", "YAML", "ZeroDivisionError", "abort", "after",
    "at_exit", "autoload", "before", "binding", "block_given?", "caller", "catch", "context",
    "describe", "eval", "exec", "exit", "exit!", "expect", "fail", "fork", "format", "gets",
    "global_variables", "it", "lambda", "let", "load", "local_variables", "loop", "open", "p", "pp",
    "print", "printf", "proc", "putc", "puts", "raise", "rand", "readline", "readlines", "require",
    "require_relative", "select", "sleep", "sprintf", "srand", "subject", "syscall", "system", "test",
    "throw", "trap", "warn",
];

/// Methods of core classes and of widely used gems, sorted: a call of one says little about its receiver.
#[rustfmt::skip]
pub(super) const COMMON_MEMBERS: &[&str] = &[
    "!", "!=", "!~", "%", "&", "*", "**", "+", "+@", "-", "-@", "/", "<", "<<", "<=", "<=>", "==",
    "===", "=~", ">", ">=", ">>", "[]", "[]=", "^", "abs", "accept", "add", "all", "all?", "allocate",
    "any?", "append", "apply", "arity", "assoc", "at", "attributes", "average", "begin", "between?",
    "bind", "body", "build", "bytes", "call", "capitalize", "ceil", "change_column", "chars",
    "children", "chomp", "chop", "chunk_while", "class", "clear", "clone", "close", "closed?",
    "collect", "columns", "combination", "compact", "compact!", "concat", "config", "content", "count",
    "create", "create!", "cycle", "data", "day", "default", "delete", "delete!", "delete_all",
    "delete_if", "destroy", "destroy!", "detect", "diff", "difference", "dig", "display", "div",
    "divmod", "downcase", "drop", "drop_while", "dump", "dup", "each", "each_char", "each_key",
    "each_line", "each_pair", "each_slice", "each_value", "each_with_index", "each_with_object",
    "empty?", "encode", "end", "end_with?", "entries", "enum_for", "eql?", "equal?", "errors", "eval",
    "exec", "execute", "exists?", "extend", "failure", "fetch", "fill", "filter", "filter_map", "find",
    "find_all", "find_by", "find_each", "find_index", "first", "flat_map", "flatten", "flock", "floor",
    "flush", "force_encoding", "format", "freeze", "frozen?", "get", "gets", "group", "group_by",
    "gsub", "gsub!", "handle", "has_key?", "has_value?", "hash", "headers", "hex", "hour", "html",
    "id", "include?", "includes", "index", "inject", "insert", "inspect", "instance_eval",
    "instance_exec", "instance_methods", "instance_of?", "instance_variable_get",
    "instance_variable_set", "instance_variables", "intersection", "is_a?", "items", "join", "joins",
    "json", "keep_if", "key", "key?", "keys", "kind_of?", "last", "length", "limit", "lines", "link",
    "load", "lock", "log", "lookup", "lstrip", "map", "map!", "match", "match?", "max", "max_by",
    "members", "merge", "merge!", "message", "method", "methods", "min", "min_by", "minmax", "mkdir",
    "mode", "month", "name", "new", "next", "nil?", "none?", "normalize", "notify", "now", "object_id",
    "offset", "on", "one?", "open", "options", "ord", "order", "pack", "params", "parse", "partition",
    "path", "perform", "permutation", "pluck", "pop", "post", "prepend", "present?", "print",
    "process", "product", "push", "put", "puts", "raise", "rand", "read", "readlines", "redirect",
    "reduce", "register", "reject", "reject!", "reload", "remove", "render", "replace", "request",
    "require", "reset", "resolve", "respond_to?", "response", "result", "resume", "reverse",
    "reverse_each", "rewind", "rindex", "rotate", "round", "rows", "rstrip", "run", "sample", "save",
    "save!", "scan", "select", "select!", "send", "set", "setup", "shift", "shuffle",
    "singleton_class", "size", "skip", "slice", "slice!", "sort", "sort!", "sort_by", "split",
    "squeeze", "start", "start_with?", "status", "step", "stop", "strftime", "strip", "strip!", "sub",
    "sub!", "succ", "success", "sum", "superclass", "swapcase", "synchronize", "tableize", "take",
    "take_while", "tally", "tap", "test", "text", "then", "times", "title", "to_a", "to_ary", "to_c",
    "to_enum", "to_f", "to_h", "to_hash", "to_i", "to_int", "to_json", "to_proc", "to_r", "to_s",
    "to_str", "to_sym", "touch", "tr", "transaction", "transform_keys", "transform_values",
    "transpose", "trigger", "truncate", "type", "type_of", "undef_method", "union", "uniq", "uniq!",
    "unlink", "unpack", "unshift", "upcase", "update", "update!", "url", "user", "valid?", "validate",
    "value", "values", "values_at", "version", "wait", "where", "with", "write", "year", "yield",
    "zip", "|", "~",
];

/// What a call of a core class's method gives, as far as it passes on what the value holds.
pub(super) fn member(ty: &str, args: &[Vec<Value>], member: &str) -> Option<Vec<Value>> {
    let same = || Some(vec![Value::ExternalInstance(ty.into(), args.to_vec())]);
    match ty {
        "list" => {
            let element = args.last().cloned().unwrap_or_default();
            match member {
                "first" | "last" | "find" | "detect" | "sample" | "min_by" | "max_by" | "min" | "max" | "pop"
                | "shift" | "fetch" | "at" | "dig" | "slice" | "sum" | "each_entry" => Some(element),
                "each" | "select" | "filter" | "reject" | "sort" | "sort_by" | "uniq" | "compact" | "reverse"
                | "take" | "drop" | "shuffle" | "to_a" | "dup" | "+" | "-" | "|" | "&" | "<<" | "push" | "concat"
                | "flatten" | "each_with_index" | "reverse_each" | "lazy" | "to_set" | "append" | "prepend" => same(),
                _ => None,
            }
        }
        "string" => Some(vec![Value::ExternalInstance("string".into(), Vec::new())]),
        "number" => Some(vec![Value::ExternalInstance("number".into(), Vec::new())]),
        _ => None,
    }
}
