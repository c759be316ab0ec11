//! The progress of a long command, on stderr if that is a terminal.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

/// The time between two drawings of the line, and how long a command runs before the first.
const EVERY: Duration = Duration::from_millis(100);

/// A line that says how far something has come. It draws nothing in a pipe, and goes when it is dropped.
pub(super) struct Progress {
    shown: bool,
    total: u64,
    done: u64,
    unit: &'static str,
    started: Instant,
    drawn: Option<Instant>,
}

impl Progress {
    /// For `total` of `unit`, of which 0 are done; a `total` of 0 is unknown.
    pub(super) fn new(total: u64, unit: &'static str) -> Self {
        let shown = io::stderr().is_terminal();
        Self { shown, total, done: 0, unit, started: Instant::now(), drawn: None }
    }

    /// That many more are done.
    pub(super) fn advance(&mut self, by: u64) {
        self.reach(self.done + by);
    }

    /// That many are done in all.
    pub(super) fn reach(&mut self, done: u64) {
        self.done = done;
        if self.shown && self.drawn.unwrap_or(self.started).elapsed() >= EVERY {
            self.drawn = Some(Instant::now());
            // Nobody is there to be told that stderr failed.
            let _ = write!(io::stderr(), "\r{}\x1b[K", self.text());
        }
    }

    fn text(&self) -> String {
        const WIDTH: u64 = 30;
        let spent = self.started.elapsed();
        let elapsed = spent.as_secs().max(1);
        let rate = format!("{} {}/s", self.done / elapsed, self.unit);
        if self.total == 0 {
            return format!("{} {}  {rate}", self.done, self.unit);
        }
        let part = u128::from(self.done.min(self.total));
        let of = |whole: u64| {
            u64::try_from(part * u128::from(whole) / u128::from(self.total)).unwrap_or(whole)
        };
        let bar: String = (0..WIDTH).map(|at| if at < of(WIDTH) { '#' } else { '-' }).collect();
        let rest = u128::from(self.total.saturating_sub(self.done)) * spent.as_millis();
        let left = rest.checked_div(part * 1000).filter(|&seconds| seconds > 1);
        let left = left.map_or_else(String::new, |seconds| format!("  {seconds} s left"));
        format!("[{bar}] {:>3} %  {rate}{left}", of(100))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_says_how_far_it_has_come() {
        let mut progress = Progress::new(200, "elements");
        progress.reach(50);
        assert_eq!(progress.text(), "[#######-----------------------]  25 %  50 elements/s");
        progress.started -= Duration::from_secs(10);
        assert_eq!(
            progress.text(),
            "[#######-----------------------]  25 %  5 elements/s  30 s left"
        );
        let mut unknown = Progress::new(0, "chunks");
        unknown.reach(7);
        assert_eq!(unknown.text(), "7 chunks  7 chunks/s");
    }
}
