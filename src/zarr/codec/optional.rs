//! `zarrs.optional`: which elements have a value, and the values of those that have one, each through codecs of its
//! own. What zarrs 0.23 ships, for the data type of that name.

use super::prelude::*;
use crate::zarr::data_type::optional::SOME;

/// The number of bytes say how long the encoded mask and the encoded values are.
const LENGTHS: u64 = 16;

/// The codec.
#[derive(Debug)]
struct OptionalCodec {
    mask: InnerCodecs,
    data: InnerCodecs,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 4,
    v3: &["zarrs.optional", "optional", "https://codec.zarrs.dev/array_to_bytes/optional"],
    members: &["mask_codecs", "data_codecs"],
    shown: &[],
    lesson: "Elements that may have no value: a mask of those that have one, and their values, each through codecs of \
             its own. Two 8-byte lengths come first. Defined by zarrs 0.23.14.",
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let (mask, data) = (setup.inner("mask_codecs")?, setup.inner("data_codecs")?);
    if let Some(array) = setup.array.filter(|array| array.data_type.inner().is_none()) {
        let found = format!("{} for {}", setup.name(), array.data_type.name());
        return Err(Error::new(Code::CodecDataType, found, "the data type zarrs.optional"));
    }
    built(OptionalCodec { mask, data })
}

impl Codec for OptionalCodec {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let mut header = Vec::new();
        let elements = self.elements(context, &mut header);
        Ok(Outcome::after_header(header, elements))
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let (array, elements) = (context.array()?, context.elements()?.in_c_order()?);
        let inner = array.data_type.inner().ok_or_else(super::not_elements)?;
        let (mut mask, mut values, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for item in elements.items() {
            let value = item?.split_first().map(|(_, value)| value);
            mask.push(value.is_some());
            if let Some(value) = value {
                let start = values.len() as u64;
                values.extend_from_slice(value);
                places.push(start..values.len() as u64);
            }
        }
        let bool = FixedNumber::BOOL.shared();
        let mask = Elements::from_slice(&bool, &array.shape, &mask)?;
        let mask = self.mask.encode(mask, context)?;
        let data = if places.is_empty() {
            Data::whole(Vec::new())
        } else {
            let values_of = Representation::of(inner, &[places.len() as u64]);
            let size = inner.fixed_size();
            let places = size.map_or_else(|| Places::Ranges(places.into()), Places::Fixed);
            self.data.encode(values_of.elements(places, Bytes::whole(values)), context)?
        };
        let (mask, data) = (mask.bytes().here(), data.bytes().here());
        let lengths = [mask, data].map(|part| (part.len() as u64).to_le_bytes());
        Ok(Data::whole([&lengths.concat(), mask, data].concat()))
    }
}

impl OptionalCodec {
    fn elements(&self, context: &Context, header: &mut Vec<HeaderField>) -> Result<Elements> {
        let array = context.array()?;
        let inner = array.data_type.inner().ok_or_else(super::not_elements)?;
        let (mask, data) = parts(context.whole()?, header)?;
        let bool = FixedNumber::BOOL.shared();
        let mask_of = Representation::of(&bool, &array.shape);
        let mask: Vec<bool> = self.mask.decode(&mask_of, mask, context)?.to_vec()?;
        let values = match mask.iter().filter(|has_value| **has_value).count() {
            0 => None,
            count => {
                let values_of = Representation::of(inner, &[count as u64]);
                Some(self.data.decode(&values_of, data, context)?)
            }
        };
        let (bytes, places) = dense(&mask, values.as_ref(), context)?;
        Ok(array.elements(Places::Ranges(places.into()), Bytes::whole(bytes)))
    }
}

/// The bytes of every element, and where each is: the values, in their order, where the mask says so.
fn dense(
    mask: &[bool],
    values: Option<&Elements>,
    context: &Context,
) -> Result<(Vec<u8>, Vec<Range<u64>>)> {
    let values = values.map(little_endian).transpose()?;
    let mut items = values.iter().flat_map(Elements::items);
    let (mut bytes, mut places) = (Vec::new(), Vec::new());
    for (index, has_value) in mask.iter().enumerate() {
        if index % 65_536 == 0 && context.budget.is_stopped() {
            return Err(stopped());
        }
        let start = bytes.len() as u64;
        if *has_value {
            bytes.push(SOME);
            bytes.extend_from_slice(items.next().ok_or_else(super::not_elements)??);
        }
        places.push(start..bytes.len() as u64);
        let size = size_of::<Range<u64>>() as u64 * places.len() as u64 + bytes.len() as u64;
        if size > context.budget.limit() {
            return Err(too_large(context));
        }
    }
    Ok((bytes, places))
}

/// The values in C order, those of one size little-endian.
fn little_endian(values: &Elements) -> Result<Elements> {
    let sorted = values.in_c_order()?;
    match sorted.places() {
        Places::Fixed(_) => {
            let bytes = sorted.encoded_in(&ByteOrder::All(Endian::Little))?;
            Ok(sorted.over(Bytes::whole(bytes)))
        }
        Places::Ranges(_) => Ok(sorted),
    }
}

/// The places of mask and values.
fn parts(bytes: &[u8], header: &mut Vec<HeaderField>) -> Result<(Range<u64>, Range<u64>)> {
    let len = bytes.len() as u64;
    let mut fields = ByteReader::new(bytes, 0);
    let mut length = |name: &str| {
        let length = fields.u64_le()?;
        fields.field(name, length.to_string());
        Some(length)
    };
    let lengths = length("mask length").zip(length("data length"));
    let (mask, data) = lengths.ok_or_else(|| truncated(bytes.len(), "zarrs.optional"))?;
    header.append(&mut fields.header);
    let end = mask.checked_add(data).and_then(|both| both.checked_add(LENGTHS));
    if end.is_none_or(|end| end > len) {
        let found = format!("a mask of {mask} bytes and values of {data}");
        let expected = format!("no more than the {} bytes after the header", len - LENGTHS);
        return Err(Error::new(Code::CodecHeader, found, expected).at_offset(0));
    }
    Ok((LENGTHS..LENGTHS + mask, LENGTHS + mask..LENGTHS + mask + data))
}
