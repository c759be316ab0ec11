//! `man`: what packagers install beside the program and its completions.

use super::command;
use super::prelude::*;
use crate::{tui::keymap, zarr::words::capitalised};

/// The section of the manual page with the keys of the inspector.
fn keys(output: &mut Output) -> Printed {
    writeln!(output.raw(), ".SH KEYS")?;
    for (context, rows) in keymap::documented() {
        writeln!(output.raw(), ".SS \"{}\"", capitalised(context.title()))?;
        for row in rows {
            // In roff a backslash, and a dot or a quote at the start of a line, mean something else.
            let keys = keymap::names(row).replace('\\', "\\e").replace('"', "\\(dq");
            writeln!(output.raw(), ".TP\n\\&{keys}\n\\&{}", row.help.replace('\\', "\\e"))?;
        }
    }
    Ok(())
}

/// Prints the manual page, every subcommand a section of its own, and the keys.
pub(super) fn man(output: &mut Output) -> CommandResult {
    let mut root = command();
    root.build();
    clap_mangen::Man::new(root.clone()).render(output.raw())?;
    for subcommand in
        root.get_subcommands().filter(|sub| sub.get_name() != "help" && !sub.is_hide_set())
    {
        let name = subcommand.get_name().to_uppercase();
        writeln!(output.raw(), ".SH \"COMMAND {name}\"")?;
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_synopsis_section(output.raw())?;
        man.render_description_section(output.raw())?;
        man.render_options_section(output.raw())?;
        if let Some(examples) = subcommand.get_after_help() {
            writeln!(output.raw(), ".PP\n.nf\n{examples}\n.fi")?;
        }
    }
    keys(output)?;
    Ok(ExitStatus::Fine)
}
