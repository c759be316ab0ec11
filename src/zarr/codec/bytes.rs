//! `bytes`: elements one after the other in C order, each in the byte order that the codec names (V3) or the `dtype`
//! (V2, where the codec is implied and `order: F` makes it column-major).
//!
//! Decoding copies nothing: the bytes become elements by being looked at so.

use super::prelude::*;
use super::spec::BYTES as NAME;
use crate::zarr::words::grouped;

/// The codec, with the byte order it imposes; `None`: the array knows (V2).
#[derive(Debug)]
struct BytesCodec {
    order: Option<ByteOrder>,
}

/// The registered name first, then the one it had before it was accepted, and the URIs that the specification still
/// permits.
pub(super) static ROW: CodecRow = CodecRow {
    v3: &[
        NAME,
        "endian",
        "https://purl.org/zarr/spec/codecs/bytes/1.0",
        "https://purl.org/zarr/spec/codecs/endian/1.0",
    ],
    v2: &[NAME],
    members: &["endian"],
    shown: &["endian"],
    lesson: "Turns elements into bytes, in C order and in the byte order given by `endian`. In V2 the dtype gives \
             the byte order.",
    is_raw: true,
    registered: true,
    endian: |spec, _| {
        let endian = spec.member("endian").and_then(Json::as_str);
        Some(endian.and_then(|word| match word {
            "little" => Some(Endian::Little),
            "big" => Some(Endian::Big),
            _ => None,
        }))
    },
    to_v3: lost_in_v3,
    to_v2: |_, _| InV2::Dtype,
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

fn build(setup: &Setup) -> Built {
    if setup.spec.implied {
        return built(BytesCodec { order: None });
    }
    let endian = setup.member("endian").map(|json| endian(setup, json)).transpose()?;
    if let Some(member) = setup.unknown_member(&["endian"]) {
        let found = format!("the member {}", quoted(member));
        return Err(setup.fault(member, found, "only endian"));
    }
    let mut notes: Vec<_> = name_note(&setup.spec.name).into_iter().collect();
    let ordered = setup.array.is_none_or(|array| array.data_type.has_byte_order());
    let silent = setup.array.filter(|_| ordered && endian.is_none());
    if silent.is_some_and(|array| array.data_type.is_little_unless_said()) {
        let text = "The `bytes` codec has no endian; for the legacy data type structured, that means little-endian. \
                    zarr-python 3.4.2 and TensorStore 0.1.86 read it that way; zarrs 0.23.14 and GDAL 3.12.2 refuse \
                    the array.";
        notes.push(Note::new(Code::EndianBySpec, text));
    } else if silent.is_some() {
        let text = "The `bytes` codec has no endian, although elements have several bytes: little-endian is a guess. \
                    zarr-python 3.1.6 assumes the machine's byte order; 3.4.2, zarrs 0.23.14 and TensorStore 0.1.86 \
                    refuse the array.";
        notes.push(Note::new(Code::EndianGuessed, text));
    }
    let order = if ordered {
        ByteOrder::All(endian.unwrap_or(Endian::Little))
    } else {
        ByteOrder::NotApplicable
    };
    Ok(Flagged { value: Arc::new(BytesCodec { order: Some(order) }), notes })
}

fn endian(setup: &Setup, json: &Json) -> Result<Endian> {
    match json.as_str() {
        Some("little") => Ok(Endian::Little),
        Some("big") => Ok(Endian::Big),
        _ => Err(setup.refuse("endian", json, "\"little\" or \"big\"")),
    }
}

/// The codec as V3 writes it for elements of this byte order.
pub(super) fn written(endian: Option<Endian>) -> CodecSpec {
    match endian {
        Some(endian) => in_v3(NAME, [("endian", Json::from(endian.word()))]),
        None => CodecSpec::new(NAME, "codecs"),
    }
}

/// The note on another name than `bytes`.
fn name_note(name: &str) -> Option<Note> {
    match name {
        NAME => None,
        "endian" => {
            let text = "\"endian\" is the name that the `bytes` codec had before Zarr V3 was accepted. zarr-python \
                        3.4.2 and TensorStore 0.1.86 refuse it; zarrs 0.23.14 and GDAL 3.12.2 read it.";
            Some(Note::new(Code::OldCodecName, text))
        }
        _ => {
            let text = "The specification allows URIs as names, but none defines that this one means \"bytes\".";
            Some(Note::new(Code::UnregisteredExtension, text))
        }
    }
}

impl Codec for BytesCodec {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let array = context.array()?;
        let Some(size) = array.data_type.fixed_size() else {
            let found = format!("variable-length elements ({})", array.data_type.name());
            let expected = "a fixed-size data type, or a codec such as vlen-utf8";
            return Err(Error::new(Code::CodecDataType, found, expected));
        };
        let order = self.order.clone().unwrap_or_else(|| array.order.clone());
        let bytes = context.input.bytes().clone();
        let error = wrong_length(bytes.len(), array, size as u64);
        let elements = Elements::new(
            Arc::clone(&array.data_type),
            order,
            array.shape.clone(),
            array.fortran,
            Places::Fixed(size),
            bytes,
        );
        Ok(Outcome { error, ..Outcome::elements(elements) })
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let (array, elements) = (context.array()?, context.elements()?);
        let order = self.order.as_ref().unwrap_or(&array.order);
        let bytes = elements.laid_out(array.fortran)?.encoded_in(order)?;
        Ok(Data::whole(bytes))
    }

    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        passage.byte(offset, towards)
    }
}

/// The error for a chunk that has not the length that shape and data type demand, with the arithmetic.
fn wrong_length(found: u64, array: &Representation, size: u64) -> Option<Error> {
    let shape: Vec<_> = array.shape.iter().map(u64::to_string).collect();
    let shape = if shape.is_empty() { "1".to_owned() } else { shape.join("×") };
    let Some(wanted) = array.byte_len() else {
        let found = format!("{shape} elements of {size} bytes");
        return Some(Error::new(Code::ShapeTooLarge, found, "2⁶⁴ bytes"));
    };
    let parts = format!("{shape} elements × {}", counted(size, "byte"));
    let (code, difference, message) = match found.cmp(&wanted) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Less => {
            let missing = grouped(wanted - found);
            let message = match found {
                0 => format!("the chunk is empty; it needs {wanted} bytes ({parts})"),
                _ => format!("{missing} of {wanted} bytes are missing at the end ({parts})"),
            };
            (Code::ChunkTruncated, format!("{missing} too few"), message)
        }
        std::cmp::Ordering::Greater => {
            let more = found - wanted;
            let message = format!(
                "{} too many follow the {wanted} of the chunk ({parts})",
                counted(more, "byte")
            );
            (Code::ChunkTooLong, format!("{} too many", grouped(more)), message)
        }
    };
    let whole = found / size;
    let rest = match found % size {
        0 => String::new(),
        1 => " + 1 byte".into(),
        rest => format!(" + {rest} bytes"),
    };
    let elements =
        if size == 1 { String::new() } else { format!(" ({}{rest})", counted(whole, "element")) };
    let found_text = format!("{}{elements}, {difference}", counted(found, "byte"));
    let expected = format!("{} ({parts})", counted(wanted, "byte"));
    Some(Error::new(code, found_text, expected).saying(message).at_offset(found.min(wanted)))
}
