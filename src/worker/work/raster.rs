//! The picture of a whole array: its chunks read on all cores, first a few from all over it, then those between.

use super::TELLING;
use crate::worker::prelude::*;
use crate::{
    app::page::picture::drawn::{RasterNews, RasterRequest},
    zarr::statistics::{
        Counter,
        raster::{Gathered, Raster, Units, widths},
    },
};

/// The bytes that are decoded unasked; of more, a sample is drawn.
const UNASKED: u64 = 1 << 30;
/// The elements of a cell that are looked at along an axis where raw chunks are sampled.
const LOOKS: u64 = 4;

/// Draws an array until nobody wants to see it any more.
pub(super) fn draw(
    hierarchy: &Hierarchy,
    request: &RasterRequest,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    let store = hierarchy.store.as_ref();
    let reader = ArrayReader::new(store, &request.path, &request.array)?;
    let choices = std::slice::from_ref(&request.choice);
    let counter = Counter::new(&reader, choices);
    let units = Units::new(&reader, &request.raster);
    let all = units.bytes.saturating_mul(units.total());
    let is_sparse = reader.is_raw() && all > UNASKED && !request.wants_all;
    let raster = if is_sparse { sparse(&request.raster) } else { request.raster.clone() };
    let mut drawing = Drawing::new(request, &units, is_sparse, say);
    let budget = budget.with_limit(request.limit);
    let (mut number, mut is_first) = (0, true);
    for stride in units.levels(request.wants_all) {
        if !drawing.goes_on(stride) {
            break;
        }
        number = drawing.level((&counter, &raster), (stride, is_first, number), &budget);
        is_first = false;
    }
    drawing.report.tell();
    Ok(())
}

/// The same cells, of each of which only a few elements are looked at.
fn sparse(raster: &Raster) -> Raster {
    let step = |(axis, range): (usize, &Range<u64>)| {
        let bounds = match axis {
            _ if raster.down == Some(axis) => &raster.rows,
            _ if axis == raster.right => &raster.columns,
            _ => return ((range.end - range.start) / LOOKS).max(1),
        };
        (widths(bounds).min().unwrap_or(1) / LOOKS).max(1)
    };
    let steps = raster.region.iter().enumerate().map(step).collect();
    Raster { steps, ..raster.clone() }
}

/// An array in the drawing.
struct Drawing<'a> {
    request: &'a RasterRequest,
    units: &'a Units,
    report: RasterReport<'a>,
}

impl<'a> Drawing<'a> {
    fn new(
        request: &'a RasterRequest,
        units: &'a Units,
        is_sparse: bool,
        say: &'a mut dyn FnMut(Answer),
    ) -> Self {
        let report = RasterReport {
            say,
            is_sparse,
            total: units.total(),
            news: Gathered::default(),
            numbers: Vec::new(),
            pace: Pace { done: request.known.count(), ..Pace::default() },
            stored: request.stored,
            started: Instant::now(),
            told: Instant::now(),
        };
        let mut drawing = Self { request, units, report };
        let finest =
            units.levels(request.wants_all).take_while(|&stride| drawing.fits(stride)).last();
        let stride = finest.or_else(|| units.levels(false).next()).unwrap_or(1);
        drawing.report.pace.of = drawing.up_to(stride);
        drawing
    }

    /// The number of units of all levels down to `stride`.
    fn up_to(&self, stride: u64) -> u64 {
        let lattice = self.units.counts.iter().map(|n| n.div_ceil(stride));
        lattice.fold(1, u64::saturating_mul)
    }

    /// True if all levels down to `stride` may be read unasked. Of the units to come, as many are taken to be stored as
    /// of those before; at first, all.
    fn fits(&self, stride: u64) -> bool {
        let (all, read) = (u128::from(self.up_to(stride)), u128::from(self.report.pace.done));
        let stored = (all * u128::from(self.report.stored)).checked_div(read).unwrap_or(all);
        self.report.is_sparse || stored * u128::from(self.units.bytes) <= u128::from(UNASKED)
    }

    /// True if the level `stride` is to be read; the first one is in any case.
    fn goes_on(&mut self, stride: u64) -> bool {
        let is_wanted = self.request.wants_all || self.report.pace.done == 0 || self.fits(stride);
        if is_wanted {
            self.report.pace.of = self.report.pace.of.max(self.up_to(stride));
        }
        is_wanted
    }

    /// Reads a level whose first unit has this number; the number of the unit after it.
    fn level(
        &mut self,
        (counter, raster): (&Counter, &Raster),
        (stride, is_first, first): (u64, bool, u64),
        budget: &Budget,
    ) -> u64 {
        let Self { request, units, report } = self;
        let mut next = first;
        let waiting = units.level(stride, is_first).filter_map(|region| {
            let number = next;
            next += 1;
            (!request.known.has(number)).then_some((number, region))
        });
        let tasks = waiting.map(|piece| Task { piece, cost: units.bytes });
        let work = |(number, region): (u64, Region), budget: &Budget| {
            (number, unit(counter, raster, &region, budget))
        };
        parallel::pass(tasks, budget, work, |(number, gathered), budget| {
            let goes_on = !budget.is_stopped();
            if goes_on {
                report.add(number, gathered, raster.takes_highest);
            }
            goes_on
        });
        next
    }
}

/// The chunks that were read since the last report.
struct RasterReport<'a> {
    say: &'a mut dyn FnMut(Answer),
    is_sparse: bool,
    total: u64,
    news: Gathered,
    numbers: Vec<u64>,
    pace: Pace,
    /// The units that were stored, those of earlier drawings too.
    stored: u64,
    started: Instant,
    told: Instant,
}

impl RasterReport<'_> {
    fn add(&mut self, number: u64, gathered: Gathered, takes_highest: bool) {
        self.stored += gathered.chunks[0];
        self.pace.done += 1;
        self.numbers.push(number);
        self.news = mem::take(&mut self.news).merge(gathered, takes_highest);
        if self.told.elapsed() >= TELLING {
            self.tell();
        }
    }

    fn tell(&mut self) {
        self.told = Instant::now();
        self.pace.elapsed = self.started.elapsed();
        (self.say)(Answer::Rastered(Box::new(RasterNews {
            gathered: mem::take(&mut self.news),
            numbers: mem::take(&mut self.numbers),
            pace: self.pace,
            total: self.total,
            is_sparse: self.is_sparse,
        })));
    }
}

/// Reads a unit and looks at it.
fn unit(counter: &Counter, raster: &Raster, region: &Region, budget: &Budget) -> Gathered {
    let reader = counter.reader;
    let is_sparse = raster.steps.iter().any(|&step| step > 1);
    // Of a raw chunk that is sampled, only what is looked at is read, so that all of it is one piece.
    let pieces = if is_sparse { reader.pieces_of_slab(region) } else { reader.pieces(region) };
    let mut gathered = Gathered::default();
    for piece in pieces {
        if budget.is_stopped() {
            break;
        }
        let data = reader.load_in_place(&piece, budget);
        gathered = gathered.merge(raster.gather(counter, &piece, &data), raster.takes_highest);
    }
    let [stored, missing, damaged] = gathered.chunks;
    gathered.chunks = match (damaged, stored) {
        (1.., _) => [0, 0, 1],
        (_, 1..) => [1, 0, 0],
        _ => [0, missing.min(1), 0],
    };
    gathered
}
