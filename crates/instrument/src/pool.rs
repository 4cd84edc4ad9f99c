//! Constants that are added to a class's pool. Those it has keep their indices.

use rustc_hash::FxHashMap;

use crate::hook::{self, Hook};

const UTF8: u8 = 1;
const INTEGER: u8 = 3;
const CLASS: u8 = 7;
const STRING: u8 = 8;
const FIELD_REF: u8 = 9;
const METHOD_REF: u8 = 10;
const NAME_AND_TYPE: u8 = 12;

/// The entries behind the last one of the original pool.
#[derive(Debug)]
pub(crate) struct Appendix {
    bytes: Vec<u8>,
    // What the count field of the whole pool will be; past 65535 there is no such pool.
    count: u32,
    class: Option<u16>,
    hooks: [Option<u16>; Hook::COUNT],
    // Several hooks share names and most share descriptors.
    texts: FxHashMap<&'static str, u16>,
    // Classes and strings by their tag and text.
    named: FxHashMap<(u8, Box<str>), u16>,
    // Where the value of each site's number is, in the order of the sites.
    sites: Vec<usize>,
}

/// How far an `Appendix` was, to go back to.
#[derive(Debug)]
pub(crate) struct Mark {
    bytes: usize,
    count: u32,
    sites: usize,
}

impl Appendix {
    /// For a pool with that count field.
    pub(crate) fn new(count: u16) -> Self {
        Appendix {
            bytes: Vec::new(),
            count: u32::from(count),
            class: None,
            hooks: [None; Hook::COUNT],
            texts: FxHashMap::default(),
            named: FxHashMap::default(),
            sites: Vec::new(),
        }
    }

    /// The count field of the whole pool; `None` when it has too many entries.
    pub(crate) fn count(&self) -> Option<u16> {
        u16::try_from(self.count).ok()
    }

    /// The entries.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            bytes: self.bytes.len(),
            count: self.count,
            sites: self.sites.len(),
        }
    }

    /// Forgets what was added since.
    pub(crate) fn back_to(&mut self, mark: &Mark) {
        self.bytes.truncate(mark.bytes);
        self.sites.truncate(mark.sites);
        self.count = mark.count;
        let gone = |index: u16| u32::from(index) >= mark.count;
        self.class = self.class.filter(|&index| !gone(index));
        for index in &mut self.hooks {
            *index = index.filter(|&index| !gone(index));
        }
        self.texts.retain(|_, index| !gone(*index));
        self.named.retain(|_, index| !gone(*index));
    }

    /// The reference to a hook.
    pub(crate) fn hook(&mut self, hook: Hook) -> u16 {
        if let Some(&Some(index)) = self.hooks.get(hook as usize) {
            return index;
        }
        let (name, descriptor) = hook.signature();
        let class = self.hook_class();
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let name_and_type = self.pair(NAME_AND_TYPE, name, descriptor);
        let index = self.pair(METHOD_REF, class, name_and_type);
        if let Some(known) = self.hooks.get_mut(hook as usize) {
            *known = Some(index);
        }
        index
    }

    /// A reference to a field of a class, by what is in the pool already.
    pub(crate) fn field(&mut self, class: u16, name: u16, descriptor: u16) -> u16 {
        let name_and_type = self.pair(NAME_AND_TYPE, name, descriptor);
        self.pair(FIELD_REF, class, name_and_type)
    }

    /// An `Integer` for the number of the next site, which is not known yet.
    pub(crate) fn site(&mut self) -> u16 {
        let index = self.entry(INTEGER);
        self.sites.push(self.bytes.len());
        self.bytes.extend([0; 4]);
        index
    }

    /// Puts the number of a site into its `Integer`.
    pub(crate) fn set_site(&mut self, position: usize, id: i32) {
        let at = self.sites.get(position).copied().unwrap_or(usize::MAX);
        if let Some(value) = self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *value = id.to_be_bytes();
        }
    }

    fn hook_class(&mut self) -> u16 {
        if let Some(class) = self.class {
            return class;
        }
        let name = self.text(hook::CLASS);
        let class = self.entry(CLASS);
        self.half(name);
        self.class = Some(class);
        class
    }

    /// A name or descriptor.
    pub(crate) fn text(&mut self, text: &'static str) -> u16 {
        if let Some(&index) = self.texts.get(text) {
            return index;
        }
        let index = self.entry(UTF8);
        self.half(text.len() as u16);
        self.bytes.extend(text.as_bytes());
        self.texts.insert(text, index);
        index
    }

    /// Whether class files write the text as UTF-8 does, and there is room for it.
    pub(crate) fn is_plain(text: &str) -> bool {
        u16::try_from(text.len()).is_ok() && text.chars().all(|c| matches!(c, '\u{1}'..='\u{ffff}'))
    }

    /// A class by its internal name, which is plain.
    pub(crate) fn class(&mut self, name: &str) -> u16 {
        self.named(CLASS, name)
    }

    /// A string constant with a plain text.
    pub(crate) fn string(&mut self, text: &str) -> u16 {
        self.named(STRING, text)
    }

    fn named(&mut self, tag: u8, text: &str) -> u16 {
        if let Some(&index) = self.named.get(&(tag, text.into())) {
            return index;
        }
        let name = self.entry(UTF8);
        self.half(text.len() as u16);
        self.bytes.extend(text.as_bytes());
        let index = self.entry(tag);
        self.half(name);
        self.named.insert((tag, text.into()), index);
        index
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let index = self.entry(tag);
        self.half(first);
        self.half(second);
        index
    }

    /// Begins an entry. Past the end of the pool the index means nothing, and `count` says so.
    fn entry(&mut self, tag: u8) -> u16 {
        let index = self.count as u16;
        self.count += 1;
        self.bytes.push(tag);
        index
    }

    fn half(&mut self, value: u16) {
        self.bytes.extend(value.to_be_bytes());
    }
}
