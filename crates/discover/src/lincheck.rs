//! Tests of Lincheck: a class with operations, which must look as if each was done at one moment.
//!
//! Lincheck makes scenarios of the operations by chance. Here they are made by rule, small and few, see
//! [`crate::scenarios`]: what breaks with two threads and two operations each is most of what breaks.

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{Annotation, AnnotationValue, Constant, Insn};
use raddle_plan::{Argument, TestPlan};
use raddle_program::{ClassId, Program};

use crate::annotated::{Declared, methods};
use crate::constants;
use crate::scenarios::{Operation, Size, scenarios};
use crate::style::Style;
use crate::{About, Expectation, Tests};

const OPERATIONS: [&str; 2] = [
    "Lorg/jetbrains/kotlinx/lincheck/annotations/Operation;",
    "Lorg/jetbrains/lincheck/datastructures/Operation;",
];
const PARAMETERS: [&str; 2] = [
    "Lorg/jetbrains/kotlinx/lincheck/annotations/Param;",
    "Lorg/jetbrains/lincheck/datastructures/Param;",
];
const LISTS_OF_PARAMETERS: [&str; 2] = [
    "Lorg/jetbrains/kotlinx/lincheck/annotations/Param$Params;",
    "Lorg/jetbrains/lincheck/datastructures/Param$Params;",
];
const VALIDATIONS: [&str; 2] = [
    "Lorg/jetbrains/kotlinx/lincheck/annotations/Validate;",
    "Lorg/jetbrains/lincheck/datastructures/Validate;",
];
const GROUP: &str = "Lorg/jetbrains/kotlinx/lincheck/annotations/OpGroupConfig;";
const GROUPS: &str = "Lorg/jetbrains/kotlinx/lincheck/annotations/OpGroupConfig$OpGroupConfigs;";
const PACKAGES: [&str; 2] = ["org/jetbrains/kotlinx/lincheck/", "org/jetbrains/lincheck/"];
const CONTINUATION: &str = "kotlin/coroutines/Continuation";
/// The generator that gives every thread its number.
const THREAD_ID: &str = "ThreadIdGen;";

/// Lincheck.
pub(crate) struct Lincheck;

impl Style for Lincheck {
    fn takes(&self, program: &Program, class: ClassId) -> bool {
        methods(program, class).iter().any(is_operation)
    }

    fn collect(&self, program: &Program, class: ClassId, all: &mut Tests) {
        let about = About {
            class: &program.name(class),
            method: "operations",
            style: "Lincheck",
        };
        let plans = plans(program, class, "operations", Size::default());
        all.add_all(about, plans, Expectation::Sequential);
    }
}

/// Plans in place of a test that asks Lincheck to check a class; none if the test does not.
pub(crate) fn checked(
    program: &Program,
    class: ClassId,
    test: &Declared<'_>,
) -> Option<Result<Vec<TestPlan>, String>> {
    let code = test.method.code().ok().flatten()?;
    let pool = test.class.file().pool();
    let mut size = Size::default();
    let (mut number, mut named) = (None, None);
    let mut reason = None;
    let mut checks = None;
    for (_, insn) in code.instructions().map_while(Result::ok) {
        let Some(index) = invoked(&insn) else {
            match insn {
                Insn::ConstInt(value) => number = Some(value),
                Insn::Ldc(index) => match pool.constant(index) {
                    Ok(Constant::Class(name)) => named = Some(program.class_id(&name)),
                    Ok(Constant::Int(value)) => number = Some(value),
                    _ => {}
                },
                _ => {}
            }
            continue;
        };
        let Ok(member) = pool.member_ref(index) else {
            continue;
        };
        if member.name == "getClass" {
            named = Some(class);
        }
        if !PACKAGES.iter().any(|package| member.class.starts_with(package)) {
            continue;
        }
        let given = number.and_then(|number| usize::try_from(number).ok());
        match &*member.name {
            "threads" => size.threads = given.unwrap_or(size.threads),
            "actorsPerThread" => size.operations = given.unwrap_or(size.operations),
            "sequentialSpecification" | "verifier" => {
                reason = Some("it is judged by a specification of its own".to_owned());
            }
            "runConcurrentTest" => reason = Some("it hands its body to Lincheck".to_owned()),
            "check" | "checkImpl" => checks = Some(named.unwrap_or(class)),
            _ => {}
        }
    }
    if checks.is_none() && reason.is_none() {
        return None;
    }
    Some(match (reason, checks) {
        (Some(reason), _) => Err(reason),
        (None, checks) => plans(program, checks.unwrap_or(class), &test.method.name(), size),
    })
}

/// The pool index of what an instruction calls.
fn invoked(insn: &Insn<'_>) -> Option<u16> {
    match insn {
        Insn::InvokeVirtual(index)
        | Insn::InvokeSpecial(index)
        | Insn::InvokeStatic(index)
        | Insn::InvokeInterface(index) => Some(*index),
        _ => None,
    }
}

fn is_operation(declared: &Declared<'_>) -> bool {
    OPERATIONS.iter().any(|annotation| declared.has(annotation))
}

fn plans(program: &Program, class: ClassId, name: &str, size: Size) -> Result<Vec<TestPlan>, String> {
    let all = methods(program, class);
    let by_name = parameters_of_class(program, class);
    let alone = groups(program, class);
    let mut operations = Vec::new();
    let mut validations = Vec::new();
    for declared in all {
        if VALIDATIONS.iter().any(|annotation| declared.has(annotation)) {
            validations.push(declared);
        } else if is_operation(&declared) {
            operations.push(operation(program, declared, &by_name, &alone)?);
        }
    }
    if operations.is_empty() {
        return Err(format!("{} has no operation", program.name(class)));
    }
    scenarios(program, class, name, &operations, &validations, size)
}

/// What a class says of parameters that operations name.
fn parameters_of_class(program: &Program, class: ClassId) -> Vec<(String, Annotation)> {
    let mut all = Vec::new();
    for ancestor in program.ancestry(class) {
        for annotation in ancestor.file().annotation_values() {
            let list: Vec<Annotation> = if LISTS_OF_PARAMETERS.contains(&&*annotation.descriptor) {
                annotations_in(&annotation)
            } else if PARAMETERS.contains(&&*annotation.descriptor) {
                vec![annotation]
            } else {
                continue;
            };
            all.extend(
                list.into_iter()
                    .map(|parameter| (parameter.texts("name").concat(), parameter)),
            );
        }
    }
    all
}

/// The groups whose operations no two threads may do at the same time.
fn groups(program: &Program, class: ClassId) -> Vec<String> {
    let annotations = program
        .ancestry(class)
        .flat_map(|ancestor| ancestor.file().annotation_values());
    annotations
        .flat_map(|annotation| match &*annotation.descriptor {
            GROUP => vec![annotation],
            GROUPS => annotations_in(&annotation),
            _ => Vec::new(),
        })
        .filter(|group| group.get("nonParallel") == Some(&AnnotationValue::Boolean(true)))
        .map(|group| group.texts("name").concat())
        .collect()
}

fn annotations_in(list: &Annotation) -> Vec<Annotation> {
    let values = list.all("value").iter();
    values
        .filter_map(|value| match value {
            AnnotationValue::Annotation(annotation) => Some(annotation.clone()),
            _ => None,
        })
        .collect()
}

fn operation<'p>(
    program: &Program,
    declared: Declared<'p>,
    by_name: &[(String, Annotation)],
    alone: &[String],
) -> Result<Operation<'p>, String> {
    let name = declared.method.name();
    let annotation = OPERATIONS
        .iter()
        .find_map(|annotation| declared.annotation(annotation));
    let annotation = annotation.ok_or_else(|| format!("what {name} says of itself cannot be read"))?;
    let named = annotation.texts("params");
    let descriptor = declared.method.descriptor();
    let parsed = MethodType::parse(&descriptor).map_err(|error| error.to_string())?;
    let of_parameters = declared.method.parameter_annotations();
    let mut choices = Vec::new();
    for (position, parameter) in parsed.parameters.iter().enumerate() {
        if matches!(parameter, FieldType::Object(CONTINUATION)) {
            return Err(format!(
                "{name} suspends, which only Kotlin's own machinery can go on with"
            ));
        }
        let own = of_parameters.get(position).and_then(|annotations| {
            let mut annotations = annotations.iter();
            annotations.find(|annotation| PARAMETERS.contains(&&*annotation.descriptor))
        });
        let by_name = |name: &str| {
            let mut known = by_name.iter();
            known
                .find(|(known, _)| known == name)
                .map(|(_, annotation)| annotation)
        };
        let said = own
            .map(|own| by_name(&own.texts("name").concat()).unwrap_or(own))
            .or_else(|| by_name(named.get(position)?));
        let values = values(program, parameter, said);
        choices.push(
            values.ok_or_else(|| {
                format!("{name} has a parameter of a kind for which there are no values here")
            })?,
        );
    }
    let group = annotation.texts("nonParallelGroup").concat();
    let group = if group.is_empty() {
        let group = annotation.texts("group").concat();
        Some(group).filter(|group| alone.contains(group))
    } else {
        Some(group)
    };
    let is_void = parsed.result.is_none();
    drop(parsed);
    Ok(Operation {
        is_once: annotation.get("runOnce") == Some(&AnnotationValue::Boolean(true)),
        is_void,
        group,
        choices,
        declared,
    })
}

/// Two values of a type, in the range that the test gives.
fn values(program: &Program, of: &FieldType<'_>, said: Option<&Annotation>) -> Option<Vec<Argument>> {
    let generator = said.and_then(|said| match said.get("gen") {
        Some(AnnotationValue::Class(class)) => Some(class.as_str()),
        _ => None,
    });
    if generator.is_some_and(|generator| generator.ends_with(THREAD_ID)) {
        return Some((1..=2).filter_map(|id| constants::number(of, id)).collect());
    }
    let range = said.map(|said| said.texts("conf").concat()).unwrap_or_default();
    let mut ends = range.split(':').map(|end| end.trim().parse::<f64>());
    let (first, last) = match (ends.next(), ends.next()) {
        (Some(Ok(first)), Some(Ok(last))) if first <= last => (first as i64, last as i64),
        _ => (1, 2),
    };
    let last = last.min(first.saturating_add(1));
    let numbers: Option<Vec<Argument>> = (first..=last).map(|value| constants::number(of, value)).collect();
    numbers.or_else(|| constants::examples(program, of))
}
