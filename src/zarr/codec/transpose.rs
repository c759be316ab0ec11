//! `transpose`: the dimensions in another order. Nothing moves: only the strides change.

use super::prelude::*;

/// The codec: dimension `i` of the encoded array is dimension `order[i]` of the decoded one.
#[derive(Debug)]
struct Transpose {
    order: Vec<usize>,
    /// The way back: dimension `j` of the decoded array is dimension `inverse[j]` of the encoded one.
    inverse: Vec<usize>,
}

pub(super) static ROW: CodecRow = CodecRow {
    v3: &[NAME],
    registered: true,
    members: &["order"],
    shown: &["order"],
    lesson: "Permutes the dimensions before the elements are written.",
    is_raw: true,
    to_v2,
    ..CodecRow::new(CodecKind::ArrayToArray, build)
};

fn build(setup: &Setup) -> Built {
    let json = setup.needed("order")?;
    let dimensions = setup.array.map(|array| array.shape.len());
    if let Some(word) = json.as_str() {
        let dimensions = setup.array()?.shape.len();
        let order: Vec<_> = match word {
            "C" => (0..dimensions).collect(),
            "F" => (0..dimensions).rev().collect(),
            _ => return Err(setup.refuse("order", json, "a permutation of the dimensions")),
        };
        let text = "The orders \"C\" and \"F\" were withdrawn before Zarr V3 was accepted; use a permutation.";
        return Ok(Flagged::noted(transpose(order), Note::new(Code::TransposeWord, text)));
    }
    let order = permutation(json).ok_or_else(|| {
        setup.refuse("order", json, "a permutation of the dimensions, such as [1, 0]")
    })?;
    if let Some(dimensions) = dimensions.filter(|&dimensions| dimensions != order.len()) {
        let found = format!("a permutation of {}", counted(order.len(), "dimension"));
        return Err(setup.fault("order", found, format!("one of {dimensions}")));
    }
    Ok(Flagged::plain(transpose(order)))
}

const NAME: &str = "transpose";

/// The codec that V3 has for `order: "F"`, which is of `dimensions` dimensions.
pub(super) fn column_major(dimensions: usize) -> CodecSpec {
    in_v3(NAME, [("order", (0..dimensions).rev().collect())])
}

/// V2 has `order`; whether that says it depends on the other codecs.
fn to_v2(spec: &CodecSpec, _dimensions: usize) -> InV2 {
    InV2::Order(spec.member("order").and_then(permutation))
}

fn transpose(order: Vec<usize>) -> Arc<dyn Codec> {
    let mut inverse = vec![0; order.len()];
    for (i, &axis) in order.iter().enumerate() {
        if let Some(place) = inverse.get_mut(axis) {
            *place = i;
        }
    }
    Arc::new(Transpose { order, inverse })
}

/// The items of `json` where they are 0 … n−1, each once.
fn permutation(json: &Json) -> Option<Vec<usize>> {
    let axis = |item: &Json| usize::try_from(item.as_u64()?).ok();
    let order: Vec<usize> = json.as_array()?.iter().map(axis).collect::<Option<_>>()?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    sorted.iter().copied().eq(0..order.len()).then_some(order)
}

impl Codec for Transpose {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToArray
    }

    fn encoded(&self, array: &Representation) -> Result<Representation> {
        let pick = |&axis: &usize| array.shape.get(axis).copied();
        let shape = self.order.iter().map(pick).collect::<Option<_>>().ok_or_else(|| {
            let found = format!("an array of {} dimensions", array.shape.len());
            Error::new(Code::CodecConfiguration, found, format!("{} dimensions", self.order.len()))
        })?;
        Ok(Representation { shape, ..array.clone() })
    }

    fn decoded_region(&self, encoded: &Region) -> Option<Region> {
        self.inverse.iter().map(|&axis| encoded.get(axis).cloned()).collect()
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        Ok(Outcome::output(Data::Elements(context.elements()?.transposed(&self.inverse))))
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        Ok(Data::Elements(context.elements()?.transposed(&self.order)))
    }

    fn follow(&self, offset: u64, towards: Towards, passage: &Passage) -> ByteTarget {
        passage.byte(offset, towards)
    }
}
