//! The tools that an assistant can call.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use raddle_report::explain;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{Implementation, ProgressNotificationParam, ServerCapabilities, ServerConfig};
use rmcp::schemars::{self, JsonSchema};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::again::{self, Again};
use super::child::{Children, Waiting};
use super::findings::{Document, Hunted};
use super::progress;
use crate::hunt_arguments::{self, OUT};

const INSTRUCTIONS: &str = "\
Raddle finds out whether two threads can break a compiled Java class: it makes concurrent tests, runs them on a real JVM under \
its own scheduler, and reports only what it has seen happen. Compile the project first. Then hunt a class, look at a finding \
with explain_finding and step_through, change the code, compile again, and ask check_again whether it is gone.";

/// Steps that are shown when nobody says how many.
const STEPS: usize = 40;

#[derive(Clone)]
pub(super) struct Server {
    children: Children,
}

#[derive(Deserialize, JsonSchema)]
struct HuntAsked {
    /// The class by its full name, such as com.acme.Cache, or a pattern such as com.acme.**
    class: String,
    /// Jars and directories with the compiled classes and what they need, separated by colons as for java. By default that of
    /// raddle.toml; classes of the JDK need none.
    #[serde(default)]
    class_path: Option<String>,
    /// How long each class is hunted, such as 20s or 5m. By default that of raddle.toml, else 60s. 20s are enough for a first
    /// look at a small class.
    #[serde(default)]
    budget: Option<String>,
    /// Leave a class after so many tests.
    #[serde(default)]
    max_plans: Option<u64>,
    /// Leave a class after so many findings.
    #[serde(default)]
    max_findings: Option<u64>,
    /// Kinds to look for: exception, deadlock, lost-wakeup, livelock, result. By default all.
    #[serde(default)]
    kinds: Vec<String>,
    /// Where everything is written to. By default raddle-out.
    #[serde(default)]
    folder: Option<PathBuf>,
}

#[derive(Deserialize, JsonSchema)]
struct FolderAsked {
    /// The folder that a hunt has written. By default raddle-out.
    #[serde(default)]
    folder: Option<PathBuf>,
}

#[derive(Deserialize, JsonSchema)]
struct FindingAsked {
    /// The id of the finding, such as deadlock-1f00c4a2.
    id: String,
    /// The folder that the hunt has written. By default raddle-out.
    #[serde(default)]
    folder: Option<PathBuf>,
}

#[derive(Deserialize, JsonSchema)]
struct StepsAsked {
    /// The id of the finding, such as deadlock-1f00c4a2.
    id: String,
    /// The first step to show, counted from 1. By default 1.
    #[serde(default)]
    from: Option<usize>,
    /// The last step to show. By default 40 steps are shown.
    #[serde(default)]
    to: Option<usize>,
    /// The folder that the hunt has written. By default raddle-out.
    #[serde(default)]
    folder: Option<PathBuf>,
}

/// A part of an interleaving.
#[derive(Serialize, JsonSchema)]
struct Interleaving {
    /// Names of the threads; a step names its thread by its position here, from 0. The first prepares and looks at the result.
    threads: Value,
    /// How many steps there are in all.
    total: usize,
    /// The first step that is shown, counted from 1.
    from: usize,
    /// What the threads did, in the order in which they did it: `thread`, `kind`, `text`, and where known `value`, `location` and
    /// `held`, the monitors that the thread holds after it.
    steps: Vec<Value>,
}

#[tool_router]
impl Server {
    /// Hunt a class: find out whether two threads can break it. Takes about as long as the budget says. The answer lists the
    /// findings; everything else is in the folder.
    #[tool(annotations(title = "Hunt a class", read_only_hint = false, destructive_hint = false))]
    async fn hunt(
        &self,
        Parameters(asked): Parameters<HuntAsked>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<Hunted>, String> {
        let folder = folder(asked.folder.as_deref());
        let mut waiting = Assistant::new(context, &folder);
        let text = self
            .children
            .document(&asked.arguments(&folder), &mut waiting)
            .await?;
        Ok(Json(Document::parse(&text)?.into_hunted()))
    }

    /// List the findings of the latest hunt of each class in a folder.
    #[tool(annotations(title = "List findings", read_only_hint = true))]
    async fn list_findings(
        &self,
        Parameters(asked): Parameters<FolderAsked>,
    ) -> Result<Json<Hunted>, String> {
        let folder = folder(asked.folder.as_deref());
        Ok(Json(Document::read(&folder)?.into_hunted()))
    }

    /// Explain a finding: what the threads did to come to it, what such a violation is, and when it may be no bug.
    #[tool(annotations(title = "Explain a finding", read_only_hint = true))]
    async fn explain_finding(&self, Parameters(asked): Parameters<FindingAsked>) -> Result<String, String> {
        let folder = folder(asked.folder.as_deref());
        let finding = Document::read(&folder)?
            .into_hunted()
            .finding(&asked.id, &folder)?;
        let told = read(&finding.folder.join("interleaving.txt"))?;
        let kind = hunt_arguments::kind(&finding.kind)?;
        let files = finding.folder.display();
        Ok(format!(
            "{told}\nReproducer.java and a JUnit test that fails while the fault is there are in {files}\n\n{}",
            explain(kind)
        ))
    }

    /// Step through the interleaving of a finding: what each thread read, wrote, locked and called, in order, with lines and
    /// values.
    #[tool(annotations(title = "Step through an interleaving", read_only_hint = true))]
    async fn step_through(
        &self,
        Parameters(asked): Parameters<StepsAsked>,
    ) -> Result<Json<Interleaving>, String> {
        let folder = folder(asked.folder.as_deref());
        let finding = Document::read(&folder)?
            .into_hunted()
            .finding(&asked.id, &folder)?;
        let file = finding.folder.join("trace.json");
        let mut trace: Value = serde_json::from_str(&read(&file)?)
            .map_err(|reason| format!("{} cannot be used: {reason}", file.display()))?;
        let Some(Value::Array(steps)) = trace.get_mut("steps").map(Value::take) else {
            return Err(format!("{} has no steps", file.display()));
        };
        let total = steps.len();
        let from = asked.from.unwrap_or(1).max(1);
        let to = asked
            .to
            .unwrap_or_else(|| from.saturating_add(STEPS - 1))
            .min(total);
        if from > to {
            return Err(format!("there are {total} steps; ask for some of 1 to {total}"));
        }
        Ok(Json(Interleaving {
            threads: trace.get_mut("threads").map(Value::take).unwrap_or_default(),
            total,
            from,
            steps: steps.into_iter().take(to).skip(from - 1).collect(),
        }))
    }

    /// Check whether a finding is gone after the class was changed and compiled again: runs its test, and hunts the class again
    /// with the same options. Takes a few seconds if it is still there, and about as long as the first hunt otherwise.
    #[tool(annotations(
        title = "Check a finding again",
        read_only_hint = false,
        destructive_hint = false
    ))]
    async fn check_again(
        &self,
        Parameters(asked): Parameters<FindingAsked>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<Again>, String> {
        let folder = folder(asked.folder.as_deref());
        let finding = Document::read(&folder)?
            .into_hunted()
            .finding(&asked.id, &folder)?;
        let mut waiting = Assistant::new(context, &folder);
        again::check(&self.children, &folder, &finding, &mut waiting)
            .await
            .map(Json)
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("raddle", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}

impl Server {
    pub(super) fn new() -> io::Result<Server> {
        Ok(Server {
            children: Children::new()?,
        })
    }

    /// What the server has started.
    pub(super) fn children(&self) -> Children {
        self.children.clone()
    }
}

impl HuntAsked {
    /// As they would be typed. What an assistant says is a value or a name, and can never become an option of its own.
    fn arguments(&self, folder: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["hunt".into(), "--json".into()];
        let mut out = OsString::from("--out=");
        out.push(folder);
        arguments.push(out);
        let values = [
            ("class-path", self.class_path.clone()),
            ("budget", self.budget.clone()),
            ("max-plans", self.max_plans.map(|plans| plans.to_string())),
            (
                "max-findings",
                self.max_findings.map(|findings| findings.to_string()),
            ),
            ("kinds", (!self.kinds.is_empty()).then(|| self.kinds.join(","))),
        ];
        for (name, value) in values {
            arguments.extend(value.map(|value| format!("--{name}={value}").into()));
        }
        arguments.extend(["--".into(), self.class.clone().into()]);
        arguments
    }
}

fn folder(asked: Option<&Path>) -> PathBuf {
    asked.unwrap_or(Path::new(OUT)).to_owned()
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|reason| format!("{} cannot be read: {reason}", file.display()))
}

/// The assistant that waits for an answer.
struct Assistant {
    context: RequestContext<RoleServer>,
    folder: PathBuf,
    begun: (Instant, SystemTime),
}

impl Assistant {
    fn new(context: RequestContext<RoleServer>, folder: &Path) -> Assistant {
        Assistant {
            context,
            folder: folder.to_owned(),
            begun: (Instant::now(), SystemTime::now()),
        }
    }
}

impl Waiting for Assistant {
    async fn cancelled(&self) {
        self.context.ct.cancelled().await;
    }

    /// Notes of progress count seconds, since nobody knows how long a violation takes to be made sure of.
    async fn sign_of_life(&mut self) {
        let Some(token) = self.context.meta.get_progress_token() else {
            return;
        };
        let seconds = self.begun.0.elapsed().as_secs_f64();
        let message =
            progress::sentence(&self.folder, self.begun.1).unwrap_or_else(|| "starting a JVM".to_owned());
        let note = ProgressNotificationParam::new(token, seconds).with_message(message);
        // An assistant that does not listen is still waiting for the answer.
        let _ = self.context.peer.notify_progress(note).await;
    }
}
