//! The sites of all classes, by number.

use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use raddle_plan::Target;
use rustc_hash::FxHashMap;

use crate::site::{Site, SiteKind};

/// What the sites of one class have in common.
#[derive(Debug)]
pub(crate) struct SiteClass {
    pub(crate) name: Arc<str>,
    pub(crate) source: Option<Arc<str>>,
}

/// What the sites of one method have in common.
#[derive(Debug)]
pub(crate) struct SiteMethod {
    pub(crate) class: Arc<SiteClass>,
    pub(crate) name: Arc<str>,
    pub(crate) descriptor: Arc<str>,
    pub(crate) is_static: bool,
    // The hash of class, method and descriptor, on which those of the sites go on.
    hash: u32,
}

/// A site that has no number yet.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) method: Arc<SiteMethod>,
    pub(crate) bci: u16,
    pub(crate) line: Option<u16>,
    pub(crate) kind: SiteKind,
    pub(crate) target: Option<Arc<Target>>,
    pub(crate) volatile: Option<bool>,
}

/// All sites. Numbers are the same in every process that loads classes in the same order, and nearly always
/// in every process: they are hashes, and only a clash of two makes them depend on which came first.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    by_id: Mutex<FxHashMap<i32, Draft>>,
}

impl SiteMethod {
    pub(crate) fn new(class: &Arc<SiteClass>, name: &str, descriptor: &str, is_static: bool) -> Self {
        let mut hash = FNV_OFFSET;
        for part in [&*class.name, name, descriptor] {
            hash = fnv(hash, part.as_bytes());
            // No name has this byte, so that parts cannot run into each other.
            hash = fnv(hash, &[0xff]);
        }
        SiteMethod {
            class: Arc::clone(class),
            name: name.into(),
            descriptor: descriptor.into(),
            is_static,
            hash,
        }
    }

    fn is_same(&self, other: &SiteMethod) -> bool {
        self.hash == other.hash
            && self.class.name == other.class.name
            && self.name == other.name
            && self.descriptor == other.descriptor
    }
}

impl Draft {
    fn first_id(&self) -> i32 {
        let hash = fnv(self.method.hash, &u32::from(self.bci).to_be_bytes());
        positive(fnv(hash, self.kind.name().as_bytes()))
    }

    /// A class may be loaded more than once; its sites keep their numbers.
    fn is_same(&self, other: &Draft) -> bool {
        self.bci == other.bci && self.kind == other.kind && self.method.is_same(&other.method)
    }
}

impl Sites {
    /// Gives numbers to the sites of one class, in order.
    pub(crate) fn add(&self, drafts: Vec<Draft>, mut number: impl FnMut(i32)) {
        let mut by_id = self.by_id.lock().unwrap_or_else(PoisonError::into_inner);
        for draft in drafts {
            let mut id = draft.first_id();
            loop {
                match by_id.entry(id) {
                    Entry::Vacant(free) => {
                        free.insert(draft);
                        break;
                    }
                    Entry::Occupied(taken) if taken.get().is_same(&draft) => break,
                    Entry::Occupied(_) => id = positive(id.cast_unsigned().wrapping_add(1)),
                }
            }
            number(id);
        }
    }

    pub(crate) fn get(&self, id: i32) -> Option<Site> {
        let by_id = self.by_id.lock().unwrap_or_else(PoisonError::into_inner);
        by_id.get(&id).map(|draft| Site {
            class: Arc::clone(&draft.method.class.name),
            method: Arc::clone(&draft.method.name),
            descriptor: Arc::clone(&draft.method.descriptor),
            is_static: draft.method.is_static,
            bci: draft.bci,
            line: draft.line,
            source: draft.method.class.source.clone(),
            kind: draft.kind,
            target: draft.target.clone(),
            volatile: draft.volatile,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

const FNV_OFFSET: u32 = 0x811c_9dc5;
const FNV_PRIME: u32 = 0x0100_0193;

/// FNV-1a, going on from an earlier hash.
fn fnv(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(FNV_PRIME)
    })
}

/// The number as the hooks get it: 0 and negative numbers are theirs to use.
fn positive(hash: u32) -> i32 {
    (hash & 0x7fff_ffff).max(1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(method: &Arc<SiteMethod>, bci: u16, kind: SiteKind) -> Draft {
        Draft {
            method: Arc::clone(method),
            bci,
            line: Some(bci + 100),
            kind,
            target: None,
            volatile: None,
        }
    }

    fn method(class: &str, name: &str) -> Arc<SiteMethod> {
        let class = Arc::new(SiteClass {
            name: class.into(),
            source: None,
        });
        Arc::new(SiteMethod::new(&class, name, "()V", false))
    }

    fn add(sites: &Sites, drafts: Vec<Draft>) -> Vec<i32> {
        let mut ids = Vec::new();
        sites.add(drafts, |id| ids.push(id));
        ids
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(FNV_OFFSET, b"foobar"), 0xbf9c_f968);
        assert_eq!(positive(0x8000_0000), 1);
        assert_eq!(positive(0xffff_ffff), 0x7fff_ffff);
    }

    #[test]
    fn a_class_that_is_loaded_again_keeps_its_numbers() {
        let sites = Sites::default();
        let drafts = || {
            let method = method("p.A", "m");
            vec![
                draft(&method, 0, SiteKind::Read),
                draft(&method, 7, SiteKind::Write),
            ]
        };
        let first = add(&sites, drafts());
        assert_eq!(first, add(&sites, drafts()));
        assert_eq!(first, add(&Sites::default(), drafts()));
        assert!(first[0] > 0 && first[1] > 0 && first[0] != first[1]);
        assert_eq!(sites.len(), 2);
        let site = sites.get(first[1]).unwrap();
        assert_eq!((&*site.class, &*site.method, site.bci), ("p.A", "m", 7));
        assert_eq!((site.kind.name(), site.line), ("write", Some(107)));
        assert_eq!(sites.get(0), None);
    }

    #[test]
    fn a_clash_takes_the_next_free_number() {
        let sites = Sites::default();
        let wanted = draft(&method("p.A", "m"), 3, SiteKind::Loop);
        let id = wanted.first_id();
        let mut by_id = sites.by_id.lock().unwrap();
        by_id.insert(id, draft(&method("p.B", "m"), 3, SiteKind::Loop));
        drop(by_id);
        assert_eq!(add(&sites, vec![wanted]), [positive(id.cast_unsigned() + 1)]);
    }
}
