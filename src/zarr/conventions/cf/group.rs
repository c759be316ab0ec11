//! Rules for the arrays of one group together.

use crate::zarr::conventions::prelude::*;
use std::collections::BTreeMap;

/// The number of dimensions and of arrays that are kept.
const MOST: usize = 10_000;

/// The number of dimensions of one group that are told.
const TOLD: usize = 20;

/// Words that are the other one of two: the first of each is said of one of two variables, the second of the other.
const OPPOSITES: [[&str; 2]; 9] = [
    ["eastward", "northward"],
    ["zonal", "meridional"],
    ["u", "v"],
    ["x", "y"],
    ["longitude", "latitude"],
    ["minimum", "maximum"],
    ["min", "max"],
    ["downward", "upward"],
    ["downwelling", "upwelling"],
];

/// The words of a text, with the other one for each of [`OPPOSITES`].
#[derive(Debug, PartialEq, Eq)]
struct Sided {
    /// The place in its pair that all of these words have.
    side: usize,
    words: Vec<String>,
    others: Vec<String>,
}

impl Sided {
    /// `None` where no word has another one, or words of both sides are there.
    fn of(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let (mut side, mut all, mut others) = (None, Vec::new(), Vec::new());
        for word in words {
            let pair = OPPOSITES
                .iter()
                .find_map(|pair| Some((pair, pair.iter().position(|it| *it == word)?)));
            if let Some((_, at)) = pair {
                (*side.get_or_insert(at) == at).then_some(())?;
            }
            all.push(word.to_owned());
            others.push(
                pair.and_then(|(pair, at)| pair.get(1 - at)).map_or(word, |it| it).to_owned(),
            );
        }
        Some(Self { side: side?, words: all, others })
    }

    fn is_other(&self, other: &Self) -> bool {
        self.words == other.others
    }
}

/// An array of several dimensions, all of which have names.
#[derive(Debug)]
struct WideArray {
    name: String,
    dimensions: Vec<String>,
    shape: Vec<u64>,
}

/// An array with its long name and its standard name, as they are and in words.
#[derive(Debug)]
struct CalledArray {
    name: String,
    texts: [String; 2],
    words: [Sided; 2],
}

/// The facts about the arrays of a group.
#[derive(Debug, Default)]
pub(in crate::zarr::conventions) struct GroupFacts {
    dimensions: BTreeMap<String, Dimension>,
    unnamed: Option<UnnamedArrays>,
    /// True if an array has the attribute that only xarray and those who write for it use.
    has_v2_names: bool,
    /// True if an array is a coordinate, or names some.
    has_coordinates: bool,
    any_named: bool,
    /// The arrays of several dimensions, as many as are kept.
    wide: Vec<WideArray>,
    /// The arrays whose long name says another one of two than the standard name.
    called: Vec<CalledArray>,
    links: MappingLinks,
    /// The same of the groups in it, by their names.
    inside: Vec<(String, MappingLinks)>,
    /// The latitudes and longitudes of two dimensions, with their dimensions, and the names in attributes `coordinates`.
    places: [Option<(String, Vec<String>)>; 2],
    pointed: HashSet<String>,
    /// The texts of single bytes: the array, its last dimension and its length.
    characters: Option<(String, String, u64)>,
    /// The dimensions by netCDF's own record of them: the name, the size, and true if it is unlimited.
    recorded: Vec<(String, u64, bool)>,
}

/// The arrays without names of their dimensions.
#[derive(Debug)]
struct UnnamedArrays {
    /// The first one, and its document.
    name: String,
    document: String,
    count: u64,
    /// True if one has attributes as CF gives them to variables.
    are_described: bool,
}

/// The variables that describe a projection, and those that name one.
#[derive(Debug, Default)]
struct MappingLinks {
    /// True if a coordinate is that of a projection.
    is_projected: bool,
    /// True if a coordinate is a latitude, which needs no projection to be a place on the Earth.
    has_latitude: bool,
    /// Those that describe one.
    mappings: Vec<String>,
    /// True if some array here or further inside names one.
    is_named: bool,
    /// The arrays of two dimensions or more that name none, with their dimensions.
    fields: Vec<Field>,
    /// Those that do.
    mapped: Vec<Field>,
}

/// The name of an array, and those of its dimensions.
type Field = (String, Vec<String>);

impl MappingLinks {
    fn add(&mut self, name: &str, array: &ArrayMetadata, rank: usize) {
        let attributes = array.attributes();
        let has = |key: &str| attributes.is_some_and(|it| it.get(key).is_some());
        let members = || attributes.and_then(Json::as_object).into_iter().flatten();
        let names_one =
            has("grid_mapping") || members().any(|member| member.key.starts_with("proj:"));
        self.is_named |= names_one;
        let describes = has("grid_mapping_name") || has("crs_wkt");
        let list = match rank {
            0 if describes && !names_one && self.mappings.len() < MOST => {
                return self.mappings.push(name.to_owned());
            }
            2.. if names_one => &mut self.mapped,
            2.. if !describes => &mut self.fields,
            _ => return,
        };
        if list.len() < MOST {
            let dimensions = array.dimension_names.iter().flatten().flatten().cloned();
            list.push((name.to_owned(), dimensions.collect()));
        }
    }
}

/// A dimension: the arrays of each size, the first one by name and how many.
#[derive(Debug, Default)]
struct Dimension {
    sizes: BTreeMap<u64, (String, u64)>,
    /// True if it is the first one of each array that has others.
    is_first: bool,
    /// The size of the array that has its name.
    coordinate: Option<u64>,
}

impl GroupFacts {
    /// Those of a group before its arrays.
    pub(in crate::zarr::conventions) fn of(kinds: &[&NodeKind]) -> Self {
        /// The names of the record, and of the dimensions in it, since netCDF-C 4.8.
        const RECORDS: [&str; 2] = ["_nczarr_group", "_NCZARR_GROUP"];
        const DIMENSIONS: [&str; 2] = ["dimensions", "dims"];
        let attributes = kinds.iter().filter_map(|kind| Some(Attributes::of(kind)?.json));
        let pointed = attributes.clone().filter_map(|json| json.get_str("coordinates"));
        let pointed = pointed.flat_map(str::split_whitespace).map(str::to_owned).collect();
        let documents = kinds.iter().flat_map(|kind| kind.documents());
        let all = attributes.chain(documents.filter_map(|document| document.root()));
        let records = all.filter_map(|json| RECORDS.iter().find_map(|name| json.get(name)));
        let mut recorded = Vec::new();
        for json in
            records.filter_map(|json| DIMENSIONS.iter().find_map(|name| json.get(name))).take(1)
        {
            let members = json.as_object().into_iter().flatten();
            let named = members.map(|member| (Some(&*member.key), &member.value));
            let listed = json.as_array().into_iter().flatten();
            let all = named.chain(listed.map(|item| (item.get_str("name"), item))).take(MOST);
            recorded.extend(all.filter_map(|(name, json)| {
                let size = json.get_u64("size").or_else(|| json.as_u64())?;
                Some((name?.to_owned(), size, json.get_u64("unlimited") == Some(1)))
            }));
        }
        Self { pointed, recorded, ..Self::default() }
    }

    /// The warning on a dimension whose size in netCDF's own record is not that of the arrays. Along an unlimited one, arrays may be
    /// shorter.
    fn outdated(&self, file: &str) -> Option<Problem> {
        let (name, size, own) = self.recorded.iter().find_map(|(name, size, is_unlimited)| {
            let own = *self.dimensions.get(name)?.sizes.last_key_value()?.0;
            let is_other = own > *size || own < *size && !is_unlimited;
            is_other.then_some((quoted(name), grouped(*size), grouped(own)))
        })?;
        let sentence = format!(
            "netCDF's record (_nczarr_group) has the size {size} for {name}, and the arrays have {own}"
        );
        let fix = "netCDF-C 4.10.1 refuses the group: Invalid dimension size. Likely cause: an append by a program that does not know netCDF's record of \
                   dimensions.";
        Some(told(Code::CfDimensions, file, sentence, fix))
    }

    /// Takes in an array.
    pub(in crate::zarr::conventions) fn add(&mut self, variable: &Variable) {
        let array = variable.array;
        let name = variable.path.name();
        let Ok(shape) = &array.shape else { return };
        let text = |key: &str| array.attributes()?.get_str(key).map(str::to_owned);
        self.links.add(name, array, shape.len());
        if let (Some(long), Some(standard)) = (text("long_name"), text("standard_name"))
            && let (Some(one), Some(other)) = (Sided::of(&long), Sided::of(&standard))
            && one.side != other.side
            && self.called.len() < TOLD
        {
            let (name, texts) = (name.to_owned(), [long, standard]);
            self.called.push(CalledArray { name, texts, words: [one, other] });
        }
        if !variable.is_named() {
            // Of names that are there and wrong, the documents' problems tell.
            if !variable.has_names()
                && let Some(document) = array.documents.first()
            {
                let is_time = text("units").is_some_and(|it| it.contains(" since "));
                let unnamed = self.unnamed.get_or_insert_with(|| UnnamedArrays {
                    name: name.to_owned(),
                    document: document.key.clone(),
                    count: 0,
                    are_described: false,
                });
                unnamed.count += 1;
                unnamed.are_described |= is_time || text("standard_name").is_some();
            }
            return;
        }
        let Some(names) = array.dimension_names.as_ref().filter(|names| names.len() == shape.len())
        else {
            return;
        };
        self.any_named = true;
        let dimensions: Vec<String> = names.iter().flatten().cloned().collect();
        if let ([_, .., last], Some(length)) = (dimensions.as_slice(), shape.last())
            && array.data_type().is_some_and(|it| it.name() == "null_terminated_bytes[1]")
        {
            self.characters.get_or_insert_with(|| (name.to_owned(), last.clone(), *length));
        }
        if dimensions.len() > 1 && dimensions.len() == shape.len() && self.wide.len() < MOST {
            let (name, shape) = (name.to_owned(), shape.clone());
            self.wide.push(WideArray { name, dimensions, shape });
        }
        self.has_v2_names |= array.format == Format::V2;
        let standard = text("standard_name");
        self.links.is_projected |= standard.as_deref() == Some("projection_x_coordinate");
        self.links.has_latitude |= standard.as_deref() == Some("latitude");
        let side = match standard.as_deref() {
            Some("latitude") => Some(0),
            Some("longitude") => Some(1),
            _ => None,
        };
        let place = side.filter(|_| shape.len() == 2).and_then(|side| self.places.get_mut(side));
        if let Some(place) = place {
            place.get_or_insert_with(|| {
                (name.to_owned(), names.iter().flatten().cloned().collect())
            });
        }
        if self.pointed.len() < MOST {
            let pointed = text("coordinates").unwrap_or_default();
            self.pointed.extend(pointed.split_whitespace().map(str::to_owned));
        }
        let is_coordinate = matches!(names.as_slice(), [Some(only)] if only == name);
        let coordinates = array.attributes().and_then(|json| json.get("coordinates"));
        self.has_coordinates |= is_coordinate || coordinates.and_then(Json::as_str).is_some();
        for (at, (dimension, &size)) in names.iter().flatten().zip(shape).enumerate() {
            if self.dimensions.len() >= MOST && !self.dimensions.contains_key(dimension) {
                continue;
            }
            let known = self
                .dimensions
                .entry(dimension.clone())
                .or_insert_with(|| Dimension { is_first: true, ..Dimension::default() });
            known.is_first &= at == 0;
            if is_coordinate {
                known.coordinate = Some(size);
            }
            if known.sizes.len() < MOST || known.sizes.contains_key(&size) {
                known.sizes.entry(size).or_insert_with(|| (name.to_owned(), 0)).1 += 1;
            }
        }
    }

    /// True if the group is one as xarray writes it.
    pub(in crate::zarr::conventions) fn claims(&self, says_cf: bool) -> bool {
        let is_named = self.any_named && (says_cf || self.has_v2_names || self.has_coordinates);
        let are_described = self.unnamed.as_ref().is_some_and(|unnamed| unnamed.are_described);
        is_named || says_cf && are_described && self.recorded.is_empty()
    }

    /// Takes in a group in it.
    pub(in crate::zarr::conventions) fn add_group(&mut self, name: &str, inside: Self) {
        self.links.is_named |= inside.links.is_named;
        if self.inside.len() < MOST {
            self.inside.push((name.to_owned(), inside.links));
        }
    }

    /// The note on latitudes and longitudes of two dimensions that no array with these names as its coordinates.
    fn unplaced(&self, file: &str) -> Option<Problem> {
        let [Some((latitude, dimensions)), Some((longitude, others))] = &self.places else {
            return None;
        };
        let is_place = |name: &String| [latitude, longitude].contains(&name);
        let field = self.wide.iter().find(|array| {
            !is_place(&array.name) && dimensions.iter().all(|it| array.dimensions.contains(it))
        })?;
        let is_pointed = |name: &String| self.pointed.contains(name);
        if dimensions != others || is_pointed(latitude) || is_pointed(longitude) {
            return None;
        }
        let sentence = format!(
            "{} and {} are the places of {} by their dimensions, and no attribute \"coordinates\" names them",
            quoted(latitude),
            quoted(longitude),
            quoted(&field.name)
        );
        let fix = "xarray 2026.9 reads them as data variables, which no selection and no plot of the others uses.";
        Some(note(told(Code::CfReference, file, sentence, fix)))
    }

    /// The note on a projection that no array names. It may be there for those who know it.
    fn unlinked(&self, file: &str) -> Option<Problem> {
        let MappingLinks { mappings, is_named: false, fields, .. } = &self.links else {
            return None;
        };
        let (field, _) = fields.first()?;
        let found = match mappings.as_slice() {
            [mapping] => format!(
                "{} describes a projection, and no array names it as its grid_mapping ({} could)",
                quoted(mapping),
                quoted(field)
            ),
            [] if self.links.is_projected => format!(
                "the coordinates of {} are those of a projection, and no grid_mapping says of which",
                quoted(field)
            ),
            _ => return None,
        };
        let fix = "rioxarray 0.23 finds no projection, also with decode_coords=\"all\".";
        Some(note(told(Code::CfReference, file, found, fix)))
    }

    /// The warning on a group whose arrays name no projection, where those of the same names in a group beside it do.
    pub(in crate::zarr::conventions) fn unlike_beside(&self, file: &str) -> Option<Problem> {
        let is_without = |links: &MappingLinks| {
            !links.is_named && !links.has_latitude && !links.fields.is_empty()
        };
        let (name, beside, field) = self.inside.iter().find_map(|(name, links)| {
            let (field, _) = links.fields.first().filter(|_| is_without(links))?;
            let has_all = |(_, other): &&(String, MappingLinks)| {
                links.fields.iter().all(|field| other.mapped.contains(field))
            };
            let (beside, _) = self.inside.iter().find(has_all)?;
            Some((name, beside, field))
        })?;
        let found = format!(
            "{} in {} has no grid_mapping, and that in {} has one",
            quoted(field),
            quoted(name),
            quoted(beside)
        );
        let fix = format!("Where the data of {} are on the Earth is not said.", quoted(name));
        Some(told(Code::CfReference, file, found, fix).with_severity(Severity::Warning))
    }

    /// The note on texts of single bytes along a dimension that is not named as the length of a text.
    fn joined(&self, file: &str) -> Option<Problem> {
        /// Parts of the names that such dimensions have, and the longest that is told.
        const LENGTHS: [&str; 5] = ["str", "char", "len", "text", "name"];
        const LONGEST: u64 = 8;
        let (name, last, length) = self.characters.as_ref()?;
        let word = last.to_lowercase();
        if LENGTHS.iter().any(|part| word.contains(part)) || !(2..=LONGEST).contains(length) {
            return None;
        }
        let found = format!(
            "{} has texts of one byte, which xarray 2026.9 joins along {}: {length} of them are one text",
            quoted(name),
            quoted(last)
        );
        let fix = "If each is a text by itself, such as an allele, it was cut to its first byte, or has no other.";
        Some(note(told(Code::CfAttribute, file, found, fix)))
    }

    /// The problems of the group, whose document is `file`; where nothing says that it is one of xarray's, as notes.
    pub(in crate::zarr::conventions) fn finish(
        &self,
        file: &str,
        is_claimed: bool,
        is_hdmf: bool,
    ) -> Vec<Problem> {
        let mut conflicts: Vec<_> = self
            .dimensions
            .iter()
            .filter(|(_, dimension)| dimension.sizes.len() > 1 && !is_hdmf)
            .collect();
        if !is_claimed {
            // Arrays without names, and levels of an image, are nobody's variables.
            let is_other = self.unnamed.is_some() || self.has_levels();
            let notes = conflicts.iter().filter(|(_, dimension)| dimension.is_first && !is_other);
            let notes = notes.take(TOLD).map(|(name, dimension)| dimension.conflict(name, file));
            return notes.map(|problem| problem.with_severity(Severity::Note)).collect();
        }
        let swapped = swapped(&conflicts, file);
        if let Some((names, _)) = &swapped {
            conflicts.retain(|(name, _)| !names.contains(&name.as_str()));
        }
        let reversed = if swapped.is_none() { self.reversed() } else { Vec::new() };
        conflicts.retain(|(name, dimension)| {
            let is_other = |size: &u64| Some(*size) != dimension.coordinate;
            let others = dimension
                .sizes
                .iter()
                .filter(|(size, _)| is_other(size))
                .map(|(_, (_, count))| *count);
            let count = reversed.iter().filter(|it| it.dimensions.contains(name)).count() as u64;
            count == 0 || others.sum::<u64>() > count
        });
        let conflicts = conflicts
            .into_iter()
            .take(TOLD)
            .map(|(name, dimension)| dimension.conflict(name, file));
        swapped
            .into_iter()
            .map(|(_, problem)| problem)
            .chain(self.backwards(&reversed, file))
            .chain(conflicts)
            .chain(self.exchanged(file))
            .chain(self.outdated(file))
            .chain(self.unnamed().filter(|_| !is_hdmf))
            .chain(self.unlinked(file))
            .chain(self.unplaced(file))
            .chain(self.joined(file))
            .collect()
    }

    /// The arrays that do not have the lengths of the coordinates that their dimensions are named for, and have them if the names
    /// are read backwards.
    fn reversed(&self) -> Vec<&WideArray> {
        let is_reversed = |array: &&WideArray| {
            let lengths = array.dimensions.iter().map(|name| self.dimensions.get(name)?.coordinate);
            lengths.collect::<Option<Vec<u64>>>().is_some_and(|lengths| {
                lengths != array.shape && lengths.iter().rev().eq(&array.shape)
            })
        };
        self.wide.iter().filter(is_reversed).collect()
    }

    /// The warning on such arrays.
    fn backwards(&self, reversed: &[&WideArray], file: &str) -> Option<Problem> {
        let WideArray { name, dimensions, shape } = reversed.first()?;
        let more = and_more(reversed.len() - 1);
        let field = if self.has_v2_names { "_ARRAY_DIMENSIONS" } else { "dimension_names" };
        let names = dimensions.iter().map(|name| quoted(name));
        let meant = names.clone().rev().joined(", ");
        let found = format!(
            "{field} of {}{more} are {}, for the shape {}",
            quoted(name),
            names.joined(", "),
            list(shape)
        );
        let expected = format!("{meant}: these have the lengths of the coordinates");
        let fix = "xarray 2026.9 raises ValueError when it opens the group. Likely cause: a writer that counts dimensions from the fastest \
                   one reversed the shape, and not the names.";
        let error = Error::new(Code::CfDimensions, found, expected).in_file(file).with_fix(fix);
        Some(Problem::new(error))
    }

    /// The warning on two variables each of which has the long name of the other.
    fn exchanged(&self, file: &str) -> Option<Problem> {
        let are_exchanged = |(one, other): &(&CalledArray, &CalledArray)| {
            one.words.iter().zip(&other.words).all(|(a, b)| a.is_other(b))
        };
        let (
            CalledArray { name: one, texts: [long, standard], .. },
            CalledArray { name: other, .. },
        ) = couples(&self.called).find(are_exchanged)?;
        let sentence = format!(
            "{} and {} have the long_name of each other: {}, {}, is called {}",
            quoted(one),
            quoted(other),
            quoted(one),
            quoted(standard),
            quoted(long)
        );
        let fix = "The standard names say it the other way round.";
        Some(told(Code::CfAttribute, file, sentence, fix).with_severity(Severity::Warning))
    }

    /// True if arrays are called like the levels of an image: by numbers, or the same word with a number.
    fn has_levels(&self) -> bool {
        let sizes = self.dimensions.values().flat_map(|dimension| dimension.sizes.values());
        let words: Vec<&str> = sizes
            .map(|(name, _)| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
            .collect();
        let is_numbered = |word: &&str| words.iter().filter(|other| *other == word).count() > 1;
        words.iter().any(|word| word.is_empty() || is_numbered(word))
    }

    /// The warning on arrays that keep xarray from opening the group.
    fn unnamed(&self) -> Option<Problem> {
        let UnnamedArrays { name, document, count, .. } = self.unnamed.as_ref()?;
        let others = match count {
            1 => String::new(),
            many => format!(", and {} more", grouped(many - 1)),
        };
        let beside = if self.any_named { ", beside arrays that have them" } else { "" };
        let error = Error::new(
            Code::CfDimensions,
            format!("{}{others} without dimension names{beside}", quoted(name)),
            "a name for each dimension of each array",
        );
        let fix = "xarray 2026.9 raises KeyError when it opens the group. Name the dimensions, or move what is not \
                   a variable to another group, or exclude it with drop_variables.";
        Some(Problem::new(error.in_file(document).with_fix(fix)))
    }
}

/// The finding of these words, at the document of the group.
fn told(code: Code, file: &str, sentence: String, fix: impl Into<String>) -> Problem {
    Problem::new(Error::said(code, sentence).in_file(file).with_fix(fix))
}

/// Two dimensions, and the one array whose names for them are in another order than its shape.
fn swapped<'d>(
    conflicts: &[(&'d String, &'d Dimension)],
    file: &str,
) -> Option<([&'d str; 2], Problem)> {
    let odd = |dimension: &Dimension| {
        let [(a, one), (b, other)] =
            [dimension.sizes.iter().next()?, dimension.sizes.iter().nth(1)?];
        let ((size, (array, _)), usual) = match (one.1, other.1) {
            (1, 2..) => ((a, one), b),
            (2.., 1) => ((b, other), a),
            _ => return None,
        };
        (dimension.sizes.len() == 2).then(|| (array.clone(), *size, *usual))
    };
    let odd = |&(name, dimension): &(&'d String, &'d Dimension)| Some((name, odd(dimension)?));
    let odd: Vec<_> = conflicts.iter().filter_map(odd).collect();
    let ((one, (array, size, usual)), (other, _)) = couples(&odd).find(|(one, other)| {
        let ((_, (array, size, usual)), (_, (same, its_size, its_usual))) = (one, other);
        array == same && size == its_usual && usual == its_size
    })?;
    let error = Error::new(
        Code::CfDimensions,
        format!(
            "{} with {} for {} and {} for {}",
            quoted(array),
            grouped(size),
            quoted(one),
            grouped(usual),
            quoted(other)
        ),
        format!(
            "{} for {} and {} for {}, as in the other arrays of the group",
            grouped(usual),
            quoted(one),
            grouped(size),
            quoted(other)
        ),
    );
    let fix = "xarray 2026.9 raises ValueError when it opens the group. Likely cause: the names of these two \
               dimensions are swapped in the metadata.";
    Some(([one.as_str(), other.as_str()], Problem::new(error.in_file(file).with_fix(fix))))
}

impl Dimension {
    /// The warning that a dimension has several sizes.
    fn conflict(&self, name: &str, file: &str) -> Problem {
        let size = |(size, (first, count)): (&u64, &(String, u64))| {
            let arrays = match count {
                1 => quoted(first),
                2 => format!("{} and 1 more", quoted(first)),
                many => format!("{} and {} more", quoted(first), grouped(many - 1)),
            };
            format!("{} in {arrays}", grouped(size))
        };
        let sizes: Vec<String> = self.sizes.iter().map(size).take(4).collect();
        let more = match self.sizes.len() - sizes.len() {
            0 => String::new(),
            more => format!(" and {}", counted(more as u64, "further size")),
        };
        let error = Error::new(
            Code::CfDimensions,
            format!("the dimension {} with size {}{more}", quoted(name), sizes.join(", ")),
            "one size in all arrays of the group",
        );
        let is_made_up = name.starts_with("phony_dim_");
        let guess = if is_made_up {
            " Such names are made up for dimensions of HDF5 that have none: arrays need not share them."
        } else if self.is_first && self.sizes.len() == 2 {
            " Likely cause: an append that did not reach every array."
        } else {
            ""
        };
        let fix = format!("xarray 2026.9 raises ValueError when it opens the group.{guess}");
        let problem = Problem::new(error.in_file(file).with_fix(fix));
        if is_made_up { problem.with_severity(Severity::Note) } else { problem }
    }
}
