//! Class files that tests put together entry by entry, right or wrong.

use crate::tag;

/// A class file in the making. Indices are handed out as entries are added; nothing is shared or checked.
pub(crate) struct Assembler {
    pub(crate) minor: u16,
    pub(crate) major: u16,
    pub(crate) access: u16,
    pub(crate) this_class: u16,
    pub(crate) super_class: u16,
    pub(crate) interfaces: Vec<u16>,
    pub(crate) fields: Vec<Vec<u8>>,
    pub(crate) methods: Vec<Vec<u8>>,
    pub(crate) attributes: Vec<Vec<u8>>,
    pool: Vec<u8>,
    count: u16,
}

impl Assembler {
    /// A public class of that name, version 61, below `java/lang/Object`.
    pub(crate) fn new(name: &str) -> Self {
        let mut assembler = Assembler {
            minor: 0,
            major: 61,
            access: 0x21,
            this_class: 0,
            super_class: 0,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
            pool: Vec::new(),
            count: 1,
        };
        assembler.this_class = assembler.class(name);
        assembler.super_class = assembler.class("java/lang/Object");
        assembler
    }

    /// The index the next entry will have.
    pub(crate) fn next_index(&self) -> u16 {
        self.count
    }

    pub(crate) fn entry(&mut self, tag: u8, body: &[u8]) -> u16 {
        self.pool.push(tag);
        self.pool.extend(body);
        let index = self.count;
        self.count += tag::slots(tag) as u16;
        index
    }

    /// An entry made of indices or other two-byte values.
    pub(crate) fn halves(&mut self, tag: u8, halves: &[u16]) -> u16 {
        self.entry(tag, &be(halves))
    }

    pub(crate) fn utf8(&mut self, text: impl AsRef<[u8]>) -> u16 {
        let text = text.as_ref();
        let mut body = (text.len() as u16).to_be_bytes().to_vec();
        body.extend(text);
        self.entry(tag::UTF8, &body)
    }

    pub(crate) fn class(&mut self, name: impl AsRef<[u8]>) -> u16 {
        let name = self.utf8(name);
        self.halves(tag::CLASS, &[name])
    }

    pub(crate) fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let halves = [self.utf8(name), self.utf8(descriptor)];
        self.halves(tag::NAME_AND_TYPE, &halves)
    }

    pub(crate) fn member_ref(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let halves = [self.class(class), self.name_and_type(name, descriptor)];
        self.halves(tag, &halves)
    }

    pub(crate) fn attribute(&mut self, name: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = self.utf8(name).to_be_bytes().to_vec();
        bytes.extend((body.len() as u32).to_be_bytes());
        bytes.extend(body);
        bytes
    }

    pub(crate) fn class_attribute(&mut self, name: &str, body: &[u8]) {
        let attribute = self.attribute(name, body);
        self.attributes.push(attribute);
    }

    fn member(&mut self, access: u16, name: &str, descriptor: &str, attributes: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = be(&[access, self.utf8(name), self.utf8(descriptor)]);
        bytes.extend(list(attributes));
        bytes
    }

    pub(crate) fn field(&mut self, access: u16, name: &str, descriptor: &str, attributes: &[Vec<u8>]) {
        let field = self.member(access, name, descriptor, attributes);
        self.fields.push(field);
    }

    pub(crate) fn method(&mut self, access: u16, name: &str, descriptor: &str, attributes: &[Vec<u8>]) {
        let method = self.member(access, name, descriptor, attributes);
        self.methods.push(method);
    }

    /// A Code attribute with two stack and three local slots.
    pub(crate) fn code(&mut self, code: &[u8], handlers: &[[u16; 4]], attributes: &[Vec<u8>]) -> Vec<u8> {
        let mut body = be(&[2, 3]);
        body.extend((code.len() as u32).to_be_bytes());
        body.extend(code);
        body.extend((handlers.len() as u16).to_be_bytes());
        body.extend(handlers.iter().flat_map(|handler| be(handler)));
        body.extend(list(attributes));
        self.attribute("Code", &body)
    }

    pub(crate) fn finish(&self) -> Vec<u8> {
        let mut bytes = 0xcafe_babe_u32.to_be_bytes().to_vec();
        bytes.extend(be(&[self.minor, self.major, self.count]));
        bytes.extend(&self.pool);
        bytes.extend(be(&[
            self.access,
            self.this_class,
            self.super_class,
            self.interfaces.len() as u16,
        ]));
        bytes.extend(be(&self.interfaces));
        bytes.extend(list(&self.fields));
        bytes.extend(list(&self.methods));
        bytes.extend(list(&self.attributes));
        bytes
    }
}

/// Two-byte values, big-endian.
pub(crate) fn be(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_be_bytes()).collect()
}

/// A two-byte count and that many items.
fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = (items.len() as u16).to_be_bytes().to_vec();
    bytes.extend(items.concat());
    bytes
}

/// A class with a bit of everything: an interface, a constant field, a method with code and one without,
/// and most attributes.
pub(crate) fn sample() -> Vec<u8> {
    let mut class = Assembler::new("p/Sample");
    let face = class.class("p/Face");
    class.interfaces.push(face);
    let seven = class.entry(tag::INTEGER, &7_i32.to_be_bytes());
    class.entry(tag::LONG, &1_i64.to_be_bytes());
    class.utf8(b"nul \xc0\x80");

    let constant = class.attribute("ConstantValue", &be(&[seven]));
    class.field(0x18, "K", "I", &[constant]);

    let lines = class.attribute("LineNumberTable", &be(&[2, 3, 12, 0, 11]));
    let this = [class.utf8("this"), class.utf8("Lp/Sample;")];
    let locals = class.attribute("LocalVariableTable", &be(&[1, 0, 4, this[0], this[1], 0]));
    let annotation = class.utf8("Ljava/lang/Deprecated;");
    let annotations = class.attribute("RuntimeVisibleAnnotations", &be(&[1, annotation, 0]));
    // aload_0, pop, goto +2, return, pop, return
    let code = [0x2a, 0x57, 0xa7, 0x00, 0x03, 0xb1, 0x57, 0xb1];
    let code = class.code(&code, &[[0, 5, 6, 0]], &[lines, locals]);
    class.method(0x20, "run", "()V", &[code, annotations.clone()]);
    class.method(0x401, "idle", "(IJ)V", &[]);

    let source = class.utf8("Sample.java");
    class.class_attribute("SourceFile", &be(&[source]));
    let inner = class.class("p/Sample$In");
    let simple = class.utf8("In");
    let (outer, members) = (class.this_class, be(&[1, inner]));
    class.class_attribute("InnerClasses", &be(&[1, inner, outer, simple, 8]));
    class.class_attribute("NestMembers", &members);
    class.class_attribute("PermittedSubclasses", &members);
    class.attributes.push(annotations);
    let factory = class.member_ref(tag::METHOD_REF, "p/Sample", "make", "()V");
    let mut handle = vec![6];
    handle.extend(factory.to_be_bytes());
    let handle = class.entry(tag::METHOD_HANDLE, &handle);
    class.class_attribute("BootstrapMethods", &be(&[1, handle, 2, seven, handle]));
    class.finish()
}
