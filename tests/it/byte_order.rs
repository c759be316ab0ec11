//! The quality of the judge of byte orders: measured on arrays whose order is known.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::unwrap_used,
    reason = "numbers made for a test are small, and a test that cannot go on should stop"
)]

use classes::{Class, FRESH, HELD_OUT, Kind, TUNED};
use std::fmt::Write as _;
use zarrscope::zarr::{
    Endian,
    byte_order::{Certainty, Verdict, WideComponent, judge_bytes},
};

mod classes;
mod laws;
mod random;
pub(crate) mod real;

/// The number of times that each verdict was given.
#[derive(Default, Clone, Copy)]
struct Tally {
    certain: usize,
    likely: usize,
    abstained: usize,
    likely_wrong: usize,
    certainly_wrong: usize,
}

impl Tally {
    fn add(&mut self, truth: Endian, verdict: &Verdict) {
        let is_right = verdict.plausible == Some(truth);
        *match verdict.certainty {
            None | Some(Certainty::Weak) => &mut self.abstained,
            Some(Certainty::Certain) if is_right => &mut self.certain,
            Some(Certainty::Likely) if is_right => &mut self.likely,
            Some(Certainty::Certain) => &mut self.certainly_wrong,
            Some(Certainty::Likely) => &mut self.likely_wrong,
        } += 1;
    }

    fn sum(self, other: Self) -> Self {
        Self {
            certain: self.certain + other.certain,
            likely: self.likely + other.likely,
            abstained: self.abstained + other.abstained,
            likely_wrong: self.likely_wrong + other.likely_wrong,
            certainly_wrong: self.certainly_wrong + other.certainly_wrong,
        }
    }
}

/// Arrays that declare the truth, and the same arrays declaring the other order.
#[derive(Default, Clone, Copy)]
struct Row {
    truths: Tally,
    liars: Tally,
}

const SIZES: [usize; 7] = [2, 5, 20, 64, 300, 1000, 30_000];

fn component(kind: Kind, declared: Endian) -> WideComponent {
    let (width, meaning) = (kind.width(), kind.meaning());
    WideComponent { name: String::new(), offset: 0, width, count: 1, meaning, declared }
}

fn swap(bytes: &[u8], width: usize) -> Vec<u8> {
    bytes.chunks(width).flat_map(|word| word.iter().rev().copied()).collect()
}

/// Judges an array as it is, and with its bytes turned round under the same declaration.
fn measure(row: &mut Row, name: &str, kind: Kind, little: &[u8], strides: &[u64]) {
    let width = kind.width();
    let judge =
        |bytes: &[u8]| judge_bytes(bytes, width, &[component(kind, Endian::Little)], strides);
    let (truth, lie) = (judge(little), judge(&swap(little, width)));
    if truth.contradicts() || lie.plausible == Some(Endian::Little) {
        println!("FALSE ALARM {name}, width {width}, {} bytes: {:?}", little.len(), truth.evidence);
    }
    row.truths.add(Endian::Little, &truth);
    row.liars.add(Endian::Big, &lie);
}

fn measure_class(class: &Class) -> Row {
    let mut row = Row::default();
    for (number, &kind) in class.kinds.iter().enumerate() {
        for (size, &n) in SIZES.iter().enumerate() {
            let little =
                class.little(kind, n, (number * 1000 + size * 10 + class.name.len()) as u64);
            measure(&mut row, class.name, kind, &little, &[1]);
        }
    }
    row
}

fn table(rows: &[(String, Row)]) -> String {
    let mut out =
        format!("{:<40} {:>43}   {:>43}\n", "", "arrays telling the truth", "the same, lying");
    let half = |right: &str, wrong: &str| {
        format!("{right:>7} {:>7} {:>7} {wrong:>9} {:>8}", "likely", "silent", "likely")
    };
    let (truths, liars) = (half("certain", "ALARM:"), half("certain", "MISSED:"));
    writeln!(out, "{:<40} {truths}   {liars}", "class").unwrap();
    let mut total = Row::default();
    for (name, row) in rows {
        line(&mut out, name, *row);
        total.truths = total.truths.sum(row.truths);
        total.liars = total.liars.sum(row.liars);
    }
    line(&mut out, "all", total);
    out
}

fn line(out: &mut String, name: &str, Row { truths, liars }: Row) {
    let half = |tally: Tally| {
        let Tally { certain, likely, abstained, likely_wrong, certainly_wrong } = tally;
        format!("{certain:>7} {likely:>7} {abstained:>7} {certainly_wrong:>9} {likely_wrong:>8}")
    };
    writeln!(out, "{name:<40} {}   {}", half(truths), half(liars)).unwrap();
}

fn measured(classes: &[Class]) -> Vec<(String, Row)> {
    classes.iter().map(|class| (class.name.to_owned(), measure_class(class))).collect()
}

fn false_alarms(rows: &[(String, Row)]) -> usize {
    rows.iter().map(|(_, row)| row.truths.certainly_wrong + row.liars.certainly_wrong).sum()
}

#[test]
fn classes_that_the_tests_were_made_with() {
    let rows = measured(TUNED);
    insta::assert_snapshot!(table(&rows));
    assert_eq!(false_alarms(&rows), 0);
}

#[test]
fn classes_that_were_held_out() {
    let rows = measured(HELD_OUT);
    insta::assert_snapshot!(table(&rows));
    assert_eq!(false_alarms(&rows), 0);
}

#[test]
fn classes_that_were_written_last() {
    let rows = measured(FRESH);
    insta::assert_snapshot!(table(&rows));
    assert_eq!(false_alarms(&rows), 0);
}
