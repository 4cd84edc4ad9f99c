//! `raddle mcp`, driven by the client of the protocol's own library.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use raddle_testkit::{Compiled, compile};
use rmcp::model::{CallToolRequestParams, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::hunt::assert_contains;

/// An assistant that keeps what it is told of progress.
#[derive(Clone, Default)]
struct Assistant {
    progress: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

impl ClientHandler for Assistant {
    async fn on_progress(&self, note: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.lock().unwrap().push(note);
    }
}

/// A server in a project directory, and its client.
struct Connection {
    client: RunningService<RoleClient, Assistant>,
}

impl Connection {
    async fn new(directory: &Path) -> Connection {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.arg("mcp").arg("--directory").arg(directory);
        let process = TokioChildProcess::new(command).unwrap();
        let client = Assistant::default().serve(process).await.unwrap();
        Connection { client }
    }

    /// The text of the answer, or that of the error.
    async fn call(&self, tool: &'static str, arguments: &Value) -> Result<String, String> {
        let request = CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone());
        let result = self.client.call_tool(request).await.unwrap();
        let text = result.content.iter().find_map(|block| block.as_text());
        let text = text.unwrap().text.clone();
        if result.is_error == Some(true) {
            return Err(text);
        }
        if let Some(structured) = result.structured_content {
            let same: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(same, structured);
        }
        Ok(text)
    }

    async fn ask(&self, tool: &'static str, arguments: &Value) -> Value {
        let answer = self.call(tool, arguments).await.unwrap();
        serde_json::from_str(&answer).unwrap()
    }
}

fn till(modifier: &str) -> Compiled {
    let text = format!(
        "package shop; public class Till {{ private volatile int sum; public {modifier} void add() {{ sum++; }} \
         public int sum() {{ return sum; }} }}"
    );
    compile(&[("shop/Till.java", &text)]).unwrap()
}

#[tokio::test]
async fn an_assistant_hunts_looks_into_a_finding_and_sees_that_its_correction_helps() {
    let project = TempDir::new().unwrap();
    let classes = project.path().join("classes/shop");
    fs::create_dir_all(&classes).unwrap();
    let use_class = |compiled: &Compiled| {
        fs::copy(
            compiled.classes().join("shop/Till.class"),
            classes.join("Till.class"),
        )
        .unwrap();
    };
    use_class(&till(""));
    let connection = Connection::new(project.path()).await;
    let tools = connection.client.list_all_tools().await.unwrap();
    let mut names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "check_again",
            "explain_finding",
            "hunt",
            "list_findings",
            "step_through"
        ]
    );

    let hunt = json!({"class": "shop.Till", "class_path": "classes", "budget": "1h", "max_plans": 20, "max_findings": 1});
    let hunted = connection.ask("hunt", &hunt).await;
    assert_eq!(hunted["conclusion"], "violations", "{hunted:#}");
    let finding = &hunted["findings"][0];
    assert_eq!(finding["kind"], "result", "{hunted:#}");
    assert_contains(&finding["places"].to_string(), &["shop/Till.java:1"]);
    let notes = connection.client.service().progress.lock().unwrap().clone();
    assert!(!notes.is_empty());

    let listed = connection.ask("list_findings", &json!({})).await;
    assert_eq!(listed["findings"], hunted["findings"]);
    let this = json!({"id": finding["id"]});
    let explained = connection.call("explain_finding", &this).await.unwrap();
    assert_contains(
        &explained,
        &[
            "What the threads did",
            "JUnit test",
            "result: ",
            "When it may be by design",
        ],
    );

    let all = connection.ask("step_through", &this).await;
    let total = all["total"].as_u64().unwrap();
    let steps = json!({"id": finding["id"], "from": 2, "to": 3});
    let some = connection.ask("step_through", &steps).await;
    assert_eq!(
        some["steps"].as_array().unwrap()[..],
        all["steps"].as_array().unwrap()[1..3]
    );
    let steps = json!({"id": finding["id"], "from": total + 1});
    let refused = connection.call("step_through", &steps).await.unwrap_err();
    assert_contains(&refused, &[&format!("there are {total} steps")]);

    let again = connection.ask("check_again", &this).await;
    assert_eq!(again["status"], "still_there", "{again:#}");
    use_class(&till("synchronized"));
    let again = connection.ask("check_again", &this).await;
    assert_eq!(again["status"], "gone", "{again:#}");
    let listed = connection.ask("list_findings", &json!({})).await;
    assert_eq!(listed["findings"], json!([]));
    connection.client.cancel().await.unwrap();
}

#[tokio::test]
async fn what_an_assistant_says_is_no_option_and_mistakes_are_explained() {
    let project = TempDir::new().unwrap();
    let connection = Connection::new(project.path()).await;
    let refused =
        |answer: Result<String, String>, parts: &[&str]| assert_contains(&answer.unwrap_err(), parts);
    let hunt = connection.call("hunt", &json!({"class": "--no-cage"})).await;
    refused(hunt, &["no class --no-cage"]);
    let wrong = json!({"class": "java.util.Vector", "budget": "soon"});
    refused(connection.call("hunt", &wrong).await, &["is not a time", "30s"]);
    refused(
        connection.call("list_findings", &json!({})).await,
        &["there is no hunt in "],
    );
    let outside = json!({"id": "../../etc"});
    refused(
        connection.call("explain_finding", &outside).await,
        &["there is no hunt in "],
    );
    connection.client.cancel().await.unwrap();
}

#[test]
fn an_assistant_that_goes_away_ends_its_hunt_and_what_was_found_is_kept() {
    let project = TempDir::new().unwrap();
    let classes = till("");
    let mut server = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("mcp")
        .current_dir(project.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = server.stdin.take().unwrap();
    let mut from = BufReader::new(server.stdout.take().unwrap());
    let mut send = |message: Value| writeln!(to, "{message}").unwrap();
    let client = json!({"name": "test", "version": "1"});
    send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}}));
    send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let hunt = json!({"class": "shop.Till", "class_path": classes.classes(), "budget": "1h"});
    send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "hunt", "arguments": hunt, "_meta": {"progressToken": 7}}}));
    let mut line = String::new();
    while !line.contains("shop.Till: ") {
        line.clear();
        assert_ne!(from.read_line(&mut line).unwrap(), 0, "the server has ended");
    }
    let note: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(note["method"], "notifications/progress", "{note:#}");
    assert_eq!(note["params"]["progressToken"], 7, "{note:#}");
    drop(to);
    from.read_to_string(&mut line).unwrap();
    assert!(server.wait().unwrap().success());
    let run = fs::read_to_string(project.path().join("raddle-out/shop.Till/run.json")).unwrap();
    let run: Value = serde_json::from_str(&run).unwrap();
    assert_eq!(run["finished"], true, "{run:#}");
}
