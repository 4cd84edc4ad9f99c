//! A parsed class file.

use std::borrow::Cow;
use std::fmt;

use crate::access::AccessFlags;
use crate::annotation;
use crate::annotation_value::{self, Annotation};
use crate::attribute::{self, read_exactly};
use crate::error::Result;
use crate::layout::Layout;
use crate::line_map::LineMap;
use crate::member::{FieldView, MethodView};
use crate::pool::Pool;
use crate::reader::Cursor;
use crate::tag;
use crate::utf8;

/// A parsed class file: its bytes and where things are in them.
///
/// Parsing checks the structure: every pool reference leads to an entry of the right kind, names are `Utf8`
/// entries of valid modified UTF-8, every attribute lies inside the file, nothing follows the last one.
/// Accessors without `Result` rely on that and always have an answer. Code is checked when it is asked for.
pub struct ClassFile {
    bytes: Box<[u8]>,
    layout: Layout,
}

impl fmt::Debug for ClassFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClassFile").field(&self.name()).finish()
    }
}

/// One entry of the `InnerClasses` attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerClass<'a> {
    /// Internal name of the nested class.
    pub inner: Cow<'a, str>,
    /// The class it is a member of; `None` for local and anonymous classes.
    pub outer: Option<Cow<'a, str>>,
    /// Its name in the source; `None` for anonymous classes.
    pub simple_name: Option<Cow<'a, str>>,
    /// Its flags as declared, which the class's own flags cannot all express.
    pub access: AccessFlags,
}

/// One entry of the `BootstrapMethods` attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BootstrapMethod {
    /// Pool index of the bootstrap method's handle.
    pub method_handle: u16,
    /// Pool indices of its static arguments.
    pub arguments: Vec<u16>,
}

impl ClassFile {
    /// Reads a class file, keeping a copy of the bytes.
    pub fn parse(bytes: &[u8]) -> Result<ClassFile> {
        let layout = Layout::read(bytes)?;
        Ok(ClassFile {
            bytes: bytes.into(),
            layout,
        })
    }

    /// Reads a class file, keeping the bytes.
    pub fn parse_owned(bytes: Box<[u8]>) -> Result<ClassFile> {
        let layout = Layout::read(&bytes)?;
        Ok(ClassFile { bytes, layout })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The major version: 45 for JDK 1.0, 69 for JDK 25.
    pub fn major(&self) -> u16 {
        self.layout.major
    }

    /// The minor version; 65535 marks preview features.
    pub fn minor(&self) -> u16 {
        self.layout.minor
    }

    /// The class's flags.
    pub fn access(&self) -> AccessFlags {
        self.layout.access
    }

    /// The internal name, such as `java/util/Hashtable`.
    pub fn name(&self) -> Cow<'_, str> {
        self.class_name(self.layout.this_class)
    }

    /// Internal name of the superclass; `None` for `java/lang/Object` and module descriptors.
    pub fn super_name(&self) -> Option<Cow<'_, str>> {
        self.optional_class(self.layout.super_class)
    }

    /// Internal names of the direct superinterfaces, in order.
    pub fn interfaces(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.class_list(Some(self.cursor(self.layout.interfaces)))
    }

    /// The fields, in order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldView<'_>> {
        self.layout
            .fields
            .iter()
            .enumerate()
            .map(|(index, &at)| FieldView::new(self, at, index))
    }

    /// The methods, in order.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = MethodView<'_>> {
        self.layout
            .methods
            .iter()
            .enumerate()
            .map(|(index, &at)| MethodView::new(self, at, index))
    }

    /// The constant pool.
    pub fn pool(&self) -> Pool<'_> {
        Pool::new(&self.bytes, &self.layout.pool)
    }

    /// The source file's name without directories.
    pub fn source_file(&self) -> Option<Cow<'_, str>> {
        self.attribute("SourceFile", 45)
            .map(|mut body| self.utf8(body.u2().unwrap_or(0)))
    }

    /// What the numbers of line tables stand for in the source file, where code from elsewhere was compiled into the class.
    pub fn line_map(&self) -> LineMap {
        let Some(mut body) = self.attribute("SourceDebugExtension", 49) else {
            return LineMap::default();
        };
        let text = utf8::decode(body.take(body.remaining()).unwrap_or_default());
        LineMap::read(&text, &self.source_file().unwrap_or_default())
    }

    /// The generic signature, as class files write it; none if nothing about the class is generic.
    pub fn signature(&self) -> Option<Cow<'_, str>> {
        let mut body = self.attribute("Signature", 49)?;
        self.pool().utf8(body.u2().ok()?).ok()
    }

    /// The nest host, when it is another class.
    pub fn nest_host(&self) -> Option<Cow<'_, str>> {
        self.attribute("NestHost", 55)
            .map(|mut body| self.class_name(body.u2().unwrap_or(0)))
    }

    /// The other members of the nest this class hosts.
    pub fn nest_members(&self) -> Vec<Cow<'_, str>> {
        self.class_list(self.attribute("NestMembers", 55)).collect()
    }

    /// The subclasses a sealed class permits; empty when it is not sealed.
    pub fn permitted_subclasses(&self) -> Vec<Cow<'_, str>> {
        self.class_list(self.attribute("PermittedSubclasses", 61))
            .collect()
    }

    /// Whether this is a record class.
    pub fn is_record(&self) -> bool {
        self.attribute("Record", 60).is_some()
    }

    /// The nested classes this class knows of, itself included when it is nested.
    pub fn inner_classes(&self) -> Vec<InnerClass<'_>> {
        let Some(mut body) = self.attribute("InnerClasses", 45) else {
            return Vec::new();
        };
        let count = body.u2().unwrap_or(0);
        (0..count)
            .map_while(|_| self.inner_class(&mut body).ok())
            .collect()
    }

    /// The bootstrap methods of the class's call sites and dynamic constants.
    pub fn bootstrap_methods(&self) -> Result<Vec<BootstrapMethod>> {
        let name = "BootstrapMethods";
        match self.attribute(name, 51) {
            Some(body) => read_exactly(name, body, |body| self.read_bootstrap_methods(body)),
            None => Ok(Vec::new()),
        }
    }

    /// Descriptors of the annotations that are visible at run time, as far as they can be read.
    pub fn annotations(&self) -> Vec<Cow<'_, str>> {
        annotation::visible(self.pool(), self.cursor(self.layout.attributes))
    }

    /// Annotations that are visible at run time, with their values, as far as they can be read.
    pub fn annotation_values(&self) -> Vec<Annotation> {
        annotation_value::visible(self.pool(), self.cursor(self.layout.attributes))
    }

    /// Constants of enums among the values of all annotations: the descriptor of the enum and the name of the constant.
    pub fn annotation_constants(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        annotation::constants(self.pool(), self.cursor(self.layout.attributes))
    }

    /// Classes among the values of annotations: the descriptors of the annotation and of the class.
    pub fn annotation_classes(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        annotation::classes(self.pool(), self.cursor(self.layout.attributes))
    }

    /// Descriptors of all annotations, those included that are not visible at run time, as far as they can be read.
    pub fn all_annotations(&self) -> Vec<Cow<'_, str>> {
        annotation::all(self.pool(), self.cursor(self.layout.attributes))
    }

    fn read_bootstrap_methods(&self, body: &mut Cursor<'_>) -> Result<Vec<BootstrapMethod>> {
        let count = usize::from(body.u2()?);
        body.expect_room(count, 4)?;
        let mut methods = Vec::with_capacity(count);
        for _ in 0..count {
            let method_handle = body.u2()?;
            self.pool().expect(method_handle, tag::METHOD_HANDLE)?;
            let count = usize::from(body.u2()?);
            body.expect_room(count, 2)?;
            let mut arguments = Vec::with_capacity(count);
            for _ in 0..count {
                let argument = body.u2()?;
                self.pool().expect_loadable(argument)?;
                arguments.push(argument);
            }
            methods.push(BootstrapMethod {
                method_handle,
                arguments,
            });
        }
        Ok(methods)
    }

    fn inner_class(&self, body: &mut Cursor<'_>) -> Result<InnerClass<'_>> {
        let inner = self.class_name(body.u2()?);
        let outer = self.optional_class(body.u2()?);
        let simple_name = match body.u2()? {
            0 => None,
            index => Some(self.utf8(index)),
        };
        let access = AccessFlags(body.u2()?);
        Ok(InnerClass {
            inner,
            outer,
            simple_name,
            access,
        })
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn cursor(&self, at: u32) -> Cursor<'_> {
        Cursor::at(&self.bytes, at as usize)
    }

    /// An attribute of the class. A version older than the attribute gives it no meaning, as in a JVM.
    fn attribute(&self, name: &str, since: u16) -> Option<Cursor<'_>> {
        if self.layout.major < since {
            return None;
        }
        attribute::find(self.pool(), self.cursor(self.layout.attributes), name)
    }

    // The defaults below are never taken: `Layout::read` has followed these indices once already.

    pub(crate) fn utf8(&self, index: u16) -> Cow<'_, str> {
        self.pool().utf8(index).unwrap_or_default()
    }

    fn class_name(&self, index: u16) -> Cow<'_, str> {
        self.pool().class_name(index).unwrap_or_default()
    }

    fn optional_class(&self, index: u16) -> Option<Cow<'_, str>> {
        (index != 0).then(|| self.class_name(index))
    }

    fn class_list<'a>(&'a self, list: Option<Cursor<'a>>) -> impl Iterator<Item = Cow<'a, str>> {
        list.into_iter().flat_map(move |mut list| {
            let count = list.u2().unwrap_or(0);
            (0..count)
                .map_while(move |_| list.u2().ok())
                .map(|index| self.class_name(index))
        })
    }
}

#[cfg(test)]
mod tests;
