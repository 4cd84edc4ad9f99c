//! What the field and method references of a class ask for.

use std::borrow::Cow;
use std::sync::Arc;

use raddle_classfile::descriptor::{FieldType, MethodType};
use raddle_classfile::{AccessFlags, ClassFile, Kind, MemberRef};
use raddle_plan::Target;
use rustc_hash::FxHashMap;

use crate::effects::{Effect, Effects, Touch};
use crate::hook::Hook;
use crate::pool::Appendix;
use crate::site::SiteKind;
use crate::tier::Tier;

/// The references of one class, each looked at once.
pub(crate) struct Refs<'a> {
    class: &'a ClassFile,
    effects: &'a Effects,
    uninitialised: &'a [String],
    name: Cow<'a, str>,
    // For every pool index one more than the position in `known`; 0 when it was not asked for yet.
    positions: Vec<u16>,
    known: Vec<Meaning>,
    // The fields of the class itself. Made when the first is asked for.
    fields: Option<FxHashMap<Signature<'a>, AccessFlags>>,
}

/// Name and descriptor.
type Signature<'a> = (Cow<'a, str>, Cow<'a, str>);

#[derive(Clone, Debug)]
enum Meaning {
    Nothing,
    Field(Field),
    Call(Call),
}

/// A field whose accesses are hooked.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Whether its values take two slots.
    pub(crate) is_wide: bool,
    /// Whether the reference names the class itself.
    pub(crate) is_own: bool,
    /// Known when the class itself declares the field.
    pub(crate) volatile: Option<bool>,
    pub(crate) target: Arc<Target>,
}

/// A method whose calls are hooked.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Whether it is hooked when it is called with `invokestatic`; if not, then with `invokevirtual` or
    /// `invokespecial`.
    pub(crate) is_static: bool,
    pub(crate) action: Action,
    pub(crate) target: Arc<Target>,
}

/// What becomes of a call.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The hook is called instead.
    Replace(Hook, SiteKind),
    /// The receiver, which is on top of the stack, goes to a hook first.
    Announce(Hook, SiteKind),
    /// Some of the arguments go to the hook for atomic accesses first.
    Atomic(Arc<Operands>),
    /// The code that is called is not interleaved, so that what it touches is told before.
    Opaque(Arc<Opaque>),
    /// An object that is given as the first argument is read or written, wherever in it.
    Reflect(Arc<Reflect>),
}

/// A reflective access.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reflect {
    /// All arguments without the receiver; the first is the object.
    pub(crate) arguments: Box<[Kind]>,
    pub(crate) writes: bool,
}

/// What is told of a call of code that is not interleaved.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Opaque {
    /// Arguments without the receiver, and whether they are arrays.
    pub(crate) arguments: Box<[(Kind, bool)]>,
    /// What is done to the receiver, or to the static state of the class.
    pub(crate) state: Touch,
    /// Whether elements of the arrays may be written.
    pub(crate) stores_elements: bool,
}

impl Opaque {
    fn new(descriptor: &str, effect: Effect) -> Option<Opaque> {
        let method = MethodType::parse(descriptor).ok()?;
        let is_array = |parameter: &FieldType| matches!(parameter, FieldType::Array(_));
        let arguments: Box<[(Kind, bool)]> = method
            .parameters
            .iter()
            .map(|parameter| (parameter.kind(), is_array(parameter)))
            .collect();
        let is_told = effect.state != Touch::Nothing || arguments.iter().any(|(_, is_array)| *is_array);
        is_told.then_some(Opaque {
            arguments,
            state: effect.state,
            stores_elements: effect.stores_elements,
        })
    }
}

/// The arguments of a call that accesses a variable.
#[derive(Debug)]
pub(crate) struct Operands {
    /// All arguments without the receiver.
    pub(crate) kinds: Box<[Kind]>,
    /// Whether the first argument is the object the variable is in.
    pub(crate) has_base: bool,
    /// The type of the second argument when that says where in the object it is.
    pub(crate) offset: Option<Kind>,
}

impl Action {
    /// Whether it is about data, which some classes are not asked for.
    pub(crate) fn is_data(&self) -> bool {
        matches!(
            self,
            Action::Atomic(_)
                | Action::Opaque(_)
                | Action::Reflect(_)
                | Action::Announce(_, SiteKind::Clone)
                | Action::Replace(_, SiteKind::ArrayCopy)
        )
    }
}

const SYSTEM: &str = "java/lang/System";
const THREAD: &str = "java/lang/Thread";
const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";

fn is_unsafe(class: &str) -> bool {
    matches!(class, "jdk/internal/misc/Unsafe" | "sun/misc/Unsafe")
}

impl<'a> Refs<'a> {
    pub(crate) fn new(class: &'a ClassFile, effects: &'a Effects, uninitialised: &'a [String]) -> Self {
        Refs {
            class,
            effects,
            uninitialised,
            name: class.name(),
            positions: vec![0; usize::from(class.pool().len())],
            known: Vec::new(),
            fields: None,
        }
    }

    /// The field, if accesses to it are hooked.
    pub(crate) fn field(&mut self, index: u16) -> Option<&Field> {
        match self.meaning(index, Refs::field_meaning)? {
            Meaning::Field(field) => Some(field),
            _ => None,
        }
    }

    /// The method, if calls of it are hooked.
    pub(crate) fn call(&mut self, index: u16) -> Option<&Call> {
        match self.meaning(index, Refs::call_meaning)? {
            Meaning::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The class, and the name of the static member, if an instruction with this member is one that initialises the class
    /// where a run is to see that. A class's own code runs when that has begun.
    pub(crate) fn initialising_member(&self, index: u16) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
        if self.uninitialised.is_empty() {
            return None;
        }
        let member = self.class.pool().member_ref(index).ok()?;
        self.is_initialised_by_use(&member.class)
            .then_some((member.class, member.name))
            .filter(|(_, name)| Appendix::is_plain(name))
    }

    /// The same for a class that objects are made of.
    pub(crate) fn initialising_class(&self, index: u16) -> Option<Cow<'a, str>> {
        if self.uninitialised.is_empty() {
            return None;
        }
        let class = self.class.pool().class_name(index).ok()?;
        self.is_initialised_by_use(&class).then_some(class)
    }

    fn is_initialised_by_use(&self, class: &str) -> bool {
        class != self.name && self.uninitialised.iter().any(|name| name == class) && Appendix::is_plain(class)
    }

    /// Whether the entry is a constructor.
    pub(crate) fn is_constructor(&self, index: u16) -> bool {
        let member = self.class.pool().member_ref(index);
        member.is_ok_and(|member| member.name == "<init>")
    }

    /// Whether the entry is a constructor of the class or of its superclass.
    pub(crate) fn is_own_constructor(&self, index: u16) -> bool {
        self.class
            .pool()
            .member_ref(index)
            .is_ok_and(|member| member.name == "<init>" && self.is_own_or_super(&member.class))
    }

    /// Whether the entry is the class or its superclass.
    pub(crate) fn is_own_class(&self, index: u16) -> bool {
        self.class
            .pool()
            .class_name(index)
            .is_ok_and(|name| self.is_own_or_super(&name))
    }

    fn is_own_or_super(&self, name: &str) -> bool {
        name == self.name || self.class.super_name().is_some_and(|parent| name == parent)
    }

    fn meaning(&mut self, index: u16, find: fn(&mut Self, &MemberRef<'a>) -> Meaning) -> Option<&Meaning> {
        let position = self.positions.get(usize::from(index)).copied()?;
        if position == 0 {
            let meaning = match self.class.pool().member_ref(index) {
                Ok(member) => find(self, &member),
                Err(_) => Meaning::Nothing,
            };
            // There are fewer references than pool indices, so that the position fits.
            self.known.push(meaning);
            *self.positions.get_mut(usize::from(index))? = self.known.len() as u16;
            return self.known.last();
        }
        self.known.get(usize::from(position) - 1)
    }

    fn field_meaning(&mut self, member: &MemberRef<'a>) -> Meaning {
        let Ok(field_type) = FieldType::parse(&member.descriptor) else {
            return Meaning::Nothing;
        };
        let is_wide = field_type.slots() == 2;
        let is_own = member.class == self.name;
        let access = if is_own {
            self.declared(member.name.clone(), member.descriptor.clone())
        } else {
            None
        };
        if access.is_some_and(AccessFlags::is_final) {
            return Meaning::Nothing;
        }
        let owner = member.class.replace('/', ".");
        Meaning::Field(Field {
            is_wide,
            is_own,
            volatile: access.map(AccessFlags::is_volatile),
            target: Arc::new(Target::field(&owner, &member.name, &member.descriptor)),
        })
    }

    fn declared(&mut self, name: Cow<'a, str>, descriptor: Cow<'a, str>) -> Option<AccessFlags> {
        let class = self.class;
        self.fields
            .get_or_insert_with(|| {
                class
                    .fields()
                    .map(|field| ((field.name(), field.descriptor()), field.access()))
                    .collect()
            })
            .get(&(name, descriptor))
            .copied()
    }

    fn call_meaning(&mut self, member: &MemberRef<'a>) -> Meaning {
        let Some((is_static, action)) = self.action(member) else {
            return Meaning::Nothing;
        };
        let owner = member.class.replace('/', ".");
        Meaning::Call(Call {
            is_static,
            action,
            target: Arc::new(Target::method(&owner, &member.name, &member.descriptor)),
        })
    }

    /// The hook that stands in for a static method where a method handle refers to it.
    pub(crate) fn by_handle(&self, member: &MemberRef<'_>) -> Option<Hook> {
        match self.action(member)? {
            (true, Action::Replace(hook, _)) => hook.by_handle(),
            _ => None,
        }
    }

    /// Whether the method is a final one of `Object`, whatever class or interface the call names.
    pub(crate) fn is_of_object(&self, index: u16) -> bool {
        let member = self.class.pool().member_ref(index);
        member.is_ok_and(|member| on_any_object(&member.name, &member.descriptor).is_some())
    }

    /// What becomes of a call, and whether it must be a static one.
    fn action(&self, member: &MemberRef<'_>) -> Option<(bool, Action)> {
        use Action::{Announce, Replace};
        let (class, name, descriptor) = (&*member.class, &*member.name, &*member.descriptor);
        if let Some(found) = on_any_object(name, descriptor) {
            return Some((false, found));
        }
        if class.starts_with('[') {
            let clones = name == "clone" && descriptor == "()Ljava/lang/Object;";
            return clones.then_some((false, Announce(Hook::Read, SiteKind::Clone)));
        }
        if class == VAR_HANDLE {
            return var_handle(name, descriptor).map(|operands| (false, Action::Atomic(Arc::new(operands))));
        }
        if is_unsafe(class) {
            return unsafe_action(name, descriptor).map(|action| (false, action));
        }
        Some(match (class, name, descriptor) {
            (SYSTEM, "nanoTime", "()J") if self.name == "java/util/ImmutableCollections" => {
                (true, Replace(Hook::Salt, SiteKind::Time))
            }
            // How long it takes to load a class is counted, and nobody's behaviour depends on it.
            (SYSTEM, "nanoTime", "()J") if self.name == "java/lang/ClassLoader" => {
                (true, Replace(Hook::Salt, SiteKind::Time))
            }
            (SYSTEM, "nanoTime", "()J") if self.name == "java/util/Random" => {
                (true, Replace(Hook::Chance, SiteKind::Seed))
            }
            (SYSTEM, ..) if clock_action(name, descriptor).is_some() => clock_action(name, descriptor)?,
            // What `Instant.now` and all clocks ask.
            ("jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J") => {
                (true, Replace(Hook::NanoTimeAdjustment, SiteKind::Time))
            }
            (SYSTEM, "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V") => {
                (true, Replace(Hook::ArrayCopy, SiteKind::ArrayCopy))
            }
            ("java/lang/Math", "random", "()D") => (true, Replace(Hook::Random, SiteKind::Random)),
            (THREAD, "start0", "()V") if self.name == THREAD => {
                (false, Announce(Hook::Starting, SiteKind::Start))
            }
            _ if thread_action(name, descriptor).is_some()
                && (class == THREAD || self.inherits_from_thread(member)) =>
            {
                thread_action(name, descriptor)?
            }
            _ => (false, self.opaque(member)?),
        })
    }

    /// What is to be told of a call, if the accesses of what is called are not hooked.
    fn opaque(&self, member: &MemberRef<'_>) -> Option<Action> {
        let (class, name, descriptor) = (&*member.class, &*member.name, &*member.descriptor);
        let is_own_native = || {
            class == self.name
                && self.class.methods().any(|method| {
                    method.access().is_native() && method.name() == name && method.descriptor() == descriptor
                })
        };
        let effect = if name == "clone" && class == "java/lang/Object" {
            Effect {
                state: Touch::Reads,
                stores_elements: false,
            }
        } else if Tier::of(class) != Tier::Full {
            if let Some(reflect) = reflect(class, name, descriptor) {
                return Some(Action::Reflect(Arc::new(reflect)));
            }
            self.effects.of(class, name, descriptor)
        } else if is_own_native() {
            Effect::ANYTHING
        } else {
            return None;
        };
        Opaque::new(descriptor, effect).map(|opaque| Action::Opaque(Arc::new(opaque)))
    }

    /// Whether a reference to the class itself is to what it has from `Thread`. Compilers name the class
    /// itself for inherited methods that are called without a qualifier. Only a direct superclass can be seen
    /// from here.
    fn inherits_from_thread(&self, member: &MemberRef<'_>) -> bool {
        member.class == self.name
            && self.class.super_name().is_some_and(|parent| parent == THREAD)
            && thread_action(&member.name, &member.descriptor).is_some()
            && !self
                .class
                .methods()
                .any(|method| method.name() == member.name && method.descriptor() == member.descriptor)
    }
}

/// Final methods of `Object`, which every class has and none can replace. A reference to them may name any
/// class.
fn on_any_object(name: &str, descriptor: &str) -> Option<Action> {
    let (hook, kind) = match (name, descriptor) {
        ("wait", "()V") => (Hook::Wait, SiteKind::Wait),
        ("wait", "(J)V") => (Hook::WaitMillis, SiteKind::Wait),
        ("wait", "(JI)V") => (Hook::WaitNanos, SiteKind::Wait),
        ("notify", "()V") => (Hook::NotifyOne, SiteKind::Notify),
        ("notifyAll", "()V") => (Hook::NotifyAll, SiteKind::NotifyAll),
        _ => return None,
    };
    Some(Action::Replace(hook, kind))
}

/// Whether the method gets at the state of the object that it is given. What a method does that is called by reflection is
/// hooked like everything else; what a handle of a field does is not.
fn reflect(class: &str, name: &str, descriptor: &str) -> Option<Reflect> {
    let by_reflection = matches!(class, "java/lang/reflect/Field" | "java/lang/reflect/Array")
        && descriptor.starts_with("(Ljava/lang/Object;");
    let by_handle = class == "java/lang/invoke/MethodHandle" && matches!(name, "invoke" | "invokeExact");
    let reads = name.starts_with("get");
    if !(by_reflection && (reads || name.starts_with("set")) || by_handle) {
        return None;
    }
    let arguments = kinds(&MethodType::parse(descriptor).ok()?);
    (arguments.first() == Some(&Kind::Ref)).then_some(Reflect {
        arguments,
        writes: !reads,
    })
}

fn clock_action(name: &str, descriptor: &str) -> Option<(bool, Action)> {
    let hook = match (name, descriptor) {
        ("nanoTime", "()J") => Hook::NanoTime,
        ("currentTimeMillis", "()J") => Hook::CurrentTimeMillis,
        _ => return None,
    };
    Some((true, Action::Replace(hook, SiteKind::Time)))
}

/// The method of `java.lang.Raddle` that a test calls in place of a static one about time, with the same parameters: tests are
/// written for it, and are not rewritten.
pub fn timed_by(class: &str, name: &str, descriptor: &str) -> Option<&'static str> {
    let (_, action) = match class {
        SYSTEM => clock_action(name, descriptor),
        THREAD => thread_action(name, descriptor),
        _ => None,
    }?;
    match action {
        Action::Replace(hook, _) => hook.by_handle().map(|hook| hook.signature().0),
        _ => None,
    }
}

fn thread_action(name: &str, descriptor: &str) -> Option<(bool, Action)> {
    let (is_static, hook, kind) = match (name, descriptor) {
        ("sleep", "(J)V") => (true, Hook::Sleep, SiteKind::Sleep),
        ("sleep", "(JI)V") => (true, Hook::SleepNanos, SiteKind::Sleep),
        ("yield" | "onSpinWait", "()V") => (true, Hook::Yield, SiteKind::Yield),
        ("isAlive", "()Z") => (false, Hook::IsAlive, SiteKind::Alive),
        _ => return None,
    };
    Some((is_static, Action::Replace(hook, kind)))
}

fn unsafe_action(name: &str, descriptor: &str) -> Option<Action> {
    match (name, descriptor) {
        ("park", "(ZJ)V") => return Some(Action::Replace(Hook::Park, SiteKind::Park)),
        ("unpark", "(Ljava/lang/Object;)V") => {
            return Some(Action::Replace(Hook::Unpark, SiteKind::Unpark));
        }
        _ => {}
    }
    let is_access = ["get", "put", "compareAnd", "weakCompareAnd"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    if !is_access || !descriptor.starts_with("(Ljava/lang/Object;J") {
        return None;
    }
    let method = MethodType::parse(descriptor).ok()?;
    Some(Action::Atomic(Arc::new(Operands {
        kinds: kinds(&method),
        has_base: true,
        offset: Some(Kind::Long),
    })))
}

fn var_handle(name: &str, descriptor: &str) -> Option<Operands> {
    let values = values_of_access_mode(name)?;
    let method = MethodType::parse(descriptor).ok()?;
    // What is left before the values are the coordinates of the variable.
    let coordinates = method.parameters.len().checked_sub(values)?;
    let first = method.parameters.first().filter(|_| coordinates >= 1);
    let second = method.parameters.get(1).filter(|_| coordinates >= 2);
    let is_element = matches!(first, Some(FieldType::Array(_))) && second == Some(&FieldType::Int);
    Some(Operands {
        has_base: first.is_some_and(|first| first.kind() == Kind::Ref),
        offset: is_element.then_some(Kind::Int),
        kinds: kinds(&method),
    })
}

fn kinds(method: &MethodType<'_>) -> Box<[Kind]> {
    method.parameters.iter().map(FieldType::kind).collect()
}

/// How many values an access mode takes behind the coordinates; `None` for other methods of `VarHandle`.
fn values_of_access_mode(name: &str) -> Option<usize> {
    let (mode, order) = match name {
        "get" | "getVolatile" | "getOpaque" | "getAcquire" => return Some(0),
        "set" | "setVolatile" | "setOpaque" | "setRelease" => return Some(1),
        _ => ["Acquire", "Release", "Plain"]
            .iter()
            .find_map(|order| Some((name.strip_suffix(order)?, *order)))
            .unwrap_or((name, "")),
    };
    match (mode, order) {
        ("weakCompareAndSet", _) => Some(2),
        (_, "Plain") => None,
        ("compareAndSet", "") | ("compareAndExchange", _) => Some(2),
        ("getAndSet" | "getAndAdd" | "getAndBitwiseOr" | "getAndBitwiseAnd" | "getAndBitwiseXor", _) => {
            Some(1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_modes_are_all_known() {
        let modes = [
            ("get", 0),
            ("set", 1),
            ("getVolatile", 0),
            ("setVolatile", 1),
            ("getOpaque", 0),
            ("setOpaque", 1),
            ("getAcquire", 0),
            ("setRelease", 1),
            ("compareAndSet", 2),
            ("compareAndExchange", 2),
            ("compareAndExchangeAcquire", 2),
            ("compareAndExchangeRelease", 2),
            ("weakCompareAndSetPlain", 2),
            ("weakCompareAndSet", 2),
            ("weakCompareAndSetAcquire", 2),
            ("weakCompareAndSetRelease", 2),
            ("getAndSet", 1),
            ("getAndSetAcquire", 1),
            ("getAndSetRelease", 1),
            ("getAndAdd", 1),
            ("getAndAddAcquire", 1),
            ("getAndAddRelease", 1),
            ("getAndBitwiseOr", 1),
            ("getAndBitwiseOrAcquire", 1),
            ("getAndBitwiseOrRelease", 1),
            ("getAndBitwiseAnd", 1),
            ("getAndBitwiseAndAcquire", 1),
            ("getAndBitwiseAndRelease", 1),
            ("getAndBitwiseXor", 1),
            ("getAndBitwiseXorAcquire", 1),
            ("getAndBitwiseXorRelease", 1),
        ];
        assert_eq!(modes.len(), 31);
        for (name, values) in modes {
            assert_eq!(values_of_access_mode(name), Some(values), "{name}");
        }
        for name in [
            "varType",
            "fullFence",
            "toMethodHandle",
            "compareAndSetPlain",
            "getAndSetPlain",
            "getRelease",
        ] {
            assert_eq!(values_of_access_mode(name), None, "{name}");
        }
    }

    #[test]
    fn coordinates_of_var_handles_are_told_from_values() {
        let of = |name, descriptor| {
            let operands = var_handle(name, descriptor).unwrap();
            (operands.has_base, operands.offset)
        };
        assert_eq!(of("get", "(LBox;)I"), (true, None));
        assert_eq!(of("get", "()Ljava/lang/String;"), (false, None));
        assert_eq!(of("set", "(Ljava/lang/String;)V"), (false, None));
        assert_eq!(of("set", "(LBox;J)V"), (true, None));
        assert_eq!(of("compareAndSet", "([IIII)Z"), (true, Some(Kind::Int)));
        assert_eq!(
            of("getAcquire", "([Ljava/lang/Object;I)LNode;"),
            (true, Some(Kind::Int))
        );
        assert_eq!(of("getVolatile", "(Ljava/nio/ByteBuffer;I)J"), (true, None));
        assert_eq!(of("get", "(IJ)I"), (false, None));
    }

    #[test]
    fn unsafe_accesses_have_an_object_and_an_offset() {
        for (name, descriptor, hooked) in [
            ("getInt", "(Ljava/lang/Object;J)I", true),
            (
                "putReferenceRelease",
                "(Ljava/lang/Object;JLjava/lang/Object;)V",
                true,
            ),
            ("compareAndSetLong", "(Ljava/lang/Object;JJJ)Z", true),
            ("weakCompareAndSetInt", "(Ljava/lang/Object;JII)Z", true),
            ("getAndAddInt", "(Ljava/lang/Object;JI)I", true),
            ("getInt", "(J)I", false),
            ("putByte", "(JB)V", false),
            ("setMemory", "(Ljava/lang/Object;JJB)V", false),
            ("objectFieldOffset", "(Ljava/lang/reflect/Field;)J", false),
        ] {
            let action = unsafe_action(name, descriptor);
            assert_eq!(
                matches!(action, Some(Action::Atomic(_))),
                hooked,
                "{name}{descriptor}"
            );
        }
    }
}
