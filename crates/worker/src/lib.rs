//! A process with a JVM inside that runs test plans under control.

mod agent;
pub mod cage;
mod callers;
mod command;
pub mod descriptors;
mod engine;
mod error;
mod import_patch;
mod intercept;
mod jni;
mod jvm;
mod jvmti;
mod libjvm;
mod natives;
mod options;
pub mod plan_bytecode;
pub mod protocol;
mod runtime;
mod self_test;
pub mod serve;
pub mod signals;
mod stacks;
pub mod stock;
mod wire;

pub use agent::Rewriting;
pub use command::main;
pub use engine::{Engine, LoadRequest};
pub use error::{EngineError, JavaException};
pub use natives::usable_cpus;
pub use options::JvmOptions;
pub use stacks::{OnStall, Stacks, ThreadStack};
