//! `optional`: a value of another data type, or none. What zarrs 0.23 reads and writes as `zarrs.optional`.
//!
//! A chunk keeps which elements have a value apart from the values, by the codec of the same name. In memory an element
//! without a value has no bytes; one with a value has a byte 1 and then the value's bytes, little-endian: so an empty
//! text is not the same as no text. A fill value is `null`, or the value in an array of one.

use super::prelude::*;

/// The names, the one that zarrs writes first.
pub const NAMES: [&str; 2] = ["zarrs.optional", "optional"];

/// The byte before the bytes of a value.
pub const SOME: u8 = 1;

/// A value of another data type, or none.
#[derive(Debug, Clone)]
pub struct Optional {
    name: &'static str,
    inner: Arc<dyn DataType>,
}

impl Optional {
    /// The scalar that is no value.
    pub fn none() -> Scalar {
        Scalar::Custom { bytes: [].into(), text: "null".into() }
    }
}

impl DataType for Optional {
    fn name(&self) -> String {
        format!("{}[{}]", self.name, self.inner.name())
    }

    fn kind(&self) -> &'static str {
        "Optional"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Variable
    }

    fn description(&self) -> String {
        format!("a value or none; a value is {}", self.inner.description())
    }

    fn to_v2(&self, _: &ByteOrder) -> Result<V2Form, Note> {
        Err(notes::no_v2(self.name))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        let inner = self.inner.to_v3()?;
        let configuration = if inner.as_str().is_some() {
            object! {"name": inner}
        } else {
            inner
        };
        Ok(object! {"name": self.name, "configuration": configuration})
    }

    fn notes(&self) -> Vec<Note> {
        let text = "Only zarrs 0.23.14 reads this data type, and only as zarrs.optional.";
        vec![Note::new(Code::UnregisteredName, text)]
    }

    fn default_scalar(&self) -> Scalar {
        Self::none()
    }

    fn fill_from_json(
        &self,
        json: &Json,
        format: Format,
        order: &ByteOrder,
    ) -> Result<Flagged<Scalar>> {
        match json.as_array() {
            _ if json.is_null() => Ok(Flagged::plain(Self::none())),
            Some([value]) => {
                let value = self.inner.fill_from_json(value, format, order)?;
                Ok(value.map(|value| Scalar::List([value].into())))
            }
            _ => {
                let expected = "null, or an array of one value";
                Err(Error::new(Code::FillValueType, json.describe(), expected))
            }
        }
    }

    fn fill_to_json(
        &self,
        scalar: &Scalar,
        format: Format,
        order: &ByteOrder,
    ) -> Result<Json, Note> {
        match scalar {
            Scalar::Custom { bytes, .. } if bytes.is_empty() => Ok(Json::NULL),
            Scalar::List(value) if value.len() == 1 => {
                value.iter().map(|value| self.inner.fill_to_json(value, format, order)).collect()
            }
            other => Err(notes::foreign(&self.name(), other)),
        }
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        self.inner.cast(plain).map(|value| Scalar::List([value].into()))
    }

    fn decode(&self, bytes: &[u8], _: &ByteOrder) -> Result<Scalar> {
        let Some((_, value)) = bytes.split_first() else { return Ok(Self::none()) };
        let value = self.inner.decode(value, &self.inner.default_order())?;
        Ok(Scalar::List([value].into()))
    }

    fn encode(&self, scalar: &Scalar, _: &ByteOrder) -> Result<Vec<u8>> {
        match scalar {
            Scalar::Custom { bytes, .. } if bytes.is_empty() => Ok(Vec::new()),
            Scalar::List(value) if value.len() == 1 => {
                let mut out = vec![SOME];
                for value in value.iter() {
                    out.extend(self.inner.encode(value, &self.inner.default_order())?);
                }
                Ok(out)
            }
            other => Err(element::foreign(&self.name(), other)),
        }
    }

    fn inner(&self) -> Option<&Arc<dyn DataType>> {
        Some(&self.inner)
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        match scalar {
            Scalar::List(value) => value
                .iter()
                .flat_map(|value| self.inner.anatomy(value, &self.inner.default_order()))
                .map(|row| AnatomyRow { bytes: None, ..row })
                .collect(),
            _ => vec![AnatomyRow::new("value", "none")],
        }
    }
}

/// Recognises both names.
#[derive(Debug)]
pub struct OptionalFamily;

impl Family for OptionalFamily {
    fn name(&self) -> &'static str {
        "Optional"
    }

    fn from_v2(&self, _: &Json, _: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        None
    }

    fn from_v3(&self, data_type: &Json, scope: &Scope) -> Option<Result<Resolved>> {
        let named = name_of(data_type)?;
        let name = NAMES.into_iter().find(|name| *name == named)?;
        Some(read(name, data_type, scope))
    }

    /// None: the gallery shows what a V2 and a V3 document can name.
    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        Vec::new()
    }
}

/// The configuration is the data type of a value, as an object.
fn read(name: &'static str, data_type: &Json, scope: &Scope) -> Result<Resolved> {
    let extension = Extension::read(data_type)?;
    let inner = extension.required("name")?;
    let configuration =
        extension.configuration.iter().rev().find(|member| member.key == "configuration");
    let configuration = configuration.map(|member| &member.value).filter(|json| {
        // Data types without parameters may be written with an empty one.
        json.as_object().is_none_or(|members| !members.is_empty())
    });
    let inner = match configuration {
        None => inner.clone(),
        Some(configuration) => object! {"name": inner, "configuration": configuration},
    };
    let inner = scope.registry.from_v3_in(&inner, &scope.deeper()?)?;
    Ok(Resolved { notes: inner.notes, ..Resolved::of(Optional { name, inner: inner.data_type }) })
}
