//! Every run of every policy can be repeated from its recorded switches.

use raddle_plan::Order;
use raddle_schedule::reference_machine::{Ending, Op, Program, Trial};
use raddle_schedule::{Config, Replay, Scheduler, switches};

use crate::programs::{bound, explore, random_program};

fn assert_replays(program: &Program, trial: &Trial) {
    assert_eq!(switches(&trial.run), trial.switches);
    let schedule = raddle_plan::Schedule {
        switches: trial.switches.clone(),
    };
    let mut replay = Replay::new(schedule);
    let order = replay.next(1).remove(0);
    let again = program.run(&order, bound(program));
    assert_eq!(&again, trial, "{program:?}");
}

#[test]
fn every_run_of_every_policy_can_be_repeated() {
    for config in ["random", "pct:1", "pct:3", "pos", "bounded:2"] {
        let config: Config = config.parse().unwrap();
        let mut replayed = 0;
        for seed in 0..100 {
            let program = random_program(seed);
            explore(&mut *config.build(seed, 0), &program, 16, 20, |order, trial| {
                assert_ne!(trial.ending, Ending::Uncontrolled);
                assert_eq!(program.run(order, bound(&program)), *trial);
                assert_replays(&program, trial);
                replayed += 1;
            });
        }
        assert!(replayed >= 1000, "{config}: {replayed}");
    }
}

#[test]
fn runs_in_which_a_thread_runs_out_of_patience_can_be_repeated() {
    let long = |location| [vec![Op::Call], vec![Op::Read(location); 6000]].concat();
    let program = Program::of(vec![long(0), long(1)]);
    for order in [
        Order::Tape(Vec::new()),
        Order::Pct {
            priorities: vec![1, 2, 3],
            changes: vec![30],
        },
    ] {
        let trial = program.run(&order, bound(&program));
        assert_eq!(trial.ending, Ending::Completed);
        assert!(trial.switches.len() > 3);
        assert_replays(&program, &trial);
    }
}

#[test]
fn a_tape_for_another_program_is_noticed() {
    let program = random_program(1);
    let tape = vec![raddle_plan::Switch { step: 1, thread: 2 }];
    let trial = program.run(&Order::Tape(tape), bound(&program));
    assert_eq!(trial.ending, Ending::Diverged(1));
}

#[test]
fn runs_without_control_have_no_meaning_for_the_machine() {
    let trial = random_program(1).run(&Order::Stress { seed: 1 }, 100);
    assert_eq!(trial.ending, Ending::Uncontrolled);
}
