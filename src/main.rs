//! Arguments → run → exit code.

use std::process::ExitCode;
use zarrscope::cli;

fn main() -> ExitCode {
    cli::run(&cli::parse())
}
