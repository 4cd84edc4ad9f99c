//! Whatever a plan looks like, what minimising leaves of it still shows the violation, and nothing else.

use proptest::collection::vec;
use proptest::prelude::*;
use raddle_plan::TestPlan;

use super::scripted::*;

const METHODS: [&str; 4] = ["one", "two", "three", "four"];

fn methods(least: usize) -> impl Strategy<Value = Vec<&'static str>> {
    vec(proptest::sample::select(&METHODS[..]), least..4)
}

/// A plan of which one thread calls `one` and another one `two`.
fn large() -> impl Strategy<Value = TestPlan> {
    let rest = (
        methods(0),
        vec(methods(1), 0..2),
        any::<[proptest::sample::Index; 2]>(),
    );
    (methods(0), methods(0), rest).prop_map(|(mut first, mut second, (prefix, more, [at, other]))| {
        first.insert(at.index(first.len() + 1), "one");
        second.insert(other.index(second.len() + 1), "two");
        let all: Vec<&[&str]> = [first.as_slice(), second.as_slice()]
            .into_iter()
            .chain(more.iter().map(Vec::as_slice))
            .collect();
        prepared(threads(&all), &prefix)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    #[test]
    fn minimising_keeps_the_violation(large in large(), is_hang in any::<bool>()) {
        let does = if is_hang { Does::Deadlock("lock") } else { Does::WrongResult };
        let told = hunt(Script::new(vec![large]).rule("one", "two", does));
        let findings = told.findings();
        prop_assert_eq!(findings.len(), 1);
        let smallest = &findings[0].recording.plan;
        prop_assert!(smallest.check().is_ok());
        prop_assert_eq!(Script::new(Vec::new()).rule("one", "two", does).does(smallest), does);
        // Only these two calls are needed, and the one that makes the object.
        prop_assert_eq!(smallest.call_count(), 3);
    }
}
