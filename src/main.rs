//! Arguments → run → exit code.

use clap::Parser;
use std::process::ExitCode;
use zarrscope::cli::{self, Cli};

fn main() -> ExitCode {
    cli::run(&Cli::parse())
}
