//! Traces of writers that were interrupted, or that shared a shard.

use crate::zarr::grid::order;
use crate::zarr::prelude::*;

/// The end of the names of folders into which files are downloaded.
pub(super) const DOWNLOAD: &str = ".dandidownload";

/// The program that writes to a file of this name before renaming it, as seen of writers that were stopped; `None` for
/// other names.
pub(super) fn temporary(name: &str) -> Option<&'static str> {
    let file = name.rsplit('/').next().unwrap_or(name);
    if file.ends_with(DOWNLOAD) {
        return Some("dandi 0.81.0 downloads to KEY.dandidownload");
    }
    if file.ends_with(".__lock") {
        return Some("TensorStore 0.1.86 writes to KEY.__lock");
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if file.rsplit_once('#').is_some_and(|(key, number)| !key.is_empty() && is_number(number)) {
        return Some("obstore 0.12.1 writes to KEY#NUMBER");
    }
    if let Some((key, word)) = file.strip_prefix('.').and_then(|rest| rest.rsplit_once('.'))
        && word.len() == 6
        && word.bytes().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && key.bytes().any(|byte| byte.is_ascii_digit())
    {
        return Some("rsync 3.2.7 copies to .KEY.XXXXXX");
    }
    let (_, word) = file.strip_suffix(".partial")?.rsplit_once('.')?;
    match (word.len(), word.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        (32, true) => Some("zarr-python 3.4.2 writes to a file such as KEY.UUID.partial"),
        (8, true) => Some("rclone 1.75.2 copies to KEY.XXXXXXXX.partial"),
        _ => None,
    }
}

/// The warning on temporary files that were left behind.
pub(super) fn interrupted(files: &[String], who: &str) -> Option<Problem> {
    let first = files.first()?;
    let are = if files.len() == 1 { "was" } else { "were" };
    let text = format!(
        "A write was interrupted: {} {are} left behind.",
        counted(files.len(), "temporary file")
    );
    let mut cause = Diagnosis::new("interrupted-write/temporary-file", text)
        .because(format!("{who} and then gives it its name."))
        .because("The chunk may be missing or out of date, or a write may still be in progress.")
        .explaining(&[Code::ForeignFile]);
    cause.files = files.to_vec();
    Some(Problem::caused(cause, first))
}

/// Whole blocks of chunks that are missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MissingBlocks {
    /// Their shape, in chunks.
    pub(super) shape: Vec<u64>,
    /// Their number.
    pub(super) whole: u64,
    /// The most there are of such blocks if the grid of blocks is moved.
    moved: u64,
    /// The missing chunks in them, and all that are missing.
    pub(super) fitting: u64,
    missing: u64,
}

/// The most missing chunks that are looked at.
const MOST: usize = 4096;
/// The fewest chunks of a block, and the fewest blocks, that are told.
const FEW: u64 = 4;
const FEW_BLOCKS: u64 = 3;

impl MissingBlocks {
    /// The blocks that the `missing` chunks of a grid form: aligned, so that moved by less than a block fewer than half
    /// as many would be whole, which holes of any other form do not do. `None` where they form none.
    pub(super) fn of(missing: &[Vec<u64>], counts: &[u64]) -> Option<Self> {
        let longest = if counts.len() <= 2 { 8 } else { 4 };
        if missing.len() > MOST || counts.len() > 4 {
            return None;
        }
        let mut shapes = vec![Vec::new()];
        for count in counts {
            let lengths = 1..=(count / 2).clamp(1, longest);
            let longer = |shape: &Vec<u64>, length| shape.iter().copied().chain([length]).collect();
            shapes = lengths
                .flat_map(|n| shapes.iter().map(move |s| longer(s, n)).collect::<Vec<_>>())
                .collect();
        }
        let fits = shapes.into_iter().filter_map(|shape| Self::fitted(missing, counts, shape));
        fits.max_by_key(|fit| (fit.fitting, fit.shape.iter().product::<u64>()))
    }

    fn fitted(missing: &[Vec<u64>], counts: &[u64], shape: Vec<u64>) -> Option<Self> {
        let (size, all) = (shape.iter().product::<u64>(), missing.len() as u64);
        // Most shapes are of too many chunks, and need not be counted.
        if size < FEW || size * FEW_BLOCKS > all {
            return None;
        }
        let blocks = whole_blocks(missing, &shape, None);
        let whole = blocks.len() as u64;
        let fitting = whole * size;
        if whole < FEW_BLOCKS || fitting * 5 < all * 3 || are_one_box(&blocks) {
            return None;
        }
        let axes = shape.iter().enumerate().flat_map(|(axis, &n)| (1..n).map(move |by| (axis, by)));
        let moved = axes.map(|step| whole_blocks(missing, &shape, Some(step)).len());
        let moved = moved.max().unwrap_or(0) as u64;
        (moved * 2 < whole && !is_chance(counts, &shape, all, whole)).then_some(Self {
            shape,
            whole,
            moved,
            fitting,
            missing: all,
        })
    }

    /// The holes as the end of a sentence.
    pub(super) fn words(&self) -> String {
        let (shape, missing) = (times(&self.shape), self.missing);
        format!("{} of {missing} in whole blocks of {shape}", self.fitting)
    }
}

/// The blocks of which every chunk is missing, the grid of blocks being moved along an axis.
fn whole_blocks(missing: &[Vec<u64>], shape: &[u64], moved: Option<(usize, u64)>) -> Vec<Vec<u64>> {
    let block = |at: &Vec<u64>| {
        let by = |axis: usize| moved.filter(|(along, _)| *along == axis).map_or(0, |(_, by)| by);
        // The grid has at most four dimensions.
        let mut block = [0; 4];
        for (axis, ((place, at), n)) in block.iter_mut().zip(at).zip(shape).enumerate() {
            *place = at.saturating_add(by(axis)) / n;
        }
        block
    };
    let mut blocks: Vec<[u64; 4]> = missing.iter().map(block).collect();
    blocks.sort_unstable();
    let size: usize = shape.iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).product();
    let whole = blocks.chunk_by(|a, b| a == b).filter(|same| same.len() == size);
    whole.filter_map(|same| same.first()?.get(..shape.len()).map(<[u64]>::to_vec)).collect()
}

/// True if blocks fill a box: data that end somewhere leave one, and tasks that overwrite each other leave several.
fn are_one_box(blocks: &[Vec<u64>]) -> bool {
    let rank = blocks.first().map_or(0, Vec::len);
    let length = |axis: usize| {
        let along = || blocks.iter().filter_map(|block| block.get(axis).copied());
        along().max().zip(along().min()).map_or(0, |(last, first)| last - first + 1)
    };
    order::product(&(0..rank).map(length).collect::<Vec<_>>()) == Some(blocks.len() as u64)
}

/// True if so many whole blocks may come of so many missing chunks by chance.
fn is_chance(counts: &[u64], shape: &[u64], missing: u64, whole: u64) -> bool {
    let total: f64 = counts.iter().map(|&count| count as f64).product();
    let blocks: f64 = counts.iter().zip(shape).map(|(count, n)| (count / n) as f64).product();
    let size: f64 = shape.iter().map(|&n| n as f64).product();
    blocks * (missing as f64 / total).powf(size) > 0.1 * whole as f64
}

/// The blocks that go across the border of a shard and of which the part in one shard is missing and that in another is
/// not, and those of which all is missing.
fn cut_at_shards(missing: &[Vec<u64>], shape: &[u64], shard: &[u64]) -> (u64, u64) {
    let missing: HashSet<&Vec<u64>> = missing.iter().collect();
    let block_of = |at: &[u64]| at.iter().zip(shape).map(|(at, n)| at / n).collect::<Vec<u64>>();
    let blocks: HashSet<Vec<u64>> = missing.iter().map(|at| block_of(at)).collect();
    let (mut cut, mut whole) = (0, 0);
    for block in blocks {
        let mut parts = HashMap::<Vec<u64>, (u64, u64)>::new();
        for number in 0..shape.iter().product() {
            let inside = order::coordinates(u128::from(number), shape);
            let at: Vec<u64> =
                inside.iter().zip(&block).zip(shape).map(|((at, k), n)| k * n + at).collect();
            let part = at.iter().zip(shard).map(|(at, n)| at / n).collect();
            let (gone, all) = parts.entry(part).or_default();
            *gone += u64::from(missing.contains(&at));
            *all += 1;
        }
        let gone = parts.values().filter(|(gone, all)| gone == all).count();
        let kept = parts.values().filter(|(gone, _)| *gone == 0).count();
        if parts.len() > 1 && gone + kept == parts.len() {
            cut += u64::from(kept > 0);
            whole += u64::from(kept == 0);
        }
    }
    (cut, whole)
}

/// The cause of holes in shards that are the blocks of tasks which share shards: blocks that go across the border of two
/// shards are gone in the one and not in the other. Regions that were left empty on purpose do not end there.
pub(super) fn overwritten(
    blocks: &MissingBlocks,
    missing: &[Vec<u64>],
    array: &ArrayMetadata,
) -> Option<Diagnosis> {
    let (shard, inner) = (array.chunk_shape()?, array.inner_chunk_shape()?);
    let task: Vec<u64> = blocks.shape.iter().zip(&inner).map(|(n, inner)| n * inner).collect();
    let counts: Vec<u64> =
        shard.iter().zip(&inner).map(|(n, inner)| n.checked_div(*inner)).collect::<Option<_>>()?;
    let (cut, whole) = cut_at_shards(missing, &blocks.shape, &counts);
    if cut < FEW_BLOCKS || cut <= whole {
        return None;
    }
    let (task, shard) = (times(&task), times(&shard));
    let text = format!(
        "Tasks that each wrote {task} elements shared shards of {shard}, and overwrote each other's elements."
    );
    let fit = format!(
        "{} of {} inner chunks that are not stored fit writes of {task} on shards of {shard}: they form {} whole blocks \
         on one grid. If that grid is moved, at most {} are whole.",
        blocks.fitting, blocks.missing, blocks.whole, blocks.moved
    );
    let cut = format!(
        "{cut} of {} blocks across the border of two shards are missing in one of them only.",
        cut + whole
    );
    let cause = Diagnosis::new("race/missing-blocks", text)
        .because(fit)
        .because(cut)
        .because("If these regions were meant to hold only the fill value, nothing is lost.");
    Some(cause.explaining(&[Code::ChunksMissing]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(count: u64, is_missing: impl Fn(u64, u64) -> bool) -> Option<(Vec<u64>, u64)> {
        let all = (0..count).flat_map(|y| (0..count).map(move |x| vec![y, x]));
        let missing: Vec<_> = all.filter(|at| is_missing(at[0], at[1])).collect();
        let blocks = MissingBlocks::of(&missing, &[count, count])?;
        Some((blocks.shape, blocks.whole))
    }

    /// A number without any habit.
    fn noise(y: u64, x: u64) -> u64 {
        let mixed = (y * 1_000_003 + x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
    }

    #[test]
    fn temporary_names_are_those_that_writers_were_seen_to_give() {
        for (name, who) in [
            ("c/1.752f1e3be2fe4de49acfe9e947dfc2bd.partial", "zarr-python"),
            ("c/0/0.10a5e424.partial", "rclone"),
            ("0.0.__lock", "TensorStore"),
            ("c/2#1", "obstore"),
            ("c/0/.1.Xa81Qz", "rsync"),
            (".1.0.b81Q2z", "rsync"),
        ] {
            assert!(temporary(name).is_some_and(|text| text.starts_with(who)), "{name}");
        }
        for name in [
            "c/0/0",
            "c/0/notes.partial",
            "c/#1",
            "c/0#",
            "c/0#a",
            "0.partial",
            "0.10a5e42.partial",
            ".zattrs.backup",
            ".1.0",
            ".1.0.icloud",
            "lock",
        ] {
            assert!(temporary(name).is_none(), "{name}");
        }
    }

    #[test]
    fn blocks_of_tasks_are_found() {
        let lost = |y: u64, x: u64| noise(y / 5, x / 5).is_multiple_of(4);
        let (shape, whole) = missing(40, lost).unwrap();
        assert!(shape == [5, 5] && whole >= 8, "{shape:?} {whole}");
        // Some chunks of nothing but fill values beside them.
        let mixed = |y: u64, x: u64| lost(y, x) || noise(y, x).is_multiple_of(40);
        assert_eq!(missing(40, mixed).unwrap().0, [5, 5]);
    }

    /// Sparse data of any other form have no blocks.
    #[test]
    fn sparse_data_have_no_blocks() {
        for share in [2, 3, 5, 10] {
            assert_eq!(missing(32, |y, x| noise(y, x).is_multiple_of(share)), None, "1 in {share}");
            assert_eq!(
                missing(32, |y, x| !noise(y, x).is_multiple_of(share)),
                None,
                "all but 1 in {share}"
            );
        }
        let disk = |y: u64, x: u64| y.abs_diff(15).pow(2) + x.abs_diff(17).pow(2);
        assert_eq!(missing(32, |y, x| disk(y, x) < 90), None, "a lake");
        assert_eq!(missing(32, |y, x| disk(y, x) > 90), None, "an island");
        assert_eq!(missing(32, |y, x| (6..18).contains(&y) && (4..20).contains(&x)), None, "a box");
        assert_eq!(missing(32, |_, x| (7..14).contains(&x)), None, "a box of whole blocks");
        assert_eq!(missing(32, |y, x| y + x < 30), None, "a corner");
        assert_eq!(missing(32, |y, x| (y + x).is_multiple_of(2)), None, "every other");
        assert_eq!(missing(32, |y, _| y.is_multiple_of(3)), None, "rows");
    }
}
