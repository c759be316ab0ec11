//! `keys`: every key of the inspector, from the table that the inspector itself goes by.

use super::{
    CommandResult, ExitStatus,
    output::{Output, Role},
    table::{self, Cell},
};
use crate::{tui::keymap, zarr::Json};
use clap::Args;

/// The arguments of `keys`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints the keys by the places where they hold.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    if arguments.json {
        output.json(&json())?;
        return Ok(ExitStatus::Fine);
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
    Ok(ExitStatus::Fine)
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
