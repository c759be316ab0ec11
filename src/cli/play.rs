//! `play`: a key script in the inspector, for a lecture; in a pipe, what it does.

use super::{
    CommandResult, ExitStatus, inspect, is_interactive,
    output::{Output, Role},
    shot::Theme,
};
use crate::{
    app::key_script::ScriptRun,
    tui::{
        self,
        key_scripts::{self, OpenScript},
    },
    zarr::{Registry, Result, text::safe},
};
use clap::Args;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The arguments of `play`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The key script: lines of `caption:` and `keys:`, with --- before each step
    file: PathBuf,
    /// The store to play it on [default: that of the key script, or else the sample stores in zarrscope]
    path: Option<PathBuf>,
    /// The speed; 2 halves the pauses
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    speed: u32,
    /// Wait for Enter before each key of the key script
    #[arg(long)]
    wait: bool,
    /// The terminal's background, as for the inspector
    #[arg(long, value_enum, value_name = "dark|light", hide_possible_values = true)]
    theme: Option<Theme>,
    /// Leave the mouse to the terminal
    #[arg(long)]
    no_mouse: bool,
}

/// The key script in `file`, on `store` if one is named.
pub(super) fn open(file: &Path, store: Option<&Path>) -> Result<OpenScript> {
    key_scripts::open(file, store, &Arc::new(Registry::default()))
}

/// Plays the key script in the inspector; in a pipe, prints its captions and keys.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let open = open(&arguments.file, arguments.path.as_deref())?;
    if !is_interactive() {
        for (at, step) in open.script.steps.iter().enumerate() {
            let caption = safe(step.caption.as_deref().unwrap_or("–")).into_owned();
            let keys = output.paint(Role::Good, &safe(&step.keys));
            output.line(format!("{:>3} {caption}\n    {keys}", at + 1).trim_end())?;
        }
        return Ok(ExitStatus::Fine);
    }
    let mut run = ScriptRun::new(&open.script, true);
    (run.speed, run.is_paused) = (arguments.speed, arguments.wait);
    let options =
        tui::Options { mouse: !arguments.no_mouse, ..inspect::terminal(arguments.theme, output) };
    tui::run(Path::new(""), &open.options(run, options))?;
    Ok(ExitStatus::Fine)
}

/// A factor, in percent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
fn speed(text: &str) -> Result<u32, String> {
    let factor = text.parse::<f64>().ok().filter(|factor| (0.1..=10.0).contains(factor));
    factor.map(|factor| (factor * 100.0) as u32).ok_or_else(|| "a factor from 0.1 to 10".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_have_bounds() {
        assert_eq!((speed("1"), speed("0.5"), speed("10")), (Ok(100), Ok(50), Ok(1000)));
        assert!(["0", "11", "-1", "NaN", "x"].into_iter().all(|text| speed(text).is_err()));
    }
}
