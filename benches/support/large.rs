//! One inner chunk of a shard of 1 GiB, and windows of a raw chunk of 4 GiB: sparse files, of which little is read.

use super::{
    elements::document,
    measure::{median, peak},
};
use serde_json::json;
use std::{
    env,
    error::Error,
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    ops::Range,
    path::Path,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};
use zarrscope::zarr::{
    Budget, Hierarchy, NodePath, chunk,
    grid::ChunkId,
    hierarchy::NodeKind,
    metadata::ArrayMetadata,
    store::{DirectoryStore, Entry, Stat, Store},
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The length of the shard along both dimensions, in float32: 1 GiB.
const SHARD: usize = 16384;
/// The length of an inner chunk: 256 KiB.
const INNER: usize = 256;
/// The number of elements of the raw chunk: 4 GiB.
const RAW: usize = 1 << 30;
/// The number of rounds, of which the middle is shown.
const ROUNDS: usize = 21;

/// Writes the stores to `folder` and measures each in a process of its own.
pub(crate) fn all(folder: &Path) -> Result<()> {
    let (sharded, raw) = (folder.join("shard"), folder.join("large"));
    write_shard(&sharded)?;
    write_raw(&raw)?;
    println!("\n{:<46} {:>10} {:>9} {:>10}  budget", "large chunks", "ms", "read", "peak MiB");
    for (what, path) in [("nothing", &raw), ("inner", &sharded), ("first", &raw), ("last", &raw)] {
        let status =
            Command::new(env::current_exe()?).args(["--large", what]).arg(path).status()?;
        if !status.success() {
            return Err(format!("{what} failed").into());
        }
    }
    Ok(())
}

fn write_shard(path: &Path) -> Result<()> {
    fs::create_dir_all(path.join("c/0"))?;
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let codecs = json!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [INNER, INNER], "codecs": [bytes],
        "index_codecs": [bytes, {"name": "crc32c"}], "index_location": "end"}}]);
    let text = document(&[SHARD, SHARD], &[SHARD, SHARD], "float32", &codecs);
    fs::write(path.join("zarr.json"), text)?;
    let (size, count) = (INNER * INNER * 4, (SHARD / INNER).pow(2));
    let mut index: Vec<u8> = (0..count)
        .flat_map(|number| [number * size, size])
        .flat_map(|number| (number as u64).to_le_bytes())
        .collect();
    index.extend(crc32c::crc32c(&index).to_le_bytes());
    let mut file = File::create(path.join("c/0/0"))?;
    file.seek(SeekFrom::Start((count * size) as u64))?;
    file.write_all(&index)?;
    Ok(())
}

fn write_raw(path: &Path) -> Result<()> {
    fs::create_dir_all(path.join("c"))?;
    let codecs = json!([{"name": "bytes", "configuration": {"endian": "little"}}]);
    fs::write(path.join("zarr.json"), document(&[RAW], &[RAW], "float32", &codecs))?;
    File::create(path.join("c/0"))?.set_len(RAW as u64 * 4)?;
    Ok(())
}

/// In a process of its own: opens the store at `path`, and does `what` with it.
pub(crate) fn measure(what: &str, path: &Path) -> Result<()> {
    let (id, around) = match what {
        "inner" => (ChunkId { coordinates: vec![0, 0], inner: vec![vec![40, 23]] }, 0),
        "last" => (ChunkId { coordinates: vec![0], inner: Vec::new() }, RAW as u64 * 4 - 1),
        _ => (ChunkId { coordinates: vec![0], inner: Vec::new() }, 0),
    };
    let store = Counting { store: DirectoryStore::new(path), reads: 0.into(), bytes: 0.into() };
    let (hierarchy, _) = Hierarchy::open(path)?;
    let NodeKind::Array(array) = hierarchy.node(&NodePath::default()).kind else {
        return Err("no array".into());
    };
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        if what != "nothing" {
            load(&store, &array, &id, around)?;
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let reads = store.reads.into_inner() / ROUNDS;
    let kib = (store.bytes.into_inner() / ROUNDS) >> 10;
    let (name, budget) = match what {
        "inner" => ("one inner chunk of a shard of 1 GiB", "10 ms, 2 reads"),
        "first" => ("the start of a raw chunk of 4 GiB", "16 ms"),
        "last" => ("the end of a raw chunk of 4 GiB", "16 ms"),
        _ => ("(a process that does nothing)", ""),
    };
    let time = median(times).unwrap_or_default();
    println!(
        "{:<46} {time:>10.3} {:>5} KiB {:>10.1}  {budget}",
        format!("{name}, {reads} reads"),
        kib,
        peak("self")
    );
    Ok(())
}

fn load(store: &Counting, array: &ArrayMetadata, id: &ChunkId, around: u64) -> Result<()> {
    let limit = zarrscope::zarr::budget::DEFAULT_LIMIT;
    let budget = Budget::default().with_limit(limit);
    let chunk = chunk::load(store, &NodePath::default(), array, id, around, &budget);
    let elements = chunk.elements().ok_or_else(|| format!("no elements: {:?}", chunk.error))?;
    let value = elements.value(elements.element_at(around).unwrap_or(0));
    value.ok_or("the element is not loaded")??;
    Ok(())
}

/// A store that counts what is read.
#[derive(Debug)]
struct Counting {
    store: DirectoryStore,
    reads: AtomicUsize,
    bytes: AtomicUsize,
}

impl Counting {
    fn count<E>(
        &self,
        read: std::result::Result<Option<Vec<u8>>, E>,
    ) -> std::result::Result<Option<Vec<u8>>, E> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        if let Ok(Some(bytes)) = &read {
            self.bytes.fetch_add(bytes.len(), Ordering::Relaxed);
        }
        read
    }
}

impl Store for Counting {
    fn read(&self, key: &str, limit: u64) -> zarrscope::zarr::Result<Option<Vec<u8>>> {
        self.count(self.store.read(key, limit))
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> zarrscope::zarr::Result<Option<Vec<u8>>> {
        self.count(self.store.read_range(key, range))
    }

    fn stat(&self, key: &str) -> zarrscope::zarr::Result<Option<Stat>> {
        self.store.stat(key)
    }

    fn list(&self, prefix: &str) -> zarrscope::zarr::Result<Vec<Entry>> {
        self.store.list(prefix)
    }

    fn name(&self) -> String {
        self.store.name()
    }
}
