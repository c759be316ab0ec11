//! The chunk view: title, map, stages, dump, and what is under the cursor.

use super::{
    datatype::{readable, summary},
    labelled,
};
use crate::app::current_chunk::damage;
use crate::tui::prelude::*;

pub mod dump;
mod fields;
pub mod inspector;
pub mod map;
pub mod panel;

/// The chunk view.
pub fn render(app: &App, area: Rect, buf: &mut Buffer) {
    let (app, page, chunk) = (app, &app.pages.chunks, &app.shared.chunk);
    let size = Size::new(area.width, area.height);
    let focused = app.shared.focus == Focus::Map;
    let map_alone = focused && page.layout(chunk, size).map == 0;
    let layout = if map_alone { ChunksLayout::map_only(size) } else { page.layout(chunk, size) };
    let [title, map, rest] = stacked(area, [Length(layout.title), Length(layout.map), Fill(1)]);
    if let Some(NodeKind::Array(array)) = app.shared.node().map(|node| &node.kind)
        && !title.is_empty()
    {
        let width = area.width.into();
        let lines = [summary(app, array, width), readable(app, width)];
        // Where there is room for one line, the name of the array is in the title already.
        let lines = lines.into_iter().skip(usize::from(title.height == 1));
        lines.zip(title.rows()).for_each(|(line, row)| line.render(row, buf));
    }
    map::MapView { page, chunk, focused }.render(map, buf);
    if !map_alone {
        below_the_map(app, layout, rest, buf);
    }
}

/// The stages, the dump and the panel; or why there are none.
fn below_the_map(app: &App, layout: ChunksLayout, area: Rect, buf: &mut Buffer) {
    let [strip, whole, panel] = stacked(
        area,
        [
            Length(layout.strip),
            Length(layout.damage + layout.header + layout.dump),
            Length(layout.panel),
        ],
    );
    match &app.shared.chunk.load {
        Load::Idle => {}
        Load::Pending => {
            let row = parts_row(strip);
            let text = loading(app);
            buf.set_stringn(row.x, row.y, text, row.width.into(), QUIET);
        }
        Load::Failed(error) => failure(error, area, buf),
        Load::Ready(shown) => {
            stages(shown, app.shared.chunk.stage, strip, buf);
            body(app, shown, layout.damage, whole, buf);
            panel::PanelView { app, shown }.render(panel, buf);
        }
    }
}

fn parts_row(area: Rect) -> Rect {
    Rect { height: area.height.min(1), ..area }
}

/// The progress of loading, as far as a listing has come, and how to stop it.
fn loading(app: &App) -> String {
    let page = &app.shared.chunk;
    if let Some(pace) = page.loading {
        return format!(" {}", how_far("loading", pace, size));
    }
    let len = page.presence.seen(&page.id.coordinates).map(|seen| size(seen.len));
    format!(" loading {}…   Esc stops", len.unwrap_or_default()).replace(" …", "…")
}

/// The strip of stages and the rule below it.
fn stages(shown: &Shown, selected: usize, area: Rect, buf: &mut Buffer) {
    for span in &strip::spans(shown, selected, area.width.into()) {
        let style = match (span.stage, span.failed) {
            (Some(at), failed) if at == selected => {
                let style = if failed { FAILURE } else { PLAIN };
                style.add_modifier(Modifier::BOLD)
            }
            (Some(_), true) => FAILURE,
            (Some(_), false) => PLAIN,
            (None, _) => QUIET,
        };
        let x = cells(span.columns.start);
        let room = area.width.saturating_sub(x);
        if room > 0 {
            buf.set_stringn(area.x + x, area.y, &span.text, room.into(), style);
        }
    }
    super::rule(Rect { y: area.y + 1, height: area.height.min(2) - 1, ..area }, "", QUIET, buf);
}

/// Draws the part between the stages and the panel: the dump, or the reason why there is none.
fn body(app: &App, shown: &Shown, damage: u16, area: Rect, buf: &mut Buffer) {
    if let Some(error) = &shown.chunk.error {
        return failure(error, area, buf);
    }
    if shown.chunk.stored.is_none() {
        return missing(app, shown, area, buf);
    }
    let [said, area] = stacked(area, [Length(damage), Fill(1)]);
    let lines = damage::lines(&app.shared.chunk, usize::from(area.width).saturating_sub(2));
    for (at, ((label, text), row)) in lines.into_iter().zip(said.rows()).enumerate() {
        // The first line says what is wrong; the others say what else is known.
        let style = if at == 0 && shown.failed().is_some() { FAILURE } else { QUIET };
        Line::from(vec![styled(label, style), text.into()]).render(row, buf);
    }
    dump::DumpView { app, shown }.render(area, buf);
}

/// The explanation of a chunk that is not stored.
const MAY_BE_MISSING: &str = "That is valid: writers may leave out chunks that contain only the fill value. A lost \
                              chunk would look the same.";

/// A chunk that nobody wrote.
fn missing(app: &App, shown: &Shown, area: Rect, buf: &mut Buffer) {
    /// Columns of the labels.
    const LABEL: usize = 9;
    let value = shown.fill_scalar.as_ref().map(|scalar| safe_text(&scalar));
    let width = usize::from(area.width).saturating_sub(2);
    let named = |label: &str, text| labelled((label, LABEL), text, PLAIN);
    let mut lines = vec![Line::styled("This chunk is not stored.", TITLE)];
    lines.extend(named("key", vec![safe_owned(&shown.chunk.key)]));
    let reads = match value {
        Some(value) => format!("{value} (the fill value)"),
        None => "undefined: this array has no fill value".into(),
    };
    lines.extend(named("value", wrap_to(&reads, width.saturating_sub(LABEL), 4)));
    lines.push(Line::default());
    let mut say = |text: &str, style: Style| lines.extend(prose("", text, width, style));
    let elsewhere = app.shared.chunk.presence.diagnosis.iter().flat_map(|found| &found.elsewhere);
    for (encoding, count) in elsewhere.clone() {
        let example = encoding.key(&shown.chunk.id.coordinates);
        let are = if *count == 1 { "is" } else { "are" };
        let text = format!(
            "But {} {are} stored under keys such as {example}. Likely cause: the wrong separator or chunk key \
             encoding in the metadata, or renamed chunks.",
            counted(*count, "chunk"),
        );
        say(&text, WARNING);
    }
    let presence = &app.shared.chunk.presence;
    if presence.has(&shown.chunk.id.coordinates) {
        let text = "But its name is listed: a broken link, or a chunk removed meanwhile.";
        say(text, WARNING);
    } else if elsewhere.count() == 0 {
        say(&format!("{MAY_BE_MISSING}{}", where_stored(app)), QUIET);
    }
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
    Text::from(lines).render(inner, buf);
}

/// The direction of the chunks that are stored.
fn where_stored(app: &App) -> &'static str {
    let stored = |way| app.is_available(Action::Step(StepTo::Stored, way));
    match (stored(Direction::Next), stored(Direction::Previous)) {
        (true, _) => " ]w goes to the next stored chunk.",
        (false, true) => " [w goes to the previous stored chunk.",
        (false, false) => "",
    }
}

/// Draws the reason why there is nothing to show, and the advice.
fn failure(error: &Error, area: Rect, buf: &mut Buffer) {
    let (title, style) = if error.code == Code::EmptyArray {
        (" This array has no elements.", TITLE)
    } else {
        let what = if error.code == Code::Io {
            " This cannot be read."
        } else {
            " The chunks of this array cannot be shown."
        };
        (what, FAILURE)
    };
    let mut lines = vec![Line::styled(title, style)];
    lines.extend(error_in_parts(" ", error, usize::from(area.width).saturating_sub(1)));
    Text::from(lines).render(area, buf);
}
