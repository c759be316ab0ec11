//! Data frames and embeddings in `obsm` and `varm` of AnnData: the index of a frame is that of `obs` or `var`.

use crate::zarr::conventions::prelude::*;

/// The note on rows of an embedding that are not finite, where most are.
pub(super) fn embedding(related: &Related) -> Option<Problem> {
    let part = related.group().filter(|it| it.name() == "obsm")?;
    related.encoded(&part.parent()?, "anndata")?;
    let values = related.own().filter(|_| is_float(related.array))?;
    let &[_, columns] = related.array.known_shape()?.as_slice() else { return None };
    let columns = nonzero(columns)?;
    let is_lost = |row: &[f64]| row.iter().any(|value| !value.is_finite());
    let (count, first) = count_and_first(values.chunks(columns), is_lost)?;
    let all = values.len() / columns;
    let sentence = format!(
        "{} rows of {} are not finite, the first at [{first}]",
        out_of(count, all),
        related.name()
    );
    let fix = "Viewers that need a place for each observation refuse such an embedding, or leave these out.";
    related.warning_if(count * 2 <= all, sentence, fix).map(note)
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
    related.encoded(&root, "anndata")?;
    related.text(&frame, "_index").filter(|it| it == index.name())?;
    let table = root.child(table);
    let names = related.column(&table.child(&related.text(&table, "_index")?))?;
    let own = related.texts(own)?;
    let (count, at) = count_and_first(own.iter().zip(&names), |(a, b)| a != b)?;
    let is_order = own.iter().collect::<HashSet<_>>() == names.iter().collect();
    let sentence = format!(
        "the index of {} differs from that of {} in {} names, the first at [{at}]: {} and {}",
        quoted(frame.name()),
        quoted(table.name()),
        out_of(count, own.len()),
        own.get(at)?,
        names.get(at)?
    );
    let cause = if is_order {
        "The names are the same in another order."
    } else {
        "Likely cause: names were changed after the frame had been added."
    };
    let fix = format!("anndata 0.13.4 raises ValueError. {cause}");
    related.warning_if(own.len() == names.len(), sentence, fix)
}
