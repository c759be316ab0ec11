//! `shot`: a view of the inspector, rendered without a terminal.

use super::{
    ExitStatus, Failure, Outcome,
    chunk_file::{Description, hint},
    inspect,
    output::{self, Output},
};
use crate::{
    tui::{
        self, card,
        picture::{self, Palette},
        script,
    },
    zarr::{Code, Error, Result},
};
use clap::{Args, ValueEnum};
use std::{io::Write, path::PathBuf};

/// The arguments of `shot`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, a node, a .zip store, a folder of stores or a single chunk file
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The size in columns and rows
    #[arg(long, value_name = "WxH", default_value = "120x40", value_parser = size)]
    size: (u16, u16),
    /// The keys to press first, such as 'jj<enter>2<tab>:[1,7]<enter>'
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    keys: String,
    /// The node, chunk or element to start at, such as 'sst/c/3/0/0#e40'
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,
    /// The format of a chunk file without metadata.
    #[command(flatten)]
    description: Description,
    /// The file to write: .svg, .txt, .ansi or .md; - for text on stdout
    #[arg(short, long, value_name = "FILE", required_unless_present = "markdown")]
    output: Option<PathBuf>,
    /// Print the view as Markdown, as `Y` copies it
    #[arg(long)]
    markdown: bool,
    /// Replace FILE if it exists
    #[arg(short, long)]
    force: bool,
    /// The background of an SVG picture
    #[arg(long, value_enum, default_value_t = Theme::Dark, value_name = "dark|light", hide_possible_values = true)]
    theme: Theme,
}

/// The background of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Theme {
    /// Light text on dark ground
    Dark,
    /// Dark text on light ground
    Light,
}

/// The file format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PictureFormat {
    Svg,
    Text,
    Ansi,
    Markdown,
}

/// Renders a view into a file.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> Outcome {
    let to = arguments.output.as_deref().filter(|path| path.as_os_str() != "-");
    let kind = match to.map(kind).transpose()? {
        _ if arguments.markdown => PictureFormat::Markdown,
        named => named.unwrap_or(PictureFormat::Text),
    };
    let file = to
        .map(|path| Ok::<_, Failure>((path, output::file(path, &arguments.path, arguments.force)?)))
        .transpose()?;
    let rendered = rendered(arguments, kind, output)?;
    match file {
        None => output.raw().write_all(rendered.as_bytes())?,
        Some((path, mut file)) => {
            let written = file.write_all(rendered.as_bytes());
            written.map_err(|error| Error::unwritable(path, &error))?;
            file.finish()?;
        }
    }
    Ok(ExitStatus::Fine)
}

/// The view as a document of this kind.
fn rendered(arguments: &Arguments, kind: PictureFormat, output: &Output) -> Result<String> {
    let colored = matches!(kind, PictureFormat::Svg | PictureFormat::Ansi);
    let options = tui::Options {
        at: arguments.at.clone(),
        opened: arguments.description.store(&arguments.path)?,
        color: colored && !output.refuses_color(),
        ..inspect::options(output)
    };
    let played = script::play(&arguments.path, arguments.size, &arguments.keys, &options)
        .map_err(|error| hint::explain(error, &arguments.path))?;
    Ok(match kind {
        PictureFormat::Svg => picture::svg(&played.screen, palette(arguments.theme)),
        PictureFormat::Text => picture::text(&played.screen),
        PictureFormat::Ansi => picture::ansi(&played.screen),
        PictureFormat::Markdown => card::markdown(&played.app, played.screen.area, &options),
    })
}

fn palette(theme: Theme) -> Palette {
    match theme {
        Theme::Dark => Palette::Dark,
        Theme::Light => Palette::Light,
    }
}

fn kind(path: &std::path::Path) -> Result<PictureFormat> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "svg" => Ok(PictureFormat::Svg),
        "ansi" => Ok(PictureFormat::Ansi),
        "txt" => Ok(PictureFormat::Text),
        "md" => Ok(PictureFormat::Markdown),
        _ => Err(Error::new(
            Code::UnknownPicture,
            path.display().to_string(),
            "a file name that ends in .svg, .txt, .ansi or .md",
        )
        .at("--output")),
    }
}

/// `120x40`.
fn size(text: &str) -> Result<(u16, u16), String> {
    let numbers =
        text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    // What a picture costs grows with its area; no screen is larger.
    let fits = |&(w, h): &(u16, u16)| (1..=1000).contains(&w) && (1..=1000).contains(&h);
    numbers.filter(fits).ok_or_else(|| "COLUMNSxROWS, such as 120x40, at most 1000x1000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_bounds() {
        assert_eq!(size("80x24"), Ok((80, 24)));
        assert!(size("80").is_err());
        assert!(size("0x24").is_err());
        assert!(size("65535x65535").is_err());
    }
}
