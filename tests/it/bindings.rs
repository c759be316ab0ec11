//! Every row of the key table, pressed where it holds: what it changes, key by key.
//!
//! The rows are taken from the table itself, so a new one cannot be forgotten. A row fails here if nothing that a user
//! could see comes of it, if another row has its key where it should hold, or if two of its keys do different things.
//! The effect of each key is in the snapshot, to be read.

use crate::keys::stores;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::{fmt::Write as _, fs, path::Path};
use zarrscope::{
    app::{
        Action, App, Effect, KeyContext, Overlay, Size, View,
        action::{Copied, Direction, Motion, StepTo, WindowPlace},
        input::LineEdit,
    },
    tui::{
        Options, keymap, picture,
        script::{Player, parse},
    },
};

/// The keys before an action of a row of the table that let it show its effect.
fn before(context: KeyContext, action: Action) -> &'static str {
    use KeyContext as C;
    use View as V;
    const EDITED: &str = "Djj<tab>int16";
    match (context, action) {
        (C::Views, Action::View(V::Chunks)) => ":go ocean/packed<enter>3h",
        (C::Views, _) => ":go ocean/packed<enter>2h",
        (C::Moving, Action::NextMatch(Direction::Next)) => {
            ":go ocean/packed<enter>2/notfill<enter>"
        }
        (C::Moving, Action::NextMatch(_)) => ":go ocean/packed<enter>2/notfill<enter>nnn",
        (C::Moving, _) if action != Action::Fold => ":go ocean/packed<enter>2:[20,22]<enter>",
        (C::Shown, Action::Deeper(Direction::Next)) => ":go ocean/packed<enter>2HH",
        (C::Shown, Action::Axes) => ":go ocean/air<enter>2",
        (C::Shown, Action::Sort) => ":go ocean<enter><tab>",
        (C::Shown | C::View(V::Chunks), _) if action != IGNORE => {
            ":go ocean/packed/c/1/2<enter>:e 102<enter>"
        }
        (C::View(V::Chunks), _) => ":go broken/crc/c/2/1<enter>",
        (C::ChunkTable, _) => ":go ocean/packed<enter>2t",
        (C::View(V::Picture), Action::NonFinite) => ":go dtypes-v3/float32<enter>3",
        (C::View(V::Picture), Action::Zoom(_)) => ":go ocean/packed<enter>3-",
        (C::View(V::Picture), _) | (C::AfterStep, Action::Step(StepTo::Slice, _)) => {
            ":go ocean/air<enter>3]s"
        }
        (C::Moving, Action::Fold) | (C::View(V::Metadata), _) => ":go broken/nan_token<enter>4gj",
        (C::Bits, _) => "D<tab><gt>f4<tab>15.0<tab><tab>",
        (C::AfterStep, Action::Step(StepTo::Lesson, _)) => ":learn byte-order<enter>]l",
        (C::AfterStep, Action::Step(StepTo::Difference, _)) => {
            ":go ocean/temperature<enter>:compare ocean-v2/temperature<enter>]d"
        }
        (C::AfterStep, Action::Step(StepTo::Fault, _)) => {
            ":go broken/crc/c/2/1<enter>:c/0/0<enter>"
        }
        (C::AfterStep, Action::Step(StepTo::Field, _)) => ":go dtypes-v2/structured<enter>2]f",
        (C::AfterStep, _) => ":go ocean/packed<enter>2:c/1/0<enter>",
        (C::AfterWindow, Action::Move(Motion::Window(WindowPlace::Bottom))) => {
            ":go ocean/packed<enter>2:[30,30]<enter>ztz"
        }
        (C::AfterWindow, _) => ":go ocean/packed<enter>2:[30,30]<enter>zbz",
        (C::AfterCopy, Action::Copy(Copied::Fix | Copied::Diff)) => ":go byte-order/liar<enter>5y",
        (C::AfterCopy, _) => ":go ocean/packed<enter>2/=-1025<enter>y",
        (C::Everywhere, Action::Jump(Direction::Next)) => {
            ":go ocean/packed<enter>2:[9,9]<enter><c-o>"
        }
        (C::Everywhere, Action::Lesson) | (C::Question, Action::Answer(_)) => {
            ":learn byte-order<enter>"
        }
        (C::Everywhere, _) => ":go ocean/packed<enter>2:[20,20]<enter>",
        (C::Typing, Action::Lesson) => ":learn byte-order<enter>D<tab>",
        (C::Typing, Action::Pane(_)) => EDITED,
        (C::Typing, Action::Move(Motion::PageUp)) => "fa<down><down>",
        (C::Typing, Action::Move(_)) => "fa b",
        (C::Typing, Action::History(Direction::Next)) => ":e 1<enter>:e 2<enter>:<up><up>",
        (C::Typing, Action::History(_)) => ":e 1<enter>:",
        (C::Typing, Action::Complete) => ":ch",
        (
            C::Typing,
            Action::Edit(
                LineEdit::Delete
                | LineEdit::Right
                | LineEdit::End
                | LineEdit::WordRight
                | LineEdit::EraseRest,
            ),
        ) => ":go ocean<home>",
        (C::Typing, _) => ":go ocean",
        _ => "",
    }
}

const IGNORE: Action = Action::IgnoreChecksums;

/// The strip of a lesson.
fn app_size() -> Size {
    Size::new(120, 5)
}

/// The facts that a key may have changed, by name. Anything that a user sees has a name here.
fn facts(app: &App) -> Vec<(&'static str, String)> {
    let chunks = &app.shared.chunk;
    let (picture, metadata) = (&app.pages.picture, &app.pages.metadata);
    vec![
        ("node", app.shared.node().map(|node| node.path.0.clone()).unwrap_or_default()),
        ("tree rows", app.pages.tree.len().to_string()),
        ("filter", app.pages.tree.filter.clone()),
        ("tree hidden", app.shared.hides_tree.to_string()),
        ("view", app.shared.view.title().to_owned()),
        (
            "what if",
            app.shared.read_as.as_ref().map(|it| it.what_if.to_string()).unwrap_or_default(),
        ),
        (
            "lesson",
            app.lesson
                .as_ref()
                .map(|run| format!("step {} {:?} {:?}", run.at, run.state, run.shown(app_size())))
                .unwrap_or_default(),
        ),
        ("focus", format!("{:?}", app.shared.focus)),
        ("on top", overlay(app)),
        ("at", app.address()),
        ("stage", chunks.stage.to_string()),
        ("byte", chunks.cursor.to_string()),
        ("first row", chunks.top.to_string()),
        ("other order", app.pages.chunks.other_order.to_string()),
        ("inspector", app.pages.chunks.inspector.to_string()),
        ("decimal", app.pages.chunks.decimal.to_string()),
        ("base", format!("{:?}", app.pages.chunks.base)),
        ("map", format!("{} {:?}", app.pages.chunks.mode.name(), chunks.axes)),
        ("table", table(app)),
        ("checksums passed over", chunks.ignore_checksums.to_string()),
        ("picture", format!("{:?} {:?} {:?}", picture.axes, picture.scale, picture.chosen)),
        ("marked", format!("{:?}", app.pages.compare.marked)),
        ("zoom", format!("{:?} {:?}", picture.whole.zoom, picture.whole.reduction)),
        (
            "overview",
            format!("{} {:?}", app.pages.overview.scroll.cursor(), app.pages.overview.sort),
        ),
        ("row", app.pages.data_type.scroll.cursor().to_string()),
        ("line", metadata.line().map(|line| line.text.trim().to_owned()).unwrap_or_default()),
        ("lines", metadata.len().to_string()),
        ("both documents", metadata.show_other.to_string()),
        ("problems", app.pages.problems.len().to_string()),
        ("problem", app.pages.problems.scroll.cursor().to_string()),
        ("card", app.pages.gallery.selected().map(|card| card.name.clone()).unwrap_or_default()),
        ("prefix", app.prefix().map(|prefix| format!("{prefix:?}")).unwrap_or_default()),
        (
            "said",
            app.shared.message.as_ref().map(|message| message.text.clone()).unwrap_or_default(),
        ),
    ]
}

/// The chunk table as it is on show.
fn table(app: &App) -> String {
    let page = &app.pages.chunk_table;
    let Some(table) = page.table.as_ref().filter(|_| app.shared.has_table()) else {
        return String::new();
    };
    let row = table.selected().map(|row| table.key(row.index)).unwrap_or_default();
    let (column, sorted, down) = (page.column, page.arrangement.column, page.arrangement.down);
    let of = format!("{} rows of field {}", table.len(), table.choice);
    format!("{of} by {sorted:?} {down}, at {row} {column:?}, physical {}", page.is_physical)
}

fn overlay(app: &App) -> String {
    let typed =
        |input: &zarrscope::app::input::Input| format!("{}▏{}", input.before(), input.after());
    match &app.overlay {
        None => String::new(),
        Some(Overlay::Help(page)) => format!("help from line {}", page.scroll.cursor()),
        Some(Overlay::Explain(explained)) => {
            let keys = if explained.has_keys { " with the keys" } else { "" };
            format!("\"{}\" from line {}{keys}", explained.title, explained.scroll.cursor())
        }
        Some(Overlay::Prompt(prompt)) => format!("{:?} {}", prompt.asked, typed(&prompt.input)),
        Some(Overlay::Finder(finder)) => {
            let found = finder.selected().map(|found| found.path.0.clone()).unwrap_or_default();
            format!("finder {} at {found}", typed(&finder.input))
        }
        Some(Overlay::Requests(page)) => format!("requests from {}", page.scroll.cursor()),
        Some(Overlay::Lessons(list)) => format!("lessons, at {}", list.scroll.cursor()),
        Some(Overlay::Compare) => {
            let page = &app.pages.compare;
            format!(
                "comparison of {:?}, {:?}, row {} chunk {:?} same {}",
                page.names,
                page.part,
                page.row.cursor(),
                page.at,
                page.shows_same
            )
        }
        Some(Overlay::Gallery) => {
            let page = &app.pages.gallery;
            format!(
                "gallery, {:?}: {} {} {} bit {:?}",
                page.part,
                typed(&page.data_type),
                typed(&page.fill_value),
                typed(&page.bytes),
                page.element.as_ref().map(|element| (element.component, element.bit)).ok()
            )
        }
    }
}

/// The task of the shell, in a word.
fn effect(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Quit => "the program ends".into(),
        Effect::Press(keys) | Effect::Guide(keys) => format!("presses {keys}"),
        Effect::Suspend => "the program sleeps".into(),
        Effect::Redraw => "the screen is drawn anew".into(),
        Effect::EditCopy(name, bytes) => {
            format!("the editor opens a copy, {name} of {} bytes", bytes.len())
        }
        Effect::Copy(text) => match text.lines().count() {
            0 | 1 => format!("copied: {text}"),
            n => format!("copied: {n} lines"),
        },
        Effect::CopyCard => "copied: the view".into(),
        Effect::Learn(name) => format!("begins the lesson {name}"),
        Effect::EndLesson => "goes back from a lesson".into(),
        Effect::KeepProgress(text) => format!("keeps {text:?}"),
        Effect::Run(_)
        | Effect::Cancel(_)
        | Effect::Watch(_)
        | Effect::Open
        | Effect::GiveUp
        | Effect::Refresh => return None,
    })
}

/// The effect of `key` after the keys that its action needs: every fact that it changed, and the task of the shell; or
/// what is wrong with that.
fn outcome(
    context: KeyContext,
    action: Action,
    lead: &str,
    key: KeyEvent,
) -> Result<String, String> {
    let mut player = Player::open(&stores(), (120, 40), &Options::default()).unwrap();
    parse(before(context, action)).unwrap().into_iter().for_each(|key| player.press(key));
    parse(lead).unwrap().into_iter().for_each(|key| player.press(key));
    let contexts = player.app.contexts();
    if !contexts.contains(&context) || keymap::action(&contexts, key) != Some(action) {
        return Err(format!("is hidden here: keys are those of {contexts:?}"));
    }
    // Exporting writes where the tests stand, and never over a file.
    let exported = Path::new("ocean-packed-c-1-2.npy");
    fs::remove_file(exported).ok();
    player.take_effects();
    let (old, screen) = (facts(&player.app), picture::ansi(&player.screen()));
    player.press(key);
    fs::remove_file(exported).ok();
    let effects: Vec<String> = player.take_effects().iter().filter_map(effect).collect();
    if picture::ansi(&player.screen()) == screen && effects.is_empty() {
        return Err("changes nothing that could be seen".into());
    }
    let mut out = String::new();
    for ((name, old), (_, new)) in old.iter().zip(&facts(&player.app)).filter(|(a, b)| a != b) {
        writeln!(out, "    {name}: {old} → {new}").unwrap();
    }
    for effect in effects {
        writeln!(out, "    {effect}").unwrap();
    }
    if out.is_empty() { Err("what it changes has no name in this test".into()) } else { Ok(out) }
}

#[test]
fn every_binding_does_what_it_says() {
    let (mut text, mut faults) = (String::new(), Vec::new());
    for row in keymap::BINDINGS {
        let help = if row.help.is_empty() { "(as above)" } else { row.help };
        writeln!(text, "{}: {}  {help}", row.context.title(), keymap::names(row)).unwrap();
        let leads: &[&str] = if row.context == KeyContext::AfterStep { &["]", "["] } else { &[""] };
        for (way, lead) in row.ways.iter().flat_map(|way| leads.iter().map(move |lead| (way, lead)))
        {
            let title = format!("{lead}{}", keymap::name(&way.keys[0]));
            let press = |key: &KeyEvent| outcome(row.context, way.action, lead, *key);
            let outcomes: Vec<_> = way.keys.iter().map(press).collect();
            let wrong = outcomes.iter().filter_map(|it| it.as_ref().err());
            faults.extend(wrong.map(|why| format!("{help}: {title}: {why}")));
            if outcomes.windows(2).any(|two| two[0] != two[1]) {
                faults.push(format!("{help}: {title}: its keys differ: {outcomes:?}"));
            }
            write!(text, "  {title}\n{}", outcomes[0].clone().unwrap_or_default()).unwrap();
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    insta::assert_snapshot!(text.replace(&*stores().to_string_lossy(), "STORES"));
}

/// A letter that no row has is typed where one types, and elsewhere does nothing but say so.
#[test]
fn keys_without_a_binding_do_nothing() {
    let odd = [
        (KeyEvent::new(KeyCode::Char('Q'), KeyModifiers::NONE), "Q"),
        (KeyEvent::new(KeyCode::F(9), KeyModifiers::NONE), "F9"),
        (KeyEvent::new(KeyCode::Delete, KeyModifiers::NONE), "Del"),
        (KeyEvent::new(KeyCode::Char('x'), KeyModifiers::ALT), "Alt-x"),
    ];
    for keys in ["", ":go ocean/packed<enter>2", "D", "?", "K"] {
        let mut player = Player::open(&stores(), (120, 40), &Options::default()).unwrap();
        parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
        let screen = picture::ansi(&player.screen());
        for (key, name) in odd {
            player.press(key);
            let after = picture::ansi(&player.screen());
            let body =
                |screen: &str| screen.lines().take(39).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(body(&after), body(&screen), "{keys}");
            assert!(after.contains(&format!("{name} is not a key here; ")), "{keys} {name}");
        }
        // Keys that are no keys for themselves are not heard.
        let before = picture::ansi(&player.screen());
        player.press(KeyEvent::new(KeyCode::CapsLock, KeyModifiers::NONE));
        assert_eq!(picture::ansi(&player.screen()), before, "{keys}");
    }
}
