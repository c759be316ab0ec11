//! Every style there is, by what it means, and what becomes of them where colours or Unicode are not wanted.
//!
//! Sixteen ANSI colours on the terminal's own background: never black or white text, so that light and dark grounds
//! both work. What a colour says is also said by a sign, a word, bold, dim or reversed, for those who see none.

mod ascii;

use super::prelude::*;
use super::view::picture::{Colors, reduce};
use std::borrow::Cow;

/// A line that owns its text, as all that are made here do.
pub type Line = ratatui::text::Line<'static>;
/// A piece of such a line.
pub type Span = ratatui::text::Span<'static>;

/// Text that matters less.
pub fn quiet(text: impl Into<Cow<'static, str>>) -> Span {
    styled(text, QUIET)
}

/// A text in a style.
pub fn styled(text: impl Into<Cow<'static, str>>, style: Style) -> Span {
    Span::styled(text, style)
}

/// The sign beside a row, or the room for it.
pub fn mark(is_here: bool) -> Span {
    Span::styled(if is_here { signs::CURSOR } else { " " }, MARK)
}

/// A cell that is filled from below, by eighths.
pub const LEVELS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// A style that is not dim, whatever it is drawn over.
const fn lit(style: Style) -> Style {
    style.remove_modifier(Modifier::DIM)
}

const fn colored(color: Color) -> Style {
    lit(Style::new().fg(color))
}

/// Plain text.
pub const PLAIN: Style = lit(Style::new());
/// Text that matters less: rules, units, labels. Dim, and no colour: bright black is the background of some terminals.
pub const QUIET: Style = Style::new().add_modifier(Modifier::DIM);
/// Text that matters more: names, values.
pub const STRONG: Style = PLAIN.add_modifier(Modifier::BOLD);
/// The title of the program.
pub const BRAND: Style = colored(Color::Cyan).add_modifier(Modifier::BOLD);
/// The name of what is on show.
pub const TITLE: Style = PLAIN.add_modifier(Modifier::BOLD);
/// The element, the byte, the row under the cursor, in the pane that has the keys.
pub const CURSOR: Style = PLAIN.add_modifier(Modifier::REVERSED);
/// The same in a pane that has not.
pub const CURSOR_AWAY: Style = PLAIN.add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED));
/// The sign beside the row under the cursor.
pub const MARK: Style = colored(Color::Cyan).add_modifier(Modifier::BOLD);
/// Selected, or covered by the cursor in another stage.
pub const SELECTED: Style = colored(Color::Cyan).add_modifier(Modifier::UNDERLINED);
/// A key in the footer and the help.
pub const KEY: Style = colored(Color::Cyan);
/// A group.
pub const GROUP: Style = colored(Color::Blue).add_modifier(Modifier::BOLD);
/// A data type.
pub const TYPE: Style = colored(Color::Green);
/// Something went wrong.
pub const FAILURE: Style = colored(Color::Red);
/// Something some reader will stumble over.
pub const WARNING: Style = colored(Color::Yellow);
/// Fine.
pub const FINE: Style = colored(Color::Green);
/// The fill value: there, and nothing to look at.
pub const FILL: Style = QUIET;
/// Padding of an edge chunk: bytes that count for nothing.
pub const PADDING: Style = QUIET;
/// Bytes of a header or an index.
pub const HEADER: Style = colored(Color::Magenta);
/// Bytes of a checksum.
pub const CHECKSUM: Style = colored(Color::Yellow);
/// The other byte order.
pub const OTHER: Style = colored(Color::Magenta);
/// Text that is being typed.
pub const TYPED: Style = PLAIN.add_modifier(Modifier::BOLD);
/// Text that gives way to what is typed.
pub const OFFERED: Style = TYPED.add_modifier(Modifier::REVERSED);
/// The name of a member in a JSON document.
pub const MEMBER: Style = colored(Color::Blue);
/// Text that was searched for.
pub const HIT: Style = PLAIN.add_modifier(Modifier::REVERSED);

/// The background of the terminal, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ground {
    /// Dark.
    Dark,
    /// Light.
    Light,
    /// Nothing: the terminal's own sixteen colours are used as they are.
    #[default]
    Unknown,
}

/// The colours of text on a dark and on a light ground: places of the 256-colour cube, which the theme of a terminal
/// leaves alone. Each is at least 4.5 times as light, or as dark, as the grounds that people have.
const ON_GROUND: [(Color, u8, u8); 6] = [
    (Color::Red, 210, 124),
    (Color::Green, 114, 22),
    (Color::Yellow, 221, 94),
    (Color::Blue, 111, 25),
    (Color::Magenta, 176, 90),
    (Color::Cyan, 80, 23),
];

/// The colours of dim text on a dark and on a light ground: terminals differ in how dim they make it, some to nothing.
const DIM_ON_GROUND: (u8, u8) = (249, 240);

/// Gives a cell the colours that are legible on this ground, where all 256 are there.
fn tune(cell: &mut Cell, ground: Ground) {
    let choose = |(dark, light): (u8, u8)| match ground {
        Ground::Dark => Some(Color::Indexed(dark)),
        Ground::Light => Some(Color::Indexed(light)),
        Ground::Unknown => None,
    };
    if cell.modifier.contains(Modifier::DIM) && cell.fg == Color::Reset {
        if let Some(color) = choose(DIM_ON_GROUND) {
            cell.fg = color;
            cell.modifier -= Modifier::DIM;
        }
        return;
    }
    let known = ON_GROUND.iter().find(|known| known.0 == cell.fg);
    if let Some(color) = known.and_then(|&(_, dark, light)| choose((dark, light))) {
        cell.fg = color;
    }
}

/// The style of a row's name: under the cursor of a pane that has the keys, of one that has not, or anywhere else.
pub fn row(cursor: Option<bool>) -> Style {
    match cursor {
        Some(true) => CURSOR,
        Some(false) => CURSOR_AWAY,
        None => PLAIN,
    }
}

/// The style of a join.
pub fn join(join: Join) -> Style {
    use crate::zarr::spelling::Join;
    match join {
        Join::Same | Join::Unknown => QUIET,
        Join::Spelled => colored(Color::Blue),
        Join::Choice => WARNING,
        Join::Lossy => WARNING.add_modifier(Modifier::BOLD),
        Join::Impossible | Join::Differs => FAILURE.add_modifier(Modifier::BOLD),
    }
}

/// The style of a severity.
pub fn severity(severity: Severity) -> Style {
    use crate::zarr::Severity;
    match severity {
        Severity::Error => FAILURE.add_modifier(Modifier::BOLD),
        Severity::Warning => WARNING,
        Severity::Limit => MARK,
        Severity::Note => QUIET,
    }
}

/// The sign of a severity, which says the same without colour.
pub fn severity_sign(severity: Severity) -> &'static str {
    use crate::zarr::Severity;
    match severity {
        Severity::Error => signs::ERROR,
        Severity::Warning => signs::WARNING,
        Severity::Limit => signs::LIMIT,
        Severity::Note => signs::NOTE,
    }
}

/// The number of errors and warnings, with their signs: `✗3`, `!2`, `✗3 !2`.
pub fn serious(count: crate::app::page::problems::SeriousCount) -> (String, Style) {
    use crate::zarr::{
        Severity,
        words::{Joined, grouped},
    };
    let part =
        |of: Severity, n: u64| (n > 0).then(|| format!("{}{}", severity_sign(of), grouped(n)));
    let parts = [part(Severity::Error, count.errors), part(Severity::Warning, count.warnings)];
    let style = if count.errors > 0 { FAILURE } else { WARNING };
    (parts.into_iter().flatten().joined(" "), style)
}

/// Takes colours out, and all that is not ASCII, as `options` say. Bold, dim and reversed stay.
pub fn adapt(buffer: &mut Buffer, options: &Options) {
    let colors = if options.color { options.pictures } else { Colors::Mono };
    reduce(buffer, colors, options.ascii);
    match (options.color, options.pictures) {
        (false, _) => {
            for cell in &mut buffer.content {
                // Keys are told from what they do by bold, where it is not by colour.
                if cell.fg == Color::Cyan && !cell.modifier.contains(Modifier::UNDERLINED) {
                    cell.modifier |= Modifier::BOLD;
                }
                (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
            }
        }
        (true, Colors::True | Colors::Cube) => {
            buffer.content.iter_mut().for_each(|cell| tune(cell, options.ground));
        }
        (true, Colors::Sixteen | Colors::Mono) => {}
    }
    if options.ascii {
        let width = usize::from(buffer.area.width).max(1);
        buffer.content.chunks_mut(width).for_each(ascii::draw);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::view::picture::cube_color;
    use ratatui::layout::Rect;

    /// The backgrounds of the palettes that people have, dark and light.
    const GROUNDS: [(&str, Ground, (u8, u8, u8)); 18] = [
        ("xterm, Linux console", Ground::Dark, (0, 0, 0)),
        ("VS Code dark", Ground::Dark, (0x1e, 0x1e, 0x1e)),
        ("Solarized dark", Ground::Dark, (0x00, 0x2b, 0x36)),
        ("GNOME", Ground::Dark, (0x17, 0x14, 0x21)),
        ("Ubuntu", Ground::Dark, (0x30, 0x0a, 0x24)),
        ("Tango dark", Ground::Dark, (0x2e, 0x34, 0x36)),
        ("Dracula", Ground::Dark, (0x28, 0x2a, 0x36)),
        ("Gruvbox dark", Ground::Dark, (0x28, 0x28, 0x28)),
        ("Nord", Ground::Dark, (0x2e, 0x34, 0x40)),
        ("One dark", Ground::Dark, (0x28, 0x2c, 0x34)),
        ("Windows Terminal", Ground::Dark, (0x0c, 0x0c, 0x0c)),
        ("xterm, VS Code light", Ground::Light, (0xff, 0xff, 0xff)),
        ("Solarized light", Ground::Light, (0xfd, 0xf6, 0xe3)),
        ("Tango light", Ground::Light, (0xee, 0xee, 0xec)),
        ("Gruvbox light", Ground::Light, (0xfb, 0xf1, 0xc7)),
        ("One light", Ground::Light, (0xfa, 0xfa, 0xfa)),
        ("GitHub light", Ground::Light, (0xff, 0xff, 0xff)),
        ("Ayu light", Ground::Light, (0xfc, 0xfc, 0xfc)),
    ];

    /// The relative luminance of a colour, by the Web Content Accessibility Guidelines 2.1.
    fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
        let linear = |part: u8| match f64::from(part) / 255.0 {
            part if part <= 0.040_45 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
    }

    fn contrast(a: (u8, u8, u8), b: (u8, u8, u8)) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 1e-9);
        // #767676 is the lightest grey that passes on white.
        assert!(contrast((0x76, 0x76, 0x76), (255, 255, 255)) > 4.5);
        assert!(contrast((0x77, 0x77, 0x77), (255, 255, 255)) < 4.5);
    }

    #[test]
    fn text_is_legible_on_every_ground_that_people_have() {
        for (name, ground, rgb) in GROUNDS {
            let mut cell = Cell::default();
            for style in TEXT_STYLES {
                cell.reset();
                cell.set_style(*style);
                let plain = cell.fg == Color::Reset && !cell.modifier.contains(Modifier::DIM);
                tune(&mut cell, ground);
                assert!(!cell.modifier.contains(Modifier::DIM), "{style:?}");
                let Color::Indexed(index) = cell.fg else {
                    // The terminal's own colour for text, which its theme chose for its ground.
                    assert!(plain, "{style:?}");
                    continue;
                };
                let found = contrast(cube_color(index), rgb);
                assert!(found >= 4.5, "{style:?} on {name}: {found:.2}");
            }
        }
    }

    #[test]
    fn no_text_is_bright_black_or_black_or_white() {
        let never = [Color::DarkGray, Color::Black, Color::White, Color::Gray];
        for style in TEXT_STYLES {
            assert!(style.fg.is_none_or(|fg| !never.contains(&fg)), "{style:?}");
        }
    }

    #[test]
    fn what_is_drawn_over_something_dim_is_not_dim() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
        for style in TEXT_STYLES.iter().filter(|style| **style != QUIET) {
            buffer.set_string(0, 0, "───", QUIET);
            buffer.set_string(0, 0, "abc", *style);
            let cell = buffer.content.first().unwrap();
            assert!(!cell.modifier.contains(Modifier::DIM), "{style:?}");
        }
    }

    /// Every style of text.
    const TEXT_STYLES: &[Style] = &[
        PLAIN,
        QUIET,
        STRONG,
        BRAND,
        TITLE,
        CURSOR,
        CURSOR_AWAY,
        MARK,
        SELECTED,
        KEY,
        GROUP,
        TYPE,
        FAILURE,
        WARNING,
        FINE,
        FILL,
        PADDING,
        HEADER,
        CHECKSUM,
        OTHER,
        TYPED,
        OFFERED,
        MEMBER,
        HIT,
    ];
}
