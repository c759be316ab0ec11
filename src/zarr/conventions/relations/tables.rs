//! Columns of AnnData tables that count the elements of a matrix, such as the cells in which a gene was seen.

use super::{Related, index, is_reordered};
use crate::zarr::conventions::prelude::*;

/// The warning on a column that has the counts of the rows or columns of the matrix beside its table, in another order.
pub(super) fn check(related: &Related) -> Option<Problem> {
    if let Some(problem) = layer(related).or_else(|| sums(related)) {
        return Some(problem);
    }
    let table = related.path.parent().filter(|_| related.is_integer())?;
    let is_columns = match table.name() {
        "var" => true,
        "obs" => false,
        _ => return None,
    };
    related.text(&table, "encoding-type").filter(|it| it == "dataframe")?;
    let matrix = table.parent()?.child("X");
    let encoding = related.text(&matrix, "encoding-type")?;
    let is_major = match encoding.as_str() {
        "csr_matrix" => !is_columns,
        "csc_matrix" => is_columns,
        _ => return None,
    };
    let stored = *related.shape(&matrix.child("indices"))?.first()?;
    let (column, shape) = related.own()?;
    let [_] = shape.as_slice() else { return None };
    // A column that counts all elements has their number as its sum.
    let sum: f64 = column.iter().sum();
    ((sum - stored as f64).abs() < 0.5).then_some(())?;
    let counts: Vec<f64> = if is_major {
        let (starts, _) = related.numbers(&matrix.child("indptr"))?;
        starts.iter().zip(starts.iter().skip(1)).map(|(a, b)| b - a).collect()
    } else {
        let (indices, _) = related.numbers(&matrix.child("indices"))?;
        let mut found = HashMap::<u64, f64>::new();
        for index in &indices {
            *found.entry(index.to_bits()).or_default() += 1.0;
        }
        let count = |at: usize| found.get(&(at as f64).to_bits()).copied().unwrap_or(0.0);
        (0..column.len()).map(count).collect()
    };
    let (what, of) = if is_columns { ("column", "variables") } else { ("row", "observations") };
    let sentence = format!(
        "{} counts the elements of each {what} of {}, in another order than the {what}s have",
        quoted(related.path.name()),
        quoted(&matrix.0)
    );
    let fix = format!(
        "The numbers are the same to the last one, at other {what}s. Likely cause: the table of {of}, or the matrix, was sorted without the \
         other: names and {what}s do not belong together. anndata 0.13.4 opens it."
    );
    is_reordered(&column, &counts)
        .then(|| related.warning(sentence, "counts in the order of the matrix", fix))
        .flatten()
}

/// The warning on a column that has the sum, or the number of elements, of nearly every row of the matrix, and far more than a few
/// rows after one another. Where rare genes were taken out afterwards, some rows have a little less.
fn sums(related: &Related) -> Option<Problem> {
    /// The names that programs give such columns; of how many rows one may have less, the fewest that do, and what is left of them.
    const SUMS: [&str; 4] = ["total_counts", "n_counts", "nCount_RNA", "total_umis"];
    const COUNTS: [&str; 4] = ["n_genes_by_counts", "n_genes", "nFeature_RNA", "n_features"];
    const TIMES: usize = 4;
    const FEWEST: usize = 3;
    const LESS: f64 = 0.8;
    let name = related.path.name();
    let is_sum = SUMS.contains(&name);
    let table = related.path.parent().filter(|it| it.name() == "obs")?;
    (is_sum || COUNTS.contains(&name)).then_some(())?;
    let matrix = table.parent()?.child("X");
    let add = |sum: f64, value: &f64| {
        sum + if is_sum { *value } else { f64::from(u8::from(value.abs() > 0.0)) }
    };
    let of_rows: Vec<f64> = match related.text(&matrix, "encoding-type")?.as_str() {
        "array" => {
            let (values, shape) = related.numbers(&matrix)?;
            let columns = usize::try_from(*shape.get(1)?).ok().filter(|it| *it > 0)?;
            values.chunks(columns).map(|row| row.iter().fold(0.0, add)).collect()
        }
        "csr_matrix" => {
            let (values, _) = related.numbers(&matrix.child("data"))?;
            let starts = related.numbers(&matrix.child("indptr"))?.0;
            let starts: Vec<usize> = starts.iter().map(|it| index(*it)).collect::<Option<_>>()?;
            let row =
                |(from, to): (&usize, &usize)| Some(values.get(*from..*to)?.iter().fold(0.0, add));
            starts.iter().zip(starts.iter().skip(1)).map(row).collect::<Option<_>>()?
        }
        _ => return None,
    };
    let (own, _) = related.own().filter(|(own, _)| own.len() == of_rows.len())?;
    let what = if is_sum { "sum" } else { "number of the elements" };
    if is_reordered(&own, &of_rows) {
        let sentence = format!(
            "{} is the {what} of each row of {}, in a different order than the rows",
            quoted(name),
            quoted(&matrix.0)
        );
        let fix = "The numbers are the same to the last one, at other rows. Likely cause: the table was sorted, or the matrix, without the \
                   other, so that each row describes another cell. anndata 0.13.4 opens it.";
        return related.warning(sentence, "the order of the rows", fix);
    }
    let is_other = |(own, row): &(&f64, &f64)| (*own - *row).abs() > 1e-3 * own.abs().max(1.0);
    let pairs = || own.iter().zip(&of_rows);
    let (count, first) = (pairs().filter(is_other).count(), pairs().position(|it| is_other(&it))?);
    let is_less = |(own, row): (&f64, &f64)| *row < LESS * *own;
    let is_run = pairs().skip(first).take(count).all(is_less);
    let sentence = format!(
        "{} is the {what} of each row of {}, but for {} of {} rows, the first at [{first}]: {} and {}",
        quoted(name),
        quoted(&matrix.0),
        grouped(count),
        grouped(own.len()),
        short(*own.get(first)?),
        short(*of_rows.get(first)?)
    );
    let fix = "Likely cause: these rows of the matrix were lost, or written again, after they had been counted.";
    (is_run && count >= FEWEST && count * TIMES < own.len())
        .then(|| related.warning(sentence, "the same of all rows", fix))?
}

/// The warning on a layer of counts that is the matrix itself, which was logarithmised.
fn layer(related: &Related) -> Option<Problem> {
    let parent = related.path.parent()?;
    let is_sparse = related.path.name() == "data";
    let layer = if is_sparse { parent } else { related.path.clone() };
    let root = layer.parent().filter(|it| it.name() == "layers")?.parent()?;
    let is_counts = layer.name().to_lowercase().contains("count");
    related.text(&root, "encoding-type").filter(|it| is_counts && it == "anndata")?;
    // Expected counts are no whole numbers either, and X may hold them.
    related.hierarchy.existing(&root.child("uns").child("log1p"))?;
    let matrix = root.child("X");
    let matrix = if is_sparse { matrix.child("data") } else { matrix };
    let node = related.hierarchy.existing(&matrix)?;
    let (own, _) = related.own()?;
    let fraction = own.iter().copied().find(|it| it.is_finite() && it.fract().abs() > 0.0)?;
    let (other, _) = related.numbers_of(&matrix, node.kind.array()?)?;
    let is_same =
        own.len() == other.len() && own.iter().zip(&other).all(|(a, b)| a.total_cmp(b).is_eq());
    let sentence = format!(
        "{} is the same as X in every element, such as {}: these are no counts",
        quoted(&layer.0),
        short(fraction)
    );
    let fix = "uns/log1p tells that X was logarithmised: likely, the layer was no copy, or was made after that.";
    is_same.then(|| related.warning(sentence, "whole numbers", fix)).flatten()
}
