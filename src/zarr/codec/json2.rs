//! `json2` and `msgpack2` of numcodecs: all elements as one list, nested by the chunk's shape, with the `dtype` and the
//! shape as its last two items.
//!
//! Objects stay where they are: each element is the part of the document that holds it. Elements of a fixed data type
//! are written again as that has them.

use super::object::{
    ObjectForm, PythonObject,
    msgpack::{MsgpackHead, MsgpackReader},
    plain,
};
use super::prelude::*;

/// The text encoding of a JSON document.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Encoding {
    Utf8,
    Latin1,
}

#[derive(Debug)]
enum ListDocument {
    Json(Encoding),
    Msgpack { raw: bool },
}

pub(super) static JSON2: CodecRow = CodecRow {
    nanoseconds: 40,
    v3: &["numcodecs.json2"],
    v2: &["json2"],
    members: &[
        "encoding",
        "skipkeys",
        "ensure_ascii",
        "check_circular",
        "allow_nan",
        "sort_keys",
        "indent",
        "separators",
        "strict",
    ],
    lesson: "Writes one JSON list: the elements, then the dtype and the shape as its last two items.",
    object_codec: true,
    object_type: |_, _| Some(PythonObject { form: ObjectForm::Json }.resolved()),
    to_v3: objects_lost_in_v3,
    ..CodecRow::new(CodecKind::ArrayToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let name = setup.text("encoding")?.unwrap_or("utf-8").to_ascii_lowercase().replace('_', "-");
    let encoding = match name.as_str() {
        "utf-8" | "utf8" | "ascii" | "us-ascii" => Encoding::Utf8,
        "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" => Encoding::Latin1,
        _ => {
            return Err(setup.fault(
                "encoding",
                quoted(&name),
                "\"utf-8\", \"ascii\" or \"latin-1\"",
            ));
        }
    };
    built(ListDocument::Json(encoding))
}

pub(super) static MSGPACK2: CodecRow = CodecRow {
    nanoseconds: 20,
    v3: &["numcodecs.msgpack2"],
    v2: &["msgpack2"],
    package: Some("msgpack"),
    members: &["use_single_float", "use_bin_type", "raw"],
    lesson: "Writes one MessagePack list: the elements, then the dtype and the shape as its last two items.",
    object_codec: true,
    object_type: |spec, _| {
        Some(PythonObject { form: ObjectForm::Msgpack { raw: is_raw(spec) } }.resolved())
    },
    to_v3: objects_lost_in_v3,
    ..CodecRow::new(CodecKind::ArrayToBytes, |setup| {
        built(ListDocument::Msgpack { raw: is_raw(setup.spec) })
    })
};

/// True if text is left as bytes.
fn is_raw(spec: &CodecSpec) -> bool {
    spec.member("raw").is_some_and(|raw| raw.kind == Kind::Bool(true))
}

/// The number of bytes of memory a byte of a document may become while it is read.
const GROWTH: u64 = 40;

/// The places of all values in a document.
struct JsonPositions {
    /// The document, in UTF-8 where it is JSON.
    bytes: Bytes,
    /// The bytes of each element, in C order.
    items: Vec<Range<u64>>,
    /// The dtype that the document declares, and its place.
    dtype: (Range<u64>, String),
    shape: (Range<u64>, Vec<u64>),
}

impl Codec for ListDocument {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let (bytes, decoded) = (context.whole()?, context.decoded);
        let most = context.budget.limit() / GROWTH;
        if bytes.len() as u64 > most.max(1 << 16) {
            let found = format!("a document of {} bytes", bytes.len());
            let error = Error::new(Code::DecodedTooLarge, found, format!("at most {most} bytes"));
            return Err(error.with_fix("Raise the limit with --max-decoded."));
        }
        let found = match self {
            Self::Json(encoding) => json(context.input.bytes(), bytes, *encoding),
            Self::Msgpack { .. } => msgpack(context.input.bytes(), bytes),
        }?;
        let (mut header, error) = header(&found, decoded);
        let shape =
            decoded.filter(|_| error.is_none()).map_or(&found.shape.1, |array| &array.shape);
        let fixed = decoded.filter(|array| array.data_type.fixed_size().is_some());
        let elements = match fixed {
            None => Ok(self.objects(&found, shape.clone(), decoded)),
            Some(array) => self.fixed(&found, shape.clone(), array, context),
        };
        header.sort_by_key(|field| field.bytes.start);
        Ok(match elements {
            Ok(elements) => Outcome { header, error, ..Outcome::elements(elements) },
            Err(error) => Outcome { header, ..Outcome::failed(error) },
        })
    }
}

/// The header fields of the document, and the error where it contradicts the chunk.
fn header(
    found: &JsonPositions,
    decoded: Option<&Representation>,
) -> (Vec<HeaderField>, Option<Error>) {
    let (dtype, shape) = (&found.dtype, &found.shape);
    let count = found.items.len();
    let mut field = HeaderField::new(shape.0.clone(), "shape", format!("{:?}", shape.1));
    let error = decoded.and_then(|array| array.other_count(count as u64)).map(|expected| {
        field.problem = Some(expected.clone());
        let found = format!("{count} elements");
        Error::new(Code::ChunkWrongCount, found, expected).at_offset(shape.0.start)
    });
    (vec![HeaderField::new(dtype.0.clone(), "dtype", quoted(&dtype.1)), field], error)
}

impl ListDocument {
    fn object(&self) -> PythonObject {
        PythonObject {
            form: match self {
                Self::Json(_) => ObjectForm::Json,
                Self::Msgpack { raw } => ObjectForm::Msgpack { raw: *raw },
            },
        }
    }

    fn objects(
        &self,
        found: &JsonPositions,
        shape: Vec<u64>,
        decoded: Option<&Representation>,
    ) -> Elements {
        let data_type: Arc<dyn DataType> = match decoded {
            Some(array) if array.data_type.kind() == "Object" => Arc::clone(&array.data_type),
            _ => Arc::new(self.object()),
        };
        let places = Places::Ranges(found.items.clone().into());
        Elements::new(
            data_type,
            ByteOrder::NotApplicable,
            shape,
            false,
            places,
            found.bytes.clone(),
        )
    }

    /// The elements as the data type of the array has them.
    fn fixed(
        &self,
        found: &JsonPositions,
        shape: Vec<u64>,
        array: &Representation,
        context: &Context,
    ) -> Result<Elements> {
        let object = self.object();
        let mut out = Vec::new();
        for (index, range) in found.items.iter().enumerate() {
            if index % 4096 == 0 && context.budget.is_stopped() {
                return Err(stopped());
            }
            let bytes = found.bytes.get(range.clone()).unwrap_or_default();
            let scalar = object.decode(bytes, &ByteOrder::NotApplicable)?;
            let scalar = cast(&scalar, array).map_err(|error| error.at_offset(range.start))?;
            out.extend(array.data_type.encode(&scalar, &array.order)?);
        }
        let size = array.data_type.fixed_size().unwrap_or(1);
        let (data_type, order) = (Arc::clone(&array.data_type), array.order.clone());
        Ok(Elements::new(data_type, order, shape, false, Places::Fixed(size), Bytes::whole(out)))
    }
}

fn cast(scalar: &Scalar, array: &Representation) -> Result<Scalar> {
    let plain = plain(scalar).ok_or_else(|| {
        let found: String = scalar.to_string().chars().take(60).collect();
        Error::new(Code::ChunkCorrupt, found, format!("a value of {}", array.data_type.name()))
    })?;
    array.data_type.cast(&plain)
}

/// The error for a document that is no list that ends in `dtype` and shape.
fn no_list(at: usize) -> Error {
    let expected = "a list of elements that ends with the dtype and the shape";
    Error::new(Code::ChunkCorrupt, "another document", expected).at_offset(at as u64)
}

fn span(json: &Json) -> Range<u64> {
    json.span().start as u64..json.span().end as u64
}

fn json(input: &Bytes, bytes: &[u8], encoding: Encoding) -> Result<JsonPositions> {
    let bytes = if encoding == Encoding::Utf8 || bytes.is_ascii() {
        input.clone()
    } else {
        let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        Bytes::whole(text.into_bytes())
    };
    let root = Json::parse(bytes.get(0..bytes.len()).unwrap_or_default())?.root;
    let items = root.as_array().ok_or_else(|| no_list(0))?;
    let [items @ .., dtype, shape] = items else { return Err(no_list(0)) };
    let lengths: Option<Vec<u64>> =
        shape.as_array().and_then(|items| items.iter().map(Json::as_u64).collect());
    let lengths = lengths.ok_or_else(|| no_list(shape.span().start))?;
    let name = dtype.unquoted();
    let items = elements(items.iter().collect(), &lengths, shape.span().start, json_list)?;
    let items = items.into_iter().map(span).collect();
    Ok(JsonPositions { bytes, items, dtype: (span(dtype), name), shape: (span(shape), lengths) })
}

fn json_list(json: &Json) -> Result<(usize, Vec<&Json>)> {
    let start = json.span().start;
    Ok((start, json.as_array().ok_or_else(|| no_list(start))?.iter().collect()))
}

/// The elements of nested lists, which must be as long as the shape says, which is `at` so many bytes of the document.
/// `inner` gives the place of a list, and what is in it.
fn elements<T>(
    outer: Vec<T>,
    lengths: &[u64],
    at: usize,
    inner: impl Fn(T) -> Result<(usize, Vec<T>)>,
) -> Result<Vec<T>> {
    check(outer.len(), lengths.first().copied().unwrap_or(1), at)?;
    let mut level = outer;
    for &length in lengths.iter().skip(1) {
        let mut next = Vec::new();
        for item in level {
            let (at, items) = inner(item)?;
            check(items.len(), length, at)?;
            next.extend(items);
        }
        level = next;
    }
    Ok(level)
}

/// Checks that a list is as long as the shape in the document says.
fn check(found: usize, wanted: u64, at: usize) -> Result<()> {
    if found as u64 == wanted {
        return Ok(());
    }
    let found = format!("a list of {found}");
    let expected = format!("{wanted} items, from the shape in the document");
    Err(Error::new(Code::ChunkCorrupt, found, expected).at_offset(at as u64))
}

fn msgpack(input: &Bytes, bytes: &[u8]) -> Result<JsonPositions> {
    let outer = list(bytes, 0)?.ok_or_else(|| no_list(0))?;
    let [items @ .., dtype, shape] = outer.as_slice() else { return Err(no_list(0)) };
    let part = |range: &Range<u64>| input.get(range.clone()).unwrap_or_default();
    let name = match MsgpackReader::new(part(dtype)).scalar(false, 0)? {
        Scalar::Text(text) | Scalar::Bytes(text) => String::from_utf8_lossy(&text).into_owned(),
        other => other.to_string(),
    };
    let at = |range: &Range<u64>| to_usize(range.start);
    let Scalar::List(lengths) = MsgpackReader::new(part(shape)).scalar(false, 0)? else {
        return Err(no_list(at(shape)));
    };
    let length =
        |scalar: &Scalar| scalar.to_integer().and_then(|length| u64::try_from(length).ok());
    let lengths: Option<Vec<u64>> = lengths.iter().map(length).collect();
    let lengths = lengths.ok_or_else(|| no_list(at(shape)))?;
    let inner = |item: Range<u64>| {
        let Some(items) = list(part(&item), item.start)? else {
            let found = "an element where a list of elements is required".into();
            return Err(corrupt(at(&item), found));
        };
        Ok((at(&item), items))
    };
    let items = elements(items.to_vec(), &lengths, at(shape), inner)?;
    let bytes = input.clone();
    Ok(JsonPositions {
        bytes,
        items,
        dtype: (dtype.clone(), name),
        shape: (shape.clone(), lengths),
    })
}

/// The places of the items of the list `bytes`, which begins at `start`; `None` where it is no list.
fn list(bytes: &[u8], start: u64) -> Result<Option<Vec<Range<u64>>>> {
    let mut reader = MsgpackReader::new(bytes);
    let MsgpackHead::Array(count) = reader.head()? else { return Ok(None) };
    let place = |item: Range<u64>| start + item.start..start + item.end;
    (0..count).map(|_| reader.skip().map(place)).collect::<Result<_>>().map(Some)
}
