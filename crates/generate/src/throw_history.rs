//! What went wrong before: members that threw are not asked again while others do the same.

use std::collections::BTreeMap;

use raddle_plan::MemberRef;

/// How a member fared in the prefixes of plans.
#[derive(Copy, Clone, Debug, Default)]
struct Record {
    good: u32,
    bad: u32,
}

/// All that was heard of members.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThrowHistory {
    records: BTreeMap<MemberRef, Record>,
}

/// One bad day may be the fault of the arguments.
const PATIENCE: u32 = 2;

impl ThrowHistory {
    pub(crate) fn worked(&mut self, member: &MemberRef) {
        let record = self.records.entry(member.clone()).or_default();
        record.good = record.good.saturating_add(1);
    }

    pub(crate) fn failed(&mut self, member: &MemberRef) {
        let record = self.records.entry(member.clone()).or_default();
        record.bad = record.bad.saturating_add(1);
    }

    /// Whether another member should be taken, if there is one.
    pub(crate) fn is_bad(&self, member: &MemberRef) -> bool {
        self.records
            .get(member)
            .is_some_and(|record| record.bad > record.good)
    }

    /// Whether the member seems to fail whatever it is given.
    pub(crate) fn is_hopeless(&self, member: &MemberRef) -> bool {
        self.records
            .get(member)
            .is_some_and(|record| record.good == 0 && record.bad > PATIENCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_bad_while_it_fails_more_often_than_it_works() {
        let member: MemberRef = "a.B.<init>()V".to_owned().try_into().unwrap();
        let mut history = ThrowHistory::default();
        assert!(!history.is_bad(&member));
        history.failed(&member);
        assert!(history.is_bad(&member) && !history.is_hopeless(&member));
        history.failed(&member);
        history.failed(&member);
        assert!(history.is_hopeless(&member));
        history.worked(&member);
        assert!(history.is_bad(&member) && !history.is_hopeless(&member));
    }
}
