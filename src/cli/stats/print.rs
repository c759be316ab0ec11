//! The rows of `stats`, as a table, as comma-separated values and as JSON.

use super::Arguments;
use crate::cli::prelude::*;
use crate::{
    cli::elements::number,
    zarr::statistics::{Choice, Extreme, Statistics, Tally},
};

/// Writes rows as they come, or keeps them for a table.
pub(super) struct Printer<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// The heading of comma-separated values.
pub(super) const CSV: &str = "path,field,chunk,elements,minimum,maximum,mean,standard_deviation,nan,infinite,not_a_time,masked,\
                   fill,chunks_stored,chunks_missing,chunks_unreadable,distinct,distinct_exact";

/// The heading of the table.
pub(super) fn heading() -> Vec<Cell> {
    let texts = ["array", "chunks"].map(Cell::quiet);
    let numbers = [
        "elements", "minimum", "maximum", "mean", "std", "distinct", "NaN", "Inf", "NaT", "masked",
        "fill",
    ];
    texts.into_iter().chain(numbers.map(|name| Cell::quiet(name).right())).collect()
}

/// An extreme in as few digits as tell it from its neighbours.
fn shown(extreme: Option<&Extreme>) -> String {
    extreme.map_or(String::new(), |found| safe_text(&found.scalar))
}

/// An extreme as `values` prints it, for programs.
fn value(extreme: &Extreme) -> String {
    let text = number(&extreme.scalar).unwrap_or_else(|| extreme.scalar.to_string());
    safe_owned(&text)
}

impl Printer<'_> {
    /// A row: of a chunk, or of the whole array.
    pub(super) fn row(
        &mut self,
        (name, choice, chunk): (&str, &Choice, Option<(&String, &ChunkId)>),
        row: &Tally,
        output: &mut Output,
    ) -> Printed {
        if self.arguments.json {
            return output.json_line(&to_json(name, choice, chunk, row));
        }
        if self.arguments.csv {
            return output.line(&csv(name, choice, chunk, row));
        }
        self.rows.push(cells(name, choice, chunk, row));
        Ok(())
    }
}

fn chunk_name((key, id): (&String, &ChunkId)) -> String {
    let inner: Vec<_> = id.inner.iter().map(|at| list(at)).collect();
    [std::slice::from_ref(key), &inner].concat().join(" ")
}

fn to_json(name: &str, choice: &Choice, chunk: Option<(&String, &ChunkId)>, row: &Tally) -> Json {
    let Tally { statistics: all, places: [lowest, highest], chunks: [stored, missing, unreadable] } =
        row;
    let extreme = |found: &Option<Extreme>, place: &Vec<u64>| {
        found.as_ref().map(|found| object! {"value": value(found), "index": place})
    };
    let mut json = object! {"path": name, "field": &choice.name};
    if let Some((key, id)) = chunk {
        let ChunkId { coordinates, inner } = id;
        json.set("chunk", object! {"key": key, "coordinates": coordinates, "inner": inner});
    } else {
        json.set(
            "chunks",
            object! {"stored": *stored, "missing": *missing, "unreadable": *unreadable},
        );
    }
    json.extend(object! {
        "elements": all.elements, "unknown": all.skipped, "numbers": all.numbers,
        "minimum": extreme(&all.minimum, lowest), "maximum": extreme(&all.maximum, highest),
        "mean": all.mean(), "standard_deviation": all.standard_deviation(),
        "nan": all.nan, "positive_infinity": all.positive_infinity,
        "negative_infinity": all.negative_infinity, "not_a_time": all.not_a_time, "zero": all.zero,
        "negative_zero": all.negative_zero, "subnormal": all.subnormal, "masked": all.missing,
        "fill": all.fill_value,
        "distinct": object! {"count": all.distinct.count(), "exact": all.distinct.is_exact()},
    });
    frequencies(all, &mut json);
    json
}

/// Sets how often numbers and other values occur.
fn frequencies(all: &Statistics, json: &mut Json) {
    let bins = &all.distribution;
    if !bins.counts().is_empty() {
        let histogram =
            object! {"from": bins.from(), "width": bins.width(), "counts": bins.counts()};
        json.set("histogram", histogram);
    }
    let values = all.variety.counts();
    if !values.is_empty() {
        json.set(
            "values",
            values
                .iter()
                .map(|&(text, count)| object! {"value": text, "count": count})
                .collect::<Json>(),
        );
        json.set("other_values", all.variety.others());
    }
}

fn extreme(extreme: Option<&Extreme>) -> String {
    extreme.map(value).unwrap_or_default()
}

fn csv(name: &str, choice: &Choice, chunk: Option<(&String, &ChunkId)>, row: &Tally) -> String {
    let Tally { statistics: all, chunks, .. } = row;
    let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:?}"));
    let mut cells = vec![
        words::csv_cell(&safe(name)),
        words::csv_cell(&safe(&choice.name)),
        words::csv_cell(&safe(&chunk.map_or(String::new(), chunk_name))),
        all.elements.to_string(),
        words::csv_cell(&extreme(all.minimum.as_ref())),
        words::csv_cell(&extreme(all.maximum.as_ref())),
        number(all.mean()),
        number(all.standard_deviation()),
    ];
    let counts = [
        all.nan,
        all.positive_infinity + all.negative_infinity,
        all.not_a_time,
        all.missing,
        all.fill_value,
    ];
    cells.extend(counts.iter().chain(chunks).map(ToString::to_string));
    cells.extend([all.distinct.count().to_string(), all.distinct.is_exact().to_string()]);
    cells.join(",")
}

fn cells(
    name: &str,
    choice: &Choice,
    chunk: Option<(&String, &ChunkId)>,
    row: &Tally,
) -> Vec<Cell> {
    let all = &row.statistics;
    let name = match (name, choice.name.as_str()) {
        ("", "") => ".".to_owned(),
        (name, "") => name.to_owned(),
        (name, field) => format!("{name} {field}").trim().to_owned(),
    };
    // Of counts of time, these would be numbers without a unit.
    let is_time = matches!(&all.minimum, Some(Extreme { scalar: Scalar::Time(_), .. }));
    let number = |number: Option<f64>| {
        Cell::new(number.filter(|_| !is_time).map_or(String::new(), words::short)).right()
    };
    let count =
        |count: u64| Cell::new(if count == 0 { String::new() } else { grouped(count) }).right();
    let role = if row.chunks[2] > 0 { Role::Error } else { Role::Quiet };
    vec![
        Cell::new(safe(&name)).role(Role::Strong),
        Cell::new(chunks(chunk, row.chunks)).role(role),
        Cell::new(grouped(all.elements)).right(),
        Cell::new(shown(all.minimum.as_ref())).right(),
        Cell::new(shown(all.maximum.as_ref())).right(),
        number(all.mean()),
        number(all.standard_deviation()),
        Cell::new(
            Some(all.distinct.text(all.elements)).filter(|text| text != "0").unwrap_or_default(),
        )
        .right(),
        count(all.nan),
        count(all.positive_infinity + all.negative_infinity),
        count(all.not_a_time),
        count(all.missing),
        count(all.fill_value),
    ]
}

/// The chunk, or the number of chunks, in words.
fn chunks(chunk: Option<(&String, &ChunkId)>, [stored, missing, unreadable]: [u64; 3]) -> String {
    match chunk {
        Some(chunk) if missing > 0 => format!("{} (missing)", safe(&chunk_name(chunk))),
        Some(chunk) if unreadable > 0 => format!("{} (unreadable)", safe(&chunk_name(chunk))),
        Some(chunk) => safe_owned(&chunk_name(chunk)),
        None => {
            let all = stored + missing + unreadable;
            let some = |count: u64, word: &str| match count {
                0 => String::new(),
                count => format!(", {} {word}", grouped(count)),
            };
            let (fill, bad) = (some(missing, "as fill"), some(unreadable, "unreadable"));
            format!("{} of {}{fill}{bad}", grouped(stored), grouped(all))
        }
    }
}
