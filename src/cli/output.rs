//! The output of a command: stdout with or without colour, and stderr for words.

use super::prelude::*;
use super::{ColorChoice, Global};
use crate::{
    worker::{output_file::OutputFile, signals},
    zarr::{budget::Memory, signs::in_ascii},
};
use std::{fmt::Display, sync::OnceLock};
use unicode_width::UnicodeWidthStr;

/// The role of a piece of text, which decides its colour.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    /// Text that the eye looks for: names, titles.
    Strong,
    /// Text that may be overlooked: rules, units, labels.
    Quiet,
    /// Something is wrong.
    Error,
    /// Something may be read otherwise.
    Warning,
    /// Something is as it should be.
    Good,
}

impl Role {
    /// The parameters of the terminal's "select graphic rendition".
    fn rendition(self) -> &'static str {
        match self {
            Self::Strong => "1",
            Self::Quiet => "2",
            Self::Error => "31",
            Self::Warning => "33",
            Self::Good => "32",
        }
    }
}

/// The output of a command's data, and its look.
pub(crate) struct Output {
    out: Box<dyn Write>,
    color: bool,
    color_choice: ColorChoice,
    ascii: bool,
    max_decoded: u64,
    max_memory: Option<u64>,
    /// Looked up when something is decoded first: most commands decode nothing.
    memory: OnceLock<Arc<Memory>>,
}

impl Output {
    /// `out` in the place of the standard output, as the global options want it.
    pub(crate) fn new(global: &Global, out: Box<dyn Write>) -> Self {
        let color = match global.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => io::stdout().is_terminal() && !no_color(),
        };
        Self {
            out,
            color,
            color_choice: global.color,
            ascii: global.ascii,
            max_decoded: global.max_decoded,
            max_memory: global.max_memory,
            memory: OnceLock::new(),
        }
    }

    /// True if there is colour.
    pub(crate) fn color(&self) -> bool {
        self.color
    }

    /// True if colour was turned off by hand; for files, which are no terminal.
    pub(crate) fn refuses_color(&self) -> bool {
        self.color_choice == ColorChoice::Never || no_color()
    }

    /// True if only ASCII characters may be drawn.
    pub(crate) fn ascii(&self) -> bool {
        self.ascii
    }

    /// The number of bytes a stage may give where nothing is promised.
    pub(crate) fn max_decoded(&self) -> u64 {
        // No output is larger than everything together may be.
        self.max_decoded.min(self.memory().most())
    }

    /// The same as it was asked for, whatever the memory of this machine.
    pub(crate) fn limit_given(&self) -> u64 {
        self.max_decoded
    }

    /// The memory that all threads together may take for decoded data.
    pub(crate) fn memory(&self) -> Arc<Memory> {
        let most = || self.max_memory.unwrap_or_else(|| machine_memory() / 4);
        Arc::clone(self.memory.get_or_init(|| Arc::new(Memory::new(most()))))
    }

    /// The writer itself, for data that is no text.
    pub(crate) fn raw(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// One line of text.
    pub(crate) fn line(&mut self, text: &str) -> Printed {
        if self.ascii && !text.is_ascii() {
            self.out.write_all(in_ascii(text).as_bytes())?;
        } else {
            self.out.write_all(text.as_bytes())?;
        }
        self.out.write_all(b"\n")
    }

    /// A text over as many lines as it takes, `head` in the colour of `role` before the first of them. What a no-break
    /// space joins stays on one line.
    pub(crate) fn headed(&mut self, head: &str, role: Option<Role>, text: &str) -> Printed {
        let blank = " ".repeat(head.width());
        let first = role.map_or_else(|| head.to_owned(), |role| self.paint(role, head));
        let heads = std::iter::once(first).chain(std::iter::repeat(blank));
        let lines = words::wrap(text, width().saturating_sub(head.width()));
        heads.zip(lines).try_for_each(|(head, line)| {
            self.line(&format!("{head}{}", line.replace('\u{a0}', " ")))
        })
    }

    /// Lines that somebody may run: as they are, whatever the terminal can show.
    pub(crate) fn script(&mut self, script: &ShellScript) -> Printed {
        writeln!(self.out, "{script}")
    }

    /// A JSON document over several lines.
    pub(crate) fn json(&mut self, value: &Json) -> Printed {
        const SHORT: usize = 80;
        writeln!(self.out, "{}", value.to_lines(SHORT))
    }

    /// A JSON document on a line of its own.
    pub(crate) fn json_line(&mut self, value: &Json) -> Printed {
        writeln!(self.out, "{}", value.to_line())
    }

    /// `text` in the colour of `role`, where there is colour. Its width stays what it is.
    pub(crate) fn paint(&self, role: Role, text: &str) -> String {
        if self.color && !text.is_empty() {
            format!("\x1b[{}m{text}\x1b[0m", role.rendition())
        } else {
            text.to_owned()
        }
    }

    /// Sends on what is still held back.
    pub(crate) fn flush(&mut self) -> Printed {
        self.out.flush()
    }
}

fn no_color() -> bool {
    env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// A line on stderr, made safe. Where stderr is closed, nobody wanted it.
pub(crate) fn complain(text: &(impl Display + ?Sized)) {
    let _ = writeln!(io::stderr(), "zarrscope: {}", safe_text(text));
}

/// The file that `--output` names, outside the store at `store`.
pub(crate) fn file(path: &Path, store: &Path, force: bool) -> Result<OutputFile, Failure> {
    #[cfg(unix)]
    signals::watch(|| (), |_| false)?;
    OutputFile::create(path, store, force).map_err(|error| {
        let exists = !force && error.code == Code::CannotWrite && path.symlink_metadata().is_ok();
        if exists { error.with_fix("--force replaces it.") } else { error }.into()
    })
}

/// The number of columns a text may take: those of the terminal, or 120 in a pipe, so that the same command gives the
/// same bytes everywhere.
pub(crate) fn width() -> usize {
    const IN_A_PIPE: usize = 120;
    if !io::stdout().is_terminal() {
        return IN_A_PIPE;
    }
    crossterm::terminal::size().map_or(IN_A_PIPE, |(columns, _)| usize::from(columns))
}

/// The memory of the machine in bytes, or of the container that this runs in; where the system does not tell it, as
/// much as every machine has today.
fn machine_memory() -> u64 {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    let number = |text: &str| text.split_whitespace().find_map(|word| word.parse::<u64>().ok());
    let all = number(read("/proc/meminfo").lines().next().unwrap_or_default());
    let all = all.map_or(4 << 30, |kibibytes| kibibytes << 10);
    let of_group = number(&read("/sys/fs/cgroup/memory.max"));
    // What a process may have is a limit too (`ulimit -v`), and nobody can take half of it for one thing.
    let of_process = address_space(&read("/proc/self/limits"));
    [of_group, of_process].into_iter().flatten().fold(all, u64::min)
}

/// The soft limit of a process's address space in bytes, in the text that Linux has of its limits; `None` for none.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::address_space;

    #[test]
    fn the_limit_of_a_process_is_read() {
        let text = "Limit      Soft Limit  Hard Limit  Units\nMax data size  unlimited  unlimited  bytes\n\
                    Max address space         409600000            unlimited            bytes\n";
        assert_eq!(address_space(text), Some(409_600_000));
        assert_eq!(address_space(&text.replace("409600000", "unlimited")), None);
        assert_eq!(address_space(""), None);
    }
}
