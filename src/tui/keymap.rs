//! The key table: what the keys do, what the footer and the help say, what the README says.

use crate::app::{Action, KeyContext, View, input::Edit};
use ratatui::crossterm::event::{
    KeyCode::{BackTab, Char, Down, Left, PageDown, PageUp, Right, Up},
    KeyEvent, KeyModifiers as Mods,
};
use std::fmt::Write as _;

mod table;

pub use table::BINDINGS;

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// Where it holds.
    pub context: KeyContext,
    /// The keys that do it.
    pub keys: &'static [KeyEvent],
    /// What they do.
    pub action: Action,
    /// How the help puts it; empty for a row that belongs to the one above.
    pub help: &'static str,
    /// How the footer puts it, in a word or two; empty where it does not.
    pub hint: &'static str,
}

/// What `event` does where `contexts` are in force, the first of them first. Characters that no table knows are typed
/// where one types.
#[must_use]
pub fn action(contexts: &[KeyContext], event: KeyEvent) -> Option<Action> {
    let bound = contexts.iter().find_map(|context| {
        rows(*context)
            .find(|row| row.keys.iter().any(|key| same(*key, event)))
            .map(|row| row.action)
    });
    bound.or_else(|| {
        let typing = contexts.first().is_some_and(|context| context.is_typing());
        match event.code {
            Char(letter) if typing && !event.modifiers.intersects(Mods::CONTROL | Mods::ALT) => {
                Some(Action::Edit(Edit::Insert(letter)))
            }
            // Habits of other programs: whoever presses a key wants to know that it was heard.
            Char(letter) if !typing && !event.modifiers.intersects(Mods::CONTROL | Mods::ALT) => {
                Some(Action::Unbound(letter))
            }
            _ => None,
        }
    })
}

/// Whether two events are the same key. Capital letters say Shift by themselves, and terminals differ in saying it
/// twice.
fn same(a: KeyEvent, b: KeyEvent) -> bool {
    let modifiers = |event: KeyEvent| match event.code {
        Char(_) | BackTab => event.modifiers - Mods::SHIFT,
        _ => event.modifiers,
    };
    a.code == b.code && modifiers(a) == modifiers(b)
}

/// The rows of one context.
pub fn rows(context: KeyContext) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |row| row.context == context)
}

/// A binding's keys as a reader writes them, the first of two keys in front.
#[must_use]
pub fn names(row: &Binding) -> String {
    let names = row.keys.iter().map(|key| format!("{}{}", row.context.lead(), name(key)));
    names.collect::<Vec<_>>().join(" ")
}

/// The first of a binding's keys.
#[must_use]
pub fn first_name(row: &Binding) -> String {
    row.keys.first().map(name).unwrap_or_default()
}

fn name(key: &KeyEvent) -> String {
    let code = match key.code {
        Char(' ') => "Space".into(),
        Char(letter) => letter.to_string(),
        Down => "↓".into(),
        Up => "↑".into(),
        Left => "←".into(),
        Right => "→".into(),
        PageDown => "PgDn".into(),
        PageUp => "PgUp".into(),
        BackTab => "Shift-Tab".into(),
        other => other.to_string(),
    };
    match key.modifiers {
        it if it.contains(Mods::CONTROL) => format!("Ctrl-{code}"),
        it if it.contains(Mods::ALT) => format!("Alt-{code}"),
        _ => code,
    }
}

/// The table as the README shows it.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| Where | Keys | What |\n| --- | --- | --- |\n");
    for context in KeyContext::all() {
        for row in rows(context).filter(|row| !row.help.is_empty()) {
            let keys: Vec<String> = names(row)
                .split(' ')
                .map(|name| format!("`{}`", name.replace('|', "\\|")))
                .collect();
            let _ = writeln!(out, "| {} | {} | {} |", context.title(), keys.join(" "), row.help);
        }
    }
    out
}

/// The views by their keys, for the help.
#[must_use]
pub fn views() -> String {
    View::ALL
        .iter()
        .map(|view| format!("{} {}", view.number(), view.title()))
        .collect::<Vec<_>>()
        .join("  ")
}

#[cfg(test)]
mod tests {
    use super::{
        KeyContext::{Everywhere, Explain, Help, Prompt, Tree},
        *,
    };
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn no_key_does_two_things_in_one_place() {
        for (i, a) in BINDINGS.iter().enumerate() {
            for b in &BINDINGS[i + 1..] {
                let clash = a.context == b.context
                    && a.keys.iter().any(|k| b.keys.iter().any(|other| same(*k, *other)));
                assert!(!clash, "{} and {} share a key in {:?}", a.help, b.help, a.context);
            }
        }
    }

    #[test]
    fn the_help_fits_eighty_columns() {
        for row in BINDINGS {
            assert!(names(row).width() <= 22, "{}", names(row));
            assert!(row.help.width() <= 52, "{}", row.help);
        }
    }

    #[test]
    fn every_context_has_keys_and_a_way_out() {
        for context in KeyContext::all() {
            assert!(rows(context).count() > 0, "{context:?}");
            if context.is_typing() || matches!(context, Help | Explain) {
                let outs = rows(context).filter(|row| row.action == Action::Quit);
                assert_eq!(outs.count(), 1, "Ctrl-c in {context:?}");
            }
        }
    }

    #[test]
    fn capitals_are_the_same_key_with_and_without_shift() {
        let shifted = KeyEvent::new(Char('K'), Mods::SHIFT);
        assert_eq!(action(&[Tree, Everywhere], shifted), Some(Action::Explain));
        assert_eq!(action(&[Prompt], shifted), Some(Action::Edit(Edit::Insert('K'))));
        let plain = |letter| KeyEvent::new(Char(letter), Mods::NONE);
        let control = KeyEvent::new(Char('x'), Mods::CONTROL);
        assert_eq!(action(&[Prompt], control), None);
        assert_eq!(action(&[Tree, Everywhere], plain('Q')), Some(Action::Unbound('Q')));
    }
}
