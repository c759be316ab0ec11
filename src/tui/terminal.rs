//! The terminal, taken and given back: on leaving, on an error, on a panic.

use super::links::{self, SectionLink};
use super::prelude::*;
use crate::worker::THREAD_NAME;
#[cfg(unix)]
use crate::worker::signals;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ratatui::{
    Frame, Terminal,
    backend::CrosstermBackend,
    crossterm::{
        cursor::Show,
        event::{
            DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
        },
        execute,
        style::Print,
        terminal::{
            Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, SetTitle,
            disable_raw_mode, enable_raw_mode,
        },
    },
};
use std::{
    env,
    io::{self, Stdout, Write},
    panic, process,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// A terminal that is given back when this goes.
pub struct Tty {
    /// The terminal that is drawn on.
    pub terminal: Terminal<CrosstermBackend<Stdout>>,
    mouse: bool,
    title: String,
    /// The links of the last frame.
    links: Vec<SectionLink>,
}

impl Tty {
    /// Takes the terminal: its other screen, each key as it comes, the mouse if it is wanted. A panic on any thread
    /// but a worker's gives it back first.
    ///
    /// # Errors
    ///
    /// If there is no terminal, or it refuses.
    pub fn take(mouse: bool) -> io::Result<Self> {
        give_back_on_panic();
        #[cfg(unix)]
        signals::before_abort(&TAKEN, GIVE_BACK, LAST_WORDS).ok();
        enter(mouse)?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(Self { terminal, mouse, title: String::new(), links: Vec::new() })
    }

    /// Names the terminal's window; the name it had comes back when the terminal is given back.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be written to. Whether it has a title, it does not say.
    pub fn name(&mut self, title: &str) -> io::Result<()> {
        self.title = safe_owned(title);
        execute!(io::stdout(), SetTitle(&self.title))
    }

    /// Gives the terminal to `other` and takes it again afterwards.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be taken again.
    pub fn lend<T>(&mut self, other: impl FnOnce() -> T) -> io::Result<T> {
        leave();
        let result = other();
        enter(self.mouse)?;
        self.dress()?;
        Ok(result)
    }

    /// Takes again what somebody may have changed while the program was stopped. Nothing is given back meanwhile: a key
    /// pressed now is a key, and no signal.
    ///
    /// # Errors
    ///
    /// If the terminal refuses.
    pub fn retake(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        signals::keys_are_no_signals()?;
        take_screen(self.mouse)?;
        self.dress()
    }

    /// Names the window, and lets the next frame be drawn whole.
    fn dress(&mut self) -> io::Result<()> {
        execute!(io::stdout(), SetTitle(&self.title))?;
        self.forget()
    }

    /// Lets the next frame be drawn whole, whatever is on the screen now.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be written to.
    pub fn forget(&mut self) -> io::Result<()> {
        // Not `Terminal::clear`: that asks the terminal for its cursor, and some never answer.
        execute!(io::stdout(), Clear(ClearType::All))?;
        self.terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        self.links.clear();
        Ok(())
    }

    /// Draws a frame, and gives its area. What it names of the specifications becomes links.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be written to.
    pub fn draw(&mut self, view: impl FnOnce(&mut Frame)) -> io::Result<Rect> {
        let frame = self.terminal.draw(view)?;
        let (area, links) = (frame.area, links::on(frame.buffer));
        if links != self.links {
            // The console of Linux prints what it does not know.
            if env::var_os("TERM").is_none_or(|name| name != "linux") {
                links::write(self.terminal.backend_mut(), &links)?;
            }
            self.links = links;
        }
        Ok(area)
    }

    /// Sends `text` to the terminal's clipboard (OSC 52), through tmux where that is around.
    ///
    /// # Errors
    ///
    /// If the terminal cannot be written to. Whether it took the text, it does not say.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let sequence = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
        let sequence = if env::var_os("TMUX").is_some() {
            format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
        } else {
            sequence
        };
        let mut out = io::stdout();
        out.write_all(sequence.as_bytes())?;
        out.flush()
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        leave();
    }
}

/// True if the terminal is taken. Leaving twice would put the cursor back to where it was at first, and what is written
/// next, over the words of a panic.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Tells a terminal that knows of text from right to left to leave the cells where they are put (ECMA-48, BDSM): names
/// and values of a store must not change their columns.
const EXPLICIT_ORDER: &str = "\x1b[8l";
/// Tells it to order them again as it likes.
const IMPLICIT_ORDER: &str = "\x1b[8h";

/// Lets the terminal remember the title of its window, and have it again (xterm's window operations 22 and 23).
const KEEP_TITLE: &str = "\x1b[22;2t";
const FORMER_TITLE: &str = "\x1b[23;2t";

/// The words of an abort, which were on the screen that is gone.
#[cfg(unix)]
const LAST_WORDS: &str = "zarrscope was aborted: out of memory, or a bug in zarrscope.\r\n";

/// The bytes that [`leave`] writes, for a signal handler that can make no text.
#[cfg(unix)]
const GIVE_BACK: &str = "\x1b[8h\x1b[23;2t\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[?1049l\x1b[?25h";

fn enter(mouse: bool) -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), Print(KEEP_TITLE))?;
    take_screen(mouse)
}

/// The other screen, and what of the terminal is set there.
fn take_screen(mouse: bool) -> io::Result<()> {
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Print(EXPLICIT_ORDER))?;
    if mouse {
        execute!(io::stdout(), EnableMouseCapture)?;
    }
    Ok(())
}

/// Gives the terminal back as far as it will be given: there is nobody to tell where it fails.
fn leave() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    execute!(
        io::stdout(),
        Print(IMPLICIT_ORDER),
        Print(FORMER_TITLE),
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    )
    .ok();
    disable_raw_mode().ok();
}

/// Gives the terminal back before the program is ended by a signal: from here on no other thread draws.
pub fn leave_for_good() {
    let out = io::stdout().lock();
    leave();
    mem::forget(out);
}

/// True if the terminal is taken, and not lent to somebody.
pub fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// A panic of a worker is an answer on the screen; any other ends the program, and must be readable.
fn give_back_on_panic() {
    /// The exit code of a program whose main thread panicked.
    const PANICKED: i32 = 101;
    let before = panic::take_hook();
    let main = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() == Some(THREAD_NAME) {
            return;
        }
        leave();
        before(info);
        // The main thread might wait forever for the one that is lost.
        if thread::current().id() != main {
            process::exit(PANICKED);
        }
    }));
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use ratatui::crossterm::Command;

    #[test]
    fn an_abort_says_what_leaving_says() {
        let mut said = [IMPLICIT_ORDER, FORMER_TITLE].concat();
        DisableMouseCapture.write_ansi(&mut said).unwrap();
        DisableBracketedPaste.write_ansi(&mut said).unwrap();
        LeaveAlternateScreen.write_ansi(&mut said).unwrap();
        Show.write_ansi(&mut said).unwrap();
        assert_eq!(GIVE_BACK, said);
    }
}
