//! The report: which faults each tool found, how fast each is, and what each cannot do.

use std::collections::BTreeSet;

use super::list::{List, Pair};
use super::record::{Part, Record, Tool, Verdict};
use crate::bench::hunting::list::Subject;
use crate::bench::hunting::statistics::median;
use crate::bench::machine;
use crate::bench::program::PROGRAMS;
use crate::markdown::{Side, Table, add};

/// In the order of the columns.
const TOOLS: [Tool; 5] = [
    Tool::Raddle,
    Tool::Lincheck,
    Tool::Vmlens,
    Tool::Jcstress,
    Tool::Stress,
];
/// What `VMLens` says when it has found races and no wrong outcome.
const RACES: &str = "data races";

const HOW: &str = "
The peers got the pair for free: a class that makes the objects, and what each of two threads calls, written by hand. \
Raddle got the name of the class and nothing else; for it, any finding counts that `bench/hunts.toml` expects of the \
class. For the others anything counts that neither order of the two calls gives. Seconds are those of the clock from \
the start of the first process until the tool tells, everything included; what is told after the budget is not found. \
All JVMs open the packages of the JDK that XStream (S15) looks into.

- Raddle: `raddle hunt CLASS` with one JVM, strategy portfolio, the round as seed. Its time includes making the finding \
small and repeating it in fresh JVMs.
- Lincheck 3.6: model checking of the one scenario, with its own verifier and its own detection of deadlocks, no bound \
but the time.
- VMLens 1.2.26: all interleavings that it makes (1.2.28 could not be had), each compared with both orders; a watch \
beside it tells of a deadlock when it is a second old, as VMLens itself does in its output. If it ends with nothing, \
1.2.17 runs the same and looks for data races in it, which the \
files of later versions that can be had cannot do; \"race\" is what that reports. A race is not yet a wrong outcome.
- JCStress 0.16: a test with two actors and an arbiter that compares with both orders, every way to compile the actors \
for half a second, in one kind of JVM; the same watch.
- Plain stress: two threads that meet at a barrier and call, again and again, in one JVM; the same watch.
- Fray 0.9.0: its files could not be had; `bench/peers/fray.md` tells what was tried.
";

pub(super) fn render(list: &List, subjects: &[Subject], records: &[Record]) -> anyhow::Result<String> {
    let mut text = head(records);
    add(
        &mut text,
        format_args!(
            "{HOW}\n## Known faults\n\n{}\n{}",
            faults(list, subjects, records)?,
            totals(list, records)
        ),
    );
    add(&mut text, format_args!("\n## Speed\n\n{}", speed(records)));
    add(
        &mut text,
        format_args!("\n## What each peer cannot express\n\n{}", limits(list, records)),
    );
    Ok(text)
}

fn head(records: &[Record]) -> String {
    let loads = || records.iter().map(|record| record.load);
    let rounds: BTreeSet<u32> = records.iter().map(|record| record.key.round).collect();
    format!(
        "# Peers\n\n{}, commit {}, JDK {}, {}, load {:.1} to {:.1}. Made by `cargo xtask bench peers`.\n\n{} runs, {} of \
         each, with a budget of {}.\n",
        distinct(records, |record| record.date.clone()),
        distinct(records, |record| record.commit.clone()),
        distinct(records, |record| record.jdk_version.clone()),
        machine::processor(),
        loads().reduce(f64::min).unwrap_or(0.0),
        loads().reduce(f64::max).unwrap_or(0.0),
        records.len(),
        rounds.len(),
        distinct(records, budget),
    )
}

fn distinct(records: &[Record], what: impl Fn(&Record) -> String) -> String {
    let values: BTreeSet<String> = records.iter().map(what).collect();
    values.into_iter().collect::<Vec<_>>().join(" and ")
}

fn budget(record: &Record) -> String {
    let budget = std::time::Duration::from_millis(record.budget_ms);
    format!("{} s", budget.as_secs_f64())
}

fn of<'r>(records: &'r [Record], part: Part, test: &str, tool: Tool) -> Vec<&'r Record> {
    let own = records
        .iter()
        .filter(|record| record.key.part == part && record.key.test == test && record.key.tool == tool);
    own.collect()
}

fn faults(list: &List, subjects: &[Subject], records: &[Record]) -> anyhow::Result<String> {
    let mut head = vec![
        ("hunt", Side::Left),
        ("class", Side::Left),
        ("fault", Side::Left),
        ("pair", Side::Left),
    ];
    head.extend(TOOLS.map(|tool| (tool.name(), Side::Left)));
    let mut table = Table::new(&head);
    for pair in measured(list, records) {
        let subject = pair.subject(subjects)?;
        let expectation = pair.expectation(subject)?;
        let mut cells = vec![
            subject.id.clone(),
            subject.class.clone(),
            expectation.to_string(),
            expectation.pair.clone(),
        ];
        cells.extend(TOOLS.map(|tool| cell(&of(records, Part::Pairs, &pair.class, tool))));
        table.row(cells);
    }
    Ok(table.render())
}

fn measured<'l>(list: &'l List, records: &[Record]) -> Vec<&'l Pair> {
    let is_measured = |pair: &&Pair| records.iter().any(|record| record.key.test == pair.class);
    list.pair.iter().filter(is_measured).collect()
}

/// What came of all rounds.
pub(super) fn cell(rounds: &[&Record]) -> String {
    let found: Vec<f64> = rounds
        .iter()
        .filter(|record| matches!(record.verdict, Verdict::Found(_)))
        .map(|record| record.seconds)
        .collect();
    if let Some(seconds) = median(found.clone()) {
        let is_race =
            |record: &&&Record| matches!(&record.verdict, Verdict::Found(what) if what.ends_with(RACES));
        let word = if rounds.iter().filter(is_race).count() == found.len() {
            "race"
        } else {
            "found"
        };
        return if rounds.len() == 1 {
            format!("{word} {seconds:.1} s")
        } else {
            format!("{word} {}/{}, {seconds:.1} s", found.len(), rounds.len())
        };
    }
    let Some(record) = rounds.first() else {
        return String::new();
    };
    match &record.verdict {
        Verdict::Cannot(why) => format!("cannot: {}", short(why)),
        Verdict::Exhausted => {
            let runs = record.executions.unwrap_or(0);
            format!("not; ended at {:.1} s after {runs} runs", record.seconds)
        }
        Verdict::Measured => record
            .per_second
            .map(|rate| format!("{rate:.0}/s"))
            .unwrap_or_default(),
        Verdict::Nothing | Verdict::Found(_) => format!("not in {}", budget(record)),
    }
}

/// As much as fits into a cell.
fn short(text: &str) -> String {
    const MOST: usize = 70;
    let text = text.replace('|', "/").replace('\n', " ");
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain(['…']).collect()
}

fn totals(list: &List, records: &[Record]) -> String {
    let pairs = measured(list, records);
    let mut table = Table::new(&[
        ("tool", Side::Left),
        ("pairs", Side::Right),
        ("found", Side::Right),
        ("of these only as a race", Side::Right),
        ("median s", Side::Right),
        ("not found", Side::Right),
        ("cannot", Side::Right),
        ("load", Side::Right),
    ]);
    for tool in TOOLS {
        let cells: Vec<String> = pairs
            .iter()
            .map(|pair| cell(&of(records, Part::Pairs, &pair.class, tool)))
            .collect();
        let count = |words: &[&str]| {
            let begins = |cell: &&String| words.iter().any(|word| cell.starts_with(word));
            cells.iter().filter(begins).count().to_string()
        };
        let seconds: Vec<f64> = records
            .iter()
            .filter(|record| record.key.part == Part::Pairs && record.key.tool == tool)
            .filter(|record| matches!(record.verdict, Verdict::Found(_)))
            .map(|record| record.seconds)
            .collect();
        table.row(vec![
            tool.name().to_owned(),
            cells.iter().filter(|cell| !cell.is_empty()).count().to_string(),
            count(&["found", "race"]),
            count(&["race"]),
            median(seconds)
                .map(|seconds| format!("{seconds:.1}"))
                .unwrap_or_default(),
            count(&["not"]),
            count(&["cannot"]),
            load(records, tool),
        ]);
    }
    table.render()
}

/// While the tool looked for faults: median, least and most. Tools that were run at different times had different machines.
fn load(records: &[Record], tool: Tool) -> String {
    let own = records.iter().filter(|record| record.key.tool == tool);
    let loads: Vec<f64> = own
        .filter(|record| record.key.part == Part::Pairs)
        .map(|record| record.load)
        .collect();
    let least = loads.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let most = loads.iter().copied().reduce(f64::max).unwrap_or(0.0);
    let middle = median(loads).unwrap_or(0.0);
    format!("{middle:.1} ({least:.1} to {most:.1})")
}

fn speed(records: &[Record]) -> String {
    let mut table = Table::new(&[
        ("program", Side::Left),
        ("Raddle random/s", Side::Right),
        ("Raddle pct:3/s", Side::Right),
        ("Lincheck/s", Side::Right),
        ("VMLens/s", Side::Right),
        ("JCStress/s", Side::Right),
        ("plain stress/s", Side::Right),
        ("random : Lincheck", Side::Right),
        ("pct:3 : Lincheck", Side::Right),
        ("pct:3 : VMLens", Side::Right),
        ("pct:3 : JCStress", Side::Right),
        ("pct:3 : stress", Side::Right),
    ]);
    for program in PROGRAMS.iter().filter(|program| program.peer.is_some()) {
        let rate = |tool: Tool| -> Option<f64> {
            let own = of(records, Part::Speed, program.name, tool);
            own.iter().filter_map(|record| record.per_second).reduce(f64::max)
        };
        let told = |tool: Tool| rate(tool).map_or_else(|| "–".to_owned(), |rate| format!("{rate:.0}"));
        let ratio = |ours: Tool, theirs: Tool| match (rate(ours), rate(theirs)) {
            (Some(ours), Some(theirs)) if ours >= theirs * 10.0 => format!("{:.0}", ours / theirs),
            (Some(ours), Some(theirs)) => format!("{:.2}", ours / theirs),
            _ => "–".to_owned(),
        };
        table.row(vec![
            program.name.to_owned(),
            told(Tool::Raddle),
            told(Tool::Pct),
            told(Tool::Lincheck),
            told(Tool::Vmlens),
            told(Tool::Jcstress),
            told(Tool::Stress),
            ratio(Tool::Raddle, Tool::Lincheck),
            ratio(Tool::Pct, Tool::Lincheck),
            ratio(Tool::Pct, Tool::Vmlens),
            ratio(Tool::Pct, Tool::Jcstress),
            ratio(Tool::Pct, Tool::Stress),
        ]);
    }
    format!(
        "Runs of the same two calls a second; the best round. Raddle, Lincheck and VMLens decide which thread runs; \
         JCStress and plain stress do not, and run what the machine happens to do. Raddle counts from a cold JVM on, \
         Lincheck as in `bench engine` after a warm-up, the others from two seconds after the first run on. VMLens begins \
         anew when it has seen all its interleavings.\n\n{}",
        table.render()
    )
}

fn limits(list: &List, records: &[Record]) -> String {
    let mut table = Table::new(&[
        ("peer", Side::Left),
        ("what", Side::Left),
        ("found out by", Side::Left),
    ]);
    for limit in &list.limit {
        table.row(vec![limit.peer.clone(), limit.what.clone(), limit.how.clone()]);
    }
    for record in records {
        if let Verdict::Cannot(why) = &record.verdict {
            table.row(vec![
                record.key.tool.name().to_owned(),
                record.key.test.clone(),
                format!("this run: {}", short(why)),
            ]);
        }
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use super::super::list;
    use super::*;
    use crate::bench::hunting::list as hunts;

    fn line(records: &[Record], beginning: &str) -> String {
        let text = render(&list::read().unwrap(), &hunts::read().unwrap(), records).unwrap();
        let line = text.lines().find(|line| line.starts_with(beginning)).unwrap();
        let cells = line.trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(" ; ")
    }

    #[test]
    fn every_tool_has_its_cell() {
        let sample = |tool, verdict| Record::sample(Part::Pairs, "S17", tool, verdict);
        let records = [
            sample(Tool::Raddle, Verdict::Found("deadlock-1".to_owned())),
            sample(Tool::Lincheck, Verdict::Nothing),
            sample(Tool::Vmlens, Verdict::Found("2 data races".to_owned())),
            sample(Tool::Jcstress, Verdict::Cannot("it | fails".to_owned())),
            sample(Tool::Stress, Verdict::Exhausted),
        ];
        assert_eq!(
            line(&records, "| S17"),
            "S17 ; java.util.Hashtable ; deadlock of equals ; a.equals(b) ∥ b.equals(a) ; found 1.2 s ; not in 20 s ; \
             race 1.2 s ; cannot: it / fails ; not; ended at 1.2 s after 7 runs"
        );
        assert_eq!(
            line(&records, "| VMLens 1.2.26"),
            "VMLens 1.2.26 ; 1 ; 1 ; 1 ; 1.2 ; 0 ; 0 ; 1.5 (1.5 to 1.5)"
        );
        assert_eq!(
            line(&records, "| Lincheck 3.6"),
            "Lincheck 3.6 ; 1 ; 0 ; 0 ;  ; 1 ; 0 ; 1.5 (1.5 to 1.5)"
        );
    }

    #[test]
    fn rounds_are_summed_up() {
        let found = Record::sample(Part::Pairs, "S17", Tool::Stress, Verdict::Found("x".to_owned()));
        let mut late = found.clone();
        late.seconds = 4.0;
        let nothing = Record::sample(Part::Pairs, "S17", Tool::Stress, Verdict::Nothing);
        assert_eq!(cell(&[&nothing, &found]), "found 1/2, 1.2 s");
        assert_eq!(cell(&[&found, &late, &late]), "found 3/3, 4.0 s");
        assert_eq!(cell(&[]), "");
    }

    #[test]
    fn speeds_are_compared() {
        let rated = |tool, rate| {
            let mut record = Record::sample(Part::Speed, "counter", tool, Verdict::Measured);
            record.per_second = Some(rate);
            record
        };
        let records = [
            rated(Tool::Raddle, 500.0),
            rated(Tool::Pct, 1000.0),
            rated(Tool::Lincheck, 10.0),
            rated(Tool::Stress, 4000.0),
        ];
        assert_eq!(
            line(&records, "| counter"),
            "counter ; 500 ; 1000 ; 10 ; – ; – ; 4000 ; 50 ; 100 ; – ; – ; 0.25"
        );
    }
}
