//! `scale_offset`: stores `(x − offset) × scale` in the array's own data type; decoding gives `x / scale + offset`.

use super::prelude::*;
use super::{
    cast_value::{convert::STRICT, real, recoded_fill, scalar, shown},
    numeric_filter,
};

#[derive(Debug)]
struct ScaleOffset {
    data_type: Resolved,
    numeric: Numeric,
    offset: Number,
    scale: Number,
}

pub(super) static ROW: CodecRow = CodecRow {
    nanoseconds: 9,
    v3: &["scale_offset"],
    registered: true,
    members: &["scale", "offset"],
    lesson: "Stores (value − offset) × scale; decoding applies the inverse.",
    ..CodecRow::new(CodecKind::ArrayToArray, build)
};

fn build(setup: &Setup) -> Built {
    let array = setup.array()?;
    let numeric = real(&array.data_type)?;
    let number = |key: &str, default| match setup.member(key) {
        None => Ok(default),
        Some(json) => {
            let fault = |error: Error| setup.fault(key, error.found, error.expected);
            scalar(json, &array.data_type).map(|(number, _)| number).map_err(fault)
        }
    };
    let neutral = |value: i32| match numeric.kind {
        NumberKind::Float(_) => Number::Float(value.into()),
        _ => Number::Int(value.into()),
    };
    let (offset, scale) = (number("offset", neutral(0))?, number("scale", neutral(1))?);
    if scale == Number::Int(0) {
        return Err(setup.fault("scale", "0", "a non-zero number"));
    }
    let data_type = Resolved::shared(Arc::clone(&array.data_type));
    built(ScaleOffset { data_type, numeric, offset, scale })
}

impl Codec for ScaleOffset {
    fn kind(&self) -> CodecKind {
        CodecKind::ArrayToArray
    }

    fn encoded(&self, array: &Representation) -> Result<Representation> {
        let fill = recoded_fill(array, &self.numeric, |number| self.encode_one(number));
        let order = self.data_type.order.clone();
        Ok(Representation { order, fill, ..array.clone() })
    }

    fn stored_numbers(&self) -> Option<&Resolved> {
        Some(&self.data_type)
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        self.run(context, "x / scale + offset", |number| self.decode_one(number))
    }

    fn encode(&self, context: &Context) -> Result<Data> {
        self.run(context, "(x − offset) × scale", |number| self.encode_one(number))?.whole()
    }
}

impl ScaleOffset {
    /// Does `work` with each number; `formula` says what it computes.
    fn run(
        &self,
        context: &Context,
        formula: &str,
        work: impl Fn(Number) -> Option<u64>,
    ) -> Result<Outcome> {
        let (scale, offset) = (shown(self.scale), shown(self.offset));
        let formula = formula.replace("scale", &scale).replace("offset", &offset);
        let undo = |number, _: &Numeric| {
            work(number).ok_or_else(|| {
                let name = self.data_type.data_type.name();
                (shown(number), format!("a value x for which {formula} is a value of {name}"))
            })
        };
        numeric_filter::elements(context, &self.data_type, |pass, input, out| {
            pass.each(input, out, undo)
        })
    }

    /// `number / scale + offset`, each step in the array's data type; `None` where that has not the result.
    fn decode_one(&self, number: Number) -> Option<u64> {
        let value = match (number, self.scale, self.offset) {
            (Number::Int(x), Number::Int(scale), Number::Int(offset)) => {
                Number::Int((x % scale == 0).then(|| x / scale + offset)?)
            }
            (x, scale, offset) => {
                let quotient = self.round(x.to_f64() / scale.to_f64())?;
                Number::Float(quotient + offset.to_f64())
            }
        };
        STRICT.convert(value, &self.numeric)
    }

    /// `(number − offset) × scale`.
    fn encode_one(&self, number: Number) -> Option<u64> {
        let value = match (number, self.scale, self.offset) {
            (Number::Int(x), Number::Int(scale), Number::Int(offset)) => {
                Number::Int((x - offset).checked_mul(scale)?)
            }
            (x, scale, offset) => {
                let difference = self.round(x.to_f64() - offset.to_f64())?;
                Number::Float(difference * scale.to_f64())
            }
        };
        STRICT.convert(value, &self.numeric)
    }

    /// A float rounded to the array's data type.
    fn round(&self, value: f64) -> Option<f64> {
        Some(self.numeric.number(STRICT.convert(Number::Float(value), &self.numeric)?).to_f64())
    }
}
