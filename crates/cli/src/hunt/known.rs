//! What the folder knows of classes from an earlier hunt: one that is resumed, or one since which they have not changed.

use std::collections::BTreeMap;

use raddle_campaign::{Conclusion, HuntTarget, Known};
use raddle_program::Program;
use raddle_report::{ClassRecord, HuntRequest, KnownClass, known_text, unchanged_line};

use super::Output;
use crate::failure::Failure;

impl Output<'_> {
    /// What the folder knows of the classes. Those that were done are told of; the others are returned.
    pub(super) fn recall(
        &mut self,
        program: &Program,
        classes: &[HuntTarget],
        request: &HuntRequest,
    ) -> Result<(Vec<HuntTarget>, BTreeMap<String, Known>), Failure> {
        let mut open = Vec::new();
        let mut known = BTreeMap::new();
        for target in classes {
            let name = program.name(target.class);
            let Some(memory) = self.folder.memory(&name, request.bounds)? else {
                open.push(*target);
                continue;
            };
            if let Some(report) = memory.report {
                self.print(&known_text(&memory.findings))?;
                let untried = self.untried(&memory.findings);
                self.untried.extend(untried);
                self.begun += 1;
                let told = self.class(&name);
                told.findings = memory.findings;
                told.report = Some(report);
                let text = self.class_told(&name);
                self.print(&text)?;
                continue;
            }
            open.push(*target);
            let findings = memory.findings.iter().map(|found| found.finding.clone());
            known.insert(
                name.clone(),
                Known {
                    tried: memory.tried,
                    findings: findings.collect(),
                    untried: self.untried(&memory.findings),
                },
            );
            self.known.insert(name, memory.findings);
        }
        if request.stop_at_first && self.report.conclusion() == Conclusion::Violations {
            open.clear();
        }
        Ok((open, known))
    }

    /// Tells of the classes that are as they were and were hunted to their ends then; the others are returned.
    pub(super) fn leave_unchanged(
        &mut self,
        program: &Program,
        classes: &[HuntTarget],
        request: &HuntRequest,
        unchanged: &BTreeMap<String, String>,
        record: &mut ClassRecord,
    ) -> Result<Vec<HuntTarget>, Failure> {
        let mut open = Vec::new();
        for target in classes {
            let name = program.name(target.class);
            let memory = match unchanged.get(&name) {
                Some(_) => self.folder.memory(&name, request.bounds)?,
                None => None,
            };
            let (
                Some(since),
                Some(KnownClass {
                    findings,
                    report: Some(report),
                    ..
                }),
            ) = (unchanged.get(&name), memory)
            else {
                open.push(*target);
                continue;
            };
            if let Some(recorded) = record.classes.get_mut(&name) {
                recorded.hunted.clone_from(since);
            }
            let untried = self.untried(&findings);
            self.untried.extend(untried);
            self.begun += 1;
            let (counting, paint) = (self.report.counting(), self.paint);
            let told = self.class(&name);
            told.findings = findings;
            told.report = Some(report);
            let text = unchanged_line(told, since, counting, paint);
            self.print(&text)?;
        }
        if request.stop_at_first && self.report.conclusion() == Conclusion::Violations {
            open.clear();
        }
        Ok(open)
    }
}
