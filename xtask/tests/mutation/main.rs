//! Damaged class files, jars and documents: whatever the bytes, the answer is a value or an error, and it comes soon.
//!
//! Every case is made from its number alone. A failed one says how to run it again:
//! `RADDLE_MUTATION=reader:4711 cargo test -p xtask --test mutation`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test is a panic"
)]

mod analysis;
mod cases;
mod corpus;
mod documents;
mod jars;
mod mutate;
mod random;
mod reader;
mod whole_class;
mod whole_document;
