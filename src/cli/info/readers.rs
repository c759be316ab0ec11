//! `info --readers`: which other programs read an array, or the arrays of a group, as measured.

use crate::cli::prelude::*;
use crate::zarr::{
    readers::{self, Feature, ReaderAnswer, ReaderOutcome as Result, ReaderTally},
    words::shortened,
};

/// Prints what each reader makes of the node, or of the arrays below it; with `json`, an array a line.
pub(super) fn run(opened: &Opened, json: bool, output: &mut Output) -> CommandResult {
    let is_told = |node: &Node| matches!(node.kind, NodeKind::Array(_) | NodeKind::Broken(_));
    if is_told(&opened.node) {
        let (features, answers) = answers(opened, &opened.node, output);
        if json {
            output.json_line(&form(&opened.node.path.0, &features, &answers))?;
        } else {
            print(&answers, output)?;
        }
        return Ok(ExitStatus::Fine);
    }
    let mut tally = ReaderTally::default();
    for node in opened.nodes(|node, _| is_told(node)) {
        let (features, answers) = answers(opened, &node, output);
        let name = opened.node.path.relative(&node.path.0);
        if json {
            output.json_line(&form(name, &features, &answers))?;
        }
        tally.add(name, &answers);
    }
    if tally.arrays == 0 {
        output::complain(&format!("{}: no arrays here", opened.name));
        return Ok(ExitStatus::Undone);
    }
    if !json {
        print_tally(&tally, output)?;
    }
    Ok(ExitStatus::Fine)
}

fn answers(opened: &Opened, node: &Node, output: &Output) -> (Vec<Feature>, Vec<ReaderAnswer>) {
    let budget = Budget::default().with_limit(output.max_decoded());
    let features = readers::features_in(&opened.hierarchy, node, &budget);
    let answers = readers::table().answers(&features);
    (features, answers)
}

/// `{"path", "measured", "readers": [{"reader", "result", "text", "member", "form"}], "features": [{"member", "forms"}]}`.
fn form(path: &str, features: &[Feature], answers: &[ReaderAnswer]) -> Json {
    let reader = |answer: &ReaderAnswer| {
        object! {
            "reader": &answer.reader,
            "result": answer.outcome.as_str(),
            "text": answer.text.as_ref(),
            "member": answer.member.as_ref(),
            "form": answer.form.as_ref(),
        }
    };
    let feature = |feature: &Feature| {
        object! {"member": &feature.member, "forms": &feature.forms}
    };
    object! {
        "path": path,
        "measured": readers::MEASURED,
        "readers": answers.iter().map(reader).collect::<Json>(),
        "features": features.iter().map(feature).collect::<Json>(),
    }
}

fn role(result: Result) -> Role {
    match result {
        Result::Reads => Role::Good,
        Result::Error | Result::Crash => Role::Error,
        Result::Differs | Result::Gives => Role::Warning,
        Result::NotMeasured | Result::NotApplicable => Role::Quiet,
    }
}

fn print(answers: &[ReaderAnswer], output: &mut Output) -> Printed {
    let row = |answer: &ReaderAnswer| {
        let result = format!("{} {}", answer.outcome.sign(), answer.outcome.word());
        let why = safe_owned(&answer.sentence());
        vec![
            Cell::new(&answer.reader),
            Cell::new(result).role(role(answer.outcome)),
            Cell::new(why),
        ]
    };
    with_basis(&answers.iter().map(row).collect::<Vec<_>>(), output)
}

fn print_tally(tally: &ReaderTally, output: &mut Output) -> Printed {
    let row = |reader: &readers::Tallied| {
        let read = format!("{} of {} arrays", reader.read, tally.arrays);
        let first = reader.first.as_ref().map_or_else(String::new, |(path, answer)| {
            format!("first other result: {path}: {}", shortened(&answer.sentence(), 160))
        });
        let open = match reader.not_measured {
            0 => String::new(),
            count => format!("{count} untested"),
        };
        vec![
            Cell::new(&reader.name),
            Cell::new(read),
            Cell::quiet(open),
            Cell::new(safe_owned(&first)),
        ]
    };
    with_basis(&tally.readers.iter().map(row).collect::<Vec<_>>(), output)
}

/// Prints rows, and what they are based on.
fn with_basis(rows: &[Vec<Cell>], output: &mut Output) -> Printed {
    table::write(output, rows)?;
    output.line("")?;
    output.line(readers::BASIS)
}
