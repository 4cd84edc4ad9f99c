//! Terminal text of `raddle hunt`.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_campaign::{ClassReport, Conclusion, Finding, Promise, StockJvm, Strength};
use raddle_classpath::SourceFiles;
use raddle_oracle::Evidence;
use raddle_plan::plain::{lines, one_line, unbroken};
use raddle_plan::{End, TestPlan};

use crate::acceptance::Acceptance;
use crate::excerpt::excerpt;
use crate::finding_locations::locations;
use crate::interleaving::{InterleavingOptions, results, steps};
use crate::location::Location;
use crate::paint::Paint;
use crate::run::{kind_text, threads_text};
use crate::trace::Trace;
use raddle_plan::plan_text::with_names;
use raddle_reproduce::{REPRODUCER_NAME, Reproducer};

/// Classes that were passed over are named up to this many.
pub(crate) const NAMED: usize = 10;
/// Frames of a stack that are shown.
const FRAMES: usize = 12;
/// Lines of an interleaving that are shown of its beginning and its end.
const HEAD: usize = 60;
const TAIL: usize = 20;
const INDENT: &str = "  ";
/// How the line begins that says that no stock JVM was tried.
pub(crate) const UNTRIED: &str = "not tried on a stock JVM: ";
/// Why, while the hunt goes on.
pub(crate) const NOT_YET: &str = "not yet";
const CLASS_PATH_SEPARATOR: &str = if cfg!(windows) { ";" } else { ":" };

/// Everything that a hunt came to, or has come to so far.
#[derive(Clone, Debug)]
pub struct HuntReport {
    /// Name and version of the program.
    pub tool: (&'static str, &'static str),
    /// The JDK.
    pub jdk_version: String,
    /// The strategy and its seed.
    pub strategy: (String, u64),
    /// How long each class may take.
    pub budget: Duration,
    /// Whether findings that may be by design count like others.
    pub is_strict: bool,
    /// The classes, in the order in which they were hunted.
    pub classes: Vec<HuntClass>,
    /// Classes that a pattern matched and that were passed over.
    pub skipped: Vec<NotHunted>,
    /// All in all.
    pub time: Duration,
    /// Whether the hunt has ended.
    pub finished: bool,
    /// Whether findings count that a stock JVM does not show.
    pub counts_unconfirmed: bool,
    /// What does not fail the hunt although it counts.
    pub acceptance: Acceptance,
}

/// A class that was hunted, or is being hunted.
#[derive(Clone, Debug)]
pub struct HuntClass {
    /// Its Java name.
    pub class: String,
    /// Its findings so far.
    pub findings: Vec<FoundHere>,
    /// What came of it; none while it is being hunted.
    pub report: Option<ClassReport>,
}

/// A finding, and where it was written to.
#[derive(Clone, Debug)]
pub struct FoundHere {
    /// The finding.
    pub finding: Finding,
    /// The recording for `raddle replay`.
    pub file: PathBuf,
    /// Where in the sources it is, the place that says most first.
    pub locations: Vec<Location>,
}

/// A class that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotHunted {
    /// Its Java name.
    pub class: String,
    /// Why.
    pub reason: String,
}

/// Which findings count although there is a reservation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counting {
    /// What a stock JVM was asked for and does not show.
    pub unconfirmed: bool,
    /// What may be by design.
    pub weaker: bool,
}

impl FoundHere {
    /// A finding that was just made and written.
    pub fn new(finding: Finding, file: PathBuf) -> FoundHere {
        FoundHere {
            locations: locations(&finding),
            finding,
            file,
        }
    }

    /// Whether it may be by design, and so does not count unless that is asked for.
    pub fn is_weaker(&self, is_strict: bool) -> bool {
        !is_strict && self.finding.weakness.is_some()
    }

    /// Whether all that keeps it from counting is that a stock JVM does not show it, if anything does.
    fn is_apart(&self, is_strict: bool) -> bool {
        self.finding.is_promised && !self.is_weaker(is_strict)
    }

    /// Whether it makes the class one with violations.
    pub fn counts(&self, counting: Counting) -> bool {
        self.is_apart(counting.weaker) && (counting.unconfirmed || self.is_possible())
    }
}

impl HuntReport {
    /// Which findings count.
    pub fn counting(&self) -> Counting {
        Counting {
            unconfirmed: self.counts_unconfirmed,
            weaker: self.is_strict,
        }
    }

    /// The answer in one word.
    pub fn conclusion(&self) -> Conclusion {
        let of_class = |class: &HuntClass| class.conclusion(self.counting());
        let all: Vec<Conclusion> = self.classes.iter().map(of_class).collect();
        if all.contains(&Conclusion::Violations) {
            Conclusion::Violations
        } else if all.is_empty() || all.contains(&Conclusion::Inconclusive) {
            Conclusion::Inconclusive
        } else {
            Conclusion::NothingFound
        }
    }
}

impl HuntClass {
    /// The answer in one word. What a stock JVM was asked for and does not show is no violation, unless it counts; but nor
    /// was nothing found.
    pub fn conclusion(&self, counting: Counting) -> Conclusion {
        if self.findings.iter().any(|found| found.counts(counting)) {
            return Conclusion::Violations;
        }
        let is_apart = |found: &FoundHere| found.is_apart(counting.weaker);
        match &self.report {
            Some(report) if !self.findings.iter().any(is_apart) => report.conclusion(),
            _ => Conclusion::Inconclusive,
        }
    }
}

impl FoundHere {
    /// Whether a stock JVM shows it, or was not asked.
    pub fn is_possible(&self) -> bool {
        !matches!(self.finding.stock_jvm, StockJvm::NotConfirmed(_))
    }
}

/// A finding, with all that helps to understand it. `file` is where its recording is.
pub fn finding_text(
    finding: &Finding,
    file: &Path,
    sources: &SourceFiles,
    width: usize,
    paint: Paint,
) -> String {
    let plan = &finding.recording.plan;
    let outcome = &finding.recording.outcome;
    let kind = finding.violation.kind;
    let mut text = format!(
        "{}   {}   {}\n",
        paint.kind(kind, kind_text(kind)),
        paint.strong(&one_line(&finding.class)),
        finding.id
    );
    let sentence = with_names(plan, &finding.violation.summary);
    let sentence = unbroken(&sentence);
    indent(&mut text, &wrap(&sentence, width.saturating_sub(INDENT.len())));
    if let Some(weakness) = &finding.weakness {
        let sentence = with_names(plan, &weakness.sentence);
        let sentence = format!("By design? {}.", unbroken(&sentence));
        indent(&mut text, &wrap(&sentence, width.saturating_sub(INDENT.len())));
    }
    text.push_str("\n  The test, and what came of its calls:\n");
    indent(&mut text, &results(plan, outcome));
    text.push_str("\n  What the threads did, from top to bottom:\n");
    let options = InterleavingOptions {
        all: false,
        width: width.saturating_sub(2 * INDENT.len()),
    };
    let steps = steps(plan, outcome, &finding.events, options);
    indent(&mut text, &indented(&folded(&steps)));
    let excerpt = excerpt(
        &Trace::of(finding),
        sources,
        width.saturating_sub(2 * INDENT.len()),
    );
    if !excerpt.is_empty() {
        text.push('\n');
        indent(&mut text, &indented(&excerpt));
    }
    indent(&mut text, &evidence_text(plan, finding));
    text.push('\n');
    let promise = promise_text(&finding.promise);
    indent(&mut text, &wrap(&promise, width.saturating_sub(INDENT.len())));
    for line in certainty(finding) {
        let _ = writeln!(text, "  {line}");
    }
    for command in commands(finding, file) {
        let _ = writeln!(text, "  {}", paint.faint(&command));
    }
    paint.safe(&text)
}

/// Findings from before a hunt was resumed, a line each.
pub fn known_text(findings: &[FoundHere]) -> String {
    let mut text = String::new();
    for FoundHere { finding, file, .. } in findings {
        let _ = writeln!(
            text,
            "{}   {}   {}   found before, see {}",
            kind_text(finding.violation.kind),
            one_line(&finding.class),
            finding.id,
            quoted(&file.with_file_name("interleaving.txt"))
        );
    }
    lines(&text).into_owned()
}

/// What to type to see more of a finding: the run again, the same without Raddle, and what it means.
pub(crate) fn commands(finding: &Finding, file: &Path) -> [String; 3] {
    [
        format!("raddle replay {}", quoted(file)),
        reproducer_command(finding, file),
        format!("raddle explain {}", finding.violation.kind),
    ]
}

/// The reproducer of a finding, beside its recording.
fn reproducer_file(finding: &Finding, recording: &Path) -> PathBuf {
    recording.with_file_name(finding.recording.plan.source_file(REPRODUCER_NAME))
}

impl FoundHere {
    /// Its reproducer, as it was written.
    pub fn reproducer(&self) -> io::Result<Reproducer> {
        Ok(Reproducer {
            file: self.finding.recording.plan.source_file(REPRODUCER_NAME),
            text: fs::read_to_string(reproducer_file(&self.finding, &self.file))?,
        })
    }
}

/// How the violation is forced without Raddle.
fn reproducer_command(finding: &Finding, file: &Path) -> String {
    let source = reproducer_file(finding, file);
    let class_path = &finding.recording.class_path;
    let option = if class_path.is_empty() {
        String::new()
    } else {
        let joined: Vec<String> = class_path
            .iter()
            .map(|entry| entry.display().to_string())
            .collect();
        format!("-cp {} ", quoted(Path::new(&joined.join(CLASS_PATH_SEPARATOR))))
    };
    let opens = finding.recording.opens.iter();
    let opens: Vec<String> = opens
        .map(|package| format!("--add-opens={package}=ALL-UNNAMED "))
        .collect();
    format!("java {}{option}{}", opens.concat(), quoted(&source))
}

/// Stacks, or who holds what.
fn evidence_text(plan: &TestPlan, finding: &Finding) -> String {
    let outcome = &finding.recording.outcome;
    let mut text = String::new();
    if let Evidence::Exception {
        class,
        message,
        frames,
        thread,
        ..
    } = &finding.violation.evidence
    {
        let message = if message.is_empty() {
            String::new()
        } else {
            format!(": {}", one_line(&with_names(plan, message)))
        };
        let class = one_line(class);
        let _ = writeln!(text, "\nThrown in thread {thread}:\n  {class}{message}");
        for frame in frames.iter().take(FRAMES) {
            let _ = writeln!(text, "      at {}", one_line(&frame.0));
        }
        if frames.len() > FRAMES {
            let _ = writeln!(text, "      … {} more", frames.len() - FRAMES);
        }
    }
    if outcome.end != End::Completed {
        text.push_str(&threads_text(plan, outcome));
    }
    text
}

/// How strong the promise is that a finding breaks.
pub(crate) fn promise_text(Promise { strength, sentence }: &Promise) -> String {
    match strength {
        Strength::Documented => format!("breaks a documented promise: {sentence}"),
        Strength::Built => format!("the class is built like a thread-safe one: {sentence}"),
        Strength::NoSign => format!("breaks no promise that can be seen: {sentence}"),
        Strength::Disclaimed => format!("breaks no promise: {sentence}"),
    }
}

/// How sure it is.
pub(crate) fn certainty(finding: &Finding) -> Vec<String> {
    let mut lines = Vec::new();
    let calls = finding.recording.plan.call_count();
    if calls < finding.first_calls {
        lines.push(format!("minimised from {} calls to {calls}", finding.first_calls));
    }
    match finding.preemptions {
        Some(0) => {
            lines
                .push("no preemption is needed: threads are switched only where they wait or end".to_owned());
        }
        Some(1) => lines.push("1 preemption is enough".to_owned()),
        Some(count) => lines.push(format!("{count} preemptions are needed, fewer do not show it")),
        None => {}
    }
    lines.push("reproduced in 2 fresh JVMs".to_owned());
    lines.push(stock_jvm_text(&finding.stock_jvm));
    lines.extend(finding.analysis_bug.clone());
    lines.extend(
        beside(finding)
            .into_iter()
            .map(|sentence| format!("in the same run: {sentence}")),
    );
    lines
}

/// What else the finding's run shows.
pub(crate) fn beside(finding: &Finding) -> Vec<String> {
    let sentences = finding.beside.iter();
    sentences
        .map(|sentence| with_names(&finding.recording.plan, sentence))
        .collect()
}

/// Whether a stock JVM shows it, as a line.
pub(crate) fn stock_jvm_text(stock_jvm: &StockJvm) -> String {
    match stock_jvm {
        // What a reproducer said that could not be run is for the file.
        StockJvm::Untried(why) => format!("{UNTRIED}{}", one_line(why.lines().next().unwrap_or_default())),
        StockJvm::Awaited => format!("{UNTRIED}{NOT_YET}"),
        StockJvm::Confirmed => "confirmed on a stock JVM by its reproducer".to_owned(),
        StockJvm::NotConfirmed(said) => format!("not confirmed on a stock JVM: {}", one_line(why_not(said))),
    }
}

/// Why a reproducer did not show a violation, from what it said.
fn why_not(said: &str) -> &str {
    let lines = || said.lines().map(str::trim);
    lines()
        .find(|line| line.contains(" cannot be held "))
        .or_else(|| lines().find(|line| line.starts_with("the reproducer ")))
        .or_else(|| lines().find(|line| line.starts_with("the calls made one after the other ")))
        .unwrap_or("its reproducer does not show it")
}

/// What the hunt came to as a whole, for hunts of more than one class; nothing for others.
pub fn hunt_text(report: &HuntReport) -> String {
    let mut text = String::new();
    if !report.skipped.is_empty() {
        let count = report.skipped.len();
        let plural = if count == 1 {
            "class that matches was"
        } else {
            "classes that match were"
        };
        let _ = writeln!(text, "{count} {plural} passed over; name one to hunt it anyway:");
        for NotHunted { class, reason } in report.skipped.iter().take(NAMED) {
            let _ = writeln!(text, "  {}: {}", one_line(class), one_line(reason));
        }
        if count > NAMED {
            let _ = writeln!(text, "  and {} more, which --json lists", count - NAMED);
        }
    }
    if report.classes.len() > 1 {
        let is_counted = |found: &&FoundHere| found.counts(report.counting());
        let findings = report.classes.iter().flat_map(|class| &class.findings);
        let found = findings.filter(is_counted).count();
        let of = |wanted: Conclusion| {
            let is_so =
                |class: &&HuntClass| class.report.is_some() && class.conclusion(report.counting()) == wanted;
            report.classes.iter().filter(is_so).count()
        };
        let _ = writeln!(
            text,
            "{} classes in {:.0} s: {} in {}, nothing found in {}, inconclusive {}",
            report.classes.len(),
            report.time.as_secs_f64(),
            violations(found),
            of(Conclusion::Violations),
            of(Conclusion::NothingFound),
            of(Conclusion::Inconclusive),
        );
    }
    lines(&text).into_owned()
}

pub(crate) fn violations(count: usize) -> String {
    format!("{count} violation{}", plural(count as u64))
}

pub(crate) fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn indent(text: &mut String, lines: &str) {
    text.push_str(&indented(lines));
}

fn indented(lines: &str) -> String {
    lines.lines().fold(String::new(), |mut text, line| {
        if !line.is_empty() {
            text.push_str(INDENT);
            text.push_str(line);
        }
        text.push('\n');
        text
    })
}

/// Without the middle of what is too long to be read, as a run that does not come to an end.
fn folded(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(HEAD + TAIL);
    if left_out < TAIL {
        return text.to_owned();
    }
    let mut short = lines[..HEAD].join("\n");
    let _ = write!(
        short,
        "\n\n… {left_out} lines are left out here; raddle replay shows them\n\n"
    );
    short.push_str(&lines[HEAD + left_out..].join("\n"));
    short.push('\n');
    short
}

/// Broken at blanks; longer words stay whole.
pub(crate) fn wrap(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// A path as a shell takes it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@%".contains(c);
    if text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use raddle_campaign::Weaker;
    use raddle_oracle::WeakKind;

    use super::*;
    use crate::class_text::class_text;
    use crate::{hunt_sample, snapshot};
    use raddle_oracle::Weakness;

    /// Whatever strangers say, a terminal is not told what to do, and no line looks like one of ours.
    #[test]
    fn text_of_strangers_is_shown_and_not_obeyed() {
        const EVIL: &str = "\u{1b}[2J\r\nno violation in 10 schedules\n\u{202e}";
        let mut finding = hunt_sample::wrong_result();
        finding.class = format!("a.{EVIL}B");
        finding.violation.summary = format!("A call threw {EVIL}.");
        finding.stock_jvm = StockJvm::Untried(EVIL.to_owned());
        for call in &mut finding.recording.outcome.calls {
            call.result = raddle_plan::CallResult::Threw {
                class: format!("a.{EVIL}"),
                message: EVIL.repeat(100_000),
                frames: Vec::new(),
            };
        }
        for thread in &mut finding.recording.outcome.threads {
            thread.name = EVIL.to_owned();
        }
        for event in &mut finding.events {
            event.target = Some(raddle_plan::Target::field(&format!("a.{EVIL}"), EVIL, "I"));
            event.value = Some(EVIL.to_owned());
            if let Some(place) = &mut event.place {
                place.source = Some(EVIL.to_owned());
            }
        }
        let text = finding_text(
            &finding,
            Path::new("/out/finding.json"),
            &SourceFiles::default(),
            120,
            Paint::Plain,
        );
        assert!(!text.contains(['\u{1b}', '\r', '\u{202e}']), "{text}");
        let is_forged = |line: &str| line.trim_start().starts_with("no violation");
        assert!(!text.lines().any(is_forged), "{text}");
        assert!(text.len() < 20_000, "{}", text.len());
    }

    #[test]
    fn a_finding_with_all_that_is_known() {
        let text = finding_text(
            &hunt_sample::wrong_result(),
            Path::new("raddle-out/java.util.ArrayList/findings/result-0badcafe/finding.json"),
            &SourceFiles::default(),
            100,
            Paint::Plain,
        );
        snapshot::check("hunt-finding.txt", &text);
    }

    #[test]
    fn what_came_of_classes() {
        let report = hunt_sample::report();
        let mut text: String = report
            .classes
            .iter()
            .map(|class| class_text(class, Counting::default(), Paint::Plain))
            .collect();
        text.push_str(&hunt_text(&report));
        snapshot::check("hunt-classes.txt", &text);
    }

    #[test]
    fn what_a_stock_jvm_does_not_show_is_listed_apart_and_does_not_count() {
        let mut report = hunt_sample::report();
        report.classes.truncate(1);
        let said = "the calls made one after the other come to the same, so this is no violation";
        let finding = &mut report.classes[0].findings[0].finding;
        finding.stock_jvm = StockJvm::NotConfirmed(format!("Attempt 1:\n  {said}\nRESULT: …"));
        assert_eq!(report.conclusion(), Conclusion::Inconclusive);
        let text = class_text(&report.classes[0], report.counting(), Paint::Plain);
        snapshot::check("hunt-apart.txt", &text);
        report.counts_unconfirmed = true;
        assert_eq!(report.conclusion(), Conclusion::Violations);
        let text = class_text(&report.classes[0], report.counting(), Paint::Plain);
        assert!(text.starts_with("java.util.ArrayList: 1 violation\n"));
    }

    #[test]
    fn what_may_be_by_design_is_listed_and_does_not_count() {
        let mut class = hunt_sample::report().classes.remove(1);
        let weakness = Weakness {
            rule: WeakKind::Steps,
            sentence: "not atomic: clear works in several steps".to_owned(),
            calls: vec![2],
        };
        let mut report = class.report.take().unwrap();
        report.weaker.push(Weaker {
            id: "result-0badcafe".to_owned(),
            calls: "clear() ∥ size()".to_owned(),
            weakness: weakness.clone(),
        });
        let others = vec!["clear() ∥ toString()".to_owned()];
        report.also.insert("result-0badcafe".to_owned(), others);
        assert_eq!(report.conclusion(), Conclusion::NothingFound);
        class.report = Some(report);
        let text = class_text(&class, Counting::default(), Paint::Plain);
        for line in [
            "  by design? 1 steps; --strict counts them as violations:\n",
            "  - result-0badcafe   clear() ∥ size(): not atomic: clear works in several steps\n",
            "  result-0badcafe was also seen with: clear() ∥ toString()\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let finding = Finding {
            weakness: Some(weakness),
            ..hunt_sample::wrong_result()
        };
        let text = finding_text(
            &finding,
            Path::new("finding.json"),
            &SourceFiles::default(),
            100,
            Paint::Plain,
        );
        assert!(
            text.contains("  By design? not atomic: clear works in several steps.\n"),
            "{text}"
        );
    }

    #[test]
    fn a_hunt_without_findings_that_was_not_done_is_inconclusive() {
        let mut report = hunt_sample::report();
        assert_eq!(report.conclusion(), Conclusion::Violations);
        report.classes.remove(0);
        assert_eq!(report.conclusion(), Conclusion::Inconclusive);
        report.classes.truncate(1);
        assert_eq!(report.conclusion(), Conclusion::NothingFound);
    }

    #[test]
    fn a_finding_that_was_not_confirmed_says_why() {
        let said =
            "Attempt 1:\n  thread 1 cannot be held at its end: it is blocked\n  so the schedule …\nRESULT: …";
        assert_eq!(why_not(said), "thread 1 cannot be held at its end: it is blocked");
        let said = "the reproducer was killed, because it did not end within 120 seconds\nAttempt 1:";
        assert_eq!(
            why_not(said),
            "the reproducer was killed, because it did not end within 120 seconds"
        );
        assert_eq!(
            why_not("Attempt 1:\nRESULT: the violation did not occur."),
            "its reproducer does not show it"
        );
    }

    #[test]
    fn paths_are_quoted_for_the_shell() {
        assert_eq!(
            quoted(Path::new("raddle-out/a.B/x.json")),
            "raddle-out/a.B/x.json"
        );
        assert_eq!(quoted(Path::new("out/a.B$C")), "'out/a.B$C'");
    }

    #[test]
    fn the_middle_of_a_long_interleaving_is_left_out() {
        let lines = |count: usize| (0..count).map(|line| line.to_string() + "\n").collect::<String>();
        assert_eq!(folded(&lines(HEAD + TAIL)), lines(HEAD + TAIL));
        let short = folded(&lines(1000));
        assert!(
            short.starts_with("0\n1\n") && short.ends_with("998\n999\n"),
            "{short}"
        );
        assert!(short.contains("\n59\n\n… 920 lines are left out"), "{short}");
    }

    #[test]
    fn long_sentences_are_broken_at_blanks() {
        assert_eq!(wrap("one two three", 7), "one two\nthree");
        assert_eq!(wrap("unbreakable", 3), "unbreakable");
    }
}
