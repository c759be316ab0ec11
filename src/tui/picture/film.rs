//! A moving picture: the frames of a script as one SVG document, animated with CSS.
//!
//! Text that several frames share is in it once: each piece of text is drawn in one group with all that is on show in
//! the same frames, and a group has a rule that says when it is visible. Who cannot or does not want to see it move (no
//! CSS animation, `prefers-reduced-motion`) sees one frame, the still.

use super::{Palette, frame, pieces};
use crate::tui::prelude::*;
use std::fmt::Write as _;

/// The frames of a script.
pub struct Film {
    /// The frames in their order; never none.
    pub frames: Vec<Frame>,
    /// The place of the one that is shown where nothing moves.
    pub still: usize,
}

/// One screen, and how long it is on show.
pub struct Frame {
    /// The screen.
    pub screen: Buffer,
    /// The time until the next one.
    pub pause: Duration,
}

/// The film as a standalone SVG document that moves, from the start again after its end.
pub fn animated(film: &Film, palette: Palette) -> String {
    let Some(still) = film.frames.get(film.still) else { return String::new() };
    let mut starts = vec![Duration::ZERO];
    for frame in &film.frames {
        starts.push(starts.last().copied().unwrap_or_default() + frame.pause);
    }
    let groups = groups(film, palette);
    let total = starts.last().copied().unwrap_or_default().as_secs_f64();
    let mut style = format!(
        "<style>.f{{animation-duration:{total:.2}s;animation-timing-function:step-end;\
         animation-iteration-count:infinite}}@media (prefers-reduced-motion:reduce){{.f{{animation:none}}}}\n"
    );
    let mut body = String::new();
    for (number, group) in groups.iter().enumerate() {
        if group.frames.len() == film.frames.len() {
            body += &group.pieces;
            continue;
        }
        let rule = rule(&group.frames, &starts, film.frames.len());
        let _ =
            writeln!(style, "@keyframes k{number}{{{rule}}}#g{number}{{animation-name:k{number}}}");
        let hidden = if group.frames.contains(&film.still) { "" } else { " visibility=\"hidden\"" };
        let _ = writeln!(body, "<g id=\"g{number}\" class=\"f\"{hidden}>\n{}</g>", group.pieces);
    }
    frame(still.screen.area, palette, &format!("{style}</style>\n"), &body)
}

/// The pieces that are on show in the same frames.
struct SameFrames {
    frames: Vec<usize>,
    pieces: String,
}

/// Every piece of every frame, once.
fn groups(film: &Film, palette: Palette) -> Vec<SameFrames> {
    let mut found: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, frame) in film.frames.iter().enumerate() {
        for piece in pieces(&frame.screen, palette) {
            let place = *found.entry(piece).or_insert_with_key(|piece| {
                all.push((piece.clone(), Vec::new()));
                all.len() - 1
            });
            if let Some((_, frames)) = all.get_mut(place) {
                frames.push(at);
            }
        }
    }
    let mut places: HashMap<Vec<usize>, usize> = HashMap::new();
    let mut groups: Vec<SameFrames> = Vec::new();
    for (piece, frames) in all {
        let place = *places.entry(frames).or_insert_with_key(|frames| {
            groups.push(SameFrames { frames: frames.clone(), pieces: String::new() });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.pieces += &piece;
        }
    }
    groups
}

/// The times at which something is visible that is in these frames, as the body of a CSS rule.
fn rule(frames: &[usize], starts: &[Duration], count: usize) -> String {
    let total = starts.last().copied().unwrap_or_default().as_secs_f64().max(f64::MIN_POSITIVE);
    let mut out = String::new();
    let mut before = None;
    for at in 0..count {
        let shown = frames.binary_search(&at).is_ok();
        if before.replace(shown) != Some(shown) {
            let start = starts.get(at).copied().unwrap_or_default().as_secs_f64();
            let word = if shown { "visible" } else { "hidden" };
            let _ = write!(out, "{:.3}%{{visibility:{word}}}", start / total * 100.0);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::{layout::Rect, style::Style};

    fn frame(text: &str, pause: u64) -> Frame {
        let mut screen = Buffer::empty(Rect::new(0, 0, 8, 2));
        screen.set_string(0, 0, "same", Style::new());
        screen.set_string(0, 1, text, Style::new());
        Frame { screen, pause: Duration::from_secs(pause) }
    }

    #[test]
    fn what_frames_share_is_drawn_once() {
        let film = Film { frames: vec![frame("a", 1), frame("b", 2), frame("a", 1)], still: 1 };
        let svg = animated(&film, Palette::Dark);
        for (text, times) in [(">same<", 1), (">a<", 1), (">b<", 1), ("@keyframes", 2)] {
            assert_eq!(svg.matches(text).count(), times, "{text} in {svg}");
        }
        let a = "0.000%{visibility:visible}25.000%{visibility:hidden}75.000%{visibility:visible}";
        assert!(svg.contains(a), "{svg}");
        assert!(svg.contains("animation-duration:4.00s") && svg.contains("reduced-motion"));
        // Without animation there is the still alone.
        let hidden: Vec<_> = svg.split("<g ").filter(|g| g.contains("\"hidden\"")).collect();
        assert!(hidden.len() == 1 && hidden[0].contains(">a<"), "{svg}");
    }
}
