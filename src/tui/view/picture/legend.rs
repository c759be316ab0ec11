//! The legend of a picture: what its signs mean, in a line.

use super::{
    canvas::{Shades, oddities_are_few},
    number::Labels,
    shade::{FILL, NonFiniteMark, UNLOADED},
};
use crate::tui::prelude::*;

/// The signs, each with what it stands for, `fill` being the fill value of what is drawn; and what there is to say
/// where all of a slice is one thing.
pub(super) fn signs(fill: Option<&Scalar>, map: &HeatMap, labels: &Labels) -> Vec<Span> {
    let mut spans = Vec::new();
    let few = oddities_are_few(map);
    let drawn = |odd: NonFiniteMark| {
        let is_odd = |cell: &HeatCell| NonFiniteMark::of(cell) == Some(odd);
        map.cells.iter().any(|cell| is_odd(cell) && (few || cell.mean.is_none()))
    };
    if let Some(text) = nothing(fill, map) {
        push(&mut spans, FILL, theme::FILL, &text);
    }
    for odd in NonFiniteMark::ALL.into_iter().filter(|odd| drawn(*odd)) {
        let word = match odd {
            NonFiniteMark::Nan => " NaN",
            NonFiniteMark::Above => " +Inf",
            NonFiniteMark::Below => " -Inf",
        };
        push(&mut spans, odd.sign(), WARNING, &labels.not_a_number(word));
    }
    let shades = Shades::of(map, Scale::Linear);
    let words = match shades.ends() {
        None => "no numbers in this slice".to_owned(),
        Some((low, high)) if low < high => match labels.base() {
            Some(base) => format!("offset from {base}"),
            None => return spans,
        },
        Some((low, _)) => match labels.base() {
            Some(base) => format!("all values here are {base} {}", labels.short(low)),
            None => format!("all values here are {}", labels.short(low)),
        },
    };
    push(&mut spans, "", PLAIN, &words);
    spans
}

/// The content of the cells without any number: missing elements, or a fill value that is no number.
fn nothing(fill: Option<&Scalar>, map: &HeatMap) -> Option<String> {
    let cells =
        || map.cells.iter().filter(|cell| cell.mean.is_none() && NonFiniteMark::of(cell).is_none());
    let is_fill = cells().any(|cell| cell.fill > 0);
    // Cells without numbers have nothing but fill values and missing elements; many are both.
    match (is_fill, cells().any(|cell| cell.missing > 0 && cell.elements > cell.fill)) {
        (true, true) => return Some(" fill value, or missing by attribute".into()),
        (false, true) => return Some(" missing by attribute".into()),
        (false, false) => return None,
        (true, false) => {}
    }
    let fill = fill.map(|fill| format!(" {fill}"));
    let simple = fill.filter(|text| text.len() <= 20);
    Some(format!(" fill value{}", safe(&simple.unwrap_or_default())))
}

/// The sign of what is not loaded, where there is some.
pub(super) fn unloaded(map: &HeatMap) -> Vec<Span> {
    let mut spans = Vec::new();
    if map.cells.iter().any(|cell| cell.elements == 0) {
        push(&mut spans, UNLOADED, QUIET, " not loaded: too large");
    }
    spans
}

fn push(spans: &mut Vec<Span>, sign: &str, style: Style, text: &str) {
    spans.push(styled(format!(" {sign}"), style));
    spans.push(quiet(format!("{text}  ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_values_are_told_from_what_attributes_call_missing() {
        let told = |cells: &[[u64; 3]]| {
            let cell = |[elements, fill, missing]: &[u64; 3]| HeatCell {
                elements: *elements,
                fill: *fill,
                missing: *missing,
                ..HeatCell::default()
            };
            nothing(
                None,
                &HeatMap { cells: cells.iter().map(cell).collect(), ..HeatMap::default() },
            )
        };
        // Elements, fill values among them, missing ones among them: all of them are one or the other, or both.
        assert_eq!(told(&[[4, 4, 0]]).unwrap(), " fill value");
        assert_eq!(told(&[[4, 4, 4]]).unwrap(), " fill value");
        assert_eq!(told(&[[4, 0, 4]]).unwrap(), " missing by attribute");
        assert_eq!(told(&[[4, 2, 2]]).unwrap(), " fill value, or missing by attribute");
        assert_eq!(told(&[[4, 4, 1], [2, 1, 2]]).unwrap(), " fill value, or missing by attribute");
        assert_eq!(told(&[[0, 0, 0]]), None);
    }
}
