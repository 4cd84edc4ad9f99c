//! What is measured, in which order, and how much of it.

use std::time::Duration;

use anyhow::bail;

/// How much is measured.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Profile {
    /// About an hour on two cores: one seed, short budgets, the slow comparisons on a few classes.
    Quick,
    /// About five hours on two cores: five seeds, 60 s a class.
    Full,
}

/// The one that is a command of its own.
pub(super) const SUBJECTS: &str = "subjects";

/// A benchmark with its arguments.
#[derive(Debug)]
pub(super) struct Step {
    /// As on the command line.
    pub(super) name: &'static str,
    pub(super) arguments: Vec<&'static str>,
    /// On two cores that have nothing else to do.
    pub(super) expected: Duration,
    /// The option that takes the executable.
    pub(super) executable: Option<&'static str>,
    /// Whether it keeps results of its own, and can go on from them.
    pub(super) has_results: bool,
    pub(super) has_plots: bool,
    pub(super) can_be_offline: bool,
}

impl Profile {
    pub(super) fn name(self) -> &'static str {
        match self {
            Profile::Quick => "quick",
            Profile::Full => "full",
        }
    }

    fn choose<T>(self, quick: T, full: T) -> T {
        match self {
            Profile::Quick => quick,
            Profile::Full => full,
        }
    }
}

/// A step that keeps results.
fn kept(name: &'static str, minutes: u64, arguments: &[&'static str]) -> Step {
    Step {
        name,
        arguments: arguments.to_vec(),
        expected: Duration::from_mins(minutes),
        executable: Some("--raddle"),
        has_results: true,
        has_plots: false,
        can_be_offline: true,
    }
}

/// The most telling come first, so that a run that is ended early has them.
fn all(profile: Profile) -> Vec<Step> {
    vec![
        kept(
            "hunt",
            profile.choose(15, 90),
            profile.choose(
                &["--seeds", "1", "--jdk", "17", "--skip-stock-jvm"],
                &["--seeds", "5", "--skip-stock-jvm"],
            ),
        ),
        kept(
            "false-alarms",
            profile.choose(3, 45),
            profile.choose(&["--seeds", "1", "--budget", "10s"], &["--seeds", "5"]),
        ),
        kept(
            "sample",
            profile.choose(10, 45),
            profile.choose(
                &["--jobs", "2", "--budget", "5s", "--half", "open"],
                &["--jobs", "2"],
            ),
        ),
        kept(
            "peers",
            profile.choose(5, 30),
            profile.choose(
                &[
                    "--budget",
                    "5s",
                    "--only",
                    "S01,S16,S17,S10,S04,S30-standin,counter,ArrayBlockingQueue",
                ],
                &[],
            ),
        ),
        Step {
            has_plots: true,
            ..kept(
                "coverage",
                profile.choose(1, 6),
                profile.choose(&["--seeds", "1", "--budget", "10s"], &["--seeds", "3"]),
            )
        },
        Step {
            has_plots: true,
            ..kept(
                "scale",
                profile.choose(3, 7),
                profile.choose(&["--seeds", "1", "--rounds", "1", "--budget", "3"], &[]),
            )
        },
        Step {
            has_results: false,
            ..kept(
                "autocontest",
                profile.choose(3, 8),
                profile.choose(&["--seeds", "1", "--unpruned", "5"], &["--unpruned", "30"]),
            )
        },
        Step {
            executable: Some("--program"),
            has_results: false,
            can_be_offline: false,
            ..kept(
                "dpor",
                profile.choose(1, 2),
                profile.choose(&["--most", "2000"], &[]),
            )
        },
        kept("directed", 7, &[]),
        Step {
            executable: None,
            has_results: false,
            ..kept(SUBJECTS, 2, &[])
        },
        kept(
            "strategies",
            profile.choose(6, 50),
            profile.choose(
                &["--seeds", "1", "--budget", "3s", "--schedulers", "controlled"],
                &["--seeds", "5", "--budget", "5s"],
            ),
        ),
    ]
}

/// Those that are asked for; all if none is.
pub(super) fn chosen(profile: Profile, only: &[String]) -> anyhow::Result<Vec<Step>> {
    let mut steps = all(profile);
    if let Some(unknown) = only
        .iter()
        .find(|name| !steps.iter().any(|step| step.name == **name))
    {
        let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        bail!("there is no step {unknown}; there are {}", names.join(", "));
    }
    steps.retain(|step| only.is_empty() || only.iter().any(|name| name == step.name));
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_does_not_exist_is_refused() {
        let error = chosen(Profile::Quick, &["hunts".to_owned()])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("hunts") && error.contains("false-alarms"),
            "{error}"
        );
        assert_eq!(chosen(Profile::Full, &["hunt".to_owned()]).unwrap().len(), 1);
    }

    #[test]
    fn both_profiles_have_the_same_steps() {
        let names = |profile| -> Vec<&str> { all(profile).iter().map(|step| step.name).collect() };
        assert_eq!(names(Profile::Quick), names(Profile::Full));
    }
}
