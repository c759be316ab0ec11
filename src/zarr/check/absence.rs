//! Chunks that are not stored, against the arrays of the same group: what is missing in one and in none of the others
//! was most likely lost, where its place tells that no data end there.

use super::{keys_found::KeysFound, missing::document};
use crate::zarr::prelude::*;
use crate::zarr::{grid::order, metadata::in_brackets, words::and_more};

/// The number of arrays of a group that are compared.
const MOST: usize = 1000;
/// The fewest chunks of an array that is compared, and the fewest slabs that make a pattern.
const FEWEST: u64 = 8;
const FEWEST_SLABS: usize = 3;
/// The most missing chunks that are looked at.
const MOST_MISSING: usize = 1 << 14;
/// The number of arrays that are named.
const NAMED: usize = 3;

/// The arrays of the groups that a walk is in.
#[derive(Debug, Default)]
pub(super) struct CoveredGroups(Vec<(NodePath, Vec<CoveredArray>)>);

/// An array by which of its chunks are stored.
#[derive(Debug)]
struct CoveredArray {
    path: NodePath,
    document: String,
    shape: Vec<u64>,
    /// Its chunks, or the inner ones of its shards.
    what: &'static str,
    counts: Vec<u64>,
    names: Option<Vec<Option<String>>>,
    data_type: String,
    stored: u64,
    /// The chunks that are not; `None` where they are too many to be known.
    missing: Option<Vec<Vec<u64>>>,
    /// The key of the first of them.
    first: Option<String>,
    /// The first of them by its key, if they are the last of all in the order of keys.
    tail: Option<String>,
    /// The elements along the first dimension from the first missing chunk to the last one.
    along: Option<(u64, u64)>,
    /// True if exactly those are missing that the end of the array cuts, along two dimensions or more.
    is_cut: bool,
    /// True if all elements that are stored are numbers, and none is the fill value.
    is_full: bool,
    /// True if what is not stored reads as NaN.
    is_nan: bool,
    /// What the bytes of its values come to, and what attributes say that they are.
    values: Option<(u64, [Option<String>; 3])>,
}

impl CoveredGroups {
    /// Takes in an array whose chunks were gone through.
    pub(super) fn add(&mut self, layout: &Layout, array: &ArrayMetadata, seen: &KeysFound) {
        let Some(group) = layout.path.parent() else { return };
        let Some(covered) = CoveredArray::of(layout, array, seen) else { return };
        match self.0.last_mut().filter(|(path, _)| *path == group) {
            Some((_, arrays)) if arrays.len() < MOST => arrays.push(covered),
            Some(_) => {}
            None => self.0.push((group, vec![covered])),
        }
    }

    /// The findings of the groups that `next` is not in.
    pub(super) fn leave(&mut self, next: Option<&NodePath>) -> Vec<(NodePath, Problem)> {
        let mut found = Vec::new();
        while let Some((group, arrays)) =
            self.0.pop_if(|(group, _)| next.is_none_or(|next| !group.holds(next)))
        {
            found.extend(empty(&arrays).map(|problem| (group.clone(), problem)));
            found.extend(stopped(&arrays).map(|problem| (group.clone(), problem)));
            found.extend(edges(&arrays).map(|problem| (group.clone(), problem)));
            found.extend(frame(&arrays).map(|problem| (group.clone(), problem)));
            found.extend(gap(&arrays).map(|problem| (group, problem)));
            found.extend(same(&arrays));
            found.extend(arrays.iter().filter_map(|array| {
                let problem = array.judged(&arrays)?;
                Some((array.path.clone(), problem))
            }));
        }
        found
    }
}

/// The note on a group none of whose arrays has a chunk, though they have several.
fn empty(arrays: &[CoveredArray]) -> Option<Problem> {
    let is_empty = |array: &CoveredArray| {
        array.stored == 0 && order::total(&array.counts).is_some_and(|total| total > 0)
    };
    let is_large = |array: &CoveredArray| order::total(&array.counts).is_some_and(|it| it > 1);
    let first = arrays.first().filter(|_| arrays.len() > 1 && arrays.iter().all(is_empty))?;
    let found = format!("no chunk of the {} arrays of this group is stored", arrays.len());
    let sentence = format!("{found}. They were never written, or the chunks are elsewhere.");
    let error = Error::new(Code::ChunksMissingAlone, found, "").saying(sentence);
    let problem = Problem::new(error.in_file(&first.document)).with_severity(Severity::Note);
    arrays.iter().any(is_large).then_some(problem)
}

/// What attributes say that values are.
fn meaning(array: &ArrayMetadata) -> [Option<String>; 3] {
    let text = |key| Some(array.attributes()?.get_str(key)?.to_owned());
    ["standard_name", "cell_methods", "long_name"].map(text)
}

/// The notes on arrays that hold the values of another, and are said to be something else.
fn same(arrays: &[CoveredArray]) -> Vec<(NodePath, Problem)> {
    let mut seen = HashMap::new();
    let told = arrays.iter().filter_map(|array| {
        let (sum, own) = array.values.as_ref()?;
        let other = *seen.entry((sum, &array.data_type, &array.shape)).or_insert(array);
        let (_, others) = other.values.as_ref()?;
        let pairs =
            || own.iter().zip(others).filter_map(|(own, other)| own.as_ref().zip(other.as_ref()));
        let (own, other_is) = pairs().find(|(own, other)| own != other)?;
        let found = format!(
            "{} holds the values of {}, bit for bit, and they are {} and {}",
            quoted(array.path.name()),
            quoted(other.path.name()),
            quoted(own),
            quoted(other_is)
        );
        let fix = "One may have been written in the place of the other.";
        let error = Error::new(Code::RelatedValues, found.clone(), "").saying(found).with_fix(fix);
        let problem = Problem::new(error.in_file(&array.document));
        Some((array.path.clone(), problem.with_severity(Severity::Note)))
    });
    told.collect()
}

/// The warning on a group that has all of its coordinates, and no chunk of any variable.
fn frame(arrays: &[CoveredArray]) -> Option<Problem> {
    let (coordinates, variables): (Vec<&CoveredArray>, Vec<_>) =
        arrays.iter().partition(|array| array.shape.len() < 2);
    let is_coordinate = |name: &str| {
        coordinates.iter().any(|it| it.is_index() && it.is_complete() && it.path.name() == name)
    };
    let is_bare = |array: &&CoveredArray| {
        let mut names = array.names.iter().flatten().flatten();
        let is_along = names.all(|name| is_coordinate(name)) && array.names.is_some();
        array.stored == 0 && array.is_nan && is_along && !array.is_complete()
    };
    let first =
        variables.first().filter(|_| variables.len() > 1 && variables.iter().all(is_bare))?;
    // Single chunks may hold nothing.
    let is_many = |array: &&CoveredArray| order::total(&array.counts).is_some_and(|it| it > 1);
    let found = format!("no chunk of {} is stored, and their coordinates are", named(&variables));
    let fix = "Likely cause: the store was laid out, as by to_zarr with compute=False, and never written.";
    let problem = first.warning(format!("{found}. Every value reads as NaN."), fix);
    variables.iter().any(is_many).then_some(problem)
}

/// The elements along the first dimension from the first of these chunks to the last one.
fn along(grid: &Grid, missing: &[Vec<u64>], shape: &[u64]) -> Option<(u64, u64)> {
    let side = |at: &Vec<u64>| grid.region(at, shape)?.first().cloned();
    Some((side(missing.first()?)?.start, side(missing.last()?)?.end))
}

/// True if the missing chunks are all that the end of the array cuts, along each of its dimensions, and there are others.
fn is_cut(grid: &Grid, missing: &[Vec<u64>], shape: &[u64], counts: &[u64]) -> Option<bool> {
    let Grid::Regular(lengths) = grid else { return None };
    let whole: Vec<u64> = shape
        .iter()
        .zip(lengths)
        .map(|(n, length)| n.checked_div(*length))
        .collect::<Option<_>>()?;
    let (all, inside) = (order::total(counts)?, order::total(&whole)?);
    let is_edge = |at: &Vec<u64>| at.iter().zip(&whole).any(|(at, whole)| at >= whole);
    let are_all = order::is_inside(&whole, counts);
    Some(
        are_all
            && inside > 0
            && missing.len() as u128 == all - inside
            && missing.iter().all(is_edge),
    )
}

/// The cause of chunks that several arrays lack where their ends cut them, along all of their dimensions, and no others.
fn edges(arrays: &[CoveredArray]) -> Option<Problem> {
    let cut: Vec<&CoveredArray> = arrays.iter().filter(|array| array.is_cut).collect();
    let is_wide = |array: &&&CoveredArray| array.counts.len() > 1 && array.is_full;
    let first = cut.iter().find(is_wide).filter(|_| cut.len() > 1)?;
    let text =
        format!("The last chunks along each dimension of {} were never written.", named(&cut));
    let cause = Diagnosis::new("lost-write/edges", text)
        .because("Exactly the chunks are not stored that the end of each array cuts: no length is a multiple of that of its chunks.")
        .because(format!("All stored values of {} are numbers other than the fill value.", named(&[first])))
        .to_do("Write the edges again, from a source that has them: likely, the writer took whole chunks only.")
        .explaining(&[Code::ChunksMissing]);
    Some(Problem::caused(cause, &first.document))
}

/// The cause of arrays of several resolutions that all end within the same index of their first dimension.
fn stopped(arrays: &[CoveredArray]) -> Option<Problem> {
    let ends = |array: &CoveredArray| {
        let missing = array.missing.as_ref().filter(|missing| !missing.is_empty())?;
        let (from, to) = array.along.filter(|_| array.is_full)?;
        let is_within = !array.ends_in_order(missing)?;
        (is_within && to == *array.shape.first()?).then_some((from, to))
    };
    let first = arrays.first().filter(|_| arrays.len() > 1)?;
    let (from, to) = ends(first)?;
    let is_same =
        |array: &CoveredArray| array.names == first.names && ends(array) == Some((from, to));
    arrays.iter().all(is_same).then_some(())?;
    let name = in_brackets(first.names.as_deref(), 0);
    let text = format!("A writer stopped at index {from} along dimension 0{name}, of {to}.");
    let what = format!(
        "{} have all chunks before it, a part of those at {from}, and none from {} on.",
        named(&arrays.iter().collect::<Vec<_>>()),
        from + 1
    );
    let cause = Diagnosis::new("interrupted-write/levels", text)
        .because(what)
        .because("All stored values are numbers other than the fill value.")
        .to_do(format!(
            "If no writer is still at work: write the rest, or cut the arrays to the {from} whole indices."
        ))
        .explaining(&[Code::ChunksMissing]);
    Some(Problem::caused(cause, &first.document))
}

/// The cause of chunks that all arrays along a dimension lack at the same indices, with all others before and after: whole steps
/// that were not written into any.
fn gap(arrays: &[CoveredArray]) -> Option<Problem> {
    let first =
        arrays.iter().find(|array| array.missing.as_ref().is_some_and(|it| !it.is_empty()))?;
    let name = first.names.as_ref()?.first()?.as_ref()?;
    let is_along = |array: &&CoveredArray| {
        let named = array.names.as_ref().and_then(|names| names.first()?.as_ref());
        named == Some(name) && array.shape.len() > 1
    };
    let all: Vec<&CoveredArray> = arrays.iter().filter(is_along).collect();
    let slabs = |array: &CoveredArray| -> Option<Vec<u64>> {
        let missing = array.missing.as_ref().filter(|it| !it.is_empty())?;
        let count = *array.counts.first().filter(|count| **count >= FEWEST)?;
        let mut slabs: Vec<u64> =
            missing.iter().map(|at| at.first().copied()).collect::<Option<_>>()?;
        slabs.sort_unstable();
        slabs.dedup();
        let of_each = order::total(&array.counts)?.checked_div(count.into())?;
        let is_whole = of_each * slabs.len() as u128 == missing.len() as u128;
        let (start, end) = (*slabs.first()?, *slabs.last()?);
        let is_run = end - start + 1 == slabs.len() as u64;
        let is_inside = start > 0 && end + 1 < count && slabs.len() as u64 * 4 <= count;
        (is_whole && is_run && is_inside && array.is_full).then_some(slabs)
    };
    let own = slabs(first)?;
    let is_same =
        |array: &&CoveredArray| slabs(array).as_ref() == Some(&own) && array.along == first.along;
    let (from, to) = first.along?;
    if all.len() < 2 || !all.iter().all(is_same) {
        return None;
    }
    let text = format!(
        "Nothing was written at {from} to {} along {}, in any of the {} arrays with this dimension.",
        to - 1,
        quoted(name),
        all.len()
    );
    let cause = Diagnosis::new("lost-write/steps", text)
        .because(format!(
            "{} lack exactly these chunks, and have all those before and after.",
            named(&all)
        ))
        .because("All stored values are numbers other than the fill value.")
        .to_do("Write these steps again from the source, if it has them.")
        .explaining(&[Code::ChunksMissing]);
    // What nobody had for those steps looks the same.
    Some(Problem::caused(cause, &first.document).with_severity(Severity::Note))
}

impl CoveredArray {
    fn of(layout: &Layout, array: &ArrayMetadata, seen: &KeysFound) -> Option<Self> {
        let key = document(&layout.path, array);
        // What only a copy describes is elsewhere.
        array.documents.first().filter(|own| own.key == key)?;
        // Of shards, their inner chunks tell.
        let inner = seen.inner.as_ref().filter(|(_, shards)| *shards == seen.stored);
        let inner = inner.zip(array.inner_chunk_shape());
        let coverage = inner.as_ref().map_or(&seen.coverage, |((inner, _), _)| inner);
        let (counts, stored) = (coverage.counts.clone(), coverage.stored);
        let missing = coverage.each_missing();
        let count = order::total(&counts)?.checked_sub(stored.into())?;
        let is_known = missing.len() as u128 == count && missing.len() <= MOST_MISSING;
        let shape = array.shape.as_ref().ok()?.clone();
        let is_listed = seen.all_listed && !seen.any_orphan && !seen.any_foreign;
        let grid = match &inner {
            Some((_, lengths)) => &Grid::Regular(lengths.clone()),
            None => array.grid.as_ref().ok()?,
        };
        let of = &missing;
        let elements = |at: &Vec<u64>| {
            let region = grid.region(at, &shape)?;
            region.iter().try_fold(1_u64, |all, side| all.checked_mul(side.end - side.start))
        };
        let sum = |sum: u64, at| sum.checked_add(elements(at)?);
        let lost = if is_known { of.iter().try_fold(0, sum) } else { None };
        let present = lost.and_then(|lost| order::product(&shape)?.checked_sub(lost));
        is_listed.then(|| Self {
            path: layout.path.clone(),
            document: key,
            what: if inner.is_some() { "inner chunk" } else { "chunk" },
            names: array.dimension_names.clone(),
            data_type: array.data_type().map_or_else(String::new, |it| it.name()),
            stored,
            first: missing
                .first()
                .map(|at| if inner.is_some() { list(at) } else { layout.key(at) }),
            // Within a shard, no copy stops by the order of keys.
            tail: if is_known && inner.is_none() { tail(layout, &missing) } else { None },
            is_cut: is_cut(grid, &missing, &shape, &counts).unwrap_or(false),
            is_full: present.is_some_and(|present| seen.values.is_full(array, present.into())),
            is_nan: array.fill_scalar().is_some_and(|fill| fill.is_nan()),
            values: seen.values.slices.total().map(|sum| (sum, meaning(array))),
            along: along(grid, &missing, &shape),
            missing: is_known.then_some(missing),
            counts,
            shape,
        })
    }

    fn is_complete(&self) -> bool {
        self.missing.as_ref().is_some_and(Vec::is_empty)
    }

    /// True if it is the coordinate of the dimension that has its name.
    fn is_index(&self) -> bool {
        matches!(self.names.as_deref(), Some([Some(name)]) if name == self.path.name())
    }

    /// The warning on a coordinate without its only chunk, along which others have theirs: its values would all be the same.
    fn lost_index(&self, arrays: &[Self]) -> Option<Problem> {
        let name = self.path.name();
        let has_more = self.is_index() && self.shape.first().is_some_and(|length| *length > 1);
        let is_along = |other: &&Self| {
            let mut names = other.names.iter().flatten().flatten();
            other.stored > 0 && names.any(|it| it == name)
        };
        let other = arrays.iter().find(is_along).filter(|_| has_more)?;
        let found = format!(
            "the only chunk of the coordinate {}, {}, is not stored: all values read as the fill value",
            quoted(name),
            self.first.as_ref()?
        );
        let fix = format!(
            "{}, along it, has chunks: likely, this one was lost.",
            quoted(other.path.name())
        );
        Some(self.warning(found, fix))
    }

    fn warning(&self, found: String, fix: impl Into<String>) -> Problem {
        let error = Error::said(Code::ChunksMissingAlone, found);
        let error = error.in_file(&self.document).with_fix(fix);
        Problem::new(error).with_severity(Severity::Warning)
    }

    /// The places of the chunks that are missing at each index along the first dimension, where these are some of them: data end
    /// nowhere so.
    fn in_part<'m>(&self, missing: &'m [Vec<u64>]) -> Vec<Vec<&'m [u64]>> {
        let mut parts = BTreeMap::<u64, Vec<&[u64]>>::new();
        for at in missing {
            if let [first, rest @ ..] = at.as_slice() {
                parts.entry(*first).or_default().push(rest);
            }
        }
        let of_each = self.counts.get(1..).and_then(order::product).unwrap_or(1);
        parts.into_values().filter(|part| (part.len() as u64) < of_each).collect()
    }

    /// The finding on its missing chunks, by those of its siblings.
    fn judged(&self, arrays: &[Self]) -> Option<Problem> {
        /// Of so many chunks, one may be missing where nothing beside them has all; and the fewest that tell of numbers.
        const FEW: u64 = 16;
        const FULL: u64 = 12;
        let missing = self.missing.as_ref().filter(|missing| !missing.is_empty())?;
        let total = self.stored + missing.len() as u64;
        if self.stored == 0 && total == 1 {
            return self.lost_index(arrays);
        }
        // What two arrays lack alike may be a place without data.
        let is_same = |other: &&Self| other.path != self.path && other.missing == self.missing;
        if self.stored > 0 && (total < FEWEST || arrays.iter().any(|other| is_same(&other))) {
            return None;
        }
        let complete = arrays.iter().filter(|other| other.is_complete());
        if self.stored == 0 {
            let is_like = |other: &&Self| {
                other.shape.len() == self.shape.len() && other.data_type == self.data_type
            };
            let like: Vec<_> = complete.filter(is_like).collect();
            let found = format!("no chunk of {} is stored", quoted(self.path.name()));
            // A single chunk of nothing but the fill value is everyday.
            return (like.len() > 1 && total > 1).then(|| self.note(found, &like));
        }
        let is_like = |other: &&Self| {
            (&other.shape, &other.counts, &other.names) == (&self.shape, &self.counts, &self.names)
        };
        let like: Vec<_> = complete.filter(is_like).collect();
        if let Some(cause) = self.cause(missing, &like) {
            let cause = cause.because(beside(&like)).explaining(&[Code::ChunksMissing]);
            return Some(Problem::caused(cause, &self.document));
        }
        let found = format!(
            "{} lacks {} of {} {}s",
            quoted(self.path.name()),
            grouped(missing.len()),
            grouped(total),
            self.what
        );
        let parts = self.in_part(missing);
        let is_whole = |array: &Self| array.is_full && array.is_nan;
        let is_proved = is_whole(self)
            && like.iter().all(|other| is_whole(other))
            // In other places of one index than of another.
            && parts.iter().collect::<BTreeSet<_>>().len() > 2;
        // Where siblings have all, and no stored number is the fill value, none of so many chunks held nothing else.
        let is_full = |array: &Self| array.is_full && !array.is_nan;
        let is_written = like.len() > 1
            && is_full(self)
            && like.iter().all(|other| is_full(other))
            && self.stored >= FULL
            && parts.len() > 1;
        // Alone, what is mostly there: what was written tile by tile has many holes.
        let is_rare = missing.len() as u64 * FEW <= total;
        match &self.first {
            Some(first) if is_proved && (like.len() > 1 || is_rare) || is_written => {
                let mut found = format!("{found}, the first {first}");
                if !like.is_empty() {
                    found = format!("{found}. {}", beside(&like));
                }
                let fix = if is_written {
                    "No stored value of these arrays is the fill value: likely, the chunks were written, and lost."
                } else {
                    "No stored value is NaN, and what is missing differs from one index to the next: likely, it was lost."
                };
                Some(self.warning(found, fix))
            }
            _ => (like.len() > 1).then(|| self.note(found, &like)),
        }
    }

    /// The note on chunks that may have held nothing but the fill value.
    fn note(&self, found: String, like: &[&Self]) -> Problem {
        let sentence = format!("{found}. {}", beside(like));
        let error = Error::new(Code::ChunksMissingAlone, found, "").saying(sentence);
        Problem::new(error.in_file(&self.document)).with_severity(Severity::Note)
    }

    /// The cause of the missing chunks that their places tell, beside siblings that have all of theirs.
    fn cause(&self, missing: &[Vec<u64>], like: &[&Self]) -> Option<Diagnosis> {
        let name = quoted(self.path.name());
        let last = self.ends_in_order(missing);
        // Data may end with a row, and no data end within the order of keys; but chunks 8 and 9 of 12 may be months
        // without anything.
        let cut = match (&self.tail, last) {
            (Some(first), None)
                if !like.is_empty() && (self.is_full || !self.is_run_of_rows(missing)) =>
            {
                Some((first, "the alphabetical order of keys"))
            }
            (_, Some(false)) if self.is_full && like.len() > 1 => {
                Some((self.first.as_ref()?, "the order of the grid"))
            }
            _ => None,
        };
        // Of less than a row, no end tells: a corner that has data has none around it.
        let row = self.counts.get(1..).and_then(order::product).unwrap_or(1);
        if let Some((first, order)) = cut.filter(|_| self.stored > 1 && self.stored >= row) {
            // No copy stops within a shard.
            let who = if self.what == "chunk" { "A copy, or a writer," } else { "A writer" };
            let text = format!("{who} stopped within {name}.");
            let evidence = format!(
                "{} not stored, from {first} on: exactly the last ones in {order}.",
                self.are(missing.len())
            );
            let cause = Diagnosis::new("interrupted-write/last-keys", text).because(evidence);
            return Some(cause.to_do("Copy or write the missing chunks again from the source."));
        }
        let (axis, step) = self.every(missing).filter(|_| self.is_full && like.len() > 1)?;
        let along = in_brackets(self.names.as_deref(), axis);
        let text = format!("One of {step} writers of {name} did not write its share.");
        let evidence = format!(
            "{} not stored: all at one index in {step} along dimension {axis}{along}, and no other.",
            self.are(missing.len())
        );
        let values = "All stored values are numbers other than the fill value.";
        let cause = Diagnosis::new("lost-write/every-nth", text).because(evidence).because(values);
        Some(cause.to_do("Write the missing chunks again from the source."))
    }

    /// So many chunks are.
    fn are(&self, count: usize) -> String {
        format!("{} {}", counted(count as u64, self.what), if count == 1 { "is" } else { "are" })
    }

    /// True for chunks that follow each other in C order, from the start of a row of the first dimension on.
    fn is_run_of_rows(&self, missing: &[Vec<u64>]) -> bool {
        let number = |at: Option<&Vec<u64>>| order::number(at?, &self.counts);
        let Some((first, last)) = number(missing.first()).zip(number(missing.last())) else {
            return false;
        };
        let row = self.counts.get(1..).and_then(order::product).unwrap_or(1).max(1);
        last - first + 1 == missing.len() as u64 && first.is_multiple_of(row)
    }

    /// For chunks that are the last ones in C order: true if whole rows of the first dimension are missing. `None` for
    /// others.
    fn ends_in_order(&self, missing: &[Vec<u64>]) -> Option<bool> {
        let first = u128::from(order::number(missing.first()?, &self.counts)?);
        let total = order::total(&self.counts)?;
        let row = total.checked_div((*self.counts.first()?).into())?;
        (first + missing.len() as u128 == total).then_some(first.checked_rem(row) == Some(0))
    }

    /// The axis along which whole slabs of chunks are missing at every so manyth index, and how many that is.
    fn every(&self, missing: &[Vec<u64>]) -> Option<(usize, u64)> {
        (0..self.counts.len()).find_map(|axis| {
            let count = *self.counts.get(axis)?;
            let mut slabs: Vec<u64> =
                missing.iter().map(|at| at.get(axis).copied()).collect::<Option<_>>()?;
            slabs.sort_unstable();
            slabs.dedup();
            let [first, second, ..] = *slabs.as_slice() else { return None };
            let step = second - first;
            let of_each = order::total(&self.counts)?.checked_div(count.into())?;
            let is_whole = of_each * slabs.len() as u128 == missing.len() as u128;
            let is_even = slabs.iter().zip(0_u64..).all(|(at, n)| *at == first + n * step);
            let is_all = first < step && first + slabs.len() as u64 * step >= count;
            let is_enough = step > 1 && slabs.len() >= FEWEST_SLABS;
            (is_whole && is_even && is_all && is_enough).then_some((axis, step))
        })
    }
}

/// The first missing chunk by its key, if those that are missing are the last of all in the order of keys.
fn tail(layout: &Layout, missing: &[Vec<u64>]) -> Option<String> {
    if missing.len() < 2 {
        return None;
    }
    let lost: BTreeSet<String> = missing.iter().map(|at| layout.key(at)).collect();
    let first = lost.first()?;
    let total = layout.total()?;
    let is_after = |number: u128| {
        layout.key(&order::coordinates(number, &layout.counts)).as_str() >= first.as_str()
    };
    let after = (0..total).filter(|number| is_after(*number)).count();
    (after == lost.len()).then(|| first.clone())
}

/// That the arrays beside it have all of their chunks.
fn beside(like: &[&CoveredArray]) -> String {
    let (have, their) = if like.len() == 1 { ("has", "its") } else { ("have", "their") };
    format!("Beside it, {} {have} all {their} chunks.", named(like))
}

/// The names of arrays, or the first of them and how many more.
fn named(arrays: &[&CoveredArray]) -> String {
    let names = arrays.iter().take(NAMED).map(|array| quoted(array.path.name()));
    names.joined(", ") + &and_more(arrays.len().saturating_sub(NAMED))
}
