//! Which language a file is in, by its name and, for `.h`, by its text.

use atlas_tree::RepoPath;
use serde::{Deserialize, Serialize};

/// A language that some grammar or reader here knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Language {
    Bash,
    C,
    Cpp,
    CSharp,
    Css,
    Elixir,
    Go,
    Html,
    Java,
    JavaScript,
    Json,
    Kotlin,
    Lua,
    Markdown,
    Php,
    Python,
    Ruby,
    Rust,
    Scala,
    Sql,
    Svelte,
    Swift,
    Toml,
    Tsx,
    TypeScript,
    Vue,
    Yaml,
}

/// Languages whose files may refer to each other's definitions. No edge crosses a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Family {
    Bash,
    C,
    CSharp,
    Elixir,
    Go,
    JavaScript,
    Jvm,
    Lua,
    Markup,
    Php,
    Python,
    Ruby,
    Rust,
    Sql,
    Swift,
}

impl Language {
    /// The language of a file by its path; `text` (its first bytes are enough) settles `.h` and
    /// scripts without an extension.
    #[must_use]
    pub fn of(path: &RepoPath, text: &[u8]) -> Option<Self> {
        let name = path.file_name();
        let by_name = match name {
            "Rakefile" | "Gemfile" | "Guardfile" | "Capfile" | "Vagrantfile" | "config.ru" => Some(Self::Ruby),
            ".bashrc" | ".bash_profile" | ".profile" => Some(Self::Bash),
            _ => None,
        };
        if by_name.is_some() {
            return by_name;
        }
        let Some(extension) = path.extension() else { return Self::by_shebang(text) };
        Some(match extension.to_ascii_lowercase().as_str() {
            "bash" | "sh" => Self::Bash,
            "c" => Self::C,
            "h" if extension == "H" || looks_like_cpp(text) => Self::Cpp,
            "h" => Self::C,
            "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "h++" | "ipp" | "inl" | "tcc" => Self::Cpp,
            "cs" => Self::CSharp,
            "css" => Self::Css,
            "ex" | "exs" => Self::Elixir,
            "go" => Self::Go,
            "htm" | "html" => Self::Html,
            "java" => Self::Java,
            "js" | "jsx" | "mjs" | "cjs" => Self::JavaScript,
            "json" => Self::Json,
            "kt" | "kts" => Self::Kotlin,
            "lua" => Self::Lua,
            "md" | "markdown" => Self::Markdown,
            "php" => Self::Php,
            "py" | "pyi" | "pyw" => Self::Python,
            "rb" | "rake" | "gemspec" | "ru" => Self::Ruby,
            "rs" => Self::Rust,
            "scala" | "sc" => Self::Scala,
            "sql" => Self::Sql,
            "svelte" => Self::Svelte,
            "swift" => Self::Swift,
            "toml" => Self::Toml,
            "tsx" => Self::Tsx,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "vue" => Self::Vue,
            "yaml" | "yml" => Self::Yaml,
            _ => return None,
        })
    }

    fn by_shebang(text: &[u8]) -> Option<Self> {
        let line = text.strip_prefix(b"#!")?.split(|&b| b == b'\n').next()?;
        let line = std::str::from_utf8(&line[..line.len().min(256)]).ok()?;
        let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        Some(match program {
            "sh" | "bash" | "dash" | "zsh" | "ksh" => Self::Bash,
            "python" | "pypy" => Self::Python,
            "ruby" => Self::Ruby,
            "node" | "nodejs" => Self::JavaScript,
            "lua" | "luajit" => Self::Lua,
            "php" => Self::Php,
            _ => return None,
        })
    }

    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Self::Bash => Family::Bash,
            Self::C | Self::Cpp => Family::C,
            Self::CSharp => Family::CSharp,
            Self::Elixir => Family::Elixir,
            Self::Go => Family::Go,
            Self::JavaScript | Self::TypeScript | Self::Tsx | Self::Vue | Self::Svelte => Family::JavaScript,
            Self::Java | Self::Kotlin | Self::Scala => Family::Jvm,
            Self::Lua => Family::Lua,
            Self::Css | Self::Html | Self::Json | Self::Markdown | Self::Toml | Self::Yaml => Family::Markup,
            Self::Php => Family::Php,
            Self::Python => Family::Python,
            Self::Ruby => Family::Ruby,
            Self::Rust => Family::Rust,
            Self::Sql => Family::Sql,
            Self::Swift => Family::Swift,
        }
    }

    /// Whether a file in it is a source file (contract §1, §5): code, not markup or data.
    #[must_use]
    pub fn is_code(self) -> bool {
        self.family() != Family::Markup
    }
}

/// Whether a header is C++: it says something that C cannot.
fn looks_like_cpp(text: &[u8]) -> bool {
    const SIGNS: [&str; 12] = [
        "class ",
        "namespace ",
        "template<",
        "template <",
        "public:",
        "private:",
        "protected:",
        "std::",
        "virtual ",
        "constexpr ",
        "operator",
        "using ",
    ];
    let text = String::from_utf8_lossy(&text[..text.len().min(256 * 1024)]);
    text.lines().any(|line| {
        let code = line.trim_start();
        !code.starts_with("//")
            && !code.starts_with('*')
            && !code.starts_with("/*")
            && !code.starts_with('#')
            && SIGNS.iter().any(|sign| code.starts_with(sign) || (*sign == "std::" && code.contains("std::")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Option<Language> {
        Language::of(&RepoPath::new(path).unwrap(), text.as_bytes())
    }

    #[test]
    fn by_extension_name_and_shebang() {
        assert_eq!(of("a/b.PY", ""), Some(Language::Python));
        assert_eq!(of("Rakefile", ""), Some(Language::Ruby));
        assert_eq!(of("bin/run", "#!/usr/bin/env python3\n"), Some(Language::Python));
        assert_eq!(of("bin/run", "#!/bin/sh -e\n"), Some(Language::Bash));
        assert_eq!(of("bin/run", "text"), None);
        assert_eq!(of("x.unknown", ""), None);
    }

    #[test]
    fn headers_are_c_unless_they_say_otherwise() {
        assert_eq!(of("a.h", "int f(void);\n// class of its own\n"), Some(Language::C));
        assert_eq!(of("a.h", "namespace x {\nint f();\n}\n"), Some(Language::Cpp));
        assert_eq!(of("a.h", "  std::string name();\n"), Some(Language::Cpp));
    }
}
