//! `cargo xtask javap`: what a run of raddle takes, beside a run of javap for the same class.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use raddle_classpath::Jdk;

use crate::markdown::{Side, Table};
use crate::{jdks, product};

/// Arguments of `javap`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Runs of each program; the median counts.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Class to look at.
    #[arg(long, value_name = "CLASS", default_value = "java.util.Hashtable")]
    class: String,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let raddle = product::build()?;
    let mut table = Table::new(&[
        ("JDK", Side::Left),
        ("raddle analyze ms", Side::Right),
        ("javap -c -p -v ms", Side::Right),
        ("ratio", Side::Right),
    ]);
    for home in jdks::installed()? {
        let jdk = Jdk::open(&home)?;
        let ours = || {
            let mut command = Command::new(&raddle);
            command.arg("analyze").arg("--jdk").arg(&home).arg(&args.class);
            command
        };
        let theirs = || {
            let mut command = Command::new(home.join("bin/javap"));
            command.args(["-c", "-p", "-v", &args.class]);
            command
        };
        let (ours, theirs) = medians(args.runs, ours, theirs)?;
        table.row(vec![
            jdk.version().to_owned(),
            milliseconds(ours),
            milliseconds(theirs),
            format!("{:.3}", ours.as_secs_f64() / theirs.as_secs_f64()),
        ]);
    }
    print!("{}", table.render());
    println!(
        "\nMedian of {} whole runs each for {}, in turn.",
        args.runs, args.class
    );
    Ok(())
}

/// Runs the two in turn, so that both see the machine in the same state. The first run of each is not counted.
fn medians(
    runs: u32,
    ours: impl Fn() -> Command,
    theirs: impl Fn() -> Command,
) -> anyhow::Result<(Duration, Duration)> {
    time(ours())?;
    time(theirs())?;
    let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        our_times.push(time(ours())?);
        their_times.push(time(theirs())?);
    }
    Ok((median(our_times), median(their_times)))
}

fn time(mut command: Command) -> anyhow::Result<Duration> {
    let name = Path::new(command.get_program()).display().to_string();
    let start = Instant::now();
    let status = command
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {name}"))?;
    let elapsed = start.elapsed();
    if !status.success() {
        bail!("{name} fails: {status}");
    }
    Ok(elapsed)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(
            median([3, 1, 2].map(Duration::from_secs).to_vec()),
            Duration::from_secs(2)
        );
    }
}
