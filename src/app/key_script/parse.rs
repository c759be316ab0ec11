//! The text of a key script, in the form of `script_form.rs`.

use super::{KeyScript, KeyStep};
use crate::{
    app::script_form::{ScriptLine, at, blocks, unknown},
    zarr::words::counted,
};
use std::time::Duration;

/// The most steps of a key script, and the most keys of a step.
const MOST: (usize, usize) = (500, 1000);
/// The longest pause, in seconds.
const LONGEST: f64 = 600.0;
/// The time between two keys, and after the last one of a step, where the key script does not say.
const PAUSES: (Duration, Duration) = (Duration::from_millis(900), Duration::from_millis(2500));

/// Reads a key script.
///
/// # Errors
///
/// A sentence that names the line and what was expected there.
pub fn key_script(text: &str) -> Result<KeyScript, String> {
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
        (0, _) => Err("A key script has at least one step: a line `---`, then `keys: …`.".into()),
        (count, _) if count > MOST.0 => Err(format!("A key script has at most {} steps.", MOST.0)),
        (count, Some(still)) if still == 0 || still > count => Err(format!(
            "still: {still} is not a step; the key script has {}",
            counted(count as u64, "step")
        )),
        _ => Ok(script),
    }
}

fn step(entries: Vec<ScriptLine>) -> Result<KeyStep, String> {
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
/// The text that was expected.
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

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "store: ../a\nat: b\nsize: 80x24\npause: 0.5\nstill: 1\n---\ncaption: One\n  line.\n\
                         keys: j<enter>\npause: 3\n---\nkeys: <lt><c-d>\n";

    #[test]
    fn a_script_is_read() {
        let script = key_script(SMALL).unwrap();
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
            ("still: 1", "still: 3", "still: 3 is not a step; the key script has 2 steps"),
            ("keys: j", "key: j", "line 9: unknown name key"),
            ("at: b", "at b", "line 2: expected `name: text`"),
        ] {
            let why = key_script(&SMALL.replacen(from, to, 1)).unwrap_err();
            assert!(why.contains(said), "{why} for {to}");
        }
        assert!(key_script("at: b\n").unwrap_err().contains("at least one step"));
    }

    #[test]
    fn keys_are_split() {
        let keys: Vec<_> = split("j<enter>é<c-d><x").collect();
        assert_eq!(keys, ["j", "<enter>", "é", "<c-d>", "<", "x"]);
    }
}
