//! Signals: what ends the program gives everything back first; what stops it, stops it when it is ready.

use super::output_file;
use super::prelude::*;
use rustix::{
    stdio::{stderr, stdin, stdout},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};
use signal_hook::{
    consts::{
        SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1,
        SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    },
    flag,
    iterator::Signals,
    low_level::{emulate_default_handler, exit},
};
use std::sync::atomic::{AtomicBool, Ordering};

/// The signals that are answered. Batch systems warn with some of them that the time is up; limits of the shell send
/// others.
const ANSWERED: [i32; 12] = [
    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
    SIGPROF, SIGXCPU,
];

/// The time that cleaning up may take: a terminal that is stuck must not keep the program alive.
const GRACE: Duration = Duration::from_secs(1);

/// A signal that the program may answer in its own way.
#[derive(Clone, Copy)]
pub enum Signal {
    /// Ctrl-c or Ctrl-\\ in a terminal that makes signals of them.
    Interrupt,
    /// The program is to stop until it is continued.
    Stop,
    /// The program was stopped, and runs again.
    Continue,
}

/// Starts the thread that answers signals. `answer` may deal with a [`Signal`] and give `true`; any other signal ends
/// or stops the program as the system would have done, after `restore`.
///
/// Signals that were ignored when the program started (`nohup`) stay ignored.
///
/// # Errors
///
/// If the system refuses.
pub fn watch(restore: fn(), answer: impl Fn(Signal) -> bool + Send + 'static) -> io::Result<()> {
    let ignored = ignored();
    let wanted = ANSWERED.into_iter().filter(|signal| ignored & 1 << (signal - 1) == 0);
    let mut signals = Signals::new(wanted)?;
    let answers = move || {
        for signal in signals.forever() {
            let dealt_with = match signal {
                SIGINT | SIGQUIT => answer(Signal::Interrupt),
                SIGTSTP => answer(Signal::Stop),
                SIGCONT => {
                    answer(Signal::Continue);
                    true
                }
                _ => false,
            };
            match signal {
                _ if dealt_with => {}
                SIGTSTP => stop(),
                _ => end(signal, restore),
            }
        }
    };
    thread::Builder::new().name("zarrscope signals".into()).spawn(answers).map(drop)
}

/// Lets a write past the limit for the size of a file (`ulimit -f`) be an error, as a write to a full disk is, and not
/// the end of the program.
///
/// # Errors
///
/// If the system refuses.
pub fn size_limit_is_an_error() -> io::Result<()> {
    // Whether the signal came is told by the write.
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}

/// Stops the program until it is continued.
pub fn stop() {
    emulate_default_handler(SIGTSTP).ok();
}

/// Makes the terminal give each key as it is pressed, Ctrl-c among them, whoever has set it otherwise. The modes that
/// are given back in the end stay those of the start.
///
/// # Errors
///
/// If the system refuses. Without a terminal as standard input there is nothing to do.
pub fn keys_are_no_signals() -> io::Result<()> {
    let Ok(mut modes) = tcgetattr(stdin()) else { return Ok(()) };
    modes.make_raw();
    Ok(tcsetattr(stdin(), OptionalActions::Now, &modes)?)
}

/// Ends the program as `signal` does, with nothing left behind.
fn end(signal: i32, restore: fn()) {
    thread::spawn(move || {
        thread::sleep(GRACE);
        emulate_default_handler(signal)
    });
    output_file::discard_unfinished();
    restore();
    emulate_default_handler(signal).ok();
}

/// Gives the terminal back before SIGABRT ends the program, for want of memory for example: while `taken` holds,
/// `sequence` and `words` are written to it and its modes are again what they are now.
///
/// # Errors
///
/// If standard input is no terminal, or the system refuses.
#[expect(
    unsafe_code,
    reason = "between an abort and the end of the program only a signal handler runs"
)]
pub fn before_abort(
    taken: &'static AtomicBool,
    sequence: &'static str,
    words: &'static str,
) -> io::Result<()> {
    let modes = tcgetattr(stdin())?;
    let restore = move || {
        if taken.swap(false, Ordering::SeqCst) {
            rustix::io::write(stdout(), sequence.as_bytes()).ok();
            rustix::io::write(stderr(), words.as_bytes()).ok();
            tcsetattr(stdin(), OptionalActions::Now, &modes).ok();
        }
        // An abort would end the program anyway; a signal from outside would not.
        emulate_default_handler(SIGABRT).ok();
    };
    // SAFETY: a signal handler may make system calls, and these are some on data that are there already.
    unsafe { signal_hook::low_level::register(SIGABRT, restore) }.map(drop)
}

/// Ends the program with the exit code `code` and `words` in the place of an abort, to which the want of memory leads
/// where nobody could refuse what takes it.
///
/// # Errors
///
/// If the system refuses.
#[expect(
    unsafe_code,
    reason = "between an abort and the end of the program only a signal handler runs"
)]
pub fn end_on_abort(code: i32, words: &'static str) -> io::Result<()> {
    let end = move || {
        rustix::io::write(stderr(), words.as_bytes()).ok();
        exit(code);
    };
    // SAFETY: a signal handler may make system calls, and these are two, one of which ends the program at once.
    unsafe { signal_hook::low_level::register(SIGABRT, end) }.map(drop)
}

/// The signals that are ignored, a bit each, as far as the system tells.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
