//! Which chunks of an array are stored.

use super::BATCH;
use crate::{
    app::{
        News,
        presence::{Seen, Sighting},
    },
    zarr::{Hierarchy, NodePath, metadata::ArrayMetadata, store::join},
};

/// How many chunks have their size looked up; of more only the names are read.
const MOST_STATS: usize = 20_000;

/// Lists the chunks of an array, in batches.
pub(super) fn presence(
    hierarchy: &Hierarchy,
    path: &NodePath,
    array: &ArrayMetadata,
    stop: &dyn Fn() -> bool,
    say: &mut dyn FnMut(News),
) {
    let (Ok(encoding), Ok(shape)) = (&array.key_encoding, &array.shape) else {
        return say(News::Done);
    };
    let store = hierarchy.store.as_ref();
    let mut batch = Vec::new();
    let mut looked_at = 0;
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let visited = store.visit(&join_all(&path.0, &folder), &mut |entry| {
            let key = if folder.is_empty() { entry.name } else { join(&folder, &entry.name) };
            if entry.is_folder {
                let last = key.rsplit('/').next().unwrap_or_default();
                if last == "c" || last.bytes().all(|byte| byte.is_ascii_digit()) {
                    folders.push(key);
                }
            } else if let Some(coordinates) = encoding.parse(&key, shape.len()) {
                looked_at += 1;
                let seen = (looked_at <= MOST_STATS).then(|| seen(hierarchy, &join(&path.0, &key)));
                batch.push(Sighting { coordinates, seen: seen.flatten() });
                if batch.len() >= BATCH {
                    say(News::Sighted(std::mem::take(&mut batch)));
                }
            }
            !stop()
        });
        if let Err(error) = visited {
            return say(News::Failed(error));
        }
    }
    say(News::Sighted(batch));
    say(News::Done);
}

fn join_all(path: &str, folder: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { join(path, folder) }
}

fn seen(hierarchy: &Hierarchy, key: &str) -> Option<Seen> {
    let stat = hierarchy.store.stat(key).ok().flatten()?;
    Some(Seen { len: stat.len, modified: stat.modified })
}
