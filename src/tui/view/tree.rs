//! The tree: one row a node, with what it is on the right.

use crate::{
    app::page::{
        problems::ProblemsPage,
        tree::{Branch, Outline, Tree, TreeRow, What},
    },
    tui::theme,
    zarr::{
        signs,
        text::safe,
        words::{cut, left, list},
    },
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::Widget,
};
use unicode_width::UnicodeWidthStr;

/// The nodes in sight.
#[derive(Debug)]
pub struct TreeView<'a> {
    /// The nodes.
    pub tree: &'a Tree,
    /// The name of the root.
    pub root: &'a str,
    /// The problems of the last check.
    pub problems: &'a ProblemsPage,
    /// True if the tree has the keys.
    pub focused: bool,
}

impl Widget for TreeView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        if self.tree.is_empty() {
            let text = format!(" no node here matches \"{}\"", safe(&self.tree.filter));
            buf.set_stringn(area.x, area.y, text, area.width.into(), theme::QUIET);
            return;
        }
        let names = self.name_column(area);
        let visible = self.tree.scroll.visible(area.height.into());
        for ((at, row), line) in self.tree.rows(visible).zip(area.rows()) {
            self.row(row, at == self.tree.scroll.cursor(), names, line.width.into())
                .render(line, buf);
        }
    }
}

impl TreeView<'_> {
    /// Columns of marks and names: as wide as the widest in sight, but what comes after has its room.
    fn name_column(&self, area: Rect) -> usize {
        let visible = self.tree.scroll.visible(area.height.into());
        let width = |row: &TreeRow| row.depth * 2 + 4 + name(&row.node, self.root).width();
        let widest = self.tree.rows(visible).map(|(_, row)| width(row)).max().unwrap_or(0);
        widest.min(usize::from(area.width).saturating_sub(10)).max(12)
    }

    fn row(&self, row: &TreeRow, selected: bool, names: usize, width: usize) -> Line<'static> {
        let cursor = if selected { "▌" } else { " " };
        let mark = mark(row);
        let indent = " ".repeat(row.depth * 2);
        let room = names.saturating_sub(row.depth * 2 + 3);
        let name_style = match (&row.node.what, selected, self.focused) {
            (_, true, true) => theme::CURSOR,
            (_, true, false) => theme::CURSOR_AWAY,
            (What::Group(_) | What::Folder, ..) => theme::GROUP,
            (What::Broken(_), ..) => theme::FAILURE,
            (What::Array { .. }, ..) => theme::PLAIN,
        };
        let shown = cut(&name(&row.node, self.root), room);
        let badge = self.badge(&row.node);
        let badge_width = badge.as_ref().map_or(0, |(text, _)| text.width());
        let start = names - room + shown.width();
        let most = gap_before_what(row, width.saturating_sub(start + badge_width + 1));
        let gap = " ".repeat((room + 1).saturating_sub(shown.width()).min(most));
        let mut spans = vec![
            Span::styled(cursor, theme::MARK),
            Span::styled(format!("{indent}{mark} "), theme::QUIET),
            Span::styled(shown, name_style),
            Span::from(gap),
        ];
        let used: usize = spans.iter().map(|span| span.content.width()).sum();
        let room = width.saturating_sub(used + badge_width + 1);
        let (mut what, style) = what(row, room);
        if row.node.is_outside {
            what = cut(&format!("outside the store  {what}"), room);
        }
        spans.push(Span::styled(left(&what, room), style));
        spans.extend(badge.map(|(text, style)| Span::styled(format!(" {text}"), style)));
        Line::from(spans)
    }
}

impl TreeView<'_> {
    /// The problems of a node and below it: those that a check has found, else those of its own documents. A sign, too,
    /// where a check has found nothing, and another where it has not seen all.
    fn badge(&self, node: &Outline) -> Option<(String, Style)> {
        let is_covered = self.problems.covers(&node.path);
        let found = self.problems.serious_below(&node.path);
        let count = if is_covered { found } else { node.problems };
        let (mut text, mut style) = theme::serious(count);
        if text.is_empty() && self.problems.has_checked(&node.path) {
            (text, style) = if self.problems.has_skipped(&node.path) {
                (signs::NONE.into(), theme::QUIET)
            } else {
                (signs::RIGHT.into(), theme::FINE)
            };
        }
        if node.in_both_formats {
            text = format!("V2+V3 {text}");
            style = if style == theme::FAILURE { style } else { theme::WARNING };
        }
        (!text.is_empty()).then(|| (text.trim_end().to_owned(), style))
    }
}

/// The widest gap that leaves what a node is its part of `room`: where that needs more than its column has, it begins
/// next to a short name.
fn gap_before_what(row: &TreeRow, room: usize) -> usize {
    let least = what(row, 0).0.width();
    let whole = match row.node.what {
        What::Array { .. } => what(row, usize::MAX).0.width(),
        _ => least,
    };
    let needed = if whole < room { whole } else { least };
    room.saturating_sub(needed).max(1)
}

/// The sign in front of a name: whether it opens, and what kind of array it is.
fn mark(row: &TreeRow) -> &'static str {
    match (&row.branch, &row.node.what) {
        (Branch::Closed, _) => "▸",
        (Branch::Open(_), _) => "▾",
        (Branch::Opening(_), _) => "…",
        (Branch::Failed(_), _) | (_, What::Broken(_)) => signs::ERROR,
        (Branch::Leaf, What::Array { is_sharded: true, .. }) => "▦",
        (Branch::Leaf, _) => " ",
    }
}

fn name(node: &Outline, root: &str) -> String {
    if node.path.0.is_empty() { root.to_owned() } else { safe(node.path.name()).into_owned() }
}

/// The kind of a node, in the few words that there is room for.
fn what(row: &TreeRow, room: usize) -> (String, Style) {
    match (&row.node.what, &row.branch) {
        (_, Branch::Failed(error)) => (safe(&error.found).into_owned(), theme::FAILURE),
        (What::Broken(found), _) => (found.to_string(), theme::FAILURE),
        (What::Array { data_type, shape, .. }, _) => {
            (array_words(data_type.as_ref(), shape.as_deref(), room), theme::TYPE)
        }
        (What::Group(format), branch) => {
            let words = format!("{}{}", format.name(), children(branch));
            let copied = format!("{words}  consolidated");
            let has_room = row.node.is_consolidated && copied.width() <= room;
            (if has_room { copied } else { words }, theme::QUIET)
        }
        (What::Folder, branch) => (format!("folder{}", children(branch)), theme::QUIET),
    }
}

fn children(branch: &Branch) -> String {
    match branch {
        Branch::Open(children) => format!(" {children}"),
        Branch::Opening(found @ 1..) => format!(" {found}…"),
        _ => String::new(),
    }
}

/// `f4 LE [148,180]`: type, order and shape of an array; the shape goes first where there is no room.
fn array_words(
    data_type: Option<&(Box<str>, Option<&'static str>)>,
    shape: Option<&[u64]>,
    room: usize,
) -> String {
    let shape = shape.map_or_else(|| "[?]".into(), list);
    let words = data_type.map_or_else(
        || "?".into(),
        |(name, order)| format!("{} {}", short_name(name), order.unwrap_or("  ")),
    );
    let whole = format!("{words} {shape}");
    if whole.width() <= room { whole } else { words }
}

/// The short name of a data type: `f4`, `bf16`, `M8[10s]`, `U3`, `struct`.
#[must_use]
pub fn short_name(name: &str) -> String {
    let name = name.strip_prefix("numpy.").unwrap_or(name);
    let (stem, rest) = match name.find(['[', '{']) {
        Some(at) => name.split_at_checked(at).unwrap_or((name, "")),
        None => (name, ""),
    };
    let short = match stem {
        "datetime64" => format!("M8{rest}"),
        "timedelta64" => format!("m8{rest}"),
        "fixed_length_utf32" => format!("U{}", rest.trim_matches(['[', ']'])),
        "null_terminated_bytes" => format!("S{}", rest.trim_matches(['[', ']'])),
        "struct" | "structured" => "struct".into(),
        "bfloat16" => "bf16".into(),
        stem => numeric(stem).unwrap_or_else(|| format!("{stem}{rest}")),
    };
    cut(&short, 14)
}

/// `f4` for `float32`, `f8e4m3` for `float8_e4m3`, `c_bf16` for `complex_bfloat16`.
fn numeric(stem: &str) -> Option<String> {
    if let Some(part) = stem.strip_prefix("complex_") {
        return Some(format!("c_{}", short_name(part)));
    }
    for (long, short) in [("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")] {
        let Some(rest) = stem.strip_prefix(long) else { continue };
        if let Some((bits, variant)) = rest.split_once('_') {
            return Some(format!("{short}{bits}{variant}"));
        }
        let bits: u32 = rest.parse().ok()?;
        return Some(if bits >= 8 { format!("{short}{}", bits / 8) } else { stem.to_owned() });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_types_have_short_names() {
        let table = [
            ("float32", "f4"),
            ("uint8", "u1"),
            ("int4", "int4"),
            ("complex64", "c8"),
            ("float8_e4m3", "f8e4m3"),
            ("bfloat16", "bf16"),
            ("complex_bfloat16", "c_bf16"),
            ("numpy.datetime64[10s]", "M8[10s]"),
            ("fixed_length_utf32[3]", "U3"),
            ("null_terminated_bytes[5]", "S5"),
            ("struct{a, b}", "struct"),
            ("r32", "r32"),
            ("string", "string"),
        ];
        for (name, short) in table {
            assert_eq!(short_name(name), short);
        }
    }
}
