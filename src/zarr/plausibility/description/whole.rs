//! The cost of whole numbers.

use super::{
    Description, Habit, Meaning, USUAL_DATES, Values, as_f64, bytes,
    cost::{Tally, real, universal, which},
};

/// The cost of choosing a model that not all numbers have.
const CHOICE: f64 = 2.0;
/// The costs of the statement that numbers are shifted to the left by whole bytes: where that fills the type, as the
/// samples of a microphone or a camera do that has fewer bits, and where it does not.
const FILLED: f64 = 4.0;
const SHIFTED: f64 = 12.0;
const STRANGELY_SHIFTED: f64 = 16.0;
/// The same of a numbering, which nobody shifts: and of which the highest are of 2-byte numbers, of which each must occur
/// so often.
const SHIFTED_NUMBERING: f64 = 40.0;
const CLASSES: usize = 32;
const REPEATED: usize = 8;
/// A number that stands for "nothing here" in many files.
const MARK: f64 = 9.0;
/// The cost of the statement that a number is a power of two.
const POWER: f64 = 4.0;
/// A date that nobody means.
const STRANGE_DATE: f64 = 74.0;

/// The shortest description of whole numbers, dates among them.
pub(super) fn describe(values: &Values) -> Description {
    let numbers = NumberSequence::of(values);
    let factor = numbers.all.iter().fold(0, |all, number| gcd(all, number.unsigned_abs()));
    let empty = if factor == 0 { 0 } else { factor.trailing_zeros() / 8 * 8 };
    // Of one number alone, nothing is shifted.
    let is_one = bytes::varying(&values.words) == 0;
    let shifted = if empty == 0 || is_one { 0.0 } else { numbers.shifted(8 * values.width, empty) };
    let best = numbers.shortest();
    let best = numbers.by_factor(factor, empty).map_or(best, |divided| best.or(divided));
    let is_date = matches!(values.meaning, Meaning::Date { .. });
    let best = best.plus(shifted);
    if is_date {
        return best;
    }
    // What is told byte by byte says itself where nothing is in the lower ones.
    let is_numbering = shifted == SHIFTED_NUMBERING;
    best.or(bytes::describe(values).plus(if is_numbering { shifted } else { 0.0 }))
}

/// The shortest description of floats that are whole numbers of a tiny unit.
pub(super) fn subnormal(values: &Values) -> Description {
    NumberSequence::of(values).shortest()
}

/// The bits that it takes to list some different numbers by the gaps between them.
pub(super) fn grid(sorted: &[i128]) -> f64 {
    let gaps = Tally::of(sorted.iter().zip(sorted.iter().skip(1)).map(|(a, b)| b - a));
    gaps.bell() + universal(real(gaps.median())) + CHOICE
}

/// The description of characters: the common ones are short.
pub(super) fn characters(values: &Values) -> Description {
    let bits = |&word: &u64| match word {
        0..=0x7f => 7.0,
        0x80..=0x7ff => 11.0,
        0x800..=0xffff => 16.0,
        0x1_0000..=0x10_ffff => 21.0,
        _ => 40.0,
    };
    Description::new(values.words.iter().map(bits).sum(), Habit::Size)
}

/// Numbers, their neighbours, and what they count.
struct NumberSequence {
    all: Vec<i128>,
    neighbours: Vec<(usize, Vec<Option<i128>>)>,
    /// True if one bit of each is its sign.
    is_signed: bool,
    /// For dates, the seconds of one count.
    seconds: Option<f64>,
}

impl NumberSequence {
    fn of(values: &Values) -> Self {
        let rank = |&word: &u64| values.rank(word);
        let before = |(lag, before): &(usize, Vec<Option<u64>>)| {
            (*lag, before.iter().map(|word| word.as_ref().map(rank)).collect())
        };
        let seconds = match values.meaning {
            Meaning::Date { seconds } => Some(seconds),
            _ => None,
        };
        let all = values.words.iter().map(rank).collect();
        let is_signed = values.meaning != Meaning::Unsigned;
        Self { all, is_signed, neighbours: values.neighbours.iter().map(before).collect(), seconds }
    }

    /// One number by itself.
    fn place(&self, number: i128) -> f64 {
        match self.seconds {
            None => place(number),
            Some(seconds) if USUAL_DATES.contains(&(real(number) * seconds)) => {
                ((USUAL_DATES.end() - USUAL_DATES.start()) / seconds + 1.0).log2() + 1.0
            }
            Some(_) => STRANGE_DATE,
        }
    }

    fn shortest(&self) -> Description {
        let tally = Tally::of(self.all.iter().copied());
        let typical = self.place(tally.median());
        let mut best = Description::new(tally.bell() + typical, Habit::Size);
        for (lag, before) in &self.neighbours {
            let pairs = self.all.iter().zip(before);
            let steps: Vec<i128> =
                pairs.clone().filter_map(|(number, before)| Some(number - (*before)?)).collect();
            let lone =
                Tally::of(pairs.filter(|(_, before)| before.is_none()).map(|(number, _)| *number));
            let bits = lone.bell() + typical + told_by_steps(&steps) + CHOICE;
            best = best.or(Description::new(bits, Habit::Steps(*lag)));
        }
        self.list(&tally).map_or(best, |list| best.or(list))
    }

    /// The numbers as a list of those that occur, and which each is; `None` where most are different.
    fn list(&self, tally: &Tally<i128>) -> Option<Description> {
        let bits = which(&self.all, tally)?;
        let sorted: Vec<i128> = tally.kinds.iter().map(|&(kind, _)| kind).collect();
        let gaps: Vec<i128> =
            sorted.iter().zip(sorted.iter().skip(1)).map(|(a, b)| b - a).collect();
        let after = sorted.iter().skip(1).zip(&gaps);
        // What marks missing numbers is far from the others, and told by itself.
        let one_by_one = after.map(|(&n, &gap)| universal(real(gap - 1)).min(self.place(n) + 1.0));
        let one_by_one: f64 = one_by_one.sum();
        let together = told_by_steps(&gaps) + CHOICE;
        let first = sorted.iter().copied().min_by_key(|number| number.abs())?;
        let all = self.place(first) + one_by_one.min(together) + bits;
        Some(Description::new(all, Habit::Few(sorted.len())))
    }

    /// The numbers divided by what divides all of them, which is told once beside the bits at their end that are `empty`;
    /// `None` where that is 1.
    fn by_factor(&self, factor: u128, empty: u32) -> Option<Description> {
        if factor < 2 || self.all.iter().all(|number| number.unsigned_abs() == factor) {
            return None;
        }
        let own = i128::try_from(factor >> empty).ok()?;
        let extra = if own > 1 { universal(real(own)) } else { 0.0 };
        let divisor = i128::try_from(factor).ok()?;
        let whole = |number: i128| (number % divisor == 0).then(|| number / divisor);
        let divided = Self {
            all: self.all.iter().filter_map(|&number| whole(number)).collect(),
            neighbours: self
                .neighbours
                .iter()
                .map(|(lag, before)| {
                    (*lag, before.iter().map(|before| before.and_then(whole)).collect())
                })
                .collect(),
            is_signed: self.is_signed,
            seconds: self.seconds.map(|seconds| seconds * real(divisor)),
        };
        Some(Description { multiples_of: factor, ..divided.shortest().plus(extra) })
    }

    /// The cost of the statement that the numbers, of so many bits, are shifted to the left by `shift` of them.
    fn shifted(&self, bits: usize, shift: u32) -> f64 {
        let is_usual = matches!((bits, shift), (16, 8) | (32, 8 | 16) | (64, 32));
        let largest = self.all.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0);
        let fills = 128 - largest.leading_zeros() as usize >= bits - usize::from(self.is_signed);
        match (is_usual, fills) {
            _ if shift as usize * 2 >= bits && self.is_numbering(bits, shift) => SHIFTED_NUMBERING,
            (true, true) => FILLED,
            (true, false) => SHIFTED,
            (false, _) => STRANGELY_SHIFTED,
        }
    }

    /// True if the numbers without the lower bits are all from 0 or 1 to a highest one of at most 8 bits, as counters and
    /// classes are; of many numbers a quarter may be missing. Flags leave gaps or go to one less than a power of two.
    fn is_numbering(&self, bits: usize, shift: u32) -> bool {
        let mut numbers: Vec<u128> = self
            .all
            .iter()
            .map(|number| (number.cast_unsigned() & ((1 << bits) - 1)) >> shift)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let highest = numbers.last().copied().unwrap_or(0);
        let present = numbers.iter().filter(|&&number| number > 0).count();
        let missing = if highest > CLASSES as u128 { highest / 4 } else { 0 };
        let is_often = bits > 16 || present <= CLASSES && present * REPEATED <= self.all.len();
        let is_all = present as u128 + missing >= highest && !(highest + 1).is_power_of_two();
        present >= 4 && highest < 256 && is_all && is_often
    }
}

/// Steps from neighbour to neighbour: around a typical step, or as a list of a few.
pub(super) fn told_by_steps(steps: &[i128]) -> f64 {
    let tally = Tally::of(steps.iter().copied());
    let around = tally.bell() + universal(real(tally.median()));
    let Some(bits) = which(steps, &tally) else { return around };
    let listed: f64 = tally.kinds.iter().map(|&(step, _)| universal(real(step)) + 1.0).sum();
    around.min(listed + bits)
}

/// A number by itself: small ones are short, and so are round ones, powers of two, and those that mark what is missing.
fn place(number: i128) -> f64 {
    let size = number.unsigned_abs();
    let sign = if number < 0 { 1.0 } else { 0.0 };
    let mut bits = universal(real(number));
    let (mut digits, mut zeros) = (size, 0);
    while digits > 0 && digits % 10 == 0 {
        (digits, zeros) = (digits / 10, zeros + 1);
    }
    if zeros > 0 {
        let digits = i128::try_from(digits).map_or(f64::MAX, real);
        bits = bits.min(universal(digits) + universal(as_f64(zeros)) + 1.0);
    }
    let is_mark = [999, 9_999, 99_999, 999_999].contains(&size)
        || [15, 16, 31, 32, 63, 64].iter().any(|bits| (1_u128 << bits).abs_diff(size) <= 1);
    if size.is_power_of_two() {
        bits = bits.min(universal(f64::from(size.trailing_zeros())) + POWER);
    }
    if is_mark {
        bits = bits.min(MARK);
    }
    bits + sign
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
