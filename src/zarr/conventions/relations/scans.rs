//! Images whose rows were scanned to and fro: where the two directions are not aligned, every second row is moved.

use crate::zarr::{conventions::prelude::*, statistics::pairs::correlation};

/// The sides of a page that is looked at, and how many pairs of rows and columns of each half of it.
const SIDES: std::ops::RangeInclusive<u64> = 64..=4096;
const MIDDLE: usize = 192;
/// The largest move that is looked for, and the least that is told.
const MOST: usize = 12;
const LEAST: usize = 2;
/// By how much more alike rows are once they are moved, as a correlation, and the least that they are then.
const MORE: f64 = 0.02;
const ALIKE: f64 = 0.2;

/// The warning on pages of which odd rows go on from even ones so many columns further, and even ones from odd ones as many before.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let (leading, page) = related.array.known_shape()?.split_last_chunk::<2>()?;
    let is_due = related.is_integer() && page.iter().all(|side| SIDES.contains(side));
    let names = related.array.dimension_names.as_deref().unwrap_or_default();
    // Maps are not scanned.
    let is_map = names.iter().flatten().any(|it| it.starts_with("lat") || it.starts_with("lon"));
    (is_due && !is_map && !Packing::of(related.array).is_scaled).then_some(())?;
    let columns = nonzero(page[1])?;
    let of = |share: fn(u64) -> u64| {
        let at: Vec<u64> = leading.iter().map(|length| share(*length)).collect();
        moved(&related.slice(&at)?, columns)
    };
    let by = of(|_| 0)?;
    // All of a recording is so.
    (of(|length| length / 2)? == by).then_some(())?;
    // Of what moves, interlaced video is so.
    let paths = related.groups().chain([related.path.clone()]);
    let mut nodes = paths.map(|path| related.hierarchy.node(&path));
    let is_video = |json: &Json| json.to_line().to_lowercase().contains("interlac");
    (!nodes.any(|node| node.kind.attributes().is_some_and(is_video))).then_some(())?;
    let sentence = format!(
        "every second row is moved by {} columns: neighbouring rows match best at that offset, to the right and to the left in turn",
        by.unsigned_abs()
    );
    let fix = "Likely cause: lines were scanned in both directions, and the delay between the two was not corrected. Interlaced video of what moves looks \
               the same.";
    related.warning(sentence, fix)
}

/// The columns by which odd rows of a page are moved against even ones, in its upper half as in the lower one.
fn moved(page: &[f64], columns: usize) -> Option<isize> {
    let rows: Vec<&[f64]> = page.chunks_exact(columns).collect();
    // Each half begins with an even row.
    let half = rows.len() / 4 * 2;
    let (upper, lower) = rows.split_at_checked(half)?;
    let by = moved_in(upper, columns)?;
    (moved_in(lower, columns)? == by).then_some(by)
}

fn moved_in(rows: &[&[f64]], columns: usize) -> Option<isize> {
    let width = columns.checked_sub(2 * MOST)?.min(MIDDLE);
    let from = (columns - width) / 2;
    // The same part of one row is compared with those of the next one around it: parts differ in how alike they are.
    let likeness = |parity: usize, by: isize| {
        let part = |row: &&[f64], by: isize| {
            row.get(from.checked_add_signed(by)?..)?.get(..width).map(<[f64]>::to_vec)
        };
        let pairs = rows.windows(2).skip(parity).step_by(2).take(MIDDLE).filter_map(|two| {
            let [one, other] = two else { return None };
            Some(part(one, 0)?.into_iter().zip(part(other, by)?))
        });
        let pairs = pairs.flatten().filter(|(a, b)| a.is_finite() && b.is_finite());
        correlation(&pairs.collect::<Vec<(f64, f64)>>())
    };
    let best = |parity: usize| {
        let most = isize::try_from(MOST).ok()?;
        let all = (-most..=most).map(|by| (by, likeness(parity, by)));
        all.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let ((there, likely), (back, other)) = (best(0)?, best(1)?);
    let is_clear =
        |parity: usize, likely: f64| likely >= ALIKE && likely > likeness(parity, 0) + MORE;
    let is_told = there == -back
        && (LEAST..MOST).contains(&there.unsigned_abs())
        && is_clear(0, likely)
        && is_clear(1, other);
    is_told.then_some(there)
}
