//! Plans, results and places in one line each, close to what Java would write.

use crate::plain::{one_line, plain_value};
use crate::{Argument, Call, CallResult, Invoke, MethodBody, Place, Returned, TestPlan};

/// A longer value says less than where it was cut.
const LONGEST_VALUE: usize = 60;
/// A message may be the one thing that says what is wrong.
const LONGEST_MESSAGE: usize = 240;

/// A call as Java would write it: `list.add("a")`. If the plan also calls an overload that looks the same, arguments have
/// the types of their parameters: `buffer.append((Object) x)`.
pub fn call_in(plan: &TestPlan, call: &Call) -> String {
    let parameters = |call: &Call| call.member.descriptor.split(')').next().map(str::to_owned);
    let looks_alike = |other: &Call| {
        (&other.member.name, other.args.len()) == (&call.member.name, call.args.len())
            && parameters(other) != parameters(call)
    };
    if !call.args.is_empty() && plan.calls().any(|(_, _, other)| looks_alike(other)) {
        let types = parameter_types(&call.member.descriptor);
        let typed = call.args.iter().zip(types);
        let typed: Vec<String> = typed
            .map(|(argument, kind)| format!("({kind}) {}", argument_text(argument)))
            .collect();
        return call_with(call, &typed.join(", "));
    }
    call_text(call)
}

/// The same without a look at other calls.
pub fn call_text(call: &Call) -> String {
    let arguments: Vec<String> = call.args.iter().map(argument_text).collect();
    call_with(call, &arguments.join(", "))
}

/// The types of the parameters of a method, without packages.
fn parameter_types(descriptor: &str) -> Vec<String> {
    let mut types = Vec::new();
    let mut rest = descriptor.trim_start_matches('(');
    while !rest.is_empty() && !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let end = match element.split_once(';') {
            Some((class, _)) if element.starts_with('L') => class.len() + 1,
            _ => element.chars().next().map_or(0, char::len_utf8),
        };
        let (parameter, after) = rest.split_at(dimensions + end);
        types.push(type_text(parameter));
        rest = after;
        if end == 0 {
            break;
        }
    }
    types
}

/// A type as class files write it, without its package: `int[]` of `[I`.
pub fn type_text(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let brackets = "[]".repeat(name.len() - element.len());
    let element = match element {
        "Z" => "boolean",
        "B" => "byte",
        "S" => "short",
        "C" => "char",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        class => simple_name(class.trim_start_matches('L').trim_end_matches(';')),
    };
    format!("{element}{brackets}")
}

fn call_with(call: &Call, arguments: &str) -> String {
    let class = simple_name(&call.member.class);
    let name = &call.member.name;
    let made = match call.invoke {
        Invoke::New => format!("new {class}({arguments})"),
        Invoke::Static | Invoke::InterfaceStatic => format!("{class}.{name}({arguments})"),
        Invoke::Constant => format!("{class}.{name}"),
        Invoke::Virtual | Invoke::Interface => {
            format!("{}.{name}({arguments})", call.on.as_deref().unwrap_or("null"))
        }
        Invoke::Implement | Invoke::Extend => match call.methods.as_slice() {
            [method] if call.invoke == Invoke::Implement => lambda_text(method, &call.args),
            [] => format!("new {class}({}) {{ }}", above(call)),
            _ => format!("new {class}({}) {{ ... }}", above(call)),
        },
    };
    let made = match &call.bind {
        Some(variable) => format!("{variable} = {made}"),
        None => made,
    };
    one_line(&made).into_owned()
}

/// What the constructor of the superclass is given.
fn above(call: &Call) -> String {
    let count = call.args.len() - call.held().len();
    let given: Vec<String> = call.args.iter().take(count).map(argument_text).collect();
    given.join(", ")
}

/// The only method of an object: `(x, y) -> y`.
fn lambda_text(method: &MethodBody, held: &[Argument]) -> String {
    let names = method.parameter_names();
    let name = |at: usize| names.get(at).map_or("?", String::as_str);
    let holds = |at: usize| held.get(at).map_or_else(|| "?".to_owned(), argument_text);
    let deed = method.does.as_ref().map(|deed| {
        let arguments: Vec<String> = deed.args.iter().map(argument_text).collect();
        format!(
            "{}.{}({})",
            if deed.given {
                name(deed.on).to_owned()
            } else {
                holds(deed.on)
            },
            deed.member.name,
            arguments.join(", ")
        )
    });
    let returned = match method.returned() {
        None => String::new(),
        Some(Returned::Value(value)) => argument_text(&value),
        Some(Returned::Parameter(at)) => name(at).to_owned(),
        Some(Returned::Increment(at)) => format!("{} + 1", name(at)),
        Some(Returned::Sum(one, other)) => format!("{} + {}", name(one), name(other)),
        Some(Returned::Larger(one, other)) => format!("max({}, {})", name(one), name(other)),
        Some(Returned::Made { member, .. }) => format!("{}.{}()", simple_name(&member.class), member.name),
        Some(Returned::Held(at)) => holds(at),
    };
    let body = match (deed, returned.as_str()) {
        (None, "") => "{ }".to_owned(),
        (None, value) => value.to_owned(),
        (Some(deed), "") => deed,
        (Some(deed), value) => format!("{{ {deed}; return {value}; }}"),
    };
    match names.as_slice() {
        [name] => format!("{name} -> {body}"),
        names => format!("({}) -> {body}", names.join(", ")),
    }
}

fn argument_text(argument: &Argument) -> String {
    match argument {
        Argument::Var(name) => name.clone(),
        Argument::Null => "null".to_owned(),
        Argument::Boolean(value) => value.to_string(),
        Argument::Byte(value) => format!("(byte) {value}"),
        Argument::Short(value) => format!("(short) {value}"),
        Argument::Char(unit) => {
            char::from_u32(u32::from(*unit)).map_or_else(|| format!("'\\u{unit:04x}'"), |c| format!("{c:?}"))
        }
        Argument::Int(value) => value.to_string(),
        Argument::Long(value) => format!("{value}L"),
        Argument::Float(bits) => format!("{:?}f", f32::from_bits(*bits)),
        Argument::Double(bits) => format!("{:?}", f64::from_bits(*bits)),
        Argument::String(text) => format!("{text:?}"),
        Argument::Utf16(units) => format!("{:?}", String::from_utf16_lossy(units)),
        Argument::Class(name) => format!("{}.class", simple_name(name)),
        Argument::Enum { class, constant } => format!("{}.{constant}", simple_name(class)),
        Argument::Array { of, .. } => {
            let elements: Vec<String> = of.iter().map(argument_text).collect();
            format!("{{{}}}", elements.join(", "))
        }
    }
}

/// What came of a call, as the end of its line.
pub fn result_text(result: &CallResult) -> String {
    match result {
        CallResult::NotBegun => "was not called".to_owned(),
        CallResult::Unfinished => "did not return".to_owned(),
        CallResult::Returned(value) if value.is_empty() => "returned".to_owned(),
        CallResult::Returned(value) => format!("returned {}", cut(plain_value(value))),
        CallResult::Threw { class, message, .. } if message.is_empty() => {
            format!("threw {}", one_line(class))
        }
        CallResult::Threw { class, message, .. } => {
            format!("threw {}: {}", one_line(class), cut_to(message, LONGEST_MESSAGE))
        }
    }
}

/// With `$3` replaced by the name of the plan's variable in slot 3: that is how objects of the plan are written in
/// results.
pub fn with_names(plan: &TestPlan, text: &str) -> String {
    let variables = plan.variables();
    let mut named = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, dollar) = rest.split_at(at);
        named.push_str(before);
        let digits = dollar[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (reference, after) = dollar.split_at(1 + digits);
        // Nested classes have a `$` too, after a letter.
        let is_reference = !before.ends_with(|c: char| c.is_alphanumeric());
        let variable = variables
            .iter()
            .find(|variable| is_reference && reference[1..] == variable.slot.to_string());
        named.push_str(variable.map_or(reference, |variable| variable.name));
        rest = after;
    }
    named.push_str(rest);
    named
}

/// `Hashtable.equals (Hashtable.java:800)`
pub fn place_text(place: &Place) -> String {
    let method = format!("{}.{}", simple_name(&place.class), place.method);
    format!("{} ({})", one_line(&method), source_text(place))
}

/// `Hashtable.java:800`, or the best there is.
pub fn source_text(place: &Place) -> String {
    match (&place.source, place.line) {
        (Some(source), Some(line)) => format!("{}:{line}", one_line(source)),
        (Some(source), None) => format!("{}, bytecode {}", one_line(source), place.bci),
        (None, _) => format!("bytecode {}", place.bci),
    }
}

/// The name without its package; dots and slashes both separate.
pub fn simple_name(class: &str) -> &str {
    class.rsplit(['.', '/']).next().unwrap_or(class)
}

/// At most so many characters, on one line.
pub fn cut(text: &str) -> String {
    cut_to(text, LONGEST_VALUE)
}

fn cut_to(text: &str, longest: usize) -> String {
    let start: String = text.chars().take(longest + 1).collect();
    shorten(&one_line(&start.replace(['\n', '\r'], " ")), longest)
}

/// At most `width` characters, with a mark where something was left out.
pub fn shorten(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// The same for a place in a source file, of which the line says most: `AbstractStringBu…:1295`.
pub fn shorten_source(text: &str, width: usize) -> String {
    match text.rsplit_once(':') {
        Some((file, line)) if text.chars().count() > width => {
            format!(
                "{}:{line}",
                shorten(file, width.saturating_sub(line.chars().count() + 1))
            )
        }
        _ => shorten(text, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemberRef;

    fn call(member: &str, invoke: Invoke, args: Vec<Argument>) -> Call {
        Call {
            bind: None,
            invoke,
            member: MemberRef::try_from(member.to_owned()).unwrap(),
            on: Some("map".to_owned()),
            args,
            methods: Vec::new(),
        }
    }

    #[test]
    fn calls_look_like_java() {
        let put = call(
            "java.util.Map.put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            Invoke::Interface,
            vec![Argument::String("k\n".to_owned()), Argument::Long(3)],
        );
        assert_eq!(call_text(&put), "map.put(\"k\\n\", 3L)");
        let made = Call {
            bind: Some("map".to_owned()),
            ..call(
                "java.util.HashMap.<init>(I)V",
                Invoke::New,
                vec![Argument::Int(-1)],
            )
        };
        assert_eq!(call_text(&made), "map = new HashMap(-1)");
        let array = Argument::Array {
            element: "C".to_owned(),
            of: vec![Argument::Char(97), Argument::Char(39)],
        };
        let of = call(
            "java.lang.String.valueOf([C)Ljava/lang/String;",
            Invoke::Static,
            vec![array],
        );
        assert_eq!(call_text(&of), "String.valueOf({'a', '\\''})");
    }

    #[test]
    fn overloads_that_look_alike_have_the_types_of_their_parameters() {
        let append = |types: &str| {
            let member = format!("java.lang.StringBuffer.append({types})Ljava/lang/StringBuffer;");
            let argument = r#"{"var": "b"}"#;
            format!(r#"[{{"invoke": "virtual", "on": "b", "member": "{member}", "args": [{argument}]}}]"#)
        };
        let text = |one: &str, other: &str| {
            let made = r#"{"let": "b", "invoke": "new", "member": "java.lang.StringBuffer.<init>()V"}"#;
            let threads = format!("[{}, {}]", append(one), append(other));
            let plan = format!(r#"{{"raddle_plan": 1, "prefix": [{made}], "threads": {threads}}}"#);
            let plan = TestPlan::from_json(&plan).unwrap();
            plan.threads
                .iter()
                .flatten()
                .map(|call| call_in(&plan, call))
                .collect::<Vec<_>>()
        };
        let (object, buffer) = ("Ljava/lang/Object;", "Ljava/lang/StringBuffer;");
        assert_eq!(
            text(object, buffer),
            ["b.append((Object) b)", "b.append((StringBuffer) b)"]
        );
        assert_eq!(text(object, object), ["b.append(b)", "b.append(b)"]);
        assert_eq!(
            parameter_types("(I[[JLp/Q;[Lp/R;)V"),
            ["int", "long[][]", "Q", "R[]"]
        );
        assert_eq!(parameter_types("("), [""; 0]);
    }

    #[test]
    fn objects_of_written_classes_look_like_java() {
        let written = |invoke: Invoke, methods: &str| Call {
            bind: Some("f".to_owned()),
            methods: serde_json::from_str(methods).unwrap(),
            ..call("a.Face.<init>()V", invoke, Vec::new())
        };
        let text = |methods: &str| call_text(&written(Invoke::Implement, methods));
        let second = r#"{"name": "f", "descriptor": "(II)I", "returns": {"parameter": 1}}"#;
        assert_eq!(text(&format!("[{second}]")), "f = (x, y) -> y");
        assert_eq!(
            text(r#"[{"name": "f", "descriptor": "(J)J", "returns": {"increment": 0}}]"#),
            "f = x -> x + 1"
        );
        assert_eq!(text(r#"[{"name": "run", "descriptor": "()V"}]"#), "f = () -> { }");
        assert_eq!(
            text(r#"[{"name": "f", "descriptor": "(IIII)Ljava/lang/Object;"}]"#),
            "f = (x1, x2, x3, x4) -> null"
        );
        assert_eq!(text("[]"), "f = new Face() { }");
        let extended = written(Invoke::Extend, &format!("[{second}]"));
        assert_eq!(call_text(&extended), "f = new Face() { ... }");
    }

    #[test]
    fn objects_of_the_plan_have_their_names() {
        let plan = TestPlan::from_json(
            r#"{"raddle_plan": 1, "threads": [[{"invoke": "virtual", "member": "java.util.ArrayList.size()I", "on": "list"}]],
                "prefix": [{"let": "list", "invoke": "new", "member": "java.util.ArrayList.<init>()V"}]}"#,
        )
        .unwrap();
        assert_eq!(
            with_names(&plan, "java.util.ArrayList $0"),
            "java.util.ArrayList list"
        );
        assert_eq!(with_names(&plan, "[$0, $7]"), "[list, $7]");
        assert_eq!(with_names(&plan, "a.B$0 costs $"), "a.B$0 costs $");
    }

    #[test]
    fn of_a_long_place_the_line_stays() {
        let place = "AbstractStringBuilder.java:1295";
        assert_eq!(shorten_source(place, 31), place);
        assert_eq!(shorten_source(place, 22), "AbstractStringBu…:1295");
        assert_eq!(shorten_source("LongName.java, bytecode 7", 10), "LongName.…");
    }

    #[test]
    fn a_long_value_is_cut() {
        let text = result_text(&CallResult::Returned("x".repeat(100)));
        assert_eq!(text.chars().count(), "returned ".len() + LONGEST_VALUE);
        assert!(text.ends_with('…'));
    }
}
