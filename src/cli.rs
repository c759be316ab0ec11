//! The command line: every view as a plain command for scripts and pipes.
//!
//! Each subcommand is a file with its arguments and a `run` that writes to an `Output` and gives an `ExitStatus`.
//! Data goes to stdout, words about it to stderr. Exit codes: 0 fine; 1 done, but something could not be read or is
//! wrong; 2 could not do it. A closed pipe ends quietly.

use crate::zarr::{Code, Error};
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

mod check;
mod chunk;
mod chunk_file;
mod document;
mod dtype;
mod elements;
mod endian;
mod export;
mod info;
mod inspect;
mod json_forms;
mod keys;
mod open;
mod output;
mod packaging;
mod progress;
mod read_array;
mod shot;
mod table;
mod tree;
mod twins;
mod values;

use output::Output;

/// An interactive terminal inspector for Zarr stores.
///
/// Shows what a store really says: data types and fill values as V2 and V3 write them, side by side; chunks codec by
/// codec, as bytes and as values with one linked cursor; and which byte order the bytes look like. Stores are folders
/// or .zip files, and are never written to.
#[derive(Debug, Parser)]
#[command(
    version,
    override_usage = "zarrscope [OPTIONS] [PATH]\n       zarrscope [OPTIONS] <COMMAND>",
    max_term_width = 100,
    after_help = "Exit codes: 0 fine; 1 done, but something could not be read or is wrong; 2 could not do it."
)]
pub struct Cli {
    /// What to inspect.
    #[command(flatten)]
    pub inspect: inspect::Arguments,
    /// What to do instead of opening the inspector.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Global {
    /// When to use colour; the environment variable `NO_COLOR` turns `auto` off
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "auto|always|never", hide_possible_values = true)]
    pub color: ColorChoice,
    /// Draw with ASCII characters only
    #[arg(long, global = true, action = ArgAction::SetTrue)]
    pub ascii: bool,
    /// How many bytes one codec may give where shape and data type promise nothing, such as 500M or 2GiB
    #[arg(long, global = true, value_name = "BYTES", default_value = "1GiB", value_parser = byte_count)]
    pub max_decoded: u64,
    /// How many bytes all threads together may take for what they decode; without it, a quarter of the machine's memory
    #[arg(long, global = true, value_name = "BYTES", value_parser = byte_count)]
    pub max_memory: Option<u64>,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always, pipes included
    Always,
    /// Never
    Never,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the hierarchy of groups and arrays
    Tree(tree::Arguments),
    /// Print one node: data type in both forms, fill value, grid, codecs, problems
    Info(info::Arguments),
    /// Print the documents of a node as V2 or V3 writes them
    Document(document::Arguments),
    /// Print a data type and a fill value as V2 and V3 write them; without SPEC, every registered data type
    Dtype(dtype::Arguments),
    /// Print one chunk: its stages, its bytes and its values
    Chunk(chunk::Arguments),
    /// Print every element in C order, one a line, as the array's format writes a fill value
    Values(values::Arguments),
    /// Write an array or a chunk as a .npy file for NumPy
    Export(export::Arguments),
    /// Print the declared and the plausible byte order of arrays and chunk files
    Endian(endian::Arguments),
    /// Print everything that is wrong in a store
    Check(check::Arguments),
    /// Render a view of the inspector into a file, without a terminal
    Shot(shot::Arguments),
    /// Print every key of the inspector
    Keys(keys::Arguments),
    /// Print a completion script for a shell
    Completions(packaging::CompletionArguments),
    /// Print the manual page
    Man,
}

/// How a command that could be done went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// Exit code 0.
    Fine,
    /// Something could not be read or is wrong, as the output or stderr says. Exit code 1.
    Flawed,
    /// Nothing that was asked for could be done, as the output says. Exit code 2.
    Undone,
}

impl ExitStatus {
    /// Flawed where `flawed` holds.
    pub(crate) fn flawed_if(flawed: bool) -> Self {
        if flawed { Self::Flawed } else { Self::Fine }
    }

    /// The worse of both.
    pub(crate) fn and(self, other: Self) -> Self {
        if self == Self::Fine { other } else { self }
    }
}

/// Why a command could not be done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The library says why.
    Refused(Error),
    /// The output could not be written.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// What the `run` of a subcommand gives.
pub(crate) type Outcome = Result<ExitStatus, Failure>;

/// Does what the arguments say.
#[must_use]
pub fn run(cli: &Cli) -> ExitCode {
    let mut output = Output::stdout(&cli.global);
    let outcome = dispatch(cli, &mut output).and_then(|verdict| {
        output.flush()?;
        Ok(verdict)
    });
    match outcome {
        Ok(ExitStatus::Fine) => ExitCode::SUCCESS,
        Ok(ExitStatus::Flawed) => ExitCode::from(1),
        Ok(ExitStatus::Undone) => ExitCode::from(2),
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => {
            output::complain(&format!("the output could not be written: {error}"));
            ExitCode::from(2)
        }
        Err(Failure::Refused(error)) => {
            output::complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn dispatch(cli: &Cli, output: &mut Output) -> Outcome {
    if cli.command.is_some() && cli.inspect.is_used() {
        let error = Error::new(
            Code::PathBeforeCommand,
            "a PATH or an option of the inspector before the command",
            "the command first",
        );
        return Err(error.with_fix("Write `zarrscope tree PATH`.").into());
    }
    match &cli.command {
        None => inspect::run(&cli.inspect, output),
        Some(Command::Tree(arguments)) => tree::run(arguments, output),
        Some(Command::Info(arguments)) => info::run(arguments, output),
        Some(Command::Document(arguments)) => document::run(arguments, output),
        Some(Command::Dtype(arguments)) => dtype::run(arguments, output),
        Some(Command::Chunk(arguments)) => chunk::run(arguments, output),
        Some(Command::Values(arguments)) => values::run(arguments, output),
        Some(Command::Export(arguments)) => export::run(arguments, output),
        Some(Command::Endian(arguments)) => endian::run(arguments, output),
        Some(Command::Check(arguments)) => check::run(arguments, output),
        Some(Command::Shot(arguments)) => shot::run(arguments, output),
        Some(Command::Keys(arguments)) => keys::run(arguments, output),
        Some(Command::Completions(arguments)) => packaging::completions(arguments, output),
        Some(Command::Man) => packaging::man(output),
    }
}

/// The command with all subcommands, for completions, the manual page and the README.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Whether the inspector can be shown: both ends are a terminal.
#[must_use]
pub fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Bytes with an optional unit: `1000`, `500M`, `2GiB`. A bare letter counts in 1024s, as does `KiB`; `KB` in 1000s.
fn byte_count(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text.strip_prefix(digits).unwrap_or_default().trim().to_ascii_lowercase();
    let number: u64 = digits.parse().map_err(|error| format!("{error}: use 1000, 500M or 2GiB"))?;
    let base: u64 = if unit.len() == 2 && unit.ends_with('b') { 1000 } else { 1024 };
    let power = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(format!("unknown unit {unit:?}: use K, M, G, T, KiB, MB and the like")),
    };
    base.checked_pow(power)
        .and_then(|factor| number.checked_mul(factor))
        .ok_or_else(|| "more than 2^64 bytes".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn byte_counts_have_units() {
        assert_eq!(byte_count("12"), Ok(12));
        assert_eq!(byte_count("12B"), Ok(12));
        assert_eq!(byte_count("3K"), Ok(3 << 10));
        assert_eq!(byte_count("3kB"), Ok(3000));
        assert_eq!(byte_count("1GiB"), Ok(crate::zarr::budget::DEFAULT_LIMIT));
        assert!(byte_count("1x").is_err());
        assert!(byte_count("").is_err());
        assert!(byte_count("99999999T").is_err());
    }
}
