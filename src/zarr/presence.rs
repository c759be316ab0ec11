//! The chunks of an array that are stored.
//!
//! Folders of chunks are streamed: a listing holds nothing that grows with the grid or with the number of files, and
//! can be stopped after any entry. What it says of stored chunks is gathered in a [`Presence`].

use super::prelude::*;
use super::{
    codec::sharding::Shard,
    grid::order,
    store::{join, several},
};

mod known;

pub use known::{DecodeTrial, Presence, StoredChunk};

/// Something below an array that is not one of its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sighting {
    /// A stored chunk of the grid.
    Chunk(Vec<u64>),
    /// A file with the key of a chunk that the grid does not have: left over from a larger array, or from other
    /// chunks.
    Orphan(Vec<u64>),
    /// A link under the key of a chunk, or of a folder of chunks, in addition to what it leads to.
    Link(String),
    /// A file or a folder that no chunk of the array can have.
    Foreign {
        /// Its key in the store.
        key: String,
        /// True if it is a folder; what is in it is not told.
        is_folder: bool,
    },
}

/// The facts about an array that are needed to list its chunks.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The array's path.
    pub path: NodePath,
    /// The rule that turns coordinates into keys.
    pub encoding: KeyEncoding,
    /// The number of chunks along each dimension.
    pub counts: Vec<u64>,
}

/// The files that are no chunks and belong to the array all the same.
const DOCUMENTS: [&str; 5] = [".zarray", ".zattrs", ".zgroup", ".zmetadata", "zarr.json"];

/// The number of chunks that a store far away is asked for together.
const TOGETHER: usize = 256;

/// The most chunks that a store which cannot list is asked for one by one.
const MOST_ASKED: u128 = 1000;

/// The number of chunks up to which each is looked at for whether it is wanted.
const MOST_TRIED: u128 = 1 << 24;

impl Layout {
    /// The layout of the array at `path`.
    ///
    /// # Errors
    ///
    /// If its shape, its grid or its keys are not known.
    pub fn new(path: &NodePath, array: &ArrayMetadata) -> Result<Self> {
        let shape = array.shape.as_ref().map_err(Clone::clone)?;
        let grid: &Grid = array.grid.as_ref().map_err(Clone::clone)?;
        let encoding = array.key_encoding.clone()?;
        Ok(Self { path: path.clone(), encoding, counts: grid.counts(shape) })
    }

    /// The store key of the chunk at `coordinates`.
    pub fn key(&self, coordinates: &[u64]) -> String {
        join(&self.path.0, &self.encoding.key(coordinates))
    }

    /// True if `name`, a key below the array, is that of a chunk in the grid.
    pub fn is_key(&self, name: &str) -> bool {
        self.named(name).is_some()
    }

    /// The chunk of the grid with the store key `key`; `None` where there is none.
    pub fn chunk(&self, key: &str) -> Option<Vec<u64>> {
        self.named(self.inside(key)?)
    }

    /// The store key `key` as it is below the array; `None` where it is elsewhere.
    fn inside<'k>(&self, key: &'k str) -> Option<&'k str> {
        match self.path.0.as_str() {
            "" => Some(key),
            path => key.strip_prefix(path)?.strip_prefix('/'),
        }
    }

    /// The chunk of the grid with this key below the array.
    fn named(&self, name: &str) -> Option<Vec<u64>> {
        let at = self.encoding.parse(name, self.counts.len())?;
        self.has(&at).then_some(at)
    }

    /// True if the grid has a chunk at `at`.
    pub(super) fn has(&self, at: &[u64]) -> bool {
        order::is_inside(at, &self.counts)
    }

    /// The number of chunks the grid has; `None` past 2¹²⁸.
    pub fn total(&self) -> Option<u128> {
        order::total(&self.counts)
    }

    /// True if the store key `key` can be that of a chunk of this array, or of a folder of its chunks.
    pub fn may_hold(&self, key: &str, is_folder: bool) -> bool {
        let Some(inside) = self.inside(key) else { return false };
        if !is_folder {
            return self.encoding.parse(inside, self.counts.len()).is_some();
        }
        self.encoding.separator() == '/'
            && match self.encoding {
                KeyEncoding::Default { .. } | KeyEncoding::Suffixed { .. } => inside == "c",
                KeyEncoding::V2 { .. } => is_coordinate(inside),
            }
    }

    /// Calls `each` for everything that is stored below the array, in no particular order, until it gives `false`.
    /// Costs no look at any single file.
    ///
    /// # Errors
    ///
    /// If a folder of the array cannot be listed; what could be listed was told.
    pub fn visit(&self, store: &dyn Store, each: &mut dyn FnMut(Sighting) -> bool) -> Result<()> {
        store.expect_listing(&self.path.0);
        let mut visit = Visit { layout: self, store, each, stopped: false, error: None };
        visit.folder("", 0);
        let error = visit.error;
        match error {
            Some(error) if error.code == Code::CannotList => self.ask_each(store, each, error),
            error => error.map_or(Ok(()), Err),
        }
    }

    /// Asks for the chunks one by one, where they are not too many.
    fn ask_each(
        &self,
        store: &dyn Store,
        each: &mut dyn FnMut(Sighting) -> bool,
        error: Error,
    ) -> Result<()> {
        let total = self.total().filter(|total| *total <= MOST_ASKED).ok_or(error)?;
        let all: Vec<_> = (0..total).map(|at| order::coordinates(at, &self.counts)).collect();
        for some in all.chunks(TOGETHER) {
            let stats = several(store, some, |at| store.stat(&self.key(at)));
            for (at, stat) in some.iter().zip(stats) {
                if stat?.is_some() && !each(Sighting::Chunk(at.clone())) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The stored chunks of a large grid among those that are `wanted`, where these are so few that they are asked for
    /// by themselves; `None` where all are listed.
    ///
    /// # Errors
    ///
    /// If the store cannot say.
    pub fn few(
        &self,
        store: &dyn Store,
        wanted: &dyn Fn(&[u64]) -> bool,
    ) -> Option<Result<Vec<Vec<u64>>>> {
        let total = self.total().filter(|total| (MOST_ASKED..MOST_TRIED).contains(total))?;
        let mut few = Vec::new();
        for at in (0..total).map(|number| order::coordinates(number, &self.counts)) {
            if wanted(&at) {
                few.push(at);
            }
            if few.len() as u128 > MOST_ASKED {
                return None;
            }
        }
        let stats = several(store, &few, |at| store.stat(&self.key(at)));
        let stored = few.into_iter().zip(stats);
        Some(stored.filter_map(|(at, stat)| stat.map(|it| it.map(|_| at)).transpose()).collect())
    }

    /// [`Self::visit`] of the stored chunks of the grid alone, with the length and the time of the first `most[0]` of them,
    /// which a store that is far away is asked for many at a time; no more than `most[1]` where each has to be asked for
    /// by itself.
    ///
    /// # Errors
    ///
    /// As [`Self::visit`].
    pub fn visit_stats(
        &self,
        store: &dyn Store,
        most: [usize; 2],
        each: &mut dyn FnMut(Vec<u64>, Option<Stat>) -> bool,
    ) -> Result<()> {
        let (mut some, together) = (Vec::new(), if store.is_far() { TOGETHER } else { 1 });
        let mut done = 0;
        let mut tell = |some: &mut Vec<Vec<u64>>| {
            let most = most[usize::from(!store.lists_lengths())];
            let left = most.saturating_sub(done).min(some.len());
            done += some.len();
            let asked = some.get(..left).unwrap_or_default();
            let stats = several(store, asked, |at| store.stat(&self.key(at)).ok().flatten());
            let stats = stats.into_iter().chain(std::iter::repeat(None));
            some.drain(..).zip(stats).all(|(at, stat)| each(at, stat))
        };
        let visited = self.visit(store, &mut |sighting| {
            if let Sighting::Chunk(at) = sighting {
                some.push(at);
            }
            some.len() < together || tell(&mut some)
        });
        tell(&mut some);
        visited
    }

    /// The chunks that are stored at `places` places spread evenly over the grid; where fewer than `least` are, also the
    /// first that are listed.
    ///
    /// # Errors
    ///
    /// If nothing is found, and something cannot be had.
    pub fn sample(&self, store: &dyn Store, places: u64, least: u64) -> Result<Vec<Vec<u64>>> {
        let total = self.total().unwrap_or(u128::MAX);
        let places = u128::from(places).min(total);
        let at = |place| order::coordinates(total / places * place, &self.counts);
        let all: Vec<_> = (0..places).map(at).collect();
        let stats = several(store, &all, |at| store.stat(&self.key(at)));
        let (mut stored, mut error) = (Vec::new(), None);
        for (at, stat) in all.into_iter().zip(stats) {
            match stat {
                Ok(stat) => stored.extend(stat.map(|_| at)),
                Err(fault) => error = error.or(Some(fault)),
            }
        }
        let is_more = |stored: &Vec<_>| (stored.len() as u64) < least;
        if is_more(&stored) && places < total && error.is_none() {
            let visited = self.visit(store, &mut |sighting| {
                if let Sighting::Chunk(at) = sighting
                    && !stored.contains(&at)
                {
                    stored.push(at);
                }
                is_more(&stored)
            });
            error = visited.err();
        }
        error.filter(|_| stored.is_empty()).map_or(Ok(stored), Err)
    }

    /// The number of chunks stored under the array's own keys and, where the answer is none, under every other kind of
    /// keys: a wrong separator makes all chunks look missing. At most `most` are counted of each.
    ///
    /// # Errors
    ///
    /// As [`Self::visit`].
    pub fn diagnose(&self, store: &dyn Store, most: u64) -> Result<KeyDiagnosis> {
        let declared = self.count(store, most)?;
        let mut elsewhere = Vec::new();
        if declared == 0 {
            for encoding in self.other_encodings() {
                let found =
                    Self { encoding: encoding.clone(), ..self.clone() }.count(store, most)?;
                if found > 0 {
                    elsewhere.push((encoding, found));
                }
            }
        }
        Ok(KeyDiagnosis { declared, elsewhere })
    }

    fn count(&self, store: &dyn Store, most: u64) -> Result<u64> {
        let mut count = 0;
        self.visit(store, &mut |sighting| {
            count += u64::from(matches!(sighting, Sighting::Chunk(_)));
            count < most
        })?;
        Ok(count)
    }

    /// The encodings that name the chunks of this array otherwise.
    fn other_encodings(&self) -> Vec<KeyEncoding> {
        let ones = vec![1; self.counts.len()];
        let own = self.encoding.key(&ones);
        let mut others = vec![
            KeyEncoding::V2 { separator: '.' },
            KeyEncoding::V2 { separator: '/' },
            KeyEncoding::Default { separator: '/' },
            KeyEncoding::Default { separator: '.' },
        ];
        let mut seen = vec![own];
        others.retain(|other| {
            let key = other.key(&ones);
            let new = !seen.contains(&key);
            seen.push(key);
            new
        });
        others
    }

    fn judge(&self, coordinates: Vec<u64>) -> Sighting {
        if self.has(&coordinates) {
            Sighting::Chunk(coordinates)
        } else {
            Sighting::Orphan(coordinates)
        }
    }
}

/// The next inner chunk of a shard in C order after `from` (or before it) that its index says is empty.
pub fn next_missing_inner(shard: &Shard, from: &[u64], forwards: bool) -> Option<Vec<u64>> {
    let is_empty =
        |number: &usize| shard.entries.get(*number).is_some_and(|entry| entry.bytes.is_none());
    let here = usize::try_from(order::number(from, &shard.counts)?).ok()?;
    let found = if forwards {
        (here + 1..shard.entries.len()).find(is_empty)
    } else {
        (0..here).rev().find(is_empty)
    };
    Some(order::coordinates(found? as u128, &shard.counts))
}

/// Under which keys the chunks of an array lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDiagnosis {
    /// The number of chunks under the declared keys.
    pub declared: u64,
    /// The other encodings that name chunks, with their numbers, where the array's own names none.
    pub elsewhere: Vec<(KeyEncoding, u64)>,
}

/// One listing under way.
struct Visit<'a> {
    layout: &'a Layout,
    store: &'a dyn Store,
    each: &'a mut dyn FnMut(Sighting) -> bool,
    stopped: bool,
    /// The first folder that could not be listed.
    error: Option<Error>,
}

impl Visit<'_> {
    /// Lists the folder `inside` the array, `depth` levels below it.
    fn folder(&mut self, inside: &str, depth: usize) {
        let (store, path) = (self.store, join_inside(&self.layout.path.0, inside));
        // One text for the keys of all entries: there can be millions.
        let mut key = if inside.is_empty() { String::new() } else { join(inside, "") };
        let start = key.len();
        let listed = store.visit(&path, &mut |entry| {
            key.truncate(start);
            key += &entry.name;
            self.entry(&key, &entry, depth);
            !self.stopped
        });
        if let Err(error) = listed {
            self.error.get_or_insert(error);
        }
    }

    /// Takes in what has the `key` below the array.
    fn entry(&mut self, key: &str, entry: &Entry, depth: usize) {
        if depth == 0 && !entry.is_folder && DOCUMENTS.contains(&entry.name.as_str()) {
            return;
        }
        let leads_to_chunks = entry.is_folder && self.leads_to_chunks(&entry.name, depth);
        if entry.is_link && (leads_to_chunks || !entry.is_folder) {
            self.stopped |= !(self.each)(Sighting::Link(join_inside(&self.layout.path.0, key)));
        }
        if leads_to_chunks {
            return self.folder(key, depth + 1);
        }
        let dimensions = self.layout.counts.len();
        let coordinates =
            if entry.is_folder { None } else { self.layout.encoding.parse(key, dimensions) };
        let sighting = match coordinates {
            Some(coordinates) => self.layout.judge(coordinates),
            None => Sighting::Foreign {
                key: join_inside(&self.layout.path.0, key),
                is_folder: entry.is_folder,
            },
        };
        self.stopped |= !(self.each)(sighting);
    }

    /// True if chunk keys go through a folder of that name, `depth` levels below the array.
    fn leads_to_chunks(&self, name: &str, depth: usize) -> bool {
        if self.layout.encoding.separator() != '/' {
            return false;
        }
        let dimensions = self.layout.counts.len();
        match self.layout.encoding {
            KeyEncoding::V2 { .. } => depth + 1 < dimensions && is_coordinate(name),
            KeyEncoding::Default { .. } | KeyEncoding::Suffixed { .. } if depth == 0 => {
                name == "c" && dimensions > 0
            }
            KeyEncoding::Default { .. } | KeyEncoding::Suffixed { .. } => {
                depth < dimensions && is_coordinate(name)
            }
        }
    }
}

fn is_coordinate(name: &str) -> bool {
    KeyEncoding::V2 { separator: '.' }.parse(name, 1).is_some()
}

fn join_inside(path: &str, inside: &str) -> String {
    if inside.is_empty() { path.to_owned() } else { join(path, inside) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_beside_an_array_are_those_of_its_keys() {
        let holds = |encoding| {
            let layout = Layout { path: NodePath("a".into()), encoding, counts: vec![2, 2] };
            ["a/c", "a/0", "a/x", "b/c"].map(|folder| layout.may_hold(folder, true))
        };
        assert_eq!(holds(KeyEncoding::Default { separator: '/' }), [true, false, false, false]);
        assert_eq!(holds(KeyEncoding::V2 { separator: '/' }), [false, true, false, false]);
        assert_eq!(holds(KeyEncoding::V2 { separator: '.' }), [false; 4]);
    }
}
