//! Regions of arrays: whatever the chunks, what is read is what was written, in any order of the pieces.

use proptest::{collection::vec, prelude::*, sample::Index};
use serde_json::{Value, json};
use std::{collections::BTreeMap, ops::Range, sync::Arc};
use zarrscope::zarr::{
    ArrayMetadata, ArrayReader, Budget, Code, Hierarchy, NodePath, Registry, Result,
    array::{PieceData, RunSource, Slab, cut, len},
    data_type::native::Primitive,
    grid::{Grid, order},
    hierarchy::NodeKind,
    store::{Entry, Stat, Store},
};

/// A store in memory.
#[derive(Debug, Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl Store for Memory {
    fn read(&self, key: &str, _limit: u64) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(key).cloned())
    }

    fn read_range(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>> {
        let cut = |at: u64, len: usize| usize::try_from(at).map_or(len, |at| at.min(len));
        Ok(self.0.get(key).map(|b| b[cut(range.start, b.len())..cut(range.end, b.len())].to_vec()))
    }

    fn stat(&self, key: &str) -> Result<Option<Stat>> {
        Ok(self.0.get(key).map(|bytes| Stat {
            len: bytes.len() as u64,
            modified: None,
            etag: None,
        }))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        let names = self.0.keys().filter(|key| prefix.is_empty() && !key.contains('/'));
        Ok(names
            .map(|name| Entry { name: name.clone(), is_folder: false, is_link: false })
            .collect())
    }

    fn name(&self) -> String {
        "memory".into()
    }
}

/// The way an array is stored.
#[derive(Debug, Clone)]
struct Case {
    shape: Vec<u64>,
    /// Along each dimension, the lengths of chunks; the last one is repeated as often as it takes.
    chunks: Vec<Vec<u64>>,
    /// The number of inner chunks that a chunk has along each dimension; none for chunks that are no shards.
    shards: Option<Vec<u64>>,
    /// The order of the dimensions in the bytes of a chunk.
    order: Vec<usize>,
    big: bool,
    packed: bool,
    /// V2; its order F is `order` reversed.
    v2: bool,
    /// One in so many chunks and inner chunks is not stored, by a hash of its coordinates; 0: all are.
    missing: u64,
}

const FILL: i16 = -7;

/// The value of the element at `at`: never the fill value.
fn value(at: &[u64]) -> i16 {
    let mixed = at.iter().fold(17_u64, |mixed, &at| mixed.wrapping_mul(31).wrapping_add(at));
    i16::try_from(mixed % 30_000).unwrap()
}

fn hash(at: &[u64]) -> u64 {
    at.iter().fold(3, |hash: u64, at| hash.wrapping_mul(7).wrapping_add(*at))
}

impl Case {
    fn grid(&self) -> Grid {
        if self.chunks.iter().all(|lengths| lengths.len() == 1) {
            return Grid::Regular(self.chunks.iter().map(|lengths| lengths[0]).collect());
        }
        Grid::Rectilinear(
            self.chunks.iter().map(|lengths| lengths.iter().map(|&n| (n, 1)).collect()).collect(),
        )
    }

    fn is_missing(&self, chunk: &[u64], inner: Option<&[u64]>) -> bool {
        let hash = hash(chunk) + inner.map_or(0, |inner| 11 + hash(inner));
        self.missing > 0 && hash.is_multiple_of(self.missing)
    }

    /// The shape of the inner chunks of a chunk of `shape`, or of the chunk itself.
    fn unit(&self, shape: &[u64]) -> Vec<u64> {
        let counts = self.shards.clone().unwrap_or_else(|| vec![1; shape.len()]);
        shape.iter().zip(counts).map(|(n, count)| n / count).collect()
    }

    fn expected(&self, at: &[u64]) -> i16 {
        let grid = self.grid();
        let (chunk, within) = grid.locate(at).unwrap();
        let unit = self.unit(&grid.chunk_shape(&chunk).unwrap());
        let inner: Vec<u64> = within.iter().zip(&unit).map(|(at, n)| at / n).collect();
        let inner = self.shards.is_some().then_some(inner.as_slice());
        let missing = self.is_missing(&chunk, None)
            || inner.is_some_and(|inner| self.is_missing(&chunk, Some(inner)));
        if missing { FILL } else { value(at) }
    }

    /// The bytes of the elements of `shape` from `origin` on.
    fn elements(&self, origin: &[u64], shape: &[u64]) -> Vec<u8> {
        let turned: Vec<u64> = self.order.iter().map(|&axis| shape[axis]).collect();
        let mut bytes = Vec::new();
        for number in 0..shape.iter().product::<u64>() {
            let mut at = origin.to_vec();
            let places = order::coordinates(number.into(), &turned);
            self.order.iter().zip(places).for_each(|(&axis, place)| at[axis] += place);
            let value = value(&at);
            bytes.extend(if self.big { value.to_be_bytes() } else { value.to_le_bytes() });
        }
        if self.packed { zstd::encode_all(bytes.as_slice(), 1).unwrap() } else { bytes }
    }

    fn chunk(&self, chunk: &[u64]) -> Vec<u8> {
        let grid = self.grid();
        let origin: Vec<u64> =
            (0..chunk.len()).map(|axis| grid.span(axis, chunk[axis]).unwrap().start).collect();
        let shape = grid.chunk_shape(chunk).unwrap();
        let Some(counts) = &self.shards else { return self.elements(&origin, &shape) };
        let unit = self.unit(&shape);
        let (mut bytes, mut index) = (Vec::new(), Vec::new());
        for number in 0..counts.iter().product::<u64>() {
            let inner = order::coordinates(number.into(), counts);
            let entry = if self.is_missing(chunk, Some(&inner)) {
                [u64::MAX; 2]
            } else {
                let at = |(origin, (inner, n)): (&u64, (&u64, &u64))| origin + inner * n;
                let at: Vec<u64> = origin.iter().zip(inner.iter().zip(&unit)).map(at).collect();
                let part = self.elements(&at, &unit);
                bytes.extend(&part);
                [(bytes.len() - part.len()) as u64, part.len() as u64]
            };
            index.extend(entry.map(u64::to_le_bytes).concat());
        }
        bytes.extend(index);
        bytes
    }

    fn document(&self) -> String {
        let lengths: Vec<u64> = self.chunks.iter().map(|lengths| lengths[0]).collect();
        let Self { shape, order, .. } = self;
        if self.v2 {
            let order = if order.is_sorted() { "C" } else { "F" };
            let compressor = self.packed.then(|| json!({"id": "zstd", "level": 1}));
            let dtype = if self.big { ">i2" } else { "<i2" };
            return json!({
                "zarr_format": 2, "shape": shape, "chunks": lengths, "dtype": dtype, "fill_value": FILL,
                "order": order, "compressor": compressor, "filters": null,
            })
            .to_string();
        }
        let grid = match self.grid() {
            Grid::Regular(shape) => {
                json!({"name": "regular", "configuration": {"chunk_shape": shape}})
            }
            _ => json!({"name": "rectilinear", "configuration":
                {"kind": "inline", "chunk_shapes": self.chunks}}),
        };
        json!({
            "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "int16",
            "chunk_grid": grid, "fill_value": FILL, "codecs": self.codecs(&lengths), "attributes": {},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        })
        .to_string()
    }

    /// The codecs of V3 for chunks of these lengths.
    fn codecs(&self, lengths: &[u64]) -> Value {
        let bytes = |endian| json!({"name": "bytes", "configuration": {"endian": endian}});
        let transpose = json!({"name": "transpose", "configuration": {"order": self.order}});
        let mut codecs = vec![transpose, bytes(if self.big { "big" } else { "little" })];
        if self.packed {
            let zstd = json!({"level": 1, "checksum": false});
            codecs.push(json!({"name": "zstd", "configuration": zstd}));
        }
        if self.shards.is_none() {
            return codecs.into();
        }
        json!([{"name": "sharding_indexed", "configuration": {
            "chunk_shape": self.unit(lengths), "codecs": codecs, "index_codecs": [bytes("little")]}}])
    }

    fn store(&self) -> Memory {
        let name = if self.v2 { ".zarray" } else { "zarr.json" };
        let mut store = Memory([(name.to_owned(), self.document().into_bytes())].into());
        let grid = self.grid();
        let counts = grid.counts(&self.shape);
        for number in 0..counts.iter().product::<u64>() {
            let chunk = order::coordinates(number.into(), &counts);
            let numbers: Vec<String> = chunk.iter().map(u64::to_string).collect();
            let key = match (self.v2, chunk.is_empty()) {
                (true, true) => "0".to_owned(),
                (true, false) => numbers.join("."),
                (false, _) => [&["c".to_owned()], numbers.as_slice()].concat().join("/"),
            };
            if !self.is_missing(&chunk, None) {
                store.0.insert(key, self.chunk(&chunk));
            }
        }
        store
    }
}

fn cases() -> impl Strategy<Value = (Case, Vec<(Index, Index)>)> {
    let axis = || (1_u64..10, vec(1_u64..5, 1..3), 1_u64..4);
    let flags = (any::<[bool; 5]>(), 0_u64..6, any::<Index>(), vec(any::<(Index, Index)>(), 3));
    (vec(axis(), 0..4), flags).prop_map(|(axes, (flags, missing, turn, region))| {
        let [big, packed, v2, sharded, ragged] = flags;
        let shape: Vec<u64> = axes.iter().map(|(length, ..)| *length).collect();
        let ragged = ragged && !v2 && !sharded;
        let shards = (sharded && !v2).then(|| axes.iter().map(|(.., count)| *count).collect());
        let chunks = axes.iter().map(|(length, lengths, count)| {
            if !ragged {
                return vec![lengths[0] * if sharded && !v2 { *count } else { 1 }];
            }
            let mut all = lengths.clone();
            while all.iter().sum::<u64>() < *length {
                all.push(lengths[0]);
            }
            all
        });
        let chunks = chunks.collect();
        let mut order: Vec<usize> = (0..shape.len()).collect();
        if v2 && missing % 2 == 0 {
            order.reverse();
        } else if !v2 && !order.is_empty() {
            order.rotate_left(turn.index(shape.len()));
        }
        (Case { shape, chunks, shards, order, big, packed, v2, missing }, region)
    })
}

fn region(shape: &[u64], ends: &[(Index, Index)]) -> Vec<Range<u64>> {
    let range = |(&length, (a, b)): (&u64, &(Index, Index))| {
        let size = usize::try_from(length).unwrap() + 1;
        let (a, b) = (a.index(size) as u64, b.index(size) as u64);
        a.min(b)..a.max(b)
    };
    shape.iter().zip(ends).map(range).collect()
}

/// The coordinates of the elements of `region`, in C order.
fn coordinates(region: &[Range<u64>]) -> impl Iterator<Item = Vec<u64>> {
    let lengths: Vec<u64> = region.iter().map(|range| range.end - range.start).collect();
    let starts: Vec<u64> = region.iter().map(|range| range.start).collect();
    (0..lengths.iter().product::<u64>()).map(move |number| {
        let at = order::coordinates(number.into(), &lengths);
        at.iter().zip(&starts).map(|(at, start)| at + start).collect()
    })
}

fn open(store: Memory) -> (Hierarchy, Arc<ArrayMetadata>) {
    let hierarchy = Hierarchy::new(Arc::new(store), Arc::new(Registry::default()));
    let NodeKind::Array(array) = hierarchy.node(&NodePath::default()).kind else {
        panic!("not an array")
    };
    (hierarchy, array)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_region_is_read_as_it_was_written((case, ends) in cases(), seed in any::<u64>()) {
        let region = region(&case.shape, &ends);
        let expected: Vec<i16> = coordinates(&region).map(|at| case.expected(&at)).collect();
        let (hierarchy, array) = open(case.store());
        let path = NodePath::default();
        let reader = ArrayReader::new(&*hierarchy.store, &path, &array).unwrap();
        let budget = Budget::default();
        prop_assert_eq!(&reader.read_region::<i16>(&region, &budget).unwrap(), &expected);

        // The pieces in another order, into two halves of the region.
        let mut pieces: Vec<_> = reader.pieces(&region).collect();
        let held: u64 = pieces.iter().filter_map(|piece| len(&piece.region)).sum();
        prop_assert_eq!(held, expected.len() as u64);
        pieces.sort_by_key(|piece| hash(&piece.chunk.coordinates).wrapping_mul(seed | 1));
        let mut out = reader.room::<i16>(&region).unwrap();
        let parts: Vec<_> = cut(&region, (out.len() as u64).div_ceil(2).max(1)).collect();
        for piece in pieces {
            let data = reader.load(&piece, &budget);
            let mut rest = out.as_mut_slice();
            for part in &parts {
                let (place, behind) = rest.split_at_mut(usize::try_from(len(part).unwrap()).unwrap());
                reader.place(&piece, &data, part, place).unwrap();
                rest = behind;
            }
        }
        prop_assert_eq!(&out, &expected);

        // As a slab, by runs.
        let mut pieces: Vec<_> = reader.pieces_of_slab(&region).collect();
        pieces.reverse();
        let load = |piece| { let data = reader.load(&piece, &budget); (piece, data) };
        let slab = Slab::new(region.clone(), pieces.into_iter().map(load).collect());
        let mut values = Vec::new();
        slab.runs(0..slab.len(), &mut |run| {
            for at in 0..run.count {
                values.push(match run.source {
                    RunSource::Stored(elements, from, step) => {
                        let bytes = elements.byte_range(from + at * step);
                        let mut value = [0];
                        i16::read(elements.bytes().get(bytes).unwrap(), elements.order().endian(), &mut value);
                        value[0]
                    }
                    _ => FILL,
                });
            }
        });
        prop_assert_eq!(&values, &expected);
    }

    #[test]
    fn parts_follow_each_other_in_c_order(lengths in vec(0_u64..7, 0..4), most in 0_u64..30) {
        let region: Vec<_> = lengths.iter().map(|&length| 3..3 + length).collect();
        let parts: Vec<_> = cut(&region, most).collect();
        prop_assert!(parts.iter().all(|part| len(part).unwrap() <= most.max(1)));
        let all: Vec<_> = parts.iter().flat_map(|part| coordinates(part)).collect();
        prop_assert_eq!(all, coordinates(&region).collect::<Vec<_>>());
    }
}

fn plain(shape: &[u64], chunk: u64) -> Case {
    let chunks = shape.iter().map(|_| vec![chunk]).collect();
    let order = (0..shape.len()).collect();
    let shape = shape.to_vec();
    let (big, packed, v2, missing) = (false, false, false, 0);
    Case { shape, chunks, shards: None, order, big, packed, v2, missing }
}

#[test]
fn slabs_are_whole_rows_of_chunks_and_follow_each_other() {
    // 800 MB that are not stored.
    let text = plain(&[20_000, 20_000], 1000).document();
    let (hierarchy, array) = open(Memory([("zarr.json".into(), text.into_bytes())].into()));
    let path = NodePath::default();
    let reader = ArrayReader::new(&*hierarchy.store, &path, &array).unwrap();
    let slabs: Vec<_> = reader.slabs(&reader.whole(), u64::MAX).collect();
    assert_eq!(slabs.len(), 20);
    for (number, slab) in slabs.iter().enumerate() {
        let row = number as u64 * 1000;
        assert_eq!(*slab, vec![row..row + 1000, 0..20_000]);
    }
    assert_eq!(reader.slabs(&[5..5, 0..10], u64::MAX).count(), 0);
}

#[test]
fn what_cannot_be_read_is_an_error_that_names_the_chunk_or_what_the_caller_says() {
    let case = Case { packed: true, ..plain(&[4, 6], 3) };
    let mut store = case.store();
    store.0.insert("c/1/0".into(), vec![1, 2, 3]);
    let (hierarchy, array) = open(store);
    let path = NodePath::default();
    let reader = ArrayReader::new(&*hierarchy.store, &path, &array).unwrap();
    let budget = Budget::default();
    let error = reader.read_region::<i16>(&reader.whole(), &budget).unwrap_err();
    assert_eq!(error.place.file.as_deref(), Some("c/1/0"));
    assert_eq!(reader.read_region::<i16>(&[0..3, 0..6], &budget).unwrap().len(), 18);

    let mut out = reader.room(&reader.whole()).unwrap();
    let mut told = Vec::new();
    let mut go_on = |piece: &zarrscope::zarr::array::Piece, _| {
        told.push(piece.chunk.coordinates.clone());
        Ok(())
    };
    reader.read_into(&reader.whole(), &mut out, &budget, &mut go_on).unwrap();
    assert_eq!(told, [[1, 0]]);
    assert_eq!((out[17], out[18], out[21]), (value(&[2, 5]), FILL, value(&[3, 3])));

    let other = reader.read_region::<u16>(&reader.whole(), &budget).unwrap_err();
    assert_eq!(other.code, Code::OtherDataType);
    for region in [vec![], vec![0..5, 0..6], vec![0..4, 7..7]] {
        let error = reader.read_region::<i16>(&region, &budget).unwrap_err();
        assert_eq!(error.code, Code::ChunkOutside, "{region:?}");
    }
}

#[test]
fn an_inner_chunk_costs_the_index_once_and_itself() {
    let mut case = plain(&[64], 64);
    case.shards = Some(vec![16]);
    let (hierarchy, array) = open(case.store());
    let path = NodePath::default();
    let reader = ArrayReader::new(&*hierarchy.store, &path, &array).unwrap();
    let pieces: Vec<_> = reader.pieces(std::slice::from_ref(&(5..13))).collect();
    let inner: Vec<_> = pieces.iter().map(|piece| piece.chunk.inner.clone()).collect();
    assert_eq!(inner, [[[1]], [[2]], [[3]]]);
    let data = pieces.iter().map(|piece| reader.load(piece, &Budget::default()));
    assert!(data.into_iter().all(|data| matches!(data, PieceData::Stored(e) if e.len() == 4)));
    // Most of a small shard is read in one go.
    assert_eq!(reader.pieces(std::slice::from_ref(&(0..60))).count(), 1);
}
