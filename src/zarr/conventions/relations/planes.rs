//! Planes of an image that are in the order of their numbers as texts: 1, 10, 11, 2.

use crate::zarr::conventions::prelude::*;

/// The fewest planes that texts sort otherwise than numbers, and the elements of each that are compared.
const FEWEST: u64 = 12;
const SAMPLE: usize = 1024;
/// By how many times planes differ more where the order of texts skips, and at most where that of numbers goes on.
const MORE: f64 = 1.5;
const LIKE: f64 = 1.2;

/// The warning on the first level of an image whose planes go on smoothly once they are sorted as numbers.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let (leading, sides) = related.array.known_shape()?.split_last_chunk::<2>()?;
    let count = leading.last().filter(|count| **count >= FEWEST)?;
    let size = order::product(sides)?;
    size.checked_mul(*count).filter(|all| (1..=MOST).contains(all))?;
    let group = related.group()?;
    let node = related.hierarchy.node(&group);
    let image = OmeGroup::of(related.hierarchy, &group, &node.kind)?;
    (image.first_path()? == related.path.name()).then_some(())?;
    // Channels go on into none.
    let axes = image.axes(image.items("multiscales").first()?)?.1.as_array()?;
    axes.get(leading.len() - 1)?.get_str("type").filter(|it| *it != "channel")?;
    let values = related.slice(&vec![0; leading.len() - 1])?;
    let planes: Vec<&[f64]> = values.chunks_exact(nonzero(size)?).collect();
    let apart = |(a, b): (usize, usize)| {
        let (a, b) = (planes.get(a)?, planes.get(b)?);
        let some = a.iter().zip(*b).step_by((a.len() / SAMPLE).max(1));
        let all: Vec<f64> = some.map(|(a, b)| (a - b).abs()).collect();
        Some(all.iter().sum::<f64>() / all.len() as f64)
    };
    let mean = |pairs: &[(usize, usize)]| {
        let all: Vec<f64> = pairs.iter().filter_map(|pair| apart(*pair)).collect();
        (all.len() > 1).then(|| all.iter().sum::<f64>() / all.len() as f64)
    };
    // Numbers that begin at 0, or at 1, of at least one digit, or two, before a dot, or what is after the digits: _ or a letter.
    let ways = [0, 1].into_iter().flat_map(|first| [(first, 1), (first, 2)]);
    let mut ways = ways.flat_map(|(first, digits)| [(first, digits, '.'), (first, digits, '_')]);
    ways.find_map(|(first, digits, after)| {
        let mut numbers: Vec<usize> = (0..planes.len()).collect();
        let text = |number: usize| format!("{:0digits$}", number + first);
        numbers.sort_by_key(|number| format!("{}{after}", text(*number)));
        let mut positions = vec![0; planes.len()];
        for (place, number) in numbers.iter().enumerate() {
            *positions.get_mut(*number)? = place;
        }
        let pairs = neighbours(&numbers).enumerate();
        let (next, skips): (Vec<_>, Vec<_>) =
            pairs.partition(|(_, (a, b))| **a + 1 == **b);
        let [next, skips] =
            [next, skips].map(|all| all.iter().map(|(at, _)| (*at, at + 1)).collect::<Vec<_>>());
        let joins = positions.iter().copied().zip(positions.iter().skip(1).copied());
        let joins: Vec<_> = joins.filter(|(a, b)| a + 1 != *b).collect();
        let (skip, _) = *skips.first()?;
        let (usual, skipped, joined) = (mean(&next)?, mean(&skips)?, mean(&joins)?);
        let sentence = format!(
            "planes are in the order of their numbers sorted as text ({} after {}): where these skip, they differ by {} on average, elsewhere by \
             {}, and by {} in the order of the numbers",
            text(*numbers.get(skip + 1)?),
            text(*numbers.get(skip)?),
            short(skipped),
            short(usual),
            short(joined)
        );
        let fix = "Likely cause: files were read in the order of their names. Sort the planes by their numbers; all levels are made of them.";
        related.warning_if(skipped > MORE * usual && joined < LIKE * usual, sentence, fix)
    })
}
