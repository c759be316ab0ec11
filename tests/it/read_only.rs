//! The proof that stores are only read: every command and every key on stores whose files, folders and times are the
//! same afterwards; and everything again where the system lets nobody write.

use crate::cli::zarrscope;
use ratatui::crossterm::event::KeyCode;
use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::SystemTime,
};
use tempfile::TempDir;
use zarrscope::{
    app::Effect,
    tui::{
        Options, keymap, lessons, picture,
        script::{Player, parse},
    },
};

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Stores of both formats, sound and broken ones, a zip archive and a chunk without metadata among them.
fn stores() -> TempDir {
    let folder = crate::scratch();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores");
    for name in ["ocean", "ocean-v2", "broken", "byte-order"] {
        copy(&samples.join(name), &folder.path().join(name));
    }
    fs::copy(samples.join("ocean/packed/c/1/2"), folder.path().join("chunk")).unwrap();
    folder
}

/// All that could tell of a change: of every file and folder its bytes or names, its times and its permissions.
fn state(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime, fs::Permissions)> {
    let mut found = BTreeMap::new();
    // Not the folder around the stores: there w may write.
    let stores = ["ocean", "ocean-v2", "broken", "byte-order", "chunk"];
    let mut waiting: Vec<_> = stores.iter().map(|name| folder.join(name)).collect();
    while let Some(path) = waiting.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let mut bytes = Vec::new();
        if metadata.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            bytes = fs::read(&path).unwrap();
        }
        found.insert(path, (bytes, metadata.modified().unwrap(), metadata.permissions()));
    }
    found
}

/// Every command on a store, on an array, on a chunk.
const COMMANDS: [&[&str]; 16] = [
    &["tree", "."],
    &["tree", "--json", "."],
    &["info", "ocean/packed"],
    &["info", "broken"],
    &["dtype", "<i2"],
    &["chunk", "ocean/packed", "1.2"],
    &["chunk", "ocean/packed", "[0,0]", "--hex"],
    &["chunk", "chunk", "--dtype", "<i2", "--shape", "10"],
    &["export", "byte-order/v3/int16_big"],
    &["export", "broken"],
    &["export", "ocean/packed", "-o", "-"],
    &["endian", "byte-order"],
    &["check", "."],
    &["check", "--metadata-only", "--json", "broken"],
    &["shot", "ocean", "-o", "-", "--keys", "j2jjw<enter>e3.45"],
    &["shot", "broken", "-o", "-", "--keys", "j4w<enter>5jj<enter>"],
];

#[test]
fn commands_leave_a_store_as_it_was() {
    let stores = stores();
    let before = state(stores.path());
    for arguments in COMMANDS {
        let mut command = zarrscope(arguments);
        let status = command.current_dir(stores.path()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(status.status().unwrap().code().is_some(), "{arguments:?}");
    }
    // In the folder of an array, w has nowhere to write to.
    let array = stores.path().join("ocean/packed");
    let mut write = zarrscope(&["shot", ".", "-o", "-", "--keys", "2w<enter>", "--size", "100x30"]);
    let screen = write.current_dir(array).output().unwrap();
    let screen = String::from_utf8_lossy(&screen.stdout).into_owned();
    assert!(screen.contains("stores are never changed"), "{screen}");
    assert!(state(stores.path()) == before);
}

/// Every key, in several views of two nodes.
#[test]
fn keys_leave_a_store_as_it_was() {
    let stores = stores();
    // Problems are looked for in all stores that there are, again and again.
    for other in ["ocean-v2", "byte-order"].map(|name| stores.path().join(name)) {
        fs::remove_dir_all(&other).and_then(|()| fs::create_dir(other)).unwrap();
    }
    let before = state(stores.path());
    let mut edits = 0;
    for start in ["ocean/packed", "broken"] {
        let options = Options { at: Some(start.into()), ..Options::default() };
        let mut player = Player::open(stores.path(), (120, 40), &options).unwrap();
        for view in ["1", "<tab>2", "4", "5"] {
            parse(view).unwrap().into_iter().for_each(|key| player.press(key));
            // The one that writes a file writes it here: the test above presses it elsewhere.
            let mut keys: Vec<_> =
                keymap::BINDINGS.iter().flat_map(|binding| binding.keys().copied()).collect();
            let mut seen = HashSet::new();
            keys.retain(|key| key.code != KeyCode::Char('w') && seen.insert(*key));
            let escape = parse("<esc>").unwrap();
            for key in keys {
                player.press(key);
                for key in &escape {
                    player.press(*key);
                }
            }
        }
        let is_edit = |effect: &&Effect| matches!(effect, Effect::EditCopy(..));
        edits += player.take_effects().iter().filter(is_edit).count();
    }
    assert!(edits > 0, "e was among the keys");
    assert!(state(stores.path()) == before);
}

/// Under a kernel that forbids to write anywhere, commands say the same: nothing that shows was even tried. On kernels
/// without Landlock there is only the comparison above.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_written_where_the_kernel_forbids_it() {
    use landlock::{ABI, AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus};
    let stores = stores();
    let ran = |arguments: &[&str]| {
        let output = zarrscope(arguments).current_dir(stores.path()).output().unwrap();
        (output.status.code(), output.stdout)
    };
    // What w writes beside the stores is there for every command.
    ran(COMMANDS[14]);
    let before: Vec<_> = COMMANDS.into_iter().map(ran).collect();
    // The thread is forbidden it, and all the programs that it starts.
    let forbidden = || {
        let rules = Ruleset::default().handle_access(AccessFs::from_write(ABI::V3)).unwrap();
        let status = rules.create().unwrap().no_new_privs(true).restrict_self().unwrap();
        if status.ruleset == RulesetStatus::NotEnforced {
            return;
        }
        let refused = fs::write(stores.path().join("new"), "").unwrap_err();
        assert_eq!(refused.kind(), std::io::ErrorKind::PermissionDenied);
        for (arguments, before) in COMMANDS.into_iter().zip(before) {
            assert!(ran(arguments) == before, "{arguments:?}");
        }
    };
    std::thread::scope(|scope| scope.spawn(forbidden).join()).unwrap();
}

/// On a file system that is mounted read-only every command says the same, as far as the machine lets us mount.
#[test]
#[cfg(target_os = "linux")]
fn nothing_needs_to_write() {
    let stores = stores();
    let ran = |read_only: bool, arguments: &[&str]| {
        let script = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && cd \"$0\" \
                      && ! touch x 2>/dev/null && exec \"$@\"";
        let program = env!("CARGO_BIN_EXE_zarrscope");
        let mut command = if read_only {
            let mut command = Command::new("unshare");
            command.args(["-rm", "/bin/sh", "-c", script]).arg(stores.path()).arg(program);
            command
        } else {
            Command::new(program)
        };
        let output =
            command.args(arguments).current_dir(stores.path()).stdin(Stdio::null()).output();
        output.map(|output| (output.status.code(), output.stdout)).ok()
    };
    if ran(true, &["dtype", "<i2"]).is_none_or(|(code, _)| code != Some(0)) {
        return;
    }
    for arguments in [COMMANDS[0], COMMANDS[5], COMMANDS[10], COMMANDS[12], COMMANDS[15]] {
        assert!(ran(true, arguments) == ran(false, arguments), "{arguments:?}");
    }
}

#[test]
fn the_keys_of_a_lesson_only_look() {
    let folder = crate::scratch();
    let (script, target) = (folder.path().join("a.keys"), folder.path().join("chunk.npy"));
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores/ocean");
    for (keys, is_refused) in [
        (format!("2w<c-u>{}<enter>", target.display()), true),
        (format!("2tw<c-u>{}<enter>", target.display()), true),
        ("yy".into(), true),
        ("Y".into(), true),
        ("4e".into(), true),
        ("2jj".into(), false),
        (format!("2:as endian=big<enter>:export {}<enter>", target.display()), true),
    ] {
        let text = format!("store: {}\n---\ngo: air\nstart: {keys}\n", store.display());
        fs::write(&script, text).unwrap();
        let options = Options::default();
        let lesson = lessons::find(&script.to_string_lossy(), &options.registry).unwrap();
        let (film, _) = lessons::film(&lesson, (100, 30), &options).unwrap();
        let options = Options { lesson: Some(lesson), ..options };
        let taken = Player::open(Path::new(""), (100, 30), &options).unwrap();
        for screen in [&film.frames.last().unwrap().screen, &taken.screen()] {
            let screen = picture::text(screen);
            assert_eq!(screen.contains("lesson only look"), is_refused, "{keys}:\n{screen}");
            assert!(!target.exists(), "{keys}");
        }
    }
}
