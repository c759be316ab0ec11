//! What a metadata document is for, and what its fields mean.

use crate::zarr::format::Format;

/// Outermost member, innermost member (empty: any), lesson. The first row that fits is the one.
type Lessons = &'static [(&'static str, &'static str, &'static str)];

/// A table of lessons, one a line.
macro_rules! lessons {
    ($($outer:literal $inner:literal $lesson:literal;)*) => { &[$(($outer, $inner, $lesson)),*] };
}

/// What the member `path` of an array's or group's document says, such as `codecs[0].configuration.endian`; `None`
/// for members that no text describes.
#[must_use]
pub fn field(format: Format, path: &str) -> Option<&'static str> {
    let top = path.split(['.', '[']).next().unwrap_or_default();
    let inner = path.rsplit('.').next().unwrap_or_default();
    let is_of_index = path.contains("index_codecs[");
    let inner = match inner {
        "endian" if is_of_index => "index_endian",
        "name" if is_of_index => "index_codecs",
        inner => inner,
    };
    let lessons = match format {
        Format::V2 => V2,
        Format::V3 => V3,
    };
    let fits = |(outer, innermost, _): &&(&str, &str, &str)| {
        (outer.is_empty() || *outer == top) && (innermost.is_empty() || *innermost == inner)
    };
    lessons.iter().find(fits).map(|(_, _, lesson)| *lesson)
}

/// What the document under this key is for.
#[must_use]
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
    "_ARRAY_DIMENSIONS" "" "The dimension names, by xarray's convention.";
};

const V3: Lessons = lessons! {
    "attributes" "attributes" "The user attributes: free-form JSON.";
    "attributes" "" "A user attribute: free-form JSON.";
    "zarr_format" "" "The format of the document: the number 3.";
    "node_type" "" "The kind of node: array or group.";
    "shape" "" "The length of each dimension, in elements; an empty list means one element.";
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
        assert_eq!(field(Format::V3, "attributes.shape"), field(Format::V3, "attributes.x"));
        let of_index =
            field(Format::V3, "codecs[0].configuration.index_codecs[0].configuration.endian");
        assert!(of_index.unwrap().contains("shard index"), "{of_index:?}");
        assert_eq!(field(Format::V2, "node_type"), None);
        assert!(field(Format::V3, "foo.must_understand").is_some());
    }
}
