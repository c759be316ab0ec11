//! Statistics, histograms and heat maps against the values that the data type itself decodes.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "numbers made for a test are small, and a test that cannot go on should stop"
)]

use crate::byte_order::real::{elements, resolve};
use proptest::prelude::*;
use std::collections::BTreeSet;
use zarrscope::zarr::{
    DataTypes, Scalar,
    bytes::Bytes,
    codec::{Elements, Places},
    statistics::{
        Class, Column, ComplexPart, HeatMap, Histogram, Look, Statistics, downsample, first_of,
        raster::Raster, whole,
    },
};

fn never() -> bool {
    false
}

fn of(elements: &Elements, fill: Option<&Scalar>) -> Statistics {
    Statistics::of(&whole(elements, fill), &|_| false)
}

fn floats(values: &[f64]) -> Elements {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    elements("<f8", &[values.len() as u64], bytes)
}

fn scalar(elements: &Elements, position: u64) -> Scalar {
    elements.value(position).unwrap().unwrap()
}

fn sum(mean: Option<f64>, count: u64) -> f64 {
    mean.unwrap_or(0.0) * count as f64
}

#[test]
fn what_is_special_is_counted_and_kept_out_of_the_moments() {
    let elements = floats(&[
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        0.0,
        5e-324,
        7.0,
        -1.0,
        9.5,
        9.5,
    ]);
    let statistics = of(&elements, Some(&scalar(&elements, 9)));
    let Statistics { elements, numbers, nan, zero, negative_zero, subnormal, .. } = statistics;
    assert_eq!((elements, numbers, nan, zero, negative_zero, subnormal), (10, 7, 1, 2, 1, 1));
    assert_eq!((statistics.positive_infinity, statistics.negative_infinity), (1, 1));
    assert_eq!((statistics.fill_bits, statistics.fill_value), (2, 2));
    assert_eq!(statistics.mean(), Some(25.0 / 7.0));
    assert_eq!(statistics.minimum.unwrap().scalar.to_string(), "-1.0");
    assert_eq!(statistics.maximum.unwrap().scalar.to_string(), "9.5");
}

#[test]
fn fill_counts_by_bits_and_by_value_are_apart() {
    let other_nan = f64::from_bits(f64::NAN.to_bits() | 1);
    let elements = floats(&[0.0, -0.0, f64::NAN, other_nan, -f64::NAN]);
    let zeros = of(&elements, Some(&scalar(&elements, 0)));
    assert_eq!((zeros.fill_bits, zeros.fill_value), (1, 2));
    let nans = of(&elements, Some(&scalar(&elements, 2)));
    assert_eq!((nans.fill_bits, nans.fill_value), (1, 3));
}

#[test]
fn integers_past_2_to_53_keep_their_digits() {
    let bytes = [u64::MAX, u64::MAX - 1, 1 << 60].iter().flat_map(|n| n.to_be_bytes()).collect();
    let statistics = of(&elements(">u8", &[3], bytes), None);
    assert_eq!(statistics.maximum.unwrap().scalar.to_string(), "18446744073709551615");
    assert_eq!(statistics.minimum.unwrap().scalar.to_string(), "1152921504606846976");
}

#[test]
fn times_have_their_own_nothing() {
    let bytes = [0, i64::MIN, 86_400].iter().flat_map(|n: &i64| n.to_le_bytes()).collect();
    let statistics = of(&elements("<M8[s]", &[3], bytes), None);
    assert_eq!((statistics.numbers, statistics.not_a_time), (2, 1));
    assert_eq!(statistics.maximum.unwrap().scalar.to_string(), "1970-01-02T00:00:00");
}

#[test]
fn complex_numbers_go_by_the_part_asked_for() {
    let bytes = [3.0_f32, -4.0, f32::NAN, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let elements = elements("<c8", &[2], bytes);
    let of = |part| {
        let statistics = Statistics::of(&Column::new(&elements, &[], part, None), &|_| false);
        let first = statistics.first_non_finite;
        (statistics.numbers, statistics.nan, first, statistics.mean().unwrap())
    };
    assert_eq!(of(ComplexPart::Modulus), (1, 1, Some(1), 5.0));
    assert_eq!(of(ComplexPart::Phase), (1, 1, Some(1), (-4.0_f64).atan2(3.0)));
    assert_eq!(of(ComplexPart::Real), (1, 1, Some(1), 3.0));
    // That the other part is NaN does not matter to this one.
    assert_eq!(of(ComplexPart::Imaginary), (2, 0, None, -2.0));
}

#[test]
fn a_cell_of_angles_is_one_of_them_and_no_mean() {
    // On both sides of π: their mean would be 0, on the other side of the circle.
    let bytes = [-1.0_f32, 0.1, -1.0, -0.1].iter().flat_map(|x| x.to_le_bytes()).collect();
    let elements = elements("<c8", &[2], bytes);
    let cell = |part| {
        let column = Column::new(&elements, &[], part, None);
        heat_map(&column, (None, 0), &[0], (1, 1)).cells[0].mean.unwrap()
    };
    assert!(cell(ComplexPart::Phase) > 3.0);
    assert!((cell(ComplexPart::Imaginary)).abs() < 1e-6);
}

#[test]
fn a_field_of_a_struct_is_a_column() {
    let bytes = (1..=3_u8).flat_map(|n| [n, 0, n * 10]).collect();
    let elements = elements("[('flag', 'u1'), ('height', '>i2')]", &[3], bytes);
    let column = Column::new(&elements, &[1], ComplexPart::Modulus, None);
    let statistics = Statistics::of(&column, &|_| false);
    assert_eq!((statistics.mean(), statistics.numbers), (Some(20.0), 3));
    let all = of(&elements, None);
    assert_eq!((all.elements, all.numbers, all.mean()), (3, 0, None));
}

#[test]
fn bools_and_texts_are_told_apart_and_counted() {
    let statistics = of(&elements("?", &[4], vec![1, 0, 1, 2]), None);
    assert_eq!(statistics.variety.counts(), [("true", 3), ("false", 1)]);
    let text = "ab\0xy\0ab\0".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let statistics = of(&elements("<U3", &[3], text), None);
    assert_eq!(statistics.variety.counts().iter().map(|&(_, n)| n).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn padding_and_what_is_not_loaded_do_not_count() {
    let bytes: Vec<u8> = (0..20).collect();
    let padded = elements("u1", &[4, 5], bytes);
    let column = whole(&padded, None).within(&[2, 3]);
    let statistics = Statistics::of(&column, &|_| false);
    assert_eq!((statistics.elements, statistics.mean()), (6, Some(3.5)));
    let window = padded.over(Bytes::window((6..13).collect(), 6, 20));
    let statistics = of(&window, None);
    assert_eq!((statistics.elements, statistics.skipped, statistics.mean()), (7, 13, Some(9.0)));
    let both = Statistics::of(&whole(&window, None).within(&[4, 3]), &|_| false);
    assert_eq!((both.elements, both.skipped, both.mean()), (5, 7, Some(9.2)));
}

#[test]
fn stopping_stops() {
    let elements = elements("u1", &[1 << 20], vec![1; 1 << 20]);
    let asked = std::cell::Cell::new(0);
    let stop = |_| asked.replace(asked.get() + 1) >= 2;
    let statistics = Statistics::of(&whole(&elements, None), &stop);
    assert_eq!((statistics.elements, statistics.skipped), (1 << 17, (1 << 20) - (1 << 17)));
}

/// An empty histogram from the lowest number to the highest one.
fn histogram(statistics: &Statistics, bins: usize) -> Option<Histogram> {
    let [low, high] = [&statistics.minimum, &statistics.maximum].map(|end| end.as_ref());
    Histogram::between(low?.value, high?.value, bins)
}

#[test]
fn histograms_hold_the_extremes() {
    let count = |values: &[f64], bins| {
        let elements = floats(values);
        let mut histogram = histogram(&of(&elements, None), bins)?;
        histogram.count(&whole(&elements, None), &|_| false);
        Some((histogram.counts, histogram.outside))
    };
    assert_eq!(count(&[5.0; 9], 4), Some((vec![9], 0)));
    assert_eq!(count(&[0.0, 1.0, 2.0, 3.0, 4.0], 4), Some((vec![1, 1, 1, 2], 0)));
    assert_eq!(count(&[f64::MIN, 0.0, f64::MAX], 2), Some((vec![1, 2], 0)));
    assert_eq!(count(&[f64::NAN, f64::INFINITY], 4), None);
    assert_eq!(count(&[1.0, 2.0], 0), None);
}

/// The cells of a slice of all that there is of `elements`, `rows` and `columns` at most.
fn heat_map(
    column: &Column,
    (down, right): (Option<usize>, usize),
    at: &[u64],
    (rows, columns): (usize, usize),
) -> HeatMap {
    let shape = column.elements().shape();
    let bounds = |length: u64, most: usize| -> Vec<u64> {
        let cells = usize::try_from(length).unwrap().min(most);
        (0..=cells).map(|at| first_of(at, length, cells)).collect()
    };
    let part = |(axis, (&at, &length)): (usize, (&u64, &u64))| {
        if Some(axis) == down || axis == right { 0..length } else { at..at + 1 }
    };
    let raster = Raster {
        down,
        right,
        region: at.iter().zip(shape).enumerate().map(part).collect(),
        rows: bounds(down.map_or(1, |down| shape[down]), rows),
        columns: bounds(shape[right], columns),
        ..Raster::default()
    };
    downsample(column, &raster, &vec![0; at.len()], &never)
}

fn means(
    elements: &Elements,
    axes: (Option<usize>, usize),
    at: &[u64],
    cells: (usize, usize),
) -> Vec<Option<f64>> {
    heat_map(&whole(elements, None), axes, at, cells).cells.iter().map(|cell| cell.mean).collect()
}

#[test]
fn heat_maps_run_along_the_axes_asked_for() {
    let grid = elements("u1", &[2, 4], (0..8).collect());
    let exact = |numbers: &[u8]| numbers.iter().map(|&n| Some(f64::from(n))).collect::<Vec<_>>();
    assert_eq!(means(&grid, (Some(0), 1), &[0, 0], (9, 9)), exact(&[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(means(&grid, (Some(1), 0), &[0, 0], (9, 9)), exact(&[0, 4, 1, 5, 2, 6, 3, 7]));
    assert_eq!(means(&grid, (None, 1), &[1, 0], (9, 9)), exact(&[4, 5, 6, 7]));
    assert_eq!(means(&grid, (Some(0), 1), &[0, 0], (1, 2)), [Some(2.5), Some(4.5)]);
    let transposed = grid.transposed(&[1, 0]);
    assert_eq!(means(&transposed, (Some(1), 0), &[0, 0], (9, 9)), exact(&[0, 1, 2, 3, 4, 5, 6, 7]));
}

#[test]
fn heat_maps_leave_out_what_is_no_number() {
    let elements = floats(&[1.0, f64::NAN, f64::NAN, f64::NAN, 8.0, 3.0]);
    let map = heat_map(&whole(&elements, Some(&scalar(&elements, 4))), (None, 0), &[0], (1, 3));
    let cells: Vec<_> = map.cells.iter().map(|c| (c.mean, c.elements, c.nan, c.fill)).collect();
    assert_eq!(cells, [(Some(1.0), 2, 1, 0), (None, 2, 2, 0), (Some(5.5), 2, 0, 1)]);
}

#[test]
fn a_huge_slice_costs_no_more_than_a_large_one() {
    let huge = elements("u1", &[1 << 30, 1 << 30], Vec::new()).over(Bytes::window(
        vec![3; 1 << 16],
        0,
        1 << 60,
    ));
    let map = heat_map(&whole(&huge, None), (Some(0), 1), &[0, 0], (40, 120));
    assert_eq!((map.cells.len(), map.sampled), (4800, true));
}

/// A data type of the gallery with its item size, and bytes for some elements of it.
fn any_elements() -> impl Strategy<Value = Elements> {
    let types: Vec<_> =
        DataTypes::default().families().flat_map(|family| family.examples()).collect();
    let types: Vec<_> = types.into_iter().filter(|one| one.item_size().fixed().is_some()).collect();
    (0..types.len(), 0..40_u64, any::<bool>()).prop_flat_map(move |(which, n, swapped)| {
        let data_type = types[which].clone();
        let size = data_type.item_size().fixed().unwrap();
        let order = data_type.default_order();
        let order = if swapped { order.swapped() } else { order };
        prop::collection::vec(byte(), size * n as usize).prop_map(move |bytes| {
            let (shape, bytes) = (vec![n], Bytes::whole(bytes));
            Elements::new(
                data_type.clone(),
                order.clone(),
                shape,
                false,
                Places::Fixed(size),
                bytes,
            )
        })
    })
}

/// Bytes with many of those that make special values.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![Just(0), Just(0xff), Just(0x7f), Just(0x80), Just(0xf0), any::<u8>()]
}

/// Fewer elements than these, for merging.
fn part(elements: &Elements, from: u64, to: u64) -> Elements {
    let size = elements.data_type().item_size().fixed().unwrap();
    let bytes = elements.bytes().get(from * size as u64..to * size as u64).unwrap().to_vec();
    let (data_type, order) = (elements.data_type().clone(), elements.order().clone());
    Elements::new(
        data_type,
        order,
        vec![to - from],
        false,
        Places::Fixed(size),
        Bytes::whole(bytes),
    )
}

fn counts(s: &Statistics) -> impl PartialEq + std::fmt::Debug + use<> {
    let special = [
        s.nan,
        s.positive_infinity,
        s.negative_infinity,
        s.not_a_time,
        s.zero,
        s.negative_zero,
        s.subnormal,
    ];
    let ends = [&s.minimum, &s.maximum].map(|end| end.as_ref().map(|end| end.value.to_bits()));
    (
        [s.elements, s.skipped, s.numbers, s.fill_bits, s.fill_value],
        special,
        ends,
        (s.variety.clone(), s.distinct.clone(), s.distribution.clone()),
    )
}

#[test]
fn of_equals_the_first_is_shown() {
    let values = floats(&[f64::NAN, 3.0, 1.0, 1.0, 3.0, f64::NAN]);
    let all = of(&values, None);
    assert_eq!([all.minimum, all.maximum].map(|end| end.unwrap().position), [2, 1]);
    let [front, back] = [(0, 3), (3, 6)].map(|(from, to)| of(&part(&values, from, to), None));
    assert_eq!(front.merge(back).first_non_finite, Some(0));
}

#[test]
fn a_fill_value_that_is_no_number_is_counted_as_the_fill_value_alone() {
    let values = floats(&[f64::INFINITY, f64::NAN, f64::INFINITY, 2.0]);
    let fill = scalar(&values, 0);
    assert_eq!(of(&values, Some(&fill)).first_non_finite, Some(1));
    let column = Column::new(&values, &[], ComplexPart::Modulus, Some(&fill));
    let map = heat_map(&column, (None, 0), &[0], (1, 1));
    assert_eq!((map.cells[0].fill, map.cells[0].infinite), (2, [0, 0]));
}

/// Elements in thousands are counted by blocks, one alone by what is to be seen in it.
#[test]
fn blocks_agree_with_looks() {
    let special = [0, 1, 0x7f, 0x80, 0xff];
    let byte = |at: usize| {
        let mixed = (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        if mixed % 5 < 2 { special[(mixed / 5) as usize % 5] } else { (mixed / 25) as u8 }
    };
    for dtype in [
        "|b1", "|i1", "<i2", ">i4", "<i8", "|u1", ">u2", "<u4", ">u8", "<f2", ">f4", "<f4", "<f8",
        ">f8", "<M8[s]", "<c8",
    ] {
        let size = resolve(dtype).data_type.item_size().fixed().unwrap();
        let count = 3 * 1024 + 7;
        // The first block is of one kind, the others are mixed; NaN are among those, and infinities, by their bytes.
        let bytes = (0..count * size).map(|at| if at < 1024 * size { 0x3f } else { byte(at) });
        let elements = elements(dtype, &[count as u64], bytes.collect());
        for fill in [0, 2000, 2001, 2002] {
            let fill = scalar(&elements, fill);
            let column = Column::new(&elements, &[], ComplexPart::Modulus, Some(&fill));
            let looks: Vec<_> = (0..column.len()).map(|at| column.look(at).unwrap()).collect();
            let counted = Statistics::of(&column, &|_| false);
            let label = format!("{dtype} {fill}");
            counts_agree(&counted, &looks, &label);
            numbers_agree(&counted, &looks, &label);
        }
    }
}

fn counts_agree(counted: &Statistics, looks: &[Look], label: &str) {
    let sum =
        |is_so: &dyn Fn(&Look) -> bool| looks.iter().filter(|look| is_so(look)).count() as u64;
    let of = |class| sum(&|look| look.class == class);
    let expected = [
        of(Class::Nan),
        of(Class::PositiveInfinity),
        of(Class::NegativeInfinity),
        of(Class::NotATime),
        sum(&|look| look.class == Class::Finite && look.value == 0.0),
        sum(&|look| look.negative_zero),
        sum(&|look| look.subnormal),
        sum(&|look| look.fill_bits),
        sum(&|look| look.fill_value),
        sum(&Look::is_number),
    ];
    let found = [
        counted.nan,
        counted.positive_infinity,
        counted.negative_infinity,
        counted.not_a_time,
        counted.zero,
        counted.negative_zero,
        counted.subnormal,
        counted.fill_bits,
        counted.fill_value,
        counted.numbers,
    ];
    assert_eq!(found, expected, "{label}");
    let numbers = looks.iter().filter(|look| look.is_number());
    let different: BTreeSet<u64> = numbers.map(|look| (look.value + 0.0).to_bits()).collect();
    // Large integers may be the same `f64`.
    if looks.iter().all(|look| look.value.abs() < 9e15) && different.len() < 257 {
        assert_eq!(counted.distinct.count(), different.len() as u64, "{label}");
    }
    assert_eq!(counted.distribution.counts().iter().sum::<u64>(), counted.numbers, "{label}");
    let first = looks.iter().position(Look::is_non_finite).map(|at| at as u64);
    assert_eq!(counted.first_non_finite, first, "{label}");
}

fn numbers_agree(counted: &Statistics, looks: &[Look], label: &str) {
    let numbers: Vec<_> = (0_u64..).zip(looks).filter(|(_, look)| look.is_number()).collect();
    let lowest = numbers
        .iter()
        .fold(numbers[0], |low, one| if one.1.value < low.1.value { *one } else { low });
    let highest = numbers
        .iter()
        .fold(numbers[0], |high, one| if one.1.value > high.1.value { *one } else { high });
    let ends = [&counted.minimum, &counted.maximum].map(|end| end.as_ref().unwrap());
    for (end, (at, look)) in ends.into_iter().zip([lowest, highest]) {
        assert_eq!(end.value.to_bits(), look.value.to_bits(), "{label}");
        // Large integers may be the same `f64`.
        assert!(end.position == at || look.value.abs() > 9e15, "{label}");
    }
    if looks.iter().all(|look| look.value.abs() < 1e15) {
        let mean = numbers.iter().map(|(_, look)| look.value).sum::<f64>() / numbers.len() as f64;
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        assert!(near(counted.mean().unwrap(), mean), "{label}");
        let squares = numbers.iter().map(|(_, look)| (look.value - mean).powi(2)).sum::<f64>();
        let deviation = (squares / numbers.len() as f64).sqrt();
        assert!(near(counted.standard_deviation().unwrap(), deviation), "{label}");
    }
}

#[test]
fn means_of_many_are_exact_where_they_can_be() {
    let mean = |values: &[f64]| of(&floats(values), None).mean();
    assert_eq!(mean(&vec![0.1; 5000]), Some(0.1));
    assert_eq!(mean(&(0..1000).map(f64::from).collect::<Vec<_>>()), Some(499.5));
    let huge: Vec<_> = (0..4096).map(|at| if at < 2048 { 1.7e308 } else { -1.7e308 }).collect();
    // But for rounding, 0.
    assert!(mean(&huge).unwrap().abs() < 1e300);
    assert_eq!(of(&floats(&huge), None).standard_deviation(), None);
    assert_eq!(of(&floats(&vec![0.1; 5000]), None).standard_deviation(), Some(0.0));
}

proptest! {
    #[test]
    fn parts_merge_to_the_whole(elements in any_elements(), cuts in (0..=40_u64, 0..=40_u64), at in 0..40_u64) {
        let n = elements.len();
        let fill = elements.value(at).and_then(Result::ok);
        let (a, b) = (cuts.0.min(cuts.1).min(n), cuts.0.max(cuts.1).min(n));
        let [x, y, z] = [(0, a), (a, b), (b, n)].map(|(from, to)| of(&part(&elements, from, to), fill.as_ref()));
        let all = of(&elements, fill.as_ref());
        let left = x.clone().merge(y.clone()).merge(z.clone());
        let right = x.merge(y.merge(z));
        prop_assert_eq!(counts(&left), counts(&all));
        prop_assert_eq!(counts(&right), counts(&all));
        let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => !b.is_finite() || (a - b).abs() <= 1e-9 * (1.0 + b.abs()),
            (a, b) => a == b,
        };
        // Means of numbers of very different sizes and signs lose digits however one adds; test them where they do not.
        let size = |s: &Statistics| s.minimum.iter().chain(&s.maximum).map(|end| end.value.abs()).fold(0.0, f64::max);
        if size(&all) < 1e6 {
            prop_assert!(near(left.mean(), all.mean()) && near(right.mean(), all.mean()));
            prop_assert!(near(left.standard_deviation(), all.standard_deviation()));
        }
    }

    #[test]
    fn passes_agree_with_decoding_one_by_one(elements in any_elements(), at in 0..40_u64) {
        let fill = elements.value(at).and_then(Result::ok);
        let scalars: Vec<Scalar> = (0..elements.len()).map(|at| scalar(&elements, at)).collect();
        let statistics = of(&elements, fill.as_ref());
        let count = |test: &dyn Fn(&Scalar) -> bool| scalars.iter().filter(|one| test(one)).count() as u64;
        prop_assert_eq!(statistics.nan, count(&Scalar::is_nan));
        prop_assert_eq!(statistics.not_a_time, count(&Scalar::is_nat));
        if let Some(fill) = &fill {
            prop_assert!(statistics.fill_bits >= 1 && statistics.fill_value >= statistics.fill_bits);
            if whole(&elements, None).is_numeric() {
                prop_assert_eq!(statistics.fill_value, count(&|one| one.value_equal(fill)));
            }
        }
        let real = Statistics::of(&Column::new(&elements, &[], ComplexPart::Real, None), &|_| false);
        let numbers: Vec<f64> = scalars
            .iter()
            .filter(|one| !matches!(one, Scalar::Time(_)) && !one.is_infinite())
            .filter_map(Scalar::to_f64)
            .filter(|value| value.is_finite())
            .collect();
        if real.numbers == numbers.len() as u64 && real.numbers > 0 {
            let lowest = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert_eq!(real.minimum.as_ref().map(|end| end.value), Some(lowest));
            let total: f64 = numbers.iter().sum();
            if numbers.iter().all(|n| n.abs() < 1e9) {
                prop_assert!((sum(real.mean(), real.numbers) - total).abs() <= 1e-3);
            }
        }
    }

    #[test]
    fn every_number_is_in_one_bin(elements in any_elements(), bins in 1..50_usize) {
        let statistics = of(&elements, None);
        if let Some(mut histogram) = histogram(&statistics, bins) {
            histogram.count(&whole(&elements, None), &|_| false);
            prop_assert_eq!(histogram.counts.iter().sum::<u64>(), statistics.numbers);
            prop_assert_eq!(histogram.outside, 0);
        }
    }

    #[test]
    fn heat_maps_look_at_every_element_of_a_small_slice(elements in any_elements(), columns in 1..50_usize) {
        let map = heat_map(&whole(&elements, None), (None, 0), &[0], (1, columns));
        prop_assert_eq!(map.cells.iter().map(|cell| cell.elements).sum::<u64>(), elements.len());
    }
}

#[test]
fn unloaded_and_empty_elements_give_nothing() {
    let data_type = resolve("<f8").data_type;
    assert_eq!(data_type.item_size().fixed(), Some(8));
    let statistics = of(&floats(&[]), None);
    assert_eq!(
        (statistics.elements, statistics.mean(), statistics.standard_deviation()),
        (0, None, None)
    );
    let unloaded = floats(&[1.0, 2.0]).over(Bytes::window(Vec::new(), 16, 16));
    assert_eq!(of(&unloaded, None).skipped, 2);
}
