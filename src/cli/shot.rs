//! `shot`: a view of the inspector, rendered without a terminal.

use super::prelude::*;
use super::{chunk_file::hint, inspect};
use crate::{
    app::{App, script_form::size},
    tui::{
        self, card,
        lessons::{self, OpenLesson},
        picture::{self, Palette, film},
        script,
    },
};
use ratatui::buffer::Buffer;

/// The arguments of `shot`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A store, a node, a .zip store, a folder of stores or a single chunk file [default: .]
    path: Option<PathBuf>,
    /// The size in columns and rows [default: 120x40; with --play, that of the lesson]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u16, u16)>,
    /// The keys to press first, such as 'jj<enter>2<tab>:[1,7]<enter>'
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    keys: String,
    /// A lesson whose steps are played, on its own store; with several steps, the SVG picture moves
    #[arg(long, value_name = "LESSON", conflicts_with_all = ["path", "keys", "at", "dtype"])]
    play: Option<String>,
    /// The node, chunk or element to start at, such as 'sst/c/3/0/0#e40'
    #[arg(long, value_name = "PLACE")]
    at: Option<String>,
    /// The format of a chunk file without metadata.
    #[command(flatten)]
    description: FileDescription,
    /// The file to write: .svg, .txt, .ansi or .md; - for text on stdout
    #[arg(short, long, value_name = "FILE", required_unless_present = "markdown")]
    output: Option<PathBuf>,
    /// Write the view as Markdown, as `Y` copies it, into FILE.md or, without -o, to stdout
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
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Theme {
    /// Light text on dark ground
    Dark,
    /// Dark text on light ground
    Light,
}

/// The file format of a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PictureFormat {
    Svg,
    Text,
    Ansi,
    Markdown,
}

/// Renders a view into a file.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let to = arguments.output.as_deref().filter(|path| path.as_os_str() != "-");
    let kind = match (to.map(kind).transpose()?, arguments.markdown) {
        (named, false) => named.unwrap_or(PictureFormat::Text),
        (None | Some(PictureFormat::Markdown), true) => PictureFormat::Markdown,
        (Some(_), true) => return Err(no_markdown(to)),
    };
    let here = arguments.path.as_deref().unwrap_or_else(|| HERE.as_ref());
    let refused = |why| Error::new(Code::InvalidArgument, why, "");
    let lesson = arguments.play.as_ref();
    let lesson = lesson.map(|name| lessons::find(name, &Arc::default()).map_err(refused));
    let lesson = lesson.transpose()?;
    let store = lesson.as_ref().map(|open| open.hierarchy.store.name());
    let store = store.as_ref().map_or(here, Path::new);
    let file = to
        .map(|path| Ok::<_, Failure>((path, output::file(path, store, arguments.force)?)))
        .transpose()?;
    let rendered = match &lesson {
        Some(open) => played(arguments, open, kind, output)?,
        None => rendered(arguments, here, kind, output)?,
    };
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

/// The place where nothing else is named.
const HERE: &str = ".";
/// The size where none is named.
const SIZE: (u16, u16) = (120, 40);

/// The view as a document of this kind.
fn rendered(
    arguments: &Arguments,
    path: &Path,
    kind: PictureFormat,
    output: &Output,
) -> Result<String> {
    let options = tui::Options {
        at: arguments.at.clone(),
        opened: arguments.description.store(path)?,
        ..look(kind, output)
    };
    let size = arguments.size.unwrap_or(SIZE);
    let played = script::play(path, size, &arguments.keys, &options)
        .map_err(|error| hint::explain(error, path))?;
    Ok(document(kind, arguments, &played.app, &played.screen, &options))
}

/// The screen that a lesson leads to, as a document of this kind; as an SVG, the way there.
fn played(
    arguments: &Arguments,
    open: &OpenLesson,
    kind: PictureFormat,
    output: &Output,
) -> Result<String> {
    let options = look(kind, output);
    let size = arguments.size.or(open.lesson.size).unwrap_or(SIZE);
    let (moving, player) = lessons::film(open, size, &options)?;
    let last = moving.frames.last().map(|frame| frame.screen.clone()).unwrap_or_default();
    if kind == PictureFormat::Svg && open.lesson.steps.len() > 1 {
        return Ok(film::animated(&moving, palette(arguments.theme)));
    }
    Ok(document(kind, arguments, &player.app, &last, &options))
}

/// The options that documents of this kind are drawn with.
fn look(kind: PictureFormat, output: &Output) -> tui::Options {
    let colored = matches!(kind, PictureFormat::Svg | PictureFormat::Ansi);
    tui::Options { color: colored && !output.refuses_color(), ..inspect::options(output) }
}

fn document(
    kind: PictureFormat,
    arguments: &Arguments,
    app: &App,
    screen: &Buffer,
    options: &tui::Options,
) -> String {
    match kind {
        PictureFormat::Svg => picture::svg(screen, palette(arguments.theme)),
        PictureFormat::Text => picture::text(screen),
        PictureFormat::Ansi => picture::ansi(screen),
        PictureFormat::Markdown => card::markdown(app, screen.area, options),
    }
}

fn palette(theme: Theme) -> Palette {
    match theme {
        Theme::Dark => Palette::Dark,
        Theme::Light => Palette::Light,
    }
}

/// The error of `--markdown` with a file of another kind.
fn no_markdown(file: Option<&Path>) -> Failure {
    let found = format!("--markdown with {}", file.unwrap_or_else(|| HERE.as_ref()).display());
    let expected = "--markdown with -o FILE.md, or without -o";
    Error::new(Code::InvalidArgument, found, expected).at("--output").into()
}

fn kind(path: &Path) -> Result<PictureFormat> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "svg" => Ok(PictureFormat::Svg),
        "ansi" => Ok(PictureFormat::Ansi),
        "txt" => Ok(PictureFormat::Text),
        "md" => Ok(PictureFormat::Markdown),
        _ => Err(Error::new(
            Code::InvalidArgument,
            path.display().to_string(),
            "a file name that ends in .svg, .txt, .ansi or .md",
        )
        .at("--output")),
    }
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
