//! `blosc`: a header, then blocks, each shuffled and compressed on its own.
//!
//! The C library decodes; this file makes sure that what it is given is sound, and where it fails finds the block.

use super::prelude::*;
use super::{bounded_buffer::header_too_large, other_format::kept};
use header::Header;
use std::ffi::CString;

mod ffi;
mod header;
mod snappy;

#[derive(Debug)]
struct Blosc {
    /// The type size in the metadata, if any.
    typesize: Option<u64>,
    shuffle: Option<&'static str>,
    /// The settings that only encoding uses.
    compressor: CString,
    level: i32,
    block_size: u64,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 2,
    usual: [
        r#""cname":"lz4","clevel":5,"shuffle":1,"blocksize":0"#,
        r#""typesize":SIZE,"cname":"lz4","clevel":5,"shuffle":"shuffle","blocksize":0"#,
    ],
    v3: &["blosc", "numcodecs.blosc"],
    registered: true,
    v2: &["blosc"],
    members: &["cname", "clevel", "shuffle", "typesize", "blocksize"],
    shown: &["cname", "shuffle"],
    lesson: "A 16-byte header followed by blocks. A block can be shuffled (bytes, or bits, of equal significance are \
             grouped) and is then compressed by an inner compressor, or copied if that does not help.",
    compresses: true,
    signature: Signature::Header("a blosc buffer", |bytes| {
        let len = bytes.get(12..16).and_then(|len| len.first_chunk());
        bytes.first() == Some(&2)
            && len.is_some_and(|len| u32::from_le_bytes(*len) as usize == bytes.len())
    }),
    to_v3,
    to_v2,
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

/// V2 has the shuffle as a number and takes the type size from the dtype; V3 has a word and says the size.
fn to_v3(spec: &CodecSpec, data_type: &dyn DataType) -> Result<CodecSpec, Note> {
    let size = data_type.fixed_size().unwrap_or(1);
    let shuffle = match spec.member("shuffle").and_then(Json::as_number) {
        Some("0") => "noshuffle",
        Some("2") => "bitshuffle",
        Some("-1") if size == 1 => "bitshuffle",
        _ => "shuffle",
    };
    let typesize = ("typesize", Json::from(size as u64));
    Ok(in_v3("blosc", std::iter::once(typesize).chain(members(spec, Json::from(shuffle)))))
}

fn to_v2(spec: &CodecSpec, _: usize) -> InV2 {
    let shuffle = match spec.member("shuffle").and_then(Json::as_str) {
        Some("noshuffle") => 0,
        Some("bitshuffle") => 2,
        _ => 1,
    };
    InV2::codec("blosc", members(spec, Json::from(shuffle)))
}

fn members(spec: &CodecSpec, shuffle: Json) -> [(&'static str, Json); 4] {
    [
        kept(spec, "cname", Json::from("lz4")),
        kept(spec, "clevel", Json::from(5)),
        ("shuffle", shuffle),
        kept(spec, "blocksize", Json::from(0)),
    ]
}

fn build(setup: &Setup) -> Built {
    let typesize = setup.number("typesize")?;
    let shuffle = setup.member("shuffle").and_then(|json| {
        let word = json.as_str().or_else(|| json.as_number());
        match word? {
            "noshuffle" | "NONE" | "0" => Some("noshuffle"),
            "shuffle" | "BYTE" | "1" => Some("shuffle"),
            "bitshuffle" | "BIT" | "2" => Some("bitshuffle"),
            _ => None,
        }
    });
    let notes = v3_note(setup, typesize, shuffle).into_iter().collect();
    let compressor = setup.member("cname").and_then(Json::as_str).unwrap_or("lz4");
    let compressor = CString::new(compressor).unwrap_or_default();
    let level = setup.member("clevel").and_then(Json::as_u64).unwrap_or(5).min(9);
    let block_size = setup.member("blocksize").and_then(Json::as_u64).unwrap_or(0);
    let level = i32::try_from(level).unwrap_or(9);
    let blosc = Blosc { typesize, shuffle, compressor, level, block_size };
    Ok(Flagged { value: Arc::new(blosc), notes })
}

/// The note on forms that the registered codec does not have: the shuffle of V2, which is a number, and a shuffle
/// without a type size.
fn v3_note(setup: &Setup, typesize: Option<u64>, shuffle: Option<&str>) -> Option<Note> {
    let named = setup.member("shuffle").filter(|_| setup.spec.name == ROW.v3[0])?;
    if setup.format == Format::V2 {
        return None;
    }
    if named.as_str().is_none() {
        let text = format!(
            "The shuffle is {}, as in V2; V3 uses the words noshuffle, shuffle and bitshuffle. zarr-python 3.4.2, \
             zarrs 0.23.14, TensorStore 0.1.86 and GDAL 3.12.2 refuse the array; zarrita 0.7.5 reads it.",
            named.describe()
        );
        return Some(Note::new(Code::V2Configuration, text));
    }
    let text = "The codec's specification requires a typesize with a shuffle; there is none. zarrs 0.23.14 and \
                TensorStore 0.1.86 refuse the array; zarr-python 3.4.2, zarrita 0.7.5 and GDAL 3.12.2 read it.";
    (typesize.is_none() && shuffle != Some("noshuffle"))
        .then(|| Note::new(Code::TypeSizeMissing, text))
}

impl Codec for Blosc {
    fn encode(&self, context: &Context) -> Result<Data> {
        let item = context.decoded.and_then(|array| array.data_type.fixed_size());
        let said =
            self.typesize.and_then(|size| usize::try_from(size).ok()).filter(|&size| size > 0);
        let size = said.or(item).unwrap_or(1);
        // V2's -1, "as it suits", is the bitshuffle for single bytes.
        let shuffle = match self.shuffle {
            Some("noshuffle") => 0,
            Some("bitshuffle") => 2,
            None if size == 1 => 2,
            _ => 1,
        };
        let input = context.whole()?;
        let block_size = usize::try_from(self.block_size).unwrap_or(0);
        let options = ffi::CompressOptions { level: self.level, shuffle, size, block_size };
        if self.compressor.as_bytes() == b"snappy" {
            let expected = "another compressor: zarrscope only decodes this one";
            return Err(Error::new(Code::CodecNotEncoded, "blosc with snappy", expected));
        }
        let bytes = ffi::compress(input, &self.compressor, &options).ok_or_else(|| {
            let found =
                format!("{} and the compressor {:?}", byte_count(input.len()), self.compressor);
            let expected = "less than 2 GiB, and blosclz, lz4, lz4hc, zlib or zstd";
            Error::new(Code::CodecConfiguration, found, expected)
        })?;
        Ok(Data::whole(bytes))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let input = context.whole()?;
        let header = header::read(input)?;
        let fields = self.fields(&header, input.len() as u64, context);
        if u64::from(header.nbytes) > context.budget.limit() {
            let error = header_too_large(context, header.nbytes.into(), 4);
            return Ok(Outcome { header: fields, ..Outcome::failed(error) });
        }
        let outcome = decode(input, &header, context);
        let mut notes: Vec<_> = trailing(input, &header).into_iter().collect();
        notes.extend(outcome.notes);
        notes.extend(self.idle_shuffle(&header, context));
        notes.extend(self.idle_type_size(&header));
        let blocks = header.layout(input);
        Ok(Outcome { header: fields, notes, blocks, ..outcome })
    }
}

impl Blosc {
    /// The note that a shuffle groups nothing. Blosc has no type size past 255, and takes 1; so do writers that give it bytes.
    fn idle_shuffle(&self, header: &Header, context: &Context) -> Option<Note> {
        let item = context.decoded.and_then(|array| array.data_type.fixed_size());
        let item = item.filter(|item| (2..=255).contains(item))?;
        let is_idle = self.typesize != Some(1) && header.typesize == 1 && header.shuffles();
        let does = match header.shuffle() {
            "bitshuffle" => "groups the bits of single bytes",
            _ => "does nothing",
        };
        let text = format!(
            "Elements have {item} bytes: a shuffle with type size 1 {does}. The values are right, and usually compress \
             less well."
        );
        is_idle.then(|| Note::new(Code::ShuffleSize, text))
    }

    /// The note that the type size is another one than declared, where it is of no use.
    fn idle_type_size(&self, header: &Header) -> Option<Note> {
        let declared = self.typesize.filter(|&size| size != u64::from(header.typesize))?;
        let text = format!(
            "The blosc type size is {}, and the metadata declares {declared}; without a shuffle it has no effect.",
            header.typesize
        );
        (!header.shuffles()).then(|| Note::new(Code::CodecHeader, text))
    }

    /// The header's fields, held against the metadata.
    fn fields(&self, header: &Header, len: u64, context: &Context) -> Vec<HeaderField> {
        let mut fields = header.fields();
        let mut problem = |name: &str, text: Option<String>| {
            if let Some(field) = fields.iter_mut().find(|field| field.name == name) {
                field.problem = text;
            }
        };
        let nbytes = u64::from(header.nbytes);
        let promised = context.expected.filter(|&expected| expected != nbytes);
        problem("decoded size", promised.map(|n| format!("the metadata declares {n} bytes")));
        let cbytes = u64::from(header.cbytes);
        problem("compressed size", (cbytes != len).then(|| format!("the chunk has {len} bytes")));
        // Without a shuffle, the type size changes nothing; with 1, no shuffle does.
        let is_used = header.shuffles() && header.typesize != 1;
        let typesize = self.typesize.filter(|&size| is_used && size != u64::from(header.typesize));
        problem("type size", typesize.map(|size| format!("the metadata declares {size}")));
        let shuffle = self.shuffle.filter(|&word| word != header.shuffle() && !header.copied());
        problem("flags", shuffle.map(|word| format!("the metadata declares {word}")));
        fields
    }
}

fn decode(input: &[u8], header: &Header, context: &Context) -> Outcome {
    if context.budget.is_stopped() {
        return Outcome::failed(stopped());
    }
    let source = input.get(..header.cbytes as usize).unwrap_or_default();
    let cut = header.cut(input.len());
    let decoded = if cut.is_none() { decompress(source, header.nbytes as usize) } else { None };
    match decoded {
        Some(bytes) => Outcome::bytes(bytes),
        None => piecewise(input, header, cut, context),
    }
}

/// Decodes a whole buffer to exactly `len` bytes; `None` where it is damaged.
fn decompress(source: &[u8], len: usize) -> Option<Vec<u8>> {
    let header = header::read(source).ok()?;
    if !header.packed_by_snappy() {
        return ffi::decompress(source, len);
    }
    ffi::decompress(&snappy::unpacked(source, &header)?, len)
}

/// Decodes block by block, to save what can be saved and name what cannot.
fn piecewise(input: &[u8], header: &Header, cut: Option<Error>, context: &Context) -> Outcome {
    let mut bytes = Vec::new();
    let mut error = None;
    for index in 0..header.blocks() {
        if context.budget.is_stopped() {
            error = Some(stopped());
            break;
        }
        let block = header.block(input, index).and_then(|(block, offset)| {
            let (mini, len) = header.alone(block, index);
            decompress(&mini, len).ok_or_else(|| damaged(offset, index, header))
        });
        match block {
            Ok(block) => bytes.extend_from_slice(&block),
            Err(fault) => {
                error = Some(fault);
                break;
            }
        }
    }
    // Where the end is missing, that is why a block fails.
    let error = cut.or(error).or_else(|| Some(corrupt(0, "damaged blosc data".into())));
    Outcome { output: Some(Data::whole(bytes)), error, ..Outcome::default() }
}

fn damaged(offset: usize, index: u32, header: &Header) -> Error {
    let found =
        format!("damaged {} data in block {index} of {}", header.compressor(), header.blocks());
    corrupt(offset, found)
}

fn trailing(input: &[u8], header: &Header) -> Option<Note> {
    super::trailing(input, header.cbytes as usize)
}
