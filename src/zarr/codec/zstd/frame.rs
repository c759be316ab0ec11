//! The headers of zstd frames and blocks, read without decoding anything. By hand because the crates decode, and say
//! nothing of blocks, which the linked cursor follows.

use crate::zarr::codec::prelude::*;

const MAGIC: u32 = 0xfd2f_b528;
const SKIPPABLE: u32 = 0x184d_2a50;

/// The headers of the frames.
pub(super) struct Frames {
    pub(super) header: Vec<HeaderField>,
    /// The number of bytes all frames together promise; `None` where one does not say.
    pub(super) content: Option<u64>,
    pub(super) count: usize,
    /// The error at which the frames end.
    pub(super) error: Option<Error>,
    /// True if there is at least the header of one frame.
    pub(super) begun: bool,
    /// The checksum, where there is but one frame and nothing behind it.
    pub(super) checksum: Option<FrameChecksum>,
    /// The end of the last frame; past it is no frame.
    pub(super) end: usize,
    /// The blocks of all frames; none where there are more than [`MOST_PIECES`].
    pieces: Vec<FrameBlock>,
}

/// No block decodes to more bytes than this.
const LARGEST: u64 = 1 << 17;
/// The number of blocks kept: those of 8 GiB.
const MOST_PIECES: usize = 1 << 16;

/// A block, and how many bytes it can become: a compressed one does not say.
struct FrameBlock {
    input: Range<u64>,
    least: u64,
    most: u64,
    raw: bool,
}

/// A checksum and where it is.
#[derive(Clone, Copy)]
pub(super) struct FrameChecksum {
    pub(super) at: usize,
    pub(super) value: u32,
}

/// The bit of the frame descriptor that says that a checksum follows the blocks.
pub(super) const WITH_CHECKSUM: u8 = 4;

/// One frame.
struct ZstdFrame {
    content: Option<u64>,
    blocks: [u64; 4],
    /// The place of the blocks.
    blocks_at: Range<u64>,
    checksum: Option<FrameChecksum>,
}

/// Reads the headers of all frames of `input`. The header fields are those of the first.
pub(super) fn read(input: &[u8]) -> Frames {
    let mut out = Frames {
        header: Vec::new(),
        content: Some(0),
        count: 0,
        error: None,
        begun: false,
        checksum: None,
        end: input.len(),
        pieces: Vec::new(),
    };
    let mut fields = ByteReader::new(input, 0);
    while fields.at() < input.len() || out.count == 0 {
        let start = fields.at();
        match fields.u32_le() {
            Some(magic) if magic & !15 == SKIPPABLE => {
                if fields.u32_le().and_then(|len| fields.take(usize::try_from(len).ok()?)).is_none()
                {
                    break;
                }
                out.count = out.count.max(1);
            }
            Some(MAGIC) => {
                if out.frame(&mut fields, start, input.len()).is_none() {
                    break;
                }
            }
            other => {
                out.stranger(other, start, input.len());
                break;
            }
        }
    }
    out
}

impl Frames {
    /// The place of each block and of its part of `came` bytes in all, as exactly as can be told without decoding:
    /// what blocks before it and after it must and can have become leaves little room.
    pub(super) fn blocks(&self, came: u64) -> Vec<Block> {
        if self.pieces.len() >= MOST_PIECES {
            return Vec::new();
        }
        let sum = |part: fn(&FrameBlock) -> u64| {
            self.pieces.iter().map(part).fold(0, u64::saturating_add)
        };
        let (mut least_behind, mut most_behind) =
            (sum(|piece| piece.least), sum(|piece| piece.most));
        let (mut least, mut most) = (0_u64, 0_u64);
        let place = |piece: &FrameBlock| {
            let start = least.max(came.saturating_sub(most_behind));
            least_behind = least_behind.saturating_sub(piece.least);
            most_behind = most_behind.saturating_sub(piece.most);
            least = least.saturating_add(piece.least);
            most = most.saturating_add(piece.most);
            let end = most.min(came.saturating_sub(least_behind)).max(start);
            let exact = piece.raw && end - start == piece.least;
            // A raw block is its header of three bytes, and the bytes themselves.
            let from = piece.input.start + if exact { 3 } else { 0 };
            Block { input: from..piece.input.end, output: start..end, exact }
        };
        self.pieces.iter().map(place).collect()
    }

    /// Takes in the frame whose magic was just read; `None` where it ends early, which is the decoder's to complain
    /// about: it knows how much can be saved.
    fn frame(&mut self, fields: &mut ByteReader, start: usize, len: usize) -> Option<()> {
        self.begun = true;
        fields.header.clear();
        let frame = frame(fields, start, &mut self.pieces);
        if self.header.is_empty() {
            self.header = std::mem::take(&mut fields.header);
        }
        let frame = frame?;
        self.count += 1;
        self.content = self.content.zip(frame.content).and_then(|(a, b)| a.checked_add(b));
        self.checksum = frame.checksum.filter(|sum| start == 0 && sum.at + 4 == len);
        if self.count == 1 {
            self.header.push(blocks_field(&frame.blocks, frame.blocks_at));
        }
        Some(())
    }

    /// Handles bytes at `start` that are no frame: an error where there was none yet, else the end.
    fn stranger(&mut self, magic: Option<u32>, start: usize, len: usize) {
        if self.count > 0 {
            self.end = start;
            return;
        }
        self.error = Some(match magic {
            Some(magic) => other_magic(&magic.to_le_bytes(), "the zstd magic 28 b5 2f fd", start),
            None => truncated(len, "zstd"),
        });
    }
}

/// Reads one frame after its magic; `None` where it ends early or makes no sense.
fn frame(fields: &mut ByteReader, start: usize, pieces: &mut Vec<FrameBlock>) -> Option<ZstdFrame> {
    let at = start as u64;
    let descriptor = fields.u8()?;
    let single = descriptor & 32 != 0;
    let checksum = descriptor & WITH_CHECKSUM != 0;
    fields.header.push(HeaderField::new(at..at + 4, "magic", "28 b5 2f fd, zstd"));
    let flags = format!(
        "{descriptor:#04x}{}{}",
        if single { ", single segment" } else { "" },
        if checksum { ", with checksum" } else { "" }
    );
    fields.header.push(HeaderField::new(at + 4..at + 5, "frame descriptor", flags));
    fields.skip();
    let mut largest = LARGEST;
    if !single {
        let window = fields.u8()?;
        let base = 1_u64 << (10 + (window >> 3));
        let window = base + base / 8 * u64::from(window & 7);
        largest = largest.min(window);
        fields.field("window", format!("{window} bytes"));
    }
    if descriptor & 3 != 0 {
        fields.take([0, 1, 2, 4][usize::from(descriptor & 3)])?;
        fields.field("dictionary", "needs a dictionary, which Zarr codecs cannot provide");
    }
    let content = match descriptor >> 6 {
        0 if single => Some(fields.u8()?.into()),
        0 => None,
        1 => Some(u64::from(fields.u16_le()?) + 256),
        2 => Some(fields.u32_le()?.into()),
        _ => Some(fields.u64_le()?),
    };
    let size = content.map_or_else(|| "not stored".into(), |content| format!("{content} bytes"));
    fields.field("content size", size);
    let largest = largest.min(content.filter(|_| single).unwrap_or(largest));
    let from = fields.at() as u64;
    let blocks = blocks(fields, largest, pieces)?;
    let at = fields.at();
    let blocks_at = from..at as u64;
    let checksum =
        if checksum { Some(FrameChecksum { at, value: fields.u32_le()? }) } else { None };
    Some(ZstdFrame { content, blocks, blocks_at, checksum })
}

/// Passes over the blocks of a frame, and counts them: raw, run-length, compressed, reserved.
fn blocks(fields: &mut ByteReader, largest: u64, pieces: &mut Vec<FrameBlock>) -> Option<[u64; 4]> {
    let mut count = [0; 4];
    loop {
        let start = fields.at() as u64;
        let header = fields.take(3)?;
        let header = header.iter().rev().fold(0_usize, |n, &byte| n << 8 | usize::from(byte));
        let kind = header >> 1 & 3;
        *count.get_mut(kind)? += 1;
        let len = if kind == 1 { 1 } else { header >> 3 };
        fields.take(len)?;
        if pieces.len() < MOST_PIECES {
            let size = (header >> 3) as u64;
            let (least, most) = if kind < 2 { (size, size) } else { (0, largest) };
            pieces.push(FrameBlock {
                input: start..fields.at() as u64,
                least,
                most,
                raw: kind == 0,
            });
        }
        if header & 1 == 1 {
            return Some(count);
        }
    }
}

fn blocks_field(count: &[u64; 4], bytes: Range<u64>) -> HeaderField {
    let [raw, run, compressed, _] = count;
    let mut parts = Vec::new();
    for (n, what) in [(compressed, "compressed"), (raw, "raw"), (run, "run-length")] {
        if *n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    HeaderField::new(bytes, "blocks", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

    /// The number of bytes that come out of the first `len` bytes of `input`.
    fn came(input: &[u8], len: usize) -> u64 {
        let mut decoder = Decoder::new().unwrap();
        let mut from = InBuffer::around(&input[..len]);
        let mut room = vec![0; 4 << 20];
        let mut to = OutBuffer::around(room.as_mut_slice());
        loop {
            let before = (from.pos(), to.pos());
            if decoder.run(&mut from, &mut to).unwrap() == 0 || (from.pos(), to.pos()) == before {
                return to.pos() as u64;
            }
        }
    }

    #[test]
    fn each_block_is_within_what_is_said_of_it() {
        let numbers = |count: u32, noise: u32| -> Vec<u8> {
            (0..count)
                .flat_map(|at| (at / 7 + at.wrapping_mul(2_654_435_761) % noise).to_le_bytes())
                .collect()
        };
        // Half of it is compressed, a part is noise and stored as it is, the rest is one byte again and again.
        let mut data = numbers(150_000, 50);
        data.extend(numbers(90_000, u32::MAX));
        data.extend(vec![7; 300_000]);
        for level in [1, 3, 19] {
            let input = ::zstd::encode_all(&data[..], level).unwrap();
            let blocks = read(&input).blocks(data.len() as u64);
            assert!(blocks.len() > 8, "{}", blocks.len());
            let mut start = 0;
            for block in &blocks {
                let end = came(&input, usize::try_from(block.input.end).unwrap());
                let said = &block.output;
                assert!(said.start <= start && end <= said.end, "{said:?} holds {start}..{end}");
                assert!(!block.exact || (said.start, said.end) == (start, end));
                start = end;
            }
            assert_eq!(start, data.len() as u64);
        }
    }
}
