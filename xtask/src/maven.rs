//! Maven, which fetches jars.

use std::process::Command;

/// Maven, to say nothing unless something fails, and that without colours: its messages stand among ours.
pub(crate) fn quiet() -> Command {
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B", "-Dstyle.color=never"]);
    maven
}
