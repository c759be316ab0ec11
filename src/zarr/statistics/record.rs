//! The counts of a chunk as JSON and back, to the last bit: figures that many machines count are put together from
//! them.

use super::{
    Counter, Distinct, Distribution, Extreme, Statistics, Tally, Variety, moments::Moments,
};
use crate::zarr::array;
use crate::zarr::prelude::*;

/// The byte order of the extremes.
const LITTLE: ByteOrder = ByteOrder::All(Endian::Little);

impl Counter<'_> {
    /// The tallies of a chunk, one a choice.
    pub fn to_json(&self, tallies: &[Tally]) -> Json {
        let types = self.data_types();
        let types = types.iter().map(Some).chain(std::iter::repeat(None));
        tallies.iter().zip(types).map(|(tally, of)| to_json(tally, of)).collect()
    }

    /// The tallies that [`Self::to_json`] wrote; `None` where they are of another array, or count more elements than
    /// this one has.
    pub fn from_json(&self, json: &Json) -> Option<Vec<Tally>> {
        // A field that is an array has no more elements than bytes.
        let size = self.reader.resolved().data_type.fixed_size().unwrap_or(1).max(1);
        let most = array::len(&self.reader.whole())?.saturating_mul(size as u64);
        let (tallies, types) = (json.as_array()?, self.data_types());
        let types = types.iter().map(Some).chain(std::iter::repeat(None));
        let all = tallies.iter().zip(types).map(|(tally, of)| from_json(tally, of, most));
        all.collect::<Option<Vec<_>>>().filter(|all| all.len() == self.choices.len())
    }
}

fn to_json(tally: &Tally, data_type: Option<&Arc<dyn DataType>>) -> Json {
    let Tally { statistics: all, places: [lowest, highest], chunks } = tally;
    let mut counted = all.clone();
    let counts: Vec<u64> = counts(&mut counted).map(|count| *count).into();
    let mut json = object! {
        "chunks": *chunks, "counts": counts, "moments": [all.moments.mean.to_bits(), all.moments.squares.to_bits()],
    };
    let extremes = [("minimum", &all.minimum, lowest), ("maximum", &all.maximum, highest)];
    for (key, found, place) in extremes {
        if let Some((found, data_type)) = found.as_ref().zip(data_type) {
            let bytes = data_type.encode(&found.scalar, &LITTLE).unwrap_or_default();
            json.set(
                key,
                object! {
                    "bytes": hex(&bytes, ""), "value": found.value.to_bits(), "rank": found.rank,
                    "position": found.position, "place": place,
                },
            );
        }
    }
    if let Some(first) = all.first_non_finite {
        json.set("first", first);
    }
    if let Some((least, most)) = all.lengths {
        json.set("lengths", [least, most]);
    }
    frequencies(all, &mut json);
    json
}

/// Sets how often numbers and other values occur.
fn frequencies(all: &Statistics, json: &mut Json) {
    match all.distinct.to_record() {
        Ok(few) => json.set("few", few),
        Err(many) => json.set("many", many),
    }
    let ((exponent, first), counts) = (all.distribution.place(), all.distribution.counts());
    json.set("bins", object! {"exponent": exponent, "first": first, "counts": counts});
    let values = all.variety.counts();
    if !values.is_empty() {
        json.set(
            "values",
            values
                .iter()
                .map(|&(text, count)| object! {"text": text, "count": count})
                .collect::<Json>(),
        );
        json.set("others", all.variety.others());
    }
}

fn from_json(json: &Json, data_type: Option<&Arc<dyn DataType>>, most: u64) -> Option<Tally> {
    let numbers = |key: &str| json.get(key)?.as_numbers();
    let mut all = Statistics::default();
    let stored = numbers("counts")?;
    let places = counts(&mut all);
    if stored.len() != places.len() || stored.iter().any(|count| *count > most) {
        return None;
    }
    for (place, count) in places.into_iter().zip(stored) {
        *place = count;
    }
    let [mean, squares]: [u64; 2] = numbers("moments")?.try_into().ok()?;
    all.moments = Moments { mean: f64::from_bits(mean), squares: f64::from_bits(squares) };
    let mut places = [Vec::new(), Vec::new()];
    let [lowest, highest] = &mut places;
    for (key, found, place) in
        [("minimum", &mut all.minimum, lowest), ("maximum", &mut all.maximum, highest)]
    {
        if let Some(json) = json.get(key) {
            *place = json.get("place")?.as_numbers()?;
            *found = Some(extreme(json, data_type?.as_ref())?);
        }
    }
    all.distinct = Distinct::from_record(numbers("few"), json.get_str("many"))?;
    all.distribution = distribution(json.get("bins")?)?;
    if all.distribution.counts().iter().any(|count| *count > most) {
        return None;
    }
    all.first_non_finite = json.get_u64("first");
    all.lengths =
        numbers("lengths").and_then(|lengths| Some((*lengths.first()?, *lengths.get(1)?)));
    let values = json.get_array("values").unwrap_or_default();
    let others = json.get_u64("others").unwrap_or(0);
    all.variety = Variety::of(
        values
            .iter()
            .map(|json| Some((json.get_str("text")?.to_owned(), json.get_u64("count")?)))
            .collect::<Option<_>>()?,
        others,
    );
    Some(Tally { statistics: all, places, chunks: numbers("chunks")?.try_into().ok()? })
}

fn distribution(json: &Json) -> Option<Distribution> {
    let whole = |key: &str| json.get(key)?.as_number()?.parse::<i64>().ok();
    let counts = json.get("counts")?.as_numbers()?;
    Distribution::of(i32::try_from(whole("exponent")?).ok()?, whole("first")?, counts)
}

fn extreme(json: &Json, data_type: &dyn DataType) -> Option<Extreme> {
    let number = |key: &str| json.get_u64(key);
    let text = json.get_str("bytes")?.as_bytes();
    let bytes: Vec<u8> = text
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect::<Option<_>>()?;
    Some(Extreme {
        scalar: data_type.decode(&bytes, &LITTLE).ok()?,
        value: f64::from_bits(number("value")?),
        position: number("position")?,
        rank: json.get("rank")?.as_number()?.parse().ok()?,
    })
}

/// Every count, in the order in which they are written.
pub(super) fn counts(all: &mut Statistics) -> [&mut u64; 13] {
    [
        &mut all.elements,
        &mut all.skipped,
        &mut all.numbers,
        &mut all.nan,
        &mut all.positive_infinity,
        &mut all.negative_infinity,
        &mut all.not_a_time,
        &mut all.zero,
        &mut all.negative_zero,
        &mut all.subnormal,
        &mut all.fill_bits,
        &mut all.fill_value,
        &mut all.missing,
    ]
}
