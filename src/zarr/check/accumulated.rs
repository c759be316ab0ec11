//! Pages of which no element is less than in the page before: sums since some start, among amounts of each step.

use crate::zarr::{conventions::Related, prelude::*};

/// The most elements of a page that are compared, and of all pages of a chunk.
const OF_PAGE: usize = 512;
const OF_CHUNK: usize = 1 << 14;
/// The fewest steps of each kind, and of how many of them one may be of the other: sums begin anew.
const FEWEST: u64 = 12;
const ONE_IN: u64 = 8;

/// The steps from one page of a chunk to the next in which elements only rise, those in which some rise and some fall, and those in
/// which they only fall.
pub(super) type Steps = [u64; 3];

/// Those of a chunk in C order.
pub(super) fn steps(bytes: &[u8], (elements, size): (&Elements, usize), chunk: &Chunk) -> Steps {
    let pages = elements.shape().first().and_then(|pages| usize::try_from(*pages).ok());
    let Some(len) = pages.filter(|it| *it > 1).and_then(|it| bytes.len().checked_div(it)) else {
        return Steps::default();
    };
    if elements.shape().len() < 3 || !elements.is_c_order() || len < size {
        return Steps::default();
    }
    let number = |bytes: &[u8]| {
        elements.data_type().decode(bytes, elements.order()).ok().as_ref().and_then(Scalar::to_f64)
    };
    let (mut steps, mut left) = (Steps::default(), OF_CHUNK);
    // Beyond the end of the array, pages are as their writer left them.
    let own = chunk.region.first().map_or(0, |pages| pages.end - pages.start);
    let bytes = usize::try_from(own).ok().and_then(|own| bytes.get(..own.checked_mul(len)?));
    let bytes = bytes.unwrap_or_default();
    for (one, next) in bytes.chunks_exact(len).zip(bytes.chunks_exact(len).skip(1)) {
        if one == next {
            continue;
        }
        let count = len / size;
        let some = one.chunks_exact(size).zip(next.chunks_exact(size));
        let (mut rises, mut falls) = (false, false);
        for (a, b) in some.step_by(count.div_ceil(OF_PAGE)) {
            left = left.saturating_sub(1);
            let order = number(a).zip(number(b)).and_then(|(a, b)| a.partial_cmp(&b));
            rises |= order.is_some_and(std::cmp::Ordering::is_lt);
            falls |= order.is_some_and(std::cmp::Ordering::is_gt);
            if rises && falls || left == 0 {
                break;
            }
        }
        if left == 0 {
            break;
        }
        let kinds = [rises && !falls, rises && falls, falls && !rises];
        for (count, is_it) in steps.iter_mut().zip(kinds) {
            *count += u64::from(is_it);
        }
    }
    steps
}

/// The steps of an array, by the first index of their chunks.
#[derive(Debug, Default)]
pub(super) struct AllSteps(BTreeMap<u64, Steps>);

impl AllSteps {
    /// Adds those of a chunk that begins at an index.
    pub(super) fn add(&mut self, start: u64, steps: Steps) {
        if steps != Steps::default() {
            add(self.0.entry(start).or_default(), &steps);
        }
    }

    /// The warning on pages from one on that only rise, where in those before some elements fall and others rise, or the other way round.
    /// Amounts are as large there as the sums grow by: what rises slowly at first, and varies later, is no sum.
    pub(super) fn problem(&self, related: &Related, array: &ArrayMetadata) -> Option<Error> {
        let is_rising = |[rises, mixed, falls]: &Steps| (mixed + falls) * ONE_IN <= *rises;
        let is_mixed = |[rises, mixed, falls]: &Steps| (rises + falls) * 2 <= *mixed;
        let all: Vec<(&u64, &Steps)> = self.0.iter().collect();
        let kind = is_rising(all.first()?.1);
        let at = all.iter().position(|(_, steps)| is_rising(steps) != kind)?;
        let (before, after) = all.split_at_checked(at)?;
        let sum = |part: &[(&u64, &Steps)]| {
            part.iter().fold(Steps::default(), |mut sum, (_, steps)| {
                add(&mut sum, steps);
                sum
            })
        };
        let (rising, mixed) = if kind { (before, after) } else { (after, before) };
        let are_alike = mixed.iter().all(|(_, steps)| !is_rising(steps))
            && rising.iter().all(|(_, steps)| is_rising(steps));
        let starts = [rising, mixed].map(|part| part.first().map(|(start, _)| **start));
        let (rising, mixed) = (sum(rising), sum(mixed));
        let is_told = is_mixed(&mixed) && rising[0].min(mixed[1]) >= FEWEST && are_alike;
        let text = format!(
            "{} [{}] along dimension 0{}, values only rise from one page to the next, in {} of {} steps; {}, some rise and some fall",
            if kind { "before" } else { "from" },
            after.first()?.0,
            array.name_in_brackets(0),
            grouped(rising[0]),
            grouped(rising.iter().sum::<u64>()),
            if kind { "from there on" } else { "before" },
        );
        let fix = "Likely cause: there, they are sums since the start of a day or a run, and elsewhere amounts of each step: sums were appended \
                   without being taken apart.";
        let [Some(rising), Some(mixed)] = starts else { return None };
        (is_told && are_amounts(related, array, rising, mixed)?)
            .then(|| Error::said(Code::RelatedValues, text).with_fix(fix))
    }
}

/// True if what the pages from one index on grow by is, on average, about as much as the numbers from another one on.
fn are_amounts(related: &Related, array: &ArrayMetadata, rising: u64, mixed: u64) -> Option<bool> {
    /// The pages that are compared, and how far their means may be apart.
    const PAGES: u64 = 8;
    const ALIKE: f64 = 10.0;
    let middle = array.known_shape()?.len().checked_sub(3)?;
    let packing = Packing::of(array);
    let page = |at: u64| {
        let mut page = related.slice(&[vec![at], vec![0; middle]].concat())?;
        page.iter_mut().filter(|it| packing.is_mark(**it)).for_each(|it| *it = f64::NAN);
        Some(page)
    };
    let mean = |values: Vec<f64>| {
        let known: Vec<f64> = values.into_iter().filter(|it| it.is_finite()).collect();
        known.iter().sum::<f64>() / known.len().max(1) as f64
    };
    let (mut steps, mut amounts) = (Vec::new(), Vec::new());
    let mut last = page(rising)?;
    for at in 1..=PAGES {
        let (Some(next), Some(amount)) = (page(rising + at), page(mixed + at)) else { break };
        // Where sums begin anew, they grow by nothing.
        let step = mean(last.iter().zip(&next).map(|(a, b)| b - a).collect());
        steps.extend(Some(step).filter(|step| *step >= 0.0));
        amounts.push(mean(amount));
        last = next;
    }
    let [step, amount] = [mean(steps), mean(amounts)];
    Some((1.0 / ALIKE..ALIKE).contains(&(step / amount)))
}

fn add(all: &mut Steps, steps: &Steps) {
    for (sum, count) in all.iter_mut().zip(steps) {
        *sum += count;
    }
}
