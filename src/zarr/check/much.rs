//! The reading that a check of a store far away needs: where that is very much, it is told and not done unasked.

use super::CheckOptions;
use crate::zarr::{
    error::{Code, Error, Problem},
    hierarchy::{Hierarchy, Node, NodeKind},
    metadata::ArrayMetadata,
    sizes::Sizes,
    store::NodePath,
    words::{grouped, size},
};

/// The most objects and bytes that are read unasked.
const OBJECTS: u64 = 10_000;
const BYTES: u64 = 1 << 30;

/// True if the problem is that a check would read very much, and did not.
pub fn is_much_to_read(problem: &Problem) -> bool {
    problem.error.code == Code::TooLarge && problem.error.place.file.is_none()
}

/// The limit that a check of everything below `path` is more than what is read unasked, as far as it was counted.
pub(super) fn much_to_read(
    hierarchy: &Hierarchy,
    path: &NodePath,
    options: &CheckOptions<'_>,
) -> Option<Error> {
    let advice = options.advice.filter(|_| !options.metadata_only && options.sample.is_none())?;
    if !hierarchy.store.is_far() || is_limited() {
        return None;
    }
    let budget = &options.budget;
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
    if is_little(chunks, OBJECTS) && is_little(bytes, BYTES) {
        return None;
    }
    let (mut sum, mut is_much) = (Sizes::none(), false);
    hierarchy.walk(path, &mut |node, _| {
        for array in arrays(node) {
            let before = (sum.objects, sum.stored);
            let sizes = Sizes::of(&*hierarchy.store, &node.path, array, &mut |sizes| {
                is_much = before.0 + sizes.objects > OBJECTS || before.1 + sizes.stored > BYTES;
                !is_much && !budget.is_stopped()
            });
            // What cannot be listed is told by the check.
            if let Ok(sizes) = sizes {
                sum.add(&sizes);
            }
        }
        !is_much && !budget.is_stopped()
    });
    is_much.then(|| {
        let all = chunks.map(|all| format!(" of at most {} chunks", grouped(all)));
        let found = if sum.objects > OBJECTS {
            format!("more than {} objects{}", grouped(OBJECTS), all.unwrap_or_default())
        } else {
            format!("more than {}", size(BYTES))
        };
        let limit = format!("{} objects or {} unasked", grouped(OBJECTS), size(BYTES));
        let sentence = format!("The chunks were not read: that is {found} over the network.");
        Error::new(Code::TooLarge, found, limit).saying(sentence).with_fix(advice)
    })
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
