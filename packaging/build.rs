//! Tells a release build which commit it is made of, for `zarrscope --version`.
//!
//! A crate from the registry carries the commit in `.cargo_vcs_info.json`; a clone asks git. Other builds, such as
//! those of the tests, name no commit, and are not made again with each one.

use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=packaging/build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let commit = if env::var("PROFILE").as_deref() == Ok("release") { commit() } else { None };
    let commit = commit.map(|commit| format!(" ({commit})")).unwrap_or_default();
    println!("cargo::rustc-env=ZARRSCOPE_VERSION={version}{commit}");
}

fn commit() -> Option<String> {
    // A path that is not there would make cargo run this each time.
    for path in [".git/logs/HEAD", ".cargo_vcs_info.json"]
        .into_iter()
        .filter(|path| Path::new(path).exists())
    {
        println!("cargo::rerun-if-changed={path}");
    }
    packaged().or_else(checked_out)
}

/// The commit that `cargo package` wrote down.
fn packaged() -> Option<String> {
    let info = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = info.split_once("\"sha1\"")?;
    let sha = rest.split('"').nth(1)?;
    sha.get(..12).filter(|sha| sha.bytes().all(|byte| byte.is_ascii_hexdigit())).map(str::to_owned)
}

/// The commit of the clone, with a `+` where files differ from it.
fn checked_out() -> Option<String> {
    // Not the commit of a repository that this one merely lies in.
    if !Path::new(".git").exists() {
        return None;
    }
    let arguments = ["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=+"];
    let output = Command::new("git").args(arguments).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| commit.trim().to_owned())
}
