//! `vlen-utf8`, `vlen-bytes` and, of numcodecs, `vlen-array`: a count, then each element after its own length in bytes.
//! The same bytes in V2 and V3.

use super::object::{ObjectForm, PythonObject};
use super::prelude::*;

#[derive(Debug)]
struct Vlen {
    /// The type of the items of each element, where elements are arrays of their own; `None` where the array knows its
    /// data type.
    arrays_of: Option<Resolved>,
}

pub(super) static UTF8: CodecRow = CodecRow {
    nanoseconds: 8,
    v3: &["vlen-utf8", "numcodecs.vlen-utf8"],
    registered: true,
    v2: &["vlen-utf8"],
    lesson: "Variable-length strings: the element count, then each string as a 4-byte length followed by its UTF-8.",
    object_codec: true,
    to_v3: |spec, _| Ok(CodecSpec::new(&spec.name, "codecs")),
    to_v2: |spec, _| InV2::codec(&spec.name, []),
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

/// The codec of zarrs 0.23 for every data type of variable length; it is not registered.
pub(super) static V2: CodecRow = CodecRow {
    v3: &["zarrs.vlen_v2", "https://codec.zarrs.dev/array_to_bytes/vlen_v2"],
    lesson: "Variable-length elements: the element count, then each element as a 4-byte length followed by its \
             bytes, as in vlen-utf8 and vlen-bytes. Defined by zarrs 0.23.14.",
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

pub(super) static BYTES: CodecRow = CodecRow {
    nanoseconds: 8,
    v3: &["vlen-bytes", "numcodecs.vlen-bytes"],
    registered: true,
    v2: &["vlen-bytes"],
    lesson: "Variable-length byte strings: the element count, then each as a 4-byte length followed by its bytes.",
    object_codec: true,
    to_v3: |spec, _| Ok(CodecSpec::new(&spec.name, "codecs")),
    to_v2: |spec, _| InV2::codec(&spec.name, []),
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

fn build(setup: &Setup) -> Built {
    setup.only_variable_length()?;
    built(Vlen { arrays_of: None })
}

impl Codec for Vlen {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let data_type: Arc<dyn DataType> = match &self.arrays_of {
            Some(item) => Arc::new(PythonObject { form: ObjectForm::Array(item.clone()) }),
            None => Arc::clone(&context.array()?.data_type),
        };
        let bytes = context.whole()?;
        let mut ranges = Vec::new();
        let result = items(bytes, &mut ranges, context);
        let count = bytes.first_chunk().map(|count| u32::from_le_bytes(*count));
        let mut field = count.map(|count| HeaderField::new(0..4, "elements", count.to_string()));
        let notes = result.iter().filter_map(|&end| super::trailing(bytes, end)).collect();
        let error = result.err().or_else(|| {
            let (count, found) = (count?, format!("{} elements", count?));
            let expected = context.decoded?.other_count(count.into())?;
            if let Some(field) = field.as_mut() {
                field.problem = Some(expected.clone());
            }
            Some(Error::new(Code::ChunkWrongCount, found, expected).at_offset(0))
        });
        let elements = Elements::new(
            data_type,
            ByteOrder::NotApplicable,
            context.decoded.map_or_else(|| vec![ranges.len() as u64], |array| array.shape.clone()),
            context.decoded.is_some_and(|array| array.fortran),
            Places::Ranges(ranges.into()),
            context.input.bytes().clone(),
        );
        let header = field.into_iter().collect();
        Ok(Outcome { header, notes, error, ..Outcome::elements(elements) })
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        packed(context)
    }
}

pub(super) static ARRAY: CodecRow = CodecRow {
    nanoseconds: 8,
    v3: &["numcodecs.vlen-array"],
    v2: &["vlen-array"],
    members: &["dtype"],
    lesson: "Variable-length arrays: the element count, then each array as a 4-byte length followed by its items.",
    object_codec: true,
    object_type: |spec, data_types| {
        let item = data_types.from_dtype(spec.member("dtype")?.as_str()?).ok()?;
        Some(PythonObject { form: ObjectForm::Array(item) }.resolved())
    },
    to_v3: objects_lost_in_v3,
    ..CodecRow::new(CodecKind::ArrayToBytes, array)
};

fn array(setup: &Setup) -> Built {
    let item = setup.required("dtype", setup.dtype("dtype")?)?;
    if item.data_type.fixed_size().is_none() {
        return Err(setup.fault("dtype", item.data_type.name(), "a fixed-size data type"));
    }
    built(Vlen { arrays_of: Some(item) })
}

/// The codec as V3 writes it for elements of variable length.
pub(super) fn written(data_type: &dyn DataType) -> CodecSpec {
    let row = if data_type.kind() == "VariableLengthBytes" { &BYTES } else { &UTF8 };
    CodecSpec::new(row.v3.first().copied().unwrap_or_default(), "codecs")
}

/// The number of elements, then each one's length and bytes.
fn packed(context: &Context) -> Result<Data> {
    let fortran = context.decoded.is_some_and(|array| array.fortran);
    let elements = context.elements()?.laid_out(fortran)?;
    let length = |len: u64| {
        let narrow = u32::try_from(len).map(u32::to_le_bytes);
        narrow.map_err(|_more| Error::new(Code::TooLarge, len.to_string(), "a number of 32 bits"))
    };
    let mut out = length(elements.len())?.to_vec();
    for item in elements.items() {
        let item = item?;
        out.extend(length(item.len() as u64)?);
        out.extend_from_slice(item);
    }
    Ok(Data::whole(out))
}

/// Finds the bytes of every element, and where the last one ends. Grows with what is there, not with what the count
/// promises.
fn items(bytes: &[u8], ranges: &mut Vec<Range<u64>>, context: &Context) -> Result<usize> {
    let mut fields = ByteReader::new(bytes, 0);
    let count = fields.u32_le().ok_or_else(|| truncated(bytes.len(), "vlen header"))?;
    // An element takes 4 bytes at least, and its place in memory more: bytes that are within the limit may hold more
    // elements than are.
    let most = (count as usize).min(bytes.len() / 4);
    *ranges = room_within(context, most)?;
    for index in 0..count {
        if index % 65_536 == 0 && context.budget.is_stopped() {
            return Err(stopped());
        }
        let at = fields.at();
        let item = fields.u32_le().and_then(|len| fields.take(len as usize).map(<[u8]>::len));
        let Some(len) = item else {
            let found = format!("element {index} of {count}, which reaches past the end");
            let expected = format!("an end inside the {} bytes of the chunk", bytes.len());
            return Err(Error::new(Code::ChunkTruncated, found, expected).at_offset(at as u64));
        };
        let end = fields.at() as u64;
        ranges.push(end - len as u64..end);
    }
    Ok(fields.at())
}
