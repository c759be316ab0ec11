//! Which chunks of an array are stored.

use super::BATCH;
use crate::{
    app::Answer,
    zarr::{
        Hierarchy, NodePath,
        metadata::ArrayMetadata,
        presence::{Layout, Sighting, StoredChunk},
    },
};

/// How many chunks have their size looked up; of more only the names are read.
const MOST_STATS: usize = 20_000;
/// How many chunks are counted under keys of another kind.
const MOST_ELSEWHERE: u64 = 1000;

/// Lists the chunks of an array, in batches. Where there are none, looks for them under keys of another kind.
pub(super) fn presence(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(Answer),
) {
    // What is wrong with shape, grid or keys is said where the chunks are.
    let Ok(layout) = Layout::new(path, array) else { return say(Answer::Done) };
    let store = hierarchy.store.as_ref();
    let mut batch = Vec::new();
    let mut count = 0;
    let visited = layout.visit(store, &mut |sighting| {
        if let Sighting::Chunk(coordinates) = sighting {
            count += 1;
            let stat = || store.stat(&layout.key(&coordinates)).ok().flatten();
            let stat = (count <= MOST_STATS).then(stat).flatten();
            batch.push(StoredChunk { coordinates, stat });
            if batch.len() >= BATCH {
                say(Answer::ChunksListed(std::mem::take(&mut batch)));
            }
        }
        !stop()
    });
    say(Answer::ChunksListed(batch));
    if let Err(error) = visited {
        return say(Answer::Failed(error));
    }
    if count == 0
        && let Ok(diagnosis) = layout.diagnose(store, MOST_ELSEWHERE)
    {
        say(Answer::Diagnosed(diagnosis));
    }
    say(Answer::Done);
}
