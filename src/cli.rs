//! The command line: every view as a plain command for scripts and pipes.
//!
//! Each subcommand is a file with its arguments and a `run` that writes to an `Output` and gives an `ExitStatus`.
//! Data goes to stdout, words about it to stderr. Exit codes: 0 fine; 1 done, but something could not be read or is
//! wrong; 2 could not do it. A closed pipe ends quietly.

#[cfg(unix)]
use crate::worker::signals;
use crate::zarr::{Code, Error, error::PAST_FILE_LIMIT, store::is_address, text::safe};
use clap::{
    ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    error::ErrorKind,
};
use std::{
    env,
    ffi::OsString,
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
    process::ExitCode,
};

mod bounded_lines;
mod check;
mod chunk;
mod chunk_file;
mod compare;
mod complete_nodes;
mod completion;
mod digest;
mod dtype;
mod elements;
mod endian;
mod explain;
mod export;
mod info;
mod inspect;
mod json_forms;
mod learn;
mod missing_to_xarray;
mod nearest;
mod open;
mod output;
mod packaging;
mod part_file;
mod partition;
mod prelude;
mod progress;
mod read_array;
mod remote;
mod shot;
mod stats;
mod stored_chunks;
mod table;
mod tree;
mod twins;

use output::Output;
use partition::Mergeable;

/// An interactive terminal inspector for Zarr stores, which are never written to.
#[derive(Debug, Parser)]
#[command(
    version = env!("ZARRSCOPE_VERSION"),
    override_usage = "zarrscope [OPTIONS] [PATH]\n       zarrscope [OPTIONS] <COMMAND>",
    max_term_width = 100,
    after_help = "Examples:\n  zarrscope store.zarr --at sst\n  zarrscope check store.zarr\n  zarrscope learn\nMore:  --help cluster (many machines), --help limits (memory), explain keys.\nExit codes: 0 success; 1 done, but something is wrong or could not be read; 2 failed."
)]
pub struct Cli {
    /// The place to inspect.
    #[command(flatten)]
    pub inspect: inspect::Arguments,
    /// The command to run instead of the inspector.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Global {
    /// Use colour; auto: on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "auto|always|never", hide_possible_values = true, hide_default_value = true)]
    pub color: ColorChoice,
    /// Draw with ASCII characters only
    #[arg(long, global = true, action = ArgAction::SetTrue)]
    pub ascii: bool,
    /// The most bytes one codec may decode if shape and data type give no size, such as 500M or 2GiB
    #[arg(long, global = true, value_name = "BYTES", default_value = "1GiB", value_parser = byte_count, env = "ZARRSCOPE_MAX_DECODED", hide = true)]
    pub max_decoded: u64,
    /// The most bytes that all threads together may use for decoding [default: a quarter of the memory]
    #[arg(long, global = true, value_name = "BYTES", value_parser = byte_count, env = "ZARRSCOPE_MAX_MEMORY", hide = true)]
    pub max_memory: Option<u64>,
    /// The way to stores that are far away.
    #[command(flatten)]
    pub remote: remote::RemoteFlags,
}

/// The use of colour.
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
    #[command(
        after_help = "Examples:\n  zarrscope tree store.zarr\n  zarrscope tree store.zip --depth 2 --json"
    )]
    Tree(tree::Arguments),
    /// Print one node: data type in both formats, fill value, chunk grid, codecs, problems
    #[command(
        after_help = "Examples:\n  zarrscope info store.zarr/sst\n  zarrscope info store.zarr/sst --document 2\n  zarrscope info store.zarr --readers"
    )]
    Info(info::Arguments),
    /// Print a data type and a fill value as V2 and V3 write them; without SPEC, all data types
    #[command(
        after_help = "Examples:\n  zarrscope dtype '>M8[10us]' --fill-value '\"NaT\"'\n  zarrscope dtype float32 --endian big --json\n  zarrscope dtype"
    )]
    Dtype(dtype::Arguments),
    /// Print one chunk: its stages, its bytes and its values
    #[command(
        after_help = "Examples:\n  zarrscope chunk store.zarr/sst c/1/2\n  zarrscope chunk store.zarr/sst 1,2 --stage 0 --hex\n  zarrscope chunk block.bin --dtype '<f4' --shape 90,180"
    )]
    Chunk(chunk::Arguments),
    /// Print every element in C order, one per line, as JSON; or write a .npy file for NumPy
    #[command(
        after_help = "Examples:\n  zarrscope export store.zarr/sst --chunk c/1/2\n  zarrscope export store.zarr/sst -o sst.npy"
    )]
    Export(export::Arguments),
    /// Print the declared and the plausible byte order of arrays and chunk files
    #[command(
        after_help = "Examples:\n  zarrscope endian store.zarr\n  zarrscope endian store.zarr/sst --why\n  zarrscope endian block.bin --dtype float64"
    )]
    Endian(endian::Arguments),
    /// Print every problem of a store
    #[command(
        after_help = "Examples:\n  zarrscope check store.zarr\n  zarrscope check store.zarr --metadata-only\n  zarrscope check store.zip --strict --json\n  zarrscope check s3://bucket/a.zarr s3://bucket/b.zarr\n\nOn many machines: zarrscope --help cluster"
    )]
    Check(check::Arguments),
    /// Compare two arrays, chunks, groups or stores: metadata and values
    #[command(
        after_help = "Exit codes: 0 equal; 1 different; 2 not all could be compared.\nFormat, chunks, codecs and byte order are reported, but do not make arrays different.\n\nExamples:\n  zarrscope compare old.zarr new.zarr\n  zarrscope compare a.zarr/sst b.zarr/sst --tolerance 1e-6,1e-4\n  zarrscope compare a.zarr/sst b.zarr/sst --chunk c/0/1"
    )]
    Compare(compare::Arguments),
    /// Print minimum, maximum, mean and counts of arrays, or of each chunk
    #[command(
        after_help = "Examples:\n  zarrscope stats store.zarr\n  zarrscope stats store.zarr/sst --chunks --csv\n\nOn many machines: zarrscope --help cluster"
    )]
    Stats(stats::Arguments),
    /// Print digests of arrays: of their content, and of the stored files
    #[command(
        after_help = "The content digest does not depend on format, chunks, codecs and byte order; the stored one is the DANDI archive's.\n\nExamples:\n  zarrscope digest store.zarr --json > store.digests\n  zarrscope digest copy.zarr --check store.digests\n\nOn many machines: zarrscope --help cluster"
    )]
    Digest(digest::Arguments),
    /// Render a view of the inspector into a file, without a terminal
    #[command(
        after_help = "Examples:\n  zarrscope shot store.zarr/sst --keys 2 -o chunk.svg\n  zarrscope shot store.zarr --size 80x24 -o -\n  zarrscope shot store.zarr/sst --keys 2x --markdown\n  zarrscope shot --play lecture.keys -o lecture.svg"
    )]
    Shot(shot::Arguments),
    /// Take a lesson on Zarr in the inspector, on sample stores that zarrscope carries
    #[command(
        after_help = "Examples:\n  zarrscope learn --list\n  zarrscope learn byte-order\n  zarrscope learn my-lesson.txt"
    )]
    Learn(learn::Arguments),
    /// Print a page on a subject: the keys of the inspector, work on a cluster, limits, storage
    #[command(
        after_help = "Examples:\n  zarrscope explain\n  zarrscope explain keys\n  zarrscope explain keys --json"
    )]
    Explain(explain::Arguments),
    /// Print a completion script for a shell; bash, zsh and fish also complete groups and arrays inside stores
    #[command(
        hide = true,
        after_help = "Examples:\n  zarrscope completions bash > ~/.local/share/bash-completion/completions/zarrscope\n  zarrscope completions zsh > \"${fpath[1]}/_zarrscope\"\n  zarrscope completions fish > ~/.config/fish/completions/zarrscope.fish"
    )]
    Completions(completion::Arguments),
    /// Print the groups and arrays that a typed path can become, for completion scripts
    #[command(hide = true)]
    CompleteNodes(complete_nodes::Arguments),
    /// Print the manual page
    #[command(hide = true, after_help = "Examples:\n  zarrscope man > zarrscope.1")]
    Man,
}

/// The outcome of a command that could run, the worse the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// Exit code 0.
    Fine = 0,
    /// Something is wrong or could not be read; the output or stderr names it. Exit code 1.
    Flawed,
    /// The command could not do anything that was asked for. Exit code 2.
    Undone,
}

impl ExitStatus {
    /// `Flawed` if `flawed`.
    pub(crate) fn flawed_if(flawed: bool) -> Self {
        if flawed { Self::Flawed } else { Self::Fine }
    }
}

/// The reason why a command could not run.
pub(crate) enum Failure {
    /// An error of the library.
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

/// The result of a subcommand.
pub(crate) type CommandResult = Result<ExitStatus, Failure>;

/// The last words of an abort.
#[cfg(unix)]
const NO_MEMORY: &str = "zarrscope: out of memory; the output is incomplete.\n";

/// The arguments of the program, parsed; what asks for help, prints it and ends.
pub fn parse() -> Cli {
    let arguments = with_pages(env::args_os().collect());
    let matches = command().try_get_matches_from(&arguments).unwrap_or_else(|error| {
        let is_strange =
            matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand);
        misspelled(&arguments).filter(|_| is_strange).unwrap_or(error).exit()
    });
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The error that the first of `arguments` is no command, where it is no store either: clap takes it for one, and complains
/// about the next.
fn misspelled(arguments: &[OsString]) -> Option<clap::Error> {
    let word = arguments.get(1)?.to_str().filter(|word| !word.starts_with('-'))?;
    let command = command();
    let names =
        command.get_subcommands().filter(|it| !it.is_hide_set()).map(clap::Command::get_name);
    let is_path = Path::new(word).exists() || is_address(Path::new(word));
    if is_path || command.find_subcommand(word).is_some() {
        return None;
    }
    let near = nearest::nearest(word, names);
    let meant = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
    let text = format!("no command is called '{}'{meant}", safe(word));
    Some(command.clone().error(ErrorKind::InvalidSubcommand, text))
}

/// `arguments`, where `--help SUBJECT` is `explain SUBJECT`: clap's help takes no subject.
fn with_pages(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let words: Vec<_> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    if let [.., "--help" | "-h" | "help", subject] = words.as_slice()
        && explain::is_subject(subject)
    {
        let subject = (*subject).into();
        arguments.truncate(1);
        arguments.extend(["explain".into(), subject]);
    }
    arguments
}

/// Runs the command that the arguments name.
pub fn run(cli: &Cli) -> ExitCode {
    #[cfg(unix)]
    {
        signals::size_limit_is_an_error().ok();
        // The inspector has a terminal to give back before it ends.
        if cli.command.is_some() {
            signals::end_on_abort(2, NO_MEMORY).ok();
        }
    }
    // Not locked: the inspector draws there too, and any thread must be able to give the terminal back.
    run_into(cli, Box::new(BufWriter::with_capacity(1 << 16, io::stdout())))
}

/// Runs the command that the arguments name, with `out` in the place of the standard output.
pub fn run_into(cli: &Cli, out: Box<dyn Write>) -> ExitCode {
    let mut output = Output::new(&cli.global, out);
    let outcome = dispatch(cli, &mut output).and_then(|verdict| {
        output.flush()?;
        Ok(verdict)
    });
    match outcome {
        Ok(status) => ExitCode::from(status as u8),
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => {
            let why = match error.kind() {
                io::ErrorKind::FileTooLarge => PAST_FILE_LIMIT.to_owned(),
                _ => error.to_string(),
            };
            output::complain(&format!("could not write the output: {why}"));
            ExitCode::from(2)
        }
        Err(Failure::Refused(error)) => {
            output::complain(&error);
            ExitCode::from(2)
        }
    }
}

fn dispatch(cli: &Cli, output: &mut Output) -> CommandResult {
    if cli.command.is_some() && cli.inspect.is_used() {
        let error = Error::new(
            Code::InvalidArgument,
            "a PATH or an inspector option before the command",
            "the command first",
        );
        return Err(error.with_fix("Write `zarrscope tree PATH`.").into());
    }
    cli.global.remote.apply()?;
    let Some(command) = &cli.command else { return inspect::run(&cli.inspect, output) };
    match command {
        Command::Tree(arguments) => tree::run(arguments, output),
        Command::Info(arguments) => info::run(arguments, output),
        Command::Dtype(arguments) => dtype::run(arguments, output),
        Command::Chunk(arguments) => chunk::run(arguments, output),
        Command::Export(arguments) => export::run(arguments, output),
        Command::Endian(arguments) => endian::run(arguments, output),
        Command::Check(arguments) => check::run(arguments, output),
        Command::Compare(arguments) => compare::run(arguments, output),
        Command::Stats(arguments) => arguments.run(output),
        Command::Digest(arguments) => arguments.run(output),
        Command::Shot(arguments) => shot::run(arguments, output),
        Command::Learn(arguments) => learn::run(arguments, output),
        Command::Explain(arguments) => explain::run(arguments, output),
        Command::Completions(arguments) => completion::run(arguments, output),
        Command::CompleteNodes(arguments) => complete_nodes::run(arguments, output),
        Command::Man => packaging::man(output),
    }
}

/// The command with all subcommands, for completions, the manual page and the README.
pub fn command() -> clap::Command {
    // What describes a chunk file stands in the help of `chunk`.
    let hidden = ["dtype", "endian", "codecs", "shape"];
    hidden.into_iter().fold(Cli::command(), |root, name| root.mut_arg(name, |arg| arg.hide(true)))
}

/// True if the inspector can be shown: stdin and stdout are a terminal.
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
        _ => {
            return Err(format!("unknown unit {unit:?}: use a unit such as K, M, G, T, KiB or MB"));
        }
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
    fn help_of_a_subject_is_its_page() {
        let read = |words: &str| {
            let words = with_pages(words.split(' ').map(OsString::from).collect());
            words.into_iter().skip(1).filter_map(|word| word.into_string().ok()).collect::<Vec<_>>()
        };
        assert_eq!(read("zarrscope check --help cluster"), ["explain", "cluster"]);
        assert_eq!(read("zarrscope help limits"), ["explain", "limits"]);
        assert_eq!(read("zarrscope help check"), ["help", "check"]);
        assert_eq!(read("zarrscope limits"), ["limits"]);
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
