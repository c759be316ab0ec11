//! A data type from outside the crate: temperatures in hundredths of a degree, stored as 16-bit integers.
//!
//! `cargo run --example own_data_type [STORE]`

use std::{path::Path, sync::Arc};
use zarrscope::zarr::{
    ByteOrder, Code, DataType, Endian, Error, Flagged, Format, Hierarchy, Json, NodePath, Note,
    Registry, Result, Scalar,
    data_type::{AnatomyRow, Family, ItemSize, Plain, Resolved, Scope, V2Form},
};

/// The data type of the values. Its elements are [`Scalar::Custom`]: two bytes, and how they read.
#[derive(Debug)]
pub struct Celsius;

impl Celsius {
    fn scalar(hundredths: i16) -> Scalar {
        let text = format!("{:.2} °C", f64::from(hundredths) / 100.0);
        Scalar::Custom { bytes: hundredths.to_le_bytes().into(), text: text.into() }
    }

    fn hundredths(scalar: &Scalar) -> Option<i16> {
        match scalar {
            Scalar::Custom { bytes, .. } => Some(i16::from_le_bytes(bytes.first_chunk().copied()?)),
            _ => None,
        }
    }

    fn from_degrees(degrees: f64) -> Result<Scalar> {
        let hundredths = (degrees * 100.0).round();
        if (f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&hundredths) {
            #[expect(clippy::cast_possible_truncation, reason = "in range")]
            return Ok(Self::scalar(hundredths as i16));
        }
        Err(Error::new(Code::FillValueRange, degrees.to_string(), "degrees from -327.68 to 327.67"))
    }
}

impl DataType for Celsius {
    fn name(&self) -> String {
        "example.celsius".into()
    }

    fn kind(&self) -> &'static str {
        "Celsius"
    }

    fn item_size(&self) -> ItemSize {
        ItemSize::Fixed(2)
    }

    fn description(&self) -> String {
        "2 bytes, hundredths of a degree Celsius".into()
    }

    fn has_byte_order(&self) -> bool {
        true
    }

    fn to_v2(&self, order: &ByteOrder) -> Result<V2Form, Note> {
        Ok(V2Form::plain(format!("{}celsius", order.endian().sign())))
    }

    fn to_v3(&self) -> Result<Json, Note> {
        Ok(self.name().into())
    }

    fn default_scalar(&self) -> Scalar {
        Self::scalar(0)
    }

    fn fill_from_json(&self, json: &Json, _: Format, _: &ByteOrder) -> Result<Flagged<Scalar>> {
        let degrees = json.as_number().and_then(|text| text.parse().ok());
        let fault = || Error::new(Code::FillValueType, json.describe(), "a number of degrees");
        Self::from_degrees(degrees.ok_or_else(fault)?).map(Flagged::plain)
    }

    fn fill_to_json(&self, scalar: &Scalar, _: Format, _: &ByteOrder) -> Result<Json, Note> {
        let hundredths = Self::hundredths(scalar);
        let hundredths =
            hundredths.ok_or_else(|| Note::new(Code::OtherDataType, "No temperature."))?;
        Ok((f64::from(hundredths) / 100.0).into())
    }

    fn cast(&self, plain: &Plain) -> Result<Scalar> {
        match plain {
            Plain::Float(degrees) => Self::from_degrees(*degrees),
            other => Err(other.refused("a number of degrees")),
        }
    }

    fn decode(&self, bytes: &[u8], order: &ByteOrder) -> Result<Scalar> {
        let size = || Error::new(Code::OtherDataType, format!("{} bytes", bytes.len()), "2 bytes");
        let bytes: [u8; 2] = bytes.try_into().map_err(|_wrong_length| size())?;
        Ok(Self::scalar(match order.endian() {
            Endian::Little => i16::from_le_bytes(bytes),
            Endian::Big => i16::from_be_bytes(bytes),
        }))
    }

    fn encode(&self, scalar: &Scalar, order: &ByteOrder) -> Result<Vec<u8>> {
        let foreign = || Error::new(Code::OtherDataType, scalar.to_string(), "a temperature");
        let hundredths = Self::hundredths(scalar).ok_or_else(foreign)?;
        Ok(match order.endian() {
            Endian::Little => hundredths.to_le_bytes().into(),
            Endian::Big => hundredths.to_be_bytes().into(),
        })
    }

    fn numpy(&self, _: &ByteOrder) -> Option<Json> {
        None
    }

    fn anatomy(&self, scalar: &Scalar, _: &ByteOrder) -> Vec<AnatomyRow> {
        let hundredths = Self::hundredths(scalar).map(|hundredths| hundredths.to_string());
        hundredths.map(|shown| AnatomyRow::new("hundredths", shown)).into_iter().collect()
    }
}

/// The family that recognises its JSON. A family answers `None` for everything that is not its own.
#[derive(Debug)]
pub struct CelsiusFamily;

impl Family for CelsiusFamily {
    fn name(&self) -> &'static str {
        "Celsius"
    }

    fn from_v2(&self, dtype: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        let endian = match dtype.as_str()? {
            "<celsius" => Endian::Little,
            ">celsius" => Endian::Big,
            _ => return None,
        };
        Some(Ok(Resolved { order: ByteOrder::All(endian), ..Resolved::of(Celsius) }))
    }

    fn from_v3(&self, data_type: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        (data_type.as_str()? == "example.celsius").then(|| Ok(Resolved::of(Celsius)))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        vec![Arc::new(Celsius)]
    }
}

/// Every data type there is, and this one.
#[must_use]
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.data_types.register(Arc::new(CelsiusFamily));
    registry
}

fn main() -> Result<()> {
    let registry = Arc::new(registry());
    let resolved = registry.data_types.from_v2(&Json::from(">celsius"), None)?;
    let scalar = resolved.data_type.decode(&[0x08, 0x66], &resolved.order)?;
    println!("08 66 is {scalar}");
    assert_eq!(scalar.to_string(), "21.50 °C");
    if let Some(path) = std::env::args().nth(1) {
        let (hierarchy, _) = Hierarchy::open_with(Path::new(&path), registry)?;
        let root = NodePath::default();
        hierarchy.walk(&root, &mut |node, _| {
            println!("{}", node.path.0);
            true
        });
    }
    Ok(())
}
