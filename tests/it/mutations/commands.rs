//! Inputs for the commands: damaged stores, and files of parts that were forged, cut, or put together wrongly.

use super::{
    damage::{self, Dice, damage_bytes, damage_words, damaged_copy},
    sources::{Sources, limits},
};
use std::{fs, path::Path};
use zarrscope::zarr::Hierarchy;

/// The most bytes of a store all of whose values are asked for.
const MOST_BYTES: u64 = 1 << 21;

/// The commands that read no more of a store than is cheap, whatever its shape.
const CHEAP: &[&str] = &[
    "tree",
    "tree --json",
    "info",
    "info --json",
    "info --document 2",
    "info --document 3",
    "info --readers",
    "info --readers --json",
    "check --metadata-only",
    "check --metadata-only --conventions cf,ome,anndata",
    "endian",
    "endian --why --json",
    "chunk 0",
    "chunk 0,0",
    "chunk c/0/0 --values",
    "chunk 0.0 --stage 1 --hex",
    "chunk c/0 --raw",
    "info --as endian=big",
    "info --document 3 --as chunks=1",
    "shot --keys 2 -o -",
    "shot --keys 2x --markdown",
    "shot --size 81x13 --keys 1K -o - --ascii",
];

/// The commands that read every value.
const WHOLE: &[&str] = &[
    "check --json",
    "check --fixes",
    "check --strict --deep",
    "export",
    "export -o -",
    "stats",
    "stats --json",
    "stats --chunks --csv",
    "digest",
    "digest --json",
    "export --as dtype=<f4",
];

/// The commands that make parts.
const IN_PARTS: &[&str] = &["check", "check --deep", "stats", "stats --chunks", "digest"];

/// True if the arrays of a store are so small that their values may be asked for one and all.
fn is_small(store: &Path) -> bool {
    let Ok((hierarchy, target)) = Hierarchy::open(store) else { return true };
    let mut bytes = 0_u64;
    hierarchy.walk(&target.node, &mut |node, _| {
        if let Some(array) = node.kind.array()
            && let Ok(shape) = &array.shape
        {
            let size = array.data_type().and_then(|data_type| data_type.item_size().fixed());
            let size = size.unwrap_or(8) as u64;
            let len = shape.iter().fold(size, |product, &n| product.saturating_mul(n));
            bytes = bytes.saturating_add(len);
        }
        bytes <= MOST_BYTES
    });
    bytes <= MOST_BYTES
}

/// Runs a command, written with blanks, on `paths`.
fn run(sources: &Sources, command: &str, paths: &[&Path]) -> Vec<u8> {
    let (name, options) = command.split_once(' ').unwrap_or((command, ""));
    let mut words = vec![name.to_owned()];
    words.extend(paths.iter().map(|path| path.to_str().unwrap().to_owned()));
    words.extend(options.split_whitespace().map(str::to_owned));
    words.extend(limits());
    (sources.command)(&words)
}

/// Runs a command on a damaged store.
pub(crate) fn command(sources: &Sources, dice: &mut Dice) {
    let folder = tempfile::tempdir().unwrap();
    let node = dice.pick(&sources.nodes);
    let store = damaged_copy(node, folder.path(), dice);
    let is_whole = dice.below(2) == 0 && is_small(&store);
    match dice.below(8) {
        0 if is_whole && is_small(node) => drop(run(sources, "compare", &[&store, node])),
        1 => {
            // No argument of a program has a NUL.
            let settings = damage::typed(damage::DATA_TYPES, dice).replace('\0', "");
            let words = ["dtype".to_owned(), settings].into_iter().chain(limits());
            drop((sources.command)(&words.collect::<Vec<_>>()));
        }
        _ => {
            let command: &str = dice.pick::<&str>(if is_whole { WHOLE } else { CHEAP });
            drop(run(sources, command, &[&store]));
        }
    }
}

/// Checks a store by digests that were forged.
pub(crate) fn digests(sources: &Sources, dice: &mut Dice) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    fs::create_dir(&store).unwrap();
    let node = dice.pick(&sources.nodes);
    let store = damaged_copy(node, &store, dice);
    if !is_small(&store) {
        return;
    }
    let mut digests = run(sources, "digest --json", &[&store]);
    for _ in 0..dice.below(4) {
        if dice.below(2) == 0 {
            damage_bytes(&mut digests, dice);
        } else {
            damage_words(&mut digests, dice);
        }
    }
    let file = folder.path().join("digests");
    fs::write(&file, digests).unwrap();
    drop(run(sources, &format!("digest --check {}", file.to_str().unwrap()), &[&store]));
}

/// Makes both parts of a report, damages one, and goes on with it or puts both together.
pub(crate) fn part_files(sources: &Sources, dice: &mut Dice) {
    let folder = tempfile::tempdir().unwrap();
    let (store, parts) = (folder.path().join("store"), folder.path().join("parts"));
    fs::create_dir(&store).unwrap();
    fs::create_dir(&parts).unwrap();
    let node = dice.pick(&sources.nodes);
    let store = damaged_copy(node, &store, dice);
    if !is_small(&store) {
        return;
    }
    let command = *dice.pick(IN_PARTS);
    let name = command.split(' ').next().unwrap_or(command);
    let made = |part: u8| run(sources, &format!("{command} --partition {part}/2 -o -"), &[&store]);
    let (mut first, second) = (made(1), made(2));
    for _ in 0..dice.below(4) {
        match dice.below(8) {
            0 => first.extend_from_within(..),
            1 => first.extend_from_slice(&second),
            2..5 => damage_bytes(&mut first, dice),
            _ => damage_words(&mut first, dice),
        }
    }
    let files = ["1", "2"].map(|name| parts.join(name));
    fs::write(&files[0], first).unwrap();
    fs::write(&files[1], second).unwrap();
    if dice.below(3) == 0 {
        let target = files[0].to_str().unwrap();
        drop(run(sources, &format!("{command} --partition 1/2 -o {target}"), &[&store]));
    }
    let merged = files.each_ref().map(|file| file.to_str().unwrap());
    let merged = if dice.below(8) == 0 { &merged[..1] } else { &merged };
    drop(run(sources, &format!("{name} --merge {}", merged.join(" ")), &[]));
}
