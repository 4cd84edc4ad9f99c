//! The calls of a plan as Java statements, in the words of `Interleaving.Calls`.

use raddle_plan::{JavaCall, Part, TestPlan};

/// The method that says what an earlier call returned.
const RESULTS: &str = "calls.result";

/// What a file needs to make the calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Calls {
    /// Full names.
    pub(super) imports: Vec<String>,
    /// Without indentation.
    pub(super) statements: Vec<String>,
    /// Methods that some calls need, indented for the body of a class.
    pub(super) helpers: String,
}

impl Calls {
    /// For a file with a class of that name.
    pub(super) fn of(plan: &TestPlan, class_name: &str) -> Calls {
        let java = plan.java_calls(class_name, RESULTS);
        Calls {
            imports: java.imports,
            statements: java.calls.iter().flat_map(statements).collect(),
            helpers: java.helpers,
        }
    }
}

fn statements(call: &JavaCall) -> Vec<String> {
    let expression = &call.expression;
    let name = |variable: &str| variable.rsplit(' ').next().unwrap_or_default().to_owned();
    match (call.part, &call.variable) {
        // A lambda needs a variable to have a type.
        (Part::Prefix, Some(variable)) if call.is_written => vec![
            format!("{variable} = {expression};"),
            format!("calls.made({});", name(variable)),
        ],
        (Part::Prefix, Some(variable)) => vec![format!("{variable} = calls.made({expression});")],
        (Part::Prefix, None) if call.is_void => vec![format!("calls.done(() -> {expression});")],
        (Part::Prefix, None) => vec![format!("calls.made({expression});")],
        (Part::Thread(thread), variable) => {
            let number = thread + 1;
            vec![format!(
                "calls.thread({number}, () -> {});",
                body(call, variable.as_deref())
            )]
        }
        (Part::After, variable) => vec![format!("calls.after(() -> {});", body(call, variable.as_deref()))],
    }
}

/// The body of the lambda that makes a call later.
fn body(call: &JavaCall, variable: Option<&str>) -> String {
    let expression = &call.expression;
    match variable {
        Some(variable) => {
            let name = variable.rsplit(' ').next().unwrap_or_default();
            let expression = expression.replace('\n', "\n    ");
            format!("{{\n    {variable} = {expression};\n    return {name};\n}}")
        }
        // What is called through reflection returns something even if the method does not.
        None if call.is_void && expression.starts_with("reflect(") => format!("{{ {expression}; }}"),
        None if call.is_void => expression.clone(),
        None => expression.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::run_sample;

    #[test]
    fn each_call_is_a_statement() {
        let calls = Calls::of(&run_sample::plan(), "Reproducer");
        assert_eq!(calls.imports, ["java.util.ArrayList"]);
        assert_eq!(
            calls.statements,
            [
                "ArrayList list = calls.made(new ArrayList());",
                "calls.thread(1, () -> list.add((Object) \"a\"));",
                "calls.thread(2, () -> list.add((Object) \"b\"));",
                "calls.after(() -> list.size());",
            ]
        );
        assert!(calls.helpers.is_empty());
    }

    #[test]
    fn a_method_that_calls_need_comes_along() {
        let mut plan = run_sample::plan();
        plan.prefix[0].member = raddle_plan::MemberRef::try_from("p.A$B.<init>(Lp/A;)V".to_owned()).unwrap();
        plan.prefix[0].args = vec![raddle_plan::Argument::Null];
        let calls = Calls::of(&plan, "Reproducer");
        assert!(calls.helpers.contains("/// A constructor"), "{}", calls.helpers);
        assert!(calls.helpers.ends_with("    }\n"), "{}", calls.helpers);
    }
}
