//! Plates, their wells, and collections of images.

use crate::zarr::conventions::prelude::*;

/// The number of wells, and of images, that are looked for.
const MOST: usize = 10_000;

/// The findings of one kind that are told of a plate.
const TOLD: usize = 20;

/// The problems of the plate, the well or the collection that a group is.
pub(super) fn check(group: &OmeGroup) -> Vec<Problem> {
    let mut problems = plate(group).unwrap_or_default();
    problems.extend(well(group).unwrap_or_default());
    problems.extend(series(group));
    problems.extend(first_image(group));
    problems
}

/// The names of rows or columns.
fn names<'a>(plate: &'a Json, list: &str) -> Vec<Option<&'a str>> {
    let items = plate.get_array(list).unwrap_or_default();
    items.iter().map(|item| item.get_str("name")).collect()
}

/// The problems of the wells of a plate.
fn plate(group: &OmeGroup) -> Option<Vec<Problem>> {
    let plate = group.ome.get("plate")?;
    if let Some(problem) = exchanged(group, plate) {
        return Some(vec![problem]);
    }
    let sides = [
        ("rowIndex", "rows", names(plate, "rows")),
        ("columnIndex", "columns", names(plate, "columns")),
    ];
    let wells = plate.get_array("wells")?.iter().enumerate().take(MOST);
    let problems = wells.filter_map(|(at, well)| {
        let path = well.get("path")?;
        let (row, column) = path.as_str()?.split_once('/')?;
        let wrong = sides.iter().zip([row, column]).find_map(|((member, list, names), name)| {
            let index = usize::try_from(well.get_u64(member)?).ok()?;
            let what = match names.get(index) {
                Some(Some(known)) if *known != name => format!("which is {}", quoted(known)),
                None => format!("of {} {list}", names.len()),
                Some(_) => return None,
            };
            Some(format!("{} with {member} {index}, {what}", quoted(path.as_str()?)))
        });
        let (code, found, expected) = match wrong {
            Some(found) => (Code::OmePlate, found, "path and indices of one row and column"),
            None => (Code::OmePath, no_well(group, path.as_str()?)?, "the path of a well"),
        };
        let field = format!("plate.wells[{at}].path");
        Some(group.ome.warning(code, (&field, path), found, expected))
    });
    let mut problems: Vec<Problem> = problems.take(TOLD).collect();
    problems.extend(no_entry(group, plate));
    Some(problems)
}

/// The warning on lists of which each has the names of the other.
fn exchanged(group: &OmeGroup, plate: &Json) -> Option<Problem> {
    let (rows, columns) = (names(plate, "rows"), names(plate, "columns"));
    let wells = plate.get_array("wells")?.iter().take(MOST);
    let paths: Vec<&str> = wells.map(|well| well.get_str("path")).collect::<Option<_>>()?;
    let is_exchanged = |path: &&str| {
        path.split_once('/').is_some_and(|(row, column)| {
            let [row, column] = [Some(row), Some(column)];
            let is_due = rows.contains(&row) || columns.contains(&column);
            !is_due && rows.contains(&column) && columns.contains(&row)
        })
    };
    let first = paths.first().filter(|_| paths.iter().all(is_exchanged))?;
    let sentence = format!(
        "rows and columns are exchanged: the path of each well, such as {}, is one of a column and a row by these lists",
        quoted(first)
    );
    Some(group.ome.told(Code::OmePlate, ("plate.rows", plate.get("rows")?), sentence))
}

/// The note on wells that are there and in no list.
fn no_entry(group: &OmeGroup, plate: &Json) -> Option<Problem> {
    let wells = plate.get("wells")?;
    let listed: HashSet<&str> =
        wells.as_array()?.iter().filter_map(|well| well.get_str("path")).collect();
    let (rows, columns) = (names(plate, "rows"), names(plate, "columns"));
    let pairs =
        rows.iter().flatten().flat_map(|row| columns.iter().flatten().map(move |it| (row, it)));
    let paths = pairs.map(|(row, column)| format!("{row}/{column}")).take(MOST);
    let is_well = |path: &str| group.group(path, |well| well.ome.has("well"));
    let mut found =
        paths.filter(|path| !listed.contains(path.as_str()) && is_well(path) == Some(true));
    let first = found.next()?;
    let more = and_more(found.count());
    let text = format!("the well {}{more} is not in the list", quoted(&first));
    let field = ("plate.wells", wells);
    let note = group.ome.noted(Code::OmePlate, field, text, "all wells of the plate");
    Some(with_fix(note, "Readers open only those in the list."))
}

/// The thing at a path that should have a well, in words; `None` for a well.
fn no_well(group: &OmeGroup, path: &str) -> Option<String> {
    match group.group(path, |well| well.ome.has("well")) {
        Some(true) => None,
        Some(false) => Some(format!("{}, a group without a well", quoted(path))),
        None => Some(format!("{}, where there is no group", quoted(path))),
    }
}

/// The problems of the images of a well.
fn well(group: &OmeGroup) -> Option<Vec<Problem>> {
    let json = group.ome.get("well")?.get("images")?;
    let images = json.as_array()?;
    // A well may be a store by itself.
    let is_inside = group.path.0.contains('/');
    let above = group.group("../..", |around| {
        let ids = |plate: &Json| {
            let ids = plate.get_array("acquisitions")?.iter();
            Some(ids.filter_map(|item| item.get_u64("id")).collect::<Vec<_>>())
        };
        around.ome.get("plate").map(ids)
    });
    let has_no_plate = is_inside && above == Some(None);
    let acquisitions = above.flatten().flatten();
    let problems = images.iter().enumerate().take(MOST).filter_map(|(at, image)| {
        let field = format!("well.images[{at}]");
        let lost =
            image.get("path").and_then(|path| group.not_an_image(&format!("{field}.path"), path));
        lost.or_else(|| {
            let known = acquisitions.as_ref()?;
            match image.get("acquisition") {
                Some(id) if id.as_u64().is_none_or(|id| !known.contains(&id)) => {
                    let expected = "the id of an acquisition of the plate";
                    let place = (&*format!("{field}.acquisition"), id);
                    Some(group.ome.warning(Code::OmePlate, place, id.describe(), expected))
                }
                None if known.len() > 1 => {
                    let expected = "an \"acquisition\": the plate has several";
                    Some(group.ome.warning(Code::OmePlate, (&*field, image), "nothing", expected))
                }
                _ => None,
            }
        })
    });
    let mut problems: Vec<Problem> = problems.take(TOLD).collect();
    if has_no_plate {
        let sentence = "a well, and the group two levels up has no \"plate\"";
        let problem = group.ome.told(Code::OmePlate, ("well.images", json), sentence.into());
        let fix = "Readers of plates find none. Likely cause: the attributes of the plate were lost, or written anew.";
        problems.push(with_fix(problem, fix));
    }
    let paths: Vec<&str> = images.iter().filter_map(|image| image.get_str("path")).collect();
    // An image by a wrong name is told once.
    if problems.is_empty() {
        problems.extend(group.not_in_list("well.images", json, &paths, Code::OmePlate));
    }
    Some(problems)
}

/// The problems of the list of images in the group `OME`.
fn series(group: &OmeGroup) -> Vec<Problem> {
    let lost = group.items("series").iter().enumerate().take(MOST).filter_map(|(at, path)| {
        let text = path.as_str()?;
        let is_image = group.leads_to_image(&format!("../{text}"));
        let found = format!("{}, where there is no image", quoted(text));
        let expected = "the path of an image, relative to the group above";
        let warn =
            || group.ome.warning(Code::OmePath, (&format!("series[{at}]"), path), found, expected);
        (!is_image).then(warn)
    });
    lost.take(TOLD).collect()
}

/// The warning on a collection of images that does not begin with image 0.
fn first_image(group: &OmeGroup) -> Option<Problem> {
    let layout = group.ome.get("bioformats2raw.layout")?;
    let has_series = group.group("OME", |ome| ome.ome.has("series"));
    if group.ome.has("plate") || has_series == Some(true) {
        return None;
    }
    let itself = if group.is_image() { ", which is an image itself" } else { "" };
    let found = format!("no image {} in {}{itself}", quoted("0"), place(group.path));
    let expected = "images in groups numbered from 0, or a list \"series\" in the group OME";
    let warn =
        || group.ome.warning(Code::OmePath, ("bioformats2raw.layout", layout), found, expected);
    (!group.leads_to_image("0")).then(warn)
}

/// The name of a group for a sentence.
fn place(path: &NodePath) -> String {
    if path.0.is_empty() { "the root".into() } else { quoted(&path.0) }
}
