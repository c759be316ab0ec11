//! `zarrs.vlen`: elements of variable length as one run of bytes and an index of where each begins, both encoded on
//! their own. What zarrs 0.23 ships; it is not registered.

use super::built;
use super::prelude::*;
use crate::zarr::error::Result;

/// The number of bytes say how long the encoded index is.
const LENGTH: u64 = 8;

/// The codec.
#[derive(Debug)]
struct Offsets {
    /// The data type of an offset.
    offset: Resolved,
    index: Vec<CodecSpec>,
    data: Vec<CodecSpec>,
    at_start: bool,
    registry: Registry,
    depth: usize,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 9,
    v3: &["zarrs.vlen", "https://codec.zarrs.dev/array_to_bytes/vlen"],
    members: &["index_codecs", "data_codecs", "index_data_type", "index_location"],
    shown: &["index_data_type"],
    lesson: "Variable-length elements: all bytes in one run, plus an index of where each element begins, each with \
             codecs of its own. 8 bytes give the length of the encoded index. Defined by zarrs 0.23.14.",
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let (index, data) = (setup.specs("index_codecs")?, setup.specs("data_codecs")?);
    if let Some(array) = setup.array
        && array.data_type.item_size() != ItemSize::Variable
    {
        let found = format!("{} for {}", setup.name(), array.data_type.name());
        return Err(Error::new(Code::CodecDataType, found, "a variable-length data type"));
    }
    let key = "index_data_type";
    let offset = match setup.required(key, setup.member(key))? {
        json if matches!(json.as_str(), Some("uint32" | "uint64")) => {
            setup.registry.data_types.from_v3(json)?
        }
        other => return Err(setup.refuse(key, other, "\"uint32\" or \"uint64\"")),
    };
    let key = "index_location";
    let at_start = match setup.text(key)? {
        None | Some("start") => true,
        Some("end") => false,
        Some(other) => return Err(setup.fault(key, quoted(other), "\"start\" or \"end\"")),
    };
    let (registry, depth) = (setup.registry.clone(), setup.depth + 1);
    built(Offsets { offset, index, data, at_start, registry, depth })
}

impl Codec for Offsets {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let mut header = Vec::new();
        let elements = self.elements(context, &mut header);
        let outcome = match elements {
            Ok(elements) => Outcome::output(Data::Elements(elements)),
            Err(error) => Outcome::failed(error),
        };
        Ok(Outcome { header, ..outcome })
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let elements = context.elements()?.in_c_order()?;
        let (mut offsets, mut bytes) = (vec![0_u64], Vec::new());
        for item in elements.items() {
            bytes.extend_from_slice(item?);
            offsets.push(bytes.len() as u64);
        }
        let (kind, shape) = (&self.offset.data_type, [offsets.len() as u64]);
        let index = if kind.item_size() == ItemSize::Fixed(4) {
            let narrow = |&at: &u64| {
                let at = u32::try_from(at);
                at.map_err(|_more| {
                    Error::new(Code::TooLarge, format!("{} bytes", bytes.len()), "less than 4 GiB")
                })
            };
            let offsets = offsets.iter().map(narrow).collect::<Result<Vec<_>>>()?;
            Elements::from_slice(kind, &shape, &offsets)?
        } else {
            Elements::from_slice(kind, &shape, &offsets)?
        };
        let index =
            self.run(&self.index, kind, shape[0]).encode(Data::Elements(index), &context.budget)?;
        let data = if bytes.is_empty() {
            Data::whole(bytes)
        } else {
            let byte: Arc<dyn DataType> = Arc::new(FixedNumber::UINT8);
            let run = Elements::from_slice(&byte, &[bytes.len() as u64], &bytes)?;
            self.run(&self.data, &byte, run.len()).encode(Data::Elements(run), &context.budget)?
        };
        let (index, data) = (index.bytes().here(), data.bytes().here());
        let length = (index.len() as u64).to_le_bytes();
        let parts: [&[u8]; 3] =
            if self.at_start { [&length, index, data] } else { [data, index, &length] };
        Ok(Data::whole(parts.concat()))
    }
}

impl Offsets {
    fn elements(&self, context: &Context, header: &mut Vec<HeaderField>) -> Result<Elements> {
        let array = context.array()?;
        let (index, data) = self.parts(context.whole()?, header)?;
        let count =
            array.len().and_then(|len| len.checked_add(1)).ok_or_else(super::not_elements)?;
        let part = |range: Range<u64>| {
            context.input.bytes().slice(range).map(Data::Bytes).ok_or_else(super::not_elements)
        };
        let offsets = self
            .run(&self.index, &self.offset.data_type, count)
            .decode(part(index)?, &context.budget)?;
        let offsets = offsets.elements().ok_or_else(super::not_elements)?;
        let offsets: Vec<u64> = match self.offset.data_type.item_size() {
            ItemSize::Fixed(4) => offsets.to_vec::<u32>()?.into_iter().map(u64::from).collect(),
            _ => offsets.to_vec()?,
        };
        let end = offsets.last().copied().unwrap_or(0);
        if let Some(at) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            let found = format!("offset {at} of the index after offset {}", at + 1);
            return Err(Error::new(Code::ChunkCorrupt, found, "offsets that do not decrease"));
        }
        let bytes = if end == 0 {
            Bytes::whole(Vec::new())
        } else {
            let byte: Arc<dyn DataType> = Arc::new(FixedNumber::UINT8);
            let chain = self.run(&self.data, &byte, end);
            chain.decode(part(data)?, &context.budget)?.bytes().clone()
        };
        let ranges: Vec<_> = offsets.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let (data_type, shape) = (Arc::clone(&array.data_type), array.shape.clone());
        let places = Places::Ranges(ranges.into());
        Ok(Elements::new(data_type, ByteOrder::NotApplicable, shape, false, places, bytes))
    }

    /// The codecs `specs` for a run of `len` numbers.
    fn run(&self, specs: &[CodecSpec], number: &Arc<dyn DataType>, len: u64) -> Chain {
        let run = Representation {
            order: number.default_order(),
            data_type: Arc::clone(number),
            shape: vec![len],
            fortran: false,
            fill: Arc::default(),
        };
        Chain::build(specs, Format::V3, &self.registry, Some(&run), self.depth)
    }

    /// The places of index and data.
    fn parts(
        &self,
        bytes: &[u8],
        header: &mut Vec<HeaderField>,
    ) -> Result<(Range<u64>, Range<u64>)> {
        let len = bytes.len() as u64;
        let at =
            if self.at_start { Some(0..LENGTH) } else { len.checked_sub(LENGTH).map(|at| at..len) };
        let read = |at: Range<u64>| {
            let range = usize::try_from(at.start).ok()?..usize::try_from(at.end).ok()?;
            Some((at, u64::from_le_bytes(bytes.get(range)?.try_into().ok()?)))
        };
        let (at, index) = at.and_then(read).ok_or_else(|| truncated(bytes.len(), "zarrs.vlen"))?;
        header.push(HeaderField::new(at.clone(), "index length", index.to_string()));
        if index > len - LENGTH {
            let found = format!("an index of {index} bytes");
            let expected = format!("at most the {} bytes of the chunk", len - LENGTH);
            return Err(Error::new(Code::CodecHeader, found, expected).at_offset(at.start));
        }
        Ok(if self.at_start {
            (LENGTH..LENGTH + index, LENGTH + index..len)
        } else {
            (len - LENGTH - index..len - LENGTH, 0..len - LENGTH - index)
        })
    }
}
