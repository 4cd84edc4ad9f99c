//! What a loaded library calls in other libraries, and changing that.
#![allow(
    unsafe_code,
    reason = "this reads and writes the tables of the dynamic linker"
)]

use std::ffi::{CStr, c_void};
use std::ptr;

/// Relocations that hold the address of an imported function: those of calls, and those of pointers.
#[cfg(target_arch = "x86_64")]
const IMPORTS: [u64; 2] = [7, 6];
/// As above.
#[cfg(target_arch = "aarch64")]
const IMPORTS: [u64; 2] = [1026, 1025];

/// Tags of `Elf64_Dyn`.
mod tag {
    pub(super) const END: i64 = 0;
    pub(super) const CALLS_SIZE: i64 = 2;
    pub(super) const STRINGS: i64 = 5;
    pub(super) const SYMBOLS: i64 = 6;
    pub(super) const RELOCATIONS: i64 = 7;
    pub(super) const RELOCATIONS_SIZE: i64 = 8;
    pub(super) const CALLS: i64 = 23;
}

/// The beginning of `struct link_map`.
#[repr(C)]
struct LinkMap {
    base: usize,
    name: *const i8,
    dynamic: *const Dynamic,
}

/// `Elf64_Dyn`.
#[repr(C)]
struct Dynamic {
    tag: i64,
    value: usize,
}

/// `Elf64_Rela`.
#[repr(C)]
struct Relocation {
    offset: usize,
    info: u64,
    addend: i64,
}

/// What a library's own tables say.
#[derive(Default)]
struct Tables {
    base: usize,
    strings: usize,
    symbols: usize,
    lists: [(usize, usize); 2],
}

/// From here on, the library calls `replacement` where it called the function of that name. False if it calls none.
///
/// # Safety
/// `library` comes from `dlopen`, and `replacement` has the type of the function. No other thread runs the library's
/// code yet.
pub(crate) unsafe fn redirect(library: *mut c_void, name: &CStr, replacement: *const c_void) -> bool {
    // SAFETY: the caller vouches for the library; everything else is as the dynamic linker has it in memory.
    unsafe {
        let Some(tables) = tables(library) else {
            return false;
        };
        let mut found = false;
        for (first, size) in tables.lists {
            for index in 0..size / size_of::<Relocation>() {
                let relocation = &*ptr::with_exposed_provenance::<Relocation>(first).add(index);
                let is_import = IMPORTS.contains(&(relocation.info & 0xffff_ffff));
                if is_import && tables.name((relocation.info >> 32) as usize) == name {
                    found |= write(tables.base + relocation.offset, replacement);
                }
            }
        }
        found
    }
}

impl Tables {
    /// Name of a symbol.
    ///
    /// # Safety
    /// The library has that symbol, and stays loaded.
    unsafe fn name(&self, symbol: usize) -> &CStr {
        const SYMBOL_SIZE: usize = 24;
        // SAFETY: a symbol begins with the position of its name among the strings.
        unsafe {
            let symbol = ptr::with_exposed_provenance::<u32>(self.symbols + symbol * SYMBOL_SIZE);
            CStr::from_ptr(ptr::with_exposed_provenance(self.strings + *symbol as usize))
        }
    }
}

unsafe fn tables(library: *mut c_void) -> Option<Tables> {
    let mut map: *const LinkMap = ptr::null();
    // SAFETY: the caller vouches for the library. Its dynamic section ends with an entry that says so; the dynamic
    // linker has made the addresses in it absolute.
    unsafe {
        if libc::dlinfo(library, libc::RTLD_DI_LINKMAP, (&raw mut map).cast()) != 0 || map.is_null() {
            return None;
        }
        let mut tables = Tables {
            base: (*map).base,
            ..Tables::default()
        };
        let mut entry = (*map).dynamic;
        while (*entry).tag != tag::END {
            let value = (*entry).value;
            match (*entry).tag {
                tag::STRINGS => tables.strings = value,
                tag::SYMBOLS => tables.symbols = value,
                tag::CALLS => tables.lists[0].0 = value,
                tag::CALLS_SIZE => tables.lists[0].1 = value,
                tag::RELOCATIONS => tables.lists[1].0 = value,
                tag::RELOCATIONS_SIZE => tables.lists[1].1 = value,
                _ => {}
            }
            entry = entry.add(1);
        }
        (tables.strings != 0 && tables.symbols != 0).then_some(tables)
    }
}

/// Writes to a place that the dynamic linker may have made read-only, and leaves it so.
unsafe fn write(address: usize, value: *const c_void) -> bool {
    // SAFETY: the caller vouches for the place. The page stays readable throughout.
    unsafe {
        let size = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(4096);
        let page = ptr::with_exposed_provenance_mut::<c_void>(address / size * size);
        if libc::mprotect(page, size, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            return false;
        }
        ptr::with_exposed_provenance_mut::<*const c_void>(address).write(value);
        libc::mprotect(page, size, libc::PROT_READ);
    }
    true
}
