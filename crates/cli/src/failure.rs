//! Why a command stopped.

use std::io;

use raddle_campaign::ContractError;
use raddle_classpath::{ClassPathError, JdkError};
use raddle_execute::SessionError;
use raddle_plan::PlanError;
use raddle_program::NameError;
use raddle_report::ResumeError;

use crate::exit_code::ExitCode;

/// Why a command stopped: sentences for standard error, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: ExitCode,
    pub(crate) messages: Vec<String>,
}

impl Failure {
    pub(crate) fn bad_input(messages: Vec<String>) -> Failure {
        Failure {
            code: ExitCode::BadInput,
            messages,
        }
    }

    pub(crate) fn inconclusive(messages: Vec<String>) -> Failure {
        Failure {
            code: ExitCode::Inconclusive,
            messages,
        }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Failure::bad_input(vec![error.to_string()])
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Refused(sentence) => Failure::bad_input(vec![sentence]),
            SessionError::Died(death) => {
                let mut messages = vec![format!("cannot run the plan: {death}")];
                if !death.evidence.is_empty() {
                    messages.push(death.evidence.clone());
                }
                Failure::inconclusive(messages)
            }
            SessionError::Environment(_)
            | SessionError::Spawn(_)
            | SessionError::Scratch(_)
            | SessionError::CageGaps(_) => Failure::inconclusive(vec![error.to_string()]),
        }
    }
}

/// The results could not be written.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            // The reader has seen enough, as with `raddle … | head`.
            return Failure {
                code: ExitCode::Done,
                messages: Vec::new(),
            };
        }
        let message = format!("cannot write the results: {error}; check where standard output goes");
        Failure {
            code: ExitCode::Inconclusive,
            messages: vec![message],
        }
    }
}

impl From<JdkError> for Failure {
    fn from(error: JdkError) -> Self {
        Failure::bad_input(vec![error.to_string()])
    }
}

impl From<ClassPathError> for Failure {
    fn from(error: ClassPathError) -> Self {
        Failure::bad_input(vec![error.to_string()])
    }
}

impl From<ContractError> for Failure {
    fn from(error: ContractError) -> Self {
        Failure::bad_input(vec![error.to_string()])
    }
}

impl From<ResumeError> for Failure {
    fn from(error: ResumeError) -> Self {
        Failure::bad_input(vec![error.to_string()])
    }
}

impl From<Vec<NameError>> for Failure {
    fn from(errors: Vec<NameError>) -> Self {
        Failure::bad_input(errors.iter().map(ToString::to_string).collect())
    }
}
