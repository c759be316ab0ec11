//! The part of a command that one machine of many does.
//!
//! Stored objects are dealt out by a hash of their keys, so that every machine knows its own without asking anybody,
//! and whatever the order in which folders are listed.

use super::prelude::*;
use std::{hash::Hasher, str::FromStr};
use twox_hash::XxHash64;

/// The advice where the numbers of tasks leave some out.
const WITHOUT_GAPS: &str =
    "Number the tasks from 0 or 1 without gaps, or name the part: --partition I/N.";

/// The options by which a command is spread over many machines.
#[derive(Debug, Clone, Args)]
pub(super) struct SpreadOptions {
    /// Do only part I of N (I starts at 1) and write its results to the file of -o; `auto`: that of this array job
    #[arg(long, hide = true, value_name = "I/N", requires = "output", conflicts_with = "merge")]
    partition: Option<PartitionValue>,
    /// The file for the results of a part; an interrupted one is continued. Without --partition, it is `auto`
    #[arg(short, long, hide = true, value_name = "PART.jsonl", conflicts_with = "merge")]
    output: Option<PathBuf>,
    /// Replace PART.jsonl if it is not a file of this part
    #[arg(short, long, hide = true, requires = "output")]
    force: bool,
    /// Print the report of the whole store from the files of all its parts
    #[arg(long, hide = true, value_name = "PART.jsonl", num_args = 1..)]
    merge: Vec<PathBuf>,
}

/// A part to be made.
#[derive(Clone, Copy)]
pub(super) struct PartJob<'a> {
    pub(super) part: Partition,
    /// The name of its file.
    pub(super) file: &'a Path,
    /// True if whatever is there now is replaced.
    pub(super) force: bool,
}

impl SpreadOptions {
    /// True if neither a part is asked for nor the report of all.
    pub(super) fn is_whole(&self) -> bool {
        self.merge.is_empty() && self.output.is_none()
    }

    /// The part that is asked for.
    ///
    /// # Errors
    ///
    /// If it is to be that of an array job, and this is none.
    fn job(&self) -> Result<Option<PartJob<'_>>> {
        let Some(file) = &self.output else { return Ok(None) };
        let wanted = self.partition.as_ref().unwrap_or(&PartitionValue::Auto(None));
        let part = wanted.resolve(&|name| env::var(name).ok())?;
        Ok(Some(PartJob { part, file, force: self.force }))
    }
}

/// A command that many machines may share: each does a part of it, and one of them prints the report from the files of
/// all parts.
pub(super) trait Mergeable: Sized {
    /// Its name.
    const COMMAND: &'static str;

    /// The part that is made of it, or that it is put together from.
    fn spread(&self) -> &SpreadOptions;

    /// The store that is named; `None` where none is.
    fn path(&self) -> Result<Option<&Path>>;

    /// The options that a part is made with, `limit` being that of decoding.
    fn options(&self, limit: u64) -> Json;

    /// The arguments together with the options of the parts: the report of all parts has them too.
    fn with(&self, options: &Json) -> Result<Self>;

    /// Does a part, and writes what is found into its file.
    fn part(&self, opened: Opened, part: Partition, file: &mut PartFile) -> Result<(), Failure>;

    /// Prints the report on what is found now, or on what the parts have found.
    fn report(
        &self,
        opened: Opened,
        parts: Option<&ReportParts>,
        output: &mut Output,
    ) -> CommandResult;

    /// Prints the report; or makes a part of that, or puts it together.
    fn run(&self, output: &mut Output) -> CommandResult {
        let files = &self.spread().merge;
        if !files.is_empty() {
            let parts = ReportParts::read(files, Self::COMMAND)?;
            let merged = self.with(&parts.options)?;
            return merged.report(parts.open(self.path()?)?, Some(&parts), output);
        }
        let job = self.spread().job()?;
        let typed = self.path()?.unwrap_or_else(|| Path::new("."));
        let opened = open(typed)?;
        let Some(job) = job else { return self.report(opened, None, output) };
        let command = (Self::COMMAND, self.options(output.limit_given()));
        let Some(mut file) = PartFile::open(command, (&opened, typed), job, output)? else {
            return Ok(ExitStatus::Fine);
        };
        self.part(opened, job.part, &mut file)?;
        file.finish().map(|()| ExitStatus::Fine)
    }
}

/// One part of so many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partition {
    /// Its number, from 1 on.
    pub(super) part: u64,
    /// The number of parts.
    pub(super) of: u64,
}

impl Partition {
    /// Part `part` of `of`; `None` where there is no such part.
    pub(super) fn new(part: u64, of: u64) -> Option<Self> {
        (1..=of).contains(&part).then_some(Self { part, of })
    }

    /// True if the object under `key`, as seen from the node that is worked on, belongs to this part.
    pub(super) fn has(self, key: &str) -> bool {
        let mut hash = XxHash64::with_seed(0);
        hash.write(key.as_bytes());
        hash.finish() % self.of == self.part - 1
    }

    /// The range of this part among `count` things that are dealt out in order.
    pub(super) fn range(self, count: u64) -> Range<u64> {
        let start = |part: u64| {
            let start = u128::from(count) * u128::from(part) / u128::from(self.of);
            u64::try_from(start).unwrap_or(count)
        };
        start(self.part - 1)..start(self.part)
    }

    /// The part that the first line of its file names.
    pub(super) fn from_json(head: &Json) -> Option<Self> {
        let number = |key: &str| head.get_u64(key);
        Self::new(number("part")?, number("of")?)
    }
}

/// The value of `--partition`.
#[derive(Debug, Clone)]
enum PartitionValue {
    /// It names the part.
    This(Partition),
    /// The part of this task of an array job, of so many if that is given.
    Auto(Option<u64>),
}

impl FromStr for PartitionValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "use I/N with I from 1 to N, such as 3/64; auto; or auto/64".to_owned();
        let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0);
        match text.split_once('/') {
            None => (text == "auto").then_some(Self::Auto(None)),
            Some(("auto", of)) => number(of).map(|of| Self::Auto(Some(of))),
            Some((part, of)) => number(part)
                .zip(number(of))
                .and_then(|(part, of)| Partition::new(part, of))
                .map(Self::This),
        }
        .ok_or_else(wrong)
    }
}

/// A scheduler of array jobs, by the variables that it gives to each task.
struct Scheduler {
    name: &'static str,
    /// The number of the task.
    index: &'static str,
    /// The lowest number of a task, where it is not 0, and the highest one.
    ends: Option<[&'static str; 2]>,
    /// The number of tasks.
    count: Option<&'static str>,
}

/// Slurm: `sbatch(1)`; Kubernetes: "Indexed Job"; AWS Batch: "Job environment variables"; Coiled: "Batch jobs" and
/// `coiled/examples`. Kubernetes tells its pods no number of them.
const SCHEDULERS: [Scheduler; 4] = [
    Scheduler {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        ends: Some(["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"]),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
    },
    Scheduler { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", ends: None, count: None },
    Scheduler {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        ends: None,
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
    },
    Scheduler {
        name: "Coiled",
        index: "COILED_BATCH_TASK_ID",
        ends: None,
        count: Some("COILED_BATCH_TASK_COUNT"),
    },
];

/// The value of an environment variable.
type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

impl PartitionValue {
    fn resolve(&self, variables: Variables<'_>) -> Result<Partition> {
        let of = match self {
            Self::This(part) => return Ok(*part),
            Self::Auto(of) => *of,
        };
        let set = |scheduler: &&Scheduler| variables(scheduler.index).is_some();
        let mut around = SCHEDULERS.iter().filter(set);
        let names = || SCHEDULERS.map(|scheduler| scheduler.index).join(", ");
        match (around.next(), around.next()) {
            (Some(scheduler), None) => scheduler.part(of, variables),
            (Some(one), Some(other)) => {
                Err(unknown(format!("both {} and {} set", one.index, other.index)))
            }
            (None, _) => Err(unknown(format!("none of {} set", names()))),
        }
    }
}

impl Scheduler {
    /// The part of this task; `of` is the number of parts where that was given.
    fn part(&self, of: Option<u64>, variables: Variables<'_>) -> Result<Partition> {
        let number = |name: &str| {
            let text = variables(name);
            let found = || unknown(format!("{name}={}", text.as_deref().unwrap_or("")));
            text.as_deref().and_then(|text| text.parse::<u64>().ok()).ok_or_else(found)
        };
        let index = number(self.index)?;
        let ends = self.ends.map(|ends| ends.map(&number));
        let (first, last) = match ends {
            None => (0, None),
            Some([first, last]) => (first?, Some(last?)),
        };
        let told = self.count.filter(|name| variables(name).is_some()).map(number).transpose()?;
        let all = last.and_then(|last| last.checked_sub(first)).map(|more| more + 1);
        let Some(count) = of.or(told).or(all) else {
            let found = format!("{} without a number of parts", self.index);
            let fix = format!("{} does not provide it: use --partition auto/N.", self.name);
            return Err(unknown(found).with_fix(fix));
        };
        // Tasks of which only some are run again would be taken for all there are.
        let gaps = || {
            let found =
                format!("{}={index} of {count} tasks, the first of them {first}", self.index);
            unknown(found).with_fix(WITHOUT_GAPS)
        };
        let is_whole = first <= 1 && all.is_none_or(|all| all == count);
        let part = index.checked_sub(first).filter(|_| is_whole).map(|before| before + 1);
        part.and_then(|part| Partition::new(part, count)).ok_or_else(gaps)
    }
}

/// The error that nothing tells which part is meant.
fn unknown(found: impl Into<String>) -> Error {
    let expected = "the environment variables of one task of an array job";
    let mut error = Error::new(Code::Partition, found, expected);
    error.place.field = Some("--partition auto".to_owned());
    error.with_fix("Name the part: --partition I/N.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(wanted: &str, set: &[(&str, &str)]) -> Result<(u64, u64), String> {
        let variable = |name: &str| {
            set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        let wanted: PartitionValue = wanted.parse()?;
        let part = wanted.resolve(&variable).map_err(|error| error.to_string())?;
        Ok((part.part, part.of))
    }

    fn slurm<'a>(
        id: &'a str,
        min: &'a str,
        max: &'a str,
        count: &'a str,
    ) -> [(&'static str, &'a str); 4] {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_MAX", max),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    }

    #[test]
    fn the_part_is_named_or_that_of_the_task() {
        assert_eq!(resolved("3/64", &[]), Ok((3, 64)));
        assert_eq!(resolved("auto", &slurm("1", "1", "64", "64")), Ok((1, 64)));
        assert_eq!(resolved("auto", &slurm("0", "0", "63", "64")), Ok((1, 64)));
        assert_eq!(resolved("auto", &slurm("63", "0", "63", "64")), Ok((64, 64)));
        assert_eq!(resolved("auto", &slurm("63", "0", "63", "64")[..3]), Ok((64, 64)));
        let kubernetes = [("JOB_COMPLETION_INDEX", "0")];
        assert_eq!(resolved("auto/8", &kubernetes), Ok((1, 8)));
        let aws = [("AWS_BATCH_JOB_ARRAY_INDEX", "9"), ("AWS_BATCH_JOB_ARRAY_SIZE", "10")];
        assert_eq!(resolved("auto", &aws), Ok((10, 10)));
        let coiled = [("COILED_BATCH_TASK_ID", "2"), ("COILED_BATCH_TASK_COUNT", "3")];
        assert_eq!(resolved("auto", &coiled), Ok((3, 3)));
    }

    #[test]
    fn what_names_no_part_is_refused() {
        for wanted in ["0/4", "5/4", "1/0", "4", "a/4", "auto/0", "-1/4", ""] {
            assert!(resolved(wanted, &[]).unwrap_err().contains("use I/N"), "{wanted}");
        }
        let refused = |wanted, set: &[(&str, &str)]| resolved(wanted, set).unwrap_err();
        assert!(refused("auto", &[]).contains("none of SLURM_ARRAY_TASK_ID"));
        let kubernetes = ("JOB_COMPLETION_INDEX", "0");
        assert!(refused("auto", &[kubernetes]).contains("use --partition auto/N"));
        assert!(refused("auto/3", &[("JOB_COMPLETION_INDEX", "3")]).contains("name the part"));
        assert!(refused("auto/3", &[("JOB_COMPLETION_INDEX", "x")]).contains("=x"));
        // `--array=3,7` and `--array=7`: tasks that are run again. `--array=1,9`: gaps.
        for (id, min, max, count) in
            [("3", "3", "7", "2"), ("7", "7", "7", "1"), ("1", "1", "9", "2")]
        {
            let told = refused("auto", &slurm(id, min, max, count));
            assert!(told.contains("without gaps"), "{told}");
        }
        let both = [kubernetes, ("COILED_BATCH_TASK_ID", "0")];
        assert!(refused("auto/3", &both).contains("both"));
    }

    #[test]
    fn every_object_is_in_one_part() {
        let parts: Vec<_> = (1..=7).map(|part| Partition::new(part, 7).unwrap()).collect();
        let mut each = [0_u64; 7];
        for at in 0..7000 {
            let key = format!("a/c/{at}");
            let owners: Vec<_> = parts.iter().filter(|part| part.has(&key)).collect();
            assert_eq!(owners.len(), 1);
            each[usize::try_from(owners[0].part - 1).unwrap()] += 1;
        }
        assert!(each.iter().all(|&count| (850..1150).contains(&count)), "{each:?}");
        // The hash is part of the format of the files: parts of an older version are continued. Python's xxhash gives
        // xxh64(b"a/c/0", seed=0).intdigest() % 7 + 1 == 4.
        assert_eq!((1..=7).find(|&part| Partition::new(part, 7).unwrap().has("a/c/0")), Some(4));
        for count in [0, 3, 7, 100] {
            let mut next = 0;
            for part in &parts {
                assert_eq!(part.range(count).start, next);
                next = part.range(count).end;
            }
            assert_eq!(next, count);
        }
    }
}
