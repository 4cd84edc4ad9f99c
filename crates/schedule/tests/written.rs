//! The choice of a scheduler is read as it was written, and any text is answered.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use proptest::prelude::*;
use raddle_plan::Switch;
use raddle_schedule::{Config, Holds};

fn config() -> impl Strategy<Value = Config> {
    let switch = (any::<u32>(), any::<u32>()).prop_map(|(step, thread)| Switch { step, thread });
    prop_oneof![
        Just(Config::Random),
        Just(Config::Pos),
        Just(Config::Dpor),
        Just(Config::Stress),
        (1..=64u32).prop_map(|depth| Config::Pct { depth }),
        (0..=64u32).prop_map(|preemptions| Config::Bounded { preemptions }),
        (0..=64u32).prop_map(|preemptions| Config::Focused { preemptions }),
        (0..=64u32).prop_map(|delays| Config::Delay { delays }),
        proptest::collection::vec(switch, 1..=4)
            .prop_map(|switches| Config::Directed(Holds::new(&switches).unwrap())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_choice_is_read_as_it_was_written(config in config()) {
        prop_assert_eq!(config.to_string().parse::<Config>().unwrap(), config);
    }

    #[test]
    fn a_text_is_a_choice_or_told_why_not(text in "[a-z]{0,8}(:[0-9,>a-z]{0,6})?|.{0,12}") {
        match text.parse::<Config>() {
            Ok(config) => prop_assert_eq!(config.to_string().parse::<Config>().unwrap(), config),
            Err(problem) => prop_assert!(problem.to_string().contains(&text)),
        }
    }
}
