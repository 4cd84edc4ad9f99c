//! The lines of source that a run came to, once each.

use std::fmt::Write;

use raddle_classpath::SourceFiles;
use raddle_plan::plain::one_line;

use crate::location::Location;
use crate::trace::Trace;
use raddle_plan::plan_text::shorten;

/// More lines are no excerpt any more.
const MOST: usize = 24;

/// The lines at which the steps of a run are, by file; empty if there are no sources.
pub(crate) fn excerpt(trace: &Trace, sources: &SourceFiles, width: usize) -> String {
    let mut files: Vec<(&str, Vec<(u32, String)>)> = Vec::new();
    let mut count = 0;
    for location in trace.steps.iter().filter_map(|step| step.location.as_ref()) {
        let Some(line) = location.line else { continue };
        let at = files.iter().position(|(file, _)| *file == location.file);
        let is_known = at.is_some_and(|at| files[at].1.iter().any(|(known, _)| *known == line));
        if is_known || count == MOST {
            continue;
        }
        let Some(text) = line_of(sources, location) else {
            continue;
        };
        count += 1;
        match at {
            Some(at) => files[at].1.push((line, text)),
            None => files.push((&location.file, vec![(line, text)])),
        }
    }
    let mut excerpt = String::new();
    for (file, lines) in &mut files {
        lines.sort();
        let name = file.rsplit('/').next().unwrap_or(file);
        let _ = writeln!(excerpt, "{}", one_line(name));
        let numbers = lines.last().map_or(0, |(line, _)| line.to_string().len());
        let margin = lines
            .iter()
            .map(|(_, text)| text.len() - text.trim_start().len())
            .min();
        for (line, text) in lines {
            let text = text.get(margin.unwrap_or(0)..).unwrap_or(text);
            let room = width.saturating_sub(numbers + 4);
            let _ = writeln!(excerpt, "  {line:>numbers$}  {}", shorten(&one_line(text), room));
        }
    }
    excerpt
}

/// The text at a location, with blanks for tabs.
pub(crate) fn line_of(sources: &SourceFiles, location: &Location) -> Option<String> {
    let text = sources.line(&location.file, location.line?)?;
    let text = text.replace('\t', "    ");
    Some(text).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt_sample;

    #[test]
    fn every_line_is_there_once_in_the_order_of_its_file() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("java/util/ArrayList.java");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let line = |number: u32| format!("\t    int line{number}; // {}\n", "x".repeat(90));
        std::fs::write(&file, (1..=500).map(line).collect::<String>()).unwrap();
        let trace = Trace::of(&hunt_sample::wrong_result());
        let sources = SourceFiles::new(&[root.path().to_owned()], &[], None);
        let text = excerpt(&trace, &sources, 80);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "ArrayList.java");
        assert!(lines[1].starts_with("  455  int line455; // xxx"), "{text}");
        assert!(lines[2].starts_with("  456  int line456;"), "{text}");
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
        assert_eq!(excerpt(&trace, &SourceFiles::default(), 80), "");
    }
}
