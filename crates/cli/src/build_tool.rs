//! `raddle hunt --maven` and `--gradle`: the class path of a project, as its build tool knows it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde::Deserialize;

use crate::failure::Failure;

/// Where Maven writes the class path of each module to, in the module. Gone when it was read.
const MAVEN_FILE: &str = "target/raddle-class-path.txt";

/// A file of the temporary directory that Gradle reads: prints what it knows of every project that has Java in it.
const GRADLE_SCRIPT: &str = r#"// Made by raddle, which removes it.
allprojects { project ->
    project.tasks.create('raddleClassPath').doLast {
        if (project.hasProperty('sourceSets') && project.sourceSets.findByName('main') != null) {
            def main = project.sourceSets.main
            main.output.classesDirs.files.each { println "raddle-classes:${it}" }
            main.runtimeClasspath.files.each { println "raddle-path:${it}" }
            main.compileClasspath.files.each { println "raddle-path:${it}" }
        }
    }
}
"#;

/// What builds the project.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BuildTool {
    Maven,
    Gradle,
}

#[derive(Args)]
pub(crate) struct ProjectArguments {
    /// Take the class path from Maven, and hunt all classes of the project unless others are named.
    ///
    /// The project must be compiled. Of a project with modules, all modules are taken. The wrapper mvnw is used if there is
    /// one.
    #[arg(long, conflicts_with_all = ["gradle", "class_path", "resume"])]
    maven: bool,

    /// The same with Gradle, whose wrapper gradlew is used if there is one.
    #[arg(long, conflicts_with_all = ["class_path", "resume"])]
    gradle: bool,

    /// The directory of the project for --maven or --gradle, of which one is chosen if neither is said [default: the current
    /// one].
    #[arg(long, value_name = "DIR", conflicts_with_all = ["class_path", "resume"])]
    project: Option<PathBuf>,
}

/// What a project has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Project {
    /// All that its classes need, the project itself first.
    pub(crate) class_path: Vec<PathBuf>,
    /// The directories with the classes of the project itself.
    pub(crate) own: Vec<PathBuf>,
}

impl ProjectArguments {
    /// The project, if one was asked for on the command line or, without a class path, in the configuration.
    pub(crate) fn project(&self, configured: Option<BuildTool>) -> Result<Option<Project>, Failure> {
        let folder = self.project.as_deref().unwrap_or(Path::new("."));
        let tool = match (self.maven, self.gradle) {
            (true, _) => BuildTool::Maven,
            (_, true) => BuildTool::Gradle,
            _ if self.project.is_some() => BuildTool::of(folder).ok_or_else(|| {
                let folder = folder.display();
                problem(format!(
                    "{folder} has neither a pom.xml nor a build.gradle; name the directory of a project with --project, or give \
                     --class-path"
                ))
            })?,
            _ => match configured {
                Some(tool) => tool,
                None => return Ok(None),
            },
        };
        tool.ask(folder).map(Some)
    }
}

impl BuildTool {
    /// What builds the project in a directory, by its files.
    fn of(folder: &Path) -> Option<BuildTool> {
        [BuildTool::Maven, BuildTool::Gradle]
            .into_iter()
            .find(|tool| tool.builds(folder))
    }

    fn builds(self, folder: &Path) -> bool {
        let files: &[&str] = match self {
            BuildTool::Maven => &["pom.xml"],
            BuildTool::Gradle => &[
                "build.gradle",
                "build.gradle.kts",
                "settings.gradle",
                "settings.gradle.kts",
            ],
        };
        files.iter().any(|name| folder.join(name).is_file())
    }

    fn name(self) -> &'static str {
        match self {
            BuildTool::Maven => "Maven",
            BuildTool::Gradle => "Gradle",
        }
    }

    fn program(self) -> &'static str {
        match self {
            BuildTool::Maven => "mvn",
            BuildTool::Gradle => "gradle",
        }
    }

    fn wrapper(self) -> &'static str {
        match (self, cfg!(windows)) {
            (BuildTool::Maven, false) => "mvnw",
            (BuildTool::Maven, true) => "mvnw.cmd",
            (BuildTool::Gradle, false) => "gradlew",
            (BuildTool::Gradle, true) => "gradlew.bat",
        }
    }

    fn compile_command(self) -> &'static str {
        match self {
            BuildTool::Maven => "mvn compile",
            BuildTool::Gradle => "gradle classes",
        }
    }

    /// Asks for the class path. Nothing of the project is compiled.
    fn ask(self, folder: &Path) -> Result<Project, Failure> {
        if !self.builds(folder) {
            return Err(problem(format!(
                "{} is no project of {}; name its directory with --project",
                folder.display(),
                self.name()
            )));
        }
        let folder = std::path::absolute(folder)?;
        let project = match self {
            BuildTool::Maven => self.ask_maven(&folder)?,
            BuildTool::Gradle => self.ask_gradle(&folder)?,
        };
        if project.own.is_empty() {
            return Err(problem(format!(
                "there are no compiled classes in {}; compile them first with {}",
                folder.display(),
                self.compile_command()
            )));
        }
        Ok(project)
    }

    fn ask_maven(self, folder: &Path) -> Result<Project, Failure> {
        // Modules find each other only in a build that has come to the phase in which they are compiled; nothing is
        // compiled in it.
        self.run(
            folder,
            &[
                OsStr::new("--quiet"),
                OsStr::new("--batch-mode"),
                OsStr::new("-Dmaven.main.skip=true"),
                OsStr::new("compile"),
                OsStr::new("dependency:build-classpath"),
                OsStr::new(&format!("-Dmdep.outputFile={MAVEN_FILE}")),
            ],
        )?;
        let mut own = Vec::new();
        let mut others = Vec::new();
        for module in modules(folder)? {
            let file = module.join(MAVEN_FILE);
            let text = match fs::read_to_string(&file) {
                Ok(text) => text,
                // No module of this build.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            fs::remove_file(&file)?;
            own.push(module.join("target").join("classes"));
            others.extend(std::env::split_paths(text.trim()));
        }
        Ok(Project::new(own, others))
    }

    fn ask_gradle(self, folder: &Path) -> Result<Project, Failure> {
        let scratch = tempfile::tempdir()?;
        let script = scratch.path().join("raddle.gradle");
        fs::write(&script, GRADLE_SCRIPT)?;
        let text = self.run(
            folder,
            &[
                OsStr::new("--quiet"),
                OsStr::new("--init-script"),
                script.as_os_str(),
                // What is printed would not be printed again from a cache. By both names that it has had.
                OsStr::new("-Dorg.gradle.configuration-cache=false"),
                OsStr::new("-Dorg.gradle.unsafe.configuration-cache=false"),
                OsStr::new("raddleClassPath"),
            ],
        )?;
        let paths = |mark: &str| {
            let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
            lines.map(PathBuf::from).collect::<Vec<_>>()
        };
        Ok(Project::new(paths("raddle-classes:"), paths("raddle-path:")))
    }

    /// Runs the tool in the directory of the project; what it printed.
    fn run(self, folder: &Path, arguments: &[&OsStr]) -> Result<String, Failure> {
        let wrapper = folder.join(self.wrapper());
        let program = if wrapper.is_file() {
            wrapper
        } else {
            PathBuf::from(self.program())
        };
        let output = Command::new(&program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| {
                problem(format!(
                    "{} cannot be started: {error}; install {}, or give --class-path",
                    program.display(),
                    self.name()
                ))
            })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        let said: Vec<&str> = text.lines().chain(errors.lines()).collect();
        let wrong = |line: &&&str| line.starts_with("[ERROR]") || line.starts_with("> ");
        let first = said.iter().find(wrong).or_else(|| said.last()).copied();
        Err(problem(format!(
            "{} in {} failed: {}; if the project was not compiled yet, do that first with {}",
            self.program(),
            folder.display(),
            first.unwrap_or("it says nothing").trim(),
            self.compile_command()
        )))
    }
}

impl Project {
    /// Only what is there, and each once: modules that were never packed have no jars, and need none.
    fn new(own: Vec<PathBuf>, others: Vec<PathBuf>) -> Project {
        let mut class_path: Vec<PathBuf> = Vec::new();
        let is_there = |path: &PathBuf| path.exists();
        let own: Vec<PathBuf> = own.into_iter().filter(is_there).collect();
        for path in own.iter().cloned().chain(others.into_iter().filter(is_there)) {
            if !class_path.contains(&path) {
                class_path.push(path);
            }
        }
        Project { class_path, own }
    }
}

/// The directories with a pom.xml, in order of their names. What a build writes, and what is hidden, is left out.
fn modules(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut modules = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        if folder.join("pom.xml").is_file() {
            modules.push(folder.clone());
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if entry.file_type()?.is_dir() && !name.starts_with('.') && name != "target" && name != "src" {
                open.push(entry.path());
            }
        }
    }
    modules.sort_unstable();
    Ok(modules)
}

/// Says what to type to a user who has named no class path, if the current directory is that of a project.
pub(crate) fn add_hint(sentence: &mut String) {
    let more = match BuildTool::of(Path::new(".")) {
        Some(BuildTool::Maven) => {
            "; this is a project of Maven: raddle hunt --maven takes its class path, and mvn dependency:build-classpath \
             prints what it needs besides target/classes"
        }
        Some(BuildTool::Gradle) => "; this is a project of Gradle: raddle hunt --gradle takes its class path",
        None => "",
    };
    sentence.push_str(more);
}

fn problem(sentence: String) -> Failure {
    Failure::bad_input(vec![sentence])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_path_has_what_is_there_once_and_the_project_first() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a", "b", "c.jar"] {
            fs::create_dir(at(name)).unwrap();
        }
        let project = Project::new(
            vec![at("a"), at("nowhere"), at("b")],
            vec![at("c.jar"), at("a"), at("none.jar")],
        );
        assert_eq!(project.class_path, [at("a"), at("b"), at("c.jar")]);
        assert_eq!(project.own, [at("a"), at("b")]);
    }

    #[test]
    fn a_project_is_known_by_its_files() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(BuildTool::of(folder.path()), None);
        fs::write(folder.path().join("settings.gradle.kts"), "").unwrap();
        assert_eq!(BuildTool::of(folder.path()), Some(BuildTool::Gradle));
        fs::write(folder.path().join("pom.xml"), "").unwrap();
        assert_eq!(BuildTool::of(folder.path()), Some(BuildTool::Maven));
    }
}
