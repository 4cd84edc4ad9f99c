//! Objects of classes that the plan writes itself: functions, listeners, and whatever else has no class of its own.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_plan::{Argument, Call, Deed, Invoke, MOST_WRITTEN, MethodBody, Primitive, Returned};
use raddle_program::{Class, ClassId, Method, Program};

use super::{Kind, Spot, Taste, Values, common, generic, member, simple};
use crate::callable::parameters;
use crate::constructions::Construction;
use crate::plan_draft::{PlanDraft, Role, call};
use crate::visible::is_visible;

/// Stand-ins that give stand-ins that give stand-ins: a source of connections, a connection, a statement, a result.
const MAX_HELD: usize = 5;
/// Bodies that a plain choice is made from.
const PLAIN_BODIES: usize = 3;
/// What functions give. No other value is like it, so that results tell whether a function was asked.
const GIVEN: &str = "new";
/// Types that it is of.
const OF_GIVEN: [&str; 4] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/CharSequence",
    "java/lang/Comparable",
];
const FUNCTIONAL: &str = "Ljava/lang/FunctionalInterface;";
/// An order that takes everything for equal is of little use, and any other that looks at nothing is none.
/// Who is given tasks to run.
const EXECUTOR: &str = "java/util/concurrent/Executor";
const EXECUTOR_SERVICE: &str = "java/util/concurrent/ExecutorService";
const ABSTRACT_EXECUTOR: &str = "java/util/concurrent/AbstractExecutorService";
const COMPARATOR: &str = "java/util/Comparator";

/// What is given for types that have no maker of their own: the empty one of a type below. Nobody would look there.
const EMPTY: [(&str, Invoke, &str, &str, &str); 6] = [
    (
        "java/lang/Iterable",
        Invoke::InterfaceStatic,
        "java/util/List",
        "of",
        "()Ljava/util/List;",
    ),
    (
        "java/util/Collection",
        Invoke::InterfaceStatic,
        "java/util/List",
        "of",
        "()Ljava/util/List;",
    ),
    (
        "java/util/Iterator",
        Invoke::Static,
        "java/util/Collections",
        "emptyIterator",
        "()Ljava/util/Iterator;",
    ),
    (
        "java/util/ListIterator",
        Invoke::Static,
        "java/util/Collections",
        "emptyListIterator",
        "()Ljava/util/ListIterator;",
    ),
    (
        "java/util/Enumeration",
        Invoke::Static,
        "java/util/Collections",
        "emptyEnumeration",
        "()Ljava/util/Enumeration;",
    ),
    (
        "java/util/SortedSet",
        Invoke::Static,
        "java/util/Collections",
        "emptySortedSet",
        "()Ljava/util/SortedSet;",
    ),
];

/// What a class that the plan writes has to have.
pub(crate) struct Implementable {
    pub(crate) invoke: Invoke,
    /// The descriptor of the constructor of the type above.
    pub(crate) constructor: String,
    methods: Vec<Needed>,
}

/// A method that has no body yet.
struct Needed {
    name: String,
    descriptor: String,
    /// The type that declares it.
    declared_in: ClassId,
    /// Whether it has type parameters of its own.
    is_generic: bool,
    /// The type variables of the class that its parameters and its result are, where they are any.
    variables: Vec<Option<String>>,
    result_variable: Option<String>,
    /// The classes of its parameters and its result where a type below the one that declares it has put them in for variables.
    narrow_parameters: Vec<Option<String>>,
    narrow_result: Option<String>,
    /// The descriptor that Java sees where that is another one for the same reason.
    in_java: Option<String>,
}

impl Implementable {
    /// What a class below this type must have; `None` if a plan cannot write one.
    pub(crate) fn of(program: &Program, class: ClassId) -> Option<Implementable> {
        let loaded = program.class(class)?;
        let access = loaded.access();
        let is_open = is_visible(program, class)
            && access.is_abstract()
            && !access.is_annotation()
            && !access.is_enum()
            && loaded.file().permitted_subclasses().is_empty();
        if !is_open {
            return None;
        }
        let invoke = if access.is_interface() {
            Invoke::Implement
        } else {
            Invoke::Extend
        };
        let found = Implementable {
            invoke,
            constructor: open_constructor(program, loaded)?,
            methods: needed(program, loaded)?,
        };
        found.is_java(program).then_some(found)
    }

    /// Whether it is what Java calls a functional interface.
    fn is_function(&self) -> bool {
        self.invoke == Invoke::Implement && self.methods.len() == 1
    }

    /// Whether a Java file can say the same.
    fn is_java(&self, program: &Program) -> bool {
        let methods = &self.methods;
        let has_visible_types = |method: &Needed| {
            let descriptor = method.in_java.as_ref().unwrap_or(&method.descriptor);
            MethodType::parse(descriptor).is_ok_and(|types| {
                let mut all = types.parameters.iter().chain(&types.result);
                all.all(|field| is_visible_type(program, field))
            })
        };
        // One method under two descriptors: a type below has narrowed it.
        let is_twice = |method: &Needed| {
            methods.iter().any(|other| {
                other.name == method.name
                    && other.declared_in != method.declared_in
                    && parameter_count(other) == parameter_count(method)
            })
        };
        // A lambda has no type parameters.
        let fits = |method: &Needed| !self.is_function() || !method.is_generic;
        let is_proxy = self.invoke == Invoke::Implement && methods.len() > MOST_WRITTEN;
        is_proxy
            || methods
                .iter()
                .all(|method| has_visible_types(method) && !is_twice(method) && fits(method))
    }
}

/// The class of objects that a method gives.
fn object_result(method: &Needed) -> Option<String> {
    match MethodType::parse(&method.descriptor).ok()?.result? {
        FieldType::Object(name) => Some(name.to_owned()),
        _ => None,
    }
}

fn parameter_count(method: &Needed) -> usize {
    MethodType::parse(&method.descriptor).map_or(0, |types| types.parameters.len())
}

fn is_visible_type(program: &Program, field: &FieldType<'_>) -> bool {
    match field {
        FieldType::Object(name) => is_visible(program, program.class_id(name)),
        FieldType::Array(element) => {
            FieldType::parse(element).is_ok_and(|element| is_visible_type(program, &element))
        }
        _ => true,
    }
}

/// The descriptor of the constructor of a type that a class below it can call and that asks for least; interfaces have none, so
/// that of all classes stands in.
fn open_constructor(program: &Program, class: &Class) -> Option<String> {
    if class.access().is_interface() {
        return Some("()V".to_owned());
    }
    let constructors = class.methods().iter().filter(|method| {
        program.text(method.name) == "<init>" && (method.access.is_public() || method.access.is_protected())
    });
    let descriptors = constructors.map(|method| program.text(method.descriptor));
    let visible = descriptors.filter(|descriptor| {
        MethodType::parse(descriptor).is_ok_and(|types| {
            types
                .parameters
                .iter()
                .all(|field| is_visible_type(program, field))
        })
    });
    let least = visible.min_by_key(|descriptor| (parameters(descriptor).len(), descriptor.len()));
    least.map(str::to_owned)
}

/// The methods without a body; `None` if there is one that nobody else may write, or a type that is missing.
fn needed(program: &Program, class: &Class) -> Option<Vec<Needed>> {
    let mut types: Vec<&Class> = program.ancestry(class.id()).collect();
    if types.last()?.id() != program.object() {
        return None;
    }
    for interface in program.all_interfaces(class.id()) {
        types.push(program.class(interface)?);
    }
    let above = generic::inherited_bindings(program, class);
    let mut found: Vec<Needed> = Vec::new();
    for owner in types {
        for (index, method) in owner.methods().iter().enumerate() {
            let (name, descriptor) = (program.text(method.name), program.text(method.descriptor));
            let is_known = |one: &Needed| one.name == name && one.descriptor == descriptor;
            if !method.access.is_abstract()
                || found.iter().any(is_known)
                || has_body(program, class.id(), owner, method)
            {
                continue;
            }
            if !method.access.is_public() && !method.access.is_protected() {
                return None;
            }
            let view = owner.file().methods().nth(index);
            let signature = view.and_then(|view| view.signature()).unwrap_or_default();
            let (mut variables, mut result_variable) = generic::variables_of(&signature);
            let mut bound = Vec::new();
            let mut narrow_result = None;
            if owner.id() != class.id() {
                let bindings = above.get(&owner.id());
                let stands_for =
                    |variable: &Option<String>| -> Option<&String> { bindings?.get(variable.as_ref()?) };
                let still = |bound: Option<&String>| {
                    bound
                        .and_then(|bound| generic::variable(bound))
                        .map(str::to_owned)
                };
                bound = variables
                    .iter()
                    .map(|variable| stands_for(variable).and_then(|bound| generic::erased(bound)))
                    .collect();
                narrow_result = stands_for(&result_variable).and_then(|bound| generic::erased(bound));
                variables = variables
                    .iter()
                    .map(|variable| still(stands_for(variable)))
                    .collect();
                result_variable = still(stands_for(&result_variable));
            }
            // A raw type sees raw types above it.
            let in_java = if is_generic(class) {
                None
            } else {
                narrowed(descriptor, &bound, narrow_result.as_deref())
            };
            found.push(Needed {
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
                declared_in: owner.id(),
                is_generic: signature.starts_with('<'),
                variables,
                result_variable,
                narrow_parameters: bound,
                narrow_result,
                in_java,
            });
        }
    }
    Some(found)
}

/// A descriptor with other classes for some parameters and for the result; none if it is the same then.
fn narrowed(descriptor: &str, parameters: &[Option<String>], result: Option<&str>) -> Option<String> {
    let types = MethodType::parse(descriptor).ok()?;
    let of = |field: &FieldType<'_>, narrow: Option<&str>| match (field, narrow) {
        (FieldType::Object(_), Some(narrow)) => format!("L{narrow};"),
        (field, _) => field.descriptor(),
    };
    let parameters = types
        .parameters
        .iter()
        .enumerate()
        .map(|(at, field)| of(field, parameters.get(at).and_then(Option::as_deref)));
    let text = format!(
        "({}){}",
        parameters.collect::<String>(),
        types
            .result
            .as_ref()
            .map_or_else(|| "V".to_owned(), |field| of(field, result))
    );
    (text != descriptor).then_some(text)
}

fn is_generic(class: &Class) -> bool {
    class
        .file()
        .signature()
        .is_some_and(|signature| signature.starts_with('<'))
}

/// Whether a class below this one inherits a body for a method of a type above.
fn has_body(program: &Program, class: ClassId, owner: &Class, method: &Method) -> bool {
    // What an interface says about `equals` is for people: every object has it.
    let of_object = || {
        program
            .class(program.object())?
            .method(method.name, method.descriptor)
    };
    (owner.access().is_interface() && of_object().is_some())
        || program
            .select_method(class, method.name, method.descriptor)
            .is_some()
}

/// Whether a type is made to be implemented in place, so that a function of our own is better than any that is there.
pub(crate) fn is_function_type(program: &Program, class: ClassId) -> bool {
    let name = program.internal_name(class);
    let is_annotated = || {
        program.class(class).is_some_and(|loaded| {
            loaded
                .file()
                .annotations()
                .iter()
                .any(|annotation| annotation == FUNCTIONAL)
        })
    };
    name != COMPARATOR && is_annotated()
}

/// What is written in the place of an executor: of one with many methods, what the platform has ready but for the execution of tasks.
pub(crate) fn executor(program: &Program, class: ClassId) -> Option<ClassId> {
    match program.internal_name(class) {
        EXECUTOR => Some(class),
        EXECUTOR_SERVICE => Some(program.class_id(ABSTRACT_EXECUTOR)),
        _ => None,
    }
}

/// What a method does with a task that it is to execute: it runs it, which an executor may do at once. One that forgets tasks is
/// none, and the threads of a pool take more time than all that is tested.
fn runs(program: &Program, method: &Needed) -> Option<Deed> {
    let name = program.internal_name(method.declared_in);
    let is_execute = name == EXECUTOR && method.descriptor == "(Ljava/lang/Runnable;)V";
    is_execute.then(|| Deed {
        on: 0,
        given: true,
        invoke: Invoke::Interface,
        member: member("java/lang/Runnable", "run", "()V"),
        args: Vec::new(),
    })
}

impl Values<'_> {
    /// A new object of a class that the plan writes, by its variable; `None` if it cannot write one.
    pub(super) fn implemented(
        &mut self,
        draft: &mut PlanDraft,
        class: ClassId,
        generic: &str,
        taste: Taste,
        role: Role,
        depth: usize,
    ) -> Option<String> {
        let implementable = Implementable::of(self.program, class)?;
        let is_function = implementable.is_function();
        let orders = self.is_comparator(class);
        let bindings = generic::bindings(self.program.class(class)?, generic);
        // By what they are, so that overloads give the same.
        let mut held: Vec<(String, String)> = Vec::new();
        let mut methods = Vec::new();
        for method in &implementable.methods {
            let result = method
                .result_variable
                .as_ref()
                .and_then(|name| bindings.get(name));
            let bound = result
                .and_then(|signature| generic::erased(signature))
                .or_else(|| method.narrow_result.clone());
            // A parameter that stands for something else is no result.
            let may_pass = |at: &usize| {
                let variable = method.variables.get(*at).and_then(Option::as_ref);
                let parameter = variable.and_then(|name| bindings.get(name));
                let narrow = method.narrow_parameters.get(*at).and_then(Option::as_ref);
                (parameter == result || parameter.is_none()) && narrow == method.narrow_result.as_ref()
            };
            let bodies = if orders && is_order(method) {
                // Whoever compares must be consistent, and looks at nothing: all are equal.
                vec![None]
            } else if let Some(time) = self.time(method) {
                vec![Some(time)]
            } else if is_function {
                self.bodies(method, bound.as_deref(), &may_pass, taste)
            } else {
                vec![self.dull_body(method, bound.as_deref())]
            };
            let at = match taste {
                Taste::Plain(shift) => shift % bodies.len().min(PLAIN_BODIES),
                Taste::Drawn => self.rng.small(bodies.len()),
            };
            let mut returns = bodies.into_iter().nth(at).flatten();
            let is_wanted = (is_function && taste != Taste::Drawn) || self.asked.contains(&method.name);
            // What a type of a library gives without being asked for anything may be what is current, which is nothing.
            let is_doubtful = |returned: &Returned| match returned {
                Returned::Made { invoke, member } => {
                    *invoke == Invoke::InterfaceStatic && !self.is_platform(&member.internal_class())
                }
                _ => false,
            };
            if returns.as_ref().is_none_or(is_doubtful)
                && is_wanted
                && let Some(wanted) = bound.clone().or_else(|| object_result(method))
            {
                let at = held.iter().position(|(of, _)| *of == wanted);
                let at = match at {
                    Some(at) => Some(at),
                    None => self.held(draft, &wanted, depth).map(|variable| {
                        held.push((wanted, variable));
                        held.len() - 1
                    }),
                };
                returns = at.map(Returned::Held).or(returns);
            }
            methods.push(MethodBody {
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                in_java: method.in_java.clone(),
                returns,
                does: runs(self.program, method),
            });
        }
        let name = self.program.internal_name(class);
        let above = Construction {
            invoke: implementable.invoke,
            member: member(name, "<init>", &implementable.constructor),
            parameters: parameters(&implementable.constructor),
            receiver: None,
            gives: class,
            cost: 0,
        };
        let mut arguments = self.ingredients(draft, &above, taste, depth)?;
        arguments.extend(held.into_iter().map(|(_, variable)| Argument::Var(variable)));
        let made = Call {
            methods,
            ..call(above.invoke, above.member, None, arguments)
        };
        Some(draft.keep(made, class, role))
    }

    /// An object for a stand-in to give, by its variable.
    fn held(&mut self, draft: &mut PlanDraft, name: &str, depth: usize) -> Option<String> {
        let class = self.program.class_id(name);
        if depth >= MAX_HELD || simple::is_simple(self.program, class) || !is_visible(self.program, class) {
            return None;
        }
        let taste = Taste::Plain(0);
        if common::of(self.program, class).next().is_some() {
            return self.common(draft, class, "", taste, Role::Ingredient, depth);
        }
        self.made(draft, class, taste, Role::Ingredient, depth + 1)
    }

    /// What the method of a function may do, the most telling first; never nothing at all.
    /// `bound` is the class of the result here, where the method has a variable for it; which parameters may be the result the
    /// other one says.
    fn bodies(
        &mut self,
        method: &Needed,
        bound: Option<&str>,
        may_pass: &dyn Fn(&usize) -> bool,
        taste: Taste,
    ) -> Vec<Option<Returned>> {
        let Ok(types) = MethodType::parse(&method.descriptor) else {
            return vec![None];
        };
        let Some(result) = &types.result else {
            return vec![None];
        };
        let value = |value: Argument| Some(Returned::Value(value));
        // The last one is the newest: functions of two values get what is there and what is to come.
        let same: Vec<usize> = (0..types.parameters.len())
            .rev()
            .filter(|&at| types.parameters[at] == *result)
            .filter(may_pass)
            .collect();
        // Whoever folds values promises nothing unless the operator is associative and commutative.
        if let ([one, other], true) = (&types.parameters[..], same.len() == 2)
            && one == other
        {
            match result {
                FieldType::Int | FieldType::Long => return vec![Some(Returned::Sum(0, 1))],
                FieldType::Float | FieldType::Double => return vec![Some(Returned::Larger(0, 1))],
                _ => {}
            }
        }
        let mut bodies = match result {
            FieldType::Int | FieldType::Long | FieldType::Float | FieldType::Double => {
                let first = same.last().map(|at| Some(Returned::Increment(*at)));
                first.into_iter().collect()
            }
            FieldType::Object(name) => {
                let name = bound.unwrap_or(name);
                let given = self.given(name, taste).map(value);
                given.or_else(|| self.empty(name).map(Some)).into_iter().collect()
            }
            _ => Vec::new(),
        };
        bodies.extend(same.into_iter().map(|at| Some(Returned::Parameter(at))));
        bodies.extend(Primitive::of(result).map(|primitive| value(one(primitive))));
        // 0 or null, which is asked for by chance only where there is something else.
        if bodies.is_empty() || taste == Taste::Drawn || Primitive::of(result).is_some() {
            bodies.push(None);
        }
        bodies
    }

    fn is_platform(&self, name: &str) -> bool {
        let class = self.program.class(self.program.class_id(name));
        class.is_some_and(Class::is_platform)
    }

    /// Whether objects of a type compare others.
    fn is_comparator(&self, class: ClassId) -> bool {
        let name = |class: ClassId| self.program.internal_name(class);
        name(class) == COMPARATOR
            || self
                .program
                .all_interfaces(class)
                .into_iter()
                .any(|above| name(above) == COMPARATOR)
    }

    /// The time, if that may be what a method is asked for and time is to pass.
    fn time(&mut self, method: &Needed) -> Option<Returned> {
        if method.descriptor != "()J" || !self.asked.contains(&method.name) {
            return None;
        }
        self.stand_ins.tell_time = true;
        let is_fine = method.name.to_lowercase().contains("nano");
        let clock = if is_fine { "nanoTime" } else { "currentTimeMillis" };
        self.circumstances.have_clocks.then(|| Returned::Made {
            invoke: Invoke::Static,
            member: member("java/lang/System", clock, "()J"),
        })
    }

    /// What a method does whose object has others: as little as it can, but it gives nobody a null that can be avoided.
    fn dull_body(&mut self, method: &Needed, bound: Option<&str>) -> Option<Returned> {
        let types = MethodType::parse(&method.descriptor).ok()?;
        let result = types.result?;
        if let Some(primitive) = Primitive::of(&result) {
            let is_asked = self.asked.contains(&method.name);
            self.stand_ins.answer |= is_asked;
            return (is_asked && self.circumstances.agree).then(|| Returned::Value(one(primitive)));
        }
        let FieldType::Object(name) = result else {
            return None;
        };
        match bound.unwrap_or(name) {
            "java/lang/String" | "java/lang/CharSequence" => {
                Some(Returned::Value(Argument::String(String::new())))
            }
            name => {
                let given = self.given(name, Taste::Plain(0)).map(Returned::Value);
                given.or_else(|| self.empty(name))
            }
        }
    }

    /// What a type itself makes without being given anything, the empty one first; null is what callers least expect.
    fn empty(&self, name: &str) -> Option<Returned> {
        let known = EMPTY.iter().find(|(of, ..)| *of == name);
        if let Some((_, invoke, class, method, descriptor)) = known {
            return Some(Returned::Made {
                invoke: *invoke,
                member: member(class, method, descriptor),
            });
        }
        let class = self.program.class(self.program.class_id(name))?;
        let own = format!("()L{name};");
        let makers = class.methods().iter().filter(|method| {
            let access = method.access;
            access.is_public() && access.is_static() && self.program.text(method.descriptor) == own
        });
        let names = makers.map(|method| self.program.text(method.name));
        let first = names.min_by_key(|name| (*name != "empty", *name != "of", *name))?;
        let invoke = if class.access().is_interface() {
            Invoke::InterfaceStatic
        } else {
            Invoke::Static
        };
        Some(Returned::Made {
            invoke,
            member: member(name, first, &own),
        })
    }

    /// A constant for a function to give.
    fn given(&mut self, name: &str, taste: Taste) -> Option<Argument> {
        if OF_GIVEN.contains(&name) {
            return Some(Argument::String(GIVEN.to_owned()));
        }
        let class = self.program.class_id(name);
        if !simple::is_simple(self.program, class) {
            return None;
        }
        let spot = Spot {
            descriptor: "",
            rank: 0,
            makes_object: false,
            receiver: None,
            kind: Kind::default(),
            generic: "",
        };
        self.simple(class, spot, taste)
    }
}

/// The least of a type that is not nothing.
fn one(primitive: Primitive) -> Argument {
    match primitive {
        Primitive::Boolean => Argument::Boolean(true),
        Primitive::Byte => Argument::Byte(1),
        Primitive::Short => Argument::Short(1),
        Primitive::Char => Argument::Char(u16::from(b'a')),
        Primitive::Int => Argument::Int(1),
        Primitive::Long => Argument::Long(1),
        Primitive::Float => Argument::Float(1f32.to_bits()),
        Primitive::Double => Argument::Double(1f64.to_bits()),
    }
}

/// Whether a method compares two of a kind.
fn is_order(method: &Needed) -> bool {
    MethodType::parse(&method.descriptor).is_ok_and(|types| {
        matches!(&types.parameters[..], [one, other] if one == other) && types.result == Some(FieldType::Int)
    })
}
