//! The codecs that are always there: one line each.

use super::{
    CodecRow, Codecs, base64, blosc, bytes, bz2, cast_value, categorize, checksum, delta, gzip,
    json2, lz4, lzma, numeric_filter, packbits, pcodec, reshape, scale_offset, sharding, shuffle,
    transpose, unsupported, vlen, zlib, zstd,
};

/// Every codec.
static BUILTIN: [&CodecRow; 37] = [
    &bytes::ROW,
    &transpose::ROW,
    &sharding::ROW,
    &vlen::UTF8,
    &vlen::BYTES,
    &gzip::ROW,
    &zlib::ROW,
    &zstd::ROW,
    &blosc::ROW,
    &checksum::CRC32C,
    &checksum::CRC32,
    &checksum::FLETCHER32,
    &checksum::ADLER32,
    &lz4::ROW,
    &bz2::ROW,
    &lzma::ROW,
    &base64::ROW,
    &shuffle::ROW,
    &checksum::LOOKUP3,
    &delta::ROW,
    &numeric_filter::ASTYPE,
    &numeric_filter::QUANTIZE,
    &numeric_filter::FIXED_SCALE_OFFSET,
    &numeric_filter::BITROUND,
    &packbits::BOOLEANS,
    &packbits::REGISTERED,
    &cast_value::ROW,
    &scale_offset::ROW,
    &reshape::ROW,
    &categorize::ROW,
    &vlen::ARRAY,
    &json2::JSON2,
    &json2::MSGPACK2,
    &unsupported::PICKLE,
    &pcodec::ROW,
    &unsupported::ZFP,
    &unsupported::ZFPY,
];

impl Default for Codecs {
    fn default() -> Self {
        Self::of(&BUILTIN)
    }
}
