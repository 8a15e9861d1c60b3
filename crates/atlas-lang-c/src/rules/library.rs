//! What the linker should know of the C and C++ standard libraries.

use atlas_graph::link::{Conventions, Value};

pub(super) const CONVENTIONS: Conventions = Conventions {
    implicit_this: true,
    overloads: true,
    constructors_inherit: false,
    converts: true,
    call_constructs: true,
    containers: &CONTAINERS,
    awaitables: &POINTERS,
    common_members: &COMMON_MEMBERS,
    builtins: &BUILTINS,
    bare_by_name: true,
    ..Conventions::NONE
};

/// Namespaces of libraries: their names lead outside unless the tree has them. Sorted.
pub(super) const NAMESPACES: [&str; 12] = ["absl", "benchmark", "boost", "chrono", "fmt", "folly", "google", "llvm", "rapidjson", "spdlog", "std", "testing"];

/// Types whose elements are their last argument. Sorted.
const CONTAINERS: [&str; 18] = ["array", "deque", "forward_list", "initializer_list", "list", "map", "multimap", "multiset", "priority_queue", "queue", "set", "span", "stack", "unordered_map", "unordered_multimap", "unordered_set", "valarray", "vector"];

/// Types that `*` and `->` unwrap. Sorted.
const POINTERS: [&str; 14] = ["Ref", "RefPtr", "auto_ptr", "intrusive_ptr", "iterator", "not_null", "observer_ptr", "optional", "raw_ptr", "scoped_ptr", "scoped_refptr", "shared_ptr", "unique_ptr", "weak_ptr"];

/// Members of so many types that a name alone tells nothing. Sorted.
const COMMON_MEMBERS: [&str; 40] = ["add", "append", "at", "back", "begin", "c_str", "clear", "close", "count", "data", "empty", "end", "erase", "find", "first", "flush", "front", "get", "init", "insert", "join", "length", "lock", "name", "next", "open", "pop", "pop_back", "push", "push_back", "read", "release", "reset", "resize", "run", "size", "start", "str", "swap", "write"];

/// Functions of the C library. Sorted.
const BUILTINS: [&str; 272] = ["_exit", "abort", "abs", "accept", "access", "acos", "asctime", "asin", "assert", "atan", "atan2", "atexit", "atof", "atoi", "atol", "atoll", "bcmp", "bind", "bsearch", "bzero", "calloc", "ceil", "chdir", "chmod", "chown", "clock", "clock_gettime", "close", "closedir", "connect", "cos", "dup", "dup2", "errno", "exec", "execl", "execlp", "execv", "execve", "execvp", "exit", "exp", "fabs", "fclose", "fcntl", "fdopen", "feof", "ferror", "fflush", "fgetc", "fgets", "fileno", "flock", "floor", "fmod", "fopen", "fork", "fprintf", "fputc", "fputs", "fread", "free", "freeaddrinfo", "freopen", "frexp", "fscanf", "fseek", "fseeko", "fstat", "fsync", "ftell", "ftello", "ftruncate", "fwrite", "getaddrinfo", "getc", "getchar", "getcwd", "getenv", "geteuid", "gethostbyname", "gethostname", "getopt", "getopt_long", "getpid", "getppid", "getrlimit", "getrusage", "getsockname", "getsockopt", "gettimeofday", "getuid", "gmtime", "gmtime_r", "htonl", "htons", "inet_ntop", "inet_pton", "ioctl", "isalnum", "isalpha", "isascii", "isatty", "isblank", "iscntrl", "isdigit", "isfinite", "isgraph", "isinf", "islower", "isnan", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "kill", "labs", "ldexp", "listen", "llabs", "localtime", "localtime_r", "log", "log10", "log2", "longjmp", "lseek", "malloc", "memchr", "memcmp", "memcpy", "memmove", "memset", "mkdir", "mkstemp", "mktime", "mmap", "mprotect", "munmap", "nanosleep", "ntohl", "ntohs", "open", "opendir", "pclose", "perror", "pipe", "poll", "popen", "posix_memalign", "pow", "printf", "pthread_cond_broadcast", "pthread_cond_init", "pthread_cond_signal", "pthread_cond_wait", "pthread_create", "pthread_join", "pthread_mutex_destroy", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_self", "putc", "putchar", "puts", "qsort", "raise", "rand", "random", "read", "readdir", "readlink", "realloc", "realpath", "recv", "recvfrom", "recvmsg", "remove", "rename", "rewind", "rmdir", "round", "scanf", "select", "send", "sendmsg", "sendto", "setbuf", "setenv", "setitimer", "setjmp", "setlocale", "setrlimit", "setsockopt", "setvbuf", "shutdown", "sigaction", "sigaddset", "sigemptyset", "signal", "sin", "sleep", "snprintf", "socket", "socketpair", "sprintf", "sqrt", "srand", "srandom", "sscanf", "stat", "strcasecmp", "strcat", "strchr", "strcmp", "strcoll", "strcpy", "strcspn", "strdup", "strerror", "strerror_r", "strftime", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk", "strrchr", "strsep", "strsignal", "strspn", "strstr", "strtod", "strtof", "strtok", "strtok_r", "strtol", "strtold", "strtoll", "strtoul", "strtoull", "symlink", "sysconf", "syslog", "system", "tan", "time", "tolower", "toupper", "umask", "uname", "unlink", "unsetenv", "usleep", "utime", "va_arg", "va_copy", "va_end", "va_start", "vfprintf", "vprintf", "vsnprintf", "vsprintf", "wait", "waitpid", "write"];

/// What a member of an outside type gives, by the type's last name.
pub(super) fn member(ty: &str, args: &[Vec<Value>], member: &str) -> Option<Vec<Value>> {
    let ty = ty.rsplit(['.', ':']).next().unwrap_or(ty);
    let arg = |n: usize| args.get(n).cloned().unwrap_or_default();
    let of = |name: &str, args: Vec<Vec<Value>>| Some(vec![Value::ExternalInstance(name.into(), args)]);
    if args.is_empty() {
        return None;
    }
    let is_map = ty.ends_with("map");
    match (ty, member) {
        _ if POINTERS.binary_search(&ty).is_ok() => match member {
            "get" | "release" | "value" | "value_or" => Some(arg(0)),
            "lock" => of("shared_ptr", vec![arg(0)]),
            _ => None,
        },
        ("pair", "first") => Some(arg(0)),
        ("pair", "second") => Some(arg(1)),
        (_, "at") if is_map => Some(arg(1)),
        (_, "find" | "begin" | "end" | "rbegin" | "lower_bound" | "upper_bound" | "cbegin") if is_map => {
            let pair = Value::ExternalInstance("pair".into(), args.to_vec());
            of("iterator", vec![vec![pair]])
        }
        (_, "front" | "back" | "at" | "top" | "emplace_back") if CONTAINERS.binary_search(&ty).is_ok() => Some(arg(0)),
        (_, "begin" | "end" | "rbegin" | "rend" | "cbegin" | "find" | "lower_bound" | "erase" | "insert")
            if CONTAINERS.binary_search(&ty).is_ok() =>
        {
            of("iterator", vec![arg(0)])
        }
        _ => None,
    }
}

/// What an index into an outside type gives, or a loop over it.
pub(super) fn element(ty: &str, args: &[Vec<Value>], index: bool) -> Option<Vec<Value>> {
    let ty = ty.rsplit(['.', ':']).next().unwrap_or(ty);
    if !ty.ends_with("map") || args.len() < 2 {
        let holds = CONTAINERS.binary_search(&ty).is_ok() || POINTERS.binary_search(&ty).is_ok();
        return if holds { args.first().cloned() } else { None };
    }
    if index {
        return args.get(1).cloned();
    }
    Some(vec![Value::Tuple(args.to_vec())])
}
