//! Which codecs there are: one line each.

use super::{
    Codec, base64, blosc, bytes, bz2, cast_value, categorize, checksum, config::Setup, delta, gzip,
    json2, lz4, lzma, numeric_filter, packbits, pcodec, reshape, scale_offset, sharding, shuffle,
    spec, transpose, unsupported, vlen, zlib, zstd,
};
use crate::zarr::{
    error::{Code, Error, Flagged, Note, Result},
    format::Format,
    json::quoted,
};
use std::sync::Arc;

/// One line of the registry.
struct Entry {
    /// The names in V3, the registered one first.
    v3: &'static [&'static str],
    /// The ids in V2.
    v2: &'static [&'static str],
    /// The members of its configuration.
    members: &'static [&'static str],
    /// Understands the configuration.
    build: Build,
}

type Build = fn(&Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>>;

const fn codec(
    v3: &'static [&'static str],
    v2: &'static [&'static str],
    members: &'static [&'static str],
    build: Build,
) -> Entry {
    Entry { v3, v2, members, build }
}

/// Every codec. V3 names first, then V2 ids, then the members of the configuration.
#[rustfmt::skip]
const CODECS: &[Entry] = &[
    codec(&spec::BYTES_NAMES, &["bytes"], &["endian"], bytes::build),
    codec(&["transpose"], &[], &["order"], transpose::build),
    codec(&["sharding_indexed"], &[], &["chunk_shape", "codecs", "index_codecs", "index_location"], sharding::build),
    codec(&["vlen-utf8", "numcodecs.vlen-utf8"], &["vlen-utf8"], &[], vlen::build),
    codec(&["vlen-bytes", "numcodecs.vlen-bytes"], &["vlen-bytes"], &[], vlen::build),
    codec(&["gzip", "numcodecs.gzip"], &["gzip"], &["level"], gzip::build),
    codec(&["numcodecs.zlib"], &["zlib"], &["level"], zlib::build),
    codec(&["zstd", "numcodecs.zstd"], &["zstd"], &["level", "checksum"], zstd::build),
    codec(&["blosc", "numcodecs.blosc"], &["blosc"], &["cname", "clevel", "shuffle", "typesize", "blocksize"], blosc::build),
    codec(&["crc32c", "numcodecs.crc32c"], &["crc32c"], &["location"], checksum::crc32c),
    codec(&["numcodecs.crc32"], &["crc32"], &["location"], checksum::crc32),
    codec(&["numcodecs.fletcher32"], &["fletcher32"], &[], checksum::fletcher32),
    codec(&["numcodecs.adler32"], &["adler32"], &["location"], checksum::adler32),
    codec(&["numcodecs.lz4"], &["lz4"], &["acceleration"], lz4::build),
    codec(&["numcodecs.bz2"], &["bz2"], &["level"], bz2::build),
    codec(&["numcodecs.lzma"], &["lzma"], &["format", "check", "preset", "filters", "delta"], lzma::build),
    codec(&["numcodecs.base64"], &["base64"], &[], base64::build),
    codec(&["numcodecs.shuffle"], &["shuffle"], &["elementsize"], shuffle::build),
    codec(&["numcodecs.jenkins_lookup3"], &["jenkins_lookup3"], &["initval", "prefix"], checksum::jenkins),
    codec(&["numcodecs.delta"], &["delta"], &["dtype", "astype"], delta::build),
    codec(&["numcodecs.astype"], &["astype"], &["encode_dtype", "decode_dtype"], numeric_filter::astype),
    codec(&["numcodecs.quantize"], &["quantize"], &["digits", "dtype", "astype"], numeric_filter::quantize),
    codec(&["numcodecs.fixedscaleoffset"], &["fixedscaleoffset"], &["offset", "scale", "dtype", "astype"], numeric_filter::fixed_scale_offset),
    codec(&["bitround", "numcodecs.bitround"], &["bitround"], &["keepbits"], numeric_filter::bitround),
    codec(&["numcodecs.packbits"], &["packbits"], &[], packbits::build),
    codec(&["packbits"], &[], &["padding_encoding", "first_bit", "last_bit"], packbits::registered),
    codec(&["cast_value"], &[], &["data_type", "rounding", "out_of_range", "scalar_map"], cast_value::build),
    codec(&["scale_offset"], &[], &["scale", "offset"], scale_offset::build),
    codec(&["reshape"], &[], &["shape"], reshape::build),
    codec(&["numcodecs.categorize"], &["categorize"], &["labels", "dtype", "astype"], categorize::build),
    codec(&["numcodecs.vlen-array"], &["vlen-array"], &["dtype"], vlen::array),
    codec(&["numcodecs.json2"], &["json2"], &["encoding", "skipkeys", "ensure_ascii", "check_circular", "allow_nan", "sort_keys", "indent", "separators", "strict"], json2::build),
    codec(&["numcodecs.msgpack2"], &["msgpack2"], &["use_single_float", "use_bin_type", "raw"], json2::msgpack2),
    codec(&["numcodecs.pickle"], &["pickle"], &["protocol"], unsupported::pickle),
    codec(&["numcodecs.pcodec", "pcodec"], &["pcodec"], &["level", "mode_spec", "delta_spec", "paging_spec", "delta_encoding_order", "equal_pages_up_to"], pcodec::build),
    codec(&["zfp"], &[], &["mode", "minbits", "maxbits", "maxprec", "minexp", "tolerance", "rate", "precision"], unsupported::zfp),
    codec(&["numcodecs.zfpy"], &["zfpy"], &["mode", "tolerance", "rate", "precision", "compression_kwargs"], unsupported::zfp),
];

/// The codec that `setup` describes.
///
/// # Errors
///
/// Where nobody knows the name, or its configuration makes no sense.
pub fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    let name = setup.spec.name.as_str();
    let (entry, other_format) = find(name, setup.format).ok_or_else(|| unknown(setup))?;
    let mut built = (entry.build)(setup).map_err(|error| within(error, &setup.spec.field))?;
    if other_format {
        let text = format!(
            "{} is no registered V3 name; it is read as the numcodecs codec of that id.",
            quoted(name)
        );
        built.notes.push(Note::new(Code::UnregisteredCodec, text));
    }
    if let Some(member) = setup.unknown_member(entry.members) {
        let text = format!(
            "The configuration of {} has the member {}, which means nothing for decoding here; the registered \
             schemas forbid members that they do not list.",
            quoted(name),
            quoted(member)
        );
        built.notes.push(Note::new(Code::UnknownCodecMember, text));
    }
    Ok(built)
}

/// The codec of that name, and whether the name is one of V2 that stands in V3.
fn find(name: &str, format: Format) -> Option<(&'static Entry, bool)> {
    let v2 = CODECS.iter().find(|entry| entry.v2.contains(&name));
    match format {
        Format::V2 => v2.map(|entry| (entry, false)),
        Format::V3 => {
            let v3 = CODECS.iter().find(|entry| entry.v3.contains(&name));
            v3.map(|entry| (entry, false)).or_else(|| v2.map(|entry| (entry, true)))
        }
    }
}

/// Errors about a configuration know their field already; others get the codec's.
fn within(mut error: Error, field: &str) -> Error {
    error.place.field.get_or_insert_with(|| field.to_owned());
    error
}

fn unknown(setup: &Setup<'_>) -> Error {
    let found = format!("the codec {}", setup.name());
    let known = CODECS.iter().any(|entry| {
        let same = |other: &&str| other.eq_ignore_ascii_case(setup.spec.name.trim());
        entry.v3.iter().any(same) || entry.v2.iter().any(same)
    });
    let error = Error::new(Code::UnknownCodec, found, "a codec that this program knows");
    let error = if known { error.with_fix("Codec names are case-sensitive.") } else { error };
    error.at(&setup.spec.field)
}

/// The names of every codec in `format`.
pub fn names(format: Format) -> impl Iterator<Item = &'static str> {
    CODECS.iter().flat_map(move |entry| match format {
        Format::V2 => entry.v2.iter().copied(),
        Format::V3 => entry.v3.iter().copied(),
    })
}
