//! What the loop needs of the workers, and nothing more. A [`Session`] has it; tests of the loop script it, so that the
//! loop is run without a JVM.

use std::sync::Arc;
use std::time::Instant;

use raddle_execute::{
    Exploration, ExploreOptions, Ready, Repeated, Replayed, Session, SessionError, SessionOptions, Spent,
};
use raddle_plan::{Recording, Schedule, TestPlan};

/// Runs plans, one at a time. An executor is opened in the thread that uses it, and stays there.
pub(crate) trait Executor {
    /// What the latest worker said of itself.
    fn ready(&self) -> &Ready;

    /// How workers are started.
    fn options(&self) -> &SessionOptions;

    /// Starts a worker if there is none; whether there was none.
    fn start(&mut self) -> Result<bool, SessionError>;

    /// Runs a plan in every order of its calls, and then under a scheduler.
    fn explore(&mut self, plan: &TestPlan, options: &ExploreOptions) -> Result<Exploration, SessionError>;

    /// Makes runs with given switches, and says what the threads did.
    fn trace(
        &mut self,
        plan: &TestPlan,
        resets: &[String],
        max_steps: u32,
        schedules: &[Schedule],
    ) -> Result<Vec<Replayed>, SessionError>;

    /// Repeats a recorded run in a fresh JVM, together with the sequential orders; once more if it `is_it` not.
    fn repeat(
        &mut self,
        recording: &Recording,
        is_it: &dyn Fn(&Repeated) -> bool,
    ) -> Result<Repeated, SessionError>;

    /// What tests that are known to fail did instead, as sentences; none if they failed.
    fn missed_probes(&mut self) -> Result<Vec<String>, SessionError>;

    /// From here on, whether classes stay loaded from one plan to the next.
    fn keep_classes(&mut self, keep: bool);

    /// From then on no answer is wanted. None if there is time.
    fn until(&mut self, until: Option<Instant>);

    /// Where the time went since this was asked before.
    fn take_spent(&mut self) -> Spent;
}

/// Opens an executor; called once in each thread, with options that name its CPU.
pub(crate) type Open = Arc<dyn Fn(SessionOptions) -> Result<Box<dyn Executor>, SessionError> + Send + Sync>;

/// Opens sessions, which start JVMs.
pub(crate) fn sessions() -> Open {
    Arc::new(|options| Ok(Box::new(Session::open(options)?)))
}

impl Executor for Session {
    fn ready(&self) -> &Ready {
        Session::ready(self)
    }

    fn options(&self) -> &SessionOptions {
        Session::options(self)
    }

    fn start(&mut self) -> Result<bool, SessionError> {
        Session::start(self)
    }

    fn explore(&mut self, plan: &TestPlan, options: &ExploreOptions) -> Result<Exploration, SessionError> {
        Session::explore(self, plan, options, &mut |_| {})
    }

    fn trace(
        &mut self,
        plan: &TestPlan,
        resets: &[String],
        max_steps: u32,
        schedules: &[Schedule],
    ) -> Result<Vec<Replayed>, SessionError> {
        Session::trace(self, plan, resets, max_steps, schedules)
    }

    fn repeat(
        &mut self,
        recording: &Recording,
        is_it: &dyn Fn(&Repeated) -> bool,
    ) -> Result<Repeated, SessionError> {
        Session::repeat(self, recording, is_it)
    }

    fn missed_probes(&mut self) -> Result<Vec<String>, SessionError> {
        Ok(self.probe()?.missed)
    }

    fn keep_classes(&mut self, keep: bool) {
        Session::keep_classes(self, keep);
    }

    fn until(&mut self, until: Option<Instant>) {
        Session::until(self, until);
    }

    fn take_spent(&mut self) -> Spent {
        Session::take_spent(self)
    }
}
