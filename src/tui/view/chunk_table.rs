//! The table of chunks: what it covers, headings, the array, a row a chunk, and what there is to say of one.

use crate::app::page::chunk_table::{Arrangement, ChunkTablePage};
use crate::tui::prelude::*;
use cells::{CellContext, SignedCell};

mod cells;

/// Columns of the cursor and the sign before the key.
const MARKS: usize = 3;

/// The table of the chunks of the array on show.
pub fn lines(app: &App, size: Size) -> Vec<Line> {
    let width = usize::from(size.width).saturating_sub(1);
    let Some(table) = &app.pages.chunk_table.table else {
        let text = " The chunks that are stored are being listed …";
        return vec![Line::styled(text, QUIET)];
    };
    let layout = ChunkTableLayout::new(size);
    let context = context(app, table);
    let mut lines = vec![title(app, table, width), status(app, table, width)];
    lines.resize(layout.headings(), Line::default());
    lines.extend(rows(app, &context, layout, width));
    // The rows that a short table leaves are there for what is said of a chunk.
    let most = layout.detail + layout.rows.saturating_sub(table.len() + 1);
    let detail = detail(&context, if layout.detail > 0 { most } else { 0 }, width);
    let above = layout.head + layout.rows + layout.detail - detail.len().max(layout.detail);
    lines.resize(above, Line::default());
    lines.extend(detail);
    lines
}

/// A column with its cells: that of the array, and those of the rows in sight.
struct Drawn {
    column: TableColumn,
    width: usize,
    cells: Vec<SignedCell>,
}

impl Drawn {
    /// A text of the column, at the side where it has its texts, and the gap to the next column.
    fn placed(&self, text: Span) -> [Span; 3] {
        let gap = Span::from(" ".repeat(self.width.saturating_sub(text.width())));
        let [left, right] = if cells::is_right(self.column) { [gap, text] } else { [text, gap] };
        [left, right, Span::from("  ")]
    }
}

/// The column whose heading is in a cell of a view of `size`; `None` where there is none.
pub fn heading_at(app: &App, at: PaneCell, size: Size) -> Option<TableColumn> {
    let layout = ChunkTableLayout::new(size);
    let table = app.pages.chunk_table.table.as_ref()?;
    if at.row != layout.headings() {
        return None;
    }
    let width = usize::from(size.width).saturating_sub(1);
    let (_, key, others) = columns(app, &context(app, table), layout, width);
    let mut end = MARKS;
    iter::once(&key).chain(&others.columns).find_map(|drawn| {
        let start = end;
        end += drawn.width + 2;
        (start..end).contains(&at.column).then_some(drawn.column)
    })
}

fn context<'a>(app: &'a App, table: &'a ChunkRows) -> CellContext<'a> {
    let is_physical = app.pages.chunk_table.is_physical;
    let packing = is_physical.then(|| Packing::of(&table.array));
    CellContext { table, presence: &app.shared.chunk.presence, packing }
}

/// The rows in sight, and the columns that there is room for: the key, and the others.
fn columns<'a>(
    app: &App,
    context: &CellContext<'a>,
    layout: ChunkTableLayout,
    width: usize,
) -> (Vec<(usize, ChunkRow<'a>)>, Drawn, Fitted) {
    let page = &app.pages.chunk_table;
    let visible = context.table.scroll.visible(layout.rows);
    let rows: Vec<(usize, ChunkRow<'_>)> =
        visible.filter_map(|at| Some((at, context.table.shown(at)?))).collect();
    let columns = page.columns(&app.shared).into_iter();
    let drawn: Vec<Drawn> = columns.map(|column| drawn(column, context, &rows)).collect();
    let (key, others) = fitted(drawn, page.column, width);
    (rows, key, others)
}

/// The line on the rows and their order.
fn title(app: &App, table: &ChunkRows, width: usize) -> Line {
    let page = &app.pages.chunk_table;
    let name = app.shared.node_name();
    // Which numbers these are comes first: nothing else on the page tells.
    let mut what = vec![page.choice_words(&app.shared)];
    what.push(table.array.data_type_in_words());
    if let Ok(shape) = &table.array.shape {
        what.push(times(shape));
    }
    what.push(rows_words(table));
    what.push(if page.is_physical && table.is_packed() { physical(table) } else { String::new() });
    what.retain(|words| !words.is_empty());
    let sorted = sorted_by(&page.arrangement, table);
    let name = cut(&name, width / 3);
    let room = width.saturating_sub(name.width() + sorted.width() + 6);
    while what.len() > 1 && what.join("   ").width() > room {
        what.pop();
    }
    let what = left(&what.join("   "), room);
    Line::from(vec![
        styled(format!(" {name}"), TITLE),
        Span::from(format!("   {what}  ")),
        quiet(sorted),
    ])
}

/// The progress of the reading, or its result.
fn status(app: &App, table: &ChunkRows, width: usize) -> Line {
    let arrangement = &app.pages.chunk_table.arrangement;
    let (read, all) = (table.read() as u64, table.rows.len() as u64);
    let (text, style) = match (&table.failure, table.pace) {
        (Some(error), _) => {
            (format!("✗ The chunks cannot be read: {}", safe_text(&error)), FAILURE)
        }
        (None, Some(far)) => (progress(far, read, all), STRONG),
        (None, None)
            if table.is_stopped && read == 0 && matches!(table.rows, WhichRows::Listed(_)) =>
        {
            let text = "More chunks than rows: these are stored. r reads their values.";
            (text.to_owned(), WARNING)
        }
        (None, None) if table.is_stopped => {
            let text = format!(
                "Stopped: figures cover {} of {}; r continues.",
                grouped(read),
                chunks(all)
            );
            (text, WARNING)
        }
        (None, None) => (states(table, width.saturating_sub(2)), PLAIN),
    };
    let notes = notes(table, arrangement, width, text.width());
    let taken: usize = notes.iter().map(|note| note.width() + 3).sum();
    let room = width.saturating_sub(taken + 1);
    let text = left(&cut_sentence(&text, room), room);
    let mut spans = vec![styled(format!(" {text}"), style)];
    for note in notes {
        spans.extend([Span::from("   "), note]);
    }
    Line::from(spans)
}

/// Headings, the row of the array, a rule, and the rows in sight.
fn rows(app: &App, context: &CellContext, layout: ChunkTableLayout, width: usize) -> Vec<Line> {
    let (page, table) = (&app.pages.chunk_table, context.table);
    let focused = app.shared.focus == Focus::View;
    let (rows, key, others) = columns(app, context, layout, width);
    let mut lines = vec![headings(page, table, (&key, &others), focused)];
    lines.push(line(0, (Span::from("   "), STRONG), &key, &others));
    lines.push(Line::styled(format!(" {}", "─".repeat(width)), QUIET));
    for (number, (at, row)) in rows.iter().enumerate() {
        let is_cursor = *at == table.scroll.cursor();
        let sign = context.sign(row);
        let mark = theme::mark(is_cursor);
        let style = theme::row(is_cursor.then_some(focused));
        let mut row = line(number + 1, (sign, style), &key, &others);
        row.spans.insert(0, mark);
        lines.push(row);
    }
    lines
}

/// The lines on the row under the cursor.
fn detail(context: &CellContext, lines: usize, width: usize) -> Vec<Line> {
    let Some(row) = context.table.selected().filter(|_| lines > 0) else { return Vec::new() };
    let key = safe_owned(&context.table.key(row.index));
    let key = cut(&key, width.saturating_sub(8));
    let rule = "─".repeat(width.saturating_sub(key.width() + 3));
    let mut out =
        vec![Line::from(vec![quiet(" ─ "), styled(key, STRONG), quiet(format!(" {rule}"))])];
    let room = width.saturating_sub(4);
    let (text, style) = context.sentence(&row, room * (lines - 1));
    let wrapped = wrap_to(&text, room, lines - 1);
    out.extend(wrapped.into_iter().map(|text| Line::styled(format!("   {text}"), style)));
    out.truncate(lines);
    out
}

/// A column: the cell of the array, then those of the rows in sight.
fn drawn(column: TableColumn, context: &CellContext, rows: &[(usize, ChunkRow<'_>)]) -> Drawn {
    let mut cells = vec![context.of_all(column)];
    cells.extend(rows.iter().map(|(_, row)| context.cell(column, row)));
    let title = column.title(context.table.are_numbers).width();
    let widest = widest(&cells, SignedCell::width);
    Drawn { column, width: widest.max(title).max(column.least()), cells }
}

/// The key, and the other columns that there is room for: so far to the right that the cursor is on one of them.
fn fitted(drawn: Vec<Drawn>, cursor: TableColumn, width: usize) -> (Drawn, Fitted) {
    let mut columns = drawn.into_iter();
    let key =
        columns.next().unwrap_or(Drawn { column: TableColumn::Key, width: 3, cells: Vec::new() });
    let others: Vec<Drawn> = columns.collect();
    let room = width.saturating_sub(MARKS + key.width + 2);
    let needed = |from: usize, to: usize| -> usize {
        let range = others.get(from..=to).unwrap_or_default();
        range.iter().map(|drawn| drawn.width + 2).sum()
    };
    let at = others.iter().position(|drawn| drawn.column == cursor).unwrap_or(0);
    let from = (0..=at).find(|&from| needed(from, at) <= room).unwrap_or(at);
    let to = (at..others.len()).take_while(|&to| needed(from, to) <= room).last().unwrap_or(at);
    let (before, after) = (from > 0, to + 1 < others.len());
    let columns = others.into_iter().skip(from).take(to + 1 - from).collect();
    (key, Fitted { columns, before, after })
}

/// The columns beside the key, and whether there are more on either side.
struct Fitted {
    columns: Vec<Drawn>,
    before: bool,
    after: bool,
}

fn headings(
    page: &ChunkTablePage,
    table: &ChunkRows,
    (key, others): (&Drawn, &Fitted),
    focused: bool,
) -> Line {
    let title = |drawn: &Drawn| {
        let is_here = drawn.column == page.column;
        let style = if is_here { theme::row(Some(focused)) } else { QUIET };
        drawn.placed(styled(drawn.column.title(table.are_numbers), style))
    };
    let mut spans = vec![Span::from("   ")];
    spans.extend(title(key));
    spans.pop();
    spans.push(quiet(if others.before { "« " } else { "  " }));
    spans.extend(others.columns.iter().flat_map(title));
    if others.after {
        spans.pop();
        spans.push(quiet(" »"));
    }
    Line::from(spans)
}

/// Row `number` of what was drawn, without the mark of the cursor.
fn line(number: usize, (sign, style): (Span, Style), key: &Drawn, others: &Fitted) -> Line {
    let mut spans = vec![sign];
    let keys = iter::once((key, Some(style)));
    for (drawn, style) in keys.chain(others.columns.iter().map(|drawn| (drawn, None))) {
        let Some(cell) = drawn.cells.get(number) else { continue };
        let text = format!("{}{}", cell.mark, cell.text);
        spans.extend(drawn.placed(styled(text, style.unwrap_or(cell.style))));
    }
    Line::from(spans)
}

fn chunks(count: u64) -> String {
    counted(count, "chunk")
}

/// `16 chunks`, `64 inner chunks of shard c/0/1`.
fn rows_words(table: &ChunkRows) -> String {
    let count = table.rows.len() as u64;
    match table.rows.shard() {
        Some(shard) => {
            let key = table.array.key_encoding.as_ref().map(|encoding| encoding.key(shard));
            let key = safe_owned(&key.unwrap_or_default());
            format!("{} of shard {key}", counted(count, "inner chunk"))
        }
        None if table.sums.all.inner.is_some() => counted(count, "shard"),
        None => chunks(count),
    }
}

/// The unit of the numbers: `in degC`.
fn physical(table: &ChunkRows) -> String {
    let units = table.array.attributes().and_then(|all| all.get_str("units").map(str::to_owned));
    units.map_or_else(|| "physical values".into(), |units| format!("in {}", safe(&units)))
}

fn sorted_by(arrangement: &Arrangement, table: &ChunkRows) -> String {
    let title = arrangement.column.title(table.are_numbers);
    let way = if arrangement.down { "descending" } else { "ascending" };
    format!("sorted by {title}, {way}")
}

/// A bar, the time left, and how to stop.
fn progress(pace: Pace, read: u64, all: u64) -> String {
    let full = usize::try_from((read * 20).checked_div(all).unwrap_or(0)).unwrap_or(20).min(20);
    let bar = "█".repeat(full) + &"░".repeat(20 - full);
    let rate = pace.rate().map(|rate| format!("   {} a second", grouped(rate))).unwrap_or_default();
    let left = pace.seconds_left().map(|left| format!("   {} s left", grouped(left)));
    let left = left.unwrap_or_default();
    format!("reading {} of {} {bar}{left}{rate}   Esc stops", grouped(read), chunks(all))
}

/// The notes on the rows that are shown of all, or on those that are far from the others.
fn notes(table: &ChunkRows, arrangement: &Arrangement, width: usize, taken: usize) -> Vec<Span> {
    let mut notes = Vec::new();
    if let Some(filter) = &arrangement.filter {
        let shown = format!(
            "{} of {} shown: {}",
            grouped(table.len()),
            grouped(table.rows.len()),
            filter.line
        );
        notes.push(styled(cut(&shown, width / 2), STRONG));
    }
    if table.sums.outliers > 0 && notes.is_empty() {
        let outliers = format!("◆ outliers: {}", grouped(table.sums.outliers));
        // The rows have the sign too.
        if taken + outliers.width() + 5 <= width {
            notes.push(quiet(outliers));
        }
    }
    notes
}

/// `16 of 16 chunks read: 15 with values, 1 damaged`, in fewer words where `room` is less; `16 chunks: 15 with values, 1
/// missing as fill`, because the figures count missing chunks as the fill value.
fn states(table: &ChunkRows, room: usize) -> String {
    let [values, missing, damaged] = table.sums.states;
    let (read, all) = (grouped(table.read()), counted(table.rows.len(), "chunk"));
    let mut kinds = vec![format!("{} with values", grouped(values))];
    if damaged > 0 {
        kinds.push(format!("{} damaged", grouped(damaged)));
    }
    if missing > 0 {
        kinds.push(format!("{} missing as fill", grouped(missing)));
    }
    let kinds = kinds.join(", ");
    let long = format!("{read} of {all} read: {kinds}");
    let is_all = table.read() == table.rows.len();
    if is_all && (missing > 0 || long.width() > room) { format!("{all}: {kinds}") } else { long }
}
