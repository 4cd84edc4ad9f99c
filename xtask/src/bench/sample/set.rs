//! The lists of classes that are drawn by rule, each in a directory of its own below `bench`.

use std::path::PathBuf;

use anyhow::Context;
use serde::de::DeserializeOwned;

use crate::workspace;

/// One such list.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Set {
    /// The frozen sample, which says what verdicts are worth.
    Sample,
    /// Many more classes of the most used libraries, in search of bugs that nobody has reported.
    Libraries,
    /// Classes of libraries that are in neither, to see what verdicts are worth on code that nobody has tuned to.
    SecondSample,
    /// The same once more, of libraries that are in none of the others.
    ThirdSample,
}

/// What there is to say of one.
struct About {
    name: &'static str,
    title: &'static str,
    salt: &'static str,
}

impl Set {
    fn about(self) -> About {
        let (name, title, salt) = match self {
            Set::Sample => ("sample", "The frozen sample", "raddle-sample-1:"),
            Set::Libraries => (
                "libraries",
                "Classes of the most used libraries",
                "raddle-libraries-1:",
            ),
            Set::SecondSample => ("second-sample", "A second sample", "raddle-second-sample-1:"),
            Set::ThirdSample => ("third-sample", "A third sample", "raddle-third-sample-1:"),
        };
        About { name, title, salt }
    }

    /// As on the command line, of the directory, and of the results.
    pub(super) fn name(self) -> &'static str {
        self.about().name
    }

    pub(super) fn title(self) -> &'static str {
        self.about().title
    }

    /// Whether half of it is hidden from those who change Raddle.
    pub(super) fn has_closed_half(self) -> bool {
        self == Set::Sample
    }

    /// Goes into the hashes by which classes are drawn, before the name of the class.
    pub(super) fn salt(self) -> &'static str {
        self.about().salt
    }

    /// Relative to the root of the workspace.
    pub(super) fn path(self, file: &str) -> PathBuf {
        PathBuf::from(format!("bench/{}/{file}", self.name()))
    }

    pub(super) fn read<T: DeserializeOwned>(self, file: &str) -> anyhow::Result<T> {
        let path = self.path(file);
        let text = workspace::read(workspace::root(), &path)?;
        toml::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))
    }
}
