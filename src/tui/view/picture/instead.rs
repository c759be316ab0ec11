//! An honest page where there is nothing to draw: a chunk that is missing or damaged, a single element.

use crate::tui::prelude::*;
use crate::{tui::view, zarr::metadata::FillValue};

/// The error why the chunk has no elements, where something went wrong.
pub(super) fn why_not(shown: &Shown) -> Option<&Error> {
    let failed = shown.failed().and_then(|at| shown.chunk.stages.get(at)?.error.as_ref());
    shown.chunk.error.as_ref().or(failed)
}

/// The message on a chunk that is not there.
pub(super) fn missing(shown: &Shown) -> Vec<(&'static str, String)> {
    let fill = shown.fill_scalar.as_ref().map(|fill| safe_text(&fill));
    if matches!(shown.array.fill_value, FillValue::Null) {
        let text =
            "This chunk is not stored: its elements are undefined, because the fill value is null.";
        return vec![("", text.into())];
    }
    let fill = fill.unwrap_or_else(|| "the fill value, which cannot be read".into());
    vec![(
        "",
        format!(
            "This chunk is not stored: every element reads as {fill}. That is normal if it was never written."
        ),
    )]
}

/// One element: its value and what that is made of.
pub(super) fn single(shown: &Shown, area: Rect, buf: &mut Buffer) {
    let Some(elements) = shown.chunk.elements() else { return };
    let mut parts = Vec::new();
    match elements.value(0) {
        Some(Ok(value)) => {
            parts.push(("value", safe_text(&value)));
            let rows = elements.data_type().anatomy(&value, elements.order());
            let text: Vec<(String, String)> =
                rows.into_iter().map(|row| (row.label, safe_owned(&row.value))).collect();
            let width = usize::from(area.width);
            let mut lines = vec![Line::default()];
            let intro = "An array without dimensions has one element and no picture.";
            lines.extend(prose(" ", intro, width.saturating_sub(2), theme::QUIET));
            lines.push(Line::default());
            for (label, value) in &parts {
                lines.extend(labelled(label, value, theme::STRONG, width));
            }
            for (label, value) in &text {
                lines.extend(labelled(label, value, theme::PLAIN, width));
            }
            Text::from(lines).render(area, buf);
        }
        Some(Err(error)) => failure("The element cannot be read.", &error, area, buf),
        None => page(&[("", "The element is not loaded.".into())], area, buf),
    }
}

/// A label and a value that may take several lines.
fn labelled(label: &str, value: &str, style: Style, width: usize) -> Vec<Line> {
    view::labelled((&format!(" {label}"), 19), wrap(value, width.saturating_sub(20)), style)
}

/// A page of sentences.
pub(super) fn page(parts: &[(&'static str, String)], area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width);
    let mut lines = vec![Line::default()];
    for (label, text) in parts {
        if label.is_empty() {
            lines.extend(prose(" ", text, width.saturating_sub(4).min(76), theme::PLAIN));
            lines.push(Line::default());
        } else {
            lines.extend(labelled(label, text, theme::PLAIN, width));
        }
    }
    Text::from(lines).render(area, buf);
}

/// A page that says what is wrong and what can be done.
pub(super) fn failure(what: &str, error: &Error, area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width);
    let mut lines = vec![Line::default()];
    lines.extend(prose(" ", what, width.saturating_sub(4).min(76), theme::PLAIN));
    lines.push(Line::default());
    lines.extend(error_in_parts(" ", error, width.saturating_sub(1)));
    Text::from(lines).render(area, buf);
}
