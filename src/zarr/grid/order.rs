//! Numbers and coordinates: the last dimension runs fastest (C order).

/// The coordinates of item `number` where there are `counts` along each dimension. Past the last item the first
/// dimension is counted round.
pub fn coordinates(number: u128, counts: &[u64]) -> Vec<u64> {
    let mut rest = number;
    let mut at = vec![0; counts.len()];
    for (place, &count) in at.iter_mut().zip(counts).rev() {
        let count = count.max(1);
        // Division by hardware for as long as the number has shrunk to what that can do.
        if let Ok(small) = u64::try_from(rest) {
            (*place, rest) = (small % count, u128::from(small / count));
        } else {
            *place = u64::try_from(rest % u128::from(count)).unwrap_or_default();
            rest /= u128::from(count);
        }
    }
    at
}

/// The number of the item at `at` where there are `counts` along each dimension; `None` where there is none, or the
/// number is past 2⁶⁴.
pub fn number(at: &[u64], counts: &[u64]) -> Option<u64> {
    if at.len() != counts.len() {
        return None;
    }
    at.iter().zip(counts).try_fold(0_u64, |number, (&at, &count)| {
        if at >= count { None } else { number.checked_mul(count)?.checked_add(at) }
    })
}

/// True if there is an item at `at` where there are `counts` along each dimension.
pub fn is_inside(at: &[u64], counts: &[u64]) -> bool {
    at.iter().zip(counts).all(|(at, count)| at < count)
}

/// The number of items with `counts` along each dimension; `None` past 2¹²⁸.
pub fn total(counts: &[u64]) -> Option<u128> {
    if counts.contains(&0) {
        return Some(0);
    }
    counts.iter().try_fold(1_u128, |product, &n| product.checked_mul(u128::from(n)))
}

/// The product of lengths; `None` past 2⁶⁴.
pub fn product(lengths: &[u64]) -> Option<u64> {
    total(lengths).and_then(|total| u64::try_from(total).ok())
}

/// The range that covers both.
pub fn spanned<T: Ord>(a: Option<(T, T)>, b: Option<(T, T)>) -> Option<(T, T)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// The coordinates of the item after `from` (or before it); `None` after the last.
pub fn next(from: &[u64], counts: &[u64], forwards: bool) -> Option<Vec<u64>> {
    let mut at = from.to_vec();
    for (place, &count) in at.iter_mut().zip(counts).rev() {
        if forwards && *place + 1 < count {
            *place += 1;
            return Some(at);
        }
        if !forwards && *place > 0 {
            *place -= 1;
            return Some(at);
        }
        *place = if forwards { 0 } else { count.saturating_sub(1) };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_coordinates_are_one() {
        for at in 0..24_u64 {
            assert_eq!(number(&coordinates(at.into(), &[2, 3, 4]), &[2, 3, 4]), Some(at));
        }
        assert_eq!(coordinates(17, &[2, 3, 4]), [1, 1, 1]);
        assert_eq!(coordinates(0, &[]), [0; 0]);
        assert_eq!(coordinates((1 << 100) + 5, &[1 << 50, 1 << 50, 1 << 10]), [1 << 40, 0, 5]);
    }

    #[test]
    fn next_goes_through_the_grid() {
        assert_eq!(next(&[0, 2], &[2, 3], true), Some(vec![1, 0]));
        assert_eq!(next(&[1, 0], &[2, 3], false), Some(vec![0, 2]));
        assert_eq!(next(&[1, 2], &[2, 3], true), None);
        assert_eq!(next(&[], &[], true), None);
    }

    #[test]
    fn there_is_nothing_outside() {
        assert_eq!(number(&[0, 3], &[2, 3]), None);
        assert_eq!(number(&[0], &[2, 3]), None);
        assert_eq!(number(&[1 << 40, 0], &[u64::MAX, u64::MAX]), None);
    }
}
