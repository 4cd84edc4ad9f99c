//! Code as a value: lambdas, method references, and what else `invokedynamic` makes.

use raddle_classfile::Constant;
use raddle_classfile::descriptor::{FieldType, MethodType};

use super::call::Call;
use super::interp::Interp;
use super::state::{Lambda, State};
use super::summary::Key;
use super::value::{Item, Value};

impl Interp<'_, '_> {
    /// A platform call whose only interesting argument is code: it runs, now or later.
    pub(crate) fn hands_on_code(&mut self, st: &State, call: &Call, first: usize) -> bool {
        if !self.engine.is_foreign_platform(self.class.id(), call.class) {
            return false;
        }
        let is_code = |item: &Item| matches!(item, Item::Fresh(number) if self.allocs[usize::from(*number)].lambda.is_some());
        let dull = call.args.iter().enumerate().all(|(at, arg)| {
            arg.items()
                .iter()
                .all(|item| (at >= first && is_code(item)) || self.is_boring(*item, 0))
        });
        if dull {
            for arg in &call.args {
                self.run_later(st, arg);
            }
        }
        dull
    }

    pub(crate) fn run_lambdas(&mut self, st: &mut State, value: &Value) {
        for item in value.items() {
            if let Item::Fresh(number) = *item
                && let Some(lambda) = self.allocs[usize::from(number)].lambda.clone()
            {
                self.run_lambda(st, &lambda, &[]);
            }
        }
    }

    /// Code that is handed on may run whenever and wherever: nothing held now is certain then.
    pub(crate) fn run_later(&mut self, st: &State, value: &Value) {
        if self.out.is_none() || !value.items().iter().any(|item| matches!(item, Item::Fresh(_))) {
            return;
        }
        let mut later = st.clone();
        for held in &mut later.held {
            held.must = false;
        }
        self.run_lambdas(&mut later, value);
    }

    /// The body of a lambda with what it captured; arguments that are not known here are nobody's.
    pub(crate) fn run_lambda(&mut self, st: &mut State, lambda: &Lambda, given: &[Value]) -> Value {
        // One that captures itself, as in `f = f.andThen(…)` in a loop, does nothing more the second time.
        if self.running.contains(&lambda.method) {
            return Value::trusted();
        }
        self.running.push(lambda.method);
        let value = self.run_body(st, lambda, given);
        self.running.pop();
        value
    }

    fn run_body(&mut self, st: &mut State, lambda: &Lambda, given: &[Value]) -> Value {
        let mut args = lambda.captured.clone();
        args.extend_from_slice(given);
        let wanted = self.engine.parameter_count(lambda.method);
        args.resize(wanted.max(args.len()), Value::trusted());
        args.truncate(wanted);
        let receiver = if self.engine.is_static(lambda.method) {
            None
        } else {
            args.first()
                .and_then(Value::single)
                .and_then(|item| self.exact_class(item))
        };
        self.apply(
            st,
            Key {
                method: lambda.method,
                receiver,
            },
            &args,
        )
    }

    pub(crate) fn invoke_dynamic(&mut self, index: u16, st: &mut State) {
        let file = self.class.file();
        let pool = file.pool();
        let Ok(dynamic) = pool.invoke_dynamic(index) else {
            return st.stack.clear();
        };
        let Ok(types) = MethodType::parse(&dynamic.descriptor) else {
            return st.stack.clear();
        };
        let mut captured: Vec<Value> = types
            .parameters
            .iter()
            .rev()
            .map(|parameter| st.pop_slots(parameter.slots()))
            .collect();
        captured.reverse();
        let bootstrap = file
            .bootstrap_methods()
            .ok()
            .and_then(|methods| methods.into_iter().nth(usize::from(dynamic.bootstrap)));
        let slots = types.result.as_ref().map_or(0, FieldType::slots);
        let Some(bootstrap) = bootstrap else {
            return st.push_slots(Value::trusted(), slots);
        };
        let target = pool
            .method_handle(bootstrap.method_handle)
            .ok()
            .map(|(_, member)| member.name.into_owned());
        let is_lambda = matches!(target.as_deref(), Some("metafactory" | "altMetafactory"));
        let implementation = bootstrap
            .arguments
            .get(1)
            .and_then(|&at| match pool.constant(at) {
                Ok(Constant::MethodHandle { member, .. }) => {
                    let program = self.program();
                    program.resolve_method(
                        program.class_id(&member.class),
                        program.symbol(&member.name),
                        program.symbol(&member.descriptor),
                    )
                }
                _ => None,
            });
        if let (true, Some(method)) = (is_lambda, implementation) {
            let number = self.alloc(0, None);
            let lambda = Lambda { method, captured };
            let object = self.program().object();
            let mut contents = Value::default();
            for value in &lambda.captured {
                contents.join(value, object);
            }
            let alloc = &mut self.allocs[usize::from(number)];
            if alloc.lambda.as_ref() != Some(&lambda) {
                alloc.lambda = Some(lambda);
                self.grew = true;
            }
            self.grew |= alloc.contents.join(&contents, object);
            return st.push(Value::one(Item::Fresh(number)));
        }
        // String concatenation and the like: `toString` of what is joined.
        for value in &captured {
            for path in self.paths(st, value) {
                let object = self.program().object();
                if let Some((name, descriptor)) = self.engine.to_string() {
                    self.note_open_on(st, path, object, name, descriptor);
                }
            }
        }
        st.push_slots(Value::trusted(), slots);
    }
}
