//! Watches the documents and the chunk on view, and the folders around them, by looking at their times now and then.
//!
//! A dozen `stat` calls a second cost nothing one could measure, work on every file system, over networks too, and
//! need no library per operating system.

use super::{Report, THREAD_NAME};
use crate::{
    app::{Lane, News, Reply},
    zarr::store::{Stat, Store},
};
use std::{
    collections::HashMap,
    fs,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, SystemTime},
};

/// How long between two looks.
const PAUSE: Duration = Duration::from_secs(1);
/// How many folders below an array are looked at.
const MOST_FOLDERS: usize = 64;

/// The watching thread.
#[derive(Debug)]
pub struct Watcher {
    keys: Sender<Vec<String>>,
}

impl Watcher {
    pub(super) fn start(store: Arc<dyn Store>, report: Report) -> Self {
        let (keys, inbox) = mpsc::channel();
        thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn(move || serve(&inbox, store.as_ref(), &report))
            .ok();
        Self { keys }
    }

    /// Watches these keys instead of those before.
    pub(super) fn watch(&self, keys: Vec<String>) {
        self.keys.send(keys).ok();
    }
}

fn serve(inbox: &Receiver<Vec<String>>, store: &dyn Store, report: &Report) {
    let mut seen = Seen::default();
    loop {
        match inbox.recv_timeout(PAUSE) {
            Ok(keys) => seen = Seen::of(store, keys).since(&seen),
            Err(RecvTimeoutError::Timeout) => {
                let changed = seen.look(store);
                if !changed.is_empty() {
                    let news = News::Changed(changed);
                    report(Reply { lane: Lane::Watch, generation: 0, news });
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// What the watched keys and folders were like at the last look.
#[derive(Debug, Default)]
pub struct Seen {
    keys: HashMap<String, Option<Stat>>,
    folders: HashMap<String, Option<SystemTime>>,
}

impl Seen {
    /// Looks at `keys`, and at the folders that hold them, for the first time.
    #[must_use]
    pub fn of(store: &dyn Store, keys: Vec<String>) -> Self {
        let mut folders: Vec<String> = keys.iter().map(|key| parent(key).to_owned()).collect();
        let mut at = 0;
        while let Some(folder) = folders.get(at).cloned().filter(|_| folders.len() < MOST_FOLDERS) {
            // The folders of chunks are named by `c` and numbers; those of other nodes are not looked into.
            let below = store.path(&folder).and_then(|_| store.list(&folder).ok());
            let chunks = below.into_iter().flatten().filter(|entry| {
                entry.is_folder
                    && (entry.name == "c" || entry.name.bytes().all(|byte| byte.is_ascii_digit()))
            });
            folders.extend(chunks.map(|entry| crate::zarr::store::join(&folder, &entry.name)));
            at += 1;
        }
        folders.truncate(MOST_FOLDERS);
        Self {
            keys: keys
                .into_iter()
                .map(|key| {
                    let stat = stat(store, &key);
                    (key, stat)
                })
                .collect(),
            folders: folders
                .into_iter()
                .map(|folder| {
                    let at = time(store, &folder);
                    (folder, at)
                })
                .collect(),
        }
    }

    /// What was seen of the same keys and folders before stays what it was: something may have changed between that look
    /// and this one.
    #[must_use]
    pub fn since(mut self, before: &Self) -> Self {
        for (key, seen) in &mut self.keys {
            if let Some(earlier) = before.keys.get(key) {
                *seen = *earlier;
            }
        }
        for (folder, seen) in &mut self.folders {
            if let Some(earlier) = before.folders.get(folder) {
                *seen = *earlier;
            }
        }
        self
    }

    /// Looks again: what has changed since.
    pub fn look(&mut self, store: &dyn Store) -> Vec<String> {
        let mut changed = Vec::new();
        for (key, before) in &mut self.keys {
            let now = stat(store, key);
            if now != *before {
                *before = now;
                changed.push(key.clone());
            }
        }
        for (folder, before) in &mut self.folders {
            let now = time(store, folder);
            if now != *before {
                *before = now;
                changed.push(format!("{folder}/"));
            }
        }
        changed.sort();
        changed
    }
}

fn parent(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn stat(store: &dyn Store, key: &str) -> Option<Stat> {
    store.stat(key).ok().flatten()
}

fn time(store: &dyn Store, folder: &str) -> Option<SystemTime> {
    fs::metadata(store.path(folder)?).ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::store::DirectoryStore;

    #[test]
    fn a_change_between_two_requests_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("c")).unwrap();
        fs::write(folder.path().join("zarr.json"), "{}").unwrap();
        let store = DirectoryStore::new(folder.path());
        let keys = || vec!["zarr.json".to_owned()];
        let seen = Seen::of(&store, keys());
        fs::write(folder.path().join("zarr.json"), "{ }").unwrap();
        fs::write(folder.path().join("c/0"), "x").unwrap();
        let changed = Seen::of(&store, keys()).since(&seen).look(&store);
        assert_eq!(changed, ["c/", "zarr.json"]);
    }

    #[test]
    fn a_changed_document_and_a_new_chunk_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/c/0")).unwrap();
        fs::write(folder.path().join("a/zarr.json"), "{}").unwrap();
        let store = DirectoryStore::new(folder.path());
        let mut seen = Seen::of(&store, vec!["a/zarr.json".into()]);
        assert!(seen.look(&store).is_empty());
        fs::write(folder.path().join("a/zarr.json"), "{ }").unwrap();
        fs::write(folder.path().join("a/c/0/1"), "x").unwrap();
        let changed = seen.look(&store);
        assert!(changed.contains(&"a/zarr.json".into()), "{changed:?}");
        assert!(changed.contains(&"a/c/0/".into()), "{changed:?}");
        assert!(seen.look(&store).is_empty());
    }
}
