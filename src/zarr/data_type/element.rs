//! The bytes of an element, apart from what they mean: in which order they lie, and what every data type needs to take
//! them apart and to put them together.

use super::prelude::*;

/// The end of a multi-byte component that comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endian {
    /// The least significant byte first: `<` in V2, `little` in V3.
    Little,
    /// The most significant byte first: `>` in V2, `big` in V3.
    Big,
}

impl Endian {
    /// `little` or `big`, as V3 writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Big => "big",
        }
    }

    /// `LE` or `BE`.
    pub fn badge(self) -> &'static str {
        match self {
            Self::Little => "LE",
            Self::Big => "BE",
        }
    }

    /// `<` or `>`, as V2 writes it.
    pub fn sign(self) -> char {
        match self {
            Self::Little => '<',
            Self::Big => '>',
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Little => Self::Big,
            Self::Big => Self::Little,
        }
    }
}

/// The order of the bytes of an element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// No component is longer than one byte: there is nothing to order.
    NotApplicable,
    /// Every multi-byte component the same way.
    All(Endian),
    /// Each field of a struct its own way, in field order: what V2 can say and V3 cannot.
    PerField(Arc<[Self]>),
}

impl ByteOrder {
    /// The order of a component that is not a struct; little by default.
    pub fn endian(&self) -> Endian {
        match self {
            Self::All(endian) => *endian,
            Self::NotApplicable | Self::PerField(_) => Endian::Little,
        }
    }

    /// The order of field `index` of a struct.
    pub fn field(&self, index: usize) -> Self {
        match self {
            Self::PerField(fields) => fields.get(index).cloned().unwrap_or(Self::NotApplicable),
            all => all.clone(),
        }
    }

    /// The one order that all multi-byte components share; `None` where they differ or where there are none.
    pub fn uniform(&self) -> Option<Endian> {
        match self {
            Self::NotApplicable => None,
            Self::All(endian) => Some(*endian),
            Self::PerField(fields) => {
                let mut known = fields.iter().filter(|field| field.applies()).map(Self::uniform);
                let first = known.next()??;
                known.all(|other| other == Some(first)).then_some(first)
            }
        }
    }

    /// Every component the other way round.
    pub fn swapped(&self) -> Self {
        match self {
            Self::NotApplicable => Self::NotApplicable,
            Self::All(endian) => Self::All(endian.other()),
            Self::PerField(fields) => Self::PerField(fields.iter().map(Self::swapped).collect()),
        }
    }

    /// True if any component has an order at all.
    pub fn applies(&self) -> bool {
        match self {
            Self::NotApplicable => false,
            Self::All(_) => true,
            Self::PerField(fields) => fields.iter().any(Self::applies),
        }
    }

    /// `LE`, `BE`, or `mixed` where fields differ; `None` where there is nothing to order.
    pub fn badge(&self, mixed: &'static str) -> Option<&'static str> {
        self.uniform().map(Endian::badge).or_else(|| self.applies().then_some(mixed))
    }

    /// `little`, `big`, `per field` or `not applicable`.
    pub fn word(&self) -> &'static str {
        match self.uniform() {
            Some(endian) => endian.word(),
            None if self.applies() => "per field",
            None => "not applicable",
        }
    }
}

/// Brings elements of `data_type` from one byte order into another, as [`DataType::reorder`] does unless a data type
/// knows better.
pub(super) fn reorder<T: DataType + ?Sized>(
    data_type: &T,
    bytes: &mut [u8],
    from: &ByteOrder,
    to: &ByteOrder,
) -> Result<()> {
    let size = data_type.fixed_size().unwrap_or(1);
    if !bytes.len().is_multiple_of(size) {
        let expected = format!("a whole number of elements of {size} bytes");
        return Err(Error::new(Code::OtherDataType, format!("{} bytes", bytes.len()), expected));
    }
    if from == to || !data_type.has_byte_order() {
        return Ok(());
    }
    match data_type.native().map(Native::component_size) {
        Some(_) if from.endian() == to.endian() => {}
        Some(2) => bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|item| item.reverse()),
        Some(4) => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|item| item.reverse()),
        Some(8) => bytes.as_chunks_mut::<8>().0.iter_mut().for_each(|item| item.reverse()),
        _ => {
            for item in bytes.chunks_exact_mut(size) {
                let turned = data_type.encode(&data_type.decode(item, from)?, to)?;
                item.copy_from_slice(&turned);
            }
        }
    }
    Ok(())
}

/// Checks that an element has exactly `size` bytes.
///
/// # Errors
///
/// If it has not.
pub fn expect_size(bytes: &[u8], size: usize) -> Result<()> {
    if bytes.len() == size {
        return Ok(());
    }
    Err(Error::new(Code::OtherDataType, format!("{} bytes", bytes.len()), format!("{size} bytes")))
}

/// The error for a scalar of another data type than `name`.
pub fn foreign(name: &str, scalar: &Scalar) -> Error {
    let found: String = scalar.to_string().chars().take(60).collect();
    Error::new(Code::OtherDataType, format!("the scalar {found}"), format!("a scalar of {name}"))
}

/// Up to 8 bytes as a number.
pub fn number(bytes: &[u8], endian: Endian) -> u64 {
    let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    match endian {
        Endian::Little => bytes.iter().rev().fold(0, add),
        Endian::Big => bytes.iter().fold(0, add),
    }
}

/// The low `size` bytes of a number, at most 8.
pub fn bytes(value: u64, size: usize, endian: Endian) -> Vec<u8> {
    let mut out: Vec<u8> = value.to_le_bytes().into_iter().take(size).collect();
    if endian == Endian::Big {
        out.reverse();
    }
    out
}

/// Bits in groups, the most significant first: `0│11111001│111…`.
pub fn bits(value: u64, groups: &[u32]) -> String {
    let mut left: u32 = groups.iter().sum();
    let mut out = Vec::new();
    for &width in groups.iter().filter(|&&width| width > 0) {
        left -= width;
        let group = value >> left & (u64::MAX >> (64 - width));
        out.push(format!("{group:0width$b}", width = width as usize));
    }
    out.join("│")
}
