//! Calls that Java has no words for: a class file may give methods, fields and classes names that no source can spell, such
//! as `class` or `a b`. They are made through reflection.

use raddle_classfile::descriptor::{FieldType, MethodType};

use super::{Printer, boxed, literal, names};
use crate::{Call, Invoke, MemberRef, Part};

/// What such calls need. Exceptions that are checked leave it undeclared, so that it can be called wherever a call can be.
pub(super) const HELPER: &str = r#"
    /// A call through reflection, since Java cannot spell the names.
    private static <E extends Throwable> Object reflect(String owner, String name, String descriptor,
            Object receiver, Object[] arguments) throws E {
        try {
            ClassLoader loader = java.lang.invoke.MethodHandles.lookup().lookupClass().getClassLoader();
            Class<?> type = Class.forName(owner, true, loader);
            if (descriptor.isEmpty()) {
                java.lang.reflect.Field field = type.getDeclaredField(name);
                field.trySetAccessible();
                return field.get(null);
            }
            var types = java.lang.invoke.MethodType.fromMethodDescriptorString(descriptor, loader);
            if (name.equals("<init>")) {
                var constructor = type.getDeclaredConstructor(types.parameterArray());
                constructor.trySetAccessible();
                return constructor.newInstance(arguments);
            }
            java.lang.reflect.Method method = find(type, name, types);
            if (method == null) {
                throw new NoSuchMethodException(owner + "." + name + descriptor);
            }
            method.trySetAccessible();
            return method.invoke(receiver, arguments);
        } catch (java.lang.reflect.InvocationTargetException problem) {
            throw (E) problem.getCause();
        } catch (ReflectiveOperationException problem) {
            throw (E) problem;
        }
    }

    private static java.lang.reflect.Method find(Class<?> type, String name, java.lang.invoke.MethodType types) {
        if (type == null) {
            return null;
        }
        for (java.lang.reflect.Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && method.getReturnType() == types.returnType()
                    && java.util.Arrays.equals(method.getParameterTypes(), types.parameterArray())) {
                return method;
            }
        }
        java.lang.reflect.Method found = find(type.getSuperclass(), name, types);
        for (Class<?> above : type.getInterfaces()) {
            found = found == null ? find(above, name, types) : found;
        }
        return found;
    }

    private static Class type(String descriptor) {
        ClassLoader loader = java.lang.invoke.MethodHandles.lookup().lookupClass().getClassLoader();
        return java.lang.invoke.MethodType.fromMethodDescriptorString("()" + descriptor, loader).returnType();
    }

    private static Object array(String element, Object[] items) {
        Object array = java.lang.reflect.Array.newInstance(type(element), items.length);
        System.arraycopy(items, 0, array, 0, items.length);
        return array;
    }
"#;

/// Whether Java can spell a member and all types in its descriptor.
pub(super) fn can_spell(member: &MemberRef) -> bool {
    let is_name = member.name == "<init>" || names::is_word(&member.name);
    is_name && names::can_spell(&member.internal_class()) && can_spell_types(&member.descriptor)
}

/// Whether Java can spell all types of a method's descriptor.
pub(super) fn can_spell_types(descriptor: &str) -> bool {
    let Ok(method) = MethodType::parse(descriptor) else {
        return true;
    };
    let mut types = method.parameters.iter().chain(&method.result);
    types.all(can_spell_type)
}

/// Whether Java can spell a type.
fn can_spell_type(field: &FieldType<'_>) -> bool {
    match field {
        FieldType::Object(name) => names::can_spell(name),
        FieldType::Array(element) => can_spell_descriptor(element),
        _ => true,
    }
}

/// Whether Java can spell the type that a descriptor means.
pub(super) fn can_spell_descriptor(descriptor: &str) -> bool {
    FieldType::parse(descriptor).is_ok_and(|field| can_spell_type(&field))
}

fn quoted(text: &str) -> String {
    literal::string(text.encode_utf16())
}

impl Printer<'_> {
    /// A call of a plan.
    pub(super) fn reflective_call(&mut self, part: Part, call: &Call, arguments: &[String]) -> String {
        let receiver = match (call.invoke, &call.on) {
            (Invoke::Virtual | Invoke::Interface, Some(name)) => self.variable(part, name).text,
            _ => "null".to_owned(),
        };
        let text = self.reflect(&call.member, &receiver, arguments);
        match call.result_descriptor() {
            Some(result) => {
                let result = self.names.descriptor(&boxed(&result));
                format!("({result}) {text}")
            }
            None => text,
        }
    }

    /// What a static field of a plan holds.
    pub(super) fn reflective_constant(&mut self, call: &Call) -> String {
        let text = self.reflected_field(&call.member.class, &call.member.name);
        let result = call.result_descriptor().unwrap_or_default();
        format!("({}) {text}", self.names.descriptor(&boxed(&result)))
    }

    /// A call of a member; its type is `Object`.
    pub(super) fn reflect(&mut self, member: &MemberRef, receiver: &str, arguments: &[String]) -> String {
        self.uses_reflection = true;
        format!(
            "reflect({}, {}, {}, {receiver}, new Object[] {{{}}})",
            quoted(&member.class),
            quoted(&member.name),
            quoted(&member.descriptor),
            arguments.join(", ")
        )
    }

    /// What a static field holds; its type is `Object`.
    pub(super) fn reflected_field(&mut self, class: &str, name: &str) -> String {
        self.uses_reflection = true;
        format!("reflect({}, {}, \"\", null, null)", quoted(class), quoted(name))
    }

    /// The class that a descriptor means.
    pub(super) fn reflected_type(&mut self, descriptor: &str) -> String {
        self.uses_reflection = true;
        format!("type({})", quoted(descriptor))
    }

    /// An array of such a class; its type is `Object`.
    pub(super) fn reflected_array(&mut self, element: &str, items: &[String]) -> String {
        self.uses_reflection = true;
        format!(
            "array({}, new Object[] {{{}}})",
            quoted(element),
            items.join(", ")
        )
    }
}
