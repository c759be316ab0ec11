//! `reshape` and `zarrs.squeeze`: the same elements in the same C order, in another shape.

use super::prelude::*;

/// The source of the length of a dimension of the encoded array.
enum Length {
    /// So many elements.
    Size(u64),
    /// These dimensions of the decoded array taken together, as `start..end`; `start == end` for none.
    Dimensions(Vec<usize>),
    /// Whatever is left.
    Rest,
}

#[derive(Debug)]
struct Reshape {
    shape: Vec<u64>,
}

pub(super) static ROW: CodecRow = CodecRow {
    v3: &["reshape"],
    registered: true,
    members: &["shape"],
    lesson: "Gives the same elements, in the same order, another shape.",
    ..CodecRow::new(CodecKind::ArrayToArray, build)
};

/// The codec `squeeze` of zarrs 0.23; it is not registered.
pub(super) static SQUEEZE: CodecRow = CodecRow {
    v3: &["zarrs.squeeze"],
    lesson: "Removes the dimensions of length 1. No element moves.",
    ..CodecRow::new(CodecKind::ArrayToArray, squeeze)
};

fn squeeze(setup: &Setup) -> Built {
    let shape = setup.array()?.shape.iter().copied().filter(|&length| length > 1).collect();
    built(Reshape { shape })
}

fn build(setup: &Setup) -> Built {
    let json = setup.needed("shape")?;
    let items = json.as_array().ok_or_else(|| setup.refuse("shape", json, "an array"))?;
    let expected = "sizes, arrays of dimensions, and at most one -1";
    let lengths = items
        .iter()
        .map(|item| length(item).ok_or_else(|| setup.refuse("shape", item, expected)))
        .collect::<Result<Vec<_>>>()?;
    let shape = resolve(&lengths, &setup.array()?.shape)
        .map_err(|(found, expected)| setup.fault("shape", found, expected))?;
    built(Reshape { shape })
}

fn length(json: &Json) -> Option<Length> {
    if let Some(items) = json.as_array() {
        return items
            .iter()
            .map(|item| usize::try_from(item.as_u64()?).ok())
            .collect::<Option<_>>()
            .map(Length::Dimensions);
    }
    match json.as_number()? {
        "-1" => Some(Length::Rest),
        _ => json.as_u64().filter(|&size| size > 0).map(Length::Size),
    }
}

/// The text found, and the text expected.
type Mismatch = (String, String);

/// The shape that `lengths` make of `shape`.
fn resolve(lengths: &[Length], shape: &[u64]) -> Result<Vec<u64>, Mismatch> {
    check_dimensions(lengths, shape.len())?;
    let product = |lengths: &[u64]| lengths.iter().try_fold(1_u64, |all, &n| all.checked_mul(n));
    let past = || ("a product of more than 2⁶⁴".to_owned(), "a smaller shape".to_owned());
    let total = product(shape).ok_or_else(past)?;
    let known = lengths.iter().map(|length| match length {
        Length::Size(size) => Some(Some(*size)),
        Length::Dimensions(dimensions) => {
            let lengths: Vec<u64> =
                dimensions.iter().filter_map(|&axis| shape.get(axis).copied()).collect();
            product(&lengths).map(Some)
        }
        Length::Rest => Some(None),
    });
    let known: Vec<Option<u64>> = known.collect::<Option<_>>().ok_or_else(past)?;
    if known.iter().filter(|length| length.is_none()).count() > 1 {
        return Err(("-1 more than once".into(), "at most one -1".into()));
    }
    let others: Vec<u64> = known.iter().copied().flatten().collect();
    let others = product(&others).ok_or_else(past)?;
    let rest = total.checked_div(others).unwrap_or(0);
    let out: Vec<u64> = known.iter().map(|length| length.unwrap_or(rest)).collect();
    if product(&out) != Some(total) {
        let found = format!("{} elements in the shape {out:?}", product(&out).unwrap_or(0));
        return Err((found, format!("the {total} elements of {shape:?}")));
    }
    check_places(lengths, &out, shape)?;
    Ok(out)
}

/// Dimensions must rise throughout: nothing is transposed here.
fn check_dimensions(lengths: &[Length], rank: usize) -> Result<(), Mismatch> {
    let mut least = 0;
    for length in lengths {
        let Length::Dimensions(dimensions) = length else { continue };
        for &axis in dimensions {
            if axis < least || axis >= rank {
                let expected = format!("increasing dimensions below {rank}");
                return Err((format!("the dimension {axis}"), expected));
            }
            least = axis + 1;
        }
    }
    Ok(())
}

/// As many elements must be before and after a dimension as before and after those it is made of.
fn check_places(lengths: &[Length], out: &[u64], shape: &[u64]) -> Result<(), Mismatch> {
    let product = |lengths: Option<&[u64]>| order::total(lengths.unwrap_or_default());
    for (index, length) in lengths.iter().enumerate() {
        let Length::Dimensions(dimensions) = length else { continue };
        let (Some(&first), Some(&last)) = (dimensions.first(), dimensions.last()) else { continue };
        let before = product(out.get(..index)) == product(shape.get(..first));
        let behind = product(out.get(index + 1..)) == product(shape.get(last + 1..));
        if !before || !behind {
            let found = format!("{dimensions:?} as dimension {index} of {out:?}");
            return Err((
                found,
                format!("dimensions with as many elements before and after them as in {shape:?}"),
            ));
        }
    }
    Ok(())
}

impl Codec for Reshape {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToArray
    }

    fn encoded(&self, array: &Representation) -> Result<Representation> {
        Ok(Representation { shape: self.shape.clone(), ..array.clone() })
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let (elements, array) = (context.elements()?, context.array()?);
        Ok(Outcome::output(Data::Elements(elements.in_c_order()?.reshaped(array.shape.clone()))))
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        let elements = context.elements()?.in_c_order()?;
        Ok(Data::Elements(elements.reshaped(self.shape.clone())))
    }

    fn decoded_region(&self, _: &Region) -> Option<Region> {
        None
    }

    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        let Some((start, place)) = passage.element(offset, towards) else {
            return passage.block(offset, towards);
        };
        passage.byte(place.start + (offset - start), towards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str, of: &[u64]) -> Result<Vec<u64>, Mismatch> {
        let json = Json::parse_str(text).unwrap();
        let lengths: Vec<_> = json.as_array().unwrap().iter().map(|j| length(j).unwrap()).collect();
        resolve(&lengths, of)
    }

    #[test]
    fn shapes_are_resolved_and_checked() {
        assert_eq!(shape("[[0,1],[2],3]", &[100, 50, 64, 3]), Ok(vec![5000, 64, 3]));
        assert_eq!(shape("[-1]", &[2, 3]), Ok(vec![6]));
        assert_eq!(shape("[[0],2,-1]", &[4, 6]), Ok(vec![4, 2, 3]));
        assert_eq!(shape("[[], 6]", &[6]), Ok(vec![1, 6]));
        assert!(shape("[[1],[0]]", &[2, 3]).is_err());
        assert!(shape("[4]", &[2, 3]).is_err());
        assert!(shape("[[0],6]", &[2, 3, 2]).is_ok() && shape("[6,[2]]", &[2, 3, 2]).is_ok());
        assert!(shape("[2,[0],3]", &[2, 3]).is_err());
        assert!(shape("[-1,-1]", &[6]).is_err());
    }
}
