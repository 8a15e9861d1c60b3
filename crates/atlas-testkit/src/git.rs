//! Git repositories for tests, made with plain `git` commands and nothing of the user's own
//! configuration.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory to run `git` in.
#[derive(Debug, Clone)]
pub struct Git {
    pub dir: PathBuf,
}

/// Whether there is a `git` to run; tests that need one return early without it.
#[must_use]
pub fn git_is_installed() -> bool {
    Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success())
}

impl Git {
    /// `git init` in `dir`, on branch `main`.
    #[must_use]
    pub fn init(dir: &Path) -> Self {
        let git = Self::at(dir);
        git.run(&["init", "-q", "-b", "main", "."]);
        git
    }

    /// Commands in `dir`, whatever it is.
    #[must_use]
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Runs one command and gives its standard output.
    ///
    /// # Panics
    /// If it fails, with what it said.
    pub fn run(&self, args: &[&str]) -> String {
        String::from_utf8(self.run_bytes(args)).expect("git answers in UTF-8 here")
    }

    /// As [`Git::run`], for output with names that are not UTF-8.
    pub fn run_bytes(&self, args: &[&str]) -> Vec<u8> {
        self.command(args, "test", "test@example.com", 1_700_000_000)
    }

    /// Adds every change and commits it as `author` (`name` and `name@example.com`) at `time`
    /// (seconds since 1970, both dates). Gives the commit's id.
    pub fn commit_all(&self, message: &str, author: &str, time: i64) -> String {
        self.run(&["add", "-A"]);
        self.commit(message, author, time)
    }

    /// Commits what is staged, which may be nothing.
    pub fn commit(&self, message: &str, author: &str, time: i64) -> String {
        let email = format!("{author}@example.com");
        self.command(&["commit", "-q", "--allow-empty", "-m", message], author, &email, time);
        self.run(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Merges `branch` with a merge commit at `time`. Gives the commit's id.
    pub fn merge(&self, branch: &str, time: i64) -> String {
        self.command(&["merge", "-q", "--no-ff", "-m", "merge", branch], "merger", "merger@example.com", time);
        self.run(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    fn command(&self, args: &[&str], name: &str, email: &str, time: i64) -> Vec<u8> {
        let date = format!("{time} +0000");
        let output = Command::new("git")
            .args(["-c", "core.autocrlf=false", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"])
            .args(args)
            .current_dir(&self.dir)
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .env("GIT_CONFIG_GLOBAL", null_device())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("XDG_CONFIG_HOME", self.dir.join("no-such-directory"))
            .env("GIT_AUTHOR_NAME", name)
            .env("GIT_AUTHOR_EMAIL", email)
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_NAME", name)
            .env("GIT_COMMITTER_EMAIL", email)
            .env("GIT_COMMITTER_DATE", &date)
            .output()
            .expect("git can be started");
        assert!(
            output.status.success(),
            "git {args:?} failed: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }
}

fn null_device() -> &'static str {
    if cfg!(windows) { "NUL" } else { "/dev/null" }
}
