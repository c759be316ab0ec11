//! The rules of the house that are read from the source: what opens files, what knows the terminal.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The files below `folder` of the source, tests at their end left out, by their path.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|end| end != "zip") {
                let text = fs::read_to_string(&path).unwrap();
                let program = text.split("\nmod tests {").next().unwrap().to_owned();
                found.push((path, program));
            }
        }
    }
    assert!(found.len() > 2, "no sources in {folder}");
    found
}

/// The lines of these sources that hold one of `words`.
fn lines_with(sources: &[(PathBuf, String)], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources {
        for (at, line) in text.lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            if !is_comment && words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{}: {}", path.display(), at + 1, line.trim()));
            }
        }
    }
    found
}

const FILES: &[&str] =
    &["std::fs", " fs::", "(fs::", "File::", "OpenOptions", "std::io", "Hierarchy::", ".hierarchy"];
const STORES: &[&str] = &["dyn Store", ".store.", "DirectoryStore", ".children(&"];
const THREADS: &[&str] = &["std::thread", "thread::", "mpsc", "Instant", "SystemTime::now"];
const TERMINALS: &[&str] = &["ratatui", "crossterm", "crate::tui", "crate::worker", "crate::cli"];

/// The calls that open a file for writing, or change a folder.
const WRITING: &[&str] = &[
    "fs::write",
    " File::create",
    "(File::create",
    "OpenOptions::",
    "create_dir",
    "remove_file",
    "remove_dir",
    "rename(",
    "hard_link",
    "symlink",
    "set_permissions",
    "fs::copy",
    "tempfile::",
    "NamedTempFile",
    "openat",
    "linkat",
    "renameat",
    "OFlags",
];

#[test]
fn one_file_opens_files_for_writing() {
    let everywhere: Vec<_> = ["app", "tui", "worker", "cli", "zarr"]
        .iter()
        .flat_map(|folder| sources(folder))
        .filter(|(path, _)| !path.to_string_lossy().contains("worker/output_file"))
        .collect();
    let reading = ["symlink_metadata", "is_symlink"];
    let mut found = lines_with(&everywhere, WRITING);
    found.retain(|line| !reading.iter().any(|word| line.contains(word)));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Starts of commands with a part in them. What a store has may be in a command as a `ShellWord` only, so that commands
/// are made by `script!`.
const COMMANDS: &[&str] = &["mv {", "< {", "of={", "-c {", "-c +{", "--at {"];

/// True if `line` has a command of the program with a part in it: `zarrscope tree {}`.
fn is_command(line: &str) -> bool {
    line.match_indices("zarrscope ").any(|(at, start)| {
        let all = line.get(at + start.len()..).unwrap_or_default();
        let rest = all.trim_start_matches(|c: char| c.is_ascii_lowercase()).trim_start();
        rest.starts_with('{') && (rest.contains("} ") || rest != all && rest.contains("}`"))
    })
}

#[test]
fn commands_are_made_of_shell_words() {
    let mut found = Vec::new();
    for (path, text) in sources("") {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains('"')) {
            let is_made =
                lines.iter().take(at + 1).rev().take(3).any(|line| line.contains("script!("));
            let has = is_command(line) || COMMANDS.iter().any(|start| line.contains(start));
            if has && !is_made && !line.trim_start().starts_with("//") {
                found.push(format!("{}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(is_command("`zarrscope tree {name}` lists") && is_command("zarrscope {} --dtype"));
    assert!(!is_command("a part made by zarrscope {version}"));
}

#[test]
fn drawing_touches_no_file() {
    let views = sources("tui/view");
    for words in [FILES, STORES, THREADS] {
        let found = lines_with(&views, words);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn the_state_knows_no_files_no_threads_no_clock_and_no_terminal() {
    let app = sources("app");
    for words in [FILES, THREADS, TERMINALS] {
        let found = lines_with(&app, words);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn the_library_knows_no_terminal_and_starts_no_threads() {
    let words = [TERMINALS, &["std::thread", "thread::spawn", "mpsc", "crate::app"]].concat();
    let mut found = lines_with(&sources("zarr"), &words);
    // Requests that are sent together, and the pause before one is sent again.
    found.retain(|line| !line.contains("store/remote"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
