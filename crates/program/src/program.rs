//! The program: every class reachable by name, loaded when first asked for.

use std::sync::{Arc, OnceLock};

use raddle_classfile::{AccessFlags, ClassFile};
use raddle_classpath::{ClassPath, Jdk, Origin};
use rustc_hash::FxHashMap;

use crate::class::{Class, Field, Method};
use crate::error::LoadError;
use crate::hierarchy::Subtypes;
use crate::ids::{ClassId, FieldId, MethodId, Symbol};
use crate::intern::Interner;
use crate::naming::java_name;

/// A field's identity, resolved to the class that declares it when that class could be found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldInfo {
    /// Declaring class (or, when it is missing, the class the reference names).
    pub owner: ClassId,
    /// Name.
    pub name: Symbol,
    /// Descriptor.
    pub descriptor: Symbol,
    /// Flags; `None` when the declaration could not be found.
    pub access: Option<AccessFlags>,
}

struct Slot {
    name: Arc<str>,
    class: OnceLock<Result<Box<Class>, Arc<LoadError>>>,
}

/// All classes of a JDK and a class path.
pub struct Program {
    jdk: Arc<Jdk>,
    class_path: Arc<ClassPath>,
    /// The package of the class path that is open, with its slash: `p/q/`.
    open: Option<String>,
    symbols: Interner<Arc<str>, Arc<str>>,
    slots: Interner<Arc<str>, Slot>,
    fields: Interner<(ClassId, Symbol, Symbol), FieldInfo>,
    pub(crate) subtypes: Subtypes,
    object: ClassId,
}

impl Program {
    /// A program over a JDK and the user's class path. Nothing is loaded yet.
    pub fn new(jdk: Jdk, class_path: ClassPath) -> Program {
        Program::over(Arc::new(jdk), Arc::new(class_path), None)
    }

    /// The same program as seen from one of its packages, by its Java name: of the classes of the class path that are in it,
    /// everything is public that is not private. Classes have other ids.
    #[must_use]
    pub fn seen_from(&self, package: &str) -> Program {
        let open = if package.is_empty() {
            String::new()
        } else {
            format!("{}/", package.replace('.', "/"))
        };
        Program::over(Arc::clone(&self.jdk), Arc::clone(&self.class_path), Some(open))
    }

    fn over(jdk: Arc<Jdk>, class_path: Arc<ClassPath>, open: Option<String>) -> Program {
        let mut program = Program {
            jdk,
            class_path,
            open,
            symbols: Interner::new(),
            slots: Interner::new(),
            fields: Interner::new(),
            subtypes: Subtypes::default(),
            object: ClassId(0),
        };
        program.object = program.class_id("java/lang/Object");
        program
    }

    /// The JDK it reads.
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The user's class path.
    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// `java.lang.Object`.
    pub fn object(&self) -> ClassId {
        self.object
    }

    /// The symbol for a string.
    pub fn symbol(&self, text: &str) -> Symbol {
        Symbol(
            self.symbols
                .get(text)
                .unwrap_or_else(|| self.symbols.intern(Arc::from(text), Arc::clone)),
        )
    }

    /// The string behind a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.value(symbol.0)
    }

    /// The id for a class by internal name (`java/util/Hashtable`); the class need not exist.
    pub fn class_id(&self, internal: &str) -> ClassId {
        ClassId(self.slots.get(internal).unwrap_or_else(|| {
            self.slots.intern(Arc::from(internal), |name| Slot {
                name: Arc::clone(name),
                class: OnceLock::new(),
            })
        }))
    }

    /// Internal name of a class.
    pub fn internal_name(&self, id: ClassId) -> &str {
        &self.slots.value(id.0).name
    }

    /// Java name of a class (`java.util.Map$Entry`).
    pub fn name(&self, id: ClassId) -> String {
        java_name(self.internal_name(id))
    }

    /// The class, if it can be loaded.
    pub fn class(&self, id: ClassId) -> Option<&Class> {
        self.load(id).ok()
    }

    /// The class, or why it cannot be had. The answer never changes.
    pub fn load(&self, id: ClassId) -> Result<&Class, &Arc<LoadError>> {
        let slot = self.slots.value(id.0);
        match slot
            .class
            .get_or_init(|| self.read(id, &slot.name).map(Box::new).map_err(Arc::new))
        {
            Ok(class) => Ok(class),
            Err(error) => Err(error),
        }
    }

    fn read(&self, id: ClassId, name: &str) -> Result<Class, LoadError> {
        // The JDK first, as its class loaders do: a class path cannot replace a platform class.
        if let Some((bytes, module)) = self.jdk.find(name)? {
            return self.build(id, name, &bytes, Origin::Jdk { module });
        }
        if let Some((bytes, origin)) = self.class_path.find(name)? {
            return self.build(id, name, &bytes, origin);
        }
        Err(LoadError::Missing {
            name: java_name(name),
        })
    }

    fn build(&self, id: ClassId, name: &str, bytes: &[u8], origin: Origin) -> Result<Class, LoadError> {
        let parsed = ClassFile::parse(bytes).and_then(|file| {
            let is_open =
                !matches!(origin, Origin::Jdk { .. }) && self.open.as_deref() == Some(package_of(name));
            if is_open {
                ClassFile::parse_owned(file.opened().into())
            } else {
                Ok(file)
            }
        });
        let file = parsed.map_err(|reason| LoadError::Malformed {
            name: java_name(name),
            origin: origin.clone(),
            reason,
        })?;
        if file.name() != name {
            let found = java_name(&file.name());
            return Err(LoadError::Misnamed {
                name: java_name(name),
                origin,
                found,
            });
        }
        let super_class = file.super_name().map(|name| self.class_id(&name));
        let interfaces = file.interfaces().map(|name| self.class_id(&name)).collect();
        let methods: Vec<Method> = file
            .methods()
            .map(|method| Method {
                name: self.symbol(&method.name()),
                descriptor: self.symbol(&method.descriptor()),
                access: method.access(),
            })
            .collect();
        let fields = file
            .fields()
            .map(|field| Field {
                name: self.symbol(&field.name()),
                descriptor: self.symbol(&field.descriptor()),
                access: field.access(),
            })
            .collect();
        let method_index: FxHashMap<_, _> = methods
            .iter()
            .enumerate()
            .map(|(index, method)| ((method.name, method.descriptor), index as u16))
            .collect();
        Ok(Class {
            id,
            file,
            origin,
            super_class,
            interfaces,
            methods,
            fields,
            method_index,
        })
    }

    /// The declaration behind a method id.
    pub fn method(&self, id: MethodId) -> Option<(&Class, &Method)> {
        let class = self.class(id.class)?;
        class
            .methods
            .get(usize::from(id.index))
            .map(|method| (class, method))
    }

    /// What a field id stands for.
    pub fn field(&self, id: FieldId) -> &FieldInfo {
        self.fields.value(id.0)
    }

    pub(crate) fn intern_field(
        &self,
        owner: ClassId,
        name: Symbol,
        descriptor: Symbol,
        access: Option<AccessFlags>,
    ) -> FieldId {
        let key = (owner, name, descriptor);
        FieldId(self.fields.get(&key).unwrap_or_else(|| {
            self.fields.intern(key, |_| FieldInfo {
                owner,
                name,
                descriptor,
                access,
            })
        }))
    }
}

/// The package with its slash; empty if there is none.
fn package_of(name: &str) -> &str {
    &name[..name.rfind('/').map_or(0, |slash| slash + 1)]
}
