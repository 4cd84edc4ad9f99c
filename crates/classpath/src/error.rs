//! What can go wrong, one variant for each case a caller may want to treat differently.
//!
//! Every message is one sentence that names the file and what to do about it. Causes are part of the message,
//! not a `source`, so that printing the chain does not say everything twice.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::MAX_CLASS_SIZE;

/// Ends every message about a directory that cannot serve as a JDK.
const NEEDS_JDK: &str = "Raddle needs JDK 17 or later, set --jdk or JAVA_HOME to its home directory";

/// Why no JDK could be opened.
#[derive(Debug, Error)]
pub enum JdkError {
    /// Neither an explicit JDK, nor `JAVA_HOME`, nor `java` on `PATH`.
    #[error(
        "no Java found: JAVA_HOME is not set and there is no java on PATH; install a JDK 17 or later, or set \
         --jdk to the home directory of one"
    )]
    NotFound,
    /// The home directory does not exist, or is a file.
    #[error("no JDK at {home}: there is no such directory; {NEEDS_JDK}")]
    NoDirectory {
        /// The directory that was asked for.
        home: PathBuf,
    },
    /// The directory exists and holds nothing of a JDK.
    #[error(
        "no JDK at {home}: {image} does not exist; {NEEDS_JDK}",
        image = .home.join("lib/modules").display()
    )]
    NotAJdk {
        /// The directory that was asked for.
        home: PathBuf,
    },
    /// `java` on `PATH` is a wrapper (a version manager's shim, a script) that lies outside any JDK.
    #[error(
        "java on PATH is {java}, which is a wrapper and lies in no JDK; set --jdk or JAVA_HOME to the home \
         directory of a JDK 17 or later"
    )]
    Wrapper {
        /// The file on `PATH`, symbolic links resolved.
        java: PathBuf,
    },
    /// A JDK or JRE before 9, which keeps its classes in `rt.jar` instead of a run-time image.
    #[error("the JDK at {home} is version {version}, which has no lib/modules; {NEEDS_JDK}")]
    TooOld {
        /// Home directory of the JDK.
        home: PathBuf,
        /// Its version, as far as it is known.
        version: String,
    },
    /// A JDK build tree whose classes are loose files.
    #[error(
        "the JDK at {home} is an exploded build without lib/modules; run `make images` and set --jdk or \
         JAVA_HOME to its images/jdk directory"
    )]
    Exploded {
        /// Home directory of the build.
        home: PathBuf,
    },
    /// The directory has the looks of a JDK, but its run-time image is missing.
    #[error("the Java at {home} has no lib/modules, so it is incomplete; {NEEDS_JDK}")]
    NoImage {
        /// Home directory of the installation.
        home: PathBuf,
    },
    /// The `release` file is missing, or has no usable `JAVA_VERSION`.
    #[error(
        "the version of the JDK at {home} is unknown because {release} has no JAVA_VERSION line; {NEEDS_JDK}",
        release = .home.join("release").display()
    )]
    NoVersion {
        /// Home directory of the JDK.
        home: PathBuf,
    },
    /// A file of the JDK cannot be read.
    #[error("cannot read {path}: {reason}; make it readable or set --jdk to another JDK")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
    /// The run-time image is damaged or of an unknown kind.
    #[error("cannot use the run-time image {path}: {reason}")]
    Image {
        /// The image, `lib/modules`.
        path: PathBuf,
        /// What is wrong with it.
        reason: ImageError,
    },
}

/// What is wrong with a run-time image.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ImageError {
    /// The file does not start with the magic number of an image.
    #[error("it is not a run-time image, its first four bytes are {magic:#010x}; reinstall the JDK")]
    NotAnImage {
        /// What it starts with.
        magic: u32,
    },
    /// The image was written for a big-endian machine.
    #[error("it was made for a big-endian machine; use a JDK made for a little-endian machine")]
    BigEndian,
    /// A format version this reader does not know.
    #[error("its format version is {major}.{minor} and only 1.0 is known; use another JDK")]
    Version {
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// The file is shorter than its own header says.
    #[error("it ends within its {part}; reinstall the JDK")]
    Truncated {
        /// The part that is cut off.
        part: &'static str,
    },
    /// Some table points outside the file, or makes no sense.
    #[error("its {part} is damaged; reinstall the JDK")]
    Corrupt {
        /// The damaged part.
        part: &'static str,
    },
    /// A resource is compressed, as `jlink --compress` does.
    #[error(
        "{resource} is compressed (jlink --compress); use a full JDK, whose image is not compressed, or \
         unpack this one with `jimage extract` and put the directories of its modules on the class path"
    )]
    Compressed {
        /// The first compressed resource that was asked for.
        resource: String,
    },
}

/// Why class bytes could not be read.
#[derive(Debug, Error)]
pub enum ClassPathError {
    /// A class path entry does not exist.
    #[error("class path entry {path} does not exist; correct the path or leave the entry out")]
    Missing {
        /// The entry.
        path: PathBuf,
    },
    /// A file or directory cannot be read.
    #[error("cannot read {path}: {reason}; make it readable or leave it out of the class path")]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
    /// A class path entry is a single class file.
    #[error(
        "class path entry {path} is a class file; give the directory that holds its package, \
         not the class file"
    )]
    ClassFile {
        /// The entry.
        path: PathBuf,
    },
    /// A directory with the name of a jar.
    #[error(
        "class path entry {path} is a directory although its name ends in .jar; give the jar itself, or \
         write {path}/ if the directory is meant"
    )]
    DirectoryNamedJar {
        /// The entry.
        path: PathBuf,
    },
    /// A device, pipe or socket.
    #[error("{path} is neither a file nor a directory; give a jar or a directory of classes")]
    NotAFile {
        /// The entry.
        path: PathBuf,
    },
    /// The file is not a zip archive at all.
    #[error("{path} is not a jar file; give a jar or a directory of classes")]
    NotAJar {
        /// The file.
        path: PathBuf,
    },
    /// A jmod file, which holds classes but is no class path entry.
    #[error(
        "{path} is a jmod file, which java does not take on the class path either; unpack it with `jmod \
         extract` and give its classes directory"
    )]
    Jmod {
        /// The file.
        path: PathBuf,
    },
    /// The directory of the archive is damaged.
    #[error("the jar {path} is damaged ({reason}); build or download it again")]
    CorruptJar {
        /// The jar.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// One entry of the archive is damaged: wrong checksum, wrong size, broken compressed data.
    #[error("{entry} in {path} is damaged ({reason}); build or download the jar again")]
    CorruptEntry {
        /// The jar.
        path: PathBuf,
        /// Name of the entry.
        entry: String,
        /// What is wrong with it.
        reason: String,
    },
    /// One entry of the archive is encrypted.
    #[error(
        "{entry} in {path} is encrypted, which java cannot load either; repack the jar without a password"
    )]
    Encrypted {
        /// The jar.
        path: PathBuf,
        /// Name of the entry.
        entry: String,
    },
    /// One entry of the archive uses a compression method other than those of jars.
    #[error(
        "{entry} in {path} is neither stored nor deflated, and java knows no other compression; repack it \
         with the jar tool"
    )]
    Compression {
        /// The jar.
        path: PathBuf,
        /// Name of the entry.
        entry: String,
    },
    /// A class file, or an entry of a jar, is larger than [`MAX_CLASS_SIZE`].
    #[error(
        "{name}{} is larger than {} MiB, which no compiler or jar tool writes; leave it out of the \
         class path",
        within(.jar.as_ref()), MAX_CLASS_SIZE >> 20
    )]
    TooLarge {
        /// The class file, or the entry of the jar.
        name: String,
        /// The jar, if it is in one.
        jar: Option<PathBuf>,
    },
    /// The jar was written again after it was opened.
    #[error("the jar {path} changed while it was being read; run again when the build has finished")]
    Changed {
        /// The jar.
        path: PathBuf,
    },
    /// The run-time image of the JDK is damaged or compressed.
    #[error("cannot use the run-time image {path}: {reason}")]
    Image {
        /// The image, `lib/modules`.
        path: PathBuf,
        /// What is wrong with it.
        reason: ImageError,
    },
    /// The JDK has no such module.
    #[error("the JDK at {home} has no module {module}; use a JDK that has it")]
    UnknownModule {
        /// Home directory of the JDK.
        home: PathBuf,
        /// The module that was asked for.
        module: String,
    },
}

fn within(jar: Option<&PathBuf>) -> String {
    jar.map_or_else(String::new, |jar| format!(" in {}", jar.display()))
}
