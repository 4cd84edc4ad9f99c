//! The door to both analyses.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_program::{ClassId, LoadError, Program};

use crate::facts::{ClassFacts, Counts, MethodFacts, Precision};
use crate::paper::PaperAnalyzer;
use crate::place::signature;
use crate::precise::PreciseAnalyzer;

/// Why a class has no dependencies to report.
#[derive(Debug, thiserror::Error)]
pub enum AnalyzeError {
    /// An interface has no state for threads to share.
    #[error("{name} is an interface, so it has no state of its own; name a class that implements it")]
    Interface {
        /// Java name.
        name: String,
    },
    /// An annotation likewise.
    #[error("{name} is an annotation type; there is nothing in it for threads to share")]
    Annotation {
        /// Java name.
        name: String,
    },
    /// No call can be made on it from outside.
    #[error(
        "{name} has no public methods of its own, so no test could call it; name the public class it serves"
    )]
    NoPublicMethods {
        /// Java name.
        name: String,
    },
    /// It could not be loaded.
    #[error("{0}")]
    Load(Arc<LoadError>),
}

enum Analysis<'p> {
    Paper(PaperAnalyzer<'p>),
    Precise(Box<PreciseAnalyzer<'p>>),
}

/// Analyses classes of one program. Method summaries are kept and shared between classes and threads.
pub struct Analyzer<'p> {
    program: &'p Program,
    analysis: Analysis<'p>,
}

impl<'p> Analyzer<'p> {
    /// An analyzer of the given precision.
    pub fn new(program: &'p Program, precision: Precision) -> Self {
        let analysis = match precision {
            Precision::Paper => Analysis::Paper(PaperAnalyzer::new(program)),
            Precision::Precise => Analysis::Precise(Box::new(PreciseAnalyzer::new(program))),
        };
        Analyzer { program, analysis }
    }

    /// Summaries and dependencies of one class.
    pub fn analyze(&self, class: ClassId) -> Result<ClassFacts, AnalyzeError> {
        self.check(class)?;
        Ok(match &self.analysis {
            Analysis::Paper(paper) => {
                let mut facts = paper.analyze(class);
                facts
                    .pairs
                    .retain(|pair| pair.conflict.is_some() || pair.double_lock.is_some());
                facts
            }
            Analysis::Precise(precise) => precise.analyze(class),
        })
    }

    /// The methods of one class, with nothing known of them. It takes no time.
    pub fn outline(&self, class: ClassId) -> Result<ClassFacts, AnalyzeError> {
        self.check(class)?;
        let program = self.program;
        let methods: Vec<MethodFacts> = program
            .public_methods(class)
            .into_iter()
            .map(|method| MethodFacts {
                signature: signature(program, method),
                declared_in: program.name(method.class),
                is_static: program
                    .method(method)
                    .is_some_and(|(_, method)| method.access.is_static()),
                accesses: Vec::new(),
                locks: Vec::new(),
                double_locks: Vec::new(),
                unknown_calls: Vec::new(),
            })
            .collect();
        let count = methods.len();
        Ok(ClassFacts {
            class: program.name(class),
            origin: program
                .class(class)
                .map_or_else(String::new, |class| class.origin().to_string()),
            precision: match &self.analysis {
                Analysis::Paper(_) => Precision::Paper,
                Analysis::Precise(_) => Precision::Precise,
            },
            methods,
            pairs: Vec::new(),
            counts: Counts {
                m: count * (count + 1) / 2,
                mpc: 0,
                md: 0,
                union: 0,
            },
            missing: Vec::new(),
        })
    }

    /// Whether a class can be looked at.
    fn check(&self, class: ClassId) -> Result<(), AnalyzeError> {
        let program = self.program;
        let name = || program.name(class);
        let loaded = program
            .load(class)
            .map_err(|error| AnalyzeError::Load(Arc::clone(error)))?;
        let access = loaded.access();
        if access.is_annotation() {
            return Err(AnalyzeError::Annotation { name: name() });
        }
        if access.is_interface() {
            return Err(AnalyzeError::Interface { name: name() });
        }
        if program.public_methods(class).is_empty() {
            return Err(AnalyzeError::NoPublicMethods { name: name() });
        }
        Ok(())
    }

    /// Classes of the class path, by Java name, of which a call of this method, on an object of this class, sets static
    /// fields or changes what they hold; none if that cannot be told, because the call does too much or has no code. The class
    /// initialisers that the call leads to do not count. Known in `precise` only.
    pub fn changed_statics(&self, class: ClassId, name: &str, descriptor: &str) -> Option<BTreeSet<String>> {
        match &self.analysis {
            Analysis::Paper(_) => Some(BTreeSet::new()),
            Analysis::Precise(precise) => {
                let program = self.program;
                precise.changed_statics(class, (program.symbol(name), program.symbol(descriptor)))
            }
        }
    }

    /// Positions of the arguments whose state a call of this method, on an object of this class, can change: `drainTo`
    /// fills what it is given; none if that cannot be told. Known in `precise` only.
    pub fn changed_arguments(&self, class: ClassId, name: &str, descriptor: &str) -> Option<BTreeSet<usize>> {
        match &self.analysis {
            Analysis::Paper(_) => None,
            Analysis::Precise(precise) => {
                let program = self.program;
                precise.changed_arguments(class, (program.symbol(name), program.symbol(descriptor)))
            }
        }
    }
}
