//! Every order of a few things, and the words for one of dimensions.

use super::prelude::*;

/// Every order of so many things, the one that they are in first.
pub(super) fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|order: &Vec<usize>| {
            let rest = (0..count).filter(|at| !order.contains(at));
            rest.map(|at| [order.as_slice(), &[at]].concat()).collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

/// Lengths, or indices, along the dimensions in another order.
pub(super) fn reordered(along: &[u64], order: &[usize]) -> Vec<u64> {
    order.iter().filter_map(|&axis| along.get(axis).copied()).collect()
}

/// These lengths in every other order, each of them once.
pub(super) fn other_orders(lengths: &[u64]) -> Vec<Vec<u64>> {
    let all = permutations(lengths.len());
    let mut others: Vec<Vec<u64>> = all.iter().map(|order| reordered(lengths, order)).collect();
    others.retain(|new| new != lengths);
    others.sort();
    others.dedup();
    others
}

/// An order of the dimensions, the outermost first, in words and as a setting.
pub(super) fn order_words(order: &[usize]) -> (String, WhatIf) {
    let of = |order: &str| WhatIf::of(SettingMember::Order, order);
    let is_reversed = order.iter().rev().copied().eq(0..order.len());
    let is_plain = order.iter().copied().eq(0..order.len());
    match (is_plain, is_reversed) {
        (true, _) => ("C order, the last dimension fastest".to_owned(), of("C")),
        (_, true) => ("F order, the first dimension fastest".to_owned(), of("F")),
        _ => {
            let axes: Vec<u64> = order.iter().map(|&axis| axis as u64).collect();
            (format!("the order {}", list(&axes)), of(&Json::from(axes).to_string()))
        }
    }
}
