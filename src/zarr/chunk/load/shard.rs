//! From a shard to one of its inner chunks.

use super::{DecodeWalk, Extent};
use crate::zarr::prelude::*;
use crate::zarr::{
    chunk::section::Section,
    codec::{
        Block, Link, Outcome,
        sharding::{Shard, Sharding},
    },
};
use std::time::Instant;

impl DecodeWalk<'_> {
    /// Looks into a shard: at its index, and at the inner chunk that was asked for.
    pub(super) fn shard(
        &mut self,
        link: &Link,
        sharding: &Sharding,
        section: &Section,
        inner: &[Vec<u64>],
    ) -> Option<Data> {
        let started = Instant::now();
        let (shard, said) = self.opened(link, sharding, section)?;
        let mut stage = Stage::of(link, section.len(), said, started.elapsed());
        stage.shard = Some(Arc::clone(&shard));
        let found = match inner.split_first() {
            None => {
                stage.notes.push(overview(&shard));
                None
            }
            Some((coordinates, rest)) => {
                let found = self.inner(sharding, &shard, coordinates, section, rest.is_empty());
                self.found(found, &mut stage).map(|(part, bytes)| (part, bytes, rest))
            }
        };
        let Some((part, bytes, rest)) = found else {
            self.stages.push(stage);
            self.show_holders(section, None);
            return None;
        };
        stage.blocks = place(section, &part);
        stage.output = bytes.clone().map(Data::Bytes);
        self.stages.push(stage);
        match &bytes {
            Some(bytes) => self.show_holders(section, part.file_offset().map(|at| (at, bytes))),
            None => self.hold(&part),
        }
        let part = bytes.map_or(part, Section::memory);
        self.chain(&sharding.inner, &part, rest)
    }

    /// Decodes inner chunks of a shard that is too large to be put together.
    pub(super) fn sampled_shard(
        &mut self,
        link: &Link,
        sharding: &Sharding,
        section: &Section,
    ) -> Option<Data> {
        let started = Instant::now();
        let (shard, said) = self.opened(link, sharding, section)?;
        let all = self.extent == Extent::Checked;
        let mut read = |range| section.read(range).map(Bytes::owned);
        let Outcome { output, error, blocks, .. } =
            sharding.sample(&shard, all, &mut read, self.budget);
        let outcome = Outcome { output, blocks, error, ..said };
        let mut stage = Stage::of(link, section.len(), outcome, started.elapsed());
        stage.shard = Some(shard);
        self.push(stage)
    }

    /// The index of a shard, and what is said of it; where it cannot be read, that is kept as the last stage.
    fn opened(
        &mut self,
        link: &Link,
        sharding: &Sharding,
        section: &Section,
    ) -> Option<(Arc<Shard>, Outcome)> {
        let started = Instant::now();
        let mut read = |range| section.read(range).map(Bytes::owned);
        match sharding.open(section.len(), self.budget, &mut read) {
            Ok((shard, said)) => Some((Arc::new(shard), said)),
            Err(said) => {
                self.stages.push(Stage::of(link, section.len(), *said, started.elapsed()));
                self.show_holders(section, None);
                None
            }
        }
    }

    /// Says on the stage why there is no inner chunk to go on with.
    fn found<T>(&mut self, found: Result<Option<T>>, stage: &mut Stage) -> Option<T> {
        match found {
            Ok(Some(found)) => return Some(found),
            Ok(None) => {
                self.inner_missing = true;
                stage.notes.push(Note::new(Code::ShardOverview, EMPTY));
            }
            Err(error) => stage.error = Some(error),
        }
        None
    }

    /// The place of an inner chunk, and its bytes unless it is a shard of which only a part is wanted.
    fn inner<'b>(
        &self,
        sharding: &Sharding,
        shard: &Shard,
        coordinates: &[u64],
        section: &Section<'b>,
        last: bool,
    ) -> Result<Option<(Section<'b>, Option<Bytes>)>> {
        let number = sharding.number(coordinates).ok_or_else(|| {
            let found = format!("the inner chunk {}", list(coordinates));
            let expected = format!("inside the grid of {}", times(&sharding.counts));
            Error::new(Code::NoSuchPlace, found, expected)
        })?;
        let Some(range) = shard.bytes(number)? else { return Ok(None) };
        let part = section.part(&range);
        if !last {
            return Ok(Some((part, None)));
        }
        let bytes = self.stored(&sharding.inner, &part)?;
        Ok(Some((part, Some(bytes))))
    }
}

/// The place of an inner chunk in its shard.
fn place(section: &Section, part: &Section) -> Vec<Block> {
    let start = part.start().saturating_sub(section.start());
    let input = start..start + part.len();
    vec![Block { input, output: 0..part.len(), exact: true }]
}

const EMPTY: &str = "The index marks this inner chunk as empty: it reads as the fill value.";

fn overview(shard: &Shard) -> Note {
    let (all, empty) = (shard.entries.len(), shard.empty());
    let text = format!(
        "The shard has {all} inner chunks, {empty} of them empty. Open one to see its elements."
    );
    Note::new(Code::ShardOverview, text)
}
