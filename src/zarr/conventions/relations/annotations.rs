//! What `AnnData` says beside its tables: the names of markers, the factors from spots to the pixels of an image, layers of
//! counts, the maps of `MuData`.

use super::tables::of_each_row;
use crate::zarr::conventions::{anndata, prelude::*};

/// The warning on names of markers, none of which is one of a variable. Some of a table of which a part was taken are left out.
pub(super) fn markers(related: &Related) -> Option<Problem> {
    const FEWEST: usize = 10;
    let group = related.group()?;
    let uns = group.parent().filter(|it| it.name() == "uns")?;
    related.hierarchy.existing(&group.child("params"))?;
    let root = uns.parent()?;
    related.encoded(&root, "anndata")?;
    (related.length()? <= MOST).then_some(())?;
    let (rows, _) = related.scalars()?;
    let names = rows.iter().flat_map(|row| match row {
        Scalar::Struct(fields) => fields.iter().map(|(_, name)| name.to_string()).collect(),
        other => vec![other.to_string()],
    });
    let names: Vec<String> = names.collect();
    let index = |table: &NodePath| related.column(&table.child(&related.text(table, "_index")?));
    let var = root.child("var");
    let mut known: HashSet<String> = index(&var)?.into_iter().collect();
    // All variables, before some were chosen.
    let raw = root.child("raw/var");
    known.extend(related.hierarchy.has(&raw).then(|| index(&raw)).flatten().into_iter().flatten());
    if names.len() < FEWEST || names.iter().any(|name| known.contains(name)) {
        return None;
    }
    let other = related.hierarchy.find_child(&var, |child| {
        let texts: HashSet<String> = related.column(&child.path)?.into_iter().collect();
        let has_all = names.iter().all(|name| texts.contains(name));
        has_all.then(|| format!("; the column {} has them", quoted(child.path.name())))
    });
    let sentence = format!(
        "none of the {} names in {} is in the index of \"var\"{}",
        grouped(names.len()),
        quoted(&related.path.0),
        other.unwrap_or_default()
    );
    let fix = "Likely cause: the index was replaced by other names after these were found.";
    related.warning(sentence, fix)
}

/// The warning on the factor of a Visium sample by which all spots are outside of the image that it is for.
pub(super) fn spots(related: &Related, image: &str) -> Option<Problem> {
    const ALL: f64 = 0.98;
    let sample = related.group()?.parent()?;
    let spatial = sample.parent().filter(|it| it.name() == "spatial")?;
    let root = spatial.parent().filter(|it| it.name() == "uns")?.parent()?;
    let images = sample.child("images");
    let shape = related.existing(&images.child(image))?.known_shape()?.clone();
    let (height, width) = (*shape.first()? as f64, *shape.get(1)? as f64);
    let factor = *related.own()?.first().filter(|it| it.is_finite())?;
    let path = root.child("obsm/spatial");
    let array = related.existing(&path)?;
    let (places, shape) = (related.numbers_of(&path, &array)?, array.known_shape()?);
    let spots: Vec<&[f64]> = places.chunks_exact(2).filter(|_| shape.get(1) == Some(&2)).collect();
    let is_outside =
        |spot: &&&[f64]| spot.iter().zip([width, height]).any(|(at, length)| at * factor > length);
    let count = spots.iter().filter(is_outside).count();
    let farthest = places.iter().copied().reduce(f64::max)? * factor;
    let sentence = format!(
        "{} spots in {}, times {} {}, are outside of the image {}, {} × {} pixels: they go to {}",
        out_of(count, spots.len()),
        quoted(&path.0),
        related.path.name(),
        short(factor),
        quoted(image),
        width,
        height,
        short(farthest)
    );
    let fix = "The factor is that from the full resolution, in which the spots are counted, to this image.";
    let are_all = !spots.is_empty() && count as f64 >= ALL * spots.len() as f64;
    related.warning_if(are_all, sentence, fix)
}

/// The warning on graphs of neighbours that `uns` names, and that are not in the store.
pub(super) fn graphs(related: &Related) -> Option<Problem> {
    let group = related.group()?;
    let root = group.parent().filter(|it| it.name() == "uns")?.parent()?;
    let lost = ["connectivities_key", "distances_key"].iter().filter_map(|key| {
        let path = related.hierarchy.existing(&group.child(key))?.path;
        let name = related.first_text(&path)?;
        let own = [root.child("obsp").child(&name), group.child(&name)];
        let is_lost = own.iter().all(|path| !related.hierarchy.has(path));
        is_lost.then(|| quoted(&own[0].0))
    });
    let lost: Vec<String> = lost.collect();
    let are = if lost.len() == 1 { "is" } else { "are" };
    let sentence =
        format!("{} names {}, which {are} not there", quoted(&group.0), lost.join(" and "));
    let fix = "Likely cause: parts of the object were taken without its graphs. Compute the neighbours again, or remove this entry.";
    related.warning_if(!lost.is_empty(), sentence, fix)
}

/// The warning on a map from the rows of a table of `MuData` to those of a modality that has fewer, or more.
pub(super) fn mapped(related: &Related) -> Option<Problem> {
    let maps = related.group()?;
    let name = maps.name().strip_suffix("map").filter(|it| ["obs", "var"].contains(it))?;
    let root = maps.parent()?;
    related.encoded(&root, "MuData")?;
    let own = root.child("mod").child(related.path.name()).child(name);
    let rows = *anndata::shape(related.hierarchy, &own)?.first()?;
    let map = related.own()?;
    let count = map.iter().filter(|it| **it > 0.0).count();
    let sentence = format!(
        "{} maps {} of {} to those of {}, which has {}",
        quoted(&related.path.0),
        grouped(count),
        counted(map.len(), "row"),
        quoted(&own.0),
        grouped(rows)
    );
    let fix = format!(
        "Likely cause: the modality was subset, and the MuData was written without update(). mudata 0.4.1 does that when it opens the \
         store; read by itself, {} has rows that are no longer there.",
        quoted(&root.child(name).0)
    );
    related.warning_if(count as u64 != rows, sentence, fix)
}

/// The warning on infinite values in a matrix of observations, or on a layer of counts that has none.
pub(super) fn values(related: &Related) -> Option<Problem> {
    let own = related.path;
    let matrix = if own.name() == "data" { own.parent()? } else { own.clone() };
    let around = matrix.parent()?;
    let is_layer = around.name() == "layers";
    let root = if is_layer { around.parent()? } else { around.clone() };
    let is_matrix = is_float(related.array) && (matrix.name() == "X" || is_layer);
    is_matrix.then(|| related.encoded(&root, "anndata"))??;
    let values = related.own()?;
    let count = values.iter().filter(|it| it.is_infinite()).count();
    if count == 0 {
        return if is_layer {
            uncounted(related, &matrix, values)
        } else {
            logged_twice(related, &matrix)
        };
    }
    let sentence = format!(
        "{} values stored in {} are infinite",
        out_of(count, values.len()),
        quoted(&matrix.0)
    );
    let fix = "Likely cause: a division by a sum or a quantile that is 0, or the logarithm of 0. Sums and means with them are infinite, or NaN.";
    related.warning(sentence, fix)
}

/// The warning on a matrix whose rows have one sum once the logarithm was undone twice, and not once.
fn logged_twice(related: &Related, matrix: &NodePath) -> Option<Problem> {
    const FEWEST: usize = 20;
    /// The shares by which sums differ that are one, and that are none.
    const ONE: f64 = 1e-3;
    const NONE: f64 = 0.02;
    related.hierarchy.existing(&matrix.parent()?.child("uns/log1p"))?;
    let apart = |made: fn(f64) -> f64| {
        let mut sums = of_each_row(related, matrix, made)?;
        sums.retain(|sum| sum.abs() > 0.0);
        let first = *sums.first().filter(|it| it.is_finite() && sums.len() >= FEWEST)?;
        let most = sums.iter().map(|sum| (sum / first - 1.0).abs()).fold(0.0, f64::max);
        Some((first, most))
    };
    let (_, once) = apart(f64::exp_m1)?;
    let (sum, twice) = apart(|value| value.exp_m1().exp_m1()).filter(|_| once > NONE)?;
    let sentence = format!(
        "each row of {} adds up to {} once expm1 was taken twice, and to different sums after one",
        quoted(&matrix.0),
        short(sum)
    );
    let fix = "Likely cause: log1p was applied twice. Values are closer together than a logarithm makes them, and so are the fold changes \
               computed from them.";
    related.warning_if(twice < ONE, sentence, fix)
}

/// The warning on a layer of counts with values below 0, or with fractions and one sum for all rows.
fn uncounted(related: &Related, layer: &NodePath, values: &[f64]) -> Option<Problem> {
    const NAMES: [&str; 6] = ["counts", "raw", "raw_counts", "counts_raw", "umi_counts", "umis"];
    const FEWEST: usize = 8;
    /// The share by which sums of rounded numbers may differ.
    const NEAR: f64 = 1e-3;
    let name = layer.name().to_lowercase();
    let is_counts = NAMES.contains(&name.as_str());
    let fractions = values.iter().filter(|it| it.fract().abs() > 0.0).count();
    let all = values.iter().filter(|it| it.abs() > 0.0).count();
    let below = values.iter().filter(|it| **it < 0.0).count();
    // What else is raw may be so.
    if is_counts && below > 0 && name.contains("count") {
        let sentence = format!("{} values in {} are below 0", out_of(below, all), quoted(&layer.0));
        let fix = "These are no counts. Likely cause: they were scaled, or corrected, before the layer was made.";
        return related.warning(sentence, fix);
    }
    (is_counts && fractions * 2 > all).then_some(())?;
    let mut sums = of_each_row(related, layer, |value| value)?;
    sums.retain(|sum| sum.abs() > 0.0);
    let first = *sums.first()?;
    let is_one = sums.iter().all(|sum| (sum / first - 1.0).abs() < NEAR);
    let sentence = format!(
        "{} values in {} have fractions, and each of its {} rows with values adds up to {}",
        out_of(fractions, all),
        quoted(&layer.0),
        grouped(sums.len()),
        short(first)
    );
    let fix = "These are no counts. Likely cause: the rows were divided by their sums (normalised) before the layer was made.";
    related.warning_if(is_one && sums.len() >= FEWEST, sentence, fix)
}
