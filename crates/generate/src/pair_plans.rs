//! Plans about a pair of methods, in the shapes in which pairs are known to fail.

use std::collections::{BTreeMap, BTreeSet};

use raddle_plan::{Argument, Call};

use crate::callable::Callable;
use crate::fact_queries::{Root, crossings, root, share_content, share_statics};
use crate::plan_builder::PlanBuilder;
use crate::plan_draft::PlanDraft;
use crate::values::Taste;

/// Two methods, by their indices, and where the evidence says that they meet.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) first: usize,
    pub(crate) second: usize,
    /// The parameter of each that the evidence speaks of.
    pub(crate) parameters: (Option<usize>, Option<usize>),
    /// Whether the evidence speaks of an argument of one of them that is an object under test.
    pub(crate) meets_in_argument: bool,
    pub(crate) origin: Origin,
}

/// Why two methods are a pair.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The analysis says that they could hurt each other.
    Analysis,
    /// The second method is here to hand out an object.
    View,
    /// They are called on two objects that know each other.
    Kin,
    /// Nothing speaks for it but that the analysis can be wrong: it does not see what is called through elements, callbacks and
    /// reflection.
    Unseen,
}

impl Pair {
    /// A pair that the analysis says nothing of.
    pub(crate) fn beyond(first: usize, second: usize, origin: Origin) -> Pair {
        Pair {
            first,
            second,
            parameters: (None, None),
            meets_in_argument: false,
            origin,
        }
    }

    pub(crate) fn indices(self) -> (usize, usize) {
        (self.first, self.second)
    }
}

/// What objects under test hold before the threads start.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// This many elements each, equal in both; none leaves them as they were made.
    Elements(usize),
    /// Each the other.
    EachOther,
    /// Itself.
    Itself,
    /// What one call of that method puts in.
    By(usize),
}

/// How the calls of a pair share objects.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// a.m1(..) ∥ a.m2(..)
    Receiver,
    /// a.m1(a) ∥ a.m2(a)
    Itself,
    /// a.m1(b) ∥ b.m2(..)
    ArgumentOfFirst,
    /// b.m1(..) ∥ a.m2(b)
    ArgumentOfSecond,
    /// a.m1(c) ∥ b.m2(c)
    Argument,
    /// a.m1(..) ∥ b.m2(..), which meet in static state alone; the object of that side has been used before.
    Statics(usize),
}

/// The calls of the two threads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Suffixes {
    /// m1 ∥ m2
    Single,
    /// The same, with other values for m2 than for m1.
    Apart,
    /// The same values, but for m2 real numbers of the opposite sign, and texts of the other kind; impossible without such
    /// arguments.
    Opposite,
    /// m1 ∥ m2, where the method of that side has null for its first object.
    Null(usize),
    /// m1 ∥ c m2
    Before(usize),
    /// c m1 ∥ m2
    Ahead(usize),
    /// m1 ∥ m2 c
    After(usize),
    /// m1 m2 ∥ m2 m1
    Crossing,
    /// m1 m1 ∥ m2 m2
    Twice,
    /// m1 ∥ m2, where two arguments of m2 have changed places: (a, b) against (b, a).
    Swapped,
    /// m1 ∥ m2 m2 ∥ m1, or m1 m1 ∥ m2 ∥ m2: those of that side are two, and the other thread has something for both.
    Crowd(usize),
    /// m1 ∥ m2 with values beyond so many others; of two methods, the second has the first of those.
    Beyond(usize),
}

/// The pairs of M_d that a plan can call, with the parameters that are locked.
pub(crate) fn deadlock_pairs(builder: &PlanBuilder<'_>) -> Vec<Pair> {
    let facts = builder.target.facts;
    let parameter = |index: usize, lock: usize| {
        let double = facts.methods.get(index)?.double_locks.get(lock)?;
        let method = builder.callable(index)?;
        [&double.second, &double.first]
            .into_iter()
            .find_map(|lock| match root(method, lock) {
                Root::Parameter(at) => Some(at),
                _ => None,
            })
    };
    let mut pairs: Vec<Pair> = facts
        .pairs
        .iter()
        .filter_map(|pair| {
            let crossing = pair.double_lock?;
            builder.callable(pair.first)?;
            builder.callable(pair.second)?;
            Some(Pair {
                first: pair.first,
                second: pair.second,
                parameters: (
                    parameter(pair.first, crossing.first_lock),
                    parameter(pair.second, crossing.second_lock),
                ),
                meets_in_argument: false,
                origin: Origin::Analysis,
            })
        })
        .collect();
    put_overloads_last(builder, &mut pairs);
    pairs
}

/// Pairs without a word of the analysis that are tried.
const MOST_UNSEEN: usize = 40;

/// Pairs of which the analysis says nothing, those of methods that change something first.
pub(crate) fn unseen_pairs(builder: &PlanBuilder<'_>) -> Vec<Pair> {
    let facts = builder.target.facts;
    let known: BTreeSet<(usize, usize)> = facts
        .pairs
        .iter()
        .filter(|pair| pair.mpc || pair.double_lock.is_some())
        .flat_map(|pair| [(pair.first, pair.second), (pair.second, pair.first)])
        .collect();
    let of_objects: Vec<usize> = builder
        .callables()
        .iter()
        .filter(|method| !method.is_static())
        .map(|method| method.index)
        .collect();
    let writers = |pair: &Pair| {
        let writes = |index: usize| builder.touches(index).writes_anything();
        [pair.first, pair.second]
            .into_iter()
            .filter(|index| writes(*index))
            .count()
    };
    let mut pairs: Vec<Pair> = Vec::new();
    for (at, &first) in of_objects.iter().enumerate() {
        for &second in &of_objects[at..] {
            if !known.contains(&(first, second)) {
                pairs.push(Pair::beyond(first, second, Origin::Unseen));
            }
        }
    }
    pairs.retain(|pair| writers(pair) > 0);
    pairs.sort_by_key(|pair| 2 - writers(pair));
    pairs.truncate(MOST_UNSEEN);
    pairs
}

/// Overloads mostly do the same in the end: one pair of two names goes before the second of the same names.
fn put_overloads_last(builder: &PlanBuilder<'_>, pairs: &mut [Pair]) {
    let mut seen: BTreeMap<[&str; 2], usize> = BTreeMap::new();
    let ranks: BTreeMap<(usize, usize), usize> = pairs
        .iter()
        .map(|pair| {
            let mut names = [pair.first, pair.second].map(|index| builder.name(index));
            names.sort_unstable();
            let rank = seen.entry(names).or_default();
            *rank += 1;
            (pair.indices(), *rank)
        })
        .collect();
    pairs.sort_by_key(|pair| ranks.get(&pair.indices()).copied());
}

/// Accesses to the same locations that make a pair worth trying before others.
const ENOUGH: usize = 6;

/// The pairs of M_pc that a plan can call, with the parameters that are touched. Those that touch most of what the other
/// touches come first.
pub(crate) fn conflict_pairs(builder: &PlanBuilder<'_>) -> Vec<Pair> {
    let facts = builder.target.facts;
    let parameter = |index: usize, access: Option<usize>| {
        let access = facts.methods.get(index)?.accesses.get(access?)?;
        match root(builder.callable(index)?, &access.location) {
            Root::Parameter(at) => Some(at),
            _ => None,
        }
    };
    let mut pairs: Vec<Pair> = facts
        .pairs
        .iter()
        .filter(|pair| pair.mpc)
        .filter_map(|pair| {
            builder.callable(pair.first)?;
            builder.callable(pair.second)?;
            let conflict = pair.conflict;
            Some(Pair {
                first: pair.first,
                second: pair.second,
                parameters: (
                    parameter(pair.first, conflict.map(|conflict| conflict.first_access)),
                    parameter(pair.second, conflict.map(|conflict| conflict.second_access)),
                ),
                meets_in_argument: false,
                origin: Origin::Analysis,
            })
        })
        .collect();
    for pair in &mut pairs {
        let sharing = builder.sharing(*pair);
        pair.meets_in_argument = matches!(sharing, Sharing::ArgumentOfFirst | Sharing::ArgumentOfSecond);
    }
    // Beyond that, more accesses only mean longer runs.
    pairs.sort_by_cached_key(|pair| {
        let (one, other) = (builder.touches(pair.first), builder.touches(pair.second));
        std::cmp::Reverse((share_content(one, other), crossings(one, other).min(ENOUGH)))
    });
    put_overloads_last(builder, &mut pairs);
    pairs
}

impl PlanBuilder<'_> {
    /// How many methods of the pair take an object under test as an argument.
    pub(crate) fn takers(&self, pair: Pair) -> usize {
        let takes = |index: &usize| {
            self.callable(*index)
                .is_some_and(|method| self.partner_parameter(method, None).is_some())
        };
        [pair.first, pair.second]
            .iter()
            .filter(|index| takes(index))
            .count()
    }

    /// Whether a method of the pair asks for its own kind, and not just for anything.
    pub(crate) fn takes_own_kind(&self, pair: Pair) -> bool {
        [pair.first, pair.second].into_iter().any(|index| {
            self.callable(index).is_some_and(|method| {
                let mut parameters = method.parameters.iter();
                parameters.any(|parameter| parameter != "Ljava/lang/Object;" && self.fits(parameter))
            })
        })
    }

    /// Whether calls on two objects that know nothing of each other can meet in static state.
    pub(crate) fn meets_in_statics(&self, pair: Pair) -> bool {
        let is_of_object = |index: usize| self.callable(index).is_some_and(|method| !method.is_static());
        is_of_object(pair.first)
            && is_of_object(pair.second)
            && share_statics(self.touches(pair.first), self.touches(pair.second))
    }

    /// The way of sharing that the evidence of a conflict speaks of.
    pub(crate) fn sharing(&self, pair: Pair) -> Sharing {
        let fits = |index: usize, at: usize| {
            self.callable(index)
                .and_then(|method| method.parameters.get(at))
                .is_some_and(|parameter| self.fits(parameter))
        };
        match pair.parameters {
            (Some(_), Some(_)) => Sharing::Argument,
            (Some(at), None) if fits(pair.first, at) => Sharing::ArgumentOfFirst,
            (None, Some(at)) if fits(pair.second, at) => Sharing::ArgumentOfSecond,
            _ => Sharing::Receiver,
        }
    }

    /// a.m1(b) ∥ b.m2(a), each in a state that makes them look into each other.
    pub(crate) fn crosswise(&mut self, pair: Pair, content: Content, taste: Taste) -> Option<PlanDraft> {
        let mut draft = PlanDraft::default();
        if !self.has_subject() {
            return None;
        }
        let a = self.subject(&mut draft, taste)?;
        let b = self.subject(&mut draft, taste)?;
        self.fill(&mut draft, pair, content, &[&a, &b], taste)?;
        let (first, second) = pair.parameters;
        let one = self.call_with(&mut draft, pair.first, &a, &b, first, taste)?;
        let other = self.call_with(&mut draft, pair.second, &b, &a, second, taste)?;
        draft.threads = vec![vec![one], vec![other]];
        Some(draft)
    }

    /// Gives objects under test their content.
    pub(crate) fn fill(
        &mut self,
        draft: &mut PlanDraft,
        pair: Pair,
        content: Content,
        objects: &[&str],
        taste: Taste,
    ) -> Option<()> {
        match content {
            Content::Elements(count) => {
                for element in 0..count {
                    let taste = shifted(taste, element);
                    let changers = self.changers(pair.first, pair.second);
                    let changer = match taste {
                        Taste::Plain(_) => changers.first().copied(),
                        Taste::Drawn => changers.get(self.values.rng.small(changers.len())).copied(),
                    }?;
                    for object in objects {
                        let call = self.call(draft, changer, Some(object), &[], taste)?;
                        draft.prefix.push(call);
                    }
                }
            }
            Content::EachOther => {
                let &[a, b] = objects else {
                    return None;
                };
                self.put_into(draft, pair, &[(a, b), (b, a)], taste)?;
            }
            Content::By(index) => {
                for object in objects {
                    let call = self.call(draft, index, Some(object), &[], taste)?;
                    draft.prefix.push(call);
                }
            }
            Content::Itself => {
                let held: Vec<(&str, &str)> = objects.iter().map(|&object| (object, object)).collect();
                self.put_into(draft, pair, &held, taste)?;
            }
        }
        Some(())
    }

    /// Puts objects under test into others, which come first.
    fn put_into(
        &mut self,
        draft: &mut PlanDraft,
        pair: Pair,
        held: &[(&str, &str)],
        taste: Taste,
    ) -> Option<()> {
        let changers = self.changers(pair.first, pair.second);
        let (changer, at) = changers.into_iter().find_map(|index| {
            let method = self.callable(index)?;
            // A value, not a key: the last one.
            let fits = |at: &usize| self.fits(&method.parameters[*at]);
            let at = (0..method.parameters.len()).rev().find(fits)?;
            Some((index, at))
        })?;
        for (holder, held) in held {
            let call = self.call(draft, changer, Some(holder), &[(at, held)], taste)?;
            draft.prefix.push(call);
        }
        Some(())
    }

    /// A call of one object with another as its argument, if it takes one. A static method that takes two gets both.
    fn call_with(
        &mut self,
        draft: &mut PlanDraft,
        index: usize,
        own: &str,
        other: &str,
        wanted: Option<usize>,
        taste: Taste,
    ) -> Option<Call> {
        let method = self.callable(index)?;
        let placed: Vec<(usize, &str)> = if method.is_static() {
            let fitting = (0..method.parameters.len()).filter(|&at| self.fits(&method.parameters[at]));
            fitting.zip([own, other]).collect()
        } else {
            let at = self.partner_parameter(method, wanted);
            at.map(|at| (at, other)).into_iter().collect()
        };
        self.call(draft, index, Some(own), &placed, taste)
    }

    /// A test of a conflict, with calls that look at the outcome.
    pub(crate) fn meeting(
        &mut self,
        pair: Pair,
        sharing: Sharing,
        content: Content,
        suffixes: Suffixes,
        taste: Taste,
    ) -> Option<PlanDraft> {
        let mut draft = PlanDraft::default();
        if !self.has_subject() {
            let calls = self.thread_calls(&mut draft, pair, suffixes, [None; 2], [None; 2], taste)?;
            draft.threads = calls;
            // What is static is asked for by what the threads gave it.
            let unseen = self.observe_keys(&mut draft, None);
            self.observe_unseen(&mut draft, None, &unseen);
            return Some(draft);
        }
        let a = self.subject(&mut draft, taste)?;
        let mut objects = vec![a.clone()];
        let (receivers, partners) = match sharing {
            Sharing::Receiver => ([a.clone(), a.clone()], [None, None]),
            Sharing::Itself => ([a.clone(), a.clone()], [Some(a.clone()), Some(a.clone())]),
            Sharing::ArgumentOfFirst => {
                let b = self.subject(&mut draft, taste)?;
                objects.push(b.clone());
                ([a.clone(), b.clone()], [Some(b), None])
            }
            Sharing::ArgumentOfSecond => {
                let b = self.subject(&mut draft, taste)?;
                objects.push(b.clone());
                ([b.clone(), a.clone()], [None, Some(b)])
            }
            Sharing::Argument => {
                let b = self.subject(&mut draft, taste)?;
                objects.push(b.clone());
                let takes = |index: usize, at: Option<usize>| {
                    self.callable(index)
                        .zip(at)
                        .and_then(|(method, at)| method.parameters.get(at))
                        .is_some_and(|parameter| self.fits(parameter))
                };
                let both = takes(pair.first, pair.parameters.0) && takes(pair.second, pair.parameters.1);
                let shared = if both {
                    let c = self.subject(&mut draft, taste)?;
                    objects.push(c.clone());
                    Some(c)
                } else {
                    None
                };
                ([a.clone(), b], [shared.clone(), shared])
            }
            Sharing::Statics(_) => {
                let b = self.subject(&mut draft, taste)?;
                objects.push(b.clone());
                ([a.clone(), b], [None, None])
            }
        };
        let names: Vec<&str> = match sharing {
            Sharing::Statics(side) => vec![receivers.get(side)?],
            _ => objects.iter().map(String::as_str).collect(),
        };
        self.fill(&mut draft, pair, content, &names, taste)?;
        let receivers = receivers.each_ref().map(|name| Some(name.as_str()));
        let placed = partners.each_ref().map(|name| name.as_deref());
        draft.threads = self.thread_calls(&mut draft, pair, suffixes, receivers, placed, taste)?;
        if content == Content::Itself {
            // Nothing but a walk through all that is in it tells whether it is still in itself.
            self.observe_hash(&mut draft, &objects);
        } else {
            let is_plain = sharing != Sharing::Itself;
            self.observe_objects(&mut draft, &objects, &[pair.first, pair.second], is_plain);
        }
        Some(draft)
    }

    /// The parameter of a method that null says something to: take it away again.
    pub(crate) fn nullable(&self, index: usize) -> Option<usize> {
        self.callable(index)
            .filter(|method| method.name().starts_with("set"))?
            .parameters
            .iter()
            .position(|parameter| parameter.starts_with(['L', '[']))
    }

    fn thread_calls(
        &mut self,
        draft: &mut PlanDraft,
        pair: Pair,
        suffixes: Suffixes,
        receivers: [Option<&str>; 2],
        partners: [Option<&str>; 2],
        taste: Taste,
    ) -> Option<Vec<Vec<Call>>> {
        let (first, second) = pair.indices();
        // Which method, and on which side.
        let plan: Vec<(usize, Vec<usize>)> = match suffixes {
            Suffixes::Before(other) => vec![(0, vec![first]), (1, vec![other, second])],
            Suffixes::Ahead(other) => vec![(0, vec![other, first]), (1, vec![second])],
            Suffixes::After(other) => vec![(0, vec![first]), (1, vec![second, other])],
            Suffixes::Crossing => vec![(0, vec![first, second]), (1, vec![second, first])],
            Suffixes::Twice => vec![(0, vec![first, first]), (1, vec![second, second])],
            Suffixes::Crowd(0) => vec![(0, vec![first]), (1, vec![second; 2]), (0, vec![first])],
            Suffixes::Crowd(_) => vec![(0, vec![first; 2]), (1, vec![second]), (1, vec![second])],
            _ => vec![(0, vec![first]), (1, vec![second])],
        };
        let mut threads = Vec::new();
        for (thread, (side, methods)) in plan.into_iter().enumerate() {
            draft.enter_thread(Some(thread));
            let mut calls = Vec::new();
            for (step, index) in methods.into_iter().enumerate() {
                let wanted = if index == first && side == 0 {
                    pair.parameters.0
                } else {
                    pair.parameters.1
                };
                let at = self
                    .callable(index)
                    .and_then(|method| self.partner_parameter(method, wanted));
                let placed: Vec<(usize, &str)> = at.zip(partners[side]).into_iter().collect();
                // A second call of the same thread with other values than the first, unless it is there for what a third
                // method does to the pair: that is about the same key.
                let has_key = self
                    .callable(index)
                    .and_then(|method| method.parameters.first())
                    .is_some_and(|first| first.starts_with('L'));
                let apart = match suffixes {
                    Suffixes::Apart => side,
                    Suffixes::Beyond(count) if side == 0 => count,
                    Suffixes::Beyond(count) if first == second => count + 1,
                    Suffixes::Before(_) | Suffixes::Ahead(_) | Suffixes::After(_) if has_key => 0,
                    _ => step,
                };
                let taste = shifted(taste, apart);
                let mut call = self.call(draft, index, receivers[side], &placed, taste)?;
                if suffixes == Suffixes::Opposite && side == 1 && !turn_round(&mut call.args) {
                    return None;
                }
                let is_twin = first == second && side == 1 && suffixes == Suffixes::Single;
                if is_twin && self.has_plain_numbers(index) {
                    tell_apart(&mut call.args);
                }
                if taste != Taste::Drawn && suffixes != Suffixes::Swapped {
                    self.sign(index, &mut call.args, side);
                }
                if suffixes == Suffixes::Swapped && side == 1 && !swap(&mut call.args) {
                    return None;
                }
                if suffixes == Suffixes::Null(side) {
                    *call.args.get_mut(self.nullable(index)?)? = Argument::Null;
                }
                calls.push(call);
            }
            threads.push(calls);
        }
        draft.enter_thread(None);
        Some(threads)
    }

    /// Makes a text that goes under a key another one in each thread, and than before the threads, so that it can be seen whose
    /// is there in the end. Only where any object will do: elsewhere the text may have to mean something.
    fn sign(&self, method: usize, args: &mut [Argument], side: usize) {
        let is_any = |method: &Callable| {
            method.parameters.len() > 1
                && method
                    .parameters
                    .last()
                    .is_some_and(|last| last == "Ljava/lang/Object;")
        };
        if self.callable(method).is_some_and(is_any)
            && let Some(Argument::String(text)) = args.last_mut()
        {
            text.push(if side == 0 { 'x' } else { 'y' });
        }
    }
}

/// Makes the number at the end another one, so that it can be seen whose update was lost. What comes after it may say how it is
/// meant; a number before something else is a key, and both threads are to have the same.
pub(crate) fn tell_apart(args: &mut [Argument]) {
    let is_manner =
        |argument: &&mut Argument| matches!(argument, Argument::Boolean(_) | Argument::Enum { .. });
    match args.iter_mut().rev().find(|argument| !is_manner(argument)) {
        Some(Argument::Byte(value)) => *value = value.wrapping_add(1),
        Some(Argument::Short(value)) => *value = value.wrapping_add(1),
        Some(Argument::Int(value)) => *value = value.wrapping_add(1),
        Some(Argument::Long(value)) => *value = value.wrapping_add(1),
        _ => {}
    }
}

/// The variables among the arguments of a call.
pub(crate) fn variables(call: &Call) -> Vec<String> {
    let names = call.args.iter().filter_map(|argument| match argument {
        Argument::Var(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// Makes two arguments of one kind change places; false if there are none that differ.
fn swap(args: &mut [Argument]) -> bool {
    let is_value = |argument: &Argument| {
        matches!(
            argument,
            Argument::Int(_)
                | Argument::Long(_)
                | Argument::String(_)
                | Argument::Var(_)
                | Argument::Enum { .. }
        )
    };
    for second in 1..args.len() {
        for first in 0..second {
            let (one, other) = (&args[first], &args[second]);
            let is_kind = std::mem::discriminant(one) == std::mem::discriminant(other);
            if is_value(one) && is_kind && one != other {
                args.swap(first, second);
                return true;
            }
        }
    }
    false
}

/// Turns the signs of real numbers, and takes a number for a word and a word for a number; false if there are neither.
fn turn_round(args: &mut [Argument]) -> bool {
    let mut is_changed = false;
    for argument in args {
        match argument {
            Argument::Double(bits) => *bits = (-f64::from_bits(*bits)).to_bits(),
            Argument::Float(bits) => *bits = (-f32::from_bits(*bits)).to_bits(),
            Argument::String(text) if text.parse::<f64>().is_ok() => "a".clone_into(text),
            Argument::String(text) => "1".clone_into(text),
            _ => continue,
        }
        is_changed = true;
    }
    is_changed
}

pub(crate) fn shifted(taste: Taste, by: usize) -> Taste {
    match taste {
        Taste::Plain(shift) => Taste::Plain(shift + by),
        Taste::Drawn => Taste::Drawn,
    }
}
