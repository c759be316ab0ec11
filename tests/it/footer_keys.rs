//! The footer offers only what does something: each of its keys is pressed, on every kind of node, in every view and pane.

use crate::keys::{click, stores, text};
use ratatui::{buffer::Cell, layout::Rect};
use std::fmt::Write as _;
use zarrscope::{
    app::{Action, Overlay},
    tui::{
        Options,
        script::{Player, parse},
        view::footer,
    },
};

/// A node of each kind.
const NODES: [&str; 21] = [
    "",
    "broken/stale",
    "ocean/packed",
    "ocean/packed/c/3/3",
    "ocean/air",
    "ocean/time",
    "ocean/year",
    "ocean/temperature",
    "ocean-v2/brightness",
    "broken/json_invalid",
    "broken/codec_unknown",
    "broken/crc",
    "broken/chunk_truncated",
    "broken/shard_index_damaged",
    "broken/hostile_strings",
    "broken/two_formats",
    "dtypes-v3/structured",
    "dtypes-v3/string",
    "dtypes-v3/complex64",
    "dtypes-v3/bool",
    "dtypes-v2/object_pickle",
];

/// The keys that lead to the views and panes of a node.
const PLACES: [&str; 14] =
    ["1h", "1", "2h", "2", "2<tab>", "2t", "2K", "3h", "3", "3-", "4", "4v", "5", "D"];

fn press(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
    player.take_effects();
}

/// The screen without the footer.
fn body(player: &Player) -> Vec<Cell> {
    let mut screen = player.screen();
    let last = usize::from(screen.area.height - 1) * usize::from(screen.area.width);
    screen.content.truncate(last);
    screen.content
}

/// The footer's keys that do nothing that one could see.
fn idle(player: &Player) -> Vec<String> {
    let Rect { width, height, .. } = player.screen().area;
    let footer = Rect::new(0, height - 1, width, 1);
    let mut offered: Vec<_> = (0..width)
        .filter_map(|x| footer::at(&player.app, footer, x).map(|action| (x, action)))
        .collect();
    offered.dedup_by_key(|(_, action)| *action);
    let before = body(player);
    // What is the highest is told wherever the cursor is.
    offered.retain(|(_, action)| !matches!(action, Action::Extreme(_)));
    let is_idle = |x: u16| {
        let mut player = player.clone();
        player.mouse(click(x, height - 1));
        let typed = matches!(player.app.overlay, Some(Overlay::Prompt(_)));
        let said = |player| text(player).lines().last().unwrap_or_default().trim().to_owned();
        (!typed && body(&player) == before && player.take_effects().is_empty())
            .then(|| said(&player))
    };
    offered
        .into_iter()
        .filter_map(|(x, action)| Some(format!("{action:?} says {:?}", is_idle(x)?)))
        .collect()
}

#[test]
fn every_key_of_the_footer_changes_the_screen() {
    let mut faults = String::new();
    for node in NODES {
        let mut there = Player::open(&stores(), (200, 40), &Options::default()).unwrap();
        press(&mut there, &format!(":go /{node}<enter>"));
        // A check of all stores takes its time.
        for place in PLACES.into_iter().filter(|place| !node.is_empty() || *place != "5") {
            let mut player = there.clone();
            press(&mut player, place);
            for idle in idle(&player) {
                writeln!(faults, "{node} {place}: {idle}").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
