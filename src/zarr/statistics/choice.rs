//! The numbers of an element: itself, the fields of a struct, the parts of a complex number.

use super::ComplexPart;
use crate::zarr::prelude::*;

/// The number of choices at most.
const MOST: usize = 256;

/// One thing that every element has, and that a column can be made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The field: indices, one a level; empty for the whole element.
    pub path: Vec<usize>,
    /// The part of a complex number.
    pub part: ComplexPart,
    /// As a command names it: `pos.x`, `z.phase`, `phase`; empty for an element that is one thing.
    pub name: String,
    /// Its data type.
    pub data_type: String,
    /// The values of it that are numbers.
    pub numbers: WhichNumbers,
    /// The name of the field alone, with those around it; empty for the whole element.
    pub field: String,
    /// True if it is a part of a complex number.
    pub is_complex: bool,
    /// True if it is the first item of a subarray.
    pub is_item: bool,
}

/// The values that are numbers, times among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichNumbers {
    /// None is.
    None,
    /// Every one.
    All,
    /// Every one that is not NaN, or a time that is none.
    ButNan,
}

impl Choice {
    /// True if it is a number.
    pub fn is_numeric(&self) -> bool {
        self.numbers != WhichNumbers::None
    }

    /// It, of this element: the field; of a subarray the first item. A complex number is the whole of it.
    pub fn of<'a>(&self, element: &'a Scalar) -> Option<&'a Scalar> {
        let mut value = element;
        for &at in &self.path {
            let Scalar::Struct(fields) = value else { return None };
            value = &fields.get(at)?.1;
            while let Scalar::List(items) = value {
                value = items.first()?;
            }
        }
        Some(value)
    }

    /// The words for a title: `phase of field z`; empty for an element that is one thing.
    pub fn words(&self) -> String {
        let item = if self.is_item { "the first item of field " } else { "field " };
        match (self.is_complex, self.field.is_empty()) {
            (false, true) => String::new(),
            (false, false) => format!("{item}{}", self.field),
            (true, true) => part_words(self.part).to_owned(),
            (true, false) => format!("{} of {item}{}", part_words(self.part), self.field),
        }
    }
}

/// The words for a part of a complex number.
fn part_words(part: ComplexPart) -> &'static str {
    match part {
        ComplexPart::Modulus => "modulus",
        ComplexPart::Real => "real part",
        ComplexPart::Imaginary => "imaginary part",
        ComplexPart::Phase => "phase in radians",
    }
}

/// The choices for elements of `data_type`, in the order of the fields: at least one, at most some hundreds.
pub fn choices(data_type: &dyn DataType) -> Vec<Choice> {
    let mut out = Vec::new();
    gather(data_type, &mut Vec::new(), &mut Vec::new(), false, &mut out);
    out.truncate(MOST);
    out
}

fn gather(
    data_type: &dyn DataType,
    path: &mut Vec<usize>,
    names: &mut Vec<String>,
    is_item: bool,
    out: &mut Vec<Choice>,
) {
    if out.len() >= MOST {
        return;
    }
    let fields = data_type.fields();
    for (at, field) in fields.iter().enumerate() {
        path.push(at);
        names.push(field.name.clone());
        gather(field.data_type.as_ref(), path, names, is_item || !field.shape.is_empty(), out);
        path.pop();
        names.pop();
    }
    if fields.is_empty() {
        leaf(data_type, path, &names.join("."), is_item, out);
    }
}

fn leaf(
    data_type: &dyn DataType,
    path: &[usize],
    field: &str,
    is_item: bool,
    out: &mut Vec<Choice>,
) {
    let scalar = data_type.default_scalar();
    let is_complex = matches!(scalar, Scalar::Complex(..));
    let numbers = match scalar {
        Scalar::Complex(..) | Scalar::Float(_) | Scalar::Time(_) => WhichNumbers::ButNan,
        Scalar::Bool(_) | Scalar::Int(_) | Scalar::Uint(_) => WhichNumbers::All,
        _ => WhichNumbers::None,
    };
    let parts = if is_complex { &ComplexPart::ALL[..] } else { &ComplexPart::ALL[..1] };
    out.extend(parts.iter().map(|&part| {
        let name = match (is_complex, field) {
            (false, field) => field.to_owned(),
            (true, "") => part.word().to_owned(),
            (true, field) => format!("{field}.{}", part.word()),
        };
        Choice {
            path: path.to_vec(),
            part,
            name,
            data_type: data_type.name(),
            numbers,
            field: field.to_owned(),
            is_complex,
            is_item,
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{DataTypes, Json};

    fn of(dtype: &str) -> Vec<(String, String, bool)> {
        let json = Json::parse_str(dtype).unwrap();
        let resolved = DataTypes::default().from_v2(&json, None).unwrap();
        let all = choices(resolved.data_type.as_ref());
        all.into_iter().map(|it| (it.words(), it.name.clone(), it.is_numeric())).collect()
    }

    #[test]
    fn every_field_and_every_part_of_a_complex_number_can_be_chosen() {
        let plain = |words: &str, name: &str, numeric| (words.to_owned(), name.to_owned(), numeric);
        assert_eq!(of("\"<i2\""), [plain("", "", true)]);
        assert_eq!(of("\"|S3\""), [plain("", "", false)]);
        assert_eq!(
            of("\"<c8\""),
            [
                plain("modulus", "modulus", true),
                plain("real part", "real", true),
                plain("imaginary part", "imaginary", true),
                plain("phase in radians", "phase", true),
            ]
        );
        let nested = r#"[["id", "|S2"], ["pos", [["x", "<f4"], ["y", "<f8", [2]]]], ["z", "<c8"]]"#;
        let names: Vec<String> = of(nested).into_iter().map(|(words, ..)| words).collect();
        assert_eq!(
            names,
            [
                "field id",
                "field pos.x",
                "the first item of field pos.y",
                "modulus of field z",
                "real part of field z",
                "imaginary part of field z",
                "phase in radians of field z",
            ]
        );
    }
}
