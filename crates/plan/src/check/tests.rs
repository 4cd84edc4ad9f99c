//! Every way in which a plan can be wrong, with the sentence that says so.

use crate::{Argument, CallId, Part, PlanError, Returned, TestPlan};

/// A plan with these lists of calls, in JSON.
fn plan(prefix: &str, threads: &str, after: &str) -> Result<TestPlan, PlanError> {
    TestPlan::from_json(&format!(
        "{{\"raddle_plan\": 1,\n\"prefix\": [{prefix}],\n\"threads\": [{threads}],\n\"after\": [{after}]}}"
    ))
}

const LIST: &str = r#"{"let": "list", "invoke": "new", "member": "java.util.Vector.<init>()V"}"#;
const SIZE: &str =
    r#"{"let": "size", "invoke": "virtual", "on": "list", "member": "java.util.Vector.size()I"}"#;

/// What is said about a thread with one call, after a prefix that sets `list` and `size`.
fn problem(call: &str) -> String {
    let error = plan(&format!("{LIST}, {SIZE}"), &format!("[], [{call}]"), "").unwrap_err();
    let message = error.to_string();
    match message.strip_prefix("call 1 of thread 2 (") {
        Some(rest) => rest.split_once("): ").unwrap().1.to_owned(),
        None => message,
    }
}

fn argument_problem(parameter: &str, argument: &str) -> String {
    problem(&format!(
        r#"{{"invoke": "static", "member": "A.f({parameter})V", "args": [{argument}]}}"#
    ))
}

fn fits(parameter: &str, argument: &str) {
    let call = format!(r#"{{"invoke": "static", "member": "A.f({parameter})V", "args": [{argument}]}}"#);
    plan(&format!("{LIST}, {SIZE}"), &format!("[{call}]"), "").unwrap();
}

#[test]
fn a_good_plan_is_read_and_written() {
    let read = plan(
        &format!("{LIST}, {SIZE}"),
        r#"[{"let": "a", "invoke": "virtual", "on": "list", "member": "java.util.Vector.get(I)Ljava/lang/Object;",
             "args": [{"var": "size"}]},
            {"invoke": "virtual", "on": "a", "member": "java.lang.Object.hashCode()I"}],
           [{"let": "a", "invoke": "interface-static", "member": "java.util.List.of()Ljava/util/List;"}]"#,
        SIZE.replace("\"size\"", "\"a\"").as_str(),
    )
    .unwrap();
    assert_eq!(TestPlan::from_json(&read.to_json().unwrap()).unwrap(), read);
    let calls: Vec<_> = read
        .calls()
        .map(|(id, part, call)| (id.0, part.number(), part.thread(), call.member.name.as_str()))
        .collect();
    assert_eq!(
        calls,
        [
            (0, 0, 0, "<init>"),
            (1, 0, 0, "size"),
            (2, 1, 1, "get"),
            (3, 1, 1, "hashCode"),
            (4, 2, 2, "of"),
            (5, -1, 0, "size")
        ]
    );
    let variables = read.variables();
    let of_thread = variables.find(Part::Thread(1), "a").unwrap();
    assert_eq!((of_thread.slot, of_thread.call), (3, CallId(4)));
    assert_eq!(of_thread.descriptor, "Ljava/util/List;");
    let shared = variables.find(Part::Thread(1), "list").unwrap();
    assert_eq!(
        (shared.slot, shared.descriptor.as_str()),
        (0, "Ljava/util/Vector;")
    );
    assert_eq!(variables.find(Part::After, "a").unwrap().descriptor, "I");
    assert_eq!(variables.len(), 5);
}

#[test]
fn every_kind_of_argument_survives_the_file() {
    let arguments = vec![
        Argument::Var("x".to_owned()),
        Argument::Null,
        Argument::Boolean(true),
        Argument::Byte(-128),
        Argument::Short(-1),
        Argument::Char(0xd800),
        Argument::Int(i32::MIN),
        Argument::Long(i64::MIN),
        Argument::Float(u32::MAX),
        Argument::Double(u64::MAX),
        Argument::String("\u{0}\u{1f600}\"".to_owned()),
        Argument::Utf16(vec![0xdc00]),
        Argument::Class("[I".to_owned()),
        Argument::Enum {
            class: "A".to_owned(),
            constant: "B".to_owned(),
        },
        Argument::Array {
            element: "[I".to_owned(),
            of: vec![Argument::Null],
        },
    ];
    let text = serde_json::to_string(&arguments).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Argument>>(&text).unwrap(), arguments);
}

#[test]
fn files_of_another_kind_are_told() {
    let said = |text: &str| TestPlan::from_json(text).unwrap_err().to_string();
    assert_eq!(
        said("{\"threads\": []}"),
        "this is no test plan: a test plan has a member `raddle_plan` with its version, 1"
    );
    assert_eq!(said("[]"), said("{}"));
    assert!(
        said("{\"raddle_plan\": 2, \"novelty\": 1}")
            .starts_with("this test plan has version 2, and this program reads version 1; "),
    );
    assert!(said("{\"raddle_plan\": \"1\"}").starts_with("this test plan has version \"1\", "));
    assert_eq!(
        said("{\"raddle_plan\": 1,\n\"threads\" [] }"),
        "line 2, column 11: expected `:`"
    );
    assert_eq!(
        said("{\"raddle_plan\": 1,\n\n\"theads\": [] }"),
        "line 3, column 8: unknown field `theads`, expected one of `raddle_plan`, `package`, `name`, `prefix`, `threads`, `after`, `uninitialised`"
    );
    assert_eq!(
        said("{\"raddle_plan\": 1 }"),
        "line 1, column 19: missing field `threads`"
    );
    let call = |text: &str| said(&format!("{{\"raddle_plan\": 1,\n\"threads\": [[\n{text}]]}}"));
    assert!(
        call(r#"{"invoke": "static", "member": "A.f()V", "arguments": []}"#)
            .starts_with("line 3, column 52: unknown field `arguments`, expected one of `let`, `invoke`"),
    );
    assert!(
        call(r#"{"invoke": "static", "member": "A.f"}"#)
            .starts_with("line 3, column 37: `A.f` is not a member: expected CLASS.NAME(PARAMETERS)RESULT"),
    );
    assert!(call(r#"{"invoke": "statc", "member": "A.f()V"}"#).contains("unknown variant `statc`"));
    assert!(
        call(r#"{"invoke": "static", "member": "A.f(I)V", "args": [{"int": 4294967296}]}"#)
            .contains("invalid value: integer `4294967296`"),
    );
}

#[test]
fn the_number_of_threads_has_limits() {
    let threads = |count: usize| plan("", &vec!["[]"; count].join(", "), "");
    assert_eq!(
        threads(0).unwrap_err().to_string(),
        "the plan has no threads; `threads` needs a list of calls for each"
    );
    assert!(threads(250).is_ok());
    assert_eq!(
        threads(251).unwrap_err().to_string(),
        "the plan has 251 threads, and 250 is the most"
    );
}

#[test]
fn members_must_be_callable() {
    let said = |invoke: &str, member: &str| {
        problem(&format!(
            r#"{{"invoke": "{invoke}", "on": "list", "member": "{member}"}}"#
        ))
    };
    assert_eq!(
        said("virtual", "A.f(X)V"),
        "`(X)V` is no descriptor as class files have them: bad descriptor \"(X)V\" at position 1"
    );
    assert!(said("virtual", "a..b.f()V").starts_with("`a..b` is no class name; "));
    assert!(said("virtual", "a/b.f()V").starts_with("`a/b` is no class name; "));
    assert_eq!(
        said("virtual", "A.<clinit>()V"),
        "`<clinit>` is no name of a method"
    );
    assert!(said("new", "A.f()V").starts_with("`new` calls a constructor"));
    assert!(said("new", "A.<init>()I").starts_with("`new` calls a constructor"));
    assert_eq!(
        said("virtual", "A.<init>()V"),
        "a constructor is called with `\"invoke\": \"new\"`"
    );
}

#[test]
fn receivers_are_there_when_needed() {
    assert_eq!(
        problem(r#"{"invoke": "interface", "member": "A.f()V"}"#),
        "the call needs a receiver; name its variable: `\"on\": \"VARIABLE\"`"
    );
    assert_eq!(
        problem(r#"{"invoke": "static", "on": "list", "member": "A.f()V"}"#),
        "a static method has no receiver; remove `\"on\": \"list\"`"
    );
    assert_eq!(
        problem(r#"{"invoke": "new", "on": "list", "member": "A.<init>()V"}"#),
        "a constructor has no receiver; remove `\"on\": \"list\"`"
    );
    assert_eq!(
        problem(r#"{"invoke": "virtual", "on": "size", "member": "java.util.Vector.clear()V"}"#),
        "the receiver `size` is of type int, which is never a java.util.Vector"
    );
}

#[test]
fn variables_are_set_before_they_are_used_and_in_sight() {
    let foreign = plan(
        LIST,
        r#"[{"let": "a", "invoke": "static", "member": "A.f()I"}],
           [{"invoke": "static", "member": "A.g(I)V", "args": [{"var": "a"}]}]"#,
        "",
    );
    assert_eq!(
        foreign.unwrap_err().to_string(),
        "call 1 of thread 2 (A.g(I)V): variable `a` is set by thread 1; only variables of the prefix can be used in \
         all parts"
    );
    assert_eq!(
        problem(r#"{"invoke": "static", "member": "A.g(I)V", "args": [{"var": "siez"}]}"#),
        "there is no variable `siez`; set before this call: `list`, `size`"
    );
    let nothing = plan(
        "",
        r#"[{"invoke": "virtual", "on": "x", "member": "A.f()V"}]"#,
        "",
    );
    assert_eq!(
        nothing.unwrap_err().to_string(),
        "call 1 of thread 1 (A.f()V): there is no variable `x`; none is set before this call"
    );
    let later = plan(&format!("{SIZE}, {LIST}"), "[]", "");
    assert_eq!(
        later.unwrap_err().to_string(),
        "call 1 of the prefix (java.util.Vector.size()I): variable `list` is used before it is set; call 2 of prefix \
         sets it"
    );
    let after = plan(
        "",
        "[]",
        r#"{"let": "a", "invoke": "static", "member": "A.f(I)I", "args": [{"var": "a"}]}"#,
    );
    assert!(
        after
            .unwrap_err()
            .to_string()
            .starts_with("call 1 after the threads (A.f(I)I): variable `a` is used before"),
    );
    assert_eq!(
        problem(r#"{"let": "list", "invoke": "static", "member": "A.f()I"}"#),
        "variable `list` is set twice; use another name"
    );
    assert_eq!(
        problem(r#"{"let": "x", "invoke": "static", "member": "A.f()V"}"#),
        "the call has no result that variable `x` could take; remove `\"let\"`"
    );
    assert_eq!(
        problem(r#"{"let": "", "invoke": "static", "member": "A.f()I"}"#),
        "a variable needs a name"
    );
}

#[test]
fn arguments_fit_their_parameters() {
    assert_eq!(
        problem(r#"{"invoke": "static", "member": "A.f(IJ)V", "args": [{"int": 1}]}"#),
        "the descriptor has 2 parameters, and the number of arguments is 1"
    );
    assert_eq!(
        argument_problem("J", r#"{"int": 1}"#),
        "argument 1 is of type int, which does not fit the parameter's type long"
    );
    assert_eq!(
        argument_problem("I", "\"null\""),
        "argument 1 is null, which does not fit the parameter's type int"
    );
    assert_eq!(
        argument_problem("[I", r#"{"var": "size"}"#),
        "argument 1 is variable `size` of type int, which does not fit the parameter's type int[]"
    );
    assert_eq!(
        argument_problem("Ljava/util/Map;", r#"{"string": "x"}"#),
        "argument 1 is a string, which does not fit the parameter's type java.util.Map"
    );
    assert_eq!(
        argument_problem("[J", r#"{"array": {"element": "I", "of": []}}"#),
        "argument 1 is an array of type int[], which does not fit the parameter's type long[]"
    );
    assert_eq!(
        argument_problem(
            "[I",
            r#"{"array": {"element": "I", "of": [{"int": 1}, {"char": 1}]}}"#
        ),
        "argument 1 is of type char, which does not fit the parameter's type int"
    );
    assert!(
        argument_problem("[I", r#"{"array": {"element": "Q", "of": []}}"#)
            .starts_with("argument 1: `Q` is no descriptor of a type: "),
    );
    assert_eq!(
        argument_problem("Ljava/lang/Class;", r#"{"class": "a b;"}"#),
        "argument 1: `a b;` is no name of a class"
    );
    assert!(
        argument_problem("LE;", r#"{"enum": {"class": "", "constant": "A"}}"#).contains("is no class name")
    );
    assert!(
        argument_problem("LE;", r#"{"enum": {"class": "E", "constant": "A.B"}}"#)
            .contains("is no name of an enum")
    );
    for (parameter, argument) in [
        ("I", r#"{"var": "size"}"#),
        ("Ljava/lang/Object;", r#"{"var": "size"}"#),
        ("Ljava/lang/Number;", r#"{"int": 1}"#),
        ("Ljava/lang/Integer;", r#"{"int": 1}"#),
        ("Ljava/lang/Comparable;", r#"{"char": 1}"#),
        ("Ljava/lang/CharSequence;", r#"{"utf16": [55296]}"#),
        ("Ljava/util/Collection;", r#"{"var": "list"}"#),
        (
            "[Ljava/lang/Object;",
            r#"{"array": {"element": "[I", "of": ["null"]}}"#,
        ),
        (
            "Ljava/lang/Cloneable;",
            r#"{"array": {"element": "I", "of": []}}"#,
        ),
        ("LFace;", r#"{"enum": {"class": "E", "constant": "A"}}"#),
        ("Ljava/lang/reflect/Type;", r#"{"class": "[Ljava.lang.String;"}"#),
    ] {
        fits(parameter, argument);
    }
    for (parameter, argument) in [
        ("Ljava/lang/Long;", r#"{"int": 1}"#),
        ("Ljava/lang/Number;", r#"{"char": 1}"#),
        ("J", r#"{"var": "size"}"#),
        ("I", r#"{"var": "list"}"#),
        ("[I", r#"{"var": "list"}"#),
        ("Ljava/lang/String;", r#"{"class": "A"}"#),
        (
            "Ljava/lang/String;",
            r#"{"enum": {"class": "E", "constant": "A"}}"#,
        ),
        ("[I", r#"{"string": ""}"#),
    ] {
        assert!(
            argument_problem(parameter, argument).contains("does not fit"),
            "{parameter} {argument}"
        );
    }
}

/// What is said about an object with one method.
fn method_problem(method: &str) -> String {
    problem(&format!(
        r#"{{"let": "f", "invoke": "implement", "member": "A.<init>()V", "methods": [{method}]}}"#
    ))
}

#[test]
fn a_method_can_run_what_it_is_given() {
    let method = |on: usize, class: &str| {
        format!(
            r#"{{"name": "execute", "descriptor": "(Ljava/lang/Runnable;)V", "does":
                {{"on": {on}, "given": true, "invoke": "interface", "member": "{class}.run()V"}}}}"#
        )
    };
    let plan = |method: &str| {
        TestPlan::from_json(&format!(
            r#"{{"raddle_plan": 1, "prefix": [{{"let": "e", "invoke": "implement",
                "member": "java.util.concurrent.Executor.<init>()V", "methods": [{method}]}}],
                "threads": [[{{"invoke": "interface", "on": "e", "member":
                "java.util.concurrent.Executor.execute(Ljava/lang/Runnable;)V", "args": ["null"]}}], []]}}"#
        ))
    };
    let whole = plan(&method(0, "java.lang.Runnable")).unwrap();
    let again = TestPlan::from_json(&whole.to_json().unwrap()).unwrap();
    assert_eq!(whole, again);
    assert!(
        whole.to_java("Test").contains("-> { x.run(); }"),
        "{}",
        whole.to_java("Test")
    );
    for wrong in [method(1, "java.lang.Runnable"), method(0, "java.lang.Thread")] {
        assert!(
            method_problem(&wrong).contains("what it holds or is given only"),
            "{wrong}"
        );
    }
}

#[test]
fn objects_of_written_classes_survive_the_file() {
    let text = r#"{"let": "f", "invoke": "implement", "member": "java.util.function.BiFunction.<init>()V", "methods": [
            {"name": "apply", "descriptor": "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
             "returns": {"parameter": 1}}]},
        {"let": "g", "invoke": "extend", "member": "java.util.TimerTask.<init>()V", "methods": [
            {"name": "run", "descriptor": "()V"},
            {"name": "i", "descriptor": "(JI)I", "returns": {"increment": 1}},
            {"name": "j", "descriptor": "()Ljava/lang/Number;", "returns": {"value": {"long": 7}}},
            {"name": "k", "descriptor": "()Z"}]},
        {"let": "h", "invoke": "implement", "member": "java.io.Serializable.<init>()V"}"#;
    let plan = plan(text, "[]", "").unwrap();
    assert_eq!(TestPlan::from_json(&plan.to_json().unwrap()).unwrap(), plan);
    let variables = plan.variables();
    let descriptor = |name: &str| variables.find(Part::Prefix, name).unwrap().descriptor.clone();
    assert_eq!(descriptor("f"), "Ljava/util/function/BiFunction;");
    assert_eq!(descriptor("g"), "Ljava/util/TimerTask;");
    let returned: Vec<_> = plan.prefix[1]
        .methods
        .iter()
        .map(crate::MethodBody::returned)
        .collect();
    assert_eq!(
        returned,
        [
            None,
            Some(Returned::Increment(1)),
            Some(Returned::Value(Argument::Long(7))),
            Some(Returned::Value(Argument::Boolean(false)))
        ]
    );
}

#[test]
fn written_classes_can_be_written() {
    let said = |call: &str| problem(&format!(r#"{{"let": "f", {call}}}"#));
    assert_eq!(
        said(r#""invoke": "implement", "member": "A.run()V""#),
        "`implement` names an interface as in java.lang.Runnable.<init>()V, without parameters"
    );
    assert!(
        said(r#""invoke": "extend", "member": "A.<init>(I)V""#).contains("argument"),
        "the constructor above asks for a number"
    );
    assert_eq!(
        said(r#""invoke": "implement", "on": "list", "member": "A.<init>()V""#),
        "a constructor has no receiver; remove `\"on\": \"list\"`"
    );
    assert_eq!(
        said(r#""invoke": "new", "member": "A.<init>()V", "methods": [{"name": "f", "descriptor": "()V"}]"#),
        "only `implement` and `extend` write classes; remove `\"methods\"`"
    );
    assert_eq!(
        method_problem(r#"{"name": "<init>", "descriptor": "()V"}"#),
        "`<init>` is no name of a method"
    );
    assert!(method_problem(r#"{"name": "f", "descriptor": "()"}"#).starts_with("`()` is no descriptor "));
    assert_eq!(
        method_problem(r#"{"name": "f", "descriptor": "()V"}, {"name": "f", "descriptor": "()V"}"#),
        "method `f`: it is written twice"
    );
}

#[test]
fn methods_return_what_they_can() {
    let said = |descriptor: &str, returns: &str| {
        let problem = method_problem(&format!(
            r#"{{"name": "f", "descriptor": "{descriptor}", "returns": {returns}}}"#
        ));
        problem.strip_prefix("method `f`: ").unwrap().to_owned()
    };
    assert_eq!(
        said("()V", r#"{"value": "null"}"#),
        "it is void; remove `\"returns\"`"
    );
    assert_eq!(
        said("(I)I", r#"{"parameter": 1}"#),
        "there is no parameter 1; it has 1, from 0"
    );
    assert_eq!(
        said("(J)I", r#"{"parameter": 0}"#),
        "it returns a parameter of type long, which does not fit int"
    );
    assert_eq!(
        said("(J)I", r#"{"increment": 0}"#),
        "it returns a parameter of type long plus 1, which does not fit int"
    );
    assert_eq!(
        said("(Z)Z", r#"{"increment": 0}"#),
        "1 cannot be added to a boolean"
    );
    assert_eq!(
        said("(JI)J", r#"{"sum": [0, 1]}"#),
        "it returns what long and int make, which does not fit long"
    );
    assert_eq!(
        said("(ZZ)Z", r#"{"larger": [0, 1]}"#),
        "there is no sum and no larger one of boolean"
    );
    assert_eq!(
        said(
            "()Ljava/util/List;",
            r#"{"made": {"invoke": "new", "member": "java.util.ArrayList.<init>()V"}}"#
        ),
        "only a static method without parameters can make what it returns"
    );
    assert_eq!(
        said("()Ljava/lang/Integer;", r#"{"value": {"string": "x"}}"#),
        "it returns a string, which does not fit java.lang.Integer"
    );
    assert_eq!(
        said("()Ljava/lang/Object;", r#"{"value": {"var": "list"}}"#),
        "it can return constants, parameters and what it holds only"
    );
    assert_eq!(
        said("()Ljava/lang/Object;", r#"{"held": 1}"#),
        "it holds 0 objects; there is no 1, from 0"
    );
    assert_eq!(
        said("()Ljava/lang/Class;", r#"{"value": {"class": "a b;"}}"#),
        "`a b;` is no name of a class"
    );
}

#[test]
fn methods_call_what_their_object_holds() {
    let said = |does: &str| {
        let problem = method_problem(&format!(
            r#"{{"name": "f", "descriptor": "()V", "does": {does}}}"#
        ));
        problem.strip_prefix("method `f`: ").unwrap().to_owned()
    };
    assert_eq!(
        said(r#"{"on": 0, "invoke": "virtual", "member": "a.B.c()V"}"#),
        "it holds 0 objects; there is no 0, from 0"
    );
}
