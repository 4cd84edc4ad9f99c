//! What a hunt is told: by the arguments, or by the hunt that is resumed.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use raddle_campaign::{ContractError, Contracts, HuntOptions, HuntTarget, Sharing, Strength, looks_shared};
use raddle_classpath::{ClassPath, Jdk, Origin};
use raddle_discover::invariants;
use raddle_execute::SessionOptions;
use raddle_generate::user_tests;
use raddle_program::{ClassId, Program, matches_name};
use raddle_report::{Bounds, HuntRequest, NotHunted};

use crate::failure::Failure;
use crate::hunt_arguments::{HuntArguments, absolute};
use crate::reached::reached;
use crate::targets::Target;

/// Classes that are hunted where a type is named that has no objects of its own.
const MOST_IMPLEMENTERS: usize = 6;

/// Opens JDK and class path, and says what the hunt is told: by the arguments, or by the hunt that is resumed.
pub(crate) fn set_up(
    arguments: &HuntArguments,
    earlier: Option<&HuntRequest>,
) -> Result<(Program, HuntOptions), Failure> {
    let class_path = match earlier {
        Some(earlier) => earlier.class_path.clone(),
        None => arguments.jvm.class_path().unwrap_or_default(),
    };
    let home = earlier.map(|earlier| earlier.jdk_home.as_path());
    let jdk = Jdk::locate(arguments.jvm.jdk.as_deref().or(home))?;
    let mut session = SessionOptions::new(jdk.home().to_owned())?;
    session.cage = earlier.map_or(!arguments.jvm.no_cage, |earlier| earlier.cage);
    session.require_cage = arguments.jvm.require_cage;
    session
        .unplugged
        .clone_from(earlier.map_or(&arguments.unplug, |earlier| &earlier.unplugged));
    session
        .opens
        .clone_from(earlier.map_or(&arguments.jvm.add_opens, |earlier| &earlier.opens));
    session.class_path = absolute(&class_path)?;
    let opened = ClassPath::open(&class_path, jdk.feature())?;
    session.readable = reached(&opened, &class_path)?;
    let mut options = match earlier {
        Some(earlier) => arguments.resumed_options(session, earlier),
        None => arguments.options(session),
    };
    let program = Program::new(jdk, opened);
    options.contracts = Arc::new(contracts(
        earlier.map_or(&arguments.contracts, |earlier| &earlier.contracts),
    )?);
    read_seeds(
        &program,
        earlier.map_or(&arguments.from_tests, |earlier| &earlier.seeds),
        &mut options,
    )?;
    Ok((program, options))
}

/// Contracts that come with Raddle, and those of the user's files.
fn contracts(files: &[PathBuf]) -> Result<Contracts, ContractError> {
    let mut contracts = Contracts::bundled()?;
    for file in files {
        contracts.add_file(file)?;
    }
    Ok(contracts)
}

/// Reads the sequential tests of these classes.
fn read_seeds(program: &Program, classes: &[String], options: &mut HuntOptions) -> Result<(), Failure> {
    for name in classes {
        let class = program.class_id(&name.replace('.', "/"));
        let read = user_tests::read(program, class)
            .map_err(|error| Failure::bad_input(vec![format!("--from-tests {name}: {error}")]))?;
        for seed in read.tests {
            let cut = seed.cut.map(|cut| format!("{} was read up to {cut}", seed.name));
            options.seed_notes.extend(cut);
            options.seed_tests.push(seed.plan);
        }
        let skipped = read.skipped.into_iter();
        options
            .seed_notes
            .extend(skipped.map(|(method, reason)| format!("{name}.{method} was not used: {reason}")));
    }
    if !classes.is_empty() && options.seed_tests.is_empty() {
        let reasons = options.seed_notes.join("; ");
        return Err(Failure::bad_input(vec![format!(
            "no test of --from-tests can be used: {reasons}"
        )]));
    }
    Ok(())
}

/// All that the hunt is told, for those who want to resume it.
pub(crate) fn request(
    arguments: &HuntArguments,
    earlier: Option<&HuntRequest>,
    options: &HuntOptions,
    program: &Program,
) -> io::Result<HuntRequest> {
    let jdk = program.jdk();
    Ok(HuntRequest {
        raddle: env!("CARGO_PKG_VERSION").to_owned(),
        jdk_version: jdk.version().to_owned(),
        jdk_home: jdk.home().to_owned(),
        class_path: options.session.class_path.clone(),
        class_path_fingerprint: format!("{:016x}", program.class_path().fingerprint()),
        classes: earlier
            .map_or(&arguments.classes, |earlier| &earlier.classes)
            .clone(),
        bounds: Bounds {
            budget_ms: u64::try_from(options.budget.as_millis()).unwrap_or(u64::MAX),
            max_plans: options.max_plans,
            max_findings: options.max_findings,
        },
        strategy: options.strategy.to_string(),
        seed: options.seed,
        seeds: earlier
            .map_or(&arguments.from_tests, |earlier| &earlier.seeds)
            .clone(),
        invariants: options.invariants.clone(),
        kinds: options.kinds.iter().copied().collect(),
        strict: options.is_strict,
        promise: earlier.map_or(arguments.promise, |earlier| earlier.promise),
        contracts: match earlier {
            Some(earlier) => earlier.contracts.clone(),
            None => absolute(&arguments.contracts)?,
        },
        stress: options.is_stress,
        threads: options.threads,
        jobs: options.jobs,
        stop_at_first: options.stop_at_first,
        confirm: options.stock_jvm,
        count_unconfirmed: arguments.count_unconfirmed,
        cage: options.session.cage,
        unplugged: options.session.unplugged.clone(),
        opens: options.session.opens.clone(),
        shard: earlier.map_or(arguments.part, |earlier| earlier.shard),
        project: earlier.map_or(&arguments.own, |earlier| &earlier.project).clone(),
    })
}

/// Of a project, the classes that are its own, and not those of its libraries.
pub(crate) fn of_project(program: &Program, targets: Vec<Target>, own: &[PathBuf]) -> Vec<Target> {
    let is_own = |target: &Target| {
        let class = program.class(target.id);
        class.is_some_and(|class| match class.origin() {
            Origin::Entry { path, .. } => own.iter().any(|own| **own == **path),
            Origin::Jdk { .. } => false,
        })
    };
    if own.is_empty() {
        return targets;
    }
    targets.into_iter().filter(is_own).collect()
}

/// Takes those out that the configuration excludes, unless they were named.
pub(crate) fn exclude(targets: Vec<Target>, patterns: &[String]) -> (Vec<Target>, Vec<NotHunted>) {
    let excluding = |target: &Target| {
        patterns
            .iter()
            .find(|pattern| !target.is_named && matches_name(pattern, &target.name))
    };
    let mut skipped = Vec::new();
    let mut left = Vec::new();
    for target in targets {
        match excluding(&target) {
            Some(pattern) => skipped.push(NotHunted {
                reason: format!("excluded by {pattern} in the configuration"),
                class: target.name,
            }),
            None => left.push(target),
        }
    }
    (left, skipped)
}

/// That every method that was named as an invariant is one of some class.
pub(crate) fn check_invariants(
    program: &Program,
    named: &[String],
    targets: &[Target],
) -> Result<(), Failure> {
    for name in named {
        let is_there = targets.iter().any(|target| {
            let found = invariants(program, target.id, std::slice::from_ref(name));
            found.iter().any(|invariant| invariant.name == *name)
        });
        if !is_there {
            return Err(no_invariant(name));
        }
    }
    Ok(())
}

/// That nothing of that name can be an invariant.
pub(crate) fn no_invariant(name: &str) -> Failure {
    Failure::bad_input(vec![format!(
        "--invariant {name}: no class has a public method {name}() that returns boolean or nothing"
    )])
}

/// The classes to hunt, and those that are passed over with the reason.
pub(crate) fn choose(
    program: &Program,
    contracts: &Contracts,
    asked: Option<Strength>,
    targets: &[Target],
) -> (Vec<HuntTarget>, Vec<NotHunted>) {
    let mut classes = Vec::new();
    let mut skipped = Vec::new();
    for target in targets {
        let by_default = if target.is_named {
            Strength::NoSign
        } else {
            Strength::Built
        };
        let least = asked.unwrap_or(by_default);
        let mut implementers = Vec::new();
        if target.is_named {
            implementers = raddle_generate::implementers(program, target.id);
        }
        let is_interface = program
            .class(target.id)
            .is_some_and(|class| class.access().is_interface());
        if !implementers.is_empty() && implementers.len() <= MOST_IMPLEMENTERS {
            if is_interface {
                let names: Vec<String> = implementers.iter().map(|one| program.name(*one)).collect();
                skipped.push(NotHunted {
                    class: target.name.clone(),
                    reason: format!("an interface; hunted in its place: {}", names.join(", ")),
                });
            }
            let is_new = |one: &ClassId| !targets.iter().any(|target| target.id == *one);
            let more = implementers.into_iter().filter(is_new);
            classes.extend(more.map(|class| HuntTarget { class, least }));
            if is_interface {
                continue;
            }
        }
        match looks_shared(program, contracts, target.id, least) {
            Sharing::Skipped(reason) if !target.is_named => skipped.push(NotHunted {
                class: target.name.clone(),
                reason,
            }),
            _ => classes.push(HuntTarget {
                class: target.id,
                least,
            }),
        }
    }
    (classes, skipped)
}

pub(crate) fn nothing_to_hunt(skipped: &[NotHunted]) -> Failure {
    let example = skipped
        .first()
        .map(|NotHunted { class, reason }| format!(" (the first is {class}: {reason})"))
        .unwrap_or_default();
    Failure::bad_input(vec![format!(
        "none of the {} classes that match looks meant to be shared by threads{example}; name a class to hunt it all \
         the same",
        skipped.len()
    )])
}
