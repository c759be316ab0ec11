//! The headers of zstd frames and blocks, read without decoding anything.

use super::{super::field::Fields, not_zstd, truncated};
use crate::zarr::{codec::HeaderField, error::Error};

const MAGIC: u32 = 0xfd2f_b528;
const SKIPPABLE: u32 = 0x184d_2a50;

/// What the headers say.
pub(super) struct Frames {
    pub(super) header: Vec<HeaderField>,
    /// How many bytes all frames together promise; `None` where one does not say.
    pub(super) content: Option<u64>,
    pub(super) count: usize,
    /// Why what stands there is no zstd frame.
    pub(super) error: Option<Error>,
    /// Whether there is at least the header of one frame.
    pub(super) begun: bool,
    /// The checksum, where there is but one frame and nothing behind it.
    pub(super) checksum: Option<Stored>,
    /// Where the last frame ends; what lies behind it is no frame.
    pub(super) end: usize,
}

/// A checksum and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    pub(super) at: usize,
    pub(super) value: u32,
}

/// The bit of the frame descriptor that says that a checksum follows the blocks.
pub(super) const WITH_CHECKSUM: u8 = 4;

/// One frame.
struct Frame {
    content: Option<u64>,
    blocks: [u64; 4],
    checksum: Option<Stored>,
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
    };
    let mut fields = Fields::new(input, 0);
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
    /// Takes in the frame whose magic was just read; `None` where it ends early, which is the decoder's to complain
    /// about: it knows how much can be saved.
    fn frame(&mut self, fields: &mut Fields<'_>, start: usize, len: usize) -> Option<()> {
        self.begun = true;
        let mut said = Vec::new();
        let frame = frame(fields, start, &mut said);
        if self.header.is_empty() {
            self.header = said;
        }
        let frame = frame?;
        self.count += 1;
        self.content = self.content.zip(frame.content).and_then(|(a, b)| a.checked_add(b));
        self.checksum = frame.checksum.filter(|sum| start == 0 && sum.at + 4 == len);
        if self.count == 1 {
            self.header.push(blocks_field(&frame.blocks, start as u64..fields.at() as u64));
        }
        Some(())
    }

    /// What stands at `start` is no frame: an error where there was none yet, else the end.
    fn stranger(&mut self, magic: Option<u32>, start: usize, len: usize) {
        if self.count > 0 {
            self.end = start;
            return;
        }
        self.error = Some(match magic {
            Some(magic) => {
                let found = format!("the bytes {}", super::super::hex(&magic.to_le_bytes()));
                not_zstd(found, start)
            }
            None => truncated(len, "zstd"),
        });
    }
}

/// Reads one frame behind its magic; `None` where it ends early or makes no sense.
fn frame(fields: &mut Fields<'_>, start: usize, header: &mut Vec<HeaderField>) -> Option<Frame> {
    let at = start as u64;
    let descriptor = fields.u8()?;
    let single = descriptor & 32 != 0;
    let checksum = descriptor & WITH_CHECKSUM != 0;
    header.push(HeaderField::new(at..at + 4, "magic", "28 b5 2f fd, zstd"));
    let flags = format!(
        "{descriptor:#04x}{}{}",
        if single { ", single segment" } else { "" },
        if checksum { ", with checksum" } else { "" }
    );
    header.push(HeaderField::new(at + 4..at + 5, "frame descriptor", flags));
    if !single {
        let from = fields.at() as u64;
        let window = fields.u8()?;
        let base = 1_u64 << (10 + (window >> 3));
        let window = base + base / 8 * u64::from(window & 7);
        header.push(HeaderField::new(from..from + 1, "window", format!("{window} bytes")));
    }
    if descriptor & 3 != 0 {
        let from = fields.at() as u64;
        let len = [0, 1, 2, 4][usize::from(descriptor & 3)];
        fields.take(len)?;
        let text = "needs a dictionary, which no Zarr codec has";
        header.push(HeaderField::new(from..from + len as u64, "dictionary", text));
    }
    let content = content_size(fields, descriptor >> 6, single, header)?;
    let blocks = blocks(fields)?;
    let at = fields.at();
    let checksum = if checksum { Some(Stored { at, value: fields.u32_le()? }) } else { None };
    Some(Frame { content, blocks, checksum })
}

#[expect(clippy::option_option, reason = "the header may end early, or not say the size")]
fn content_size(
    fields: &mut Fields<'_>,
    code: u8,
    single: bool,
    header: &mut Vec<HeaderField>,
) -> Option<Option<u64>> {
    let from = fields.at() as u64;
    let content = match code {
        0 if single => Some(fields.u8()?.into()),
        0 => None,
        1 => Some(u64::from(fields.u16_le()?) + 256),
        2 => Some(fields.u32_le()?.into()),
        _ => Some(fields.u64_le()?),
    };
    let text = content.map_or_else(|| "not said".into(), |content| format!("{content} bytes"));
    header.push(HeaderField::new(from..fields.at() as u64, "content size", text));
    Some(content)
}

/// Passes over the blocks of a frame, and counts them: raw, run-length, compressed, reserved.
fn blocks(fields: &mut Fields<'_>) -> Option<[u64; 4]> {
    let mut count = [0; 4];
    loop {
        let header = fields.take(3)?;
        let header = header.iter().rev().fold(0_usize, |n, &byte| n << 8 | usize::from(byte));
        let kind = header >> 1 & 3;
        *count.get_mut(kind)? += 1;
        let len = if kind == 1 { 1 } else { header >> 3 };
        fields.take(len)?;
        if header & 1 == 1 {
            return Some(count);
        }
    }
}

fn blocks_field(count: &[u64; 4], bytes: std::ops::Range<u64>) -> HeaderField {
    let [raw, run, compressed, _] = count;
    let mut parts = Vec::new();
    for (n, what) in [(compressed, "compressed"), (raw, "raw"), (run, "run-length")] {
        if *n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    HeaderField::new(bytes, "blocks", parts.join(", "))
}
