//! What the peers need: their jars, the harnesses compiled, and the commands that run a pair.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::child::Step;
use super::list::PAIRS;
use super::record::Tool;
use crate::bench::peer::{Jars, LINCHECK, Peer};
use crate::{javac, workspace};

const VMLENS: Peer = Peer::new("VMLens 1.2.26", "vmlens-1.2.26", "bench/peers/vmlens/pom.xml");
const VMLENS_RACES: Peer = Peer::new(
    "VMLens 1.2.17",
    "vmlens-1.2.17",
    "bench/peers/vmlens/races/pom.xml",
);
const JCSTRESS: Peer = Peer::new("JCStress 0.16", "jcstress-0.16", "bench/peers/jcstress/pom.xml");

/// Versions of `VMLens`.
const VERSION: &str = "1.2.26";
const VERSION_WITH_RACES: &str = "1.2.17";

/// Relative to the root of the workspace.
const HARNESS: [&str; 8] = [
    "bench/peers/pairs/Pair.java",
    "bench/peers/harness/Journal.java",
    "bench/peers/harness/Outcomes.java",
    "bench/peers/harness/Watch.java",
    "bench/peers/harness/Stress.java",
    "bench/peers/lincheck/LincheckPair.java",
    "bench/peers/vmlens/VmlensPair.java",
    "bench/peers/vmlens/races/VmlensRaces.java",
];
/// A test of `JCStress` for the pair `PAIR`.
const JCSTRESS_TEMPLATE: &str = "bench/peers/jcstress/PAIRTest.java";
/// In the jar of the plug-in of `VMLens` for Maven.
const AGENT: &str = "agent_lib";
const PLUGIN: &str = "vmlens-maven-plugin-";
/// Where the agent of `VMLens` writes, beside its jar.
const EVENTS: &str = "vmlens";

/// Why a pair is run.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Aim {
    /// To find what is wrong, and end.
    Find,
    /// To count how often it can be run.
    Count,
}

/// A pair that has been compiled.
pub(super) struct Test<'a> {
    pub(super) class: String,
    /// Of the pair and of what it calls.
    pub(super) class_path: Vec<PathBuf>,
    pub(super) opens: &'a [String],
}

/// All that the peers have in common.
pub(super) struct Kit {
    jdk: PathBuf,
    directory: PathBuf,
    lincheck: Jars,
    vmlens: Jars,
    vmlens_races: Jars,
    jcstress: Jars,
}

impl Kit {
    /// Fetches, unpacks and compiles, into the directory.
    pub(super) fn new(jdk: &Path, directory: &Path) -> anyhow::Result<Kit> {
        let kit = Kit {
            jdk: jdk.to_owned(),
            directory: directory.to_owned(),
            lincheck: LINCHECK.jars()?,
            vmlens: VMLENS.jars()?,
            vmlens_races: VMLENS_RACES.jars()?,
            jcstress: JCSTRESS.jars()?,
        };
        let sources: Vec<PathBuf> = HARNESS
            .iter()
            .map(|source| workspace::root().join(source))
            .collect();
        let jars = [&kit.lincheck, &kit.vmlens, &kit.vmlens_races];
        let class_path = join(jars.iter().flat_map(|jars| jars.all()))?;
        javac::compile(jdk, &sources, &class_path, &kit.harness())?;
        for (jars, agent) in [
            (&kit.vmlens, kit.agent(VERSION)),
            (&kit.vmlens_races, kit.agent(VERSION_WITH_RACES)),
        ] {
            kit.unpack(jars.named(PLUGIN)?, &agent)?;
        }
        Ok(kit)
    }

    fn harness(&self) -> PathBuf {
        self.directory.join("harness")
    }

    /// The directory with the agent of a version of `VMLens`.
    fn agent(&self, version: &str) -> PathBuf {
        self.directory.join("agent").join(version)
    }

    fn unpack(&self, plugin: &Path, directory: &Path) -> anyhow::Result<()> {
        make(directory)?;
        let status = Command::new(self.jdk.join("bin/jar"))
            .arg("--extract")
            .arg("--file")
            .arg(plugin)
            .arg(AGENT)
            .current_dir(directory)
            .status()
            .context("cannot run jar; use a JDK rather than a JRE")?;
        if !status.success() {
            bail!("cannot unpack {}", plugin.display());
        }
        Ok(())
    }

    /// Compiles a class of `bench/peers/pairs` and its test for `JCStress`.
    pub(super) fn test<'a>(
        &self,
        class: &str,
        subject: &[PathBuf],
        opens: &'a [String],
    ) -> anyhow::Result<Test<'a>> {
        let classes = self.directory.join("pairs").join(class);
        make(&classes)?;
        let template = workspace::read(workspace::root(), JCSTRESS_TEMPLATE.as_ref())?;
        let wrapper = classes.join(format!("{class}Test.java"));
        fs::write(&wrapper, template.replace("PAIR", class))
            .with_context(|| format!("cannot write {}", wrapper.display()))?;
        let pair = workspace::root().join(PAIRS).join(class).with_extension("java");
        let harness = self.harness();
        let class_path = join(subject.iter().chain([&harness]).chain(self.jcstress.all()))?;
        javac::compile(&self.jdk, &[pair, wrapper], &class_path, &classes)?;
        Ok(Test {
            class: class.to_owned(),
            class_path: [classes].into_iter().chain(subject.iter().cloned()).collect(),
            opens,
        })
    }

    /// What to run one after the other; none for Raddle, which is no peer of itself. All goes into the directory.
    pub(super) fn steps(
        &self,
        tool: Tool,
        test: &Test<'_>,
        aim: Aim,
        directory: &Path,
    ) -> anyhow::Result<Vec<Step>> {
        match tool {
            Tool::Raddle | Tool::Pct => Ok(Vec::new()),
            Tool::Stress => Ok(vec![self.harness_step(
                test,
                directory,
                &[],
                &[],
                "Stress",
                aim,
            )?]),
            Tool::Lincheck => {
                // It attaches an agent to its own JVM, of which newer ones warn.
                let options = ["-XX:+EnableDynamicAgentLoading".into()];
                let jars = self.lincheck.all();
                Ok(vec![self.harness_step(
                    test,
                    directory,
                    jars,
                    &options,
                    "LincheckPair",
                    aim,
                )?])
            }
            Tool::Vmlens => self.vmlens_steps(test, aim, directory),
            Tool::Jcstress => Ok(vec![self.jcstress_step(test, aim, directory)?]),
        }
    }

    /// All interleavings with the newest version; then once more with the last one whose search for races can be had.
    fn vmlens_steps(&self, test: &Test<'_>, aim: Aim, directory: &Path) -> anyhow::Result<Vec<Step>> {
        let step = |name: &str, version: &str, jars: &Jars| {
            let directory = directory.join(name);
            let agent = directory.join("agent");
            make(&agent.join(EVENTS))?;
            let unpacked = self.agent(version).join(AGENT);
            for jar in ["agent.jar", "agent_bootstrap.jar", "agent_runtime.jar"] {
                fs::copy(unpacked.join(jar), agent.join(jar))
                    .with_context(|| format!("cannot copy {jar}"))?;
            }
            let mut option = OsString::from("-javaagent:");
            option.push(agent.join("agent.jar"));
            let api = [jars.named("api-")?.to_owned()];
            self.harness_step(test, &directory, &api, &[option], "VmlensPair", aim)
        };
        let first = step("interleavings", VERSION, &self.vmlens)?;
        if aim == Aim::Count {
            return Ok(vec![first]);
        }
        let second = step("once-more", VERSION_WITH_RACES, &self.vmlens_races)?;
        let report = directory.join("races");
        make(&report)?;
        let mut races = self.java(&report, &[])?;
        races
            .arg("-cp")
            .arg(join(
                [&self.harness()].into_iter().chain(self.vmlens_races.all()),
            )?)
            .arg("pairs.VmlensRaces")
            .arg(second.directory.join("agent").join(EVENTS))
            .arg(&report);
        let third = Step {
            directory: report,
            command: races,
        };
        Ok(vec![first, second, third])
    }

    /// Every way to compile both sides once, shortly, in one kind of JVM: more does not fit into a small budget.
    fn jcstress_step(&self, test: &Test<'_>, aim: Aim, directory: &Path) -> anyhow::Result<Step> {
        make(directory)?;
        let mut options = vec![format!("-Draddle.journal={}", directory.display())];
        options.push(format!("-Draddle.find={}", aim == Aim::Find));
        options.push("-Djava.awt.headless=true".to_owned());
        options.extend(test.opens.iter().map(|package| format!("--add-opens={package}")));
        let mut command = self.java(directory, &[])?;
        command
            .arg("-cp")
            .arg(self.class_path(test, self.jcstress.all())?)
            .args(["org.openjdk.jcstress.Main", "-c", "2", "-f", "1", "-iters", "1"])
            .arg("-t")
            .arg(format!("pairs.{}Test", test.class))
            .args(match aim {
                Aim::Find => ["-time", "500", "-sc", "true"],
                Aim::Count => ["-time", "5000", "-sc", "false"],
            })
            .arg("-jvmArgs")
            .arg(options.join(" "));
        Ok(Step {
            directory: directory.to_owned(),
            command,
        })
    }

    /// A main class of ours.
    fn harness_step(
        &self,
        test: &Test<'_>,
        directory: &Path,
        jars: &[PathBuf],
        options: &[OsString],
        main: &str,
        aim: Aim,
    ) -> anyhow::Result<Step> {
        make(directory)?;
        let mut command = self.java(directory, options)?;
        command
            .args(test.opens.iter().map(|package| format!("--add-opens={package}")))
            .arg("-cp")
            .arg(self.class_path(test, jars)?)
            .arg(format!("pairs.{main}"))
            .arg(format!("pairs.{}", test.class))
            .arg(match aim {
                Aim::Find => "find",
                Aim::Count => "count",
            });
        Ok(Step {
            directory: directory.to_owned(),
            command,
        })
    }

    fn java(&self, journal: &Path, options: &[OsString]) -> anyhow::Result<Command> {
        let journal = journal
            .canonicalize()
            .with_context(|| format!("cannot find {}", journal.display()))?;
        let mut command = Command::new(self.jdk.join("bin/java"));
        command
            .arg(format!("-Draddle.journal={}", journal.display()))
            .arg("-Djava.awt.headless=true")
            .args(options);
        Ok(command)
    }

    fn class_path(&self, test: &Test<'_>, jars: &[PathBuf]) -> anyhow::Result<OsString> {
        join(test.class_path.iter().chain([&self.harness()]).chain(jars))
    }
}

fn make(directory: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))
}

fn join(entries: impl IntoIterator<Item = impl AsRef<OsStr>>) -> anyhow::Result<OsString> {
    env::join_paths(entries).context("the path of a jar or directory contains a colon")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_exists() {
        for file in HARNESS.iter().chain([&JCSTRESS_TEMPLATE]) {
            assert!(workspace::root().join(file).is_file(), "{file}");
        }
    }
}
