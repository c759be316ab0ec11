//! Keys at random, on every store there is: nothing that anybody can press takes the program down.
//!
//! The keys come from a seed, so a failure comes again. `MONKEY_KEYS=20000 cargo test --test it monkey` types longer.

use crate::keys::stores;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};
use zarrscope::tui::{
    Options, keymap,
    script::{Player, parse},
};

/// Numbers from a seed (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % below
    }
}

/// Whole lines that random letters would hardly ever make.
const LINES: [&str; 14] = [
    ":e 7<enter>",
    ":[0,1]<enter>",
    ":[1]<enter>",
    ":0x1f<enter>",
    ":+16<enter>",
    ":c/0/1<enter>",
    ":go /<enter>",
    "/hex 00<enter>",
    "/=0<enter>",
    "/nan<enter>",
    "/fill<enter>",
    "/a<enter>",
    "fa<enter>",
    "12G",
];

/// Every key that is bound anywhere, but for the one that writes a file here.
fn keys() -> Vec<KeyEvent> {
    let bound = keymap::BINDINGS.iter().flat_map(|binding| binding.keys().copied());
    let typed = "0123456789az<>{}-+*#'\"\u{e9}\u{6f22}\u{202e}".chars().map(KeyCode::Char);
    let typed = typed.map(|code| KeyEvent::new(code, KeyModifiers::NONE));
    let mut keys: Vec<_> = bound.chain(typed).collect();
    keys.retain(|key| key.code != KeyCode::Char('w'));
    keys
}

fn mouse(dice: &mut Dice, size: (u16, u16)) -> MouseEvent {
    let kinds = [
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
    ];
    let mut place = |below: u16| u16::try_from(dice.roll(usize::from(below).max(1))).unwrap();
    let (column, row) = (place(size.0), place(size.1));
    MouseEvent { kind: kinds[dice.roll(kinds.len())], column, row, modifiers: KeyModifiers::NONE }
}

/// Types at `store` until `count` things were done; what was done last, if that took the program down.
fn torment(store: &Path, seed: u64, count: usize) -> Result<(), String> {
    let mut dice = Dice(seed | 1);
    let mut size = (120, 40);
    let Ok(mut player) = Player::open(store, size, &Options::default()) else { return Ok(()) };
    let all = keys();
    let mut done = Vec::new();
    for _ in 0..count {
        let what = dice.roll(20);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            match what {
                0 => {
                    let line = LINES[dice.roll(LINES.len())];
                    done.push(line.to_owned());
                    parse(line).unwrap().into_iter().for_each(|key| player.press(key));
                }
                1 => {
                    let event = mouse(&mut dice, size);
                    done.push(format!("{event:?}"));
                    player.mouse(event);
                }
                2 => {
                    size = [(120, 40), (80, 24), (100, 30), (41, 9), (20, 5), (200, 12), (0, 0)]
                        [dice.roll(7)];
                    done.push(format!("{size:?}"));
                    player.resize(size);
                }
                _ => {
                    let key = all[dice.roll(all.len())];
                    done.push(format!("{:?}{:?}", key.modifiers, key.code));
                    player.press(key);
                }
            }
            std::hint::black_box(player.screen());
        }));
        if outcome.is_err() {
            let last = done.split_off(done.len().saturating_sub(60)).join(" ");
            return Err(format!("{} seed {seed}, the last of it: {last}", store.display()));
        }
    }
    Ok(())
}

#[test]
fn no_key_takes_the_program_down() {
    let count = std::env::var("MONKEY_KEYS").ok().and_then(|text| text.parse().ok());
    let count: usize = count.unwrap_or(150);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut folders = vec![corpus.join("hand-streamed.zip"), stores()];
    for folder in [stores(), corpus] {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(entries.filter(|path| path.is_dir()));
    }
    folders.sort();
    let torments = folders.iter().zip(1..).map(|(store, seed)| torment(store, seed * 7919, count));
    let failures: Vec<_> = torments.filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
