//! Variants as VCF Zarr has them: genotypes, which count the alleles of their own variant.

use super::{MOST, Related, index};
use crate::zarr::conventions::prelude::*;

/// The finding on an array of variants.
pub(super) fn check(related: &Related) -> Option<Problem> {
    match related.path.name() {
        "call_genotype" => genotypes(related),
        _ => None,
    }
}

/// The warning on genotypes of alleles that their variant does not list. Those that no variant could have are told as such.
fn genotypes(related: &Related) -> Option<Problem> {
    let path = related.beside("variant_allele")?;
    related.hierarchy.existing(&path)?;
    let &[variants, columns] = related.shape(&path)?.as_slice() else { return None };
    let columns = usize::try_from(columns).ok().filter(|it| *it > 0 && variants <= MOST)?;
    let reader = ArrayReader::new(&*related.hierarchy.store, related.path, related.array).ok()?;
    let calls = RegionValues::first(&reader, related.budget)?;
    let rows = index(calls.region.first()?.end as f64)?;
    let width = calls.values.len().checked_div(rows).filter(|it| *it > 0)?;
    let texts = related.texts(&path)?;
    let is_allele = |text: &&String| !text.ends_with("\"\"");
    let counts = texts.chunks(columns).map(|row| row.iter().filter(is_allele).count());
    // Variants without any were not written.
    let known = calls.values.chunks(width).zip(counts).enumerate().filter(|(_, (_, it))| *it > 0);
    let beyond: Vec<(usize, f64, usize)> = known
        .filter_map(|(at, (row, count))| {
            Some((at, *row.iter().find(|it| **it >= count as f64)?, count))
        })
        .collect();
    let (at, allele, count) = *beyond.first()?;
    let sentence = format!(
        "{} of {} variants have genotypes of alleles that they do not list; the first is allele {} at [{at}], whose {} are numbered from 0",
        grouped(beyond.len()),
        grouped(rows),
        short(allele),
        counted(count, "allele")
    );
    let fix = "What they were called is lost. Likely cause: alleles were taken out of variant_allele, and the genotypes were left.";
    related.warning(sentence, "the alleles of each variant", fix)
}
