//! A whole shard as one array: the inner chunks put in their places.

use super::{
    super::{elements::place, shard::EMPTY},
    IndexEntry, ReadRange, Shard, Sharding,
};
use crate::zarr::codec::prelude::*;
use crate::zarr::words::list;

/// Decodes every inner chunk of a shard that is loaded whole. One that fails leaves the fill value, and the first
/// error is told beside what could be put together.
pub(super) fn whole(
    sharding: &Sharding,
    shard: &Shard,
    bytes: &Bytes,
    array: &Representation,
    budget: &Budget,
) -> Outcome {
    let space = Space::new(array, budget);
    let mut space = match space {
        Ok(space) => space,
        Err(error) => return Outcome::failed(error),
    };
    let mut first = None;
    let mut read = |range| super::part(bytes, range);
    for number in 0..shard.entries.len() as u64 {
        let decoded = inner(sharding, shard, number, &mut read, budget);
        let placed = decoded.and_then(|elements| match elements {
            Some(elements) => space.put(array, sharding, number, &elements),
            None => Ok(()),
        });
        if let Err(error) = placed {
            first.get_or_insert_with(|| within(sharding, number, error));
        }
    }
    let (order, places, bytes) = match space {
        Space::Fixed { size, bytes } => (array.order.clone(), Places::Fixed(size), bytes),
        Space::Varying { bytes, ranges } => {
            (ByteOrder::NotApplicable, Places::Ranges(ranges.into()), bytes)
        }
    };
    let (data_type, shape) = (Arc::clone(&array.data_type), array.shape.clone());
    let elements = Elements::new(data_type, order, shape, false, places, Bytes::whole(bytes));
    Outcome { error: first, ..Outcome::elements(elements) }
}

/// The bytes of elements that are kept of a shard that is not put together.
const SAMPLE: u64 = 4 << 20;

/// Decodes inner chunks of a shard that is not put together: with `all` each of them, and the first error is told; else
/// only those that are kept. The output is those that are kept, spread over the shard, one after the other along the
/// first dimension.
pub(super) fn sample(
    sharding: &Sharding,
    shard: &Shard,
    all: bool,
    read: &mut ReadRange,
    budget: &Budget,
) -> Outcome {
    let array = &sharding.inner_array;
    let Some((size, len)) = array.data_type.fixed_size().zip(array.byte_len()) else {
        return Outcome::failed(super::super::not_elements());
    };
    let stored = shard.entries.places().flatten().count() as u64;
    let step = stored.saturating_mul(len).div_ceil(SAMPLE).max(1);
    let (mut first, mut bytes, mut kept, mut seen) = (None, Vec::new(), 0, 0_u64);
    for (number, place) in (0_u64..).zip(shard.entries.places()) {
        let is_kept = place.is_some() && seen.is_multiple_of(step);
        seen += u64::from(place.is_some());
        if !all && !is_kept {
            continue;
        }
        let decoded = inner(sharding, shard, number, read, budget);
        let encoded = decoded.and_then(|elements| match elements.filter(|_| is_kept) {
            Some(elements) => elements.encoded_in(&array.order).map(Some),
            None => Ok(None),
        });
        match encoded {
            Ok(Some(inner)) => {
                bytes.extend_from_slice(&inner);
                kept += 1;
            }
            Ok(None) => {}
            Err(error) => drop(first.get_or_insert_with(|| within(sharding, number, error))),
        }
    }
    let mut shape = array.shape.clone();
    if let Some(length) = shape.first_mut() {
        *length *= kept;
    }
    let (data_type, order) = (Arc::clone(&array.data_type), array.order.clone());
    let bytes = Bytes::whole(bytes);
    let elements = Elements::new(data_type, order, shape, false, Places::Fixed(size), bytes);
    Outcome { error: first, ..Outcome::elements(elements) }
}

/// The error of an inner chunk, which it names.
fn within(sharding: &Sharding, number: u64, error: Error) -> Error {
    error.at(format!("inner chunk {}", list(&sharding.coordinates(number))))
}

/// The shard that holds these elements.
pub(super) fn shard(sharding: &Sharding, elements: &Elements, budget: &Budget) -> Result<Data> {
    let elements = elements.in_c_order()?;
    let count =
        sharding.count().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    let (mut bytes, mut index) = (Vec::new(), room::<u64>(count.saturating_mul(2))?);
    // Nothing may follow the index that does not say its length.
    let len = sharding.index_range(u64::MAX)?;
    let start = if sharding.index_at_start { len.end - len.start } else { 0 };
    for number in 0..count as u64 {
        if budget.is_stopped() {
            return Err(stopped());
        }
        let inner = elements.part(&sharding.region(&sharding.coordinates(number)))?;
        if is_fill(&inner, &sharding.inner_array)? {
            index.extend([EMPTY, EMPTY]);
            continue;
        }
        let inner = sharding.inner.encode(Data::Elements(inner), budget)?;
        let inner = inner.bytes().here();
        index.extend([start + bytes.len() as u64, inner.len() as u64]);
        bytes.extend_from_slice(inner);
    }
    let shape = [sharding.counts.as_slice(), &[2]].concat();
    let number = FixedNumber::UINT64.shared();
    let index = Elements::from_slice(&number, &shape, &index)?;
    let index = sharding.index.encode(Data::Elements(index), budget)?;
    let (index, bytes) = (index.bytes().here(), bytes.as_slice());
    let parts = if sharding.index_at_start { [index, bytes] } else { [bytes, index] };
    Ok(Data::whole(parts.concat()))
}

/// True if every element has the bytes of the fill value.
fn is_fill(elements: &Elements, array: &Representation) -> Result<bool> {
    let fill = &*array.fill;
    let Places::Fixed(size) = *elements.places() else {
        return elements.items().try_fold(true, |all, item| Ok(all && item? == fill));
    };
    let bytes = elements.encoded_in(&array.order)?;
    let is_fill = |item: &[u8]| {
        item.split_at_checked(fill.len())
            .is_some_and(|(start, rest)| start == fill && rest.iter().all(|&byte| byte == 0))
    };
    Ok(!fill.is_empty() && bytes.chunks_exact(size).all(is_fill))
}

/// The place of every inner chunk, in C order of their coordinates; those that are empty without bytes. The output of
/// each is a box of the array, which no range of its bytes is. None of very many: nobody could tell them apart.
pub(super) fn blocks(shard: &Shard) -> Vec<Block> {
    /// The number of inner chunks up to which each is a block.
    const MOST: usize = 1 << 16;
    let block = |IndexEntry { bytes, problem }: IndexEntry| Block {
        input: bytes.filter(|_| problem.is_none()).unwrap_or(0..0),
        output: 0..0,
        exact: false,
    };
    if shard.entries.len() > MOST {
        return Vec::new();
    }
    shard.entries.iter().map(block).collect()
}

/// The elements of one inner chunk; `None` where it is empty.
fn inner(
    sharding: &Sharding,
    shard: &Shard,
    number: u64,
    read: &mut ReadRange,
    budget: &Budget,
) -> Result<Option<Elements>> {
    if budget.is_stopped() {
        return Err(stopped());
    }
    let Some(range) = shard.bytes(number)? else { return Ok(None) };
    let data = Data::Bytes(read(range)?);
    let decoded = sharding.inner.decode(data, budget)?;
    decoded.elements().cloned().map(Some).ok_or_else(super::super::not_elements)
}

/// The buffer in which the elements of a whole shard are gathered.
enum Space {
    /// Elements of one size: bytes in C order.
    Fixed { size: usize, bytes: Vec<u8> },
    /// Elements of variable length: their bytes one after the other as they come, and where each is.
    Varying { bytes: Vec<u8>, ranges: Vec<Range<u64>> },
}

impl Space {
    /// Room for the whole shard, filled with the fill value.
    fn new(array: &Representation, budget: &Budget) -> Result<Self> {
        let size = array.data_type.fixed_size();
        let len = match size {
            Some(_) => array.byte_len(),
            None => array.len().and_then(|len| len.checked_mul(size_of::<Range<u64>>() as u64)),
        };
        let len = len.filter(|&len| len <= budget.limit());
        let len = len.and_then(|len| usize::try_from(len).ok());
        let len = len.ok_or_else(|| too_large(array, budget))?;
        if let Some(size) = size {
            return Ok(Self::Fixed { size, bytes: all_fill(array, size, len)? });
        }
        let fill = 0..array.fill.len() as u64;
        let ranges = filled(fill, len / size_of::<Range<u64>>())?;
        Ok(Self::Varying { bytes: array.fill.to_vec(), ranges })
    }

    /// Puts an inner chunk in its place.
    fn put(
        &mut self,
        array: &Representation,
        sharding: &Sharding,
        number: u64,
        elements: &Elements,
    ) -> Result<()> {
        let region = sharding.region(&sharding.coordinates(number));
        let (bytes, ranges) = match self {
            Self::Fixed { size, bytes } => {
                let inner = if *elements.order() == array.order {
                    elements.c_order()?
                } else {
                    elements.encoded_in(&array.order)?.into()
                };
                place(bytes, &array.shape, &region, *size, &inner);
                return Ok(());
            }
            Self::Varying { bytes, ranges } => (bytes, ranges),
        };
        for position in 0..elements.len() {
            let Some(value) = elements.bytes().get(elements.byte_range(position)) else { continue };
            let local = elements.coordinates(position);
            let at: Vec<u64> =
                local.iter().zip(&region).map(|(at, span)| span.start + at).collect();
            let index = order::number(&at, &array.shape);
            let range = index.and_then(|index| ranges.get_mut(usize::try_from(index).ok()?));
            if let Some(range) = range {
                let start = bytes.len() as u64;
                bytes.extend_from_slice(value);
                *range = start..bytes.len() as u64;
            }
        }
        Ok(())
    }
}

/// `len` bytes of elements of `size` bytes, each the fill value.
pub(in crate::zarr::codec) fn all_fill(
    array: &Representation,
    size: usize,
    len: usize,
) -> Result<Vec<u8>> {
    let fill = &*array.fill;
    if len == 0 || fill.len() > size || fill.iter().all(|&byte| byte == 0) {
        return filled(0, len);
    }
    if fill.len() < size {
        let mut bytes = filled(0, len)?;
        let elements = bytes.chunks_exact_mut(size);
        let starts = elements.filter_map(|element| element.get_mut(..fill.len()));
        starts.for_each(|start| start.copy_from_slice(fill));
        return Ok(bytes);
    }
    let mut bytes = room(len)?;
    bytes.extend_from_slice(fill);
    while bytes.len() < len {
        bytes.extend_from_within(..bytes.len().min(len - bytes.len()));
    }
    Ok(bytes)
}

fn too_large(array: &Representation, budget: &Budget) -> Error {
    let found = format!("a shard of {} {} elements", times(&array.shape), array.data_type.name());
    let expected = format!("at most {} bytes at once", budget.limit());
    Error::new(Code::DecodedTooLarge, found, expected)
        .with_fix("Open one of its inner chunks instead.")
}
