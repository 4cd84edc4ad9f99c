//! `cargo xtask sweep`: reads and analyses every class of whole JDKs and of the subjects' jars.

mod digest;
mod outcome;
mod pass;
mod read;
mod report;
mod stage;
mod watch;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::bail;
use clap::ValueEnum;
use raddle_summary::Precision;

use self::pass::Pass;
use self::watch::Limit;
use crate::{date, file, jdks};

/// Arguments of `sweep`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Home directory of a JDK; may be given more than once [default: all JDKs from 17 on, beside the default one].
    #[arg(long, value_name = "HOME")]
    jdk: Vec<PathBuf>,
    /// Only this module; may be given more than once [default: java.base, then all others together].
    #[arg(long, value_name = "MODULE")]
    module: Vec<String>,
    /// Also the subjects' jars, as far as they are in the cache, with the first JDK.
    #[arg(long)]
    jars: bool,
    /// Nothing but the subjects' jars.
    #[arg(long, conflicts_with = "module")]
    only_jars: bool,
    /// Only this precision [default: both].
    #[arg(long, value_name = "PRECISION")]
    precision: Option<PrecisionName>,
    /// Leave this class out; may be given more than once.
    #[arg(long, value_name = "CLASS")]
    except: Vec<String>,
    /// Classes to analyse at the same time [default: one per core].
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Also print a hash of everything that was found out, to compare two runs.
    #[arg(long)]
    digest: bool,
    /// Write the hash of every class to this file; two such files show which classes differ.
    #[arg(long, value_name = "FILE")]
    digests: Option<PathBuf>,
    /// Seconds after which a class counts as never ending, which ends the run.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    limit: u64,
    /// GiB of memory at which to end the run.
    #[arg(long, value_name = "GIB", default_value_t = 8)]
    memory: u64,
    /// Also write the report to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Date for the head of the report [default: today, UTC].
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
}

#[derive(Copy, Clone, ValueEnum)]
enum PrecisionName {
    Paper,
    Precise,
}

/// How to go about it.
struct Manner {
    jobs: NonZeroUsize,
    precisions: Vec<Precision>,
    digest: bool,
    limit: Limit,
    except: Vec<String>,
}

impl Args {
    fn manner(&self) -> Manner {
        Manner {
            jobs: self
                .jobs
                .or_else(|| thread::available_parallelism().ok())
                .unwrap_or(NonZeroUsize::MIN),
            precisions: match self.precision {
                Some(PrecisionName::Paper) => vec![Precision::Paper],
                Some(PrecisionName::Precise) => vec![Precision::Precise],
                None => vec![Precision::Precise, Precision::Paper],
            },
            digest: self.digest || self.digests.is_some(),
            except: self.except.clone(),
            limit: Limit {
                time: Duration::from_secs(self.limit),
                memory: self.memory,
            },
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let manner = args.manner();
    let homes = if args.jdk.is_empty() {
        jdks::installed()?
    } else {
        args.jdk.clone()
    };
    let mut passes: Vec<Pass> = Vec::new();
    if !args.only_jars {
        for home in &homes {
            passes.extend(stage::jdk(home, &args.module, &manner)?);
        }
    }
    if let Some(home) = homes.first().filter(|_| args.jars || args.only_jars) {
        passes.extend(stage::jars(home, &manner)?);
    }

    let date = args.date.clone().unwrap_or_else(date::today);
    let text = report::render(&date, &manner, &passes);
    print!("{text}");
    if let Some(path) = &args.out {
        file::write(path, &text)?;
    }
    if let Some(path) = &args.digests {
        file::write(path, &report::digests(&passes))?;
    }
    match passes.iter().map(Pass::panics).sum::<usize>() {
        0 => Ok(()),
        1 => bail!("one class made the analysis panic"),
        count => bail!("{count} classes made the analysis panic"),
    }
}
