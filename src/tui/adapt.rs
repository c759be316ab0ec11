//! What becomes of a drawn screen where colours or Unicode are not wanted.

use super::{
    Options,
    view::picture::{Colors, reduce},
};
use crate::zarr::words::ascii_sign;
use ratatui::{buffer::Buffer, style::Color};

/// Takes colours out, and all that is not ASCII, as `options` say. Bold, dim and reversed stay.
pub fn adapt(buffer: &mut Buffer, options: &Options) {
    let colors = if options.color { options.pictures } else { Colors::Mono };
    reduce(buffer, colors, options.ascii);
    if options.color && !options.ascii {
        return;
    }
    for cell in &mut buffer.content {
        if !options.color {
            (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
        }
        if options.ascii && !cell.symbol().is_ascii() {
            let sign = cell.symbol().chars().next().map_or(' ', ascii_sign);
            cell.set_char(sign);
        }
    }
}
