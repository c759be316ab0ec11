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
        "zarr.json" => {
            "The document of a V3 node: one JSON object that says everything of it but its values. Its attributes are in it."
        }
        ".zarray" => {
            "The document of a V2 array: its shape, chunks, dtype, fill value and codecs. Its attributes are in .zattrs beside it."
        }
        ".zgroup" => "The document of a V2 group. It says which format it is and nothing else.",
        ".zattrs" => {
            "The attributes of a V2 node: whatever its writer wanted to say, as one JSON object."
        }
        ".zmetadata" => {
            "The consolidated metadata of a V2 store: a copy of all its documents, so that a reader needs one file. It is as old as its last writing."
        }
        _ => "A document of this node.",
    }
}

const V2: Lessons = lessons! {
    "zarr_format" "" "Which format the document is in: the number 2.";
    "shape" "" "How many elements there are along each dimension; an empty list is one element.";
    "chunks" "" "How many elements a chunk has along each dimension. Chunks at the edge are stored in full.";
    "dtype" "" "The NumPy type string: byte order (< little, > big, | not relevant), kind, size in bytes; or a list \
        of fields.";
    "fill_value" "" "What cells that were never written read as; null says nothing about them.";
    "order" "" "C: the last index runs fastest within a chunk. F: the first one does.";
    "filters" "id" "Which numcodecs codec.";
    "compressor" "id" "Which numcodecs codec.";
    "filters" "" "Codecs that run before the compressor, in this order when encoding; null for none.";
    "compressor" "" "The last codec when encoding; null for none.";
    "dimension_separator" "" "What stands between the coordinates in a chunk key: a dot where it is left out.";
    "_ARRAY_DIMENSIONS" "" "xarray's convention for the dimensions' names.";
};

const V3: Lessons = lessons! {
    "attributes" "" "A user attribute: whatever the writer wanted to say.";
    "zarr_format" "" "Which format the document is in: the number 3.";
    "node_type" "" "Whether this is an array or a group.";
    "shape" "" "How many elements there are along each dimension; an empty list is one element.";
    "data_type" "" "What the values are. How their bytes lie is said by the codec \"bytes\", not here.";
    "chunk_grid" "chunk_shape" "How many elements a chunk (or shard) has along each dimension.";
    "chunk_grid" "" "How the array is cut into chunks: regular, or an extension such as rectilinear.";
    "chunk_key_encoding" "separator" "What stands between the coordinates in a chunk key.";
    "chunk_key_encoding" "" "How a chunk's coordinates become its key: default (c/0/1) or v2 (0.1).";
    "fill_value" "" "What cells that were never written read as. null is not a fill value in V3.";
    "codecs" "endian" "Which byte of an element comes first: little (the least significant) or big.";
    "codecs" "order" "The permutation of the dimensions: dimension i of the output is dimension order[i].";
    "codecs" "chunk_shape" "The shape of the inner chunks of a shard; it must divide the shard's shape.";
    "codecs" "index_location" "Whether the shard's index stands at its start or its end.";
    "codecs" "index_codecs" "How the shard's index itself is encoded; of fixed size.";
    "codecs" "" "What is done to a chunk when it is written, in this order; reading goes backwards.";
    "dimension_names" "" "A name or null for each dimension.";
    "storage_transformers" "" "What stands between chunk and store. None is registered; one must be understood.";
    "consolidated_metadata" "" "Copies of the documents of the nodes below. The documents themselves decide.";
    "" "must_understand" "Whether a reader that does not know this must give up; true where it is left out.";
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
        assert_eq!(field(Format::V3, "attributes.shape"), field(Format::V3, "attributes"));
        assert_eq!(field(Format::V2, "node_type"), None);
        assert!(field(Format::V3, "foo.must_understand").is_some());
    }
}
