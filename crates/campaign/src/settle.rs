//! Violations are looked into: whether they are new faults, and whether they may be by design.
//!
//! In three rounds, so that what is known is left as soon as that shows: what the threads did says which state they break;
//! the orders of steps say whether that may be by design; only then is a violation made smaller and made sure of.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use raddle_oracle::{
    Case, Evidence, Kind, RunEvents, Violation, WeakKind, Weakness, meeting_points, unguarded_state, weakness,
};
use raddle_plan::{FieldRef, Outcome, TestPlan};
use raddle_program::Program;

use crate::class_state::ClassState;
use crate::confirm::{Confirmed, Unconfirmed, confirm};
use crate::contracts::{Excuses, Terms};
use crate::error::HuntError;
use crate::executor::Executor;
use crate::explore_candidate::{Subject, Suspect};
use crate::null_answers::may_answer_null;
use crate::related_evidence::is_volatile;
use crate::shrink::{Minimal, minimise};
use crate::state_fields::is_state;
use crate::step_orders::{Looked, StepOrders, look, step_orders};
use crate::worker_pool::WorkerPool;
use raddle_oracle::dedup_key::{member_text, text_mark};

/// What came of a violation.
pub(crate) enum CameTo {
    /// The fault of this finding.
    Known(String),
    /// It could not be made sure of.
    Unconfirmed(Box<Minimal>, Unconfirmed),
    /// A fault of its own.
    New(Box<Sure>),
}

/// What can be said of a violation without making it smaller.
enum FirstLook {
    /// It breaks the same state as this finding.
    Known(String),
    /// It may be by design, and may be known as this finding.
    ByDesign(Weakness, Option<String>),
    /// It is a plain violation that is not known yet.
    Plain,
}

/// A violation that was made smaller and made sure of.
pub(crate) struct Sure {
    pub(crate) minimal: Minimal,
    pub(crate) is_minimal: bool,
    pub(crate) confirmed: Confirmed,
    pub(crate) state: BTreeSet<String>,
    pub(crate) unguarded: BTreeSet<String>,
    pub(crate) weakness: Option<Weakness>,
}

/// Looks into violations, as many at a time as there are workers.
pub(crate) struct Settling<'a> {
    pub(crate) pool: &'a WorkerPool,
    pub(crate) program: &'a Program,
    pub(crate) class_state: &'a mut ClassState,
}

impl Settling<'_> {
    /// What came of each. If what a run shows may be by design, what other runs of the plan show is looked at before that
    /// is believed: the same calls may be broken, too.
    pub(crate) fn settle(&mut self, suspects: &[&Suspect]) -> Result<Vec<CameTo>, HuntError> {
        let mut came_to: Vec<Option<CameTo>> = suspects.iter().map(|_| None).collect();
        let mut chosen: Vec<Option<(Suspect, Option<Weakness>)>> = suspects.iter().map(|_| None).collect();
        let mut open: Vec<(usize, Suspect)> = suspects
            .iter()
            .map(|suspect| (*suspect).clone())
            .enumerate()
            .collect();
        while !open.is_empty() {
            let asked: Vec<&Suspect> = open.iter().map(|(_, suspect)| suspect).collect();
            let answers = self.first_look(&asked)?;
            let mut next = Vec::new();
            for ((at, suspect), answer) in open.into_iter().zip(answers) {
                match answer {
                    FirstLook::Known(id) => {
                        chosen[at] = None;
                        came_to[at] = Some(CameTo::Known(id));
                    }
                    FirstLook::Plain => {
                        chosen[at] = Some((suspect, None));
                        came_to[at] = None;
                    }
                    FirstLook::ByDesign(weakness, known) => {
                        next.extend(suspect.other().map(|other| (at, other)));
                        if chosen[at].is_some() || came_to[at].is_some() {
                            continue;
                        }
                        match known {
                            Some(id) => came_to[at] = Some(CameTo::Known(id)),
                            None => chosen[at] = Some((suspect, Some(weakness))),
                        }
                    }
                }
            }
            open = next;
        }
        let to_do = chosen.iter().enumerate();
        let to_do: Vec<(usize, &Suspect, &Option<Weakness>)> = to_do
            .filter_map(|(at, chosen)| chosen.as_ref().map(|(suspect, weakness)| (at, suspect, weakness)))
            .collect();
        let asked: Vec<&Suspect> = to_do.iter().map(|(_, suspect, _)| *suspect).collect();
        let answers = self.minimise(&asked)?;
        for ((at, suspect, first), (minimal, is_minimal, confirmed, looked, steps)) in
            to_do.into_iter().zip(answers)
        {
            let numbers = &mut self.class_state.stats.numbers;
            numbers.schedules += minimal.schedules + steps.schedules;
            numbers.steps += minimal.steps;
            let confirmed = match confirmed {
                Ok(confirmed) => confirmed,
                Err(mut why) => {
                    // What may be by design says nothing against the class, be it seen again or not.
                    why.is_no_violation |= first.is_some();
                    came_to[at] = Some(CameTo::Unconfirmed(Box::new(minimal), why));
                    continue;
                }
            };
            let seen = (&minimal.plan, &minimal.violation, &minimal.outcome);
            let weakness = self.weakness(suspect, seen, &looked, &steps);
            let state = self.state(&minimal.violation, &looked);
            let sure = Sure {
                state: points(&minimal.plan, &state, weakness.as_ref()),
                unguarded: self.unguarded(&minimal.violation, &looked),
                minimal,
                is_minimal,
                confirmed,
                weakness,
            };
            came_to[at] = Some(if first.is_none() && sure.weakness.is_some() {
                self.plain(suspect, sure)?
            } else {
                CameTo::New(Box::new(sure))
            });
        }
        Ok(came_to.into_iter().flatten().collect())
    }

    /// What can be said of each without making it smaller.
    fn first_look(&mut self, suspects: &[&Suspect]) -> Result<Vec<FirstLook>, HuntError> {
        let looked = self.look(suspects)?;
        let mut all = Vec::new();
        for (suspect, looked) in suspects.iter().zip(&looked) {
            let state = self.state(&suspect.violation, looked);
            let unguarded = self.unguarded(&suspect.violation, looked);
            let stats = &self.class_state.stats;
            let known = stats.breaking(&state, None);
            let known = known.or_else(|| stats.leaving_unguarded(suspect.violation.kind, &unguarded));
            let told = self.told(&suspect.terms, &suspect.plan, &suspect.violation);
            // The rules that look at orders are asked last, and only about what is known of the run.
            let needs_orders = known.is_none() && told.is_none() && !looked.events.is_empty();
            all.push((*suspect, looked, state, known, needs_orders));
        }
        let asked = all.iter().filter(|(.., needs_orders)| *needs_orders);
        let asked: Vec<&Suspect> = asked.map(|(suspect, ..)| *suspect).collect();
        let mut answers = self.step_orders(&asked)?.into_iter();
        let mut first_looks = Vec::new();
        for (suspect, looked, state, known, needs_orders) in all {
            if let Some(id) = known {
                first_looks.push(FirstLook::Known(id));
                continue;
            }
            let steps = if needs_orders {
                answers.next().ok_or(HuntError::LostWorkerThread)?
            } else {
                StepOrders::default()
            };
            self.class_state.stats.numbers.schedules += steps.schedules;
            let seen = (&suspect.plan, &suspect.violation, &suspect.outcome);
            let weakness = self.weakness(suspect, seen, looked, &steps);
            first_looks.push(match weakness {
                Some(weakness) => {
                    let state = points(&suspect.plan, &state, Some(&weakness));
                    let known = self.class_state.stats.breaking(&state, Some(&weakness));
                    FirstLook::ByDesign(weakness, known)
                }
                None => FirstLook::Plain,
            });
        }
        Ok(first_looks)
    }

    /// A plain violation that was lost on the way to a smaller plan, which shows only what may be by design, is kept as it
    /// was.
    fn plain(&mut self, suspect: &Suspect, smaller: Sure) -> Result<CameTo, HuntError> {
        let whole = Minimal {
            plan: suspect.plan.clone(),
            violation: suspect.violation.clone(),
            outcome: suspect.outcome.clone(),
            max_steps: suspect.max_steps,
            preemptions: None,
            asks_time: false,
            schedules: 0,
            steps: 0,
        };
        let resets = suspect.resets.clone();
        let work = move |session: &mut dyn Executor| {
            let confirmed = confirm(session, &whole, &resets)?;
            let looked = look(session, &whole.plan, &resets, &whole.outcome)?;
            Ok((whole, confirmed, looked))
        };
        let answer = self.pool.run(vec![work])?.into_iter().next();
        let (whole, confirmed, looked) = answer.ok_or(HuntError::LostWorkerThread)?;
        Ok(CameTo::New(Box::new(match confirmed {
            Ok(confirmed) => Sure {
                state: self.state(&whole.violation, &looked),
                unguarded: self.unguarded(&whole.violation, &looked),
                minimal: whole,
                is_minimal: smaller.is_minimal,
                confirmed,
                weakness: None,
            },
            Err(_) => smaller,
        })))
    }

    /// What the threads did. Of hangs the ends of the threads say enough.
    fn look(&self, suspects: &[&Suspect]) -> Result<Vec<Looked>, HuntError> {
        let work = suspects.iter().map(|suspect| {
            let suspect = (*suspect).clone();
            move |session: &mut dyn Executor| {
                if !is_looked_at(suspect.violation.kind) {
                    return Ok(Looked::default());
                }
                look(session, &suspect.plan, &suspect.resets, &suspect.outcome)
            }
        });
        self.pool.run(work.collect())
    }

    fn step_orders(&self, suspects: &[&Suspect]) -> Result<Vec<StepOrders>, HuntError> {
        let work = suspects.iter().map(|suspect| {
            let suspect = (*suspect).clone();
            let subject = self.class_state.subject.clone();
            move |session: &mut dyn Executor| {
                let Suspect {
                    plan,
                    resets,
                    violation,
                    outcome,
                    ..
                } = &suspect;
                step_orders(session, &subject, plan, resets, violation, outcome)
            }
        });
        self.pool.run(work.collect())
    }

    #[expect(
        clippy::type_complexity,
        reason = "handed from one function to the next and nowhere else"
    )]
    fn minimise(
        &self,
        suspects: &[&Suspect],
    ) -> Result<Vec<(Minimal, bool, Result<Confirmed, Unconfirmed>, Looked, StepOrders)>, HuntError> {
        let work = suspects.iter().map(|suspect| {
            let suspect = (*suspect).clone();
            let subject = Subject {
                terms: Arc::clone(&suspect.terms),
                deadline: self.class_state.deadline,
                ..self.class_state.subject.clone()
            };
            move |session: &mut dyn Executor| {
                let minimal = minimise(session, &subject, &suspect)?;
                let is_minimal = !subject.options.cancel.load(Ordering::Relaxed);
                let resets = &suspect.resets;
                let mut confirmed = confirm(session, &minimal, resets)?;
                if let Ok(Confirmed {
                    violation, recording, ..
                }) = &mut confirmed
                {
                    subject.name_invariant(&minimal.plan, violation, &recording.outcome);
                }
                let mut looked = Looked::default();
                let mut steps = StepOrders::default();
                if confirmed.is_ok() && is_looked_at(minimal.violation.kind) {
                    let Minimal {
                        plan,
                        violation,
                        outcome,
                        ..
                    } = &minimal;
                    looked = look(session, plan, resets, outcome)?;
                    if !looked.events.is_empty() {
                        steps = step_orders(session, &subject, plan, resets, violation, outcome)?;
                    }
                }
                Ok((minimal, is_minimal, confirmed, looked, steps))
            }
        });
        self.pool.run(work.collect())
    }

    /// What tells the causes of violations apart: the state on which calls meet; of exceptions, together with what is
    /// thrown.
    fn state(&self, violation: &Violation, looked: &Looked) -> BTreeSet<String> {
        let points = || self.of_run(looked, meeting_points);
        match &violation.evidence {
            Evidence::Result { .. } => points(),
            Evidence::Exception { class, .. } => {
                let thrown = |point: &String| format!("{class} at {point}");
                points().iter().map(thrown).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// The state that calls of a wrong result, or those around an exception, access without a lock in common: whatever comes of
    /// that, what is missing is the lock.
    fn unguarded(&self, violation: &Violation, looked: &Looked) -> BTreeSet<String> {
        match violation.evidence {
            Evidence::Result { .. } | Evidence::Exception { .. } => self.of_run(looked, unguarded_state),
            _ => BTreeSet::new(),
        }
    }

    fn of_run<T>(&self, looked: &Looked, of: impl Fn(&RunEvents<'_>) -> T) -> T {
        of(&RunEvents {
            events: &looked.events,
            known: &looked.known,
            is_volatile: &|field| is_volatile(self.program, field),
        })
    }

    /// An exception is a kind of one that the call throws in sequential orders too: whoever is prepared for that is prepared
    /// for this.
    fn narrower(&self, violation: &Violation) -> Option<Weakness> {
        let Evidence::Exception {
            call,
            class,
            sequential,
            ..
        } = &violation.evidence
        else {
            return None;
        };
        let id = |name: &str| self.program.class_id(&name.replace('.', "/"));
        let is_narrower = |wider: &&String| self.program.is_subtype(id(class), id(wider)) == Some(true);
        let wider = sequential.iter().find(is_narrower)?;
        Some(Weakness {
            rule: WeakKind::Refusal,
            sentence: format!("{class} is a {wider}, which the call throws in sequential orders, too"),
            calls: vec![*call],
        })
    }

    /// Whether a field is declared by something that one thread completes and others wait for.
    fn is_of_future(&self, field: &FieldRef) -> bool {
        let id = |name: &str| self.program.class_id(&name.replace('.', "/"));
        self.program
            .is_subtype(id(&field.owner), id("java/util/concurrent/Future"))
            == Some(true)
    }

    /// Why a violation may be by design, if that can be told without looking at runs.
    fn told(&self, terms: &Terms, plan: &TestPlan, violation: &Violation) -> Option<Weakness> {
        undefined(terms, plan, violation).or_else(|| self.narrower(violation))
    }

    /// Why a violation may be by design: that of a suspect, or what became of it in a smaller plan.
    fn weakness(
        &self,
        suspect: &Suspect,
        (plan, violation, outcome): (&TestPlan, &Violation, &Outcome),
        looked: &Looked,
        steps: &StepOrders,
    ) -> Option<Weakness> {
        let subject = &self.class_state.subject;
        let told = self.told(&suspect.terms, plan, violation);
        if told.is_some() || (is_looked_at(violation.kind) && looked.events.is_empty()) {
            return told;
        }
        weakness(&Case {
            class: &subject.class,
            family: subject.methods.family(),
            plan,
            violation,
            run: RunEvents {
                events: &looked.events,
                known: &looked.known,
                is_volatile: &|field| is_volatile(self.program, field),
            },
            outcome,
            sequential: &steps.sequential,
            overflows: suspect.overflows,
            steps: steps.explained.as_ref(),
            spare: &steps.spare,
            changing: &steps.changing,
            roles: subject.methods.roles(),
            is_state: &|field| is_state(self.program, field),
            is_of_future: &|field| self.is_of_future(field),
            may_answer_null: &|call| may_answer_null(self.program, &call.member),
            is_thrown_alone: &|stack| {
                let mark = text_mark(stack);
                steps.thrown.contains(&mark) || self.class_state.stats.is_thrown_alone(&mark)
            },
        })
    }
}

/// Of deadlocks, the ends of the threads say enough.
fn is_looked_at(kind: Kind) -> bool {
    matches!(kind, Kind::Result | Kind::Exception | Kind::Livelock)
}

/// A hang in what the documentation leaves undefined is told as that, and is not passed over in silence.
fn undefined(terms: &Terms, plan: &TestPlan, violation: &Violation) -> Option<Weakness> {
    let is_hang = matches!(violation.kind, Kind::Deadlock | Kind::LostWakeup | Kind::Livelock);
    let rule = Excuses::of(terms, plan).undefined_hang().filter(|_| is_hang)?;
    Some(Weakness {
        rule: WeakKind::Undefined,
        sentence: rule.sentence(),
        calls: violation.decisive_calls().to_vec(),
    })
}

/// What tells wrong results apart: the state that they break; but all that goes wrong with two callers of a method that is
/// meant for one is one fault.
fn points(plan: &TestPlan, state: &BTreeSet<String>, weakness: Option<&Weakness>) -> BTreeSet<String> {
    let Some(weakness) = weakness.filter(|weakness| weakness.rule == WeakKind::SingleOwner) else {
        return state.clone();
    };
    let calls = plan
        .calls()
        .filter(|(id, _, _)| weakness.calls.contains(&(id.0 as usize)));
    calls.map(|(_, _, call)| member_text(call)).collect()
}
