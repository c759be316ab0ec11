//! Tables of `SpatialData` and OME-Zarr that annotate the objects of a label image: a column names the label of each row.

use super::is_reordered;
use crate::zarr::conventions::prelude::*;

/// The column whose elements are the labels of objects, and its table.
fn annotated(related: &Related) -> Option<(NodePath, NodePath)> {
    // Since anndata 0.12, texts are a group of values and a mask.
    let inside = related.group().filter(|_| related.path.name() == "values");
    let column = inside.unwrap_or_else(|| related.path.clone());
    let annotation = column.parent().filter(|it| it.name() == "obs")?.parent()?;
    related.text(&annotation, "instance_key").filter(|key| key == column.name())?;
    Some((column, annotation))
}

/// The warning on a column of labels that are none of the image, and would be if each were one more or less; or that are those of
/// other objects, where a column beside it has their sizes.
pub(super) fn labels(related: &Related) -> Option<Problem> {
    let (column, annotation) = annotated(related)?;
    let sizes = sizes(related, &annotation)?;
    let name = quoted(column.name());
    let ids = if related.is_integer() {
        related.own()?.to_vec()
    } else {
        let texts = related.texts(related.path).filter(|_| !is_float(related.array))?;
        let number = |text: &String| text.trim_matches('"').parse::<u32>().map(f64::from).ok();
        let numbers: Vec<f64> = texts.iter().map(number).collect::<Option<_>>()?;
        // Those of Fractal are texts, and read as numbers.
        if path_of(related, &annotation).is_none() {
            let sentence = format!(
                "{name} has texts, such as {}, and the labels that {} is about are integers",
                texts.first()?,
                quoted(&annotation.0)
            );
            let fix = "No text is equal to a number: joined by it, no row finds its object. Store the column as integers.";
            return related.warning(sentence, fix);
        }
        numbers
    };
    let size = |id: f64| sizes.get(&id.to_bits()).copied();
    let lost = ids.iter().filter(|id| size(**id).is_none()).count();
    if lost > 0 {
        let shift = [1.0, -1.0].into_iter().find(|shift| {
            ids.len() == sizes.len() && ids.iter().all(|id| size(id + shift).is_some())
        });
        let Some(shift) = shift else { return renumbered((&ids, lost), &sizes, related, &name) };
        let (first, moved) = (*ids.first()?, ids.first()? + shift);
        let sentence = format!(
            "{name} names labels that are each off by 1: {first} where the image has {moved}"
        );
        let fix = "With that, the labels are those of the image, each once. Likely cause: the background, 0, was counted as an object; each \
                   row now describes another object.";
        return related.warning(sentence, fix);
    }
    let own: Vec<f64> = ids.iter().filter_map(|id| size(*id)).collect();
    let column = related.hierarchy.find_child(&column.parent()?, |child| {
        let array =
            child.kind.array().filter(|it| is_integer(it) && child.path != *related.path)?;
        let values = related.numbers_of(&child.path, array)?;
        is_reordered(&values, &own).then(|| child.path.name().to_owned())
    })?;
    let sentence = format!(
        "{name} names other labels than the rows describe: {} has the sizes of the objects in another order",
        quoted(&column)
    );
    let fix = "The sizes are, to the last one, those of the labels of the image, at other rows. Likely cause: the labels were numbered anew \
               after the table had been made.";
    related.warning(sentence, fix)
}

/// The warning on ids none of which is a label of the image, or which are those that rows would have that were numbered anew. Some
/// may be of objects that the image has no more, or that it has not at this resolution.
fn renumbered(
    (ids, lost): (&[f64], usize),
    sizes: &HashMap<u64, f64>,
    related: &Related,
    name: &str,
) -> Option<Problem> {
    const FEWEST: usize = 8;
    /// One in so many has to be none.
    const ONE_IN: usize = 10;
    let first = *ids.first()?;
    let are_rows = ids.iter().enumerate().all(|(at, id)| (id - first - at as f64).abs() < 0.5);
    let is_anew = are_rows
        && (0.0..=1.0).contains(&first)
        && ids.len() == sizes.len()
        && lost * ONE_IN > ids.len();
    // Labels without a gap, one for each of rows that name higher ones.
    let is_label = |label: usize| sizes.contains_key(&(label as f64).to_bits());
    let are_closed = ids.len() == sizes.len() && (1..=sizes.len()).all(is_label);
    let is_told = is_anew || are_closed || lost == ids.len();
    let is_told = is_told && ids.len() >= FEWEST && !sizes.is_empty();
    let range = if are_rows {
        format!("{first} to {}", short(*ids.last()?))
    } else {
        format!("{first} and others")
    };
    let sentence = format!(
        "{} values in {name} are no labels of the image, which has {}; they are {range}",
        out_of(lost, ids.len()),
        grouped(sizes.len())
    );
    let fix = "Likely cause: rows or labels were numbered anew, or the numbers of the rows were written in the place of the labels: each row \
               is now about another object, or none.";
    related.warning_if(is_told, sentence, fix)
}

/// The path of a region, as it is written, and where it leads within the store: from the group that all tables are in, as those of
/// Fractal count it, and from the table.
fn path_of(related: &Related, annotation: &NodePath) -> Option<(String, [Option<NodePath>; 2])> {
    let relative = related.attribute(annotation, "region")?.get_str("path")?.to_owned();
    let is_elsewhere = relative.starts_with('/') || relative.contains(':');
    let resolve = |from: NodePath| {
        let mut parts = relative.split('/').filter(|part| !part.is_empty() && *part != ".");
        parts.try_fold(
            from,
            |path, part| {
                if part == ".." { path.parent() } else { Some(path.child(part)) }
            },
        )
    };
    let paths = [resolve(annotation.parent()?), resolve(annotation.clone())];
    (!is_elsewhere).then_some((relative, paths))
}

/// The warning on the path of a region that leads to no node.
pub(super) fn lost(related: &Related) -> Option<Problem> {
    let annotation = &annotated(related)?.1;
    let (relative, paths) = path_of(related, annotation)?;
    // What is above the store was not opened.
    let [Some(path), Some(own)] = paths else { return None };
    let sentence = format!(
        "the region of {} is at {}, which leads to {}, and that is not there",
        quoted(&annotation.0),
        quoted(&relative),
        quoted(&path.0)
    );
    let fix = "What looks for the labels of its rows finds none. Likely cause: the name of the label image was written in the place of its path, \
               or the image was given another name.";
    let is_lost = [path, own].iter().all(|path| !related.hierarchy.has(path));
    related.warning_if(is_lost, sentence, fix)
}

/// The warning on labels that several rows of a table have whose rows are the boxes around one label each.
pub(super) fn masked_twice(related: &Related) -> Option<Problem> {
    let annotation = &annotated(related)?.1;
    related.text(annotation, "type").filter(|it| it == "masking_roi_table")?;
    let ids = related.texts(related.path)?;
    // A missing label may be an empty text, whose mask is beside it.
    let is_label = |id: &str| !["NaN", "", "\"\""].contains(&id);
    let (first, at, count) = again(ids.iter().enumerate().filter(|(_, id)| is_label(id)))?;
    let sentence = format!(
        "{} has {} at [{first}] and again at [{at}]; {} of {} rows repeat a label",
        quoted(&annotation.0),
        ids.get(at)?.trim_matches('"'),
        grouped(count),
        grouped(ids.len())
    );
    let fix = "A masking ROI table has one region for each label: what goes through its rows works on these labels more than once. Likely \
               cause: objects at the edge of parts were recorded once for each part.";
    related.warning(sentence, fix)
}

/// The warning on objects that several rows of one region have.
pub(super) fn twice(related: &Related) -> Option<Problem> {
    let (own, annotation) = &annotated(related)?;
    let column = own.parent()?.child(&related.text(annotation, "region_key")?);
    let names = related.texts(&column.child("categories"));
    let regions = related.texts(&column.child("codes")).or_else(|| related.texts(&column))?;
    let ids = related.texts(related.path)?;
    let rows = ids.iter().zip(&regions).enumerate().filter(|(_, (id, _))| *id != "NaN");
    let (first, at, count) = again(rows)?;
    let code = regions.get(at)?;
    let region = names.as_ref().and_then(|names| names.get(code.parse::<usize>().ok()?));
    let sentence = format!(
        "{} has {} at [{first}] and again at [{at}], both in the region {}; so do {} rows",
        quoted(related.path.name()),
        ids.get(at)?,
        region.unwrap_or(code),
        out_of(count, ids.len())
    );
    let fix = "A region and an id name one row. Likely cause: parts that were numbered each from the start were put together.";
    related.warning(sentence, fix)
}

/// The warning on regions that a table says it annotates, and none of whose objects is in it; `column` has the region of each row.
pub(super) fn without_rows(related: &Related) -> Option<Problem> {
    let column = related.group()?;
    let table = column.parent().filter(|it| it.name() == "obs")?;
    let annotation = table.parent()?;
    related.text(&annotation, "region_key").filter(|key| key == column.name())?;
    let declared = related.attribute(&annotation, "region")?;
    let declared = declared.as_array().unwrap_or_else(|| std::slice::from_ref(&declared));
    let known = related.texts(related.path)?;
    // As the values of a data type are written.
    let is_known = |region: &str| known.iter().any(|it| it == region || *it == quoted(region));
    let lost = declared.iter().filter_map(Json::as_str).find(|region| !is_known(region))?;
    let sentence = format!(
        "the table says that it annotates the region {}, which its column {} does not have",
        quoted(lost),
        quoted(column.name())
    );
    let is_any = declared.iter().filter_map(Json::as_str).any(is_known);
    let fix = if is_any {
        "Likely cause: rows were taken out, and the attribute region of the table, and of uns/spatialdata_attrs, was left."
    } else {
        "Likely cause: region_key names another column than that with the regions, or the regions were given other names."
    };
    related.warning(sentence, fix)
}

/// The warning on regions of Fractal most of which lie outside of the image that their table is in.
pub(super) fn outside(related: &Related) -> Option<Problem> {
    let annotation = &related.group()?;
    related.text(annotation, "type").filter(|it| it.ends_with("roi_table"))?;
    let index = annotation.child("var/_index");
    let columns = related.column(&index)?;
    let values = related.own()?;
    let image = annotation.parent()?.parent()?;
    let node = related.hierarchy.node(&image);
    let multiscales = OmeGroup::of(related.hierarchy, &image, &node.kind)?;
    let multiscale = multiscales.items("multiscales").first()?;
    let level = multiscale.get_array("datasets")?.first()?;
    let shape = related.shape(&image.child(level.get_str("path")?))?;
    let scale = level.get_array("coordinateTransformations")?.first()?.get_array("scale")?;
    let column = |name: &str| {
        let is_it = |it: &String| it.trim_matches('"').strip_suffix("_micrometer") == Some(name);
        let at = columns.iter().position(is_it)?;
        Some(values.iter().skip(at).step_by(columns.len()))
    };
    let axes = multiscale.get_array("axes")?.iter().zip(shape.iter().zip(scale));
    axes.into_iter().find_map(|(axis, (length, scale))| {
        let name = axis.get_str("name").filter(|_| axis.get_str("unit") == Some("micrometer"))?;
        let extent = *length as f64 * number(scale)?;
        let rows = column(name)?.zip(column(&format!("len_{name}"))?);
        let is_outside = |(start, length): &(&f64, &f64)| {
            (*start + *length).min(extent) - start.max(0.0) < *length / 2.0
        };
        let far: Vec<(&f64, &f64)> = rows.filter(is_outside).collect();
        let (start, length) = *far.first()?;
        let sentence = format!(
            "{} regions of {} lie outside of the image along {}, such as {} micrometers; it has {}",
            out_of(far.len(), values.len() / columns.len()),
            quoted(&annotation.0),
            quoted(name),
            from_to(*start, start + length),
            short(extent)
        );
        let fix = "Regions are counted from the origin of the image. Likely cause: they are positions of the stage, or those of another image; \
                   what goes through the regions finds nothing there.";
        related.warning(sentence, fix)
    })
}

/// The number of elements of each label, of the image that a table annotates.
fn sizes(related: &Related, annotation: &NodePath) -> Option<HashMap<u64, f64>> {
    let hierarchy = related.hierarchy;
    let path = if let Some((_, paths)) = path_of(related, annotation) {
        paths.into_iter().flatten().find(|path| hierarchy.has(path))?
    } else {
        let region = related.attribute(annotation, "region")?;
        let name = match region.as_array() {
            Some([only]) => only.as_str()?,
            _ => region.as_str()?,
        };
        annotation.parent()?.parent()?.child("labels").child(name)
    };
    let node = hierarchy.node(&path);
    let image = OmeGroup::of(hierarchy, &path, &node.kind)?;
    let labels = related.numbers(&path.child(image.first_path()?))?;
    let mut sizes = HashMap::new();
    for label in labels.iter().filter(|label| label.abs() > 0.0) {
        *sizes.entry(label.to_bits()).or_default() += 1.0;
    }
    Some(sizes)
}
