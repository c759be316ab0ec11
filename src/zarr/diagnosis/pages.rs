//! Steps that are alike, and a few whose pattern is that of the others somewhere else: moved by half a turn, in the reverse order
//! along a dimension, or with two planes exchanged. Chunks of one step have no border that would tell.

use super::{prelude::*, seams::DecodedChunk};
use crate::zarr::{
    statistics::pairs::correlation,
    words::{and_more, short},
};

/// The fewest steps that are as usual, and the fewest of them for each that is not.
const FEWEST: usize = 8;
const TIMES: usize = 2;
/// The most elements of a step along each of its last two dimensions that are looked at, and the most planes.
const SIDE: u64 = 48;
const PLANES: u64 = 16;
/// The correlation with the others that every step must have as it should be, and the most that one has that is not.
const ALIKE: f64 = 0.6;
const UNLIKE: f64 = 0.3;
/// The fewest different numbers of a step.
const VARIED: usize = 24;

/// A step: its index along the dimension of the chunks, the sample that it is in, and some of its numbers, plane by plane.
struct Step {
    index: u64,
    sample: usize,
    values: Vec<f64>,
}

/// The steps of an array whose chunks follow each other along one dimension.
struct Steps {
    axis: usize,
    /// The numbers of planes, rows and columns.
    sides: [usize; 3],
    /// The axes of the rows and the columns, and of the planes, where those have one.
    last: [usize; 2],
    planes: Option<usize>,
    all: Vec<Step>,
}

/// The changes that a step is tried with.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    HalfTurn,
    Rows,
    Columns,
}

/// The cause of a few steps that are moved, reversed, or have planes in each other's place.
pub(super) fn diagnose(
    case: &Case,
    samples: &[Sample],
    blocks: &AdjacentChunks,
) -> Option<Diagnosis> {
    let steps = Steps::of(case, blocks)?;
    [Change::HalfTurn, Change::Rows, Change::Columns]
        .into_iter()
        .find_map(|change| steps.changed(case, samples, change))
        .or_else(|| steps.exchanged(case, samples))
}

impl Steps {
    fn of(case: &Case, blocks: &AdjacentChunks) -> Option<Self> {
        let counts = &case.layout.counts;
        let mut split =
            (0..counts.len()).filter(|axis| counts.get(*axis).is_some_and(|it| *it > 1));
        let (Some(axis), None) = (split.next(), split.next()) else { return None };
        let shape = case.array.known_shape()?;
        let inner: Vec<usize> = (0..shape.len()).filter(|it| *it != axis).collect();
        let [before @ .., rows, columns] = inner.as_slice() else { return None };
        let long: Vec<usize> =
            before.iter().copied().filter(|it| shape.get(*it).is_some_and(|it| *it > 1)).collect();
        let planes = match *long.as_slice() {
            [] => None,
            [one] => Some(one),
            _ => return None,
        };
        let side = |axis: usize| shape.get(axis).copied().unwrap_or(1);
        let count = planes.map_or(1, side);
        if count > PLANES || side(*rows) < 4 || side(*columns) < 8 || blocks.all.len() < FEWEST / 2
        {
            return None;
        }
        let some = [side(*rows).min(SIDE), side(*columns).min(SIDE)];
        let sides = [count, some[0], some[1]].map(|it| usize::try_from(it).unwrap_or(1));
        let mut steps = Self { axis, sides, last: [*rows, *columns], planes, all: Vec::new() };
        for (number, chunk) in blocks.all.iter().enumerate() {
            steps.add(case, chunk, number)?;
        }
        (steps.all.len() > FEWEST).then_some(steps)
    }

    /// Adds the steps of a chunk.
    fn add(&mut self, case: &Case, chunk: &DecodedChunk, sample: usize) -> Option<()> {
        const READING: u64 = 12;
        let region = case.array.region(&chunk.at)?;
        let extent = lengths(&region);
        let count = *extent.get(self.axis)?;
        let of_each = self.sides.iter().product::<usize>() as u64;
        case.spend(count * of_each * READING).then_some(())?;
        let [planes, rows, columns] = self.sides;
        // Half of a side is half of what is looked at.
        let place = |axis: usize, number: usize, of: usize| {
            extent.get(axis)?.checked_mul(number as u64)?.checked_div(of as u64)
        };
        for step in 0..count {
            let mut values = Vec::with_capacity(planes * rows * columns);
            let mut at = vec![0; extent.len()];
            *at.get_mut(self.axis)? = step;
            for plane in 0..planes {
                if let Some(axis) = self.planes {
                    *at.get_mut(axis)? = plane as u64;
                }
                for row in 0..rows {
                    *at.get_mut(self.last[0])? = place(self.last[0], row, rows)?;
                    for column in 0..columns {
                        *at.get_mut(self.last[1])? = place(self.last[1], column, columns)?;
                        let position = chunk.elements.position(&at);
                        values.push(chunk.elements.value(position)?.ok()?.to_f64()?);
                    }
                }
            }
            let index = region.get(self.axis)?.start + step;
            self.all.push(Step { index, sample, values });
        }
        Some(())
    }

    /// The number of the value that a change puts at another one's place.
    fn changed_place(&self, change: Change, number: usize) -> usize {
        let [_, rows, columns] = self.sides;
        let (column, rest) = (number % columns, number / columns);
        let (row, plane) = (rest % rows, rest / rows);
        let (row, column) = match change {
            Change::HalfTurn => (row, (column + columns / 2) % columns),
            Change::Rows => (rows - 1 - row, column),
            Change::Columns => (row, columns - 1 - column),
        };
        (plane * rows + row) * columns + column
    }

    /// The values without the mean of each row, and of each plane; what is missing is as the mean.
    fn pattern(&self, values: &[f64], change: Change) -> Vec<f64> {
        let [_, rows, columns] = self.sides;
        // What is the same along a row says nothing of the order along it.
        let length = if change == Change::Rows { rows * columns } else { columns };
        let mut found = Vec::with_capacity(values.len());
        for part in values.chunks(length.max(1)) {
            let mean = mean_of(part);
            found.extend(part.iter().map(|it| if it.is_finite() { it - mean } else { 0.0 }));
        }
        found
    }

    fn changed(&self, case: &Case, samples: &[Sample], change: Change) -> Option<Diagnosis> {
        if self.sides[2] % 2 == 1 && change == Change::HalfTurn {
            return None;
        }
        let patterns: Vec<Vec<f64>> =
            self.all.iter().map(|step| self.pattern(&step.values, change)).collect();
        let mean = |which: &dyn Fn(usize) -> bool| {
            let mut sum = vec![0.0; patterns.first()?.len()];
            for (_, pattern) in patterns.iter().enumerate().filter(|(at, _)| which(*at)) {
                sum.iter_mut().zip(pattern).for_each(|(sum, value)| *sum += value);
            }
            Some(sum)
        };
        let scores = |mean: &[f64]| -> Vec<[f64; 2]> {
            let score = |pattern: &Vec<f64>| {
                let places = (0..pattern.len()).map(|at| self.changed_place(change, at));
                let other: Vec<f64> =
                    places.map(|at| pattern.get(at).copied().unwrap_or(0.0)).collect();
                [pattern, &other].map(|it| {
                    let pairs: Vec<(f64, f64)> =
                        it.iter().copied().zip(mean.iter().copied()).collect();
                    correlation(&pairs)
                })
            };
            patterns.iter().map(score).collect()
        };
        let first = scores(&mean(&|_| true)?);
        let is_odd = |at: usize| first.get(at).is_some_and(|[own, other]| other > own);
        let odd: Vec<usize> = (0..patterns.len()).filter(|at| is_odd(*at)).collect();
        let usual = patterns.len() - odd.len();
        if odd.is_empty() || usual < FEWEST.max(odd.len() * TIMES) || case.is_stopped() {
            return None;
        }
        let last = scores(&mean(&|at| !is_odd(at))?);
        let mut lowest = 1.0_f64;
        let fits = last.iter().enumerate().all(|(at, [own, other])| {
            let (as_should, as_not) = if is_odd(at) { (*other, *own) } else { (*own, *other) };
            lowest = lowest.min(as_should);
            as_should >= ALIKE && (as_not <= UNLIKE || !is_odd(at))
        });
        let varied = self.all.first().map_or(0, |step| {
            let bits: HashSet<u64> = step.values.iter().map(|value| value.to_bits()).collect();
            bits.len()
        });
        if !fits || varied < VARIED {
            return None;
        }
        let axis = self.last[usize::from(change != Change::Rows)];
        let steps = self.words(&odd);
        let (code, text) = match change {
            Change::HalfTurn => {
                let half = case.array.known_shape()?.get(axis)? / 2;
                (
                    "shifted/half-turn",
                    format!(
                        "{steps} moved by {half} elements, half of all, along dimension {axis}."
                    ),
                )
            }
            _ => (
                "reversed/by-pattern",
                format!("{steps} stored in the reverse order along dimension {axis}."),
            ),
        };
        let evidence = format!(
            "Changed back, they are like the mean of the {usual} others, as all of these are (correlations of {lowest:.2} and more); as \
             stored, of {:.2} at most.",
            odd.iter().filter_map(|at| last.get(*at)).map(|[own, _]| *own).fold(f64::MIN, f64::max)
        );
        Some(self.told(Diagnosis::new(code, text).because(evidence), &odd, samples))
    }

    /// The cause of two planes that are in each other's place in a few steps.
    fn exchanged(&self, case: &Case, samples: &[Sample]) -> Option<Diagnosis> {
        /// By how many usual deviations a mean is away from those of its own plane: both, and one of them; and from those of the
        /// other one at most.
        const AWAY: f64 = 5.0;
        const FAR: f64 = 40.0;
        const NEAR: f64 = 6.0;
        let (axis, [planes, rows, columns]) = (self.planes?, self.sides);
        let means: Vec<Vec<f64>> = self
            .all
            .iter()
            .map(|step| step.values.chunks(rows * columns).map(mean_of).collect())
            .collect();
        let usual: Vec<(f64, f64)> = (0..planes)
            .map(|plane| {
                let of: Vec<f64> = means.iter().filter_map(|it| it.get(plane).copied()).collect();
                let usual = middle(of.clone()).unwrap_or_default();
                let apart = of.iter().map(|it| (it - usual).abs()).collect();
                (usual, middle(apart).unwrap_or_default())
            })
            .collect();
        let away = |mean: f64, plane: usize| {
            usual.get(plane).map_or(0.0, |(middle, apart)| {
                let least = middle.abs() * 1e-9 + f64::MIN_POSITIVE;
                (mean - middle).abs() / apart.max(least)
            })
        };
        let pairs = (0..planes).flat_map(|one| (one + 1..planes).map(move |other| (one, other)));
        for (one, other) in pairs.take_while(|_| !case.is_stopped()) {
            let is_odd = |means: &Vec<f64>| {
                let (Some(a), Some(b)) = (means.get(one), means.get(other)) else { return false };
                let (own, own_other) = (away(*a, one), away(*b, other));
                let is_other = away(*a, other) <= NEAR && away(*b, one) <= NEAR;
                // Where others are elsewhere as well, all of them are in another order.
                let mut rest =
                    means.iter().enumerate().filter(|(at, _)| *at != one && *at != other);
                own.min(own_other) >= AWAY
                    && own.max(own_other) >= FAR
                    && is_other
                    && rest.all(|(at, mean)| away(*mean, at) <= FAR)
            };
            let odd: Vec<usize> =
                means.iter().enumerate().filter(|(_, it)| is_odd(it)).map(|(at, _)| at).collect();
            let others = means.len() - odd.len();
            if odd.is_empty() || others < FEWEST.max(odd.len() * TIMES) {
                continue;
            }
            let name = case.array.name_in_brackets(axis);
            let steps = self.indices(&odd);
            let text = format!(
                "Planes {one} and {other} along dimension {axis}{name} are in each other's place at {steps}."
            );
            let at = means.get(*odd.first()?)?;
            let evidence = format!(
                "The mean of plane {one} is {} there and {} elsewhere; that of plane {other}, {} and {}.",
                short(*at.get(one)?),
                short(usual.get(one)?.0),
                short(*at.get(other)?),
                short(usual.get(other)?.0)
            );
            let found = Diagnosis::new("chunk-swapped/planes", text)
                .because(evidence)
                .because(format!("In the {others} other steps, each is where it should be."));
            return Some(self.told(found, &odd, samples));
        }
        None
    }

    /// The words on so many indices along the dimension of the chunks.
    fn indices(&self, odd: &[usize]) -> String {
        const NAMED: usize = 4;
        let all: Vec<u64> = odd.iter().filter_map(|at| Some(self.all.get(*at)?.index)).collect();
        let (first, last) =
            (all.first().copied().unwrap_or_default(), all.last().copied().unwrap_or_default());
        let is_run = last - first + 1 == all.len() as u64;
        let index = if all.len() == 1 { "index" } else { "indices" };
        let words = if is_run && all.len() > 1 {
            format!("{first} to {last}")
        } else {
            let named: Vec<String> = all.iter().take(NAMED).map(u64::to_string).collect();
            let more = all.len().saturating_sub(NAMED);
            let more = and_more(more);
            format!("{}{more}", named.join(", "))
        };
        format!("{index} {words} along dimension {}", self.axis)
    }

    fn words(&self, odd: &[usize]) -> String {
        match odd.len() {
            1 => format!("The step at {} is", self.indices(odd)),
            count => format!("{}, at {}, are", counted(count as u64, "step"), self.indices(odd)),
        }
    }

    /// The same with the files of the steps.
    fn told(&self, mut cause: Diagnosis, odd: &[usize], samples: &[Sample]) -> Diagnosis {
        let files = odd.iter().filter_map(|at| samples.get(self.all.get(*at)?.sample));
        cause.files = files.map(|sample| sample.key.clone()).collect();
        cause.files.dedup();
        cause
    }
}

/// The mean of what is finite.
fn mean_of(values: &[f64]) -> f64 {
    mean(values.iter().copied().filter(|value| value.is_finite()))
}
