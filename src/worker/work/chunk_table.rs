//! Measuring the chunks of an array on all cores: those in sight first, then the others from there on.

use super::TELLING;
use crate::worker::prelude::*;
use crate::{
    app::page::chunk_table::{Measured, Request, SameBytes, Snapshot},
    zarr::{
        figures::{Figures, Meter, PartFigures},
        statistics::{Counter, Extreme},
        words::csv_cell,
    },
};
use std::io::BufWriter;

/// The rows that are still to be read, in the order in which that is done.
struct Waiting<'a> {
    request: &'a Request,
    rows: BTreeSet<usize>,
    /// From which row on to look where none in sight is waiting.
    from: usize,
}

impl<'a> Waiting<'a> {
    fn new(request: &'a Request) -> Self {
        let unknown = request.known.iter().enumerate().filter(|(_, known)| !**known);
        Self { request, rows: unknown.map(|(at, _)| at).collect(), from: 0 }
    }
}

impl Iterator for Waiting<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let sight = lock(&self.request.sight).clone();
        for at in sight {
            self.from = at;
            if self.rows.remove(&at) {
                return Some(at);
            }
        }
        self.from = *self.rows.range(self.from..).next().or_else(|| self.rows.first())?;
        self.rows.remove(&self.from);
        Some(self.from)
    }
}

/// The most parts that a chunk is read in: one of more, which is only declared or has no room, is asked for as a whole.
const MOST_PARTS: usize = 1 << 19;

/// The parts of the chunks that are being read.
#[derive(Default)]
struct OpenParts {
    /// For each row the parts that are to come, and those that are there.
    rows: HashMap<usize, (usize, PartFigures)>,
}

impl OpenParts {
    /// The tasks of a row: each is the row, a piece of its chunk, and true if that is all of it.
    fn begin(&mut self, row: usize, pieces: Vec<Piece>) -> Vec<Task<(usize, Piece, bool)>> {
        let is_whole = pieces.len() == 1;
        if !is_whole {
            self.rows.insert(row, (pieces.len(), PartFigures::default()));
        }
        pieces
            .into_iter()
            .map(|piece| Task { cost: piece.cost, piece: (row, piece, is_whole) })
            .collect()
    }

    /// Adds a part; all of them together with the last one.
    fn add(&mut self, row: usize, part: PartFigures) -> Option<PartFigures> {
        let (waiting, parts) = self.rows.get_mut(&row)?;
        *waiting -= 1;
        *parts = mem::take(parts).merge(part);
        let is_last = *waiting == 0;
        is_last.then(|| self.rows.remove(&row).map(|(_, parts)| parts)).flatten()
    }
}

/// The result of a piece: the figures of its chunk, where it is all of it.
enum Done {
    Chunk(Arc<Figures>),
    Part(Box<PartFigures>),
}

/// Measures the rows of a table until nobody wants to know any more.
pub(super) fn measure(
    hierarchy: &Hierarchy,
    request: &Request,
    budget: Budget<'_>,
    say: &mut dyn FnMut(Answer),
) -> Result<()> {
    let store = hierarchy.store.as_ref();
    let reader = ArrayReader::new(store, &request.path, &request.array)?.verifying();
    let choices = std::slice::from_ref(&request.choice);
    let counter = Counter::new(&reader, choices);
    let meter = Meter::new(store, &request.array, counter);
    rows(request, &meter, &budget.with_limit(request.limit), say);
    Ok(())
}

fn rows(request: &Request, meter: &Meter, budget: &Budget, say: &mut dyn FnMut(Answer)) {
    let open = RefCell::new(OpenParts::default());
    let tasks = Waiting::new(request).flat_map(|row| {
        let region = meter.region(&request.rows.id(row)).unwrap_or_default();
        let reader = &meter.counter.reader;
        let mut pieces: Vec<Piece> = reader.pieces(&region).take(MOST_PARTS + 1).collect();
        if pieces.len() > MOST_PARTS {
            pieces = reader.whole_chunks(&region).collect();
        }
        open.borrow_mut().begin(row, pieces)
    });
    let mut report = RowReport::new(request, say);
    // Of one piece that is all of its chunk, the chunk is measured at once.
    let work = |(row, piece, is_whole): (usize, Piece, bool), budget: &Budget| {
        let part = meter.part(&piece, budget);
        if is_whole {
            let figures = meter.figures(&request.rows.id(row), part, budget);
            (row, Done::Chunk(Arc::new(figures)))
        } else {
            (row, Done::Part(Box::new(part)))
        }
    };
    parallel::pass(tasks, budget, work, |(row, done), budget| {
        match done {
            _ if budget.is_stopped() => return false,
            Done::Chunk(figures) => report.add(row, figures),
            Done::Part(part) => {
                if let Some(parts) = open.borrow_mut().add(row, *part) {
                    let figures = meter.figures(&request.rows.id(row), parts, budget);
                    report.add(row, Arc::new(figures));
                }
            }
        }
        true
    });
    report.tell();
}

/// The rows that were measured since the last report.
struct RowReport<'a> {
    say: &'a mut dyn FnMut(Answer),
    rows: Vec<(usize, Arc<Figures>)>,
    pace: Pace,
    started: Instant,
    told: Instant,
}

impl<'a> RowReport<'a> {
    fn new(request: &Request, say: &'a mut dyn FnMut(Answer)) -> Self {
        let before = request.known.iter().filter(|known| **known).count() as u64;
        let now = Instant::now();
        let pace = Pace { of: request.known.len() as u64 - before, ..Pace::default() };
        Self { say, rows: Vec::new(), pace, started: now, told: now }
    }

    fn add(&mut self, row: usize, figures: Arc<Figures>) {
        // What was read while the work became pointless is no fault of the chunk.
        if figures.error().is_some_and(|error| error.code == Code::Stopped) {
            return;
        }
        self.rows.push((row, figures));
        self.pace.done += 1;
        if self.told.elapsed() >= TELLING {
            self.tell();
        }
    }

    fn tell(&mut self) {
        self.told = Instant::now();
        self.pace.elapsed = self.started.elapsed();
        let rows = mem::take(&mut self.rows);
        (self.say)(Answer::Measured(Box::new(Measured { rows, pace: self.pace })));
    }
}

/// Writes the rows of a table as comma-separated values to a new file outside the store.
pub(super) fn csv(hierarchy: &Hierarchy, table: &Snapshot, file: &Path) -> Result<PathBuf> {
    let unwritable = |error: io::Error| Error::unwritable(file, &error);
    let mut out = OutputFile::create(file, Path::new(&hierarchy.store.name()), false)?;
    let mut lines = BufWriter::new(&mut out);
    writeln!(lines, "{HEADING}").map_err(unwritable)?;
    for row in &table.rows {
        writeln!(lines, "{}", line(row, &table.checksums)).map_err(unwritable)?;
    }
    lines.flush().map_err(unwritable)?;
    drop(lines);
    out.finish().map(|()| file.to_owned())
}

/// The names of the columns.
const HEADING: &str = "chunk,state,stored,raw,ratio,minimum,maximum,mean,nan,fill,elements,\
                       shortest,longest,checksum,byte_order,same,inner_chunks_stored";

fn line(row: &(String, Option<Arc<Figures>>, Option<u32>), checksums: &str) -> String {
    let (key, figures, group) = row;
    let mut cells = vec![csv_cell(&safe(key))];
    let Some(all) = figures else {
        cells.push("not read".into());
        return cells.join(",") + &",".repeat(15);
    };
    let text = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:?}"));
    let value = |found: &Option<Extreme>| {
        found.as_ref().map_or(String::new(), |found| csv_cell(&safe_text(&found.scalar)))
    };
    let read = (all.error().is_none() && !all.is_missing()).then_some(());
    let (state, checksum) = match (all.error(), read) {
        (Some(error), _) if error.code == Code::ChecksumMismatch => ("unreadable", "wrong"),
        (Some(_), _) => ("unreadable", ""),
        (None, None) => ("missing", ""),
        (None, Some(())) if checksums.is_empty() => ("read", ""),
        (None, Some(())) => ("read", "right"),
    };
    cells.extend([
        state.into(),
        text(all.stored),
        text(all.raw.filter(|_| all.stored.is_some())),
        number(all.ratio()),
        value(&all.minimum),
        value(&all.maximum),
        number(all.mean),
        text(read.map(|()| all.nan)),
        text(read.map(|()| all.fill)),
        text(read.map(|()| all.elements)),
        text(all.lengths.map(|lengths| lengths.0)),
        text(all.lengths.map(|lengths| lengths.1)),
        checksum.into(),
        all.order.map_or(String::new(), |(order, _)| order.word().into()),
        group.map_or(String::new(), SameBytes::name),
        text(all.inner.map(|(stored, _)| stored)),
    ]);
    cells.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::page::chunk_table::WhichRows, zarr::statistics::choices};
    use std::sync::Mutex;

    fn request(known: &[bool], sight: &[usize]) -> Request {
        let registry = Registry::default();
        let document = br#"{"zarr_format":2,"shape":[8],"chunks":[1],"dtype":"<i2","fill_value":0,"order":"C","compressor":null,"filters":null}"#;
        let document = RawDocument::new(".zarray", document.to_vec());
        let array = crate::zarr::metadata::v2::array(document, None, &registry);
        let choice = choices(array.data_type().unwrap().as_ref()).remove(0);
        Request {
            path: NodePath::default(),
            array: Arc::new(array),
            rows: WhichRows::Grid(vec![known.len() as u64]),
            known: known.to_vec(),
            choice,
            sight: Arc::new(Mutex::new(sight.to_vec())),
            limit: 1 << 20,
        }
    }

    #[test]
    fn what_is_in_sight_comes_first_then_the_rest_from_there_on() {
        let request = request(&[false, false, true, false, false, false, true, false], &[5, 3]);
        let waiting: Vec<usize> = Waiting::new(&request).collect();
        assert_eq!(waiting, [5, 3, 4, 7, 0, 1]);
    }

    #[test]
    fn whoever_scrolls_changes_the_order() {
        let request = request(&[false; 8], &[0]);
        let mut waiting = Waiting::new(&request);
        assert_eq!(waiting.by_ref().take(2).collect::<Vec<_>>(), [0, 1]);
        *request.sight.lock().unwrap() = vec![6, 7];
        assert_eq!(waiting.collect::<Vec<_>>(), [6, 7, 2, 3, 4, 5]);
    }
}
