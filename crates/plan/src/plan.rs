//! Test plans: a sequential prefix, one suffix per thread, and calls that look at the result.

use std::path::{Path, PathBuf};

use raddle_classfile::descriptor::MethodType;
use serde::{Deserialize, Serialize};

use crate::document::{self, Document};
use crate::{MethodBody, PlanError};

/// Changes its number whenever a reader of the old file would misread the new one.
pub const PLAN_VERSION: u32 = 1;
/// The most threads a plan may have.
pub const MAX_THREADS: usize = 250;

/// One concurrent test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestPlan {
    /// [`PLAN_VERSION`].
    pub raddle_plan: u32,
    /// The package that the test is in, if it uses what only that package sees; empty for the one without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Runs first, alone.
    #[serde(default)]
    pub prefix: Vec<Call>,
    /// One list of calls per thread.
    pub threads: Vec<Vec<Call>>,
    /// Runs last, alone; what these calls return is part of the outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Call>,
    /// Classes of the class path that the calls of the plan initialise, and nobody before them, by binary name with dots. Of
    /// all others it does not matter when that happens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uninitialised: Vec<String>,
}

impl Document for TestPlan {
    const WHAT: &'static str = "test plan";
    const MEMBER: &'static str = "raddle_plan";
    const VERSION: u32 = PLAN_VERSION;

    fn check_all(&self) -> Result<(), PlanError> {
        self.check()
    }
}

impl TestPlan {
    /// The full name of a class of the test.
    pub fn in_package(&self, simple: &str) -> String {
        match self.package.as_deref() {
            None | Some("") => simple.to_owned(),
            Some(package) => format!("{package}.{simple}"),
        }
    }

    /// Whether Java can spell the name of a package.
    pub fn can_be_package(name: &str) -> bool {
        name.is_empty() || name.split('.').all(crate::java::is_word)
    }

    /// Where the source of a class is that is made beside the tests, below the folder of all sources. From JDK 22 on, `java`
    /// runs a source file only if its folders are those of its package.
    pub fn source_file(&self, simple: &str) -> PathBuf {
        PathBuf::from(format!("{}.java", self.in_package(simple).replace('.', "/")))
    }

    /// Reads and checks a plan.
    pub fn read(path: &Path) -> Result<TestPlan, PlanError> {
        document::read(path)
    }

    /// Reads and checks a plan.
    pub fn from_json(text: &str) -> Result<TestPlan, PlanError> {
        document::from_json(text)
    }

    /// The plan as a file has it.
    pub fn to_json(&self) -> Result<String, PlanError> {
        document::to_json(self)
    }
}

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The variable that takes the result. Visible to later calls of the same part, and those of the prefix
    /// to all.
    #[serde(default, rename = "let", skip_serializing_if = "Option::is_none")]
    pub bind: Option<String>,
    /// How it is called.
    pub invoke: Invoke,
    /// What is called.
    pub member: MemberRef,
    /// The receiver's variable, for virtual and interface calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// The arguments, one per parameter; behind them, of an object whose class the plan writes, what that object holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Argument>,
    /// The methods of the new object's class, where the plan writes that class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<MethodBody>,
}

impl Call {
    /// What the object holds whose class the plan writes. The arguments before are those of the constructor above it.
    pub fn held(&self) -> &[Argument] {
        if !self.invoke.writes_class() {
            return &[];
        }
        let types = MethodType::parse(&self.member.descriptor);
        let above = types.map_or(0, |types| types.parameters.len());
        self.args.get(above..).unwrap_or_default()
    }
}

/// How a member is called.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Invoke {
    /// A constructor.
    New,
    /// A static method of a class.
    Static,
    /// A static method of an interface, such as `java.util.List.of`. Class files tell the two apart.
    #[serde(rename = "interface-static")]
    InterfaceStatic,
    /// A method of a class.
    Virtual,
    /// A method of an interface.
    Interface,
    /// What a static field holds, such as the `INSTANCE` of a Kotlin `object`. The member has the name of the field and
    /// is written like a method without parameters that returns it.
    Constant,
    /// A new object of a class that implements an interface. The member is `<init>()V`, as if interfaces had it.
    Implement,
    /// A new object of a class that extends another one, whose constructor is called.
    Extend,
}

impl Invoke {
    /// Whether the result is a new object of the class that the member names, or of one below.
    pub fn makes_object(self) -> bool {
        self == Invoke::New || self.writes_class()
    }

    /// Whether the plan writes the class of the new object, see [`Call::methods`].
    pub fn writes_class(self) -> bool {
        matches!(self, Invoke::Implement | Invoke::Extend)
    }
}

/// A method or constructor, written `java.util.Hashtable.equals(Ljava/lang/Object;)Z`; a constructor's name is
/// `<init>`, nested classes have their binary name (`java.util.Map$Entry`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemberRef {
    /// The class the call names, with dots.
    pub class: String,
    /// The name.
    pub name: String,
    /// Parameter and result types as in a class file.
    pub descriptor: String,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Argument {
    /// The result of an earlier call.
    Var(String),
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A byte.
    Byte(i8),
    /// A short.
    Short(i16),
    /// A UTF-16 unit.
    Char(u16),
    /// An int.
    Int(i32),
    /// A long.
    Long(i64),
    /// The bits of a float, so that every value has one text.
    Float(u32),
    /// The bits of a double.
    Double(u64),
    /// A string.
    String(String),
    /// A string by its UTF-16 units, for those with half a surrogate pair, which JSON cannot carry as text.
    Utf16(Vec<u16>),
    /// A class literal, by the name that `Class.getName` gives: `int`, `java.util.Map$Entry`, `[Ljava.lang.String;`.
    Class(String),
    /// An enum constant.
    Enum {
        /// The enum's binary name with dots.
        class: String,
        /// The constant.
        constant: String,
    },
    /// A new array.
    Array {
        /// The element type as a descriptor.
        element: String,
        /// The elements.
        of: Vec<Argument>,
    },
}

impl MemberRef {
    /// The class as class files write it: `java/util/Hashtable`.
    pub fn internal_class(&self) -> String {
        self.class.replace('.', "/")
    }
}

impl TryFrom<String> for MemberRef {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let problem = || {
            format!(
                "`{text}` is not a member: expected CLASS.NAME(PARAMETERS)RESULT, as in java.util.Vector.add(Ljava/lang/Object;)Z"
            )
        };
        let open = text.find('(').ok_or_else(problem)?;
        let (path, descriptor) = text.split_at(open);
        let (class, name) = path.rsplit_once('.').ok_or_else(problem)?;
        if class.is_empty() || name.is_empty() || !descriptor.contains(')') {
            return Err(problem());
        }
        Ok(MemberRef {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        })
    }
}

impl From<MemberRef> for String {
    fn from(member: MemberRef) -> String {
        format!("{}.{}{}", member.class, member.name, member.descriptor)
    }
}
