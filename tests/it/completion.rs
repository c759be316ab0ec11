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
    let folder = crate::scratch();
    let archive = folder.path().join("samples.zip");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lessons/samples.zip"), &archive).unwrap();
    let archive = archive.to_string_lossy().into_owned();
    assert_eq!(nodes(&format!("{archive}/oc")), [format!("{archive}/ocean/")]);
    assert_eq!(nodes(&format!("{archive}/ocean/pa")), [format!("{archive}/ocean/packed")]);
}

/// The words that bash offers for the last of these.
#[cfg(unix)]
fn bash(words: &[&str]) -> Option<Vec<String>> {
    let folder = crate::scratch();
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
    assert_eq!(commands, ["compare"], "the hidden commands are not among them");
    assert_eq!(bash(&["info", "ocean/pa"]).unwrap(), ["ocean/packed"]);
    assert_eq!(bash(&["byte-order/v"]).unwrap(), ["byte-order/v2/", "byte-order/v3/"]);
    assert_eq!(bash(&["info", "--me"]).unwrap(), ["--metadata-only"]);
    assert!(bash(&["info", "oce"]).unwrap().is_empty(), "files are the shell's");
}

/// A folder with the sample stores under a name with a space, and the program in its folder `bin`.
#[cfg(unix)]
fn home() -> tempfile::TempDir {
    use std::os::unix::fs::symlink;
    let folder = crate::scratch();
    fs::create_dir(folder.path().join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_zarrscope"), folder.path().join("bin/zarrscope")).unwrap();
    symlink(stores(), folder.path().join("my samples")).unwrap();
    symlink(stores(), folder.path().join("samples")).unwrap();
    folder
}

/// `shell` on a script in that folder; `None` on a machine without this shell.
#[cfg(unix)]
fn asked(shell: &str, home: &tempfile::TempDir, script: &str) -> Option<String> {
    fs::write(home.path().join("ask"), script).unwrap();
    let path =
        format!("{}/bin:{}", home.path().display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("timeout")
        .args(["60", shell, if shell == "zsh" { "-f" } else { "--no-config" }, "ask"])
        .current_dir(home.path())
        .env("HOME", home.path())
        .env("PATH", path)
        .env("TERM", "xterm")
        .output()
        .ok()?;
    (output.status.code() != Some(127)).then(|| String::from_utf8(output.stdout).unwrap())
}

#[test]
#[cfg(unix)]
fn fish_completes_commands_and_nodes() {
    let home = home();
    fs::write(home.path().join("zarrscope.fish"), run(&["completions", "fish"]).out).unwrap();
    for (typed, offered) in [
        ("zarrscope compa", "compare"),
        ("zarrscope help compa", "compare"),
        ("zarrscope info --me", "--metadata-only"),
        ("zarrscope check --conventions o", "ome"),
        ("zarrscope info samples/ocean/pa", "samples/ocean/packed"),
        ("zarrscope samples/byte-order/v", "samples/byte-order/v2/ samples/byte-order/v3/"),
        ("zarrscope info my\\ samples/ocean/pa", "my samples/ocean/packed"),
        ("zarrscope info 'my samples/ocean/pa", "my samples/ocean/packed"),
        ("zarrscope info \"my samples/ocean/pa", "my samples/ocean/packed"),
        ("zarrscope info ~/samples/ocean/pa", "~/samples/ocean/packed"),
        ("~/bin/zarrscope samples/ocean/pa", "samples/ocean/packed"),
        ("zarrscope samples/oc", "samples/ocean/ samples/ocean-v2/"),
    ] {
        let quoted = typed.replace('\\', "\\\\").replace('\'', "\\'");
        let Some(out) =
            asked("fish", &home, &format!("source zarrscope.fish\ncomplete -C '{quoted}'\n"))
        else {
            return;
        };
        let words = out.lines().filter_map(|line| line.split('\t').next());
        assert_eq!(words.collect::<Vec<_>>().join(" "), offered, "{typed}");
    }
}

#[test]
#[cfg(unix)]
fn zsh_completes_commands_and_nodes() {
    let home = home();
    fs::write(home.path().join("_zarrscope"), run(&["completions", "zsh"]).out).unwrap();
    let lines = [
        ("zarrscope compa", "zarrscope compare "),
        ("zarrscope help compa", "zarrscope help compare "),
        ("zarrscope info --me", "zarrscope info --metadata-only "),
        ("zarrscope samples --asc", "zarrscope samples --ascii "),
        ("zarrscope check --conventions o", "zarrscope check --conventions ome "),
        ("zarrscope info samples/ocean/pa", "zarrscope info samples/ocean/packed"),
        ("zarrscope samples/ocean/pa", "zarrscope samples/ocean/packed"),
        ("zarrscope samples/byte-order/l", "zarrscope samples/byte-order/liar"),
        ("zarrscope info my\\ samples/ocean/pa", "zarrscope info my\\ samples/ocean/packed"),
        ("zarrscope info 'my samples/ocean/pa", "zarrscope info 'my samples/ocean/packed"),
        ("zarrscope info \"my samples/ocean/pa", "zarrscope info \"my samples/ocean/packed"),
        ("zarrscope info ~/samples/ocean/pa", "zarrscope info ~/samples/ocean/packed"),
        ("~/bin/zarrscope samples/ocean/pa", "~/bin/zarrscope samples/ocean/packed"),
        ("zarrscope my", "zarrscope my\\ samples/"),
    ];
    // A shell in a terminal of its own: Tab, then a key that prints the line.
    let typed = lines.map(|(typed, _)| format!("'{}'", typed.replace('\'', "'\\''"))).join(" ");
    let script = format!(
        r#"zmodload zsh/zpty || exit 127
zpty z zsh -f -i
zpty -w z 'unset zle_bracketed_paste; PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D'
zpty -w z 'show() {{ print -r -- "LINE<$BUFFER>"; zle kill-buffer }}; zle -N show; bindkey "^T" show; print READ\Y'
while zpty -r z line; do [[ $line == READY* ]] && break; done
for typed in {typed}; do
    zpty -w -n z "$typed"$'\t\x14'
    while zpty -r z line; do [[ $line == *LINE\<* ]] && break; done
    print -r -- "${{${{line#*LINE<}}%>*}}"
done
zpty -d z
"#
    );
    let Some(out) = asked("zsh", &home, &script) else { return };
    assert_eq!(out.lines().collect::<Vec<_>>(), lines.map(|(_, line)| line));
}
