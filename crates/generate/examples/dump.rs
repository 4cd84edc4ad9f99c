//! Writes plans of a strategy as files: CLASS STRATEGY COUNT FOLDER [JARS]
use raddle_generate::{Feedback, StrategyKind, Target, strategy};
use raddle_summary::{Analyzer, Precision};
use std::path::PathBuf;
#[expect(clippy::print_stdout, clippy::unwrap_used)]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let jars: Vec<PathBuf> = args
        .get(5)
        .map(|j| j.split(':').map(PathBuf::from).collect())
        .unwrap_or_default();
    let program = raddle_testkit::program(&jars).unwrap();
    let class = program.find_class(&args[1]).unwrap();
    let facts = Analyzer::new(&program, Precision::Precise)
        .analyze(class)
        .unwrap();
    let kind: StrategyKind = args[2].parse().unwrap();
    let target = Target {
        program: &program,
        class,
        facts: &facts,
    };
    for s in target.skipped_methods() {
        println!("skipped {} {}", s.signature, s.reason);
    }
    let mut s = match strategy(kind, target, 1) {
        Ok(s) => s,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    std::fs::create_dir_all(&args[4]).unwrap();
    for _ in 0..args[3].parse::<usize>().unwrap() {
        let Some(c) = s.next() else {
            println!("exhausted");
            break;
        };
        s.observe(c.number, &Feedback::default());
        let show = |calls: &[raddle_plan::Call]| {
            calls
                .iter()
                .map(|c| {
                    format!(
                        "{}{}.{}({})",
                        c.bind.as_ref().map(|b| format!("{b}=")).unwrap_or_default(),
                        c.on.as_deref()
                            .unwrap_or_else(|| c.member.class.rsplit('.').next().unwrap()),
                        c.member.name,
                        c.args
                            .iter()
                            .map(|a| match a {
                                raddle_plan::Argument::Var(v) => v.clone(),
                                raddle_plan::Argument::Array { .. } => "[..]".into(),
                                o => format!("{o:?}"),
                            })
                            .collect::<Vec<_>>()
                            .join(", ")
                    )
                })
                .collect::<Vec<_>>()
                .join("; ")
        };
        println!(
            "{} [{}] {} || {} || {}",
            c.number,
            c.evidence.text,
            show(&c.plan.prefix),
            c.plan
                .threads
                .iter()
                .map(|t| show(t))
                .collect::<Vec<_>>()
                .join(" ∥ "),
            show(&c.plan.after)
        );
        std::fs::write(
            format!("{}/{:04}.json", args[4], c.number),
            c.plan.to_json().unwrap(),
        )
        .unwrap();
    }
}
