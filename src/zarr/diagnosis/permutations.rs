//! Every order of a few things.

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
