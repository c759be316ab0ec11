//! The keys below a prefix, as far as a store has told them, page by page and in their order.

use crate::zarr::{
    budget::elbow_room,
    error::Result,
    store::{
        Entry, ListingPage, PageRequest, Stat,
        key::{is_document, with_slash},
        next_entry, too_large,
    },
};
use std::{collections::BTreeMap, ops::Bound, thread::JoinHandle};

/// The memory that an entry takes, in bytes, about.
const OF_AN_ENTRY: usize = 200;

/// The facts that a listing knows of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It has not come so far.
    Nothing,
    /// There is no such key.
    Absent,
    /// It is a folder.
    Folder,
    /// It is a file, with its length and time where the listing told them.
    File(Option<Stat>),
}

impl Known {
    /// Its facts, or that it is no file; `None` where that has to be asked for.
    #[expect(clippy::option_option, reason = "a file is not known, or known to be absent")]
    pub(super) fn stat(self) -> Option<Option<Stat>> {
        match self {
            Self::Nothing | Self::File(None) => None,
            Self::Absent | Self::Folder => Some(None),
            Self::File(stat) => Some(stat),
        }
    }

    /// False if there is no such file.
    ///
    /// # Errors
    ///
    /// If it is known to be longer than `limit`.
    pub(super) fn may_be_read(self, key: &str, limit: u64) -> Result<bool> {
        match self {
            Self::File(Some(stat)) if stat.len > limit => Err(too_large(key, stat.len, limit)),
            known => Ok(known != Self::Absent),
        }
    }
}

/// One step through the entries of a folder.
pub(super) enum Step {
    /// The next of them.
    Entry(Entry),
    /// Another page has to be asked for first.
    Page,
    /// There are no more.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListingProgress {
    New,
    /// All keys up to this one are known.
    Begun,
    Complete,
    /// The store gives no such listings.
    Given,
}

/// A page that another thread asks for.
pub(super) type PageAhead = JoinHandle<Result<Option<ListingPage>>>;

/// A listing under way.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Listing {
    prefix: String,
    is_deep: bool,
    /// True if all of it is wanted.
    is_expected: bool,
    /// Files by their key below the prefix; folders that it does not go into, with a slash at the end.
    entries: BTreeMap<String, Option<Stat>>,
    progress: ListingProgress,
    /// The last key that was told.
    last: String,
    /// True if the keys came in their order.
    is_sorted: bool,
    next: Option<String>,
    /// Its next page, which was asked for already.
    pub(super) ahead: Option<PageAhead>,
    /// True if keys that were wanted are so far behind that it is not listed for them.
    pub(super) is_vain: bool,
    /// The number of documents on the last page.
    pub(super) documents: usize,
}

impl Listing {
    pub(super) fn new(prefix: &str, is_deep: bool) -> Self {
        Self {
            prefix: prefix.to_owned(),
            is_deep,
            is_expected: !is_deep,
            entries: BTreeMap::new(),
            progress: ListingProgress::New,
            last: String::new(),
            is_sorted: true,
            next: None,
            ahead: None,
            is_vain: false,
            documents: 0,
        }
    }

    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    pub(super) fn is_new(&self) -> bool {
        self.progress == ListingProgress::New
    }

    /// True if there is another page to ask for.
    pub(super) fn goes_on(&self) -> bool {
        self.progress == ListingProgress::Begun && self.is_sorted
    }

    /// True if there is another page, which will be wanted.
    pub(super) fn is_wanted_on(&self) -> bool {
        self.is_deep && self.is_expected && self.goes_on()
    }

    pub(super) fn give_up(&mut self) {
        self.progress = ListingProgress::Given;
    }

    pub(super) fn has_given_up(&self) -> bool {
        self.progress == ListingProgress::Given
    }

    pub(super) fn expect_all(&mut self) {
        self.is_expected = true;
    }

    /// The question for its next page.
    pub(super) fn next_request(&self) -> PageRequest<'_> {
        PageRequest { prefix: &self.prefix, is_deep: self.is_deep, token: self.next.as_deref() }
    }

    /// Takes in a page.
    pub(super) fn take(&mut self, page: ListingPage) -> Result<()> {
        let count = page.files.len() + page.folders.len();
        elbow_room((self.entries.len() + count).saturating_mul(OF_AN_ENTRY))?;
        self.documents = page.files.iter().filter(|(name, _)| is_document(name)).count();
        let files = page.files.into_iter();
        let folders = page.folders.into_iter().map(|name| (name + "/", None));
        let before = std::mem::take(&mut self.last);
        for (name, stat) in files.chain(folders) {
            self.is_sorted &= name > before;
            if name > self.last {
                self.last.clone_from(&name);
            }
            self.entries.insert(name, stat);
        }
        self.progress =
            if page.next.is_none() { ListingProgress::Complete } else { ListingProgress::Begun };
        self.next = page.next;
        Ok(())
    }

    /// Takes in all entries of a folder, as stores give them that have no pages.
    pub(super) fn take_all(&mut self, entries: Vec<Entry>) {
        for Entry { name, is_folder, .. } in entries {
            self.entries.insert(if is_folder { name + "/" } else { name }, None);
        }
        self.progress = ListingProgress::Complete;
    }

    /// True if everything up to `key` was told.
    fn reaches(&self, key: &str) -> bool {
        match self.progress {
            ListingProgress::Complete => true,
            ListingProgress::Begun => self.is_sorted && key <= self.last.as_str(),
            ListingProgress::New | ListingProgress::Given => false,
        }
    }

    /// The facts about the key `name` below the prefix.
    pub(super) fn of(&self, name: &str) -> Known {
        if let Some(stat) = self.entries.get(name) {
            return Known::File(*stat);
        }
        let inside = format!("{name}/");
        let next = self
            .entries
            .range::<str, _>((Bound::Included(inside.as_str()), Bound::Unbounded))
            .next();
        if next.is_some_and(|(key, _)| key.starts_with(&inside)) {
            return Known::Folder;
        }
        if self.reaches(&inside) { Known::Absent } else { Known::Nothing }
    }

    /// The files after the key `name`.
    pub(super) fn files_after(&self, name: &str) -> impl Iterator<Item = (&str, Option<Stat>)> {
        let after = self.entries.range::<str, _>((Bound::Excluded(name), Bound::Unbounded));
        after.map(|(name, stat)| (name.as_str(), *stat)).filter(|(name, _)| !name.ends_with('/'))
    }

    /// The names of the folders after that of the name `name` that it does not go into.
    pub(super) fn folders_after(&self, name: &str) -> impl Iterator<Item = &str> {
        let name = with_slash(name);
        let after =
            self.entries.range::<str, _>((Bound::Excluded(name.as_str()), Bound::Unbounded));
        after.filter_map(|(name, _)| name.strip_suffix('/')).collect::<Vec<_>>().into_iter()
    }

    /// True if the folder `rest` below the prefix can be gone through: all of it was told, or is wanted.
    pub(super) fn covers(&self, rest: &str) -> bool {
        let is_wanted =
            self.is_expected && matches!(self.progress, ListingProgress::Begun) && self.is_sorted;
        is_wanted
            || self.progress == ListingProgress::Complete
            || !rest.is_empty() && self.reaches(&format!("{rest}0"))
    }

    /// True if what comes at `at` has to be asked for.
    pub(super) fn needs_page(&self, at: &str) -> bool {
        match self.progress {
            ListingProgress::Complete | ListingProgress::Given => false,
            ListingProgress::New => true,
            ListingProgress::Begun => !self.is_sorted || at > self.last.as_str(),
        }
    }

    /// The first entry of the folder `rest` that is at `at` or after it; `at` is moved past it.
    pub(super) fn step(&self, rest: &str, at: &mut String) -> Step {
        let has_next = self.entries.last_key_value().is_some_and(|(last, _)| last >= at);
        let is_known = self.progress == ListingProgress::Complete
            || has_next && self.is_sorted && self.progress == ListingProgress::Begun;
        if !is_known && !self.has_given_up() {
            return Step::Page;
        }
        next_entry(&self.entries, &with_slash(rest), at).map_or(Step::End, Step::Entry)
    }
}
