//! The real program in a terminal of its own: from its start to its first frame, and what it costs when nothing
//! happens.

use super::measure::{cpu, peak};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::{
    error::Error,
    io::{Read, Write},
    num::NonZero,
    path::Path,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// Columns and rows.
pub(crate) const SIZE: (u16, u16) = (COLUMNS.get(), ROWS.get());
const COLUMNS: NonZero<u16> = NonZero::<u16>::MIN.saturating_add(119);
const ROWS: NonZero<u16> = NonZero::<u16>::MIN.saturating_add(39);

/// The cost of a start of the program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// Milliseconds until the first frame is on the screen.
    pub(crate) frame: f64,
    /// Milliseconds of processor time in half a second in which nothing happens, what was asked for being done.
    pub(crate) idle: f64,
    /// The most memory that it held, in MiB.
    pub(crate) peak: f64,
}

/// Starts the program on `path`, waits for its first frame, lets it be for `idle`, and ends it.
pub(crate) fn start(path: &Path, idle: bool) -> Result<Start, Box<dyn Error>> {
    let size = PtySize { cols: SIZE.0, rows: SIZE.1, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size)?;
    let mut reader = pair.master.try_clone_reader()?;
    let (sender, output) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(len @ 1..) = reader.read(&mut bytes) {
            sender.send((Instant::now(), bytes.get(..len).unwrap_or_default().to_vec())).ok();
        }
    });
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zarrscope"));
    command.arg(path);
    command.env("TERM", "xterm-256color");
    let began = Instant::now();
    let mut child = pair.slave.spawn_command(command)?;
    drop(pair.slave);
    let mut screen = vt100::Parser::new(ROWS, COLUMNS, 0);
    let frame = loop {
        let (at, bytes) = output.recv_timeout(Duration::from_secs(60))?;
        screen.process(&bytes);
        if screen.screen().alternate_screen() && !screen.screen().contents().trim().is_empty() {
            break at - began;
        }
    };
    let process = child.process_id().unwrap_or(0).to_string();
    let cost = if idle { idle_cost(&process) } else { 0.0 };
    let peak = peak(&process);
    pair.master.take_writer()?.write_all(b"\x03")?;
    child.wait()?;
    Ok(Start { frame: frame.as_secs_f64() * 1e3, idle: cost, peak })
}

/// Processor time that `process` takes while nothing happens, in milliseconds.
fn idle_cost(process: &str) -> f64 {
    let deadline = Instant::now() + Duration::from_secs(30);
    // A long listing goes on behind the first frame: only after it is a program idle that is not at work.
    loop {
        let before = cpu(process);
        thread::sleep(Duration::from_millis(300));
        if cpu(process) <= before || Instant::now() > deadline {
            break;
        }
    }
    let before = cpu(process);
    thread::sleep(Duration::from_millis(500));
    (cpu(process) - before) * 1e3
}
