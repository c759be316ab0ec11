//! Bytes and text in documents: their names in V2, V3 and NumPy.

use super::{StringType, UNIT};
use crate::zarr::data_type::{numpy, prelude::*};

/// A family of bytes or text: all lengths of one type.
#[derive(Debug)]
pub struct StringFamily(pub StringType);

/// The V3 form with zarr-python's name for raw bytes, for structs that nobody but zarr-python can read anyway.
pub fn zarr_python_form(form: Json) -> Json {
    match form.as_str().and_then(bits) {
        Some(Ok(size)) => written("raw_bytes", object! {"length_bytes": size}),
        _ => form,
    }
}

/// The item size that `r<bits>` names: `None` where it is no such name at all.
fn bits(name: &str) -> Option<Result<usize>> {
    let digits = name.strip_prefix('r')?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || (digits.starts_with('0') && digits != "0") {
        return None;
    }
    let size = digits.parse::<usize>().ok().filter(|bits| bits % 8 == 0).map(|bits| bits / 8);
    Some(size.filter(|size| (1..=MAX_ITEM_SIZE).contains(size)).ok_or_else(|| {
        let expected = "r followed by a number of bits: a multiple of 8 from 8 to 17179869176";
        Error::new(Code::DtypeSize, quoted(name), expected)
    }))
}

/// Reads the one member `length_bytes`, an integer from 1 to 2³¹−1; further members only where zarr-python takes them.
fn length_bytes(data_type: &Json, alone: bool) -> Result<usize> {
    let extension = Extension::read(data_type)?;
    let json = if alone {
        let [json] = extension.exactly(["length_bytes"])?;
        json
    } else {
        extension.required("length_bytes")?
    };
    let length = json.as_u64().and_then(|length| usize::try_from(length).ok());
    length.filter(|length| (1..=MAX_ITEM_SIZE).contains(length)).ok_or_else(|| {
        let expected = format!("an integer from 1 to {MAX_ITEM_SIZE}");
        of_length_bytes(json.describe(), expected)
    })
}

fn of_length_bytes(found: String, expected: impl Into<String>) -> Error {
    let error = Error::new(Code::DataTypeConfiguration, found, expected);
    error.at("length_bytes").at("configuration")
}

/// The note on a V3 name that is not registered.
fn unregistered(name: &str, registered: &str) -> Note {
    let text = format!(
        "zarr-python 3.4.2 uses the name {name}, which is not registered; the registered name is {registered}."
    );
    Note::new(Code::UnregisteredName, text)
}

impl StringFamily {
    fn resolved(&self, length: usize) -> Resolved {
        Resolved::of(self.0.of_length(length))
    }

    /// Reads the V3 form that has this name of the family.
    fn read(&self, name: &str, data_type: &Json) -> Result<Resolved> {
        let Self(family) = self;
        Ok(match (family, name) {
            (StringType::Raw { .. }, "raw_bytes") => {
                let size = length_bytes(data_type, true)?;
                let raw = StringType::Raw { size, raw_bytes: true };
                Resolved::of(raw).noted(Some(unregistered(name, "r<bits>")))
            }
            (StringType::Raw { .. }, _) => {
                let size = bits(name).unwrap_or(Ok(1))?;
                let extension = Extension::read(data_type)?;
                extension.without_parameters()?;
                self.resolved(size).noted(extension.core_note(name))
            }
            (StringType::NullTerminated { .. }, _) => {
                let text = format!(
                    "zarr-python 3.4.2 uses the name {name}. It is not registered, and no registered data type is \
                     equivalent."
                );
                let note = Note::new(Code::ZarrPythonName, text);
                self.resolved(length_bytes(data_type, false)?).noted(Some(note))
            }
            (StringType::Utf32 { .. }, _) => {
                let length = length_bytes(data_type, true)?;
                if length % UNIT != 0 {
                    let expected = "a multiple of 4: a code unit has 4 bytes";
                    return Err(of_length_bytes(length.to_string(), expected));
                }
                let note = Extension::read(data_type)?.must_understand_note();
                self.resolved(length / UNIT).noted(note)
            }
            (StringType::Text | StringType::Bytes, _) => {
                Extension::read(data_type)?.without_parameters()?;
                let is_other = name != family.name();
                let note = is_other.then(|| unregistered(name, &family.name()));
                Resolved::of(*family).noted(note)
            }
        })
    }
}

impl Family for StringFamily {
    fn name(&self) -> &'static str {
        self.0.kind()
    }

    fn from_v2(&self, dtype: &Json, codec: Option<&str>, _: &Scope) -> Option<Result<Resolved>> {
        let dtype = dtype.as_str()?;
        let Some((kind, unit)) = self.0.typestr() else {
            let own = self.0.object_codec();
            return (dtype == "|O" && codec == Some(own)).then(|| {
                let text = format!(
                    "\"|O\" is not in the V2 specification: it means Python objects, and the codec {own} in filters \
                     or compressor defines which."
                );
                Ok(Resolved::of(self.0).noted(Some(Note::new(Code::ObjectDtype, text))))
            });
        };
        let text = TypeStr::split(dtype).filter(|text| text.kind == kind)?;
        Some(text.length(unit).and_then(|(length, note)| {
            let resolved = self.resolved(length).noted(note);
            if self.0.has_byte_order() {
                return Ok(resolved.in_order(text.order()?));
            }
            Ok(resolved.noted(text.needless_order()))
        }))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope) -> Option<Result<Resolved>> {
        let name = name_of(data_type)?;
        let is_named = match self.0 {
            StringType::Raw { .. } => name == "raw_bytes" || bits(name).is_some(),
            StringType::NullTerminated { .. } => name == "null_terminated_bytes",
            StringType::Utf32 { .. } => name == "fixed_length_utf32",
            StringType::Text => name == "string",
            StringType::Bytes => matches!(name, "bytes" | "variable_length_bytes"),
        };
        is_named.then(|| self.read(name, data_type))
    }

    fn from_numpy(&self, name: &str, _: &Scope) -> Option<Result<Resolved>> {
        let Some((kind, unit)) = self.0.typestr() else {
            let is_bytes = self.0 == StringType::Bytes;
            let names: &[&str] = if is_bytes { &["|O"] } else { &["T", "str", "StringDType()"] };
            return names.contains(&name).then(|| {
                let text = "NumPy's objects may be anything; they are taken for bytes here. zarr-python 3.4.2 \
                            refuses \"|O\" as ambiguous.";
                let note = is_bytes.then(|| Note::new(Code::ObjectDtype, text));
                Ok(Resolved::of(self.0).noted(note))
            });
        };
        Some(numpy::sized(name, kind)?.and_then(|length| {
            if length.saturating_mul(unit) > MAX_ITEM_SIZE {
                let expected = "an element of at most 2147483647 bytes";
                return Err(Error::new(Code::DtypeSize, name, expected));
            }
            let resolved = self.resolved(length);
            if self.0.has_byte_order() {
                return Ok(resolved.in_order(numpy::order_and_code(name).0));
            }
            Ok(resolved)
        }))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(self.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_whole_bytes() {
        let size = |name| bits(name).and_then(Result::ok);
        assert_eq!((size("r8"), size("r4294967296")), (Some(1), Some(536_870_912)));
        for refused in ["r0", "r4", "r12", "r99999999999999999999"] {
            assert!(bits(refused).is_some_and(|size| size.is_err()), "{refused}");
        }
        for other in ["r", "r08", "r-8", "r8 ", "r٨", "raw"] {
            assert!(bits(other).is_none(), "{other}");
        }
    }
}
