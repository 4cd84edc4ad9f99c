//! The schedulers that can be chosen. Each has a file of its own, which owns its name, how its choice is written and read,
//! how it is built, and where it can begin. Whatever lists schedulers goes by this list: a new one takes its file and one
//! line here.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::directed::Holds;
use crate::scheduler::Scheduler;
use crate::{bounded, delay, directed, dpor, focused, pct, pos, random, stress};

/// More is never useful: the chance of a deep bug falls with every step, and so does the chance to end a search.
const GREATEST: u32 = 64;

/// What a scheduler's file says of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name it is chosen by.
    pub name: &'static str,
    /// What follows the name and a colon, in capitals; nothing for most.
    pub parameter: Option<&'static str>,
    /// What it does, as sentences that begin with its name.
    pub about: &'static str,
    /// Where it can begin.
    pub resume: Resume,
}

/// Where a scheduler can begin, if a worker died in the middle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    /// With any run.
    Anywhere,
    /// With any run, once so many first ones were made again.
    AfterProbes(u64),
    /// With the first one only, since it is built from its own runs. It takes no seed.
    Anew,
}

impl Entry {
    /// As people write it: `pct:DEPTH`.
    pub fn form(&self) -> String {
        match self.parameter {
            Some(parameter) => format!("{}:{parameter}", self.name),
            None => self.name.to_owned(),
        }
    }
}

macro_rules! schedulers {
    ($($(#[doc = $doc:literal])* $file:ident => $variant:ident
        $({ #[doc = $field_doc:literal] $field:ident: $type:ty })?
        $(($inner:ident: $inner_type:ty))?;)*) => {
        /// The choice of a scheduler, as people write it: `random`, `pct:3`, `bounded:2`.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub enum Config {
            $($(#[doc = $doc])* $variant $({ #[doc = $field_doc] $field: $type })? $(($inner_type))?,)*
        }

        impl Config {
            /// All schedulers, in the order in which people are told of them.
            pub const ALL: &[&Entry] = &[$(&$file::ENTRY),*];

            /// What its file says of it.
            pub const fn entry(self) -> &'static Entry {
                match self {
                    $(Config::$variant { .. } => &$file::ENTRY,)*
                }
            }

            /// The scheduler, ready to begin with run number `from`. Those that begin anew take no seed.
            pub fn build(self, seed: u64, from: u64) -> Box<dyn Scheduler> {
                match self {
                    $(Config::$variant $({ $field })? $(($inner))? => {
                        Box::new($file::build($($field,)? $($inner,)? seed, from))
                    })*
                }
            }

            fn parameter(self) -> Option<String> {
                match self {
                    $(Config::$variant $({ $field })? $(($inner))? => {
                        None $(.or(Some($field.to_string())))? $(.or(Some($inner.to_string())))?
                    })*
                }
            }
        }

        fn read(written: &Written<'_>) -> Option<Result<Config, ConfigError>> {
            match written.name {
                $(name if name == $file::ENTRY.name => Some($file::read(written)),)*
                _ => None,
            }
        }
    };
}

schedulers! {
    /// A uniform choice at every point.
    random => Random;
    /// Priorities with d − 1 random changes.
    pct => Pct {
        /// The d of the paper: how many orderings of operations the bugs looked for depend on.
        depth: u32
    };
    /// Partial order sampling.
    pos => Pos;
    /// All interleavings with at most so many preemptions.
    bounded => Bounded {
        /// The greatest number of preemptions.
        preemptions: u32
    };
    /// Those of them whose preemptions are where threads get in each other's way.
    focused => Focused {
        /// The greatest number of preemptions.
        preemptions: u32
    };
    /// All interleavings with at most so many delays.
    delay => Delay {
        /// The greatest number of delays.
        delays: u32
    };
    /// All interleavings up to equivalence.
    dpor => Dpor;
    /// A predicted interleaving and its neighbours.
    directed => Directed(holds: Holds);
    /// No control.
    stress => Stress;
}

impl Config {
    /// Whether it is built from its own runs, so that it cannot begin in the middle.
    pub const fn begins_anew(self) -> bool {
        matches!(self.entry().resume, Resume::Anew)
    }

    /// How many runs are made again before run number `from`, if it is to begin there.
    pub fn repeated(self, from: u64) -> u64 {
        match self.entry().resume {
            Resume::Anywhere => 0,
            Resume::AfterProbes(probes) => probes.min(from),
            Resume::Anew => from,
        }
    }

    /// All that can be written, as a part of a sentence: `random, pct:DEPTH, … or stress`.
    pub fn forms() -> String {
        let forms: Vec<String> = Config::ALL.iter().map(|entry| entry.form()).collect();
        match forms.split_last() {
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// What each of them does, as sentences.
    pub fn about() -> String {
        let about: Vec<&str> = Config::ALL.iter().map(|entry| entry.about).collect();
        about.join(" ")
    }
}

/// Why a text names no scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

/// A text that names a scheduler, for that to read.
pub(crate) struct Written<'t> {
    text: &'t str,
    name: &'t str,
    parameter: Option<&'t str>,
}

impl Written<'_> {
    /// A choice that takes nothing besides the name.
    pub(crate) fn alone(&self, config: Config) -> Result<Config, ConfigError> {
        match (self.name, self.text) {
            _ if self.parameter.is_none() => Ok(config),
            (name, text) => Err(ConfigError(format!(
                "`{name}` takes no number: write `{name}` instead of `{text}`"
            ))),
        }
    }

    /// A number that is called this, and is the default if it is not there.
    pub(crate) fn number(&self, what: &str, least: u32, default: u32) -> Result<u32, ConfigError> {
        let Some(number) = self.parameter else {
            return Ok(default);
        };
        match number.parse() {
            Ok(value) if (least..=GREATEST).contains(&value) => Ok(value),
            _ => Err(ConfigError(format!(
                "the {what} in `{}` must be a number from {least} to {GREATEST}",
                self.text
            ))),
        }
    }

    /// Something else, which must be there; a wrong one is answered with what it must do, as a part of a sentence.
    pub(crate) fn parsed<T: FromStr>(&self, must: &str) -> Result<T, ConfigError> {
        let parsed = self.parameter.and_then(|parameter| parameter.parse().ok());
        parsed.ok_or_else(|| ConfigError(format!("`{}` must {must}", self.text)))
    }
}

impl FromStr for Config {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Config, ConfigError> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let written = Written {
            text,
            name,
            parameter,
        };
        read(&written).unwrap_or_else(|| {
            Err(ConfigError(format!(
                "`{text}` is no scheduler: choose {}",
                Config::forms()
            )))
        })
    }
}

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry().name)?;
        match self.parameter() {
            Some(parameter) => write!(f, ":{parameter}"),
            None => Ok(()),
        }
    }
}

impl TryFrom<String> for Config {
    type Error = ConfigError;

    fn try_from(text: String) -> Result<Config, ConfigError> {
        text.parse()
    }
}

impl From<Config> for String {
    fn from(config: Config) -> String {
        config.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_can_be_written_and_read() {
        for text in [
            "random",
            "pct:1",
            "pct:3",
            "pos",
            "bounded:0",
            "bounded:2",
            "focused:1",
            "dpor",
            "stress",
        ] {
            let config: Config = text.parse().unwrap();
            assert_eq!(config.to_string(), text);
            assert_eq!(config.build(1, 0).name(), text.split(':').next().unwrap());
        }
        for entry in Config::ALL {
            let sample = format!("{}{}", entry.name, entry.parameter.map_or("", |_| ":2"));
            let config: Config = sample.parse().unwrap();
            assert_eq!((config.entry(), config.to_string()), (*entry, sample));
            assert_eq!(config.build(1, 0).name(), entry.name);
            assert!(entry.about.starts_with(&entry.form()), "{}", entry.about);
        }
        assert_eq!("pct".parse(), Ok(Config::Pct { depth: 3 }));
        assert_eq!("bounded".parse(), Ok(Config::Bounded { preemptions: 2 }));
    }

    #[test]
    fn a_wrong_policy_is_answered_with_a_remedy() {
        let problem = |text: &str| text.parse::<Config>().unwrap_err().to_string();
        assert_eq!(
            problem("rnd"),
            "`rnd` is no scheduler: choose random, pct:DEPTH, pos, bounded:PREEMPTIONS, focused:PREEMPTIONS, \
             delay:DELAYS, dpor, directed:POINT or stress"
        );
        assert_eq!(
            problem("pos:2"),
            "`pos` takes no number: write `pos` instead of `pos:2`"
        );
        assert_eq!(
            problem("pct:0"),
            "the depth in `pct:0` must be a number from 1 to 64"
        );
        assert_eq!(
            problem("bounded:many"),
            "the number of preemptions in `bounded:many` must be a number from 0 to 64"
        );
    }

    #[test]
    fn random_policies_go_on_at_any_run() {
        let seeded = |entry: &&&Entry| entry.resume == Resume::Anywhere && entry.parameter.is_none();
        let configs = Config::ALL.iter().filter(seeded);
        for config in configs.map(|entry| entry.name.parse::<Config>().unwrap()) {
            let whole = config.build(5, 0).next(20);
            assert_eq!(config.build(5, 13).next(7), whole[13..]);
        }
    }

    #[test]
    fn every_scheduler_is_documented() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schedulers.md");
        let page = std::fs::read_to_string(page).unwrap();
        for entry in Config::ALL {
            let row = format!("| `{}` | {} |", entry.form(), entry.about);
            assert!(page.contains(&row), "{row}");
        }
    }
}
