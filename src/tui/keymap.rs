//! The key table: what the keys do, what the footer and the help say, what the README says.

use super::prelude::*;
use crate::app::action::{KeyName, UnboundKey};
use ratatui::crossterm::event::{
    KeyCode::{BackTab, Char, Delete, Down, Left, PageDown, PageUp, Right, Up},
    KeyModifiers as Mods,
};
use unicode_width::UnicodeWidthStr as _;

mod habits;
mod table;

pub use table::BINDINGS;

/// One row of the table.
pub struct Binding {
    /// The context in which it holds.
    pub context: KeyContext,
    /// The actions of the row, mostly one, each with its keys.
    pub ways: &'static [BoundAction],
    /// The text in the help; empty for a row that belongs to the one above.
    pub help: &'static str,
    /// The text in the footer, a word or two; empty if it is not there.
    pub hint: &'static str,
}

/// An action and the keys that do it.
pub struct BoundAction {
    /// The keys.
    pub keys: &'static [KeyEvent],
    /// The action of the keys.
    pub action: Action,
}

impl Binding {
    /// The action of `key`.
    pub fn action_of(&self, key: KeyEvent) -> Option<Action> {
        self.ways
            .iter()
            .find(|way| way.keys.iter().any(|own| same(*own, key)))
            .map(|way| way.action)
    }

    /// Every key of the row.
    pub fn keys(&self) -> impl Iterator<Item = &'static KeyEvent> {
        self.ways.iter().flat_map(|way| way.keys)
    }
}

/// The action of `event` where `contexts` are in force, the first of them first. Characters that no table knows are
/// typed where one types.
pub fn action(contexts: &[KeyContext], event: KeyEvent) -> Option<Action> {
    let event = as_meant(event);
    let bound =
        contexts.iter().find_map(|context| rows(*context).find_map(|row| row.action_of(event)));
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
/// Keys with a name of their own; those of which lessons and scripts have another name, with that.
pub const NAMED: &[(KeyCode, &str, &str)] = &[
    (Down, "Down", ""),
    (Up, "Up", ""),
    (Left, "Left", ""),
    (Right, "Right", ""),
    (PageDown, "PgDn", "pagedown"),
    (PageUp, "PgUp", "pageup"),
    (BackTab, "Shift-Tab", ""),
    (Delete, "Del", "delete"),
    (KeyCode::Backspace, "Backspace", "bs"),
    (KeyCode::Insert, "Ins", "insert"),
    (KeyCode::Tab, "Tab", ""),
    (KeyCode::Enter, "Enter", "cr"),
    (KeyCode::Home, "Home", ""),
    (KeyCode::End, "End", ""),
];

fn named(code: KeyCode) -> Option<&'static str> {
    NAMED.iter().find(|known| known.0 == code).map(|known| known.1)
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

/// The columns that the keys of a row take at most.
const WIDEST: usize = 15;

/// A binding's keys as a reader writes them, the first of two keys in front: all of them where they have room, else the
/// first of each action, as many as have.
pub fn names(row: &Binding) -> String {
    let leads: &[&str] = match row.context {
        KeyContext::AfterStep => &["]", "["],
        context => &[context.lead()],
    };
    let named =
        |key: &KeyEvent| leads.iter().map(|lead| format!("{lead}{}", name(key))).joined(" ");
    let all = row.keys().map(named).joined(" ");
    if all.width() <= WIDEST {
        return all;
    }
    let mut firsts: Vec<_> =
        row.ways.iter().filter_map(|way| way.keys.first()).map(named).collect();
    while firsts.join(" ").width() > WIDEST {
        firsts.pop();
        if let Some(last) = firsts.last_mut() {
            "…".clone_into(last);
        }
    }
    firsts.join(" ")
}

/// A key as a reader writes it: `Ctrl-d`, `PgDn`.
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

/// The rows that are documented, by their places, in the order of the help.
pub fn documented() -> impl Iterator<Item = (KeyContext, impl Iterator<Item = &'static Binding>)> {
    KeyContext::ALL
        .into_iter()
        .map(|context| (context, rows(context).filter(|row| !row.help.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::{
        KeyContext::{AfterStep, Everywhere, Moving, Typing},
        *,
    };
    #[test]
    fn no_key_does_two_things_in_one_place() {
        for (i, a) in BINDINGS.iter().enumerate() {
            for b in &BINDINGS[i + 1..] {
                let clash = a.context == b.context
                    && a.keys().any(|k| b.keys().any(|other| same(*k, *other)));
                assert!(!clash, "{} and {} share a key in {:?}", a.help, b.help, a.context);
            }
        }
    }

    /// One key has one meaning wherever it has one: in contexts in force together it is the same action.
    #[test]
    fn no_key_means_two_things_in_one_view() {
        for contexts in KeyContext::together() {
            let ways: Vec<_> =
                contexts.iter().flat_map(|it| rows(*it)).flat_map(|row| row.ways).collect();
            for (i, a) in ways.iter().enumerate() {
                for b in ways.iter().skip(i + 1).filter(|b| b.action != a.action) {
                    let shared = a.keys.iter().find(|k| b.keys.iter().any(|key| same(**k, *key)));
                    assert_eq!(
                        shared.map(name),
                        None,
                        "{:?} and {:?} in {contexts:?}",
                        a.action,
                        b.action
                    );
                }
            }
        }
    }

    #[test]
    fn the_first_of_two_keys_does_nothing_by_itself() {
        let leads =
            KeyContext::ALL.map(KeyContext::lead).into_iter().filter(|lead| !lead.is_empty());
        for lead in leads {
            let key = KeyEvent::new(Char(lead.chars().next().unwrap()), Mods::NONE);
            let found = |row: &Binding| row.action_of(key).filter(|_| !row.context.is_led());
            let bound: Vec<_> = BINDINGS.iter().filter_map(found).collect();
            assert!(matches!(bound.as_slice(), [Action::Prefix(_)]), "{lead}: {bound:?}");
        }
    }

    #[test]
    fn the_help_fits_eighty_columns() {
        for row in BINDINGS {
            assert!(names(row).width() <= WIDEST, "{}", names(row));
            assert!(row.help.width() <= 52, "{}", row.help);
        }
    }

    #[test]
    fn every_context_has_keys_and_a_way_out() {
        for context in KeyContext::ALL {
            assert!(rows(context).count() > 0, "{context:?}");
            if context.is_typing() || context.is_led() || context == Moving {
                let control_c = KeyEvent::new(Char('c'), Mods::CONTROL);
                assert_eq!(action(&[context], control_c), Some(Action::Quit), "{context:?}");
            }
        }
    }

    #[test]
    fn capitals_are_the_same_key_with_and_without_shift() {
        let shifted = KeyEvent::new(Char('K'), Mods::SHIFT);
        assert_eq!(action(&[Moving, Everywhere], shifted), Some(Action::Explain));
        assert_eq!(action(&[Typing], shifted), Some(Action::Edit(LineEdit::Insert('K'))));
        let plain = |letter| KeyEvent::new(Char(letter), Mods::NONE);
        let control = KeyEvent::new(Char('x'), Mods::CONTROL);
        assert_eq!(action(&[Typing], control), None);
        let unbound = |contexts: &[KeyContext], key| match action(contexts, key) {
            Some(Action::Unbound(key)) => (key.lead, key.name, key.instead.to_string()),
            other => panic!("{other:?}"),
        };
        let heard = unbound(&[Moving, Everywhere], plain('Q'));
        assert_eq!(heard, ("", KeyName::Letter('Q'), "q leaves, Ctrl-c quits".into()));
        let second = unbound(&[AfterStep], plain('x'));
        assert_eq!(second, ("]", KeyName::Letter('x'), "? lists them".into()));
        let delete = unbound(&[Moving, Everywhere], KeyEvent::new(Delete, Mods::NONE));
        assert_eq!(delete, ("", KeyName::Named("Del"), "? lists them".into()));
        let silent = KeyEvent::new(KeyCode::CapsLock, Mods::NONE);
        assert_eq!(action(&[Moving, Everywhere], silent), None);
    }
}
