//! What becomes of a drawn screen where colours or Unicode are not wanted.

use super::Options;
use ratatui::{buffer::Buffer, style::Color};

/// Takes colours out, and all that is not ASCII, as `options` say. Bold, dim and reversed stay.
pub fn adapt(buffer: &mut Buffer, options: &Options) {
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
        '─' | '▁' | '−' => '-',
        '│' | '▏' => '|',
        '┬' | '┴' => '+',
        '▸' | '▌' | '►' | '→' | '›' => '>',
        '▐' | '←' => '<',
        '▾' | '↓' | '✓' => 'v',
        '↑' => '^',
        '▦' | '▓' | '▀' | '▄' | '≠' => '#',
        '█' => '@',
        '▒' => ':',
        '·' | '•' | '░' => '.',
        '…' => '~',
        '⚠' => '!',
        '●' => '*',
        '○' => 'o',
        '×' | '✗' => 'x',
        _ => '?',
    }
}
