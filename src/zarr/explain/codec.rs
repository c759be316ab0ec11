//! What each codec does, in a sentence or two.

/// What the codec `name` of either format does to a chunk.
#[must_use]
pub fn lesson(name: &str) -> &'static str {
    let name = name.strip_prefix("numcodecs.").unwrap_or(name);
    LESSONS.iter().find(|(known, _)| *known == name).map_or(UNKNOWN, |(_, lesson)| lesson)
}

const UNKNOWN: &str = "No codec of this name is known here: what comes before it can be looked at, what comes after cannot.";

/// Every codec there is, array → bytes first, then checksums, compressors and filters.
const LESSONS: &[(&str, &str)] = &[
    ("file", "The file as it lies in the store, before anything is undone."),
    (
        "bytes",
        "Gives each element its bytes, in C order and in the byte order that `endian` says. In V2 the dtype says it.",
    ),
    (
        "endian",
        "Gives each element its bytes, in C order and in the byte order that `endian` says. In V2 the dtype says it.",
    ),
    (
        "transpose",
        "Changes the order of the dimensions before elements are laid out. No byte is moved here to undo it: \
             coordinates are looked up through the permutation.",
    ),
    (
        "sharding_indexed",
        "A shard: many inner chunks in one file, with an index of their offsets and lengths (16 bytes each) at the \
             start or the end. Two reads get one inner chunk.",
    ),
    ("reshape", "The same elements in the same order, seen in another shape."),
    (
        "cast_value",
        "Stores the values in another data type, with rules for rounding and for what does not fit.",
    ),
    ("scale_offset", "Stores (value − offset) × scale; undone by the inverse."),
    (
        "crc32c",
        "A checksum of 4 bytes (Castagnoli polynomial), little-endian; V3 puts it behind the data.",
    ),
    (
        "crc32",
        "A checksum of 4 bytes, little-endian; numcodecs puts it before the data unless told otherwise.",
    ),
    (
        "adler32",
        "A weak checksum of 4 bytes, little-endian; numcodecs puts it before the data unless told otherwise.",
    ),
    ("fletcher32", "HDF5's checksum of 4 bytes behind the data."),
    ("jenkins_lookup3", "HDF5's checksum for its own structures, 4 bytes behind the data."),
    (
        "zstd",
        "Zstandard: frames with a header that can promise the decoded size and carry a checksum.",
    ),
    ("gzip", "Deflate with a gzip header and, at the end, a CRC-32 and the decoded size."),
    ("zlib", "Deflate with a 2-byte header and an Adler-32 at the end."),
    (
        "blosc",
        "A container of 16 header bytes and blocks: bytes of equal significance are put together (shuffle), then \
             each block is packed by another compressor.",
    ),
    ("lz4", "A 4-byte decoded size, then one LZ4 block."),
    (
        "lzma",
        "LZMA or xz, as numcodecs was told: container, checksum and filters are in the configuration.",
    ),
    ("bz2", "bzip2: blocks with a checksum each."),
    ("zfp", "Lossy floating-point compression in blocks of 4 elements a side."),
    ("pcodec", "Lossless numerical compression: numbers are split into bins and remainders."),
    ("pcodec.pco", "Lossless numerical compression: numbers are split into bins and remainders."),
    ("shuffle", "Puts the first bytes of all elements together, then the second ones, and so on."),
    ("delta", "Stores each element as its difference from the one before."),
    (
        "fixedscaleoffset",
        "Stores (value − offset) × scale, rounded, in another dtype. What was rounded off is lost.",
    ),
    (
        "quantize",
        "Keeps so many decimal digits; what was rounded off is lost, and decoding changes nothing.",
    ),
    (
        "bitround",
        "Keeps so many bits of the mantissa; what was rounded off is lost, and decoding changes nothing.",
    ),
    ("astype", "Stores the values in another dtype and casts them back."),
    (
        "packbits",
        "Packs elements of less than a byte side by side, with a word on how many bits are padding.",
    ),
    ("categorize", "Stores the number of a label instead of the label: 0 is none of them."),
    ("base64", "The bytes as base64 text."),
    ("json2", "The elements as one JSON list, followed by dtype and shape."),
    ("msgpack2", "The elements as one MessagePack list, followed by dtype and shape."),
    (
        "pickle",
        "Python's own serialisation. Reading it runs whatever code it names, so it is named here and not read.",
    ),
    (
        "vlen-utf8",
        "Strings of any length: how many, then each one's length in 4 bytes and its UTF-8.",
    ),
    (
        "vlen-bytes",
        "Byte strings of any length: how many, then each one's length in 4 bytes and its bytes.",
    ),
    (
        "vlen-array",
        "Small arrays of any length: how many, then each one's length in 4 bytes and its elements.",
    ),
];
