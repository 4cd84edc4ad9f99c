//! Class files that no compiler writes any more, or never did.

/// A class file in the making: public, below `java/lang/Object`, with static methods only.
pub(crate) struct Forge {
    minor: u16,
    major: u16,
    pool: Vec<u8>,
    count: u16,
    this_class: u16,
    super_class: u16,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
}

/// A method's code and what goes with it.
pub(crate) struct Body<'a> {
    pub(crate) code: &'a [u8],
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    /// Start, end, handler, class.
    pub(crate) handlers: &'a [[u16; 4]],
    /// Pcs and lines.
    pub(crate) lines: &'a [[u16; 2]],
}

impl Forge {
    pub(crate) fn new(name: &str, (major, minor): (u16, u16)) -> Self {
        let mut forge = Forge {
            minor,
            major,
            pool: Vec::new(),
            count: 1,
            this_class: 0,
            super_class: 0,
            fields: Vec::new(),
            methods: Vec::new(),
        };
        forge.this_class = forge.class(name);
        forge.super_class = forge.class("java/lang/Object");
        forge
    }

    fn entry(&mut self, tag: u8, halves: &[u16]) -> u16 {
        self.pool.push(tag);
        self.pool.extend(be(halves));
        self.count += 1;
        self.count - 1
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let index = self.entry(1, &[text.len() as u16]);
        self.pool.extend(text.as_bytes());
        index
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.entry(7, &[name])
    }

    /// Adds a static field and a reference to it.
    pub(crate) fn field(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.fields.push(be(&[0x0009, name, descriptor, 0]));
        let name_and_type = self.entry(12, &[name, descriptor]);
        self.entry(9, &[self.this_class, name_and_type])
    }

    /// Adds a method.
    pub(crate) fn method(&mut self, access: u16, name: &str, descriptor: &str, body: &Body<'_>) {
        let mut lines = be(&[body.lines.len() as u16]);
        lines.extend(body.lines.iter().flat_map(|line| be(line)));
        let mut code = if self.major == 45 && self.minor < 3 {
            let [_, len @ ..] = (body.code.len() as u32).to_be_bytes();
            vec![body.max_stack as u8, body.max_locals as u8, len[1], len[2]]
        } else {
            let mut head = be(&[body.max_stack, body.max_locals]);
            head.extend((body.code.len() as u32).to_be_bytes());
            head
        };
        code.extend(body.code);
        code.extend(be(&[body.handlers.len() as u16]));
        code.extend(body.handlers.iter().flat_map(|handler| be(handler)));
        code.extend(be(&[1, self.utf8("LineNumberTable")]));
        code.extend((lines.len() as u32).to_be_bytes());
        code.extend(lines);
        let mut method = be(&[
            access,
            self.utf8(name),
            self.utf8(descriptor),
            1,
            self.utf8("Code"),
        ]);
        method.extend((code.len() as u32).to_be_bytes());
        method.extend(code);
        self.methods.push(method);
    }

    /// Fills the pool until it has that many entries.
    pub(crate) fn fill_pool(&mut self, count: u16) {
        while self.count < count {
            self.entry(3, &[0, 0]);
        }
    }

    pub(crate) fn finish(&self) -> Vec<u8> {
        let mut bytes = 0xcafe_babe_u32.to_be_bytes().to_vec();
        bytes.extend(be(&[self.minor, self.major, self.count]));
        bytes.extend(&self.pool);
        bytes.extend(be(&[0x21, self.this_class, self.super_class, 0]));
        for members in [&self.fields, &self.methods] {
            bytes.extend(be(&[members.len() as u16]));
            bytes.extend(members.concat());
        }
        bytes.extend(be(&[0]));
        bytes
    }
}

/// Two-byte values, big-endian.
pub(crate) fn be(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_be_bytes()).collect()
}
