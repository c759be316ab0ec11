//! The headers of `.xz` and `.lzma`. By hand because liblzma does not tell at which byte each field is.

use crate::zarr::codec::prelude::*;
use crc::{CRC_64_XZ, Crc, Table};

/// The CRC-64 of a `.xz` block.
static CRC64: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&CRC_64_XZ);

/// The first bytes of a `.xz` stream.
pub(super) const MAGIC: [u8; 6] = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0];

/// The header of a `.xz` stream and of its first block.
pub(super) struct Xz {
    pub(super) fields: Vec<HeaderField>,
    check: u8,
}

/// Reads the header of the first stream.
///
/// # Errors
///
/// If it is no `.xz`.
pub(super) fn xz(input: &[u8]) -> Result<Xz> {
    let mut fields = ByteReader::new(input, 0);
    let magic = fields.take(6).ok_or_else(|| truncated(input.len(), "xz"))?;
    if magic != MAGIC {
        return Err(other_magic(magic, "the xz magic fd 37 7a 58 5a 00", 0));
    }
    fields.field("magic", "fd 37 7a 58 5a 00, xz");
    let flags = fields.take(2).ok_or_else(|| truncated(input.len(), "xz"))?;
    let check = flags.get(1).copied().unwrap_or_default();
    fields.field("check", check_name(check));
    if let Some(stored) = fields.u32_le() {
        let computed = crc32fast::hash(flags);
        let problem = (stored != computed).then(|| format!("computed {computed:08x}"));
        fields.judged_field("header crc32", format!("{stored:08x}"), problem);
        block(&mut fields);
    }
    Ok(Xz { fields: fields.header, check })
}

fn check_name(check: u8) -> String {
    let name = match check {
        0 => "none",
        1 => "crc32",
        4 => "crc64",
        10 => "sha256",
        _ => "unknown",
    };
    format!("{check}, {name}")
}

/// Reads the header of the first block as far as it goes; the decoder judges it.
fn block(fields: &mut ByteReader) -> Option<()> {
    let start = fields.at() as u64;
    let words = fields.u8()?;
    if words == 0 {
        fields.field("index", "no block: empty");
        return None;
    }
    let flags = fields.u8()?;
    fields.skip();
    let size = format!("{} bytes", (u64::from(words) + 1) * 4);
    fields.header.push(HeaderField::new(start..start + 1, "block header", size));
    for (bit, name) in [(0x40, "compressed size"), (0x80, "decoded size")] {
        if flags & bit != 0 {
            let value = varint(fields)?;
            fields.field(name, format!("{value} bytes"));
        }
    }
    for _ in 0..=(flags & 3) {
        let (id, size) = (varint(fields)?, varint(fields)?);
        let properties = fields.take(usize::try_from(size).ok()?)?;
        fields.field("filter", filter_name(id, properties));
    }
    Some(())
}

/// A number of seven bits a byte, the lowest first.
fn varint(fields: &mut ByteReader) -> Option<u64> {
    let mut value = 0;
    for shift in (0..63).step_by(7) {
        let byte = fields.u8()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn filter_name(id: u64, properties: &[u8]) -> String {
    let first = properties.first().copied().unwrap_or_default();
    match id {
        3 => format!("delta, distance {}", u16::from(first) + 1),
        4 => "x86 branches".into(),
        5 => "PowerPC branches".into(),
        6 => "IA-64 branches".into(),
        7 => "ARM branches".into(),
        8 => "ARM Thumb branches".into(),
        9 => "SPARC branches".into(),
        10 => "ARM64 branches".into(),
        11 => "RISC-V branches".into(),
        0x21 => format!("LZMA2, dictionary {} bytes", dictionary_size(first)),
        other => format!("unknown, id {other}"),
    }
}

/// The size, in bytes, that LZMA2 encodes in this byte for its dictionary.
pub(super) fn dictionary_size(code: u8) -> u64 {
    match code {
        0..40 => (2 | u64::from(code & 1)) << (code / 2 + 11),
        _ => u32::MAX.into(),
    }
}

impl Xz {
    /// The check of the block against `output`, where the stream is one block and the check is a CRC.
    pub(super) fn checksum(&self, input: &[u8], output: &[u8]) -> Option<Checksum> {
        let end = input.len() - input.iter().rev().take_while(|&&byte| byte == 0).count();
        let footer = end.checked_sub(12)?;
        let mut fields = ByteReader::new(input, footer + 4);
        let words = fields.u32_le()?;
        let index = footer.checked_sub((usize::try_from(words).ok()? + 1).checked_mul(4)?)?;
        // One block: an index that counts one record.
        if input.get(index..index + 2) != Some(&[0, 1]) {
            return None;
        }
        let (algorithm, size, computed) = match self.check {
            1 => ("crc32", 4, crc32fast::hash(output).into()),
            4 => ("crc64", 8, CRC64.checksum(output)),
            _ => return None,
        };
        let at = index.checked_sub(size)?;
        let stored = input.get(at..index)?.iter().rev().fold(0, |sum, &b| sum << 8 | u64::from(b));
        Some(Checksum { algorithm, bytes: at as u64..index as u64, stored, computed })
    }
}

/// Bytes of the header of `.lzma`.
const ALONE: usize = 13;

/// Reads the header of `.lzma`: its bytes, and what they say.
///
/// # Errors
///
/// If there is none.
pub(super) fn alone(input: &[u8], context: &Context) -> Result<([u8; ALONE], Vec<HeaderField>)> {
    let head = input.first_chunk::<ALONE>().ok_or_else(|| truncated(input.len(), "lzma"))?;
    let mut fields = ByteReader::new(head, 0);
    let short = || truncated(input.len(), "lzma");
    let properties = fields.u8().ok_or_else(short)?;
    if properties >= 225 {
        return Err(corrupt(0, format!("the lzma properties {properties}")));
    }
    let [lc, lp, pb] = [properties % 9, properties / 9 % 5, properties / 45];
    fields.field("properties", format!("lc {lc}, lp {lp}, pb {pb}"));
    let dictionary = fields.u32_le().ok_or_else(short)?;
    fields.field("dictionary", format!("{dictionary} bytes"));
    let size = fields.u64_le().ok_or_else(short)?;
    let (text, size) = match size {
        u64::MAX => ("not stored".to_owned(), None),
        size => (format!("{size} bytes"), Some(size)),
    };
    let expected = context.expected.filter(|&expected| size.is_some_and(|size| size != expected));
    let problem = expected.map(|expected| format!("shape and data type give {expected} bytes"));
    fields.judged_field("decoded size", text, problem);
    Ok((*head, fields.header))
}

/// Makes the dictionary that a header asks for no larger than the output may be: nothing is further back.
pub(super) fn shrink_dictionary(head: &mut [u8; ALONE], limit: u64) {
    let [_, size @ .., _, _, _, _, _, _, _, _] = head;
    let most = u32::try_from(limit.saturating_add(1)).unwrap_or(u32::MAX).max(4096);
    let wanted = u32::from_le_bytes(*size);
    // liblzma takes only sizes that are a power of two, or one and a half of one.
    let round = |size: u32| size.checked_next_power_of_two().unwrap_or(u32::MAX);
    *size = if wanted > round(most) { round(most).to_le_bytes() } else { *size };
}
