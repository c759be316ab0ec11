//! Shards whose index is elsewhere or made otherwise, whose inner chunks have another shape or other codecs, and shards
//! that the metadata does not declare.

use super::prelude::*;
use super::{bits::write_byte, case::opened, codecs::configured, permutations::other_orders};
use crate::zarr::codec::sharding::Sharding;

/// The most inner chunks of a shard whose index is looked for.
const INNER: usize = 4096;
/// The bytes of the checksum of an index.
pub(super) const SUM: usize = 4;
/// The number of shapes of inner chunks that are tried.
const SHAPES: usize = 12;

pub(super) fn readings(case: &Case, samples: &[Sample]) -> Vec<Reading> {
    if case.array.format == Format::V2 {
        return Vec::new();
    }
    match (case.sharding(), samples.first()) {
        (Some((at, sharding)), Some(sample)) => {
            let mut readings = index(at, case).to_vec();
            readings.extend(inner_codecs(case, at, &sharding, sample));
            readings.extend(inner_shapes(case, at, &sharding, sample));
            readings
        }
        (None, Some(sample)) => undeclared(case, sample),
        _ => Vec::new(),
    }
}

/// Readings with the index elsewhere, with and without a checksum.
pub(super) fn index(at: usize, case: &Case) -> [Reading; 4] {
    let spec = case.array.codecs.as_deref().ok().and_then(|specs| specs.get(at));
    let is_start =
        spec.and_then(|spec| spec.member("index_location")).and_then(Json::as_str) == Some("start");
    let has_sum = spec
        .and_then(|spec| spec.member("index_codecs")?.as_array())
        .is_some_and(|codecs| codecs.len() > 1);
    let other = if is_start { "end" } else { "start" };
    let location = WhatIf::at(&format!("/codecs/{at}/configuration/index_location"), other);
    let bytes = "{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}";
    let sum = if has_sum { "" } else { ",{\"name\":\"crc32c\"}" };
    let of_index =
        |codecs: String| WhatIf::at(&format!("/codecs/{at}/configuration/index_codecs"), codecs);
    let codecs = of_index(format!("[{bytes}{sum}]"));
    let here = if is_start { "start" } else { "end" };
    let kind = if has_sum { "without a checksum" } else { "with a checksum (crc32c)" };
    let big = bytes.replace("little", "big");
    let kept = if has_sum { ",{\"name\":\"crc32c\"}" } else { "" };
    let big = of_index(format!("[{big}{kept}]"));
    let reading = |what: String, what_if: WhatIf| {
        Reading::new("shard-index/elsewhere", format!("The index of the shards {what}."), what_if)
            .proved()
    };
    [
        reading(
            format!("is at the {other}, not at the {here} as the metadata declares"),
            location.clone(),
        ),
        reading("is big-endian, not little-endian as the metadata declares".into(), big),
        reading(format!("was written {kind}, contrary to the metadata"), codecs.clone()),
        reading(
            format!(
                "is at the {other} and was written {kind}, which is not what the metadata declares"
            ),
            location.and(codecs),
        ),
    ]
}

/// Readings with the codecs that the first inner chunk announces.
fn inner_codecs(case: &Case, at: usize, sharding: &Sharding, sample: &Sample) -> Option<Reading> {
    let inside = first_bytes(case, sharding, &sample.bytes)?;
    let found = case.unwrapped(inside)?.codecs;
    let specs: Vec<&CodecSpec> = sharding.inner.links.iter().map(|link| &link.spec).collect();
    let kept = sharding
        .inner
        .links
        .iter()
        .take_while(|link| link.row.is_none_or(|row| row.kind != CodecKind::BytesToBytes));
    let kept: Vec<Json> = kept.map(|link| link.spec.to_v3()).collect();
    let names: Vec<&str> = found.iter().filter_map(|row| row.v3.first().copied()).collect();
    let declared: Vec<&str> =
        specs.iter().skip(kept.len()).map(|spec| spec.name.as_str()).collect();
    if names == declared {
        return None;
    }
    let codecs: Json =
        kept.into_iter().chain(found.iter().map(|row| configured(case, row))).collect();
    let what = |names: &[&str]| {
        if names.is_empty() { "no codec".to_owned() } else { names.join(", then ") }
    };
    let sentence = format!(
        "The inner chunks were written with {}, not with {} as the metadata declares.",
        what(&names),
        what(&declared)
    );
    let what_if = WhatIf::at(&format!("/codecs/{at}/configuration/codecs"), codecs);
    let reading = Reading::new("codec/inner-codecs", sentence, what_if);
    Some(if names.is_empty() { reading } else { reading.proved() })
}

/// The bytes of the first inner chunk that is stored in a shard.
fn first_bytes(case: &Case, sharding: &Sharding, bytes: &[u8]) -> Option<Vec<u8>> {
    let shard = opened(sharding, bytes, &case.budget())?;
    let first = shard.entries.places().flatten().next()?;
    Some(Bytes::whole(bytes.to_vec()).slice(first)?.here().to_vec())
}

/// The bytes of the first inner chunk of a shard, without compressors and checksums.
pub(super) fn first_inner(case: &Case, bytes: &[u8]) -> Option<Vec<u8>> {
    let bytes = first_bytes(case, &case.sharding()?.1, bytes)?;
    Some(case.unwrapped(bytes)?.inside)
}

/// The number of inner chunks that the index at the end of `bytes` is for, by its checksum.
fn index_at_end(case: &Case, bytes: &[u8]) -> Option<usize> {
    let (index, stored) = bytes.split_last_chunk::<4>()?;
    let stored = u32::from_le_bytes(*stored);
    // An index ends where an entry is of no place in the file, so that few lengths are left to compute checksums of.
    let entries = index.rchunks_exact(16).take(INNER);
    let most = entries.take_while(|entry| is_entry(entry, bytes.len() as u64)).count();
    if !case.spend((most * most * 8) as u64) {
        return None;
    }
    (1..=most).find(|count| {
        let index = index.get(index.len() - count * 16..).unwrap_or_default();
        crc32c::crc32c(index) == stored
    })
}

/// The cause, if a shard ends before its index: it begins as the inner chunks do, and its last bytes are not an index.
pub(super) fn without_index(case: &Case, bytes: &[u8]) -> Option<Diagnosis> {
    let (sharding, len) = (case.sharding()?.1, bytes.len());
    let outer = sharding.inner.links.last()?.row?;
    let (row, _) = case.array.registry.codecs.recognise(bytes)?;
    let entries = |bytes: &[u8]| {
        let entries = bytes.rchunks_exact(16).take(INNER);
        entries.take_while(|entry| is_entry(entry, len as u64)).count()
    };
    // With a checksum after it, or without.
    let before_sum = bytes.get(..len.saturating_sub(SUM)).unwrap_or_default();
    let is_whole =
        index_at_end(case, bytes).is_some() || entries(bytes) > 1 || entries(before_sum) > 1;
    let are_others = case.symptoms.errors < case.symptoms.stored;
    (!sharding.index_at_start && are_others && !is_whole && std::ptr::eq(row, outer)).then(|| {
        Diagnosis::new("truncated/shard", "The end of the shard is missing, with its index.")
            .because("The file begins with an inner chunk, and its last bytes are not an index: their numbers point \
                      to no place in it.")
            .because("The inner chunks before the cut are whole, but nothing says where each of them is.")
    })
}

/// The cause, if the checksum of an index is wrong and the index is right: its inner chunks fill the shard without a
/// gap, and each can be decoded.
pub(super) fn wrong_checksum(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let (_, sharding) = case.sharding().filter(|_| sample.failed_by(Code::ChecksumMismatch))?;
    let shard = opened(&sharding, &sample.bytes, &case.budget().ignoring_checksums(true))?;
    let stored = shard.entries.places().flatten().count();
    let is_sound = shard.entries.iter().all(|entry| entry.problem.is_none());
    if !is_sound || !shard.gaps.is_empty() || stored == 0 {
        return None;
    }
    let end = usize::try_from(shard.index.end).ok()?;
    let (start, sum) = (usize::try_from(shard.index.start).ok()?, end.checked_sub(SUM)?);
    let computed = crc32c::crc32c(sample.bytes.get(start..sum)?).to_le_bytes();
    let mut mended = sample.bytes.clone();
    mended.get_mut(sum..end)?.copy_from_slice(&computed);
    let commands = (sum..end).zip(computed).map(|(at, byte)| write_byte(&sample.key, at, byte));
    let commands = ShellScript::all(commands);
    case.decode(case.array, &sample.at, mended.clone(), &case.budget())?;
    Some(
        Diagnosis::new(
            "checksum/shard-index",
            "The checksum of the shard index is wrong, but the index itself is consistent.",
        )
        .because(format!(
            "By the index, {} fill the shard without a gap, and each can be decoded.",
            counted(stored as u64, "inner chunk")
        ))
        .mended_by(Change::Bytes(commands, FileContent::of(&sample.key, mended))),
    )
}

/// The cause, if the index of a shard at the edge has entries only for inner chunks inside the array: its checksum tells.
pub(super) fn edge_index(case: &Case, sample: &Sample) -> Option<Diagnosis> {
    let (_, sharding) = case.sharding()?;
    let extent = lengths(&case.array.region(&sample.at)?);
    let inside = extent.iter().zip(&sharding.chunk_shape);
    let counts: Vec<u64> = inside.map(|(n, length)| n.div_ceil((*length).max(1))).collect();
    let (fewer, all) = (u64::try_from(order::total(&counts)?).ok()?, sharding.count()?);
    let len = usize::try_from(fewer).ok()?.checked_mul(16)?;
    let bytes = &sample.bytes;
    let index = if sharding.index_at_start {
        bytes.get(..len + SUM)?
    } else {
        bytes.get(bytes.len().checked_sub(len + SUM)?..)?
    };
    let (index, sum) = index.split_last_chunk::<SUM>()?;
    if fewer >= all || crc32c::crc32c(index) != u32::from_le_bytes(*sum) {
        return None;
    }
    let text = "The index of the shard has entries only for the inner chunks inside the array; the specification has one \
                for every inner chunk.";
    Some(
        Diagnosis::new("shard-index/clipped", text)
            .because(format!(
                "In {}, an index of {} matches its checksum; the shard has {all} inner chunks.",
                sample.key,
                if fewer == 1 { "1 entry".to_owned() } else { format!("{fewer} entries") }
            ))
            .because("The metadata cannot declare that: these shards have to be written again.")
            .certain(),
    )
}

/// True if 16 bytes may be an entry of the index of a shard of `len` bytes.
fn is_entry(entry: &[u8], len: u64) -> bool {
    let ([offset, size], _) = entry.as_chunks::<8>() else { return false };
    let is_place = |offset: u64, size: u64| {
        (offset, size) == (u64::MAX, u64::MAX)
            || size > 0 && offset.checked_add(size).is_some_and(|end| end <= len)
    };
    is_place(u64::from_le_bytes(*offset), u64::from_le_bytes(*size))
        || is_place(u64::from_be_bytes(*offset), u64::from_be_bytes(*size))
}

/// Shapes of inner chunks of which `count` fill a chunk of `shape`.
fn shapes(shape: &[u64], count: u64) -> Vec<Vec<u64>> {
    let mut found = vec![(Vec::new(), count)];
    for &length in shape {
        let longer = found.iter().flat_map(|(inner, left): &(Vec<u64>, u64)| {
            (1..=*left.min(&length))
                .filter(|n| left % n == 0 && length % n == 0)
                .map(|n| ([inner.as_slice(), &[length / n]].concat(), left / n))
                .collect::<Vec<_>>()
        });
        found = longer.take(10_000).collect();
    }
    let whole = found.into_iter().filter(|(_, left)| *left == 1).map(|(inner, _)| inner);
    whole.take(SHAPES).collect()
}

/// Readings with another number of inner chunks, where the checksum of an index agrees.
fn inner_shapes(case: &Case, at: usize, sharding: &Sharding, sample: &Sample) -> Vec<Reading> {
    let Some(count) = index_at_end(case, &sample.bytes) else { return Vec::new() };
    let Some(shape) = case.array.chunk_shape() else { return Vec::new() };
    let evidence = format!(
        "At the end of the shards is an index of {count} inner chunks, and its checksum matches."
    );
    let reading =
        |inner| inner_shape("shard-index/inner-shape", (at, sharding), inner).because(&evidence);
    let others =
        shapes(&shape, count as u64).into_iter().filter(|inner| *inner != sharding.chunk_shape);
    others.map(reading).collect()
}

/// The reading with inner chunks of another shape.
fn inner_shape(
    cause: &'static str,
    (at, sharding): (usize, &Sharding),
    shape: Vec<u64>,
) -> Reading {
    let sentence = format!(
        "The inner chunks have the shape {}, not {} as the metadata declares.",
        list(&shape),
        list(&sharding.chunk_shape)
    );
    let of = format!("/codecs/{at}/configuration/chunk_shape");
    Reading::new(cause, sentence, WhatIf::at(&of, Json::from(shape)))
}

/// Readings with the lengths of the inner chunks in another order: as many of them, which no index tells apart.
pub(super) fn turned(case: &Case) -> Vec<Reading> {
    let Some(((at, sharding), shape)) = case.sharding().zip(case.array.chunk_shape()) else {
        return Vec::new();
    };
    if !(2..=4).contains(&sharding.chunk_shape.len()) {
        return Vec::new();
    }
    let mut others = other_orders(&sharding.chunk_shape);
    others.retain(|other| shape.iter().zip(other).all(|(n, m)| n.is_multiple_of(*m)));
    let reading = |other| inner_shape("shard-index/inner-order", (at, &sharding), other);
    others.into_iter().map(reading).collect()
}

/// Readings with the dimensions of the inner chunks in another order.
pub(super) fn inner_orders(case: &Case) -> Vec<Reading> {
    let Some((at, codecs)) = case.array.chain().and_then(|chain| {
        let at = chain.sharding()?;
        let spec = case.array.codecs.as_deref().ok()?.get(at)?;
        Some((at, spec.member("codecs")?.as_array()?.to_vec()))
    }) else {
        return Vec::new();
    };
    let order = |codec: &Json| codec.get("configuration").and_then(|it| it.get("order")).cloned();
    let declared = codecs.iter().find_map(order);
    let others: Vec<Json> = codecs.into_iter().filter(|codec| order(codec).is_none()).collect();
    let rank = case.array.chunk_shape().map_or(0, |shape| shape.len());
    if !(2..=4).contains(&rank) {
        return Vec::new();
    }
    let reading = |axes: Vec<usize>| {
        let is_plain = axes.iter().copied().eq(0..rank);
        let order = axes.iter().map(|&axis| axis as u64).collect::<Vec<_>>();
        let order = Json::from(order);
        let is_declared = declared.as_ref().map_or(is_plain, |declared| *declared == order);
        let transpose = Json::object([
            ("name", "transpose".into()),
            ("configuration", Json::object([("order", order)])),
        ]);
        let first = (!is_plain).then_some(transpose);
        let codecs: Json = first.into_iter().chain(others.iter().cloned()).collect();
        let (words, _) = order_words(&axes);
        let sentence = format!(
            "The elements of the inner chunks are in {words}, which is not what the metadata declares."
        );
        let what_if = WhatIf::at(&format!("/codecs/{at}/configuration/codecs"), codecs);
        (!is_declared).then(|| Reading::new("order/inner-chunks", sentence, what_if))
    };
    permutations(rank).into_iter().filter_map(reading).collect()
}

/// Readings as shards, where the checksum of an index agrees.
fn undeclared(case: &Case, sample: &Sample) -> Vec<Reading> {
    let Some(count) = index_at_end(case, &sample.bytes) else { return Vec::new() };
    let (Some(shape), Ok(data_type)) = (case.array.chunk_shape(), &case.array.data_type) else {
        return Vec::new();
    };
    let end = sample.bytes.len() - 4 - count * 16;
    let number = |at: usize| {
        let eight = sample.bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        eight.map_or(u64::MAX, u64::from_le_bytes)
    };
    let place = (0..count).map(|entry| (number(end + entry * 16), number(end + entry * 16 + 8)));
    let part = |(offset, len): (u64, u64)| {
        let from = usize::try_from(offset).ok()?;
        sample.bytes.get(from..from.checked_add(usize::try_from(len).ok()?)?)
    };
    let Some(first) = place.filter(|place| *place != (u64::MAX, u64::MAX)).find_map(part) else {
        return Vec::new();
    };
    let around = case.unwrapped(first.to_vec()).map(|found| found.codecs).unwrap_or_default();
    let plain =
        crate::zarr::codec::serializer(data_type.data_type.as_ref(), &data_type.order).to_v3();
    let codecs: Json =
        std::iter::once(plain).chain(around.iter().map(|row| configured(case, row))).collect();
    let reading = |inner: Vec<u64>| {
        let sentence = format!(
            "The chunks are shards of inner chunks of shape {}, which the metadata does not declare.",
            list(&inner)
        );
        let shards = format!(
            "[{{\"name\":\"sharding_indexed\",\"configuration\":{{\"chunk_shape\":{},\"codecs\":{codecs},\
             \"index_codecs\":[{{\"name\":\"bytes\",\"configuration\":{{\"endian\":\"little\"}}}},{{\"name\":\"crc32c\"}}],\
             \"index_location\":\"end\"}}}}]",
            Json::from(inner)
        );
        let evidence = format!(
            "At the end of the chunks is an index of {count} inner chunks, and its checksum matches."
        );
        let what_if = WhatIf::of(SettingMember::Codecs, shards);
        Reading::new("codec/undeclared-shards", sentence, what_if).because(evidence).proved()
    };
    shapes(&shape, count as u64).into_iter().map(reading).collect()
}
