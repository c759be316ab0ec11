//! Arrays that follow from others, such as a speed from its components, or the sums of the rows of a matrix: a table with a
//! row for each (what it follows from, and what it may be instead), and one function that compares the two element by element.

use super::{
    Due,
    claims::{
        Claim::{self, Any, Own, Starts},
        STANDARD,
    },
    counts, is_reordered, pairs,
    pairs::SEA_WATER,
    tables,
};
use crate::zarr::conventions::prelude::*;

/// What elements may be instead of what is due.
enum Other {
    /// Nearly all, a multiple of it: the factor, the share by which it may be away, and its words.
    Times(f64, f64, &'static str),
    /// Nearly all, an angle in degrees with this sign and so much more, in these words.
    Turned(f64, f64, &'static str),
    /// It, at other places.
    Reordered,
    /// Less from one place to another, and it elsewhere.
    Lost,
    /// It to the last bit, though it is not to be.
    Same,
    /// Further away from it than this; or so many degrees, where it is a direction.
    Unlike(f64),
    Aside(f64),
}

use Other::{Aside, Lost, Reordered, Same, Times, Turned, Unlike};

/// What finds what is due.
type Source = fn(&Related) -> Option<Due>;
/// What elements may be instead, and what comes of it.
type Others = &'static [(Other, &'static str)];

const TWICE: &str = "All say the same units: likely, it was converted once too often.";
const MULTIPLIED: &str = "Likely, the area was multiplied by it.";
const DIVIDED: &str = "Likely, the area was divided by it.";
const VOLUME: &str =
    "Likely cause: it is the volume that is transported, in m3 s-1, and not the mass.";
const OTHER_WAY: &str =
    "The standard name means where from, or where to: likely, this is the other one.";
const OTHER_ANGLE: &str = "Directions are counted clockwise from north: likely, the arguments of atan2 were exchanged, or the two components \
                           are in each other's place.";
const OTHER_POLE: &str = "Likely cause: the pole is another one, or the places are in another order. Programs draw by one or the other.";
const COPIED: &str = "Likely cause: one component was written in the place of the other.";
const SORTED: &str = "The numbers are the same to the last one, at other places. Likely cause: the table was sorted, or the matrix, without the \
                      other, so that each row describes another cell or gene. anndata 0.13.4 opens it.";
const WRITTEN_AGAIN: &str = "Likely cause: these rows of the matrix were lost, or written again, after they had been counted.";
const NO_COPY: &str = "uns/log1p tells that X was logarithmised: likely, the layer was no copy, or was made after that. These are no counts.";
const NO_DEW_POINT: &str =
    "In nearly all others it is. Possible cause: they were computed from a humidity of 0.";
const ACROSS_NORTH: &str = "In nearly all others it is. Likely cause: degrees were averaged, or interpolated, as numbers are, across north: \
                            of 350 and 10 they make 180.";
const BY_POSITION: &str = "Likely cause: groups were named by their position, and are other sweeps of the volume than the root lists.";

const FROM_EAST: &str = "counted counter-clockwise from the east, unlike";
const FROM_WEST: &str = "counted counter-clockwise from the west, unlike";
const KNOTS: (f64, &str) = (0.514_444, "the factor between knots and m s-1");
const PER_HOUR: (f64, &str) = (1.0 / 3.6, "the factor between km h-1 and m s-1");
const MILES: (f64, &str) = (0.447_04, "the factor between miles per hour and m s-1");

const SPEEDS: Others = &[
    (Times(KNOTS.0, 0.01, KNOTS.1), TWICE),
    (Times(1.0 / KNOTS.0, 0.01, KNOTS.1), TWICE),
    (Times(PER_HOUR.0, 0.01, PER_HOUR.1), TWICE),
    (Times(1.0 / PER_HOUR.0, 0.01, PER_HOUR.1), TWICE),
    (Times(MILES.0, 0.01, MILES.1), TWICE),
    (Times(1.0 / MILES.0, 0.01, MILES.1), TWICE),
];
const AREAS: Others = &[
    (Times(9.806_65, 0.03, "the acceleration of gravity"), MULTIPLIED),
    (Times(1.0 / 9.806_65, 0.03, "1 over the acceleration of gravity"), DIVIDED),
    (Times(1e6, 0.03, "the factor from km2 to m2"), MULTIPLIED),
    (Times(1e-6, 0.03, "the factor from m2 to km2"), MULTIPLIED),
    (Times(2.463_73e-14, 0.03, "the factor to a sphere of radius 1"), MULTIPLIED),
];
const VOLUMES: Others =
    &[(Times(1.0 / SEA_WATER, 0.02, "1 over the density of sea water, 1,027 kg m-3"), VOLUME)];
const FROM: Others = &[
    (Turned(1.0, 180.0, "180 degrees off"), OTHER_WAY),
    (Turned(-1.0, 270.0, FROM_EAST), OTHER_ANGLE),
    (Turned(-1.0, 90.0, FROM_WEST), OTHER_ANGLE),
];
const TO: Others = &[
    (Turned(1.0, 180.0, "180 degrees off"), OTHER_WAY),
    (Turned(-1.0, 90.0, FROM_EAST), OTHER_ANGLE),
    (Turned(-1.0, 270.0, FROM_WEST), OTHER_ANGLE),
];
const SUMS: Others = &[(Reordered, SORTED), (Lost, WRITTEN_AGAIN)];

#[rustfmt::skip]
const DERIVED: &[(&[&str], Claim, Source, Others)] = &[
    // CF.
    (&[], Own(STANDARD, &["wind_speed"]), pairs::speed, SPEEDS),
    (&[], Own(STANDARD, &["wind_from_direction", "sea_water_velocity_from_direction"]), pairs::direction, FROM),
    (&[], Own(STANDARD, &["wind_to_direction", "sea_water_velocity_to_direction"]), pairs::direction, TO),
    (&[], Own(STANDARD, &["wind_from_direction", "wind_to_direction"]), pairs::nearly_direction, &[(Aside(60.0), ACROSS_NORTH)]),
    (&[], Own(STANDARD, &["cell_area"]), pairs::area, AREAS),
    (&[], Own(STANDARD, &["latitude", "longitude"]), pairs::rotated, &[(Unlike(0.5), OTHER_POLE)]),
    (&[], Own(STANDARD, &["upward_ocean_mass_transport"]), pairs::upward_mass, VOLUMES),
    (&[], Starts(STANDARD, &["northward_", "y_"]), pairs::first_component, &[(Same, COPIED)]),
    (&[], Own(STANDARD, &["dew_point_temperature"]), pairs::dew_point, &[(Unlike(12.0), NO_DEW_POINT)]),
    // AnnData.
    (&["total_counts", "n_counts", "nCount_RNA", "total_umis"], Any, |it| tables::sums(it, true), SUMS),
    (&["n_genes_by_counts", "n_genes", "nFeature_RNA", "n_features"], Any, |it| tables::sums(it, false), SUMS),
    (&[], Any, tables::counts, &[(Reordered, SORTED)]),
    (&[], Any, tables::matrix, &[(Same, NO_COPY)]),
    // CfRadial.
    (&[], Any, counts::of_sweeps, &[(Unlike(0.01), BY_POSITION)]),
];

/// The fewest pairs of which nearly all are something else, and the share of them that is.
const FEWEST: usize = 16;
const ALL: f64 = 0.98;

/// The warning on an array that is not what follows from others.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let mut rows = DERIVED.iter().filter(|(names, claim, ..)| claim.holds(names, related));
    rows.find_map(|(.., source, others)| {
        let due = source(related)?;
        let shape = related.array.known_shape()?;
        let told = |(other, fix): &(Other, &str)| Some((other.of(&due, shape)?, other.fix(fix)));
        let (is, fix) = others.iter().find_map(told)?;
        related.warning(format!("{} {is}", due.name), fix)
    })
}

impl Due {
    /// The pairs of numbers.
    pub(super) fn known(&self) -> impl Iterator<Item = [f64; 2]> {
        self.pairs.iter().copied().filter(|pair| pair.iter().all(|it| it.is_finite()))
    }

    /// True if so large a share of the pairs fits that it is nearly all.
    fn is_all(&self, fits: impl Fn(f64, f64) -> bool) -> bool {
        let count = self.known().filter(|[own, due]| fits(*own, *due)).count();
        count as f64 >= ALL * self.known().count().max(FEWEST) as f64
    }

    /// True if nearly all are angles of this sign, and so much more.
    fn is_turned(&self, sign: f64, offset: f64) -> bool {
        /// The degrees by which what was rounded may differ.
        const NEAR: f64 = 3.0;
        self.is_all(|own, due| pairs::turned_away(own, sign.mul_add(due, offset)) <= NEAR)
    }

    /// The number of pairs that differ, and the first of them.
    fn differing(&self, differ: impl Fn(f64, f64) -> bool) -> Option<(usize, usize)> {
        count_and_first(&self.pairs, |pair| differ(pair[0], pair[1]))
    }

    /// The words on the pairs that differ, in an array of this shape.
    fn words(&self, (count, first): (usize, usize), what: &str, shape: &[u64]) -> Option<String> {
        let [own, due] = self.pairs.get(first)?.map(short);
        let (count, all) = (grouped(count), grouped(self.known().count()));
        let first = list(&order::coordinates(first as u128, shape));
        Some(format!("{count} of {all} {what}, the first at {first}: {own} and {due}"))
    }
}

impl Other {
    /// The predicate of the sentence, where the elements are so.
    fn of(&self, due: &Due, shape: &[u64]) -> Option<String> {
        let what = &due.what;
        match self {
            Times(factor, near, _) => due
                .is_all(|own, due| (own / due / factor - 1.0).abs() <= *near)
                .then(|| format!("is {} times {what}", short(*factor))),
            Turned(sign, offset, how) => {
                let is_it = !due.is_turned(1.0, 0.0) && due.is_turned(*sign, *offset);
                is_it.then(|| format!("is {how} {what}"))
            }
            Reordered => {
                let (own, others): (Vec<f64>, Vec<f64>) =
                    due.pairs.iter().map(|[own, due]| (*own, *due)).unzip();
                is_reordered(&own, &others).then(|| format!("is {what}, in another order"))
            }
            Lost => {
                /// The fewest that have less, of how many one may, and what is left of them.
                const FEWEST: usize = 3;
                const TIMES: usize = 4;
                const LESS: f64 = 0.8;
                let differ = |own: f64, due: f64| (own - due).abs() > 1e-3 * own.abs().max(1.0);
                let (count, first) = due.differing(differ)?;
                let runs = due.pairs.chunk_by(|a, b| differ(a[0], a[1]) == differ(b[0], b[1]));
                let odd = runs.filter(|run| run.iter().all(|it| differ(it[0], it[1])));
                let lengths: Vec<usize> = odd.map(<[_]>::len).collect();
                let is_less = |it: &&[f64; 2]| it[1] < LESS * it[0];
                let less = due.pairs.iter().filter(is_less).count();
                // Rows that are lost follow each other, and lose most of what they had.
                let is_lost = lengths.len() * FEWEST <= count && less * 2 > count;
                let all = due.pairs.iter().all(|it| !differ(it[0], it[1]) || it[1] < it[0]);
                (is_lost && all && count * TIMES < due.pairs.len()).then_some(())?;
                Some(format!("is {what}, but for {}", due.words((count, first), "rows", shape)?))
            }
            Same => {
                let is_same = due.pairs.iter().all(|[own, due]| own.to_bits() == due.to_bits());
                let count = grouped(due.pairs.len());
                (is_same && !due.pairs.is_empty())
                    .then(|| format!("is {what} in all {count} elements"))
            }
            Unlike(far) | Aside(far) => {
                let away = |own: f64, due: f64| match self {
                    Aside(_) => pairs::turned_away(own, due),
                    _ => (own - due).abs(),
                };
                let differing = due.differing(|own, due| away(own, due) > *far)?;
                Some(format!("is not {what}, in {}", due.words(differing, "elements", shape)?))
            }
        }
    }

    /// What comes of it, with the words for a factor.
    fn fix(&self, fix: &str) -> String {
        match self {
            Times(factor, _, words) => format!("{} is {words}. {fix}", short(*factor)),
            _ => fix.to_owned(),
        }
    }
}
