//! Checks that the codecs of an array are known and fit its data type and the shape of its chunks.

use super::document::Faults;
use crate::zarr::prelude::*;
use crate::zarr::{
    codec::{
        Representation,
        chain::{Chain, Link},
    },
    data_type::PaddedBytes,
};

impl ArrayMetadata {
    /// The representation of a chunk of `shape` elements before it is encoded; `None` where the data type is not known.
    pub fn representation(&self, shape: Vec<u64>) -> Option<Representation> {
        let resolved = self.data_type.as_ref().ok()?;
        let fill = self.fill_scalar();
        let fill =
            fill.and_then(|fill| resolved.data_type.encode_padded(&fill, &resolved.order).ok());
        Some(Representation {
            data_type: Arc::clone(&resolved.data_type),
            order: resolved.order.clone(),
            shape,
            fortran: self.fortran,
            fill: fill.map(PaddedBytes::held).unwrap_or_default().into(),
        })
    }

    /// The shape of a whole chunk, in elements: of the first one, where they differ; `None` where the grid is not
    /// known.
    pub fn chunk_shape(&self) -> Option<Vec<u64>> {
        let grid = self.grid.as_ref().ok()?;
        grid.chunk_shape(&vec![0; grid.dimensions()])
    }

    /// The shape of the innermost chunks of a sharded array, as far as it can be read; `None` where chunks are no
    /// shards.
    pub fn inner_chunk_shape(&self) -> Option<Vec<u64>> {
        let specs = self.codecs.as_ref().ok().filter(|_| self.format == Format::V3)?;
        self.registry.codecs.innermost(specs)?.chunk_shape
    }

    /// The codecs, built for a whole chunk; `None` where they cannot be read.
    pub fn chain(&self) -> Option<Chain> {
        let specs = self.codecs.as_ref().ok()?;
        let array = self.chunk_shape().and_then(|shape| self.representation(shape));
        Some(Chain::build(specs, self.format, &self.registry, array.as_ref(), 0))
    }
}

/// True if a `bytes` codec without `endian` gets elements of several bytes. The codecs before it may have made single
/// bytes of the array's own.
pub(super) fn has_to_guess(array: &ArrayMetadata) -> bool {
    let chain = array.chain();
    chain.is_none_or(|chain| {
        chain
            .links
            .iter()
            .flat_map(|link| &link.notes)
            .any(|note| matches!(note.code, Code::EndianGuessed | Code::EndianBySpec))
    })
}

/// True if the codec that has to declare the byte order is there and cannot be understood.
pub(super) fn is_order_unreadable(array: &ArrayMetadata) -> bool {
    let known = &array.registry.codecs;
    let fails = |link: &Link| {
        let has_order = link.row.is_some_and(|row| (row.endian)(&link.spec, known).is_some());
        has_order && link.codec.as_ref().err().is_some_and(|error| error.code != Code::UnknownArray)
    };
    array.chain().is_some_and(|chain| chain.links.iter().any(fails))
}

/// Collects what is wrong with the codecs, where the document names them.
pub(super) fn check(array: &ArrayMetadata, faults: &mut Faults) {
    let Some(chain) = array.chain() else { return };
    for link in &chain.links {
        let Some(json) = stands_at(faults, &link.spec.field) else { continue };
        match &link.codec {
            // What follows from a codec before it is no fault of its own.
            Err(error) if error.code == Code::UnknownArray => {}
            // V2 says nothing of the order of filters: such a document is legal, though no chunk of it can be read.
            Err(error) if error.code == Code::CodecOrder && array.format == Format::V2 => {
                faults.add_as(Severity::Warning, json, error.clone());
            }
            Err(error) => {
                faults.add(json, error.clone());
            }
            Ok(_) => check_length(link, json, faults),
        }
        for note in &link.notes {
            faults.remark(&link.spec.field, json, note);
        }
    }
    if let (Some(fault), Some(json)) = (chain.fault, faults.optional("codecs")) {
        faults.add(json, fault);
    }
}

/// Elements of variable length have no bytes of their own to lay side by side.
fn check_length(link: &Link, json: &Json, faults: &mut Faults) {
    let side_by_side = |_: &&Representation| {
        link.row.is_some_and(|row| row.is_raw && row.kind == CodecKind::ArrayToBytes)
    };
    let array = link.decoded.as_ref().filter(side_by_side);
    let Some(array) = array.filter(|array| array.data_type.fixed_size().is_none()) else {
        return;
    };
    let found =
        format!("the `bytes` codec for {}, whose elements vary in length", array.data_type.name());
    let error = Error::new(
        Code::CodecDataType,
        found,
        "a codec for variable length, such as vlen-utf8 or vlen-bytes",
    );
    faults.add(json, error.at(&link.spec.field));
}

/// The value at `field`, which is `codecs[1]`, `filters[0]` or a plain member.
fn stands_at<'a>(faults: &Faults<'a>, field: &str) -> Option<&'a Json> {
    let (member, index) = match field.split_once('[') {
        None => return faults.optional(field),
        Some((member, rest)) => (member, rest.trim_end_matches(']').parse::<usize>().ok()?),
    };
    faults.optional(member)?.as_array()?.get(index)
}
