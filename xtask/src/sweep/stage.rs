//! What is swept together: a module, the rest of a JDK, the subjects' jars.

use std::path::{Path, PathBuf};

use raddle_classpath::{ClassPath, Jdk};
use raddle_program::{ClassId, Program, java_name};
use raddle_summary::{AnalyzeError, Analyzer, ClassFacts, Precision};

use super::Manner;
use super::digest::Digest;
use super::outcome::{Outcome, Record, Skip};
use super::pass::{Pass, Work};
use super::read;
use crate::subjects::{Cache, class_paths};

/// The module with a target of its own.
const BASE: &str = "java.base";

/// Classes of one program.
struct Stage {
    title: String,
    classes: Vec<Target>,
}

struct Target {
    id: ClassId,
    internal: String,
    java: String,
}

impl Stage {
    fn new(title: String, program: &Program, names: impl Iterator<Item = String>, manner: &Manner) -> Stage {
        let classes = names.map(|internal| Target {
            id: program.class_id(&internal),
            java: java_name(&internal),
            internal,
        });
        let is_wanted = |target: &Target| !manner.except.contains(&target.java);
        Stage {
            title,
            classes: classes.filter(is_wanted).collect(),
        }
    }

    fn passes(
        &self,
        program: &Program,
        analyzers: &[(Precision, Analyzer<'_>)],
        manner: &Manner,
    ) -> Vec<Pass> {
        let mut passes = vec![self.pass(Work::Read, manner, |target| read_class(program, target))];
        for (precision, analyzer) in analyzers {
            passes.push(self.pass(Work::Analyse(*precision), manner, |target| {
                analyse(analyzer, target, manner.digest)
            }));
        }
        passes
    }

    fn pass(&self, work: Work, manner: &Manner, each: impl Fn(&Target) -> Record + Sync) -> Pass {
        Pass::run(
            self.title.clone(),
            work,
            manner,
            &self.classes,
            |target| &target.java,
            each,
        )
    }
}

/// The modules of a JDK, all in one program: those asked for, or java.base and then the rest together.
pub(super) fn jdk(home: &Path, modules: &[String], manner: &Manner) -> anyhow::Result<Vec<Pass>> {
    let jdk = Jdk::open(home)?;
    let version = jdk.version().to_owned();
    let class_path = ClassPath::open(&[], jdk.feature())?;
    let program = Program::new(jdk, class_path);
    let all = program.jdk().modules();
    let groups: Vec<(String, Vec<&str>)> = if modules.is_empty() {
        let others = all.iter().copied().filter(|module| *module != BASE).collect();
        vec![
            (BASE.to_owned(), vec![BASE]),
            ("other modules".to_owned(), others),
        ]
    } else {
        modules
            .iter()
            .map(|module| (module.clone(), vec![module.as_str()]))
            .collect()
    };
    let analyzers = analyzers(&program, manner);
    let mut passes = Vec::new();
    for (title, modules) in groups {
        let mut names = Vec::new();
        for module in modules {
            let classes = program.jdk().try_classes_of(module)?;
            names.extend(classes.into_iter().map(|(name, _)| name));
        }
        let stage = Stage::new(
            format!("JDK {version}, {title}"),
            &program,
            names.into_iter(),
            manner,
        );
        passes.extend(stage.passes(&program, &analyzers, manner));
    }
    Ok(passes)
}

/// The subjects' jars, each class path in a program of its own, all in one pass for each kind of work.
pub(super) fn jars(home: &Path, manner: &Manner) -> anyhow::Result<Vec<Pass>> {
    let cache = Cache::open(true)?;
    let mut together: Vec<Pass> = Vec::new();
    for coordinates in class_paths()? {
        match cache.jars(&coordinates)? {
            Ok(jars) => {
                for pass in class_path(home, &jars, manner)? {
                    match together.iter_mut().find(|known| known.work == pass.work) {
                        Some(known) => known.add(pass),
                        None => together.push(Pass {
                            title: "subjects' jars".to_owned(),
                            ..pass
                        }),
                    }
                }
            }
            Err(missing) => eprintln!("warning: {missing}; run `cargo xtask subjects` once"),
        }
    }
    Ok(together)
}

fn class_path(home: &Path, jars: &[PathBuf], manner: &Manner) -> anyhow::Result<Vec<Pass>> {
    let jdk = Jdk::open(home)?;
    let first = jars.first().and_then(|jar| jar.file_name()).unwrap_or_default();
    let title = first.to_string_lossy().into_owned();
    let class_path = ClassPath::open(jars, jdk.feature())?;
    let program = Program::new(jdk, class_path);
    let names = program.class_path().class_names();
    let stage = Stage::new(title, &program, names.into_iter().map(|(name, _)| name), manner);
    Ok(stage.passes(&program, &analyzers(&program, manner), manner))
}

fn analyzers<'p>(program: &'p Program, manner: &Manner) -> Vec<(Precision, Analyzer<'p>)> {
    let each = manner.precisions.iter();
    each.map(|&precision| (precision, Analyzer::new(program, precision)))
        .collect()
}

fn read_class(program: &Program, target: &Target) -> Record {
    Record::of(&target.java, || {
        let found = match program.jdk().find(&target.internal) {
            Ok(Some((bytes, _))) => Ok(Some(bytes)),
            Ok(None) => program
                .class_path()
                .find(&target.internal)
                .map(|found| found.map(|(bytes, _)| bytes)),
            Err(error) => Err(error),
        };
        let outcome = match found {
            Ok(Some(bytes)) => match read::all(&bytes) {
                Ok(_) => Outcome::Done(None),
                Err(error) => Outcome::Unreadable(error.to_string()),
            },
            Ok(None) => Outcome::Unreadable("listed, but not found".to_owned()),
            Err(error) => Outcome::Unreadable(error.to_string()),
        };
        || outcome
    })
}

fn analyse(analyzer: &Analyzer<'_>, target: &Target, with_digest: bool) -> Record {
    Record::of(&target.java, || {
        let result = analyzer.analyze(target.id);
        move || match result {
            Ok(facts) => Outcome::Done(with_digest.then(|| digest(&facts))),
            Err(AnalyzeError::Interface { .. }) => Outcome::Skipped(Skip::Interface),
            Err(AnalyzeError::Annotation { .. }) => Outcome::Skipped(Skip::Annotation),
            Err(AnalyzeError::NoPublicMethods { .. }) => Outcome::Skipped(Skip::NoPublicMethods),
            Err(AnalyzeError::Load(error)) => Outcome::Unreadable(error.to_string()),
        }
    })
}

fn digest(facts: &ClassFacts) -> Digest {
    match serde_json::to_vec(facts) {
        Ok(json) => Digest::EMPTY.with(&json),
        Err(error) => Digest::EMPTY.with(error.to_string().as_bytes()),
    }
}
