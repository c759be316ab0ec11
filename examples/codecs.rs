//! The codecs that are C, or whose decoder is somebody else's, on streams that were damaged: for a sanitizer.
//!
//!     RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CFLAGS=-fsanitize=address \
//!         cargo run --profile fuzz --no-default-features --target x86_64-unknown-linux-gnu --example codecs -- SECONDS [SEED]
//!
//! The chunks of the sample stores and the corpus that go through such a codec are damaged and decoded. Memory that is
//! read or written where none is ends the program: the sanitizer says where.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::{
    collections::BTreeMap,
    env, fs,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};
use zarrscope::zarr::{
    Budget, Hierarchy, NodePath, Registry, chunk,
    grid::ChunkId,
    presence::{Layout, Sighting},
    store::MemoryStore,
};

#[path = "../tests/it/mutations/damage.rs"]
#[expect(dead_code, reason = "the other half is for documents")]
mod damage;

/// The names of such codecs in V2 and V3.
const CODECS: &[&str] = &[
    "zstd",
    "blosc",
    "lzma",
    "xz",
    "bz2",
    "bzip2",
    "gzip",
    "zlib",
    "lz4",
    "pcodec",
    "zfp",
    "zfpy",
    "zarrs.zfp",
    "numcodecs.zfpy",
    "snappy",
];

/// A node with such a codec: the codec, its files, and the chunks among them.
struct Target {
    codec: &'static str,
    files: BTreeMap<String, Vec<u8>>,
    chunks: Vec<(String, Vec<u64>)>,
}

fn target(node: &PathBuf) -> Option<Target> {
    let key = |file: &PathBuf| file.strip_prefix(node).unwrap().to_str().unwrap().to_owned();
    let files: BTreeMap<_, _> =
        damage::files(node).iter().map(|file| (key(file), fs::read(file).unwrap())).collect();
    let documents = files.iter().filter(|(key, _)| damage::is_document(key));
    let text: String = documents.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
    let codec = CODECS.iter().find(|codec| text.contains(&format!("\"{codec}\"")))?;
    let hierarchy = opened(&files);
    let node = hierarchy.node(&NodePath::default());
    let layout = Layout::new(&node.path, node.kind.array()?).ok()?;
    let mut chunks = Vec::new();
    let visited = layout.visit(&*hierarchy.store, &mut |sighting| {
        if let Sighting::Chunk(coordinates) = sighting {
            chunks.push((layout.key(&coordinates), coordinates));
        }
        chunks.len() < 8
    });
    visited.ok()?;
    (!chunks.is_empty()).then_some(Target { codec, files, chunks })
}

fn opened(files: &BTreeMap<String, Vec<u8>>) -> Hierarchy {
    let mut store = MemoryStore::new("memory");
    for (key, bytes) in files {
        store.insert(key, bytes.clone());
    }
    Hierarchy::new(Arc::new(store), Arc::new(Registry::default()))
}

/// Damages a chunk and decodes it.
fn decode(target: &Target, dice: &mut damage::Dice) {
    let mut files = target.files.clone();
    let (key, coordinates) = dice.pick(&target.chunks);
    (0..=dice.below(3)).for_each(|_| damage::damage_bytes(files.get_mut(key).unwrap(), dice));
    let hierarchy = opened(&files);
    let node = hierarchy.node(&NodePath::default());
    let Some(array) = node.kind.array() else { return };
    let id = ChunkId { coordinates: coordinates.clone(), inner: Vec::new() };
    let budget = Budget::default().with_limit(1 << 26).ignoring_checksums(true);
    let chunk = chunk::load_whole(&*hierarchy.store, &node.path, array, &id, &budget);
    // What was decoded is read, so that a sanitizer sees it.
    let elements = chunk.elements().map(|elements| elements.elements(0..1000).count());
    std::hint::black_box(elements);
}

fn main() -> ExitCode {
    let mut numbers = env::args().skip(1).map(|word| word.parse::<u64>());
    let (Some(Ok(seconds)), Ok(mut seed)) = (numbers.next(), numbers.next().unwrap_or(Ok(1)))
    else {
        eprintln!("codecs SECONDS [SEED]");
        return ExitCode::from(2);
    };
    let targets: Vec<_> =
        damage::nodes().iter().filter(|node| node.is_dir()).filter_map(target).collect();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut decoded = BTreeMap::<&str, u64>::new();
    while Instant::now() < end {
        let mut dice = damage::Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let target = dice.pick(&targets);
        decode(target, &mut dice);
        *decoded.entry(target.codec).or_default() += 1;
        seed += 1;
    }
    println!("{} nodes, seeds up to {seed}: {decoded:?}", targets.len());
    ExitCode::SUCCESS
}
