//! The worker's loop: a request comes in, the machine works, answers go out.

mod channel;
mod explore;
mod machine;
mod pace;
mod policy;
#[cfg(test)]
mod tests;

use std::io;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use raddle_plan::{Clock, End, Order};
use raddle_schedule::{Listed, Scheduler, Sequential};

use crate::cage::Cage;
use crate::protocol::{
    Done, Explore, Failed, Fault, PROTOCOL_VERSION, Ready, Replay, Replayed, Request, Response,
    Sequential as SequentialRuns, Start,
};
use channel::{Channel, Inlet, Outlet, Stacks};
use explore::{Bounds, Exploration, Wanted};
pub use machine::{Batch, BatchOptions, Machine, Reported};
use policy::Policy;

/// Works for the coordinator that started this process until it is told to quit or the coordinator has gone.
///
/// `start` makes the machine. It is called once, inside the cage.
pub fn serve<M: Machine>(start: impl FnOnce(&Start) -> Result<M, Failed>) -> ExitCode {
    // A coordinator that has gone cannot be told anything, and there is nobody else to tell.
    match Channel::from_stdin().and_then(|channel| work(channel, start, || std::process::exit(0))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Sequential runs before those that count.
const WARM_UP: u64 = 64;

/// Why a request ends without an answer of its own.
enum Problem {
    /// The coordinator is to be told.
    Failed(Failed),
    /// The coordinator has gone.
    Gone(io::Error),
}

impl Problem {
    fn worker(sentence: String) -> Problem {
        Problem::Failed(Failed {
            sentence,
            fault: Fault::Worker,
        })
    }

    fn input(sentence: String) -> Problem {
        Problem::Failed(Failed {
            sentence,
            fault: Fault::Input,
        })
    }
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Problem {
        Problem::Failed(failed)
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        Problem::Gone(error)
    }
}

/// `gone` is called when the coordinator has gone.
fn work<M: Machine>(
    mut channel: Channel,
    start: impl FnOnce(&Start) -> Result<M, Failed>,
    gone: impl Fn() + Send + 'static,
) -> io::Result<()> {
    let outlet = channel.outlet();
    let Some(Request::Start(options)) = channel.read()? else {
        return outlet.send(&Response::Failed(Failed {
            sentence: "the first request must be the start".to_owned(),
            fault: Fault::Input,
        }));
    };
    // The reading thread must be caged too, so it comes after the cage, and before the JVM, which may take long.
    let mut ready = match prepare(&options) {
        Ok(ready) => ready,
        Err(failed) => return outlet.send(&Response::Failed(failed)),
    };
    let stacks: Stacks = Arc::new(OnceLock::new());
    let inlet = channel.listen(Arc::clone(&stacks), gone)?;
    let mut machine = match start(&options) {
        Ok(machine) => machine,
        Err(failed) => return outlet.send(&Response::Failed(failed)),
    };
    // Set once: nobody else has this cell.
    let _ = stacks.set(machine.stacks());
    ready.jdk_version = machine.jdk_version();
    outlet.send(&Response::Ready(ready))?;
    answer_all(&mut machine, &inlet, &outlet)
}

/// Everything before the JVM; the answer lacks the version of the JDK.
fn prepare(options: &Start) -> Result<Ready, Failed> {
    if options.protocol != PROTOCOL_VERSION {
        return Err(Failed {
            sentence: format!(
                "coordinator and worker are of different versions (protocols {} and {PROTOCOL_VERSION}): raddle was \
                 replaced while it ran; start it again",
                options.protocol
            ),
            fault: Fault::Environment,
        });
    }
    let enter = |error: &dyn std::fmt::Display| Failed {
        sentence: format!("cannot cage the worker: {error}"),
        fault: Fault::Environment,
    };
    std::env::set_current_dir(&options.directory).map_err(|error| enter(&error))?;
    let cage = options
        .cage
        .map(|limits| {
            let needed = options.readable.iter().chain([&options.jdk_home]);
            Cage::new(&options.directory, limits)
                .reading(needed.cloned())
                .enter()
        })
        .transpose()
        .map_err(|error| enter(&error))?;
    Ok(Ready {
        protocol: PROTOCOL_VERSION,
        pid: std::process::id(),
        jdk_version: String::new(),
        cage,
    })
}

fn answer_all(machine: &mut dyn Machine, inlet: &Inlet, outlet: &Outlet) -> io::Result<()> {
    let mut is_warm = false;
    while let Ok(request) = inlet.requests.recv() {
        if request == Request::Quit {
            break;
        }
        match answer(machine, inlet, outlet, request, &mut is_warm) {
            Ok(response) => outlet.send(&response)?,
            Err(Problem::Failed(failed)) => outlet.send(&Response::Failed(failed))?,
            Err(Problem::Gone(error)) => return Err(error),
        }
    }
    Ok(())
}

/// `is_warm` says whether the calls of the current plan have been made in their orders.
fn answer(
    machine: &mut dyn Machine,
    inlet: &Inlet,
    outlet: &Outlet,
    request: Request,
    is_warm: &mut bool,
) -> Result<Response, Problem> {
    match request {
        Request::Load(load) => {
            *is_warm = false;
            machine.load(&load)?;
            Ok(Response::Loaded {
                left_alone: machine.left_alone(),
            })
        }
        Request::Sequential(request) => {
            let response = sequential(machine, inlet, outlet, request)?;
            *is_warm = true;
            Ok(response)
        }
        Request::Explore(request) => explore(machine, inlet, outlet, &request),
        Request::Replay(request) => {
            if !*is_warm {
                // The recorded run was not the first of its JVM either.
                let sequential = SequentialRuns {
                    schedules: WARM_UP,
                    max_steps: request.max_steps,
                    long_steps: None,
                    isolate: request.isolate,
                };
                warm_up(machine, inlet, sequential)?;
                *is_warm = true;
            }
            replay(machine, request)
        }
        Request::Start(_) => Err(Problem::input("the worker has been started already".to_owned())),
        // The reading thread keeps the first two, and the loop ends at the third.
        Request::Cancel | Request::Stacks | Request::Quit => {
            Err(Problem::input("not a request of its own".to_owned()))
        }
    }
}

fn sequential(
    machine: &mut dyn Machine,
    inlet: &Inlet,
    outlet: &Outlet,
    request: SequentialRuns,
) -> Result<Response, Problem> {
    let request = SequentialRuns {
        max_steps: bound(machine, inlet, request)?,
        long_steps: None,
        ..request
    };
    // First runs load and initialise classes, which later ones do not.
    warm_up(machine, inlet, request)?;
    let mut made = Vec::new();
    let mut ticking = Sequential::new(Clock::Ticking);
    let mut done = serially(machine, inlet, request, &mut ticking, &mut |response| {
        if let Response::NewOutcome(new) = &response
            && let Order::Serial { choices, .. } = &new.order
        {
            made.push(choices.clone());
        }
        Ok(outlet.send(&response)?)
    })?;
    let mut send = |response| Ok(outlet.send(&response)?);
    // Backwards, so that what one run leaves behind for the next is not the same again, however regular it is.
    let again = made.into_iter().rev().map(|choices| Order::Serial {
        choices,
        clock: Clock::Faster,
    });
    let again = serially(machine, inlet, request, &mut Listed::new(again), &mut send)?;
    if again.asks_time {
        let mut standing = Sequential::new(Clock::Standing);
        let standing = serially(machine, inlet, request, &mut standing, &mut send)?;
        let is_complete = |done: &Done| done.claim.as_ref().is_some_and(|claim| claim.complete);
        if !is_complete(&standing) {
            done.claim = standing.claim;
        }
    }
    done.left_alone = machine.left_alone();
    Ok(done.into())
}

/// After how many scheduling points sequential runs are stopped. Calls that run on for ever are to cost one long run, and not
/// as many as there are orders.
fn bound(machine: &mut dyn Machine, inlet: &Inlet, request: SequentialRuns) -> Result<u32, Problem> {
    let Some(long) = request.long_steps.filter(|long| *long > request.max_steps) else {
        return Ok(request.max_steps);
    };
    let first = SequentialRuns {
        schedules: request.schedules.min(1),
        max_steps: long,
        ..request
    };
    let mut scheduler = Sequential::new(Clock::Ticking);
    let mut is_cut = false;
    serially(machine, inlet, first, &mut scheduler, &mut |response| {
        if let Response::NewOutcome(new) = &response {
            is_cut |= new.outcome.end == End::StepBound;
        }
        Ok(())
    })?;
    Ok(if is_cut { request.max_steps } else { long })
}

/// A few sequential runs that nobody is told of.
fn warm_up(machine: &mut dyn Machine, inlet: &Inlet, request: SequentialRuns) -> Result<(), Problem> {
    let few = SequentialRuns {
        schedules: request.schedules.min(WARM_UP),
        ..request
    };
    let mut scheduler = Sequential::new(Clock::Ticking);
    serially(machine, inlet, few, &mut scheduler, &mut |_| Ok(())).map(|_| ())
}

/// Makes sequential runs of the plan.
fn serially(
    machine: &mut dyn Machine,
    inlet: &Inlet,
    request: SequentialRuns,
    scheduler: &mut dyn Scheduler,
    send: &mut dyn FnMut(Response) -> Result<(), Problem>,
) -> Result<Done, Problem> {
    let exploration = Exploration {
        machine,
        scheduler,
        wanted: Wanted::Every,
        cancelled: &inlet.cancelled,
        send,
        max_steps: request.max_steps,
        isolate: request.isolate,
        bounds: Bounds {
            first: 0,
            schedules: Some(request.schedules),
            time: None,
            singly_until: 0,
        },
    };
    exploration.run()
}

fn explore(
    machine: &mut dyn Machine,
    inlet: &Inlet,
    outlet: &Outlet,
    request: &Explore,
) -> Result<Response, Problem> {
    let mut policy = Policy::new(request.scheduler, request.seed, request.from);
    let exploration = Exploration {
        machine,
        scheduler: &mut *policy.scheduler,
        wanted: Wanted::New,
        cancelled: &inlet.cancelled,
        send: &mut |response| Ok(outlet.send(&response)?),
        max_steps: request.max_steps,
        isolate: request.isolate,
        bounds: Bounds {
            first: policy.first,
            schedules: request.schedules.map(|schedules| schedules + policy.repeated),
            time: request.milliseconds.map(Duration::from_millis),
            singly_until: request.singly_until,
        },
    };
    exploration.run().map(Response::from)
}

impl From<Done> for Response {
    fn from(done: Done) -> Response {
        Response::Done(Box::new(done))
    }
}

fn replay(machine: &mut dyn Machine, request: Replay) -> Result<Response, Problem> {
    let order = Order::Tape(request.schedule.switches);
    let options = BatchOptions {
        max_steps: request.max_steps,
        record_steps: false,
        mark_shared: false,
        record_touches: false,
        trace: request.trace,
        callers: request.callers,
        report_all: true,
        isolate: request.isolate,
    };
    let mut batch = machine.batch(&[order], options)?;
    match (batch.reported.pop(), batch.broken) {
        (Some(reported), _) => Ok(Response::Replayed(Box::new(Replayed {
            outcome: reported.outcome,
            events: reported.events,
            links: reported.links,
            alone: reported.alone,
        }))),
        (None, Some(sentence)) => Err(Problem::worker(sentence)),
        (None, None) => Err(Problem::worker("the JVM reports nothing of the run".to_owned())),
    }
}
