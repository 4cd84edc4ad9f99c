//! Makes the program's functions for a JVM visible to the JVM, which looks them up by name in the executable.

/// The entry point, and the two that stand between the JVM and the classes it is given.
const FUNCTIONS: [&str; 3] = [
    "Agent_OnLoad_raddle",
    "JVM_DefineClassWithSource",
    "JVM_LookupDefineClass",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for function in FUNCTIONS {
        println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic-symbol={function}");
    }
}
