//! A codec that is known by name and not decoded, with the reason. Its bytes stay to be looked at.

use super::prelude::*;

pub(super) static PICKLE: CodecRow = CodecRow {
    v3: &["numcodecs.pickle"],
    v2: &["pickle"],
    members: &["protocol"],
    lesson: "Python's own serialisation. Reading a pickle runs the code that it contains, so zarrscope does not \
             decode it.",
    object_codec: true,
    signature: Signature::Magic("a Python pickle", b"\x80\x04\x95"),
    to_v3: objects_lost_in_v3,
    ..CodecRow::new(CodecKind::ArrayToBytes, pickle)
};

fn pickle(_: &Setup) -> Built {
    let found = "Python objects stored by pickle";
    let expected = "data that can be read safely: reading a pickle runs the code that it contains";
    let fix = "If you trust its writer, read it with zarr-python 2.18.7 and rewrite it with vlen-utf8, vlen-bytes or \
               json2.";
    Err(Error::new(Code::PickleRefused, found, expected).with_fix(fix))
}
