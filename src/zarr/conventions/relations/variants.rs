//! Variants as VCF Zarr has them: genotypes, which count the alleles of their own variant; positions, which ascend within a
//! contig; and the index by which those of a region are found.

use super::whole;
use crate::zarr::conventions::{prelude::*, region};
use std::sync::Arc;

/// The elements of a larger array that are looked at.
const FIRST: u64 = 1 << 17;

/// The elements of the first rows of an array, and how many rows they are.
fn beginning(related: &Related) -> Option<(Vec<f64>, u64)> {
    let reader = related.reader(related.path, related.array)?;
    let mut part = reader.whole();
    let inside = order::product(related.array.known_shape()?.get(1..)?)?;
    let rows = part.first_mut()?;
    let most = if related.is_deep { MOST } else { FIRST };
    rows.end = rows.end.min(most.checked_div(inside)?).max(1);
    let rows = rows.end;
    Some((related.values(&reader, part)?, rows))
}

/// The warning on genotypes of alleles that their variant does not list. Those that no variant could have are told as such.
pub(super) fn genotypes(related: &Related) -> Option<Problem> {
    let path = related.beside("variant_allele")?;
    let array = related.existing(&path)?;
    let &[_, columns] = array.known_shape()?.as_slice() else { return None };
    let columns = nonzero(columns)?;
    let (calls, rows) = beginning(related)?;
    let rows = nonzero(rows)?;
    let width = calls.len().checked_div(rows).filter(|it| *it > 0)?;
    let reader = related.reader(&path, &array)?;
    let mut part = reader.whole();
    let side = part.first_mut()?;
    side.end = side.end.min(rows as u64);
    let texts = region::texts(&reader, &part, related.budget)?;
    let is_allele = |text: &String| !text.ends_with("\"\"");
    let last = |row: &[String]| row.iter().rposition(is_allele).map_or(0, |at| at + 1);
    let counts = texts.chunks(columns).map(last);
    // Variants without any were not written.
    let known = calls.chunks(width).zip(counts).enumerate().filter(|(_, (_, it))| *it > 0);
    let beyond: Vec<(usize, f64, usize)> = known
        .filter_map(|(at, (row, count))| {
            Some((at, *row.iter().find(|it| **it >= count as f64)?, count))
        })
        .collect();
    let (at, allele, count) = *beyond.first()?;
    let sentence = format!(
        "{} variants have genotypes of alleles that they do not list; the first is allele {} at [{at}], which has {}, numbered from 0",
        out_of(beyond.len(), rows),
        whole(allele),
        counted(count, "allele")
    );
    let fix = "What they were called is lost. Likely cause: alleles were taken out of variant_allele, and the genotypes were left.";
    related.warning(sentence, fix)
}

/// The warning on positions that go back within a contig, or are beyond its end.
pub(super) fn positions(related: &Related) -> Option<Problem> {
    let contigs = related.existing_numbers(&related.beside("variant_contig")?)?;
    let own = related.own()?;
    let rows: Vec<(f64, f64)> = contigs.into_iter().zip(own.iter().copied()).collect();
    let mut pairs = neighbours(&rows);
    let is_back = |((contig, from), (next, to)): (&(f64, f64), &(f64, f64))| {
        contig.total_cmp(next).is_eq() && to < from
    };
    if let Some(at) = pairs.position(is_back) {
        let (from, to) = (rows.get(at)?.1, rows.get(at + 1)?.1);
        let sentence = format!(
            "positions go back within a contig after [{at}], from {} to {}",
            whole(from),
            whole(to)
        );
        let fix = "VCF has them in ascending order. What looks for a region by bisection finds others, and windows along the contig are wrong.";
        return related.warning(sentence, fix);
    }
    let lengths = related.existing_numbers(&related.beside("contig_length")?)?;
    // The position after the last is that of a telomere.
    let length = |contig: f64| lengths.get(index(contig)?).copied().filter(|it| *it > 0.0);
    let is_beyond =
        |(contig, at): &(f64, f64)| length(*contig).is_some_and(|length| *at > length + 1.0);
    let (count, at) = count_and_first(&rows, is_beyond)?;
    let (contig, position) = *rows.get(at)?;
    let sentence = format!(
        "{} positions are beyond the end of their contig; the first is {} at [{at}], and contig {} has {}",
        out_of(count, rows.len()),
        whole(position),
        whole(contig),
        whole(length(contig)?)
    );
    let fix = "Likely cause: contig_length is that of another reference genome, or its rows are in another order than contig_id.";
    related.warning(sentence, fix)
}

/// The warning on an index of regions that is that of other chunks, or other variants.
pub(super) fn regions(related: &Related) -> Option<Problem> {
    const FIELDS: usize = 6;
    let path = related.beside("variant_position")?;
    let array = related.existing(&path)?;
    let chunk = array.inner_chunk_shape().or_else(|| array.chunk_shape())?;
    let chunk = nonzero(*chunk.first()?)?;
    let positions = related.numbers(&path)?;
    let contigs = related.numbers_beside("variant_contig")?;
    let (own, shape) = (related.own()?, related.array.known_shape()?);
    (shape.get(1) == Some(&(FIELDS as u64)) && positions.len() == contigs.len()).then_some(())?;
    let mut all = 0.0;
    let mut due = HashMap::new();
    for (at, (contig, position)) in contigs.iter().zip(&positions).enumerate() {
        let row = due.entry((at / chunk, contig.to_bits()));
        let row: &mut [f64; 3] = row.or_insert([*position, *position, 0.0]);
        row[1] = *position;
        row[2] += 1.0;
    }
    let words = |[from, to, count]: [f64; 3]| {
        format!("{} variants from {} to {}", whole(count), whole(from), whole(to))
    };
    let mut found = None;
    for (at, row) in own.chunks_exact(FIELDS).enumerate() {
        let &[number, contig, from, to, _, count] = row else { continue };
        let key = (index(number)?, contig.to_bits());
        let is = due.get(&key).copied().unwrap_or_default();
        all += count;
        let said = [from, to, count];
        if found.is_none() && said.iter().zip(is).any(|(a, b)| (a - b).abs() > 0.5) {
            found = Some(format!(
                "row [{at}] says that chunk {} of variant_position has {} of contig {}; it has {}",
                whole(number),
                words(said),
                whole(contig),
                words(is)
            ));
        }
    }
    let sentence = found.or_else(|| {
        let is_other = (all - positions.len() as f64).abs() > 0.5;
        is_other.then(|| {
            format!(
                "its rows have {} variants, and there are {}",
                whole(all),
                grouped(positions.len())
            )
        })
    })?;
    let fix = "What asks for a region by it misses variants. Likely cause: the arrays were rechunked, sorted or appended to, and the index \
               was left.";
    related.warning(sentence, fix)
}

/// The warning on counts of alleles that are more than the samples have.
pub(super) fn too_many(related: &Related) -> Option<Problem> {
    let shape = related.shape(&related.beside("call_genotype")?)?;
    let [_, samples, ploidy] = *shape.as_slice() else { return None };
    let most = samples.checked_mul(ploidy)?;
    let own = related.own()?;
    let (count, first) = count_and_first(own, |count| *count > most as f64)?;
    let sentence = format!(
        "{} counts of alleles are above {}, the most that {} have; the first is {} at [{first}]",
        out_of(count, own.len()),
        grouped(most),
        counted(samples, "sample"),
        whole(*own.get(first)?)
    );
    let fix = "AN is the number of alleles in called genotypes. Likely cause: samples were taken out, and AN was left, AC and AF too: compute \
               them again.";
    related.warning(sentence, fix)
}

/// The warning on a mask that hides calls, or does not hide those that are missing.
pub(super) fn masked(related: &Related) -> Option<Problem> {
    let path = related.beside("call_genotype")?;
    let is_alike = |it: &Arc<ArrayMetadata>| it.known_shape() == related.array.known_shape();
    let array = related.existing(&path).filter(is_alike)?;
    let of = |path, array| {
        beginning(&Related::new(related.hierarchy, path, array, (related.budget, related.is_deep)))
    };
    let (calls, _) = of(&path, &array)?;
    let (mask, _) = of(related.path, related.array)?;
    let is_wrong = |(mask, call): (&f64, &f64)| (mask.abs() > 0.0) != (*call < 0.0);
    let (count, first) = count_and_first(mask.iter().zip(&calls), is_wrong)?;
    let (what, call) = if *mask.get(first)? > 0.0 {
        ("hides", "which is called")
    } else {
        ("shows", "which is missing")
    };
    let sentence = format!(
        "{} elements of the mask do not fit the genotypes: the first {what} {}, {call}",
        out_of(count, mask.len()),
        whole(*calls.get(first)?)
    );
    let fix = "It is true where a genotype is negative. Likely cause: genotypes were changed, and the mask was left.";
    related.warning(sentence, fix)
}

/// The warning on a field without a dimension for the numbers that the header says each has.
pub(super) fn flat(related: &Related) -> Option<Problem> {
    let name = related.path.name();
    let (kind, field, rank) = [("FORMAT", "call_", 2), ("INFO", "variant_", 1)]
        .into_iter()
        .find_map(|(kind, start, rank)| Some((kind, name.strip_prefix(start)?, rank)))?;
    let header = related.text(&related.group()?, "vcf_header")?;
    let start = format!("##{kind}=<ID={field},Number=");
    let line = header.lines().find_map(|line| line.strip_prefix(start.as_str()))?;
    let count: u64 = line.split(',').next()?.parse().ok().filter(|count| *count > 1)?;
    let shape = related.array.known_shape()?;
    let sentence = format!(
        "{} has the shape {} and no dimension of {count}, where vcf_header has Number={count} for {field}",
        quoted(name),
        list(shape)
    );
    let fix = "Likely cause: only the first number of each was kept, or all were missing when the schema was made.";
    related.warning_if(shape.len() == rank && field != "GT", sentence, fix)
}
