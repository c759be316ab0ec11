//! The caption of a script that is being played: what is said, the key that was pressed, and how far it is.

use crate::{
    app::key_script::ScriptRun,
    tui::theme,
    zarr::{
        signs,
        text::safe,
        words::{cut, wrap},
    },
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
        let said = wrap(&safe(&self.run.caption), width);
        // The last row is a rule where there is room for one.
        let rows = if area.height > 2 { area.height - 1 } else { area.height };
        for (at, row) in area.rows().take(rows.into()).enumerate() {
            let text = said.get(at).map_or("", |line| line.trim_end());
            let is_cut = at + 1 == usize::from(rows) && said.len() > usize::from(rows);
            let text = if is_cut {
                cut(&format!("{text} {}", "x".repeat(width)), width)
            } else {
                text.into()
            };
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
        if self.run.key.is_empty() {
            return Line::default();
        }
        let key = format!(" {} ", safe(&self.run.key));
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
