//! The filters of bare LZMA data: what the configuration lists, as Python's `lzma` module writes it.

use super::Setup;
use crate::zarr::{
    error::{Error, Result},
    json::Json,
};
use liblzma::stream::{Filters, LzmaOptions};
use std::ops::RangeInclusive;

/// One filter of a chain.
#[derive(Debug)]
pub(super) enum LzmaFilter {
    /// The difference to the byte so many places before, 1 to 256.
    Delta(u32),
    /// Addresses of branches in programs for a processor.
    Branches { id: u8, start: u32 },
    /// LZMA with a dictionary of so many bytes: with properties as the `.lzma` format has it, without as LZMA2.
    Lzma { dictionary: u32, properties: Option<u8> },
}

/// The id of LZMA1, past what a JSON number may hold in other readers.
const LZMA1: u64 = 0x4000_0000_0000_0001;

/// The most filters a chain may have.
const MOST: usize = 4;

/// The filters in the configuration.
///
/// # Errors
///
/// If there are none, or one that nobody knows.
pub(super) fn filters(setup: &Setup) -> Result<Vec<LzmaFilter>> {
    let json = setup.needed("filters")?;
    let expected = "an array of one to four filters, the last of them LZMA1 or LZMA2";
    let items = json.as_array().filter(|items| (1..=MOST).contains(&items.len()));
    let items = items.ok_or_else(|| setup.refuse("filters", json, expected))?;
    let filters: Vec<_> = items.iter().map(|item| filter(setup, item)).collect::<Result<_>>()?;
    let at = filters.iter().position(|filter| matches!(filter, LzmaFilter::Lzma { .. }));
    if at.is_none_or(|at| at + 1 != filters.len()) {
        return Err(setup.refuse("filters", json, expected));
    }
    Ok(filters)
}

fn filter(setup: &Setup, json: &Json) -> Result<LzmaFilter> {
    let fault =
        |found: String, expected: &str| -> Error { setup.fault("filters", found, expected) };
    let number = |key: &str, default: u32, range: RangeInclusive<u32>| {
        let Some(member) = json.get(key).filter(|member| !member.is_null()) else {
            return Ok(default);
        };
        let number = member.as_u64().and_then(|number| u32::try_from(number).ok());
        let found = format!("{} as {key}", member.describe());
        let expected = format!("a number from {} to {}", range.start(), range.end());
        number.filter(|n| range.contains(n)).ok_or_else(|| fault(found, &expected))
    };
    let lzma = |properties| {
        let usual = preset_dictionary(number("preset", 6, 0..=u32::MAX)?);
        Ok(LzmaFilter::Lzma { dictionary: number("dict_size", usual, 0..=u32::MAX)?, properties })
    };
    match json.get_u64("id") {
        Some(3) => Ok(LzmaFilter::Delta(number("dist", 1, 1..=256)?)),
        Some(id @ 4..=11) => {
            let start = number("start_offset", 0, 0..=u32::MAX)?;
            Ok(LzmaFilter::Branches { id: u8::try_from(id).unwrap_or(0), start })
        }
        Some(0x21) => lzma(None),
        Some(LZMA1) => {
            let (lc, lp, pb) =
                (number("lc", 3, 0..=4)?, number("lp", 0, 0..=4)?, number("pb", 2, 0..=4)?);
            lzma(Some(u8::try_from((pb * 5 + lp) * 9 + lc).unwrap_or(u8::MAX)))
        }
        _ => Err(fault(
            json.get("id").map_or_else(
                || "a filter without an id".into(),
                |id| format!("{} as the id", id.describe()),
            ),
            "3 (delta), 4 to 11 (branches), 33 (LZMA2) or 4611686018427387905 (LZMA1)",
        )),
    }
}

/// The dictionary that a preset of liblzma stands for, in bytes; its flag for "extreme" changes nothing.
fn preset_dictionary(preset: u32) -> u32 {
    const MIB: [u32; 9] = [1, 2, 4, 4, 8, 8, 16, 32, 64];
    match preset & 31 {
        0 => 256 << 10,
        level => MIB.get(level as usize - 1).copied().unwrap_or(64) << 20,
    }
}

/// The chain as liblzma takes it. A dictionary is never larger than the output may be: nothing is further back.
pub(super) fn chain(filters: &[LzmaFilter], limit: u64) -> Result<Filters, liblzma::stream::Error> {
    let most = u32::try_from(limit.saturating_add(1)).unwrap_or(u32::MAX).max(4096);
    chain_of(filters, |chain, dictionary, properties| {
        let [a, b, c, d] = dictionary.min(most).to_le_bytes();
        match properties {
            Some(properties) => chain.lzma1_properties(&[properties, a, b, c, d])?,
            None => chain.lzma2_properties(&[dictionary_code(dictionary.min(most))])?,
        };
        Ok(())
    })
}

/// The chain as liblzma takes it for encoding, which needs more than what the data say of themselves.
pub(super) fn encoding_chain(filters: &[LzmaFilter]) -> Result<Filters, liblzma::stream::Error> {
    chain_of(filters, |chain, dictionary, properties| {
        let mut options = LzmaOptions::new_preset(6)?;
        options.dict_size(dictionary.max(LEAST));
        let Some(properties) = properties.map(u32::from) else {
            chain.lzma2(&options);
            return Ok(());
        };
        options.literal_context_bits(properties % 9);
        options.literal_position_bits(properties / 9 % 5).position_bits(properties / 45);
        chain.lzma1(&options);
        Ok(())
    })
}

/// The chain of these filters, to which `lzma` adds those with a dictionary.
fn chain_of(
    filters: &[LzmaFilter],
    lzma: impl Fn(&mut Filters, u32, Option<u8>) -> Result<(), liblzma::stream::Error>,
) -> Result<Filters, liblzma::stream::Error> {
    let mut chain = Filters::new();
    for filter in filters {
        match *filter {
            LzmaFilter::Delta(distance) => {
                chain.delta_properties(&[u8::try_from(distance - 1).unwrap_or(0)])?;
            }
            LzmaFilter::Branches { id, start } => drop(branches(&mut chain, id, start)?),
            LzmaFilter::Lzma { dictionary, properties } => {
                lzma(&mut chain, dictionary, properties)?;
            }
        }
    }
    Ok(chain)
}

/// The smallest dictionary that an encoder takes, in bytes.
const LEAST: u32 = 4096;

fn branches(
    chain: &mut Filters,
    id: u8,
    start: u32,
) -> Result<&mut Filters, liblzma::stream::Error> {
    let bytes = start.to_le_bytes();
    let properties: &[u8] = if start == 0 { &[] } else { &bytes };
    match id {
        4 => chain.x86_properties(properties),
        5 => chain.powerpc_properties(properties),
        6 => chain.ia64_properties(properties),
        7 => chain.arm_properties(properties),
        8 => chain.arm_thumb_properties(properties),
        9 => chain.sparc_properties(properties),
        10 => chain.arm64_properties(properties),
        _ => chain.riscv_properties(properties),
    }
}

/// The encoding of a dictionary size in LZMA2, rounded up: 2 or 3 times a power of two.
fn dictionary_code(size: u32) -> u8 {
    (0..40).find(|&code| super::header::dictionary_size(code) >= u64::from(size)).unwrap_or(40)
}
