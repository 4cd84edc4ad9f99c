//! Hand-made facts for tests.

use raddle_summary::{
    Access, AccessKind, AccessMode, ClassFacts, Conflict, Counts, Crossing, DoubleLock, MethodFacts,
    PairFacts, Place, Precision, UnknownCall,
};

use crate::Header;

pub(crate) fn header() -> Header {
    Header {
        tool: "raddle",
        version: "0.1.0",
        jdk_home: "/opt/jdk".to_owned(),
        jdk_version: "17.0.15".to_owned(),
    }
}

/// Three methods: `balance()` reads, `transfer(a.Account)` writes under two locks, `log(java.lang.String)` calls out.
pub(crate) fn account() -> ClassFacts {
    let balance = MethodFacts {
        accesses: vec![read("this.amount", place("balance()", 4, 11))],
        locks: vec!["this".to_owned()],
        ..method("balance()")
    };
    let transfer = MethodFacts {
        accesses: vec![
            read("this.amount", place("transfer(a.Account)", 6, 16)),
            write("this.amount", place("transfer(a.Account)", 9, 16)),
            Access {
                mode: AccessMode::Volatile,
                held: vec!["this".to_owned(), "to".to_owned()],
                via: Some(place("transfer(a.Account)", 14, 17)),
                ..write("to.amount", place("add(int)", 5, 30))
            },
        ],
        locks: vec!["this".to_owned()],
        double_locks: vec![DoubleLock {
            first: "this".to_owned(),
            second: "to".to_owned(),
            first_place: place("transfer(a.Account)", 0, 15),
            second_place: place("add(int)", 0, 29),
            via: None,
        }],
        ..method("transfer(a.Account)")
    };
    let log = MethodFacts {
        is_static: true,
        declared_in: "a.Logged".to_owned(),
        unknown_calls: vec![UnknownCall {
            callee: "a.Sink.put(java.lang.String)".to_owned(),
            reason: "class a.Sink is missing".to_owned(),
            place: Place {
                source: None,
                line: None,
                ..place("log(java.lang.String)", 3, 0)
            },
        }],
        ..method("log(java.lang.String)")
    };
    ClassFacts {
        class: "a.Account".to_owned(),
        origin: "bank.jar".to_owned(),
        precision: Precision::Precise,
        methods: vec![balance, transfer, log],
        pairs: vec![
            PairFacts {
                conflict: Some(Conflict {
                    kind: raddle_summary::ConflictKind::ReadWrite,
                    first_access: 0,
                    second_access: 1,
                }),
                mpc: true,
                ..pair(0, 1)
            },
            PairFacts {
                conflict: Some(Conflict {
                    kind: raddle_summary::ConflictKind::ReadWrite,
                    first_access: 0,
                    second_access: 2,
                }),
                double_lock: Some(Crossing {
                    first_lock: 0,
                    second_lock: 0,
                }),
                mpc: true,
                ..pair(1, 1)
            },
        ],
        counts: Counts {
            m: 6,
            mpc: 2,
            md: 1,
            union: 2,
        },
        missing: vec!["a.Sink".to_owned()],
    }
}

/// `count` methods without any fact, and the given (first, second, mpc, double-lock) pairs.
pub(crate) fn class_of(count: usize, pairs: &[(usize, usize, bool, bool)]) -> ClassFacts {
    let lock = DoubleLock {
        first: "this".to_owned(),
        second: "o".to_owned(),
        first_place: place("m()", 0, 1),
        second_place: place("m()", 5, 2),
        via: None,
    };
    let methods = (1..=count)
        .map(|number| MethodFacts {
            double_locks: vec![lock.clone()],
            ..method(&format!("m{number}()"))
        })
        .collect();
    let pairs: Vec<PairFacts> = pairs
        .iter()
        .map(|&(first, second, mpc, crosses)| PairFacts {
            mpc,
            double_lock: crosses.then_some(Crossing {
                first_lock: 0,
                second_lock: 0,
            }),
            ..pair(first, second)
        })
        .collect();
    let counts = Counts {
        m: count * (count + 1) / 2,
        mpc: pairs.iter().filter(|pair| pair.mpc).count(),
        md: pairs.iter().filter(|pair| pair.double_lock.is_some()).count(),
        union: pairs.len(),
    };
    ClassFacts {
        methods,
        pairs,
        counts,
        missing: Vec::new(),
        ..account()
    }
}

pub(crate) fn method(signature: &str) -> MethodFacts {
    MethodFacts {
        signature: signature.to_owned(),
        declared_in: "a.Account".to_owned(),
        is_static: false,
        accesses: Vec::new(),
        locks: Vec::new(),
        double_locks: Vec::new(),
        unknown_calls: Vec::new(),
    }
}

pub(crate) fn read(location: &str, place: Place) -> Access {
    Access {
        location: location.to_owned(),
        kind: AccessKind::Read,
        mode: AccessMode::Plain,
        held: vec!["this".to_owned()],
        place,
        via: None,
    }
}

pub(crate) fn write(location: &str, place: Place) -> Access {
    Access {
        kind: AccessKind::Write,
        ..read(location, place)
    }
}

pub(crate) fn place(method: &str, bci: u32, line: u16) -> Place {
    Place {
        class: "a.Account".to_owned(),
        method: method.to_owned(),
        bci,
        source: Some("Account.java".to_owned()),
        line: Some(line),
    }
}

fn pair(first: usize, second: usize) -> PairFacts {
    PairFacts {
        first,
        second,
        conflict: None,
        parallel: true,
        double_lock: None,
        mpc: false,
    }
}
