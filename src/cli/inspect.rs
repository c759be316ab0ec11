//! No subcommand: the inspector, or the tree where there is no terminal to draw it on.

use super::{
    ExitStatus, Outcome, chunk,
    chunk_file::{Description, hint},
    is_interactive,
    output::Output,
    tree,
};
use crate::tui::{self, view::picture::Colors};
use clap::Args;
use std::{
    env,
    path::{Path, PathBuf},
};

/// Where the inspector starts and how it behaves.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, a node, a .zip store, a folder of stores or a single chunk file [default: .]
    path: Option<PathBuf>,
    /// The node, chunk or element to start at, such as 'sst/c/3/0/0#e40'
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,
    /// The format of a chunk file without metadata.
    #[command(flatten)]
    description: Description,
    /// Leave the mouse to the terminal
    #[arg(long)]
    no_mouse: bool,
}

impl Arguments {
    /// True if an option of the inspector was given.
    pub(super) fn is_used(&self) -> bool {
        self.path.is_some()
            || self.at.is_some()
            || self.no_mouse
            || self.description.dtype.is_some()
    }
}

/// Opens the inspector; in a pipe, prints the tree.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let here = Path::new(".");
    let path = arguments.path.as_deref().unwrap_or(here);
    if !is_interactive() && arguments.description.dtype.is_some() {
        let chunk = chunk::Arguments::of_file(path, &arguments.description);
        return chunk::run(&chunk, output);
    }
    if !is_interactive() {
        return tree::run(&tree::Arguments::whole(arguments.path.clone()), output);
    }
    let options = tui::Options {
        at: arguments.at.clone(),
        mouse: !arguments.no_mouse,
        pictures: colors(),
        opened: arguments.description.store(path)?,
        ..options(output)
    };
    tui::run(path, &options).map_err(|error| hint::explain(error, path))?;
    Ok(ExitStatus::Fine)
}

/// Which colours the terminal says that it has.
fn colors() -> Colors {
    let says = env::var("COLORTERM").unwrap_or_default();
    let all = matches!(says.as_str(), "truecolor" | "24bit") || env::var_os("WT_SESSION").is_some();
    if all { Colors::True } else { Colors::Sixteen }
}

/// What the global options mean for the inspector.
pub(super) fn options(output: &Output) -> tui::Options {
    tui::Options {
        color: output.color(),
        ascii: output.ascii(),
        limit: output.max_decoded(),
        memory: output.memory(),
        ..tui::Options::default()
    }
}
