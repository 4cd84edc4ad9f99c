//! Class files in, `Program` out: types, hierarchy, members, call resolution.
//!
//! A [`Program`] loads classes on demand and never changes what it has answered: two callers, on any threads and in
//! any order, see the same types. It knows nothing of locks or accesses; that is `raddle-summary`'s business.

mod class;
mod error;
mod hierarchy;
mod ids;
mod intern;
mod naming;
mod program;
mod public;
mod reach;
mod resolve;

pub use class::{Class, Field, Method};
pub use error::{LoadError, NameError};
pub use hierarchy::{Scope, Targets};
pub use ids::{ClassId, FieldId, MethodId, Symbol};
pub use naming::{is_glob, java_name, matches_name};
pub use program::{FieldInfo, Program};
pub use reach::Reach;
