//! Data frames in `obsm` and `varm` of AnnData: their index is that of `obs` and `var`.

use super::Related;
use crate::zarr::conventions::prelude::*;

/// The warning on the index of a data frame that is another one than that of its table.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let own = related.path;
    // Since version 0.12, texts are a group of values and a mask.
    let (index, frame) = match own.name() {
        "values" => (own.parent()?, own.parent()?.parent()?),
        _ => (own.clone(), own.parent()?),
    };
    let part = frame.parent()?;
    let table = match part.name() {
        "obsm" => "obs",
        "varm" => "var",
        _ => return None,
    };
    let root = part.parent()?;
    related.text(&root, "encoding-type").filter(|it| it == "anndata")?;
    related.text(&frame, "_index").filter(|it| it == index.name())?;
    let table = root.child(table);
    let texts = |path: &NodePath| related.texts(path);
    let other = table.child(&related.text(&table, "_index")?);
    let names = texts(&other).or_else(|| texts(&other.child("values")))?;
    let own = texts(own)?;
    let is_other = |(a, b): &(&String, &String)| a != b;
    let count = own.iter().zip(&names).filter(is_other).count();
    let at = own.iter().zip(&names).position(|pair| is_other(&pair))?;
    let is_order = {
        let (one, other): (HashSet<_>, HashSet<_>) = (own.iter().collect(), names.iter().collect());
        one == other
    };
    let sentence = format!(
        "the index of {} differs from that of {} in {} of {} names, the first at [{at}]: {} and {}",
        quoted(frame.name()),
        quoted(table.name()),
        grouped(count),
        grouped(own.len()),
        own.get(at)?,
        names.get(at)?
    );
    let cause = if is_order {
        "The names are the same in another order."
    } else {
        "Likely cause: names were changed after the frame had been added."
    };
    (own.len() == names.len())
        .then(|| {
            let fix = format!("anndata 0.13.4 raises ValueError. {cause}");
            related.warning(sentence, "the same names in the same order", fix)
        })
        .flatten()
}
