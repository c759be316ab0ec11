//! `dtype` without SPEC: every registered data type in both forms.

use super::to_json;
use crate::{
    cli::{
        Outcome, Verdict,
        output::{self, Output, Role},
        table::{self, Cell},
    },
    zarr::{
        Registry,
        data_type::Resolved,
        spelling::gallery::{self, Card},
        text::safe,
    },
};
use serde_json::Value;

/// Prints the gallery.
pub(super) fn run(registry: &Registry, json: bool, output: &mut Output) -> Outcome {
    let cards = gallery::cards(registry);
    if json {
        let all: Vec<_> = cards.iter().map(card_json).collect();
        output.json(&Value::Array(all))?;
        return Ok(Verdict::Fine);
    }
    let mut notes: Vec<String> = Vec::new();
    let heading = ["type", "V2 dtype", "V3 data_type", "bytes", "order", "default", "notes"];
    let mut rows = vec![heading.map(|text| Cell::new(text).role(Role::Quiet)).to_vec()];
    rows.extend(cards.iter().map(|card| row(card, &mut notes, output.ascii())));
    table::write(output, &rows)?;
    output.line("")?;
    for (number, note) in (1..).zip(&notes) {
        write_note(output, number, note)?;
    }
    Ok(Verdict::Fine)
}

fn card_json(card: &Card) -> Value {
    let resolved = Resolved {
        order: card.data_type.default_order(),
        data_type: card.data_type.clone(),
        notes: Vec::new(),
    };
    to_json(&resolved, None)
}

/// The columns of a card. Notes that several types share are written once, below, and named by number.
fn row(card: &Card, notes: &mut Vec<String>, ascii: bool) -> Vec<Cell> {
    let order = if ascii { card.order.replace('·', "-") } else { card.order.to_owned() };
    let numbers: Vec<_> =
        card.notes.iter().map(|note| number_of(notes, &safe(&note.text)).to_string()).collect();
    vec![
        Cell::new(card.name.clone()).role(Role::Strong),
        Cell::new(card.v2.clone()),
        Cell::new(card.v3.clone()),
        Cell::new(card.size.clone()).right(),
        Cell::new(order),
        Cell::new(card.default.clone()),
        Cell::new(numbers.join(" ")).role(Role::Quiet),
    ]
}

fn number_of(notes: &mut Vec<String>, text: &str) -> usize {
    let known = notes.iter().position(|note| note == text);
    known.unwrap_or_else(|| {
        notes.push(text.to_owned());
        notes.len() - 1
    }) + 1
}

fn write_note(output: &mut Output, number: usize, note: &str) -> std::io::Result<()> {
    let lines = table::wrap(note, output::width().saturating_sub(4));
    for (at, line) in lines.iter().enumerate() {
        let label = if at == 0 { number.to_string() } else { String::new() };
        output.line(&format!("{label:>3} {line}"))?;
    }
    Ok(())
}
