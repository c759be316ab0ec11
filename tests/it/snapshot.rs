//! A part of the screen as text: what it says, and under that how it looks, one letter a style with a legend.

use ratatui::{
    buffer::{Buffer, Cell},
    layout::Rect,
    style::{Color, Style},
    widgets::Widget,
};
use std::fmt::Write as _;
use zarrscope::{
    app::App,
    tui::panes::{self, Panes},
};

/// The part of the screen that a test is about. A word in the frame changes the snapshots of the frame and no others.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// Title, tabs, address line and footer, one below the other.
    Frame,
    /// The footer alone.
    Footer,
    /// The list of nodes.
    Tree,
    /// The view or the explanation over it; on a narrow screen the tree, while that is there.
    View,
    /// Tree and view, or what covers both: help, finder, gallery.
    Body,
}

impl Part {
    /// The cells of this part of `screen`.
    pub(crate) fn of(self, app: &App, screen: &Buffer) -> Buffer {
        let panes = panes::panes(screen.area, app);
        let Panes { title, tabs, tree, rule, footer, body, .. } = panes;
        cut(
            screen,
            &match self {
                Self::Frame => vec![title, tabs, rule, footer],
                Self::Footer => vec![footer],
                Self::Tree => vec![tree],
                Self::View => vec![panes::view_and_explanation(panes)],
                Self::Body => vec![body],
            },
        )
    }
}

/// The cells of `areas`, which are equally wide, one area below the other.
fn cut(screen: &Buffer, areas: &[Rect]) -> Buffer {
    let cells: Vec<Cell> = areas
        .iter()
        .flat_map(|area| area.positions().map(|position| screen[position].clone()))
        .collect();
    assert!(!cells.is_empty(), "this part is not on the screen");
    let height = areas.iter().map(|area| area.height).sum();
    Buffer { area: Rect::new(0, 0, areas[0].width, height), content: cells }
}

/// Draws `widget` on a blank screen.
pub(crate) fn draw(widget: impl Widget, width: u16, height: u16) -> Buffer {
    draw_by(|area, buffer| widget.render(area, buffer), width, height)
}

/// A blank screen after `render`.
pub(crate) fn draw_by(render: impl FnOnce(Rect, &mut Buffer), width: u16, height: u16) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    render(buffer.area, &mut buffer);
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
