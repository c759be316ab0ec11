//! Arrays that are related by what they hold: numbers that name elements of another one, counts of what another one has,
//! times of one recording, levels of one image. Tables say which arrays are meant, and what may be wrong with them.

use super::{
    ValueCheck,
    prelude::{Problem, grouped, index, short, sorted},
    related::Related,
};
use crate::zarr::scalar::{Time, TimeUnit};

mod annotations;
mod cells;
pub(super) mod channels;
mod claims;
mod counts;
mod derived;
pub(super) mod earth;
mod frames;
mod graphs;
mod levels;
mod pairs;
pub(super) mod planes;
mod profiles;
mod records;
pub(super) mod references;
mod regions;
mod rows;
mod scans;
mod series;
mod spikes;
mod tables;
mod variants;

use claims::{Claim, STANDARD, TYPE};

/// What is looked at by its convention: the names that an array may have, or the ends of its path, none being any; what else
/// tells that it is meant; the hypotheses, of which the first that holds is told.
type Relation = (&'static [&'static str], Claim, &'static [ValueCheck]);

use Claim::{Any, In, Is, Own};

const AFTER_THE_SESSION: &str = "A file is created once its session began. Likely, the time of the session is a mistake, and so is what is \
                                 aligned to it.";
const BEFORE_BIRTH: &str = "The subject would have been born after the session.";

#[rustfmt::skip]
const RELATIONS: &[Relation] = &[
    (&[], Any, &[|it| references::check(it, false)]),
    // NWB.
    (&["spike_times"], Is(0, TYPE, &["Units"]), &[spikes::fallen, series::far, spikes::unobserved, spikes::before, spikes::coarse]),
    (&["data"], In(0, TYPE), &[series::data]),
    (&["starting_time"], In(0, TYPE), &[series::clock]),
    (&["timestamps"], In(0, TYPE), &[series::times, series::far]),
    (&["start_time"], In(0, TYPE), &[counts::unset]),
    (&["stop_time"], In(0, TYPE), &[series::intervals, series::far]),
    (&["external_file"], In(0, TYPE), &[series::frames]),
    (&["image_mask"], In(0, TYPE), &[series::turned]),
    (&["excitation_lambda", "emission_lambda"], In(0, TYPE), &[series::wavelength]),
    (&["gain_to_uV"], Any, &[series::gain]),
    (&["session_start_time"], Any, &[|it| series::late(it, "file_create_date", AFTER_THE_SESSION)]),
    (&["date_of_birth"], Any, &[|it| series::late(it, "session_start_time", BEFORE_BIRTH)]),
    // AnnData, SpatialData, MuData.
    (&[], Any, &[frames::embedding, frames::index]),
    (&["categories"], Any, &[regions::without_rows]),
    (&["X"], Any, &[regions::outside]),
    (&[], Any, &[regions::lost, regions::masked_twice, regions::twice, regions::labels]),
    // What follows from others, by any convention.
    (&[], Any, &[derived::check]),
    (&["names"], Any, &[annotations::markers]),
    (&["tissue_hires_scalef"], Any, &[|it| annotations::spots(it, "hires")]),
    (&["tissue_lowres_scalef"], Any, &[|it| annotations::spots(it, "lowres")]),
    (&["connectivities_key"], Any, &[annotations::graphs]),
    (&[], Any, &[annotations::mapped, annotations::values]),
    // Rows and levels, by any convention.
    (&[], Any, &[rows::check, levels::zeros, levels::averaged]),
    (&[], Any, &[scans::check]),
    // anemoi.
    (&["maximum"], Any, &[records::statistics]),
    (&["count"], Any, &[records::of_a_part]),
    (&["dates"], Any, &[records::unlisted]),
    (&[], Any, &[records::exchanged]),
    // CF.
    (&[], Any, &[pairs::unmasked]),
    (&[], Own(STANDARD, &["land_binary_mask"]), &[pairs::mask]),
    (&[], Own(STANDARD, &["latitude"]), &[pairs::latitudes, pairs::boxed, cells::order]),
    (&[], Own(STANDARD, &["longitude"]), &[cells::corners, cells::long_way]),
    (&[], Own(STANDARD, &["atmosphere_hybrid_sigma_pressure_coordinate", "atmosphere_hybrid_height_coordinate"]), &[pairs::hybrid]),
    (&[], Any, &[pairs::extremes, pairs::zeros, pairs::unobserved]),
    (&[], Own(STANDARD, &["geopotential", "geopotential_height"]), &[profiles::check]),
    (&[], Any, &[counts::dated]),
    // CfRadial.
    (&["sweep_group_name"], Any, &[counts::created]),
    (&["fixed_angle"], Any, &[counts::elsewhere]),
    (&["sweep_fixed_angle"], Any, &[counts::aimed]),
    (&["time"], Any, &[counts::simultaneous]),
    (&["azimuth"], Any, &[counts::unseen]),
    (&["range"], Any, &[counts::gates]),
    // VCF.
    (&["call_genotype"], Any, &[variants::genotypes]),
    (&["variant_position"], Any, &[variants::positions]),
    (&["region_index"], Any, &[variants::regions]),
    (&["call_genotype_mask"], Any, &[variants::masked]),
    (&["variant_AN"], Any, &[variants::too_many]),
    (&[], In(0, "vcf_header"), &[variants::flat]),
    // GRIB, STAC.
    (&[], Any, &[cells::crossed]),
    (&["y"], In(0, "proj:shape"), &[cells::turned]),
    // GEFF, graphs.
    (&["nodes/ids"], In(1, "geff"), &[graphs::lost, graphs::exchanged]),
    (&["edges/ids"], In(1, "geff"), &[graphs::edges, graphs::tracks]),
];

/// The finding on an array by others that it is related to.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let mut rows = RELATIONS.iter().filter(|(names, claim, _)| claim.holds(names, related));
    rows.find_map(|(.., hypotheses)| hypotheses.iter().find_map(|hypothesis| hypothesis(related)))
}

/// What elements are by others.
struct Due {
    /// The name of the array.
    name: String,
    /// Each element as it is stored, and as it is due.
    pairs: Vec<[f64; 2]>,
    /// The words for what is due.
    what: String,
}

impl Due {
    /// What the elements of an array are by others.
    fn of(related: &Related, pairs: impl IntoIterator<Item = [f64; 2]>, what: String) -> Self {
        Self { name: related.name(), pairs: pairs.into_iter().collect(), what }
    }
}

/// A count, with its digits in groups.
fn whole(number: f64) -> String {
    index(number).map_or_else(|| short(number), grouped)
}

/// True if two lists hold the same numbers, most of them at another place, and enough different ones for that to be no accident.
fn is_reordered(one: &[f64], other: &[f64]) -> bool {
    const FEWEST: usize = 12;
    const DIFFERENT: usize = 8;
    let is_same = |(a, b): (&f64, &f64)| a.total_cmp(b).is_eq();
    if one.len() != other.len() || one.len() < FEWEST {
        return false;
    }
    let (a, b) = (sorted(one), sorted(other));
    let mut different = a.clone();
    different.dedup_by(|a, b| is_same((a, b)));
    let in_place = one.iter().zip(other).filter(|pair| is_same(*pair)).count();
    different.len() >= DIFFERENT && in_place * 2 < one.len() && a.iter().zip(&b).all(is_same)
}

/// The seconds since 1970 of a date and time, whatever its zone.
fn instant(text: &str) -> Option<i64> {
    let text = text.get(..19).or_else(|| text.get(..10))?;
    Time::count_of_date(text, TimeUnit::Second, 1)
}
