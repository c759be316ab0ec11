//! `shuffle`: the first bytes of all elements, then the second bytes of all, and so on.

use super::prelude::*;

#[derive(Debug)]
struct Shuffle {
    /// Bytes of an element.
    size: usize,
}

pub(super) static ROW: CodecRow = CodecRow {
    v3: &["numcodecs.shuffle"],
    v2: &["shuffle"],
    members: &["elementsize"],
    lesson: "Groups the first bytes of all elements, then the second bytes, and so on.",
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let said = setup.number("elementsize")?.unwrap_or(4);
    let item = setup.array.and_then(|array| array.data_type.fixed_size());
    // netCDF-C writes 0 for the size of the array's elements.
    let size = match (said, item) {
        (0, Some(item)) => item,
        (0, None) => 1,
        (said, _) => to_usize(said),
    };
    let notes = size_note(said, item).into_iter().collect();
    Ok(Flagged { value: Arc::new(Shuffle { size }), notes })
}

/// The note on a size that is not that of the elements.
fn size_note(said: u64, item: Option<usize>) -> Option<Note> {
    let item = item.filter(|&item| said != item as u64)?;
    if said == 0 {
        let text = format!(
            "The elementsize is 0. zarrscope reads it as {item}, the size of the elements, as netCDF-C means it; \
             numcodecs 0.16.6 reads 0 as no shuffle and gives other values."
        );
        return Some(Note::new(Code::ShuffleSizeZero, text));
    }
    let text = format!(
        "The elementsize is {said}, although elements have {}. If the chunks were written that way, the values are \
         right and only compress less well.",
        byte_count(item)
    );
    Some(Note::new(Code::ShuffleSize, text))
}

impl Codec for Shuffle {
    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let bytes = context.whole()?;
        if self.size <= 1 {
            return Ok(context.input.clone());
        }
        let mut out = room(bytes.len())?;
        let elements = bytes.chunks_exact(self.size);
        let rest = elements.remainder();
        for place in 0..self.size.min(bytes.len()) {
            out.extend(elements.clone().filter_map(|element| element.get(place)));
        }
        out.extend(rest);
        Ok(Data::whole(out))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let stored = context.whole()?;
        if self.size <= 1 {
            return Ok(Outcome::output(context.input.clone()));
        }
        if stored.len() as u64 > context.budget.limit() {
            return Err(too_large(context));
        }
        let count = stored.len() / self.size;
        let header = (0..self.size.min(MOST_PLANES)).map(|index| plane(index, count)).collect();
        let rest = stored.len() % self.size;
        let notes = (rest != 0).then(|| {
            let text = format!(
                "A rest of {} is less than one element of {} and is left unshuffled, as in HDF5; numcodecs 0.17.1 \
                 refuses such data.",
                byte_count(rest),
                byte_count(self.size)
            );
            Note::new(Code::ShuffleSize, text)
        });
        let notes = notes.into_iter().collect();
        let outcome = unshuffled(stored, self.size).map_or_else(Outcome::failed, Outcome::bytes);
        Ok(Outcome { header, notes, ..outcome })
    }

    /// Shuffled bytes are plane by plane: first the first byte of every element, then the second. What is no whole
    /// element at the end stays where it is.
    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        let (len, size) = (passage.len(towards), self.size as u64);
        let count = len.checked_div(size).unwrap_or(0);
        passage.byte(
            match towards {
                _ if offset >= count * size => offset,
                Towards::Elements => offset % count * size + offset / count,
                Towards::File => offset % size * count + offset / size,
            },
            towards,
        )
    }

    fn keeps_order(&self, _: &Passage) -> bool {
        self.size <= 1
    }
}

/// The number of the byte planes listed.
const MOST_PLANES: usize = 16;

fn plane(index: usize, count: usize) -> HeaderField {
    let at = (index * count) as u64;
    let name = format!("byte {index} of each element");
    HeaderField::new(at..at + count as u64, name, format!("{count} elements"))
}

/// The number of elements put together at a time, so that they stay in the cache until each has all its bytes.
const BLOCK: usize = 2048;

fn unshuffled(bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    let count = bytes.len() / size;
    let mut out = room(bytes.len())?;
    out.extend_from_slice(bytes);
    if count == 0 {
        return Ok(out);
    }
    for (block, elements) in out.chunks_mut(BLOCK * size).enumerate() {
        for (index, plane) in bytes.chunks_exact(count).take(size).enumerate() {
            let plane = plane.get(block * BLOCK..).unwrap_or_default();
            for (element, &byte) in elements.chunks_exact_mut(size).zip(plane) {
                if let Some(place) = element.get_mut(index) {
                    *place = byte;
                }
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{budget::Budget, codec::Data};

    #[test]
    fn no_more_is_unshuffled_than_the_limit() {
        let input = &Data::whole(vec![7; 64]);
        let code = |limit| {
            let budget = Budget::default().with_limit(limit);
            let context = Context { input, decoded: None, expected: None, budget };
            Shuffle { size: 4 }.decode(&context).err().map(|error| error.code)
        };
        assert_eq!((code(64), code(63)), (None, Some(Code::DecodedTooLarge)));
    }

    #[test]
    fn planes_become_elements_again() {
        let unshuffled = |bytes: &[u8], size| unshuffled(bytes, size).unwrap();
        assert_eq!(unshuffled(&[1, 4, 2, 5, 3, 6, 9], 3), [1, 2, 3, 4, 5, 6, 9]);
        assert_eq!(unshuffled(&[1, 2], 3), [1, 2]);
        let elements: Vec<u8> = (0..10_000_u32).flat_map(u32::to_le_bytes).collect();
        let planes: Vec<u8> =
            (0..4).flat_map(|i| elements.iter().skip(i).step_by(4).copied()).collect();
        assert_eq!(unshuffled(&planes, 4), elements);
    }
}
