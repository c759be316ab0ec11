//! The walk over a stage, both ways and once around: over what is here in one go, over what is not window by window.

use crate::app::prelude::*;
use memchr::memmem;

/// The number of elements looked at between two questions whether to go on.
const STRIDE: u64 = 1 << 16;
/// The number of bytes looked at between them where bytes are looked for, which is quick.
const BYTES: u64 = 16 << 20;

/// The part of a stage that is gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StagePart {
    /// From the start of the search to the end.
    Ahead,
    /// From the other end to the start of the search, that included.
    Behind,
    /// All of it, once around.
    All,
}

impl StagePart {
    /// Those of the two that are gone through.
    fn of<T>(self, ahead: T, behind: T) -> impl Iterator<Item = T> {
        let ahead = (self != Self::Behind).then_some(ahead);
        ahead.into_iter().chain((self != Self::Ahead).then_some(behind))
    }
}

/// A search under way: what it needs of the world.
pub struct Hunt<'a> {
    /// The needle.
    pub needle: &'a Needle,
    /// The bytes of the fill value; empty where there are none.
    pub fill: &'a [u8],
    /// True if the search goes forwards.
    pub forwards: bool,
    /// The part of the stage.
    pub part: StagePart,
    /// Loads the stage with these bytes of it, for one of which only a window is here.
    pub load: &'a mut dyn FnMut(Range<u64>) -> Option<Data>,
    /// The number of bytes loaded at a time, about.
    pub window: u64,
    /// Is told how many bytes of how many have been looked at, and stops the search by `false`.
    pub progress: &'a mut dyn FnMut(u64, u64) -> bool,
}

impl Hunt<'_> {
    /// The bytes of the next place after byte `from` of `data` (or the last before it) that is it: around the end, and
    /// at last the place itself.
    pub fn find(&mut self, mut data: Data, from: u64) -> Option<Range<u64>> {
        if let Some(elements) = data.elements().filter(|_| !self.is_for_bytes(&data))
            && matches!(elements.places(), Places::Ranges(_))
        {
            return self.in_turn(elements, from);
        }
        let len = data.len();
        let here = data.elements().map_or_else(|| byte(from), |e| unit(e, from));
        let (start, end) = (here.start.min(len), here.end.min(len));
        let parts = if self.forwards { [end..len, 0..end] } else { [0..start, start..len] };
        let reach = self.reach(&data);
        let mut seen = 0;
        let [ahead, behind] = parts;
        for mut part in self.part.of(ahead, behind) {
            while !part.is_empty() {
                let most = self.most(&data);
                let window = if self.forwards {
                    part.start..part.end.min(part.start.saturating_add(most))
                } else {
                    part.start.max(part.end.saturating_sub(most))..part.end
                };
                // What begins in the window may end after it.
                let needed = window.start..len.min(window.end.saturating_add(reach - 1));
                if data.bytes().get(needed.clone()).is_none() {
                    data = (self.load)(needed.clone())?;
                    data.bytes().get(needed)?;
                }
                let found = self.in_window(&data, &window);
                seen += window.end - window.start;
                if found.is_some() || !(self.progress)(seen, len) {
                    return found;
                }
                if self.forwards { part.start = window.end } else { part.end = window.start }
            }
        }
        None
    }

    /// True if bytes are looked for, wherever they stand.
    fn is_for_bytes(&self, data: &Data) -> bool {
        match self.needle {
            Needle::Bytes(_) => true,
            Needle::Text(_) => data.elements().is_none(),
            _ => false,
        }
    }

    /// The number of bytes looked at in one place.
    fn reach(&self, data: &Data) -> u64 {
        match (self.needle, data.elements().map(Elements::places)) {
            (Needle::Bytes(wanted), _) => wanted.len() as u64,
            (Needle::Text(text), None) => text.len() as u64,
            (_, Some(Places::Fixed(size))) => *size as u64,
            _ => 1,
        }
        .max(1)
    }

    /// The number of bytes looked at in one go.
    fn most(&self, data: &Data) -> u64 {
        let most = if self.is_for_bytes(data) { BYTES } else { STRIDE * self.reach(data) };
        if data.bytes().as_whole().is_some() { most } else { most.min(self.window).max(1) }
    }

    fn in_window(&self, data: &Data, window: &Range<u64>) -> Option<Range<u64>> {
        match (self.needle, data.elements()) {
            (Needle::Bytes(wanted), _) => self.in_bytes(data, window, wanted),
            (Needle::Text(text), None) => self.in_bytes(data, window, text.as_bytes()),
            (_, Some(elements)) => self.in_elements(elements, window),
            (_, None) => None,
        }
    }

    /// The elements that begin in `window`.
    fn in_elements(&self, elements: &Elements, window: &Range<u64>) -> Option<Range<u64>> {
        let Places::Fixed(size) = elements.places() else { return None };
        let size = (*size as u64).max(1);
        let mut range = window.start.div_ceil(size)..window.end.div_ceil(size).min(elements.len());
        let mut is_at = |at: u64| self.is_at(elements, at);
        if self.forwards { range.find_map(&mut is_at) } else { range.rev().find_map(is_at) }
    }

    /// Elements of any length, by their positions, once around: all of them are here.
    fn in_turn(&mut self, elements: &Elements, from: u64) -> Option<Range<u64>> {
        let len = elements.len();
        // From after the last byte, all of them are ahead.
        let start = match elements.element_at(from) {
            _ if from >= elements.bytes().len() && self.forwards => len.saturating_sub(1),
            _ if from >= elements.bytes().len() => 0,
            found => found.unwrap_or(0),
        };
        let ahead = if self.forwards { len.saturating_sub(start + 1) } else { start };
        let steps = match self.part {
            StagePart::Ahead => 1..=ahead,
            StagePart::Behind => ahead + 1..=len,
            StagePart::All => 1..=len,
        };
        for step in steps {
            let at = if self.forwards { start + step } else { start + len - step } % len;
            if step % STRIDE == 0 && !(self.progress)(step, len) {
                return None;
            }
            let found = self.is_at(elements, at);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The bytes of the element at `position`, if it is it.
    fn is_at(&self, elements: &Elements, position: u64) -> Option<Range<u64>> {
        let range = elements.byte_range(position);
        let bytes = elements.bytes().get(range.clone())?;
        self.needle.is_element(elements, bytes, self.fill).then_some(range)
    }

    /// The bytes `wanted` that begin in `window`.
    fn in_bytes(&self, data: &Data, window: &Range<u64>, wanted: &[u8]) -> Option<Range<u64>> {
        let len = wanted.len() as u64;
        let end = data.len().min(window.end.saturating_add(len.max(1) - 1));
        let bytes = data.bytes().get(window.start..end)?;
        let found =
            if self.forwards { memmem::find(bytes, wanted) } else { memmem::rfind(bytes, wanted) };
        let at = window.start + found? as u64;
        Some(at..at + len)
    }
}

/// The bytes of the element that holds byte `at`; the byte alone in a gap.
fn unit(elements: &Elements, at: u64) -> Range<u64> {
    let found = elements.element_at(at).map(|position| elements.byte_range(position));
    found.unwrap_or_else(|| byte(at))
}

fn byte(at: u64) -> Range<u64> {
    at..at.saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::elements, *};
    use crate::zarr::bytes::Bytes;
    use proptest::prelude::*;

    /// Looks in `bytes`, of which only a window of `window` bytes is there at a time.
    fn find(needle: &Needle, whole: &Data, window: u64, from: u64, on: bool) -> Option<Range<u64>> {
        let mut load = |range: Range<u64>| {
            let bytes = whole.bytes().get(range.clone())?;
            let bytes = Bytes::window(bytes.to_vec(), range.start, whole.len());
            Some(match whole.elements() {
                Some(elements) => Data::Elements(elements.over(bytes)),
                None => Data::Bytes(bytes),
            })
        };
        let data = load(from.min(whole.len())..(from + window).min(whole.len()))?;
        let progress = &mut |_, _| true;
        let part = StagePart::All;
        Hunt { needle, fill: &[], forwards: on, part, load: &mut load, window, progress }
            .find(data, from)
    }

    fn expected(hits: &[u64], from: u64, on: bool) -> Option<u64> {
        let (next, last) = (|at: &&u64| **at > from, |at: &&u64| **at < from);
        let (first, final_) = (hits.first(), hits.last());
        let found =
            if on { hits.iter().find(next).or(first) } else { hits.iter().rfind(last).or(final_) };
        found.copied()
    }

    #[test]
    fn the_element_that_a_window_cuts_is_found() {
        let mut values = [0_i32; 24];
        values[18] = 3;
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let elements = elements("\"<i4\"", &bytes);
        let needle = Needle::parse(">2", Some(&elements)).unwrap();
        let found = find(&needle, &Data::Elements(elements), 9, 18 * 4, true);
        assert_eq!(found.map(|range| range.start), expected(&[18 * 4], 18 * 4, true));
    }

    proptest! {
        #[test]
        fn windows_hide_nothing(
            bytes in prop::collection::vec(0_u8..3, 1..60),
            wanted in prop::collection::vec(0_u8..3, 1..4),
            window in 8_u64..40,
            from in 0_u64..60,
            on: bool,
        ) {
            let from = from.min(bytes.len() as u64 - 1);
            let hits = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(&wanted));
            let hits: Vec<u64> = hits.map(|at| at as u64).collect();
            let data = Data::Bytes(Bytes::whole(bytes));
            let found = find(&Needle::Bytes(wanted.into()), &data, window, from, on);
            prop_assert_eq!(found.map(|range| range.start), expected(&hits, from, on));
        }

        #[test]
        fn elements_are_found_in_windows(
            values in prop::collection::vec(0_i32..4, 1..30),
            window in 8_u64..40,
            from in 0_u64..30,
            on: bool,
        ) {
            let from = from.min(values.len() as u64 - 1) * 4;
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let hits = (0..values.len()).filter(|&at| values[at] > 2);
            let hits: Vec<u64> = hits.map(|at| at as u64 * 4).collect();
            let elements = elements("\"<i4\"", &bytes);
            let needle = Needle::parse(">2", Some(&elements)).unwrap();
            let found = find(&needle, &Data::Elements(elements), window, from, on);
            prop_assert_eq!(found.map(|range| range.start), expected(&hits, from, on));
        }
    }
}
