//! What a thread does in an event.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// What a thread does.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum EventKind { $($(#[doc = $doc])* #[serde(rename = $name)] $variant,)* }

        impl EventKind {
            /// All of them, in the order in which the runtime numbers them.
            pub const ALL: &[EventKind] = &[$(EventKind::$variant),*];

            /// The name in files and reports.
            pub const fn name(self) -> &'static str {
                match self { $(EventKind::$variant => $name,)* }
            }
        }
    };
}

kinds! {
    /// The thread begins.
    Begin "begin";
    /// A field or element is read, or code that is not seen reads.
    Read "read";
    /// A field or element is written, or code that is not seen writes.
    Write "write";
    /// An atomic operation, whether it reads, writes or does both.
    Atomic "atomic";
    /// A monitor is taken.
    Enter "enter";
    /// A monitor was given up.
    Exit "exit";
    /// A monitor is given up to wait for a notification.
    Wait "wait";
    /// A monitor is taken again after that.
    Woken "woken";
    /// One or all that wait are notified.
    Notify "notify";
    /// The thread takes its permit.
    Park "park";
    /// A thread is given its permit.
    Unpark "unpark";
    /// The thread sleeps.
    Sleep "sleep";
    /// The thread offers to let others run.
    Yield "yield";
    /// The thread goes on after another one has ended.
    Join "join";
    /// A thread is started.
    Start "start";
    /// A branch goes backward.
    Loop "loop";
    /// A call of the plan begins.
    Call "call";
    /// A thread is interrupted.
    Interrupt "interrupt";
    /// The main thread goes on after all threads of the plan have ended.
    JoinAll "join all";
    /// The thread ends.
    End "end";
}

impl EventKind {
    /// Whether something in memory is read or written.
    pub const fn is_access(self) -> bool {
        matches!(self, EventKind::Read | EventKind::Write | EventKind::Atomic)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EventKind {
    type Err = String;

    fn from_str(text: &str) -> Result<EventKind, String> {
        let found = EventKind::ALL.iter().find(|kind| kind.name() == text);
        found
            .copied()
            .ok_or_else(|| format!("`{text}` is no kind of event"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_written_and_read_by_its_name() {
        for kind in EventKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(*kind));
            let json = serde_json::to_string(kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<EventKind>(&json).unwrap(), *kind);
        }
        assert!("jump".parse::<EventKind>().is_err());
    }
}
