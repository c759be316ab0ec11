//! `dtype` without SPEC: every registered data type in both forms.

use super::to_json;
use crate::cli::prelude::*;
use crate::zarr::spelling::gallery::{self, Card};

/// The widest a cell of the columns V2, V3 and default may be; what is longer goes on in the next line.
const WIDEST: usize = 34;

/// Prints the gallery.
pub(super) fn run(registry: &DataTypes, json: bool, output: &mut Output) -> CommandResult {
    let cards = gallery::cards(registry);
    if json {
        output.json(&cards.iter().map(card_json).collect())?;
        return Ok(ExitStatus::Fine);
    }
    let mut notes: Vec<String> = Vec::new();
    let heading =
        ["type", "V2 dtype", "V3 data_type", "bytes", "order", "defined by", "default", "notes"];
    let mut rows = vec![heading.map(Cell::quiet).to_vec()];
    rows.extend(cards.iter().flat_map(|card| lines(card, &mut notes)));
    table::write(output, &rows)?;
    output.line("")?;
    for (number, note) in (1..).zip(&notes) {
        output.headed(&format!("{number:>3} "), None, note)?;
    }
    Ok(ExitStatus::Fine)
}

fn card_json(card: &Card) -> Json {
    let resolved = Resolved {
        order: card.data_type.default_order(),
        data_type: card.data_type.clone(),
        notes: Vec::new(),
    };
    to_json(&resolved, None)
}

/// The lines of a card: one, or as many as its longest cell needs.
fn lines(card: &Card, notes: &mut Vec<String>) -> Vec<Vec<Cell>> {
    let numbers = numbers(card, notes);
    let [v2, v3, default] =
        [&card.v2, &card.v3, &card.default].map(|text| words::wrap(text, WIDEST));
    let line = |at: usize| {
        let part = |lines: &[String]| Cell::new(lines.get(at).cloned().unwrap_or_default());
        let first = |text: &str| Cell::new(if at == 0 { text } else { "" });
        vec![
            first(&card.name).role(Role::Strong),
            part(&v2),
            part(&v3),
            first(&card.size).right(),
            first(card.order),
            first(card.standing),
            part(&default),
            first(&numbers).role(Role::Quiet),
        ]
    };
    (0..v2.len().max(v3.len()).max(default.len())).map(line).collect()
}

/// The numbers of a card's notes. What is said of several types in the same words is written once, below.
fn numbers(card: &Card, notes: &mut Vec<String>) -> String {
    let mut number = |note: &Note| number_of(notes, general(&safe(&note.text), &card.name));
    let numbers = card.notes.iter().map(|note| number(note).to_string());
    numbers.joined(" ")
}

/// The note without the type's name: "int2 is …" becomes "This type is …".
fn general(text: &str, name: &str) -> String {
    match text.strip_prefix(name) {
        Some(rest) if rest.starts_with(' ') => {
            format!("This type{}", rest.replace(name, "this type"))
        }
        _ => text.replace(&format!(" {name}."), " this type."),
    }
}

fn number_of(notes: &mut Vec<String>, text: String) -> usize {
    let at = notes.iter().position(|note| *note == text).unwrap_or(notes.len());
    if at == notes.len() {
        notes.push(text);
    }
    at + 1
}
