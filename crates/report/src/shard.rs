//! A part of a hunt that several machines share.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Nobody has so many machines.
const MOST: usize = 1 << 20;

/// A part of a hunt: the third of four is `3/4`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: usize,
    count: usize,
}

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part of a hunt; the third of four is written 3/4")]
pub struct NoShard(String);

impl Shard {
    /// The part with this number, counted from 1, if there is one.
    pub fn new(index: usize, count: usize) -> Option<Shard> {
        (1 <= index && index <= count && count <= MOST).then_some(Shard { index, count })
    }

    /// Its number, counted from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.count
    }

    /// Whether it has what is at this position, counted from 0, of a list that all shards see alike. Neighbours go to
    /// different shards: the classes of one package are often alike in how long they take.
    pub fn has(self, position: usize) -> bool {
        position % self.count == self.index - 1
    }

    /// The folder of the shard in that of the hunt.
    pub fn folder(self) -> String {
        format!("shard-{}-of-{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Shard, NoShard> {
        let shard = || {
            let (index, count) = text.split_once('/')?;
            Shard::new(index.parse().ok()?, count.parse().ok()?)
        };
        shard().ok_or_else(|| NoShard(text.to_owned()))
    }
}

impl TryFrom<String> for Shard {
    type Error = NoShard;

    fn try_from(text: String) -> Result<Shard, NoShard> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_in_one_shard_and_shards_differ_by_one_at_most() {
        for count in 1..6 {
            let shards: Vec<Shard> = (1..=count).filter_map(|index| Shard::new(index, count)).collect();
            let sizes: Vec<usize> = shards
                .iter()
                .map(|shard| (0..23).filter(|position| shard.has(*position)).count())
                .collect();
            assert_eq!(sizes.iter().sum::<usize>(), 23);
            assert!(
                sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1,
                "{sizes:?}"
            );
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        assert_eq!("3/4".parse::<Shard>().unwrap().to_string(), "3/4");
        for text in ["0/4", "5/4", "3", "3/0", "-1/4", "a/b", "1/99999999"] {
            let problem = text.parse::<Shard>().unwrap_err().to_string();
            assert!(problem.contains(text), "{problem}");
        }
    }
}
