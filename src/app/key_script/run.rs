//! A key script that is being played.

use super::{KeyScript, KeyStep, parse::split};
use crate::{
    app::{
        Action, App, Effect,
        action::{Direction, ScriptAction},
        held::HeldInputs,
        layout::Size,
    },
    zarr::{
        text::safe,
        words::{wrap, wrap_to},
    },
};
use std::{sync::Arc, time::Duration};
use unicode_width::UnicodeWidthStr as _;

/// The part of the time between two keys that is enough where one types a line.
const TYPING: u32 = 8;
/// The slowest and the fastest speed, in percent.
const SPEEDS: (u32, u32) = (10, 1000);

/// A key script that is being played.
#[derive(Debug, Clone)]
pub struct ScriptRun {
    beats: Arc<[Beat]>,
    /// The longest caption: what is said of the lines that all of them need is asked for in every frame.
    longest: Arc<str>,
    /// The number of beats that have been played.
    played: usize,
    /// The caption.
    pub caption: String,
    /// The first line of it that is in sight.
    first: usize,
    /// The key that was pressed last, as the script writes it; empty before the first one of a step.
    pub key: String,
    /// True if it goes on only when somebody says so.
    pub is_paused: bool,
    /// True if somebody is there whose keys play it; in a picture nobody is.
    pub is_live: bool,
    /// The speed, in percent.
    pub speed: u32,
}

/// An event of a script: a caption appears, or a key is pressed.
#[derive(Debug)]
struct Beat {
    step: usize,
    caption: Option<String>,
    key: String,
    /// The time until the next one.
    pause: Duration,
    is_last_of_step: bool,
}

impl ScriptRun {
    /// A script before its first key, its first caption on show.
    #[must_use]
    pub fn new(script: &KeyScript, is_live: bool) -> Self {
        let beats = script.steps.iter().enumerate().flat_map(|(at, step)| beats(script, at, step));
        let beats: Arc<[Beat]> = beats.collect();
        let captions = beats.iter().filter_map(|beat| beat.caption.as_deref());
        let longest = captions.max_by_key(|caption| caption.width()).unwrap_or_default().into();
        let mut run = Self {
            beats,
            longest,
            played: 0,
            caption: String::new(),
            first: 0,
            key: String::new(),
            is_paused: false,
            is_live,
            speed: 100,
        };
        run.advance();
        run
    }

    /// True if there are captions: they have lines of their own from the first frame on.
    #[must_use]
    pub fn has_captions(&self) -> bool {
        self.is_live || self.beats.iter().any(|beat| beat.caption.is_some())
    }

    /// The lines that the longest caption needs: a view that moved with each caption would be hard to look at.
    #[must_use]
    pub fn rows_wanted(&self, width: usize) -> usize {
        let rows = |caption: &str| wrap(&safe(caption), width).len();
        rows(&self.longest).max(rows(&self.caption))
    }

    /// The lines of the caption that are in sight, and true if more follow.
    #[must_use]
    pub fn shown(&self, size: Size) -> (Vec<String>, bool) {
        let caption = safe(&self.caption);
        if !self.is_live {
            // In a picture nobody scrolls.
            return (wrap_to(&caption, size.width.into(), size.rows()), false);
        }
        let lines = wrap(&caption, size.width.into());
        // Where there is more room than there was, the end of the caption fills it.
        let first = self.first.min(lines.len().saturating_sub(size.rows()));
        let is_more = lines.len() > first + size.rows();
        (lines.into_iter().skip(first).take(size.rows()).collect(), is_more)
    }

    /// Scrolls a caption that has more lines than there is room for.
    fn scroll(&mut self, to: Direction, size: Size) {
        let lines = wrap(&safe(&self.caption), size.width.into()).len();
        let last = lines.saturating_sub(size.rows());
        self.first = match to {
            Direction::Next => (self.first + size.rows()).min(last),
            Direction::Previous => self.first.saturating_sub(size.rows()),
        };
    }

    /// The step, from 1 on, and the number of steps.
    #[must_use]
    pub fn step(&self) -> (usize, usize) {
        let step = |beat: Option<&Beat>| beat.map_or(0, |beat| beat.step + 1);
        (step(self.current()), step(self.beats.last()))
    }

    /// True if everything has been played.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.played >= self.beats.len()
    }

    fn current(&self) -> Option<&Beat> {
        self.beats.get(self.played.checked_sub(1)?)
    }

    /// The key of the next beat, which may be none; `None` at the end.
    fn advance(&mut self) -> Option<String> {
        let beat = self.beats.get(self.played)?;
        self.played += 1;
        if let Some(caption) = &beat.caption {
            self.caption.clone_from(caption);
            self.first = 0;
        }
        self.key.clone_from(&beat.key);
        Some(beat.key.clone())
    }

    /// The time until the next beat; where a line is typed, short.
    fn pause(&self, is_typing: bool) -> Duration {
        let Some(beat) = self.current() else { return Duration::ZERO };
        let pause =
            if is_typing && !beat.is_last_of_step { beat.pause / TYPING } else { beat.pause };
        pause * 100 / self.speed.max(1)
    }
}

/// The beats of a step.
fn beats(script: &KeyScript, at: usize, step: &KeyStep) -> Vec<Beat> {
    let beat = |caption: Option<&String>, key: &str, pause| Beat {
        step: at,
        caption: caption.cloned(),
        key: key.to_owned(),
        pause,
        is_last_of_step: false,
    };
    let mut beats = Vec::new();
    // Who is to read a caption needs a moment before something happens.
    if at == 0 || step.caption.is_some() || step.keys.is_empty() {
        beats.push(beat(step.caption.as_ref(), "", script.pause * 2));
    }
    beats.extend(split(&step.keys).map(|key| beat(None, key, script.pause)));
    if let Some(last) = beats.last_mut() {
        (last.pause, last.is_last_of_step) = (step.pause, true);
    }
    beats
}

impl App {
    /// True if a script is being played that the user's keys control.
    #[must_use]
    pub fn is_performing(&self) -> bool {
        self.script.as_ref().is_some_and(|run| run.is_live)
    }

    /// The time until the next key of the script that is being played; `None` if there is none, or it waits.
    #[must_use]
    pub fn next_beat_in(&self) -> Option<Duration> {
        let run = self.script.as_ref().filter(|run| !run.is_paused)?;
        Some(run.pause(self.contexts().first().is_some_and(|context| context.is_typing())))
    }

    /// Plays the next key of the script.
    pub fn play_next(&mut self) -> Vec<Effect> {
        match self.script.as_mut().map(ScriptRun::advance) {
            Some(Some(keys)) if !keys.is_empty() => self.shared.effects.push(Effect::Press(keys)),
            Some(None) => {
                self.end_script();
                self.shared.say("the key script has ended; the keyboard is yours");
            }
            Some(Some(_)) | None => {}
        }
        std::mem::take(&mut self.shared.effects)
    }

    /// Ends the script, with what it has asked for and still waits: nobody but it wanted that.
    fn end_script(&mut self) {
        (self.script, self.held) = (None, HeldInputs::default());
    }

    /// Carries out `:play`.
    pub(in crate::app) fn play(&mut self, file: &str) {
        match file {
            "" => self.shared.fail("play needs a file: play lecture.keys"),
            "off" => {
                self.end_script();
                self.shared.effects.push(Effect::EndLesson);
            }
            _ => self.shared.effects.push(Effect::Play(file.to_owned())),
        }
    }

    /// Carries out the user's keys on the script. Nothing else changes: its own keys may be half typed.
    pub(in crate::app) fn act_on_script(&mut self, action: ScriptAction) -> Vec<Effect> {
        let Some(run) = &mut self.script else { return Vec::new() };
        match action {
            ScriptAction::Next => return self.play_next(),
            ScriptAction::Scroll(to) => run.scroll(to, self.shared.geometry.caption),
            ScriptAction::Pause => run.is_paused = !run.is_paused,
            ScriptAction::Faster => run.speed = (run.speed * 5 / 4).min(SPEEDS.1),
            ScriptAction::Slower => run.speed = (run.speed * 4 / 5).max(SPEEDS.0),
            ScriptAction::Stop => {
                self.end_script();
                self.shared.say("key script stopped; the keyboard is yours");
            }
        }
        std::mem::take(&mut self.shared.effects)
    }

    /// Takes out of `effects` what a script must not ask for: its file may be a stranger's.
    pub(in crate::app) fn only_looking(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let (refused, kept): (Vec<_>, Vec<_>) =
            effects.into_iter().partition(Effect::needs_a_person);
        for effect in &refused {
            if let Effect::Run(job) = effect {
                self.shared.set_busy(job.lane, false);
            }
            self.shared.fail("a key script only looks: it cannot write, copy, or start anything");
        }
        kept
    }

    /// The script's share of an action; `None` if it is not about the script.
    pub(in crate::app) fn update_script(&mut self, action: Action) -> Option<Vec<Effect>> {
        match action {
            Action::Script(action) => Some(self.act_on_script(action)),
            Action::Unbound(_) if self.is_performing() => {
                self.shared.say(
                    "a key script is playing: Enter presses its next key, p pauses, Esc stops it",
                );
                Some(std::mem::take(&mut self.shared.effects))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::key_script::parse::key_script;

    const SMALL: &str =
        "pause: 0.5\n---\ncaption: One\n  line.\nkeys: j<enter>\npause: 3\n---\nkeys: <lt><c-d>\n";

    #[test]
    fn beats_have_their_times() {
        let mut run = ScriptRun::new(&key_script(SMALL).unwrap(), false);
        assert_eq!((run.caption.as_str(), run.key.as_str(), run.step()), ("One line.", "", (1, 2)));
        let ms = Duration::from_millis;
        assert_eq!(run.pause(false), ms(1000));
        assert_eq!(run.advance().as_deref(), Some("j"));
        assert_eq!((run.pause(false), run.pause(true)), (ms(500), ms(500) / 8));
        assert_eq!(run.advance().as_deref(), Some("<enter>"));
        assert_eq!((run.pause(true), run.key.as_str()), (ms(3000), "<enter>"));
        run.speed = 200;
        assert_eq!(run.pause(false), ms(1500));
        assert_eq!(run.advance().as_deref(), Some("<lt>"));
        assert_eq!((run.caption.as_str(), run.step()), ("One line.", (2, 2)));
        assert_eq!(run.advance().as_deref(), Some("<c-d>"));
        assert_eq!(run.advance(), None);
    }

    /// A caption is scrolled to its end and no further; where it gets more room, its end fills that.
    #[test]
    fn a_long_caption_keeps_to_its_lines() {
        let text = format!("pause: 0.5\n---\ncaption: {}\nkeys: j\n", "word ".repeat(40).trim());
        let mut run = ScriptRun::new(&key_script(&text).unwrap(), true);
        let (small, large) = (Size::new(20, 3), Size::new(20, 8));
        let lines = wrap(&run.caption, 20);
        assert_eq!(lines.len(), 10);
        assert_eq!(run.shown(small), (lines[..3].to_vec(), true));
        for _ in 0..9 {
            run.scroll(Direction::Next, small);
        }
        assert_eq!((run.first, run.shown(small)), (7, (lines[7..].to_vec(), false)));
        assert_eq!(run.shown(large), (lines[2..].to_vec(), false));
        run.scroll(Direction::Previous, small);
        assert_eq!(run.shown(small), (lines[4..7].to_vec(), true));
        run.scroll(Direction::Next, Size::new(20, 40));
        assert_eq!(run.first, 0, "nothing is left to scroll to");
    }
}
