//! A recording: read and written again.
#![no_main]
#![allow(dead_code, reason = "each target reads one kind of document")]

#[path = "../../xtask/tests/mutation/whole_document.rs"]
mod whole_document;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    whole_document::recording(bytes);
});
