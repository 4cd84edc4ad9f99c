//! Where class bytes come from.
//!
//! [`Jdk`] finds an installed JDK and reads its run-time image `lib/modules` directly, without starting a
//! JVM. [`ClassPath`] opens the user's jars and directories with the search rules of the `java` command. Both
//! answer the same two questions: the bytes of one class, and the names of all classes.
//!
//! Names are internal names throughout (`java/util/Map$Entry`). All types are `Send + Sync`, and look-ups
//! take `&self`, so one opened JDK or class path serves every thread.

mod bytes;
mod class_path;
mod directory;
mod error;
mod fingerprint;
mod image;
mod jar;
mod jdk;
mod manifest;
mod mapping;
mod name;
mod origin;
mod source_files;

pub use bytes::ClassBytes;
pub use class_path::{ClassPath, Listing, split_class_path};
pub use error::{ClassPathError, ImageError, JdkError};
pub use fingerprint::Fingerprint;
pub use jdk::Jdk;
pub use origin::Origin;
pub use source_files::SourceFiles;

/// Largest class file that is read, in bytes.
///
/// The class-file format has no limit of its own, but every real class is far smaller; a larger one is a zip
/// bomb or a mistake, and refusing it bounds the memory that hostile input can claim.
pub const MAX_CLASS_SIZE: u64 = 64 * 1024 * 1024;
