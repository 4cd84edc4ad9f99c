//! The results of all calls taken together are those of no linearization: linearizability without the order of calls that
//! do not overlap, as DepCon+, section 2.4, has it. The calls after the threads make the state part of the results.
//!
//! DepCon+ leaves wrong results out, since not every class promises linearizable ones; so this is a kind of its own. What
//! differs between two runs of the same linearization is left out of the comparison.

use raddle_plan::{End, Outcome};

use crate::baseline::{Baseline, hanging, text};
use crate::judge::Oracle;
use crate::verdict::{Difference, Evidence, Kind, Violation};
use crate::words;

/// Looks for results that no linearization explains.
#[derive(Copy, Clone, Debug)]
pub struct WrongResult;

impl Oracle for WrongResult {
    fn kind(&self) -> Kind {
        Kind::Result
    }

    fn look(&self, baseline: &Baseline, outcome: &Outcome) -> Option<Violation> {
        // A run that was cut short has results still to come, and so has a linearization. A run that hangs as none of
        // them does is judged as a hang.
        let comparable = match outcome.end {
            End::Completed => true,
            End::Stuck => baseline.hangs_likewise(&hanging(outcome)),
            _ => false,
        };
        if !comparable || baseline.is_cut_short() || baseline.ends_vary() {
            return None;
        }
        let results: Vec<String> = outcome.calls.iter().map(|call| text(&call.result)).collect();
        let different = |sequential: &[String]| -> Vec<usize> {
            (0..results.len())
                .filter(|call| {
                    baseline.results(*call).is_some() && sequential.get(*call) != results.get(*call)
                })
                .collect()
        };
        let nearest = baseline
            .vectors()
            .map(|sequential| different(&sequential))
            .min_by_key(Vec::len)?;
        if nearest.is_empty() {
            return None;
        }
        // A value that never occurs says more than one that only does not fit the others.
        let impossible: Vec<usize> = (0..results.len())
            .filter(|call| {
                baseline
                    .results(*call)
                    .is_some_and(|known| !known.contains(&results[*call]))
            })
            .collect();
        let alone = !impossible.is_empty();
        let differences: Vec<Difference> = if alone { impossible } else { nearest }
            .into_iter()
            .map(|call| Difference {
                call,
                got: results[call].clone(),
                sequential: baseline.results(call).into_iter().flatten().cloned().collect(),
            })
            .collect();
        let decisive = if alone {
            differences.iter().map(|difference| difference.call).collect()
        } else {
            undetermined(baseline, results.len())
        };
        let summary = summary(baseline, &results, &differences, alone);
        Some(Violation {
            kind: Kind::Result,
            summary,
            evidence: Evidence::Result {
                results,
                differences,
                decisive,
            },
        })
    }
}

/// The calls that come to different results in different linearizations, and always to the same in the same one.
fn undetermined(baseline: &Baseline, calls: usize) -> Vec<usize> {
    (0..calls)
        .filter(|call| baseline.results(*call).is_some_and(|known| known.len() > 1))
        .collect()
}

fn summary(baseline: &Baseline, results: &[String], differences: &[Difference], alone: bool) -> String {
    let orders = words::orders(baseline.linearizations());
    if alone {
        let sentences: Vec<String> = differences
            .iter()
            .map(|difference| {
                format!(
                    "{} {}; one at a time it {}.",
                    baseline.name(difference.call),
                    baseline.told(difference.call, &difference.got),
                    baseline.told_sequential(difference)
                )
            })
            .collect();
        return format!("Wrong result: {}", sentences.join(" "));
    }
    let told: Vec<String> = undetermined(baseline, results.len())
        .into_iter()
        .map(|call| format!("{} {}", baseline.name(call), baseline.told(call, &results[call])))
        .collect();
    format!(
        "Wrong result: {}. Each of these occurs in some sequential order, but together they occur in none: {orders} were \
         compared.",
        words::list(&told, "and")
    )
}
