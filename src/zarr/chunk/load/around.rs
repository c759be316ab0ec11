//! Stages of a file, or of a shard in it, that is not read whole: the inner chunk, or a window.

use super::DecodeWalk;
use crate::zarr::{
    bytes::Bytes,
    chunk::{WINDOW, section::Section},
    codec::Data,
    error::Result,
};

impl DecodeWalk<'_> {
    /// Remembers that the newest stage gives `section`, of which nothing is read yet.
    pub(super) fn hold(&mut self, section: &Section) {
        if let (Some(at), Some(start)) = (self.stages.len().checked_sub(1), section.file_offset()) {
            self.holders.push((at, start, section.len()));
        }
    }

    /// Gives the stages around an inner chunk something to show: the inner chunk in its place (where it begins in the
    /// file, and its bytes), or what is around the byte that is looked at.
    pub(super) fn show_holders(&mut self, section: &Section, inner: Option<(u64, &Bytes)>) {
        for (at, start, len) in self.holders.clone() {
            if self.stages.get(at).is_none_or(|stage| stage.output.is_some()) {
                continue;
            }
            let around = self.around;
            let is_here = |(start, bytes): &(u64, &Bytes)| {
                let end = start + bytes.len();
                around == 0 || around >= self.file_len() || (*start..end).contains(&around)
            };
            // Who goes through the stage wants what is around that byte, and not the inner chunk alone.
            let is_view = !self.extent.is_mapped() && !section.is_at_hand();
            let shown = match inner.filter(|inner| is_view && is_here(inner)) {
                Some((offset, bytes)) => Some(bytes.placed(offset.saturating_sub(start), len)),
                None => self.window_of(section, start, len),
            };
            if let Some(stage) = self.stages.get_mut(at) {
                stage.output = shown.map(Data::Bytes);
            }
        }
    }

    /// The length of the file.
    fn file_len(&self) -> u64 {
        self.stages.first().map_or(0, |file| file.input_len)
    }

    /// Some of the `len` bytes from `start` of the file on.
    fn window_of(&self, section: &Section, start: u64, len: u64) -> Option<Bytes> {
        let part = section.of_file(start, len)?;
        if part.is_at_hand() { part.all().ok() } else { self.window(&part, None).ok() }
    }

    /// As much of `section` as is shown at a time, around the byte that is looked at, from the start of an element on.
    pub(super) fn window(&self, section: &Section, size: Option<usize>) -> Result<Bytes> {
        let len = section.len();
        let around = self.around.saturating_sub(section.file_offset().unwrap_or(0)).min(len);
        let start = around.saturating_sub(WINDOW / 2).min(len.saturating_sub(WINDOW));
        // As many bytes more at the end as were added at the start, or the last element is never loaded whole.
        let added = start % size.map_or(1, |size| size as u64).max(1);
        let bytes = section.read(start - added..len.min(start + WINDOW))?;
        Ok(bytes.placed(start - added, len))
    }
}
