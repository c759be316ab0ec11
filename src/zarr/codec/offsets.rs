//! `zarrs.vlen`: elements of variable length as one run of bytes and an index of where each begins, both encoded on
//! their own. What zarrs 0.23 ships; it is not registered.

use super::prelude::*;

/// The number of bytes say how long the encoded index is.
const LENGTH: u64 = 8;

/// The codec.
#[derive(Debug)]
struct Offsets {
    /// The data type of an offset.
    offset: Resolved,
    index: InnerCodecs,
    data: InnerCodecs,
    at_start: bool,
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
    let (index, data) = (setup.inner("index_codecs")?, setup.inner("data_codecs")?);
    setup.only_variable_length()?;
    let key = "index_data_type";
    let offset = match setup.needed(key)? {
        json if matches!(json.as_str(), Some("uint32" | "uint64")) => {
            setup.registry.data_types.from_v3(json)?
        }
        other => return Err(setup.refuse(key, other, "\"uint32\" or \"uint64\"")),
    };
    let at_start = setup.choice("index_location", &[("start", true), ("end", false)])?;
    let at_start = at_start.unwrap_or(true);
    built(Offsets { offset, index, data, at_start })
}

impl Codec for Offsets {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let mut header = Vec::new();
        let elements = self.elements(context, &mut header);
        Ok(Outcome::after_header(header, elements))
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
        let index = self.index.encode(index, context)?;
        let data = if bytes.is_empty() {
            Data::whole(bytes)
        } else {
            let byte = FixedNumber::UINT8.shared();
            let run = Elements::from_slice(&byte, &[bytes.len() as u64], &bytes)?;
            self.data.encode(run, context)?
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
        let offsets = Representation::of(&self.offset.data_type, &[count]);
        let offsets = self.index.decode(&offsets, index, context)?;
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
            let byte = FixedNumber::UINT8.shared();
            let run = Representation::of(&byte, &[end]);
            self.data.decode(&run, data, context)?.bytes().clone()
        };
        let ranges = offsets.windows(2).map(|pair| pair[0]..pair[1]).collect();
        Ok(array.elements(Places::Ranges(ranges), bytes))
    }

    /// The places of index and data.
    fn parts(
        &self,
        bytes: &[u8],
        header: &mut Vec<HeaderField>,
    ) -> Result<(Range<u64>, Range<u64>)> {
        let len = bytes.len() as u64;
        let at = if self.at_start { Some(0) } else { len.checked_sub(LENGTH) };
        let mut fields = ByteReader::new(bytes, at.map_or(usize::MAX, to_usize));
        let index = fields.u64_le().ok_or_else(|| truncated(bytes.len(), "zarrs.vlen"))?;
        fields.field("index length", index.to_string());
        header.append(&mut fields.header);
        if index > len - LENGTH {
            let found = format!("an index of {index} bytes");
            let expected = format!("at most the {} bytes of the chunk", len - LENGTH);
            let error = Error::new(Code::CodecHeader, found, expected);
            return Err(error.at_offset(at.unwrap_or_default()));
        }
        Ok(if self.at_start {
            (LENGTH..LENGTH + index, LENGTH + index..len)
        } else {
            (len - LENGTH - index..len - LENGTH, 0..len - LENGTH - index)
        })
    }
}
