//! Whole numbers in the attributes of an array that are identifiers among its elements: rounded by a program that takes
//! numbers of JSON for doubles, they are none any more.

use super::prelude::*;
use crate::zarr::json::ROUNDED;

/// The numbers from which on doubles leave some out.
const EXACT: i128 = 1 << 53;
/// The most values of attributes that are looked at, and the most elements of an array.
const MOST: usize = 1 << 14;
const ELEMENTS: u64 = 1 << 20;

/// The fewest identifiers that tell: a single number may be near an element for other reasons, as the start of a record is.
const FEWEST: usize = 2;

/// The warning that identifiers in the attributes of an array of integers are no elements of it, and that elements are the
/// same numbers as doubles.
pub(super) fn check(related: &Related) -> Option<Problem> {
    let &Related { path, array, budget, .. } = related;
    array.data_type().filter(|it| related.is_integer() && it.fixed_size() == Some(8))?;
    let attributes = related.attributes()?;
    let large = large(attributes.json);
    let count = order::product(array.known_shape()?)?;
    if large.is_empty() || count > ELEMENTS {
        return None;
    }
    let elements = elements(&related.reader(path, array)?, budget)?;
    let doubles: HashMap<u64, i128> =
        elements.iter().map(|element| ((*element as f64).to_bits(), *element)).collect();
    let meant = |id: i128| doubles.get(&(id as f64).to_bits()).copied();
    let lost = large
        .iter()
        .filter(|(_, _, id)| !elements.contains(id))
        .filter(|(_, _, id)| (*id as f64).to_string() == id.to_string());
    let rounded: Vec<_> =
        lost.filter_map(|(field, json, id)| Some((field, json, id, meant(*id)?))).collect();
    let different: HashSet<i128> = rounded.iter().map(|(_, _, id, _)| **id).collect();
    let (field, json, id, element) = rounded.first().filter(|_| different.len() >= FEWEST)?;
    let problem = attributes.warning(
        Code::IdentifierRounded,
        (field, json),
        id.to_string(),
        element.to_string(),
    );
    let (count, of) = (grouped(rounded.len()), grouped(large.len()));
    let fix = format!("That holds for {count} of {of} numbers this large. {ROUNDED}");
    Some(with_fix(problem, fix))
}

/// The whole numbers that are too large for doubles to have them all, with the members that lead to them.
fn large(json: &Json) -> Vec<(String, &Json, i128)> {
    let (mut found, mut next) = (Vec::new(), vec![(String::new(), json)]);
    let mut left = MOST;
    while let Some((field, json)) = next.pop().filter(|_| left > 0) {
        left -= 1;
        let number = json.as_number().and_then(|text| text.parse::<i128>().ok());
        if let Some(number) = number.filter(|number| number.unsigned_abs() > EXACT.unsigned_abs()) {
            found.push((field.clone(), json, number));
        }
        let items = json.as_array().unwrap_or_default().iter().enumerate().take(MOST);
        next.extend(items.map(|(at, item)| (format!("{field}[{at}]"), item)));
        let members = json.as_object().unwrap_or_default().iter().take(MOST);
        let dot = if field.is_empty() { "" } else { "." };
        next.extend(members.map(|it| (format!("{field}{dot}{}", it.key), &it.value)));
    }
    found.reverse();
    found
}

/// The different stored elements that are so large; `None` where some cannot be read.
fn elements(reader: &ArrayReader, budget: &Budget) -> Option<HashSet<i128>> {
    let mut found = HashSet::new();
    for piece in reader.pieces(&reader.whole()) {
        match reader.load(&piece, budget) {
            PieceData::Missing => {}
            PieceData::Unreadable(_) => return None,
            PieceData::Stored(elements) => {
                let all = budget.while_wanted(0..elements.len());
                let integers = all.filter_map(|at| elements.value(at)?.ok()?.to_integer());
                found.extend(integers.filter(|it| it.unsigned_abs() > EXACT.unsigned_abs()));
            }
        }
        if budget.is_stopped() {
            return None;
        }
    }
    Some(found)
}
