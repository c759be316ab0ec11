//! The reading that a check of a store far away needs: where that is very much, it is told and not done unasked.

use super::CheckOptions;
use crate::zarr::prelude::*;
use crate::zarr::{sizes::Sizes, words::size};

/// The most objects and bytes that are read unasked.
const OBJECTS: u64 = 10_000;
const BYTES: u64 = 1 << 30;

/// True if the problem is that a check would read very much, and did not.
pub fn is_much_to_read(problem: &Problem) -> bool {
    problem.error.code == Code::TooLarge && problem.error.place.file.is_none()
}

/// The limit that a check of everything below `path` is more than what is read unasked, or asked for one by one, as far as
/// it was counted.
pub(super) fn much_to_read(
    hierarchy: &Hierarchy,
    path: &NodePath,
    options: &CheckOptions<'_>,
) -> Option<Error> {
    let advice = options.advice.filter(|_| options.sample.is_none())?;
    let (store, budget, reads) = (&*hierarchy.store, &options.budget, !options.metadata_only);
    if !store.is_far() || is_limited() {
        return None;
    }
    // No more than the grids have room for: that needs no listing.
    let (mut chunks, mut bytes) = (Some(0_u128), Some(0_u128));
    hierarchy.walk(path, &mut |node, _| {
        for array in arrays(node) {
            let (of_chunks, of_bytes) = Sizes::most(&node.path, array);
            chunks = chunks.zip(of_chunks).and_then(|(sum, more)| sum.checked_add(more));
            bytes = bytes.zip(of_bytes).and_then(|(sum, more)| sum.checked_add(more));
        }
        !budget.is_stopped()
    });
    let is_little = |most: Option<u128>, limit: u64| most.is_some_and(|most| most <= limit.into());
    let has_few_bytes = !reads || is_little(bytes, BYTES);
    if is_little(chunks, OBJECTS) && has_few_bytes {
        return None;
    }
    // They are counted before any is asked for its length, where no listing tells it.
    let mut found = stored(hierarchy, path, LengthsAsked::None, budget);
    if !reads && store.lists_lengths() {
        return None;
    }
    if !is_much(found) && !has_few_bytes && !store.lists_lengths() {
        // Those that have no room for much need not be asked.
        found = stored(hierarchy, path, LengthsAsked::Unbounded, budget);
        if is_much(found) {
            found = stored(hierarchy, path, LengthsAsked::All, budget);
        }
    }
    is_much(found).then(|| {
        let all = chunks.map(|all| format!(" of at most {} chunks", grouped(all)));
        let found = if found.0 > OBJECTS {
            format!("more than {} objects{}", grouped(OBJECTS), all.unwrap_or_default())
        } else {
            format!("more than {}", size(BYTES))
        };
        let limit = format!("{} objects or {} unasked", grouped(OBJECTS), size(BYTES));
        let sentence = if reads {
            format!("The chunks were not read: that is {found} over the network.")
        } else {
            format!("The lengths of the chunks were not asked for, one by one: that is {found} over the network.")
        };
        Error::new(Code::TooLarge, found, limit).saying(sentence).with_fix(advice)
    })
}

/// True if so many objects and bytes are not read unasked.
fn is_much((objects, bytes): (u64, u64)) -> bool {
    objects > OBJECTS || bytes > BYTES
}

/// The chunks that are asked for their lengths, one by one, where no listing tells them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LengthsAsked {
    None,
    /// Those that may be of any length: of the others, the most that their grid has room for counts.
    Unbounded,
    All,
}

/// The number of stored chunks below `path`, and of their bytes as far as they are known, until one of both is much.
fn stored(
    hierarchy: &Hierarchy,
    path: &NodePath,
    asked: LengthsAsked,
    budget: &Budget<'_>,
) -> (u64, u64) {
    let mut found = (0, 0);
    hierarchy.walk(path, &mut |node, _| {
        for array in arrays(node) {
            let Ok(layout) = Layout::new(&node.path, array) else { continue };
            let most = Sizes::most(&node.path, array).1.and_then(|most| u64::try_from(most).ok());
            let most = most.filter(|_| asked == LengthsAsked::Unbounded);
            let asks = asked != LengthsAsked::None && most.is_none();
            let asked = if asks { usize::MAX } else { 0 };
            found.1 = most.unwrap_or(0).saturating_add(found.1);
            // What cannot be listed is told by the check.
            let _ = layout.visit_stats(&*hierarchy.store, [usize::MAX, asked], &mut |_, stat| {
                found.0 += 1;
                let len = stat.filter(|_| most.is_none()).map_or(0, |stat| stat.len);
                found.1 = len.saturating_add(found.1);
                !is_much(found) && !budget.is_stopped()
            });
        }
        !is_much(found) && !budget.is_stopped()
    });
    found
}

fn arrays(node: &Node) -> impl Iterator<Item = &ArrayMetadata> {
    let kinds = [Some(&node.kind), node.other.as_deref()].into_iter().flatten();
    kinds.filter_map(NodeKind::array)
}

/// True if the user has limited the requests of the program.
fn is_limited() -> bool {
    #[cfg(feature = "remote")]
    return crate::zarr::store::remote::is_limited();
    #[cfg(not(feature = "remote"))]
    false
}
