//! `explain keys`: every key of the inspector, from the table that the inspector itself goes by.

use crate::cli::prelude::*;
use crate::tui::keymap;

/// Prints the keys by the places where they hold.
pub(super) fn print(as_json: bool, output: &mut Output) -> Printed {
    if as_json {
        return output.json(&json());
    }
    for (number, (context, rows)) in keymap::documented().enumerate() {
        if number > 0 {
            output.line("")?;
        }
        output.line(&output.paint(Role::Strong, context.title()))?;
        let rows: Vec<_> = rows
            .map(|row| {
                let keys = Cell::new(format!("  {}", keymap::names(row)));
                vec![keys.role(Role::Good), Cell::new(row.help)]
            })
            .collect();
        // One width for all places, so that the texts are in one column.
        for row in &rows {
            table::write_row(output, row, &[KEYS, 0])?;
        }
    }
    Ok(())
}

/// Columns of the keys.
const KEYS: usize = 24;

fn json() -> Json {
    let rows = keymap::documented().flat_map(|(context, rows)| {
        rows.map(move |row| {
            let names = keymap::names(row);
            Json::object([
                ("where", Json::from(context.title())),
                ("keys", names.split(' ').collect()),
                ("what", Json::from(row.help)),
            ])
        })
    });
    rows.collect()
}
