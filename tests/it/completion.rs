//! Completion of paths inside stores: what the hidden command offers, and what bash makes of it.

use crate::{cli::run, keys::stores};
use std::{fs, process::Command};

fn nodes(typed: &str) -> Vec<String> {
    let ran = run(&["complete-nodes", typed]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{typed}");
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn groups_and_arrays_are_offered_inside_stores() {
    let store = stores().to_string_lossy().into_owned();
    assert_eq!(
        nodes(&format!("{store}/ocean/t")),
        ["temperature", "time"].map(|name| format!("{store}/ocean/{name}"))
    );
    assert_eq!(
        nodes(&format!("{store}/byte-order/v")),
        ["v2/", "v3/"].map(|name| format!("{store}/byte-order/{name}"))
    );
    // A folder of stores is the shell's, and so is what is not there; an array has chunks, no nodes.
    for other in ["", "/oc", "/ocean", "/nowhere/a", "/ocean/packed/"] {
        assert!(nodes(&format!("{store}{other}")).is_empty(), "{other}");
    }
    assert!(nodes("ocean").is_empty() && nodes("--at").is_empty());
}

#[test]
fn they_are_offered_inside_archives() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("samples.zip");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lessons/samples.zip"), &archive).unwrap();
    let archive = archive.to_string_lossy().into_owned();
    assert_eq!(nodes(&format!("{archive}/oc")), [format!("{archive}/ocean/")]);
    assert_eq!(nodes(&format!("{archive}/ocean/pa")), [format!("{archive}/ocean/packed")]);
}

/// What bash offers for the last of these words.
#[cfg(unix)]
fn bash(words: &[&str]) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("zarrscope.bash");
    fs::write(&script, run(&["completions", "bash"]).out).unwrap();
    let program = env!("CARGO_BIN_EXE_zarrscope");
    let ask = "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
               _zarrscope_nodes \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
               printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", ask, "bash"])
        .arg(&script)
        .arg(program)
        .args(words)
        .current_dir(stores())
        .output()
        .ok()?;
    let out = String::from_utf8(output.stdout).unwrap();
    Some(out.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

#[test]
#[cfg(unix)]
fn bash_completes_commands_and_nodes() {
    // A machine without bash has nothing to ask.
    let Some(commands) = bash(&["comp"]) else { return };
    assert_eq!(commands, ["compare", "completions"], "the hidden command is not among them");
    assert_eq!(bash(&["info", "ocean/pa"]).unwrap(), ["ocean/packed"]);
    assert_eq!(bash(&["byte-order/v"]).unwrap(), ["byte-order/v2/", "byte-order/v3/"]);
    assert_eq!(bash(&["info", "--me"]).unwrap(), ["--metadata-only"]);
    assert!(bash(&["info", "oce"]).unwrap().is_empty(), "files are the shell's");
}

#[test]
fn zsh_and_fish_ask_for_nodes() {
    let zsh = run(&["completions", "zsh"]).out;
    assert!(zsh.starts_with("#compdef zarrscope\n") && !zsh.contains(":_files'"));
    assert!(zsh.contains(":_zarrscope_nodes'") && zsh.contains("\n_zarrscope_nodes() {"));
    let fish = run(&["completions", "fish"]).out;
    assert!(fish.contains("-a '(__zarrscope_nodes)'"));
    // Where these shells are, they say whether it is a program to them.
    for (shell, name, script) in [("zsh", "_zarrscope", &zsh), ("fish", "zarrscope.fish", &fish)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, script).unwrap();
        if let Ok(output) = Command::new(shell).arg("-n").arg(&file).output() {
            assert!(output.status.success(), "{shell}: {output:?}");
        }
    }
}
