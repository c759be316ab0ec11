//! How good the judge of byte orders is: measured on arrays whose order is known.

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
    byte_order::{Component, judge_bytes},
};

mod classes;
mod laws;
mod random;
pub(crate) mod real;

/// How often each verdict was given.
#[derive(Default, Clone, Copy)]
struct Tally {
    right: usize,
    abstained: usize,
    wrong: usize,
}

impl Tally {
    fn add(&mut self, truth: Endian, plausible: Option<Endian>) {
        match plausible {
            None => self.abstained += 1,
            Some(order) if order == truth => self.right += 1,
            Some(_) => self.wrong += 1,
        }
    }

    fn sum(self, other: Self) -> Self {
        Self {
            right: self.right + other.right,
            abstained: self.abstained + other.abstained,
            wrong: self.wrong + other.wrong,
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

fn component(kind: Kind, declared: Endian) -> Component {
    let (width, meaning) = (kind.width(), kind.meaning());
    Component { name: String::new(), offset: 0, width, count: 1, meaning, declared }
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
    row.truths.add(Endian::Little, truth.plausible);
    row.liars.add(Endian::Big, lie.plausible);
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
        format!("{:<40} {:>24}   {:>24}\n", "", "arrays telling the truth", "the same, lying");
    writeln!(
        out,
        "{:<40} {:>6} {:>8} {:>8}   {:>6} {:>8} {:>8}",
        "class", "ok", "silent", "alarm", "caught", "silent", "missed"
    )
    .unwrap();
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
    writeln!(
        out,
        "{name:<40} {:>6} {:>8} {:>8}   {:>6} {:>8} {:>8}",
        truths.right, truths.abstained, truths.wrong, liars.right, liars.abstained, liars.wrong
    )
    .unwrap();
}

fn measured(classes: &[Class]) -> Vec<(String, Row)> {
    classes.iter().map(|class| (class.name.to_owned(), measure_class(class))).collect()
}

fn false_alarms(rows: &[(String, Row)]) -> usize {
    rows.iter().map(|(_, row)| row.truths.wrong + row.liars.wrong).sum()
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
