//! Data frames and embeddings in `obsm` and `varm` of AnnData: the index of a frame is that of `obs` or `var`.

use super::Related;
use crate::zarr::conventions::prelude::*;

/// The note on rows of an embedding that are not finite, where most are.
pub(super) fn embedding(related: &Related) -> Option<Problem> {
    let part = related.path.parent().filter(|it| it.name() == "obsm")?;
    related.text(&part.parent()?, "encoding-type").filter(|it| it == "anndata")?;
    let is_float = matches!(related.array.data_type()?.default_scalar(), Scalar::Float(_));
    let (values, shape) = related.own().filter(|_| is_float)?;
    let &[_, columns] = shape.as_slice() else { return None };
    let columns = usize::try_from(columns).ok().filter(|it| *it > 0)?;
    let is_lost = |row: &[f64]| row.iter().any(|value| !value.is_finite());
    let count = values.chunks(columns).filter(|row| is_lost(row)).count();
    let first = values.chunks(columns).position(is_lost)?;
    let all = values.len() / columns;
    let sentence = format!(
        "{} of {} rows of {} are not finite, the first at [{first}]",
        grouped(count),
        grouped(all),
        quoted(related.path.name())
    );
    let fix = "Viewers that need a place for each observation refuse such an embedding, or leave these out.";
    let problem = (count * 2 <= all).then(|| related.warning(sentence, fix))??;
    Some(problem.with_severity(Severity::Note))
}

/// The warning on the index of a data frame that is another one than that of its table.
pub(super) fn index(related: &Related) -> Option<Problem> {
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
            related.warning(sentence, fix)
        })
        .flatten()
}
