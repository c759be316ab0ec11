//! A buffer as text: what it says, and under that how it looks, one letter a style with a legend.

use ratatui::{
    buffer::{Buffer, Cell},
    layout::Rect,
    style::{Color, Style},
    widgets::Widget,
};
use std::fmt::Write as _;

/// Draws `widget` on a blank screen.
pub(crate) fn draw(widget: impl Widget, width: u16, height: u16) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    widget.render(buffer.area, &mut buffer);
    buffer
}

/// The symbols; then, for each row that has any, its styles by letter; then what the letters mean.
pub(crate) fn describe(buffer: &Buffer) -> String {
    let text = zarrscope::tui::picture::text(buffer);
    let mut look = String::new();
    let mut styles = vec![Cell::default().style()];
    for (y, row) in buffer.content.chunks(buffer.area.width.into()).enumerate() {
        let letters: String = row.iter().map(|cell| letter(&mut styles, cell.style())).collect();
        if !letters.trim_end().is_empty() {
            writeln!(look, "{y:>2} {}", letters.trim_end()).unwrap();
        }
    }
    for (style, c) in styles.iter().zip(LETTERS.chars()).skip(1) {
        writeln!(look, "{c}: {}", name(*style)).unwrap();
    }
    format!("{text}--- style\n{look}")
}

const LETTERS: &str = " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn letter(styles: &mut Vec<Style>, style: Style) -> char {
    let at = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
        styles.push(style);
        styles.len() - 1
    });
    LETTERS.chars().nth(at).unwrap_or('#')
}

fn name(style: Style) -> String {
    let colour = |what, colour| match colour {
        None | Some(Color::Reset) => String::new(),
        Some(colour) => format!("{what}{colour} "),
    };
    let modifier = format!("{:?}", style.add_modifier).replace("NONE", "");
    format!("{}{}{modifier}", colour("", style.fg), colour("on ", style.bg))
        .trim_end()
        .to_lowercase()
}
