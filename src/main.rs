//! Arguments → run → exit code.

use std::process::ExitCode;
use zarrscope::cli;

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run(&cli::parse())
}
