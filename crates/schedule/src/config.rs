//! The choice of a policy, as people write it: `random`, `pct:3`, `pos`, `bounded:2`, `focused:1`,
//! `dpor`, `directed:12,20`, `stress`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::bounded::Bounded;
use crate::directed::{Directed, Holds};
use crate::dpor::Dpor;
use crate::pct::Pct;
use crate::pos::Pos;
use crate::random::Random;
use crate::scheduler::Scheduler;
use crate::stress::Stress;

const DEFAULT_DEPTH: u32 = 3;
const DEFAULT_PREEMPTIONS: u32 = 2;
/// More is never useful: the chance of a deep bug falls with every step, and so does the chance to end a search.
const GREATEST: u32 = 64;

/// The choice of a policy.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Config {
    /// A uniform choice at every point.
    Random,
    /// Priorities with d − 1 random changes.
    Pct {
        /// The d of the paper: how many orderings of operations the bugs looked for depend on.
        depth: u32,
    },
    /// Partial order sampling.
    Pos,
    /// All interleavings with at most so many preemptions.
    Bounded {
        /// The greatest number of preemptions.
        preemptions: u32,
    },
    /// Those of them whose preemptions are where threads get in each other's way.
    Focused {
        /// The greatest number of preemptions.
        preemptions: u32,
    },
    /// All interleavings up to equivalence.
    Dpor,
    /// A predicted interleaving and its neighbours.
    Directed(Holds),
    /// No control.
    Stress,
}

/// Why a text names no policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Whether it is built from its own runs, so that it cannot begin in the middle.
    pub const fn begins_anew(self) -> bool {
        matches!(
            self,
            Config::Bounded { .. } | Config::Focused { .. } | Config::Dpor
        )
    }

    /// The policy, ready to begin with run number `from`. Those that begin anew take no seed.
    pub fn build(self, seed: u64, from: u64) -> Box<dyn Scheduler> {
        match self {
            Config::Random => Box::new(Random::new(seed, from)),
            Config::Pct { depth } => Box::new(Pct::new(seed, depth, from)),
            Config::Pos => Box::new(Pos::new(seed, from)),
            Config::Bounded { preemptions } => Box::new(Bounded::new(preemptions)),
            Config::Focused { preemptions } => Box::new(Bounded::focused(preemptions)),
            Config::Dpor => Box::new(Dpor::new()),
            Config::Directed(holds) => Box::new(Directed::new(holds, from)),
            Config::Stress => Box::new(Stress::new(seed, from)),
        }
    }
}

impl FromStr for Config {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Config, ConfigError> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let without = |config: Config| match number {
            None => Ok(config),
            Some(_) => Err(ConfigError(format!(
                "`{name}` takes no number: write `{name}` instead of `{text}`"
            ))),
        };
        match name {
            "random" => without(Config::Random),
            "pos" => without(Config::Pos),
            "dpor" => without(Config::Dpor),
            "stress" => without(Config::Stress),
            "pct" => Ok(Config::Pct {
                depth: parse(text, number, "depth", 1, DEFAULT_DEPTH)?,
            }),
            "bounded" => Ok(Config::Bounded {
                preemptions: parse(text, number, "number of preemptions", 0, DEFAULT_PREEMPTIONS)?,
            }),
            "focused" => Ok(Config::Focused {
                preemptions: parse(text, number, "number of preemptions", 0, DEFAULT_PREEMPTIONS)?,
            }),
            "directed" => number
                .and_then(|points| points.parse().ok())
                .map(Config::Directed)
                .ok_or_else(|| {
                    ConfigError(format!(
                        "`{text}` must name one to four scheduling points, as in `directed:12,20`"
                    ))
                }),
            _ => Err(ConfigError(format!(
                "`{text}` is no scheduler: choose random, pct:DEPTH, pos, bounded:PREEMPTIONS, focused:PREEMPTIONS, \
                 dpor, directed:POINT or stress"
            ))),
        }
    }
}

fn parse(text: &str, number: Option<&str>, what: &str, least: u32, default: u32) -> Result<u32, ConfigError> {
    let Some(number) = number else { return Ok(default) };
    match number.parse() {
        Ok(value) if (least..=GREATEST).contains(&value) => Ok(value),
        _ => Err(ConfigError(format!(
            "the {what} in `{text}` must be a number from {least} to {GREATEST}"
        ))),
    }
}

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Config::Random => f.write_str("random"),
            Config::Pct { depth } => write!(f, "pct:{depth}"),
            Config::Pos => f.write_str("pos"),
            Config::Bounded { preemptions } => write!(f, "bounded:{preemptions}"),
            Config::Focused { preemptions } => write!(f, "focused:{preemptions}"),
            Config::Dpor => f.write_str("dpor"),
            Config::Directed(holds) => write!(f, "directed:{holds}"),
            Config::Stress => f.write_str("stress"),
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
        assert_eq!("pct".parse(), Ok(Config::Pct { depth: 3 }));
        assert_eq!("bounded".parse(), Ok(Config::Bounded { preemptions: 2 }));
    }

    #[test]
    fn a_wrong_policy_is_answered_with_a_remedy() {
        let problem = |text: &str| text.parse::<Config>().unwrap_err().to_string();
        assert_eq!(
            problem("rnd"),
            "`rnd` is no scheduler: choose random, pct:DEPTH, pos, bounded:PREEMPTIONS, focused:PREEMPTIONS, \
             dpor, directed:POINT or stress"
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
        for config in [Config::Random, Config::Pos, Config::Stress] {
            let whole = config.build(5, 0).next(20);
            assert_eq!(config.build(5, 13).next(7), whole[13..]);
        }
    }
}
