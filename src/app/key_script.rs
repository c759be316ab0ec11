//! Key scripts: keys with captions, played in the terminal for a lecture, or made into a picture.
//!
//! A script is a text file in the form of lessons: lines of `name: text`, `---` before each step. screenshots/README.md
//! describes it; the pictures of the README are made of such files.

use super::{
    Action, App, Effect,
    action::ScriptAction,
    lesson::parse::{Entry, at, blocks, unknown},
};
use crate::zarr::words::counted;
use std::{sync::Arc, time::Duration};

/// The most steps of a script, and the most keys of a step.
const MOST: (usize, usize) = (500, 1000);
/// The longest pause, in seconds.
const LONGEST: f64 = 600.0;
/// The time between two keys, and after the last one of a step, where the script does not say.
const PAUSES: (Duration, Duration) = (Duration::from_millis(900), Duration::from_millis(2500));
/// The part of the time between two keys that is enough where one types a line.
const TYPING: u32 = 8;
/// The slowest and the fastest speed, in percent.
const SPEEDS: (u32, u32) = (10, 1000);

/// A script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyScript {
    /// The store, from the folder of the file on; `None` for the sample stores in the program.
    pub store: Option<String>,
    /// The node, chunk or element where it starts.
    pub at: Option<String>,
    /// Columns and rows of its pictures.
    pub size: (u16, u16),
    /// The time between two keys.
    pub pause: Duration,
    /// The step whose end is shown where nothing can move, from 1 on; without it, the last.
    pub still: Option<usize>,
    /// Its steps; never none.
    pub steps: Vec<KeyStep>,
}

/// A step of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStep {
    /// What is said; `None` keeps the caption of the step before.
    pub caption: Option<String>,
    /// The keys, as `--keys` takes them.
    pub keys: String,
    /// The time after the last of them.
    pub pause: Duration,
}

/// Reads a script.
///
/// # Errors
///
/// A sentence that names the line and what was expected there.
pub fn parse(text: &str) -> Result<KeyScript, String> {
    let mut blocks = blocks(text)?.into_iter();
    let mut script = KeyScript {
        store: None,
        at: None,
        size: (120, 40),
        pause: PAUSES.0,
        still: None,
        steps: Vec::new(),
    };
    for (line, name, value) in blocks.next().unwrap_or_default() {
        match name.as_str() {
            "store" => script.store = Some(value),
            "at" => script.at = Some(value),
            "size" => script.size = size(&value).map_err(|why| at(line, &why))?,
            "pause" => script.pause = seconds(line, &value)?,
            "still" => {
                let step = value.parse().map_err(|_none| at(line, "still needs a number"))?;
                script.still = Some(step);
            }
            _ => return Err(unknown(line, &name, "store, at, size, pause, still")),
        }
    }
    script.steps = blocks.map(step).collect::<Result<_, _>>()?;
    match (script.steps.len(), script.still) {
        (0, _) => Err("A script has at least one step: a line `---`, then `keys: …`.".into()),
        (count, _) if count > MOST.0 => Err(format!("A script has at most {} steps.", MOST.0)),
        (count, Some(still)) if still == 0 || still > count => Err(format!(
            "still: {still} is not a step; the script has {}",
            counted(count as u64, "step")
        )),
        _ => Ok(script),
    }
}

fn step(entries: Vec<Entry>) -> Result<KeyStep, String> {
    let mut step = KeyStep { caption: None, keys: String::new(), pause: PAUSES.1 };
    for (line, name, value) in entries {
        match name.as_str() {
            "caption" => step.caption = Some(value),
            "keys" if split(&value).count() > MOST.1 => {
                return Err(at(line, &format!("a step has at most {} keys", MOST.1)));
            }
            "keys" => step.keys = value,
            "pause" => step.pause = seconds(line, &value)?,
            _ => return Err(unknown(line, &name, "caption, keys, pause")),
        }
    }
    Ok(step)
}

fn seconds(line: usize, text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|it| (0.0..=LONGEST).contains(it));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| at(line, &format!("a pause is a number of seconds from 0 to {LONGEST}")))
}

/// Columns and rows, as in `120x40`.
///
/// # Errors
///
/// What was expected.
pub fn size(text: &str) -> Result<(u16, u16), String> {
    let numbers =
        text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    // What a picture costs grows with its area; no screen is larger.
    let fits = |&(w, h): &(u16, u16)| (1..=1000).contains(&w) && (1..=1000).contains(&h);
    numbers.filter(fits).ok_or_else(|| "COLUMNSxROWS, such as 120x40, at most 1000x1000".to_owned())
}

/// The keys in a text of keys, each as it is written: `j`, `<enter>`.
pub fn split(keys: &str) -> impl Iterator<Item = &str> {
    let mut rest = keys;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let word = rest.strip_prefix('<').and_then(|inner| inner.find('>'));
        let (key, behind) =
            rest.split_at_checked(word.map_or_else(|| first.len_utf8(), |end| end + 2))?;
        rest = behind;
        Some(key)
    })
}

/// A script that is being played.
#[derive(Debug, Clone)]
pub struct ScriptRun {
    beats: Arc<[Beat]>,
    /// The number of beats that have been played.
    played: usize,
    /// What is said.
    pub caption: String,
    /// The key that was pressed last, as the script writes it; empty before the first one of a step.
    pub key: String,
    /// True if it goes on only when somebody says so.
    pub is_paused: bool,
    /// True if somebody is there whose keys play it; in a picture nobody is.
    pub is_live: bool,
    /// How fast it is, in percent.
    pub speed: u32,
}

/// What happens at a time: a caption appears, or a key is pressed.
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
        let mut run = Self {
            beats: beats.collect(),
            played: 0,
            caption: String::new(),
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
                self.script = None;
                self.shared.say("the script has ended; the keyboard is yours");
            }
            Some(Some(_)) | None => {}
        }
        std::mem::take(&mut self.shared.effects)
    }

    /// What `:play` asks for.
    pub(super) fn play(&mut self, file: &str) {
        match file {
            "" => self.shared.fail("play needs a file: play lecture.keys"),
            "off" => {
                self.script = None;
                self.shared.effects.push(Effect::EndLesson);
            }
            _ => self.shared.effects.push(Effect::Play(file.to_owned())),
        }
    }

    /// What the user's keys do to the script. Nothing else changes: its own keys may be half typed.
    pub(super) fn act_on_script(&mut self, action: ScriptAction) -> Vec<Effect> {
        let Some(run) = &mut self.script else { return Vec::new() };
        match action {
            ScriptAction::Next => return self.play_next(),
            ScriptAction::Pause => run.is_paused = !run.is_paused,
            ScriptAction::Faster => run.speed = (run.speed * 5 / 4).min(SPEEDS.1),
            ScriptAction::Slower => run.speed = (run.speed * 4 / 5).max(SPEEDS.0),
            ScriptAction::Stop => {
                self.script = None;
                self.shared.say("script stopped; the keyboard is yours");
            }
        }
        std::mem::take(&mut self.shared.effects)
    }

    /// Takes out of `effects` what a script must not ask for: its file may be a stranger's.
    pub(super) fn only_looking(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
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
    pub(super) fn update_script(&mut self, action: Action) -> Option<Vec<Effect>> {
        match action {
            Action::Script(action) => Some(self.act_on_script(action)),
            Action::Unbound(_) if self.is_performing() => {
                self.shared
                    .say("a script is playing: Space presses its next key, p pauses, Esc stops it");
                Some(std::mem::take(&mut self.shared.effects))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "store: ../a\nat: b\nsize: 80x24\npause: 0.5\nstill: 1\n---\ncaption: One\n  line.\n\
                         keys: j<enter>\npause: 3\n---\nkeys: <lt><c-d>\n";

    #[test]
    fn a_script_is_read() {
        let script = parse(SMALL).unwrap();
        assert_eq!((script.size, script.still), ((80, 24), Some(1)));
        assert_eq!(script.steps[0].caption.as_deref(), Some("One line."));
        assert_eq!(script.steps[0].pause, Duration::from_secs(3));
        assert_eq!((script.steps[1].keys.as_str(), script.steps[1].pause), ("<lt><c-d>", PAUSES.1));
    }

    #[test]
    fn what_is_no_script_names_its_line() {
        for (from, to, said) in [
            ("size: 80x24", "size: 80", "line 3: COLUMNSxROWS"),
            ("pause: 0.5", "pause: soon", "line 4: a pause is a number"),
            ("pause: 3", "pause: -1", "line 10: a pause is a number"),
            ("still: 1", "still: 3", "still: 3 is not a step; the script has 2 steps"),
            ("keys: j", "key: j", "line 9: unknown name key"),
            ("at: b", "at b", "line 2: expected `name: text`"),
        ] {
            let why = parse(&SMALL.replacen(from, to, 1)).unwrap_err();
            assert!(why.contains(said), "{why} for {to}");
        }
        assert!(parse("at: b\n").unwrap_err().contains("at least one step"));
    }

    #[test]
    fn keys_are_split() {
        let keys: Vec<_> = split("j<enter>é<c-d><x").collect();
        assert_eq!(keys, ["j", "<enter>", "é", "<c-d>", "<", "x"]);
    }

    #[test]
    fn beats_have_their_times() {
        let mut run = ScriptRun::new(&parse(SMALL).unwrap(), false);
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
}
