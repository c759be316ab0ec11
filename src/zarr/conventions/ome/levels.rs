//! The values of a level of an image against those of the level before: each is the mean, the median, or one of the
//! values that it stands for; and if levels were smoothed, values are alike all the same.
//!
//! Boxes spread over the level are compared. Told is what is made of the level before in one part and not in another, and
//! what is made of it nowhere.

use super::super::region::RegionValues;
use crate::zarr::conventions::prelude::*;
use crate::zarr::{
    grid::{Region, lengths, region_text},
    statistics::pairs::correlation,
};

/// The number of boxes that are compared, the fewest that say something, and the elements that are decoded for them.
const BOXES: u64 = 24;
const FEWEST: usize = 4;
const DECODED: u64 = 1 << 24;
/// The longest sides of a box: along the last two axes, and along others that have fewer elements than before.
const LONG: u64 = 32;
const SHORT: u64 = 4;
/// The most values that one stands for, the fewest elements of a box, and the most.
const WINDOW: u64 = 64;
const FEW: usize = 16;
const LARGEST: u64 = 1 << 14;
/// The share of elements of a box that fit exactly where it is made of the level before, and at most where it is not.
const EXACT: f64 = 0.98;
const NOT_EXACT: f64 = 0.5;
/// The correlation of smoothed levels, and the most of values that have nothing to do with each other: in one part, and as
/// the mean of all.
const ALIKE: f64 = 0.95;
const UNLIKE: f64 = 0.3;
const NOTHING: f64 = 0.2;
/// The share of elements that are outside of all the values that they stand for: of unlike ones, of those of any others.
const OUTSIDE: f64 = 0.2;
const FAR_OUTSIDE: f64 = 0.9;
const MOSTLY_OUTSIDE: f64 = 0.5;
/// The mean correlation of what is not the same image, at the best place of each part.
const LITTLE: f64 = 0.5;
/// The most elements of the level before by which those that one stands for may be moved, and the most such moves.
const SHIFT: i64 = 2;
const SHIFTS: u128 = 125;
/// The share of the range of a type from which on an element is as far from what it stands for as none is by smoothing.
const FAR: f64 = 0.7;
/// By how much a mean may be off: of integers, rounded more than once; of floats, as a share.
const ROUNDING: f64 = 1.5;
const SHARE: f64 = 1e-4;
const SHARE_OF_HALF: f64 = 4e-3;

/// An array that is a level, and its reader.
struct Level<'a> {
    name: &'a str,
    array: &'a ArrayMetadata,
    reader: ArrayReader<'a>,
}

/// How elements of a box are related to those of the level before.
struct Likeness {
    region: Region,
    /// The largest share of elements that fit exactly by one of the methods.
    exact: f64,
    /// The share of elements that are outside of the values that they stand for.
    outside: f64,
    /// The correlation with the means of these, where the level is placed as declared; and the largest of any place.
    plain: f64,
    correlation: f64,
    /// The number of elements that were compared.
    count: usize,
    /// True if the level before has no chunk there, and this one has values.
    is_lost: bool,
    /// The number of elements that are between those that they stand for, and are none of the level before; with one.
    between: (usize, f64),
    /// The number of elements that are nearly the range of the type away from all that they stand for, one of them and the nearest.
    wrapped: (usize, f64, f64),
}

impl Likeness {
    fn is_made(&self) -> bool {
        self.exact >= EXACT || self.correlation >= ALIKE
    }

    /// The greater likeness of two.
    fn or(self, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        let exact = self.exact.max(other.exact);
        let outside = self.outside.min(other.outside);
        let between = if other.between.0 < self.between.0 { other.between } else { self.between };
        let wrapped = if other.wrapped.0 < self.wrapped.0 { other.wrapped } else { self.wrapped };
        Self {
            exact,
            outside,
            between,
            wrapped,
            correlation: self.correlation.max(other.correlation),
            ..self
        }
    }

    /// True if it has nothing to do with the level before; in an image of which other boxes fit exactly, also if values
    /// rise alike elsewhere.
    fn is_foreign(&self, is_exact: bool) -> bool {
        // Of many places, the best one is alike by chance.
        let chance = (4.0 / (self.count as f64).sqrt()).min(NOT_EXACT);
        let is_unlike = self.correlation <= UNLIKE.max(chance);
        let is_far = is_exact && self.outside >= FAR_OUTSIDE;
        let says = is_exact || self.outside >= OUTSIDE;
        self.exact <= NOT_EXACT && (is_unlike && says || is_far)
    }
}

/// The problem that a level of an image is not made of the one before; `None` where the array is no such level, or too
/// little of it can be compared.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let &Related { hierarchy, path, array, budget, .. } = related;
    // Levels are children of the image's group, or of a group in it.
    related.groups().take(2).find_map(|group| {
        let node = hierarchy.node(&group);
        let image = OmeGroup::of(hierarchy, &group, &node.kind).filter(OmeGroup::is_image)?;
        let images = image.items("multiscales").iter().enumerate();
        let mut levels = images.flat_map(|(number, json)| {
            let levels = json.get_array("datasets").unwrap_or_default();
            (1..levels.len()).map(move |at| (number, levels, at))
        });
        let is_it = |json: &Json| json.get_str("path").and_then(|it| image.target(it));
        let (number, levels, at) = levels
            .find(|(_, levels, at)| levels.get(*at).and_then(is_it).as_ref() == Some(path))?;
        let found = image.compared(levels, at, (array, budget))?;
        // What is made of a level that is wrong, is wrong with it.
        if at > 1 {
            let before = image.array(levels.get(at - 1)?.get_str("path")?)?;
            if image.compared(levels, at - 1, (&before, budget)).is_some() {
                return None;
            }
        }
        let field = format!("multiscales[{number}].datasets[{at}].path");
        let json = levels.get(at)?.get("path")?;
        let Finding { text, evidence, cause } = found;
        let sentence = format!("{text}. {evidence}");
        let problem = image.ome.warning(Code::OmeResolutions, (&field, json), text, "");
        Some(with_fix(saying(problem, sentence), cause))
    })
}

/// The shape of what is decoded at once.
fn chunk_of(array: &ArrayMetadata) -> Option<Vec<u64>> {
    array.inner_chunk_shape().or_else(|| array.chunk_shape())
}

/// What is told of a level.
struct Finding {
    text: String,
    evidence: String,
    cause: &'static str,
}

impl OmeGroup<'_> {
    /// Compares the level at `at`, an array, with the one before.
    fn compared(
        &self,
        levels: &[Json],
        at: usize,
        (array, budget): (&ArrayMetadata, &Budget),
    ) -> Option<Finding> {
        let name = levels.get(at)?.get_str("path")?;
        let above = levels.get(at.checked_sub(1)?)?.get_str("path")?;
        let source = self.array(above)?;
        let (path, above_path) = (self.target(name)?, self.target(above)?);
        let store = &*self.hierarchy.store;
        let level = |name, path, array| {
            Some(Level { name, array, reader: ArrayReader::new(store, path, array).ok()? })
        };
        let pair = (level(name, &path, array)?, level(above, &above_path, &source)?);
        let factors = factors(array.known_shape()?, source.known_shape()?)?;
        let elements = |level: &Level<'_>| chunk_of(level.array).and_then(|it| order::product(&it));
        let cost = elements(&pair.0)?.saturating_add(elements(&pair.1)?);
        let most = usize::try_from(DECODED / cost.max(1)).unwrap_or(usize::MAX);
        let in_labels = self.path.parent().is_some_and(|parent| parent.name() == "labels");
        let is_label = in_labels || self.ome.has("image-label");
        let compared = |factors: &[u64]| -> Option<Vec<Likeness>> {
            let compare = |region: Region| likeness(&pair, region, (factors, is_label), budget);
            let boxes = regions(&pair, factors)?.into_iter().take(most).filter_map(compare);
            let boxes = boxes.collect();
            // What was not compared to the end says nothing.
            (!budget.is_stopped()).then_some(boxes)
        };
        let boxes = compared(&factors)?;
        let mixed = is_label.then(|| mixed(&pair, &boxes)).flatten();
        let found =
            mixed.or_else(|| wrapped(&pair, &boxes)).or_else(|| told(&pair, &boxes, is_label));
        let made = boxes.iter().filter(|it| it.is_made()).count();
        let cut = if made * 4 < boxes.len() { cut(&pair, &factors, &compared) } else { None };
        cut.or(found)
    }
}

/// The finding on a level that is made of the first elements of the one before along some axes, and not of all.
fn cut(
    (level, above): &(Level<'_>, Level<'_>),
    factors: &[u64],
    compared: &dyn Fn(&[u64]) -> Option<Vec<Likeness>>,
) -> Option<Finding> {
    let (shape, larger) = (level.array.known_shape()?, above.array.known_shape()?);
    let coarser: Vec<usize> =
        (0..factors.len()).filter(|axis| factors.get(*axis).is_some_and(|it| *it > 1)).collect();
    (1..1_u32 << coarser.len().min(4)).find_map(|some| {
        let cut = coarser.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
        let cut: Vec<usize> = cut.map(|(_, axis)| *axis).collect();
        let mut less = factors.to_vec();
        for axis in &cut {
            *less.get_mut(*axis)? = 1;
        }
        let boxes = compared(&less)?;
        let made = boxes.iter().filter(|it| it.is_made()).count();
        let part = |axis: &usize| {
            Some(format!("{} of {} along dimension {axis}", shape.get(*axis)?, larger.get(*axis)?))
        };
        let parts: Vec<String> = cut.iter().map(part).collect::<Option<_>>()?;
        let (name, above) = (quoted(level.name), quoted(above.name));
        let text =
            format!("{name} is made of the first elements of {above} alone: {}", parts.join(", "));
        let evidence = format!("This holds for {made} of {} parts compared", boxes.len());
        let cause = "It shows a part of the image in the place of all. Likely cause: there, it was cut instead of made coarser.";
        (boxes.len() >= FEWEST && made * 4 >= boxes.len() * 3)
            .then_some(Finding { text, evidence, cause })
    })
}

/// The finding on labels that are the means of others: no object has such a number.
fn mixed((level, above): &(Level<'_>, Level<'_>), boxes: &[Likeness]) -> Option<Finding> {
    /// The fewest elements, and parts, that tell.
    const FEW: usize = 8;
    let odd: Vec<&Likeness> = boxes.iter().filter(|it| it.between.0 > 0).collect();
    let count: usize = odd.iter().map(|it| it.between.0).sum();
    let of: usize = boxes.iter().map(|it| it.count).sum();
    let example = odd.first()?.between.1;
    let (name, above) = (quoted(level.name), quoted(above.name));
    let text = format!("{name} has labels that are not in {above}, such as {example}");
    let evidence = format!(
        "{} elements compared are between the labels that they stand for, and none of them",
        out_of(count, of)
    );
    let cause = "Likely cause: labels were averaged or interpolated as intensities are, not taken from the nearest element.";
    (count >= FEW && odd.len() > 1).then_some(Finding { text, evidence, cause })
}

/// The finding on elements that went past the end of the type, and began at the other one.
fn wrapped((level, above): &(Level<'_>, Level<'_>), boxes: &[Likeness]) -> Option<Finding> {
    /// The fewest elements that tell.
    const FEW: usize = 8;
    let count: usize = boxes.iter().map(|it| it.wrapped.0).sum();
    let of: usize = boxes.iter().map(|it| it.count).sum();
    let (_, value, nearest) = boxes.iter().find(|it| it.wrapped.0 > 0)?.wrapped;
    let (name, above) = (quoted(level.name), quoted(above.name));
    let side = if value > nearest { "above" } else { "below" };
    let text = format!(
        "{name} has values from the other end of the type, such as {value} where {above} has nothing {side} {nearest}"
    );
    let evidence = format!("This holds for {} elements compared", out_of(count, of));
    let cause = "Likely cause: interpolation went beyond the range of the type, and wrapped. Clip before the cast.";
    (count >= FEW).then_some(Finding { text, evidence, cause })
}

/// The finding on boxes that are not made of the level before.
fn told(
    (level, above): &(Level<'_>, Level<'_>),
    boxes: &[Likeness],
    is_label: bool,
) -> Option<Finding> {
    /// The fewest elements of labels that are none of those that they stand for, where others all are.
    const FOREIGN: f64 = 16.0;
    let exact = boxes.iter().filter(|it| it.exact >= EXACT).count();
    let made = boxes.iter().filter(|it| it.is_made()).count();
    let is_exact = exact >= 2 && exact >= made / 2;
    // No way to choose one of some labels chooses none of them.
    let is_other = |it: &Likeness| {
        is_label && is_exact && !it.is_made() && it.outside * it.count as f64 >= FOREIGN
    };
    let foreign: Vec<&Likeness> =
        boxes.iter().filter(|it| it.is_foreign(is_exact) || is_other(it)).collect();
    let (name, above) = (quoted(level.name), quoted(above.name));
    let lost = foreign.iter().filter(|it| it.is_lost).count();
    let of = boxes.len();
    let mean = |value: &dyn Fn(&Likeness) -> f64| boxes.iter().map(value).sum::<f64>() / of as f64;
    let unlike = boxes.iter().filter(|it| it.exact <= NOT_EXACT).count();
    if of >= FEWEST && exact == 0 && lost == 0 && unlike * 4 >= of * 3 {
        let (plain, outside) = (mean(&|it| it.plain), mean(&|it| it.outside));
        let text = format!("{name} is not made of {above}");
        let evidence = format!(
            "In {of} parts compared, {:.0} % of the elements of {name} are outside of the values of {above} that they stand \
             for; the mean correlation with it is {plain:.2}",
            outside * 100.0
        );
        let cause = "Likely cause: levels of two images, or a level that was not written anew with the one before.";
        let is_told =
            plain.abs() <= NOTHING && (outside >= OUTSIDE || plain.abs() <= NOTHING / 2.0);
        // Objects on a dark ground are alike wherever they are: then no move makes them so, and most values are other ones.
        let is_told = is_told || outside >= MOSTLY_OUTSIDE && mean(&|it| it.correlation) <= LITTLE;
        return is_told.then_some(Finding { text, evidence, cause });
    }
    if foreign.is_empty() || made < 2 || made < foreign.len() / 2 {
        return None;
    }
    let place = place(foreign.first()?, boxes);
    let count = foreign.len();
    if lost == count {
        let text = format!("{above} stores nothing where {name} has values: {place} of {name}");
        let evidence = format!("{made} of {of} parts compared are made of {above}");
        let cause = "Likely cause: chunks of the level before are lost, or were never written.";
        return Some(Finding { text, evidence, cause });
    }
    let text = format!("{name} is not made of {above} in {place}");
    let evidence = format!(
        "Of {of} parts compared, {made} are made of {above}, and {count} {} other values",
        if count == 1 { "has" } else { "have" }
    );
    let cause = "Likely cause: the level before was written anew in part, and this one was not; or parts of an older image were left \
                 in it.";
    Some(Finding { text, evidence, cause })
}

/// The words for where a level is not made of the one before: the region around all boxes that are not, or may not be, if
/// no other is in it.
fn place(foreign: &Likeness, boxes: &[Likeness]) -> String {
    let (made, others): (Vec<&Likeness>, Vec<&Likeness>) =
        boxes.iter().partition(|it| it.is_made());
    let around = others.iter().fold(foreign.region.clone(), |around, one| {
        let sides = around.iter().zip(&one.region);
        sides.map(|(a, b)| a.start.min(b.start)..a.end.max(b.end)).collect()
    });
    let is_within = |one: &&Likeness| {
        one.region.iter().zip(&around).all(|(a, b)| a.start < b.end && b.start < a.end)
    };
    let is_alone = !made.iter().any(is_within);
    let (such, region) = if is_alone { ("", &around) } else { ("parts such as ", &foreign.region) };
    format!("{such}{}", region_text(region))
}

/// The number of elements along each axis that one of a level stands for; `None` where it is not a whole number.
fn factors(shape: &[u64], larger: &[u64]) -> Option<Vec<u64>> {
    let factor = |(have, had): (&u64, &u64)| {
        let factor = had.saturating_add(have / 2).checked_div(*have)?.max(1);
        let is_whole = *have == had / factor || *have == had.div_ceil(factor);
        is_whole.then_some(factor)
    };
    let factors: Vec<u64> = shape.iter().zip(larger).map(factor).collect::<Option<_>>()?;
    let window = order::product(&factors)?;
    (shape.len() == larger.len() && (2..=WINDOW).contains(&window)).then_some(factors)
}

/// The boxes of a level that are compared: spread over its chunks, or over parts of few, each within a chunk of the level
/// before where it can be.
fn regions((level, above): &(Level<'_>, Level<'_>), factors: &[u64]) -> Option<Vec<Region>> {
    let (shape, larger) = (level.array.known_shape()?, above.array.known_shape()?);
    let (mut tile, source) = (chunk_of(level.array)?, chunk_of(above.array)?);
    let rank = shape.len();
    let counts = |tile: &[u64]| -> Option<Vec<u64>> {
        shape
            .iter()
            .zip(tile)
            .map(|(n, tile)| Some(n.checked_div(*tile)? + u64::from(n % tile > 0)))
            .collect()
    };
    for side in tile.iter_mut().zip(shape).map(|(side, n)| (side, *n)) {
        *side.0 = (*side.0).min(side.1).max(1);
    }
    while order::total(&counts(&tile)?)? < u128::from(BOXES / 2) {
        let longest = (rank.saturating_sub(2)..rank).max_by_key(|axis| tile.get(*axis).copied())?;
        let side = tile.get_mut(longest).filter(|side| **side >= 16)?;
        *side = side.div_ceil(2);
    }
    let counts = counts(&tile)?;
    let total = order::total(&counts)?;
    let some = total.min(BOXES.into());
    total.checked_mul(some)?;
    let boxed = |number: u128| {
        let at = order::coordinates(number * total / some, &counts);
        let side = |axis: usize| {
            let (tile, factor) = (*tile.get(axis)?, *factors.get(axis)?);
            let start = at.get(axis)? * tile;
            // What stands for fewer elements at the end is not compared.
            let end =
                start.saturating_add(tile).min(larger.get(axis)? / factor).min(*shape.get(axis)?);
            let most = if axis + 2 >= rank {
                LONG
            } else if factor > 1 {
                SHORT
            } else {
                1
            };
            let length = end.checked_sub(start)?.min(most);
            let middle = start + (end - start - length) / 2;
            let chunk = (*source.get(axis)?).max(1);
            let border = (middle * factor / chunk * chunk).div_ceil(factor);
            let from = if border >= start { border } else { middle };
            (length > 0).then(|| from..(from + length).min(end))
        };
        let region = (0..rank).map(side).collect::<Option<Region>>()?;
        order::product(&lengths(&region)).is_some_and(|count| count <= LARGEST).then_some(region)
    };
    Some((0..some).filter_map(boxed).collect())
}

/// The likeness of a box to the level before; `None` where both say nothing, or cannot be read.
fn likeness(
    (level, above): &(Level<'_>, Level<'_>),
    region: Region,
    (factors, is_label): (&[u64], bool),
    budget: &Budget,
) -> Option<Likeness> {
    let source = region.iter().zip(factors).map(|(side, f)| side.start * f..side.end * f).collect();
    let here = RegionValues::of(&level.reader, region, budget)?;
    let there = RegionValues::of(&above.reader, source, budget)?;
    let is_flat = |values: &[f64]| values.windows(2).all(|two| two.first() == two.last());
    let is_lost = there.is_missing && !here.is_missing && !is_flat(&here.values);
    // What is the same everywhere may stand for anything that is, or be where nothing was measured.
    // Of labels, nothing stands for none of those that are there.
    if !is_lost && (is_flat(&there.values) || !is_label && is_flat(&here.values)) {
        return None;
    }
    let data_type = level.array.data_type()?;
    let share = if data_type.fixed_size() == Some(2) { SHARE_OF_HALF } else { SHARE };
    let share = data_type.name().contains("float").then_some(share);
    let size = data_type.fixed_size().filter(|_| share.is_none() && !is_label);
    let far = size.map_or(f64::INFINITY, |size| FAR * 256_f64.powf(size as f64));
    let known = is_label.then(|| there.values.iter().map(|it| it.to_bits()).collect());
    let boxes = Boxes { here, there, known, factors, share, far, budget };
    let mut best = boxes.likeness(&vec![0; factors.len()])?;
    // Where lengths are not divided evenly, elements may stand for those beside.
    if !best.is_made() || best.wrapped.0 > 0 {
        let shifts: Vec<i64> = factors.iter().map(|f| (f.cast_signed() - 1).min(SHIFT)).collect();
        let counts: Vec<u64> = shifts.iter().map(|by| by.unsigned_abs() * 2 + 1).collect();
        let total = order::total(&counts).filter(|total| *total <= SHIFTS).unwrap_or(0);
        for number in (0..total).take_while(|_| !budget.is_stopped()) {
            let at = order::coordinates(number, &counts).into_iter().zip(&shifts);
            let shift: Vec<i64> = at.map(|(at, by)| at.cast_signed() - by).collect();
            let other = boxes.likeness(&shift);
            best = best.or(other);
        }
    }
    Some(Likeness { is_lost, ..best })
}

/// A box, and the values of the level before that it stands for.
struct Boxes<'f> {
    here: RegionValues,
    there: RegionValues,
    /// Of labels, those of the level before.
    known: Option<HashSet<u64>>,
    factors: &'f [u64],
    /// By how much of its size a mean of floats may be off; `None` for integers.
    share: Option<f64>,
    /// How far from all that it stands for an element is that wrapped.
    far: f64,
    budget: &'f Budget<'f>,
}

impl Boxes<'_> {
    /// The likeness of both, if elements stand for those that are so many further; `None` where few do.
    fn likeness(&self, shift: &[i64]) -> Option<Likeness> {
        let (shape, larger) = (lengths(&self.here.region), lengths(&self.there.region));
        let (mut fits, mut count, mut outside) = ([0_usize; 3], 0_usize, 0_usize);
        let (mut pairs, mut window) = (Vec::new(), Vec::new());
        let offsets = self.offsets(&larger)?;
        let mut between = (0_usize, 0.0);
        let mut wrapped = (0_usize, 0.0, 0.0);
        let values = self.here.values.iter().enumerate();
        for (number, &value) in self.budget.while_wanted(values) {
            let at = order::coordinates(number as u128, &shape);
            let Some(first) = self.first(&at, shift, &larger) else { continue };
            window.clear();
            window.extend(offsets.iter().filter_map(|by| self.there.values.get(first + by)));
            if !value.is_finite() || window.iter().any(|value: &f64| !value.is_finite()) {
                continue;
            }
            window.sort_by(f64::total_cmp);
            let (low, high) = (*window.first()?, *window.last()?);
            let mean = window.iter().sum::<f64>() / window.len() as f64;
            let room = self.share.map_or(ROUNDING, |share| low.abs().max(high.abs()) * share);
            let middle = [window.get((window.len() - 1) / 2)?, window.get(window.len() / 2)?];
            let is = [
                (value - mean).abs() <= room,
                window.iter().any(|one| one.total_cmp(&value).is_eq()),
                (middle[0] - room..=middle[1] + room).contains(&value),
            ];
            fits.iter_mut().zip(is).for_each(|(fits, is)| *fits += usize::from(is));
            outside += usize::from(value < low - room || value > high + room);
            let is_new = |known: &HashSet<u64>| !known.contains(&value.to_bits());
            if low < value && value < high && self.known.as_ref().is_some_and(is_new) {
                between = (between.0 + 1, value);
            }
            if low - value > self.far || value - high > self.far {
                wrapped = (wrapped.0 + 1, value, if value < low { low } else { high });
            }
            count += 1;
            pairs.push((mean, value));
        }
        let of_all = |some: usize| some as f64 / count.max(1) as f64;
        let plain = correlation(&pairs);
        (count >= FEW).then(|| Likeness {
            region: self.here.region.clone(),
            exact: fits.into_iter().map(of_all).fold(0.0, f64::max),
            outside: of_all(outside),
            plain,
            correlation: plain,
            count,
            is_lost: false,
            between,
            wrapped,
        })
    }

    /// The number of the first value that an element stands for; `None` where some are not in the box.
    fn first(&self, at: &[u64], shift: &[i64], larger: &[u64]) -> Option<usize> {
        let places = at.iter().zip(self.factors).zip(shift);
        let place =
            |((at, factor), shift): ((&u64, &u64), &i64)| (at * factor).checked_add_signed(*shift);
        let first: Vec<u64> = places.map(place).collect::<Option<_>>()?;
        let ends = first.iter().zip(self.factors).zip(larger);
        let is_inside = ends.into_iter().all(|((at, factor), length)| at + factor <= *length);
        let number = order::number(&first, larger).filter(|_| is_inside)?;
        usize::try_from(number).ok()
    }

    /// By how many the numbers of the values that an element stands for are larger than that of the first.
    fn offsets(&self, larger: &[u64]) -> Option<Vec<usize>> {
        let each = (0..order::total(self.factors)?).map(|number| {
            let inside = order::coordinates(number, self.factors);
            usize::try_from(order::number(&inside, larger)?).ok()
        });
        each.collect()
    }
}
