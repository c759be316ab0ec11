//! One number per element: which bytes of it to read, and as what.

use super::{
    BETWEEN_STOPS, Extreme,
    block::{BLOCK, ElementRun, See},
    look::{Class, ComplexPart, Look},
    runs,
    word::{ComplexPair, NumberWord, TimeCount, Truth, Word, look_at},
};
use crate::zarr::prelude::*;
use crate::zarr::{
    data_type::{Native, PaddedBytes},
    grid::order,
};
use half::f16;

/// The form in which bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementForm {
    Native(Native),
    /// The count of a datetime or timedelta.
    Time,
    /// Through the data type, one by one.
    Scalar,
    /// Bytes of any length, or a whole struct: counted only.
    Uncounted,
}

/// One number of every element: the element itself, a field of a struct, a part of a complex number.
#[derive(Debug, Clone)]
pub struct Column<'a> {
    elements: &'a Elements,
    data_type: Arc<dyn DataType>,
    order: ByteOrder,
    /// The place of its bytes in the element; empty for elements of any length.
    bytes: Range<usize>,
    form: ElementForm,
    part: ComplexPart,
    fill: Option<Scalar>,
    fill_bytes: Vec<u8>,
    /// The bytes of what an attribute marks as missing.
    masks: Vec<Vec<u8>>,
    /// The part of these elements inside the array, along each dimension.
    extent: Vec<u64>,
    /// From which rank on numbers are counted; `None` for from 0 on.
    origin: Option<i64>,
}

impl<'a> Column<'a> {
    /// The field that `path` leads to (indices of fields, one a level; empty for the whole element), of elements of
    /// an array with this fill value. Of a subarray it is the first item.
    pub fn new(
        elements: &'a Elements,
        path: &[usize],
        part: ComplexPart,
        fill: Option<&Scalar>,
    ) -> Self {
        let data_type = elements.data_type().clone();
        let mut column = Self {
            elements,
            order: elements.order().clone(),
            bytes: 0..data_type.fixed_size().unwrap_or(0),
            data_type,
            form: ElementForm::Uncounted,
            part,
            fill: fill.cloned(),
            fill_bytes: Vec::new(),
            masks: Vec::new(),
            extent: elements.shape().to_vec(),
            origin: None,
        };
        for &index in path {
            column.enter(index);
        }
        column.form = column.choose_form();
        let bytes = column.fill.as_ref();
        let bytes = bytes.map(|fill| column.data_type.encode_padded(fill, &column.order));
        column.fill_bytes = bytes.and_then(Result::ok).map_or_else(Vec::new, PaddedBytes::held);
        column
    }

    /// The same column of whole elements as attributes have them: some values are missing, integers of the other sign.
    pub fn packed(mut self, packing: &Packing) -> Self {
        self.masks = packing
            .masks
            .iter()
            .filter_map(|(_, mask)| self.data_type.encode(mask, &self.order).ok())
            .collect();
        if let Some(other) = &packing.other_sign {
            self.data_type = Arc::clone(other);
            self.fill = self.data_type.decode(&self.fill_bytes, &self.order).ok();
            self.form = self.choose_form();
        }
        self
    }

    /// The same column without the padding of an edge chunk: only `extent` elements along each dimension.
    pub fn within(mut self, extent: &[u64]) -> Self {
        let shape = self.elements.shape();
        self.extent = shape.iter().zip(extent).map(|(&n, &m)| n.min(m)).collect();
        if self.extent.len() < shape.len() {
            self.extent = shape.to_vec();
        }
        self
    }

    /// The same column with its integers (counts of time are some, too) counted from `lowest` on, so that `f64` tells
    /// those apart that are larger than 2⁵³. Other numbers stay as they are.
    pub fn from_lowest(mut self, lowest: &Extreme) -> Self {
        let is_integer =
            matches!(self.form, ElementForm::Native(Native::I64 | Native::U64) | ElementForm::Time);
        self.origin = Some(lowest.rank).filter(|_| is_integer);
        self
    }

    /// The data type of what is counted.
    pub(super) fn data_type(&self) -> &Arc<dyn DataType> {
        &self.data_type
    }

    /// The number of elements, loaded or not, without padding.
    pub fn len(&self) -> u64 {
        order::product(&self.extent).unwrap_or(u64::MAX)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.extent.contains(&0)
    }

    /// True if it holds numbers, so that a histogram and a picture say something.
    pub fn is_numeric(&self) -> bool {
        match self.form {
            ElementForm::Native(_) | ElementForm::Time | ElementForm::Scalar => true,
            ElementForm::Uncounted => false,
        }
    }

    /// True if the mean of some of its numbers is a number like them: that of angles on both sides of π is not.
    pub fn has_means(&self) -> bool {
        self.part != ComplexPart::Phase
    }

    /// The elements it is a column of.
    pub fn elements(&self) -> &'a Elements {
        self.elements
    }

    /// The look of the element at `position`; `None` where it is not loaded.
    pub fn look(&self, position: u64) -> Option<Look> {
        let mut found = None;
        self.pass(position..position.checked_add(1)?, &mut |_, look| found = Some(look));
        found
    }

    /// Shows `see` all loaded elements in the order of their bytes, with their positions, until `stop`. Gives how
    /// many it were.
    pub(super) fn each(&self, stop: &dyn Fn(u64) -> bool, see: &mut impl See) -> u64 {
        let mut seen = 0;
        for run in runs::runs(self.elements, &self.extent) {
            let mut start = run.start;
            while start < run.end {
                if stop(seen) {
                    return seen;
                }
                let end = run.end.min(start.saturating_add(BETWEEN_STOPS));
                seen += self.pass(start..end, see);
                start = end;
            }
        }
        seen
    }

    /// The highest or lowest number, which is at `position`.
    pub(super) fn extreme(&self, position: u64) -> Option<Extreme> {
        let look = self.look(position)?;
        let scalar = self.data_type.decode(self.bytes_at(position)?, &self.order).ok()?;
        Some(Extreme { scalar, value: look.value, position, rank: look.rank })
    }

    /// True if its elements are true or false.
    pub(super) fn is_truth(&self) -> bool {
        self.form == ElementForm::Native(Native::Bool)
    }

    /// The text of an element that is no number.
    pub(super) fn word_of(&self, position: u64) -> Option<Scalar> {
        let is_counted = self.form == ElementForm::Uncounted && self.data_type.fields().is_empty();
        let bytes = self.bytes_at(position).filter(|_| is_counted)?;
        self.data_type.decode(bytes, &self.order).ok()
    }

    /// Goes into a field of the struct that the column is.
    fn enter(&mut self, index: usize) {
        let Some(field) = self.data_type.fields().get(index).cloned() else { return };
        let size = field.data_type.fixed_size().unwrap_or(0);
        let start = self.bytes.start + field.offset;
        self.bytes = start..start + size;
        self.order = self.order.field(index);
        self.fill = self.fill.take().and_then(|fill| part_of(&fill, index));
        self.data_type = field.data_type;
    }

    fn choose_form(&self) -> ElementForm {
        let scalar = self.data_type.default_scalar();
        // Times are integers in memory, but one of them is no number.
        if matches!(scalar, Scalar::Time(_)) && self.bytes.len() == TimeCount::SIZE {
            return ElementForm::Time;
        }
        let form = if look_at(&scalar, self.part).class == Class::Other {
            ElementForm::Uncounted
        } else {
            ElementForm::Scalar
        };
        let is_fixed = matches!(self.elements.places(), Places::Fixed(_));
        self.data_type.native().filter(|_| is_fixed).map_or(form, ElementForm::Native)
    }

    fn bytes_at(&self, position: u64) -> Option<&'a [u8]> {
        let bytes = self.elements.bytes().get(self.elements.byte_range(position))?;
        match self.elements.places() {
            Places::Fixed(_) => bytes.get(self.bytes.clone()),
            Places::Ranges(_) => Some(bytes),
        }
    }

    /// Shows `see` the loaded ones of the elements at the positions `run`. Gives how many those are.
    pub(super) fn pass(&self, run: Range<u64>, see: &mut impl See) -> u64 {
        match self.form {
            ElementForm::Time => self.typed::<TimeCount>(run, see),
            ElementForm::Scalar | ElementForm::Uncounted => self.untyped(run, see),
            ElementForm::Native(native) => match native {
                Native::Bool => self.typed::<Truth>(run, see),
                Native::I8 => self.typed::<i8>(run, see),
                Native::I16 => self.typed::<i16>(run, see),
                Native::I32 => self.typed::<i32>(run, see),
                Native::I64 => self.typed::<i64>(run, see),
                Native::U8 => self.typed::<u8>(run, see),
                Native::U16 => self.typed::<u16>(run, see),
                Native::U32 => self.typed::<u32>(run, see),
                Native::U64 => self.typed::<u64>(run, see),
                Native::F16 => self.typed::<f16>(run, see),
                Native::F32 => self.typed::<f32>(run, see),
                Native::F64 => self.typed::<f64>(run, see),
                Native::C64 => self.pairs::<f32>(run, see),
                Native::C128 => self.pairs::<f64>(run, see),
            },
        }
    }

    /// One pass over numbers, as far as they are loaded.
    fn typed<W: NumberWord>(&self, run: Range<u64>, see: &mut impl See) -> u64 {
        self.blocks::<W>(run, &mut |block| see.block(&block))
    }

    /// One pass over complex numbers, as far as they are loaded.
    fn pairs<T: Word>(&self, run: Range<u64>, see: &mut impl See) -> u64 {
        self.blocks::<ComplexPair<T>>(run, &mut |block| {
            block.looks().for_each(|(position, look)| see.look(position, look));
        })
    }

    /// Goes through elements of a primitive type block by block. Gives how many are loaded.
    fn blocks<W: Word>(&self, run: Range<u64>, each: &mut impl FnMut(ElementRun<'_, W>)) -> u64 {
        let Places::Fixed(size) = *self.elements.places() else { return 0 };
        let (Some(run), size) = (runs::loaded(self.elements, run), size.max(1)) else { return 0 };
        let step = size as u64;
        let Some(bytes) = self.elements.bytes().get(run.start * step..run.end * step) else {
            return 0;
        };
        let word = |bytes: &[u8]| {
            let mut word = [W::default()];
            W::read(bytes, self.order.endian(), &mut word);
            word.into_iter().next().filter(|_| bytes.len() == W::SIZE)
        };
        let (fill, part, origin) = (word(&self.fill_bytes), self.part, self.origin);
        let masks: Vec<W> = self.masks.iter().filter_map(|mask| word(mask)).collect();
        let known = ElementRun { first: 0, words: &[], fill, masks: &masks, part, origin };
        // Whoever looks at a single element has no use for room for many.
        let (mut one, mut many) = ([W::default()], None);
        let room = match run.end - run.start {
            1 => &mut one[..],
            _ => many.get_or_insert_with(|| [W::default(); BLOCK]),
        };
        let mut first = run.start;
        for bytes in bytes.chunks(size * room.len()) {
            let words = room.get_mut(..bytes.len() / size).unwrap_or_default();
            self.read(bytes, size, words);
            each(ElementRun { first, words, ..known });
            first += words.len() as u64;
        }
        run.end - run.start
    }

    /// Reads what the column is of elements of `size` bytes.
    fn read<W: Word>(&self, bytes: &[u8], size: usize, words: &mut [W]) {
        let (endian, start) = (self.order.endian(), self.bytes.start);
        if size == W::SIZE {
            return W::read(bytes, endian, words);
        }
        for (place, element) in words.iter_mut().zip(bytes.chunks_exact(size)) {
            let field = element.get(start..start + W::SIZE).unwrap_or_default();
            W::read(field, endian, std::slice::from_mut(place));
        }
    }

    /// One pass through the data type, for elements of no primitive type.
    fn untyped(&self, run: Range<u64>, see: &mut impl See) -> u64 {
        let mut seen = 0;
        for position in run {
            let Some(bytes) = self.bytes_at(position) else { continue };
            seen += 1;
            let mut look = Look::of(Class::Other);
            look.fill_bits = self.fill.is_some() && bytes == self.fill_bytes;
            if self.form == ElementForm::Scalar
                && let Ok(scalar) = self.data_type.decode(bytes, &self.order)
            {
                look = look_at(&scalar, self.part);
                look.missing = self.masks.iter().any(|mask| self.is_value(mask, &scalar));
                // Bits without a meaning, such as the upper half of an int4, are none of the value's.
                look.fill_bits = self.fill.as_ref().is_some_and(|fill| fill.bits_equal(&scalar));
                look.fill_value = self.fill.as_ref().is_some_and(|fill| fill.value_equal(&scalar));
            }
            look.fill_value |= look.fill_bits;
            see.look(position, look);
        }
        seen
    }
}

impl Column<'_> {
    /// True if `bytes` are this value.
    fn is_value(&self, bytes: &[u8], value: &Scalar) -> bool {
        self.data_type.decode(bytes, &self.order).is_ok_and(|mask| mask.value_equal(value))
    }
}

/// The value of a field; of a subarray the first item.
fn part_of(scalar: &Scalar, index: usize) -> Option<Scalar> {
    let Scalar::Struct(fields) = scalar else { return None };
    match fields.get(index).map(|(_, value)| value) {
        Some(Scalar::List(items)) => items.first().cloned(),
        value => value.cloned(),
    }
}
