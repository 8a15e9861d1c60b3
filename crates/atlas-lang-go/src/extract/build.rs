//! Build constraints, evaluated for the default build: Linux on x86-64 with cgo, the newest Go.

/// Whether a `//go:build` expression holds. What cannot be read holds: a file is better kept.
pub(super) fn holds(constraint: &str) -> bool {
    let mut parser = Parser { rest: constraint.trim(), depth: 0 };
    match parser.or() {
        Some(value) if parser.rest.trim_start().is_empty() => value,
        _ => true,
    }
}

/// Whether the name of a file, without directories, keeps it in the default build: `x_windows.go`
/// and `x_arm64_test.go` are left out.
pub(crate) fn name_holds(file: &str) -> bool {
    let stem = file.strip_suffix(".go").unwrap_or(file);
    let stem = stem.strip_suffix("_test").unwrap_or(stem);
    let mut parts = stem.rsplit('_');
    let (last, before) = (parts.next().unwrap_or_default(), parts.next());
    // A name that is nothing but a system's is no constraint.
    let Some(before) = before else { return true };
    if is_architecture(last) {
        let system = parts.next().is_some() && is_system(before);
        return last == "amd64" && (!system || before == "linux");
    }
    !is_system(last) || last == "linux"
}

struct Parser<'t> {
    rest: &'t str,
    depth: u32,
}

impl Parser<'_> {
    fn or(&mut self) -> Option<bool> {
        let mut value = self.and()?;
        while self.eat("||") {
            value |= self.and()?;
        }
        Some(value)
    }

    fn and(&mut self) -> Option<bool> {
        let mut value = self.not()?;
        while self.eat("&&") {
            value &= self.not()?;
        }
        Some(value)
    }

    fn not(&mut self) -> Option<bool> {
        self.depth += 1;
        let value = if self.depth > 64 { None } else { self.term() };
        self.depth -= 1;
        value
    }

    fn term(&mut self) -> Option<bool> {
        if self.eat("!") {
            return self.not().map(|value| !value);
        }
        if self.eat("(") {
            let value = self.or()?;
            return self.eat(")").then_some(value);
        }
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len());
        let (tag, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!tag.is_empty()).then(|| tag_holds(tag))
    }

    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

fn tag_holds(tag: &str) -> bool {
    matches!(tag, "linux" | "amd64" | "unix" | "cgo" | "gc") || tag.starts_with("go1.")
}

fn is_system(name: &str) -> bool {
    const SYSTEMS: [&str; 16] = [
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "hurd",
        "illumos",
        "ios",
        "js",
        "linux",
        "netbsd",
        "openbsd",
        "plan9",
        "solaris",
        "wasip1",
        "windows",
    ];
    SYSTEMS.contains(&name)
}

fn is_architecture(name: &str) -> bool {
    const ARCHITECTURES: [&str; 14] = [
        "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le",
        "riscv64", "s390x", "wasm",
    ];
    ARCHITECTURES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_hold_for_linux_alone() {
        assert!(holds("linux && amd64"));
        assert!(holds("(darwin || linux) && !windows"));
        assert!(!holds("windows"));
        assert!(!holds("ignore"));
        assert!(!holds("!linux || (arm64 && cgo)"));
        assert!(holds("go1.21"));
    }

    #[test]
    fn a_constraint_that_cannot_be_read_holds() {
        assert!(holds("linux &&"));
        assert!(holds("(windows"));
        assert!(holds(&"!".repeat(100_000)));
        assert!(holds(""));
    }

    #[test]
    fn file_names_constrain_by_their_last_parts() {
        assert!(name_holds("net_linux.go") && name_holds("net_linux_amd64_test.go") && name_holds("windows.go"));
        assert!(!name_holds("net_windows.go") && !name_holds("net_windows_test.go") && !name_holds("x_arm64.go"));
        assert!(!name_holds("x_darwin_amd64.go"));
        assert!(name_holds("linux_amd64.go") && name_holds("my_file.go"));
    }
}
