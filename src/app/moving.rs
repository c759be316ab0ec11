//! How far a motion moves a cursor over a list, or a text.

use super::{Geometry, Scroll, action::Motion};

/// Where `motion` takes the cursor over a list of `len` rows, of which `height` are in sight. Left and right do
/// nothing here.
#[must_use]
pub fn list(
    scroll: Scroll,
    motion: Motion,
    count: Option<u64>,
    len: usize,
    height: usize,
) -> Scroll {
    let many = count.and_then(|n| isize::try_from(n).ok()).unwrap_or(1);
    let page = isize::try_from(height.max(1)).unwrap_or(isize::MAX);
    let numbered = count.and_then(|n| usize::try_from(n.saturating_sub(1)).ok());
    match motion {
        Motion::Up => scroll.moved(-many, len, height),
        Motion::Down => scroll.moved(many, len, height),
        Motion::PageUp => scroll.moved(-page, len, height),
        Motion::PageDown => scroll.moved(page, len, height),
        Motion::HalfUp => scroll.moved(-page / 2, len, height),
        Motion::HalfDown => scroll.moved(page / 2, len, height),
        Motion::First => scroll.at(numbered.unwrap_or(0), len, height),
        Motion::Last => scroll.at(numbered.unwrap_or(usize::MAX), len, height),
        Motion::Left | Motion::Right | Motion::RowStart | Motion::RowEnd => scroll,
    }
}

/// Where `motion` takes a text that lies on top of everything.
#[must_use]
pub fn text(scroll: Scroll, motion: Motion, geometry: &Geometry) -> Scroll {
    let last = geometry.last_line;
    let page = geometry.whole.rows().saturating_sub(5).max(1);
    let at = scroll.cursor().min(last);
    let to = match motion {
        Motion::Up => at.saturating_sub(1),
        Motion::Down => at + 1,
        Motion::PageUp => at.saturating_sub(page),
        Motion::PageDown => at + page,
        Motion::HalfUp => at.saturating_sub(page / 2),
        Motion::HalfDown => at + page / 2,
        Motion::First => 0,
        Motion::Last => last,
        Motion::Left | Motion::Right | Motion::RowStart | Motion::RowEnd => at,
    };
    scroll.on(to.min(last))
}
