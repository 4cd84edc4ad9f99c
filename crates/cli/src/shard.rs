//! `raddle hunt --shard`: which part of the classes is hunted, as typed or as the environment says.

use std::str::FromStr;

use raddle_campaign::HuntTarget;
use raddle_program::Program;
use raddle_report::{NotHunted, Shard};

use crate::failure::Failure;

/// Says how many shards there are where the environment does not.
const COUNT: &str = "RADDLE_SHARD_COUNT";

/// What was typed after `--shard`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShardArgument {
    This(Shard),
    Auto,
}

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<ShardArgument, String> {
        if text == "auto" {
            return Ok(ShardArgument::Auto);
        }
        text.parse()
            .map(ShardArgument::This)
            .map_err(|error: raddle_report::NoShard| format!("{error}, or auto to ask the environment"))
    }
}

impl ShardArgument {
    pub(crate) fn shard(self) -> Result<Shard, Failure> {
        match self {
            ShardArgument::This(shard) => Ok(shard),
            ShardArgument::Auto => from_environment(&|name| std::env::var(name).ok())
                .map_err(|problem| Failure::bad_input(vec![format!("--shard auto: {problem}")])),
        }
    }
}

/// Where a scheduler of jobs says which of several equal jobs this is.
struct Scheduler {
    name: &'static str,
    index: &'static str,
    count: &'static str,
    /// What the first job is called.
    first: usize,
}

/// Those with a fixed first number. Kubernetes does not tell how many there are.
const SCHEDULERS: [Scheduler; 4] = [
    Scheduler {
        name: "Kubernetes",
        index: "JOB_COMPLETION_INDEX",
        count: COUNT,
        first: 0,
    },
    Scheduler {
        name: "GitLab",
        index: "CI_NODE_INDEX",
        count: "CI_NODE_TOTAL",
        first: 1,
    },
    Scheduler {
        name: "CircleCI",
        index: "CIRCLE_NODE_INDEX",
        count: "CIRCLE_NODE_TOTAL",
        first: 0,
    },
    Scheduler {
        name: "Buildkite",
        index: "BUILDKITE_PARALLEL_JOB",
        count: "BUILDKITE_PARALLEL_JOB_COUNT",
        first: 0,
    },
];

type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The shard by what the environment has. Two that disagree are one too many: a hunt that takes the wrong part is noticed
/// late.
fn from_environment(variables: Variables<'_>) -> Result<Shard, String> {
    let mut answers: Vec<(&str, Shard)> = Vec::new();
    answers.extend(slurm(variables)?.map(|shard| ("Slurm", shard)));
    for scheduler in &SCHEDULERS {
        let Some(index) = number(variables, scheduler.index)? else {
            continue;
        };
        let count = number(variables, scheduler.count)?.ok_or_else(|| {
            format!(
                "{} is set and {} is not; set it to the number of shards",
                scheduler.index, scheduler.count
            )
        })?;
        let shard = (index + 1)
            .checked_sub(scheduler.first)
            .and_then(|index| Shard::new(index, count));
        let shard = shard.ok_or_else(|| {
            format!(
                "{}={index} is not one of {}={count}",
                scheduler.index, scheduler.count
            )
        })?;
        answers.push((scheduler.name, shard));
    }
    let Some((name, shard)) = answers.first().copied() else {
        return Err(
            "the environment is neither that of a Slurm array, an indexed job of Kubernetes, nor a parallel job of GitLab, \
             CircleCI or Buildkite; write the part as 3/4"
                .to_owned(),
        );
    };
    match answers.iter().find(|(_, other)| *other != shard) {
        None => Ok(shard),
        Some((other, differs)) => Err(format!(
            "{name} says {shard} and {other} says {differs}; write the part as 3/4"
        )),
    }
}

/// The task of an array of Slurm. The tasks of an array need not begin at 1; but of one that was submitted again in part,
/// Slurm tells nothing of the whole, so [`COUNT`] makes the number of the task that of the shard.
fn slurm(variables: Variables<'_>) -> Result<Option<Shard>, String> {
    let Some(task) = number(variables, "SLURM_ARRAY_TASK_ID")? else {
        return Ok(None);
    };
    let whole = number(variables, COUNT)?;
    let tasks = number(variables, "SLURM_ARRAY_TASK_COUNT")?;
    let first = number(variables, "SLURM_ARRAY_TASK_MIN")?;
    let shard = match (whole, tasks, first) {
        (Some(whole), ..) => Shard::new(task, whole),
        (None, Some(tasks), Some(first)) => {
            let step = number(variables, "SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            let offset = task.checked_sub(first).filter(|offset| offset % step == 0);
            offset.and_then(|offset| Shard::new(offset / step + 1, tasks))
        }
        _ => None,
    };
    shard.map(Some).ok_or_else(|| {
        format!(
            "task {task} of this Slurm array is no shard; submit the array as 1-N, and a part of it again with {COUNT}=N"
        )
    })
}

fn number(variables: Variables<'_>, name: &str) -> Result<Option<usize>, String> {
    let Some(text) = variables(name).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    text.trim()
        .parse()
        .map(Some)
        .map_err(|_| format!("{name}={text} is no number"))
}

/// The classes that a shard hunts, and those that it names as passed over. By position in the sorted list of names, which
/// all machines with the same class path and JDK see alike; the order stays as it was.
pub(crate) fn part(
    program: &Program,
    shard: Shard,
    classes: Vec<HuntTarget>,
    skipped: Vec<NotHunted>,
) -> (Vec<HuntTarget>, Vec<NotHunted>) {
    (
        share(shard, classes, |target| program.name(target.class)),
        share(shard, skipped, |skipped| skipped.class.clone()),
    )
}

fn share<T>(shard: Shard, all: Vec<T>, name: impl Fn(&T) -> String) -> Vec<T> {
    let mut names: Vec<String> = all.iter().map(&name).collect();
    names.sort_unstable();
    let is_mine = |item: &T| {
        names
            .binary_search(&name(item))
            .is_ok_and(|position| shard.has(position))
    };
    all.into_iter().filter(is_mine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(variables: &[(&str, &str)]) -> Result<String, String> {
        let find = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        from_environment(&find).map(|shard| shard.to_string())
    }

    #[test]
    fn the_environment_tells_the_part() {
        let array = |id, count, min| {
            vec![
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_ARRAY_TASK_MIN", min),
            ]
        };
        let with = |mut variables: Vec<(&'static str, &'static str)>, more| {
            variables.push(more);
            variables
        };
        for (variables, part) in [
            (array("0", "4", "0"), "1/4"),
            (array("4", "4", "1"), "4/4"),
            (
                with(array("16", "3", "10"), ("SLURM_ARRAY_TASK_STEP", "3")),
                "3/3",
            ),
            (with(array("3", "1", "3"), (COUNT, "8")), "3/8"),
            (vec![("JOB_COMPLETION_INDEX", "0"), (COUNT, "8")], "1/8"),
            (vec![("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "5")], "2/5"),
            (
                vec![("CIRCLE_NODE_INDEX", "4"), ("CIRCLE_NODE_TOTAL", "5")],
                "5/5",
            ),
            (
                vec![
                    ("BUILDKITE_PARALLEL_JOB", "1"),
                    ("BUILDKITE_PARALLEL_JOB_COUNT", "2"),
                ],
                "2/2",
            ),
        ] {
            assert_eq!(told(&variables).as_deref(), Ok(part), "{variables:?}");
        }
    }

    #[test]
    fn what_is_not_sure_is_an_error() {
        for (variables, part) in [
            (&[][..], "neither that of a Slurm array"),
            (&[("CI_NODE_TOTAL", "1")], "neither that of a Slurm array"),
            (&[("JOB_COMPLETION_INDEX", "2")], "RADDLE_SHARD_COUNT is not"),
            (
                &[("CI_NODE_INDEX", "6"), ("CI_NODE_TOTAL", "5")],
                "CI_NODE_INDEX=6 is not one of",
            ),
            (
                &[("CI_NODE_INDEX", "x"), ("CI_NODE_TOTAL", "5")],
                "CI_NODE_INDEX=x is no number",
            ),
            // Two tasks of an array with holes.
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "7"),
                    ("SLURM_ARRAY_TASK_COUNT", "2"),
                    ("SLURM_ARRAY_TASK_MIN", "3"),
                ],
                "submit the array as 1-N",
            ),
            (
                &[
                    ("CI_NODE_INDEX", "1"),
                    ("CI_NODE_TOTAL", "2"),
                    ("CIRCLE_NODE_INDEX", "1"),
                    ("CIRCLE_NODE_TOTAL", "2"),
                ],
                "GitLab says 1/2 and CircleCI says 2/2",
            ),
        ] {
            let problem = told(variables).unwrap_err();
            assert!(problem.contains(part), "{variables:?}: {problem}");
        }
    }

    #[test]
    fn parts_are_by_name_and_keep_their_order() {
        let all = || vec!["d", "a", "c", "b", "e"];
        let part = |index| share(Shard::new(index, 2).unwrap(), all(), |name| (*name).to_owned());
        assert_eq!(part(1), ["a", "c", "e"]);
        assert_eq!(part(2), ["d", "b"]);
    }
}
