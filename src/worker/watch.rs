//! Watches the documents and the chunk on view, and the folders around them, by looking at their times now and then.
//!
//! A dozen `stat` calls a second cost nothing one could measure, work on every file system, over networks too, and
//! need no library per operating system.

use super::prelude::*;
use super::{Report, THREAD_NAME};
use crate::app::{Lane, Reply, Watched};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};

/// The time between two looks.
const PAUSE: Duration = Duration::from_secs(1);
/// The number of folders below an array are looked at.
const MOST_FOLDERS: usize = 64;

/// The watching thread.
pub struct Watcher {
    wanted: Sender<Watched>,
}

impl Watcher {
    pub(super) fn start(store: Arc<dyn Store>, report: Report) -> Self {
        let (wanted, inbox) = mpsc::channel();
        thread::Builder::new()
            .name(THREAD_NAME.into())
            .spawn(move || serve(&inbox, store.as_ref(), &report))
            .ok();
        Self { wanted }
    }

    /// Watches this instead of what was watched before.
    pub(super) fn watch(&self, watched: Watched) {
        self.wanted.send(watched).ok();
    }
}

fn serve(inbox: &Receiver<Watched>, store: &dyn Store, report: &Report) {
    // Over a network each look would be a request, and what is kept of earlier answers does not change.
    if store.is_far() {
        return;
    }
    let mut seen = LastLook::default();
    loop {
        match inbox.recv_timeout(PAUSE) {
            Ok(first) => {
                // A cursor that runs through the tree leaves many behind; only where it is matters.
                let newest = inbox.try_iter().last().unwrap_or(first);
                seen = LastLook::of(store, newest).since(&seen);
            }
            Err(RecvTimeoutError::Timeout) => {
                let changed = seen.look(store);
                if !changed.is_empty() {
                    let answer = Answer::Changed(changed);
                    report(Reply { lane: Lane::Watch, generation: 0, answer });
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// The state of the watched files and folders at the last look, each under its key; that of a folder ends with a slash.
#[derive(Default)]
pub struct LastLook(BTreeMap<String, Seen>);

/// The state of a file or a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    File(Option<Stat>),
    /// When something in it was made or removed.
    Folder(Option<SystemTime>),
}

impl Seen {
    fn of(store: &dyn Store, key: &str) -> Self {
        match key.strip_suffix('/') {
            Some(folder) => Self::Folder(time(store, folder)),
            None => Self::File(store.stat(key).ok().flatten()),
        }
    }
}

impl LastLook {
    /// Looks at what is `watched` for the first time.
    pub fn of(store: &dyn Store, watched: Watched) -> Self {
        let chunks = watched.chunks_in.iter().flat_map(|array| chunk_folders(store, array));
        let folders = watched.folders.into_iter().chain(chunks).map(|folder| folder + "/");
        let keys = watched.files.into_iter().chain(folders);
        Self(keys.map(|key| (key.clone(), Seen::of(store, &key))).collect())
    }

    /// The earlier of two looks at the same files and folders: something may have changed between that look and this
    /// one.
    pub fn since(mut self, before: &Self) -> Self {
        for (key, seen) in &mut self.0 {
            *seen = before.0.get(key).copied().unwrap_or(*seen);
        }
        self
    }

    /// Looks again: what has changed since.
    pub fn look(&mut self, store: &dyn Store) -> Vec<String> {
        let changed = self.0.iter_mut().filter_map(|(key, before)| {
            let now = Seen::of(store, key);
            (mem::replace(before, now) != now).then(|| key.clone())
        });
        changed.collect()
    }
}

/// The folders below the one of an array that hold chunks: they are named by `c` and numbers. As many as one can look
/// at every second.
fn chunk_folders(store: &dyn Store, array: &str) -> Vec<String> {
    let mut folders = vec![array.to_owned()];
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned().filter(|_| folders.len() < MOST_FOLDERS) {
        let below = store.path(&folder).and_then(|_| store.list(&folder).ok());
        let chunks = below.into_iter().flatten().filter(|entry| {
            entry.is_folder
                && (entry.name == "c" || entry.name.bytes().all(|byte| byte.is_ascii_digit()))
        });
        folders.extend(chunks.map(|entry| crate::zarr::store::join(&folder, &entry.name)));
        at += 1;
    }
    folders.truncate(MOST_FOLDERS);
    folders
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
        let keys = || Watched {
            files: vec!["zarr.json".to_owned()],
            chunks_in: Some(String::new()),
            ..Watched::default()
        };
        let seen = LastLook::of(&store, keys());
        fs::write(folder.path().join("zarr.json"), "{ }").unwrap();
        fs::write(folder.path().join("c/0"), "x").unwrap();
        let changed = LastLook::of(&store, keys()).since(&seen).look(&store);
        assert_eq!(changed, ["c/", "zarr.json"]);
    }

    #[test]
    fn a_changed_document_and_a_new_chunk_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/c/0")).unwrap();
        fs::write(folder.path().join("a/zarr.json"), "{}").unwrap();
        let store = DirectoryStore::new(folder.path());
        let watched = Watched {
            files: vec!["a/zarr.json".into()],
            folders: vec![String::new()],
            chunks_in: Some("a".into()),
        };
        let mut seen = LastLook::of(&store, watched);
        assert!(seen.look(&store).is_empty());
        fs::write(folder.path().join("a/zarr.json"), "{ }").unwrap();
        fs::write(folder.path().join("a/c/0/1"), "x").unwrap();
        let changed = seen.look(&store);
        assert!(changed.contains(&"a/zarr.json".into()), "{changed:?}");
        assert!(changed.contains(&"a/c/0/".into()), "{changed:?}");
        assert!(seen.look(&store).is_empty());
        fs::create_dir(folder.path().join("b")).unwrap();
        assert_eq!(seen.look(&store), ["/"], "a node beside it");
    }
}
