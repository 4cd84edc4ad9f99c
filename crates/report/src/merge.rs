//! The folders of the shards of a hunt, joined into the folder that one machine would have written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use raddle_reproduce::HELPER_FILE;
use serde_json::Value;

use crate::bounded;
use crate::class_record::ClassRecord;
use crate::hunt_folder::{HuntFolder, RUN, TEXT, write_whole};
use crate::recorded_run::write_helper;
use crate::resume_options::HuntRequest;
use crate::resume_state::ResumeError;
use crate::shard::Shard;

/// What the folders of some shards have.
#[derive(Debug)]
pub struct Shards {
    /// In the order of their numbers.
    parts: Vec<Part>,
    count: usize,
}

/// One of them.
#[derive(Debug)]
struct Part {
    folder: PathBuf,
    shard: Shard,
    request: HuntRequest,
    record: ClassRecord,
}

/// Why folders cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is no shard.
    #[error(
        "there is no shard of a hunt in {}; name folders that raddle hunt --shard has written, or one that holds them",
        .0.display()
    )]
    NoShard(PathBuf),
    /// The shards are of different hunts.
    #[error(
        "{} and {} are of different hunts: {difference} differs; hunt all shards with the same options and classes",
        .one.display(), .other.display()
    )]
    Different {
        /// A folder.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
        /// What differs, by its name in `hunt.json`.
        difference: String,
    },
    /// A shard was named twice.
    #[error("{} and {} are the same shard; leave one of them out", .one.display(), .other.display())]
    Twice {
        /// A folder.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
    },
    /// The result would be mixed with another hunt.
    #[error("there is another hunt in {}; choose another directory with --output", .0.display())]
    Occupied(PathBuf),
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ResumeError),
    /// A file cannot be copied.
    #[error("cannot copy {} to {}: {reason}", .from.display(), .to.display())]
    Copy {
        /// What.
        from: PathBuf,
        /// Where to.
        to: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

impl Shards {
    /// Reads what the shards were told. Each folder is that of a shard, or holds such folders.
    pub fn open(folders: &[PathBuf]) -> Result<Shards, MergeError> {
        let mut parts: Vec<Part> = Vec::new();
        for folder in folders {
            let mut found = Vec::new();
            found.extend(Part::open(folder)?);
            if found.is_empty() {
                for inner in shard_folders(folder) {
                    found.extend(Part::open(&inner)?);
                }
            }
            if found.is_empty() {
                return Err(MergeError::NoShard(folder.clone()));
            }
            parts.append(&mut found);
        }
        parts.sort_by_key(|part| part.shard);
        for pair in parts.windows(2) {
            let [one, other] = pair else { continue };
            let names = || (one.folder.clone(), other.folder.clone());
            let difference = if one.shard.count() == other.shard.count() {
                one.request.difference(&other.request)
            } else {
                Some("the number of shards".to_owned())
            };
            if let Some(difference) = difference {
                let (one, other) = names();
                return Err(MergeError::Different {
                    one,
                    other,
                    difference,
                });
            }
            if one.shard == other.shard {
                let (one, other) = names();
                return Err(MergeError::Twice { one, other });
            }
        }
        let count = parts.first().map_or(0, |part| part.shard.count());
        Ok(Shards { parts, count })
    }

    /// What is missing: shards that are not there, and the classes of others that were not hunted to their ends. A sentence
    /// each.
    pub fn missing(&self) -> Result<Vec<String>, MergeError> {
        let there: BTreeSet<usize> = self.parts.iter().map(|part| part.shard.index()).collect();
        let mut sentences: Vec<String> = (1..=self.count)
            .filter(|index| !there.contains(index))
            .map(|index| format!("shard {index}/{} is missing", self.count))
            .collect();
        for part in &self.parts {
            let open = part.unfinished()?;
            if let Some(first) = open.first() {
                let more = match open.len() - 1 {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                sentences.push(format!(
                    "shard {} is not finished: {first}{more} of its {} classes; raddle hunt --resume --out {} goes on",
                    part.shard,
                    part.record.classes.len(),
                    part.folder.display()
                ));
            }
        }
        Ok(sentences)
    }

    /// Writes the folder of the whole hunt. What an earlier merge of the same shards has written there is replaced.
    pub fn write(&self, output: &Path) -> Result<(), MergeError> {
        let Some(first) = self.parts.first() else {
            return Ok(());
        };
        let request = HuntRequest {
            shard: None,
            ..first.request.clone()
        };
        match HuntFolder::new(output).request() {
            Err(ResumeError::Nothing { .. }) => {}
            Ok(there) if there.shard.is_none() && there.difference(&request).is_none() => {}
            _ => return Err(MergeError::Occupied(output.to_owned())),
        }
        let mut classes = BTreeMap::new();
        let mut folder = HuntFolder::new(output);
        for part in &self.parts {
            let source = HuntFolder::new(&part.folder);
            for (name, recorded) in &part.record.classes {
                classes.insert(name.clone(), recorded.clone());
                let from = source.class_directory(name);
                if from.is_dir() {
                    let to = folder.class_directory(name);
                    replace(&from, &to).map_err(|reason| MergeError::Copy {
                        from: from.clone(),
                        to,
                        reason,
                    })?;
                }
            }
        }
        let written = fs::create_dir_all(output)
            .and_then(|()| ClassRecord::new(classes).write(output))
            .and_then(|()| folder.go_on(&request))
            .and_then(|()| self.copy_helper(output));
        written.map_err(|reason| MergeError::Copy {
            from: first.folder.clone(),
            to: output.to_owned(),
            reason,
        })
    }

    /// The tests of findings need it, and it is in none of the directories of classes.
    fn copy_helper(&self, output: &Path) -> io::Result<()> {
        let is_there = |part: &Part| part.folder.join(HELPER_FILE).exists();
        if self.parts.iter().any(is_there) {
            write_helper(output)?;
        }
        Ok(())
    }
}

impl Part {
    /// The shard in a folder, if it is one.
    fn open(folder: &Path) -> Result<Option<Part>, ResumeError> {
        let request = match HuntFolder::new(folder).request() {
            Ok(request) => request,
            Err(ResumeError::Nothing { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(shard) = request.shard else {
            return Ok(None);
        };
        let record = ClassRecord::read(folder)?
            .ok_or_else(|| ResumeError::unreadable(folder, &"it has no list of its classes"))?;
        Ok(Some(Part {
            folder: folder.to_owned(),
            shard,
            request,
            record,
        }))
    }

    fn unfinished(&self) -> Result<Vec<&String>, ResumeError> {
        let folder = HuntFolder::new(&self.folder);
        let mut open = Vec::new();
        for class in self.record.classes.keys() {
            let memory = folder.memory(class, self.request.bounds)?;
            if memory.and_then(|memory| memory.report).is_none() {
                open.push(class);
            }
        }
        Ok(open)
    }
}

/// The folders of shards in the folder of a hunt.
fn shard_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("shard-"))
        .map(|entry| entry.path())
        .collect();
    folders.sort_unstable();
    folders
}

/// Copies the directory of a class, with what it says of its own place.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    copy(from, to)?;
    let path = to.join(RUN);
    let mut run: Value = match bounded::read_text(&path) {
        Ok(text) => serde_json::from_str(&text)?,
        // The hunt had just come to it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let classes = run["classes"].as_array_mut().into_iter().flatten();
    for class in classes {
        for list in ["findings", "weaker"] {
            let findings = class.get_mut(list).and_then(Value::as_array_mut);
            for finding in findings.into_iter().flatten() {
                moved(finding, to)?;
            }
        }
    }
    write_whole(&path, &(serde_json::to_string_pretty(&run)? + "\n"))
}

/// Says of a finding where it is now, in `run.json` and in the text with the commands.
fn moved(finding: &mut Value, class: &Path) -> io::Result<()> {
    let Some(id) = finding["id"].as_str() else {
        return Ok(());
    };
    let directory = class.join("findings").join(id);
    let before = finding["file"].as_str().map(Path::new).and_then(Path::parent);
    if let Some(before) = before.and_then(Path::to_str)
        && let Some(now) = directory.to_str()
    {
        let text = directory.join(TEXT);
        write_whole(&text, &bounded::read_text(&text)?.replace(before, now))?;
    }
    let file = directory.join("finding.json");
    finding["file"] = Value::String(file.to_string_lossy().into_owned());
    Ok(())
}

/// Copies directories and files, and nothing else: no hunt writes links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
