//! The chance that chunks fit into other places by accident: the same chunks are put next to each other in orders that
//! nobody claims, and as often as their borders fit there, those of a claim do by accident.

use super::prelude::*;

/// The number of orders that nobody claims.
const SHUFFLES: u64 = 16;
/// The number of new borders that are looked at.
const MOST: usize = 400;
/// The chance below which a claim is told, for all that are tried together, and that of its fitting borders alone.
const LEAST: f64 = 1e-4;
const RARE: f64 = 0.05;

/// Two blocks and the axis along which they are neighbours.
type Pair = (usize, usize, usize);

/// Blocks in places that are not the declared ones, or read otherwise.
pub(super) struct Claim<'a> {
    pub(super) blocks: &'a AdjacentChunks<'a>,
    pub(super) how: &'a SeamArrangement,
    /// The number of claims that were tried.
    pub(super) tried: usize,
    /// The chance that as many borders are broken as declared by accident.
    pub(super) breaks: f64,
}

/// The chance that so many borders are `broken`, where of others, so many of so many are.
pub(super) fn chance_of_breaks(broken: usize, (others, of): (usize, usize)) -> f64 {
    let usual = (others as f64 + 1.0) / (of as f64 + 2.0);
    usual.powi(i32::try_from(broken).unwrap_or(i32::MAX))
}

/// The number of jumps of values inside of chunks as at broken borders, and of places along the axes of `seams`: the
/// same test, as if the chunks ended some elements earlier.
pub(super) fn jumps_inside(blocks: &AdjacentChunks, seams: &[&Seam]) -> (usize, usize) {
    const SEAMS: usize = 48;
    const LAYERS: u64 = 12;
    let (mut jumps, mut of) = (0, 0);
    for seam in seams.iter().step_by(seams.len().div_ceil(SEAMS).max(1)) {
        let step = |before: u64| {
            let steps = blocks.apart(&[**seam], before);
            (!steps.is_empty()).then(|| mean(steps))
        };
        let steps: Vec<f64> = (1..=LAYERS).map_while(step).collect();
        jumps += steps.windows(3).filter(|three| matches!(three, [before, here, after] if (here * 2.0 / (before + after)).log2() > BROKEN)).count();
        of += steps.len().saturating_sub(2);
    }
    (jumps, of)
}

impl Claim<'_> {
    /// True if the borders that are new in it fit by accident less than once in 10,000 times. Where elements are in
    /// another order, all borders are new.
    pub(super) fn is_no_accident(&self, case: &Case) -> bool {
        let declared = pairs(&self.blocks.seams(&self.blocks.declared(), None));
        let is_all = self.how.strides.is_some();
        self.is_rare(case, &|seam| is_all || !declared.contains(&pair(seam)))
    }

    /// The same of those borders that are new in it because blocks are read otherwise.
    pub(super) fn is_rare(&self, case: &Case, is_new: &dyn Fn(&Seam) -> bool) -> bool {
        let tried = self.tried as f64;
        self.chance(case, is_new).is_some_and(|fits| {
            // Tiles, and sums that begin anew, break at borders by themselves: that others fit must be rare as well.
            fits * tried < RARE && fits * tried * self.breaks < LEAST
        })
    }

    /// The chance that the new borders fit as claimed; `None` where nothing tells how often others do.
    fn chance(&self, case: &Case, is_new: &dyn Fn(&Seam) -> bool) -> Option<f64> {
        let Self { blocks, how, .. } = self;
        let claimed = blocks.seams(how, None);
        let declared = pairs(&blocks.seams(&blocks.declared(), None));
        let known = &declared | &pairs(&claimed);
        let random = at_random(case, blocks, how, &known);
        let of_axis = |axis: usize| {
            let own = random.iter().filter(|seam| seam.axis == axis);
            RandomBorders::new(own.map(Seam::excess).collect())
        };
        let random: Vec<Option<RandomBorders>> =
            (0..case.layout.counts.len()).map(of_axis).collect();
        let new: Vec<&Seam> = claimed.iter().filter(|seam| is_new(seam)).take(MOST).collect();
        let chances = |most: f64| {
            let chance = |seam: &&Seam| {
                Some(random.get(seam.axis)?.as_ref()?.chance_of(seam.excess().max(most)))
            };
            new.iter().map(chance).collect::<Option<Vec<f64>>>()
        };
        // Either all of them fit at all, or most of them fit very well.
        let misfits = new.iter().filter(|seam| seam.is_broken()).count();
        let count = new.len().saturating_sub(misfits * 4);
        let all_fit: f64 = chances(BROKEN)?.iter().take(count).product();
        let fit_well = together(&chances(f64::MIN)?);
        Some(all_fit.min(fit_well) * 2.0)
    }
}

/// The excesses of borders between chunks that are next to each other at random, in ascending order.
struct RandomBorders {
    excesses: Vec<f64>,
    median: f64,
}

impl RandomBorders {
    fn new(mut excesses: Vec<f64>) -> Option<Self> {
        excesses.sort_by(f64::total_cmp);
        let median = *excesses.get(excesses.len() / 2)?;
        Some(Self { excesses, median })
    }

    /// The chance that a border fits as well as one of this excess. Where none at random does, it is the less the larger
    /// these are: of values spread over `2^n` steps, one in `2^n` is within a step.
    fn chance_of(&self, excess: f64) -> f64 {
        let as_good = self.excesses.partition_point(|other| *other <= excess) as f64;
        let counted = (as_good + 0.5) / (self.excesses.len() as f64 + 1.0);
        let spread = (excess.max(0.0) - self.median).exp2();
        if as_good > 0.0 { counted } else { counted.min(spread) }
    }
}

/// The chance that the product of so many chances is as small by accident (Fisher's method); 1 where there are none.
fn together(chances: &[f64]) -> f64 {
    let depth: f64 = chances.iter().map(|chance| -chance.ln()).sum();
    let mut term = (-depth).exp();
    let mut sum = 0.0;
    for n in 1..=chances.len() {
        sum += term;
        let next = depth / n as f64;
        term *= next;
    }
    if chances.is_empty() { 1.0 } else { sum }
}

fn pair(seam: &Seam) -> Pair {
    (seam.blocks.0, seam.blocks.1, seam.axis)
}

fn pairs(seams: &[Seam]) -> HashSet<Pair> {
    seams.iter().map(pair).collect()
}

/// Borders between whole chunks that are neighbours in no arrangement that is `known`.
fn at_random(
    case: &Case,
    blocks: &AdjacentChunks,
    how: &SeamArrangement,
    known: &HashSet<Pair>,
) -> Vec<Seam> {
    let is_whole = |at: &[u64]| {
        let region = case.array.region(at).zip(case.array.chunk_shape());
        region.is_some_and(|(region, shape)| lengths(&region) == shape)
    };
    let places = blocks.all.iter().map(|block| &block.at).zip(&how.places).enumerate();
    let whole = places.filter(|(_, (here, there))| is_whole(here) && is_whole(there));
    let mut order: Vec<usize> = whole.map(|(block, _)| block).collect();
    let to: Vec<Vec<u64>> =
        order.iter().filter_map(|block| how.places.get(*block).cloned()).collect();
    let (mut found, mut state) = (Vec::new(), 1_u64);
    for _ in 0..SHUFFLES {
        for last in (1..order.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let other = (state >> 33) % (last as u64 + 1);
            order.swap(last, usize::try_from(other).unwrap_or(last));
        }
        let mut shuffled = how.clone();
        for (block, place) in order.iter().zip(&to) {
            if let Some(own) = shuffled.places.get_mut(*block) {
                own.clone_from(place);
            }
        }
        let others = blocks.seams(&shuffled, None).into_iter().filter(|seam| {
            let (a, b) = seam.blocks;
            !known.contains(&pair(seam)) && order.contains(&a) && order.contains(&b)
        });
        found.extend(others);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{RandomBorders, together};

    #[test]
    fn borders_at_random_say_how_often_one_fits() {
        assert!(RandomBorders::new(Vec::new()).is_none());
        let half = RandomBorders::new(vec![0.0, 5.0, 0.5, 4.0]).unwrap().chance_of(0.6);
        assert!((0.45..0.55).contains(&half), "{half}");
        let none = RandomBorders::new(vec![10.0; 4]).unwrap().chance_of(0.0);
        assert!(none < 0.001, "{none}");
        let many = RandomBorders::new(vec![1.0; 999]).unwrap().chance_of(0.0);
        assert!(many < 0.001, "{many}");
    }

    /// One chance is itself; of many middling ones none is remarkable; some small ones are.
    #[test]
    fn chances_are_put_together() {
        assert_eq!(together(&[]).to_bits(), 1.0_f64.to_bits());
        assert!((together(&[0.01]) - 0.01).abs() < 1e-9);
        assert!(together(&[0.5; 40]) > 0.9);
        assert!(together(&[0.03; 4]) < 1e-3 && together(&[0.01; 6]) < 1e-6);
    }
}
