//! `zarrs.optional`: which elements have a value, and the values of those that have one, each through codecs of its
//! own. What zarrs 0.23 ships, for the data type of that name.

use super::built;
use super::prelude::*;
use crate::zarr::{data_type::optional::SOME, error::Result};

/// The number of bytes say how long the encoded mask and the encoded values are.
const LENGTHS: u64 = 16;

/// The codec.
#[derive(Debug)]
struct OptionalCodec {
    mask: Vec<CodecSpec>,
    data: Vec<CodecSpec>,
    registry: Registry,
    depth: usize,
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
    let (mask, data) = (setup.specs("mask_codecs")?, setup.specs("data_codecs")?);
    if let Some(array) = setup.array.filter(|array| array.data_type.inner().is_none()) {
        let found = format!("{} for {}", setup.name(), array.data_type.name());
        return Err(Error::new(Code::CodecDataType, found, "the data type zarrs.optional"));
    }
    let (registry, depth) = (setup.registry.clone(), setup.depth + 1);
    built(OptionalCodec { mask, data, registry, depth })
}

impl Codec for OptionalCodec {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let mut header = Vec::new();
        let outcome = match self.elements(context, &mut header) {
            Ok(elements) => Outcome::output(Data::Elements(elements)),
            Err(error) => Outcome::failed(error),
        };
        Ok(Outcome { header, ..outcome })
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
        let bool: Arc<dyn DataType> = Arc::new(FixedNumber::BOOL);
        let mask = Elements::from_slice(&bool, &array.shape, &mask)?;
        let mask = self
            .chain(&self.mask, &bool, &array.shape)
            .encode(Data::Elements(mask), &context.budget)?;
        let shape = [places.len() as u64];
        let data = if places.is_empty() {
            Data::whole(Vec::new())
        } else {
            let size = inner.fixed_size();
            let places = size.map_or_else(|| Places::Ranges(places.into()), Places::Fixed);
            let (order, values) = (inner.default_order(), Bytes::whole(values));
            let values =
                Elements::new(Arc::clone(inner), order, shape.to_vec(), false, places, values);
            self.chain(&self.data, inner, &shape).encode(Data::Elements(values), &context.budget)?
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
        let part = |range: Range<u64>| {
            context.input.bytes().slice(range).map(Data::Bytes).ok_or_else(super::not_elements)
        };
        let bool: Arc<dyn DataType> = Arc::new(FixedNumber::BOOL);
        let mask =
            self.chain(&self.mask, &bool, &array.shape).decode(part(mask)?, &context.budget)?;
        let mask: Vec<bool> = mask.elements().ok_or_else(super::not_elements)?.to_vec()?;
        let count = mask.iter().filter(|has_value| **has_value).count() as u64;
        let values = match count {
            0 => None,
            count => {
                Some(self.chain(&self.data, inner, &[count]).decode(part(data)?, &context.budget)?)
            }
        };
        let values = values.as_ref().and_then(Data::elements);
        let (bytes, places) = dense(&mask, values, context)?;
        let (data_type, shape) = (Arc::clone(&array.data_type), array.shape.clone());
        let (order, places) = (ByteOrder::NotApplicable, Places::Ranges(places.into()));
        Ok(Elements::new(data_type, order, shape, false, places, Bytes::whole(bytes)))
    }

    /// The codecs `specs` for an array of this shape.
    fn chain(&self, specs: &[CodecSpec], data_type: &Arc<dyn DataType>, shape: &[u64]) -> Chain {
        let array = Representation {
            order: data_type.default_order(),
            data_type: Arc::clone(data_type),
            shape: shape.to_vec(),
            fortran: false,
            fill: Arc::default(),
        };
        Chain::build(specs, Format::V3, &self.registry, Some(&array), self.depth)
    }
}

/// The bytes of every element, and where each is: the values, in their order, where the mask says so.
fn dense(
    mask: &[bool],
    values: Option<&Elements>,
    context: &Context,
) -> Result<(Vec<u8>, Vec<Range<u64>>)> {
    let values = values.map(Elements::in_c_order).transpose()?;
    let fixed = values.as_ref().filter(|values| matches!(values.places(), Places::Fixed(_)));
    let little =
        fixed.map(|values| values.encoded_in(&ByteOrder::All(Endian::Little))).transpose()?;
    let mut items: Box<dyn Iterator<Item = Result<&[u8]>>> = match (&values, &little) {
        (Some(Elements { .. }), Some(bytes)) => {
            let size = values.as_ref().and_then(|values| values.data_type().fixed_size());
            Box::new(bytes.chunks_exact(size.unwrap_or(1)).map(Ok))
        }
        (Some(values), None) => Box::new(values.items()),
        (None, _) => Box::new(std::iter::empty()),
    };
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

/// The places of mask and values.
fn parts(bytes: &[u8], header: &mut Vec<HeaderField>) -> Result<(Range<u64>, Range<u64>)> {
    let len = bytes.len() as u64;
    let mut fields = ByteReader::new(bytes, 0);
    let mut length = || Some(u64::from_le_bytes(fields.take(8)?.try_into().ok()?));
    let lengths = length().zip(length());
    let (mask, data) = lengths.ok_or_else(|| truncated(bytes.len(), "zarrs.optional"))?;
    header.push(HeaderField::new(0..8, "mask length", mask.to_string()));
    header.push(HeaderField::new(8..16, "data length", data.to_string()));
    let end = mask.checked_add(data).and_then(|both| both.checked_add(LENGTHS));
    if end.is_none_or(|end| end > len) {
        let found = format!("a mask of {mask} bytes and values of {data}");
        let expected = format!("no more than the {} bytes after the header", len - LENGTHS);
        return Err(Error::new(Code::CodecHeader, found, expected).at_offset(0));
    }
    Ok((LENGTHS..LENGTHS + mask, LENGTHS + mask..LENGTHS + mask + data))
}
