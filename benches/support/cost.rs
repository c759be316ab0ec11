//! The cost of reading a whole array in a process of its own, which reports it.

use super::measure::{cpu, median, peak};
use std::time::Instant;

/// The cost of one run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// Seconds on the clock.
    pub(crate) wall: f64,
    /// Seconds of processor time, on all cores together, in steps of 10 ms.
    pub(crate) cpu: f64,
    /// The most memory that the process ever held, in MiB.
    pub(crate) peak: f64,
}

impl Cost {
    /// The cost of `work` for this process.
    pub(crate) fn of(work: impl FnOnce()) -> Self {
        let (before, start) = (cpu("self"), Instant::now());
        work();
        let wall = start.elapsed().as_secs_f64();
        Self { wall, cpu: cpu("self") - before, peak: peak("self") }
    }

    /// Reads what [`Self::line`] wrote.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let mut numbers = line.split_whitespace().map(str::parse);
        let mut next = || numbers.next()?.ok();
        Some(Self { wall: next()?, cpu: next()?, peak: next()? })
    }

    /// The cost as a line for the process that asked.
    pub(crate) fn line(&self) -> String {
        format!("{} {} {}", self.wall, self.cpu, self.peak)
    }

    /// The middle of each figure; `None` of nothing.
    pub(crate) fn median(costs: &[Self]) -> Option<Self> {
        let pick = |figure: fn(&Self) -> f64| median(costs.iter().map(figure).collect());
        Some(Self {
            wall: pick(|cost| cost.wall)?,
            cpu: pick(|cost| cost.cpu)?,
            peak: pick(|cost| cost.peak)?,
        })
    }
}
