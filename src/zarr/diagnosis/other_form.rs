//! Chunks that hold what the codecs declare, in a form that is not theirs: compressed streams in another frame or without
//! their header, lengths of texts in the other byte order. Written again in the form of the codec, they decode as declared.

use super::{prelude::*, strings::compressed};

/// Bytes in the form of a codec, from a file, the length that is expected of it, and the size of its elements.
type WrittenAgain = fn(&[u8], Option<u64>, usize) -> Option<Vec<u8>>;

/// A form in which another program writes what a codec compresses.
struct ForeignForm {
    /// The V2 name of the codec that the metadata declares.
    codec: &'static str,
    /// The form, as in `the chunks are …`.
    what: &'static str,
    /// The advice, a sentence.
    advice: &'static str,
    /// The bytes as the codec has them.
    written_again: WrittenAgain,
}

const ANEW: &str = "No Zarr codec reads such streams: the chunks have to be written again.";
const DEFLATE: &str =
    "No Zarr codec reads such streams: they have to be written again with their header.";

const FORMS: [ForeignForm; 7] = [
    ForeignForm {
        codec: "zlib",
        what: "deflate streams without the header and the checksum of zlib",
        advice: DEFLATE,
        written_again: |bytes, _, _| Some([&[0x78, 0x9c], bytes, &[0; 4]].concat()),
    },
    ForeignForm {
        codec: "gzip",
        what: "deflate streams without the header and the checksum of gzip",
        advice: DEFLATE,
        written_again: |bytes, _, _| {
            Some([&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff], bytes, &[0; 8]].concat())
        },
    },
    ForeignForm {
        codec: "lz4",
        what: "LZ4 frames, as in files that end in .lz4; the codec lz4 has bare blocks after their decoded size",
        advice: ANEW,
        written_again: |bytes, len, _| block(&from_frame(bytes, len?)?),
    },
    ForeignForm {
        codec: "lz4",
        what: "LZ4 blocks without the four bytes of their decoded size",
        advice: "With the decoded size before each of them, as a number of four bytes, they can be read.",
        written_again: |bytes, len, _| {
            Some([&u32::try_from(len?).ok()?.to_le_bytes(), bytes].concat())
        },
    },
    ForeignForm {
        codec: "lz4",
        what: "LZ4 blocks after a decoded size of another form: big-endian, or in eight bytes",
        advice: "With the decoded size as a little-endian number of four bytes, they can be read.",
        written_again: |bytes, len, _| {
            let len = len?;
            let [long, swapped] = [len.to_le_bytes(), len.to_be_bytes()];
            let short = u32::try_from(len).ok()?.to_be_bytes();
            let headers: [&[u8]; 3] = [&long, &swapped, &short];
            let block = headers.iter().find_map(|header| bytes.strip_prefix(*header))?;
            Some([&u32::try_from(len).ok()?.to_le_bytes(), block].concat())
        },
    },
    ForeignForm {
        codec: "lz4",
        what: "written by the LZ4 filter of HDF5, which has big-endian sizes before each of its blocks",
        advice: ANEW,
        written_again: |bytes, len, _| block(&from_hdf5(bytes, len?)?),
    },
    ForeignForm {
        codec: "lz4",
        what: "written by the bitshuffle filter of HDF5: LZ4 blocks of shuffled bits, each after its big-endian size",
        advice: ANEW,
        written_again: |bytes, len, size| block(&from_bitshuffle(bytes, len?, size)?),
    },
];

/// The LZ4 block of the codec, after its decoded size.
fn block(decoded: &[u8]) -> Option<Vec<u8>> {
    let size = u32::try_from(decoded.len()).ok()?.to_le_bytes();
    Some([&size[..], &lz4_flex::block::compress(decoded)].concat())
}

/// The cause, if chunks hold what the declared compressor writes, in another form.
pub(super) fn diagnose(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let chain = case.array.chain()?;
    let outer = chain.links.last()?;
    let row = outer.row.filter(|row| row.kind == CodecKind::BytesToBytes)?;
    let len = outer.decoded_size.exact.filter(|len| *len <= case.budget().limit());
    let size = case.array.data_type().and_then(|data_type| data_type.fixed_size());
    let budget = case.budget().ignoring_checksums(true);
    let decodes = |form: &ForeignForm, sample: &Sample| {
        let is_left = case.spend(sample.bytes.len() as u64 * row.nanoseconds);
        let bytes =
            (form.written_again)(&sample.bytes, len, size.unwrap_or(1)).filter(|_| is_left)?;
        case.decode(case.array, &sample.at, bytes, &budget)
    };
    let first = samples.first()?;
    let form = FORMS
        .iter()
        .filter(|form| row.v2.contains(&form.codec))
        .find(|form| samples.iter().all(|sample| decodes(form, sample).is_some()))?;
    let start = hex(first.bytes.get(..first.bytes.len().min(4))?, " ");
    let diagnosis = Diagnosis::new("codec/other-form", format!("The chunks are {}.", form.what))
        .because(format!("{} begins with {start}.", first.key))
        .because(format!(
            "Read that way, all {} examined decode to exactly the bytes of a chunk.",
            counted(samples.len(), "chunk")
        ))
        .because(form.advice);
    Some(diagnosis.certain())
}

/// The bytes that an LZ4 block gives, of `room` at most: no byte of it stands for more than 255.
fn unpacked(block: &[u8], room: usize, before: &[u8]) -> Option<Vec<u8>> {
    let room = room.min(block.len().saturating_mul(255));
    lz4_flex::block::decompress_with_dict(block, room, before).ok()
}

/// The first bytes of an LZ4 frame.
const FRAME: &[u8] = &[0x04, 0x22, 0x4d, 0x18];

/// The content of an LZ4 frame, if it has `len` bytes.
fn from_frame(bytes: &[u8], len: u64) -> Option<Vec<u8>> {
    let len = usize::try_from(len).ok()?;
    let body = bytes.strip_prefix(FRAME)?;
    let flags = *body.first()?;
    let flag = |bit: u8| flags >> bit & 1 == 1;
    let header = 3 + if flag(3) { 8 } else { 0 } + if flag(0) { 4 } else { 0 };
    let (mut rest, mut out) = (body.get(header..)?, Vec::new());
    loop {
        let (size, after) = rest.split_first_chunk::<4>()?;
        let size = u32::from_le_bytes(*size);
        if size == 0 {
            break;
        }
        let (data, after) = after.split_at_checked(usize::try_from(size & !(1 << 31)).ok()?)?;
        if size >> 31 == 1 {
            out.extend_from_slice(data);
        } else {
            // A block may go back to what those before it hold.
            let room = len.checked_sub(out.len())?;
            let before = out.get(out.len().saturating_sub(64 << 10)..)?;
            let data = unpacked(data, room, before)?;
            out.extend(data);
        }
        rest = after.get(if flag(4) { 4 } else { 0 }..)?;
    }
    (out.len() == len).then_some(out)
}

/// The content of a chunk of HDF5's LZ4 filter, if it has `len` bytes.
fn from_hdf5(bytes: &[u8], len: u64) -> Option<Vec<u8>> {
    let (total, rest) = bytes.split_first_chunk::<8>()?;
    let (size, mut rest) = rest.split_first_chunk::<4>()?;
    let size = usize::try_from(u32::from_be_bytes(*size)).ok()?;
    let len = usize::try_from(len).ok().filter(|_| u64::from_be_bytes(*total) == len)?;
    let mut out = Vec::new();
    while out.len() < len && size > 0 {
        let (stored, after) = rest.split_first_chunk::<4>()?;
        let stored = usize::try_from(u32::from_be_bytes(*stored)).ok()?;
        let (data, after) = after.split_at_checked(stored)?;
        let room = size.min(len - out.len());
        // What does not get shorter is stored as it is.
        if stored == room {
            out.extend_from_slice(data);
        } else {
            out.extend(unpacked(data, room, &[])?);
        }
        rest = after;
    }
    (out.len() == len).then_some(out)
}

/// The content of a chunk of HDF5's bitshuffle filter with LZ4, if it has `len` bytes in elements of `size` bytes.
fn from_bitshuffle(bytes: &[u8], len: u64, size: usize) -> Option<Vec<u8>> {
    let (total, rest) = bytes.split_first_chunk::<8>()?;
    let (block, mut rest) = rest.split_first_chunk::<4>()?;
    let block = usize::try_from(u32::from_be_bytes(*block)).ok()?;
    let len = usize::try_from(len).ok().filter(|_| u64::from_be_bytes(*total) == len)?;
    // Bits are shuffled among eight elements at a time; what is left over at the end is stored as it is.
    let eight = size.checked_mul(8).filter(|eight| *eight > 0)?;
    let shuffled = len - len % eight;
    let mut out = Vec::new();
    while out.len() < shuffled && block >= eight {
        let (stored, after) = rest.split_first_chunk::<4>()?;
        let (data, after) =
            after.split_at_checked(usize::try_from(u32::from_be_bytes(*stored)).ok()?)?;
        let room = (block - block % eight).min(shuffled - out.len());
        let bits = unpacked(data, room, &[]).filter(|bits| bits.len() == room)?;
        out.extend(bits_unshuffled(&bits, size)?);
        rest = after;
    }
    out.extend_from_slice(rest);
    (out.len() == len).then_some(out)
}

/// Elements of `size` bytes of which the lowest bits of all come first, then the next ones.
fn bits_unshuffled(bits: &[u8], size: usize) -> Option<Vec<u8>> {
    let plane = bits.len() / size.checked_mul(8)?;
    let mut out = vec![0; bits.len()];
    for (at, byte) in bits.iter().enumerate() {
        let (bit, eight) = (at / plane, at % plane);
        for element in (0..8).filter(|element| byte >> element & 1 == 1) {
            *out.get_mut((eight * 8 + element) * size + bit / 8)? |= 1 << (bit % 8);
        }
    }
    Some(out)
}

/// The cause, if the counts and lengths of texts are big-endian.
pub(super) fn big_endian_lengths(case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
    let data_type = case.array.data_type()?;
    if data_type.fixed_size().is_some() || samples.is_empty() {
        return None;
    }
    let names = case.array.codecs.as_deref().ok()?.iter();
    names.filter(|spec| contains(spec.name.as_bytes(), b"vlen-")).count().checked_sub(1)?;
    let elements = order::product(&case.array.chunk_shape()?)?;
    let count = |sample: &Sample| {
        let bytes = compressed(case, sample)?;
        let is_text = data_type.name().contains("string");
        lengths(&bytes, u32::from_be_bytes, is_text).filter(|count| *count == elements)
    };
    let all = samples.iter().map(count).collect::<Option<Vec<u64>>>()?;
    let text =
        "The lengths before the elements are big-endian; the codec reads little-endian ones.";
    let diagnosis = Diagnosis::new("object-codec/big-endian-lengths", text)
        .because(format!(
            "Read that way, {} fill the {} examined to the last byte.",
            counted(all.iter().sum::<u64>(), "element"),
            counted(all.len(), "chunk")
        ))
        .because("No Zarr codec reads such lengths: the chunks have to be written again.");
    Some(diagnosis.certain())
}

/// The number of elements that fill `bytes`, each after its length, and all after their count.
fn lengths(bytes: &[u8], number: fn([u8; 4]) -> u32, is_text: bool) -> Option<u64> {
    let (count, mut rest) = bytes.split_first_chunk::<4>()?;
    let count = number(*count);
    for _ in 0..count {
        let (len, after) = rest.split_first_chunk::<4>()?;
        let (element, after) = after.split_at_checked(usize::try_from(number(*len)).ok()?)?;
        if is_text && std::str::from_utf8(element).is_err() {
            return None;
        }
        rest = after;
    }
    rest.is_empty().then_some(u64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lz4_frames_are_undone() {
        let data: Vec<u8> = (0..900_u32).flat_map(|at| (at / 7).to_le_bytes()).collect();
        let (first, second) = data.split_at(2000);
        let linked = lz4_flex::block::compress_with_dict(second, first);
        let mut frame = [FRAME, &[0x40, 0x40, 0]].concat();
        for block in [lz4_flex::block::compress(first), linked] {
            frame.extend(u32::try_from(block.len()).unwrap().to_le_bytes());
            frame.extend(block);
        }
        frame.extend([0; 4]);
        assert_eq!(from_frame(&frame, 3600), Some(data.clone()));
        assert_eq!(from_frame(&frame, 3604), None);
        assert_eq!(from_frame(&frame[..200], 3600), None);
        let stored =
            [FRAME, &[0x60, 0x40, 0], &(0xe10_u32 | 1 << 31).to_le_bytes(), &data, &[0; 4]];
        assert_eq!(from_frame(&stored.concat(), 3600), Some(data));
    }

    #[test]
    fn what_the_filter_of_hdf5_writes_is_undone() {
        let data: Vec<u8> = (0..900_u32).flat_map(|at| (at / 7).to_le_bytes()).collect();
        let mut bytes = [&3600_u64.to_be_bytes()[..], &2000_u32.to_be_bytes()].concat();
        for part in data.chunks(2000) {
            let block = lz4_flex::block::compress(part);
            bytes.extend(u32::try_from(block.len()).unwrap().to_be_bytes());
            bytes.extend(block);
        }
        assert_eq!(from_hdf5(&bytes, 3600), Some(data));
        assert_eq!(from_hdf5(&bytes[..90], 3600), None);
    }

    #[test]
    fn bits_are_put_back_into_their_elements() {
        // Of eight elements of two bytes: the lowest bit of the first three, then the highest of the last one.
        let mut bits = [0; 16];
        (bits[0], bits[15]) = (0b111, 1 << 7);
        let data = bits_unshuffled(&bits, 2).unwrap();
        assert_eq!((data[0], data[2], data[4], data[15]), (1, 1, 1, 0x80));
        let block = lz4_flex::block::compress(&bits);
        let size = u32::try_from(block.len()).unwrap().to_be_bytes();
        let mut bytes = [&18_u64.to_be_bytes()[..], &16_u32.to_be_bytes(), &size, &block].concat();
        bytes.extend([5, 6]);
        assert_eq!(from_bitshuffle(&bytes, 18, 2), Some([&data[..], &[5, 6]].concat()));
        assert_eq!(from_bitshuffle(&bytes, 20, 2), None);
        assert_eq!(from_bitshuffle(&bytes[..20], 18, 2), None);
        assert_eq!(from_bitshuffle(&[0; 12], 0, 0), None);
    }

    /// Neither takes memory for what only a number says.
    #[test]
    fn few_bytes_are_no_large_chunk() {
        const HUGE: u64 = 900_000_000_000;
        let frame = [FRAME, &[0x40, 0x40, 0], &[4, 0, 0, 0], &[0x30, 65, 66, 67], &[0; 4]].concat();
        assert_eq!(from_frame(&frame, 3), Some(b"ABC".to_vec()));
        assert_eq!(from_frame(&frame, HUGE), None);
        let header = [&HUGE.to_be_bytes()[..], &u32::MAX.to_be_bytes(), &[0, 0, 0, 4]].concat();
        assert_eq!(from_hdf5(&[&header[..], &[0x30, 65, 66, 67]].concat(), HUGE), None);
    }

    #[test]
    fn lengths_are_read_in_both_orders() {
        let bytes = [0, 0, 0, 2, 0, 0, 0, 1, b'a', 0, 0, 0, 0];
        assert_eq!(lengths(&bytes, u32::from_be_bytes, true), Some(2));
        assert_eq!(lengths(&bytes, u32::from_le_bytes, true), None);
        assert_eq!(lengths(&bytes[..8], u32::from_be_bytes, true), None);
    }
}
