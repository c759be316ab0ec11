//! One bit that changed inside of compressed data, where the checksum is of what they decompress to: no difference of
//! checksums says which, so each bit is flipped in turn until the checksum agrees.

use super::bits::{told, values};
use super::prelude::*;

/// The fewest bytes of a stream that is searched: shorter ones have as many repairs as checksums have values.
const FEWEST: usize = 8;
/// The nanoseconds that a decoder takes to begin anew, whatever it decodes: zstd clears 100 KB of tables.
const BEGINNING: u64 = 10_000;

/// The cause, if one flipped bit, and only one, makes the checksum inside a compressed chunk agree.
pub(super) fn search(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let chain = case.array.chain()?;
    let outer = chain.links.last().filter(|link| link.row.is_some_and(|row| row.compresses))?;
    let decoded = outer.decoded_size.exact?;
    let len = sample.bytes.len();
    let each = outer.row.map_or(1, |row| row.nanoseconds).saturating_mul(decoded.max(len as u64));
    let each = each.saturating_add(BEGINNING);
    let bits = 8 * len as u64;
    let is_worth = sample.failed_by(Code::ChecksumMismatch) || sample.failed_by(Code::ChunkCorrupt);
    if !is_worth || len < FEWEST || !case.spend(each.saturating_mul(bits)) {
        return None;
    }
    let budget = case.budget();
    let repairs = |(byte, bit): &(usize, u32)| {
        let mut bytes = sample.bytes.clone();
        let Some(place) = bytes.get_mut(*byte) else { return false };
        *place ^= 1 << bit;
        let outcome = outer.decode(&Data::Bytes(Bytes::whole(bytes)), &budget);
        let is_long = outcome.output.as_ref().is_some_and(|output| output.bytes().len() == decoded);
        is_long && outcome.error.is_none() && outcome.checksum.is_some_and(|sum| sum.agrees())
    };
    // What was not tried may fit, too: of a search that was stopped, nothing is told.
    let all = (0..len).flat_map(|byte| (0..8).map(move |bit| (byte, bit)));
    let mut found = all.take_while(|_| !budget.is_stopped()).filter(repairs);
    let (place, None) = (found.next()?, found.next()) else { return None };
    if budget.is_stopped() {
        return None;
    }
    let mut repaired = sample.bytes.clone();
    *repaired.get_mut(place.0)? ^= 1 << place.1;
    let sentence = format!(
        "Each of {} bits was flipped in turn: only with this one does the checksum of the decompressed data match.",
        grouped(bits)
    );
    let diagnosis = told(sample, sentence, &[place], &repaired)?;
    Some(diagnosis.because(values(case, sample, repaired)?))
}
