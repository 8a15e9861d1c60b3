//! The user's own excludes file, which git applies to every repository.

use crate::open::read_bounded;
use gix::bstr::ByteSlice as _;
use std::path::{Path, PathBuf};

/// Bytes of the user's git configuration, at most.
const CONFIG_BYTES_MAX: u64 = 1024 * 1024;

/// The file that `core.excludesFile` of the user's own configuration names, else git's default
/// for it, if that exists. `home` is the home directory, `xdg_config_home` the variable of that
/// name if it is set. Included configuration files are not followed.
#[must_use]
pub fn global_excludes(home: Option<&Path>, xdg_config_home: Option<&Path>) -> Option<PathBuf> {
    let config_home = match xdg_config_home {
        Some(dir) if dir.is_absolute() => Some(dir.to_owned()),
        _ => home.map(|home| home.join(".config")),
    };
    let in_home = home.map(|home| home.join(".gitconfig"));
    let in_config = config_home.as_ref().map(|dir| dir.join("git").join("config"));
    // The file in the home directory is read last by git, so its value wins.
    let named = [in_home, in_config].into_iter().flatten().find_map(|file| configured(&file, home));
    let path = named.or_else(|| config_home.map(|dir| dir.join("git").join("ignore")))?;
    path.is_file().then_some(path)
}

fn configured(file: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let bytes = read_bounded(&file.canonicalize().ok()?, CONFIG_BYTES_MAX).ok()?;
    let meta = gix::config::file::Metadata::from(gix::config::Source::User);
    let config = gix::config::File::from_bytes_no_includes(&bytes, meta, Default::default()).ok()?;
    let value = config.string("core.excludesFile")?;
    match value.strip_prefix(b"~/") {
        Some(rest) => Some(home?.join(crate::names::path(rest))),
        None => Some(crate::names::path(value.as_bytes())).filter(|path| path.is_absolute()),
    }
}
