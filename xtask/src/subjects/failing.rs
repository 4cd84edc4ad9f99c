//! Whether the pairs that are known to fail have survived pruning.

use raddle_summary::{ClassFacts, PairFacts};

use super::list::{FailingPair, Subject};

/// What became of a subject's failing pairs and groups of them.
pub(super) struct Verdicts {
    /// Pairs and groups together.
    pub(super) total: usize,
    pub(super) kept_in_precise: usize,
    pub(super) kept_in_paper: usize,
    /// Those pruned in precise, in words.
    pub(super) pruned_in_precise: Vec<String>,
    /// Those pruned in paper precision, in words.
    pub(super) pruned_in_paper: Vec<String>,
    /// Methods that the list names and the class does not have.
    pub(super) unknown: Vec<String>,
}

impl Verdicts {
    pub(super) fn of(subject: &Subject, precise: &ClassFacts, paper: &ClassFacts) -> Verdicts {
        let single = subject.failing.iter().map(std::slice::from_ref);
        let groups: Vec<&[FailingPair]> = single
            .chain(subject.failing_any.iter().map(Vec::as_slice))
            .collect();
        let pruned = |facts: &ClassFacts| -> Vec<String> {
            let is_pruned = |group: &&&[FailingPair]| !group.iter().any(|pair| is_kept(facts, pair));
            groups
                .iter()
                .filter(is_pruned)
                .map(|group| words(group))
                .collect()
        };
        let (pruned_in_precise, pruned_in_paper) = (pruned(precise), pruned(paper));
        let mut unknown: Vec<String> = groups
            .iter()
            .flat_map(|group| group.iter())
            .flat_map(|pair| [&pair.0, &pair.1])
            .filter(|method| index_of(precise, method).is_none())
            .cloned()
            .collect();
        unknown.sort_unstable();
        unknown.dedup();
        Verdicts {
            total: groups.len(),
            kept_in_precise: groups.len() - pruned_in_precise.len(),
            kept_in_paper: groups.len() - pruned_in_paper.len(),
            pruned_in_precise,
            pruned_in_paper,
            unknown,
        }
    }
}

/// Whether a pair must be tested.
pub(super) fn is_dependent(pair: &PairFacts) -> bool {
    pair.mpc || pair.double_lock.is_some()
}

fn is_kept(facts: &ClassFacts, FailingPair(first, second, _): &FailingPair) -> bool {
    let (Some(first), Some(second)) = (index_of(facts, first), index_of(facts, second)) else {
        return false;
    };
    let wanted = (first.min(second), first.max(second));
    facts
        .pairs
        .iter()
        .any(|pair| (pair.first, pair.second) == wanted && is_dependent(pair))
}

fn index_of(facts: &ClassFacts, method: &str) -> Option<usize> {
    let wanted = plain(method);
    facts
        .methods
        .iter()
        .position(|known| plain(&known.signature) == wanted)
}

/// Without blanks, and nested classes as in source.
fn plain(signature: &str) -> String {
    signature.replace(' ', "").replace('$', ".")
}

fn words(group: &[FailingPair]) -> String {
    let each: Vec<String> = group
        .iter()
        .map(|FailingPair(first, second, failure)| format!("`{first}` ∥ `{second}` ({})", failure.name()))
        .collect();
    each.join(" or ")
}
