//! `K` anywhere: there is something to say of every node, row, line, stage, byte, chunk, problem and data type, in a
//! few sentences.

use crate::keys::stores;
use std::collections::BTreeMap;
use zarrscope::{
    app::{Overlay, View},
    tui::{
        Options,
        script::{Player, parse},
    },
};

/// What `K` said, by the place where it was pressed.
#[derive(Default)]
struct Said {
    explained: BTreeMap<String, Vec<String>>,
    silent: Vec<String>,
}

impl Said {
    fn press(&mut self, player: &mut Player, place: String) {
        keys(player, "K");
        let Some(Overlay::Explain(explained)) = &player.app.overlay else {
            self.silent.push(place);
            return;
        };
        let mut text = explained.paragraphs.clone();
        text.extend(explained.table.iter().map(|(label, value)| format!("{label}: {value}")));
        self.explained.insert(place, text);
        keys(player, "<esc>");
    }
}

fn keys(player: &mut Player, keys: &str) {
    parse(keys).unwrap().into_iter().for_each(|key| player.press(key));
}

fn at(node: &str) -> Player {
    let options = Options { at: Some(node.into()), ..Options::default() };
    Player::open(&stores(), (120, 40), &options).unwrap()
}

/// Arrays and groups that between them have what documents and chunks can have.
const NODES: &[&str] = &[
    "",
    "ocean",
    "ocean/packed",
    "ocean/temperature",
    "ocean-v2/packed",
    "ocean-v2",
    "dtypes-v2/structured",
    "dtypes-v3/string",
    "broken/crc",
    "broken/nan_token",
    "broken/json_invalid",
    "broken/codec_unknown",
    "broken/two_formats",
    "broken/stale",
    "broken/shard_index_damaged",
    "broken/zstd_truncated",
];

/// What is said of the stages, the map and the picture of an array.
fn chunks(node: &str, player: &mut Player, said: &mut Said) {
    keys(player, "2");
    let stages = player.app.shared.chunk.shown().map_or(0, |shown| shown.chunk.stages.len());
    for stage in 0..=stages {
        said.press(player, format!("{node}, chunk, {stage} stages before the last"));
        keys(player, "[<esc>2");
        player.pause();
    }
    keys(player, "<tab>");
    said.press(player, format!("{node}, map"));
    keys(player, "3");
    player.pause();
    said.press(player, format!("{node}, picture"));
}

fn everything() -> Said {
    let mut said = Said::default();
    for node in NODES {
        let mut player = at(node);
        said.press(&mut player, format!("{node}, in the tree"));
        keys(&mut player, "1");
        for row in 0..player.app.pages.data_type.rows().len() {
            said.press(&mut player, format!("{node}, data type, row {row:02}"));
            keys(&mut player, "j");
        }
        player.pause();
        keys(&mut player, "4");
        for line in 0..player.app.pages.metadata.len() {
            said.press(&mut player, format!("{node}, metadata, line {line:03}"));
            keys(&mut player, "j");
        }
        player.pause();
        if player.app.shared.is_array() {
            chunks(node, &mut player, &mut said);
        }
    }
    let mut player = at("broken");
    keys(&mut player, "5");
    for problem in 0..player.app.pages.problems.len() {
        said.press(&mut player, format!("problem {problem:02}"));
        keys(&mut player, "j");
    }
    assert_eq!(player.app.shared.view, View::Problems);
    keys(&mut player, "D");
    for card in 0..player.app.pages.gallery.cards.len() {
        said.press(&mut player, format!("data type {card:02}"));
        keys(&mut player, "j");
    }
    said
}

#[test]
fn there_is_something_to_say_anywhere() {
    let said = everything();
    assert!(said.explained.len() > 400, "{} places", said.explained.len());
    assert!(said.silent.is_empty(), "K says nothing of\n{}", said.silent.join("\n"));
}

/// How many sentences there are in a paragraph; dots in names and numbers are none.
fn sentences(text: &str) -> usize {
    let ends = text.split_whitespace().filter(|word| word.ends_with(['.', '!', '?']));
    ends.count() + usize::from(!text.ends_with(['.', '!', '?']))
}

#[test]
fn it_is_said_in_a_few_sentences() {
    let said = everything();
    let long: Vec<String> = said
        .explained
        .iter()
        .flat_map(|(place, text)| text.iter().map(move |text| (place, text)))
        .filter(|(_, text)| sentences(text) > 3 || text.ends_with("..") || text.is_empty())
        .map(|(place, text)| format!("{place}: {text}"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
