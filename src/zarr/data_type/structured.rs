//! Structs: named fields, one after the other without padding, each of its own data type.
//!
//! V2 writes a list of `[name, dtype]` or `[name, dtype, shape]`, where each dtype carries a byte order of its own; V3
//! writes `struct` with objects, and has one byte order for all fields, in the `bytes` codec. `structured` with pairs is
//! the legacy form that zarr-python 3.1 writes. The text of V2 allows nesting and subarrays: zarr-python writes nesting
//! and cannot read it again, and TensorStore reads subarrays but no nesting. We read all of it ([`parse`]).
//!
//! The V2 fill value is base64 of one element, each field in its declared order. That of `struct` is an object with
//! every field, that of `structured` base64 in the byte order of the codec `bytes`.

use super::prelude::*;
use super::{Field, base64, bytes::spellable, padded::MAX_HELD, string::zarr_python_form};
use crate::zarr::prelude::*;

mod json;
pub mod parse;

pub use parse::StructFamily;

/// A struct data type.
#[derive(Clone)]
pub struct Struct {
    fields: Arc<[Field]>,
    size: usize,
    ordered: bool,
    /// True if V3 spelled it `structured`, whose fill values are base64.
    legacy: bool,
}

impl fmt::Debug for Struct {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl Struct {
    fn has_subarray(&self) -> bool {
        self.fields.iter().any(|field| !field.shape.is_empty())
    }

    /// The name of each field in V3 and NumPy: its own, or for a field without one the name that NumPy gives it, `f` and
    /// its index.
    fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.fields.iter().enumerate().map(|(at, field)| match field.name.as_str() {
            "" => Cow::Owned(format!("f{at}")),
            name => Cow::Borrowed(name),
        })
    }

    fn has_empty_name(&self) -> bool {
        self.fields.iter().any(|field| field.name.is_empty())
    }

    /// A name that a field has and NumPy gives to one without.
    fn name_taken_twice(&self) -> Option<Cow<'_, str>> {
        let mut seen = HashSet::new();
        let mut names = self.has_empty_name().then(|| self.names()).into_iter().flatten();
        names.find(|name| !seen.insert(name.clone()))
    }

    /// True if only zarr-python can read the V3 form, because the registry has no name for the type of a field.
    fn is_unregistered(&self) -> bool {
        self.fields.iter().any(|field| {
            field.data_type.notes().iter().any(|note| note.code == Code::UnregisteredName)
        })
    }

    fn decode_field(field: &Field, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        let bytes = bytes.get(field.range()).unwrap_or_default();
        if field.shape.is_empty() {
            return field.data_type.decode(bytes, order);
        }
        let size = field.data_type.fixed_size().unwrap_or(1).max(1);
        let items: Result<Vec<_>> =
            bytes.chunks(size).map(|item| field.data_type.decode(item, order)).collect();
        Ok(Scalar::List(items?.into()))
    }

    fn encode_field(field: &Field, scalar: &Scalar, order: &ByteOrder) -> Result<PaddedBytes> {
        match scalar {
            Scalar::List(list) if !field.shape.is_empty() && list.len() == field.items() => {
                list.iter().try_fold(PaddedBytes::default(), |all, item| {
                    Ok(all.then(&field.data_type.encode_padded(item, order)?))
                })
            }
            // As `default_scalar` leaves a subarray of very many items.
            Scalar::List(list) if !field.shape.is_empty() && list.is_empty() => {
                PaddedBytes::new(Vec::new(), field.size())
            }
            scalar if field.shape.is_empty() => field.data_type.encode_padded(scalar, order),
            other => Err(element::foreign("a subarray", other)),
        }
    }

    fn v3_fields(&self) -> Result<Json, Note> {
        let unregistered = self.is_unregistered();
        let field = |(field, name): (&Field, Cow<str>)| {
            let inner = field.data_type.to_v3().map_err(|note| in_field(&field.name, &note))?;
            let inner = if unregistered { zarr_python_form(inner) } else { inner };
            Ok(object! {"name": &*name, "data_type": inner})
        };
        self.fields.iter().zip(self.names()).map(field).collect()
    }
}

fn in_field(name: &str, note: &Note) -> Note {
    Note::new(note.code, format!("Field {}: {}", quoted(name), note.text))
}

/// Of notes with the same code the first: a struct may have 100,000 fields.
fn dedup(notes: &mut Vec<Note>) {
    let mut seen = HashSet::new();
    notes.retain(|note| seen.insert(note.code));
}

/// The number of fields the anatomy lists.
const SHOWN_FIELDS: usize = 256;

impl DataType for Struct {
    fn name(&self) -> String {
        const SHOWN: usize = 8;
        let mut names: Vec<_> =
            self.fields.iter().take(SHOWN).map(|field| safe_owned(&field.name)).collect();
        if self.fields.len() > SHOWN {
            names.push(format!("… {} more", self.fields.len() - SHOWN));
        }
        format!("struct{{{}}}", names.join(", "))
    }

    fn kind(&self) -> &'static str {
        "Struct"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(self.size)
    }

    fn description(&self) -> String {
        let fields = if self.fields.len() == 1 { "field" } else { "fields" };
        format!("{}, struct of {} {fields}", byte_count(self.size), self.fields.len())
    }

    fn has_byte_order(&self) -> bool {
        self.ordered
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        let field = |(at, field): (usize, &Field)| {
            let inner = field
                .data_type
                .to_v2(&order.field(at))
                .map_err(|note| in_field(&field.name, &note))?;
            Ok(match field.shape.as_slice() {
                [] => Json::from([(&field.name).into(), inner.dtype]),
                shape => Json::from([(&field.name).into(), inner.dtype, shape.into()]),
            })
        };
        let fields: Result<Json, Note> = self.fields.iter().enumerate().map(field).collect();
        fields.map(V2Form::plain)
    }

    fn to_v3(&self) -> Result<Json, Note> {
        if self.has_subarray() {
            let text = "V3 structs have no subarrays: make each item a field, or the whole subarray raw bytes. \
                        zarr-python 3.1.6 writes them as raw bytes, or fails; 3.4.2 refuses them.";
            return Err(Note::new(Code::NoOtherForm, text));
        }
        if let Some(name) = self.name_taken_twice() {
            let text = format!(
                "V3 structs require a name for every field, and {}, which NumPy gives to a field without one, is taken.",
                quoted(&name)
            );
            return Err(Note::new(Code::EmptyFieldName, text));
        }
        Ok(written("struct", object! {"fields": self.v3_fields()?}))
    }

    fn notes(&self) -> Vec<Note> {
        let text = "zarr-python 3.1.6 writes the legacy name structured, with fields as pairs, and cannot read struct; 3.4.2 reads both, zarrs 0.23.14 neither. TensorStore 0.1.86 reads one field at a time.";
        let mut all = vec![Note::new(Code::ZarrPythonName, text)];
        if self.has_empty_name() {
            let text = "V3 structs require a name for every field. A field without one is given NumPy's, f and its index.";
            all.push(Note::new(Code::EmptyFieldName, text));
        }
        let mut of_fields = Vec::new();
        for field in self.fields.iter() {
            // A struct in a struct says the same of its form.
            let own = field.data_type.notes().into_iter().filter(|note| !all.contains(note));
            of_fields.extend(own.map(|note| in_field(&field.name, &note)));
            if of_fields.len() > 64 {
                break;
            }
        }
        dedup(&mut of_fields);
        all.extend(of_fields);
        all
    }

    /// All bytes zero, as zarr-python has it: times are 1970, not NaT.
    fn default_scalar(&self) -> Scalar {
        zeros(&self.fields, MAX_HELD)
    }

    fn is_little_unless_said(&self) -> bool {
        self.legacy
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        order: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        match format {
            Format::V2 => self.read_base64(json, order),
            Format::V3 if self.legacy && json.as_str().is_some() => {
                self.read_base64(json, &packed(order))
            }
            Format::V3 => {
                let mut value = self.read_object(json)?;
                if self.legacy {
                    let text = "Under the legacy name structured the fill value is base64; an object belongs to \
                                struct.";
                    value.notes.push(Note::new(Code::ObjectFill, text));
                }
                Ok(value)
            }
        }
    }

    fn fill_to_json(
        &self,
        scalar: &Scalar,
        format: Format,
        order: &ByteOrder,
    ) -> Result<Json, Note> {
        let Scalar::Struct(values) = scalar else {
            return Err(notes::foreign(&self.name(), scalar));
        };
        let in_base64 = |order: &ByteOrder| match self.encode(scalar, order) {
            Ok(bytes) => Ok(base64::encode(&bytes).into()),
            Err(error) => Err(super::bytes::too_long(&error)),
        };
        let packed = packed(order);
        match format {
            Format::V2 => in_base64(order),
            Format::V3 if self.has_subarray() => self.to_v3(),
            // An object cannot say every value, a bool of 2 for one; the legacy form can.
            Format::V3 => {
                let object = spellable(self.size).and_then(|()| self.to_object(values));
                object.or_else(|note| if self.legacy { in_base64(&packed) } else { Err(note) })
            }
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        let expected = || format!("a list of {} values, one per field", self.fields.len());
        let Plain::List(list) = plain else { return Err(plain.refused(&expected())) };
        if list.len() != self.fields.len() {
            return Err(plain.refused(&expected()));
        }
        let field = |(field, plain): (&Field, &Plain)| {
            let value = match plain {
                Plain::List(list) if !field.shape.is_empty() && list.len() == field.items() => list
                    .iter()
                    .map(|item| field.data_type.cast(item))
                    .collect::<Result<Vec<_>>>()
                    .map(|items| Scalar::List(items.into())),
                other if !field.shape.is_empty() => Err(other.refused("the items of the subarray")),
                other => field.data_type.cast(other),
            };
            Ok((field.name.clone(), value.map_err(|error| error.at(&field.name))?))
        };
        let values: Result<Vec<_>> = self.fields.iter().zip(list).map(field).collect();
        Ok(Scalar::Struct(values?.into()))
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        element::expect_size(bytes, self.size)?;
        let field = |(at, field): (usize, &Field)| {
            let value = Self::decode_field(field, bytes, &order.field(at));
            Ok((field.name.clone(), value.map_err(|error| error.at(&field.name))?))
        };
        let fields: Result<Vec<_>> = self.fields.iter().enumerate().map(field).collect();
        Ok(Scalar::Struct(fields?.into()))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        self.encode_padded(scalar, order)?.whole()
    }

    fn encode_padded(&self, scalar: &Scalar, order: &ByteOrder) -> Result<PaddedBytes> {
        let Scalar::Struct(values) = scalar else {
            return Err(element::foreign(&self.name(), scalar));
        };
        if values.len() != self.fields.len() {
            return Err(element::foreign(&self.name(), scalar));
        }
        let mut out = PaddedBytes::default();
        for (at, (field, (_, value))) in self.fields.iter().zip(values.iter()).enumerate() {
            let bytes = Self::encode_field(field, value, &order.field(at));
            out = out.then(&bytes.map_err(|error| error.at(&field.name))?);
        }
        Ok(out)
    }

    fn numpy(&self, order: &ByteOrder) -> Option<Json> {
        let field = |(at, (field, name)): (usize, (&Field, Cow<str>))| {
            let inner = field.data_type.numpy(&order.field(at))?;
            Some(match field.shape.as_slice() {
                [] => Json::from([(&*name).into(), inner]),
                shape => Json::from([(&*name).into(), inner, shape.into()]),
            })
        };
        self.fields.iter().zip(self.names()).enumerate().map(field).collect()
    }

    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn anatomy(&self, scalar: &Scalar, order: &ByteOrder) -> Vec<AnatomyRow> {
        let Scalar::Struct(values) = scalar else { return Vec::new() };
        let rows = self.fields.iter().zip(values.iter()).enumerate().take(SHOWN_FIELDS);
        rows.map(|(at, (field, (name, value)))| {
            let label = if name.is_empty() {
                format!("field {at}")
            } else {
                format!("field {}", quoted(&safe(name)))
            };
            let order = match order.field(at) {
                order if field.data_type.has_byte_order() => format!(", {}", order.word()),
                _ => String::new(),
            };
            let what = format!(
                "{value}   ({} at byte {}, {}{order})",
                field.data_type.name(),
                field.offset,
                byte_count(field.size()),
            );
            AnatomyRow { bytes: Some(field.range()), ..AnatomyRow::new(label, what) }
        })
        .collect()
    }
}

/// The scalar of all bytes zero; what its fields hold together is bounded by `most`, not only what each does.
fn zeros(fields: &[Field], most: usize) -> Scalar {
    let most = most / fields.len().max(1);
    let fields = fields.iter().map(|field| {
        let data_type = &*field.data_type;
        let is_long = data_type.fixed_size().is_some_and(|size| size > most);
        let zero = match data_type.fields() {
            [] if is_long && data_type.kind() == "RawBytes" => Scalar::Bytes([].into()),
            [] => zero(data_type),
            inner => zeros(inner, most),
        };
        let value = match field.items() {
            _ if field.shape.is_empty() => zero,
            // A subarray of more items than are worth their memory stays empty.
            items if items > MAX_HELD / 64 => Scalar::List([].into()),
            items => Scalar::List(vec![zero; items].into()),
        };
        (field.name.clone(), value)
    });
    Scalar::Struct(fields.collect())
}

/// The scalar of all bytes zero.
fn zero(data_type: &dyn DataType) -> Scalar {
    match data_type.default_scalar() {
        Scalar::Time(time) => Scalar::Time(crate::zarr::scalar::Time { count: 0, ..time }),
        other => other,
    }
}
/// The order of the bytes of a `structured` fill value in V3: that of the codec `bytes`, little where it says none.
fn packed(order: &ByteOrder) -> ByteOrder {
    ByteOrder::All(order.uniform().unwrap_or(Endian::Little))
}
