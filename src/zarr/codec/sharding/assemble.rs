//! A whole shard as one array: the inner chunks put in their places.

use super::{
    super::{Bytes, Data, Elements, Limits, Outcome, Places, Representation},
    Shard, Sharding,
};
use crate::zarr::error::{Error, Result};
use std::sync::Arc;

/// Decodes every inner chunk of a shard that is loaded whole. One that fails leaves the fill value, and the first
/// error is told beside what could be put together.
pub(super) fn whole(
    sharding: &Sharding,
    shard: &Shard,
    bytes: &Bytes,
    array: &Representation,
    limits: &Limits<'_>,
) -> Outcome {
    let (size, mut out) = match space(array, limits) {
        Ok(space) => space,
        Err(error) => return Outcome::failed(error),
    };
    let mut first = None;
    for number in 0..shard.entries.len() as u64 {
        let decoded = inner(sharding, shard, bytes, number, limits);
        let placed = decoded.and_then(|elements| match elements {
            Some(elements) => put(&mut out, size, &array.shape, sharding, number, &elements),
            None => Ok(()),
        });
        if let Err(error) = placed {
            let name = format!("inner chunk {:?}", sharding.coordinates(number));
            first.get_or_insert_with(|| error.at(name));
        }
    }
    let elements = Elements::new(
        Arc::clone(&array.data_type),
        array.order.clone(),
        array.shape.clone(),
        false,
        Places::Fixed(size),
        Bytes::whole(out),
    );
    Outcome { error: first, ..Outcome::output(Data::Elements(elements)) }
}

/// Room for the whole shard, filled with the fill value.
fn space(array: &Representation, limits: &Limits<'_>) -> Result<(usize, Vec<u8>)> {
    let Some(size) = array.data_type.item_size().fixed() else {
        let found = "elements of variable length";
        return Err(Error::new("shard-whole", found, "one inner chunk at a time"));
    };
    let len = array.byte_len().filter(|&len| len <= limits.limit);
    let Some(len) = len.and_then(|len| usize::try_from(len).ok()) else {
        let found = format!("a shard of {:?} elements of {size} bytes", array.shape);
        let expected = format!("at most {} bytes at once", limits.limit);
        return Err(Error::new("decoded-too-large", found, expected));
    };
    if array.fill.len() == size && array.fill.iter().any(|&byte| byte != 0) {
        return Ok((size, array.fill.repeat(len / size)));
    }
    Ok((size, vec![0; len]))
}

/// The elements of one inner chunk; `None` where it is empty.
fn inner(
    sharding: &Sharding,
    shard: &Shard,
    bytes: &Bytes,
    number: u64,
    limits: &Limits<'_>,
) -> Result<Option<Elements>> {
    let Some(range) = shard.bytes(number)? else { return Ok(None) };
    let data = Data::Bytes(super::part(bytes, range)?);
    let decoded = sharding.inner.decode(data, limits)?;
    decoded.elements().cloned().map(Some).ok_or_else(super::super::not_elements)
}

/// Copies an inner chunk into its place.
fn put(
    out: &mut [u8],
    size: usize,
    shape: &[u64],
    sharding: &Sharding,
    number: u64,
    elements: &Elements,
) -> Result<()> {
    let bytes = elements.c_order()?;
    let region = sharding.region(&sharding.coordinates(number));
    super::super::elements::place(out, shape, &region, size, &bytes);
    Ok(())
}
