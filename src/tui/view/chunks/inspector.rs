//! The bytes under the cursor in every type, in both byte orders.

use super::dump::glyph;
use crate::tui::prelude::*;
use crate::zarr::{
    bytes::Bytes,
    data_type::element::number,
    scalar::{
        Float, FloatFormat,
        float::{BFLOAT16, FLOAT16, FLOAT32, FLOAT64},
    },
    words::cut_number,
};

/// Columns of a type with both its values.
const WIDEST: usize = 74;

/// A line of the inspector: name, little, big.
type InspectorLine = (&'static str, String, String);

/// As many lines as fit, two types a line where there is room.
pub fn lines(bytes: &Bytes, at: u64, declared: &str, width: usize, height: usize) -> Vec<Line> {
    let end = bytes.len().min(at + 16);
    let Some(raw) = bytes.get(at..end) else { return Vec::new() };
    let per_line = if width >= 96 { 2 } else { 1 };
    // Wider columns would only part what belongs together.
    let each = (width / per_line).saturating_sub(2).min(WIDEST);
    let value = each.saturating_sub(10) / 2;
    let mut readings = readings(raw, width.saturating_sub(12));
    // The declared type first: a stable sort keeps the others as they are.
    readings.sort_by_key(|(name, ..)| *name != declared);
    // A value that is wider than half has what the others leave.
    let widest = readings.iter().filter(|(_, _, big)| !big.is_empty());
    let widest = widest.map(|(_, little, _)| little.width() + 1).max().unwrap_or(0);
    let most = readings.iter().map(|(_, _, big)| big.width()).max().unwrap_or(0);
    let first = value.min((2 * value).saturating_sub(most).max(widest)).max(7);
    let second = 2 * value - first.min(2 * value);
    let head = format!("{}{}{}", left("", 10), left("little", first), left("big", second + 2));
    let mut lines = vec![Line::styled(head.repeat(per_line), QUIET)];
    for pair in readings.chunks(per_line) {
        let spans = pair.iter().flat_map(|(name, little, big)| {
            let name = quiet(left(name, 10));
            // What has no byte order has the room of both, and the bits their line.
            if big.is_empty() {
                let room = if pair.len() < per_line { width } else { 2 * value };
                return vec![name, Span::from(left(&cut(little, room), room + 2))];
            }
            let little = left(&cut_number(little, first.saturating_sub(1)), first);
            let big = left(&cut_number(big, second), second + 2);
            vec![name, Span::from(little), Span::from(big)]
        });
        lines.push(Line::from(spans.collect::<Vec<_>>()));
    }
    // As many of the lines as fit, and how many types are left out.
    if lines.len() > height {
        let more = (lines.len() + 1 - height) * per_line;
        lines.truncate(height.saturating_sub(1));
        let text = format!("… {more} more types in a taller window");
        lines.push(Line::styled(text, QUIET));
    }
    lines
}

/// The bytes in a few small types, in one line of `width` columns; in two where `rows` are enough and one is too short.
pub fn brief(raw: &[u8], width: usize, rows: usize) -> Vec<String> {
    let raw = raw.get(..raw.len().min(8)).unwrap_or_default();
    let signed = raw.iter().map(|byte| byte.cast_signed().to_string());
    let text: String = raw.iter().copied().map(glyph).collect();
    let start = format!("int8 {}   text \"{text}\"", signed.joined(" "));
    let room = width.saturating_sub(start.width() + "   bits ".len());
    if rows > 1 && 9 * raw.len() > room + 1 {
        let apart = format!("bits {}", bits(raw, width.saturating_sub("bits ".len())));
        return vec![cut(&start, width), apart];
    }
    // Fewer than eight of them say nothing.
    if room < 10.min(9 * raw.len()) {
        return vec![cut(&start, width)];
    }
    vec![cut(&format!("{start}   bits {}", bits(raw, room)), width)]
}

/// The bits of as many bytes as have room in `width` columns; a sign that more follow.
fn bits(raw: &[u8], width: usize) -> String {
    let all: Vec<String> = raw.iter().map(|byte| format!("{byte:08b}")).collect();
    // Eight digits and a blank a byte, and the sign.
    let most =
        if 9 * raw.len() <= width + 1 { raw.len() } else { (width.saturating_sub(1) / 9).max(1) };
    all.get(..most).map_or_else(|| all.join(" "), |some| some.join(" "))
        + if raw.len() > most { " …" } else { "" }
}

fn readings(raw: &[u8], width: usize) -> Vec<InspectorLine> {
    let mut out = Vec::new();
    macro_rules! both {
        ($name:literal, $type:ty) => {
            if let Some(bytes) = raw.first_chunk() {
                let (little, big) =
                    (<$type>::from_le_bytes(*bytes), <$type>::from_be_bytes(*bytes));
                out.push(($name, little.to_string(), big.to_string()));
            }
        };
    }
    both!("int8", i8);
    both!("uint8", u8);
    both!("int16", i16);
    both!("uint16", u16);
    both!("int32", i32);
    both!("uint32", u32);
    both!("int64", i64);
    both!("uint64", u64);
    out.extend(
        [&FLOAT16, &BFLOAT16, &FLOAT32, &FLOAT64].into_iter().filter_map(|of| float(raw, of)),
    );
    out.extend(time(raw));
    let text: String = raw.iter().copied().map(glyph).collect();
    out.push(("text", text, String::new()));
    let first = raw.get(..raw.len().min(8)).unwrap_or_default();
    out.push(("bits", bits(first, width), String::new()));
    out
}

fn float(raw: &[u8], format: &'static FloatFormat) -> Option<InspectorLine> {
    let bytes = raw.get(..format.size)?;
    let text = |endian| Scalar::Float(Float::new(number(bytes, endian), format)).to_string();
    Some((format.name, text(Endian::Little), text(Endian::Big)))
}

/// Eight bytes as nanoseconds since 1970, as far as that is a date.
fn time(raw: &[u8]) -> Option<InspectorLine> {
    let bytes = raw.first_chunk()?;
    let text = |count: i64| {
        Scalar::Time(Time { count, unit: TimeUnit::Nanosecond, scale: 1, since_epoch: true })
            .to_string()
    };
    Some(("time [ns]", text(i64::from_le_bytes(*bytes)), text(i64::from_be_bytes(*bytes))))
}
