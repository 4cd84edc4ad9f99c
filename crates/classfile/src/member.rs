//! Fields and methods.

use std::borrow::Cow;
use std::fmt;

use crate::access::AccessFlags;
use crate::annotation;
use crate::annotation_value::{self, Annotation};
use crate::attribute::{self, Attributes};
use crate::class::ClassFile;
use crate::code::Code;
use crate::error::{ClassFileError, Result};
use crate::line_map::LineMap;
use crate::raw::{self, RawAttribute};
use crate::reader::Cursor;

/// What fields and methods have in common: flags, name, descriptor, attributes, two bytes each up to the
/// attributes.
#[derive(Copy, Clone)]
struct Member<'a> {
    class: &'a ClassFile,
    at: u32,
    index: usize,
}

impl<'a> Member<'a> {
    // A member was read when the class was parsed, so that the default is never taken.
    fn half(&self, position: u32) -> u16 {
        self.class.cursor(self.at + position * 2).u2().unwrap_or_default()
    }

    fn access(&self) -> AccessFlags {
        AccessFlags(self.half(0))
    }

    fn name(&self) -> Cow<'a, str> {
        self.class.utf8(self.half(1))
    }

    fn descriptor(&self) -> Cow<'a, str> {
        self.class.utf8(self.half(2))
    }

    fn attributes(&self) -> Cursor<'a> {
        self.class.cursor(self.at + 6)
    }

    fn attribute(&self, name: &str) -> Option<Cursor<'a>> {
        attribute::find(self.class.pool(), self.attributes(), name)
    }

    fn annotations(&self) -> Vec<Cow<'a, str>> {
        annotation::visible(self.class.pool(), self.attributes())
    }

    fn all_annotations(&self) -> Vec<Cow<'a, str>> {
        annotation::all(self.class.pool(), self.attributes())
    }

    fn annotation_classes(&self) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        annotation::classes(self.class.pool(), self.attributes())
    }
}

impl fmt::Debug for Member<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class.name(), self.name(), self.descriptor())
    }
}

/// One field.
#[derive(Copy, Clone, Debug)]
pub struct FieldView<'a>(Member<'a>);

impl<'a> FieldView<'a> {
    pub(crate) fn new(class: &'a ClassFile, at: u32, index: usize) -> Self {
        FieldView(Member { class, at, index })
    }

    /// The field's flags.
    pub fn access(&self) -> AccessFlags {
        self.0.access()
    }

    /// The field's name.
    pub fn name(&self) -> Cow<'a, str> {
        self.0.name()
    }

    /// The field's type as a descriptor.
    pub fn descriptor(&self) -> Cow<'a, str> {
        self.0.descriptor()
    }

    /// Position among the fields of the class file.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// Pool index of the constant a static field starts with.
    pub fn constant_value(&self) -> Option<u16> {
        self.0.attribute("ConstantValue")?.u2().ok()
    }

    /// Descriptors of the annotations that are visible at run time, as far as they can be read.
    pub fn annotations(&self) -> Vec<Cow<'a, str>> {
        self.0.annotations()
    }

    /// The same, those included that are not visible at run time.
    pub fn all_annotations(&self) -> Vec<Cow<'a, str>> {
        self.0.all_annotations()
    }
}

/// One method.
#[derive(Copy, Clone, Debug)]
pub struct MethodView<'a>(Member<'a>);

impl<'a> MethodView<'a> {
    pub(crate) fn new(class: &'a ClassFile, at: u32, index: usize) -> Self {
        MethodView(Member { class, at, index })
    }

    /// That of its class.
    pub fn line_map(&self) -> LineMap {
        self.0.class.line_map()
    }

    /// Classes among the values of annotations: the descriptors of the annotation and of the class.
    pub fn annotation_classes(&self) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        self.0.annotation_classes()
    }

    /// Annotations that are visible at run time, with their values, as far as they can be read.
    pub fn annotation_values(&self) -> Vec<Annotation> {
        annotation_value::visible(self.0.class.pool(), self.0.attributes())
    }

    /// The same of every parameter.
    pub fn parameter_annotations(&self) -> Vec<Vec<Annotation>> {
        annotation_value::of_parameters(self.0.class.pool(), self.0.attributes())
    }

    /// The method's flags.
    pub fn access(&self) -> AccessFlags {
        self.0.access()
    }

    /// The method's name; `<init>` and `<clinit>` for initializers.
    pub fn name(&self) -> Cow<'a, str> {
        self.0.name()
    }

    /// The method's parameter and result types as a descriptor.
    pub fn descriptor(&self) -> Cow<'a, str> {
        self.0.descriptor()
    }

    /// Position among the methods of the class file.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// The method's code; `None` when it has none. Checks the tables around the code, not the instructions.
    pub fn code(&self) -> Result<Option<Code<'a>>> {
        let class = self.0.class;
        let mut code = None;
        for attribute in Attributes::checked(class.pool(), self.0.attributes()) {
            if attribute.name != b"Code" {
                continue;
            }
            if code.is_some() {
                let offset = attribute.body.position();
                return Err(ClassFileError::DuplicateAttribute { name: "Code", offset });
            }
            // Until JDK 1.0.2 the size fields were half as wide.
            let narrow = class.major() == 45 && class.minor() < 3;
            code = Some(Code::read(class.pool(), attribute.body, narrow)?);
        }
        Ok(code)
    }

    /// The method's attributes as they are in the file.
    pub fn raw_attributes(&self) -> impl Iterator<Item = RawAttribute<'a>> + use<'a> {
        raw::attributes(self.0.class.pool(), self.0.attributes())
    }

    /// The generic signature, as class files write it; none if nothing about the method is generic.
    pub fn signature(&self) -> Option<Cow<'a, str>> {
        let mut body = self.0.attribute("Signature")?;
        self.0.class.pool().utf8(body.u2().ok()?).ok()
    }

    /// Whether the source says `throws`.
    pub fn declares_exceptions(&self) -> bool {
        self.0.attribute("Exceptions").is_some()
    }

    /// Names in the `MethodParameters` attribute, empty when it is absent. A parameter may have no name.
    pub fn parameter_names(&self) -> Vec<Option<Cow<'a, str>>> {
        let Some(mut body) = self.0.attribute("MethodParameters") else {
            return Vec::new();
        };
        let count = body.u1().unwrap_or(0);
        (0..count)
            .map_while(|_| {
                let name = body.u2().ok()?;
                body.skip(2).ok()?;
                Some(self.0.class.pool().utf8(name).ok())
            })
            .collect()
    }

    /// Descriptors of the annotations that are visible at run time, as far as they can be read.
    pub fn annotations(&self) -> Vec<Cow<'a, str>> {
        self.0.annotations()
    }

    /// The same, those included that are not visible at run time.
    pub fn all_annotations(&self) -> Vec<Cow<'a, str>> {
        self.0.all_annotations()
    }
}
