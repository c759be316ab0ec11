//! The caption of a script that is being played: what is said, the key that was pressed, and how far it is.

use crate::{
    app::key_script::ScriptRun,
    tui::{keymap, script::parse, theme},
    zarr::{signs, text::safe, words::wrap_to},
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::Widget,
};

/// Columns at the right for the key and the step.
const ASIDE: u16 = 24;

/// The caption.
#[derive(Debug)]
pub struct CaptionView<'a> {
    /// The script.
    pub run: &'a ScriptRun,
}

impl Widget for CaptionView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let width = usize::from(area.width.saturating_sub(ASIDE + 2));
        // The last row is a rule where there is room for one.
        let rows = if area.height > 2 { area.height - 1 } else { area.height };
        let said = wrap_to(&safe(&self.run.caption), width, rows.into());
        for (at, row) in area.rows().take(rows.into()).enumerate() {
            let text = said.get(at).map_or("", String::as_str);
            let sign = Span::styled(signs::LESSON, theme::MARK);
            Line::from(vec![sign, Span::styled(format!(" {text}"), theme::STRONG)])
                .render(row, buf);
            let aside = if at == 0 { self.key() } else { self.state() };
            let columns = u16::try_from(aside.width()).unwrap_or(ASIDE).min(row.width);
            let place = Rect { x: row.right() - columns, width: columns, ..row };
            if at < 2 {
                aside.render(place, buf);
            }
        }
        if rows < area.height {
            let y = area.bottom().saturating_sub(1);
            super::rule(Rect { y, height: 1, ..area }, "", theme::QUIET, buf);
        }
    }
}

impl CaptionView<'_> {
    /// The key that was pressed, as a key looks.
    fn key(&self) -> Line<'static> {
        let keys = parse(&self.run.key).unwrap_or_default();
        let Some(key) = keys.first().map(keymap::name) else { return Line::default() };
        let key = format!(" {} ", safe(&key));
        Line::from(vec![Span::styled(key, theme::CURSOR), Span::from(" ")])
    }

    /// The step, and whether it waits.
    fn state(&self) -> Line<'static> {
        let (step, of) = self.run.step();
        let paused = match (self.run.is_live, self.run.is_paused) {
            (false, _) => return Line::default(),
            (true, true) => "paused  ",
            (true, false) => "",
        };
        let speed = match self.run.speed {
            100 => String::new(),
            percent => format!("{percent} %  "),
        };
        Line::styled(format!("{speed}{paused}{step} of {of} "), theme::QUIET)
    }
}
