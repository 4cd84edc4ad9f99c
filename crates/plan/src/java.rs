//! Plans as Java source: what people read, compile and run without this program.
//!
//! Static types are made to match the plan's descriptors exactly, with casts, since Java picks overloads by them.
//! Generic types are erased. Results are kept and printed in the end, so that printing does not keep the threads from
//! meeting.

mod implementation;
mod literal;
mod names;
mod reflection;

use std::fmt::{self, Write};

use raddle_classfile::descriptor::{FieldType, MethodType};

use self::names::Names;
pub(crate) use self::names::is_word;
use crate::{Argument, Call, CallId, Invoke, Part, Primitive, TestPlan, Variable, Variables, class_literal};

/// Above the calls: where results are kept.
const FIELDS: &str = "
    private static final long SECONDS = 10;
    private static final Object VOID = new Object();
    private static final Object UNFINISHED = new Object();
    private static final Object[] returned = new Object[CALLS.length];
    private static final Throwable[] thrown = new Throwable[CALLS.length];

    public static void main(String[] arguments) throws Throwable {
        java.util.Arrays.fill(returned, UNFINISHED);
";
/// What javac would say about erased types.
const WARNINGS: &str = r#""cast", "deprecation", "rawtypes", "removal", "unchecked""#;
/// Below the calls: how threads meet, and how results are shown.
const HELPERS: &str = r#"
    /// Lets no thread begin before all are there.
    private static void meet(java.util.concurrent.atomic.AtomicInteger absent) {
        absent.decrementAndGet();
        while (absent.get() > 0) {
            Thread.yield();
        }
    }

    /// Starts all threads and waits for their ends; false if one of them is stuck.
    private static boolean run(Thread[] threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.setDaemon(true);
            thread.start();
        }
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        boolean isDone = true;
        for (Thread thread : threads) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (thread.isAlive()) {
                isDone = false;
                System.out.println(thread.getName() + " is stuck after " + SECONDS + " seconds:");
                for (StackTraceElement frame : thread.getStackTrace()) {
                    System.out.println("    at " + frame);
                }
            }
        }
        return isDone;
    }

    private static void show() {
        for (int call = 0; call < CALLS.length; call++) {
            if (thrown[call] != null) {
                System.out.println(CALLS[call] + " threw " + thrown[call]);
            } else if (returned[call] == VOID) {
                System.out.println(CALLS[call] + " returned");
            } else if (returned[call] == UNFINISHED) {
                System.out.println(CALLS[call] + " did not end");
            } else {
                System.out.println(CALLS[call] + " returned " + text(returned[call]));
            }
        }
    }

    private static String text(Object value) {
        if (value == null || !value.getClass().isArray()) {
            return String.valueOf(value);
        }
        String text = java.util.Arrays.deepToString(new Object[] {value});
        return text.substring(1, text.length() - 1);
    }
"#;

/// For constructors of nested classes that may or may not have an outer instance.
const CONSTRUCTOR_HELPER: &str = r"
    /// A constructor of a class that may have an outer instance, which Java would not take as an argument.
    private static <T> T make(Class<T> type, Class[] parameters, Object... arguments) throws Throwable {
        try {
            return type.getConstructor(parameters).newInstance(arguments);
        } catch (java.lang.reflect.InvocationTargetException problem) {
            throw problem.getCause();
        }
    }
";

impl TestPlan {
    /// A Java file with a class of that name (with a package, if it has dots) whose `main` does what the plan says,
    /// once and with real threads. The plan must have passed [`TestPlan::check`].
    ///
    /// Classes are not at hand here, so some things are taken for granted: a `$` inside a class name separates a
    /// nested class, and members are visible under the types of their descriptors. What Java cannot spell is reached through
    /// reflection.
    pub fn to_java(&self, class_name: &str) -> String {
        let mut printer = Printer::new(self, class_name);
        let printed = printer.print(self).and_then(|()| printer.file(self, class_name));
        // Writing to a string does not fail.
        printed.unwrap_or_default()
    }

    /// The calls alone, for a file with a class of that name that makes them in its own way. What earlier calls of a thread
    /// returned is asked of `results`, a method that is given the number of the call.
    pub fn java_calls(&self, class_name: &str, results: &'static str) -> JavaCalls {
        let mut printer = Printer {
            results: Some(results),
            ..Printer::new(self, class_name)
        };
        let calls = self
            .calls()
            .map(|(_, part, call)| {
                let expression = printer.call(part, call);
                let is_written = matches!(call.invoke, Invoke::Implement | Invoke::Extend);
                let bound = printer.bound(part, call);
                let bound = bound.filter(|_| part == Part::Prefix || is_written);
                JavaCall {
                    part,
                    variable: bound.map(|(name, descriptor)| {
                        format!("{} {name}", printer.names.descriptor(&descriptor))
                    }),
                    expression,
                    is_void: call.result_descriptor().is_none(),
                    is_written,
                }
            })
            .collect();
        JavaCalls {
            calls,
            imports: printer.names.imports().cloned().collect(),
            helpers: printer.helpers(),
        }
    }
}

/// The calls of a plan as Java expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaCalls {
    /// In the order of [`TestPlan::calls`].
    pub calls: Vec<JavaCall>,
    /// Full names.
    pub imports: Vec<String>,
    /// Methods that some of the calls need, indented for the body of a class; empty for most plans.
    pub helpers: String,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaCall {
    /// Where it is made.
    pub part: Part,
    /// The type and name of the variable that it sets, as in `int size`. Only calls before the threads and objects of the
    /// plan's own need one.
    pub variable: Option<String>,
    /// All lines but the first are indented as if the first was not.
    pub expression: String,
    /// Whether it returns nothing.
    pub is_void: bool,
    /// Whether it is an object that the plan implements itself, which may be a lambda.
    pub is_written: bool,
}

struct Printer<'p> {
    variables: Variables<'p>,
    names: Names,
    /// Whether [`CONSTRUCTOR_HELPER`] is needed.
    uses_make: bool,
    /// Whether [`reflection::HELPER`] is needed.
    uses_reflection: bool,
    /// The method to ask for what earlier calls of a thread returned, where that is not in variables.
    results: Option<&'static str>,
    body: String,
}

/// An expression and its static type.
struct Expression {
    text: String,
    descriptor: String,
}

impl<'p> Printer<'p> {
    fn new(plan: &'p TestPlan, class_name: &str) -> Printer<'p> {
        Printer {
            variables: plan.variables(),
            names: Names::new(plan, class_name),
            uses_make: false,
            uses_reflection: false,
            results: None,
            body: String::new(),
        }
    }

    /// The methods that calls need.
    fn helpers(&self) -> String {
        let make = if self.uses_make { CONSTRUCTOR_HELPER } else { "" };
        let reflect = if self.uses_reflection {
            reflection::HELPER
        } else {
            ""
        };
        format!("{make}{reflect}")
    }

    /// Everything around what was printed; only now it is known what to import.
    fn file(&self, plan: &TestPlan, class_name: &str) -> Result<String, fmt::Error> {
        let (package, simple) = class_name.rsplit_once('.').unwrap_or(("", class_name));
        let mut file = String::new();
        if !package.is_empty() {
            writeln!(file, "package {package};\n")?;
        }
        for import in self.names.imports() {
            writeln!(file, "import {import};")?;
        }
        if !file.is_empty() {
            writeln!(file)?;
        }
        if !plan.name.is_empty() {
            writeln!(file, "// {}", literal::escaped(plan.name.encode_utf16()))?;
        }
        let (warnings, body, helpers) = (WARNINGS, &self.body, HELPERS);
        writeln!(
            file,
            "@SuppressWarnings({{{warnings}}})\npublic class {simple} {{"
        )?;
        writeln!(file, "    private static final String[] CALLS = {{")?;
        for (_, part, call) in plan.calls() {
            let label = format!("{part}: {}.{}", call.member.class, call.member.name);
            writeln!(file, "        {},", literal::string(label.encode_utf16()))?;
        }
        let wanted = self.helpers();
        write!(
            file,
            "    }};{FIELDS}{body}        show();\n    }}\n{helpers}{wanted}}}\n"
        )?;
        Ok(file)
    }

    fn print(&mut self, plan: &TestPlan) -> fmt::Result {
        let calls: Vec<_> = plan.calls().collect();
        let of = |wanted: Part| calls.iter().filter(move |(_, part, _)| *part == wanted);
        for (id, part, call) in of(Part::Prefix) {
            self.plain_call(*id, *part, call)?;
        }
        let count = plan.threads.len();
        writeln!(
            self.body,
            "\n        java.util.concurrent.atomic.AtomicInteger absent = new \
             java.util.concurrent.atomic.AtomicInteger({count});\n        Thread[] threads = {{"
        )?;
        for thread in (0..).take(count) {
            let part = Part::Thread(thread);
            self.body
                .push_str("            new Thread(() -> {\n                meet(absent);\n");
            for (id, part, call) in of(part) {
                self.guarded_call(*id, *part, call, 16)?;
            }
            writeln!(self.body, "            }}, \"{part}\"),")?;
        }
        self.body.push_str(
            "        };\n        if (!run(threads)) {\n            show();\n            return;\n        }\n\n",
        );
        for (id, part, call) in of(Part::After) {
            self.guarded_call(*id, *part, call, 8)?;
        }
        Ok(())
    }

    /// A call of the prefix: what it throws ends the program.
    fn plain_call(&mut self, id: CallId, part: Part, call: &Call) -> fmt::Result {
        let expression = self.call(part, call).replace('\n', "\n        ");
        let index = id.0;
        match self.bound(part, call) {
            Some((name, descriptor)) => {
                let declared = self.names.descriptor(&descriptor);
                writeln!(self.body, "        {declared} {name} = {expression};")?;
                writeln!(self.body, "        returned[{index}] = {name};")
            }
            None if call.result_descriptor().is_some() => {
                writeln!(self.body, "        returned[{index}] = {expression};")
            }
            None => {
                writeln!(self.body, "        {expression};")?;
                writeln!(self.body, "        returned[{index}] = VOID;")
            }
        }
    }

    /// A call that may throw without an end to the calls that follow.
    fn guarded_call(&mut self, id: CallId, part: Part, call: &Call, margin: usize) -> fmt::Result {
        let index = id.0;
        let indent = " ".repeat(margin);
        let expression = self.call(part, call).replace('\n', &format!("\n{indent}    "));
        let bound = self.bound(part, call);
        if let Some((name, descriptor)) = &bound {
            // Boxed, so that a variable that was not set is not taken for zero.
            let declared = self.names.descriptor(&boxed(descriptor));
            writeln!(self.body, "{indent}{declared} {name} = null;")?;
        }
        writeln!(self.body, "{indent}try {{")?;
        match bound {
            Some((name, _)) => {
                writeln!(self.body, "{indent}    {name} = {expression};")?;
                writeln!(self.body, "{indent}    returned[{index}] = {name};")?;
            }
            None if call.result_descriptor().is_some() => {
                writeln!(self.body, "{indent}    returned[{index}] = {expression};")?;
            }
            None => {
                writeln!(self.body, "{indent}    {expression};")?;
                writeln!(self.body, "{indent}    returned[{index}] = VOID;")?;
            }
        }
        writeln!(self.body, "{indent}}} catch (Throwable problem) {{")?;
        writeln!(self.body, "{indent}    thrown[{index}] = problem;")?;
        writeln!(self.body, "{indent}}}")
    }

    /// The Java name and the static type of the variable that a call sets.
    fn bound(&self, part: Part, call: &Call) -> Option<(String, String)> {
        let variable = self.variables.find(part, call.bind.as_deref()?)?;
        Some((self.names.variable(variable.slot), variable.descriptor.clone()))
    }

    /// The call as an expression; all lines but the first are indented as if the first was not.
    fn call(&mut self, part: Part, call: &Call) -> String {
        let method = MethodType::parse(&call.member.descriptor).ok();
        let parameters = method.map(|method| method.parameters).unwrap_or_default();
        let pairs = call.args.iter().zip(&parameters);
        let arguments: Vec<_> = pairs
            .map(|(argument, parameter)| self.argument(part, argument, parameter))
            .collect();
        let is_written = matches!(call.invoke, Invoke::Implement | Invoke::Extend);
        if !is_written && !reflection::can_spell(&call.member) {
            return match call.invoke {
                Invoke::Constant => self.reflective_constant(call),
                _ => self.reflective_call(part, call, &arguments),
            };
        }
        let arguments = arguments.join(", ");
        let internal = call.member.internal_class();
        let class = self.names.class(&internal);
        match (call.invoke, &call.on) {
            (Invoke::New, _) if may_be_inner(&internal, &parameters) => {
                self.uses_make = true;
                let types: Vec<_> = parameters
                    .iter()
                    .map(|parameter| format!("{}.class", self.names.field(parameter)))
                    .collect();
                let types = types.join(", ");
                format!("make({class}.class, new Class[] {{{types}}}, {arguments})")
            }
            (Invoke::New, _) => format!("new {class}({arguments})"),
            (Invoke::Implement | Invoke::Extend, _) => self.implementation(part, call, &class, &arguments),
            (Invoke::Constant, _) => format!("{class}.{}", call.member.name),
            (Invoke::Virtual | Invoke::Interface, Some(receiver)) => {
                let expected = FieldType::Object(&internal);
                let receiver = self.variable(part, receiver);
                let object = self.converted(receiver, &expected);
                // A cast binds less than a call.
                let object = if object.starts_with('(') {
                    format!("({object})")
                } else {
                    object
                };
                format!("{object}.{}({arguments})", call.member.name)
            }
            _ => format!("{class}.{}({arguments})", call.member.name),
        }
    }

    fn variable(&mut self, part: Part, name: &str) -> Expression {
        match self.variables.find(part, name) {
            Some(variable) => {
                let descriptor = declared(variable);
                let text = match self.results {
                    Some(results) if variable.part != Part::Prefix => {
                        let cast = self.names.descriptor(&descriptor);
                        format!("(({cast}) {results}({}))", variable.call.0)
                    }
                    _ => self.names.variable(variable.slot),
                };
                Expression { text, descriptor }
            }
            None => Expression {
                text: name.to_owned(),
                descriptor: String::new(),
            },
        }
    }

    /// An argument whose static type is exactly that of the parameter.
    fn argument(&mut self, part: Part, argument: &Argument, parameter: &FieldType<'_>) -> String {
        let plain = |text: String, descriptor: &str| Expression {
            text,
            descriptor: descriptor.to_owned(),
        };
        let expression = match argument {
            Argument::Var(name) => self.variable(part, name),
            Argument::Null => plain("null".to_owned(), ""),
            Argument::Boolean(value) => plain(value.to_string(), "Z"),
            Argument::Byte(value) => plain(format!("(byte) {value}"), "B"),
            Argument::Short(value) => plain(format!("(short) {value}"), "S"),
            Argument::Char(unit) => plain(literal::character(*unit), "C"),
            Argument::Int(value) => plain(value.to_string(), "I"),
            Argument::Long(value) => plain(format!("{value}L"), "J"),
            Argument::Float(bits) => plain(literal::float(*bits), "F"),
            Argument::Double(bits) => plain(literal::double(*bits), "D"),
            Argument::String(text) => plain(literal::string(text.encode_utf16()), "Ljava/lang/String;"),
            Argument::Utf16(units) => plain(literal::string(units.iter().copied()), "Ljava/lang/String;"),
            Argument::Class(name) => {
                let text = match class_literal(name).as_deref() {
                    None | Some("V") => "void.class".to_owned(),
                    Some(descriptor) if !reflection::can_spell_descriptor(descriptor) => {
                        self.reflected_type(descriptor)
                    }
                    Some(descriptor) => format!("{}.class", self.names.descriptor(descriptor)),
                };
                // Without the cast, its type would have an argument that may not suit the method's bounds.
                plain(text, "")
            }
            Argument::Enum { class, constant } => {
                let internal = class.replace('.', "/");
                if names::can_spell(&internal) && names::is_word(constant) {
                    let text = format!("{}.{constant}", self.names.class(&internal));
                    plain(text, &format!("L{internal};"))
                } else {
                    plain(self.reflected_field(class, constant), "")
                }
            }
            Argument::Array { element, of } => {
                let items: Vec<_> = match FieldType::parse(element) {
                    Ok(element) => of
                        .iter()
                        .map(|item| self.argument(part, item, &element))
                        .collect(),
                    Err(_) => Vec::new(),
                };
                if reflection::can_spell_descriptor(element) {
                    let new = self.names.descriptor(element);
                    let text = format!("new {new}[] {{{}}}", items.join(", "));
                    plain(text, &format!("[{element}"))
                } else {
                    plain(self.reflected_array(element, &items), "")
                }
            }
        };
        self.converted(expression, parameter)
    }

    /// The expression with the static type that is expected.
    fn converted(&mut self, expression: Expression, expected: &FieldType<'_>) -> String {
        let Expression { text, descriptor } = expression;
        if FieldType::parse(&descriptor).as_ref() == Ok(expected) {
            return text;
        }
        let wanted = self.names.field(expected);
        if text.starts_with('-') {
            // `(Integer) -1` is a subtraction.
            return format!("({wanted}) ({text})");
        }
        match Primitive::of(expected) {
            // Java does not unbox every supertype of a wrapper.
            Some(primitive) if descriptor != boxed(primitive.descriptor()) => {
                let wrapper = self.names.class(primitive.wrapper());
                format!("({wanted}) ({wrapper}) {text}")
            }
            _ => format!("({wanted}) {text}"),
        }
    }
}

/// The type with which a variable is declared: only those of the prefix are primitive.
fn declared(variable: &Variable<'_>) -> String {
    if variable.part == Part::Prefix {
        variable.descriptor.clone()
    } else {
        boxed(&variable.descriptor)
    }
}

/// The descriptor of the wrapper, for a primitive type.
fn boxed(descriptor: &str) -> String {
    let primitive = FieldType::parse(descriptor)
        .ok()
        .and_then(|field| Primitive::of(&field));
    match primitive {
        Some(primitive) => format!("L{};", primitive.wrapper()),
        None => descriptor.to_owned(),
    }
}

/// Whether the class may have outer instances: the first parameter is then of the class around it.
fn may_be_inner(class: &str, parameters: &[FieldType<'_>]) -> bool {
    match (class.rsplit_once('$'), parameters.first()) {
        (Some((outer, _)), Some(FieldType::Object(first))) => outer == *first,
        _ => false,
    }
}
