//! Stand-in until the strategies are there.

use std::fmt;
use std::str::FromStr;

use raddle_generate::{Candidate, Evidence, Feedback, Mode, Strategy};
use raddle_plan::{Argument, Call, Invoke, MemberRef, PLAN_VERSION, TestPlan};
use raddle_program::{ClassId, Program};
use raddle_summary::ClassFacts;

#[allow(missing_docs)]
pub struct Target<'p> {
    pub program: &'p Program,
    pub class: ClassId,
    pub facts: &'p ClassFacts,
}

#[allow(missing_docs)]
#[derive(Copy, Clone, Debug)]
pub enum StrategyKind {
    Portfolio,
}
impl FromStr for StrategyKind {
    type Err = String;
    fn from_str(_: &str) -> Result<Self, String> {
        Ok(StrategyKind::Portfolio)
    }
}
impl fmt::Display for StrategyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("portfolio")
    }
}

struct Fake(Vec<Candidate>);
impl Strategy for Fake {
    fn name(&self) -> &'static str {
        "portfolio"
    }
    fn next(&mut self) -> Option<Candidate> {
        self.0.pop()
    }
    fn observe(&mut self, _: u64, _: &Feedback) {}
}

#[allow(missing_docs)]
pub fn strategy<'p>(_: StrategyKind, target: Target<'p>, _: u64) -> Result<Box<dyn Strategy + 'p>, String> {
    let p = target.program;
    let class = p.name(target.class);
    if p.class(target.class).unwrap().access().is_abstract() {
        return Err(format!("cannot construct {class}: it is abstract"));
    }
    let methods = p.public_methods(target.class);
    let call = |index: usize, on: &str, other: &str, mode: Mode| {
        let (_, m) = p.method(methods[index]).unwrap();
        let d = p.text(m.descriptor).to_owned();
        let args = raddle_classfile::descriptor::MethodType::parse(&d)
            .unwrap()
            .parameters
            .iter()
            .map(|t| match t.java().as_str() {
                "int" => Argument::Int(0),
                "boolean" => Argument::Boolean(false),
                "char" => Argument::Char(98),
                "long" => Argument::Long(0),
                "float" => Argument::Float(0),
                "double" => Argument::Double(0),
                "java.lang.String" => Argument::String("xy".to_owned()),
                _ if mode == Mode::Deadlock => Argument::Var(other.to_owned()),
                "java.lang.Object" => Argument::String("xy".to_owned()),
                _ => Argument::Null,
            })
            .collect();
        Call {
            bind: None,
            invoke: if m.access.is_static() { Invoke::Static } else { Invoke::Virtual },
            member: MemberRef { class: class.clone(), name: p.text(m.name).to_owned(), descriptor: d },
            on: (!m.access.is_static()).then(|| on.to_owned()),
            args,
        }
    };
    let new = |v: &str| Call {
        bind: Some(v.to_owned()),
        invoke: Invoke::New,
        member: MemberRef { class: class.clone(), name: "<init>".into(), descriptor: "()V".into() },
        on: None,
        args: vec![],
    };
    let mut all = Vec::new();
    for deadlock in [true, false] {
        for pair in &target.facts.pairs {
            let mode = if deadlock { Mode::Deadlock } else { Mode::Exception };
            if (deadlock && pair.double_lock.is_none()) || (!deadlock && !pair.mpc) {
                continue;
            }
            let (a, b) = (pair.first, pair.second);
            let after = (0..methods.len())
                .filter(|i| {
                    let (_, m) = p.method(methods[*i]).unwrap();
                    !deadlock && p.text(m.descriptor).starts_with("()") && !p.text(m.descriptor).ends_with("V")
                })
                .take(3)
                .map(|i| call(i, "x", "y", mode))
                .collect();
            all.push(Candidate {
                number: all.len() as u64,
                plan: TestPlan {
                    raddle_plan: PLAN_VERSION,
                    name: String::new(),
                    prefix: vec![new("x"), new("y")],
                    threads: vec![
                        vec![call(a, "x", "y", mode), call(b, "x", "y", mode)],
                        vec![call(b, if deadlock { "y" } else { "x" }, "x", mode)],
                    ],
                    after,
                },
                evidence: Evidence {
                    mode,
                    pair: Some((a, b)),
                    text: format!("{} and {}", target.facts.methods[a].signature, target.facts.methods[b].signature),
                },
            });
        }
    }
    all.reverse();
    Ok(Box::new(Fake(all)))
}
