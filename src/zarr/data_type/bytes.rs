//! How much of a value JSON can spell.

use super::prelude::*;

/// The most bytes of a scalar that JSON spells one by one or field by field, which takes a hundred times as many.
pub const MAX_SPELLED: usize = 1 << 20;

/// The note that a scalar of `size` bytes cannot be spelled, if it is longer than [`MAX_SPELLED`].
///
/// # Errors
///
/// That note.
pub fn spellable(size: usize) -> Result<(), Note> {
    if size <= MAX_SPELLED {
        return Ok(());
    }
    let expected = format!("at most {MAX_SPELLED}");
    Err(too_long(&Error::new(Code::OtherDataType, format!("{size} bytes"), expected)))
}

/// The note for a value that is too long to be written.
pub fn too_long(error: &Error) -> Note {
    Note::new(Code::NotJson, format!("The value cannot be written: {error}."))
}
