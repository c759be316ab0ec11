//! Values of chunks that are read without a fault, and that are told all the same: those that xarray alone takes for
//! missing, and pages of zeros among others.

use super::{
    accumulated::{self, AllSteps, Steps},
    slices::{self, Slices},
};
use crate::zarr::prelude::*;
use crate::zarr::{
    conventions::{Related, mesh_indices, missing_places, moved_pages, value_ranges},
    grid::order,
    metadata::float_json,
    statistics::{Column, ComplexPart, NumberRange},
};

/// The fewest dimensions of an array that is seen page by page.
const PAGED: usize = 3;
/// The fewest pages of an array of which some may be told.
const FEWEST: usize = 4;
/// By how much integers have to differ, at least, where pages of zeros are told: most genotypes are 0, and few are 1 or 2.
const FEW: f64 = 4.0;
/// Of so many pages, or fewer, one may hold nothing but zeros by chance or on purpose.
const ONE_IN: usize = 4;

/// What all values of a page are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageValues {
    /// Several.
    Several,
    /// Zeros, of which all bytes are 0.
    Zeros,
    /// Missing: NaN, or what an attribute marks as missing.
    Missing,
    /// One other value.
    One,
}

impl PageValues {
    /// Each with its sign in the file of a part.
    const SIGNS: [(Self, char); 4] =
        [(Self::Several, '0'), (Self::Zeros, '1'), (Self::Missing, '2'), (Self::One, '3')];
}

/// The counts of values of a chunk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ValueCounts {
    /// Elements in the array that xarray reads as missing, though no attribute says so.
    pub masked: u64,
    /// For each page of the chunk, or for the whole chunk of an array of fewer dimensions, what all of it is.
    /// Empty where that was not looked at.
    pub pages: Vec<PageValues>,
    /// For each part of a slice along the last two dimensions, what its bytes come to; 0 where they are of one value.
    pub slices: Vec<u64>,
    /// The steps between its pages in which values only rise, some rise and some fall, and all fall.
    pub steps: Steps,
    /// The range of its numbers, of an array of numbers that has attributes, or names of its dimensions.
    pub span: Option<NumberRange>,
}

impl ValueCounts {
    /// The counts of a chunk.
    pub(super) fn of(chunk: &Chunk, array: &ArrayMetadata) -> Self {
        let Some(elements) = chunk.elements() else { return Self::default() };
        let Places::Fixed(size) = *elements.places() else { return Self::default() };
        // Of a large shard only some inner chunks are there.
        if size == 0 || elements.shape() != chunk.shape {
            return Self::default();
        }
        let masked = masked(elements, size, chunk, array);
        let span = span(elements, chunk, array);
        let Some(bytes) = elements.bytes().as_whole() else {
            return Self { masked, span, ..Self::default() };
        };
        let sized = (elements, size);
        let pages = pages(bytes, sized, chunk, array);
        let steps = accumulated::steps(bytes, sized, chunk);
        Self { masked, pages, slices: slices::sums(bytes, sized, chunk, array), steps, span }
    }

    /// The form in the file of a part; `None` where there is nothing to tell.
    pub(super) fn to_json(&self) -> Option<Json> {
        let sign = |page: &PageValues| PageValues::SIGNS.iter().find(|it| it.0 == *page);
        let pages: String = self.pages.iter().filter_map(|page| Some(sign(page)?.1)).collect();
        let slices: Vec<Json> = self.slices.iter().copied().map(Json::from).collect();
        let steps: Vec<Json> = self.steps.map(Json::from).to_vec();
        let mut json =
            object! {"masked": self.masked, "pages": pages, "slices": slices, "steps": steps};
        if let Some(NumberRange { numbers, low, high, marks }) = self.span {
            let counts = marks.into_iter().map(Json::from);
            let span = [numbers.into(), float_json(low), float_json(high)].into_iter();
            json.set("span", span.chain(counts).collect::<Json>());
        }
        (*self != Self::default()).then_some(json)
    }

    /// The counts that [`Self::to_json`] wrote.
    pub(super) fn from_json(json: &Json) -> Option<Self> {
        let page = |sign: char| PageValues::SIGNS.iter().find(|it| it.1 == sign);
        let pages = json.get_str("pages")?.chars().filter_map(|sign| Some(page(sign)?.0)).collect();
        let span = json.get("span").map(span_from);
        let slices = json.get_array("slices")?.iter().filter_map(Json::as_u64).collect();
        let steps: Vec<u64> = json.get_array("steps")?.iter().filter_map(Json::as_u64).collect();
        let (masked, steps) = (json.get_u64("masked")?, steps.try_into().ok()?);
        Some(Self { masked, pages, slices, steps, span: span.flatten() })
    }
}

/// The number of elements in the array that xarray alone takes for missing.
fn masked(elements: &Elements, size: usize, chunk: &Chunk, array: &ArrayMetadata) -> u64 {
    let packing = Packing::of(array);
    let Some(mask) = packing.masked_by_xarray() else { return 0 };
    let encode = |scalar: &Scalar| elements.data_type().encode(scalar, elements.order()).ok();
    let (Some(wanted), Some(bytes)) = (encode(mask), elements.bytes().as_whole()) else { return 0 };
    let extent = lengths(&chunk.region);
    let is_inside = |position: usize| {
        extent == elements.shape()
            || order::is_inside(&elements.coordinates(position as u64), &extent)
    };
    let marked = bytes.chunks_exact(size).enumerate().filter(|(_, item)| *item == wanted);
    marked.filter(|(position, _)| is_inside(*position)).count() as u64
}

/// The range that [`ValueCounts::to_json`] wrote.
fn span_from(json: &Json) -> Option<NumberRange> {
    let [numbers, low, high, counts @ ..] = json.as_array()? else { return None };
    let end = |json: &Json| json.as_number().or(json.as_str())?.parse().ok();
    let marks = counts.iter().map(Json::as_u64).collect::<Option<Vec<u64>>>()?;
    Some(NumberRange {
        numbers: numbers.as_u64()?,
        low: end(low)?,
        high: end(high)?,
        marks: marks.try_into().ok()?,
    })
}

/// The range of the numbers in the array, where attributes may say something of it.
fn span(elements: &Elements, chunk: &Chunk, array: &ArrayMetadata) -> Option<NumberRange> {
    // Where nothing is known of it, a chunk is held no longer than it takes to decode it.
    let has_attributes =
        array.attributes().and_then(Json::as_object).is_some_and(|it| !it.is_empty());
    (has_attributes || array.dimension_names.is_some()).then_some(())?;
    let default = elements.data_type().default_scalar();
    matches!(default, Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_)).then_some(())?;
    let extent = lengths(&chunk.region);
    let column = Column::new(elements, &[], ComplexPart::default(), None);
    Some(NumberRange::of(&column.packed(&Packing::of(array).without_nat()).within(&extent)))
}

/// What all values in the array of each page are. A page that is cut into other boxes than ranges of bytes is the whole.
fn pages(
    bytes: &[u8],
    (elements, size): (&Elements, usize),
    chunk: &Chunk,
    array: &ArrayMetadata,
) -> Vec<PageValues> {
    let is_in_order = elements.is_c_order() && elements.shape().len() >= PAGED;
    let pages = elements.shape().first().filter(|_| is_in_order).copied().unwrap_or(1);
    let len = usize::try_from(pages).ok().and_then(|pages| bytes.len().checked_div(pages));
    let Some(len) = len.filter(|len| *len > 0) else { return Vec::new() };
    let packing = Packing::of(array);
    let is_missing = |value: &[u8]| {
        let scalar = elements.data_type().decode(value, elements.order()).ok();
        let value = scalar.as_ref().and_then(Scalar::to_f64);
        value.is_some_and(|value| value.is_nan() || packing.is_mark(value))
    };
    let inner = elements.shape().get(1..).filter(|_| is_in_order).unwrap_or_default();
    let extent: Vec<u64> = lengths(&chunk.region);
    let own = extent.get(1..).filter(|own| *own != inner).unwrap_or_default();
    // Beyond the end of the array, elements are as their writer left them.
    let inside = |page: &'_ [u8]| -> Option<Vec<Range<usize>>> {
        let ([rows @ .., row], [.., last]) = (inner, own) else {
            return Some(std::iter::once(0..page.len()).collect());
        };
        let bytes = |count: &u64| usize::try_from(*count).ok()?.checked_mul(size);
        let (row, last) = (bytes(row)?, bytes(last)?);
        let is_own = |at: &usize| order::is_inside(&order::coordinates(*at as u128, rows), own);
        let rows = (0..page.len().checked_div(row)?).filter(is_own);
        Some(rows.map(|at| at * row..at * row + last).collect())
    };
    let values = bytes.chunks_exact(len).map(|page| {
        let ranges = inside(page).unwrap_or_default();
        let parts = || ranges.iter().filter_map(|range| page.get(range.clone()));
        let first = page.get(..size).unwrap_or_default();
        // Each value equals the one before it: whole parts are compared at once.
        let is_one = |part: &[u8]| {
            let before = part.len().checked_sub(size).and_then(|len| part.get(..len));
            part.starts_with(first) && part.get(size..) == before
        };
        if !parts().all(is_one) {
            PageValues::Several
        } else if first.iter().all(|byte| *byte == 0) {
            PageValues::Zeros
        } else if is_missing(first) {
            PageValues::Missing
        } else {
            PageValues::One
        }
    });
    values.collect()
}

/// The parts of a page.
#[derive(Debug, Clone, Copy, Default)]
struct PageParts {
    zeros: u64,
    missing: u64,
    one: u64,
    seen: u64,
}

/// The counts of all chunks of an array.
#[derive(Debug, Default)]
pub(super) struct ArrayValues {
    masked: u64,
    span: Option<NumberRange>,
    /// By page: how many parts of it hold nothing but zeros, or nothing but missing values, and how many were seen.
    pages: BTreeMap<u64, PageParts>,
    pub(super) slices: Slices,
    pub(super) steps: AllSteps,
    /// True if a chunk was seen of which the pages are not known.
    is_partial: bool,
}

impl ArrayValues {
    /// Adds the counts of the chunk at `coordinates`, the `number`th.
    pub(super) fn add(
        &mut self,
        array: &ArrayMetadata,
        (coordinates, number): (&[u64], u64),
        counts: &ValueCounts,
    ) {
        self.masked += counts.masked;
        let spans = [self.span, counts.span].into_iter().flatten();
        self.span = spans.reduce(NumberRange::merge);
        self.is_partial |= counts.pages.is_empty();
        self.slices.add(array, coordinates, &counts.slices);
        let region = array.region(coordinates);
        let first = region.as_ref().and_then(|region| region.first());
        let is_paged = array.known_shape().is_some_and(|shape| shape.len() >= PAGED);
        let (start, end) = match first.filter(|_| is_paged) {
            Some(span) => (span.start, span.end),
            None => (number, number + 1),
        };
        self.steps.add(start, counts.steps);
        if is_paged && counts.pages.len() == 1 && end - start > 1 {
            self.is_partial = true;
        }
        for (page, values) in (start..end).zip(&counts.pages) {
            let parts = self.pages.entry(page).or_default();
            parts.zeros += u64::from(*values == PageValues::Zeros);
            parts.missing += u64::from(*values == PageValues::Missing);
            parts.one += u64::from(*values == PageValues::One);
            parts.seen += 1;
        }
    }

    /// True if all of so many stored elements are numbers, and none is the fill value.
    pub(super) fn is_full(&self, array: &ArrayMetadata, elements: u128) -> bool {
        let Some(span) = self.span.filter(|span| u128::from(span.numbers) == elements) else {
            return false;
        };
        let fill = array.fill_scalar().and_then(|fill| Scalar::to_f64(&fill));
        self.masked == 0 && fill.is_some_and(|fill| !(span.low..=span.high).contains(&fill))
    }

    /// The notes on them, at the array's document; `is_told` where it was said already that values are missing.
    pub(super) fn problems(
        &self,
        document: &str,
        array: &ArrayMetadata,
        is_told: bool,
    ) -> Vec<Problem> {
        let masked = self.missing_to_xarray(array).filter(|_| !is_told);
        let one = self.pages_of(array, "one value", |parts| parts.one == parts.seen);
        let zeros = self.zero_pages(array).or_else(|| self.zeros_in_pages(array));
        let pages = one.map(|it| it.1).or(zeros).or_else(|| self.missing_pages(array));
        [masked, pages]
            .into_iter()
            .flatten()
            .map(|error| Problem::new(error.in_file(document)))
            .collect()
    }

    /// The findings on the range of the numbers against what attributes say of them.
    pub(super) fn ranges(&self, related: &Related) -> Vec<Problem> {
        let Some(span) = &self.span else { return Vec::new() };
        let mut found = value_ranges(related, span);
        found.extend(mesh_indices(related, span));
        found.extend(missing_places(related, span).or_else(|| moved_pages(related)));
        found
    }

    fn missing_to_xarray(&self, array: &ArrayMetadata) -> Option<Error> {
        let packing = Packing::of(array);
        let mark = packing.masked_by_xarray().filter(|_| self.masked > 0)?;
        let (equal, it) = if self.masked == 1 { ("equals", "it") } else { ("equal", "them") };
        let text = format!(
            "{} stored {} {equal} Zarr's fill value {mark}, which no attribute marks as missing. xarray 2026.9 reads {it} as \
             missing, because it treats the fill value of V2 arrays as the missing value.",
            grouped(self.masked),
            if self.masked == 1 { "element" } else { "elements" },
        );
        Some(Error::new(Code::MaskedFill, text, "").at("fill_value"))
    }

    /// The finding on pages of which each part is so, in these words.
    fn pages_of(
        &self,
        array: &ArrayMetadata,
        what: &str,
        is_so: impl Fn(&PageParts) -> bool,
    ) -> Option<(Vec<u64>, Error)> {
        let of = self.pages.iter().filter(|(_, parts)| is_so(parts));
        let pages: Vec<u64> = of.map(|(page, _)| *page).collect();
        let all = self.pages.len();
        let is_odd = all >= FEWEST && pages.len() * ONE_IN <= all && !self.is_partial;
        let first = pages.first().filter(|_| is_odd)?;
        let is_paged = array.shape.as_ref().is_ok_and(|shape| shape.len() >= PAGED);
        let of = grouped(all as u64);
        let hold = if pages.len() == 1 { "holds" } else { "hold" };
        let text = if is_paged {
            format!(
                "{} of {of} pages along dimension 0{} {hold} nothing but {what}, from index {first} on.",
                pages.len(),
                array.name_in_brackets(0)
            )
        } else {
            format!("{} of {of} stored chunks {hold} nothing but {what}.", pages.len())
        };
        let text = format!("{text} What was never filled in looks the same.");
        Some((pages, Error::new(Code::ZeroPage, text, "")))
    }

    fn zero_pages(&self, array: &ArrayMetadata) -> Option<Error> {
        let is_integer =
            matches!(array.data_type()?.default_scalar(), Scalar::Int(_) | Scalar::Uint(_));
        if is_integer && self.span.is_some_and(|it| it.high - it.low < FEW) {
            return None;
        }
        Some(self.pages_of(array, "zeros", |parts| parts.zeros == parts.seen)?.1)
    }

    /// The finding on pages without any value in the middle of others: first ones and last ones often have none.
    fn missing_pages(&self, array: &ArrayMetadata) -> Option<Error> {
        let is_missing = |parts: &PageParts| parts.missing == parts.seen;
        let (pages, error) = self.pages_of(array, "missing values", is_missing)?;
        let is_inside = |end: Option<(&u64, &PageParts)>, page| end.map(|it| it.0) != page;
        let ends = (self.pages.first_key_value(), self.pages.last_key_value());
        (is_inside(ends.0, pages.first()) && is_inside(ends.1, pages.last())).then_some(error)
    }

    /// The finding on pages a large part of which is zeros, where the others have nearly none.
    fn zeros_in_pages(&self, array: &ArrayMetadata) -> Option<Error> {
        /// Of so many chunks through a page one has nothing but zeros there, and at most one in a page that has nearly none.
        const MANY: u64 = 4;
        const FEW: u64 = 100;
        /// Of so many pages, one may be so.
        const PAGES: usize = 3;
        let is_paged = array.shape.as_ref().is_ok_and(|shape| shape.len() >= PAGED);
        let all = || self.pages.iter().filter(|(_, parts)| parts.zeros < parts.seen);
        let has_many = |(_, parts): &(&u64, &PageParts)| parts.zeros * MANY >= parts.seen;
        let (first, PageParts { zeros, seen, .. }) = all().find(has_many)?;
        let count = all().filter(has_many).count();
        let are_apart = all().all(|page| has_many(&page) || page.1.zeros * FEW <= page.1.seen);
        let is_odd = self.pages.len() >= FEWEST && count * PAGES <= self.pages.len();
        (is_paged && are_apart && is_odd && !self.is_partial).then(|| {
            let text = format!(
                "{} of {} pages along dimension 0{} {} nothing but zeros in some chunks, the others in hardly any: [{first}] in {} of {} chunks. \
                 What was not filled in to the end looks the same.",
                grouped(count as u64),
                grouped(self.pages.len() as u64),
                array.name_in_brackets(0),
                if count == 1 { "holds" } else { "hold" },
                grouped(*zeros),
                grouped(*seen)
            );
            Error::new(Code::ZeroPage, text, "")
        })
    }
}
