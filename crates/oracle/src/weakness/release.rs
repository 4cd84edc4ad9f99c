//! A lock or permit that is given back by a thread that does not have it. The order of the calls decides whose it is, so
//! no test in which a call is refused for that reason says anything about results.

use raddle_plan::CallResult;

use super::calls::Calls;
use super::{Case, Rule, WeakKind, Weakness};
use crate::verdict::{Evidence, Kind};

/// What is thrown by whoever is asked to release what is not held (Java Language Specification, section 17.2).
const NOT_THE_OWNER: &str = "java.lang.IllegalMonitorStateException";

/// Some order of the calls releases what its thread does not have.
pub(super) struct ForeignRelease;

impl Rule for ForeignRelease {
    fn look(&self, case: &Case<'_>, _: &Calls) -> Option<Weakness> {
        let is_concerned = match &case.violation.evidence {
            Evidence::Exception { class, .. } => class == NOT_THE_OWNER,
            _ => case.violation.kind == Kind::Result,
        };
        let refused = case.sequential.iter().find_map(|run| {
            let threw = |result: &CallResult| matches!(result, CallResult::Threw { class, .. } if class == NOT_THE_OWNER);
            run.calls.iter().position(|call| threw(&call.result))
        });
        let call = refused.filter(|_| is_concerned)?;
        Some(Weakness {
            rule: WeakKind::ForeignRelease,
            sentence: format!(
                "misuse: {} releases what its thread does not have, in some order of the calls",
                case.name(call)
            ),
            calls: vec![call],
        })
    }
}
