//! No subcommand: the inspector, or the tree where there is no terminal to draw it on.

use super::prelude::*;
use super::{chunk, chunk_file::hint, is_interactive, shot::Theme, tree};
use crate::tui::{self, theme::Ground, view::picture::Colors};

/// The place at which the inspector starts, and its settings.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, a node, a folder of stores or a chunk file (options as for `chunk`) [default: .]
    path: Option<PathBuf>,
    /// The node, chunk or element to start at, such as 'sst/c/3/0/0#e40'
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,
    /// The format of a chunk file without metadata.
    #[command(flatten)]
    description: FileDescription,
    /// The terminal's background [default: by its environment]
    #[arg(long, value_enum, value_name = "dark|light", hide_possible_values = true)]
    theme: Option<Theme>,
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
            || self.theme.is_some()
            || self.description.dtype.is_some()
    }
}

/// Opens the inspector; in a pipe, prints the tree.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
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
        opened: arguments.description.store(path)?,
        ..terminal(arguments.theme, output)
    };
    tui::run(path, &options).map_err(|error| hint::explain(error, path))?;
    Ok(ExitStatus::Fine)
}

/// The colours that the terminal announces.
fn colors() -> Colors {
    let says = env::var("COLORTERM").unwrap_or_default();
    let all = matches!(says.as_str(), "truecolor" | "24bit") || env::var_os("WT_SESSION").is_some();
    let term = env::var("TERM").unwrap_or_default();
    match (all, term.contains("256color")) {
        (true, _) => Colors::True,
        (false, true) => Colors::Cube,
        (false, false) => Colors::Sixteen,
    }
}

/// The theme that the environment variable `ZARRSCOPE_THEME` names.
fn theme_named() -> Option<Theme> {
    Theme::from_str(&env::var("ZARRSCOPE_THEME").ok()?, true).ok()
}

/// The ground of the terminal: as the user says, or else as the terminal says in the environment.
fn ground(theme: Option<Theme>) -> Ground {
    match theme.or_else(theme_named) {
        Some(Theme::Dark) => Ground::Dark,
        Some(Theme::Light) => Ground::Light,
        None => ground_of(&env::var("COLORFGBG").unwrap_or_default()),
    }
}

/// The background that a terminal names by its place among the sixteen colours: `15;0`, or `0;default;15`.
fn ground_of(says: &str) -> Ground {
    match says.rsplit(';').next().and_then(|place| place.parse::<u8>().ok()) {
        Some(0..=6 | 8) => Ground::Dark,
        Some(7 | 9..=15) => Ground::Light,
        _ => Ground::Unknown,
    }
}

/// The facts about the terminal, and the wishes of its user.
pub(super) fn terminal(theme: Option<Theme>, output: &Output) -> tui::Options {
    let options = options(output);
    tui::Options { times: true, pictures: colors(), ground: ground(theme), ..options }
}

/// The options of the inspector by the global options.
pub(super) fn options(output: &Output) -> tui::Options {
    tui::Options {
        color: output.color(),
        ascii: output.ascii(),
        limit: output.max_decoded(),
        memory: output.memory(),
        ..tui::Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_is_the_last_colour_that_the_terminal_names() {
        for (says, ground) in [
            ("15;0", Ground::Dark),
            ("0;15", Ground::Light),
            ("0;default;15", Ground::Light),
            ("12;8", Ground::Dark),
            ("0;7", Ground::Light),
            ("15;default", Ground::Unknown),
            ("", Ground::Unknown),
        ] {
            assert_eq!(ground_of(says), ground, "{says}");
        }
    }
}
