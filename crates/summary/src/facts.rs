//! What the analysis says about one class: plain data, no ids, ready to be printed or stored.
//!
//! Names follow `papers` usage: AS, LS and DS are the access, lock and double-lock summaries of DepCon+ Definitions 5,
//! 6 and 9; conflict, parallel and double-lock dependency are Definitions 7, 8 and 10.

use serde::Serialize;

/// Which analysis produced the facts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Algorithms 1 and 2 as published.
    Paper,
    /// Flow-sensitive abstract interpretation over access paths.
    Precise,
}

/// Everything known about one class under test.
#[derive(Clone, Debug, Serialize)]
pub struct ClassFacts {
    /// Java name.
    pub class: String,
    /// Where it was found: `module java.base` or a class path entry.
    pub origin: String,
    /// Which analysis produced this.
    pub precision: Precision,
    /// The public methods M, in declaration order, own before inherited.
    pub methods: Vec<MethodFacts>,
    /// Every pair with a conflict or a double-lock dependency, ordered by (first, second).
    pub pairs: Vec<PairFacts>,
    /// Sizes of the pair sets.
    pub counts: Counts,
    /// Classes that were needed and could not be loaded; what they do is treated as unknown.
    pub missing: Vec<String>,
}

/// Sizes of the pair sets.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// |M| = n(n+1)/2 for n public methods.
    pub m: usize,
    /// Pairs that are conflict and parallel dependent (and, in `precise`, not serializable in every interleaving).
    pub mpc: usize,
    /// Pairs that are double-lock dependent.
    pub md: usize,
    /// Pairs in either set.
    pub union: usize,
}

impl Counts {
    /// Share of M that need not be tested, in percent; 0 for an empty M.
    pub fn reduction_percent(&self) -> f64 {
        if self.m == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "pair counts are far below 2^52")]
        let share = self.union as f64 / self.m as f64;
        100.0 * (1.0 - share)
    }
}

/// One public method and its summaries.
#[derive(Clone, Debug, Serialize)]
pub struct MethodFacts {
    /// Name and parameter types: `equals(java.lang.Object)`.
    pub signature: String,
    /// Class that declares the body.
    pub declared_in: String,
    /// Whether it is static.
    pub is_static: bool,
    /// AS(m): one entry per location and kind.
    pub accesses: Vec<Access>,
    /// LS(m): locks that protect every access.
    pub locks: Vec<String>,
    /// DS(m): pairs of locks taken one inside the other.
    pub double_locks: Vec<DoubleLock>,
    /// Calls whose effect is not known; their receivers and arguments are taken to be read and written.
    pub unknown_calls: Vec<UnknownCall>,
}

/// Read or write.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum AccessKind {
    /// R(x).
    #[serde(rename = "R")]
    Read,
    /// W(x).
    #[serde(rename = "W")]
    Write,
}

/// How the memory is touched.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessMode {
    /// Ordinary field or array element.
    Plain,
    /// Volatile field.
    Volatile,
    /// Through an atomic, a `VarHandle`, a field updater or `Unsafe`.
    Atomic,
}

/// One member of AS(m).
#[derive(Clone, Debug, Serialize)]
pub struct Access {
    /// `this.count`, `this.table[]`, `this.map.*`, `Day.FORMAT.*`, `o.size`.
    pub location: String,
    /// R or W.
    pub kind: AccessKind,
    /// Plain, volatile or atomic.
    pub mode: AccessMode,
    /// Locks certainly held at every such access.
    pub held: Vec<String>,
    /// Where it happens.
    pub place: Place,
    /// The instruction of the public method that leads there; absent when the access is in the method itself.
    pub via: Option<Place>,
}

impl Access {
    /// Whether the location outlives the call: of the receiver or static. Names of classes are capital.
    pub fn is_of_state(&self) -> bool {
        let is_capital = |part: &str| part.starts_with(|c: char| c.is_uppercase());
        // A qualified name: `org.jfree.Day.FORMAT`.
        self.location.starts_with("this") || self.location.split('.').any(is_capital)
    }
}

/// One member of DS(m): `second` taken while `first` is held.
#[derive(Clone, Debug, Serialize)]
pub struct DoubleLock {
    /// Outer lock.
    pub first: String,
    /// Inner lock.
    pub second: String,
    /// Where the outer lock is taken.
    pub first_place: Place,
    /// Where the inner lock is taken.
    pub second_place: Place,
    /// The instruction of the public method that leads there; absent when the method itself takes the inner lock, and
    /// in `paper`.
    pub via: Option<Place>,
}

/// A call the analysis could not see through.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnknownCall {
    /// What is called: `java.util.List.add(java.lang.Object)`.
    pub callee: String,
    /// Why nothing is known about it.
    pub reason: String,
    /// Where.
    pub place: Place,
}

/// A place in bytecode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// Class (Java name).
    pub class: String,
    /// Method name with parameter types.
    pub method: String,
    /// Bytecode index.
    pub bci: u32,
    /// Source file and line, as far as the class file tells.
    pub source: Option<String>,
    /// Source line.
    pub line: Option<u16>,
}

/// One pair of methods with at least one dependency. `first <= second`.
#[derive(Clone, Debug, Serialize)]
pub struct PairFacts {
    /// Index into [`ClassFacts::methods`].
    pub first: usize,
    /// Index into [`ClassFacts::methods`].
    pub second: usize,
    /// ⇌C with its evidence.
    pub conflict: Option<Conflict>,
    /// ⇌P: no lock protects both whole methods when both are called on the same object.
    pub parallel: bool,
    /// ⇌D with its evidence.
    pub double_lock: Option<Crossing>,
    /// Member of M_pc.
    pub mpc: bool,
}

/// How two accesses conflict.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictKind {
    /// One reads what the other writes: Definition 7.
    ReadWrite,
    /// Both only write. Definition 7 leaves this out; `precise` keeps it, since two methods that each write two
    /// locations can leave a mixture behind.
    WriteWrite,
}

/// Two accesses that touch the same location, at least one of them a write.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Conflict {
    /// Read against write, or write against write.
    pub kind: ConflictKind,
    /// Index into the first method's accesses.
    pub first_access: usize,
    /// Index into the second method's accesses.
    pub second_access: usize,
}

/// Two double locks in opposite order.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Crossing {
    /// Index into the first method's double locks.
    pub first_lock: usize,
    /// Index into the second method's double locks.
    pub second_lock: usize,
}
