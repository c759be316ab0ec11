//! The stages as a strip of words: `file 2,153 B ─► crc32c ✓ ─► zstd 2,149 → 3,330 ─► bytes big ─► 37×45 int16`.

use crate::app::prelude::*;
use crate::zarr::{
    codec::{CodecKind, CodecRow, CodecSpec, Codecs},
    words::cut,
};

/// A piece of the strip.
pub struct StripPart {
    /// The text.
    pub text: String,
    /// Its columns.
    pub columns: Range<usize>,
    /// The stage that it shows; `None` for arrows and for the end.
    pub stage: Option<usize>,
    /// True if that stage failed.
    pub failed: bool,
}

/// A stage with the arrow after it, or what is at the end.
#[derive(Clone)]
struct StripPiece {
    text: String,
    stage: Option<usize>,
    failed: bool,
    arrow: bool,
}

impl StripPiece {
    fn end(text: String) -> Self {
        Self { text, stage: None, failed: false, arrow: false }
    }

    fn width(&self) -> usize {
        self.text.width() + if self.arrow { ARROW.width() } else { 0 }
    }
}

const ARROW: &str = "─►";

/// The strip of a chunk in `width` columns, the stage `selected` being marked. Both ends and that stage are always
/// there: where there is too little room, sizes go first, then stages between them, which are counted.
pub fn spans(shown: &Shown, selected: usize, width: usize) -> Vec<StripPart> {
    let of = |pieces: &[StripPiece]| pieces.iter().map(StripPiece::width).sum::<usize>();
    let whole = pieces(shown, selected, true);
    if of(&whole) <= width {
        return placed(whole, width);
    }
    let brief = pieces(shown, selected, false);
    if of(&brief) <= width {
        return placed(brief, width);
    }
    placed(scrolled(brief, selected, width), width)
}

/// The stages, and what comes after them; the sizes of all stages, or of the selected one alone.
fn pieces(shown: &Shown, selected: usize, sizes: bool) -> Vec<StripPiece> {
    let stages = &shown.chunk.stages;
    let mut pieces: Vec<StripPiece> = Vec::new();
    for (at, stage) in stages.iter().enumerate() {
        let words = words(stage, shown, sizes || at == selected);
        let text = if at == selected { format!("▐ {words} ▌") } else { format!(" {words} ") };
        let arrow = at + 1 < stages.len() || stage.error.is_none();
        pieces.push(StripPiece { text, stage: Some(at), failed: stage.error.is_some(), arrow });
    }
    if let Some(elements) = shown.chunk.elements() {
        let name = elements.data_type().name();
        pieces.push(StripPiece::end(format!(" {} {}", times(elements.shape()), safe(&name))));
    }
    if shown.chunk.inner_missing {
        let fill = shown.fill_scalar.as_ref().map(|fill| format!(" {fill}")).unwrap_or_default();
        pieces.push(StripPiece::end(format!(" empty: reads as the fill value{}", safe(&fill))));
    }
    let unreached = unreached(shown);
    if !unreached.is_empty() {
        pieces.push(StripPiece::end(format!("   not run: {}", safe(&unreached.join(", ")))));
    }
    pieces
}

/// The first stage, those around the selected one that there is room for, and the end; between them how many are left
/// out.
fn scrolled(pieces: Vec<StripPiece>, selected: usize, width: usize) -> Vec<StripPiece> {
    const SIGNS: usize = 8;
    let stages = pieces.iter().filter(|piece| piece.stage.is_some()).count();
    let width_of = |at: usize| pieces.get(at).map_or(0, StripPiece::width);
    let ends: usize = pieces.iter().skip(stages).map(StripPiece::width).sum();
    let fixed = width_of(0) + ends + SIGNS;
    let (mut from, mut to) = (selected.max(1), selected.max(1) + 1);
    let mut used = fixed + width_of(from);
    while from > 1 || to < stages {
        let behind = (to < stages).then(|| width_of(to)).filter(|more| used + more <= width);
        let before = (from > 1).then(|| width_of(from - 1)).filter(|more| used + more <= width);
        match (behind, before) {
            (Some(more), _) => (to, used) = (to + 1, used + more),
            (None, Some(more)) => (from, used) = (from - 1, used + more),
            (None, None) => break,
        }
    }
    let counted = |sign: &str, count: usize| {
        let text = format!(" {sign}{count} ");
        (count > 0).then_some(StripPiece { text, stage: None, failed: false, arrow: true })
    };
    let (left, right) = (counted("«", from - 1), counted("»", stages.saturating_sub(to)));
    let mut out: Vec<StripPiece> = Vec::new();
    for (at, piece) in pieces.into_iter().enumerate() {
        if at == from {
            out.extend(left.clone());
        }
        if at == to {
            out.extend(right.clone());
        }
        if at == 0 || (from..to).contains(&at) || at >= stages {
            out.push(piece);
        }
    }
    out
}

/// The pieces with their columns; what is still too long is cut, and says so.
fn placed(pieces: Vec<StripPiece>, width: usize) -> Vec<StripPart> {
    let mut parts = Vec::new();
    let mut column: usize = 0;
    let mut push = |text: &str, stage: Option<usize>, failed: bool| {
        let text = cut(text, width.saturating_sub(column));
        let columns = column..column + text.width();
        column = columns.end;
        if !text.is_empty() {
            parts.push(StripPart { text, columns, stage, failed });
        }
    };
    for StripPiece { text, stage, failed, arrow } in pieces {
        push(&text, stage, failed);
        if arrow {
            push(ARROW, None, false);
        }
    }
    parts
}

/// The codecs after the one that failed.
fn unreached(shown: &Shown) -> Vec<String> {
    let done = shown.chunk.stages.len().saturating_sub(1);
    let Ok(specs) = &shown.array.codecs else { return Vec::new() };
    if shown.failed().is_none() || shown.chunk.id.inner.len() > 1 {
        return Vec::new();
    }
    let rest = specs.iter().rev().skip(done);
    rest.map(|spec| if spec.implied { implied(&spec.name) } else { spec.name.clone() }).collect()
}

/// The effect of a member of V2 that names no codec.
fn implied(name: &str) -> String {
    format!("{name} (implied)")
}

/// The words of a stage in the strip.
fn words(stage: &Stage, shown: &Shown, sizes: bool) -> String {
    let output = stage.output.as_ref().map_or(0, Data::len);
    let name = safe(&stage.name);
    let sign = match (&stage.error, &stage.checksum) {
        (None, Some(sum)) if sum.agrees() => " ✓",
        (None, None) => "",
        (Some(_), _) | (None, Some(_)) => " ✗",
    };
    match stage.kind {
        None if sizes => format!("{name} {} B{sign}", grouped(output)),
        Some(CodecKind::BytesToBytes) if stage.checksum.is_some() => format!("{name}{sign}"),
        Some(CodecKind::BytesToBytes) if stage.error.is_none() && sizes => {
            format!("{name} {} → {}{sign}", grouped(stage.input_len), grouped(output))
        }
        Some(CodecKind::ArrayToBytes) => {
            let array = &shown.array;
            let specs = array.codecs.as_deref().unwrap_or_default();
            let is_implied = specs.iter().any(|spec| spec.implied && spec.name == stage.name);
            let name = if is_implied { implied(&name) } else { name.into_owned() };
            let layout = if array.fortran { ", order F" } else { "" };
            let order = shown.chunk.elements().map(|elements| elements.order().word());
            // The bytes of a shard are in the order that the codecs inside say.
            let declares = |row: &CodecRow| {
                let spec = CodecSpec::new(&stage.name, "");
                row.inner.is_none() && (row.endian)(&spec, &Codecs::empty()).is_some()
            };
            let order =
                order.filter(|word| *word != "not applicable" && stage.row.is_some_and(declares));
            let order = order.map(|word| format!(" {word}")).unwrap_or_default();
            format!("{name}{order}{layout}{sign}")
        }
        None | Some(_) => format!("{name}{sign}"),
    }
}
