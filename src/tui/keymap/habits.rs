//! Keys that do nothing here and that the hand knows from vim, less, jless or lazygit: what to press instead.

use super::{rows, same};
use crate::app::{KeyContext, View, action::Instead};
use ratatui::crossterm::event::{
    KeyCode::{self, Char, F, Insert},
    KeyEvent, KeyModifiers as Mods,
};

/// The message on every other key.
const LISTED: &str = "? lists them";

/// Keys of other programs, and what does here what they do there.
const HABITS: &[(&[KeyEvent], &str)] = &[
    (&[key(Char('Q')), key(Char('Z')), key(F(10))], "q leaves, Ctrl-c quits"),
    (&[key(Char('R')), ctrl('r')], "r reloads everything"),
    (&[key(Char('F'))], "changed files are reloaded automatically; r reloads now"),
    (
        &[key(Char('*')), key(Char('#')), key(F(3)), ctrl('s')],
        "/ searches, n and N go to the next and previous match",
    ),
    (&[key(Char('&'))], "/ filters the tree"),
    (&[key(Char('d')), key(Char('u'))], "Ctrl-d and Ctrl-u go half a page"),
    (&[key(Char('^'))], "0 and $ go to the start and the end of the row"),
    (
        &[key(Char('.')), key(Char(','))],
        "]c and [c go to the next and previous chunk, ]s and [s slice",
    ),
    (&[key(Char('}')), key(Char('{'))], "]f and [f go to the next and previous field"),
    (&[key(Char('S'))], "L goes into the inner chunk, H out to the shard"),
    (&[key(Char('v'))], "e opens a copy in your editor; dragging the mouse selects"),
    (&[ctrl('j'), ctrl('k')], "j and k move"),
    (&[key(Char('<')), key(Char('>'))], "g and G go to the first and the last"),
    (&[ctrl('e'), ctrl('y')], "j and k move, the wheel scrolls"),
    (&[ctrl('n')], "j and k move, n goes to the next match"),
    (&[ctrl('w')], "Tab goes to the next pane"),
    (&[ctrl('g')], "the line above the keys shows where the cursor is"),
    (&[key(Char('\'')), key(Char('`'))], "Ctrl-o goes back to where you were"),
    (&[key(Char('p'))], "y copies; physical values are in the chunk table: t, then p"),
    (&[ctrl('t')], "D shows all data types"),
    (&[key(Insert)], "e opens a copy in your editor; stores are never changed"),
];

/// Second keys of other programs, behind a first one of ours.
const SECOND: &[(KeyContext, &[char], &str)] = &[
    (
        KeyContext::AfterCopy,
        &['j', 'v'],
        "yy copies the value, or the row; Y copies the view as Markdown",
    ),
    (KeyContext::AfterCopy, &['c'], "Y copies the view as Markdown"),
    (KeyContext::AfterCopy, &['q'], "yp copies the path"),
    (KeyContext::AfterWindow, &['a', 'o', 'c', 'M', 'R'], "Space folds and unfolds"),
    (KeyContext::AfterWindow, &['s'], "equal rows are folded already; Enter opens them"),
];

const fn key(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, Mods::NONE)
}

const fn ctrl(letter: char) -> KeyEvent {
    KeyEvent::new(Char(letter), Mods::CONTROL)
}

/// The advice for `event`, which does nothing where `contexts` are in force.
pub(super) fn instead(contexts: &[KeyContext], event: KeyEvent) -> Instead {
    if !contexts.contains(&KeyContext::Everywhere) {
        let is_it = |(context, keys, _): &&(KeyContext, &[char], _)| {
            contexts.contains(context) && keys.iter().any(|letter| same(key(Char(*letter)), event))
        };
        return Instead::Press(SECOND.iter().find(is_it).map_or(LISTED, |(.., instead)| instead));
    }
    let known = HABITS.iter().find(|(keys, _)| keys.iter().any(|key| same(*key, event)));
    let known = known.map(|(_, instead)| Instead::Press(instead));
    known.or_else(|| in_a_view(contexts, event)).unwrap_or(Instead::Press(LISTED))
}

/// The advice to use `event` in another view, if it does something there.
fn in_a_view(contexts: &[KeyContext], event: KeyEvent) -> Option<Instead> {
    let view = View::ALL
        .into_iter()
        .find(|view| rows(KeyContext::View(*view)).any(|row| row.action_of(event).is_some()))?;
    let of_one_chunk = view == View::Chunks && contexts.contains(&KeyContext::ChunkTable);
    Some(if of_one_chunk { Instead::Press("it works on one chunk: t") } else { Instead::In(view) })
}

#[cfg(test)]
mod tests {
    use super::{
        super::{name, rows},
        *,
    };

    /// A habit is of use where the key is free in some place, and its text names a key that is bound everywhere or in
    /// the tree.
    #[test]
    fn what_is_said_of_a_habit_names_keys_that_exist() {
        let everywhere = [KeyContext::Moving, KeyContext::Shown, KeyContext::Everywhere];
        let bound: Vec<_> =
            everywhere.into_iter().flat_map(rows).flat_map(super::super::Binding::keys).collect();
        for (keys, instead) in HABITS {
            for key in *keys {
                assert!(!bound.iter().any(|k| same(**k, *key)), "{}", name(key));
            }
            let mut words = instead.split([' ', ',']);
            let named = words
                .any(|word| bound.iter().any(|key| name(key) == word) || word.starts_with(']'));
            assert!(named || instead.starts_with("the line"), "{instead}");
        }
    }
}
