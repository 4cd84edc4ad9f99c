//! What all strategies build with: objects under test, calls with arguments, state changers, finished candidates.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use raddle_classfile::descriptor::FieldType;
use raddle_plan::{Argument, Call, Invoke, MemberRef};
use raddle_program::{ClassId, Program};

use crate::callable::{self, Callable};
use crate::constructions::Construction;
use crate::fact_queries::{self, Touched};
use crate::filling::{is_about_content, names};
use crate::observer;
use crate::other_ways::{OtherWay, other_ways};
use crate::plan_draft::{PlanDraft, Role, call};
use crate::provenance;
use crate::rng::Rng;
use crate::target::{CannotTest, Target};
use crate::throw_history::ThrowHistory;
use crate::values::{Spot, Taste, Values, generic_parameters, ranks};
use crate::{Candidate, Evidence, Feedback, Mode};

/// Candidates that wait for feedback; who never answers is forgotten.
const MAX_PENDING: usize = 4096;

/// Times that the making of the objects may fail, after which what goes into it is drawn.
const MOST_MADE: usize = 8;
/// Plans in a row that are not made because their objects would be prepared by calls that are known to throw; all others
/// would be like them.
const MOST_LEFT_OUT: u64 = 300;

/// What is remembered of a candidate until its feedback comes.
struct Pending {
    members: Vec<MemberRef>,
    /// The calls of the prefix, and what the variables are that they keep.
    calls: Vec<Call>,
    kept: BTreeMap<String, (ClassId, Role)>,
    /// The last call of the prefix that makes an object under test, and in which way that was tried.
    made_at: Option<usize>,
    /// None if it was made in another way on purpose.
    made: Option<usize>,
    /// What the calls of the prefix depend on, each as a number.
    prefix: Vec<u64>,
    /// Which calls of the prefix keep nothing: they put something into the objects.
    fills: Vec<usize>,
}

impl Pending {
    /// Whether the objects are as they were made.
    fn is_fresh(&self) -> bool {
        self.fills.is_empty()
    }

    /// Whether a call may have thrown because less was put into the objects before than it asks for: who moves something from
    /// one account to another needs two.
    fn lacks_content(&self, at: usize, member: &MemberRef, exception: &str) -> bool {
        let before = self.fills.iter().filter(|fill| **fill < at).count();
        is_about_content(exception) && before < names(member)
    }
}

/// What feedback says about the candidate's making.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lesson {
    /// It ran as it was meant to.
    Ran,
    /// A call of a thread throws in whatever order, so that little was tried.
    Throws,
    /// A call threw that was given values of a kind that it may not understand; it will be given others.
    OtherKind,
    /// A call of a thread may have thrown because there is too little in the objects.
    WantsMore,
    /// It did not get to the threads at all.
    Spoiled,
}

/// The builder of plans for one class.
pub(crate) struct PlanBuilder<'p> {
    pub(crate) target: Target<'p>,
    callables: Vec<Callable>,
    /// Position in `callables` by the method's index.
    positions: BTreeMap<usize, usize>,
    pub(crate) constructions: Option<Arc<[Construction]>>,
    pub(crate) other_ways: Vec<OtherWay>,
    pub(crate) values: Values<'p>,
    /// How methods fared in threads.
    suffixes: ThrowHistory,
    touched: Vec<Touched>,
    changers: BTreeMap<(usize, usize), Arc<[usize]>>,
    observers: Vec<usize>,
    pending: BTreeMap<u64, Pending>,
    /// Hashes of all plans so far: no plan twice.
    known: BTreeSet<u64>,
    /// Calls of prefixes that threw, with all that they depend on: the same again would throw again.
    spoilt: BTreeSet<u64>,
    /// Plans that were not made for that, all in all and in a row.
    left_out: u64,
    left_out_in_a_row: u64,
    /// How often the making of the objects under test has failed: each time it is tried in another way.
    made: usize,
    /// What random choices follow from.
    seed_of_making: u64,
    next_number: u64,
}

impl<'p> PlanBuilder<'p> {
    pub(crate) fn new(target: Target<'p>, seed: u64) -> Result<PlanBuilder<'p>, CannotTest> {
        let Target {
            program,
            class,
            facts,
            ..
        } = target;
        let name = || program.name(class);
        let loaded = program
            .load(class)
            .map_err(|error| CannotTest::Load(std::sync::Arc::clone(error)))?;
        if loaded.access().is_interface() {
            return Err(CannotTest::Interface { class: name() });
        }
        if facts.methods.len() != program.public_methods(class).len() || facts.class != name() {
            return Err(CannotTest::OtherFacts {
                class: name(),
                facts: facts.class.clone(),
            });
        }
        if facts.methods.is_empty() {
            return Err(CannotTest::NoPublicMethods { class: name() });
        }
        let (mut callables, skipped) = callable::sort_out(program, class, facts);
        if callables.is_empty() {
            return Err(CannotTest::NothingCallable {
                class: name(),
                first: skipped
                    .first()
                    .map(|skipped| (skipped.signature.clone(), skipped.reason.clone())),
            });
        }
        let values = Values::new(program, class, seed);
        let constructions = if callables.iter().all(Callable::is_static) {
            None
        } else {
            match values.finder.constructions(class) {
                Ok(constructions) => Some(of_its_own(constructions)),
                Err(_) if target.has_seeds => None,
                Err(reason) => {
                    // What is static can be tested all the same.
                    callables.retain(Callable::is_static);
                    if callables.is_empty() {
                        return Err(CannotTest::NotConstructible { reason });
                    }
                    None
                }
            }
        };
        let positions = callables
            .iter()
            .enumerate()
            .map(|(position, method)| (method.index, position))
            .collect();
        let touched = fact_queries::touched(facts);
        let other_ways = constructions
            .as_ref()
            .map(|usual| other_ways(program, &values.finder, class, usual))
            .unwrap_or_default();
        let observers = if constructions.is_some() {
            observer::observers(program, facts, &callables, &touched)
        } else {
            Vec::new()
        };
        Ok(PlanBuilder {
            target,
            callables,
            positions,
            constructions,
            other_ways,
            values,
            suffixes: ThrowHistory::default(),
            touched,
            changers: BTreeMap::new(),
            observers,
            pending: BTreeMap::new(),
            known: BTreeSet::new(),
            spoilt: BTreeSet::new(),
            left_out: 0,
            left_out_in_a_row: 0,
            made: 0,
            seed_of_making: seed,
            next_number: 0,
        })
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.target.program
    }

    /// The methods a plan can call.
    pub(crate) fn callables(&self) -> &[Callable] {
        &self.callables
    }

    /// A method by its index, if a plan can call it.
    pub(crate) fn callable(&self, index: usize) -> Option<&Callable> {
        self.positions
            .get(&index)
            .and_then(|&position| self.callables.get(position))
    }

    /// Whether plans have objects under test at all.
    pub(crate) fn has_subject(&self) -> bool {
        self.constructions.is_some()
    }

    /// An object under test; `None` if it cannot be made, or if the class is tested through static methods only.
    pub(crate) fn subject(&mut self, draft: &mut PlanDraft, taste: Taste) -> Option<String> {
        if let Some(number) = self.values.circumstances.made_otherwise {
            return self.made_otherwise(draft, number, taste);
        }
        let constructions = Arc::clone(self.constructions.as_ref()?);
        // What worked once is done again: the same is drawn from the same source.
        let is_drawn = self.made > MOST_MADE && taste != Taste::Drawn;
        let rng = is_drawn.then(|| {
            std::mem::replace(
                &mut self.values.rng,
                Rng::new(self.seed_of_making + self.made as u64),
            )
        });
        let taste = match taste {
            Taste::Plain(shift) if !is_drawn => Taste::Plain(shift + self.made),
            _ => Taste::Drawn,
        };
        let made = self.make(&constructions, draft, taste);
        if let Some(rng) = rng {
            self.values.rng = rng;
        }
        made
    }

    fn make(
        &mut self,
        constructions: &[Construction],
        draft: &mut PlanDraft,
        taste: Taste,
    ) -> Option<String> {
        let construction = self.values.choose(constructions, taste)?.clone();
        self.follow(draft, construction, taste)
    }

    /// An object under test, made in this way.
    pub(crate) fn follow(
        &mut self,
        draft: &mut PlanDraft,
        construction: Construction,
        taste: Taste,
    ) -> Option<String> {
        // The object may be of a supertype as far as the construction says; it is what the test is about.
        let construction = Construction {
            gives: self.at_least(construction.gives),
            ..construction
        };
        self.values.follow(draft, &construction, taste, Role::Subject, 0)
    }

    fn at_least(&self, given: ClassId) -> ClassId {
        if self.program().is_subtype(given, self.target.class) == Some(true) {
            given
        } else {
            self.target.class
        }
    }

    /// Whether an object under test may be given as a parameter.
    pub(crate) fn fits(&self, parameter: &str) -> bool {
        match FieldType::parse(parameter) {
            Ok(FieldType::Object(name)) => {
                let wanted = self.program().class_id(name);
                self.has_subject() && self.program().is_subtype(self.target.class, wanted) == Some(true)
            }
            _ => false,
        }
    }

    /// The parameter of a method that another object under test goes to: the one that is asked for, else the last of
    /// those with the narrowest type.
    pub(crate) fn partner_parameter(&self, method: &Callable, wanted: Option<usize>) -> Option<usize> {
        let fitting: Vec<usize> = (0..method.parameters.len())
            .filter(|&at| self.fits(&method.parameters[at]))
            .collect();
        if let Some(wanted) = wanted.filter(|wanted| fitting.contains(wanted)) {
            return Some(wanted);
        }
        let is_anything = |at: &usize| method.parameters[*at] == "Ljava/lang/Object;";
        let narrow = fitting.iter().copied().rfind(|at| !is_anything(at));
        narrow.or(fitting.last().copied())
    }

    /// Whether some argument of a method can only be null.
    pub(crate) fn lacks_values(&self, index: usize) -> bool {
        let lacks = |parameter: &String| self.values.is_missing(parameter);
        self.callable(index)
            .is_none_or(|method| method.parameters.iter().any(lacks))
    }

    /// A call with arguments, some of which are given. What the arguments need goes to the prefix.
    pub(crate) fn call(
        &mut self,
        draft: &mut PlanDraft,
        index: usize,
        receiver: Option<&str>,
        placed: &[(usize, &str)],
        taste: Taste,
    ) -> Option<Call> {
        let method = self.callable(index)?.clone();
        let on = if method.is_static() { None } else { Some(receiver?) };
        let kind = self.values.learnt.kind(&method.member);
        let generics = generic_parameters(self.program(), &method.member);
        let mut arguments = Vec::new();
        for (at, (descriptor, rank)) in method
            .parameters
            .iter()
            .zip(ranks(&method.parameters))
            .enumerate()
        {
            if let Some((_, variable)) = placed.iter().find(|(place, _)| *place == at) {
                arguments.push(Argument::Var((*variable).to_owned()));
                continue;
            }
            if kind.is_own_kind()
                && descriptor == "Ljava/lang/Object;"
                && let Some(own) = self.own_kind(draft, at, taste)
            {
                arguments.push(Argument::Var(own));
                continue;
            }
            let spot = Spot {
                descriptor,
                rank,
                makes_object: false,
                receiver: on,
                kind,
                generic: generics.get(at).map_or("", String::as_str),
            };
            arguments.push(self.value_or_null(draft, spot, taste));
        }
        Some(call(method.invoke, method.member, on, arguments))
    }

    /// Some methods do take null, and those that do not say so.
    fn value_or_null(&mut self, draft: &mut PlanDraft, spot: Spot<'_>, taste: Taste) -> Argument {
        self.values.value(draft, spot, taste).unwrap_or(Argument::Null)
    }

    /// A call of a method of an object that is not under test, or of none.
    pub(crate) fn foreign_call(
        &mut self,
        draft: &mut PlanDraft,
        invoke: Invoke,
        member: MemberRef,
        on: Option<&str>,
        taste: Taste,
    ) -> Call {
        let parameters = crate::callable::parameters(&member.descriptor);
        let generics = generic_parameters(self.program(), &member);
        let kind = self.values.learnt.kind(&member);
        let mut arguments = Vec::new();
        for (at, (descriptor, rank)) in parameters.iter().zip(ranks(&parameters)).enumerate() {
            let spot = Spot {
                descriptor,
                rank,
                makes_object: invoke.makes_object(),
                receiver: None,
                kind,
                generic: generics.get(at).map_or("", String::as_str),
            };
            arguments.push(self.value_or_null(draft, spot, taste));
        }
        call(invoke, member, on, arguments)
    }

    /// An object of the class under test that is no object under test; the same for the same taste.
    fn own_kind(&mut self, draft: &mut PlanDraft, at: usize, taste: Taste) -> Option<String> {
        let shift = match taste {
            Taste::Plain(shift) => shift + at,
            Taste::Drawn => self.values.rng.below(3),
        };
        let class = self.target.class;
        let mut held = draft
            .held()
            .iter()
            .filter(|held| held.role == Role::Argument && held.class == class);
        if let Some(held) = held.nth(shift) {
            return Some(held.name.clone());
        }
        let constructions = Arc::clone(self.constructions.as_ref()?);
        let construction = self.values.choose(&constructions, taste)?.clone();
        let construction = Construction {
            gives: class,
            ..construction
        };
        self.values.follow(draft, &construction, taste, Role::Argument, 0)
    }

    /// Methods that change what either method of a pair reads, those that seem to put something in first. If there
    /// are none, any that write.
    pub(crate) fn changers(&mut self, first: usize, second: usize) -> Vec<usize> {
        let all = if let Some(known) = self.changers.get(&(first, second)) {
            Arc::clone(known)
        } else {
            let found = self.find_changers(first, second);
            self.changers.insert((first, second), Arc::clone(&found));
            found
        };
        let history = &self.values.throw_history;
        let is_bad = |index: &usize| {
            self.callable(*index)
                .is_none_or(|one| history.is_bad(&one.member))
        };
        let (bad, good): (Vec<usize>, Vec<usize>) = all.iter().partition(|index| is_bad(index));
        if good.is_empty() { bad } else { good }
    }

    fn find_changers(&self, first: usize, second: usize) -> Arc<[usize]> {
        let writers: Vec<&Callable> = self
            .callables
            .iter()
            .filter(|one| !one.is_static() && self.touches(one.index).writes_anything())
            .collect();
        let changes = |one: &&&Callable| {
            let own = self.touches(one.index);
            own.changes(self.touches(first)) || own.changes(self.touches(second))
        };
        let mut found: Vec<&Callable> = writers.iter().filter(changes).copied().collect();
        if found.is_empty() {
            found = writers;
        }
        // What is given nothing seldom puts something in.
        found.sort_by_key(|one| {
            let by_name = fact_queries::growth(one.name());
            let growth = if by_name == fact_queries::UNTOLD {
                by_name.min(self.growth_of_body(one))
            } else {
                by_name
            };
            (growth, one.parameters.is_empty(), one.parameters.len(), one.index)
        });
        found.into_iter().map(|one| one.index).collect()
    }

    /// Methods that tell what has become of an object, best first.
    pub(crate) fn observers(&self) -> &[usize] {
        &self.observers
    }

    /// Whether Java asks whoever calls a method to expect an exception.
    pub(crate) fn throws_checked(&self, index: usize) -> bool {
        let program = self.program();
        self.callable(index).is_none_or(|one| {
            let owner = program.class(one.declared_in);
            let method = owner.and_then(|owner| {
                let is_it = |method: &raddle_program::Method| {
                    program.text(method.name) == one.member.name
                        && program.text(method.descriptor) == one.member.descriptor
                };
                let at = owner.methods().iter().position(is_it)?;
                owner.file().methods().nth(at)
            });
            method.is_none_or(|method| method.declares_exceptions())
        })
    }

    /// What a method touches.
    pub(crate) fn touches(&self, index: usize) -> &Touched {
        static NOTHING: Touched = Touched::NOTHING;
        self.touched.get(index).unwrap_or(&NOTHING)
    }

    /// The same of all methods, by index.
    pub(crate) fn all_touched(&self) -> &[Touched] {
        &self.touched
    }

    /// Whether a method seems to throw whatever it is given.
    pub(crate) fn always_throws(&self, index: usize) -> bool {
        self.callable(index)
            .is_none_or(|one| self.suffixes.is_hopeless(&one.member))
    }

    /// The plan with its reason; `None` if it is no plan, or if there was an equal one.
    pub(crate) fn finish(
        &mut self,
        mut draft: PlanDraft,
        mode: Mode,
        pair: Option<(usize, usize)>,
        text: String,
    ) -> Option<Candidate> {
        if draft.threads.len() < 2 || draft.threads.iter().any(Vec::is_empty) {
            return None;
        }
        let subjects = draft.subjects();
        let makes = |call: &Call| call.bind.as_ref().is_some_and(|name| subjects.contains(name));
        let made_at = draft.prefix.iter().rposition(makes);
        let more = self.target.threads.saturating_sub(draft.threads.len());
        let again: Vec<Vec<Call>> = draft.threads.iter().cycle().take(more).cloned().collect();
        draft.threads.extend(again);
        let kept = draft.kept();
        let made = (!draft.is_made_otherwise).then_some(self.made);
        let class = self.program().name(self.target.class);
        let simple = class.rsplit('.').next().unwrap_or(&class);
        let plan = draft.finish(format!("{simple}: {text}"));
        plan.check().ok()?;
        let prefix = provenance::of(&plan.prefix);
        if prefix.iter().any(|call| self.spoilt.contains(call)) {
            self.left_out += 1;
            self.left_out_in_a_row += 1;
            // The same objects again: they are made in another way next time.
            if let Some(at) = made_at
                && made.is_some()
                && prefix.iter().take(at + 1).any(|call| self.spoilt.contains(call))
            {
                self.made += 1;
            }
            return None;
        }
        self.left_out_in_a_row = 0;
        if !self.known.insert(fingerprint(&plan)) {
            return None;
        }
        let number = self.next_number;
        self.next_number += 1;
        self.pending.insert(
            number,
            Pending {
                members: plan.calls().map(|(_, _, call)| call.member.clone()).collect(),
                calls: plan.prefix.clone(),
                kept,
                fills: (0..plan.prefix.len())
                    .filter(|at| plan.prefix[*at].bind.is_none())
                    .collect(),
                made_at,
                made,
                prefix,
            },
        );
        if self.pending.len() > MAX_PENDING {
            self.pending.pop_first();
        }
        Some(Candidate {
            number,
            plan,
            evidence: Evidence { mode, pair, text },
            predictions: Vec::new(),
        })
    }

    /// Learns from what came of a candidate.
    pub(crate) fn learn(&mut self, number: u64, feedback: &Feedback) -> Lesson {
        let Some(pending) = self.pending.remove(&number) else {
            return Lesson::Ran;
        };
        let prefix = pending.members.get(..pending.prefix.len()).unwrap_or_default();
        let history = &mut self.values.throw_history;
        if let Some((at, exception)) = &feedback.prefix_threw {
            self.spoilt.extend(pending.prefix.get(*at));
            self.values.cookbook.failed(&pending.calls, &pending.kept, *at);
            if pending.made_at.is_some_and(|made_at| *at <= made_at) && pending.made == Some(self.made) {
                self.made += 1;
            }
            for (call, member) in prefix.iter().enumerate() {
                match call.cmp(at) {
                    std::cmp::Ordering::Less => history.worked(member),
                    std::cmp::Ordering::Equal => history.failed(member),
                    std::cmp::Ordering::Greater => {}
                }
            }
            let is_other = prefix.get(*at).is_some_and(|member| {
                let is_no_news = pending.fills.contains(at) && pending.lacks_content(*at, member, exception);
                !is_no_news && self.values.failed(member, exception, feedback.wanted(*at))
            });
            return if is_other {
                Lesson::OtherKind
            } else {
                Lesson::Spoiled
            };
        }
        if feedback.refused.is_some() {
            // Nobody knows which call it was; those that are known to work are not harmed by one more mark.
            for member in prefix {
                history.failed(member);
            }
            return Lesson::Spoiled;
        }
        self.values.cookbook.worked(&pending.calls, &pending.kept);
        for member in prefix {
            history.worked(member);
            self.values.learnt.worked(member);
        }
        let (mut is_other, mut wants_more) = (false, false);
        let mut blamed: BTreeSet<&MemberRef> = BTreeSet::new();
        for (call, member) in pending.members.iter().enumerate().skip(prefix.len()) {
            if let Some((_, exception)) = feedback.always_throws.iter().find(|(at, _)| *at == call) {
                self.suffixes.failed(member);
                // With nothing in the object, any index is out of bounds.
                let lacks_content =
                    self.fills_objects(member) && pending.lacks_content(call, member, exception);
                wants_more |= lacks_content;
                let is_no_news = lacks_content || pending.is_fresh() && is_about_state(exception);
                // Two calls of one method were given the same kind.
                if !is_no_news && blamed.insert(member) {
                    is_other |= self.values.failed(member, exception, feedback.wanted(call));
                }
            } else {
                self.suffixes.worked(member);
                self.values.learnt.worked(member);
            }
        }
        if is_other {
            Lesson::OtherKind
        } else if wants_more {
            Lesson::WantsMore
        } else if feedback.always_throws.is_empty() {
            Lesson::Ran
        } else {
            Lesson::Throws
        }
    }

    /// Whether a method is given numbers that need not be indices of anything.
    pub(crate) fn has_plain_numbers(&self, index: usize) -> bool {
        self.callable(index)
            .is_some_and(|method| self.values.learnt.kind(&method.member).has_plain_numbers())
    }

    /// Whether nothing but plans that cannot prepare their objects would be made from here on.
    pub(crate) fn is_at_its_end(&self) -> bool {
        self.left_out_in_a_row >= MOST_LEFT_OUT
    }

    /// How many plans were not made because their objects would be prepared by calls that are known to throw.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The name of the class under test.
    pub(crate) fn class_name(&self) -> String {
        self.program().name(self.target.class)
    }

    /// The position of a member among the class's public methods, if a plan can call it.
    pub(crate) fn index_of(&self, member: &MemberRef) -> Option<usize> {
        let is_it = |method: &&Callable| {
            (&method.member.name, &method.member.descriptor) == (&member.name, &member.descriptor)
        };
        self.callables().iter().find(is_it).map(|method| method.index)
    }

    /// `append ⇌D append`.
    pub(crate) fn pair_text(&self, first: usize, relation: &str, second: usize) -> String {
        format!("{} {relation} {}", self.name(first), self.name(second))
    }

    /// Of a method; a question mark for one that cannot be called.
    pub(crate) fn name(&self, index: usize) -> &str {
        self.callable(index).map_or("?", Callable::name)
    }
}

/// Objects under test are those that the class's own code makes, as far as there are such.
fn of_its_own(constructions: Arc<[Construction]>) -> Arc<[Construction]> {
    let own: Vec<Construction> = constructions
        .iter()
        .filter(|construction| !construction.invoke.writes_class())
        .cloned()
        .collect();
    if own.is_empty() { constructions } else { own.into() }
}

/// Whether an exception may be about what the object holds, and not about the arguments.
fn is_about_state(exception: &str) -> bool {
    exception.ends_with("IndexOutOfBoundsException")
        || exception.ends_with("NoSuchElementException")
        || exception.ends_with("IllegalStateException")
}

/// The plan's calls as a number; its name does not count.
fn fingerprint(plan: &raddle_plan::TestPlan) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (_, part, call) in plan.calls() {
        (part.number(), &call.bind, &call.on, &call.member).hash(&mut hasher);
        format!("{:?} {:?}", call.args, call.methods).hash(&mut hasher);
    }
    hasher.finish()
}
