//! The standing guard: damaged stores and damaged text, read by everything that reads, for as long as it is told.
//!
//!     cargo run --profile fuzz --example mutate -- SECONDS [SEED [SLOWEST]]
//!     cargo run --profile fuzz --example mutate -- 0 SEED
//!
//! The profile checks arithmetic for overflow. Each input follows from its seed alone; the second form does one again.
//! The inputs are done by one process a core, so that an abort ends no more than its own input: it is counted, and the
//! next process goes on after it. In the end stand the number of inputs, of crashes and of overflows, the slowest input
//! and the most memory that a process took. Time is that of the processor, on all threads together: what else the machine
//! has to do does not count. The exit code is 1 if there were crashes, an input took longer than SLOWEST seconds (2 if it
//! is not given), or a process took more than 512 MiB.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use clap::Parser;
use std::{
    collections::BTreeMap,
    env, fs,
    io::{self, BufRead, BufReader, Write},
    os::unix::fs::FileExt,
    panic,
    path::Path,
    process::{Child, Command, ExitCode, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};
use zarrscope::cli::{self, Cli};

#[path = "../tests/it/mutations/commands.rs"]
mod commands;
#[path = "../tests/it/mutations/damage.rs"]
mod damage;
#[path = "../tests/it/mutations/inputs.rs"]
mod inputs;
#[path = "../tests/it/mutations/library.rs"]
mod library;
#[path = "../tests/it/page_blocks.rs"]
mod page_blocks;
#[path = "../tests/it/mutations/screens.rs"]
mod screens;
#[path = "../tests/it/mutations/sources.rs"]
mod sources;

/// The most memory that a process may take, in KiB.
const MOST_MEMORY: u64 = 512 << 10;
/// What a process takes before it is ended: the machine has other things to do.
const TOO_MUCH_MEMORY: u64 = 3 << 20;
/// What is kept of the output of a command, in bytes.
const MOST_PRINTED: usize = 1 << 20;
/// How long an input may take before its process is ended, on a machine that has other things to do as well.
const HANGING: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    if let [word, rest @ ..] = words.as_slice()
        && word == "--worker"
    {
        worker(rest);
        return ExitCode::SUCCESS;
    }
    let numbers: Result<Vec<u64>, _> = words.iter().map(|word| word.parse()).collect();
    match numbers.as_deref() {
        Ok([0, seed]) => one(*seed),
        Ok([seconds]) => guard(*seconds, 1, 2),
        Ok([seconds, seed]) => guard(*seconds, *seed, 2),
        Ok([seconds, seed, slowest]) => guard(*seconds, *seed, *slowest),
        _ => {
            eprintln!("mutate SECONDS [SEED [SLOWEST]]; mutate 0 SEED");
            ExitCode::from(2)
        }
    }
}

/// What a command of the program prints; it panics where the command does.
fn command(words: &[String]) -> Vec<u8> {
    let program = ["zarrscope".to_owned()];
    let Ok(cli) = Cli::try_parse_from(program.iter().chain(words)) else { return Vec::new() };
    let printed = Printed::default();
    let _ = cli::run_into(&cli, Box::new(printed.clone()));
    let bytes = printed.0.lock().unwrap();
    bytes.clone()
}

#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Vec<u8>>>);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut printed = self.0.lock().unwrap();
        // What is printed is no memory of the program.
        if printed.len() < MOST_PRINTED {
            printed.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Does one input in this process.
fn one(seed: u64) -> ExitCode {
    let sources = sources::Sources::new(command);
    let before = memory("self", "VmHWM:").unwrap_or_default();
    let outcome = inputs::input(&sources, seed);
    let after = memory("self", "VmHWM:").unwrap_or_default();
    println!(
        "seed {seed}, {}: {:?}, {} MiB, before {}",
        outcome.kind,
        outcome.elapsed,
        after >> 10,
        before >> 10
    );
    ExitCode::from(u8::from(outcome.panic.is_some()))
}

/// Does every so-manieth input until it is time, and says what is remarkable on stdout. The seed that it is at stands
/// in a file, for the case that it does not come to its end.
fn worker(words: &[String]) {
    let [state, seed, step, milliseconds] = words else { return };
    let number = |text: &String| text.parse::<u64>().unwrap();
    let end = Instant::now() + Duration::from_millis(number(milliseconds));
    let state = fs::OpenOptions::new().write(true).open(state).unwrap();
    // What writes without being asked to writes here.
    let folder = tempfile::tempdir().unwrap();
    env::set_current_dir(&folder).unwrap();
    panic::set_hook(Box::new(|panic| println!("panic {}", panic.to_string().replace('\n', " "))));
    let sources = sources::Sources::new(command);
    let (mut kinds, mut most) = (BTreeMap::<&str, [u128; 3]>::new(), 0);
    let mut seed = number(seed);
    while Instant::now() < end {
        state.write_all_at(&seed.to_le_bytes(), 0).unwrap();
        let before = processor_time();
        let outcome = inputs::input(&sources, seed);
        // The processor is told in steps of 10 ms.
        let spent = processor_time().saturating_sub(before) + Duration::from_millis(10);
        let took = outcome.elapsed.min(spent).as_micros();
        let of_kind = kinds.entry(outcome.kind).or_default();
        *of_kind = [of_kind[0] + 1, of_kind[1] + took, of_kind[2].max(took)];
        if let Some(words) = &outcome.panic {
            let what = if words.contains("overflow") { "overflow" } else { "crash" };
            println!("{what} seed {seed}, {}: {}", outcome.kind, words.replace('\n', " "));
        }
        if took > 100_000 {
            println!("slow {took} {seed} {}", outcome.kind);
        }
        let peak = if took > 2000 { memory("self", "VmHWM:").unwrap_or_default() } else { 0 };
        if peak > most + (16 << 10) {
            most = peak;
            println!("memory seed {seed}, {}: {} MiB", outcome.kind, peak >> 10);
        }
        seed += number(step);
    }
    for (kind, [count, all, slowest]) in kinds {
        println!("kind {count} {all} {slowest} {kind}");
    }
    env::set_current_dir("/").unwrap();
}

/// The processor time that this process has taken so far, on all threads.
fn processor_time() -> Duration {
    let line = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = line.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    Duration::from_millis(10 * ticks.filter_map(|it| it.parse::<u64>().ok()).sum::<u64>())
}

/// A line of `/proc/…/status`, in KiB, where the system tells it.
fn memory(process: &str, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// What all processes have said.
#[derive(Default)]
struct Report {
    inputs: u64,
    crashes: u64,
    overflows: u64,
    /// The slowest input: microseconds, seed and kind.
    slowest: (u64, String),
    /// The most memory that a process took, in KiB.
    peak: u64,
    /// Of each kind: inputs, microseconds, the slowest.
    kinds: BTreeMap<String, [u64; 3]>,
}

impl Report {
    /// Takes in a line of a worker.
    fn take(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers: Vec<u64> = rest.split(' ').map_while(|word| word.parse().ok()).collect();
        match (word, numbers.as_slice()) {
            ("slow", [took, _]) if *took > self.slowest.0 => {
                let what = rest.split_once(' ').unwrap_or_default().1.to_owned();
                if *took > 1_000_000 {
                    println!("slow: {} ms, seed {what}", took / 1000);
                }
                self.slowest = (*took, what);
            }
            ("slow", _) => {}
            ("kind", &[count, all, slowest]) => {
                let name = rest.splitn(4, ' ').last().unwrap_or_default();
                let kind = self.kinds.entry(name.to_owned()).or_default();
                *kind = [kind[0] + count, kind[1] + all, kind[2].max(slowest)];
            }
            _ => {
                self.crashes += u64::from(word == "crash");
                self.overflows += u64::from(word == "overflow");
                println!("{line}");
            }
        }
    }

    fn print(&self, seconds: u64, slowest: u64) -> ExitCode {
        for (name, [count, all, slowest]) in &self.kinds {
            let (mean, count, slowest) = (all / count.max(&1), count, slowest / 1000);
            println!("{name:<12} {count:>9} inputs, {mean:>7} µs each, at most {slowest:>5} ms");
        }
        let (took, what) = &self.slowest;
        println!(
            "{} inputs in {seconds} s, {} crashes, {} overflows, slowest {} ms (seed {what}), at most {} MiB",
            self.inputs,
            self.crashes,
            self.overflows,
            took / 1000,
            self.peak >> 10
        );
        let is_fine = self.crashes + self.overflows == 0
            && *took < slowest * 1_000_000
            && self.peak < MOST_MEMORY;
        ExitCode::from(u8::from(!is_fine))
    }
}

/// Lets a process a core do inputs, and looks after them.
fn guard(seconds: u64, seed: u64, slowest: u64) -> ExitCode {
    let end = Instant::now() + Duration::from_secs(seconds);
    let step = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let report = Mutex::new(Report::default());
    thread::scope(|scope| {
        for number in 0..step {
            let report = &report;
            scope.spawn(move || {
                let mut next = seed + number;
                while Instant::now() < end {
                    let last = attend((next, step), end, report);
                    report.lock().unwrap().inputs += (last - next) / step + 1;
                    next = last + step;
                }
            });
        }
    });
    report.into_inner().unwrap().print(seconds, slowest)
}

/// Starts a process that does every `step`th input from `first` on, and gives the last that it has begun.
fn attend((first, step): (u64, u64), end: Instant, report: &Mutex<Report>) -> u64 {
    let state = tempfile::NamedTempFile::new().unwrap();
    fs::write(state.path(), first.to_le_bytes()).unwrap();
    let milliseconds = end.saturating_duration_since(Instant::now()).as_millis();
    let mut child = Command::new(env::current_exe().unwrap())
        .arg("--worker")
        .arg(state.path())
        .args([first, step].map(|number| number.to_string()))
        .arg(milliseconds.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = BufReader::new(child.stdout.take().unwrap());
    let why = thread::scope(|scope| {
        scope.spawn(|| {
            said.lines().map_while(Result::ok).for_each(|line| report.lock().unwrap().take(&line));
        });
        watch(&mut child, state.path(), report)
    });
    let last = at(state.path());
    if let Some(why) = why {
        report.lock().unwrap().take(&format!("crash seed {last}, {}: {why}", inputs::kind(last)));
    }
    last
}

/// The seed that a worker is at.
fn at(state: &Path) -> u64 {
    let bytes = fs::read(state).unwrap();
    u64::from_le_bytes(bytes.try_into().unwrap_or_default())
}

/// Waits for the end of a worker, and ends it where it hangs or takes all the memory. `None` if it has come to its end.
fn watch(child: &mut Child, state: &Path, report: &Mutex<Report>) -> Option<String> {
    let id = child.id().to_string();
    let (mut last, mut since) = (at(state), Instant::now());
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return (!status.success()).then(|| status.to_string());
        }
        let peak = memory(&id, "VmHWM:").unwrap_or_default();
        let mut told = report.lock().unwrap();
        told.peak = told.peak.max(peak);
        drop(told);
        let now = at(state);
        if now != last {
            (last, since) = (now, Instant::now());
        }
        let takes_all = memory(&id, "VmRSS:").unwrap_or_default() > TOO_MUCH_MEMORY;
        if takes_all || since.elapsed() > HANGING {
            child.kill().unwrap();
            child.wait().unwrap();
            return Some(if takes_all { "took all memory" } else { "hangs" }.to_owned());
        }
        thread::sleep(Duration::from_millis(50));
    }
}
