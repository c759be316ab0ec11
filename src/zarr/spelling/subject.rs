//! The subject of the rows: a data type and perhaps a fill value, with or without an array around them.

use super::missing::MovedMark;
use crate::zarr::prelude::*;
use crate::zarr::{codec::CodecRow, metadata::OrderSource};

/// A data type with its byte order and fill value, as some format wrote them.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The format that the JSON is of.
    pub stored: Format,
    /// The data type as stored; `None` where the document has none.
    pub json: Option<Json>,
    /// The resolved data type, or the reason why there is none.
    pub resolved: Result<Resolved, Error>,
    /// The part of the metadata that declares the order of the bytes.
    pub order_source: OrderSource,
    /// The object codec of a V2 `|O`.
    pub object_codec: Option<String>,
    /// The fill value; `None` where nothing was asked about one.
    pub fill: Option<FillValue>,
    /// The fill value in the other format, where that depends on what marks missing values.
    pub moved: Option<MovedMark>,
    /// The names of the array's codecs in the order of encoding, those of inner chunks after their shard, and what is
    /// known of each.
    pub codecs: Vec<(String, Option<&'static CodecRow>)>,
}

impl Subject {
    /// The data type and fill value of an array.
    pub fn of_array(array: &ArrayMetadata) -> Self {
        Self {
            stored: array.format,
            json: array.data_type_json().cloned(),
            resolved: array.data_type.clone(),
            order_source: array.order_source,
            object_codec: array.object_codec.clone(),
            fill: Some(array.fill_value.clone()),
            moved: MovedMark::of(array),
            codecs: codecs(array),
        }
    }

    /// A data type that somebody typed, as `stored` would write it, with a fill value if there is one.
    pub fn of_type(
        stored: Format,
        json: Json,
        resolved: Resolved,
        fill: Option<FillValue>,
    ) -> Self {
        let order_source = match (stored, resolved.data_type.has_byte_order()) {
            (_, false) => OrderSource::NotApplicable,
            (Format::V2, true) => OrderSource::DataType,
            (Format::V3, true) => OrderSource::Codec,
        };
        Self {
            stored,
            json: Some(json),
            object_codec: None,
            resolved: Ok(resolved),
            order_source,
            fill,
            moved: None,
            codecs: Vec::new(),
        }
    }

    /// The data type, where it is known.
    pub fn data_type(&self) -> Option<&Arc<dyn DataType>> {
        self.resolved.as_ref().ok().map(|resolved| &resolved.data_type)
    }

    /// The byte order, as far as it is known.
    pub fn order(&self) -> ByteOrder {
        self.resolved.as_ref().map_or(ByteOrder::NotApplicable, |resolved| resolved.order.clone())
    }

    /// The byte order of elements as a document of `format` declares it; `None` where it cannot be known.
    pub fn order_in(&self, format: Format) -> Option<ByteOrder> {
        let resolved = self.resolved.as_ref().ok().filter(|resolved| !resolved.is_order_unknown());
        resolved.map(|resolved| resolved.order_in(format, self.stored))
    }

    /// The fill value, or what stands in for a V2 `null`.
    pub fn scalar(&self) -> Option<Scalar> {
        match self.fill.as_ref()? {
            FillValue::Value { scalar, .. } => Some(scalar.clone()),
            FillValue::Null => Some(self.data_type()?.default_scalar()),
            FillValue::Missing | FillValue::Unreadable { .. } => None,
        }
    }
}

/// The codecs of a chain, each name once, with those inside shards.
fn codecs(array: &ArrayMetadata) -> Vec<(String, Option<&'static CodecRow>)> {
    let mut found: Vec<(String, _)> = Vec::new();
    let mut todo: Vec<CodecSpec> = array.codecs.iter().flatten().rev().cloned().collect();
    while let Some(spec) = todo.pop().filter(|_| found.len() < 32) {
        let row = array.registry.codecs.read_as(&spec.name, array.format);
        if let Some(inner) = row.and_then(|row| row.inner) {
            todo.extend(inner(&spec).codecs.into_iter().rev());
        }
        if !found.iter().any(|(name, _)| *name == spec.name) {
            found.push((spec.name, row));
        }
    }
    found
}
