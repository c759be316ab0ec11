//! Shards in shards, as zarr-python 3.1.6 writes them: three levels, and two with transposed levels between.
//!
//! Both arrays are 16×20 int16 in chunks of 8×16, and hold 20·y + x where they are written, else -1:
//! `three` in shards of 4×8, of 4×4, of 2×2 elements, the index at the start of the innermost; `turned` in transposed
//! shards.

use crate::snapshot::{Part, describe};
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};
use zarrscope::{
    tui::{
        Options, picture,
        script::{self, Player},
    },
    zarr::{
        ArrayMetadata, Budget, Hierarchy, NodePath, Registry, Result, chunk,
        grid::ChunkId,
        hierarchy::NodeKind,
        store::{DirectoryStore, Entry, Stat, Store},
    },
};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/nested_shards")
}

/// A folder that writes down which bytes are read.
#[derive(Debug)]
struct Watched {
    store: DirectoryStore,
    reads: Mutex<Vec<u64>>,
}

impl Store for Watched {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.store.read(key, limit)
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.reads.lock().unwrap().push(range.end - range.start);
        self.store.read_range(key, range)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        self.store.stat(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        self.store.list(prefix)
    }

    fn name(&self) -> String {
        self.store.name()
    }
}

fn array(name: &str) -> (Arc<Watched>, NodePath, Arc<ArrayMetadata>) {
    let store = Watched { store: DirectoryStore::new(data()), reads: Mutex::default() };
    let store = Arc::new(store);
    let hierarchy = Hierarchy::new(Arc::clone(&store) as _, Arc::new(Registry::default()));
    let path = NodePath(name.into());
    let NodeKind::Array(array) = hierarchy.node(&path).kind else { panic!("{name} is no array") };
    (store, path, array)
}

fn load(
    (store, path, array): &(Arc<Watched>, NodePath, Arc<ArrayMetadata>),
    id: &ChunkId,
    around: u64,
) -> chunk::Chunk {
    let budget = Budget::default().with_limit(1 << 20);
    chunk::load(store.as_ref(), path, array, id, around, &budget)
}

/// The value that element [y, x] was written as.
fn written(name: &str, y: u64, x: u64) -> u64 {
    let there = matches!(
        (name, y, x),
        ("three", 0..8, 0..8)
            | ("three", 2..4, 12..14)
            | ("three", 8..12, 16..20)
            | ("turned", 0..8, 0..16)
    );
    if there { 20 * y + x } else { u64::MAX }
}

#[test]
fn every_element_is_in_the_inner_chunk_that_is_said_to_hold_it() {
    for (name, levels) in [("three", 3), ("turned", 2)] {
        let array = array(name);
        for (y, x) in (0..16).flat_map(|y| (0..20).map(move |x| (y, x))) {
            let coordinates = vec![y / 8, x / 16];
            let inner = chunk::inner_at(&array.2, &[8, 16], &[y % 8, x % 16]);
            assert_eq!(inner.len(), levels);
            for depth in 0..=levels {
                let id =
                    ChunkId { coordinates: coordinates.clone(), inner: inner[..depth].to_vec() };
                let chunk = load(&array, &id, 0);
                let place: Vec<u64> = [y, x]
                    .iter()
                    .zip(&chunk.region)
                    .map(|(at, span)| {
                        assert!(span.contains(at), "{name} [{y},{x}] is not in {id:?}");
                        at - span.start
                    })
                    .collect();
                let expected = written(name, y, x);
                match chunk.elements() {
                    None => assert!(chunk.is_missing() && expected == u64::MAX, "{id:?}"),
                    Some(elements) => {
                        let value = elements.value(elements.position(&place)).unwrap().unwrap();
                        assert_eq!(value.to_string(), expected.cast_signed().to_string());
                    }
                }
            }
        }
    }
}

#[test]
fn the_innermost_chunk_costs_an_index_a_level_and_itself() {
    let array = array("three");
    let inner = vec![vec![0, 0], vec![0, 1], vec![1, 0]];
    let chunk = load(&array, &ChunkId { coordinates: vec![0, 0], inner }, 0);
    assert_eq!(chunk.elements().unwrap().len(), 4);
    // 4, 2 and 4 entries of 16 bytes with a checksum of 4, and 4 elements of 2 bytes.
    assert_eq!(*array.0.reads.lock().unwrap(), [4 * 16 + 4, 2 * 16 + 4, 4 * 16 + 4, 8]);
}

#[test]
fn around_an_inner_chunk_any_byte_of_its_file_can_be_seen() {
    let array = array("three");
    let inner = vec![vec![0, 0], vec![0, 1], vec![1, 0]];
    let id = ChunkId { coordinates: vec![0, 0], inner };
    let whole = std::fs::read(data().join("three/c/0/0")).unwrap();
    for around in [0, 1, 600, 651] {
        let chunk = load(&array, &id, around);
        for stage in &chunk.stages {
            let bytes = stage.output.as_ref().unwrap().bytes();
            assert!(!bytes.here().is_empty(), "{} {around}", stage.name);
        }
        let file = chunk.stages[0].output.as_ref().unwrap().bytes();
        assert_eq!(file.len(), whole.len() as u64);
        let loaded = file.loaded();
        assert!(around == 0 || loaded.contains(&around), "{around}: {loaded:?}");
        let range = usize::try_from(loaded.start).unwrap()..usize::try_from(loaded.end).unwrap();
        assert_eq!(file.here(), &whole[range]);
    }
}

fn play(keys: &str) -> Player {
    play_at((120, 40), keys)
}

/// The state after `keys`, of which S is H until the level around is on show, and s is L until the values of the one
/// inside are.
fn play_at(size: (u16, u16), keys: &str) -> Player {
    let mut player = Player::open(&data(), size, &Options::default()).unwrap();
    for key in script::parse(keys).unwrap() {
        let step = match key.code {
            KeyCode::Char('S') => 'H',
            KeyCode::Char('s') => 'L',
            _ => {
                player.press(key);
                continue;
            }
        };
        let depth = player.app.shared.chunk.depth();
        for _ in 0..9 {
            player.press(KeyEvent::from(KeyCode::Char(step)));
            if player.app.shared.chunk.depth() != depth {
                break;
            }
        }
        // Into its values.
        let is_before = |player: &Player| {
            let chunk = &player.app.shared.chunk;
            chunk.shown().is_some_and(|shown| chunk.stage < shown.last())
        };
        while step == 'L' && is_before(&player) {
            player.press(KeyEvent::from(KeyCode::Char('L')));
        }
    }
    player
}

/// The chunk, its inner chunks and the element or byte of it.
fn place(player: &Player) -> String {
    let address = player.app.address();
    address.trim_start_matches("--at '").trim_end_matches('\'').to_owned()
}

/// Keys in the array `three`, and where they lead.
const JOURNEYS: &[(&str, &str)] = &[
    ("", "three/c/0/0@0,0@0,0@0,0#[0,0]"),
    // From the innermost out to the whole shard, and down level by level.
    ("SSS", "three/c/0/0#[0,0]"),
    (":[5,6]<enter>", "three/c/0/0@1,0@0,1@0,1#[5,6]"),
    (":[5,6]<enter>SSS", "three/c/0/0#[5,6]"),
    (":[5,6]<enter>SSSs", "three/c/0/0@1,0#[5,6]"),
    (":[5,6]<enter>SSSss", "three/c/0/0@1,0@0,1#[5,6]"),
    (":[5,6]<enter>SSSsss", "three/c/0/0@1,0@0,1@0,1#[5,6]"),
    (":[5,6]<enter>S", "three/c/0/0@1,0@0,1#[5,6]"),
    (":[5,6]<enter>SS", "three/c/0/0@1,0#[5,6]"),
    (":[5,6]<enter>SSS", "three/c/0/0#[5,6]"),
    (":[5,6]<enter>SS<enter>", "three/c/0/0@1,0@0,1#[5,6]"),
    (":[5,6]<enter>SSS<c-o><c-o>", "three/c/0/0@1,0@0,1#[5,6]"),
    // Whole shards stay whole.
    ("SSS:[5,6]<enter>", "three/c/0/0#[5,6]"),
    ("SSS:[9,17]<enter>", "three/c/1/1#[9,17]"),
    // An entry of the index is the inner chunk.
    ("SSSH:0x27e<enter><enter>", "three/c/0/0@1,1#[4,8]"),
    // Through the inner chunks, and on in the shard around them.
    ("]c", "three/c/0/0@0,0@0,0@0,1#[0,2]"),
    ("]c]c]c]c", "three/c/0/0@0,0@0,1@0,0#[0,4]"),
    ("]c]c]c]c[c", "three/c/0/0@0,0@0,0@1,1#[2,2]"),
    (":c/0/0@1,1@0,1@1,1<enter>]c", "three/c/0/1@0,0@0,0@0,0#[0,16]"),
    (":c/0/1<enter>[c", "three/c/0/0@1,1@0,1@1,1#[6,14]"),
    ("SSSs]c", "three/c/0/0@0,1#[0,8]"),
    ("SSS]c", "three/c/0/1#[0,16]"),
    // Empty inner chunks first, then missing shards.
    ("]m", "three/c/0/0@1,1@0,0@0,0#[4,8]"),
    ("]m]m", "three/c/0/1@0,0@0,0@0,0#[0,16]"),
    ("]m]m]m", "three/c/1/0@0,0@0,0@0,0#[8,0]"),
    ("]m[m", "three/c/0/0@1,1@0,0@0,0#[4,8]"),
    (":[2,12]<enter>]m", "three/c/0/0@0,1@0,1@1,1#[2,14]"),
    (":[2,12]<enter>[m", "three/c/0/0@0,1@0,1@0,1#[0,14]"),
    // Addresses.
    (":c/0/0@1,0@0,1@0,1<enter>", "three/c/0/0@1,0@0,1@0,1#[4,6]"),
    (":c/0/0@1,0<enter>", "three/c/0/0@1,0#[4,0]"),
    (":c/1/1<enter>", "three/c/1/1@0,0@0,0@0,0#[8,16]"),
    // Search goes through what is on show.
    ("SSS/=86<enter>", "three/c/0/0#[4,6]"),
    (":[4,4]<enter>/=86<enter>", "three/c/0/0@1,0@0,1@0,1#[4,6]"),
];

#[test]
fn the_keys_go_to_every_depth_and_the_cursor_stays_on_its_element() {
    for &(keys, want) in JOURNEYS {
        let player = play(&format!(":go three<enter>2{keys}"));
        assert_eq!(place(&player), want, "after {keys:?}");
    }
    let turned = [
        (":[5,6]<enter>", "turned/c/0/0@0,1@0,1#[5,6]"),
        (":[5,6]<enter>S", "turned/c/0/0@0,1#[5,6]"),
        (":[5,6]<enter>SS", "turned/c/0/0#[5,6]"),
        (":[5,6]<enter>SSss", "turned/c/0/0@0,1@0,1#[5,6]"),
    ];
    for (keys, want) in turned {
        let player = play(&format!(":go turned<enter>2{keys}"));
        assert_eq!(place(&player), want, "after {keys:?}");
    }
}

#[test]
fn an_address_of_any_depth_opens_that_very_place() {
    for at in [
        "three/c/0/0@1,0@0,1@0,1#[5,7]",
        "three/c/0/0@1,0@0,1#[5,7]",
        "three/c/0/0@1,0#[5,7]",
        "turned/c/0/0@0,1@0,1#[5,6]",
    ] {
        let options = Options { at: Some(at.into()), ..Options::default() };
        let player = Player::open(&data(), (120, 40), &options).unwrap();
        assert_eq!(place(&player), at);
    }
    for (line, why) in [
        (":c/0/0@2,0<enter>", "no inner chunk [2, 0]: the grid has [2, 2]"),
        (":c/0/0@0,0@0,0@0,0@0,0<enter>", "shards of this array have 3 levels of inner chunks"),
    ] {
        let player = play(&format!(":go three<enter>2{line}"));
        assert_eq!(player.app.shared.message.unwrap().text, why);
    }
}

#[test]
fn stages_of_every_level_can_be_looked_at() {
    let mut places = String::new();
    for (name, keys) in [
        ("innermost", ":go three<enter>2:[5,6]<enter>"),
        ("middle_index", ":go three<enter>2:[5,6]<enter>HHH"),
        ("file", ":go three<enter>2:[5,6]<enter>SSSHG"),
        ("whole", ":go three<enter>2:[5,6]<enter>SSS"),
        ("empty", ":go three<enter>2]m"),
    ] {
        for size in [(120, 40), (80, 24)] {
            let played = play_at(size, keys);
            let screen = played.screen();
            let view = Part::View.of(&played.app, &screen);
            insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), describe(&view));
            let frame = picture::text(&Part::Frame.of(&played.app, &screen));
            let [title, _, address, _] = frame.lines().collect::<Vec<_>>()[..] else { panic!() };
            places.extend([title, "\n", address, "\n"]);
        }
    }
    insta::assert_snapshot!("titles_and_addresses", places);
}
