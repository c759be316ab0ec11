//! The windows of the channels of an image against its pixels: some writers measure them, and then they tell the channels apart.

use crate::zarr::conventions::prelude::*;

/// The most channels that are compared.
const CHANNELS: u64 = 64;

/// The warning on windows that are, to the last digit, the lowest and highest pixels of other channels.
pub(in crate::zarr::conventions) fn check(related: &Related) -> Option<Problem> {
    let group = related.group()?;
    let node = related.hierarchy.node(&group);
    let image = OmeGroup::of(related.hierarchy, &group, &node.kind)?;
    let multiscales = image.items("multiscales").first()?;
    let datasets = multiscales.get_array("datasets")?;
    let is_level =
        |level: Option<&Json>| level.and_then(|it| it.get_str("path")) == Some(related.path.name());
    let (is_first, is_last) = (is_level(datasets.first()), is_level(datasets.last()));
    let described = image.ome.get("omero")?.get_array("channels")?;
    let mut axes = image.axes(multiscales)?.1.as_array()?.iter();
    let along = axes.position(|it| it.get_str("type") == Some("channel"))?;
    let shape = related.array.known_shape()?;
    let count = *shape.get(along).filter(|count| (1..=CHANNELS).contains(count))?;
    if !is_first && !is_last || described.len() as u64 != count {
        return None;
    }
    let window = |channel: &Json| {
        let end = |key: &str| number(channel.get("window")?.get(key)?);
        Some([end("start")?, end("end")?])
    };
    let windows: Vec<[f64; 2]> = described.iter().map(window).collect::<Option<_>>()?;
    let is_same = |a: &[f64; 2], b: &[f64; 2]| a.iter().zip(b).all(|(a, b)| a.total_cmp(b).is_eq());
    let are_distinct = couples(&windows).all(|(one, other)| !is_same(one, other));
    let is_apart = is_first && count > 1 && are_distinct;
    let values = related.own()?;
    let inside = order::product(shape.get(along + 1..)?)?;
    let mut measured = vec![[f64::INFINITY, f64::NEG_INFINITY]; windows.len()];
    for (value, number) in values.iter().zip(0_u64..) {
        let channel = usize::try_from(number.checked_div(inside)? % count).ok()?;
        let [low, high] = measured.get_mut(channel)?;
        (*low, *high) = (low.min(*value), high.max(*value));
    }
    let first = datasets.first()?.get_str("path").and_then(|it| related.shape(&group.child(it)));
    let is_large = |shape: Vec<u64>| order::product(&shape).is_none_or(|count| count > MOST);
    // What is told of the first level is not told again.
    if (is_first || first.is_some_and(is_large))
        && let Some(problem) = dark(related, described, (&windows, &measured))
    {
        return Some(problem);
    }
    let is_beyond =
        |(window, pixels): (&[f64; 2], &[f64; 2])| pixels[0] >= window[1] && pixels[1] > pixels[0];
    if is_last && windows.iter().zip(&measured).all(is_beyond) {
        let ([start, end], [low, high]) = (*windows.first()?, *measured.first()?);
        let sentence = format!(
            "the window of omero.channels goes from {}, and the pixels of channel 0 from {}: none of any channel is below its end",
            from_to(start, end),
            from_to(low, high)
        );
        let is_byte = (end - 255.0).abs() < 0.5;
        let cause =
            if is_byte { " Likely cause: they are those of an image of eight bits." } else { "" };
        let fix = format!(
            "A viewer that goes by the windows shows all of the image at its brightest.{cause}"
        );
        return related.warning(sentence, fix);
    }
    is_apart.then_some(())?;
    let meant = |window: &[f64; 2]| measured.iter().position(|it| is_same(it, window));
    let places: Vec<usize> = windows.iter().map(meant).collect::<Option<_>>()?;
    let (at, place) = places.iter().enumerate().find(|(at, place)| at != *place)?;
    let [low, high] = *windows.get(at)?;
    let label = label(described.get(at)?);
    let sentence = format!(
        "the windows of omero.channels are those of other channels: that of channel {at}{label}, {}, is the range of the pixels of \
         channel {place}",
        from_to(low, high)
    );
    let fix = format!(
        "Each is the range of one channel to the last digit, in the order {}: the channels are in another order than their descriptions, so that \
         names and colors are those of others.",
        places.iter().joined(", ")
    );
    related.warning(sentence, fix)
}

/// The label of a channel after its number, where it has one.
fn label(channel: &Json) -> String {
    channel.get_str("label").map_or_else(String::new, |it| format!(" ({})", quoted(it)))
}

/// The warning on a window that begins far above all pixels of its channel, where that of another channel does not: one that begins just
/// above them hides the background of an empty channel.
fn dark(
    related: &Related,
    described: &[Json],
    (windows, measured): (&[[f64; 2]], &[[f64; 2]]),
) -> Option<Problem> {
    const FAR: f64 = 4.0;
    let is_dark = |([start, _], [low, high]): (&[f64; 2], &[f64; 2])| {
        *start > FAR * high && *high > 0.0 && low < high
    };
    let all = || windows.iter().zip(measured);
    let at = all().position(is_dark).filter(|_| !all().all(is_dark) || windows.len() == 1)?;
    let ([start, end], [low, high]) = (*windows.get(at)?, *measured.get(at)?);
    let sentence = format!(
        "the window of channel {at}{} in omero.channels goes from {}, and its pixels from {}: all are below its start",
        label(described.get(at)?),
        from_to(start, end),
        from_to(low, high)
    );
    related.warning(sentence, "A viewer that goes by the windows shows the channel black.")
}
