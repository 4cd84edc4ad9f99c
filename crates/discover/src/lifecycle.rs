//! A test with what goes before and after it, as a plan.

use raddle_classfile::MethodView;
use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::{Argument, Call, Invoke, MemberRef, PLAN_VERSION, TestPlan};
use raddle_program::{Class, ClassId, Program};

use crate::annotated::{Declared, methods};

/// The variable that is the object of the test.
pub(crate) const OBJECT: &str = "test";

/// What goes before and after every test of a class, in the order in which it is called.
#[derive(Default)]
pub(crate) struct Around<'p> {
    pub(crate) before_all: Vec<Declared<'p>>,
    pub(crate) before: Vec<Declared<'p>>,
    pub(crate) after: Vec<Declared<'p>>,
    pub(crate) after_all: Vec<Declared<'p>>,
}

impl<'p> Around<'p> {
    /// Methods with these annotations: before all tests, before each, after each, after all.
    pub(crate) fn annotated(program: &'p Program, class: ClassId, annotations: [&str; 4]) -> Around<'p> {
        let [before_all, before, mut after, mut after_all] = annotations.map(|annotation| {
            let declared = methods(program, class).into_iter();
            declared
                .filter(|declared| declared.has(annotation))
                .collect::<Vec<_>>()
        });
        // Those of subclasses come first.
        after.reverse();
        after_all.reverse();
        Around {
            before_all,
            before,
            after,
            after_all,
        }
    }
}

/// Makes plans of the tests of one class.
pub(crate) struct Lifecycle<'p> {
    pub(crate) program: &'p Program,
    pub(crate) class: ClassId,
    /// Whether a constructor may want the name of the test.
    pub(crate) gives_name: bool,
    pub(crate) around: Around<'p>,
    /// What is around the tests of the class that this one is nested in, whose objects are needed too; outermost first.
    pub(crate) outer: Vec<(ClassId, Around<'p>)>,
}

impl Lifecycle<'_> {
    /// A plan that runs the method; or why there can be none.
    pub(crate) fn plan(&self, test: &Declared<'_>) -> Result<TestPlan, String> {
        self.plan_with(test, |_| Ok((Vec::new(), Vec::new())))
    }

    /// The same for a method with parameters. What makes the arguments goes before everything else.
    pub(crate) fn plan_with(
        &self,
        test: &Declared<'_>,
        arguments: impl FnOnce(&mut Builder<'_>) -> Result<(Vec<Call>, Vec<Argument>), String>,
    ) -> Result<TestPlan, String> {
        let mut builder = Builder::new(self.program, self.class);
        builder.given_name = self.gives_name.then(|| test.method.name().into_owned());
        let (mut prefix, args) = arguments(&mut builder)?;
        let mut after = Vec::new();
        let levels: Vec<(ClassId, &Around<'_>)> = self
            .outer
            .iter()
            .map(|(class, around)| (*class, around))
            .chain([(self.class, &self.around)])
            .collect();
        for (_, around) in &levels {
            for method in &around.before_all {
                prefix.push(builder.call(method, None)?);
            }
        }
        let mut object: Option<String> = None;
        for (depth, (class, _)) in levels.iter().enumerate() {
            let name = if depth + 1 == levels.len() {
                OBJECT.to_owned()
            } else {
                format!("outer{}", depth + 1)
            };
            prefix.push(builder.constructor(*class, object.as_deref(), &name)?);
            object = Some(name);
        }
        for (depth, (_, around)) in levels.iter().enumerate() {
            let on = if depth + 1 == levels.len() {
                OBJECT.to_owned()
            } else {
                format!("outer{}", depth + 1)
            };
            for method in &around.before {
                prefix.push(builder.call(method, Some(&on))?);
            }
            let mut cleaning = Vec::new();
            for method in &around.after {
                cleaning.push(builder.call(method, Some(&on))?);
            }
            // Whoever came first goes last.
            after.splice(0..0, cleaning);
        }
        for (_, around) in levels.iter().rev() {
            for method in &around.after_all {
                after.push(builder.call(method, None)?);
            }
        }
        let call = builder.call_with(test, Some(OBJECT), args)?;
        Ok(builder.finish(&test.method.name(), prefix, vec![vec![call]], after))
    }
}

/// Puts calls together, and knows whether they have to be made from inside the package of the test.
pub(crate) struct Builder<'p> {
    pub(crate) program: &'p Program,
    class: String,
    package: String,
    is_inside: bool,
    /// What a constructor may be given besides nothing.
    given_name: Option<String>,
}

impl<'p> Builder<'p> {
    pub(crate) fn new(program: &'p Program, class: ClassId) -> Builder<'p> {
        let class = program.name(class);
        let package = class.rsplit_once('.').map_or("", |(package, _)| package);
        Builder {
            program,
            package: package.to_owned(),
            class,
            is_inside: false,
            given_name: None,
        }
    }

    /// The constructor that a framework would call: the one without parameters, or with the object around it.
    pub(crate) fn constructor(
        &mut self,
        class: ClassId,
        outer: Option<&str>,
        bind: &str,
    ) -> Result<Call, String> {
        let name = self.program.name(class);
        let Ok(loaded) = self.program.load(class) else {
            return Err(format!("{name} cannot be read"));
        };
        if loaded.access().is_abstract() {
            return Err(format!("{name} is abstract"));
        }
        let is_right = |descriptor: &str| match outer {
            None => descriptor == "()V",
            Some(_) => descriptor.starts_with("(L") && descriptor.matches(';').count() == 1,
        };
        let mut constructors = loaded.file().methods().filter(|method| method.name() == "<init>");
        let found = constructors.find(|method| is_right(&method.descriptor()));
        let given_name = self.given_name.as_ref().filter(|_| found.is_none());
        let mut constructors = loaded.file().methods().filter(|method| method.name() == "<init>");
        let takes_name = |method: &MethodView<'_>| method.descriptor() == "(Ljava/lang/String;)V";
        let found = found.or_else(|| constructors.find(|method| given_name.is_some() && takes_name(method)));
        let Some(constructor) = found else {
            return Err(format!(
                "{name} has no constructor that can be called without knowing more"
            ));
        };
        if constructor.access().is_private() {
            return Err(format!("the constructor of {name} is private"));
        }
        self.is_inside |= !constructor.access().is_public() || !is_public(loaded);
        let argument = |name: &str| Argument::Var(name.to_owned());
        Ok(Call {
            bind: Some(bind.to_owned()),
            invoke: Invoke::New,
            member: MemberRef {
                class: name,
                name: "<init>".to_owned(),
                descriptor: constructor.descriptor().into_owned(),
            },
            on: None,
            args: outer
                .map(argument)
                .or(given_name.cloned().map(Argument::String))
                .into_iter()
                .collect(),
            methods: Vec::new(),
        })
    }

    /// A call of a method without parameters.
    pub(crate) fn call(&mut self, declared: &Declared<'_>, on: Option<&str>) -> Result<Call, String> {
        self.call_with(declared, on, Vec::new())
    }

    /// A call of a method with these arguments.
    pub(crate) fn call_with(
        &mut self,
        declared: &Declared<'_>,
        on: Option<&str>,
        args: Vec<Argument>,
    ) -> Result<Call, String> {
        let method = declared.method;
        let owner = self.program.name(declared.class.id());
        let name = method.name();
        let access = method.access();
        if args.is_empty() && !method.descriptor().starts_with("()") {
            return Err(format!("{name} has parameters that a framework fills in"));
        }
        if access.is_private() {
            return Err(format!("{name} is private"));
        }
        if on.is_none() && !access.is_static() {
            return Err(format!(
                "{name} is called before there is an object, and is not static"
            ));
        }
        if !access.is_public() || !is_public(declared.class) {
            let package = owner.rsplit_once('.').map_or("", |(package, _)| package);
            if package != self.package {
                return Err(format!("{owner}.{name} can be called by its own package only"));
            }
            self.is_inside = true;
        }
        let is_interface = declared.class.access().is_interface();
        Ok(Call {
            bind: None,
            invoke: match (access.is_static(), is_interface) {
                (true, false) => Invoke::Static,
                (true, true) => Invoke::InterfaceStatic,
                (false, false) => Invoke::Virtual,
                (false, true) => Invoke::Interface,
            },
            member: MemberRef {
                class: owner,
                name: name.into_owned(),
                descriptor: method.descriptor().into_owned(),
            },
            on: on.filter(|_| !access.is_static()).map(str::to_owned),
            args,
            methods: Vec::new(),
        })
    }

    pub(crate) fn finish(
        self,
        method: &str,
        prefix: Vec<Call>,
        threads: Vec<Vec<Call>>,
        after: Vec<Call>,
    ) -> TestPlan {
        TestPlan {
            raddle_plan: PLAN_VERSION,
            package: self.is_inside.then_some(self.package),
            name: format!("{}#{method}", self.class),
            prefix,
            threads,
            after,
            uninitialised: Vec::new(),
        }
    }
}

/// The classes of a method's parameters, by Java names.
pub(crate) fn parameter_classes(declared: &Declared<'_>) -> Result<Vec<String>, String> {
    let name = declared.method.name();
    let descriptor = declared.method.descriptor();
    let unusual = || format!("{name} has a parameter that is no object");
    let parsed = MethodType::parse(&descriptor).map_err(|_| unusual())?;
    let classes = parsed.parameters.iter();
    classes
        .map(|parameter| match parameter {
            FieldType::Object(class) => Ok(class.replace('/', ".")),
            _ => Err(unusual()),
        })
        .collect()
}

/// A nested class says of itself that it is public, or protected, where its outer class says what it is.
fn is_public(class: &Class) -> bool {
    let file = class.file();
    let name = file.name();
    let inner = file.inner_classes().into_iter().find(|inner| inner.inner == name);
    let access = inner.map_or(class.access(), |inner| inner.access);
    access.is_public()
}
