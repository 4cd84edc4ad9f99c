//! The cage for stock JVMs holds: what is run in it can write to one directory only, sees no network but its own loopback
//! interface, and is gone when its supervisor is.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use raddle_classpath::Jdk;
use raddle_execute::STOCK_COMMAND;
use tempfile::TempDir;

/// A cage that a program is run in.
struct Cage(TempDir);

impl Cage {
    fn new() -> Cage {
        Cage(tempfile::tempdir().unwrap())
    }

    fn command(&self, program: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command
            .arg(STOCK_COMMAND)
            .arg(self.0.path())
            .args(program)
            .current_dir(self.0.path());
        command
    }

    fn shell(&self, script: &str) -> Output {
        self.command(&["/bin/sh", "-c", script]).output().unwrap()
    }

    /// Runs the body of a Java program.
    fn java(&self, body: &str) -> Output {
        let source = self.0.path().join("Deed.java");
        let text = format!(
            "public class Deed {{ public static void main(String[] a) throws Exception {{ {body} }} }}"
        );
        fs::write(&source, text).unwrap();
        let java = Jdk::locate(None).unwrap().home().join("bin/java");
        let arguments = [
            java.to_str().unwrap(),
            "-XX:-UsePerfData",
            "-Xmx64m",
            source.to_str().unwrap(),
        ];
        self.command(&arguments).output().unwrap()
    }
}

fn said(output: &Output) -> String {
    let all = [&*output.stdout, &*output.stderr].concat();
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn exit_codes_and_output_pass_through() {
    let output = Cage::new().shell("echo here; exit 7");
    assert_eq!((output.status.code(), &*said(&output)), (Some(7), "here\n"));
    let output = Cage::new().command(&["/no/such/program"]).output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(said(&output).contains("/no/such/program"), "{}", said(&output));
}

#[test]
fn files_can_be_written_in_one_directory_only() {
    let (cage, outside) = (Cage::new(), tempfile::tempdir().unwrap());
    let victim = outside.path().join("victim");
    fs::write(&victim, "keep").unwrap();
    let path = victim.display();
    let output = cage.shell(&format!(
        "echo mine > inside; echo x > {path}; rm -f {path}; chmod 600 {path}; echo x > {path}2; cat {path} /etc/shadow"
    ));
    assert!(
        !said(&output).contains("keep") && !said(&output).contains("root:"),
        "{}",
        said(&output)
    );
    assert_eq!(
        fs::read_to_string(cage.0.path().join("inside")).unwrap(),
        "mine\n"
    );
    assert_eq!(fs::read_to_string(&victim).unwrap(), "keep");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn files_that_others_have_open_are_closed() {
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    fs::write(&victim, "keep").unwrap();
    let cage = Cage::new();
    let inner = cage.command(&["/bin/bash", "-c", "echo x >&873"]);
    let output = Command::new("bash")
        .args(["-c", "exec 873>>\"$0\"; exec \"$@\""])
        .arg(&victim)
        .arg(inner.get_program())
        .args(inner.get_args())
        .output()
        .unwrap();
    assert!(said(&output).contains("Bad file descriptor"), "{}", said(&output));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "keep");
}

#[test]
fn there_is_no_network_but_a_loopback_interface_of_its_own() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let output = Cage::new().java(&format!(
        "try (java.net.ServerSocket own = new java.net.ServerSocket(0)) {{
             new java.net.Socket(\"127.0.0.1\", own.getLocalPort());
             System.out.println(\"spoke to itself\");
         }}
         try {{
             new java.net.Socket(\"127.0.0.1\", {port});
             System.out.println(\"spoke to the machine\");
         }} catch (java.net.ConnectException refused) {{
             System.out.println(\"was refused\");
         }}"
    ));
    assert_eq!(said(&output), "spoke to itself\nwas refused\n");
}

#[test]
fn sockets_that_are_files_cannot_be_used() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("socket");
    let _listener = UnixListener::bind(&path).unwrap();
    let output = Cage::new().java(&format!(
        "try {{
             java.nio.channels.SocketChannel.open(java.net.UnixDomainSocketAddress.of(\"{}\"));
             System.out.println(\"connected\");
         }} catch (java.io.IOException | UnsupportedOperationException refused) {{
             System.out.println(\"was refused\");
         }}",
        path.display()
    ));
    assert_eq!(said(&output), "was refused\n");
}

#[test]
fn nobody_else_can_be_killed() {
    let mut neighbour = Command::new("sleep").arg("60").spawn().unwrap();
    let output = Cage::new().shell(&format!("kill -KILL {}; kill -KILL -1; true", neighbour.id()));
    let is_alive = matches!(neighbour.try_wait(), Ok(None));
    neighbour.kill().unwrap();
    neighbour.wait().unwrap();
    assert!(is_alive, "{}", said(&output));
}

/// Nobody has special rights in it, whoever starts it.
#[test]
fn there_are_no_capabilities() {
    let output = Cage::new().shell("grep CapEff /proc/self/status");
    assert_eq!(said(&output).split_whitespace().last(), Some("0000000000000000"));
}

/// A name for a process that no other one has.
fn unique_seconds() -> String {
    format!("{}.{}", 1000 + std::process::id() % 1000, std::process::id())
}

fn is_running(argument: &str) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else {
        return false;
    };
    processes.flatten().any(|process| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0)
            .any(|part| part == argument.as_bytes())
            && is_sleep(&process.path())
    })
}

fn is_sleep(process: &Path) -> bool {
    fs::read_to_string(process.join("comm")).is_ok_and(|name| name.trim() == "sleep")
}

fn waits_for(what: impl Fn() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(20);
    while Instant::now() < end {
        if what() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

fn start(cage: &Cage, seconds: &str) -> Child {
    // One that goes away from whoever has started it, and one that stays.
    let script = format!("(sleep {seconds} &) ; sleep {seconds}");
    cage.command(&["/bin/sh", "-c", &script])
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn everything_is_gone_with_the_first_process() {
    let (cage, seconds) = (Cage::new(), unique_seconds() + "1");
    let mut child = start(&cage, &seconds);
    assert!(waits_for(|| is_running(&seconds)));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(waits_for(|| !is_running(&seconds)));
}

#[test]
fn what_is_left_behind_is_gone_as_well() {
    let (cage, seconds) = (Cage::new(), unique_seconds() + "2");
    let output = cage.shell(&format!("(sleep {seconds} >/dev/null 2>&1 &) ; exit 3"));
    assert_eq!(output.status.code(), Some(3));
    assert!(waits_for(|| !is_running(&seconds)));
}
