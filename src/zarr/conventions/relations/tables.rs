//! What columns of `AnnData` tables count in the matrix beside them, and layers of it.

use super::Due;
use crate::zarr::conventions::prelude::*;

/// The number of elements that each row or column of a sparse matrix has, where a column of its table has as many in all.
pub(super) fn counts(related: &Related) -> Option<Due> {
    let table = related.group().filter(|_| related.is_integer())?;
    let is_columns = match table.name() {
        "var" => true,
        "obs" => false,
        _ => return None,
    };
    related.encoded(&table, "dataframe")?;
    let matrix = table.parent()?.child("X");
    let encoding = related.text(&matrix, "encoding-type")?;
    let is_major = match encoding.as_str() {
        "csr_matrix" => !is_columns,
        "csc_matrix" => is_columns,
        _ => return None,
    };
    let stored = *related.shape(&matrix.child("indices"))?.first()?;
    related.length()?;
    let column = related.own()?;
    // A column that counts all elements has their number as its sum.
    let sum: f64 = column.iter().sum();
    ((sum - stored as f64).abs() < 0.5).then_some(())?;
    let counts: Vec<f64> = if is_major {
        let starts = related.numbers(&matrix.child("indptr"))?;
        steps(&starts).collect()
    } else {
        let indices = related.numbers(&matrix.child("indices"))?;
        let mut found = HashMap::<u64, f64>::new();
        for index in &indices {
            *found.entry(index.to_bits()).or_default() += 1.0;
        }
        let count = |at: usize| found.get(&(at as f64).to_bits()).copied().unwrap_or(0.0);
        (0..column.len()).map(count).collect()
    };
    let what = if is_columns { "column" } else { "row" };
    let what = format!("the number of elements of each {what} of {}", quoted(&matrix.0));
    of_rows(related, column, &counts, what)
}

/// The sum, or the number of elements that are not 0, of each row of the matrix.
pub(super) fn sums(related: &Related, is_sum: bool) -> Option<Due> {
    let table = related.group().filter(|it| it.name() == "obs")?;
    let matrix = table.parent()?.child("X");
    let is_there = |value: f64| f64::from(u8::from(value.abs() > 0.0));
    let rows = of_each_row(related, &matrix, if is_sum { |value| value } else { is_there })?;
    let what = if is_sum { "sum" } else { "number of the elements" };
    of_rows(
        related,
        related.own()?,
        &rows,
        format!("the {what} of each row of {}", quoted(&matrix.0)),
    )
}

/// The sum of what is made of the elements, of each row of any matrix.
pub(super) fn of_each_row(
    related: &Related,
    matrix: &NodePath,
    made: fn(f64) -> f64,
) -> Option<Vec<f64>> {
    let add = |sum: f64, value: &f64| sum + made(*value);
    match related.text(matrix, "encoding-type")?.as_str() {
        "array" => {
            let values = related.numbers(matrix)?;
            let columns = nonzero(*related.shape(matrix)?.get(1)?)?;
            Some(values.chunks(columns).map(|row| row.iter().fold(0.0, add)).collect())
        }
        "csr_matrix" => {
            let values = related.numbers(&matrix.child("data"))?;
            let starts = related.numbers(&matrix.child("indptr"))?;
            let starts: Vec<usize> = starts.iter().map(|it| index(*it)).collect::<Option<_>>()?;
            let row =
                |(from, to): (&usize, &usize)| Some(values.get(*from..*to)?.iter().fold(0.0, add));
            neighbours(&starts).map(row).collect()
        }
        _ => None,
    }
}

/// What a column is to be, where it has a row for each.
fn of_rows(related: &Related, own: &[f64], rows: &[f64], what: String) -> Option<Due> {
    let pairs = own.iter().zip(rows).map(|(own, row)| [*own, *row]);
    (own.len() == rows.len()).then(|| Due::of(related, pairs, what))
}

/// The matrix itself, which was logarithmised, for a layer of counts that has fractions.
pub(super) fn matrix(related: &Related) -> Option<Due> {
    let parent = related.group()?;
    let is_sparse = related.path.name() == "data";
    let layer = if is_sparse { parent } else { related.path.clone() };
    let root = layer.parent().filter(|it| it.name() == "layers")?.parent()?;
    let is_counts = layer.name().to_lowercase().contains("count");
    related.encoded(&root, "anndata").filter(|_| is_counts)?;
    // Expected counts are no whole numbers either, and X may hold them.
    related.hierarchy.existing(&root.child("uns/log1p"))?;
    let matrix = root.child("X");
    let matrix = if is_sparse { matrix.child("data") } else { matrix };
    let array = related.existing(&matrix)?;
    let own = related.own()?;
    own.iter().find(|it| it.is_finite() && it.fract().abs() > 0.0)?;
    let other = related.numbers_of(&matrix, &array)?;
    let due = of_rows(related, own, &other, "the same as X".to_owned())?;
    Some(Due { name: quoted(&layer.0), ..due })
}
