//! `n5_default`: a block of N5. It begins with its own shape, and may be smaller than the chunk at the array's edge.

use super::{prelude::*, sharding::all_fill};

/// The codec.
#[derive(Debug)]
struct N5Default {
    /// The codecs of the elements of a block.
    inner: InnerCodecs,
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
    let inner = setup.inner("codecs")?;
    let specs = &inner.specs;
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
    inner.chain(array).error().cloned().map_or(Ok(()), Err)?;
    built(N5Default { inner })
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
        let mut fields = ByteReader::new(bytes, 0);
        let shape = block_shape(&mut fields, bytes.len(), array.shape.len());
        let (start, header) = (fields.at() as u64, fields.header);
        let shape = match shape {
            Ok(shape) => shape,
            Err(error) => return Ok(Outcome { header, ..Outcome::failed(error) }),
        };
        let block = Representation { shape, ..array.clone() };
        let decoded = self.inner.decode(&block, start..bytes.len() as u64, context);
        // Those of the block, cut or filled to the chunk's shape.
        let result = decoded.and_then(|elements| {
            if block.shape == array.shape {
                return Ok(elements);
            }
            fitted(&elements, array, context)
        });
        let error = result.as_ref().err().cloned();
        let moves = self.inner.specs.len() == 2;
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
        let chain = self.inner.chain(array);
        out.extend_from_slice(chain.encode(context.input.clone(), &context.budget)?.bytes().here());
        Ok(Data::whole(out))
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
    let mut out = all_fill(array, size, len)?;
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
fn block_shape(fields: &mut ByteReader, len: usize, rank: usize) -> Result<Vec<u64>> {
    let short = || truncated(len, "N5 header");
    let mode = fields.u16_be().ok_or_else(short)?;
    let name = match mode {
        0 => "0, default",
        1 => "1, variable length",
        2 => "2, object",
        _ => "unknown",
    };
    fields.field("mode", name);
    let dimensions = fields.u16_be().ok_or_else(short)?;
    fields.field("dimensions", dimensions.to_string());
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
        let length = fields.u32_be().ok_or_else(short)?;
        fields.field(format!("length {axis}"), length.to_string());
        shape.push(u64::from(length));
    }
    Ok(shape)
}
