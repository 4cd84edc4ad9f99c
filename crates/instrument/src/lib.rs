//! Rewrites class files so that every event of a thread calls a hook first.
//!
//! A [`Rewriter`] is given the bytes of each class a JVM loads, and answers with the bytes it should load instead:
//! the same class, in which reads, writes, lock operations, waits, parks, sleeps, clock reads and backward
//! branches call static methods of `java.lang.Raddle`. Each such place has a number, its site, by which the
//! hook and everybody after it name the place; [`Rewriter::site`] says what is there.
//!
//! ```text
//!   rewriter   bytes in, bytes out; the sites of all classes
//!   tier       how much of a class is rewritten
//!   effects    what calls of code touch that is not interleaved
//!   class      one class: which methods change, and the new file around them
//!   method     one method: its wrapper, its code, its new Code attribute
//!   reset      what is added to a class whose static state is made anew between runs
//!   refs       what a field or method reference of the pool asks for
//!   scan       instructions to steps: what is put before, after or instead of each
//!   wrapper    what a method does on entry and on every way out: monitor, no-switch zone, special hooks
//!   drafts     the calls of hooks and the sites they are made at
//!   layout     steps to code: new positions, branches, switches, exception ranges
//! ```
//!
//! The input is not trusted to make sense, only to be structured: what cannot be read, or would become too
//! long, stays as it is and is named.

mod class;
mod drafts;
mod effects;
mod emit;
mod hook;
mod layout;
mod left_alone;
mod method;
mod pool;
mod refs;
mod reset;
mod rewriter;
mod scan;
mod site;
mod sites;
mod tier;
mod wrapper;

pub use effects::Platform;
pub use left_alone::{LeftAlone, Reason};
pub use refs::timed_by;
pub use rewriter::{Options, Rewriter, Rewritten, StaticState};
pub use site::{Site, SiteKind};
pub use tier::Tier;
