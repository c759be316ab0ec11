//! `n5_default`: a block of N5. It begins with its own shape, and may be smaller than the chunk at the array's edge.

use super::built;
use super::prelude::*;
use crate::zarr::error::Result;

/// The codec.
#[derive(Debug)]
struct N5Default {
    /// The codecs of the elements of a block.
    specs: Vec<CodecSpec>,
    /// The registry that the codecs are looked up in.
    registry: Registry,
    depth: usize,
}

pub(super) static ROW: CodecRow = CodecRow {
    v3: &["n5_default"],
    members: &["codecs"],
    shown: &[],
    registered: true,
    endian: |_, _| Some(Some(Endian::Big)),
    lesson: "An N5 block: a header of big-endian numbers gives the block's own shape; its elements follow in \
             column-major order, big-endian and possibly compressed.",
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let specs = setup.specs("codecs")?;
    let array = setup.array()?;
    let expected = "a transpose that reverses all dimensions, then bytes with endian \"big\", then at most one \
                    compressor";
    let column_major = super::column_major(array.shape.len());
    let order =
        specs.first().map(|spec| spec.name == column_major.name && same_order(spec, &column_major));
    let big = specs.get(1).and_then(|spec| spec.member("endian"));
    let big = big.and_then(Json::as_str) == Some("big") || !array.data_type.has_byte_order();
    if order != Some(true) || !big || specs.len() > 3 {
        let found = setup.member("codecs").map_or_else(String::new, Json::describe);
        return Err(setup.fault("codecs", found, expected));
    }
    let chain = Chain::build(&specs, Format::V3, setup.registry, Some(array), setup.depth + 1);
    chain.error().cloned().map_or(Ok(()), Err)?;
    let (registry, depth) = (setup.registry.clone(), setup.depth + 1);
    built(N5Default { specs, registry, depth })
}

fn same_order(one: &CodecSpec, other: &CodecSpec) -> bool {
    let axes = |spec: &CodecSpec| -> Option<Vec<u64>> {
        spec.member("order")?.as_array()?.iter().map(Json::as_u64).collect()
    };
    axes(one) == axes(other)
}

impl Codec for N5Default {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    /// A block may be smaller than the chunk.
    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        ByteCount { exact: None, ..decoded.compressed() }
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let (array, bytes) = (context.array()?, context.whole()?);
        let mut header = Vec::new();
        let shape = match block_shape(bytes, array.shape.len(), &mut header) {
            Ok(shape) => shape,
            Err(error) => return Ok(Outcome { header, ..Outcome::failed(error) }),
        };
        let start = header.last().map_or(0, |field| field.bytes.end);
        let result = self.elements(context.input.bytes(), start, shape, array, context);
        let error = result.as_ref().err().cloned();
        let moves = self.specs.len() == 2;
        let block = |elements: &Elements| Block {
            input: start..bytes.len() as u64,
            output: 0..elements.bytes().len(),
            exact: moves
                && elements.bytes().len() == bytes.len() as u64 - start
                && !elements.is_c_order(),
        };
        let blocks = result.as_ref().map(|elements| vec![block(elements)]).unwrap_or_default();
        let output = result.ok().map(Data::Elements);
        Ok(Outcome { output, header, blocks, error, ..Outcome::default() })
    }

    /// A block of the chunk's own shape.
    fn encode(&self, context: &Context) -> Result<Data> {
        let array = context.array()?;
        let large = |found: u64| {
            Error::new(Code::TooLarge, found.to_string(), "a length that the N5 header can hold")
        };
        let rank = array.shape.len() as u64;
        let mut out = vec![0, 0];
        out.extend(u16::try_from(rank).map_err(|_more| large(rank))?.to_be_bytes());
        for &length in &array.shape {
            out.extend(u32::try_from(length).map_err(|_more| large(length))?.to_be_bytes());
        }
        let chain = Chain::build(&self.specs, Format::V3, &self.registry, Some(array), self.depth);
        out.extend_from_slice(chain.encode(context.input.clone(), &context.budget)?.bytes().here());
        Ok(Data::whole(out))
    }
}

impl N5Default {
    /// The elements of a chunk: those of the block that begins at `start`, cut or filled to the chunk's shape.
    fn elements(
        &self,
        bytes: &Bytes,
        start: u64,
        shape: Vec<u64>,
        array: &Representation,
        context: &Context,
    ) -> Result<Elements> {
        let block = Representation { shape, ..array.clone() };
        let chain = Chain::build(&self.specs, Format::V3, &self.registry, Some(&block), self.depth);
        let data = bytes.slice(start..bytes.len()).ok_or_else(super::not_elements)?;
        let decoded = chain.decode(Data::Bytes(data), &context.budget)?;
        let elements = decoded.elements().ok_or_else(super::not_elements)?;
        if block.shape == array.shape {
            return Ok(elements.clone());
        }
        fitted(elements, array, context)
    }
}

/// The elements of a block that has another shape than the chunk, in the chunk's; the fill value is where the block
/// has none.
fn fitted(elements: &Elements, array: &Representation, context: &Context) -> Result<Elements> {
    let size = array.data_type.fixed_size().ok_or_else(super::not_elements)?;
    let len = array.byte_len().filter(|&len| len <= context.budget.limit());
    let len = len.and_then(|len| usize::try_from(len).ok()).ok_or_else(|| {
        let found = format!("a chunk of {} elements", times(&array.shape));
        Error::new(
            Code::DecodedTooLarge,
            found,
            format!("at most {} bytes", context.budget.limit()),
        )
    })?;
    let fill = Some(&*array.fill).filter(|fill| fill.len() == size);
    let mut out = fill.map_or_else(|| vec![0; len], |fill| fill.repeat(len / size));
    for position in 0..elements.len() {
        let at = elements.coordinates(position);
        let number =
            order::number(&at, &array.shape).and_then(|number| usize::try_from(number).ok());
        let target = number.and_then(|number| out.get_mut(number * size..(number + 1) * size));
        if let (Some(target), Some(bytes)) =
            (target, elements.bytes().get(elements.byte_range(position)))
        {
            target.copy_from_slice(bytes);
        }
    }
    let (data_type, order) = (Arc::clone(elements.data_type()), elements.order().clone());
    let (shape, bytes) = (array.shape.clone(), Bytes::whole(out));
    Ok(Elements::new(data_type, order, shape, false, Places::Fixed(size), bytes))
}

/// The shape of the block, which its header says.
fn block_shape(bytes: &[u8], rank: usize, header: &mut Vec<HeaderField>) -> Result<Vec<u64>> {
    let mut fields = ByteReader::new(bytes, 0);
    let short = || truncated(bytes.len(), "N5 header");
    let mode = number(&mut fields).ok_or_else(short)?;
    let name = match mode {
        0 => "0, default",
        1 => "1, variable length",
        2 => "2, object",
        _ => "unknown",
    };
    header.push(HeaderField::new(0..2, "mode", name));
    let dimensions = number(&mut fields).ok_or_else(short)?;
    header.push(HeaderField::new(2..4, "dimensions", dimensions.to_string()));
    let fault = |at: u64, found: String, expected: String| {
        Err(Error::new(Code::CodecHeader, found, expected).at_offset(at))
    };
    if mode != 0 {
        return fault(0, format!("an N5 block of mode {mode}"), "mode 0, default".into());
    }
    if usize::from(dimensions) != rank {
        return fault(
            2,
            format!("an N5 block of {dimensions} dimensions"),
            format!("{rank}, as in the array"),
        );
    }
    let mut shape = Vec::with_capacity(rank);
    for axis in 0..rank {
        let at = fields.at() as u64;
        let length = fields.u32_be().ok_or_else(short)?;
        header.push(HeaderField::new(at..at + 4, format!("length {axis}"), length.to_string()));
        shape.push(u64::from(length));
    }
    Ok(shape)
}

fn number(fields: &mut ByteReader) -> Option<u16> {
    Some(u16::from_be_bytes(fields.take(2)?.try_into().ok()?))
}
