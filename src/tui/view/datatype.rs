//! The name card: how V2 and V3 each write the array, row by row, and below it what the row under the cursor means.

use super::{explain, twins};
use crate::tui::prelude::*;
use crate::{app::layout::CardLayout, zarr::spelling::Spelling};

/// The twin columns.
pub fn render(app: &App, area: Rect, buf: &mut Buffer) {
    let page = &app.pages.data_type;
    let Some(spelling) = &page.spelling else { return };
    let explained = app.explanation().is_some();
    let layout = page.layout(Size::new(area.width, area.height), explained);
    let all = area;
    let area = Rect { width: layout.width.min(all.width), ..all };
    let heads = area.rows().zip(heads(app, &layout, spelling, area.width.into()));
    heads.for_each(|(row, line)| line.render(row, buf));
    let [frame, list, panel] = stacked(area, [Length(layout.frame), Length(layout.list), Fill(1)]);
    let rule = Rect { y: frame.bottom().saturating_sub(1), height: 1, ..frame };
    super::rule(rule.intersection(area), "", QUIET, buf);
    let cursor = Some((page.scroll.cursor(), app.shared.focus == Focus::View));
    let rows = twins::lines(page.rows(), &layout.twins, layout.first, cursor, list.height.into());
    Text::from(rows).render(list, buf);
    if area.width < all.width {
        let x = area.right() + 2;
        let beside = Rect { x, width: all.right() - x, ..all };
        explain::divider(Rect { x: area.right(), width: 1, ..all }, buf);
        meaning(app, &layout, beside, buf);
    } else if !explained {
        meaning(app, &layout, panel, buf);
    }
}

/// Draws the meaning of the row under the cursor; first its cells, where they were cut.
fn meaning(app: &App, layout: &CardLayout, area: Rect, buf: &mut Buffer) {
    let page = &app.pages.data_type;
    let cut = layout.twins.is_cut(page.scroll.cursor());
    if let Some(explained) = page.explanation(cut, &app.shared) {
        explain::panel(&explained, area, buf);
    }
}

/// The lines above the rows: the array in one line, the heads of the columns, their files where there is room.
fn heads(app: &App, layout: &CardLayout, spelling: &Spelling, width: usize) -> Vec<Line> {
    let mut lines = vec![match app.shared.node().map(|node| &node.kind) {
        Some(NodeKind::Array(array)) => summary(app, array, width),
        _ => Line::default(),
    }];
    lines.push(readable(app, width));
    let heads = if let Some(stored) = spelling.stored.filter(|_| spelling.unread.is_none()) {
        twins::heads(&layout.twins, Some(stored), app.shared.supposed().is_some())
    } else {
        let rows = app.pages.data_type.rows();
        let different = rows.iter().filter(|row| row.join == Join::Differs).count();
        let used = app.shared.node().and_then(|node| node.kind.array());
        twins::heads_of_both(
            &layout.twins,
            spelling.unread,
            used.map(|array| array.format),
            different,
        )
    };
    let files = twins::above(&layout.twins, ".zarray + .zattrs", "zarr.json", QUIET);
    match layout.frame {
        0..5 => lines.push(heads),
        5 => lines.extend([heads, files]),
        _ => lines.extend([Line::default(), heads, files]),
    }
    lines
}

/// The chunks of an array in words: `chunks 37×45`, `shards 74×90 of 37×45`.
fn chunks(array: &ArrayMetadata) -> Option<String> {
    let inner = array.inner_chunk_shape();
    let grid = array.known_grid()?;
    let chunk = grid.chunk_shape(&vec![0; grid.dimensions()])?;
    match inner {
        Some(inner) => Some(format!("shards {} of {}", times(&chunk), times(&inner))),
        None => (!chunk.is_empty()).then(|| format!("chunks {}", times(&chunk))),
    }
}

/// The number of the chunks stored, and how many bytes they take; nothing before all are listed.
fn stored(presence: &Presence, array: &ArrayMetadata) -> Option<Vec<String>> {
    let (grid, shape) = (array.known_grid()?, array.known_shape()?);
    let total = grid.total(shape).filter(|_| presence.complete)?;
    let total = u64::try_from(total).map_or_else(|_| total.to_string(), grouped);
    let count = format!("{} of {total} stored", grouped(presence.stored()));
    if presence.bytes() == 0 {
        return Some(vec![count]);
    }
    // The lengths of the rest were not asked for.
    let least = if presence.measured() < presence.stored() { "more than " } else { "" };
    Some(vec![count, format!("{least}{}", size(presence.bytes()))])
}

/// The line on the readable part of the array, as far as it was tried.
pub fn readable(app: &App, width: usize) -> Line {
    let room = width.saturating_sub(2);
    let Some(text) = app.readable_sentence(room) else { return Line::default() };
    let is_damaged = app.readable().is_some_and(|readable| readable.unreadable > 0);
    let style = if is_damaged { FAILURE } else { QUIET };
    Line::from(vec![Span::from("  "), styled(cut_sentence(&text, room), style)])
}

/// Words of the line of an array in `room` columns: a long data type is cut first, then the last words are left out
/// whole, so that no figure loses its unit.
fn fitted(mut words: Vec<String>, room: usize) -> String {
    /// Columns that a cut data type keeps.
    const DATA_TYPE: usize = 12;
    let over = words.join("  ").width().saturating_sub(room);
    if let Some(data_type) = words.first_mut() {
        let least = DATA_TYPE.min(data_type.width());
        *data_type = cut(data_type, data_type.width().saturating_sub(over).max(least));
    }
    let mut text = words.join("  ");
    while text.width() > room && words.len() > 1 {
        words.pop();
        text = format!("{}  …", words.join("  "));
    }
    cut(&text, room)
}

/// The array in one line: name, type, shape, chunks, how many are stored.
pub fn summary(app: &App, array: &ArrayMetadata, width: usize) -> Line {
    let name = match app.shared.node().map(|node| node.path.name()) {
        Some(name) if !name.is_empty() => safe_owned(name),
        _ => app.shared.root_name(),
    };
    let mut words = vec![array.data_type_in_words()];
    words.push(match &array.shape {
        Ok(shape) if shape.is_empty() => "0-d".into(),
        Ok(shape) => times(shape),
        Err(_) => "shape unknown".into(),
    });
    words.extend(chunks(array));
    words.extend(stored(&app.shared.chunk.presence, array).into_iter().flatten());
    // The title of the screen has the name as well.
    let rest = words.join("  ");
    let name =
        cut(&name, width.saturating_sub(rest.width() + 4).clamp(24.min(width / 2), width / 2));
    let rest = fitted(words, width.saturating_sub(name.width() + 4));
    Line::from(vec![Span::from(" "), styled(name, TITLE), Span::from(format!("  {rest}"))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_figure_of_the_line_loses_its_unit() {
        let words = ["struct{station, when}", "4", "chunks 2", "66 B"].map(String::from);
        let at = |room| fitted(words.to_vec(), room);
        assert_eq!(at(40), "struct{station, when}  4  chunks 2  66 B");
        assert_eq!(at(35), "struct{station,…  4  chunks 2  66 B");
        assert_eq!(at(28), "struct{stat…  4  chunks 2  …");
        assert_eq!(at(8), "struct{…");
    }
}
