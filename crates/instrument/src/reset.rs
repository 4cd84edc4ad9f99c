//! Static state that can be made anew: what a class gets for that.
//!
//! ```text
//!   raddle$clear        sets static fields to what they are before the class is initialised
//!   raddle$initialise   does what <clinit> does, hooks included; only if there is one
//!   <clinit>            only if there is none: tells that the class is initialised
//! ```
//!
//! Of a class that is initialised in the run, when it is first used there, `<clinit>` does no more than that in any case: the
//! JVM does not let a thread go away from the middle of one.
//!
//! The static fields that `<clinit>` sets are no longer final: a JVM lets no other method set final ones, and takes their
//! values for granted in compiled code. What compilers keep in static fields of their own stays: class literals, switch
//! tables, whether assertions are on.

use raddle_classfile::descriptor::FieldType;
use raddle_classfile::{AccessFlags, ClassFile, FieldView, Kind};

use crate::emit;
use crate::hook::Hook;
use crate::method::{self, NewMethod};
use crate::pool::Appendix;

const CLEAR: &str = "raddle$clear";
const INITIALISE: &str = "raddle$initialise";
/// `private static synthetic`: nobody meets them by accident.
const ACCESS: u16 = 0x100a;
const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
/// The longest code a method may have.
const MAX_LEN: usize = 65535;

/// What is added to a class.
#[derive(Debug)]
pub(crate) struct Reset {
    clear: Vec<u8>,
    initializer: Initializer,
    method_count: u16,
    names: Names,
}

#[derive(Debug)]
enum Initializer {
    /// The position of `<clinit>` among the methods, and what takes its place, if it is not left as it is.
    Own(usize, Option<NewMethod>),
    /// The code of one that is added.
    Added(Vec<u8>),
}

/// Pool indices.
#[derive(Debug)]
struct Names {
    clear: u16,
    /// Of the copy of `<clinit>`, or of `<clinit>`.
    initialise: u16,
    descriptor: u16,
    code: u16,
}

impl Reset {
    /// For a class whose static state may be made anew; `None` if it has none, or must not be asked.
    pub(crate) fn new(class: &ClassFile, is_deferred: bool, appendix: &mut Appendix) -> Option<Reset> {
        // The fields of interfaces are final for good. The constants of enums are compared by identity, and synthetic
        // classes have switch tables.
        let access = class.access();
        if access.is_interface() || access.is_enum() || access.is_synthetic() {
            return None;
        }
        let mut code = Vec::new();
        for (field, span) in class.fields().zip(class.field_spans()) {
            if has_state(&field) {
                // Behind the flags.
                let name = half(class.bytes(), span.start + 2)?;
                let descriptor = half(class.bytes(), span.start + 4)?;
                push_first_value(&field, &mut code)?;
                emit::put_static(
                    &mut code,
                    appendix.field(class.this_class_index(), name, descriptor),
                );
            }
        }
        // Without state of its own it has an initialiser all the same, which waits for that of its superclass.
        if code.is_empty() && !is_deferred || code.len() >= MAX_LEN {
            return None;
        }
        code.push(emit::RETURN);
        let (initializer, name) = match class.methods().position(|method| method.name() == "<clinit>") {
            Some(position) => {
                // What cannot be read cannot be copied.
                class.methods().nth(position)?.code().ok()??;
                let stub = is_deferred.then(|| NewMethod {
                    code: telling(class, appendix),
                    is_unlocked: false,
                    loads_class: true,
                });
                (Initializer::Own(position, stub), INITIALISE)
            }
            None => (Initializer::Added(telling(class, appendix)), "<clinit>"),
        };
        Some(Reset {
            clear: without_tables(&code),
            initializer,
            method_count: u16::try_from(class.methods().len() + 2).ok()?,
            names: Names {
                clear: appendix.text(CLEAR),
                initialise: appendix.text(name),
                descriptor: appendix.text("()V"),
                code: appendix.text("Code"),
            },
        })
    }

    /// How many methods the class has with those that are added.
    pub(crate) fn method_count(&self) -> u16 {
        self.method_count
    }

    /// Writes the methods that are added. `methods` are the new ones of the class, in the order of the old.
    pub(crate) fn write_methods(&self, class: &ClassFile, methods: &[Option<NewMethod>], out: &mut Vec<u8>) {
        self.write(ACCESS, self.names.clear, &self.clear, out);
        let position = match &self.initializer {
            Initializer::Own(position, _) => *position,
            Initializer::Added(code) => return self.write(STATIC, self.names.initialise, code, out),
        };
        if let Some(Some(new)) = methods.get(position) {
            self.write(ACCESS, self.names.initialise, &new.code, out);
        } else {
            let method = class.methods().nth(position);
            let code = method.and_then(|method| method.code().ok()?);
            let same = code.map(|code| method::widen(&code)).unwrap_or_default();
            self.write(ACCESS, self.names.initialise, &same, out);
        }
    }

    /// Whether code that is added loads the class as a constant.
    pub(crate) fn loads_class(&self) -> bool {
        matches!(
            self.initializer,
            Initializer::Added(_) | Initializer::Own(_, Some(_))
        )
    }

    /// What takes the place of a method, by its position.
    pub(crate) fn stub(&self, position: usize) -> Option<&NewMethod> {
        match &self.initializer {
            Initializer::Own(own, stub) if *own == position => stub.as_ref(),
            _ => None,
        }
    }

    fn write(&self, access: u16, name: u16, code: &[u8], out: &mut Vec<u8>) {
        for half in [access, name, self.names.descriptor, 1, self.names.code] {
            emit::half(out, half);
        }
        emit::word(out, code.len() as u32);
        out.extend(code);
    }
}

/// The flags that a field has in a class with a [`Reset`].
pub(crate) fn field_access(field: &FieldView<'_>) -> AccessFlags {
    let access = field.access();
    if access.is_static() && field.constant_value().is_none() {
        AccessFlags(access.0 & !FINAL)
    } else {
        access
    }
}

/// Whether a field has another value after some calls than before.
fn has_state(field: &FieldView<'_>) -> bool {
    let access = field.access();
    let is_constant = access.is_final() && field.constant_value().is_some();
    access.is_static() && !is_constant && !access.is_synthetic() && !is_compilers(&field.name())
}

/// Names that compilers used before there was a flag for what is synthetic.
fn is_compilers(name: &str) -> bool {
    ["class$", "array$", "$"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// An initialiser that only tells of itself.
fn telling(class: &ClassFile, appendix: &mut Appendix) -> Vec<u8> {
    let mut code = Vec::new();
    emit::constant(&mut code, class.this_class_index());
    emit::call(&mut code, appendix.hook(Hook::Initialised));
    code.push(emit::RETURN);
    without_tables(&code)
}

/// Pushes what a field has before the class is initialised.
fn push_first_value(field: &FieldView<'_>, code: &mut Vec<u8>) -> Option<()> {
    let descriptor = field.descriptor();
    let kind = FieldType::parse(&descriptor).ok()?.kind();
    match (field.constant_value(), kind) {
        (Some(index), Kind::Long | Kind::Double) => emit::wide_constant(code, index),
        (Some(index), _) => emit::constant(code, index),
        (None, Kind::Int) => code.push(emit::ICONST_0),
        (None, Kind::Long) => code.push(emit::LCONST_0),
        (None, Kind::Float) => code.push(emit::FCONST_0),
        (None, Kind::Double) => code.push(emit::DCONST_0),
        (None, Kind::Ref) => code.push(emit::ACONST_NULL),
    }
    Some(())
}

/// The content of a Code attribute for code that has two slots on the stack at most, and no local variables.
fn without_tables(code: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(code.len() + 12);
    emit::half(&mut out, 2);
    emit::half(&mut out, 0);
    emit::word(&mut out, code.len() as u32);
    out.extend(code);
    // Exception handlers and attributes.
    emit::half(&mut out, 0);
    emit::half(&mut out, 0);
    out
}

/// The number at a position.
fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes
        .get(at..)?
        .first_chunk()
        .map(|bytes| u16::from_be_bytes(*bytes))
}
