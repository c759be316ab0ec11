//! How two lists of numbers go together.

/// The means and the spreads of both sides of pairs, and the spread that they share.
pub fn moments(pairs: &[(f64, f64)]) -> [f64; 5] {
    let count = pairs.len().max(1) as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let (xx, yy) = (mean(&|pair| (pair.0 - x).powi(2)), mean(&|pair| (pair.1 - y).powi(2)));
    [x, y, xx, yy, mean(&|pair| (pair.0 - x) * (pair.1 - y))]
}

/// The correlation of both sides of pairs; 0 where one of them is the same everywhere.
pub fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let [_, _, xx, yy, xy] = moments(pairs);
    if xx > 0.0 && yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
}
