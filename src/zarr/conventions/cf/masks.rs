//! `_FillValue` and `missing_value`: what marks a value as missing.

use crate::zarr::{
    conventions::prelude::*,
    data_type::base64,
    json::{Kind, ROUNDED},
    metadata::FillValue,
};

/// The problems of the attributes that mark missing values.
pub(super) fn check(array: &ArrayMetadata, attributes: &Attributes) -> Vec<Problem> {
    let with = |key: &str, look: fn(&ArrayMetadata, &Attributes, &Json) -> Option<Problem>| {
        look(array, attributes, attributes.get(key)?)
    };
    let of_format = match array.format {
        Format::V2 => with("_FillValue", overridden),
        Format::V3 => with("_FillValue", undecodable).or_else(|| with("_FillValue", rounded)),
    };
    let found = [
        of_format,
        with("missing_value", object),
        with("_FillValue", out_of_range),
        with("_FillValue", packed_fill),
        with("_FillValue", unpacked),
        with("nodata", nodata),
    ];
    found.into_iter().flatten().collect()
}

/// A mark that is an object.
fn object(_: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    json.as_object()?;
    let texts = (json.describe(), "a value of the data type, or a list of such values");
    let fix = "xarray 2026.9 raises TypeError when it opens the group.";
    attributes.mismatch(Code::CfFillValue, "missing_value", texts, fix)
}

/// NaN as the mark of missing elements, in integers, which have none: nothing else marks them.
fn nodata(array: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    let is_nan = json.as_str().or(json.as_number())?.eq_ignore_ascii_case("nan");
    let is_marked = ["_FillValue", "missing_value"].iter().any(|it| attributes.has(it));
    let sentence = format!("nodata is NaN, which {} does not have", array.data_type()?.name());
    let fix = "Nothing marks missing elements: if there were some, they became 0 or another number as they were cast, and count as data.";
    attributes
        .finding_if(
            is_nan && is_integer(array) && !is_marked,
            Code::CfFillValue,
            "nodata",
            sentence,
            fix,
        )
        .map(note)
}

/// V2: xarray takes the fill value of the array for `_FillValue`, whatever the attribute says.
fn overridden(array: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    let FillValue::Value { scalar, json: own, .. } = &array.fill_value else { return None };
    // What is no value of the data type marks nothing, here as there.
    let named = Packing::of(array).named_fill?;
    if named.value_equal(scalar) {
        return None;
    }
    let texts = (
        format!("{} beside the fill value {scalar} of .zarray", json.describe()),
        "the same value in both, or the fill value null",
    );
    let fix = format!(
        "In V2, xarray 2026.9 reads {scalar} as missing and ignores this attribute; readers of CF such as netCDF go by \
         the attribute."
    );
    let rounded = if json.is_rounded(own) { ROUNDED } else { "" };
    let fix = format!("{fix} {rounded}");
    attributes.mismatch(Code::CfFillValue, "_FillValue", texts, fix.trim_end())
}

/// V3: xarray decodes what it wrote, and raises an error for anything else.
fn undecodable(array: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    let is_float64 = |json: &Json| base64::decode(json).is_ok_and(|bytes| bytes.len() == 8);
    let (is_read, expected) = match array.data_type()?.default_scalar() {
        Scalar::Float(_) => {
            (is_float64(json), "a string with the base64 of the value as a little-endian float64")
        }
        Scalar::Int(_) | Scalar::Uint(_) => {
            // Python counts true and false among the integers.
            (matches!(json.kind, Kind::Number(_) | Kind::Bool(_)), "a number")
        }
        Scalar::Complex(..) => {
            let halves = json.as_array().filter(|halves| halves.len() == 2);
            let is_read = halves.is_some_and(|halves| halves.iter().all(is_float64));
            (is_read, "a list of two strings, each with the base64 of a little-endian float64")
        }
        _ => return None,
    };
    if is_read {
        return None;
    }
    let found = format!("{} in an array of {}", json.describe(), array.data_type()?.name());
    let fix = "In V3, xarray 2026.9 raises an error when it opens the group.";
    attributes.mismatch(Code::CfFillValue, "_FillValue", (found, expected), fix)
}

/// V3: the fill value of the array and the attribute are one number, of which one was rounded.
fn rounded(array: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    let FillValue::Value { json: own, .. } = &array.fill_value else { return None };
    let (found, expected) = (json.as_number()?, own.as_number()?);
    let text = format!("_FillValue is {found} beside the fill value {expected}");
    let texts = (found, expected);
    let problem = attributes.mismatch(Code::CfFillValue, "_FillValue", texts, ROUNDED)?;
    json.is_rounded(own).then(|| saying(problem, text))
}

/// A whole number that no element of an array of integers can be, such as -9999 for uint16.
fn out_of_range(array: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    let data_type = array.data_type()?;
    let bits = data_type.fixed_size().filter(|size| *size <= 8)? * 8;
    let (all, half) = (1_i128 << bits, 1_i128 << (bits - 1));
    let lowest = match data_type.default_scalar() {
        Scalar::Int(_) => -half,
        Scalar::Uint(_) => 0,
        _ => return None,
    };
    let Kind::Number(text) = &json.kind else { return None };
    let whole: i128 = text.trim_end_matches(".0").parse().ok()?;
    let names_one = Packing::of(array).named_fill.is_some();
    if names_one || (lowest..lowest + all).contains(&whole) {
        return None;
    }
    let wrapped = (whole - lowest).rem_euclid(all) + lowest;
    let texts = (
        format!("{text} in an array of {}", data_type.name()),
        format!("a value from {lowest} to {}", lowest + all - 1),
    );
    let fix = format!(
        "No element can have this value: xarray 2026.9 reads every one as data. A program that wraps around would have stored \
         {wrapped} for it."
    );
    attributes.mismatch(Code::CfFillValue, "_FillValue", texts, fix)
}

/// A mark that is no integer, in an array of packed integers, and is one of them unpacked.
fn unpacked(array: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    let packing = Packing::of(array);
    let mark = number(json)?;
    let packed = (mark - packing.offset) / packing.factor;
    let is_one = |number: f64| (number - number.round()).abs() <= number.abs() * 1e-9;
    let is_due = packing.is_scaled && is_integer(array) && !is_one(mark) && is_one(packed);
    let texts = (
        format!("{mark} in an array of packed {}", array.data_type()?.name()),
        format!("{:.0}, which is that number before it is unpacked", packed.round()),
    );
    let fix = "CF and xarray 2026.9 compare it with what is stored, before they unpack: no element is equal to it, and what was meant to be missing is read as data.";
    is_due.then(|| attributes.mismatch(Code::CfFillValue, "_FillValue", texts, fix))?
}

/// A mark in the numbers that a codec packs, which is none of those that it gives.
fn packed_fill(array: &ArrayMetadata, attributes: &Attributes, json: &Json) -> Option<Problem> {
    let text = json.as_number()?;
    let mark: f64 = text.parse().ok()?;
    let specs = array.codecs.as_deref().ok()?;
    let (name, low, high, meant) = specs.iter().find_map(|spec| {
        let row = array.registry.codecs.read_as(&spec.name, array.format)?;
        let is_one = ["scale", "offset", "astype"].iter().all(|it| row.members.contains(it));
        let configuration = spec.configuration.as_ref().filter(|_| is_one)?;
        let member = |key: &str| number(configuration.get(key)?);
        let (scale, offset) = (member("scale")?, member("offset").unwrap_or(0.0));
        let packed = configuration.get_str("astype")?;
        let (kind, size) = packed.trim_start_matches(['<', '>', '|', '=']).split_at_checked(1)?;
        let bits = size.parse::<i32>().ok().filter(|size| [1, 2, 4].contains(size))? * 8;
        let (least, most) = match kind {
            "u" => (0.0, 2_f64.powi(bits) - 1.0),
            "i" => (-(2_f64.powi(bits - 1)), 2_f64.powi(bits - 1) - 1.0),
            _ => return None,
        };
        let given = |packed: f64| packed / scale + offset;
        let [low, high] = ends([given(least), given(most)])?;
        let is_packed = mark >= least && mark <= most;
        let is_given = (low..=high).contains(&mark);
        (is_packed && !is_given && scale.abs() > 0.0)
            .then(|| (spec.name.clone(), low, high, given(mark)))
    })?;
    let found = format!("{text}, where the codec {name} gives numbers from {}", from_to(low, high));
    let expected = format!("{}, which {text} is unpacked", short(meant));
    let sentence = format!("_FillValue is {found}; {text} is unpacked to {}", short(meant));
    let fix = format!(
        "No element can have this value: xarray 2026.9 reads missing ones as {}. _FillValue is compared with what the codec \
         gives.",
        short(meant)
    );
    let texts = (found, expected);
    let problem = attributes.mismatch(Code::CfFillValue, "_FillValue", texts, fix)?;
    Some(saying(problem, sentence))
}
