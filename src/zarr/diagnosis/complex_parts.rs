//! Complex numbers of which all real parts are stored first, then all imaginary ones, where a data type has both parts of
//! each number together.

use super::prelude::*;

/// The fewest parts of a chunk that tell.
const FEW: usize = 64;
/// The most parts of a chunk that are looked at from its start, and to its end.
const MOST: usize = 1 << 14;
/// The nanoseconds that it takes to look at a part.
const LOOKING: u64 = 40;
/// By how many bits parts must be closer to the next one than to the one after, however they are paired; and how many times the root of
/// their number that is: the means of a few are not exact.
const CLOSER: f64 = 0.3;
const INEXACT: f64 = 16.0;
/// By how many bits the step from the first half of a chunk to the second one must be larger.
const JUMP: f64 = 2.0;

/// The costs of steps from part to part, of chunks of complex numbers.
#[derive(Default)]
struct PartSteps {
    /// From the first to the second part of what is declared as one number, and on to the next number.
    within: PowerSums,
    between: PowerSums,
    /// To the same part of the next number.
    alike: PowerSums,
    /// The number of chunks, and of those whose halves do not go on into each other.
    chunks: usize,
    split: usize,
}

impl PartSteps {
    fn add(&mut self, case: &Case, chunk: &Elements) -> Option<()> {
        let size = chunk.data_type().fixed_size()?;
        let bytes = chunk.bytes().as_whole()?;
        let mut parts = numbers(chunk, bytes.get(..size)?);
        let component = parts.pop().filter(|_| parts.len() == 1)?;
        let component = crate::zarr::plausibility::WideComponent { offset: 0, ..component };
        let words = Words { bytes, size: component.width, component: &component };
        let (len, middle) = (words.len(), words.len() / 2);
        let step = |at: usize, lag: usize| Some(cost(words.rank(at)?, words.rank(at + lag)?));
        if len < FEW || !case.spend(len.min(MOST) as u64 * LOOKING) {
            return None;
        }
        for at in 0..len.min(MOST) - 2 {
            let steps = if at % 2 == 0 { &mut self.within } else { &mut self.between };
            steps.add(step(at, 1)?);
            self.alike.add(step(at, 2)?);
        }
        self.chunks += 1;
        let usual = f64::midpoint(self.within.mean(), self.between.mean());
        self.split += usize::from(step(middle - 1, 1)? > usual + JUMP);
        Some(())
    }
}

/// The cause, if every part is closer to the next one than to the one after it, and chunks consist of two halves.
pub(super) fn diagnose(case: &Case, declared: &ReadingOutcome) -> Option<Diagnosis> {
    let name = case.array.data_type()?.name();
    if declared.fits != declared.of {
        return None;
    }
    let mut found = PartSteps::default();
    declared.chunks.iter().try_for_each(|chunk| found.add(case, chunk))?;
    let PartSteps { within, between, alike, chunks, split } = found;
    let farther = within.mean().max(between.mean());
    let is_paired = (within.mean() - between.mean()).abs() > CLOSER;
    let certain = CLOSER.max(INEXACT / alike.count.sqrt());
    if is_paired || farther + certain > alike.mean() || chunks < 2 || split * 2 < chunks {
        return None;
    }
    let text = format!(
        "All real parts of a chunk are stored first, then all imaginary parts; {name} has both parts of each number \
         together."
    );
    Some(
        Diagnosis::new("order/complex-parts", text)
            .because(format!(
                "Each part differs from the next one by {farther:.1} bits and from the one after it by {:.1}, where the \
                 parts of pairs would be closer to the latter.",
                alike.mean()
            ))
            .because(format!(
                "In {split} of {}, values jump from the first half to the second.",
                counted(chunks as u64, "chunk")
            ))
            .because("No registered codec reads them: the chunks have to be written again."),
    )
}
