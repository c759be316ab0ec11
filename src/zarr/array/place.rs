//! Copies the content of a piece into its place among the values of a region: once, in runs as long as they are both
//! in the chunk and in the region, byte order on the way.

use crate::zarr::data_type::native::Primitive;
use crate::zarr::prelude::*;

/// Elements that are equally far apart in a chunk, and equally far apart among the values of a region.
#[derive(Clone, Copy)]
struct Stretch {
    /// The position of the first one in the chunk, and how many positions the next one is further on.
    position: u64,
    step: u64,
    /// The place of the first one among the values, and how many places the next one is further on.
    place: usize,
    stride: usize,
    count: usize,
}

/// A box of elements on its way: its length, steps in the chunk and strides among the values, axis by axis.
#[derive(Clone, Copy)]
struct BoxAxis {
    length: usize,
    step: u64,
    stride: usize,
}

impl ArrayReader<'_> {
    /// Copies those elements of `piece` that are `within` a region to their places in `out`, which holds the elements
    /// of `within` in C order. Elements of a piece that cannot be read get the fill value, where it is known.
    ///
    /// # Errors
    ///
    /// If the chunk is missing and the fill value is not known, its elements are not `T`s, or its file was cut or
    /// written to meanwhile: then nothing that was copied may be shown.
    pub fn place<T: Primitive>(
        &self,
        piece: &Piece,
        data: &PieceData,
        within: &[Range<u64>],
        out: &mut [T],
    ) -> Result<()> {
        let common = piece.region.iter().zip(within);
        let common = common.map(|(a, b)| a.start.max(b.start)..a.end.min(b.end));
        let common: Region = common.collect();
        if common.iter().any(Range::is_empty) {
            return Ok(());
        }
        let source = match data {
            PieceData::Stored(elements) => Some(elements),
            PieceData::Missing | PieceData::Unreadable(_) => None,
        };
        let Some((start, axes)) = axes(&common, within, source) else { return Ok(()) };
        let Some(elements) = source else {
            let fill = match (self.fill_value::<T>(), data) {
                (Some(fill), _) => fill,
                (None, PieceData::Missing) => return Err(self.no_fill(piece)),
                (None, _) => return Ok(()),
            };
            stretches(&axes, 0, start, &mut |stretch| {
                let places = out.get_mut(stretch.place..).unwrap_or_default();
                let places = places.iter_mut().step_by(stretch.stride).take(stretch.count);
                places.for_each(|place| *place = fill);
            });
            return Ok(());
        };
        let local = common.iter().zip(&piece.space).map(|(range, space)| range.start - space.start);
        let position = elements.position(&local.collect::<Vec<_>>());
        let mut lost = !matches!(elements.places(), Places::Fixed(size) if *size == T::SIZE);
        stretches(&axes, position, start, &mut |stretch| {
            lost |= lost || copy(elements, &stretch, out).is_none();
        });
        if lost {
            return Err(self.not_loaded(piece));
        }
        data.intact().map_err(|error| error.in_file(self.key(&piece.chunk)))
    }

    /// The fill value as a `T`.
    fn fill_value<T: Primitive>(&self) -> Option<T> {
        let (data_type, order) = (&self.resolved.data_type, &self.resolved.order);
        let bytes = data_type.encode(self.fill.as_ref()?, order).ok()?;
        let mut value = [T::default()];
        T::read(&bytes, order.endian(), &mut value);
        (bytes.len() == T::SIZE).then(|| value.into_iter().next()).flatten()
    }

    fn no_fill(&self, piece: &Piece) -> Error {
        let found = "a missing chunk and no fill value";
        Error::new(Code::ChunksMissing, found, "a stored chunk").in_file(self.key(&piece.chunk))
    }

    pub(super) fn not_loaded(&self, piece: &Piece) -> Error {
        let found = "a chunk of which only a part is loaded";
        let expected = format!("all elements of {}", times(&lengths(&piece.region)));
        Error::new(Code::NotLoaded, found, expected).in_file(self.key(&piece.chunk))
    }
}

/// The position of the first element of `common` among those of `within`, and the axes that the others follow: as few
/// as possible. `None` where the places cannot be counted.
fn axes(
    common: &[Range<u64>],
    within: &[Range<u64>],
    elements: Option<&Elements>,
) -> Option<(usize, Vec<BoxAxis>)> {
    let mut axes: Vec<BoxAxis> = Vec::new();
    let (mut stride, mut start) = (1_usize, 0_usize);
    for axis in (0..common.len()).rev() {
        let (common, within) = (common.get(axis)?, within.get(axis)?);
        let length = usize::try_from(common.end - common.start).ok()?;
        let from = usize::try_from(common.start - within.start).ok()?;
        start = start.checked_add(from.checked_mul(stride)?)?;
        // What has no elements of its own goes along with the values.
        let step = match elements {
            Some(elements) => *elements.strides().get(axis)?,
            None => stride as u64,
        };
        match axes.last_mut() {
            _ if length == 1 => {}
            // The axis goes on where the one after it ends, on both sides.
            Some(last)
                if last.stride.checked_mul(last.length) == Some(stride)
                    && last.step.checked_mul(last.length as u64) == Some(step) =>
            {
                last.length = last.length.checked_mul(length)?;
            }
            _ => axes.push(BoxAxis { length, step, stride }),
        }
        stride = stride.checked_mul(usize::try_from(within.end - within.start).ok()?)?;
    }
    axes.reverse();
    Some((start, axes))
}

/// Calls `each` with every stretch along the last of `axes`, from the element that is `first` on both sides.
fn stretches(axes: &[BoxAxis], position: u64, place: usize, each: &mut impl FnMut(Stretch)) {
    let one = BoxAxis { length: 1, step: 1, stride: 1 };
    let (inner, outer) = axes.split_last().map_or((one, &[][..]), |(inner, outer)| (*inner, outer));
    let BoxAxis { length: count, step, stride } = inner;
    let mut stretch = Stretch { position, step, place, stride, count };
    let mut at = vec![0; outer.len()];
    loop {
        each(stretch);
        let mut ended = true;
        for (at, axis) in at.iter_mut().zip(outer).rev() {
            *at += 1;
            stretch.position += axis.step;
            stretch.place += axis.stride;
            if *at < axis.length {
                ended = false;
                break;
            }
            *at = 0;
            stretch.position -= axis.step * axis.length as u64;
            stretch.place -= axis.stride * axis.length;
        }
        if ended {
            return;
        }
    }
}

/// The number of values converted at a time, where they are not side by side.
const FEW: usize = 128;

/// Copies a stretch; `None` where its bytes are not there.
fn copy<T: Primitive>(elements: &Elements, stretch: &Stretch, out: &mut [T]) -> Option<()> {
    let Stretch { position, step, place, stride, count } = *stretch;
    let endian = elements.order().endian();
    let size = T::SIZE as u64;
    let end = position.checked_add(step.checked_mul(count as u64 - 1)?)?.checked_add(1)?;
    let bytes = elements.bytes().get(position.checked_mul(size)?..end.checked_mul(size)?)?;
    if (step, stride) == (1, 1) {
        T::read(bytes, endian, out.get_mut(place..place.checked_add(count)?)?);
        return Some(());
    }
    let out = out.get_mut(place..)?;
    let step = usize::try_from(step).ok()?.checked_mul(T::SIZE)?;
    let (mut packed, mut values) = ([0; FEW * 16], [T::default(); FEW]);
    for from in (0..count).step_by(FEW) {
        let few = FEW.min(count - from);
        let items = bytes.get(from.checked_mul(step)?..)?.chunks(step.max(1));
        let packed = packed.get_mut(..few * T::SIZE)?;
        for (place, item) in packed.chunks_exact_mut(T::SIZE).zip(items) {
            place.copy_from_slice(item.get(..T::SIZE)?);
        }
        T::read(packed, endian, &mut values);
        let places = out.get_mut(from.checked_mul(stride)?..)?.iter_mut().step_by(stride);
        places.zip(values).take(few).for_each(|(place, value)| *place = value);
    }
    Some(())
}
