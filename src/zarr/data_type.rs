//! The data type model: the meaning of the bytes of an element.
//!
//! A [`DataType`] says what values are; a [`ByteOrder`] says how they are laid out. The two are apart because the
//! formats disagree on where the second one lives: V2 writes it into the `dtype` (`">i2"`), V3 into the `bytes` codec.
//! A [`Family`] recognises the JSON of one kind of data type in either format, and a [`DataTypes`] asks every family
//! and insists on exactly one answer.
//!
//! | file | what is in it |
//! | --- | --- |
//! | [`registry`] | asking all families |
//! | [`number`], [`string`], [`time`], [`structured`], … | one file a kind of data type |
//! | [`typestr`], [`numpy`], [`extension`] | the three ways of spelling: V2 `<i8`, NumPy `int64`, V3 objects |
//! | [`fill`], [`base64`] | values from JSON and from what is typed |
//! | [`element`], [`native`] | values from bytes and their order: one, or a whole chunk of numbers |
//! | [`notes`], [`refusal`] | what has to be said of a spelling; why one is refused, and what was perhaps meant |
//! | [`anatomy`], [`components`] | what a scalar is made of; the bits of an element |
//!
//! The model follows zarr-python's `ZDType`: V2 and V3 JSON parsed and written, scalars to and from JSON in both
//! formats, a default scalar, casts from plain values.

use super::prelude::*;
use super::{budget::room, error::Flagged, scalar::TimeUnit};
use std::fmt::Debug;

pub mod anatomy;
pub mod base64;
pub mod bytes;
pub mod components;
pub mod element;
pub mod extension;
pub mod fill;
pub mod native;
pub mod notes;
pub mod number;
pub mod numpy;
pub mod optional;
mod padded;
mod prelude;
pub mod refusal;
pub mod registry;
pub mod string;
pub mod structured;
pub mod time;
pub mod typestr;

pub use element::{ByteOrder, Endian};
pub use fill::Plain;
pub use padded::PaddedBytes;
pub use registry::DataTypes;
pub use string::StringType;

impl Default for DataTypes {
    /// Every data type of the V2 and V3 specifications and of the registry of extensions, in the order of the gallery.
    fn default() -> Self {
        let mut registry = Self::empty();
        let mut add = |family: Arc<dyn Family>| {
            registry.register(family);
        };
        for row in &number::NUMBERS {
            add(Arc::new(number::NumberFamily(row)));
        }
        // Each with the length of its example.
        for string in [
            StringType::Raw { size: 4, raw_bytes: false },
            StringType::NullTerminated { size: 5 },
            StringType::Utf32 { units: 3 },
            StringType::Text,
            StringType::Bytes,
        ] {
            add(Arc::new(string::StringFamily(string)));
        }
        for since_epoch in [true, false] {
            let example = time::Temporal::new(TimeUnit::Nanosecond, 1, since_epoch);
            add(Arc::new(time::TemporalFamily(example)));
        }
        add(Arc::new(structured::StructFamily));
        add(Arc::new(optional::OptionalFamily));
        registry
    }
}

/// The number of bytes an element takes in a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemSize {
    /// Every element takes this many bytes; never 0.
    Fixed(usize),
    /// Elements differ, and a codec such as `vlen-utf8` says where each one lies.
    Variable,
}

impl ItemSize {
    /// The bytes of every element; `None` where they differ.
    pub fn fixed(self) -> Option<usize> {
        match self {
            Self::Fixed(size) => Some(size),
            Self::Variable => None,
        }
    }
}

/// The V2 form of a data type: the `dtype`, and the object codec among the filters where the dtype is `|O`.
#[derive(Debug, Clone, PartialEq)]
pub struct V2Form {
    /// The value of `dtype` in `.zarray`.
    pub dtype: Json,
    /// The `id` of the object codec, such as `vlen-utf8`.
    pub object_codec: Option<String>,
}

impl V2Form {
    /// A dtype that needs no object codec.
    pub fn plain(dtype: impl Into<Json>) -> Self {
        Self { dtype: dtype.into(), object_codec: None }
    }
}

/// The result of resolving a data type.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The data type.
    pub data_type: Arc<dyn DataType>,
    /// The byte order that the text carried: always for V2, never for V3 (there `NotApplicable` for types without
    /// order and little, as a mere default, for those with one).
    pub order: ByteOrder,
    /// Notes on this spelling: the `accept-flag` of the vectors.
    pub notes: Vec<Note>,
}

impl Resolved {
    /// A data type in its default order, without notes.
    pub fn of(data_type: impl DataType + 'static) -> Self {
        Self::shared(Arc::new(data_type))
    }

    /// The same of a data type that others have too.
    pub fn shared(data_type: Arc<dyn DataType>) -> Self {
        Self { order: data_type.default_order(), data_type, notes: Vec::new() }
    }

    /// The same in another order.
    pub fn in_order(self, order: ByteOrder) -> Self {
        Self { order, ..self }
    }

    /// True if elements have an order of bytes that the document gives in a form that nobody knows.
    pub fn is_order_unknown(&self) -> bool {
        self.data_type.has_byte_order() && !self.order.applies()
    }

    /// The V2 form in its byte order.
    ///
    /// # Errors
    ///
    /// If V2 has no way to say it, or the byte order that a V2 dtype needs is unknown; the note says why.
    pub fn to_v2(&self) -> Result<V2Form, Note> {
        if self.is_order_unknown() {
            let text =
                "The `bytes` codec gives no byte order that is known, and a V2 dtype needs one.";
            return Err(Note::new(Code::NoOtherForm, text));
        }
        self.data_type.to_v2(&self.order)
    }

    /// The order in which the bytes of an element are in `format`, where the document is one of `stored`: V3 has one for
    /// all fields of a struct, where V2 has one for each.
    pub fn order_in(&self, format: Format, stored: Format) -> ByteOrder {
        match format {
            Format::V3 if stored == Format::V2 && self.order.applies() => {
                ByteOrder::All(self.order.uniform().unwrap_or(Endian::Little))
            }
            _ => self.order.clone(),
        }
    }

    /// The same with one more note, where there is one.
    pub fn noted(mut self, note: Option<Note>) -> Self {
        self.notes.extend(note);
        self
    }
}

/// A data type: what the values of an array are.
///
/// Implement this, and [`Family`] to recognise its JSON, to add a data type; see [`DataTypes`] for an example.
pub trait DataType: Debug + Send + Sync {
    /// The short name for trees and titles: the V3 name where that says it all (`int16`, `r32`,
    /// `numpy.datetime64[10s]`, `fixed_length_utf32[3]`, `struct{a, b}`).
    fn name(&self) -> String;

    /// The kind, as zarr-python names the class: `Int16`, `DateTime64`, `FixedLengthUTF32`, `Struct`.
    fn kind(&self) -> &'static str;

    /// The number of bytes an element takes.
    fn item_size(&self) -> ItemSize;

    /// The number of bytes that every element takes; `None` where they differ.
    fn fixed_size(&self) -> Option<usize> {
        self.item_size().fixed()
    }

    /// The number of bits of an element that carry meaning where that is not all of them: 4 for `int4`.
    fn significant_bits(&self) -> Option<u32> {
        None
    }

    /// The description of an element, in words: `2 bytes, signed integer`; `4 bytes, IEEE 754 binary32`.
    fn description(&self) -> String;

    /// True if any component is longer than one byte, so that the `bytes` codec needs `endian`.
    fn has_byte_order(&self) -> bool {
        false
    }

    /// True if a registry says that its bytes are little-endian where the codec `bytes` does not say `endian`.
    fn is_little_unless_said(&self) -> bool {
        false
    }

    /// The order to assume where a document has none: little, or per field for nothing; `NotApplicable` without
    /// [`Self::has_byte_order`].
    fn default_order(&self) -> ByteOrder {
        if self.has_byte_order() {
            ByteOrder::All(Endian::Little)
        } else {
            ByteOrder::NotApplicable
        }
    }

    /// Its V2 form in byte order `order`.
    ///
    /// # Errors
    ///
    /// If V2 has no way to say it; the note says why.
    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note>;

    /// Its V3 form: the registered form, else zarr-python's.
    ///
    /// # Errors
    ///
    /// If V3 has no way to say it; the note says why.
    fn to_v3(&self) -> Result<Json, Note>;

    /// Notes on the data type whatever its spelling: that zarr-python writes another name, that the
    /// name is unregistered, who cannot read it.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }

    /// The scalar that stands where nothing else is said (zarr-python's default scalar).
    fn default_scalar(&self) -> Scalar;

    /// Reads a `fill_value` of V2 or V3 exactly: one rounding, NaN payloads kept. `order` matters only for V2
    /// structs, whose base64 holds each field in its own order. V2 `null` is not the data type's business: the
    /// metadata handles it before it asks.
    ///
    /// # Errors
    ///
    /// Names what was found and which forms this data type takes.
    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        order: &ByteOrder,
    ) -> Result<Flagged<Scalar>>;

    /// Writes a `fill_value` for V2 or V3.
    ///
    /// # Errors
    ///
    /// If the format cannot say this very value; the note says what is lost.
    fn fill_to_json(
        &self,
        scalar: &Scalar,
        format: Format,
        order: &ByteOrder,
    ) -> Result<Json, Note>;

    /// A scalar of this type from a plain value: a number, a text, a list, as [`Plain`] has it.
    ///
    /// Numbers may be texts: `"3"`, `"1e3"`, `"NaN"`, `"-inf"`, `"1+2j"`; a datetime is an ISO 8601 date,
    /// `"2020-01-02"` or `"2020-01-02T03:04:05.5Z"`, a timedelta a count, and both `"NaT"`. This is what `cast_scalar`
    /// of zarr-python 3.4.2 takes, with these exceptions, all of them stricter:
    ///
    /// - a bool is true, false, 0 or 1 (there everything is one, by whether it is empty or 0); a bool is an integer, and
    ///   no float, complex number or time;
    /// - a number with a fraction is no integer (there 2.5 is 2), and bytes are no number (there b"3" is 3);
    /// - a text is text or, for null-terminated bytes, ASCII (there `str` makes one of everything), and no bytes of
    ///   variable length;
    /// - a text that is too long is refused and not cut; raw bytes have their very length, and are not padded;
    /// - no spaces or underscores in numbers;
    /// - a date that the unit cannot tell exactly, or that is out of its range, is refused and not changed; no dates
    ///   relative to now or with an offset, and no empty ones;
    /// - a list is a struct, not the first of several values.
    ///
    /// # Errors
    ///
    /// If the value does not fit; nothing is rounded in silence but decimal fractions to the nearest float.
    fn cast(&self, plain: &Plain) -> Result<Scalar>;

    /// The value of one element. `bytes` has exactly the item size, or the element's own length where that varies.
    ///
    /// # Errors
    ///
    /// If `bytes` has another length. Bytes that stand for no value (a bool of 2, a lone surrogate) are no error:
    /// the scalar keeps and shows them.
    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar>;

    /// The bytes of one element.
    ///
    /// # Errors
    ///
    /// If the scalar is of another data type.
    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>>;

    /// The bytes of one element, the zeros at its end counted and not held: an element may be long and say little.
    ///
    /// # Errors
    ///
    /// As [`Self::encode`].
    fn encode_padded(&self, scalar: &Scalar, order: &ByteOrder) -> Result<PaddedBytes> {
        self.encode(scalar, order).map(PaddedBytes::from)
    }

    /// The bytes of elements of one size, one after the other.
    ///
    /// # Errors
    ///
    /// As [`Self::encode`].
    fn encode_slice(&self, scalars: &[Scalar], order: &ByteOrder) -> Result<Vec<u8>> {
        let mut out = room(self.fixed_size().unwrap_or(0).saturating_mul(scalars.len()))?;
        for scalar in scalars {
            out.extend(self.encode(scalar, order)?);
        }
        Ok(out)
    }

    /// Brings elements of one size from one byte order into another, where they are.
    ///
    /// # Errors
    ///
    /// If `bytes` are no whole number of elements.
    fn reorder(&self, bytes: &mut [u8], from: &ByteOrder, to: &ByteOrder) -> Result<()> {
        element::reorder(self, bytes, from, to)
    }

    /// The type as NumPy spells it for `.npy` (`"<i2"`, `[["a", "<i2"]]`), which is as V2 does, unless it says
    /// otherwise; `None` where NumPy has no such type.
    fn numpy(&self, order: &ByteOrder) -> Option<Json> {
        let form = self.to_v2(order).ok()?;
        form.object_codec.is_none().then_some(form.dtype)
    }

    /// The primitive that elements are in memory, for passes over whole chunks; `None` where there is none.
    fn native(&self) -> Option<Native> {
        None
    }

    /// The data type of a value, where an element may have none (`optional`); `None` for every other data type.
    fn inner(&self) -> Option<&Arc<dyn DataType>> {
        None
    }

    /// The fields of a struct, in order; empty for every other data type.
    fn fields(&self) -> &[Field] {
        &[]
    }

    /// The parts of the scalar, for the panel below the twin columns: sign, exponent, mantissa; code units;
    /// unit × count and the date; fields with offset and size. One row each.
    fn anatomy(&self, scalar: &Scalar, order: &ByteOrder) -> Vec<AnatomyRow>;
}

/// One field of a struct.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name as stored; may be empty.
    pub name: String,
    /// The data type of the field.
    pub data_type: Arc<dyn DataType>,
    /// The number of bytes of the element that are before it.
    pub offset: usize,
    /// The shape of a V2 subarray; empty for a plain field. `data_type` is that of one item.
    pub shape: Vec<u64>,
}

impl Field {
    /// The number of its items: 1 for a plain field.
    pub fn items(&self) -> usize {
        let items = self.shape.iter().fold(1_u64, |items, &n| items.saturating_mul(n));
        usize::try_from(items).unwrap_or(usize::MAX)
    }

    /// The number of its bytes, all items together.
    pub fn size(&self) -> usize {
        self.data_type.fixed_size().unwrap_or(0).saturating_mul(self.items())
    }

    /// The place of its bytes in an element.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset.saturating_add(self.size())
    }

    /// Its bytes, as many as there are of `element`.
    pub fn bytes_in<'a>(&self, element: &'a [u8]) -> &'a [u8] {
        let Range { start, end } = self.range();
        element.get(start..end.min(element.len())).unwrap_or_default()
    }
}

/// One line about a scalar: what, and how it looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnatomyRow {
    /// The label of the row: `exponent`, `code unit 2`, `field "a"`.
    pub label: String,
    /// Its value in words: `11111001 (249 − 127 = 122)`.
    pub value: String,
    /// The bytes of the element (in stored order) that hold it, where it is whole bytes.
    pub bytes: Option<Range<usize>>,
}

impl AnatomyRow {
    /// A line without bytes of its own.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.into(), bytes: None }
    }
}

/// The primitive types that whole-chunk passes work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the Rust type of its name")]
#[non_exhaustive]
pub enum Native {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    /// Two `f32`, real first.
    C64,
    /// Two `f64`, real first.
    C128,
}

impl Native {
    /// The bytes of a component, all of which have the same order: of a complex number each part is one.
    pub const fn component_size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 | Self::C64 => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C128 => 8,
        }
    }
}

/// A family of data types, which recognises its JSON: one registry line.
#[expect(
    clippy::wrong_self_convention,
    reason = "a family reads from JSON; it is not what is made"
)]
pub trait Family: Debug + Send + Sync {
    /// The name under which it is registered and by which an ambiguity is reported: `Int16`, `FixedLengthUTF32`.
    fn name(&self) -> &'static str;

    /// Reads a V2 `dtype` with the object codec found among filters and compressor. `None`: not mine.
    fn from_v2(
        &self,
        dtype: &Json,
        object_codec: Option<&str>,
        scope: &Scope,
    ) -> Option<Result<Resolved>>;

    /// Reads a V3 `data_type`. `None`: not mine.
    fn from_v3(&self, data_type: &Json, scope: &Scope) -> Option<Result<Resolved>>;

    /// Reads a NumPy-style name, such as `int64`, `<i8`, `datetime64[10s]`. `None`: not mine.
    fn from_numpy(&self, name: &str, scope: &Scope) -> Option<Result<Resolved>> {
        let _ = (name, scope);
        None
    }

    /// The data types that stand for this family in the gallery.
    fn examples(&self) -> Vec<Arc<dyn DataType>>;
}

/// The tools of a family while it reads: the registry, for the fields of structs, and the depth.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The registry that resolves the fields.
    pub registry: &'a DataTypes,
    /// The number of structs around this data type.
    pub depth: usize,
}

/// The depth to which structs may be nested.
pub const MAX_NESTING: usize = 256;

impl Scope<'_> {
    /// The scope of the fields of a struct.
    ///
    /// # Errors
    ///
    /// Beyond [`MAX_NESTING`].
    pub fn deeper(self) -> Result<Self> {
        if self.depth >= MAX_NESTING {
            let found = format!("structs nested deeper than {MAX_NESTING}");
            return Err(Error::new(
                Code::NestedTooDeep,
                found,
                format!("at most {MAX_NESTING} levels"),
            ));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}
