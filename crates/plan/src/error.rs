//! Why a plan or a recording cannot be used.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::Part;

/// Why a plan or a recording cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The system does not let the file be read.
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// The system does not let the file be written.
    #[error("{} cannot be written: {reason}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A problem with what is in a file.
    #[error("{}: {problem}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: Box<PlanError>,
    },
    /// It is no JSON, or not of the right form.
    #[error("line {line}, column {column}: {reason}")]
    Form {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        reason: String,
    },
    /// It is JSON of another kind.
    #[error("this is no {what}: a {what} has a member `{member}` with its version, {version}")]
    Kind {
        /// What was expected: a test plan, a recording.
        what: &'static str,
        /// The member that tells.
        member: &'static str,
        /// The version that this program writes.
        version: u32,
    },
    /// It is of another version.
    #[error(
        "this {what} has version {found}, and this program reads version {version}; make it again, or use the \
         program that made it"
    )]
    Version {
        /// What it is.
        what: &'static str,
        /// Its version.
        found: String,
        /// The version that this program reads.
        version: u32,
    },
    /// Nothing to run.
    #[error("the plan has no threads; `threads` needs a list of calls for each")]
    NoThreads,
    /// More threads than a run can tell apart.
    #[error("the plan has {count} threads, and {} is the most", crate::MAX_THREADS)]
    TooManyThreads {
        /// How many.
        count: usize,
    },
    /// A call that cannot be made.
    #[error("{place}: {problem}")]
    Call {
        /// Which one.
        place: CallPlace,
        /// What is wrong with it.
        problem: CallProblem,
    },
    /// A recording whose outcome is not one of its plan.
    #[error("the plan has {expected} calls, and the number of results in the outcome is {found}")]
    ResultCount {
        /// How many calls the plan has.
        expected: usize,
        /// How many results there are.
        found: usize,
    },
    /// A value that JSON cannot express.
    #[error("it cannot be written as JSON: {reason}")]
    Unwritten {
        /// What serde says.
        reason: String,
    },
}

impl PlanError {
    /// For `map_err`: names the file.
    pub(crate) fn in_file(path: &Path) -> impl FnOnce(PlanError) -> PlanError {
        let path = path.to_owned();
        move |problem| PlanError::InFile {
            path,
            problem: Box::new(problem),
        }
    }
}

/// Names a call to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPlace {
    /// The part it belongs to.
    pub part: Part,
    /// Its place there, from 0.
    pub index: usize,
    /// What it calls.
    pub member: String,
}

impl fmt::Display for CallPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.index + 1;
        match self.part {
            Part::Prefix => write!(f, "call {number} of the prefix")?,
            Part::Thread(thread) => write!(f, "call {number} of thread {}", thread + 1)?,
            Part::After => write!(f, "call {number} after the threads")?,
        }
        write!(f, " ({})", self.member)
    }
}

/// Why a call cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallProblem {
    /// A descriptor that is none.
    #[error("`{descriptor}` is no descriptor as class files have them: {reason}")]
    Descriptor {
        /// The text.
        descriptor: String,
        /// Where it goes wrong.
        reason: String,
    },
    /// A class name that is none.
    #[error("`{name}` is no class name; write binary names with dots, such as java.util.Map$Entry")]
    ClassName {
        /// The text.
        name: String,
    },
    /// A member name that is none.
    #[error("`{name}` is no name of a method")]
    MemberName {
        /// The text.
        name: String,
    },
    /// `new` of something else than a constructor.
    #[error("`new` calls a constructor, whose name is <init> and whose descriptor ends with V")]
    NoConstructor,
    /// `implement` or `extend` of something else.
    #[error("`implement` names an interface as in java.lang.Runnable.<init>()V, without parameters")]
    NoPlainConstructor,
    /// Methods for a class that is there already.
    #[error("only `implement` and `extend` write classes; remove `\"methods\"`")]
    Methods,
    /// A constant with parameters, or without a type.
    #[error("a constant is written like a method without parameters that returns it: `a.B.INSTANCE()La/B;`")]
    NoConstant,
    /// A method that cannot be written.
    #[error("method `{name}`: {problem}")]
    Method {
        /// Its name.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A constructor without `new`.
    #[error("a constructor is called with `\"invoke\": \"new\"`")]
    Constructor,
    /// An instance method without a receiver.
    #[error("the call needs a receiver; name its variable: `\"on\": \"VARIABLE\"`")]
    NoReceiver,
    /// A receiver for something that has none.
    #[error("a {kind} has no receiver; remove `\"on\": \"{name}\"`")]
    Receiver {
        /// What is called.
        kind: &'static str,
        /// The receiver given.
        name: String,
    },
    /// A receiver that is no object of the class.
    #[error("the receiver `{name}` is of type {found}, which is never a {class}")]
    ReceiverType {
        /// The variable.
        name: String,
        /// Its type.
        found: String,
        /// The class that the call names.
        class: String,
    },
    /// Too few arguments, or too many.
    #[error("the descriptor has {expected} parameters, and the number of arguments is {found}")]
    ArgumentCount {
        /// The parameters of the descriptor.
        expected: usize,
        /// The arguments of the call.
        found: usize,
    },
    /// An argument of another type than the parameter.
    #[error("argument {number} is {given}, which does not fit the parameter's type {parameter}")]
    Argument {
        /// Which one, from 1.
        number: usize,
        /// The argument.
        given: String,
        /// The type expected.
        parameter: String,
    },
    /// A constant that is none.
    #[error("argument {number}: {problem}")]
    Constant {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A variable that no call sets.
    #[error("there is no variable `{name}`; {}", visible(known))]
    UnknownVariable {
        /// The name.
        name: String,
        /// The names that would do.
        known: Vec<String>,
    },
    /// A variable that is set later.
    #[error("variable `{name}` is used before it is set; call {} of {part} sets it", index + 1)]
    LaterVariable {
        /// The name.
        name: String,
        /// The part that sets it.
        part: Part,
        /// The call that sets it, from 0 in its part.
        index: usize,
    },
    /// A variable of another part.
    #[error("variable `{name}` is set by {owner}; only variables of the prefix can be used in all parts")]
    ForeignVariable {
        /// The name.
        name: String,
        /// The part that sets it.
        owner: Part,
    },
    /// A variable that is set twice.
    #[error("variable `{name}` is set twice; use another name")]
    SetTwice {
        /// The name.
        name: String,
    },
    /// A variable for a call without result.
    #[error("the call has no result that variable `{name}` could take; remove `\"let\"`")]
    NoResult {
        /// The name.
        name: String,
    },
    /// A variable without a name.
    #[error("a variable needs a name")]
    EmptyName,
}

/// The end of the sentence about an unknown variable.
fn visible(known: &[String]) -> String {
    if known.is_empty() {
        "none is set before this call".to_owned()
    } else {
        let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
        format!("set before this call: {}", names.join(", "))
    }
}
