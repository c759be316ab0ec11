//! The place of the cursor: its element, its bytes, and their places elsewhere, as exactly as can be told.

use crate::tui::prelude::*;

/// The number of separate places in the file named.
const RUNS: usize = 4;

/// Path, element and byte address, in about `room` columns: where there are fewer, without what the rest says too.
pub(super) fn address(app: &App, room: usize) -> String {
    let (chunk, decimal) = (&app.shared.chunk, app.pages.chunks.decimal);
    let path = app.shared.node().map(|node| safe_owned(&node.path.0)).unwrap_or_default();
    if let Some(table) = app.pages.chunk_table.table.as_ref().filter(|_| app.shared.has_table()) {
        let key = table.selected().map(|row| table.key(row.index)).unwrap_or_default();
        return safe_owned(&key);
    }
    let Some(shown) =
        chunk.shown().filter(|_| matches!(app.shared.view, View::Chunks | View::Picture))
    else {
        return path;
    };
    let Some(data) = chunk.data() else { return path };
    let range = chunk.selection();
    let bytes = match range.end.saturating_sub(range.start) {
        0 => format!("no bytes at {}", span(decimal, &range)),
        1 => format!("byte {}", span(decimal, &range)),
        _ => format!("bytes {}", span(decimal, &range)),
    };
    let file = in_file(chunk, decimal, shown, &range)
        .map_or_else(String::new, |file| format!(" ─ {file}"));
    let Some(elements) = data.elements() else {
        let of = grouped(data.len());
        let covered = covered(chunk, shown, &range);
        let all = format!("{bytes} of {of} ─ {covered}{file}");
        let brief = covered.split(", ").next().unwrap_or_default();
        return if all.width() <= room {
            all
        } else {
            format!("{bytes} of {of} ─ {brief}{file}")
        };
    };
    let Some(at) = chunk.position() else { return bytes };
    of_element(shown, elements, at, [&bytes, &file], room)
}

/// An element by all its names, as far as `room` goes: what the file has of it goes last, for it may be all of it.
fn of_element(
    shown: &Shown,
    elements: &Elements,
    at: u64,
    [bytes, file]: [&str; 2],
    room: usize,
) -> String {
    let inside = elements.coordinates(at);
    let index = grouped(elements.index(&inside));
    let array = list(&shown.in_array(&inside));
    let padding = if shown.is_padding(&inside) { " ─ padding" } else { "" };
    let least = format!("array {array} ─ {bytes}{padding}");
    let chunk = format!("in chunk {} ─ {least}", list(&inside));
    let all = format!("element {index} ─ {chunk}");
    let forms = [&all, &chunk, &least].map(|text| format!("{text}{file}"));
    let mut forms = forms.into_iter().chain([all, chunk]);
    forms.find(|text| text.width() <= room).unwrap_or(least)
}

/// The first and the last byte of a range: `0x10–0x11`, or decimal.
fn span(decimal: bool, range: &Range<u64>) -> String {
    let offset = |at: u64| if decimal { grouped(at) } else { format!("{at:#x}") };
    match range.end.saturating_sub(range.start) {
        0 | 1 => offset(range.start),
        _ => format!("{}–{}", offset(range.start), offset(range.end - 1)),
    }
}

/// The place of the selected bytes in the file: their runs, or the bytes that they are within. None where they are the
/// same in the file.
fn in_file(
    chunk: &CurrentChunk,
    decimal: bool,
    shown: &Shown,
    range: &Range<u64>,
) -> Option<String> {
    if chunk.stage == 0 {
        return None;
    }
    if let Some(runs) = shown.chunk.runs_in(chunk.stage, range.clone(), 0) {
        let same = runs.as_slice() == std::slice::from_ref(range);
        let runs: Vec<_> = runs.iter().map(|run| span(decimal, run)).collect();
        let rest = if runs.len() > RUNS { " …" } else { "" };
        let runs = runs.get(..runs.len().min(RUNS)).unwrap_or_default().join(" ");
        return (!same).then(|| format!("file {runs}{rest}"));
    }
    Some(match shown.chunk.follow(chunk.stage, target_of(range), 0) {
        ByteTarget::Exact(at) => format!("file {}", span(decimal, &(at..at + 1))),
        ByteTarget::Range(there) if there == *range => return None,
        ByteTarget::Range(there) => {
            format!("compressed: file bytes {}", span(decimal, &there))
        }
        ByteTarget::Nothing => "not in the file".into(),
    })
}

fn target_of(range: &Range<u64>) -> ByteTarget {
    if range.end - range.start == 1 {
        ByteTarget::Exact(range.start)
    } else {
        ByteTarget::Range(range.clone())
    }
}

/// The elements that the selected bytes belong to, as far as they can be followed.
fn covered(chunk: &CurrentChunk, shown: &Shown, range: &Range<u64>) -> String {
    let Some(elements) = shown.chunk.elements() else { return "not decoded".into() };
    match shown.chunk.follow(chunk.stage, target_of(range), shown.last()) {
        ByteTarget::Exact(offset) => of_elements(elements, &(offset..offset + 1)),
        ByteTarget::Range(range) => of_elements(elements, &range),
        ByteTarget::Nothing => match shown.chunk.owner(chunk.stage, range.start, shown.last()) {
            Some(owner) => {
                let part = owner.part.unwrap_or_else(|| "its own".into());
                safe_owned(&format!("{}: {part}", owner.codec))
            }
            None => "no element".into(),
        },
    }
}

/// The elements that bytes belong to, or one of which.
fn of_elements(elements: &Elements, range: &Range<u64>) -> String {
    let last = elements.bytes().len().min(range.end).saturating_sub(1);
    let (Some(first), Some(last)) = (elements.element_at(range.start), elements.element_at(last))
    else {
        return "no element".into();
    };
    let name = |position| list(&elements.coordinates(position));
    let count = last.saturating_sub(first) + 1;
    match count {
        1 => format!("element {}", name(first)),
        _ if count >= elements.len() => "compressed: no single element".into(),
        _ => format!("one of {} elements, {} to {}", grouped(count), name(first), name(last)),
    }
}
