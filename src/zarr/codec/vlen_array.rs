//! `vlen-array` of numcodecs: a count, then each element, an array of its own, behind its length in bytes.

use super::{
    Codec, CodecKind, Context, Data, Elements, HeaderField, Outcome, Places, Representation, Size,
    config::Setup,
    object::{Form, Object},
    vlen,
};
use crate::zarr::{
    data_type::{ByteOrder, DataType, Resolved},
    error::{Error, Flagged, Result},
};
use std::sync::Arc;

#[derive(Debug)]
struct VlenArray {
    item: Resolved,
}

pub(super) fn build(setup: &Setup<'_>) -> Result<Flagged<Arc<dyn Codec>>> {
    let item = setup.required("dtype", setup.dtype("dtype")?)?;
    if item.data_type.item_size().fixed().is_none() {
        return Err(setup.fault("dtype", item.data_type.name(), "a data type of fixed size"));
    }
    Ok(Flagged::plain(Arc::new(VlenArray { item })))
}

impl Codec for VlenArray {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToBytes
    }

    fn encoded_size(&self, _: Size) -> Size {
        Size::default()
    }

    fn decode(
        &self,
        input: &Data,
        decoded: Option<&Representation>,
        context: &Context<'_>,
    ) -> Outcome {
        let bytes = match super::whole(input) {
            Ok(bytes) => bytes,
            Err(error) => return Outcome::failed(error),
        };
        let mut ranges = Vec::new();
        let result = vlen::items(bytes, &mut ranges, context);
        let notes = result.iter().filter_map(|&end| super::trailing(bytes, end)).collect();
        let count = ranges.len() as u64;
        let mut field = HeaderField::new(0..4, "elements", format!("{count}"));
        let wanted = decoded.and_then(Representation::len).filter(|&wanted| wanted != count);
        let error = result.err().or_else(|| {
            let expected = format!("{}, as the chunk's shape demands", wanted?);
            field.problem = Some(expected.clone());
            let found = format!("{count} elements");
            Some(Error::new("chunk-wrong-count", found, expected).at_offset(0))
        });
        let data_type: Arc<dyn DataType> =
            Arc::new(Object { form: Form::Array(self.item.clone()) });
        let shape = decoded.map_or_else(|| vec![count], |array| array.shape.clone());
        let elements = Elements::new(
            data_type,
            ByteOrder::NotApplicable,
            shape,
            decoded.is_some_and(|array| array.fortran),
            Places::Ranges(ranges.into()),
            input.bytes().clone(),
        );
        let header = if bytes.len() < 4 { Vec::new() } else { vec![field] };
        Outcome { header, notes, error, ..Outcome::output(Data::Elements(elements)) }
    }
}
