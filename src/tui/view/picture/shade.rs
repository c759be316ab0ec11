//! Values as colours, two to a cell; and as glyphs for terminals that show no colours.

use super::number::{real, whole};
use crate::tui::prelude::*;

/// The content of half a cell.
#[derive(Clone, Copy)]
pub(super) enum Pixel {
    /// A number: 0 for the lowest, 1 for the highest.
    Value(f64),
    /// Something that is no number, among numbers of this mean or alone.
    NonFiniteMark(NonFiniteMark, Option<f64>),
    /// Nothing but what is missing, or a fill value that is no number.
    Fill,
    /// Elements of a chunk that cannot be read, among numbers of this mean or alone.
    Damaged(Option<f64>),
    /// Elements of a chunk that is not stored.
    Missing,
    /// Elements that are not loaded.
    Unloaded,
    /// No element.
    Blank,
}

/// The kind of a value that is no number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NonFiniteMark {
    /// NaN or NaT.
    Nan,
    /// +∞.
    Above,
    /// -∞.
    Below,
}

impl NonFiniteMark {
    pub(super) const ALL: [Self; 3] = [Self::Nan, Self::Above, Self::Below];

    /// The sign that stands for it.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Nan => signs::NAN,
            Self::Above => signs::ABOVE,
            Self::Below => signs::BELOW,
        }
    }

    /// The kind of a cell's elements, if they are no numbers.
    pub(super) fn of(cell: &HeatCell) -> Option<Self> {
        let [below, above] = cell.infinite;
        match (cell.nan, above, below) {
            (1.., ..) => Some(Self::Nan),
            (_, 1.., _) => Some(Self::Above),
            (_, _, 1..) => Some(Self::Below),
            _ => None,
        }
    }
}

/// The colours of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Colors {
    /// All of them.
    #[default]
    True,
    /// The 216 of the cube that most terminals have.
    Cube,
    /// The sixteen of its theme.
    Sixteen,
    /// None.
    Mono,
}

/// From low to high: dark blue over green to yellow, as light as they are high, so that they are told apart by those
/// who see no hue, and on paper. (The map called viridis, at nine places.)
const RAMP: [(u8, u8, u8); 9] = [
    (68, 1, 84),
    (71, 45, 123),
    (59, 82, 139),
    (44, 114, 142),
    (33, 145, 140),
    (40, 174, 128),
    (94, 201, 98),
    (173, 220, 48),
    (253, 231, 37),
];
/// The same in the colours of a theme.
const SIXTEEN: [Color; 7] = [
    Color::Magenta,
    Color::Blue,
    Color::Cyan,
    Color::Green,
    Color::LightGreen,
    Color::Yellow,
    Color::LightYellow,
];
/// The same for terminals without colours or without other signs: how much ink a sign takes. None of them is the dot of
/// the fill value, the colon of what is missing, the cross of the cursor or a line between chunks. (Blocks of eight
/// heights, stacked, look like stripes.)
const INK: [&str; 8] = [",", ";", "~", "o", "*", "%", "#", "@"];

/// Nothing but what is missing, or a fill value that is no number: as in the chunk view, a dot.
pub(super) const FILL: &str = signs::FILL;
/// The sign of elements that are not loaded.
pub(super) const UNLOADED: &str = signs::MORE;

/// The colour of a value.
pub(super) fn color(value: f64) -> Color {
    let place = value.clamp(0.0, 1.0) * real(RAMP.len() - 1);
    let at = whole(place, RAMP.len() - 1);
    let part = place - real(at);
    let from = RAMP.get(at).copied().unwrap_or_default();
    let to = RAMP.get(at + 1).copied().unwrap_or(from);
    let mix = |a: u8, b: u8| {
        let mixed = f64::from(a) + (f64::from(b) - f64::from(a)) * part;
        u8::try_from(whole(mixed.round(), 255)).unwrap_or(u8::MAX)
    };
    Color::Rgb(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// Draws the upper and the lower half of a cell.
pub(super) fn paint(cell: &mut Cell, upper: Pixel, lower: Pixel) {
    let (symbol, style) = match (upper, lower) {
        (Pixel::Damaged(mean), other) | (other, Pixel::Damaged(mean)) => {
            (signs::ERROR, odd_style(mean.or_else(|| other.mean())))
        }
        (Pixel::Value(upper), Pixel::Value(lower)) => {
            ("▀", Style::new().fg(color(upper)).bg(color(lower)))
        }
        (Pixel::NonFiniteMark(odd, mean), other) | (other, Pixel::NonFiniteMark(odd, mean)) => {
            (odd.sign(), odd_style(mean.or_else(|| other.mean())))
        }
        (Pixel::Value(value), _) => ("▀", Style::new().fg(color(value))),
        (_, Pixel::Value(value)) => ("▄", Style::new().fg(color(value))),
        (Pixel::Blank, other) | (_, other @ Pixel::Missing) | (other, _) => {
            other.sign().unwrap_or_default()
        }
    };
    cell.set_symbol(symbol).set_style(style);
}

impl Pixel {
    /// The look of a cell whose numbers have this share of the scale; `None` where it has no elements. Where
    /// `marks_mixed`, what is no number among numbers is seen.
    pub(super) fn of(cell: &HeatCell, share: Option<f64>, marks_mixed: bool) -> Option<Self> {
        match (share, NonFiniteMark::of(cell)) {
            (Some(share), None) => Some(Self::Value(share)),
            (Some(share), Some(_)) if !marks_mixed => Some(Self::Value(share)),
            (share, Some(odd)) => Some(Self::NonFiniteMark(odd, share)),
            (None, None) => (cell.elements > 0).then_some(Self::Fill),
        }
    }

    /// The share of the numbers that it stands for.
    pub(super) fn mean(self) -> Option<f64> {
        match self {
            Self::Value(mean) => Some(mean),
            Self::NonFiniteMark(_, mean) | Self::Damaged(mean) => mean,
            Self::Fill | Self::Missing | Self::Unloaded | Self::Blank => None,
        }
    }

    /// The sign of what is no number; `None` of a number.
    pub(super) fn sign(self) -> Option<(&'static str, Style)> {
        Some(match self {
            Self::Value(_) => return None,
            Self::NonFiniteMark(odd, _) => (odd.sign(), odd_style(None)),
            Self::Fill => (FILL, theme::FILL),
            Self::Damaged(_) => (signs::ERROR, FAILURE),
            Self::Missing => (signs::MISSING, QUIET),
            Self::Unloaded => (UNLOADED, QUIET),
            Self::Blank => (" ", Style::new()),
        })
    }
}

/// A sign on the colour of the numbers around it, or on none.
fn odd_style(mean: Option<f64>) -> Style {
    let Some(mean) = mean else { return WARNING.add_modifier(Modifier::BOLD) };
    let ground = color(mean);
    Style::new().fg(ink(ground)).bg(ground).add_modifier(Modifier::BOLD)
}

/// The colour of text on a ground of this colour.
fn ink(ground: Color) -> Color {
    match ground {
        Color::Reset => Color::Reset,
        ground if height(ground) > 0.6 => Color::Rgb(0, 0, 0),
        _ => Color::Rgb(255, 255, 255),
    }
}

/// Marks a cell as the one under the cursor, whatever it shows.
pub(super) fn mark(cell: &mut Cell) {
    let ground = match (cell.symbol(), cell.bg) {
        ("▀" | "▄", Color::Reset) => cell.fg,
        (_, ground) => ground,
    };
    let style = Style::new().fg(ink(ground)).bg(ground);
    cell.set_symbol(signs::CROSS).set_style(style.add_modifier(Modifier::BOLD));
}

/// Puts what is drawn in colours of any kind into what the terminal has: its own sixteen, or signs with more ink the
/// higher a value is.
pub fn reduce(buffer: &mut Buffer, colors: Colors, ascii: bool) {
    if colors == Colors::True && !ascii {
        return;
    }
    for cell in &mut buffer.content {
        if matches!((cell.fg, cell.bg), (Color::Rgb(..), _) | (_, Color::Rgb(..))) {
            if colors == Colors::Cube && !ascii {
                (cell.fg, cell.bg) = (in_cube(cell.fg), in_cube(cell.bg));
            } else {
                reduce_cell(cell, colors, ascii);
            }
        }
    }
}

/// The levels of red, green and blue in the cube of 6×6×6 colours that begins at place 16.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The ramp in colours of the cube, each lighter than the one before: the nearest of each would not be.
const CUBE: [u8; 11] = [53, 54, 24, 30, 36, 71, 77, 113, 149, 184, 220];

/// The colour of the cube for one of the ramp, or for the black or white of a sign on it; any other colour as it is.
fn in_cube(color: Color) -> Color {
    match color {
        Color::Rgb(0, 0, 0) => Color::Indexed(16),
        Color::Rgb(255, 255, 255) => Color::Indexed(231),
        Color::Rgb(..) => pick(&CUBE, height(color)).map_or(Color::Reset, |at| Color::Indexed(*at)),
        color => color,
    }
}

/// Red, green and blue of a place of the 256 colours past the sixteen that belong to the terminal's theme.
pub fn cube_color(index: u8) -> (u8, u8, u8) {
    match index.checked_sub(16) {
        Some(at) if at < 216 => {
            let level = |of: u8| LEVELS.get(usize::from(of % 6)).copied().unwrap_or(0);
            (level(at / 36), level(at / 6), level(at))
        }
        Some(at) => [8 + 10 * (at - 216); 3].into(),
        None => (0, 0, 0),
    }
}

fn reduce_cell(cell: &mut Cell, colors: Colors, ascii: bool) {
    let halves =
        [cell.fg, cell.bg].map(|color| matches!(color, Color::Rgb(..)).then(|| height(color)));
    let is_value = matches!(cell.symbol(), "▀" | "▄");
    if !is_value {
        // A sign on a coloured ground: the sign alone says it.
        let named = Some(cell.fg).filter(|fg| !matches!(fg, Color::Rgb(..)));
        let ground = match (colors, cell.bg) {
            (Colors::Sixteen, Color::Rgb(..)) if !ascii => sixteen(height(cell.bg)),
            _ => Color::Reset,
        };
        let ink = if ground == Color::Reset { named.unwrap_or(Color::Reset) } else { Color::Black };
        cell.set_style(Style::reset().add_modifier(cell.modifier)).set_fg(ink).set_bg(ground);
        return;
    }
    if colors == Colors::Sixteen && !ascii {
        let theirs = |half: Option<f64>| half.map_or(Color::Reset, sixteen);
        let [fg, bg] = halves;
        cell.set_fg(theirs(fg)).set_bg(theirs(bg));
        return;
    }
    let known: Vec<f64> = halves.into_iter().flatten().collect();
    let mean = known.iter().sum::<f64>() / real(known.len().max(1));
    // In the colour of text: that of the value could not be read on every ground.
    cell.set_symbol(pick(&INK, mean).copied().unwrap_or(" ")).set_style(Style::reset());
}

fn sixteen(value: f64) -> Color {
    pick(&SIXTEEN, value).copied().unwrap_or(Color::Reset)
}

/// The one of `steps` that stands for a value.
fn pick<T>(steps: &[T], value: f64) -> Option<&T> {
    steps.get(whole(value.clamp(0.0, 1.0) * real(steps.len()), steps.len().saturating_sub(1)))
}

/// The height of the value with this colour: the ramp is the lighter the higher it is.
fn height(color: Color) -> f64 {
    let Color::Rgb(r, g, b) = color else { return 0.0 };
    let light =
        |(r, g, b): (u8, u8, u8)| 0.3 * f64::from(r) + 0.59 * f64::from(g) + 0.11 * f64::from(b);
    let here = light((r, g, b));
    let lights = RAMP.map(light);
    let steps = lights.iter().zip(lights.iter().skip(1)).enumerate();
    for (at, (low, high)) in steps {
        if here <= *high {
            let part = ((here - low) / (high - low)).clamp(0.0, 1.0);
            return (real(at) + part) / real(RAMP.len() - 1);
        }
    }
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    #[test]
    fn a_colour_tells_the_value_it_came_from() {
        for step in 0..=100 {
            let value = f64::from(step) / 100.0;
            assert!((height(color(value)) - value).abs() < 0.02, "{value}");
        }
    }

    #[test]
    fn the_cube_has_the_ramp_from_dark_to_light() {
        assert_eq!((cube_color(16), cube_color(231)), ((0, 0, 0), (255, 255, 255)));
        assert_eq!((cube_color(110), cube_color(249)), ((135, 175, 215), (178, 178, 178)));
        let light = |color: Color| match in_cube(color) {
            Color::Indexed(index) => {
                let (r, g, b) = cube_color(index);
                30 * u32::from(r) + 59 * u32::from(g) + 11 * u32::from(b)
            }
            other => panic!("{other:?}"),
        };
        let steps: Vec<_> = (0..=8).map(|step| light(color(f64::from(step) / 8.0))).collect();
        assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
        let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
        paint(buffer.content.first_mut().unwrap(), Pixel::Value(0.0), Pixel::Value(1.0));
        reduce(&mut buffer, Colors::Cube, false);
        let cell = buffer.content.first().unwrap();
        assert_eq!(cell.symbol(), "▀");
        assert!(matches!((cell.fg, cell.bg), (Color::Indexed(_), Color::Indexed(_))));
    }

    #[test]
    fn without_colours_height_is_shown_by_glyphs() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
        let pairs = [
            (Pixel::Value(0.0), Pixel::Value(0.0)),
            (Pixel::Value(1.0), Pixel::Value(1.0)),
            (Pixel::Fill, Pixel::Blank),
            (Pixel::NonFiniteMark(NonFiniteMark::Nan, None), Pixel::Blank),
            (Pixel::NonFiniteMark(NonFiniteMark::Below, Some(0.5)), Pixel::Fill),
            (Pixel::Blank, Pixel::Blank),
        ];
        for (cell, (upper, lower)) in buffer.content.iter_mut().zip(pairs) {
            paint(cell, upper, lower);
        }
        let glyphs =
            |buffer: &Buffer| -> String { buffer.content.iter().map(Cell::symbol).collect() };
        let mut plain = buffer.clone();
        reduce(&mut plain, Colors::Mono, false);
        assert_eq!(glyphs(&plain), ",@·N⇓ ");
        reduce(&mut buffer, Colors::Mono, true);
        assert_eq!(glyphs(&buffer), ",@·N⇓ ");
    }
}
