//! Inputs for the inspector: keys, typed lines and lessons, on screens of every size.

use super::{
    damage::{self, Dice, damaged_copy},
    library::damaged,
    sources::{Sources, opened, options},
};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::{path::Path, sync::Arc};
use zarrscope::{
    app::{
        lesson::{self, LessonProgress},
        script_form::split,
    },
    tui::{
        Options,
        lessons::{OpenLesson, film, samples},
        picture::{self, Palette, film::animated},
        script::Player,
        theme::Ground,
        view::picture::Colors,
    },
    zarr::hierarchy::Target,
};

/// The keys that are pressed at random.
const KEYS: &[char] = &[
    'j', 'j', 'l', 'h', 'k', 'G', 'g', '1', '2', '2', '3', '4', '5', '6', 'K', 'x', 'i', 'o', 'b',
    ']', '[', 'm', 'c', 'd', 'e', 'n', 'N', 'v', 'a', 's', 't', 'z', 'y', 'p', 'Y', 'D', 'L', 'H',
    '/', 'f', '?', '7', '0', '$', 'O', '=', 'X', '~', '+', '-', 'r', '\n', '\n', '\t', '\u{1b}',
    ' ',
];

/// Lines that people type, each with the key that begins it.
const LINES: &[&str] = &[
    ":e 7",
    ":[0,1]",
    ":[1]",
    ":0x1f",
    ":+16",
    ":-4",
    ":12",
    ":c/0/1",
    ":go ocean/packed",
    ":as dtype=<f4 endian=big",
    ":as codecs=[\"bytes\",\"zstd\"]",
    ":as off",
    ":compare ocean/packed",
    ":compare c/0/1",
    ":tolerance 1e-6,1e-3",
    ":dtype >M8[10us]",
    ":field a",
    ":zoom array",
    ":zoom 8",
    ":find =3.5",
    ":find hex 7fc0",
    ":where nan>0",
    ":where ratio>3 same",
    ":learn 3",
    ":learn off",
    ":learn nothing.keys",
    ":readers",
    ":check",
    ":help",
    ":reload",
    "/hex 00",
    "/=0",
    "/nan",
    "/fill",
    "/a",
    "fpacked",
    "12G",
    "D>i2",
];

/// A size of a screen: often one that people have, else any from 1x1 to 300x100.
fn any_size(dice: &mut Dice) -> (u16, u16) {
    let any = |dice: &mut Dice, most| u16::try_from(1 + dice.below(most)).unwrap();
    match dice.below(3) {
        0 => *dice.pick(&[(120, 40), (80, 24), (41, 9), (200, 60), (20, 5), (300, 100), (1, 1)]),
        1 => (any(dice, 60), any(dice, 16)),
        _ => (any(dice, 300), any(dice, 100)),
    }
}

/// A look: dark or light, with less colours or none, in ASCII.
fn look(dice: &mut Dice) -> Options {
    let colors = [Colors::True, Colors::True, Colors::Cube, Colors::Sixteen, Colors::Mono];
    Options {
        color: dice.below(4) > 0,
        pictures: *dice.pick(&colors),
        ground: *dice.pick(&[Ground::Dark, Ground::Light, Ground::Unknown]),
        ascii: dice.below(4) == 0,
        ..options()
    }
}

/// Draws the screen in one of the forms there are.
fn draw(player: &Player, dice: &mut Dice) {
    let screen = player.screen();
    let drawn = match dice.below(5) {
        0 => picture::text(&screen),
        1 => picture::ansi(&screen),
        2 => picture::svg(&screen, Palette::Light),
        3 => picture::svg(&screen, Palette::Dark),
        _ => player.markdown(),
    };
    assert!(drawn.len() < 1 << 24);
}

fn press(player: &mut Player, key: char) {
    let code = match key {
        '\n' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '\u{1b}' => KeyCode::Esc,
        key => KeyCode::Char(key),
    };
    player.press(KeyEvent::new(code, KeyModifiers::NONE));
}

/// Types a line, and does what it says.
fn type_line(player: &mut Player, dice: &mut Dice) {
    let line = damage::typed(LINES, dice);
    // What writes a file is not typed at random.
    if [":w", ":export"].iter().any(|word| line.starts_with(word) && !line.starts_with(":where")) {
        return;
    }
    line.chars().for_each(|key| press(player, key));
    press(player, '\n');
}

fn click(player: &mut Player, (width, height): (u16, u16), dice: &mut Dice) {
    let kinds = [MouseEventKind::Down(MouseButton::Left), MouseEventKind::ScrollDown];
    let place = |dice: &mut Dice, most: u16| u16::try_from(dice.below(most.into())).unwrap();
    let (column, row) = (place(dice, width), place(dice, height));
    let kind = *dice.pick(&kinds);
    player.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
}

/// The inspector on a damaged node that is in memory.
fn player(sources: &Sources, size: (u16, u16), dice: &mut Dice) -> Player {
    let opened = (opened(damaged(sources, dice, 1)), Target::default());
    let options = Options { opened: Some(opened), ..look(dice) };
    Player::open(Path::new(""), size, &options).unwrap()
}

/// Types a line, and draws what is there then.
pub(crate) fn typed_line(sources: &Sources, dice: &mut Dice) {
    let mut player = player(sources, (120, 40), dice);
    (0..dice.below(6)).for_each(|_| press(&mut player, *dice.pick(KEYS)));
    type_line(&mut player, dice);
    draw(&player, dice);
}

/// Presses keys on screens of any size.
pub(crate) fn screen(sources: &Sources, dice: &mut Dice) {
    let mut size = any_size(dice);
    let mut player = player(sources, size, dice);
    for _ in 0..=dice.below(3) {
        (0..dice.below(8)).for_each(|_| press(&mut player, *dice.pick(KEYS)));
        click(&mut player, size, dice);
        draw(&player, dice);
        size = any_size(dice);
        player.resize(size);
    }
    draw(&player, dice);
}

/// Presses keys in every view of a damaged store, and draws what is there after each.
pub(crate) fn inspector(sources: &Sources, dice: &mut Dice) {
    const VIEWS: &[&str] = &["l1", "2]cjx", "2HLHma", "3]sma", "4jK", "5 ", "2t]fO", "D"];
    let folder = tempfile::tempdir().unwrap();
    let node = dice.pick(&sources.nodes);
    let store = damaged_copy(node, folder.path(), dice);
    let size = any_size(dice);
    let Ok(mut player) = Player::open(&store, size, &look(dice)) else { return };
    for _ in 0..=dice.below(3) {
        dice.pick(VIEWS).chars().for_each(|key| press(&mut player, key));
        draw(&player, dice);
        match dice.below(3) {
            0 => type_line(&mut player, dice),
            _ => (0..dice.below(8)).for_each(|_| press(&mut player, *dice.pick(KEYS))),
        }
        assert_eq!(player.screen().area.width, size.0);
        draw(&player, dice);
    }
}

/// Reads a damaged lesson; begins it, if it is still one.
pub(crate) fn lesson(sources: &Sources, dice: &mut Dice) {
    let text = damage::typed(&sources.lessons, dice);
    let _ = LessonProgress::read(&text).text();
    let Ok(lesson) = lesson::parse::lesson(&text) else { return };
    if dice.below(8) > 0 {
        return;
    }
    let hierarchy = samples(&options().registry).unwrap();
    let mut few = lesson.clone();
    few.steps.truncate(3);
    few.still = None;
    for step in &mut few.steps {
        let keys = step.start.as_deref().unwrap_or_default();
        step.start = Some(split(keys).take(8).filter(|key| *key != "w").collect());
    }
    let open = |lesson| OpenLesson {
        lesson: Arc::new(lesson),
        number: None,
        hierarchy: hierarchy.clone(),
    };
    let size = (1 + dice.below(90), 1 + dice.below(30));
    let size = (u16::try_from(size.0).unwrap(), u16::try_from(size.1).unwrap());
    if let Ok((film, _)) = film(&open(few), size, &look(dice)) {
        assert!(animated(&film, Palette::Dark).len() < 1 << 26);
    }
    let lesson = open(lesson);
    let options = Options { lesson: Some(lesson), ..look(dice) };
    let Ok(mut player) = Player::open(Path::new(""), any_size(dice), &options) else { return };
    for _ in 0..dice.below(12) {
        press(&mut player, *dice.pick(&['\n', ' ', 'n', 'a', 'b', '2', 'j', '\u{1b}']));
    }
    draw(&player, dice);
}
