//! Arrays whose elements stand for those of another one, are as many as those, or identify something, as conventions say: a
//! table with a row for each, and one function that follows it. What a convention says of other nodes by their paths is in
//! its own file.

use super::{
    claims::{
        Claim::{self, Anemoi, Any, Coordinate, Encoding, In, Own, With},
        TYPE, above, listed,
    },
    whole,
};
use crate::zarr::conventions::{hdmf, prelude::*};

/// The names that an array may have, none being any; what else tells that it is meant; what its elements refer to; what must
/// be true of them; what comes of it where it is not.
type Reference = (&'static [&'static str], Claim, Target, Rule, &'static str);

/// What the elements refer to.
enum Target {
    Nothing,
    /// The array of this name beside it, along an axis.
    Beside(&'static str, usize),
    /// The same by a path from the group so many levels above that of the array.
    Around(usize, &'static str),
    /// Each array of a group that is beside the one with the array.
    Each(&'static str),
    /// The list in an attribute of the group.
    Listed(&'static str),
    /// The array that its own name is that of, but for this ending.
    Before(&'static str),
    /// What an attribute of HDMF refers to, or an array in that.
    Referred(&'static str, Option<&'static str>),
    /// What a link of HDMF of this name leads to, or an array in that.
    Linked(&'static str, Option<&'static str>),
    /// The dimension that an attribute names.
    Dimension(&'static str),
    /// A length in the attribute `shape` of the group.
    Shape(usize),
}

/// What must be true of elements.
enum Rule {
    /// They count from 0 in so many of what is named here; where there is a lowest one, nothing is below it.
    Below(&'static str, Option<i32>),
    /// They never go down, and the last one is the length; true: the first one is 0.
    Ends(bool),
    /// No two are the same; else there is a finding of this severity.
    Distinct(Severity),
    /// They are names of groups beside it.
    Groups,
    /// Along this axis, they are as many.
    AsMany(usize),
    /// The same where the two counts are near each other: else they are of other things.
    Nearly,
    /// Each is one of those.
    Member,
    /// They never go down.
    Ascending,
    /// Each is a number, and not infinite.
    Finite,
    /// They have so many dimensions.
    Rank(usize),
    /// It is there.
    Exists,
}

use Rule::{
    AsMany, Ascending, Below, Distinct, Ends, Exists, Finite, Groups, Member, Nearly, Rank,
};
use Severity::{Note, Warning};
use Target::{Around, Before, Beside, Dimension, Each, Linked, Listed, Nothing, Referred, Shape};

const LOST: &str = "Indices start at 0: what these refer to is not in the store.";
const TWICE: &str = "Which of them a reader finds is not defined.";
const RENAMED: &str = "Likely cause: groups were numbered anew, and the names were left.";
const RAGGED: &str = "Some rows then have the elements of others, or some elements are in no row. Where numbers go back, possible \
                      cause: a data type that was too small for them.";
const CUT: &str = "From some element on, the two do not belong together. Likely cause: one was cut, or appended to, without the other.";
const BEFORE: &str = "If one is missing before the end, all after it belong to another.";
const JOINED: &str = "What looks for a time by bisection finds others. Likely cause: parts that were joined in another order.";
const NOWHERE: &str = "Nothing is known of where these points are. Possible cause: 0 was taken for the mark of missing values.";
const PARTLY: &str = "Likely cause: an episode was written in part, or only to some of the arrays.";
const EDGES: &str = "Likely cause: nodes were removed, and their edges left.";
const UNNAMED: &str =
    "It names its columns: what reads VCF Zarr does not know which filters they are.";
const REFUSED: &str = "anndata 0.13.4 raises ValueError.";
const WRONG: &str = "anndata 0.13.4 opens it; products with the matrix are wrong.";
const STARTS: &str = "anndata 0.13.4 raises ValueError where indptr ends past the last element, leaves out the rest where it ends \
                      before it, and raises RuntimeError for the sum of the matrix where it decreases.";

const CATEGORIES: Claim = Encoding(Code::AnndataCategories, &["categorical"]);
const ROWS: Claim = Encoding(Code::AnndataSparse, &["csr_matrix"]);
const COLUMNS: Claim = Encoding(Code::AnndataSparse, &["csc_matrix"]);
const SPARSE: Claim = Encoding(Code::AnndataSparse, &["csr_matrix", "csc_matrix"]);
const SHAPES: Claim = Encoding(Code::RelatedValues, &["ngff:shapes"]);
const FEATURES: &[&str] = &["timeseries_id", "trajectory_id", "profile_id"];
const LABELS: &[&str] = &["labels", "targets", "label", "target"];

#[rustfmt::skip]
const REFERENCES: &[Reference] = &[
    // CfRadial.
    (&["sweep_start_ray_index", "sweep_end_ray_index"], Any, Beside("azimuth", 0), Below("rays", None), LOST),
    (&["sweep_group_name"], Any, Nothing, Groups, RENAMED),
    // VCF.
    (&["variant_contig"], Any, Beside("contig_id", 0), Below("contigs", Some(0)), LOST),
    (&["call_genotype"], Any, Beside("variant_allele", 1), Below("alleles", None), LOST),
    (&["sample_id", "contig_id", "filter_id"], With("call_genotype"), Nothing, Distinct(Warning), TWICE),
    (&["variant_allele"], With("variant_position"), Nothing, Rank(2), "VCF Zarr has a row for each variant, and in it a text for each allele."),
    (&["call_genotype"], With("variant_position"), Nothing, Rank(3), "VCF Zarr has the variants, the samples, and their ploidy."),
    (&["variant_filter"], With("variant_contig"), Beside("filter_id", 0), Exists, UNNAMED),
    (&["variant_filter"], With("variant_position"), Beside("filter_id", 0), Exists, UNNAMED),
    // GEFF, graphs.
    (&["ids"], In(1, "geff"), Around(1, "nodes/ids"), Member, EDGES),
    (&["ids"], In(1, "geff"), Nothing, Distinct(Warning), TWICE),
    (&["values", "missing"], In(3, "geff"), Around(2, "ids"), AsMany(0), CUT),
    // Data to train with: anemoi, replay buffers, images and their labels.
    (&["data"], Anemoi, Listed("variables"), AsMany(1), BEFORE),
    (&["dates"], Anemoi, Beside("data", 0), AsMany(0), BEFORE),
    (&["latitudes", "longitudes"], Anemoi, Beside("data", 3), AsMany(0), BEFORE),
    (&["latitudes", "longitudes"], Anemoi, Nothing, Finite, NOWHERE),
    (&["mean", "stdev", "minimum", "maximum"], Anemoi, Beside("data", 1), AsMany(0), BEFORE),
    (&["episode_ends"], Any, Each("data"), Ends(false), PARTLY),
    (LABELS, Any, Beside("images", 0), Nearly, CUT),
    (LABELS, Any, Beside("image", 0), Nearly, CUT),
    (LABELS, Any, Beside("inputs", 0), Nearly, CUT),
    (LABELS, Any, Beside("features", 0), Nearly, CUT),
    // CF.
    (&[], Own("cf_role", FEATURES), Nothing, Distinct(Warning), TWICE),
    (&[], Coordinate("standard_name", &["realization"]), Nothing, Distinct(Warning), TWICE),
    (&[], Any, Dimension("instance_dimension"), Below("instances", Some(0)), LOST),
    // NWB and HDMF.
    (&["timestamps"], In(0, TYPE), Nothing, Rank(1), "NWB has a list with one time for each sample."),
    (&["timestamps"], In(0, TYPE), Beside("data", 0), AsMany(0), CUT),
    (&["timestamps"], In(0, TYPE), Nothing, Ascending, JOINED),
    (&["data"], In(0, TYPE), Linked("timestamps", None), AsMany(0), CUT),
    (&["control"], In(0, TYPE), Beside("data", 0), AsMany(0), CUT),
    (&["electrodes", "rois", "channel_conversion"], In(0, TYPE), Beside("data", 1), AsMany(0), CUT),
    (&["data"], With("bands"), Around(0, "bands/id"), AsMany(2), CUT),
    (&["data"], In(0, TYPE), Linked("indexed_images", Some("order_of_images")), Below("images", Some(0)), LOST),
    (&[], Own(TYPE, &["DynamicTableRegion"]), Referred("table", Some("id")), Below("rows", Some(0)), LOST),
    (&[], Own(TYPE, &["EnumData"]), Referred("elements", None), Below("elements", None), LOST),
    (&[], Own(TYPE, &["ElementIdentifiers"]), Nothing, Distinct(Note), TWICE),
    (&[], Own(TYPE, &["VectorIndex"]), Before("_index"), Ends(false), RAGGED),
    // AnnData.
    (&["codes"], CATEGORIES, Beside("categories", 0), Below("categories", Some(-1)), REFUSED),
    (&["categories"], CATEGORIES, Nothing, Distinct(Warning), REFUSED),
    (&["coords", "radius"], SHAPES, Nothing, Finite, "Such a shape has no place, or no extent."),
    (&["indices"], ROWS, Shape(1), Below("columns", Some(0)), WRONG),
    (&["indices"], COLUMNS, Shape(0), Below("rows", Some(0)), WRONG),
    (&["indptr"], SPARSE, Beside("indices", 0), Ends(true), STARTS),
];

/// The finding on an array whose elements are not what its convention says: by AnnData, or by others.
pub(in crate::zarr::conventions) fn check(related: &Related, is_anndata: bool) -> Option<Problem> {
    let mut rows = REFERENCES.iter().filter(|(names, claim, ..)| {
        matches!(claim, Encoding(..)) == is_anndata && claim.holds(names, related)
    });
    rows.find_map(|row| problem(row, related))
}

fn problem((_, claim, target, rule, fix): &Reference, related: &Related) -> Option<Problem> {
    let name = quoted(related.path.name());
    let severity = if let Distinct(severity) = rule { *severity } else { Warning };
    let sentence = match rule {
        Below(what, least) => out_of_range(related, target, &name, (what, *least)),
        Ends(is_from_zero) => wrong_ends(related, target, &name, *is_from_zero),
        Distinct(_) => repeated(related, &name),
        Groups => lost_groups(related, &name),
        AsMany(axis) => other_count(related, target, &name, *axis),
        Nearly => other_count(related, target, &name, 0).filter(|_| is_near(related, target)),
        Member => strangers(related, target, &quoted(&related.path.0)),
        Ascending => descending(related.own()?, &name),
        Finite => infinite(&related.own_deep()?, &name),
        Rank(rank) => other_rank(related, *rank, &name),
        Exists => absent(related, target, &name),
    }?;
    let code = if let Encoding(code, _) = claim { *code } else { Code::RelatedValues };
    let file = related.array.documents.first()?.key.clone();
    let error = Error::said(code, sentence).in_file(file).with_fix(*fix);
    Some(Problem::new(error).with_severity(severity))
}

impl Target {
    /// The path of an array with elements of its own.
    fn path(&self, related: &Related) -> Option<NodePath> {
        match self {
            Beside(name, _) => related.beside(name),
            Around(levels, path) => Some(above(related, *levels)?.child(path)),
            _ => None,
        }
    }

    /// The names of all that are meant, and how many elements each has.
    fn all(&self, related: &Related) -> Vec<(String, u64)> {
        let Each(name) = self else { return self.find(related).into_iter().collect() };
        let mut found = Vec::new();
        above(related, 1).and_then(|group| {
            related.hierarchy.find_child(&group.child(name), |child| {
                let rows = *child.kind.array()?.known_shape()?.first()?;
                found.push((child.path.0, rows));
                None::<()>
            })
        });
        found
    }

    /// Its name, and how many elements it has, where it is one.
    fn find(&self, related: &Related) -> Option<(String, u64)> {
        let attributes = || related.attributes();
        let length = |path: NodePath, axis| Some((path.0.clone(), related.length_of(&path, axis)?));
        let within = |of: NodePath, part: Option<&str>| {
            let path = part.map_or_else(|| of.clone(), |part| of.child(part));
            Some((of.0, related.length_of(&path, 0)?))
        };
        match self {
            Nothing | Each(_) => None,
            Around(..) => length(self.path(related)?, 0),
            Listed(key) => listed(related, key),
            Beside(name, axis) => length(related.beside(name)?, *axis),
            Before(ending) => length(related.beside(related.path.name().strip_suffix(ending)?)?, 0),
            Referred(key, part) => {
                let json = attributes()?.get(key)?;
                let of = hdmf::referred(related.hierarchy, related.path, json)?;
                within(of, *part)
            }
            Linked(name, part) => {
                within(hdmf::linked(related.hierarchy, &related.group()?, name)?, *part)
            }
            Dimension(key) => {
                let name = attributes()?.get_str(key)?;
                Some((name.to_owned(), related.dimension(name)?))
            }
            Shape(axis) => {
                let group = related.group()?;
                let shape = related.attribute(&group, "shape")?;
                Some((group.0, shape.as_array()?.get(*axis)?.as_u64()?))
            }
        }
    }
}

/// Indices of what is not there.
fn out_of_range(
    related: &Related,
    target: &Target,
    name: &str,
    (what, least): (&str, Option<i32>),
) -> Option<String> {
    let (target, count) = target.find(related).filter(|_| related.is_integer())?;
    let own = related.own_deep()?;
    let is_beyond =
        |it: &f64| *it >= count as f64 || least.is_some_and(|least| *it < f64::from(least));
    let (beyond, first) = count_and_first(&own, is_beyond)?;
    Some(format!(
        "{} values in {name} {} out of range: they index the {what}, and {} has {}; the first is {} at [{first}]",
        out_of(beyond, own.len()),
        if beyond == 1 { "is" } else { "are" },
        quoted(&target),
        grouped(count),
        whole(*own.get(first)?)
    ))
}

/// Ends of rows that go back, or do not end where the elements do.
fn wrong_ends(
    related: &Related,
    target: &Target,
    name: &str,
    is_from_zero: bool,
) -> Option<String> {
    let ended = target.all(related);
    let own = (!ended.is_empty()).then(|| related.own_deep())??;
    if let Some(sentence) = descending(&own, name) {
        return Some(sentence);
    }
    let (first, last) = (*own.first()?, *own.last()?);
    if is_from_zero && first.abs() > 0.0 {
        return Some(format!("{name} begins at {}, and not at 0", whole(first)));
    }
    let is_other = |(_, count): &(String, u64)| (last - *count as f64).abs() > 0.0;
    let (target, count) = ended.into_iter().find(is_other)?;
    let (end, has) = (whole(last), counted(count, "element"));
    Some(format!("{name} ends at {end}, and {} has {has}", quoted(&target)))
}

/// Numbers that go down.
fn descending(own: &[f64], name: &str) -> Option<String> {
    let at = neighbours(own).position(|(a, b)| b < a)?;
    let (a, b) = (whole(*own.get(at)?), whole(*own.get(at + 1)?));
    Some(format!("{name} decreases after [{at}], from {a} to {b}"))
}

/// Another number of elements along a dimension than that of what they go with.
fn other_count(related: &Related, target: &Target, name: &str, axis: usize) -> Option<String> {
    let own = related.length_of(related.path, axis)?;
    // What has no elements at all may be in another file, as the images of NWB are.
    let (other, count) = target.find(related).filter(|(_, count)| ![0, own].contains(count))?;
    let shape = target.path(related).and_then(|path| related.shape(&path));
    let along = if let Beside(_, along) = target { *along } else { 0 };
    // Frames in an external file have no data here, and times by a link; events of a single electrode have samples where others
    // have electrodes.
    if own == 0 && matches!(target, Linked(..)) || own == 1 && along > 0 {
        return None;
    }
    let is_turned = |(at, length): (usize, &u64)| at != along && *length == own;
    let turned = if shape.iter().flatten().enumerate().any(is_turned) {
        "; another of its dimensions has that length: likely, it is transposed"
    } else {
        ""
    };
    let dimension = if axis == 0 { String::new() } else { format!(" along dimension {axis}") };
    Some(format!(
        "{name} has {}{dimension}, and {} {}{turned}",
        counted(own, "element"),
        quoted(&other),
        grouped(count)
    ))
}

/// True if the numbers of elements of the two are near each other.
fn is_near(related: &Related, target: &Target) -> bool {
    const FEWEST: u64 = 16;
    /// One in so many may be missing.
    const ONE_IN: u64 = 20;
    let lengths = || Some((related.length_of(related.path, 0)?, target.find(related)?.1));
    lengths().is_some_and(|(own, count)| {
        count >= FEWEST && own.abs_diff(count).saturating_mul(ONE_IN) <= count
    })
}

/// Elements that are none of those of another array.
fn strangers(related: &Related, target: &Target, name: &str) -> Option<String> {
    /// So many of them are told.
    const NAMED: usize = 3;
    let path = target.path(related)?;
    let known = related.existing_numbers(&path)?;
    let known: HashSet<u64> = known.iter().map(|it| it.to_bits()).collect();
    let own = related.own()?;
    let is_lost = |it: &f64| !known.contains(&it.to_bits());
    let mut lost = sorted(&own.iter().copied().filter(is_lost).collect::<Vec<f64>>());
    lost.dedup_by(|a, b| a.total_cmp(b).is_eq());
    let named: Vec<String> = lost.iter().take(NAMED).map(|it| whole(*it)).collect();
    let more = lost.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {} more", grouped(more)) } else { String::new() };
    let rows = nonzero(*related.array.known_shape()?.first()?)?;
    let row = own.len().checked_div(rows).filter(|row| *row > 0)?;
    let count = own.chunks(row).filter(|row| row.iter().any(is_lost)).count();
    (count > 0).then(|| {
        format!(
            "{} rows of {name} have values that are not in {}: {}{more}",
            out_of(count, rows),
            quoted(&path.0),
            named.join(", ")
        )
    })
}

/// Elements that are no numbers, or infinite.
fn infinite(own: &[f64], name: &str) -> Option<String> {
    let (count, at) = count_and_first(own, |it| !it.is_finite())?;
    let (count, all) = (grouped(count), grouped(own.len()));
    Some(format!("{count} of {all} {name} are not finite, the first at [{at}]: {}", own.get(at)?))
}

/// Another number of dimensions.
fn other_rank(related: &Related, rank: usize, name: &str) -> Option<String> {
    let shape = related.array.known_shape()?;
    let dimensions = counted(rank as u64, "dimension");
    (shape.len() != rank)
        .then(|| format!("{name} has the shape {}: it takes {dimensions}", list(shape)))
}

/// What is not there.
fn absent(related: &Related, target: &Target, name: &str) -> Option<String> {
    let path = target.path(related)?;
    let is_absent = !related.hierarchy.has(&path);
    is_absent.then(|| format!("{name} needs {}, which is not there", quoted(&path.0)))
}

/// Two elements that are the same.
fn repeated(related: &Related, name: &str) -> Option<String> {
    let texts = (related.length()? <= MOST).then(|| related.texts(related.path))??;
    // What an attribute says is missing identifies nothing.
    let packing = Packing::of(related.array);
    let has_mark = related.attributes().is_some_and(|it| it.get("_FillValue").is_some());
    let is_missing =
        |text: &str| has_mark && text.parse::<f64>().is_ok_and(|it| packing.is_mark(it));
    let some = texts.iter().enumerate().filter(|(_, text)| !is_missing(text));
    let (first, at, _) = again(some)?;
    let text = texts.get(at)?;
    let rest = texts.get(first..)?;
    if rest.len() > 2 && rest.iter().all(|it| it == text) {
        let count = grouped(rest.len());
        return Some(format!(
            "{name} is {text} in all {count} elements from [{first}] on: never filled in, or one identifier for many"
        ));
    }
    Some(format!("{name} has {text} at [{first}] and again at [{at}]: each identifies one"))
}

/// Names that no group beside the array has.
fn lost_groups(related: &Related, name: &str) -> Option<String> {
    /// So many of them are told.
    const NAMED: usize = 5;
    let texts = related.texts(related.path)?;
    let is_lost = |text: &&str| {
        let name = text.trim_matches('"');
        // Numbers are those of sweeps, in whatever groups: they name none.
        let path = related.beside(name).filter(|_| name.parse::<f64>().is_err());
        path.is_some_and(|path| !related.hierarchy.has(&path))
    };
    let lost: Vec<&str> = texts.iter().map(String::as_str).filter(is_lost).take(NAMED).collect();
    (!lost.is_empty()).then(|| {
        format!("{name} names {}, but there are no such groups beside it", lost.join(", "))
    })
}
