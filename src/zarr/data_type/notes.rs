//! Sentences that more than one data type says.

use crate::zarr::{error::Note, scalar::Scalar};

/// V2 has no dtype for an extension data type.
#[must_use]
pub fn no_v2(name: &str) -> Note {
    let text = format!(
        "V2 writes NumPy type strings, and NumPy has none for {name}. TensorStore writes the bare name, which other readers refuse."
    );
    Note::new("no-v2-form", text)
}

/// A V3 name that zarr-python 3.1 does not read.
#[must_use]
pub fn unknown_to_zarr_python(name: &str) -> Note {
    let text = format!(
        "{name} is a registered data type that zarr-python 3.1 cannot open; zarrs and TensorStore read it."
    );
    Note::new("unknown-to-zarr-python", text)
}

/// A V3 name as a V2 dtype.
#[must_use]
pub fn bare_name(name: &str) -> Note {
    let text = format!(
        "\"{name}\" is no NumPy type string. TensorStore writes it into V2 metadata; other readers refuse it."
    );
    Note::new("bare-extension-name", text)
}

/// A scalar of another type was to be written.
#[must_use]
pub fn foreign(name: &str, scalar: &Scalar) -> Note {
    let shown: String = scalar.to_string().chars().take(60).collect();
    Note::new("foreign-scalar", format!("{shown} is no scalar of {name}."))
}
