//! The analysis as published: DepCon+ sections 4 and 5, Algorithms 1 and 2.
//!
//! A method is a sequence of five kinds of instruction ([`body`]), read in linear order without regard to branches
//! ([`alias`], [`monitor`]). [`access`] is Algorithm 1, [`double_lock`] and [`unroll`] are Algorithm 2, [`library`] does
//! what both need of methods outside the class under test (CUT), and [`depend`] has Definitions 7, 8 and 10.
//!
//! # Where the paper leaves a choice, or its text and listing differ
//!
//! Dispatch
//! - A call means the method of the static type that the instruction names (section 6.3), on `this` too.
//! - Section 5.3 takes `t.size()`, whose static type is an interface, for the synchronized method of the CUT. So in
//!   Algorithm 2, in methods that the CUT declares or inherits, a call of an abstract method that the CUT implements
//!   means the CUT's implementation. Algorithm 1 has no such example and does not do so.
//! - Section 6.2 says that `hashCode` of Figure 8 takes the lock of a key, whose class is Object. So in the same methods
//!   a virtual call of a method that one on the call stack overrides may also be a recursion.
//! - A recursion ends the unrolling, but the lock of a synchronized callee is still taken and given back: that is done
//!   by the call, not by an instruction of the callee.
//! - Abstract and native methods are pure and take no lock (a native method may be synchronized). `System.arraycopy` is a
//!   write to the elements of its destination. `invokedynamic` is pure and calls nothing; so are method and variable
//!   handles, which are native.
//! - A callee that cannot be found, or whose code cannot be read, is impure.
//!
//! Algorithm 1
//! - "Declared in the CUT" (line 23) is taken by the letter: an inherited method is not, though it may be a member of M.
//!   AS(callee) is added whatever object the callee is called on, constructors included.
//! - `R(ref.f)` is the whole chain: getting `f` of `this` reads `this.f`, putting `g` of what was got writes `this.f.g`.
//!   Chains longer than four links end at the fourth.
//! - An array is a single location and the same as the field that holds it: `this.f[]` is how an access to elements is
//!   printed, and it conflicts with `this.f`. W(p) of line 30 is printed `this.f.*` and conflicts with `this.f` likewise;
//!   W(this) conflicts with nothing, since nothing reads `this`.
//! - `aload` and `astore` of a local variable that aliases a field (Type 1) add no access to the `getfield` or `putfield`
//!   they are an alias of.
//! - ISSHAREDLOCATION(p) of line 29 holds for static fields too, as that of line 7 does.
//! - A callee's accesses (lines 25 and 30) make AS(m) non-empty but do not remove tmp-lock-releases: LS is
//!   intra-procedural. A re-entrant release counts as a release here, as in Definition 6.
//! - ISPURE takes a constructor's writes to its own object for writes to a parameter ("including the object receiver").
//!   A write to a static field is not one.
//! - Which `monitorexit` counts: see [`monitor`].
//! - A lock without a name (a new object, the result of a call) cannot be shared and is left out.
//!
//! Algorithm 2
//! - `lock-ordered-set ← ∅` stands before the loop, not in it.
//! - Re-entrant acquisitions are counted: the set holds a lock until its outermost release, since it "contains the set of
//!   locks held by the simulated execution".
//! - A method outside the CUT is unrolled as if it were called first; so a recursion through the CUT and the library back
//!   to the CUT is cut one round later. Inside a cycle of library methods calls are followed 64 deep, and in a cycle of
//!   more than 64 methods a result once computed serves all, as the paper's cache does. At most 1,000 locks and 20,000
//!   pairs of a method are kept.
//!
//! Dependencies
//! - Static methods are members of M and treated like the others (the paper leaves them out of suffixes, but counts
//!   them in Table IV). A static method has no `this` of its own, but what its callees in the CUT add stays.
//! - Locks of two methods are the same when their identifiers are, and a parameter's identifier includes its method.
//! - "Superclass" in the compatible relation includes interfaces. A class identifier is compatible with itself only.
//!   A class that cannot be loaded and hides the answer makes locks compatible.
//!
//! `java.util.concurrent` locks, `wait` and `volatile` mean nothing to the paper.

mod access;
mod alias;
mod body;
mod callee;
mod depend;
mod double_lock;
mod family;
mod library;
mod monitor;
mod names;
mod path;
mod print;
mod unroll;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use raddle_program::{ClassId, MethodId, Program};

use self::access::Accessed;
use self::family::Family;
use self::library::Library;
use self::path::Path;
use self::print::Printer;
use self::unroll::Nested;
use crate::facts::{ClassFacts, Precision};

/// The analysis, with what it has learnt about methods outside the classes under test.
pub(crate) struct PaperAnalyzer<'p> {
    program: &'p Program,
    library: Library<'p>,
}

/// The three summaries of a public method, ordered as they are printed.
struct MethodSummary {
    id: MethodId,
    /// AS(m).
    accesses: Vec<Accessed>,
    /// LS(m).
    locks: Vec<Path>,
    /// DS(m).
    nested: Vec<Nested>,
}

impl<'p> PaperAnalyzer<'p> {
    /// An analysis of `program` that knows nothing yet.
    pub(crate) fn new(program: &'p Program) -> PaperAnalyzer<'p> {
        PaperAnalyzer {
            program,
            library: Library::new(program),
        }
    }

    /// Everything the paper's analysis says about one class.
    pub(crate) fn analyze(&self, class: ClassId) -> ClassFacts {
        let mut missing: BTreeSet<ClassId> = callee::missing_ancestors(self.program, class).collect();
        let mut family = Family::new(self.program, class);
        let mut printer = Printer::new(self.program);
        let mut methods = Vec::new();
        let mut summaries = Vec::new();
        for id in self.program.public_methods(class) {
            let access = access::summarize(&mut family, &self.library, id);
            let nested = double_lock::summarize(&mut family, &self.library, id);
            missing.extend(&access.missing);
            let (summary, facts) = printer.method(id, access, &nested);
            summaries.push(summary);
            methods.push(facts);
        }
        let (pairs, counts) = depend::pairs(self.program, class, &summaries);
        let mut missing: Vec<String> = missing.iter().map(|&class| self.program.name(class)).collect();
        missing.sort();
        ClassFacts {
            class: self.program.name(class),
            origin: self
                .program
                .class(class)
                .map(|class| class.origin().to_string())
                .unwrap_or_default(),
            precision: Precision::Paper,
            methods,
            pairs,
            counts,
            missing,
        }
    }
}
