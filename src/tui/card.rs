//! The card: what is on show as Markdown, for an issue, a chat or a notebook.
//!
//! A heading that names store, node, view and version; the view as it is drawn, in a fence; then, folded, the data type
//! in both formats and what else is known of the place; and the command that shows it again.

use super::prelude::*;
use super::{picture, view::picture::Colors};
use std::fmt::Write as _;

/// The view of `app` on a screen of this area, as Markdown.
pub fn markdown(app: &App, area: Rect, options: &Options) -> String {
    let mut out = String::from("### ");
    let node = app.fact("node");
    let names = [app.shared.root_name(), safe_owned(&node)];
    let names = names.iter().filter(|name| !name.is_empty()).map(|name| code(name));
    out += &names.joined(" › ");
    let _ = writeln!(out, ", {}, zarrscope {}\n", app.fact("view"), env!("ZARRSCOPE_VERSION"));
    let facts = if let Some(why) = app.withheld() {
        out += &fenced(&format!("{why}\nWhat is outside the store is not put into cards.\n"));
        String::new()
    } else {
        out += &fenced(&drawn(app, area, options));
        app.facts()
    };
    if !facts.is_empty() {
        let block = fenced(&facts);
        let _ = write!(out, "\n<details>\n<summary>Details</summary>\n\n{block}\n</details>\n");
    }
    let _ = writeln!(out, "\nTo show it again: {}", code(&app.command_line()));
    out
}

/// The view, or what covers it, as text without colours.
fn drawn(app: &App, area: Rect, options: &Options) -> String {
    let mut screen = Buffer::empty(area);
    Screen::new(app).render(area, &mut screen);
    let options = Options { color: false, pictures: Colors::Mono, ..options.clone() };
    adapt(&mut screen, &options);
    let panes = panes::panes(area, app);
    let shown = match app.cover() {
        Some(_) => panes.body,
        None => panes::view_and_explanation(panes),
    };
    let shown = if shown.is_empty() { area } else { shown };
    let mut part = Buffer::empty(Rect::new(0, 0, shown.width, shown.height));
    for (to, from) in part.content.iter_mut().zip(shown.positions()) {
        if let Some(cell) = screen.cell(from) {
            *to = cell.clone();
        }
    }
    let text = picture::text(&part);
    // What every line begins with is the room that the frame needs.
    let used = || text.lines().filter(|line| !line.is_empty());
    let margin = used().map(|line| line.len() - line.trim_start_matches(' ').len()).min();
    let lines = text.lines().map(|line| line.get(margin.unwrap_or(0)..).unwrap_or_default());
    lines.joined("\n").trim_matches('\n').to_owned() + "\n"
}

/// `text` between fences that are longer than any in it.
fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}text\n{text}{fence}\n")
}

/// `text` as code in a line: whatever is in it, it stays text.
fn code(text: &str) -> String {
    match longest_run(text) {
        0 => format!("`{text}`"),
        longest => {
            let quote = "`".repeat(longest + 1);
            format!("{quote} {text} {quote}")
        }
    }
}

/// The number of backticks in the longest run of them.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_backticks_stays_inside() {
        assert_eq!(fenced("a\n"), "```text\na\n```\n");
        assert_eq!(fenced("a```b\n"), "````text\na```b\n````\n");
        assert_eq!(code("a_b"), "`a_b`");
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
