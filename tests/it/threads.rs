//! Faults that people reported: of each store something is told that has the words for it, of its clean twin no error,
//! warning or cause. `threads.py` and `blind.py` to `blind14.py` in `tests/diagnosis` make them; `THREADS.md` beside them tells where from.

use crate::diagnosis::{cases, causes, in_threads, unpacked_from};
use std::fmt::Write;
use zarrscope::zarr::{Hierarchy, Problem, Severity};

fn text(problem: &Problem) -> String {
    let cause = problem.diagnosis.iter();
    let evidence: Vec<String> = cause
        .flat_map(|cause| [cause.evidence.clone(), vec![cause.cause.word().to_owned()]].concat())
        .collect();
    let fix = problem.error.fix.clone().unwrap_or_default();
    format!("{} {} {fix} {}", problem.error.code, problem.error, evidence.join(" "))
}

/// A table of the faults, and whether each is told with the words for it; that clean twins are silent is asserted.
fn named(archive: &str) -> String {
    let unpacked = unpacked_from(archive);
    let folder = unpacked.path();
    let cases: Vec<(String, String)> = cases(folder).into_iter().collect();
    let found = in_threads(&cases, |(case, _)| {
        let twin = |name| {
            let store = folder.join(case).join(name);
            let zip = store.join("store.zip");
            let path = if zip.exists() { &zip } else { &store };
            match Hierarchy::open(path) {
                Ok(_) => causes(path).1,
                Err(error) => vec![Problem::failed(error)],
            }
        };
        (twin("fault"), twin("clean"))
    });
    let (mut table, mut named) = (String::new(), 0);
    for ((case, words), (fault, clean)) in cases.iter().zip(found) {
        let loud =
            clean.iter().filter(|it| it.severity >= Severity::Warning || it.diagnosis.is_some());
        let loud: Vec<String> = loud.map(text).collect();
        assert!(loud.is_empty(), "{case}: its clean twin has {loud:#?}");
        let has = |problem: &&Problem| {
            let text = text(problem);
            words.split('|').all(|word| text.contains(word))
        };
        let hit = fault.iter().find(has);
        named += usize::from(hit.is_some());
        let sign = if hit.is_some() { "named " } else { "missed" };
        let code = hit.map_or("", |hit| hit.error.code.as_str());
        writeln!(table, "{sign} {case:26} {code:24} {words}").unwrap();
    }
    writeln!(table, "{named} of {}", cases.len()).unwrap();
    table
}

#[test]
fn faults_that_people_reported_are_named_and_clean_twins_silent() {
    insta::assert_snapshot!(named("threads.zip"));
}

#[test]
fn faults_that_were_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind.zip"));
}

#[test]
fn faults_of_a_second_set_that_was_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind2.zip"));
}

#[test]
fn faults_of_a_third_set_that_was_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind3.zip"));
}

#[test]
fn faults_of_a_fourth_set_that_was_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind4.zip"));
}

#[test]
fn faults_of_a_fifth_set_that_was_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind5.zip"));
}

#[test]
fn faults_of_a_sixth_set_that_was_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind6.zip"));
}

#[test]
fn faults_of_a_seventh_set_that_was_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind7.zip"));
}

#[test]
fn faults_of_an_eighth_set_that_was_written_without_a_look_at_the_program_are_named() {
    insta::assert_snapshot!(named("blind8.zip"));
}

#[test]
fn faults_of_draws_that_were_not_told_at_first_are_named() {
    insta::assert_snapshot!(named("draws.zip"));
}
