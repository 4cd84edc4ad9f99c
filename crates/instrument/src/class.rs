//! One class: which methods change, and the new file around them.

use raddle_classfile::{ClassFile, Code, MethodView};

use crate::drafts::Drafts;
use crate::effects::Effects;
use crate::emit;
use crate::left_alone::{LeftAlone, Reason};
use crate::method::{self, NewMethod, Owner};
use crate::pool::Appendix;
use crate::refs::Refs;
use crate::reset::{self, Reset};
use crate::sites::{SiteClass, Sites};
use crate::tier::Tier;

/// The first version in which code can load a class as a constant.
const CLASS_CONSTANTS: u16 = 49;
/// The JVM replaces methods that have this by code of its own, and complains when one of them is not
/// synchronized although it should be.
const INTRINSIC: &str = "Ljdk/internal/vm/annotation/IntrinsicCandidate;";
const SYNCHRONIZED: u16 = 0x0020;

/// How a class is rewritten.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) tier: Tier,
    pub(crate) is_reset: bool,
    /// Internal names of the classes that are initialised in the run.
    pub(crate) uninitialised: &'a [String],
    pub(crate) effects: &'a Effects,
}

/// Rewrites a class; `None` when nothing in it is hooked and nothing is added.
pub(crate) fn rewrite(
    class: &ClassFile,
    wanted: Wanted<'_>,
    sites: &Sites,
    left_alone: &mut Vec<LeftAlone>,
) -> Option<Vec<u8>> {
    let name = class.name();
    let dotted = name.replace('/', ".");
    let site_class = SiteClass {
        name: dotted.as_str().into(),
        source: class.source_file().map(|source| (&*source).into()),
    };
    let mut appendix = Appendix::new(class.pool().len());
    let is_deferred = wanted.uninitialised.iter().any(|other| *other == name);
    let reset = if wanted.is_reset {
        Reset::new(class, is_deferred, &mut appendix)
    } else {
        None
    };
    let mut work = Work {
        owner: Owner {
            name: &name,
            index: class.this_class_index(),
            is_resettable: reset.is_some(),
            is_deferred: is_deferred && reset.is_some(),
        },
        dotted: &dotted,
        with_data: wanted.tier == Tier::Full,
        refs: Refs::new(class, wanted.effects, wanted.uninitialised),
        drafts: Drafts::new(site_class, appendix),
        left_alone,
    };
    let mut methods = Vec::new();
    let handles = work.handles(class);
    let mut any = reset.is_some() || !handles.is_empty();
    for method in class.methods() {
        let new = work.method(method);
        any |= new.is_some();
        methods.push(new);
    }
    if !any {
        return None;
    }
    let (drafts, mut appendix) = work.drafts.finish();
    let Some(count) = appendix.count() else {
        left_alone.push(LeftAlone {
            class: dotted,
            method: None,
            reason: Reason::PoolFull,
        });
        return None;
    };
    let mut position = 0;
    sites.add(drafts, |id| {
        appendix.set_site(position, id);
        position += 1;
    });
    let constants = Constants {
        count,
        appendix: &appendix,
        handles: &handles,
    };
    Some(write(class, &constants, &methods, reset.as_ref()))
}

/// The constant pool of the new file.
struct Constants<'a> {
    count: u16,
    appendix: &'a Appendix,
    handles: &'a [Handle],
}

/// A method handle that refers to a hook from now on.
struct Handle {
    /// Where in the original file the index is of what it refers to.
    offset: usize,
    hook: u16,
}

/// The kind of method handles that call static methods (Java Virtual Machine Specification, section 5.4.3.5).
const INVOKE_STATIC: u8 = 6;

struct Work<'a, 'o> {
    owner: Owner<'a>,
    dotted: &'a str,
    with_data: bool,
    refs: Refs<'a>,
    drafts: Drafts,
    left_alone: &'o mut Vec<LeftAlone>,
}

impl<'a> Work<'a, '_> {
    /// `System::nanoTime` is no call that could be rewritten, so the handle itself has to lead to the hook.
    fn handles(&mut self, class: &ClassFile) -> Vec<Handle> {
        let mut found = Vec::new();
        for (kind, member, offset) in class.pool().method_handles() {
            if kind == INVOKE_STATIC
                && let Some(hook) = self.refs.by_handle(&member)
            {
                let hook = self.drafts.appendix.hook(hook);
                found.push(Handle { offset, hook });
            }
        }
        found
    }

    fn method(&mut self, method: MethodView<'a>) -> Option<NewMethod> {
        let access = method.access();
        if access.is_native() && access.is_synchronized() {
            self.leave(method, Reason::SynchronizedNative);
        }
        let code = match method.code() {
            Ok(code) => code?,
            Err(error) => {
                self.leave(method, error.into());
                return None;
            }
        };
        let mut reason = match self.attempt(method, code, self.with_data) {
            Ok(new) => return new,
            Err(reason) => reason,
        };
        let mut new = None;
        if reason == Reason::TooLong && self.with_data {
            // Half of it is better than nothing: without its locks and zones a method can make threads hang.
            match self.attempt(method, code, false) {
                Ok(None) => {}
                Ok(shorter) => (new, reason) = (shorter, Reason::DataLeftOut),
                Err(other) => reason = other,
            }
        }
        self.leave(method, reason);
        new
    }

    fn attempt(
        &mut self,
        method: MethodView<'a>,
        code: Code<'a>,
        with_data: bool,
    ) -> Result<Option<NewMethod>, Reason> {
        let mark = self.drafts.mark();
        let new = method::rewrite(
            &self.owner,
            method,
            code,
            with_data,
            &mut self.refs,
            &mut self.drafts,
        );
        if new.is_err() {
            self.drafts.back_to(&mark);
        }
        new
    }

    fn leave(&mut self, method: MethodView<'_>, reason: Reason) {
        self.left_alone.push(LeftAlone {
            class: self.dotted.to_owned(),
            method: Some(format!("{}{}", method.name(), method.descriptor())),
            reason,
        });
    }
}

/// Puts the new file together: everything as it was, except constants at the end of the pool, the methods that changed,
/// and what makes static state anew.
fn write(
    class: &ClassFile,
    constants: &Constants<'_>,
    methods: &[Option<NewMethod>],
    reset: Option<&Reset>,
) -> Vec<u8> {
    let bytes = class.bytes();
    let original = |start: usize, end: usize| bytes.get(start..end).unwrap_or_default();
    let pool = class.pool_span();
    let mut out = Vec::with_capacity(bytes.len() * 2);
    out.extend(original(0, 4));

    // The first files had a shorter form of the Code attribute. The version decides for the whole class.
    let was_narrow = class.major() == 45 && class.minor() < 3;
    let loads_class =
        methods.iter().flatten().any(|new| new.loads_class) || reset.is_some_and(Reset::loads_class);
    let (minor, major) = match (class.minor(), class.major()) {
        (_, ..CLASS_CONSTANTS) if loads_class => (0, CLASS_CONSTANTS),
        (_, 45) if was_narrow => (3, 45),
        version => version,
    };
    emit::half(&mut out, minor);
    emit::half(&mut out, major);
    emit::half(&mut out, constants.count);
    let begin = out.len();
    out.extend(original(pool.start, pool.end));
    for handle in constants.handles {
        let at = begin + handle.offset.saturating_sub(pool.start);
        if let Some(index) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *index = handle.hook.to_be_bytes();
        }
    }
    out.extend(constants.appendix.bytes());

    let mut copied = pool.end;
    if let Some(reset) = reset {
        for (span, field) in class.field_spans().zip(class.fields()) {
            out.extend(original(copied, span.start));
            emit::half(&mut out, reset::field_access(&field).0);
            copied = span.start + 2;
        }
        let count = class.method_count_at();
        out.extend(original(copied, count));
        emit::half(&mut out, reset.method_count());
        copied = count + 2;
    }
    let spans = class.method_spans().zip(class.methods()).zip(methods);
    for (position, ((span, view), new)) in spans.enumerate() {
        out.extend(original(copied, span.start));
        copied = span.end;
        if let Some(stub) = reset.and_then(|reset| reset.stub(position)) {
            write_method(class, view, stub, original(span.start, span.end), &mut out);
            continue;
        }
        match new {
            Some(new) => write_method(class, view, new, original(span.start, span.end), &mut out),
            None => match view.code() {
                Ok(Some(code)) if was_narrow => {
                    let same = NewMethod {
                        code: method::widen(&code),
                        is_unlocked: false,
                        loads_class: false,
                    };
                    write_method(class, view, &same, original(span.start, span.end), &mut out);
                }
                _ => out.extend(original(span.start, span.end)),
            },
        }
    }
    if let Some(reset) = reset {
        out.extend(original(copied, class.attributes_span().start));
        reset.write_methods(class, methods, &mut out);
        copied = class.attributes_span().start;
    }
    out.extend(original(copied, bytes.len()));
    out
}

fn write_method(
    class: &ClassFile,
    view: MethodView<'_>,
    new: &NewMethod,
    original: &[u8],
    out: &mut Vec<u8>,
) {
    let mut access = view.access().0;
    if new.is_unlocked {
        access &= !SYNCHRONIZED;
    }
    emit::half(out, access);
    // Name, descriptor and the number of attributes.
    out.extend(original.get(2..8).unwrap_or_default());
    for attribute in view.raw_attributes() {
        let replaced = match attribute.name {
            b"RuntimeVisibleAnnotations" if new.is_unlocked => {
                attribute.without_annotation(class.pool(), INTRINSIC)
            }
            _ => None,
        };
        let body = match attribute.name {
            b"Code" => &new.code,
            _ => replaced.as_deref().unwrap_or(attribute.body),
        };
        emit::half(out, attribute.name_index);
        emit::word(out, body.len() as u32);
        out.extend(body);
    }
}
