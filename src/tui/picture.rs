//! A drawn screen as a document: plain text, text with colours, or a picture.
//!
//! The pictures of the README, the command `shot` and the tests are made here from the same cells that a terminal gets,
//! so none of them can show what the program does not. The SVG is written by hand: it is a text a run of cells, which
//! no crate makes of a ratatui buffer.

pub mod film;

use super::prelude::*;
use super::view::picture::cube_color;
use std::fmt::Write as _;

/// The ground of a picture.
#[derive(Clone, Copy, Default)]
pub enum Palette {
    /// Light text on a dark ground.
    #[default]
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// Width and height of a cell in a picture, in pixels. The height is no taller than the font's own line, or box
/// drawing would fall apart.
const CELL: (usize, usize) = (9, 17);

/// The characters alone, a line a row, without trailing blanks.
pub fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        let line: String = glyphs(&row).map(|(_, cell)| cell.symbol()).collect();
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// The characters with SGR escape sequences, a line a row: what `cat` shows as the screen was.
pub fn ansi(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        for run in row.chunk_by(|a, b| a.style() == b.style()) {
            let codes = sgr(run.first());
            let line: String = glyphs(run).map(|(_, cell)| cell.symbol()).collect();
            if codes.is_empty() {
                out += &line;
            } else {
                let _ = write!(out, "\x1b[{codes}m{line}\x1b[0m");
            }
        }
        out.push('\n');
    }
    out
}

/// The screen as a standalone SVG document.
pub fn svg(buffer: &Buffer, palette: Palette) -> String {
    frame(buffer.area, palette, "", &pieces(buffer, palette).concat())
}

/// The document around what is drawn of a screen.
fn frame(area: Rect, palette: Palette, style: &str, body: &str) -> String {
    let (width, height) = (usize::from(area.width) * CELL.0, usize::from(area.height) * CELL.1);
    let ground = hex(Color::Reset, false, palette);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"-8 -8 {} {}\" \
         font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\" xml:space=\"preserve\">\n\
         {style}<rect x=\"-8\" y=\"-8\" width=\"100%\" height=\"100%\" fill=\"{ground}\"/>\n{body}</svg>\n",
        width + 16,
        height + 16,
        width + 16,
        height + 16,
    )
}

/// The pieces of a screen, each run of cells by itself.
fn pieces(buffer: &Buffer, palette: Palette) -> Vec<String> {
    let mut pieces = Vec::new();
    for (y, row) in rows(buffer).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| look(a) == look(b)) {
            pieces.push(drawn(run, (x, y), palette));
            x += run.len();
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The rows, the cell after a wide character looking like the character: a buffer leaves it blank.
fn rows(buffer: &Buffer) -> impl Iterator<Item = Vec<Cell>> {
    buffer.content.chunks(usize::from(buffer.area.width).max(1)).map(|row| {
        let mut cells = row.to_vec();
        for (x, wide) in row.iter().enumerate().filter(|(_, cell)| cell.symbol().width() > 1) {
            if let Some(behind) = cells.get_mut(x + 1) {
                behind.set_style(wide.style());
            }
        }
        cells
    })
}

/// The cells that show something, with their columns: the cell after a wide character does not.
fn glyphs(row: &[Cell]) -> impl Iterator<Item = (usize, &Cell)> {
    let mut free = 0;
    row.iter().enumerate().filter(move |(x, cell)| {
        let shown = *x >= free;
        if shown {
            free = x + cell.symbol().width().max(1);
        }
        shown
    })
}

/// Foreground, background and what else makes two cells look alike; reversed cells are swapped here.
fn look(cell: &Cell) -> (Color, Color, Modifier) {
    if cell.modifier.contains(Modifier::REVERSED) {
        (cell.bg, cell.fg, cell.modifier)
    } else {
        (cell.fg, cell.bg, cell.modifier)
    }
}

/// Cells of one look from `(x, y)` on, on a ground of their own where they have one. Each of their words is nailed to its
/// columns whatever font the reader has. Words are split at blanks because a renderer may stretch `textLength` over
/// blanks unevenly.
fn drawn(cells: &[Cell], (x, y): (usize, usize), palette: Palette) -> String {
    let mut out = String::new();
    let Some((fg, bg, modifier)) = cells.first().map(look) else { return out };
    let reversed = modifier.contains(Modifier::REVERSED);
    if bg != Color::Reset || reversed {
        let (left, top, width, height) = (x * CELL.0, y * CELL.1, cells.len() * CELL.0, CELL.1);
        let fill = hex(bg, reversed, palette);
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        );
    }
    let mut style = format!("fill=\"{}\"", hex(fg, !reversed, palette));
    for (of, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::DIM, " opacity=\"0.7\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
    ] {
        style += if modifier.contains(of) { attribute } else { "" };
    }
    let shown: Vec<(usize, &Cell)> = glyphs(cells).collect();
    for word in shown.chunk_by(|(_, a), (_, b)| (a.symbol() == " ") == (b.symbol() == " ")) {
        let text: String = word.iter().map(|(_, cell)| cell.symbol()).collect();
        let first = word.first().filter(|(_, cell)| cell.symbol() != " ");
        let Some((first, _)) = first else { continue };
        let (left, base) = ((x + first) * CELL.0, y * CELL.1 + 13);
        let width = text.width() * CELL.0;
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"{base}\" textLength=\"{width}\" {style}>{}</text>",
            xml(&text)
        );
    }
    out
}

/// `text` as XML has it in an element. What XML cannot have at all becomes the replacement character.
fn xml(text: &str) -> String {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    let text = text.replace(|c| !is_allowed(c), "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace("]]>", "]]&gt;")
}

/// The parameters of the escape sequence that gives a cell its look; empty for a plain one.
fn sgr(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return String::new() };
    let modifiers = [
        (Modifier::BOLD, "1"),
        (Modifier::DIM, "2"),
        (Modifier::ITALIC, "3"),
        (Modifier::UNDERLINED, "4"),
        (Modifier::REVERSED, "7"),
    ];
    let mut codes: Vec<String> = modifiers
        .iter()
        .filter(|(modifier, _)| cell.modifier.contains(*modifier))
        .map(|(_, code)| (*code).to_owned())
        .collect();
    codes.extend(colour_code(cell.fg, 30));
    codes.extend(colour_code(cell.bg, 40));
    codes.join(";")
}

fn colour_code(color: Color, base: usize) -> Option<String> {
    if let Color::Rgb(r, g, b) = color {
        return Some(format!("{};2;{r};{g};{b}", base + 8));
    }
    if let Color::Indexed(index) = color {
        return Some(format!("{};5;{index}", base + 8));
    }
    let at = ANSI.iter().position(|known| known.0 == color)?;
    Some(if at < 8 { (base + at).to_string() } else { (base + 60 + at - 8).to_string() })
}

/// The 16 colours in the order of their codes, each as a dark and as a light terminal shows it.
const ANSI: [(Color, &str, &str); 16] = [
    (Color::Black, "#2b303b", "#24292f"),
    (Color::Red, "#e06c75", "#b3261e"),
    (Color::Green, "#98c379", "#2f7d32"),
    (Color::Yellow, "#e5c07b", "#8a6100"),
    (Color::Blue, "#61afef", "#0b5cad"),
    (Color::Magenta, "#c678dd", "#8b2fa8"),
    (Color::Cyan, "#56b6c2", "#0f7482"),
    (Color::Gray, "#abb2bf", "#57606a"),
    (Color::DarkGray, "#6f7787", "#7d8590"),
    (Color::LightRed, "#f28b93", "#cf3a32"),
    (Color::LightGreen, "#b5d99c", "#3f9142"),
    (Color::LightYellow, "#f0d399", "#a87400"),
    (Color::LightBlue, "#8cc6f7", "#2474c9"),
    (Color::LightMagenta, "#d9a0ea", "#a449c0"),
    (Color::LightCyan, "#82ced8", "#178d9d"),
    (Color::White, "#ffffff", "#000000"),
];

fn hex(color: Color, foreground: bool, palette: Palette) -> String {
    let exact = match color {
        Color::Rgb(r, g, b) => Some((r, g, b)),
        Color::Indexed(index) => Some(cube_color(index)),
        _ => None,
    };
    if let Some((r, g, b)) = exact {
        return format!("#{r:02x}{g:02x}{b:02x}");
    }
    let known = ANSI.iter().find(|known| known.0 == color);
    match (known, palette, foreground) {
        (Some((_, dark, _)), Palette::Dark, _) => *dark,
        (Some((_, _, light)), Palette::Light, _) => *light,
        (None, Palette::Dark, true) | (None, Palette::Light, false) => match palette {
            Palette::Dark => "#d4d8e0",
            Palette::Light => "#fdfdfb",
        },
        (None, Palette::Dark, false) => "#16181d",
        (None, Palette::Light, true) => "#24292f",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn sample() -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        buffer.set_string(0, 0, "a<漢b", Style::new().fg(Color::Red));
        buffer.set_string(0, 1, "x", Style::new().add_modifier(Modifier::REVERSED));
        buffer
    }

    #[test]
    fn wide_characters_take_their_two_cells_once() {
        assert_eq!(text(&sample()), "a<漢b\nx\n");
        assert_eq!(ansi(&sample()), "\x1b[31ma<漢b\x1b[0m   \n\x1b[7mx\x1b[0m       \n");
    }

    #[test]
    fn a_picture_escapes_and_swaps() {
        let picture = svg(&sample(), Palette::Dark);
        assert!(
            picture.contains("textLength=\"45\" fill=\"#e06c75\">a&lt;漢b</text>"),
            "{picture}"
        );
        assert!(picture.contains("fill=\"#d4d8e0\"/>"), "the reversed ground: {picture}");
        let mut end = Buffer::empty(Rect::new(0, 0, 8, 1));
        end.set_string(0, 0, "a]]>b", Style::new());
        assert!(
            !svg(&end, Palette::Dark).contains("]]>"),
            "an end of CDATA, which XML forbids in text"
        );
        assert_eq!(
            xml("a\u{1}\u{fffe}\u{ffff}\u{fffd}\u{10ffff}"),
            "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{10ffff}"
        );
    }
}
