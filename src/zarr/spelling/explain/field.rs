//! The purpose of a metadata document, and the meaning of its fields.

use crate::zarr::format::Format;

/// Outermost member, innermost member (empty: any), lesson. The first row that fits is the one.
type Lessons = &'static [(&'static str, &'static str, &'static str)];

/// A table of lessons, one a line.
macro_rules! lessons {
    ($($outer:literal $inner:literal $lesson:literal;)*) => { &[$(($outer, $inner, $lesson)),*] };
}

/// The meaning of the member `path` of an array's or group's document, such as `codecs[0].configuration.endian`; `None`
/// for members that no text describes.
pub fn field(format: Format, path: &str) -> Option<&'static str> {
    let top = path.split(['.', '[']).next().unwrap_or_default();
    let inner = path.rsplit('.').next().unwrap_or_default();
    let is_of_index = path.contains("index_codecs[");
    let inner = match inner {
        "endian" if is_of_index => "index_endian",
        "name" if is_of_index => "index_codecs",
        inner => inner,
    };
    let (lessons, are_codecs) = match format {
        Format::V2 => (V2, matches!(top, "filters" | "compressor")),
        Format::V3 => (V3, top == "codecs"),
    };
    let fits = |(outer, innermost, _): &&(&str, &str, &str)| {
        (outer.is_empty() || *outer == top) && (innermost.is_empty() || *innermost == inner)
    };
    let parameters = if are_codecs { PARAMETERS } else { &[] };
    let of_codec = parameters.iter().find(|(member, ..)| *member == inner);
    of_codec.or_else(|| lessons.iter().find(fits)).map(|(_, _, lesson)| *lesson)
}

/// The meaning of a user attribute of an array, by the conventions that xarray follows.
pub fn attribute(name: &str) -> &'static str {
    let known = ATTRIBUTES.iter().find(|(attribute, ..)| *attribute == name);
    known.map_or("A user attribute: free-form JSON.", |(.., lesson)| *lesson)
}

/// The purpose of the document under this key.
pub fn document(key: &str) -> &'static str {
    match key.rsplit('/').next().unwrap_or_default() {
        "zarr.json" => "The metadata of a V3 node as one JSON object, including its attributes.",
        ".zarray" => {
            "The metadata of a V2 array: shape, chunks, dtype, fill value and codecs. Its attributes are in .zattrs \
             next to it."
        }
        ".zgroup" => "Marks a V2 group. It contains only the format version.",
        ".zattrs" => "The user attributes of a V2 node: one free-form JSON object.",
        ".zmetadata" => {
            "The consolidated metadata of a V2 store: copies of its metadata documents, so that a reader fetches one \
             file. Later changes to the originals are missing until it is written again."
        }
        _ => "A metadata document of this node.",
    }
}

const V2: Lessons = lessons! {
    "zarr_format" "" "The format of the document: the number 2.";
    "shape" "" "The length of each dimension, in elements; an empty list means one element.";
    "chunks" "" "The length of a chunk along each dimension, in elements. Edge chunks are stored in full.";
    "dtype" "" "A NumPy type string: byte order (< little, > big, | not relevant), kind, and size in bytes (for U, \
                in code points); or a list of fields.";
    "fill_value" "" "The value of cells that were never written; null leaves them undefined.";
    "order" "" "C: the last index varies fastest within a chunk. F: the first one does.";
    "filters" "id" "The numcodecs id of the codec.";
    "compressor" "id" "The numcodecs id of the codec.";
    "filters" "" "The codecs applied before the compressor when encoding, in this order; null for none.";
    "compressor" "" "The last codec applied when encoding; null for none.";
    "dimension_separator" "" "The separator between the coordinates in a chunk key; a dot by default.";
};

/// Parameters that codecs have in both formats.
const PARAMETERS: Lessons = lessons! {
    "level" "" "The compression level. A higher one takes longer and usually compresses better; decoding does not \
                need it.";
    "clevel" "" "Blosc's compression level, 0 (none) to 9. Decoding does not need it.";
    "cname" "" "The compressor inside blosc.";
    "shuffle" "" "The grouping that blosc does before it compresses: none, bytes of equal significance, or bits. V2 \
                  writes 0, 1, 2 or -1 (automatic), V3 noshuffle, shuffle or bitshuffle.";
    "typesize" "" "The size of an element in bytes, by which blosc groups.";
    "blocksize" "" "The size of a blosc block in bytes; 0 lets blosc choose.";
    "checksum" "" "True if a checksum is at the end of each zstd frame.";
    "elementsize" "" "The size of the elements whose bytes are grouped.";
    "acceleration" "" "The speed of LZ4: a higher one takes less time and compresses less. Decoding does not need it.";
    "keepbits" "" "The number of mantissa bits that are kept; the others become 0.";
};

/// Attributes of arrays that change how they are read.
const ATTRIBUTES: Lessons = lessons! {
    "_ARRAY_DIMENSIONS" "" "The dimension names, by xarray's convention for V2.";
    "_FillValue" "" "By the CF conventions: elements with this value are missing.";
    "missing_value" "" "By the CF conventions: elements with this value are missing.";
    "scale_factor" "" "By the CF conventions: the physical value is the stored value times this, plus add_offset.";
    "add_offset" "" "By the CF conventions: this is added to the stored value after scale_factor was applied.";
    "units" "" "By the CF conventions: the unit of the values. With \"since\" and a date they are times.";
    "calendar" "" "By the CF conventions: the calendar in which times count.";
    "_Unsigned" "" "By a convention of netCDF: \"true\" if signed integers stand for unsigned ones.";
    "dtype" "" "By xarray's convention: the data type that the stored numbers stand for, such as bool.";
};

const V3: Lessons = lessons! {
    "attributes" "" "The user attributes: free-form JSON.";
    "zarr_format" "" "The format of the document: the number 3.";
    "node_type" "" "The kind of node: array or group.";
    "shape" "" "The length of each dimension, in elements; an empty list means one element.";
    "data_type" "unit" "The unit of a count.";
    "data_type" "scale_factor" "The number of units in one count.";
    "data_type" "length_bytes" "The size of an element in bytes.";
    "data_type" "fields" "The fields of an element in their order, each with a name and a data type.";
    "data_type" "" "The type of the values. Where it matters, their byte order is in the configuration of a codec, usually \
                      bytes.";
    "chunk_grid" "chunk_shape" "The length of a chunk (or shard) along each dimension, in elements.";
    "chunk_grid" "" "The division of the array into chunks: regular, or an extension such as rectilinear.";
    "chunk_key_encoding" "separator" "The separator between the coordinates in a chunk key.";
    "chunk_key_encoding" "" "The rule that turns chunk coordinates into a key: default (c/0/1) or v2 (0.1).";
    "fill_value" "" "The value of cells that were never written. No core data type allows null.";
    "codecs" "index_endian" "The byte order of the offsets and lengths in the shard index.";
    "codecs" "endian" "The byte order of the stored elements: little (least significant byte first) or big.";
    "codecs" "order" "The permutation of the dimensions: dimension i of the output is dimension order[i] of the \
                      input.";
    "codecs" "chunk_shape" "The shape of a shard's inner chunks; it must divide the shard's shape.";
    "codecs" "index_location" "The position of the shard index: start or end.";
    "codecs" "index_codecs" "The codecs of the shard index; their output must have a fixed size.";
    "codecs" "" "The codecs applied when a chunk is written, in this order; reading applies them in reverse.";
    "dimension_names" "" "One name or null per dimension.";
    "storage_transformers" "" "Transformations between the chunks and the store. None is registered; a reader must \
                               refuse one that it does not know, unless it has must_understand: false.";
    "consolidated_metadata" "" "Copies of the metadata of the nodes below. Where they differ, zarrscope \
                                shows the document itself.";
    "" "must_understand" "True (the default) if a reader that does not know this must refuse the node.";
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_member_is_explained_before_the_outermost() {
        let endian = field(Format::V3, "codecs[0].configuration.endian").unwrap();
        assert!(endian.contains("least significant"), "{endian}");
        let codecs = field(Format::V3, "codecs[1].name").unwrap();
        assert_ne!(endian, codecs);
        let level = field(Format::V3, "codecs[1].configuration.level");
        assert_eq!(level, field(Format::V2, "compressor.level"));
        assert_ne!(level, field(Format::V3, "codecs"));
        let of_index =
            field(Format::V3, "codecs[0].configuration.index_codecs[0].configuration.endian");
        assert!(of_index.unwrap().contains("shard index"), "{of_index:?}");
        assert_eq!(field(Format::V2, "node_type"), None);
        assert!(field(Format::V3, "foo.must_understand").is_some());
    }
}
