//! The key table: what the keys do, what the footer and the help say, what the README says.

use crate::app::{
    Action, KeyContext,
    action::{KeyName, UnboundKey},
    input::LineEdit,
};
use ratatui::crossterm::event::{
    KeyCode::{self, BackTab, Char, Delete, Down, Left, PageDown, PageUp, Right, Up},
    KeyEvent, KeyModifiers as Mods,
};
use std::fmt::Write as _;

mod habits;
mod table;

pub use table::BINDINGS;

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// The context in which it holds.
    pub context: KeyContext,
    /// The keys that do it.
    pub keys: &'static [KeyEvent],
    /// The action of the keys.
    pub action: Action,
    /// The text in the help; empty for a row that belongs to the one above.
    pub help: &'static str,
    /// The text in the footer, a word or two; empty if it is not there.
    pub hint: &'static str,
}

/// The action of `event` where `contexts` are in force, the first of them first. Characters that no table knows are
/// typed where one types.
#[must_use]
pub fn action(contexts: &[KeyContext], event: KeyEvent) -> Option<Action> {
    let event = as_meant(event);
    let bound = contexts.iter().find_map(|context| {
        rows(*context)
            .find(|row| row.keys.iter().any(|key| same(*key, event)))
            .map(|row| row.action)
    });
    bound.or_else(|| {
        let typing = contexts.first().is_some_and(|context| context.is_typing());
        match event.code {
            Char(letter) if typing && !event.modifiers.intersects(Mods::CONTROL | Mods::ALT) => {
                Some(Action::Edit(LineEdit::Insert(letter)))
            }
            // Whoever presses a key wants to know that it was heard.
            _ if !typing => unbound(contexts, event).map(Action::Unbound),
            _ => None,
        }
    })
}

/// The key that was pressed: some terminals send Ctrl-h for Backspace.
fn as_meant(event: KeyEvent) -> KeyEvent {
    if same(event, KeyEvent::new(Char('h'), Mods::CONTROL)) {
        return KeyEvent::new(KeyCode::Backspace, Mods::NONE);
    }
    event
}

/// The name of a key that does nothing here, and what to press instead.
fn unbound(contexts: &[KeyContext], event: KeyEvent) -> Option<UnboundKey> {
    let name = match event.code {
        Char(letter) => KeyName::Letter(letter),
        KeyCode::F(number) => KeyName::Function(number),
        code => KeyName::Named(named(code)?),
    };
    let lead = match event.modifiers {
        it if it.contains(Mods::CONTROL) => "Ctrl-",
        it if it.contains(Mods::ALT) => "Alt-",
        _ => contexts.first().map_or("", |context| context.lead()),
    };
    Some(UnboundKey { lead, name, instead: habits::instead(contexts, event) })
}

/// The name of a key that is no character.
fn named(code: KeyCode) -> Option<&'static str> {
    Some(match code {
        Down => "Down",
        Up => "Up",
        Left => "Left",
        Right => "Right",
        PageDown => "PgDn",
        PageUp => "PgUp",
        BackTab => "Shift-Tab",
        Delete => "Del",
        KeyCode::Backspace => "Backspace",
        KeyCode::Insert => "Ins",
        KeyCode::Tab => "Tab",
        KeyCode::Enter => "Enter",
        KeyCode::Home => "Home",
        KeyCode::End => "End",
        _ => return None,
    })
}

/// True if two events are the same key. Capital letters say Shift by themselves, and terminals differ in saying it
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

/// A key as a reader writes it: `Ctrl-d`, `PgDn`.
#[must_use]
pub fn name(key: &KeyEvent) -> String {
    let code = match key.code {
        Char(' ') => "Space".into(),
        Char(letter) => letter.to_string(),
        code => named(code).map_or_else(|| code.to_string(), str::to_owned),
    };
    match key.modifiers {
        it if it.contains(Mods::CONTROL) => format!("Ctrl-{code}"),
        it if it.contains(Mods::ALT) => format!("Alt-{code}"),
        _ => code,
    }
}

/// The rows that matter most, by their place and their first key: those that the README shows.
const ESSENTIAL: [(KeyContext, KeyCode); 20] = {
    use crate::app::View::Chunks;
    use KeyContext::{Everywhere, View, Views};
    [
        (Views, Char('1')),
        (Everywhere, KeyCode::Tab),
        (Everywhere, KeyCode::Enter),
        (Everywhere, KeyCode::Esc),
        (Everywhere, Char('K')),
        (Everywhere, Char('/')),
        (Everywhere, Char('n')),
        (Everywhere, Char('f')),
        (Everywhere, Char(':')),
        (Everywhere, Char('D')),
        (Everywhere, Char('y')),
        (Everywhere, Char(']')),
        (Everywhere, Char('o')),
        (View(Chunks), Char('L')),
        (View(Chunks), Char('H')),
        (View(Chunks), Char('x')),
        (View(Chunks), Char('i')),
        (View(Chunks), Char('w')),
        (Everywhere, Char('?')),
        (Everywhere, Char('q')),
    ]
};

/// The rows that matter most.
fn essential() -> impl Iterator<Item = &'static Binding> {
    ESSENTIAL.into_iter().filter_map(|(context, code)| {
        rows(context).find(|row| row.keys.first().is_some_and(|key| key.code == code))
    })
}

/// The keys that matter most, as the README shows them: those that work everywhere, then those of the chunk view.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| Keys | What |\n| --- | --- |\n");
    let (chunks, everywhere): (Vec<_>, Vec<_>) =
        essential().partition(|row| matches!(row.context, KeyContext::View(_)));
    let table = |out: &mut String, shown: Vec<&Binding>| {
        for row in shown {
            // The views are one row.
            let (keys, help) = match row.context {
                KeyContext::Views => {
                    let help: Vec<_> = rows(row.context).map(|row| row.help).collect();
                    (rows(row.context).map(names).collect::<Vec<_>>().join(" "), help.join(", "))
                }
                _ => (names(row), row.help.to_owned()),
            };
            let keys: Vec<_> = keys.split(' ').map(|name| format!("`{name}`")).collect();
            let _ = writeln!(out, "| {} | {help} |", keys.join(" "));
        }
    };
    table(&mut out, everywhere);
    if let Some(first) = chunks.first() {
        let _ = writeln!(out, "| *in the view {}* | |", first.context.title());
    }
    table(&mut out, chunks);
    out
}

/// The rows that are documented, by their places, in the order of the help.
pub fn documented() -> impl Iterator<Item = (KeyContext, impl Iterator<Item = &'static Binding>)> {
    KeyContext::all().map(|context| (context, rows(context).filter(|row| !row.help.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::{
        KeyContext::{AfterNext, Everywhere, Explain, Help, Prompt, Tree},
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

    /// Contexts in force together agree: a key that a place has of its own does there what it does everywhere, or is
    /// no key elsewhere. The last are those whose meaning a place only words for itself.
    #[test]
    fn no_key_means_two_things_in_one_view() {
        for contexts in KeyContext::together() {
            let rows: Vec<_> = contexts.iter().flat_map(|context| rows(*context)).collect();
            for (i, a) in rows.iter().enumerate() {
                for b in rows.iter().skip(i + 1).filter(|b| b.action != a.action) {
                    let shared = a.keys.iter().find(|k| b.keys.iter().any(|key| same(**k, *key)));
                    let key = shared.map(name);
                    assert_eq!(key, None, "{} and {} in {contexts:?}", a.help, b.help);
                }
            }
        }
    }

    #[test]
    fn the_first_of_two_keys_does_nothing_by_itself() {
        let leads = KeyContext::all().map(KeyContext::lead).filter(|lead| !lead.is_empty());
        for lead in leads {
            let key = KeyEvent::new(Char(lead.chars().next().unwrap()), Mods::NONE);
            let bound = |row: &&Binding| row.keys.iter().any(|k| same(*k, key));
            let pure = |row: &Binding| matches!(row.action, Action::Prefix(_));
            assert!(BINDINGS.iter().filter(bound).any(pure), "{lead}");
            assert!(BINDINGS.iter().filter(bound).all(|row| pure(row) || row.context.is_led()));
        }
    }

    #[test]
    fn the_keys_that_matter_most_exist_and_are_twenty() {
        let found: Vec<_> = essential().map(|row| (row.context, row.help)).collect();
        let distinct: std::collections::HashSet<_> = found.iter().collect();
        assert_eq!(distinct.len(), ESSENTIAL.len(), "{found:?}");
        assert!(found.iter().all(|(_, help)| !help.is_empty()));
    }

    #[test]
    fn the_help_fits_eighty_columns() {
        for row in BINDINGS {
            assert!(names(row).width() <= 26, "{}", names(row));
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
        assert_eq!(action(&[Prompt], shifted), Some(Action::Edit(LineEdit::Insert('K'))));
        let plain = |letter| KeyEvent::new(Char(letter), Mods::NONE);
        let control = KeyEvent::new(Char('x'), Mods::CONTROL);
        assert_eq!(action(&[Prompt], control), None);
        let unbound = |contexts: &[KeyContext], key| match action(contexts, key) {
            Some(Action::Unbound(key)) => (key.lead, key.name, key.instead.to_string()),
            other => panic!("{other:?}"),
        };
        let heard = unbound(&[Tree, Everywhere], plain('Q'));
        assert_eq!(heard, ("", KeyName::Letter('Q'), "q leaves, Ctrl-c quits".into()));
        let second = unbound(&[AfterNext], plain('x'));
        assert_eq!(second, ("]", KeyName::Letter('x'), "? lists them".into()));
        let delete = unbound(&[Tree, Everywhere], KeyEvent::new(Delete, Mods::NONE));
        assert_eq!(delete, ("", KeyName::Named("Del"), "? lists them".into()));
        let silent = KeyEvent::new(KeyCode::CapsLock, Mods::NONE);
        assert_eq!(action(&[Tree, Everywhere], silent), None);
    }
}
