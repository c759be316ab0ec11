//! The element under the picture's cursor, in a line.

use super::{
    number::{self, Labels},
    summary::{meaning, packing, units_of},
};
use crate::tui::prelude::*;

/// The line of an element of the array, and of its cell, where that is more than this element, `value` being its number:
/// parts that `width` has no room for are left out whole.
pub(super) fn under(
    at: &[u64],
    element: Vec<Span>,
    (cell, value): (Option<&HeatCell>, &str),
    labels: &Labels,
    width: usize,
) -> Line {
    let mut spans = vec![quiet(format!(" ╋ {}  ", list(at)))];
    spans.extend(element);
    let cell = cell.filter(|cell| cell.elements > 1);
    spans.extend(cell.map(|cell| quiet(format!("   {}", describe(cell, labels, value)))));
    let mut line = Line::from(spans);
    while line.width() > width && line.spans.len() > 2 {
        line.spans.pop();
    }
    fitted(line, width)
}

/// The content of a cell, `value` being its number.
fn describe(cell: &HeatCell, labels: &Labels, value: &str) -> String {
    let odd = cell.nan + cell.infinite.iter().sum::<u64>();
    let parts = [
        Some(format!("its cell: {} elements", cell.elements)),
        cell.mean.map(|mean| format!("{value} {}", labels.short(mean))),
        (odd > 0).then(|| format!("{odd} not a number")),
        (cell.missing > 0).then(|| format!("{} missing", cell.missing)),
        (cell.fill > 0).then(|| format!("{} fill", cell.fill)),
    ];
    parts.into_iter().flatten().joined(", ")
}

/// The value of the element at these coordinates of a chunk, and what it means.
pub(super) fn element(
    shown: &Shown,
    counted: &CountedColumn,
    at: &[u64],
    units: &str,
) -> Vec<Span> {
    let Some(elements) = shown.chunk.elements() else { return Vec::new() };
    let position = elements.position(at);
    match elements.value(position) {
        None => vec![quiet("not loaded yet")],
        Some(Err(error)) => {
            vec![styled(safe_text(&error), FAILURE)]
        }
        Some(Ok(value)) => {
            let bytes = elements.bytes().get(elements.byte_range(position));
            let is_fill = bytes.is_some_and(|bytes| shown.equals_fill(bytes));
            self::value((shown, counted), &value, is_fill, units)
        }
    }
}

fn value(
    (shown, counted): (&Shown, &CountedColumn),
    value: &Scalar,
    is_fill: bool,
    units: &str,
) -> Vec<Span> {
    let choice = &counted.choice;
    let part = choice.of(value);
    let mut text = part.map_or_else(String::new, |part| safe_text(&part));
    if choice.is_complex
        && choice.part != ComplexPart::Real
        && choice.part != ComplexPart::Imaginary
        && let Some(number) = part.and_then(|part| of_complex(part, choice.part))
    {
        text = format!("{text}   {} {}", choice.part.word(), words::short(number));
    }
    if matches!(part, Some(Scalar::Time(time)) if time.since_epoch) {
        let short = number::time_trimmed(&text).len();
        text.truncate(short);
    }
    let mut spans = vec![styled(text, STRONG)];
    let after = match packing(&shown.array, choice).zip(part) {
        Some((packing, part)) => meaning(&packing, part, units),
        None => format!(" {}", units_of(&shown.array, choice)),
    };
    spans.push(quiet(after.trim_end().to_owned()));
    let fill = if is_fill { "   the fill value" } else { "" };
    spans.push(quiet(fill));
    spans
}

fn of_complex(value: &Scalar, part: ComplexPart) -> Option<f64> {
    let Scalar::Complex(real, imaginary) = value else { return None };
    let (real, imaginary) = (real.to_f64(), imaginary.to_f64());
    Some(match part {
        ComplexPart::Modulus => real.hypot(imaginary),
        ComplexPart::Phase => imaginary.atan2(real),
        ComplexPart::Real => real,
        ComplexPart::Imaginary => imaginary,
    })
}
