//! `jenkins_lookup3` of numcodecs: Bob Jenkins's hash from 2006 behind the bytes, as HDF5 puts it behind its metadata.

use super::{
    Checksum, Codec, CodecKind, Context, Data, Outcome, Representation, Size, checksum::too_short,
    config::Setup,
};
use crate::zarr::{
    error::{Flagged, Result},
    json::Json,
};
use std::sync::Arc;

#[derive(Debug)]
struct JenkinsLookup3 {
    seed: u32,
    /// Bytes that are hashed before the data and stored nowhere.
    prefix: Vec<u8>,
}

pub(super) fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    let said = setup.number("initval")?.unwrap_or(0);
    let seed = u32::try_from(said)
        .ok()
        .ok_or_else(|| setup.fault("initval", said.to_string(), "a number of 32 bits"))?;
    let prefix = match setup.member("prefix").filter(|json| !json.is_null()) {
        None => Vec::new(),
        Some(json) => prefix(json)
            .ok_or_else(|| setup.refuse("prefix", json, "null, a string or an array of bytes"))?,
    };
    Ok(Flagged::plain(Arc::new(JenkinsLookup3 { seed, prefix })))
}

fn prefix(json: &Json) -> Option<Vec<u8>> {
    if let Some(text) = json.as_str() {
        return Some(text.as_bytes().to_vec());
    }
    let byte = |item: &Json| u8::try_from(item.as_u64()?).ok();
    json.as_array()?.iter().map(byte).collect()
}

impl Codec for JenkinsLookup3 {
    fn kind(&self) -> CodecKind {
        CodecKind::BytesToBytes
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        decoded.plus(4)
    }

    fn decode(&self, input: &Data, _: Option<&Representation>, _: &Context<'_>) -> Outcome {
        let bytes = match super::whole(input) {
            Ok(bytes) => bytes,
            Err(error) => return Outcome::failed(error),
        };
        let Some((payload, stored)) = bytes.split_last_chunk() else {
            return Outcome::failed(too_short(bytes.len(), "jenkins_lookup3"));
        };
        let computed = if self.prefix.is_empty() {
            hash(payload, self.seed)
        } else {
            hash(&[&self.prefix, payload].concat(), self.seed)
        };
        let end = payload.len() as u64;
        let checksum = Checksum {
            algorithm: "jenkins_lookup3",
            bytes: end..end + 4,
            stored: u32::from_le_bytes(*stored).into(),
            computed: computed.into(),
        };
        let output = input.bytes().slice(0..end).map(Data::Bytes);
        Outcome { output, checksum: Some(checksum), ..Outcome::default() }
    }
}

/// The hash of `bytes`: twelve at a time as three little-endian words, mixed; the last one to twelve mixed otherwise.
fn hash(bytes: &[u8], seed: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the hash takes the length modulo 2³²")]
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32).wrapping_add(seed);
    let mut state = [start; 3];
    let last = bytes.len().saturating_sub(1) / 12 * 12;
    let (head, tail) = bytes.split_at(last);
    for block in head.chunks_exact(12) {
        add(&mut state, block);
        mix(&mut state);
    }
    if !tail.is_empty() {
        add(&mut state, tail);
        finish(&mut state);
    }
    state[2]
}

fn add(state: &mut [u32; 3], block: &[u8]) {
    for (word, bytes) in state.iter_mut().zip(block.chunks(4)) {
        let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
        *word = word.wrapping_add(value);
    }
}

fn mix(state: &mut [u32; 3]) {
    let [mut a, mut b, mut c] = *state;
    for rotations in [[4, 6, 8], [16, 19, 4]] {
        a = a.wrapping_sub(c) ^ c.rotate_left(rotations[0]);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(rotations[1]);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(rotations[2]);
        b = b.wrapping_add(a);
    }
    *state = [a, b, c];
}

fn finish(state: &mut [u32; 3]) {
    let [mut a, mut b, mut c] = *state;
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    c = (c ^ b).wrapping_sub(b.rotate_left(24));
    *state = [a, b, c];
}

#[cfg(test)]
mod tests {
    use super::hash;

    /// The values that the author of the hash prints for his own test.
    #[test]
    fn the_hash_is_that_of_its_author() {
        assert_eq!(hash(b"", 0), 0xdead_beef);
        assert_eq!(hash(b"", 0xdead_beef), 0xbd5b_7dde);
        assert_eq!(hash(b"Four score and seven years ago", 0), 0x1777_0551);
        assert_eq!(hash(b"Four score and seven years ago", 1), 0xcd62_8161);
    }
}
