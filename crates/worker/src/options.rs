//! How the JVM is set up, and why.

use std::path::PathBuf;

use crate::agent;

/// The first version that warns of `sun.misc.Unsafe`, and can be told not to.
const WARNS_OF_UNSAFE: u32 = 23;

/// How to start a JVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JvmOptions {
    /// Home directory of the JDK.
    pub home: PathBuf,
    /// The largest heap, in MiB.
    pub heap_mib: u32,
    /// Where the JVM describes a crash; none for the standard error stream.
    pub error_file: Option<PathBuf>,
    /// The CPU that all controlled threads run on; none for any. With one, passing control costs a microsecond instead of
    /// up to thirty.
    pub cpu: Option<u32>,
    /// Classes, by internal name, that are not rewritten.
    pub unplugged: Vec<String>,
    /// More options, as for the `java` command; they come last.
    pub extra: Vec<String>,
}

impl JvmOptions {
    /// Of that JDK, with everything else as usual.
    pub fn new(home: impl Into<PathBuf>) -> Self {
        Self {
            home: home.into(),
            heap_mib: 256,
            error_file: None,
            cpu: None,
            unplugged: Vec::new(),
            extra: Vec::new(),
        }
    }

    /// The JVM's options, for a JDK of that version.
    pub(crate) fn arguments(&self, feature: u32) -> Vec<String> {
        let mut arguments: Vec<String> = USUAL.iter().map(ToString::to_string).collect();
        arguments.push(format!("-agentlib:{}", agent::NAME));
        arguments.push(format!("-Xmx{}m", self.heap_mib));
        match &self.error_file {
            Some(path) => arguments.push(format!("-XX:ErrorFile={}", path.display())),
            None => arguments.push(String::from("-XX:+ErrorFileToStderr")),
        }
        if feature >= WARNS_OF_UNSAFE {
            arguments.push(String::from("--sun-misc-unsafe-memory-access=allow"));
        }
        arguments.extend(self.extra.iter().cloned());
        arguments
    }
}

/// For every JVM.
const USUAL: &[&str] = &[
    // Small and predictable: tests are short, and several JVMs share the machine. C1 alone is as fast as both
    // compilers for code that is new every second.
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xss512k",
    // Hooks that a stack overflow meets go on in the reserved pages; that is expected, and no news.
    "-XX:StackReservedPages=8",
    "-XX:-PrintWarnings",
    // The same whatever the machine, its container and the CPUs that threads are bound to.
    "-XX:ActiveProcessorCount=2",
    "-XX:-UseContainerSupport",
    // With fewer, as on two processors, the platform makes do without the pool that all code shares.
    "-Djava.util.concurrent.ForkJoinPool.common.parallelism=3",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    // What a class asserts is part of what it promises.
    "-ea",
    // Every object has the identity hash code 1, so that hash tables have one order.
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
    // Classes come from the JDK's image, where they can be rewritten, and not from the archive of parsed ones.
    "-Xshare:off",
    // In place of these methods the JVM would put code of its own as soon as it compiles their callers: no hook is called in
    // it, and a run would take other steps than the one before. Not every JDK has all of these.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:-UseCRC32CIntrinsics",
    "-XX:-InlineNIOCheckIndex",
    // Virtual threads are threads of the system, which can be stopped one by one.
    "-XX:-VMContinuations",
    // Rewritten methods have no stack maps.
    "-XX:-BytecodeVerificationRemote",
    "-XX:-BytecodeVerificationLocal",
    // No file in /tmp, no socket, no handler for SIGTERM, no core file.
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-Xrs",
    "-XX:-CreateCoredumpOnCrash",
    // The standard output stream belongs to the classes under test.
    "-XX:+DisplayVMOutputToStderr",
    "-Xlog:disable",
    // Binding the runtime's native methods looks like an attack on a platform class.
    "-Xlog:all=warning,jni+resolve=off:stderr",
    // By default the working directory would be on the class path.
    "-Djava.class.path=/nonexistent",
];
