//! The lessons on what lies around the values: chunks, codecs, keys, names.

use crate::zarr::spelling::Topic;

/// The rule behind a topic that is the same for every data type.
pub(super) fn rule(topic: Topic) -> &'static str {
    lesson(topic).0
}

/// Where it is written.
pub(super) fn source(topic: Topic) -> &'static str {
    lesson(topic).1
}

fn lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::DataType | Topic::ByteOrder => (
            "What the document says here names no data type that is known. Chunks can be looked at as bytes; what they \
             mean cannot be said.",
            "V2 \"Data type encoding\"; V3 core \"Data types\"",
        ),
        Topic::FillValue => (
            "How a fill value is written depends on the data type, which is not known here.",
            "V2 \"Fill value encoding\"; V3 data-types, \"Permitted fill values\"",
        ),
        Topic::MissingChunks => (
            "A chunk without a file is not an error: all of its elements read as the fill value. Writers leave out \
             chunks that hold nothing else. A chunk that got lost looks just the same.",
            "V2 \"Chunks\"; V3 core \"Fill value\"",
        ),
        _ => layout_lesson(topic),
    }
}

fn layout_lesson(topic: Topic) -> (&'static str, &'static str) {
    match topic {
        Topic::ChunkShape => (
            "In a regular grid every chunk has the same shape and is stored in full, also at the edge; what lies beyond \
             the array counts for nothing. In V3 a chunk can be a shard: one file with many inner chunks and an index of where \
             each one lies, so that readers can fetch a single one.",
            "V2 \"Chunks\"; V3 chunk-grids/regular; codecs/sharding-indexed",
        ),
        Topic::Layout => (
            "Within a chunk elements lie row by row, the last index running fastest. V2 can turn that round with order \
             F; V3 says the same, and any other permutation of the dimensions, with the codec transpose.",
            "V2 \"order\"; V3 codecs/transpose",
        ),
        Topic::Codecs => (
            "V2: the filters in order, then one compressor. V3: one list, in which array → array codecs come first, \
             then exactly one array → bytes codec, then bytes → bytes codecs. Decoding goes through it backwards.",
            "V2 \"Filters\", \"compressor\"; V3 core \"Chunk encoding\"",
        ),
        Topic::ChunkKey => (
            "The file of a chunk is named after its place in the grid. V2 joins the coordinates by a dot, or by \
             dimension_separator; V3 puts c in front and joins by a slash, unless chunk_key_encoding says otherwise. A \
             reader with the wrong separator finds no chunk at all, and shows fill values without a word.",
            "V2 \"Storing a single array\"; V3 chunk-key-encodings",
        ),
        Topic::DimensionNames => (
            "V3 has a field for them. V2 has none: xarray's convention is the attribute _ARRAY_DIMENSIONS.",
            "V3 core \"dimension_names\"; xarray, \"Zarr encoding specification\"",
        ),
        _ => (
            "User attributes are whatever the writer wanted to say, in JSON. V2 keeps them in a file of its own beside \
             the metadata, V3 within the document.",
            "V2 \"Attributes\"; V3 core \"attributes\"",
        ),
    }
}
