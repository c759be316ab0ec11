//! Two chunks compared, or a chunk and the same elements of another array: by their keys, or as files.

use super::{Arguments, Total, UnreadOfBoth, values};
use crate::cli::prelude::*;
use crate::{
    app::page::compare::NodePair,
    zarr::compare::{documents, parts},
};

/// Compares a part of each of two arrays: the chunks that were named. Where only one was, it is compared with the same
/// elements of the other array.
pub(super) fn compare(
    opened: &[OpenedArray; 2],
    arguments: &Arguments,
    output: &mut Output,
) -> CommandResult {
    let [a, b] = opened;
    let arrays = [ReadArray::new(a, output)?, ReadArray::new(b, output)?];
    let chunks = chunks(opened, arguments)?;
    let parts = parts_of(&arrays, &chunks)?;
    let mut pair = NodePair { rows: documents(&a.metadata, &b.metadata), ..NodePair::default() };
    pair.keep_rows_of_chunks();
    let mut unread = UnreadOfBoth::default();
    if !arguments.metadata_only {
        pair.arrays = Some(values(&mut unread, &arrays, &parts, arguments)?);
    }
    let missing = unread.each_ref().map(|side| side.missing > 0);
    pair.path = name(opened, &chunks, missing, parts[0] != parts[1]);
    let mut total = Total::of("chunk");
    total.tell(&pair, (&unread, [&a.name, &b.name]), true, arguments, output)?;
    total.conclude(arguments, output)
}

/// The chunks that were named: by `--chunk`, or as files.
fn chunks(opened: &[OpenedArray; 2], arguments: &Arguments) -> Result<[Option<ChunkId>; 2]> {
    if arguments.chunk.len() > 2 {
        let found = format!("--chunk {} times", arguments.chunk.len());
        return Err(Error::new(Code::InvalidArgument, found, "once, or twice: of A and of B"));
    }
    let chunk = |side: usize| -> Result<Option<ChunkId>> {
        let Some(of) = opened.get(side) else { return Ok(None) };
        let named = arguments.chunk.get(side);
        let read = named.map(|key| ChunkId::parse(key, &of.metadata)).transpose()?;
        Ok(read.or_else(|| of.chunk.clone()))
    };
    Ok([chunk(0)?, chunk(1)?])
}

/// The elements of each array that are compared.
fn parts_of(arrays: &[ReadArray<'_>; 2], chunks: &[Option<ChunkId>; 2]) -> Result<[Region; 2]> {
    let readers = arrays.each_ref().map(|array| &array.reader);
    parts(readers, chunks.each_ref().map(Option::as_ref)).map_err(|error| {
        let is_alone = chunks.iter().any(Option::is_none);
        if is_alone && error.code == Code::NotComparable {
            error.with_fix("Name the chunk of B, too: --chunk KEY --chunk KEY.")
        } else {
            error
        }
    })
}

/// The two chunks that are compared: `A c/0/0  B 0.0`.
fn name(
    opened: &[OpenedArray; 2],
    chunks: &[Option<ChunkId>; 2],
    missing: [bool; 2],
    is_elsewhere: bool,
) -> String {
    let side = |(of, chunk): (&OpenedArray, &Option<ChunkId>), is_missing: bool| {
        let key = |id: &ChunkId| {
            let key = of.metadata.key_encoding.as_ref().map(|keys| keys.key(&id.coordinates));
            id.name(&key.unwrap_or_default())
        };
        let name = chunk.as_ref().map_or_else(|| "the same elements".to_owned(), key);
        let missing = match chunk {
            Some(_) if is_missing && of.metadata.declared_fill().is_none() => {
                " (not stored: its values are undefined)"
            }
            Some(_) if is_missing => " (not stored: reads as the fill value)",
            _ => "",
        };
        format!("{}{missing}", safe(&name))
    };
    let [a, b] = opened;
    let [of_a, of_b] = chunks;
    let places = if is_elsewhere { "  (places are those in A)" } else { "" };
    format!("A {}  B {}{places}", side((a, of_a), missing[0]), side((b, of_b), missing[1]))
}
