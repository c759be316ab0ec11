//! The counts of a column, in lines and tables.

use super::{
    chart::histogram,
    number::{self, Labels},
};
use crate::tui::prelude::*;

/// Columns of the bars in a table of values.
const BAR: usize = 16;

/// The packing of the numbers of a column by the attributes; `None` for a part of an element, which they do not
/// concern.
pub(super) fn packing(array: &ArrayMetadata, choice: &Choice) -> Option<Packing> {
    choice.name.is_empty().then(|| Packing::of(array))
}

/// The meaning of a value, in words: `   unpacked 36.21 K`, `   missing (_FillValue)`.
pub(super) fn meaning(packing: &Packing, value: &Scalar, units: &str) -> String {
    match packing.meant(value) {
        Meant::Missing(attribute) => format!("   missing ({attribute})"),
        Meant::Number(number) => format!("   unpacked {} {units}", words::short(number)),
        Meant::Date(date) => format!("   {date}"),
        Meant::Value(meant) if meant != *value => {
            format!("   by {} {meant} {units}", packing.recast_by())
        }
        Meant::Value(_) => match (packing.flags_of(value), packing.why_no_dates()) {
            (Some(flags), _) => format!(" {units}   flags {}", safe(&flags)),
            (None, Some(why)) => format!(" {units}   not dates: {}", safe(why)),
            (None, None) => format!(" {units}"),
        },
    }
}

fn packing_words(packing: &Packing) -> String {
    let sign = if packing.offset < 0.0 { "−" } else { "+" };
    let offset = words::short(packing.offset.abs());
    format!("× {} {sign} {offset}", words::short(packing.factor))
}

/// The unit of a number of every element, safe to show; empty where none is given.
pub(super) fn units_of(array: &ArrayMetadata, choice: &Choice) -> String {
    match (choice.path.is_empty(), choice.part, choice.is_complex) {
        (_, ComplexPart::Phase, true) => "radians".into(),
        (true, ..) => units(array),
        // The attribute is of the whole array.
        (false, ..) => String::new(),
    }
}

/// The same for a scale of stored numbers: packed ones are measured in nothing.
pub(super) fn units_on_scale<'a>(
    array: &ArrayMetadata,
    choice: &Choice,
    units: &'a str,
) -> &'a str {
    if packing(array, choice).is_some_and(|packing| packing.is_scaled) { "" } else { units }
}

/// The attribute `units`, safe to show; empty where there is none.
fn units(array: &ArrayMetadata) -> String {
    let units = array.attributes().and_then(|attributes| attributes.get("units"));
    units.and_then(|units| units.as_str()).map_or_else(String::new, safe_owned)
}

/// Labels and values, as many in a line as have room.
struct FactLines {
    width: usize,
    used: usize,
    /// A blank, then [`FACT`] spans a fact.
    lines: Vec<Vec<Span>>,
}

impl FactLines {
    fn new(width: usize) -> Self {
        Self { width, used: 1, lines: vec![vec![Span::raw(" ")]] }
    }

    fn add(&mut self, label: &str, value: impl Into<String>, style: Style) {
        let label = if label.is_empty() { String::new() } else { format!("{label} ") };
        let value = value.into();
        let wide = label.width() + value.width();
        if self.used > 1 && self.used + wide > self.width {
            self.lines.push(vec![Span::raw(" ")]);
            self.used = 1;
        }
        self.used += wide + 3;
        if let Some(line) = self.lines.last_mut() {
            line.extend([quiet(label), styled(value, style), Span::raw("   ")]);
        }
    }

    fn lines(self) -> Vec<Line> {
        self.lines.into_iter().map(Line::from).collect()
    }
}

/// The lines below a drawing: how many, from where to where, and what is no number.
pub(super) fn lines(
    pictured: &Pictured,
    counted: &CountedColumn,
    labels: &Labels,
    width: usize,
) -> Vec<Line> {
    let apart = |width: usize| {
        let mut lines = range(counted, labels, width);
        lines.extend(oddities(&pictured.shown.array, counted, width));
        lines.extend(unpacked(pictured, counted, width));
        lines
    };
    let lines = apart(width);
    if lines.len() <= ROWS {
        return lines;
    }
    let subjects = apart(usize::MAX);
    if subjects.len() < ROWS {
        return together(subjects, width);
    }
    // Each subject in one line, cut where it has no room: more lines would hide the last of them.
    subjects.into_iter().map(|line| fitted_facts(line, width)).collect()
}

/// The facts of several lines one after the other in at most [`ROWS`] lines, whichever line they were in.
fn together(lines: Vec<Line>, width: usize) -> Vec<Line> {
    let mut facts = FactLines::new(width);
    for line in lines {
        for fact in line.spans.get(1..).unwrap_or_default().chunks(FACT) {
            if let [label, value, ..] = fact {
                facts.add(label.content.trim_end(), value.content.clone(), value.style);
            }
        }
    }
    let mut lines = facts.lines();
    if lines.len() > ROWS {
        lines.truncate(ROWS);
        let last = lines.pop().unwrap_or_default().to_string();
        lines.push(Line::styled(cut(&format!("{}   …", last.trim_end()), width), QUIET));
    }
    lines
}

/// Lines below a drawing.
const ROWS: usize = 3;

/// A line of facts without those at its end that `width` has no room for, and a sign that there are more.
fn fitted_facts(mut line: Line, width: usize) -> Line {
    let is_wide = |line: &Line, width: usize| line.to_string().trim_end().width() > width;
    if !is_wide(&line, width) {
        return line;
    }
    while line.spans.len() > FACT && is_wide(&line, width.saturating_sub(1)) {
        line.spans.truncate(line.spans.len() - FACT);
    }
    line.spans.push(quiet("…"));
    line
}

/// Parts of a fact: its label, its value, and the gap after it.
const FACT: usize = 3;

/// The number of elements, and from where to where their numbers go.
pub(super) fn range(counted: &CountedColumn, labels: &Labels, width: usize) -> Vec<Line> {
    let statistics = &counted.statistics;
    let mut facts = FactLines::new(width);
    let many = if statistics.elements == 1 { "element" } else { "elements" };
    let count = format!("{} {many}", grouped(statistics.elements));
    if statistics.skipped > 0 {
        let all = grouped(statistics.elements + statistics.skipped);
        facts.add("", format!("{count} of {all}: the loaded ones"), WARNING);
    } else {
        facts.add("", count, PLAIN);
    }
    let (Some(least), Some(most)) = (&statistics.minimum, &statistics.maximum) else {
        facts.add("", nothing_but(statistics), WARNING);
        return facts.lines();
    };
    if matches!(least.scalar, Scalar::Bool(_)) {
        truths(&mut facts, statistics);
        return facts.lines();
    }
    facts.add("min", extreme(&least.scalar, least.value), PLAIN);
    facts.add("max", extreme(&most.scalar, most.value), PLAIN);
    let is_rounded = labels.base().is_some() && !matches!(least.scalar, Scalar::Time(_));
    let is_angle = counted.choice.is_complex && counted.choice.part == ComplexPart::Phase;
    if is_rounded || is_angle {
        // Mean and deviation would be of numbers that were rounded to more than what they differ by, or that go round.
        return facts.lines();
    }
    let mean = statistics.mean().map(|mean| labels.long(mean));
    facts.add("mean", mean.unwrap_or_default(), PLAIN);
    if let Some(deviation) = statistics.standard_deviation()
        && !matches!(least.scalar, Scalar::Time(_))
        // Squares of the smallest floats are 0.
        && (deviation > 0.0 || least.value >= most.value)
    {
        facts.add("std", words::short(deviation), PLAIN);
    }
    facts.lines()
}

/// The numbers of true and false elements.
fn truths(facts: &mut FactLines, statistics: &Statistics) {
    for (word, count) in statistics.variety.counts() {
        let share = percent(count, statistics.elements);
        facts.add(word, format!("{} ({share})", grouped(count)), PLAIN);
    }
}

/// The counts where there is no number.
fn nothing_but(statistics: &Statistics) -> String {
    let all = statistics.elements;
    let kinds = [
        (statistics.missing, "missing"),
        (statistics.fill_value, "the fill value"),
        (statistics.nan, "NaN"),
        (statistics.not_a_time, "NaT"),
        (statistics.positive_infinity, "+Inf"),
        (statistics.negative_infinity, "-Inf"),
    ];
    match kinds.iter().find(|(count, _)| *count == all && all > 0) {
        Some((_, what)) => format!("all of them {what}"),
        None => "no numbers".into(),
    }
}

/// A lowest or highest value as its data type prints it, where that is short.
fn extreme(scalar: &Scalar, value: f64) -> String {
    let text = safe_text(&scalar);
    match scalar {
        Scalar::Float(_) if text.len() > 10 || value == 0.0 => words::short(value),
        Scalar::Complex(..) => words::short(value),
        Scalar::Time(time) if time.since_epoch => number::time_trimmed(&text).to_owned(),
        _ => text,
    }
}

/// The counts of what is special; those of floats only where there are floats.
pub(super) fn oddities(array: &ArrayMetadata, counted: &CountedColumn, width: usize) -> Vec<Line> {
    let statistics = &counted.statistics;
    let mut facts = FactLines::new(width);
    absent(&mut facts, array, counted);
    let scalar = statistics.minimum.as_ref().map(|least| &least.scalar);
    let mut count = |label: &str, count: u64| {
        let style = if count == 0 { QUIET } else { STRONG };
        facts.add(label, grouped(count), style);
    };
    let (above, below) = (statistics.positive_infinity, statistics.negative_infinity);
    if matches!(scalar, Some(Scalar::Bool(_))) {
        return Vec::new();
    }
    let floats = matches!(scalar, Some(Scalar::Float(_) | Scalar::Complex(..)));
    if floats || statistics.nan + above + below > 0 {
        count("NaN", statistics.nan);
        if above + below == 0 {
            count("Inf", 0);
        } else {
            count("+Inf", above);
            count("-Inf", below);
        }
        count("-0.0", statistics.negative_zero);
        count("subnormal", statistics.subnormal);
    }
    if matches!(scalar, Some(Scalar::Time(_))) || statistics.not_a_time > 0 {
        count("NaT", statistics.not_a_time);
    }
    count("zero", statistics.zero);
    facts.lines()
}

/// The number of elements an attribute marks as missing, and how many equal the fill value, which in V2 xarray takes
/// for such a mark even if no attribute does.
fn absent(facts: &mut FactLines, array: &ArrayMetadata, counted: &CountedColumn) {
    let statistics = &counted.statistics;
    let style = |count: u64| if count > 0 { STRONG } else { QUIET };
    let share = |count: u64| format!("{} ({}", grouped(count), percent(count, statistics.elements));
    let packing = packing(array, &counted.choice);
    let rules = packing.as_ref().map(Packing::rules).unwrap_or_default();
    let missing = statistics.missing;
    if !rules.is_empty() {
        facts.add("missing", format!("{} by {rules})", share(missing)), style(missing));
    }
    let fill = statistics.fill_value;
    let bits = fill.saturating_sub(statistics.fill_bits);
    let bits =
        if bits > 0 { format!(", {} with other bits", grouped(bits)) } else { String::new() };
    facts.add("fill", format!("{}{bits})", share(fill)), style(fill));
}

fn percent(part: u64, of: u64) -> String {
    let (part, of) = (u128::from(part), u128::from(of.max(1)));
    let mills = (part * 2000 + of) / (of * 2);
    match mills {
        0 if part > 0 => return "< 0.1 %".into(),
        1000 if part < of => return "> 99.9 %".into(),
        _ => {}
    }
    format!("{}.{} %", mills / 10, mills % 10)
}

/// The numbers as the attributes say that they are meant.
fn unpacked(pictured: &Pictured, counted: &CountedColumn, width: usize) -> Vec<Line> {
    let statistics = &counted.statistics;
    let ends = statistics.minimum.as_ref().zip(statistics.maximum.as_ref());
    let packing = packing(&pictured.shown.array, &counted.choice)
        .filter(|packing| packing.is_scaled || matches!(packing.dates, Some(Ok(_))));
    let Some((packing, (least, most))) = packing.zip(ends) else { return Vec::new() };
    let mut facts = FactLines::new(width);
    let is_date = matches!(packing.dates, Some(Ok(_)));
    let unpacked = if packing.is_scaled { packing_words(&packing) } else { String::new() };
    facts.add(if packing.is_scaled { "unpacked" } else { "dates" }, unpacked, QUIET);
    let number =
        |value: f64| packing.date(value).unwrap_or_else(|| words::short(packing.unpack(value)));
    facts.add("min", number(least.value), PLAIN);
    facts.add("max", number(most.value), PLAIN);
    facts.add("mean", statistics.mean().map(number).unwrap_or_default(), PLAIN);
    if !is_date {
        facts.add("", units(&pictured.shown.array), QUIET);
    }
    facts.lines()
}

/// The fields of a struct: one line of numbers and one histogram each.
pub(super) fn fields(pictured: &Pictured, rows: usize, width: usize) -> Vec<Line> {
    let all = || pictured.counted.values().filter(|one| one.choice.part == ComplexPart::Modulus);
    let name = all().map(|one| safe(&one.choice.field).width()).max().unwrap_or(0).clamp(5, 24);
    let types = all().map(|one| one.choice.data_type.width()).max().unwrap_or(0).min(width / 4);
    let mut lines = Vec::new();
    for one in all() {
        let title = styled(format!(" {}  ", left(&safe(&one.choice.field), name)), STRONG);
        let data_type = styled(left(&safe(&one.choice.data_type), types), TYPE);
        lines.push(Line::from([vec![title, data_type, Span::raw("  ")], field(one)].concat()));
        if let Some(counts) = &one.histogram {
            let labels = Labels::of(one);
            let step = labels.step(counts.width());
            let room = (width.saturating_sub(name + 3), 1);
            for line in histogram(counts, ends(one, &labels), &step, room) {
                let indent = vec![Span::raw(" ".repeat(name + 3))];
                lines.push(Line::from([indent, line.spans].concat()));
            }
        }
    }
    if lines.len() > rows {
        lines.truncate(rows.saturating_sub(1));
        lines.push(Line::styled("   … and more fields", QUIET));
    }
    lines
}

/// The lowest and the highest number.
pub(super) fn ends(one: &CountedColumn, labels: &Labels) -> [String; 2] {
    one.ends().map_or_else(Default::default, |(low, high)| [low, high].map(|end| labels.short(end)))
}

fn field(one: &CountedColumn) -> Vec<Span> {
    let mut facts = FactLines::new(usize::MAX);
    let statistics = &one.statistics;
    match (&statistics.minimum, &statistics.maximum) {
        (Some(least), Some(most)) => {
            facts.add("min", extreme(&least.scalar, least.value), PLAIN);
            facts.add("max", extreme(&most.scalar, most.value), PLAIN);
        }
        _ if one.choice.is_numeric() => facts.add("", "not a number", WARNING),
        _ => match statistics.variety.counts().first() {
            Some((word, count)) => {
                let word = format!("{} ({})", cut(word, 24), grouped(*count));
                facts.add("most frequent", word, PLAIN);
            }
            None => facts.add("", "no numbers", QUIET),
        },
    }
    let nan = statistics.nan + statistics.not_a_time;
    if nan > 0 {
        facts.add("not a number", grouped(nan), STRONG);
    }
    facts.lines.concat()
}

/// The values and the number of each, the most frequent first: for text, bytes and bools.
pub(super) fn variety(counted: &CountedColumn, rows: usize, width: usize) -> Vec<Line> {
    let counts = counted.statistics.variety.counts();
    let most = counts.first().map_or(1, |(_, count)| *count).max(1);
    let digits = grouped(most).len().max(5);
    let room = width.saturating_sub(digits + BAR + 6);
    let line = |(word, count): &(&str, u64)| {
        let bar = usize::try_from((u128::from(*count) * BAR as u128).div_ceil(u128::from(most)));
        let bar = "█".repeat(bar.unwrap_or(BAR));
        Line::from(vec![
            Span::raw(format!(" {}  ", right(&grouped(*count), digits))),
            Span::raw(left(&bar, BAR)),
            Span::raw(format!("  {}", cut(word, room))),
        ])
    };
    let others = counted.statistics.variety.others();
    let hidden = counts.len().saturating_sub(rows.saturating_sub(1));
    let mut lines: Vec<Line> = counts.iter().take(rows.saturating_sub(1)).map(line).collect();
    if others > 0 || hidden > 0 {
        let mut words = Vec::new();
        if hidden > 0 {
            words.push(format!("{} more distinct values", grouped(hidden)));
        }
        if others > 0 {
            words.push(format!(
                "{} elements with further values that were not counted separately",
                grouped(others)
            ));
        }
        lines.push(Line::styled(format!("   … {}", words.join(", ")), QUIET));
    }
    lines
}
