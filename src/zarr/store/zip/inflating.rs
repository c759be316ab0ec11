//! Members of an archive, decompressed by whichever method they were written with.

use super::ZipEntry;
use crate::zarr::prelude::*;
use bzip2::bufread::BzDecoder;
use flate2::bufread::DeflateDecoder;
use liblzma::{bufread::XzDecoder, stream::Stream};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom},
};
use zip::CompressionMethod;

/// A member that is being decompressed, by whichever method.
pub(super) struct Inflating(pub(super) Box<dyn Read + Send>);

impl fmt::Debug for Inflating {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Inflating").finish_non_exhaustive()
    }
}

/// The memory that LZMA may use for its dictionary.
const DICTIONARY: u64 = 256 << 20;

impl Inflating {
    pub(super) fn new(key: &str, member: &ZipEntry, stored: ArchivePart) -> Result<Self> {
        let stored = BufReader::new(stored);
        let lzma = |stream: Result<Stream, liblzma::stream::Error>| {
            stream.map_err(|error| inflate(key, &error.into()))
        };
        Ok(Self(match member.method {
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(stored)),
            CompressionMethod::BZIP2 => Box::new(BzDecoder::new(stored)),
            CompressionMethod::ZSTD => {
                let decoder = zstd::Decoder::with_buffer(stored);
                Box::new(decoder.map_err(|error| inflate(key, &error))?)
            }
            CompressionMethod::XZ => {
                let stream = lzma(Stream::new_stream_decoder(DICTIONARY, 0))?;
                Box::new(XzDecoder::new_stream(stored, stream))
            }
            CompressionMethod::LZMA => {
                let stream = lzma(Stream::new_lzma_decoder(DICTIONARY))?;
                let stored = alone(stored, member.size).map_err(|error| inflate(key, &error))?;
                Box::new(XzDecoder::new_stream(stored, stream))
            }
            other => return Err(unknown_method(key, other)),
        }))
    }
}

/// An LZMA member as a file of its own has it: the same properties, but after them its size, and no version before.
fn alone(mut stored: impl BufRead, size: u64) -> io::Result<impl BufRead> {
    let mut header = [0; 17];
    let (version_and_len, rest) = header.split_at_mut(4);
    stored.read_exact(version_and_len)?;
    let (properties, place) = rest.split_at_mut(5);
    stored.read_exact(properties)?;
    place.copy_from_slice(&size.to_le_bytes());
    if version_and_len.get(2..) != Some(&[5, 0]) {
        return Err(io::Error::other("LZMA properties that are not 5 bytes long"));
    }
    Ok(Cursor::new(rest.to_vec()).chain(stored))
}

/// The error that a member is compressed by a method that is not known here.
fn unknown_method(key: &str, method: CompressionMethod) -> Error {
    let name = match method {
        CompressionMethod::DEFLATE64 => "Deflate64".to_owned(),
        CompressionMethod::PPMD => "PPMd".to_owned(),
        CompressionMethod::AES => "AES encryption".to_owned(),
        other => format!("the method {other}"),
    };
    let found = format!("a zip member compressed with {name}, which zarrscope cannot decode");
    let expected =
        "a member that is stored, or compressed with Deflate, bzip2, LZMA, XZ or Zstandard";
    let fix = "The member may be intact. Most Zarr readers accept only uncompressed members: extract the archive, \
               and zip it with -0.";
    Error::new(Code::ZipMethod, found, expected).in_file(key).with_fix(fix)
}

/// The archive: a file here, or one of a store.
#[derive(Debug)]
pub(super) enum ArchiveFile {
    Here(File),
    Far { store: Arc<dyn Store>, key: String, len: u64 },
}

impl ArchiveFile {
    /// Its length in bytes.
    pub(super) fn len(&self) -> io::Result<u64> {
        match self {
            Self::Here(file) => file.metadata().map(|metadata| metadata.len()),
            Self::Far { len, .. } => Ok(*len),
        }
    }

    /// Asks for `range` at once, where that is cheaper than piece by piece.
    pub(super) fn ask_for(&self, range: Range<u64>) {
        if let Self::Far { store, key, len } = self {
            let range = range.start..range.end.min(*len).min(range.start.saturating_add(AT_ONCE));
            // What fails here fails again where it is needed.
            let _ = store.read_range(key, range);
        }
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Self::Here(file) => std::os::unix::fs::FileExt::read_at(file, buffer, at),
            #[cfg(windows)]
            Self::Here(file) => std::os::windows::fs::FileExt::seek_read(file, buffer, at),
            Self::Far { store, key, .. } => {
                let end = at.saturating_add(buffer.len() as u64);
                let read = store.read_range(key, at..end).map_err(io::Error::other)?;
                let read = read.unwrap_or_default();
                let part = buffer.get_mut(..read.len()).unwrap_or_default();
                part.copy_from_slice(read.get(..part.len()).unwrap_or_default());
                Ok(part.len())
            }
        }
    }
}

/// The most bytes of an archive far away that are asked for at once.
const AT_ONCE: u64 = 32 << 20;

/// A part of the archive, read by position: threads read side by side.
#[derive(Debug)]
pub(super) struct ArchivePart {
    pub(super) file: Arc<ArchiveFile>,
    pub(super) range: Range<u64>,
}

impl Read for ArchivePart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(self.range.end.saturating_sub(self.range.start));
        let most = rest.unwrap_or(usize::MAX).min(buffer.len());
        let buffer = buffer.get_mut(..most).unwrap_or_default();
        let read = self.file.read_at(buffer, self.range.start)?;
        self.range.start += read as u64;
        Ok(read)
    }
}

impl Seek for ArchivePart {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.file.len()?.checked_add_signed(by),
            SeekFrom::Current(by) => self.range.start.checked_add_signed(by),
        };
        self.range.start = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.range.start)
    }
}

/// The error that a member is not what its method makes.
pub(super) fn inflate(key: &str, error: &io::Error) -> Error {
    let found = format!("a member that does not decompress ({error})");
    Error::new(Code::ZipMember, found, "valid compressed bytes").in_file(key)
}
