//! The calls of a plan as Java statements.
//!
//! They are cut out of the program that [`TestPlan::to_java`] prints, so that one place knows how to write calls:
//! names, casts, imports. That program ends after one run and holds no threads, so only its statements are of use.

use raddle_plan::{Part, TestPlan};

/// Statements, each with the indentation of the first left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Calls {
    /// Full names.
    pub(super) imports: Vec<String>,
    pub(super) prefix: Vec<String>,
    pub(super) threads: Vec<Vec<String>>,
    pub(super) after: Vec<String>,
    /// Methods that some calls need.
    pub(super) helper: Vec<String>,
}

impl Calls {
    /// For a file with a class of that name; `hook` is a method that is called with its number before each call of a
    /// thread.
    pub(super) fn of(plan: &TestPlan, class_name: &str, hook: Option<&str>) -> Calls {
        let text = plan.to_java(class_name);
        let mut calls = Calls::default();
        let mut section = Section::Head;
        for line in text.lines() {
            section = match (section, line) {
                (Section::Head, "        java.util.Arrays.fill(returned, UNFINISHED);") => Section::Prefix,
                (Section::Head, line) => {
                    let import = line
                        .strip_prefix("import ")
                        .and_then(|rest| rest.strip_suffix(';'));
                    calls.imports.extend(import.map(str::to_owned));
                    Section::Head
                }
                (Section::Prefix, "        Thread[] threads = {") => Section::Threads,
                (Section::Threads, "            new Thread(() -> {") => {
                    calls.threads.push(Vec::new());
                    Section::Thread
                }
                (Section::Thread, line) if line.starts_with("            }, \"thread ") => Section::Threads,
                (Section::Threads, "        }") => Section::After,
                (Section::After, "        show();") => Section::Helpers,
                (Section::Helpers, line) if is_helper(line) => {
                    calls.helper.push(line[4..].to_owned());
                    Section::Wanted
                }
                (section, line) => {
                    calls.add(section, line);
                    section
                }
            };
        }
        if let Some(hook) = hook {
            calls.announce(plan, hook);
        }
        calls
    }

    fn add(&mut self, section: Section, line: &str) {
        let without = |margin: usize| line.get(margin..).map(str::to_owned);
        match section {
            Section::Prefix if line.contains("AtomicInteger absent") => {}
            Section::Prefix => self.prefix.extend(without(8)),
            Section::Thread if line.trim() == "meet(absent);" => {}
            Section::Thread => {
                if let Some(thread) = self.threads.last_mut() {
                    thread.extend(without(16));
                }
            }
            Section::After => self.after.extend(without(8)),
            Section::Wanted => self.helper.extend(without(4)),
            Section::Head | Section::Threads | Section::Helpers => {}
        }
    }

    /// Puts a call of the hook in front of every call of a thread.
    fn announce(&mut self, plan: &TestPlan, hook: &str) {
        for (thread, statements) in (0..).zip(&mut self.threads) {
            let mut numbers = plan
                .calls()
                .filter(|(_, part, _)| *part == Part::Thread(thread))
                .map(|(id, ..)| id.0);
            let lines = std::mem::take(statements);
            for line in lines {
                if line == "try {"
                    && let Some(number) = numbers.next()
                {
                    statements.push(format!("{hook}({number});"));
                }
                statements.push(line);
            }
        }
    }
}

/// Where in the printed program a line is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Section {
    Head,
    Prefix,
    Threads,
    Thread,
    After,
    Helpers,
    Wanted,
}

/// Whether a method begins here that is printed only if a call needs it; all of these come last.
fn is_helper(line: &str) -> bool {
    line.starts_with("    /// A constructor of a class")
        || line.starts_with("    /// A call through reflection")
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testkit::run_sample;

    #[test]
    fn statements_are_those_of_the_printed_program() {
        let calls = Calls::of(&run_sample::plan(), "Reproducer", Some("begins"));
        assert_eq!(calls.imports, ["java.util.ArrayList"]);
        assert_eq!(
            calls.prefix,
            ["ArrayList list = new ArrayList();", "returned[0] = list;"]
        );
        assert_eq!(
            calls.threads[1],
            [
                "begins(2);",
                "try {",
                "    returned[2] = list.add((Object) \"b\");",
                "} catch (Throwable problem) {",
                "    thrown[2] = problem;",
                "}",
            ]
        );
        assert_eq!(calls.threads.len(), 2);
        assert_eq!(calls.after.len(), 5, "{:?}", calls.after);
        assert!(calls.helper.is_empty());
    }

    #[test]
    fn a_method_that_calls_need_comes_along() {
        let mut plan = run_sample::plan();
        plan.prefix[0].member = raddle_plan::MemberRef::try_from("p.A$B.<init>(Lp/A;)V".to_owned()).unwrap();
        plan.prefix[0].args = vec![raddle_plan::Argument::Null];
        let calls = Calls::of(&plan, "Reproducer", None);
        assert!(
            calls.helper[0].starts_with("/// A constructor"),
            "{:?}",
            calls.helper
        );
        assert_eq!(calls.helper.last().map(String::as_str), Some("}"));
    }
}
