//! Every style there is, by what it means, and what becomes of them where colours or Unicode are not wanted.
//!
//! Sixteen ANSI colours on the terminal's own background: never black or white text, so that light and dark grounds
//! both work. What a colour says is also said by a sign, a word, bold, dim or reversed, for those who see none.

use super::{
    Options,
    view::picture::{Colors, reduce},
};
use crate::zarr::words::ascii_sign;
use ratatui::{
    buffer::Buffer,
    style::{Color, Modifier, Style},
};

/// Plain text.
pub const PLAIN: Style = Style::new();
/// What matters less: rules, units, labels.
pub const QUIET: Style = Style::new().fg(Color::DarkGray);
/// What is stored.
pub const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
/// The title of the program.
pub const BRAND: Style = Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD);
/// The name of what is on show.
pub const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
/// The element, the byte, the row under the cursor, in the pane that has the keys.
pub const CURSOR: Style = Style::new().add_modifier(Modifier::REVERSED);
/// The same in a pane that has not.
pub const CURSOR_AWAY: Style =
    Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED));
/// The sign beside the row under the cursor.
pub const MARK: Style = Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD);
/// Selected, or covered by the cursor in another stage.
pub const SELECTED: Style = Style::new().fg(Color::Cyan).add_modifier(Modifier::UNDERLINED);
/// A key in the footer and the help.
pub const KEY: Style = Style::new().fg(Color::Cyan);
/// A group.
pub const GROUP: Style = Style::new().fg(Color::Blue).add_modifier(Modifier::BOLD);
/// A data type.
pub const TYPE: Style = Style::new().fg(Color::Green);
/// Something went wrong.
pub const FAILURE: Style = Style::new().fg(Color::Red);
/// Something some reader will stumble over.
pub const WARNING: Style = Style::new().fg(Color::Yellow);
/// Fine.
pub const FINE: Style = Style::new().fg(Color::Green);
/// The fill value: there, and nothing to look at.
pub const FILL: Style = Style::new().fg(Color::DarkGray);
/// Padding of an edge chunk: bytes that count for nothing.
pub const PADDING: Style = Style::new().fg(Color::DarkGray).add_modifier(Modifier::DIM);
/// Bytes of a header or an index.
pub const HEADER: Style = Style::new().fg(Color::Magenta);
/// Bytes of a checksum.
pub const CHECKSUM: Style = Style::new().fg(Color::Yellow);
/// The other byte order.
pub const OTHER: Style = Style::new().fg(Color::Magenta);
/// Text that is being typed.
pub const TYPED: Style = Style::new().add_modifier(Modifier::BOLD);
/// The name of a member in a JSON document.
pub const MEMBER: Style = Style::new().fg(Color::Blue);
/// What was searched for, where it is.
pub const HIT: Style = Style::new().add_modifier(Modifier::REVERSED);

/// The style of a row's name: under the cursor of a pane that has the keys, of one that has not, or anywhere else.
#[must_use]
pub fn row(cursor: Option<bool>) -> Style {
    match cursor {
        Some(true) => CURSOR,
        Some(false) => CURSOR_AWAY,
        None => PLAIN,
    }
}

/// The style of a join.
#[must_use]
pub fn join(join: crate::zarr::spelling::Join) -> Style {
    use crate::zarr::spelling::Join;
    match join {
        Join::Same => QUIET,
        Join::Spelled => Style::new().fg(Color::Blue),
        Join::Choice => WARNING,
        Join::Lossy => WARNING.add_modifier(Modifier::BOLD),
        Join::Impossible | Join::Differs => FAILURE.add_modifier(Modifier::BOLD),
    }
}

/// The style of a severity.
#[must_use]
pub fn severity(severity: crate::zarr::Severity) -> Style {
    use crate::zarr::Severity;
    match severity {
        Severity::Error => FAILURE.add_modifier(Modifier::BOLD),
        Severity::Warning => WARNING,
        Severity::Limit => MARK,
        Severity::Note => QUIET,
    }
}

/// The sign of a severity, which says the same without colour.
#[must_use]
pub fn severity_sign(severity: crate::zarr::Severity) -> &'static str {
    use crate::zarr::Severity;
    match severity {
        Severity::Error => "✗",
        Severity::Warning => "!",
        Severity::Limit => "?",
        Severity::Note => "·",
    }
}

/// Takes colours out, and all that is not ASCII, as `options` say. Bold, dim and reversed stay.
pub fn adapt(buffer: &mut Buffer, options: &Options) {
    let colors = if options.color { options.pictures } else { Colors::Mono };
    reduce(buffer, colors, options.ascii);
    if options.color && !options.ascii {
        return;
    }
    for cell in &mut buffer.content {
        if !options.color {
            (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        }
        if options.ascii && !cell.symbol().is_ascii() {
            let sign = cell.symbol().chars().next().map_or(' ', ascii_sign);
            cell.set_char(sign);
        }
    }
}
