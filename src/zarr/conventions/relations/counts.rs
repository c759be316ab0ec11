//! Arrays that have a row for each of something, by the names that formats give them: sweeps of radars, intervals, dates.

use super::Due;
use crate::zarr::conventions::prelude::*;

/// The warning on the angle of a sweep of `CfRadial` that neither the elevation nor the azimuth of many of its rays has.
pub(super) fn elsewhere(related: &Related) -> Option<Problem> {
    /// By how many degrees a ray may be beside it, and of how many one may be anywhere: the antenna moves between sweeps.
    const NEAR: f64 = 1.0;
    const ONE_IN: usize = 4;
    let numbers = |name: &str| related.numbers_beside(name);
    let (starts, ends) = (numbers("sweep_start_ray_index")?, numbers("sweep_end_ray_index")?);
    let rays = [numbers("elevation")?, numbers("azimuth")?];
    let angles = related.own()?;
    let sweeps = angles.iter().zip(starts.iter().zip(&ends)).enumerate();
    let (at, angle, count, all) = sweeps.into_iter().find_map(|(at, (angle, (start, end)))| {
        let range = index(*start)?..index(end + 1.0)?;
        let own = rays.iter().map(|rays| rays.get(range.clone())).collect::<Option<Vec<_>>>()?;
        let far = |rays: &&[f64]| rays.iter().filter(|it| (**it - angle).abs() > NEAR).count();
        let count = own.iter().map(far).min()?;
        (count * ONE_IN > range.len()).then_some((at, *angle, count, range.len()))
    })?;
    let sentence = format!(
        "{} of the {} rays of sweep [{at}] have neither its elevation nor its azimuth, {}",
        grouped(count),
        grouped(all),
        short(angle)
    );
    let fix = "Likely cause: the rays are those of several sweeps, and the table of sweeps has one of them.";
    related.warning(sentence, fix)
}

/// The warning on the angle of a sweep of `CfRadial` 2 that none of its rays is near to.
pub(super) fn aimed(related: &Related) -> Option<Problem> {
    let group = &related.group()?;
    sweep(group, 0)?;
    let angle = *related.own()?.first()?;
    let middle = |name: &str| median(&related.numbers_beside(name)?);
    let (elevation, azimuth) = (middle("elevation")?, middle("azimuth")?);
    let is_near = |name: &str| {
        let rays = related.numbers_beside(name);
        rays.is_none_or(|rays| rays.iter().any(|it| (it - angle).abs() <= 1.0))
    };
    let sentence = format!(
        "sweep_fixed_angle of {} is {}, and no ray is near to it: elevations are around {}, azimuths around {}",
        quoted(group.name()),
        short(angle),
        short(elevation),
        short(azimuth)
    );
    let is_turn = (angle - elevation).abs() > 359.0 && (angle - elevation).abs() < 361.0;
    let fix = if is_turn {
        "Minus 360, it is that of the elevations: likely, a negative angle was stored as an unsigned one."
    } else {
        "Likely cause: the angle is that of another sweep."
    };
    // An antenna that turns has all azimuths.
    let is_told = !is_near("elevation") && (is_turn || !is_near("azimuth"));
    related.warning_if(is_told, sentence, fix)
}

/// The group of the sweep of `CfRadial` that is so many after that of a path.
fn sweep(group: &NodePath, by: i64) -> Option<NodePath> {
    let number: i64 = group.name().strip_prefix("sweep_")?.parse().ok()?;
    Some(group.parent()?.child(&format!("sweep_{}", number.checked_add(by)?)))
}

/// The finding on ranges of a sweep that are not those of their own attributes: a warning where they are thousandths or thousands of them. Of
/// a part of the gates, the attributes are those of all.
pub(super) fn gates(related: &Related) -> Option<Problem> {
    let group = &related.group()?;
    sweep(group, 0)?;
    let attributes = related.attributes()?;
    let number = |key: &str| number(attributes.get(key)?);
    let due = number("meters_between_gates").filter(|it| *it > 0.0)?;
    let own = related.own()?;
    let step = (own.last()? - own.first()?) / (own.len() as f64 - 1.0);
    let is = |times: f64| (step / due / times - 1.0).abs() < 0.01;
    // Of a part of the gates, it may be later, and never earlier.
    let first = number("meters_to_center_of_first_gate");
    if let Some(first) =
        first.filter(|first| is(1.0) && own.first().is_some_and(|it| *it < first - due / 2.0))
    {
        let sentence = format!(
            "ranges of {} begin at {}, and meters_to_center_of_first_gate is {}",
            quoted(group.name()),
            short(*own.first()?),
            short(first)
        );
        let fix = "Likely cause: they were computed without the distance of the first gate. All of the sweep is drawn too near to the radar.";
        return related.warning(sentence, fix);
    }
    let sentence = format!(
        "ranges of {} are {} apart, and meters_between_gates is {}",
        quoted(group.name()),
        short(step),
        short(due)
    );
    let is_unit = is(1e-3) || is(1e3);
    let fix = if is_unit {
        "Likely cause: they are in km, and read as metres."
    } else {
        "One of the two is that of another resolution: places on a map are computed from either."
    };
    note_unless(is_unit, related.warning_if(step > 0.0 && !is(1.0), sentence, fix))
}

/// The finding on a sweep whose rays have the times of those of the sweep before, at another angle: a warning where times end before the
/// volume does. Some antennas have several beams.
pub(super) fn simultaneous(related: &Related) -> Option<Problem> {
    let group = &related.group()?;
    let before = sweep(group, -1)?;
    let path = before.child("time");
    let array = related.existing(&path)?;
    let dates = Packing::of(related.array).dates?;
    let is_alike = Packing::of(&array).dates.as_ref() == Some(&dates);
    let dates = dates.ok().filter(|_| is_alike)?;
    let own = related.own()?;
    let angle = |group: &NodePath| {
        let angles = related.numbers(&group.child("sweep_fixed_angle"))?;
        angles.first().copied()
    };
    let (angle, other) = (angle(group)?, angle(&before)?);
    let times = sorted(own);
    let (first, last) = (*times.first()?, *times.last()?);
    let is_due = last - first > 0.0 && (angle - other).abs() > 0.05;
    (is_due && related.numbers(&path).is_some_and(|it| it == own)).then_some(())?;
    let sentence = format!(
        "the times of {} and {} are the same, though their angles are {} and {}",
        quoted(before.name()),
        quoted(group.name()),
        short(other),
        short(angle)
    );
    let end = related.first_text(&group.parent()?.child("time_coverage_end"));
    let end = end.and_then(|it| dates.moment_of(&it));
    let is_before = end.is_some_and(|end| end > dates.moment(2.0 * last - first));
    let fix = "Likely cause: they are counted from the start of each sweep, and not from that of the volume. Only an antenna with several beams has \
               several angles at once.";
    note_unless(is_before, related.warning(sentence, fix))
}

/// The finding on a gap among the azimuths of a sweep in which the antenna turned on: a warning where a sweep beside it has the rays that
/// are missing. Some radars do not send everywhere.
pub(super) fn unseen(related: &Related) -> Option<Problem> {
    const FEWEST: usize = 60;
    let group = &related.group()?;
    sweep(group, 0)?;
    let (own, times) = (related.own()?, related.numbers_beside("time")?);
    let mut rays: Vec<[f64; 2]> = own.iter().copied().zip(times).map(Into::into).collect();
    rays.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let pairs = rays.iter().zip(rays.iter().cycle().skip(1));
    let steps: Vec<[f64; 2]> =
        pairs.map(|(a, b)| [(b[0] - a[0]).rem_euclid(360.0), (b[1] - a[1]).abs()]).collect();
    let usual = |of: fn(&[f64; 2]) -> f64| {
        let all: Vec<f64> = steps.iter().map(of).collect();
        median(&all).filter(|it| *it > 0.0)
    };
    let (turn, time) = (usual(|it| it[0])?, usual(|it| it[1])?);
    let odd = steps.iter().enumerate().filter(|(_, it)| it[0] > 1.5 * turn);
    let (at, [gap, pause]) = only(odd)?;
    let missing = (gap / turn).round() - 1.0;
    // Where the sweep starts and ends, times are as far apart as can be.
    let is_passed = (pause / time - 1.0 - missing).abs() <= 0.5 + 0.1 * missing;
    let next = (at + 1) % rays.len();
    let sentence = format!(
        "azimuths of {} go from {}, where their usual step is {}: about {} missing",
        quoted(group.name()),
        from_to(rays.get(at)?[0], rays.get(next)?[0]),
        short(turn),
        if missing > 1.0 { format!("{} rays are", short(missing)) } else { "1 ray is".into() }
    );
    let fix = "By the times, the antenna went on: the rays were lost, or nothing was sent there.";
    let count = index(rays.len() as f64 + missing).map(|it| it as u64);
    let is_full = [-1, 1].iter().any(|by| {
        let beside = sweep(group, *by).map(|it| it.child("azimuth"));
        beside.and_then(|path| related.length_of(&path, 0)) == count
    });
    let is_told = rays.len() >= FEWEST && missing >= 1.0 && is_passed;
    note_unless(is_full, related.warning_if(is_told, sentence, fix))
}

/// The warning on a table of intervals each of which starts and stops at 0.
pub(super) fn unset(related: &Related) -> Option<Problem> {
    const FEWEST: usize = 3;
    let group = &related.group()?;
    related.text(group, "neurodata_type")?;
    let stops = related.numbers_beside("stop_time")?;
    let starts = related.own()?;
    let are_zero = |times: &[f64]| times.iter().all(|time| is_zero(*time));
    let is_unset = starts.len() >= FEWEST && are_zero(starts) && are_zero(&stops);
    let sentence = format!("start_time and stop_time are 0 in all {} rows", grouped(starts.len()));
    related.warning_if(is_unset, sentence, "They were never filled in.")
}

/// What the group of each sweep of a radar volume says, where the root says it of all.
pub(super) fn of_sweeps(related: &Related) -> Option<Due> {
    let group = related.group()?;
    let [Some(name)] = related.array.dimension_names.as_deref()? else { return None };
    let names = (name == "sweep").then(|| related.texts(&group.child("sweep_group_name")))??;
    let own = related.own()?;
    let name = related.path.name();
    let of_group = |sweep: &String| {
        let path = group.child(sweep.trim_matches('"')).child(name);
        related.existing_numbers(&path)?.first().copied()
    };
    let pairs = names.iter().zip(own);
    let pairs = pairs.map(|(sweep, value)| [*value, of_group(sweep).unwrap_or(f64::NAN)]);
    Some(Due::of(related, pairs, "that of the group of each sweep".to_owned()))
}

/// The warning on names with dates that are those of `time` beside them, in another order.
pub(super) fn dated(related: &Related) -> Option<Problem> {
    const FEWEST: usize = 4;
    let group = &related.group()?;
    let is_text = !matches!(
        related.array.data_type()?.default_scalar(),
        Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_) | Scalar::Bool(_)
    );
    let path = group.child("time");
    let array = is_text.then(|| related.existing(&path))?.filter(|it| related.is_alike(it))?;
    let dates = Packing::of(&array).dates?.ok()?;
    let days: Vec<String> = related
        .numbers(&path)?
        .into_iter()
        .map(|count| Some(dates.of_number(count)?.get(..10)?.replace('-', "")))
        .collect::<Option<_>>()?;
    // The first number of eight digits, or more, that begins with a date.
    let date = |text: &String| {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit());
        let is_date = |number: &&str| {
            let part = |range| number.get(range).and_then(|it: &str| it.parse::<u32>().ok());
            [8, 14].contains(&number.len())
                && part(0..4).is_some_and(|it| (1850..2200).contains(&it))
                && part(4..6).is_some_and(|it| (1..=12).contains(&it))
                && part(6..8).is_some_and(|it| (1..=31).contains(&it))
        };
        numbers.find(is_date)?.get(..8).map(str::to_owned)
    };
    let own: Vec<String> = related.texts(related.path)?.iter().map(date).collect::<Option<_>>()?;
    let row = nonzero(*related.array.known_shape()?.last()?).filter(|it| *it > 1)?;
    let is_same = |(one, other): (&[String], &[String])| {
        let [mut one, mut other] = [one.to_vec(), other.to_vec()];
        one.sort_unstable();
        other.sort_unstable();
        one == other
    };
    let are_same = own.len() >= FEWEST && own.chunks(row).zip(days.chunks(row)).all(is_same);
    let other = count_and_first(own.iter().zip(&days), |(own, day)| own != day);
    let (count, first) = other.filter(|_| are_same)?;
    let name = related.name();
    let sentence = format!(
        "{} dates in {name} are those of \"time\" in another order, such as {} where time is {}",
        out_of(count, own.len()),
        own.get(first)?,
        days.get(first)?
    );
    let fix = format!(
        "Likely cause: {name}, and what goes with it, is in the order of names, and time in that of dates."
    );
    related.warning(sentence, fix)
}

/// The warning on a volume of a radar that was made before it was measured.
pub(super) fn created(related: &Related) -> Option<Problem> {
    /// In seconds: zones may be off by this.
    const HOURS: i64 = 14 * 3600;
    let group = related.group()?;
    let made = related.text(&group, "date_created")?;
    let start = related.text(&group, "time_coverage_start");
    let start = start.or_else(|| related.first_text(&group.child("time_coverage_start")))?;
    let start = start.trim_matches('"');
    let sentence = format!("time_coverage_start is {start}, and date_created {made}");
    let fix = "It would have been made before it was measured. Possible cause: days that are counted from 1 were taken to be counted from 0.";
    related.warning_if(super::instant(start)? > super::instant(&made)? + HOURS, sentence, fix)
}
