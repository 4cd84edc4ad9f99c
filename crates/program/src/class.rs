//! A loaded class and its members.

use raddle_classfile::{AccessFlags, ClassFile};
use raddle_classpath::Origin;
use rustc_hash::FxHashMap;

use crate::ids::{ClassId, MethodId, Symbol};

/// A class that was found and parsed.
#[expect(clippy::struct_field_names, reason = "a superclass is called that")]
pub struct Class {
    pub(crate) id: ClassId,
    pub(crate) file: ClassFile,
    pub(crate) origin: Origin,
    pub(crate) super_class: Option<ClassId>,
    pub(crate) interfaces: Vec<ClassId>,
    pub(crate) methods: Vec<Method>,
    pub(crate) fields: Vec<Field>,
    pub(crate) method_index: FxHashMap<(Symbol, Symbol), u16>,
}

/// A method as declared.
#[derive(Copy, Clone, Debug)]
pub struct Method {
    /// Simple name.
    pub name: Symbol,
    /// Descriptor.
    pub descriptor: Symbol,
    /// Flags.
    pub access: AccessFlags,
}

/// A field as declared.
#[derive(Copy, Clone, Debug)]
pub struct Field {
    /// Simple name.
    pub name: Symbol,
    /// Descriptor.
    pub descriptor: Symbol,
    /// Flags.
    pub access: AccessFlags,
}

impl Class {
    /// Its id.
    pub fn id(&self) -> ClassId {
        self.id
    }

    /// The parsed file.
    pub fn file(&self) -> &ClassFile {
        &self.file
    }

    /// Where it was found.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Class flags.
    pub fn access(&self) -> AccessFlags {
        self.file.access()
    }

    /// Superclass; `None` for `java.lang.Object` alone.
    pub fn super_class(&self) -> Option<ClassId> {
        self.super_class
    }

    /// Direct superinterfaces.
    pub fn interfaces(&self) -> &[ClassId] {
        &self.interfaces
    }

    /// Declared methods, in file order.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// Declared fields, in file order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The method declared here with this name and descriptor.
    pub fn method(&self, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        self.method_index.get(&(name, descriptor)).map(|&index| MethodId {
            class: self.id,
            index,
        })
    }

    /// Whether the class belongs to the JDK rather than to the user's class path.
    pub fn is_platform(&self) -> bool {
        matches!(self.origin, Origin::Jdk { .. })
    }
}
