//! Text that people run: hostile names through everything that prints commands, diffs and patches, and the result in a
//! shell, in `patch` and in `git apply`. What is meant to change changes, and nothing else.

use crate::cli::zarrscope;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;
use zarrscope::{
    app::Effect,
    tui::{Options, script},
    zarr::{
        Json,
        runnable::{DocumentDiff, ShellWord, inert_json},
        text::is_safe,
    },
};

/// Names with a place for what must never run.
const TEMPLATES: [&str; 74] = [
    "x\n{}\n#",
    "x\r{}\r#",
    "x\n{}",
    "\n{}\n",
    "x;{};",
    "x;{};#",
    "x' ;{}; '",
    "x\" ;{}; \"",
    "$({})",
    "`{}`",
    "${x:-$({})}",
    "x|{}",
    "x&{}&",
    "x&&{}",
    "x||{}",
    "x>PWNED {}",
    "-{}",
    "--{}",
    "-",
    "--",
    "-rf",
    "-exec {}",
    "+{}",
    "~",
    "~{}",
    "~root",
    "!{}",
    "!!",
    "a!{}",
    "*",
    "?",
    "[a-z]*{}",
    "{{},b}",
    "a=b",
    "=({})",
    "<({})",
    ">({})",
    "$'{}'",
    "$\"{}\"",
    "x\t{}",
    "\u{1b}[201~{}\n",
    "\u{9b}201~{}",
    "\u{202e}{}",
    "\u{85}{}",
    "\u{2028}{}\u{2028}",
    " {}",
    "{} ",
    " ",
    "\\",
    "x\\",
    "\\' ;{}; '",
    "'\\' ;{}; '",
    "'",
    "''{}''",
    "\"{}\\",
    "\\x41{}",
    "caf\\xe9{}",
    "\u{fffd}{}",
    "\u{200b}{}",
    "é 漢 {}",
    "(e:'{}':)",
    "*(e:'{}':)",
    "# {}",
    "#",
    "EOF",
    "x\nEOF\n{}\n",
    "%s%n{}",
    "a  b {}",
    "a\tb",
    "chunk",
    "moved",
    "x 2020-01-01 00:00:00 +0000",
    "..{}",
    "{}..",
];

/// Names that spell a diff, and a script of ed.
const DIFFS: [&str; 12] = [
    "x\n--- a_x\n+++ b_evil\n@@ -0,0 +1 @@\n+pwned\n",
    "--- a",
    "+++ b",
    "@@ -1 +1 @@",
    "diff --git a b",
    "Index: PWNED",
    "x\nIndex: PWNED\n@@ -0,0 +1 @@\n+pwned",
    "Prereq: 1",
    "1d",
    "x\n1d\n.\nw PWNED\nq",
    "*** PWNED",
    "x\n+++ PWNED\t\n@@ -0,0 +1 @@\n+pwned\n",
];

const PAYLOADS: [&str; 4] = ["touch PWNED", "echo a>PWNED", ": > PWNED", "exec touch PWNED"];

fn hostile_names() -> Vec<String> {
    let with = |payload: &&str| TEMPLATES.map(|template| template.replace("{}", payload));
    let mut names: Vec<String> = PAYLOADS.iter().flat_map(with).collect();
    names.splice(0..0, DIFFS.map(str::to_owned));
    let mut known = BTreeSet::new();
    names.retain(|name| known.insert(name.clone()));
    names.truncate(200);
    assert_eq!(names.len(), 200);
    names
}

/// True if a command may have this name in it.
fn is_speakable(name: &str) -> bool {
    name.chars().all(|c| is_safe(c) && c != '\u{fffd}')
}

/// The start of a document of an array; after it, the name of the encoding of its keys.
const ARRAY: &str = r#"{
	"zarr_format": 3, "node_type": "array", "shape": [40], "data_type": "uint8", "fill_value": 0,
	"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [20]}},
	"codecs": [{"name": "gzip", "configuration": {"level": 1}}],
	"attributes": {"a": "$(touch PWNED)`touch PWNED`",
"b": "'; touch PWNED; '"},
"chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}
}
"#;

/// A store with a group of each name, and in each an array that an edit mends, and one that a command mends.
fn hostile_store(names: &[String]) -> TempDir {
    let folder = crate::scratch();
    let group = r#"{"zarr_format":3,"node_type":"group","attributes":{}}"#;
    fs::write(folder.path().join("zarr.json"), group).unwrap();
    let codecs =
        ARRAY.replace("[{\"name\": \"gzip\"", "[{\"name\": \"bytes\"}, {\"name\": \"gzip\"");
    for name in names {
        let node = folder.path().join(name);
        fs::create_dir_all(node.join("edit")).unwrap();
        fs::create_dir_all(node.join("cut/c")).unwrap();
        fs::write(node.join("zarr.json"), group).unwrap();
        fs::write(node.join("edit/zarr.json"), &codecs).unwrap();
        fs::write(node.join("cut/zarr.json"), &codecs).unwrap();
        for chunk in 0..2 {
            fs::write(node.join(format!("edit/{chunk}")), chunk_bytes(chunk)).unwrap();
            let more = if chunk == 0 { &[0; 10][..] } else { b"" };
            let bytes = [&chunk_bytes(chunk), more].concat();
            fs::write(node.join(format!("cut/c/{chunk}")), bytes).unwrap();
        }
    }
    folder
}

fn chunk_bytes(chunk: u8) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&(0..20).map(|at| at + chunk * 20).collect::<Vec<u8>>()).unwrap();
    gzip.finish().unwrap()
}

/// Everything below a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let bytes = if path.is_dir() { Vec::new() } else { fs::read(&path).unwrap() };
            found.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
            folders.extend(path.is_dir().then_some(path));
        }
    }
    found
}

/// The store as it is once all that can be mended is.
fn mended(before: &BTreeMap<PathBuf, Vec<u8>>, names: &[String]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut after = before.clone();
    for name in names {
        let document = after.get_mut(&Path::new(name).join("edit/zarr.json")).unwrap();
        let text = String::from_utf8(document.clone()).unwrap();
        *document = edited(&text).into_bytes();
        if is_speakable(name) {
            after.insert(Path::new(name).join("cut/c/0"), chunk_bytes(0));
        }
    }
    after
}

fn edited(document: &str) -> String {
    let keys = r#"{"name": "default", "configuration": {"separator": "/"}}"#;
    let new = "{\n\t  \"name\": \"v2\",\n\t  \"configuration\": {\n\t    \"separator\": \".\"\n\t  }\n\t}";
    document.replace(keys, new)
}

/// The output of a program that reads `input`, in `folder`.
fn fed(program: &[&str], input: &str, folder: &Path) -> Output {
    let mut child = Command::new(program[0])
        .args(&program[1..])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// bash with its history, as at a prompt.
const HISTORY: [&str; 3] = ["bash", "-c", "set -o history -o histexpand; eval \"$(cat)\""];

/// The shells that are there; bash also with its history, as at a prompt.
fn shells() -> Vec<Vec<&'static str>> {
    let all = [
        vec!["sh"],
        vec!["dash"],
        vec!["bash"],
        HISTORY.to_vec(),
        vec!["zsh", "-f"],
        vec!["busybox", "sh"],
    ];
    let is_there = |shell: &Vec<&str>| Command::new(shell[0]).arg("-c").arg(":").output().is_ok();
    all.into_iter().filter(is_there).collect()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn copy(from: &BTreeMap<PathBuf, Vec<u8>>, of: &Path) -> TempDir {
    let folder = crate::scratch();
    for (path, bytes) in from {
        let to = folder.path().join(path);
        if of.join(path).is_dir() {
            fs::create_dir_all(to).unwrap();
        } else {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, bytes).unwrap();
        }
    }
    folder
}

fn assert_same(
    found: &BTreeMap<PathBuf, Vec<u8>>,
    expected: &BTreeMap<PathBuf, Vec<u8>>,
    what: &str,
) {
    for (path, bytes) in found {
        assert_eq!(
            expected.get(path).map(|bytes| String::from_utf8_lossy(bytes)),
            Some(String::from_utf8_lossy(bytes)),
            "{what}: {}",
            path.display()
        );
    }
    let lost: Vec<_> = expected.keys().filter(|path| !found.contains_key(*path)).collect();
    assert!(lost.is_empty(), "{what}: {lost:?} lost");
}

/// `check --fixes` as a script mends what can be mended, and as a patch does the edits.
#[test]
fn fixes_of_hostile_names_change_what_they_are_meant_to() {
    let names = hostile_names();
    let store = hostile_store(&names);
    let before = contents(store.path());
    let path = store.path().to_str().unwrap();
    let ran = zarrscope(&["check", "--fixes", path]).output().unwrap();
    let fixes = String::from_utf8(ran.stdout).unwrap();
    let after = mended(&before, &names);
    for shell in [&["sh"][..], &HISTORY] {
        let folder = copy(&before, store.path());
        let ran = fed(shell, &fixes, folder.path());
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_same(&contents(folder.path()), &after, &format!("{shell:?}: {said}"));
        assert_eq!(said, "", "{shell:?}");
    }
    let uncut = |path: &PathBuf| path.ends_with("cut/c/0");
    let mut edits = after;
    edits.iter_mut().filter(|(path, _)| uncut(path)).for_each(|(path, bytes)| {
        bytes.clone_from(&before[path]);
    });
    for program in [&["patch", "-p1", "--no-backup-if-mismatch"][..], &["git", "apply"]] {
        if is_there(program[0]) {
            let folder = copy(&before, store.path());
            let ran = fed(program, &fixes, folder.path());
            let said = String::from_utf8_lossy(&ran.stderr);
            assert_same(&contents(folder.path()), &edits, &format!("{program:?}: {said}"));
        }
    }
    assert_same(&contents(store.path()), &before, "the store itself");
}

/// The texts that the keys copy at a node.
fn copied(store: &Path, node: &str, keys: &str) -> Vec<String> {
    let options = Options { at: Some(node.to_owned()), ..Options::default() };
    let played = script::play(store, (120, 40), keys, &options).unwrap();
    let text = |effect| if let Effect::Copy(text) = effect { Some(text) } else { None };
    played.effects.into_iter().filter_map(text).collect()
}

/// A script that runs `text`, and writes down what zarrscope is given.
fn recorded(text: &str) -> String {
    format!("zarrscope() {{ printf '%s\\n' \"$@\" > told; }}\n{text}\n")
}

/// The command in a card.
fn command_of(card: &str) -> &str {
    let line = card.lines().last().unwrap().strip_prefix("To show it again: ").unwrap();
    line.trim_matches('`').trim()
}

/// `yf`, `yd`, `Y` and `shot --markdown` at nodes with hostile names.
#[test]
fn copied_texts_of_hostile_names_do_what_they_say() {
    let names = hostile_names();
    for (at, name) in names.iter().enumerate() {
        // An address has its own meaning for some signs: the node is what is opened.
        let store = hostile_store(std::slice::from_ref(name));
        let before = contents(store.path());
        let shells = shells();
        let shell = &shells[at % shells.len()];
        let edit = store.path().join(name).join("edit");
        let texts = copied(&edit, "", "5yfyd");
        let [patch, diff] = texts.as_slice() else { panic!("{name:?}: {texts:?}") };
        let steps = Json::parse_str(patch).unwrap();
        assert!(steps.as_array().is_some(), "{name:?}: {patch}");
        fed(shell, patch, store.path());
        assert_same(&contents(store.path()), &before, &format!("{name:?} {shell:?} {patch}"));
        fed(shell, diff, store.path());
        let after = edited(
            &String::from_utf8(before[&Path::new(name).join("edit/zarr.json")].clone()).unwrap(),
        );
        assert_eq!(fs::read_to_string(edit.join("zarr.json")).unwrap(), after, "{name:?} {diff}");
        let cut = store.path().join(name).join("cut");
        let commands = copied(&cut, "", "5yf");
        let command = commands.first().map_or("", String::as_str);
        fed(shell, command, store.path());
        let is_cut = fs::read(cut.join("c/0")).unwrap() == chunk_bytes(0);
        assert_eq!(is_cut, is_speakable(name), "{name:?} {commands:?}");
        fs::write(edit.join("zarr.json"), &before[&Path::new(name).join("edit/zarr.json")])
            .unwrap();
        fs::write(cut.join("c/0"), &before[&Path::new(name).join("cut/c/0")]).unwrap();
        assert_same(&contents(store.path()), &before, &format!("{name:?} {shell:?}"));
    }
}

/// The card's command opens the same store at the same place, whatever they are called.
#[test]
fn commands_of_cards_name_the_place_exactly() {
    for (at, name) in hostile_names().iter().enumerate() {
        let store = hostile_store(std::slice::from_ref(name));
        let folder = crate::scratch();
        let here = store.path().join(name);
        let shells = shells();
        let shell = &shells[at % shells.len()];
        let (root, node) = (here.to_str().unwrap(), format!("{name}/cut"));
        let ran = zarrscope(&["shot", "--markdown", "--keys", "2", &format!("{root}/cut")])
            .output()
            .unwrap();
        let card = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(copied(&here.join("cut"), "", "2Y"), [card.as_str()], "{name:?}");
        fed(shell, &recorded(command_of(&card)), folder.path());
        let told = fs::read_to_string(folder.path().join("told")).unwrap_or_default();
        let expected = format!("{}\n--at\n{node}/c/0#[0]\n", store.path().display());
        let expected = expected.replace("--at\n-", "--at=-");
        assert_eq!(
            told,
            if is_speakable(name) { expected } else { String::new() },
            "{name:?} {card}"
        );
        let files = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, usize::from(is_speakable(name)), "{name:?} {card}");
    }
}

/// The commands in errors and reports: each is given a file of that name.
#[test]
fn commands_in_hints_name_the_file_exactly() {
    let shells = shells();
    for (at, name) in hostile_names().iter().enumerate() {
        let store = hostile_store(std::slice::from_ref(name));
        let shell = &shells[at % shells.len()];
        fs::write(store.path().join(name).join("cut/zarr.json"), ARRAY.replace("uint8", "string"))
            .unwrap();
        for arguments in [&["chunk"][..], &["export"], &["check"]] {
            // From inside the store, so that the path begins as the name does.
            let path = if name.starts_with('-') { format!("./{name}") } else { name.clone() };
            let mut program = zarrscope(arguments);
            let what = if arguments == ["export"] { path } else { format!("{path}/cut") };
            let ran = program.arg(what).current_dir(store.path()).output().unwrap();
            let text = [ran.stdout, ran.stderr].concat();
            let text = String::from_utf8(text).unwrap();
            let is_command = |part: &&str| part.starts_with("zarrscope ");
            // Names may have backticks: those of the text are followed by a sentence.
            for part in text.split(" `").filter(is_command) {
                let end = ["` lists", "` prints", "`, or its", "`."]
                    .iter()
                    .filter_map(|end| part.find(end))
                    .max();
                let Some(command) = end.and_then(|end| part.get(..end)) else { continue };
                let folder = crate::scratch();
                fed(shell, &recorded(command), folder.path());
                let told = fs::read_to_string(folder.path().join("told")).unwrap_or_default();
                assert!(
                    told.contains(name.as_str()) && is_speakable(name),
                    "{name:?} {command} {told}"
                );
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{name:?} {command}");
            }
        }
    }
}

/// Each name as a word is that name; as the path of a diff it is the file of that name.
#[test]
fn words_and_paths_are_read_back() {
    let names = hostile_names();
    let folder = crate::scratch();
    for shell in shells() {
        for word in [ShellWord::value as fn(&str) -> ShellWord, ShellWord::key] {
            let line = |name: &String| {
                let word = word(name);
                ["printf '%s\\n' ", word.text().unwrap(), " >> told\n"].concat()
            };
            let speakable = || names.iter().filter(|name| is_speakable(name));
            let all: String = speakable().map(line).collect();
            fed(&shell, &all, folder.path());
            let told = fs::read_to_string(folder.path().join("told")).unwrap();
            let expected: String = speakable()
                .map(|name| {
                    let is_bare = word(name) == ShellWord::value(name);
                    [if is_bare { "" } else { "./" }, name, "\n"].concat()
                })
                .collect();
            assert_eq!(told, expected, "{shell:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            fs::remove_file(folder.path().join("told")).unwrap();
        }
        assert!(
            names
                .iter()
                .filter(|name| !is_speakable(name))
                .all(|name| ShellWord::key(name).text().is_none())
        );
    }
    let hunks = "@@ -1 +1 @@\n-a\n+b\n";
    for name in &names {
        let diff = DocumentDiff::new(name, hunks.to_owned()).to_string();
        for program in [&["patch", "-p1", "--no-backup-if-mismatch"][..], &["git", "apply"]] {
            if is_there(program[0]) {
                let folder = crate::scratch();
                fs::write(folder.path().join(name), "a\n").unwrap();
                let ran = fed(program, &diff, folder.path());
                let said = String::from_utf8_lossy(&ran.stderr);
                let found = fs::read_to_string(folder.path().join(name)).unwrap();
                assert_eq!(found, "b\n", "{program:?} {name:?} {said}\n{diff}");
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{name:?}");
            }
        }
    }
}

/// A key that leads out of the store is in no command and in no diff.
#[test]
fn keys_outside_the_store_are_named_nowhere() {
    for key in ["../x", "a/../../x", "/etc/x", ".."] {
        assert_eq!(ShellWord::key(key).text(), None, "{key}");
        let command = DocumentDiff::new(key, "@@ -1 +1 @@\n-a\n+b\n".into()).command();
        assert!(command.starts_with("# No diff: ") && command.lines().count() == 1, "{command}");
    }
}

/// Escapes in a JSON text say the same.
#[test]
fn inert_json_says_the_same() {
    let text = "a $(x) `y` ! \u{202e} \u{1f1e6} \u{7f} \\ \" \n";
    let line = Json::from(text).to_line();
    let inert = inert_json(&line);
    assert!(inert.chars().all(|c| is_safe(c) && !"$`!".contains(c)), "{inert}");
    assert_eq!(Json::parse_str(&inert).unwrap().as_str(), Some(text));
}
