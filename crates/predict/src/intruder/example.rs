//! Traces written by hand for tests, and those of the paper's Figures 5 and 8.

use std::collections::BTreeSet;

use raddle_plan::Place;

use crate::path::{AccessPath, Root};
use crate::trace::{Action, Field, Method, Object, Step, Trace, TypeOrder};

/// Writes a trace. Places count the steps of a call, so that the same call has the same places.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) trace: Trace,
    method: Option<Method>,
    bci: u32,
}

/// `A.f` as a field.
pub(crate) fn field(name: &str) -> Field {
    let (class, name) = name.rsplit_once('.').unwrap();
    Field {
        class: class.to_owned(),
        name: name.to_owned(),
    }
}

/// A path from a parameter.
pub(crate) fn path(parameter: usize, fields: &[&str]) -> AccessPath {
    AccessPath {
        root: Root::Parameter(parameter),
        fields: fields.iter().map(|name| field(name)).collect(),
    }
}

impl Writer {
    /// An object of a class, which the trace has not mentioned so far.
    pub(crate) fn object(&mut self, class: &str) -> Object {
        let object = Object(u32::try_from(self.trace.types.len()).unwrap());
        self.trace.types.insert(object, class.to_owned());
        object
    }

    /// `A.foo(LB;)V` is called; ends the call before.
    pub(crate) fn call(&mut self, method: &str, parameters: &[Object]) -> usize {
        self.exit();
        let (name, arguments) = method.split_once('(').unwrap();
        let (class, name) = name.split_once('.').unwrap();
        let method = Method {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: format!("({arguments}"),
        };
        let parameters = parameters.iter().copied().map(Some).collect();
        let enter = self.trace.steps.len();
        let action = Action::Enter {
            method: method.clone(),
            parameters,
        };
        self.trace.steps.push(Step { place: None, action });
        self.method = Some(method);
        self.bci = 0;
        enter
    }

    pub(crate) fn exit(&mut self) {
        if self.method.take().is_some() {
            self.trace.steps.push(Step {
                place: None,
                action: Action::Exit { result: None },
            });
        }
    }

    /// The trace, with the last call ended.
    pub(crate) fn finish(mut self) -> Trace {
        self.exit();
        self.trace
    }

    /// Goes back to an earlier place of the call, as a loop does.
    pub(crate) fn back_to(&mut self, bci: u32) {
        self.bci = bci;
    }

    fn step(&mut self, action: Action) -> usize {
        let method = self.method.as_ref().unwrap();
        let place = Place {
            class: method.class.clone(),
            method: method.name.clone(),
            descriptor: method.descriptor.clone(),
            bci: self.bci,
            source: None,
            line: None,
        };
        self.bci += 1;
        self.trace.steps.push(Step {
            place: Some(place),
            action,
        });
        self.trace.steps.len() - 1
    }

    pub(crate) fn alloc(&mut self, object: Object) {
        self.step(Action::Alloc(object));
    }

    pub(crate) fn lock(&mut self, object: Object) {
        self.step(Action::Lock(object));
    }

    pub(crate) fn unlock(&mut self, object: Object) {
        self.step(Action::Unlock(object));
    }

    pub(crate) fn read(
        &mut self,
        base: impl Into<Option<Object>>,
        name: &str,
        value: Option<Object>,
    ) -> usize {
        self.step(Action::Read {
            base: base.into(),
            field: field(name),
            index: None,
            value,
        })
    }

    pub(crate) fn write(
        &mut self,
        base: impl Into<Option<Object>>,
        name: &str,
        value: Option<Object>,
    ) -> usize {
        self.step(Action::Write {
            base: base.into(),
            field: field(name),
            index: None,
            value,
        })
    }

    pub(crate) fn read_element(
        &mut self,
        base: Object,
        class: &str,
        index: i32,
        value: Option<Object>,
    ) -> usize {
        let field = Field {
            class: class.to_owned(),
            name: Field::ELEMENT.to_owned(),
        };
        self.step(Action::Read {
            base: Some(base),
            field,
            index: Some(index),
            value,
        })
    }

    pub(crate) fn write_element(
        &mut self,
        base: Object,
        class: &str,
        index: i32,
        value: Option<Object>,
    ) -> usize {
        let field = Field {
            class: class.to_owned(),
            name: Field::ELEMENT.to_owned(),
        };
        self.step(Action::Write {
            base: Some(base),
            field,
            index: Some(index),
            value,
        })
    }

    /// `a.setF(b)` of Figure 5.
    pub(crate) fn set_f(&mut self, a: Object, b: Object) -> usize {
        let enter = self.call("A.setF(LB;)V", &[a, b]);
        self.lock(a);
        self.write(a, "A.f", Some(b));
        self.unlock(a);
        enter
    }

    /// `a.foo()` of Figure 5, where `a.f` is `b`.
    pub(crate) fn foo(&mut self, a: Object, b: Object) -> usize {
        self.twice("A.foo()V", a, ("A.f", b), "B.count")
    }

    /// `a.bar()` of Figure 8, where `a.g` is `c`.
    pub(crate) fn bar(&mut self, a: Object, c: Object) -> usize {
        self.twice("A.bar()V", a, ("A.g", c), "C.size")
    }

    /// `a.zee()` of Figure 8, where `a.g` is `c`.
    pub(crate) fn zee(&mut self, a: Object, c: Object) -> usize {
        let enter = self.call("A.zee()V", &[a]);
        self.read(a, "A.g", Some(c));
        self.lock(c);
        self.read(c, "C.size", None);
        self.write(c, "C.size", None);
        self.unlock(c);
        enter
    }

    fn twice(&mut self, method: &str, a: Object, (inner, x): (&str, Object), count: &str) -> usize {
        let enter = self.call(method, &[a]);
        self.lock(a);
        self.read(a, inner, Some(x));
        self.lock(x);
        self.read(x, count, None);
        self.unlock(x);
        self.lock(x);
        self.write(x, count, None);
        self.unlock(x);
        self.unlock(a);
        enter
    }

    /// `new A()` of Figure 8.
    pub(crate) fn new_a(&mut self) -> (Object, Object, Object) {
        let (a, b, c) = (self.object("A"), self.object("B"), self.object("C"));
        self.call("A.<init>()V", &[a]);
        self.alloc(b);
        self.write(b, "B.count", None);
        self.write(a, "A.f", Some(b));
        self.alloc(c);
        self.write(c, "C.size", None);
        self.write(a, "A.g", Some(c));
        (a, b, c)
    }
}

/// Section 3.6's test: `A a = new A(); B b = new B(); a.setF(b); a.foo();`
pub(crate) fn figure_5() -> Trace {
    let mut writer = Writer::default();
    let (a, _, _) = writer.new_a();
    let b = writer.object("B");
    writer.call("B.<init>()V", &[b]);
    writer.write(b, "B.count", None);
    writer.set_f(a, b);
    writer.foo(a, b);
    writer.finish()
}

/// `a'.bar(); a''.zee();` of section 3.5.
pub(crate) fn figure_8() -> Trace {
    let mut writer = Writer::default();
    let (first, _, c) = writer.new_a();
    let (second, _, d) = writer.new_a();
    writer.bar(first, c);
    writer.zee(second, d);
    writer.finish()
}

/// Classes of which the first is a subclass of the second.
#[derive(Default)]
pub(crate) struct Subclasses(pub(crate) BTreeSet<(&'static str, &'static str)>);

impl TypeOrder for Subclasses {
    fn is_a(&self, from: &str, to: &str) -> bool {
        from == to || self.0.iter().any(|pair| *pair == (from, to))
    }
}
