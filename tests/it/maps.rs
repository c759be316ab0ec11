//! Chunks that are mapped: nothing is copied, nothing is lost, and a file that is cut under a pass is a finding.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    ops::Range,
    path::Path,
    slice,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};
use zarrscope::{
    app::{
        Answer, Job, Lane, Size, Work, current_chunk::Shown, effect::Search,
        page::picture::PicturePage, search::Needle,
    },
    worker::{parallel, work},
    zarr::{
        ArrayMetadata, ArrayReader, Budget, Error, Hierarchy, NodePath, Registry, Result,
        array::{Piece, PieceData, RunSource, Slab},
        budget::{DEFAULT_LIMIT, Memory, Stop},
        bytes::Bytes,
        chunk::{self, Chunk},
        codec::Elements,
        error::Code,
        grid::ChunkId,
        hierarchy::NodeKind,
        store::{self, DirectoryStore, Entry, Stat, Store},
    },
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// The elements of a raw chunk: past what is read whole.
const LEN: u64 = 1_100_000;
/// Its length in bytes.
const BYTES: u64 = 8 * LEN;
/// A part of them that is one piece of a reader.
const PART: u64 = 100_000;
/// Its fill value, which none of them is.
const FILL: u64 = 7_777_777;

fn numbers() -> &'static [u8] {
    static NUMBERS: LazyLock<Vec<u8>> =
        LazyLock::new(|| (0..LEN).flat_map(u64::to_le_bytes).collect());
    &NUMBERS
}

fn document(codecs: &str) -> String {
    format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{LEN}],"data_type":"uint64",
        "chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[{LEN}]}}}},
        "chunk_key_encoding":{{"name":"default"}},"fill_value":7777777,"codecs":[{codecs}]}}"#
    )
}

const RAW: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;

/// A folder with an array of one raw chunk.
fn raw(folder: &Path) {
    fs::create_dir(folder.join("c")).unwrap();
    fs::write(folder.join("zarr.json"), document(RAW)).unwrap();
    fs::write(folder.join("c/0"), numbers()).unwrap();
}

/// The same array and how to get at its chunk.
struct Opened {
    hierarchy: Hierarchy,
    array: Arc<ArrayMetadata>,
    id: ChunkId,
}

impl Opened {
    fn new(store: Arc<dyn Store>) -> Self {
        let hierarchy = Hierarchy::new(store, Arc::new(Registry::default()));
        let NodeKind::Array(array) = hierarchy.node(&NodePath::default()).kind else {
            panic!("no array");
        };
        Self { hierarchy, array, id: ChunkId { coordinates: vec![0], inner: Vec::new() } }
    }

    fn inner(self, at: u64) -> Self {
        Self { id: ChunkId { inner: vec![vec![at]], ..self.id }, ..self }
    }

    fn load(&self, how: How) -> Chunk {
        let store = self.hierarchy.store.as_ref();
        how(store, &NodePath::default(), &self.array, &self.id, 0, &Budget::default())
    }

    fn shown(&self) -> Arc<Shown> {
        let chunk = self.load(chunk::load);
        Arc::new(Shown::new(NodePath::default(), Arc::clone(&self.array), chunk))
    }

    /// The outcome of `work`, during which `at_stop` is asked whether to stop.
    fn perform(&self, lane: Lane, work: Work, at_stop: Stop<'_>) -> Answer {
        let job = Job { lane, generation: 1, work, read_as: None };
        let mut last = None;
        work::perform(&self.hierarchy, &Memory::new(u64::MAX), &job, at_stop, &mut |reply| {
            last = Some(reply.answer);
        });
        last.expect("an answer")
    }

    fn search(&self, needle: &str, at_stop: Stop<'_>) -> Answer {
        self.search_stage(self.shown().last(), needle, at_stop)
    }

    fn search_stage(&self, stage: usize, needle: &str, at_stop: Stop<'_>) -> Answer {
        let shown = self.shown();
        let needle = Needle::parse(needle, shown.chunk.elements()).unwrap();
        let search = Search {
            shown,
            stage,
            from: 0,
            needle,
            forwards: true,
            limit: DEFAULT_LIMIT,
            empty: Arc::default(),
        };
        self.perform(Lane::Search, Work::Search(Box::new(search)), at_stop)
    }

    fn picture(&self, at_stop: Stop<'_>) -> Answer {
        self.perform(Lane::Picture, self.picture_work(), at_stop)
    }

    fn picture_work(&self) -> Work {
        let shown = self.shown();
        let grid = PicturePage::default().grid_of_chunk(&shown, &[0], Size::new(80, 24));
        let grid = Arc::new(grid);
        Work::Picture { shown, grid, choice: Some(0), limit: DEFAULT_LIMIT, before: None }
    }
}

type How = fn(&dyn Store, &NodePath, &ArrayMetadata, &ChunkId, u64, &Budget<'_>) -> Chunk;

fn cut(path: &Path, len: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(len).unwrap();
}

/// The fate of the file of the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trick {
    /// It says how long it is, and at once changes its length.
    Measured(u64),
    /// It maps it, and at once changes its length.
    Mapped(u64),
    /// It does not map it.
    Unmapped,
}

#[derive(Debug)]
struct Tricky {
    store: DirectoryStore,
    trick: Trick,
}

impl Tricky {
    fn store(folder: &Path, trick: Trick) -> Arc<Self> {
        Arc::new(Self { store: DirectoryStore::new(folder), trick })
    }

    fn cut(&self, key: &str, trick: fn(u64) -> Trick) {
        if let (Trick::Measured(to) | Trick::Mapped(to), "c/0") = (self.trick, key)
            && self.trick == trick(to)
        {
            // Past a tick of the file system's clock.
            thread::sleep(Duration::from_millis(10));
            cut(&self.store.path(key).unwrap(), to);
        }
    }
}

impl Store for Tricky {
    fn read(&self, key: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        self.store.read(key, limit)
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        self.store.read_range(key, range)
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        let stat = self.store.stat(key);
        self.cut(key, Trick::Measured);
        stat
    }

    fn map(&self, key: &str) -> Option<Bytes> {
        let map = self.store.map(key).filter(|_| self.trick != Trick::Unmapped);
        self.cut(key, Trick::Mapped);
        map
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        self.store.list(prefix)
    }

    fn name(&self) -> String {
        self.store.name()
    }
}

#[test]
fn a_chunk_that_shrinks_between_its_length_and_its_bytes_is_refused() {
    for (codecs, len, how) in [
        (RAW, BYTES, chunk::load as How),
        (RAW, BYTES, |store, path, array, id, _, budget| {
            chunk::load_whole(store, path, array, id, budget)
        }),
        (
            r#"{"name":"bytes","configuration":{"endian":"little"}},{"name":"gzip","configuration":{"level":1}}"#,
            100,
            chunk::load,
        ),
    ] {
        let folder = crate::scratch();
        raw(folder.path());
        fs::write(folder.path().join("zarr.json"), document(codecs)).unwrap();
        cut(&folder.path().join("c/0"), len);
        let store = Tricky::store(folder.path(), Trick::Measured(50));
        let chunk = Opened::new(store).load(how);
        let fault = chunk.fault().expect("a finding");
        assert_eq!((fault.code, fault.place.offset), (Code::ChunkChanged, Some(50)), "{fault}");
        assert_eq!(fault.place.file.as_deref(), Some("c/0"));
        assert!(chunk.elements().is_none());
    }
}

fn zip(path: &Path, method: CompressionMethod) {
    let mut writer = ZipWriter::new(fs::File::create(path).unwrap());
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in [("zarr.json", document(RAW).into_bytes()), ("c/0", numbers().to_vec())] {
        writer.start_file(name, options).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    writer.finish().unwrap();
}

/// The values at both ends as text, and true if the bytes are there as a whole.
fn ends(elements: &Elements) -> (String, String, bool) {
    let value = |at: u64| elements.value(at).map_or_else(|| "-".into(), |v| v.unwrap().to_string());
    (value(0), value(LEN - 1), elements.bytes().as_whole().is_some())
}

#[test]
fn what_a_view_shows_a_window_of_is_mapped_whole() {
    let folder = crate::scratch();
    raw(folder.path());
    let (stored, deflated) = (folder.path().join("s.zip"), folder.path().join("d.zip"));
    zip(&stored, CompressionMethod::Stored);
    zip(&deflated, CompressionMethod::Deflated);
    for path in [folder.path(), &stored, &deflated] {
        let opened = Opened::new(store::open(path).unwrap());
        let view = opened.load(chunk::load);
        let (first, last, is_whole) = ends(view.elements().unwrap());
        assert_eq!((first.as_str(), last.as_str(), is_whole), ("0", "-", false));
        let mapped = opened.load(chunk::load_mapped);
        let elements = mapped.elements().unwrap();
        assert_eq!(ends(elements), ("0".into(), (LEN - 1).to_string(), true));
        assert_eq!(elements.c_order().unwrap(), numbers());
        assert!(elements.bytes().intact().is_ok());
        let found = opened.search(&format!("hex {:016x}", (LEN - 3).swap_bytes()), &|| false);
        let Answer::Found(Some(zarrscope::app::effect::Found { range, .. })) = found else {
            panic!("{found:?}")
        };
        assert_eq!(range.start, (LEN - 3) * 8);
    }
}

/// The codec of shards of two halves, `len` elements each, that `codecs` made.
fn halves(len: u64, codecs: &str) -> String {
    format!(
        r#"{{"name":"sharding_indexed","configuration":{{"chunk_shape":[{len}],"codecs":[{codecs}],
        "index_codecs":[{RAW}],"index_location":"start"}}}}"#
    )
}

/// A shard of the two halves of `bytes`, behind its index.
fn shard_of(bytes: &[u8]) -> Vec<u8> {
    let each = bytes.len() as u64 / 2;
    let index = [32, each, 32 + each, each].map(u64::to_le_bytes).concat();
    [index, bytes.to_vec()].concat()
}

/// The same array in one shard of two inner chunks, which are the halves of `bytes`.
fn shard(folder: &Path, codecs: &str, bytes: &[u8]) {
    raw(folder);
    fs::write(folder.join("zarr.json"), document(&halves(LEN / 2, codecs))).unwrap();
    fs::write(folder.join("c/0"), shard_of(bytes)).unwrap();
}

#[test]
fn raw_inner_chunks_are_parts_of_the_map_and_others_are_copies() {
    let half = usize::try_from(LEN / 2).unwrap();
    for (codecs, bytes) in [
        (RAW.to_owned(), numbers().to_vec()),
        (format!(r#"{RAW},"crc32c""#), {
            let mut out = Vec::new();
            for half in numbers().chunks(half * 8) {
                out.extend(half);
                out.extend(crc32c::crc32c(half).to_le_bytes());
            }
            out
        }),
    ] {
        let folder = crate::scratch();
        shard(folder.path(), &codecs, &bytes);
        let opened = Opened::new(store::open(folder.path()).unwrap()).inner(1);
        let (view, mapped) = (opened.load(chunk::load), opened.load(chunk::load_mapped));
        let of =
            |chunk: &Chunk| chunk.elements().expect("elements").c_order().unwrap().into_owned();
        assert_eq!(of(&view), numbers()[half * 8..]);
        assert_eq!(of(&view), of(&mapped));
        let file = mapped.stages[0].output.as_ref().unwrap().bytes();
        assert_eq!(file.as_whole().map(<[u8]>::len), Some(bytes.len() + 32), "the file around it");
        // Whatever the map becomes, what was decoded from a copy stays.
        cut(&folder.path().join("c/0"), 0);
        let is_raw = codecs == RAW;
        let code = mapped.elements().unwrap().bytes().intact().map_err(|error| error.code);
        assert_eq!(code, if is_raw { Err(Code::ChunkChanged) } else { Ok(()) });
    }
}

#[test]
fn a_file_that_is_cut_under_a_search_or_a_picture_is_a_finding() {
    for len in [0, BYTES - 1] {
        for search in [true, false] {
            let folder = crate::scratch();
            raw(folder.path());
            let opened = Opened::new(store::open(folder.path()).unwrap());
            let asked = AtomicU64::new(0);
            let stop = || {
                if asked.fetch_add(1, Ordering::Relaxed) == 2 {
                    cut(&folder.path().join("c/0"), len);
                }
                false
            };
            let answer =
                if search { opened.search("=4294967295", &stop) } else { opened.picture(&stop) };
            let asked = asked.into_inner();
            assert!(asked > 3, "the pass went on: {asked}");
            let Answer::Failed(error) = answer else { panic!("{len} {answer:?}") };
            assert_eq!(
                (error.code, error.place.file.as_deref()),
                (Code::ChunkChanged, Some("c/0"))
            );
        }
    }
}

#[test]
fn what_is_around_an_inner_chunk_is_searched_where_nothing_is_mapped() {
    let folder = crate::scratch();
    let inner: Vec<u8> = numbers().chunks(numbers().len() / 2).flat_map(shard_of).collect();
    shard(folder.path(), &halves(LEN / 4, RAW), &inner);
    let mut opened = Opened::new(Tricky::store(folder.path(), Trick::Unmapped));
    opened.id.inner = vec![vec![1], vec![0]];
    // Before and behind the inner chunk on show, in the inner shard and in the file around that.
    for (stage, value, start) in
        [(1, LEN - 3, 32_u64.wrapping_sub(LEN / 2 * 8)), (0, 5, 64), (0, LEN - 3, 96)]
    {
        let found =
            opened.search_stage(stage, &format!("hex {:016x}", value.swap_bytes()), &|| false);
        let Answer::Found(Some(zarrscope::app::effect::Found { range, .. })) = found else {
            panic!("{stage} {value} {found:?}")
        };
        assert_eq!(range.start, start.wrapping_add(value * 8), "{stage} {value}");
    }
}

#[test]
fn a_picture_of_a_large_raw_chunk_is_of_all_of_it() {
    let folder = crate::scratch();
    raw(folder.path());
    let opened = Opened::new(store::open(folder.path()).unwrap());
    let Answer::Pictured(pictured) = opened.picture(&|| false) else { panic!("no picture") };
    let statistics = &pictured.chosen().unwrap().statistics;
    assert_eq!((statistics.elements, statistics.skipped), (LEN, 0));
    let most = statistics.maximum.as_ref().unwrap();
    assert_eq!((most.scalar.to_string(), most.position), ((LEN - 1).to_string(), LEN - 1));
}

/// The answer of `read` on the array at the root of `store`.
fn reading<T>(store: Arc<dyn Store>, read: impl FnOnce(&ArrayReader<'_>) -> T) -> T {
    let opened = Opened::new(store);
    let path = NodePath::default();
    read(&ArrayReader::new(&*opened.hierarchy.store, &path, &opened.array).unwrap())
}

#[test]
fn pieces_that_are_stored_as_they_are_are_parts_of_a_map() {
    let folder = crate::scratch();
    let (chunk, sharded) = (folder.path().join("chunk"), folder.path().join("shard"));
    fs::create_dir(&chunk).and_then(|()| fs::create_dir(&sharded)).unwrap();
    raw(&chunk);
    shard(&sharded, RAW, numbers());
    let zipped = folder.path().join("s.zip");
    zip(&zipped, CompressionMethod::Stored);
    for path in [&chunk, &sharded, &zipped] {
        reading(store::open(path).unwrap(), |reader| {
            let budget = Budget::default();
            for piece in reader.pieces(&reader.whole()) {
                let PieceData::Stored(elements) = reader.load(&piece, &budget) else { panic!() };
                assert!(elements.bytes().is_shared(), "{path:?} {piece:?}");
            }
            let all: Vec<u64> = reader.read_region(&reader.whole(), &budget).unwrap();
            assert!(all.into_iter().eq(0..LEN), "{path:?}");
            let few: Vec<u64> = reader.read_region(slice::from_ref(&(5..9)), &budget).unwrap();
            assert_eq!(few, [5, 6, 7, 8]);
        });
    }
}

#[test]
fn a_file_that_is_cut_or_written_to_under_a_reader_is_a_finding() {
    for sharded in [false, true] {
        for to in [40, BYTES + 1000] {
            let code = Code::ChunkChanged;
            let folder = crate::scratch();
            let write = || {
                fs::remove_dir_all(folder.path())
                    .and_then(|()| fs::create_dir(folder.path()))
                    .unwrap();
                if sharded { shard(folder.path(), RAW, numbers()) } else { raw(folder.path()) }
            };
            let store = || {
                write();
                Tricky::store(folder.path(), Trick::Mapped(to))
            };
            let budget = Budget::default();
            let region = reading(store(), |reader| {
                reader.read_region::<u64>(slice::from_ref(&(0..PART)), &budget).unwrap_err()
            });
            let parallel = reading(store(), |reader| {
                parallel::read_region::<u64>(reader, slice::from_ref(&(0..PART)), DEFAULT_LIMIT)
                    .unwrap_err()
            });
            for error in [region, parallel] {
                assert_eq!((error.code, error.place.file.as_deref()), (code, Some("c/0")));
            }
            reading(store(), |reader| {
                let (mut out, mut told) = (vec![1; 1_100_000], Vec::new());
                let mut unreadable = |_: &Piece, error: Error| {
                    told.push(error.code);
                    Ok(())
                };
                reader.read_into(&reader.whole(), &mut out, &budget, &mut unreadable).unwrap();
                assert_eq!(told.first(), Some(&code));
                assert!(
                    out.iter().all(|&value| value == FILL || value > 1),
                    "no zeros of the guard"
                );
            });
        }
    }
}

#[test]
fn a_file_that_is_cut_before_it_is_read_is_a_finding_to_a_reader_too() {
    let folder = crate::scratch();
    raw(folder.path());
    reading(Tricky::store(folder.path(), Trick::Measured(50)), |reader| {
        let error = reader.read_region::<u64>(slice::from_ref(&(0..PART)), &Budget::default());
        assert_eq!(error.map_err(|error| error.code), Err(Code::ChunkChanged));
    });
}

#[test]
fn a_slab_gives_up_pieces_whose_file_was_cut() {
    let folder = crate::scratch();
    raw(folder.path());
    reading(store::open(folder.path()).unwrap(), |reader| {
        let whole = reader.whole();
        let pieces = reader.pieces_of_slab(&whole);
        let loaded: Vec<_> =
            pieces.map(|piece| (piece.clone(), reader.load(&piece, &Budget::default()))).collect();
        let mut slab = Slab::new(whole.clone(), loaded);
        assert!(slab.drop_lost().is_empty());
        cut(&folder.path().join("c/0"), 0);
        let lost = slab.drop_lost();
        let found: Vec<_> = lost.iter().map(|(piece, error)| (&piece.region, error.code)).collect();
        assert_eq!(found, [(&whole, Code::ChunkChanged)]);
        let mut sources = Vec::new();
        slab.runs(0..LEN, &mut |run| sources.push(matches!(run.source, RunSource::Unreadable)));
        assert_eq!(sources, [true]);
        assert!(slab.drop_lost().is_empty());
    });
}

#[test]
fn a_window_begins_with_a_whole_element_wherever_it_is() {
    let folder = crate::scratch();
    raw(folder.path());
    let opened = Opened::new(Tricky::store(folder.path(), Trick::Unmapped));
    let store = opened.hierarchy.store.as_ref();
    for around in [1, 5_000_003, BYTES - 5, BYTES - 1] {
        let (path, budget) = (NodePath::default(), Budget::default());
        let chunk = chunk::load(store, &path, &opened.array, &opened.id, around, &budget);
        let elements = chunk.elements().unwrap();
        let loaded = elements.bytes().loaded();
        assert_eq!((loaded.start % 8, loaded.contains(&around)), (0, true), "{around}");
        let at = around / 8;
        assert_eq!(elements.value(at).unwrap().unwrap().to_string(), at.to_string());
    }
}

#[test]
fn a_window_of_a_zip_member_says_that_its_checksum_was_not_compared() {
    let folder = crate::scratch();
    raw(folder.path());
    let path = folder.path().join("s.zip");
    zip(&path, CompressionMethod::Stored);
    let whole: How =
        |store, path, array, id, _, budget| chunk::load_whole(store, path, array, id, budget);
    let sampled: How =
        |store, path, array, id, _, budget| chunk::load_sampled(store, path, array, id, budget);
    for (path, how, is_unchecked) in [
        (&*path, chunk::load as How, true),
        (&*path, whole, false),
        (&*path, sampled, false),
        (folder.path(), chunk::load, false),
    ] {
        let chunk = Opened::new(store::open(path).unwrap()).load(how);
        let notes = chunk.stages.first().unwrap().notes.iter().map(|note| note.code);
        assert_eq!(notes.collect::<Vec<_>>() == [Code::ZipUnchecked], is_unchecked, "{path:?}");
        assert!(chunk.elements().is_some());
    }
}

#[test]
fn a_zip_member_that_is_read_whole_is_held_against_its_checksum() {
    let folder = crate::scratch();
    let path = folder.path().join("s.zip");
    zip(&path, CompressionMethod::Stored);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    reading(store::open(&path).unwrap(), |reader| {
        let mut pieces = reader.pieces_of_slab(&reader.whole());
        let data = reader.load(&pieces.next().unwrap(), &Budget::default());
        let PieceData::Unreadable(error) = data else { panic!("{data:?}") };
        assert_eq!((error.code, error.place.file.as_deref()), (Code::ZipChecksum, Some("c/0")));
    });
}

#[test]
fn counting_says_how_far_it_is_and_stops_when_it_is_told_to() {
    let folder = crate::scratch();
    raw(folder.path());
    let opened = Opened::new(store::open(folder.path()).unwrap());
    let asked = AtomicU64::new(0);
    let stop = || {
        let asked = asked.fetch_add(1, Ordering::Relaxed) + 1;
        // Longer than what is said nothing about.
        thread::sleep(Duration::from_millis(if asked < 3 { 70 } else { 0 }));
        asked > 6
    };
    let mut told = Vec::new();
    let job =
        Job { lane: Lane::Picture, generation: 1, work: opened.picture_work(), read_as: None };
    let memory = Memory::new(u64::MAX);
    work::perform(&opened.hierarchy, &memory, &job, &stop, &mut |reply| {
        if let Answer::Counting(pace) = reply.answer {
            told.push((pace.done, pace.of));
        }
    });
    let (done, of) = *told.first().expect("progress");
    assert!(0 < done && done < of && of >= LEN, "{told:?}");
    assert!(asked.load(Ordering::Relaxed) < 12, "it went on: {}", asked.load(Ordering::Relaxed));
}
