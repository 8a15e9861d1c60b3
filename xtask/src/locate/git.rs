//! Trees and blobs straight from a bare git directory.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// One file of a commit.
pub struct Entry {
    pub path: String,
    pub oid: String,
}

/// The regular files of a commit, in git's order.
pub fn list(git_dir: &Path, commit: &str) -> Result<Vec<Entry>, String> {
    let out = git(git_dir)
        .args(["ls-tree", "-r", "-z", commit])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("git does not start: {error}"))?;
    if !out.status.success() {
        return Err(format!("git cannot list `{commit}` of {}", git_dir.display()));
    }
    let text = String::from_utf8_lossy(&out.stdout);
    let entry = |line: &str| {
        let (meta, path) = line.split_once('\t')?;
        let mut meta = meta.split(' ');
        let (mode, kind, oid) = (meta.next()?, meta.next()?, meta.next()?);
        (kind == "blob" && mode != "120000").then(|| Entry { path: path.to_owned(), oid: oid.to_owned() })
    };
    Ok(text.split('\0').filter_map(entry).collect())
}

/// A running `git cat-file --batch`.
pub struct Blobs {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Blobs {
    pub fn open(git_dir: &Path) -> Result<Self, String> {
        let mut child = git(git_dir)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("git does not start: {error}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("git has no pipes".to_owned());
        };
        Ok(Self { child, to, from: BufReader::new(from) })
    }

    /// The bytes of a blob; None if the directory lacks it.
    pub fn get(&mut self, oid: &str) -> Option<Vec<u8>> {
        writeln!(self.to, "{oid}").ok()?;
        self.to.flush().ok()?;
        let mut head = String::new();
        self.from.read_line(&mut head).ok()?;
        let size: usize = head.split_whitespace().nth(2)?.parse().ok()?;
        let mut bytes = vec![0; size + 1];
        self.from.read_exact(&mut bytes).ok()?;
        bytes.pop();
        Some(bytes)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // It ends by itself when its input does; a zombie until then harms nobody.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn git(git_dir: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(git_dir).env("GIT_NO_LAZY_FETCH", "1");
    command
}
