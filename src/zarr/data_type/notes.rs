//! Sentences that more than one data type says.
//!
//! None names the data type: the gallery shows equal sentences once. What they claim of other readers was tried:
//! zarr-python 3.1.6, zarrs 0.23.14 and TensorStore 0.1.86.

use super::prelude::*;

/// The extension data types that TensorStore reads and writes, by name, in V3 and bare in V2.
const OF_TENSORSTORE: [&str; 11] = [
    "int2",
    "int4",
    "bfloat16",
    "float8_e3m4",
    "float8_e4m3fn",
    "float8_e4m3b11fnuz",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float4_e2m1fn",
];

/// True if TensorStore knows an extension data type of this name.
pub fn tensorstore_knows(name: &str) -> bool {
    OF_TENSORSTORE.contains(&name)
}

/// V2 has no dtype for an extension data type.
pub fn no_v2(name: &str) -> Note {
    let text = if tensorstore_knows(name) {
        "V2 uses NumPy type strings, and NumPy has none for this type. TensorStore 0.1.86 writes the bare V3 name, \
         which zarr-python 3.4.2, zarrs 0.23.14 and GDAL 3.12.2 refuse."
    } else {
        "V2 uses NumPy type strings, and NumPy has none for this type."
    };
    Note::new(Code::NoOtherForm, text)
}

/// A V3 name that zarr-python 3.1 does not read.
pub fn unknown_to_zarr_python(name: &str) -> Note {
    let text = match name {
        "float8_e4m3fn" => {
            "The name is not registered. TensorStore 0.1.86 writes it; zarr-python 3.4.2 and zarrs 0.23.14 cannot \
             read it."
        }
        "float8_e8m0fnu" => {
            "A registered data type that zarr-python 3.4.2 cannot open. zarrs 0.23.14 reads it; TensorStore 0.1.86 reads \
             the chunks but not the fill value: 1.0 in the document reads as 5.4e-20, and 1.0 is written as \
             1.8446744073709552e+19."
        }
        _ if tensorstore_knows(name) => {
            "A registered data type that zarr-python 3.4.2 cannot open; zarrs 0.23.14 and TensorStore 0.1.86 read it."
        }
        _ => {
            "A registered data type that zarr-python 3.4.2 and TensorStore 0.1.86 cannot open; zarrs 0.23.14 reads it."
        }
    };
    Note::new(Code::UnregisteredName, text)
}

/// The note on a struct with structs in it for V2 readers; `None` for anything else.
pub fn nested_in_v2(data_type: &dyn DataType) -> Option<Note> {
    let text = "V2 allows nested structs. zarr-python 3.4.2 and GDAL 3.12.2 read them; zarr-python 3.1.6 and \
                TensorStore 0.1.86 refuse them.";
    let nested = data_type.fields().iter().any(|field| !field.data_type.fields().is_empty());
    nested.then(|| Note::new(Code::NestedStruct, text))
}

/// A V3 name as a V2 dtype.
pub fn bare_name(name: &str) -> Note {
    let text = format!(
        "\"{name}\" is not a NumPy type string. TensorStore 0.1.86 writes it into V2 metadata; zarr-python 3.4.2, \
         zarrs 0.23.14 and GDAL 3.12.2 refuse it."
    );
    Note::new(Code::BareExtensionName, text)
}

/// A scalar of another type was to be written.
pub fn foreign(name: &str, scalar: &Scalar) -> Note {
    let shown: String = scalar.to_string().chars().take(60).collect();
    Note::new(Code::OtherDataType, format!("{shown} is not a scalar of {name}."))
}
