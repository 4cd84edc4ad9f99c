//! Any bytes as a class file, read in every way there is.
#![no_main]

#[path = "../../xtask/tests/mutation/whole_class.rs"]
mod whole_class;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    whole_class::read(bytes);
});
