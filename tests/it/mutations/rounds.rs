//! One round: a store is damaged, and everything there is to do with a store is done with it.

use super::damage::{Dice, damage_bytes, damaged_copy, files};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
use zarrscope::{
    app::Focus,
    tui::{Options, script::Player},
    zarr::{
        ArrayMetadata, Budget, Hierarchy, NodePath, Registry, Result, byte_order, check, chunk,
        grid::ChunkId,
        hierarchy::NodeKind,
        presence::Layout,
        spelling::{self, Subject},
        statistics::{self, Statistics},
        store::{Entry, Stat, Store},
        text,
    },
};

/// The slowest that anything may be. Builds for tests are not optimised.
const SLOW: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 2 });
/// The most memory that the process may ever have taken, in KiB.
pub(crate) const MEMORY: u64 = 1_536 << 10;

/// Damages one of `nodes` as `seed` says and goes through it: what went wrong.
pub(crate) fn round(nodes: &[PathBuf], seed: u64) -> Vec<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let folder = tempfile::tempdir().unwrap();
    let node = dice.pick(nodes);
    let store = damaged_copy(node, folder.path(), &mut dice);
    let name = format!("seed {seed}, {}", node.display());
    match catch_unwind(AssertUnwindSafe(|| go_through(&store, &mut dice))) {
        Ok(slow) => slow.into_iter().map(|slow| format!("{name}: {slow}")).collect(),
        Err(_) => vec![format!("{name}: panicked")],
    }
}

/// Damages one of `nodes` as `seed` says and reads it as a program that uses the library does, without a disk and without
/// the inspector: so little that thousands of rounds are done in seconds.
pub(crate) fn light_round(nodes: &[Stored], seed: u64) -> Option<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut files = dice.pick(nodes).clone();
    let names: Vec<_> = files.keys().cloned().collect();
    for _ in 0..=dice.below(2) {
        damage_bytes(files.get_mut(dice.pick(&names)).unwrap(), &mut dice);
    }
    let read = || {
        let hierarchy = Hierarchy::new(Arc::new(InMemory(files)), Arc::new(Registry::default()));
        let node = hierarchy.node(&NodePath::default());
        if let NodeKind::Array(array) = &node.kind {
            look_for_chunks(&hierarchy, &node.path, array);
            load_chunks(&hierarchy, &node.path, array, &mut dice);
        }
    };
    let panicked = catch_unwind(AssertUnwindSafe(read)).is_err();
    panicked.then(|| format!("light seed {seed}: panicked"))
}

/// The files of a node, by key.
pub(crate) type Stored = BTreeMap<String, Vec<u8>>;

/// The files of those of `nodes` that are small and no archives.
pub(crate) fn in_memory(nodes: &[PathBuf]) -> Vec<Stored> {
    let read = |node: &PathBuf| -> Stored {
        let key = |file: &Path| file.strip_prefix(node).unwrap().to_str().unwrap().to_owned();
        files(node).iter().map(|file| (key(file), fs::read(file).unwrap())).collect()
    };
    let small = |files: &Stored| files.values().map(Vec::len).sum::<usize>() < 1 << 14;
    nodes.iter().filter(|node| node.is_dir()).map(read).filter(small).collect()
}

#[derive(Debug)]
struct InMemory(Stored);

impl Store for InMemory {
    fn read(&self, key: &str, _limit: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(key).cloned())
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let cut = |at: u64, len: usize| usize::try_from(at).map_or(len, |at| at.min(len));
        let part = |bytes: &Vec<u8>| {
            bytes[cut(range.start, bytes.len())..cut(range.end, bytes.len())].to_vec()
        };
        Ok(self.0.get(key).map(part))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.0.get(key).map(|bytes| Stat { len: bytes.len() as u64, modified: None }))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let below = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let rest = self.0.keys().filter_map(|key| key.strip_prefix(&below));
        let entry = |rest: &str| match rest.split_once('/') {
            Some((name, _)) => Entry { name: name.to_owned(), is_folder: true },
            None => Entry { name: rest.to_owned(), is_folder: false },
        };
        let mut entries: Vec<_> = rest.map(entry).collect();
        entries.sort();
        entries.dedup();
        Ok(entries)
    }

    fn name(&self) -> String {
        "memory".into()
    }
}

/// The most memory that this process ever took, in KiB, where the system tells it.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Does everything there is to do with a store, and gives what was slow.
fn go_through(store: &Path, dice: &mut Dice) -> Vec<String> {
    let mut slow = Vec::new();
    let mut timed = |what: &str, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        if start.elapsed() > SLOW {
            slow.push(format!("{what} took {:?}", start.elapsed()));
        }
    };
    let mut opened = None;
    timed("opening", &mut || opened = Hierarchy::open(store).ok());
    if let Some((hierarchy, _)) = opened {
        let mut arrays = Vec::new();
        timed("walking", &mut || {
            hierarchy.walk(&NodePath::default(), &mut |node, _| {
                if let NodeKind::Array(array) = &node.kind {
                    arrays.push((node.path.clone(), array.clone()));
                }
                arrays.len() < 100
            });
        });
        for (path, array) in arrays {
            timed("spelling", &mut || spell(&array));
            timed("presence", &mut || look_for_chunks(&hierarchy, &path, &array));
            timed("chunks", &mut || load_chunks(&hierarchy, &path, &array, dice));
        }
        timed("checking", &mut || check_all(&hierarchy));
    }
    slow.extend(play(store, dice));
    slow
}

fn check_all(hierarchy: &Hierarchy) {
    let start = Instant::now();
    let stop = || start.elapsed() > SLOW * 2;
    let budget = Budget::default().with_stop(&stop);
    let options = check::CheckOptions { budget, ..check::CheckOptions::default() };
    check::check(hierarchy, &NodePath::default(), &options, &mut |event| {
        if let check::Event::Problem(_, problem) = event {
            assert!(text::safe(&problem.error.to_string()).len() < 1 << 20);
        }
    });
}

fn spell(array: &ArrayMetadata) {
    let subject = Subject::of_array(array);
    for row in &spelling::of(array).rows {
        let _ = spelling::explain(row, &subject);
    }
    let _ = spelling::document::array(array);
}

fn look_for_chunks(hierarchy: &Hierarchy, path: &NodePath, array: &ArrayMetadata) {
    let Ok(layout) = Layout::new(path, array) else { return };
    let _ = layout.visit(hierarchy.store.as_ref(), &mut |_| true);
    let _ = layout.diagnose(hierarchy.store.as_ref(), 100);
}

fn load_chunks(hierarchy: &Hierarchy, path: &NodePath, array: &ArrayMetadata, dice: &mut Dice) {
    let (Ok(grid), Ok(shape)) = (&array.grid, &array.shape) else { return };
    let counts = grid.counts(shape);
    for _ in 0..3 {
        let coordinates = counts.iter().map(|&count| dice.next() % count.clamp(1, 3)).collect();
        let around = dice.next() % 100;
        let budget = Budget::default().with_limit(1 << 28).ignoring_checksums(dice.below(2) == 0);
        let inner = if dice.below(2) == 0 { Vec::new() } else { vec![vec![0; counts.len()]] };
        let id = ChunkId { coordinates, inner };
        let chunk = chunk::load(hierarchy.store.as_ref(), path, array, &id, around, &budget);
        let Some(elements) = chunk.elements() else { continue };
        for element in elements.elements(0..300) {
            if let Ok(value) = element.value {
                assert!(value.to_string().len() < 1 << 20);
            }
        }
        let _ = byte_order::judge(elements);
        let _ =
            Statistics::of(&statistics::whole(elements, array.fill_scalar().as_ref()), &|_| false);
    }
}

/// Presses keys in every view, and draws what is there after each.
fn play(store: &Path, dice: &mut Dice) -> Vec<String> {
    const KEYS: &[char] = &[
        'j', 'j', 'l', 'h', 'k', 'G', 'g', '1', '2', '2', '3', '4', '5', 'K', 'x', 'i', 'o', 'b',
        ']', '[', 'm', 'c', 'n', 'N', 'v', 'a', 's', 't', 'z', 'y', 'p', 'D', '/', 'f', '7', '0',
        'r', '\n', '\t', '\u{1b}', ' ',
    ];
    let size = *dice.pick(&[(120, 40), (80, 24), (41, 9), (200, 60), (20, 5)]);
    let start = Instant::now();
    let Ok(mut player) = Player::open(store, size, &Options::default()) else { return Vec::new() };
    let mut slow = Vec::new();
    let mut last = start;
    let mut pressed = String::from("start ");
    let views = "l1\u{1b}2]]jx\u{1b}3\u{1b}4jK\u{1b}5\u{1b}".chars();
    let random = (0..dice.below(40)).map(|_| *dice.pick(KEYS)).collect::<Vec<_>>();
    for key in views.chain(random) {
        let code = match key {
            '\n' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '\u{1b}' => KeyCode::Esc,
            key => KeyCode::Char(key),
        };
        pressed.extend(key.escape_default());
        player.press(KeyEvent::new(code, KeyModifiers::NONE));
        let screen = player.screen();
        assert_eq!(screen.area.width, size.0);
        if last.elapsed() > SLOW {
            slow.push(format!("the keys {pressed:?} took {:?}", last.elapsed()));
        }
        last = Instant::now();
    }
    assert!(matches!(player.app.shared.focus, Focus::Tree | Focus::View | Focus::Map));
    slow
}
