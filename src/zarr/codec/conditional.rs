//! `conditional`: codecs that each chunk uses or leaves out. The chunk begins with a bit for each of them.

use super::prelude::*;

/// The codec.
#[derive(Debug)]
struct Conditional {
    /// The codecs that may be left out.
    inner: Chain,
    /// The number of bytes of bits a chunk begins with.
    header: usize,
}

pub(super) static ROW: CodecRow = CodecRow {
    v3: &["conditional"],
    registered: true,
    members: &["codecs", "header_bits"],
    shown: &[],
    lesson: "Contains codecs that each chunk applies or skips. The chunk begins with one bit per codec, lowest bit \
             first: 1 means applied.",
    ..CodecRow::new(CodecKind::BytesToBytes, build)
};

fn build(setup: &Setup) -> Built {
    let specs = setup.specs("codecs")?;
    let least = (specs.len() as u64).div_ceil(8) * 8;
    let bits = setup.number("header_bits")?.unwrap_or(least);
    let header = Some(bits).filter(|bits| bits % 8 == 0 && *bits >= least);
    let header = header.and_then(|bits| usize::try_from(bits / 8).ok()).ok_or_else(|| {
        let expected = format!("a multiple of 8, at least {least}");
        setup.fault("header_bits", bits.to_string(), expected)
    })?;
    let inner = Chain::of_bytes(&specs, setup);
    inner.error().cloned().map_or(Ok(()), Err)?;
    built(Conditional { inner, header })
}

impl Codec for Conditional {
    fn kind(&self) -> CodecKind {
        CodecKind::BytesToBytes
    }

    fn encoded_size(&self, decoded: ByteCount) -> ByteCount {
        decoded.compressed().plus(self.header as u64)
    }

    /// Every codec is used.
    fn encode(&self, context: &Context) -> Result<Data> {
        let data = self.inner.encode(context.input.clone(), &context.budget)?;
        let used = self.inner.links.len();
        let byte = |at: usize| {
            (0..8).filter(|bit| at * 8 + bit < used).fold(0, |byte, bit| byte | 1 << bit)
        };
        let mask: Vec<u8> = (0..self.header).map(byte).collect();
        Ok(Data::whole([&mask, data.bytes().here()].concat()))
    }

    fn decode(&self, context: &Context) -> Result<Outcome> {
        let bytes = context.whole()?;
        let rest = self.header as u64..bytes.len() as u64;
        let data = context.input.bytes().slice(rest.clone());
        let (mask, data) = bytes.get(..self.header).zip(data).ok_or_else(|| {
            let found = format!("{} bytes", bytes.len());
            let expected = format!("at least the {} bytes of the header", self.header);
            Error::new(Code::ChunkTruncated, found, expected).at_offset(0)
        })?;
        let field = self.field(mask);
        let problem = field.problem.clone();
        let is_used =
            |index: usize| mask.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1);
        let mut outcome = Outcome::output(Data::Bytes(data));
        for (index, link) in
            self.inner.links.iter().enumerate().rev().filter(|(index, _)| is_used(*index))
        {
            let Some(data) = outcome.output.take() else { break };
            let next = link.decode(&data, &context.budget);
            outcome.notes.extend(next.notes);
            outcome.output = next.output;
            if let Some(error) = next.error {
                outcome.error = Some(error.at(format!("codecs[{index}]")));
                break;
            }
        }
        if mask.iter().all(|&byte| byte == 0) {
            // Nothing was used: what follows the header are the bytes.
            outcome.blocks =
                vec![Block { output: 0..rest.end - rest.start, input: rest, exact: true }];
        }
        if let Some(expected) = problem {
            let error =
                || Error::new(Code::ChunkCorrupt, field.value.clone(), expected).at_offset(0);
            outcome.error.get_or_insert_with(error);
        }
        Ok(Outcome { header: vec![field], ..outcome })
    }
}

impl Conditional {
    /// The field that tells the bits.
    fn field(&self, mask: &[u8]) -> HeaderField {
        let bits = mask.iter().enumerate().flat_map(|(at, byte)| {
            (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| at * 8 + bit)
        });
        let mut used = Vec::new();
        let mut strange = None;
        for bit in bits {
            match self.inner.links.get(bit) {
                Some(link) => used.push(quoted(&link.spec.name)),
                None => strange = strange.or(Some(bit)),
            }
        }
        let value = if used.is_empty() { "none".into() } else { used.join(", ") };
        let field = HeaderField::new(0..self.header as u64, "codecs used", value);
        let Some(bit) = strange else { return field };
        let value =
            format!("bit {bit} is set, but the codec contains {} codecs", self.inner.links.len());
        HeaderField { value, problem: Some("bits without a codec must be 0".into()), ..field }
    }
}
