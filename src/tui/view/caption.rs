//! The caption of a key script that is being played: what is said, the key that was pressed, and how far it is.

use crate::{
    app::key_script::ScriptRun,
    tui::{
        keymap,
        panes::{self, NARROW},
        script::parse,
        theme,
    },
    zarr::{signs, text::safe},
};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
    widgets::Widget,
};

/// The caption.
#[derive(Debug)]
pub struct CaptionView<'a> {
    /// The key script.
    pub run: &'a ScriptRun,
}

impl Widget for CaptionView<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let size = panes::caption_size(area);
        let (said, is_more) = self.run.shown(size);
        for (at, row) in area.rows().take(size.rows()).enumerate() {
            let text = said.get(at).map_or("", String::as_str);
            let sign = Span::styled(signs::LESSON, theme::MARK);
            Line::from(vec![sign, Span::styled(format!(" {text}"), theme::STRONG)])
                .render(row, buf);
            let aside = if at == 0 { self.key() } else { self.state(is_more, area.width < NARROW) };
            let columns = u16::try_from(aside.width()).unwrap_or(row.width).min(row.width);
            let place = Rect { x: row.right() - columns, width: columns, ..row };
            if at < 2 {
                aside.render(place, buf);
            }
        }
        if size.rows() < area.height.into() {
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

    /// The step, and what there is to know of the time or of the rest of the caption.
    fn state(&self, is_more: bool, is_narrow: bool) -> Line<'static> {
        if !self.run.is_live {
            return Line::default();
        }
        let (step, of) = self.run.step();
        let place = format!("{step} of {of} ");
        let paused = if self.run.is_paused { "paused  " } else { "" };
        let speed = match self.run.speed {
            100 => String::new(),
            percent => format!("{percent} %  "),
        };
        let text = match (is_more, is_narrow) {
            (true, true) => "PgDn more ".to_owned(),
            (true, false) => format!("PgDn more  {place}"),
            (false, true) if self.run.is_paused => paused.to_owned(),
            (false, true) => place,
            (false, false) => format!("{speed}{paused}{place}"),
        };
        Line::styled(text, theme::QUIET)
    }
}
