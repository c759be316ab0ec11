//! From the file through every codec, keeping each stage.

use super::{
    WHOLE, detect,
    plan::{self, Plan},
    section::Section,
};
use crate::zarr::prelude::*;
use crate::zarr::{
    budget::stopped,
    codec::{Link, Outcome},
    store,
};
use std::time::Instant;

mod around;
mod shard;

/// The most bytes of a raw chunk that is read whole for those who need every element, where it cannot be mapped.
const LARGE: u64 = 256 << 20;

/// The most bytes that are read before their number is known.
const FETCHED: u64 = 64 << 20;

/// The part of a chunk that is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The stages for a view.
    View,
    /// The same, and all of what a view shows a window of: mapped, if the store can do that.
    Mapped,
    /// The same, and of a shard that a view does not put together some inner chunks in place of its elements.
    Sampled,
    /// Every element, in memory.
    Whole,
    /// The same, and of a shard that a view does not put together every inner chunk is decoded and some are kept.
    Checked,
}

impl Extent {
    /// True if what a view shows a window of is mapped.
    fn is_mapped(self) -> bool {
        matches!(self, Self::Mapped | Self::Sampled)
    }

    /// True if everything is read.
    fn is_whole(self) -> bool {
        matches!(self, Self::Whole | Self::Checked)
    }

    /// True if the elements of `chain` are a shard of which inner chunks are kept in place of its elements.
    fn is_sampled(self, chain: &Chain) -> bool {
        matches!(self, Self::Sampled | Self::Checked)
            && chain.fault.is_none()
            && chain.sharding() == Some(0)
            && chain
                .links
                .first()
                .is_some_and(|link| link.decoded_size.exact.is_some_and(|len| len > WHOLE))
    }
}

/// Reads and decodes one chunk.
pub(super) fn load(
    store: &dyn Store,
    path: &NodePath,
    array: &ArrayMetadata,
    id: &ChunkId,
    section: (u64, Extent),
    budget: &Budget,
) -> Chunk {
    load_then(store, (path, array, id), section, budget, &|chunk| chunk)
}

/// What `then` makes of one chunk, which is read and decoded, and takes memory of the budget until that is done.
pub(super) fn load_then<T>(
    store: &dyn Store,
    (path, array, id): (&NodePath, &ArrayMetadata, &ChunkId),
    (around, extent): (u64, Extent),
    budget: &Budget,
    then: &dyn Fn(Chunk) -> T,
) -> T {
    let error = array.refused.clone();
    let mut chunk = Chunk { id: id.clone(), error, ..Chunk::default() };
    if chunk.error.is_some() {
        return then(chunk);
    }
    let plan = match plan::plan(path, array, id) {
        Ok(plan) => plan,
        Err(error) => return then(Chunk { error: Some(error), ..chunk }),
    };
    chunk.key.clone_from(&plan.key);
    chunk.region.clone_from(&plan.region);
    chunk.shape.clone_from(&plan.shape);
    let reads_first = reads_first(store, &plan, &id.inner, extent);
    if !reads_first {
        measure(&mut chunk, store);
        if chunk.stored.is_none() {
            return then(chunk);
        }
    }
    let len = chunk.stored.map(|stat| stat.len);
    let cost = |limit| cost(&plan.chain, &id.inner, extent, (len, limit));
    let mut work = |budget: &Budget| {
        let mut chunk = chunk.clone();
        let held = if reads_first { fetch(&mut chunk, store) } else { None };
        if let Some(stat) = chunk.stored {
            let stored = StoredBytes { store, len: stat.len, held };
            read(&mut chunk, stored, array, &plan, (around, extent), budget);
        }
        (is_cut(&chunk), then(chunk))
    };
    match budget.reserving(&cost, &mut work, &|(is_cut, _)| *is_cut) {
        Ok((_, done)) => done,
        Err(error) => then(Chunk { error: Some(error), ..chunk }),
    }
}

/// The stored bytes of a chunk.
struct StoredBytes<'s> {
    store: &'s dyn Store,
    len: u64,
    /// All of them, where they were read already.
    held: Option<Bytes>,
}

/// True if a chunk is read before its length is known: all of it is wanted, and nothing tells how long it is.
fn reads_first(store: &dyn Store, plan: &Plan, inner: &[Vec<u64>], extent: Extent) -> bool {
    let most = if extent.is_whole() { FETCHED / 2 } else { WHOLE };
    let decoded = plan.chain.links.first().and_then(|link| link.decoded_size.exact);
    let is_small = decoded.is_none_or(|len| len <= most);
    inner.is_empty() && is_small && !store.tells_length(&plan.key)
}

/// Looks up how long the stored bytes are.
fn measure(chunk: &mut Chunk, store: &dyn Store) {
    match store.stat(&chunk.key) {
        Ok(stat) => chunk.stored = stat,
        Err(error) => chunk.error = Some(error.in_file(&chunk.key)),
    }
}

/// Reads the stored bytes, which then tell how long they are.
fn fetch(chunk: &mut Chunk, store: &dyn Store) -> Option<Bytes> {
    match store.read(&chunk.key, FETCHED) {
        Ok(None) => None,
        Ok(Some(bytes)) => {
            let stat = Stat::of_len(bytes.len() as u64);
            chunk.stored = Some(stat);
            Some(Bytes::whole(bytes))
        }
        Err(error) if error.code == Code::TooLarge => {
            measure(chunk, store);
            None
        }
        Err(error) => {
            chunk.error = Some(error.in_file(&chunk.key));
            None
        }
    }
}

/// The bytes of memory that a chunk takes at most, or an inner chunk of it. Of how many bytes are stored, `stored`
/// tells what is known.
fn cost(
    chain: &Chain,
    inner: &[Vec<u64>],
    extent: Extent,
    (stored, limit): (Option<u64>, u64),
) -> u64 {
    let link = chain.sharding().and_then(|at| chain.links.get(at)?.codec.as_ref().ok());
    match (inner, link.and_then(|codec| codec.sharding())) {
        ([_, inner @ ..], Some(sharding)) => {
            let inner = cost(&sharding.inner, inner, extent, (None, limit));
            inner.saturating_add(sharding.index_memory())
        }
        _ if chain.is_raw() => {
            let whole = if extent == Extent::View { WHOLE } else { LARGE };
            chain.cost(stored, limit).min(whole)
        }
        ([], Some(sharding)) if extent.is_sampled(chain) => {
            let outer = chain.links.iter().skip(1).map(|link| link.cost(limit));
            let inner = sharding.inner.cost(None, limit).saturating_add(sharding.index_memory());
            outer.fold(inner, u64::saturating_add).saturating_add(stored.unwrap_or(0))
        }
        _ => chain.cost(stored, limit),
    }
}

/// True if a chunk did not fit into the limit.
fn is_cut(chunk: &Chunk) -> bool {
    chunk.fault().is_some_and(Error::is_limit)
}

fn read(
    chunk: &mut Chunk,
    StoredBytes { store, len, held }: StoredBytes<'_>,
    array: &ArrayMetadata,
    plan: &Plan,
    (around, extent): (u64, Extent),
    budget: &Budget,
) {
    let mut walk = DecodeWalk {
        array,
        plan,
        budget,
        around,
        extent,
        stages: Vec::new(),
        holders: Vec::new(),
        inner_missing: false,
    };
    let section = match held {
        Some(bytes) => Section::at_hand(bytes),
        None if walk.is_mapped(len, &chunk.id.inner) => Section::mapped(store, &plan.key, len),
        None => Section::file(store, &plan.key, len),
    };
    walk.stages.push(Stage { input_len: len, ..Stage::file() });
    walk.hold(&section);
    let data = walk.chain(&plan.chain, &section, &chunk.id.inner);
    if let Some(elements) = data.as_ref().and_then(Data::elements) {
        // A clipped chunk has another shape than the grid says.
        chunk.shape = elements.shape().to_vec();
    }
    chunk.inner_missing = walk.inner_missing;
    chunk.stages = match section.intact() {
        Ok(()) => walk.stages,
        Err(error) => vec![Stage { input_len: len, error: Some(error), ..Stage::file() }],
    };
    if matches!(extent, Extent::View | Extent::Whole)
        && let Some(leads_to) = store.outside(&plan.key)
        && let Some(file) = chunk.stages.first_mut()
    {
        let error = store::link_outside(&plan.key, &leads_to);
        file.notes.push(Note::new(error.code, format!("This file is {}.", error.found)));
    }
    let ignore = array.registry.ignores_checksums || budget.ignores_checksums();
    hold_against(store, &plan.key, &mut chunk.stages, extent, ignore, budget);
    for error in chunk.stages.iter_mut().filter_map(|stage| stage.error.as_mut()) {
        error.place.file.get_or_insert_with(|| plan.key.clone());
    }
}

/// Compares the stored bytes with the CRC-32 that the archive keeps of them: for a view where all are at hand and not
/// too many, else all of them, of whatever length. Where it does not agree, nothing that was made of them is shown unless
/// checksums are ignored.
fn hold_against(
    store: &dyn Store,
    key: &str,
    stages: &mut Vec<Stage>,
    extent: Extent,
    ignore: bool,
    budget: &Budget,
) {
    let (Some(crc32), Some(file)) = (store.crc32(key), stages.first_mut()) else { return };
    let bytes = file.output.as_ref().and_then(|data| data.bytes().as_whole());
    let is_view = matches!(extent, Extent::View | Extent::Mapped);
    let verdict = match bytes.filter(|bytes| !is_view || bytes.len() as u64 <= WHOLE) {
        Some(bytes) => store::agrees(crc32, bytes, budget.stop()),
        None if !is_view => store.verify(key, budget.stop()),
        None => {
            let text = "The CRC-32 of this zip member was not checked: only a part of it was read.";
            file.notes.push(Note::new(Code::ZipUnchecked, text));
            return;
        }
    };
    if let Err(error) = verdict {
        file.error = Some(error);
        if !ignore {
            stages.truncate(1);
        }
    }
}

/// The way from the file to the elements.
struct DecodeWalk<'a> {
    array: &'a ArrayMetadata,
    plan: &'a Plan,
    budget: &'a Budget<'a>,
    /// The byte of the file that is looked at.
    around: u64,
    extent: Extent,
    stages: Vec<Stage>,
    /// The stages that give the file, or a shard in it, of which no more is read than what is looked at: each with
    /// where it begins in the file, and its length.
    holders: Vec<(usize, u64, u64)>,
    inner_missing: bool,
}

impl DecodeWalk<'_> {
    /// True if all is wanted of a file of which a view gets windows: a raw chunk, or a shard that is not put together.
    fn is_mapped(&self, len: u64, inner: &[Vec<u64>]) -> bool {
        let chain = &self.plan.chain;
        let is_cut = |link: &Link| {
            link.sharding().is_some() && (!inner.is_empty() || self.too_large(link, len))
        };
        self.extent.is_mapped()
            && len > WHOLE
            && (chain.is_raw() || chain.links.last().is_some_and(is_cut))
    }

    /// Undoes the codecs of `chain` on `section`; `None` where it ends before the elements.
    fn chain(&mut self, chain: &Chain, section: &Section, inner: &[Vec<u64>]) -> Option<Data> {
        let mut data = None;
        let mut clipped: Option<Chain> = None;
        for (at, link) in chain.links.iter().enumerate().rev() {
            let sharding = link.sharding();
            if let Some(sharding) =
                sharding.filter(|_| inner.is_empty() && self.extent.is_sampled(chain))
            {
                if data.is_none() && self.extent == Extent::Checked {
                    data = Some(self.start(chain, section)?);
                }
                let held = data.map(|data| Section::memory(Data::bytes(&data).clone()));
                let section = held.unwrap_or_else(|| section.clone());
                data = Some(self.sampled_shard(link, sharding, &section)?);
                continue;
            }
            if let Some(sharding) =
                sharding.filter(|_| !inner.is_empty() || self.too_large(link, section.len()))
            {
                let section = match &data {
                    Some(data) => Section::memory(Data::bytes(data).clone()),
                    None => section.clone(),
                };
                data = Some(self.shard(link, sharding, &section, inner)?);
                continue;
            }
            let input = match data.take() {
                Some(data) => data,
                None => self.start(chain, section)?,
            };
            let link = clipped.as_ref().and_then(|chain| chain.links.get(at)).unwrap_or(link);
            data = self.link(chain, at, link, &input);
            if data.is_none() {
                clipped = self.clipped_chain(chain, at, &input);
                let retry = clipped.as_ref()?.links.get(at)?;
                self.stages.pop();
                data = Some(self.clipped_link(retry, &input)?);
            }
        }
        if let Some(fault) = &chain.fault {
            self.show_holders(section, None);
            let error = Some(fault.clone());
            self.stages.push(Stage { name: "array".into(), error, ..Stage::default() });
            return None;
        }
        data
    }

    /// True if a shard decodes to more than should be put together.
    fn too_large(&self, link: &Link, stored: u64) -> bool {
        !self.extent.is_whole() && link.decoded_size.exact.unwrap_or(stored) > WHOLE
    }

    /// The stored bytes that the last codec begins with.
    fn start(&mut self, chain: &Chain, section: &Section) -> Option<Data> {
        let started = Instant::now();
        let read = self.file(chain, section);
        let file = self.stages.first_mut().filter(|_| section.file_offset() == Some(0));
        match read {
            Ok(bytes) => {
                if let Some(file) = file {
                    file.output = Some(Data::Bytes(bytes.clone()));
                    file.elapsed = started.elapsed();
                }
                Some(Data::Bytes(bytes))
            }
            Err(error) => {
                let window = self.window(section, None).ok().map(Data::Bytes);
                if let Some(stage) = self.stages.last_mut() {
                    stage.output = stage.output.take().or(window);
                    stage.error = Some(error);
                }
                None
            }
        }
    }

    /// The stored bytes, or of a raw file that is too long for that a window of them.
    fn file(&self, chain: &Chain, section: &Section) -> Result<Bytes> {
        let whole = match self.extent {
            Extent::View => WHOLE,
            _ => LARGE,
        };
        let is_file = section.file_offset() == Some(0) && !section.is_at_hand();
        if is_file && chain.is_raw() && section.len() > whole {
            let size = chain.links.first().and_then(|link| link.decoded.as_ref());
            let size = size.and_then(|array| array.data_type.fixed_size());
            return self.window(section, size);
        }
        self.stored(chain, section)
    }

    fn stored(&self, chain: &Chain, section: &Section) -> Result<Bytes> {
        if section.is_at_hand() && chain.is_raw() {
            return section.all();
        }
        chain.fits(self.budget)?;
        let promised = chain.encoded_size().most.unwrap_or(0);
        let most = promised.max(self.budget.limit());
        if section.len() > most {
            let found = format!("{} stored bytes", section.len());
            let expected = format!("at most {most}");
            let error = Error::new(Code::ChunkTooLong, found, expected);
            return Err(error.with_fix("Raise the limit with --max-decoded."));
        }
        section.all().map(Bytes::owned)
    }

    /// Undoes one codec.
    fn decoded(&self, link: &Link, input: &Data) -> Stage {
        let started = Instant::now();
        let outcome = if self.budget.is_stopped() {
            Outcome::failed(stopped())
        } else {
            link.decode(input, self.budget)
        };
        Stage::of(link, input.len(), outcome, started.elapsed())
    }

    /// Keeps a stage; gives its output, unless it failed.
    fn push(&mut self, stage: Stage) -> Option<Data> {
        let output = stage.output.clone().filter(|_| stage.error.is_none());
        self.stages.push(stage);
        output
    }

    /// Undoes one codec, and keeps the stage.
    fn link(&mut self, chain: &Chain, at: usize, link: &Link, input: &Data) -> Option<Data> {
        let mut stage = self.decoded(link, input);
        let code = stage.error.as_ref().map(|error| error.code);
        if link.codec.is_ok() && code.is_some() {
            // A checksum comes after the bytes of the codec that comes next, which are no surprise there.
            let inner = at.checked_sub(usize::from(code == Some(Code::ChecksumMismatch)));
            let inner = inner.and_then(|at| chain.links.get(at)).unwrap_or(link);
            let kind = link.codec.as_ref().ok().map(|codec| codec.kind());
            let raw = chain.links.first().and_then(|link| link.decoded_size.exact);
            let failed = detect::Failed {
                name: &link.spec.name,
                expected: &[link.row, inner.row],
                is_file: self.stages.len() <= 1,
                is_raw: kind == Some(CodecKind::BytesToBytes) && raw == Some(input.len()),
            };
            let codecs = &self.array.registry.codecs;
            let note = detect::note(input.bytes().here(), &failed, codecs);
            stage.notes.extend(note);
        }
        if code == Some(Code::ChecksumMismatch) {
            stage.notes.extend(self.without_checksum(chain, at, stage.output.clone()));
        }
        self.push(stage)
    }

    /// The note on decoding the chunk with a checksum ignored that does not agree.
    fn without_checksum(&self, chain: &Chain, at: usize, output: Option<Data>) -> Option<Note> {
        let budget = self.budget.ignoring_checksums(true);
        let mut data = output?;
        let mut failed = None;
        for link in chain.links.get(..at)?.iter().rev() {
            let outcome = link.decode(&data, &budget);
            failed = outcome.error;
            match outcome.output {
                Some(output) => data = output,
                None => break,
            }
            if failed.is_some() {
                break;
            }
        }
        let expected = chain.links.first()?.decoded_size.exact;
        let of = expected.map_or(String::new(), |len| format!(" of {len}"));
        let text = match failed {
            None => format!("Ignoring the checksum, it decodes to {}{of} bytes.", data.len()),
            Some(error) => {
                format!("Ignoring the checksum, decoding also fails: found {}.", error.found)
            }
        };
        Some(Note::new(Code::WithoutChecksum, text))
    }

    /// The chain for a chunk that was cut at the array's edge, if `input` has just the length of one.
    fn clipped_chain(&self, chain: &Chain, at: usize, input: &Data) -> Option<Chain> {
        let kind = chain.links.get(at)?.codec.as_ref().ok()?.kind();
        let shape = self.plan.clipped().filter(|_| kind == CodecKind::ArrayToBytes)?;
        let clipped = plan::chain(self.array, &shape).ok()?;
        let size = clipped.links.get(at)?.decoded_size.exact;
        (size == Some(input.len()) && chain.links.len() == clipped.links.len()).then_some(clipped)
    }

    /// Undoes the codec of a clipped chunk, and says so.
    fn clipped_link(&mut self, link: &Link, input: &Data) -> Option<Data> {
        let mut stage = self.decoded(link, input);
        let shape = link.decoded.as_ref().map(|array| array.shape.clone()).unwrap_or_default();
        let text = format!(
            "The chunk is clipped to {shape:?} at the array's edge. The specifications require full-size chunks; \
             readers may fail on this one."
        );
        stage.notes.push(Note::new(Code::ClippedChunk, text));
        self.push(stage)
    }
}
