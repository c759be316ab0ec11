//! What becomes of a drawn screen where colours or Unicode are not wanted.

use super::{
    Options,
    view::picture::{Colors, reduce},
};
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
            let sign = cell.symbol().chars().next().map_or(' ', ascii);
            cell.set_char(sign);
        }
    }
}

/// The ASCII sign that looks or means most like `c`.
fn ascii(c: char) -> char {
    match c {
        '─' | '▄' | '−' | '╌' => '-',
        '▁' => '_',
        '▅' => '=',
        '│' | '▏' => '|',
        '┬' | '┴' | '▆' | '╋' => '+',
        '▸' | '▌' | '►' | '→' | '›' => '>',
        '▐' | '←' => '<',
        '▾' | '↓' | '✓' => 'v',
        '↑' | '\u{2400}'..='\u{2421}' => '^',
        '▦' | '▓' | '▀' | '≠' => '#',
        '█' => '@',
        '▒' | '▃' => ':',
        '·' | '•' | '░' | '▂' => '.',
        '…' | '⋯' => '~',
        '⚠' => '!',
        '●' | '▇' => '*',
        '○' => 'o',
        '×' | '✗' => 'x',
        c if c.is_ascii() => c,
        _ => '?',
    }
}
