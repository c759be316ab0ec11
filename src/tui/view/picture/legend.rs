//! What the signs of a drawing mean, as far as they stand in it.

use super::{
    heat::{Shades, oddities_are_few},
    number::Labels,
    shade::{FILL, NonFiniteMark, UNLOADED},
};
use crate::{
    app::page::picture::{Pictured, Scale},
    tui::theme,
    zarr::{
        statistics::{HeatCell, HeatMap},
        text::safe,
    },
};
use ratatui::{style::Style, text::Span};

/// The signs, each with what it stands for; and what there is to say where all of a slice is one thing.
pub(super) fn spans(pictured: &Pictured, map: &HeatMap, labels: &Labels) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let few = oddities_are_few(map);
    let drawn = |odd: NonFiniteMark| {
        let is_odd = |cell: &HeatCell| NonFiniteMark::of(cell) == Some(odd);
        map.cells.iter().any(|cell| is_odd(cell) && (few || cell.mean.is_none()))
    };
    let only = |cell: &HeatCell| cell.mean.is_none() && NonFiniteMark::of(cell).is_none();
    if map.cells.iter().any(|cell| only(cell) && cell.fill > 0) {
        let fill = pictured.shown.fill_scalar.as_ref().map(|fill| format!(" {fill}"));
        let simple = fill.filter(|text| text.len() <= 20 && pictured.choice == Some(0));
        let text = format!(" fill value{}", safe(&simple.unwrap_or_default()));
        push(&mut spans, FILL, theme::FILL, &text);
    }
    for odd in NonFiniteMark::ALL.into_iter().filter(|odd| drawn(*odd)) {
        let word = match odd {
            NonFiniteMark::Nan => " NaN",
            NonFiniteMark::Above => " +Inf",
            NonFiniteMark::Below => " -Inf",
        };
        push(&mut spans, odd.sign(), theme::FAILURE, &labels.not_a_number(word));
    }
    if map.cells.iter().any(|cell| cell.elements == 0) {
        push(&mut spans, UNLOADED, theme::QUIET, " not loaded: too large");
    }
    let shades = Shades::of(map, Scale::Linear);
    let words = match shades.ends() {
        None => "no number in this slice".to_owned(),
        Some((low, high)) if low < high => match labels.base() {
            Some(base) => format!("on the scale: {base} and so much more"),
            None => return spans,
        },
        Some((low, _)) => match labels.base() {
            Some(base) => format!("all numbers here are {base} {}", labels.short(low)),
            None => format!("all numbers here are {}", labels.short(low)),
        },
    };
    push(&mut spans, "", theme::PLAIN, &words);
    spans
}

fn push(spans: &mut Vec<Span<'static>>, sign: &str, style: Style, text: &str) {
    spans.push(Span::styled(format!(" {sign}"), style));
    spans.push(Span::styled(format!("{text}  "), theme::QUIET));
}
