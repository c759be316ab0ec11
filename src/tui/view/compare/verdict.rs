//! The result of a comparison, in words.

use crate::app::page::compare::values_in_words;
use crate::tui::prelude::*;

/// The result of a pair, and its style. The largest difference has all digits that `width` has room for.
pub(super) fn verdict_of(pair: &NodePair, is_over: bool, width: usize) -> (String, Style) {
    if let Some(why) = &pair.why {
        return (why.clone(), WARNING);
    }
    let (rows, layout) = (pair.rows_that_differ(false), pair.rows_that_differ(true));
    let Some(arrays) = &pair.arrays else {
        let text = if rows == 0 { "the metadata is equal" } else { "the metadata differs" };
        return (text.into(), if rows == 0 { FINE } else { WARNING });
    };
    let all = &arrays.compared;
    let so_far = if arrays.reached.is_none() || is_over { "" } else { " so far" };
    let unknown = match all.uncompared {
        0 => String::new(),
        unknown => format!("; {} cannot be compared", grouped(unknown)),
    };
    let values = values_in_words(all.elements, all.different, so_far);
    let largest = largest(all);
    let told = |largest: &str, how: &String| format!("{values}{largest}{unknown}{how}");
    let hows = of_documents(rows, layout);
    let forms = hows.iter().flat_map(|how| largest.iter().map(move |it| told(it, how)));
    let least = || {
        largest
            .iter()
            .find(|text| values.width() + text.width() + " …;".width() < width)
            .or_else(|| largest.last())
            .map_or("", String::as_str)
    };
    let text = forms.collect::<Vec<_>>().into_iter().find(|text| text.width() < width);
    let text = text.unwrap_or_else(|| told(least(), &hows[1]));
    (text, if pair.is_equal() { FINE } else { WARNING })
}

/// Columns of a difference that is told in the fewest words, if it is not rounded.
const BRIEF: usize = 10;

/// The words for the largest difference, in full and ever shorter; none where there is none.
fn largest(all: &Compared) -> Vec<String> {
    let most = all.largest.as_ref().and_then(|most| Some((most.apart()?, list(&most.index))));
    let of = |(apart, at): (f64, String)| {
        let text = |apart: &str| format!("; the largest difference is {apart}");
        let rounded = format!("≈ {}", words::short(apart));
        let short = text(&rounded);
        let exact = words::decimal(apart, BRIEF);
        let brief = if exact.width() > BRIEF { rounded } else { exact };
        vec![
            format!("{} at {at}", text(&words::decimal(apart, 24))),
            format!("{short} at {at}"),
            short,
            format!("; largest {brief}"),
        ]
    };
    most.map_or_else(|| vec![String::new()], of)
}

/// The words for the rows of the documents, after those for the values: the number that differ in the array itself, and
/// how many in how it is stored; then in fewer words.
fn of_documents(rows: usize, layout: usize) -> [String; 2] {
    match (rows, layout) {
        (0, 0) => [String::new(), String::new()],
        (0, _) => ["; only how they are stored differs", "; stored differently"].map(str::to_owned),
        (1, 0) => ["; 1 row of the metadata differs", "; metadata differ"].map(str::to_owned),
        (rows, layout) => {
            let stored = if layout == 0 { "" } else { ", some only in how values are stored" };
            let long = format!("; {} rows of the metadata differ{stored}", rows + layout);
            [long, "; metadata differ".to_owned()]
        }
    }
}

/// The differences of a pair, in a few words.
pub(super) fn why(pair: &NodePair) -> String {
    if let Some(why) = &pair.why {
        return why.clone();
    }
    let mut words = Vec::new();
    if let Some(all) = pair.compared() {
        if all.different > 0 {
            words.push(format!(
                "{} of {} differ",
                grouped(all.different),
                counted(all.elements, "element")
            ));
        }
        if all.uncompared > 0 {
            words.push(format!("{} cannot be compared", grouped(all.uncompared)));
        }
    }
    words.extend([false, true].into_iter().filter_map(|layout| pair.labels_that_differ(layout)));
    words.join("   ")
}
