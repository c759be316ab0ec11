//! Regions of an array, read as values across chunks and shards.
//!
//! An [`ArrayReader`] cuts a region into [`Piece`]s, one for each chunk (or inner chunk of a large shard) that holds a
//! part of it. Pieces may be read in any order and on any thread; each is decoded once and copied once into its place.
//! [`ArrayReader::read_region`] does that for the whole region; [`Slab`]s are for those who want the elements of any
//! data type in C order, a bounded part at a time.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `pieces` | how a region is cut into pieces, and an array into slabs |
//! | `open` | an array by its path |
//! | `load` | reading the chunk of a piece |
//! | `place` | copying what was read into its place among the values of a region |
//! | `slab` | a part of an array with its chunks decoded, seen as one row of elements |

use super::prelude::*;
use super::{chunk, codec::sharding::Sharding, data_type::native::Primitive};

mod load;
mod open;
mod pieces;
mod place;
mod slab;
mod slabs;

pub use load::PieceData;
pub use open::Array;
pub use pieces::{Piece, Pieces, boxes, cut};
pub use slab::{Run, RunSource, Slab};
pub use slabs::{RowsOfChunks, Slabs};

/// Shards that decode to more bytes than this are always read inner chunk by inner chunk: on all cores, and without
/// holding the shard. Of smaller ones, it takes one read to have all inner chunks.
const LARGE_SHARD: u64 = 8 << 20;

/// The size that is assumed of an element of variable length, in bytes.
const VARYING: u64 = 64;

/// An array whose regions can be read.
///
/// ```
/// use zarrscope::zarr::{ArrayReader, Budget, Hierarchy};
///
/// # fn main() -> zarrscope::zarr::Result<()> {
/// let store = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-stores/dtypes-v3/float32");
/// let (hierarchy, target) = Hierarchy::open(store.as_ref())?;
/// let node = hierarchy.node(&target.node);
/// let array = node.kind.array().expect("an array");
/// let reader = ArrayReader::new(&*hierarchy.store, &node.path, array)?;
/// let values: Vec<f32> = reader.read_region(&reader.whole(), &Budget::default())?;
/// assert_eq!(values.len() as u64, reader.shape().iter().product::<u64>());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ArrayReader<'a> {
    store: &'a dyn Store,
    path: &'a NodePath,
    array: &'a ArrayMetadata,
    shape: &'a [u64],
    grid: &'a Grid,
    resolved: &'a Resolved,
    fill: Option<Scalar>,
    /// The codecs of every chunk, where all chunks have the same shape.
    chain: Option<Chain>,
    inner: Option<InnerGrid>,
    /// The indices of the shards that were opened last.
    indices: Mutex<load::Indices>,
    /// True if what the store keeps a CRC-32 of is compared with it also where only parts of it are read.
    verifies: bool,
}

/// The division of shards into inner chunks, where `sharding_indexed` is the only codec.
#[derive(Debug)]
struct InnerGrid {
    /// The grid of inner chunks, in a shard as in the whole array.
    grid: Grid,
    /// The number of elements of a shard.
    shard_len: u64,
    /// True if a shard decodes to more than [`LARGE_SHARD`] bytes.
    is_large: bool,
}

impl InnerGrid {
    fn of(chain: &Chain) -> Option<Self> {
        let Sharding { chunk_shape, counts, .. } = only_sharding(chain)?;
        let [link] = chain.links.as_slice() else { return None };
        let is_large = link.decoded_size.exact.is_none_or(|bytes| bytes > LARGE_SHARD);
        let shard_len = link.decoded.as_ref()?.len()?;
        let grid = Grid::Regular(chunk_shape.clone());
        (!counts.contains(&0)).then_some(Self { grid, shard_len, is_large })
    }
}

/// `sharding_indexed`, where a chain is nothing else.
fn only_sharding(chain: &Chain) -> Option<&Sharding> {
    let [link] = chain.links.as_slice() else { return None };
    link.codec.as_ref().ok()?.sharding()
}

impl<'a> ArrayReader<'a> {
    /// The array at `path` of `store`, ready to be read.
    ///
    /// # Errors
    ///
    /// If shape, grid, data type or codecs are not understood, or chunk data must not be shown.
    pub fn new(store: &'a dyn Store, path: &'a NodePath, array: &'a ArrayMetadata) -> Result<Self> {
        array.refused.as_ref().map_or(Ok(()), |refused| Err(refused.clone()))?;
        array.codecs.as_ref().map_err(Clone::clone)?;
        let grid = array.grid.as_ref().map_err(Clone::clone)?;
        let shape = array.shape.as_ref().map_err(Clone::clone)?;
        let resolved = array.data_type.as_ref().map_err(Clone::clone)?;
        let chain = match grid {
            Grid::Regular(shape) => Some(chunk::chain(array, shape)?),
            Grid::Rectilinear(_) => None,
        };
        let inner = chain.as_ref().and_then(InnerGrid::of);
        let (fill, indices) = (array.fill_scalar(), Mutex::default());
        let verifies = false;
        Ok(Self {
            store,
            path,
            array,
            shape,
            grid,
            resolved,
            fill,
            chain,
            inner,
            indices,
            verifies,
        })
    }

    /// The same for who relies on every value: a member of an archive of which only parts are read is gone through once,
    /// all of it, and compared with its CRC-32 ([`Store::verify`]). One that is read whole always is.
    pub fn verifying(self) -> Self {
        Self { verifies: true, ..self }
    }

    /// The store that it is read from.
    pub fn store(&self) -> &dyn Store {
        self.store
    }

    /// Its path there.
    pub fn path(&self) -> &NodePath {
        self.path
    }

    /// The metadata of the array.
    pub fn array(&self) -> &ArrayMetadata {
        self.array
    }

    /// The shape of the array.
    pub fn shape(&self) -> &[u64] {
        self.shape
    }

    /// The region that is the whole array.
    pub fn whole(&self) -> Region {
        self.shape.iter().map(|&length| 0..length).collect()
    }

    /// The division of the array into chunks.
    pub fn grid(&self) -> &Grid {
        self.grid
    }

    /// The data type, with the byte order of the elements.
    pub fn resolved(&self) -> &Resolved {
        self.resolved
    }

    /// The value of missing chunks; `None` where the fill value is not known.
    pub fn fill(&self) -> Option<&Scalar> {
        self.fill.as_ref()
    }

    /// A single element of the array with these bytes.
    pub fn element(&self, bytes: Vec<u8>) -> Elements {
        let places = match self.resolved.data_type.fixed_size() {
            Some(size) => Places::Fixed(size),
            None => Places::Ranges(std::iter::once(0..bytes.len() as u64).collect()),
        };
        let Resolved { data_type, order, .. } = self.resolved.clone();
        Elements::new(data_type, order, Vec::new(), false, places, Bytes::whole(bytes))
    }

    /// The elements of `region` in C order, as numbers of Rust whatever their byte order.
    ///
    /// # Errors
    ///
    /// If the data type is another than `T`, `region` is not within the array, a chunk cannot be read (the error
    /// names it), or one is missing and the fill value is not known.
    pub fn read_region<T: Primitive>(
        &self,
        region: &[Range<u64>],
        budget: &Budget,
    ) -> Result<Vec<T>> {
        let mut out = self.room(region)?;
        self.read_into(region, &mut out, budget, &mut |_, error| Err(error))?;
        Ok(out)
    }

    /// The same into memory that is there, which must have room for just these elements. `unreadable` says what becomes
    /// of a chunk that cannot be read: with `Ok`, its elements get the fill value, and where that is not known, nothing
    /// can be said of what is in their place.
    ///
    /// # Errors
    ///
    /// As [`Self::read_region`].
    pub fn read_into<T: Primitive>(
        &self,
        region: &[Range<u64>],
        out: &mut [T],
        budget: &Budget,
        unreadable: &mut dyn FnMut(&Piece, Error) -> Result<()>,
    ) -> Result<()> {
        self.check::<T>(region)?;
        for piece in self.pieces(region) {
            if budget.is_stopped() {
                return Err(super::budget::stopped());
            }
            let placed = match self.load(&piece, budget) {
                PieceData::Unreadable(error) => Err(error),
                data => self.place(&piece, &data, region, out),
            };
            if let Err(error) = placed {
                unreadable(&piece, error.clone())?;
                self.place(&piece, &PieceData::Unreadable(error), region, out)?;
            }
        }
        Ok(())
    }

    /// Memory for the elements of `region`, all of them the default of `T`.
    ///
    /// # Errors
    ///
    /// If the data type is another than `T`, `region` is not within the array, or there is not so much memory.
    pub fn room<T: Primitive>(&self, region: &[Range<u64>]) -> Result<Vec<T>> {
        self.check::<T>(region)?;
        let no_memory = || {
            let found = format!("no memory for a region of {} elements", times(&lengths(region)));
            Error::new(Code::NoMemory, found, "")
        };
        let count = len(region).and_then(|count| usize::try_from(count).ok());
        let count = count.ok_or_else(no_memory)?;
        // `vec!` ends the program where there is no memory; it is quicker than `resize`, which touches every page.
        if Vec::<T>::new().try_reserve_exact(count).is_err() {
            return Err(no_memory());
        }
        Ok(vec![T::default(); count])
    }

    /// Checks that `region` is inside the array and that its elements are `T`s.
    fn check<T: Primitive>(&self, region: &[Range<u64>]) -> Result<()> {
        let data_type = &self.resolved.data_type;
        if data_type.native() != Some(T::NATIVE) {
            let expected = format!("elements that are {:?} in memory", T::NATIVE);
            return Err(Error::new(Code::OtherDataType, data_type.name(), expected));
        }
        let holds =
            |(range, &length): (&Range<u64>, &u64)| range.start <= range.end && range.end <= length;
        let reached = region.iter().enumerate().all(|(axis, range)| {
            range.is_empty() || self.grid.chunk_at(axis, range.end - 1).is_some()
        });
        let holds = region.len() == self.shape.len() && region.iter().zip(self.shape).all(holds);
        if holds && reached {
            return Ok(());
        }
        let expected = format!("a region inside the array, whose shape is {}", times(self.shape));
        Err(Error::new(Code::ChunkOutside, format!("{region:?}"), expected))
    }
}

/// The number of elements of `region`; `None` past 2⁶⁴.
pub fn len(region: &[Range<u64>]) -> Option<u64> {
    lengths(region).iter().try_fold(1_u64, |product, &n| product.checked_mul(n))
}
