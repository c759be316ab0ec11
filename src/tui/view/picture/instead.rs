//! An honest page where there is nothing to draw: a chunk that is missing or damaged, a single element.

use crate::tui::prelude::*;
use crate::tui::view;

/// The error why the chunk has no elements, where something went wrong.
pub(super) fn why_not(shown: &Shown) -> Option<&Error> {
    let failed = shown.failed().and_then(|at| shown.chunk.stages.get(at)?.error.as_ref());
    shown.chunk.error.as_ref().or(failed)
}

/// The message on a chunk that is not there.
pub(super) fn missing(shown: &Shown) -> String {
    if matches!(shown.array.fill_value, FillValue::Null) {
        return "This chunk is not stored: its elements are undefined, because the fill value is null."
            .into();
    }
    let fill = shown.fill_scalar.as_ref().map(|fill| safe_text(&fill));
    let fill = fill.unwrap_or_else(|| "the fill value, which cannot be read".into());
    format!(
        "This chunk is not stored: every element reads as {fill}. That is normal if it was never written."
    )
}

/// One element: its value and what that is made of.
pub(super) fn single(shown: &Shown, area: Rect, buf: &mut Buffer) {
    let Some(elements) = shown.chunk.elements() else { return };
    match elements.value(0) {
        Some(Ok(value)) => {
            let width = usize::from(area.width);
            let mut lines = vec![Line::default()];
            let intro = "An array without dimensions has one element and no picture.";
            lines.extend(prose(" ", intro, width.saturating_sub(2), QUIET));
            lines.push(Line::default());
            let labelled = |label: &str, text: &str, style| {
                view::labelled(
                    (&format!(" {label}"), 19),
                    wrap(text, width.saturating_sub(20)),
                    style,
                )
            };
            lines.extend(labelled("value", &safe_text(&value), STRONG));
            for row in elements.data_type().anatomy(&value, elements.order()) {
                lines.extend(labelled(&row.label, &safe(&row.value), PLAIN));
            }
            Text::from(lines).render(area, buf);
        }
        Some(Err(error)) => failure("The element cannot be read.", &error, area, buf),
        None => page("The element is not loaded.", area, buf),
    }
}

fn sentences(text: &str, area: Rect) -> Vec<Line> {
    let width = usize::from(area.width).saturating_sub(4).min(76);
    let mut lines = vec![Line::default()];
    lines.extend(prose(" ", text, width, PLAIN));
    lines.push(Line::default());
    lines
}

/// A page of sentences.
pub(super) fn page(text: &str, area: Rect, buf: &mut Buffer) {
    Text::from(sentences(text, area)).render(area, buf);
}

/// A page that says what is wrong and what can be done.
pub(super) fn failure(what: &str, error: &Error, area: Rect, buf: &mut Buffer) {
    let mut lines = sentences(what, area);
    lines.extend(error_in_parts(" ", error, usize::from(area.width).saturating_sub(1)));
    Text::from(lines).render(area, buf);
}
