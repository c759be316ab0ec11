//! The table of readers, condensed from the measured cases of tests/readers/matrix.json. To write it anew:
//!
//!     BLESS=1 cargo test --test it readers_table
//!
//! The meaning of each form of a member to a reader is concluded from the cases that the form is in:
//!
//! - A form that is in a document which was read is harmless.
//! - What was refused is blamed on the form of it that is not harmless; where several are not, on those that the error
//!   names, else on those that the case is about. Where all are harmless, two that never met in a document that was read are blamed together.
//! - A general form has the letter that all its special forms share, two at least.

use crate::readers::{CASES, Case, cases};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fmt::Write as _,
    fs, iter,
};
use zarrscope::zarr::{
    Budget, Json, NodePath,
    readers::{Feature, ReaderOutcome, Table, features_in},
};

const PATH: &str = "src/zarr/readers/table.tsv";

/// Cases about the group around an array, whose document, or whose want of one, the matrix does not hold.
const OTHERS: [&str; 2] = ["v3-meta-group-implicit", "v23-meta-v2-in-v3-group"];

/// A case as the table sees it.
struct Measured {
    name: String,
    features: Vec<Feature>,
    /// The members that the case is about.
    about: Vec<String>,
    /// By reader: the letter of the outcome, and what the reader said.
    outcomes: Vec<(u8, String)>,
}

impl Measured {
    /// The special forms.
    fn forms(&self) -> impl Iterator<Item = &str> {
        self.features.iter().map(|feature| feature.forms[0].as_str())
    }

    /// True if there are documents in both formats: what is read may be the other one.
    fn is_double(&self) -> bool {
        self.features.iter().any(|feature| feature.forms[0].contains("documents in both formats"))
    }

    /// True if the case is about `feature`.
    fn is_about(&self, feature: &Feature) -> bool {
        let member: String = feature.member.chars().filter(|c| !c.is_ascii_digit()).collect();
        self.about.iter().any(|about| {
            member.starts_with(about.as_str())
                || about == "stored" && feature.member == "(chunks)"
                || feature.member == "(group)" && about.starts_with(['.', '('])
        })
    }
}

fn readers() -> Vec<String> {
    let readers = CASES[0].0.get("readers").and_then(Json::as_object).unwrap();
    readers.iter().map(|reader| reader.key.to_string()).collect()
}

fn measured(case: &Case) -> Measured {
    let hierarchy = case.store();
    let node = hierarchy.node(&NodePath("a".into()));
    let mut features = features_in(&hierarchy, &node, &Budget::default());
    // That nothing reads as the fill value is nothing that was measured.
    for feature in &mut features {
        feature.forms.retain(|form| !form.ends_with("that no element reads as"));
    }
    let about = case.0.get("features").and_then(Json::as_array).unwrap_or_default();
    let about = about.iter().filter_map(|one| one.get("member")?.as_str());
    let about =
        about.map(|member| member.chars().filter(|c| !c.is_ascii_digit()).collect()).collect();
    let outcome = |reader: &String| {
        let answer = case.0.get("readers").unwrap().get(reader).unwrap();
        let text = |key| answer.get(key).and_then(Json::as_str).unwrap_or_default();
        (letter(text("outcome"), text("detail")), text("detail").to_owned())
    };
    let outcomes = readers().iter().map(outcome).collect();
    Measured { name: case.text("case").into(), features, about, outcomes }
}

/// In the details of what is read with something that the reader does not always have.
const WITHOUT: &str = "without the ";

fn letter(outcome: &str, detail: &str) -> u8 {
    match outcome {
        "reads" if detail.contains(WITHOUT) => b'O',
        "reads" => b'R',
        "differs" => b'D',
        "error" => b'E',
        "crash" => b'C',
        "gives" => b'G',
        _ if detail == "V2 only" => b'N',
        _ if detail == "no CF decoding" => b'.',
        _ => b'?',
    }
}

/// The conclusions for one reader.
#[derive(Default)]
struct Concluded {
    forms: HashMap<String, (u8, String)>,
    joint: BTreeMap<Vec<String>, (u8, String)>,
}

impl Concluded {
    /// Says that `form` means `letter`, unless something worse is known of it.
    fn blame(&mut self, form: &str, letter: u8, text: &str) {
        let entry = self.forms.entry(form.into()).or_insert_with(|| (letter, text.into()));
        if rank(letter) > rank(entry.0) {
            *entry = (letter, text.into());
        }
    }
}

impl Concluded {
    /// Blames what `case` gives in `reader` on `suspects`, or on what `others` do not have together.
    fn explain(
        &mut self,
        case: &Measured,
        reader: usize,
        suspects: Vec<&Feature>,
        others: &[&Measured],
    ) {
        let (letter, text) = &case.outcomes[reader];
        let suspects = named(suspects, text);
        let known = |feature: &&Feature| self.forms.get(&feature.forms[0]).map(|known| known.0);
        if suspects.is_empty() {
            self.joint.insert(together(case, others), (*letter, text.clone()));
            return;
        }
        if suspects.iter().any(|feature| known(feature) == Some(*letter)) {
            return;
        }
        // Values are as wrong as their worst form; a refusal is blamed on as little as possible.
        let is_of_values = matches!(letter, b'D' | b'G');
        let blamed = if is_of_values { suspects } else { likely(case, suspects) };
        for feature in blamed {
            self.blame(&feature.forms[0], *letter, text);
        }
    }
}

/// The cases with one of these outcomes, as far as it is known which document was read.
fn with<'a>(cases: &[&'a Measured], reader: usize, letters: &[u8]) -> Vec<&'a Measured> {
    let is_one =
        |case: &&&Measured| letters.contains(&case.outcomes[reader].0) && !case.is_double();
    cases.iter().filter(is_one).copied().collect()
}

fn conclude(cases: &[&Measured], reader: usize) -> Concluded {
    let mut out = Concluded::default();
    let (read, taken) = (with(cases, reader, b"RO"), with(cases, reader, b"ROGD"));
    let plain = with(cases, reader, b"R");
    let harmless: HashSet<&str> = plain.iter().flat_map(|case| case.forms()).collect();
    let accepted: HashSet<&str> = taken.iter().flat_map(|case| case.forms()).collect();
    // What is no JSON can be broken in any place: that one such document was read says nothing of others.
    for form in harmless.iter().filter(|form| !form.contains("document: invalid-json")) {
        out.blame(form, b'R', "");
    }
    let mut open = Vec::new();
    for case in cases {
        let (letter, text) = &case.outcomes[reader];
        let known = if matches!(letter, b'E' | b'C') { &accepted } else { &harmless };
        let is_suspect = |feature: &&Feature| !known.contains(feature.forms[0].as_str());
        match letter {
            b'N' => case.forms().for_each(|form| out.blame(form, b'N', text)),
            b'.' => {
                case.forms()
                    .filter(|form| form.contains("CF attribute"))
                    .for_each(|form| out.blame(form, b'.', text));
            }
            b'O' | b'D' | b'E' | b'C' | b'G' => {
                open.push((case.features.iter().filter(is_suspect).collect::<Vec<_>>(), *case));
            }
            _ => {}
        }
    }
    // Those first in which one form alone can be to blame.
    open.sort_by_key(|(suspects, _)| suspects.len());
    for (suspects, case) in open {
        let others = if matches!(case.outcomes[reader].0, b'E' | b'C') { &taken } else { &read };
        out.explain(case, reader, suspects, others);
    }
    generalise(cases, &mut out);
    out
}

/// Those of `suspects` whose name, such as a codec's, the error tells; all where it tells none.
fn named<'a>(suspects: Vec<&'a Feature>, error: &str) -> Vec<&'a Feature> {
    let is_part = |c: char| c.is_alphanumeric() || "_.".contains(c);
    let words: HashSet<&str> = error.split(|c| !is_part(c)).collect();
    let name = |feature: &Feature| -> Option<String> {
        let (_, rest) = feature.forms.last()?.split_once(" codec ")?;
        rest.split([',', ' ']).next().map(str::to_owned)
    };
    let is_named = |feature: &&Feature| name(feature).is_some_and(|it| words.contains(it.as_str()));
    let told: Vec<&Feature> = suspects.iter().copied().filter(is_named).collect();
    if told.is_empty() { suspects } else { told }
}

/// Those of `suspects` that the case is about, and that are no finding but a form.
fn likely<'a>(case: &Measured, mut suspects: Vec<&'a Feature>) -> Vec<&'a Feature> {
    let is_form = |feature: &&Feature| !feature.forms[0].contains(": finding ");
    if suspects.iter().any(|feature| case.is_about(feature)) {
        suspects.retain(|feature| case.is_about(feature));
    }
    if suspects.iter().any(is_form) {
        suspects.retain(is_form);
    }
    suspects
}

fn rank(letter: u8) -> usize {
    b"?.ROGDECN".iter().position(|known| *known == letter).unwrap_or_default()
}

/// Two forms of `case` that none of `others` has together, or three; those it is about first. All its forms, where each
/// three are together somewhere.
fn together(case: &Measured, others: &[&Measured]) -> Vec<String> {
    let mut features: Vec<&Feature> = case.features.iter().collect();
    features.sort_by_key(|feature| !case.is_about(feature));
    let forms: Vec<&str> = features.iter().map(|feature| feature.forms[0].as_str()).collect();
    let mut three = None;
    for (at, a) in forms.iter().enumerate() {
        let with_a = among(others, a);
        for (next, b) in forms.iter().enumerate().skip(at + 1) {
            let with_both = among(&with_a, b);
            if with_both.is_empty() {
                return sorted(&[a, b]);
            }
            if three.is_none() {
                let third = forms[next + 1..].iter().find(|c| among(&with_both, c).is_empty());
                three = third.map(|c| sorted(&[a, b, c]));
            }
        }
    }
    three.unwrap_or_else(|| sorted(&forms))
}

/// Those of `cases` that have `form`.
fn among<'a>(cases: &[&'a Measured], form: &str) -> Vec<&'a Measured> {
    cases.iter().filter(|case| case.forms().any(|known| known == form)).copied().collect()
}

fn sorted(forms: &[&str]) -> Vec<String> {
    forms.iter().map(|&form| form.to_owned()).collect::<BTreeSet<_>>().into_iter().collect()
}

fn generalise(cases: &[&Measured], out: &mut Concluded) {
    let mut children: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for feature in cases.iter().flat_map(|case| &case.features) {
        for general in &feature.forms[1..] {
            children.entry(general).or_default().insert(&feature.forms[0]);
        }
    }
    let mut found = Vec::new();
    for (general, special) in children {
        let known: Vec<_> = special.iter().filter_map(|form| out.forms.get(*form)).collect();
        let Some((letter, text)) = known.first() else { continue };
        let is_guess = general.contains("unknown name") && *letter != b'E';
        if known.len() > 1 && !is_guess && known.iter().all(|(other, _)| other == letter) {
            found.push((general.to_owned(), (*letter, text.clone())));
        }
    }
    for (general, known) in found {
        out.forms.entry(general).or_insert(known);
    }
}

/// The table of `cases`.
fn condense(cases: &[&Measured]) -> String {
    let names = readers();
    let concluded: Vec<_> = (0..names.len()).map(|reader| conclude(cases, reader)).collect();
    let mut texts: Vec<String> = Vec::new();
    let mut rows = BTreeMap::<String, Vec<Option<(u8, String)>>>::new();
    for (reader, one) in concluded.into_iter().enumerate() {
        let forms = one.forms.into_iter();
        for (form, known) in
            forms.chain(one.joint.into_iter().map(|(forms, known)| (forms.join(" & "), known)))
        {
            rows.entry(form).or_insert_with(|| vec![None; names.len()])[reader] = Some(known);
        }
    }
    let mut body = String::new();
    for (form, known) in rows {
        let mut numbers = Vec::new();
        let letters: String =
            known.iter().map(|one| char::from(one.as_ref().map_or(b'?', |one| one.0))).collect();
        for (letter, text) in known.into_iter().flatten() {
            if b"DECGNO".contains(&letter) {
                let at = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
                    texts.push(text);
                    texts.len() - 1
                });
                numbers.push(at.to_string());
            }
        }
        writeln!(body, "{form}\t{letters}\t{}", numbers.join(" ")).unwrap();
    }
    let head = "# Made from tests/readers/matrix.json (2026-11) by tests/it/readers_table.rs; src/zarr/readers/table.rs explains it.";
    let names = iter::once("readers".to_owned()).chain(names).collect::<Vec<_>>().join("\t");
    let texts: String = texts
        .iter()
        .fold(String::new(), |all, text| all + "=\t" + &text.replace(['\t', '\n'], " ") + "\n");
    format!("{head}\n{names}\n{texts}{body}")
}

/// The answers of a table compared with what was measured.
#[derive(Debug, Default, PartialEq)]
struct Score {
    asked: usize,
    answered: usize,
    right: usize,
    /// Said to be read, though it is not.
    false_reads: Vec<String>,
    wrong: Vec<String>,
}

impl Score {
    fn add(&mut self, table: &Table, case: &Measured) {
        for (answer, (letter, _)) in table.answers(&case.features).iter().zip(&case.outcomes) {
            let truth = match letter {
                b'R' | b'O' => ReaderOutcome::Reads,
                b'D' => ReaderOutcome::Differs,
                b'E' => ReaderOutcome::Error,
                b'C' => ReaderOutcome::Crash,
                b'G' => ReaderOutcome::Gives,
                b'N' => ReaderOutcome::NotApplicable,
                _ => continue,
            };
            self.asked += 1;
            if answer.outcome == ReaderOutcome::NotMeasured {
                continue;
            }
            self.answered += 1;
            if answer.outcome == truth {
                self.right += 1;
                continue;
            }
            let line = format!(
                "{} {}: {:?} instead of {truth:?} ({:?})",
                case.name, answer.reader, answer.outcome, answer.form
            );
            if answer.outcome == ReaderOutcome::Reads {
                self.false_reads.push(line.clone());
            }
            self.wrong.push(line);
        }
    }
}

fn measured_cases() -> Vec<Measured> {
    let cases = CASES.iter().filter(|case| !OTHERS.contains(&case.text("case")));
    cases.map(measured).collect()
}

/// The table is the one in the repository, it gives the answers of the matrix, and it never takes for read what is not.
#[test]
fn the_table_gives_what_was_measured() {
    let cases = measured_cases();
    let text = condense(&cases.iter().collect::<Vec<_>>());
    if std::env::var_os("BLESS").is_some() {
        fs::write(PATH, &text).unwrap();
    }
    assert!(fs::read_to_string(PATH).unwrap() == text, "BLESS=1 writes {PATH}");
    let table = Table::parse(&text);
    let mut score = Score::default();
    for case in &cases {
        score.add(&table, case);
    }
    let Score { asked, answered, right, .. } = score;
    println!("{asked} asked, {answered} answered, {right} right");
    assert!(score.false_reads.is_empty(), "{}", score.false_reads.join("\n"));
    assert!(right * 100 >= asked * 97, "{right} of {asked}:\n{}", score.wrong.join("\n"));
}

/// Documents as xarray, anndata, ome-zarr and zarr-python wrote them: of each reader nearly all are answered.
#[test]
fn what_is_written_ordinarily_is_answered() {
    let table = Table::parse(&fs::read_to_string(PATH).unwrap());
    let written = cases(include_bytes!("../readers/written.json"));
    let mut open: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in &written {
        let node = case.store().node(&NodePath("a".into()));
        for answer in table.answers(&zarrscope::zarr::readers::features(&node)) {
            if answer.outcome == ReaderOutcome::NotMeasured {
                let form = answer.form.unwrap_or_default();
                open.entry(answer.reader)
                    .or_default()
                    .push(format!("{}: {form}", case.text("case")));
            }
        }
    }
    assert!(written.len() > 100, "{}", written.len());
    // These two were not run on the ordinary cases.
    let was_run = |reader: &str| !["zarrs 0.23.14", "GDAL 3.6.2"].contains(&reader);
    for (reader, open) in open.iter().filter(|(reader, _)| was_run(reader)) {
        assert!(open.len() * 20 < written.len(), "{reader}: {}", open.join("\n"));
    }
}

/// Documents of a kind that was not measured: each family of cases is asked of a table made without it.
#[test]
#[ignore = "takes minutes: 130 tables are made"]
fn families_that_were_left_out_are_not_taken_for_read() {
    let cases = measured_cases();
    let family = |case: &Measured| case.name.splitn(4, '-').take(3).collect::<Vec<_>>().join("-");
    let mut score = Score::default();
    for one in cases.iter().map(family).collect::<BTreeSet<String>>() {
        let rest: Vec<_> = cases.iter().filter(|case| family(case) != one).collect();
        let table = Table::parse(&condense(&rest));
        for case in cases.iter().filter(|case| family(case) == one) {
            score.add(&table, case);
        }
    }
    let Score { asked, answered, right, .. } = score;
    println!("{asked} asked, {answered} answered, {right} right");
    println!("{} taken for read:\n{}", score.false_reads.len(), score.false_reads.join("\n"));
    assert!(answered * 10 >= asked * 4, "{answered} of {asked} are answered");
    assert!(right * 100 >= answered * 93, "{right} of {answered}:\n{}", score.wrong.join("\n"));
    assert!(score.false_reads.len() * 400 <= answered, "{}", score.false_reads.join("\n"));
}
