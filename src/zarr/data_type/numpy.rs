//! NumPy-style names: what one writes in Python to name a data type.
//!
//! `int64`, `<i8`, `f4`, `datetime64[10s]`, `S5`, `U3`, and fields as Python literals, `[('a', '>i2'), ('b', 'f4', (2, 2))]`
//! or `{'names': ['a', 'b'], 'formats': ['>i2', 'f4']}`. A name without a byte order means the machine's, for which we take little.

use super::prelude::*;
use super::{
    DataTypes,
    refusal::{self, Asked},
    typestr::canonical,
};

/// The byte order that a name begins with, little where it has none, and the rest of the name.
pub fn order_and_code(name: &str) -> (ByteOrder, &str) {
    let (endian, code) = match name.split_at_checked(1) {
        Some((">", code)) => (Endian::Big, code),
        Some(("<" | "=" | "|", code)) => (Endian::Little, code),
        _ => (Endian::Little, name),
    };
    (ByteOrder::All(endian), code)
}

/// The size after a letter, such as 5 in `S5` and `|S5`; `None` where the name is no such thing.
pub fn sized(name: &str, letter: char) -> Option<Result<usize>> {
    let (_, code) = order_and_code(name);
    let digits = code.strip_prefix(letter)?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<usize>().ok().filter(|size| (1..=MAX_ITEM_SIZE).contains(size));
    Some(size.ok_or_else(|| Error::new(Code::DtypeSize, name, "a size from 1 to 2147483647")))
}

/// One field of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiteralField {
    /// Its name.
    pub name: String,
    /// Its data type: a name, or again a literal.
    pub dtype: String,
    /// The shape of a subarray; empty for none.
    pub shape: Vec<u64>,
}

/// The fields of a Python literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The fields in order.
    pub fields: Vec<LiteralField>,
    /// The places of the fields, where the literal gives them.
    pub layout: Option<Box<LiteralLayout>>,
}

/// The places of the fields of a literal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiteralLayout {
    /// The place of each field in an element; empty where they are one after the other.
    pub offsets: Vec<u64>,
    /// The size of an element, where the literal gives it.
    pub itemsize: Option<u64>,
}

/// A Python list of tuples as fields, or a dictionary of their names and formats.
///
/// # Errors
///
/// If it is neither; the offset says from where on.
pub fn literal(text: &str) -> Result<Literal> {
    let mut reader = Reader { text, at: 0 };
    reader.space();
    let literal = if reader.rest().starts_with('{') {
        reader.dictionary()?
    } else {
        Literal { fields: reader.fields()?, layout: None }
    };
    reader.space();
    if reader.at < text.len() {
        return Err(reader.fault("the end"));
    }
    Ok(literal)
}

/// True if a name is such a literal.
pub fn is_literal(name: &str) -> bool {
    name.trim_start().starts_with(['[', '{'])
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn fault(&self, expected: &str) -> Error {
        let found = match self.rest().chars().next() {
            None => "the end of the list".to_owned(),
            Some(c) => format!("{c:?}"),
        };
        Error::new(Code::UnknownDataType, found, expected).at_offset(self.at as u64)
    }

    fn take(&mut self, sign: char) -> bool {
        self.word(sign.encode_utf8(&mut [0; 4]))
    }

    fn word(&mut self, word: &str) -> bool {
        self.space();
        let there = self.rest().starts_with(word);
        self.at += if there { word.len() } else { 0 };
        there
    }

    fn need(&mut self, sign: char) -> Result<()> {
        if self.take(sign) { Ok(()) } else { Err(self.fault(&format!("{sign:?}"))) }
    }

    fn fields(&mut self) -> Result<Vec<LiteralField>> {
        self.need('[')?;
        self.items(']', Self::field)
    }

    /// The items up to the closing `end`, with a comma after each item but perhaps the last.
    fn items<T>(&mut self, end: char, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(item(self)?);
            if !self.take(',') {
                self.need(end)?;
                break;
            }
        }
        Ok(items)
    }

    /// `{'names': […], 'formats': […]}`, perhaps with `offsets` and `itemsize`.
    fn dictionary(&mut self) -> Result<Literal> {
        let (mut names, mut formats) = (Vec::new(), Vec::new());
        let mut layout = LiteralLayout::default();
        self.need('{')?;
        while !self.take('}') {
            let from = self.at;
            let key = self.string()?;
            self.need(':')?;
            match key.as_str() {
                "itemsize" => layout.itemsize = Some(self.number()?),
                "names" => names = self.list(Self::string)?,
                "formats" => formats = self.list(Self::format)?,
                "offsets" => layout.offsets = self.list(Self::number)?,
                // The offsets tell what comes of it.
                "aligned" if self.word("True") || self.word("False") => {}
                _ => {
                    self.at = from;
                    let known = "'names', 'formats', 'offsets', 'itemsize' or 'aligned'";
                    return Err(self.fault(known));
                }
            }
            if !self.take(',') {
                self.need('}')?;
                break;
            }
        }
        let count = names.len();
        if count != formats.len() || !matches!(layout.offsets.len(), n if n == 0 || n == count) {
            return Err(self.fault("as many formats, and offsets if any, as names"));
        }
        let fields = names
            .into_iter()
            .zip(formats)
            .map(|(name, (dtype, shape))| LiteralField { name, dtype, shape })
            .collect();
        Ok(Literal {
            fields,
            layout: (layout != LiteralLayout::default()).then(|| Box::new(layout)),
        })
    }

    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let end = if self.take('(') { ')' } else { ']' };
        if end == ']' {
            self.need('[')?;
        }
        self.items(end, item)
    }

    /// A data type and the shape of a subarray: `'<i2'`, `('<f4', (2, 2))`.
    fn format(&mut self) -> Result<(String, Vec<u64>)> {
        if !self.take('(') {
            return Ok((self.data_type()?, Vec::new()));
        }
        let dtype = self.data_type()?;
        self.need(',')?;
        let shape = self.shape()?;
        self.need(')')?;
        Ok((dtype, shape))
    }

    /// A name, or the text of a literal inside this one.
    fn data_type(&mut self) -> Result<String> {
        self.space();
        if self.rest().starts_with(['[', '{']) { self.nested() } else { self.string() }
    }

    fn field(&mut self) -> Result<LiteralField> {
        self.need('(')?;
        let name = self.string()?;
        self.need(',')?;
        let dtype = self.data_type()?;
        let shape = if self.take(',') && !self.rest().trim_start().starts_with(')') {
            self.shape()?
        } else {
            Vec::new()
        };
        self.take(',');
        self.need(')')?;
        Ok(LiteralField { name, dtype, shape })
    }

    /// The text of a literal inside this one; it is read when its turn comes.
    fn nested(&mut self) -> Result<String> {
        let from = self.at;
        let mut depth = 0_usize;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\'' | '"' => {
                    self.string()?;
                    continue;
                }
                '[' | '{' => depth += 1,
                ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += c.len_utf8();
            if depth == 0 {
                return Ok(self.text.get(from..self.at).unwrap_or_default().to_owned());
            }
        }
        Err(self.fault("']'"))
    }

    fn string(&mut self) -> Result<String> {
        self.space();
        let quote = self.rest().chars().next().filter(|c| matches!(c, '\'' | '"'));
        let quote = quote.ok_or_else(|| self.fault("a string in quotes"))?;
        self.at += 1;
        let end = self.rest().find(quote).ok_or_else(|| self.fault("a closing quote"))?;
        let string = self.rest().get(..end).unwrap_or_default().to_owned();
        self.at += end + 1;
        Ok(string)
    }

    fn shape(&mut self) -> Result<Vec<u64>> {
        if !self.take('(') {
            return Ok(vec![self.number()?]);
        }
        self.items(')', Self::number)
    }

    fn number(&mut self) -> Result<u64> {
        self.space();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest.get(..end).and_then(|digits| digits.parse().ok());
        let number = number.ok_or_else(|| self.fault("a length"))?;
        self.at += end;
        Ok(number)
    }
}

impl DataTypes {
    /// Resolves a NumPy-style name, such as `int64`, `>f4`, `datetime64[10s]` or a list of fields as Python writes it.
    ///
    /// # Errors
    ///
    /// As [`DataTypes::from_v2`].
    pub fn from_numpy(&self, name: &str) -> Result<Resolved> {
        self.from_numpy_in(name, &Scope { registry: self, depth: 0 })
    }

    /// Resolves a `dtype` that numcodecs put into a configuration: a NumPy-style name, or else a V2 `dtype`, which is
    /// all that a family from outside may know.
    ///
    /// # Errors
    ///
    /// As [`DataTypes::from_v2`].
    pub fn from_dtype(&self, name: &str) -> Result<Resolved> {
        let v2 = || self.from_v2(&Json::from(name), None).ok();
        self.from_numpy(name).or_else(|error| v2().ok_or(error))
    }

    /// Resolves the NumPy-style name of a field.
    ///
    /// # Errors
    ///
    /// As [`DataTypes::from_v2`].
    pub fn from_numpy_in(&self, name: &str, scope: &Scope) -> Result<Resolved> {
        let (json, (by_size, note)) = (Json::from(name), canonical(name));
        let ask = |family: &Arc<dyn Family>| family.from_numpy(&by_size, scope);
        let resolved =
            self.one(&json, ask, || refusal::unknown(scope, &json, Asked::NumPy, None))?;
        Ok(resolved.noted(note))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_taken_apart() {
        let fields =
            literal("[('a', '>i2'), (\"b\", 'f4', (2, 2)), ('c', [('d', 'S5')],),]").unwrap();
        let dictionary =
            "{'names': ['a', \"b\", 'c'], 'formats': ('>i2', ('f4', (2, 2)), [('d', 'S5')])}";
        assert_eq!(literal(dictionary).unwrap(), fields);
        // As NumPy 2.5.5 prints an aligned struct.
        let aligned = "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16, 'aligned': True}";
        let layout = literal(aligned).unwrap().layout.unwrap();
        assert_eq!((layout.offsets.as_slice(), layout.itemsize), (&[0, 8][..], Some(16)));
        let shown: Vec<_> = fields
            .fields
            .iter()
            .map(|f| (f.name.as_str(), f.dtype.as_str(), f.shape.as_slice()))
            .collect();
        assert_eq!(
            shown,
            [("a", ">i2", &[][..]), ("b", "f4", &[2, 2]), ("c", "[('d', 'S5')]", &[])]
        );
        for refused in [
            "{",
            "{'names': ['a']}",
            "{'a': ('i2', 0)}",
            "[",
            "[('a')]",
            "[('a', 'i2'",
            "[('a', 'i2')] x",
            "[('a', 'i2', (-1,))]",
            "[[]]",
        ] {
            assert!(literal(refused).is_err(), "{refused}");
        }
    }
}
