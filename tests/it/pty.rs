//! The real binary in a real pseudo-terminal: it starts, moves, resizes, quits, and gives the terminal back.

use crate::keys::stores;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use std::{
    io::{Read, Write},
    num::NonZeroU16,
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver},
    },
    thread,
    time::{Duration, Instant},
};
use zarrscope::tui::terminal::Tty;

/// The time that anything may take on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(30);

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

/// A program in a terminal of its own.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    raw: Arc<Mutex<Vec<u8>>>,
    changed: Receiver<()>,
}

impl Terminal {
    fn start(command: CommandBuilder) -> Self {
        let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(cells(30), cells(100), 0)));
        let raw = Arc::new(Mutex::new(Vec::new()));
        let (tell, changed) = mpsc::channel();
        let (to_screen, to_raw) = (Arc::clone(&screen), Arc::clone(&raw));
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut buffer) {
                to_screen.lock().unwrap().process(&buffer[..n]);
                to_raw.lock().unwrap().extend(&buffer[..n]);
                tell.send(()).ok();
            }
        });
        let keyboard = pair.master.take_writer().unwrap();
        Self { child, master: pair.master, keyboard, screen, raw, changed }
    }

    fn zarrscope(arguments: &[&str]) -> Self {
        Self::of(arguments, stores().to_str().unwrap())
    }

    /// The program on `store`.
    pub(crate) fn of(arguments: &[&str], store: &str) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zarrscope"));
        command.args(arguments);
        command.arg(store);
        command.env("TERM", "xterm-256color");
        command.env("EDITOR", "true");
        command.env_remove("VISUAL");
        command.env_remove("TMUX");
        Self::start(command)
    }

    pub(crate) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen is as wanted: each piece of output is looked at once, no time is guessed.
    pub(crate) fn wait(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !wanted(self.screen.lock().unwrap().screen()) {
            let left = PATIENCE.saturating_sub(start.elapsed());
            assert!(
                !left.is_zero(),
                "no {what} within {PATIENCE:?}:\n{}\n{}",
                self.text(),
                String::from_utf8_lossy(&self.raw.lock().unwrap()).escape_debug()
            );
            self.changed.recv_timeout(left.min(Duration::from_millis(200))).ok();
        }
    }

    pub(crate) fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    pub(crate) fn press(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// A lesson, with a folder for what is kept.
    pub(crate) fn learn(name: &str, state: &std::path::Path) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zarrscope"));
        command.args(["learn", name]);
        command.env("TERM", "xterm-256color");
        command.env("XDG_STATE_HOME", state);
        Self::start(command)
    }

    /// Presses the keys of a script, as somebody does who looks at what comes of each.
    pub(crate) fn script(&mut self, script: &str) {
        for key in zarrscope::tui::script::parse(script).unwrap() {
            let bytes = match key.code {
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => vec![3],
                KeyCode::Char(letter) => letter.to_string().into_bytes(),
                KeyCode::Enter => vec![b'\r'],
                KeyCode::Tab => vec![b'\t'],
                KeyCode::F(2) => b"\x1bOQ".to_vec(),
                code => panic!("{code:?} is not typed here"),
            };
            let is_letter = matches!(key.code, KeyCode::Char(_));
            self.press(&bytes);
            thread::sleep(Duration::from_millis(if is_letter { 30 } else { 60 }));
        }
    }

    /// Everything that was ever on the screen.
    pub(crate) fn raw(&self) -> String {
        String::from_utf8_lossy(&self.raw.lock().unwrap()).into_owned()
    }

    /// Waits for the end: whether it was a good one.
    pub(crate) fn end(&mut self) -> bool {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            assert!(start.elapsed() < PATIENCE, "it does not end:\n{}", self.text());
            self.changed.recv_timeout(Duration::from_millis(50)).ok();
        }
    }

    /// True if the terminal is as it was: the first screen, the cursor on it, no mouse, keys with echo.
    fn is_given_back(&self) {
        self.wait("first screen", |screen| !screen.alternate_screen());
        let screen = self.screen.lock().unwrap();
        let screen = screen.screen();
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(!screen.bracketed_paste());
        #[cfg(unix)]
        if let Some(modes) = self.master.get_termios() {
            let local = format!("{:?}", modes.local_flags);
            assert!(local.contains("ECHO") && local.contains("ICANON"), "raw: {local}");
        }
    }

    /// Sends the program a signal, by its name without SIG.
    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let kill = std::process::Command::new("kill").args(["-s", name, &id]).status();
        assert!(kill.unwrap().success());
    }
}

#[test]
fn it_starts_moves_resizes_and_quits() {
    let mut terminal = Terminal::zarrscope(&[]);
    terminal.wait_for("byte-order");
    assert!(terminal.screen.lock().unwrap().screen().alternate_screen());
    terminal.press(b":go ocean/packed\r2");
    terminal.wait_for("crc32c ✓");
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    terminal.screen.lock().unwrap().screen_mut().set_size(cells(24), cells(80));
    terminal.master.resize(size).unwrap();
    terminal.wait("narrow screen", |screen| {
        let text = screen.contents();
        text.contains("crc32c ✓") && !text.contains("▸ broken")
    });
    terminal.press(b"qq");
    assert!(terminal.end());
    terminal.is_given_back();
}

/// Sizes that change faster than frames are drawn, keys in between: the last size is what is on the screen.
#[test]
fn a_storm_of_sizes_is_weathered() {
    let mut terminal = Terminal::zarrscope(&["--at", "ocean/packed"]);
    terminal.wait_for("packed");
    terminal.press(b"2");
    terminal.wait_for("crc32c ✓");
    for round in 0..60_u16 {
        let (rows, cols) = (1 + round * 7 % 50, 1 + round * 13 % 150);
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        terminal.screen.lock().unwrap().screen_mut().set_size(cells(rows), cells(cols));
        terminal.master.resize(size).unwrap();
        terminal.press(b"jl");
    }
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    terminal.screen.lock().unwrap().screen_mut().set_size(cells(24), cells(80));
    terminal.master.resize(size).unwrap();
    terminal.wait("80x24", |screen| {
        let text = screen.contents();
        let last = text.lines().last().unwrap_or_default();
        text.contains("crc32c ✓") && text.lines().count() == 24 && last.contains("? keys")
    });
    terminal.press(b"\x03");
    assert!(terminal.end());
    terminal.is_given_back();
}

#[test]
fn keys_are_heard_whatever_their_pace() {
    for pace in (0..24).step_by(3) {
        let mut terminal = Terminal::zarrscope(&[]);
        terminal.wait_for("byte-order");
        for keys in ["j", "j", "2", "q", "q"] {
            terminal.press(keys.as_bytes());
            thread::sleep(Duration::from_millis(pace));
        }
        assert!(terminal.end(), "keys every {pace} ms");
    }
}

#[test]
fn ctrl_c_quits_from_anywhere() {
    for keys in [&b""[..], b"2", b":abc", b"?", b"f", b"D"] {
        let mut terminal = Terminal::zarrscope(&[]);
        terminal.wait_for("byte-order");
        terminal.press(keys);
        terminal.press(b"\x03");
        assert!(terminal.end(), "{keys:?}");
        terminal.is_given_back();
    }
}

#[test]
fn the_editor_has_the_terminal_and_gives_it_back() {
    let mut terminal = Terminal::zarrscope(&[]);
    terminal.wait_for("byte-order");
    terminal.press(b"j");
    // The key is for the node that is on the screen.
    terminal.wait_for("V3 group, 31 arrays");
    terminal.press(b"e");
    // The editor is `true`: leaves the other screen and comes back to it.
    let visits = |raw: &[u8]| raw.windows(8).filter(|w| w == b"\x1b[?1049h").count();
    let start = Instant::now();
    while visits(&terminal.raw.lock().unwrap()) < 2 {
        assert!(start.elapsed() < PATIENCE, "no editor:\n{}", terminal.text());
        terminal.changed.recv_timeout(Duration::from_millis(50)).ok();
    }
    terminal.wait_for("byte-order");
    terminal.press(b"q");
    assert!(terminal.end());
    terminal.is_given_back();
}

/// The inspector on a folder of its own, its editor being `editor`.
fn inspector(folder: &std::path::Path, editor: &str) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zarrscope"));
    command.arg(folder);
    command.env("TERM", "xterm-256color");
    command.env("EDITOR", editor);
    command.env_remove("VISUAL");
    command.env_remove("TMUX");
    Terminal::start(command)
}

/// An empty VISUAL names no editor; the one that EDITOR names gets a copy, and what it makes of it stays out of the store.
#[test]
#[cfg(unix)]
fn the_editor_gets_a_copy() {
    use std::os::unix::fs::PermissionsExt;
    let folder = crate::scratch();
    let store = folder.path().join("store");
    std::fs::create_dir(&store).unwrap();
    std::fs::write(store.join("zarr.json"), r#"{"zarr_format":3,"node_type":"group"}"#).unwrap();
    let editor = folder.path().join("editor");
    let script = "#!/bin/sh\nrm -f \"$1\"; echo edited > \"$1\"\nprintf %s \"$1\" > \"$(dirname $0)/where\"\n";
    std::fs::write(&editor, script).unwrap();
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zarrscope"));
    command.arg(&store);
    command.env("TERM", "xterm-256color");
    command.env("VISUAL", "");
    command.env("EDITOR", &editor);
    command.env("TMPDIR", folder.path());
    let mut terminal = Terminal::start(command);
    terminal.wait_for("group");
    terminal.press(b"e");
    terminal.wait_for("The store is unchanged");
    terminal.press(b"q");
    assert!(terminal.end());
    let opened = std::fs::read_to_string(folder.path().join("where")).unwrap();
    assert!(!opened.contains("store/"), "{opened}");
    assert_eq!(
        std::fs::read_to_string(&opened).unwrap(),
        "edited\n",
        "nothing that was typed is lost"
    );
    let document = std::fs::read_to_string(store.join("zarr.json")).unwrap();
    assert!(document.contains("group"), "{document}");
}

#[test]
fn an_editor_that_cannot_be_started_is_said() {
    let mut terminal = inspector(&stores(), "/no/such/editor");
    terminal.wait_for("byte-order");
    // The key is for the node that is on the screen.
    terminal.press(b"j");
    terminal.wait_for("V3 group, 31 arrays");
    terminal.press(b"e");
    terminal.wait_for("could not start /no/such/editor");
    terminal.press(b"q");
    assert!(terminal.end());
}

#[test]
fn what_is_copied_goes_to_the_terminal() {
    let mut terminal = Terminal::zarrscope(&["--at", "ocean/packed"]);
    terminal.wait_for("packed");
    terminal.press(b"yp");
    terminal.wait_for("sent to the terminal's clipboard: ocean/packed");
    // OSC 52 with "ocean/packed" in base64.
    let raw = terminal.raw.lock().unwrap().clone();
    let wanted = b"\x1b]52;c;b2NlYW4vcGFja2Vk\x07";
    assert!(raw.windows(wanted.len()).any(|part| part == wanted));
    terminal.press(b"qq");
    assert!(terminal.end());
}

/// A what-if through the threads and the loop: the lanes read the array so, and then as it declares again.
#[test]
fn a_what_if_begins_and_ends() {
    let mut terminal = Terminal::zarrscope(&["--at", "byte-order/liar/c/0"]);
    terminal.wait_for("4.0269e-41");
    terminal.press(b":as endian=big\r");
    terminal.wait_for("15.038986");
    terminal.wait_for(" as endian=big ");
    terminal.wait_for("as declared       41 70 00 00 → 4.0269e-41");
    terminal.press(b":as off\r");
    terminal.wait_for("the other order");
    terminal.wait("an end of it", |screen| !screen.contents().contains(" as endian=big "));
    terminal.press(b"qq");
    assert!(terminal.end());
}

/// Terminals that order text from right to left by themselves are told to leave that, and to do as they like again.
#[test]
fn cells_stay_where_they_are_put() {
    let mut terminal = Terminal::zarrscope(&[]);
    terminal.wait_for("byte-order");
    let told = |terminal: &Terminal, what: &[u8]| {
        terminal.raw.lock().unwrap().windows(what.len()).any(|part| part == what)
    };
    assert!(told(&terminal, b"\x1b[8l") && !told(&terminal, b"\x1b[8h"));
    terminal.press(b"q");
    assert!(terminal.end());
    terminal.is_given_back();
    assert!(told(&terminal, b"\x1b[8h"));
}

/// Nobody presses a key while the store changes: what is new is on the screen within a few looks of the watcher.
#[test]
fn a_store_that_is_being_written_is_shown_as_it_is_now() {
    let folder = crate::keys::copy_of("ocean/packed");
    let path = folder.path();
    let mut terminal = inspector(path, "true");
    terminal.wait_for("int16");
    terminal.press(b"2");
    terminal.wait_for("array [0,0]");
    terminal.press(b"lll");
    terminal.wait_for("array [0,3]");
    terminal.wait_for("15 of 16 stored");
    std::fs::copy(path.join("c/0/0"), path.join("c/0/3")).unwrap();
    terminal.wait_for("16 of 16 stored");
    std::fs::remove_file(path.join("c/3/3")).unwrap();
    terminal.wait_for("15 of 16 stored");
    let document = std::fs::read_to_string(path.join("zarr.json")).unwrap();
    std::fs::write(path.join("zarr.json"), &document.as_bytes()[..200]).unwrap();
    terminal.wait_for("broken");
    std::fs::write(path.join("zarr.json"), document.replace("\"big\"", "\"little\"")).unwrap();
    terminal.wait_for("bytes little");
    terminal.wait_for("array [0,3]");
    terminal.press(b"\x03");
    assert!(terminal.end());
}

/// Progress is told on stderr where that is a terminal, and is gone when the work is done.
#[test]
fn long_commands_tell_how_far_they_are() {
    if !std::path::Path::new("/bin/sh").exists() {
        return;
    }
    let folder = crate::scratch();
    let array = |name: &str, len: &str| {
        let dir = folder.path().join(name);
        std::fs::create_dir(&dir).unwrap();
        let document = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [{len}], "data_type": "uint8", "fill_value": 7,
               "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [100000]}}}},
               "chunk_key_encoding": {{"name": "default"}}, "codecs": [{{"name": "bytes"}}]}}"#
        );
        std::fs::write(dir.join("zarr.json"), document).unwrap();
    };
    array("endless", "1000000000000000");
    array("long", "20000000");
    let values = |name: &str| {
        let mut command = CommandBuilder::new("/bin/sh");
        let program = env!("CARGO_BIN_EXE_zarrscope");
        let path = folder.path().join(name);
        command.args(["-c", &format!("exec {program} export {} > /dev/null", path.display())]);
        Terminal::start(command)
    };
    let mut endless = values("endless");
    endless.wait_for("[------------------------------]   0 %");
    endless.wait_for("elements/s");
    endless.press(b"\x03");
    assert!(!endless.end(), "Ctrl-c ends it");
    let mut long = values("long");
    assert!(long.end());
    long.wait("nothing left", |screen| screen.contents().trim().is_empty());
}

/// Each signal that ends a program gives the terminal back, and still ends it as that signal does.
#[test]
fn signals_from_outside_give_the_terminal_back() {
    for (name, told) in [
        ("TERM", "Terminated"),
        ("HUP", "Hangup"),
        ("INT", "Interrupt"),
        ("QUIT", "Quit"),
        ("USR1", "User defined signal 1"),
        ("USR2", "User defined signal 2"),
        ("ALRM", "Alarm clock"),
        ("VTALRM", "Virtual timer expired"),
        ("PROF", "Profiling timer expired"),
        ("XCPU", "CPU time limit exceeded"),
        ("ABRT", "Aborted"),
    ] {
        let mut terminal = Terminal::zarrscope(&[]);
        terminal.wait_for("byte-order");
        terminal.signal(name);
        let status = terminal.child.wait().unwrap();
        assert_eq!(
            status.signal().map(|told| told.replace(" (core dumped)", "")),
            Some(told.into())
        );
        terminal.is_given_back();
    }
}

/// The write that is too large tells of it; the program that wrote nothing goes on.
#[test]
fn a_signal_about_the_size_of_a_file_ends_nothing() {
    let mut terminal = Terminal::zarrscope(&[]);
    terminal.wait_for("byte-order");
    terminal.signal("XFSZ");
    terminal.press(b":go ocean/packed\r2");
    terminal.wait_for("crc32c ✓");
    terminal.press(b"\x03");
    assert!(terminal.end());
    terminal.is_given_back();
}

#[test]
fn a_stop_from_outside_is_as_ctrl_z() {
    if !["/bin/bash", "/usr/bin/pkill"].iter().all(|path| std::path::Path::new(path).exists()) {
        return;
    }
    let mut command = CommandBuilder::new("/bin/bash");
    command.args(["--norc", "--noprofile", "-i"]);
    command.env("TERM", "xterm-256color");
    command.env("PS1", "ready> ");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("ready>");
    let program = env!("CARGO_BIN_EXE_zarrscope");
    terminal.press(format!("{program} {}\n", stores().display()).as_bytes());
    terminal.wait("inspector", |screen| {
        screen.alternate_screen() && screen.contents().contains("ocean-v2")
    });
    let shell = terminal.child.process_id().unwrap().to_string();
    let kill = std::process::Command::new("pkill").args(["-TSTP", "-P", &shell]).status();
    assert!(kill.unwrap().success());
    terminal.wait("shell", |screen| {
        !screen.alternate_screen() && screen.contents().contains("Stopped")
    });
    terminal.press(b"fg\n");
    terminal.wait("inspector again", |screen| {
        screen.alternate_screen() && screen.contents().contains("ocean-v2")
    });
    terminal.press(b"\x03");
    terminal.wait("shell", |screen| !screen.alternate_screen());
    terminal.press(b"exit\n");
    terminal.end();
}

#[test]
fn a_program_that_is_continued_draws_anew() {
    let mut terminal = Terminal::zarrscope(&[]);
    terminal.wait_for("byte-order");
    terminal.signal("STOP");
    terminal.screen.lock().unwrap().process(b"\x1b[2J\x1b[?1049l");
    terminal.signal("CONT");
    terminal.wait("inspector again", |screen| {
        screen.alternate_screen() && screen.contents().contains("byte-order")
    });
    terminal.press(b"q");
    assert!(terminal.end());
    terminal.is_given_back();
}

/// Suspending needs a shell that has jobs: where there is no bash, there is nothing to test.
#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back() {
    if !std::path::Path::new("/bin/bash").exists() {
        return;
    }
    let mut command = CommandBuilder::new("/bin/bash");
    command.args(["--norc", "--noprofile", "-i"]);
    command.env("TERM", "xterm-256color");
    command.env("PS1", "ready> ");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("ready>");
    terminal
        .press(format!("{} {}\n", env!("CARGO_BIN_EXE_zarrscope"), stores().display()).as_bytes());
    terminal.wait_for("ocean-v2");
    terminal.press(b"\x1a");
    terminal.wait("shell", |screen| {
        !screen.alternate_screen() && screen.contents().contains("Stopped")
    });
    terminal.press(b"fg\n");
    terminal.wait("inspector again", |screen| {
        screen.alternate_screen() && screen.contents().contains("ocean-v2")
    });
    terminal.press(b"j2");
    terminal.wait_for("2 Chunks");
    terminal.press(b"\x03");
    terminal.wait("shell", |screen| !screen.alternate_screen());
    terminal.press(b"exit\n");
    terminal.end();
}

#[test]
fn what_cannot_be_opened_is_said_without_touching_the_terminal() {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zarrscope"));
    command.arg("/nowhere/at/all");
    let mut terminal = Terminal::start(command);
    assert!(!terminal.end());
    terminal.wait_for("/nowhere/at/all");
    assert!(!terminal.raw.lock().unwrap().windows(8).any(|w| w == b"\x1b[?1049h"));
}

#[test]
fn the_window_is_named_after_the_store_and_gets_its_name_back() {
    let mut terminal = Terminal::zarrscope(&[]);
    terminal.wait_for("ocean");
    let wrote = |terminal: &Terminal, text: &[u8]| {
        terminal.raw.lock().unwrap().windows(text.len()).any(|window| window == text)
    };
    assert!(wrote(&terminal, b"\x1b[22;2t") && wrote(&terminal, b"\x1b]0;zarrscope "));
    assert!(!wrote(&terminal, b"\x1b[23;2t"));
    terminal.press(b"q");
    assert!(terminal.end());
    assert!(wrote(&terminal, b"\x1b[23;2t"));
}

#[test]
fn lessons_are_offered_where_there_is_no_store() {
    let folder = crate::scratch();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zarrscope"));
    command.cwd(folder.path());
    let mut terminal = Terminal::start(command);
    assert!(!terminal.end());
    terminal.wait_for("zarrscope learn");
}

/// Not a test of its own: what the next test runs in a terminal.
#[test]
#[ignore = "panics on purpose; run by the test below"]
fn a_program_that_panics() {
    let _tty = Tty::take(true).unwrap();
    panic!("on purpose");
}

/// Not a test of its own either.
#[test]
#[ignore = "panics on purpose; run by the test below"]
fn a_program_whose_thread_panics() {
    let _tty = Tty::take(true).unwrap();
    thread::spawn(|| panic!("on purpose")).join().ok();
    thread::sleep(2 * PATIENCE);
}

/// Nor this.
#[test]
#[ignore = "aborts on purpose; run by the test below"]
fn a_program_that_runs_out_of_memory() {
    let _tty = Tty::take(true).unwrap();
    let on_purpose = Vec::<u8>::with_capacity(isize::MAX.unsigned_abs());
    drop(std::hint::black_box(on_purpose));
}

#[test]
fn a_panic_or_an_abort_gives_the_terminal_back_and_can_be_read() {
    for (name, said) in [
        ("a_program_that_panics", "on purpose"),
        ("a_program_whose_thread_panics", "on purpose"),
        ("a_program_that_runs_out_of_memory", "zarrscope was aborted: out of memory"),
    ] {
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "--nocapture", &format!("pty::{name}")]);
        let mut terminal = Terminal::start(command);
        assert!(!terminal.end());
        terminal
            .wait("words", |screen| !screen.alternate_screen() && screen.contents().contains(said));
        terminal.is_given_back();
    }
}
