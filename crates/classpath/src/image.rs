//! The run-time image of a JDK, `lib/modules` (jimage format 1.0), read from a mapping.
//!
//! Layout, all integers little-endian: header (7 words), redirect table, offsets table, location attributes,
//! strings, resources. The first two tables are a perfect hash from `/module/parent/base.extension` to a
//! location. The file is not trusted: every access is checked, so that a damaged one gives an error and never
//! a panic.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use crate::error::ImageError;
use crate::name;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_SIZE: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;

// Kinds of location attributes.
const END: u8 = 0;
const MODULE: usize = 1;
const PARENT: usize = 2;
const BASE: usize = 3;
const EXTENSION: usize = 4;
const OFFSET: usize = 5;
const COMPRESSED: usize = 6;
const UNCOMPRESSED: usize = 7;

/// Pseudo-modules under which the image keeps its own look-up tables.
const PSEUDO_MODULES: [&str; 2] = ["packages", "modules"];

// Locations may share strings, so that a small hostile image could claim any amount of time and memory. These
// bounds are far above any real image.
/// Longest name, as in class files.
const MAX_NAME: usize = 0xFFFF;
/// All names of one answer together.
const MAX_NAMES: usize = 16 << 20;
/// Attributes of one location; there are 7 kinds, and each occurs once.
const MAX_ATTRIBUTES: usize = 31;
/// Modules of one package.
const MAX_MODULES: usize = 4096;

/// An opened image, over a mapping or, in tests, over any bytes.
pub(crate) struct Image<B> {
    bytes: B,
    /// Number of slots of both hash tables.
    slots: usize,
    redirect: Range<usize>,
    offsets: Range<usize>,
    locations: Range<usize>,
    strings: Range<usize>,
    /// Made when first asked for: a single look-up does not need it.
    modules: OnceLock<Result<ModuleIndex, ImageError>>,
}

/// Slots of the class files of each module.
type ModuleIndex = BTreeMap<Arc<str>, Vec<usize>>;

/// Internal name and bytes of one class.
pub(crate) type NamedClass<'a> = (String, &'a [u8]);

/// Decoded attributes of one resource, by kind.
type Location = [u64; 8];

impl<B: Deref<Target = [u8]>> Image<B> {
    /// Checks the header and that all tables lie within the file.
    pub(crate) fn new(bytes: B) -> Result<Self, ImageError> {
        let header = bytes
            .first_chunk::<HEADER_SIZE>()
            .ok_or(ImageError::Truncated { part: "header" })?;
        let word = |index: usize| u32_at(header, index * 4);
        match word(0) {
            MAGIC => {}
            magic if magic == MAGIC.swap_bytes() => return Err(ImageError::BigEndian),
            magic => return Err(ImageError::NotAnImage { magic }),
        }
        let (major, minor) = ((word(1) >> 16) as u16, word(1) as u16);
        if (major, minor) != (1, 0) {
            return Err(ImageError::Version { major, minor });
        }
        // Word 2 has flags and word 3 the number of resources, neither of which is needed.
        let (slots, locations_size, strings_size) = (word(4) as usize, word(5) as usize, word(6) as usize);

        let mut end = HEADER_SIZE;
        let mut part = |size: usize, part: &'static str| {
            let start = end;
            let fits = start.checked_add(size).filter(|&end| end <= bytes.len());
            end = fits.ok_or(ImageError::Truncated { part })?;
            Ok(start..end)
        };
        let redirect = part(slots.saturating_mul(4), "redirect table")?;
        let offsets = part(slots.saturating_mul(4), "offsets table")?;
        let locations = part(locations_size, "location table")?;
        let strings = part(strings_size, "string table")?;
        Ok(Self {
            bytes,
            slots,
            redirect,
            offsets,
            locations,
            strings,
            modules: OnceLock::new(),
        })
    }

    /// Class by internal name, with its module.
    pub(crate) fn find(&self, name: &str) -> Result<Option<(&[u8], &str)>, ImageError> {
        for module in self.modules_of_package(name)? {
            let (module, _) = module?;
            if let Some(location) = self.lookup(&format!("/{module}/{name}.class"))? {
                return Ok(Some((self.content(&location)?, module)));
            }
        }
        Ok(None)
    }

    /// Module that holds the package of a class.
    pub(crate) fn module_of(&self, name: &str) -> Result<Option<&str>, ImageError> {
        for module in self.modules_of_package(name)? {
            // A module in which the package is empty merely has subpackages of it.
            if let (module, false) = module? {
                return Ok(Some(module));
            }
        }
        Ok(None)
    }

    /// All modules, sorted.
    pub(crate) fn modules(&self) -> Result<impl Iterator<Item = &str>, ImageError> {
        Ok(self.index()?.keys().map(AsRef::as_ref))
    }

    /// Classes of one module, sorted by name; `None` if there is no such module.
    pub(crate) fn classes_of(&self, module: &str) -> Result<Option<Vec<NamedClass<'_>>>, ImageError> {
        let Some(slots) = self.index()?.get(module) else {
            return Ok(None);
        };
        let mut classes = Vec::with_capacity(slots.len());
        let mut budget = MAX_NAMES;
        for &slot in slots {
            let location = self.location(slot)?;
            let class = self.path(&location)?;
            spend(&mut budget, class.len())?;
            if name::is_loadable(&class) && !name::is_descriptor(&class) {
                classes.push((class, self.content(&location)?));
            }
        }
        classes.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(Some(classes))
    }

    /// Modules that have the package of this class, and whether the package is empty there.
    ///
    /// The image answers this itself: `/packages/java.util` holds pairs of that flag and a module name.
    fn modules_of_package(
        &self,
        class: &str,
    ) -> Result<impl Iterator<Item = Result<(&str, bool), ImageError>>, ImageError> {
        // Modules have no classes in the unnamed package.
        let package = class
            .rsplit_once('/')
            .map(|(package, _)| format!("/packages/{}", package.replace('/', ".")));
        let location = package.map_or(Ok(None), |package| self.lookup(&package))?;
        let pairs = location.map_or(Ok([].as_slice()), |location| self.content(&location))?;
        if pairs.len() > MAX_MODULES * 8 {
            return Err(ImageError::Corrupt {
                part: "package table",
            });
        }
        Ok(pairs
            .chunks_exact(8)
            .map(|pair| Ok((self.string(u32_at(pair, 4).into())?, u32_at(pair, 0) != 0))))
    }

    /// Location of a resource by its full name.
    fn lookup(&self, resource: &str) -> Result<Option<Location>, ImageError> {
        if self.slots == 0 {
            return Ok(None);
        }
        let slot = |seed: u32| hash(resource, seed) as usize % self.slots;
        let redirected = u32_at(&self.bytes[self.redirect.clone()], slot(HASH_MULTIPLIER) * 4).cast_signed();
        // Zero means none, positive a second seed for names whose hashes collide, negative the slot itself.
        let slot = match redirected {
            0 => return Ok(None),
            1.. => slot(redirected.cast_unsigned()),
            _ => (-1 - redirected).cast_unsigned() as usize,
        };
        let location = self.location(slot)?;
        Ok(self.is_named(&location, resource)?.then_some(location))
    }

    /// Whether a location has this full name; the hash alone also answers for names not in the image.
    fn is_named(&self, location: &Location, resource: &str) -> Result<bool, ImageError> {
        let mut rest = Some(resource);
        for (before, kind, after) in [
            ("/", MODULE, "/"),
            ("", PARENT, "/"),
            ("", BASE, ""),
            (".", EXTENSION, ""),
        ] {
            let part = self.string(location[kind])?;
            if !part.is_empty() {
                rest =
                    rest.and_then(|rest| rest.strip_prefix(before)?.strip_prefix(part)?.strip_prefix(after));
            }
        }
        Ok(rest == Some(""))
    }

    /// Decodes the location of a slot.
    fn location(&self, slot: usize) -> Result<Location, ImageError> {
        const CORRUPT: ImageError = ImageError::Corrupt {
            part: "location table",
        };
        if slot >= self.slots {
            return Err(ImageError::Corrupt {
                part: "redirect table",
            });
        }
        let start = u32_at(&self.bytes[self.offsets.clone()], slot * 4) as usize;
        let mut data = self.bytes[self.locations.clone()].get(start..).ok_or(CORRUPT)?;
        let mut location = Location::default();
        for _ in 0..=MAX_ATTRIBUTES {
            let (&tag, rest) = data.split_first().ok_or(CORRUPT)?;
            let (kind, length) = (tag >> 3, usize::from(tag & 7) + 1);
            if kind == END {
                return Ok(location);
            }
            let (value, rest) = rest.split_at_checked(length).ok_or(CORRUPT)?;
            // Kinds that this reader does not know add something to a resource, and are skipped.
            if let Some(attribute) = location.get_mut(usize::from(kind)) {
                *attribute = value.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            }
            data = rest;
        }
        Err(CORRUPT)
    }

    /// Name of a resource within its module, without extension.
    fn path(&self, location: &Location) -> Result<String, ImageError> {
        let (parent, base) = (self.string(location[PARENT])?, self.string(location[BASE])?);
        Ok(if parent.is_empty() {
            base.to_owned()
        } else {
            format!("{parent}/{base}")
        })
    }

    /// Zero-terminated string at an offset of the string table.
    fn string(&self, offset: u64) -> Result<&str, ImageError> {
        let bytes = self.string_bytes(offset);
        let bytes = &bytes[..bytes.len().min(MAX_NAME + 1)];
        let string = CStr::from_bytes_until_nul(bytes)
            .ok()
            .and_then(|string| string.to_str().ok());
        string.ok_or(ImageError::Corrupt { part: "string table" })
    }

    /// The string table from an offset on; empty if the offset is outside.
    fn string_bytes(&self, offset: u64) -> &[u8] {
        let strings = &self.bytes[self.strings.clone()];
        usize::try_from(offset)
            .ok()
            .and_then(|offset| strings.get(offset..))
            .unwrap_or_default()
    }

    /// Bytes of a resource.
    fn content(&self, location: &Location) -> Result<&[u8], ImageError> {
        if location[COMPRESSED] != 0 {
            return Err(ImageError::Compressed {
                resource: self.path(location)?,
            });
        }
        // Resources start where the string table ends.
        let resources = &self.bytes[self.strings.end..];
        let start = usize::try_from(location[OFFSET]).ok();
        let end = location[OFFSET]
            .checked_add(location[UNCOMPRESSED])
            .and_then(|end| usize::try_from(end).ok());
        let range = start.zip(end).map(|(start, end)| start..end);
        range
            .and_then(|range| resources.get(range))
            .ok_or(ImageError::Truncated { part: "resources" })
    }

    fn index(&self) -> Result<&ModuleIndex, ImageError> {
        self.modules
            .get_or_init(|| self.make_index())
            .as_ref()
            .map_err(Clone::clone)
    }

    fn make_index(&self) -> Result<ModuleIndex, ImageError> {
        // Resources of a module share the string of its name, so its offset stands for it here.
        let mut by_offset = BTreeMap::<u64, Vec<usize>>::new();
        for slot in 0..self.slots {
            let location = self.location(slot)?;
            if self.string_bytes(location[EXTENSION]).starts_with(b"class\0") {
                by_offset.entry(location[MODULE]).or_default().push(slot);
            }
        }
        let mut modules = ModuleIndex::new();
        let mut budget = MAX_NAMES;
        for (offset, slots) in by_offset {
            let module = self.string(offset)?;
            spend(&mut budget, module.len())?;
            if !PSEUDO_MODULES.contains(&module) {
                modules.entry(Arc::from(module)).or_default().extend(slots);
            }
        }
        Ok(modules)
    }
}

/// Takes the length of a name from what is left for all of them.
fn spend(budget: &mut usize, length: usize) -> Result<(), ImageError> {
    *budget = budget
        .checked_sub(length)
        .ok_or(ImageError::Corrupt { part: "string table" })?;
    Ok(())
}

/// Little-endian word at a position that is known to be within the bytes; zero otherwise.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |word| u32::from_le_bytes(*word))
}

/// The image's hash of a name.
fn hash(name: &str, seed: u32) -> u32 {
    let hash = name.bytes().fold(seed, |hash, byte| {
        hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte)
    });
    hash & 0x7FFF_FFFF
}

#[cfg(test)]
mod tests;
