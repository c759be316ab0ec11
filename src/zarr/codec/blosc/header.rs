//! The header of a blosc buffer and the table of its blocks, checked before the C library sees them.
//! By hand because the library tells sizes, and neither where blocks lie nor what is wrong.

use crate::zarr::codec::prelude::*;

/// Bytes of the header; the table of block offsets follows.
const LEN: usize = 16;

/// Lengths that c-blosc itself never exceeds.
const MAX_BYTES: u32 = 0x7fff_ffef;

/// The number of snappy among the compressors, in the upper three bits of the flags.
const SNAPPY: u8 = 2;

/// The number of lz4 among them.
const LZ4: u8 = 1;

/// The fields of the header.
#[derive(Clone, Copy)]
pub(super) struct Header {
    version: u8,
    inner_version: u8,
    flags: u8,
    pub(super) typesize: u8,
    /// Bytes before compression.
    pub(super) nbytes: u32,
    blocksize: u32,
    /// Bytes after compression, header included.
    pub(super) cbytes: u32,
}

/// Reads and checks the header of `input`.
///
/// # Errors
///
/// If it contradicts itself or the length of `input`.
pub(super) fn read(input: &[u8]) -> Result<Header> {
    let header = parse(input).ok_or_else(|| {
        let found = format!("{} bytes", input.len());
        Error::new(Code::ChunkTruncated, found, "a blosc header of 16 bytes")
            .at_offset(input.len() as u64)
    })?;
    header.check()?;
    Ok(header)
}

fn parse(input: &[u8]) -> Option<Header> {
    let mut fields = ByteReader::new(input, 0);
    Some(Header {
        version: fields.u8()?,
        inner_version: fields.u8()?,
        flags: fields.u8()?,
        typesize: fields.u8()?,
        nbytes: fields.u32_le()?,
        blocksize: fields.u32_le()?,
        cbytes: fields.u32_le()?,
    })
}

impl Header {
    fn check(&self) -> Result<()> {
        let Self { version, typesize, nbytes, blocksize, cbytes, .. } = *self;
        let fault = |at, found: String, expected: &str| {
            Err(Error::new(Code::ChunkCorrupt, found, expected).at_offset(at))
        };
        if version == 0 || version > 2 {
            return fault(0, format!("blosc format version {version}"), "version 1 or 2");
        }
        if typesize == 0 {
            return fault(3, "type size 0".into(), "a type size of 1 to 255");
        }
        if nbytes > MAX_BYTES {
            return fault(4, format!("decoded size {nbytes}"), "at most 2³¹ − 17 bytes");
        }
        if (cbytes as usize) < LEN {
            return fault(
                12,
                format!("compressed size {cbytes}"),
                "at least the header's 16 bytes",
            );
        }
        if nbytes > 0 && (blocksize == 0 || blocksize > nbytes) {
            return fault(8, format!("block size {blocksize}"), "1 to the decoded size");
        }
        let table = u64::from(self.blocks()) * 4 + LEN as u64;
        if !self.copied() && u64::from(cbytes) < table {
            let found = format!("{} blocks in {cbytes} compressed bytes", self.blocks());
            return fault(8, found, "room for the block table");
        }
        if self.copied() && u64::from(cbytes) != u64::from(nbytes) + LEN as u64 {
            let found = format!(
                "{cbytes} compressed bytes for {nbytes} bytes that are copied uncompressed"
            );
            return fault(12, found, "16 more than the decoded size (the header)");
        }
        Ok(())
    }

    /// The error for a buffer of `len` bytes that was cut off; `None` where all of it is there.
    pub(super) fn cut(&self, len: usize) -> Option<Error> {
        let cbytes = self.cbytes;
        (cbytes as usize > len).then(|| {
            let found = format!("{len} of the {cbytes} bytes of a blosc buffer");
            Error::new(Code::ChunkTruncated, found, format!("all {cbytes} bytes"))
                .at_offset(len as u64)
        })
    }

    /// True if the data was not compressed but copied.
    pub(super) fn copied(&self) -> bool {
        self.flags & 2 != 0
    }

    /// True if any shuffle was applied.
    pub(super) fn shuffles(&self) -> bool {
        self.flags & 5 != 0
    }

    /// The shuffle, in the word of the V3 configuration.
    pub(super) fn shuffle(&self) -> &'static str {
        match (self.flags & 1 != 0, self.flags & 4 != 0) {
            (_, true) => "bitshuffle",
            (true, false) => "shuffle",
            (false, false) => "noshuffle",
        }
    }

    /// The compressor inside.
    pub(super) fn compressor(&self) -> &'static str {
        match self.flags >> 5 {
            0 => "blosclz",
            LZ4 => "lz4",
            SNAPPY => "snappy",
            3 => "zlib",
            4 => "zstd",
            _ => "unknown",
        }
    }

    /// True if the blocks are streams that snappy compressed.
    pub(super) fn packed_by_snappy(&self) -> bool {
        self.flags >> 5 == SNAPPY && !self.copied()
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> u32 {
        if self.nbytes == 0 || self.blocksize == 0 {
            0
        } else {
            self.nbytes.div_ceil(self.blocksize)
        }
    }

    /// The place of every block and of its output, as far as the table makes sense.
    pub(super) fn layout(&self, input: &[u8]) -> Vec<Block> {
        let place = |index| {
            let (block, at) = self.block(input, index).ok()?;
            let (at, start) = (at as u64, u64::from(index) * u64::from(self.blocksize));
            Some(Block {
                input: at..at + block.len() as u64,
                output: start..start + u64::from(self.block_len(index)),
                exact: self.copied(),
            })
        };
        (0..self.blocks()).map_while(place).collect()
    }

    /// The number of bytes block `index` decodes to.
    pub(super) fn block_len(&self, index: u32) -> u32 {
        let start = u64::from(index) * u64::from(self.blocksize);
        let rest = u64::from(self.nbytes).saturating_sub(start);
        u32::try_from(rest).unwrap_or(u32::MAX).min(self.blocksize)
    }

    /// The compressed bytes of block `index` with the lengths of its streams, and where they are.
    ///
    /// # Errors
    ///
    /// If the table or a length in the block points outside.
    pub(super) fn block<'a>(&self, input: &'a [u8], index: u32) -> Result<(&'a [u8], usize)> {
        let input = input.get(..self.cbytes as usize).unwrap_or(input);
        if self.copied() {
            let from = LEN + (index as usize) * (self.blocksize as usize);
            let block = input.get(from..from + self.block_len(index) as usize);
            return block.map(|block| (block, from)).ok_or_else(|| outside(from, index));
        }
        let entry = LEN + index as usize * 4;
        let start = ByteReader::new(input, entry).u32_le().ok_or_else(|| outside(entry, index))?;
        let start = start as usize;
        let mut fields = ByteReader::new(input, start);
        for _ in 0..self.streams(index) {
            let stream = fields.u32_le().and_then(|len| fields.take(len as usize));
            let at = if start < input.len() { fields.at() } else { entry };
            stream.ok_or_else(|| outside(at, index))?;
        }
        input
            .get(start..fields.at())
            .map(|block| (block, start))
            .ok_or_else(|| outside(entry, index))
    }

    /// Into how many streams block `index` is split: one for each byte of the type, where it is worth it.
    pub(super) fn streams(&self, index: u32) -> u32 {
        let typesize = u32::from(self.typesize);
        let whole = self.block_len(index) == self.blocksize;
        let split = self.flags & 16 == 0 && typesize <= 16 && self.blocksize / typesize >= 128;
        if split && whole { typesize } else { 1 }
    }

    /// A buffer that holds nothing but this block, and how many bytes it decodes to.
    pub(super) fn alone(&self, block: &[u8], index: u32) -> (Vec<u8>, usize) {
        let len = self.block_len(index);
        let table = if self.copied() { 0 } else { 4 };
        let cbytes = u32::try_from(LEN + table + block.len()).unwrap_or(u32::MAX);
        // The last block may be shorter; it is never split then, which here has to be said.
        let flags = if len == self.blocksize { self.flags } else { self.flags | 16 };
        let mut out = Self { flags, nbytes: len, blocksize: len, cbytes, ..*self }.to_bytes();
        if table > 0 {
            out.extend(20_u32.to_le_bytes());
        }
        out.extend_from_slice(block);
        (out, len as usize)
    }

    /// The header of a buffer of `cbytes` bytes that holds the same blocks, their streams by lz4 or uncompressed.
    pub(super) fn with_lz4(&self, cbytes: u32) -> Vec<u8> {
        Self { flags: self.flags & 0x1f | LZ4 << 5, cbytes, ..*self }.to_bytes()
    }

    /// The header as it is stored.
    fn to_bytes(self) -> Vec<u8> {
        let mut out = vec![self.version, self.inner_version, self.flags, self.typesize];
        for number in [self.nbytes, self.blocksize, self.cbytes] {
            out.extend(number.to_le_bytes());
        }
        out
    }

    /// The header in words.
    pub(super) fn fields(&self) -> Vec<HeaderField> {
        let how = if self.copied() { "copied, uncompressed" } else { self.compressor() };
        let flags = format!("{:#04x}: {}, {how}", self.flags, self.shuffle());
        vec![
            HeaderField::new(0..1, "version", self.version.to_string()),
            HeaderField::new(1..2, "compressor version", self.inner_version.to_string()),
            HeaderField::new(2..3, "flags", flags),
            HeaderField::new(3..4, "type size", self.typesize.to_string()),
            HeaderField::new(4..8, "decoded size", format!("{} bytes", self.nbytes)),
            HeaderField::new(
                8..12,
                "block size",
                format!("{} bytes; blocks: {}", self.blocksize, self.blocks()),
            ),
            HeaderField::new(12..16, "compressed size", format!("{} bytes", self.cbytes)),
        ]
    }
}

fn outside(at: usize, index: u32) -> Error {
    corrupt(at, format!("block {index}, whose lengths reach outside the buffer"))
}
