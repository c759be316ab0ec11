//! `categorize` of numcodecs: texts stored as numbers, 1 for the first label, 0 for a text that is no label.
//!
//! Texts of fixed length (`<U8`) come out as bytes for the filter before; objects (`|O`) come out as elements, since
//! nothing else would make any of them.

use super::numeric_filter::partial;
use super::prelude::*;
use crate::zarr::data_type::StringType;

#[derive(Debug)]
struct Categorize {
    numbers: Numeric,
    /// The bytes of each label as they come out.
    labels: Vec<Vec<u8>>,
    /// The bytes of an element; `None` for objects.
    size: Option<usize>,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 9,
    v3: &["numcodecs.categorize"],
    v2: &["categorize"],
    members: &["labels", "dtype", "astype"],
    lesson: "Stores each label as its number; 0 means none of the labels.",
    object_type: |spec, _| {
        let objects = spec.member("dtype").and_then(Json::as_str) == Some("|O");
        objects.then(|| Resolved::of(StringType::Text))
    },
    to_v3: objects_lost_in_v3,
    ..CodecRow::new(CodecKind::ArrayToArray, build)
};

fn build(setup: &Setup) -> Built {
    let json = setup.needed("labels")?;
    let expected = "an array of strings";
    let items = json.as_array().ok_or_else(|| setup.refuse("labels", json, expected))?;
    let text = |item| Json::as_str(item).ok_or_else(|| setup.refuse("labels", item, expected));
    let labels = items.iter().map(text).collect::<Result<Vec<&str>>>()?;
    let numbers = match setup.dtype("astype")? {
        None => Numeric::require(&FixedNumber::UINT8, &ByteOrder::NotApplicable)?,
        Some(Resolved { data_type, order, .. }) => Numeric::require(data_type.as_ref(), &order)?,
    };
    let dtype = setup.required("dtype", setup.text("dtype")?)?;
    if dtype == "|O" {
        let labels = labels.into_iter().map(|label| label.as_bytes().to_vec()).collect();
        return built(Categorize { numbers, labels, size: None });
    }
    let resolved = setup.required("dtype", setup.dtype("dtype")?)?;
    let size = resolved.data_type.fixed_size();
    let size = size.filter(|_| resolved.data_type.name().starts_with("fixed_length_utf32"));
    let size =
        size.ok_or_else(|| setup.fault("dtype", dtype, "\"|O\" or a text dtype such as \"<U8\""))?;
    let endian = resolved.order.endian();
    let labels = labels.into_iter().map(|label| utf32(label, size, endian)).collect();
    built(Categorize { numbers, labels, size: Some(size) })
}

/// A text in UTF-32, cut or padded with zeros to `size` bytes, as NumPy does it.
fn utf32(text: &str, size: usize, endian: Endian) -> Vec<u8> {
    let unit = |c| match endian {
        Endian::Little => u32::from(c).to_le_bytes(),
        Endian::Big => u32::from(c).to_be_bytes(),
    };
    let mut out: Vec<u8> = text.chars().take(size / 4).flat_map(unit).collect();
    // Grows to what the data type says, which it bounds; labels are few.
    out.resize(size.min(out.len().max(LONGEST)), 0);
    out
}

/// A label is not padded beyond this; the rest of its element is padded when that is written.
const LONGEST: usize = 1 << 12;

impl Codec for Categorize {
    fn kind(&self) -> CodecKind {
        if self.size.is_some() { CodecKind::BytesToBytes } else { CodecKind::ArrayToBytes }
    }

    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        let Some(size) = self.size else { return ByteCount::default() };
        decoded.map(|len| (len / size as u64).checked_mul(self.numbers.size as u64))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let bytes = context.whole()?;
        let (mut out, mut ranges) = (Vec::new(), Vec::new());
        let error = self.labels(bytes, context, &mut out, &mut ranges).err();
        if self.size.is_some() {
            return Ok(Outcome { error, ..Outcome::bytes(out) });
        }
        let count = ranges.len() as u64;
        let error = error.or_else(|| {
            let expected = context.decoded?.other_count(count)?;
            Some(Error::new(Code::ChunkWrongCount, format!("{count} elements"), expected))
        });
        let shape = context.decoded.map_or_else(|| vec![count], |array| array.shape.clone());
        let elements = Elements::new(
            Arc::new(StringType::Text),
            ByteOrder::NotApplicable,
            shape,
            context.decoded.is_some_and(|array| array.fortran),
            Places::Ranges(ranges.into()),
            Bytes::whole(out),
        );
        Ok(Outcome { error, ..Outcome::elements(elements) })
    }

    /// The number of each label; a text that is none of them becomes 0, which is undone as an empty text.
    fn encode(&self, context: &Context) -> Result<Data> {
        let mut out = Vec::new();
        let mut push = |text: &[u8]| {
            let padded = |label: &[u8]| {
                let rest = text.strip_prefix(label);
                rest.is_some_and(|rest| rest.iter().all(|&byte| byte == 0))
                    && (self.size.is_some() || label.len() == text.len())
            };
            let found = self.labels.iter().rposition(|label| padded(trimmed(label, self.size)));
            let number = found.map_or(0, |at| at as i128 + 1);
            self.numbers.push(self.numbers.cast(Number::Int(number)), &mut out);
        };
        if let Some(size) = self.size {
            context.whole()?.chunks_exact(size).for_each(&mut push);
        } else {
            let fortran = context.decoded.is_some_and(|array| array.fortran);
            for item in context.elements()?.laid_out(fortran)?.items() {
                push(item?);
            }
        }
        Ok(Data::whole(out))
    }

    fn is_elementwise(&self) -> bool {
        true
    }
}

/// A label of fixed length without the zeros that pad it.
fn trimmed(label: &[u8], size: Option<usize>) -> &[u8] {
    let end = label.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
    size.and_then(|_| label.get(..end)).unwrap_or(label)
}

impl Categorize {
    /// The labels of all numbers, one after the other, and where each is.
    fn labels(
        &self,
        bytes: &[u8],
        context: &Context,
        out: &mut Vec<u8>,
        ranges: &mut Vec<Range<u64>>,
    ) -> Result<()> {
        *ranges = room_within(context, bytes.len() / self.numbers.size)?;
        for (index, number) in bytes.chunks_exact(self.numbers.size).enumerate() {
            if index % 65_536 == 0 && context.budget.is_stopped() {
                return Err(stopped());
            }
            let label = match self.numbers.read(number) {
                Number::Int(k) => usize::try_from(k - 1).ok().and_then(|at| self.labels.get(at)),
                Number::Float(_) => None,
            };
            let label = label.map(Vec::as_slice).unwrap_or_default();
            let start = out.len();
            let end = start.saturating_add(self.size.unwrap_or(label.len()));
            if end as u64 > context.budget.limit() {
                return Err(too_large(context));
            }
            out.extend_from_slice(label);
            out.resize(end, 0);
            ranges.push(start as u64..end as u64);
        }
        partial(bytes.len(), self.numbers.size).map_or(Ok(()), Err)
    }
}
