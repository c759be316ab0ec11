//! The tree: one row a node, with what it is on the right.

use crate::tui::prelude::*;

/// The nodes in sight.
pub fn lines(app: &App, size: Size) -> Vec<Line> {
    let (tree, width) = (&app.pages.tree, usize::from(size.width));
    if tree.is_empty() {
        let text = format!(" no node here matches \"{}\"", safe(&tree.filter));
        return vec![quiet(text).into()];
    }
    let root = app.shared.root_name();
    let in_sight = || tree.rows(tree.scroll.visible(size.height.into()));
    // As wide as the widest name in sight, but what comes after has its room.
    let widest = in_sight().map(|(_, row)| name_width(row, &root)).max().unwrap_or(0);
    let names = widest.min(width.saturating_sub(TYPE_KEPT)).max(12);
    let drawn = |(at, row)| line(app, &root, row, at == tree.scroll.cursor(), (names, width));
    in_sight().map(drawn).collect()
}

/// The most columns of a data type that the tree makes room for.
const TYPE: usize = 14;
/// Columns of types beside the longest names.
const TYPE_KEPT: usize = 9;

/// Columns of marks and name of a row.
fn name_width(row: &TreeRow, root: &str) -> usize {
    row.depth * 2 + 4 + name(&row.node, root).width()
}

/// Columns that the tree needs for the names and the types of its first rows.
pub fn columns_wanted(tree: &Tree, root: &str) -> usize {
    /// Rows that are looked at: in every frame, so not all of a large store.
    const MOST: usize = 500;
    let rows = || tree.rows(0..MOST).map(|(_, row)| row);
    let names = rows().map(|row| name_width(row, root)).max().unwrap_or(0);
    let types = rows().map(|row| (what(row, 0).0.width(), row.node.is_outside));
    let types = types.map(|(width, is_outside)| if is_outside { width } else { width.min(TYPE) });
    let types = types.max().unwrap_or(0);
    names + 2 + types
}

/// A row, with so many columns of marks and name.
fn line(
    app: &App,
    root: &str,
    row: &TreeRow,
    selected: bool,
    (names, width): (usize, usize),
) -> Line {
    let mark = mark(row);
    let indent = " ".repeat(row.depth * 2);
    let column = names.saturating_sub(row.depth * 2 + 3);
    let name_style = match (&row.node.what, selected, app.shared.focus == Focus::Tree) {
        (_, true, true) => CURSOR,
        (_, true, false) => CURSOR_AWAY,
        (What::Group(_) | What::Folder, ..) => GROUP,
        (What::Broken(_), ..) => FAILURE,
        (What::Unread(_), ..) => WARNING,
        (What::Array { .. }, ..) => PLAIN,
    };
    let badge = badge(&app.pages.problems, &row.node);
    let badge_width = badge.as_ref().map_or(0, |(text, _)| text.width());
    // A name that is longer than its column takes the place of the type.
    let longest = width.saturating_sub(row.depth * 2 + 5 + badge_width);
    let shown = cut(&name(&row.node, root), column.max(longest));
    let needed = if row.node.is_outside { what(row, 0).0.width() } else { 0 };
    let most = width.saturating_sub(row.depth * 2 + 4 + shown.width() + badge_width + needed);
    let gap = (column + 1).saturating_sub(shown.width()).min(most).max(1);
    let gap = " ".repeat(gap);
    let mut spans = vec![
        theme::mark(selected),
        quiet(format!("{indent}{mark} ")),
        styled(shown, name_style),
        Span::from(gap),
    ];
    let used: usize = spans.iter().map(Span::width).sum();
    let left_over = width.saturating_sub(used + badge_width + 1);
    let (what, style) = what(row, left_over);
    // A word that has no room is not begun.
    let is_whole = what.width() <= left_over || style == FAILURE;
    let what = if is_whole { cut(&what, left_over) } else { String::new() };
    spans.push(styled(left(&what, left_over), style));
    spans.extend(badge.map(|(text, style)| styled(format!(" {text}"), style)));
    Line::from(spans)
}

/// The problems of a node and below it: those that a check has found, else those of its own documents. A sign, too,
/// where a check has found nothing, and another where it has not seen all.
fn badge(problems: &ProblemsPage, node: &Outline) -> Option<(String, Style)> {
    let is_covered = problems.covers(&node.path);
    let found = problems.serious_below(&node.path);
    let count = if is_covered { found } else { node.problems };
    let (mut text, mut style) = theme::serious(count);
    if text.is_empty() && problems.has_checked(&node.path) {
        (text, style) = if problems.has_skipped(&node.path) {
            (signs::NONE.into(), QUIET)
        } else {
            (signs::RIGHT.into(), FINE)
        };
    }
    if node.in_both_formats {
        text = format!("V2+V3 {text}");
        style = if style == FAILURE { style } else { WARNING };
    }
    (!text.is_empty()).then(|| (text.trim_end().to_owned(), style))
}

/// The sign in front of a name: whether it opens, and what kind of array it is.
fn mark(row: &TreeRow) -> &'static str {
    match (&row.branch, &row.node.what) {
        (Branch::Closed, _) => "▸",
        (Branch::Open(_), _) => "▾",
        (Branch::Opening(_), _) => "…",
        (Branch::Failed(error), _) if error.code.is_limit() => signs::LIMIT,
        (Branch::Failed(_), _) | (_, What::Broken(_)) => signs::ERROR,
        (_, What::Unread(_)) => signs::LIMIT,
        (Branch::Leaf, What::Array { is_sharded: true, .. }) => "▦",
        (Branch::Leaf, _) => " ",
    }
}

fn name(node: &Outline, root: &str) -> String {
    if node.path.0.is_empty() { root.to_owned() } else { safe_owned(node.path.name()) }
}

/// The kind of a node, in the few words that there is room for.
fn what(row: &TreeRow, room: usize) -> (String, Style) {
    match (&row.node.what, &row.branch) {
        _ if row.node.is_outside => ("outside the store".into(), WARNING),
        (_, Branch::Failed(error)) => {
            let is_limit = error.code.is_limit();
            let style = if is_limit { WARNING } else { FAILURE };
            (safe_owned(&error.found), style)
        }
        (What::Broken(found), _) => (found.to_string(), FAILURE),
        (What::Unread(why), _) => (why.to_string(), WARNING),
        (What::Array { data_type, shape, .. }, _) => {
            let name = data_type.as_ref().map(|(name, _)| name.as_str());
            (array_words(name, shape.as_deref(), room), theme::TYPE)
        }
        (What::Group(format), branch) => {
            let words = format!("{}{}", format.name(), children(branch));
            let copied = format!("{words}  consolidated");
            let has_room = row.node.is_consolidated && copied.width() <= room;
            (if has_room { copied } else { words }, QUIET)
        }
        (What::Folder, branch) => (format!("folder{}", children(branch)), QUIET),
    }
}

fn children(branch: &Branch) -> String {
    match branch {
        Branch::Open(children) => format!(" {children}"),
        Branch::Opening(found @ 1..) => format!(" {found}…"),
        _ => String::new(),
    }
}

/// `float32`, `float32 [148,180]`: type and shape of an array; the shape goes first where there is no room.
fn array_words(data_type: Option<&str>, shape: Option<&[u64]>, room: usize) -> String {
    let words = data_type.map_or_else(|| "?".into(), short_name);
    let whole = format!("{words:<TYPE$} {}", shape.map_or_else(|| "[?]".into(), list));
    if whole.width() <= room { whole } else { words }
}

/// The name of a data type without the namespace and the fields: `float32`, `datetime64[10s]`, `struct`.
pub fn short_name(name: &str) -> String {
    let name = name.strip_prefix("numpy.").unwrap_or(name);
    name.split('{').next().unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_types_have_short_names() {
        let table = [
            ("float32", "float32"),
            ("complex_bfloat16", "complex_bfloat16"),
            ("numpy.datetime64[10s]", "datetime64[10s]"),
            ("fixed_length_utf32[3]", "fixed_length_utf32[3]"),
            ("struct{a, b}", "struct"),
            ("string", "string"),
        ];
        for (name, short) in table {
            assert_eq!(short_name(name), short);
        }
    }
}
