//! Violations that a plan showed: the new ones are looked into, and become findings or sightings.

use super::Run;
use crate::confirm::Unconfirmed;
use crate::error::HuntError;
use crate::event::{Also, HuntEvent};
use crate::finding::{Finding, Sighting};
use crate::found::finding;
use crate::journal::Settled;
use crate::quarry::Quarry;
use crate::settle::{CameTo, Settling};
use crate::trial::Suspect;

impl Run<'_, '_> {
    /// Looks into violations whose cause is new, as many at a time as there are lanes and findings may be.
    pub(super) fn settle_all(
        &mut self,
        quarry: &mut Quarry,
        suspects: Vec<Suspect>,
    ) -> Result<(), HuntError> {
        let mut suspects = suspects.into_iter();
        loop {
            let room = self.most_findings().saturating_sub(quarry.tally.findings.len());
            let most = room.min(self.lanes.len());
            let mut batch: Vec<Suspect> = Vec::new();
            while batch.len() < most
                && let Some(suspect) = suspects.next()
            {
                match quarry.tally.is_new(&suspect) {
                    Ok(()) => batch.push(suspect),
                    Err(Some(id)) => {
                        let also = quarry.is_also(&suspect, id, false);
                        self.tell_also(also);
                    }
                    Err(None) => {}
                }
            }
            if batch.is_empty() {
                return Ok(());
            }
            self.settle(quarry, &batch)?;
            self.progress(quarry);
        }
    }

    /// Makes violations as small as possible, and makes sure of them, unless that was done before the hunt was resumed.
    fn settle(&mut self, quarry: &mut Quarry, batch: &[Suspect]) -> Result<(), HuntError> {
        let known: Vec<Option<Finding>> = batch
            .iter()
            .map(|suspect| quarry.take_awaited(&suspect.cause))
            .collect();
        let unknown = batch.iter().zip(&known).filter(|(_, known)| known.is_none());
        let unknown: Vec<&Suspect> = unknown.map(|(suspect, _)| suspect).collect();
        let mut settling = Settling {
            lanes: self.lanes,
            program: self.program,
            quarry,
        };
        let mut answers = settling.settle(&unknown)?.into_iter();
        for (suspect, known) in batch.iter().zip(known) {
            let came_to = if let Some(finding) = known {
                quarry.tally.take(&finding, self.options.is_strict);
                Ok(finding.id)
            } else {
                match quarry.again(answers.next().ok_or(HuntError::LostLane)?) {
                    CameTo::Known(id) => {
                        quarry.tally.numbers.repeats += 1;
                        let also = quarry.is_also(suspect, id, true);
                        self.tell_also(also);
                        continue;
                    }
                    CameTo::Unconfirmed(minimal, Unconfirmed { why, is_unfair }) => Err(Sighting {
                        kind: minimal.violation.kind,
                        methods: quarry.subject.methods.names(&minimal.plan),
                        summary: minimal.violation.summary,
                        why,
                        is_unfair,
                    }),
                    CameTo::New(sure) => {
                        let finding = finding(self.program, quarry, suspect, *sure);
                        Ok(self.found(quarry, finding))
                    }
                }
            };
            match &came_to {
                Ok(id) => tracing::info!(id, "found"),
                Err(sighting) => tracing::info!(why = sighting.why, "not confirmed"),
            }
            if let Err(sighting) = &came_to {
                quarry.tally.saw(&suspect.cause, sighting.clone());
            }
            quarry.settled.push(Settled {
                cause: suspect.cause.clone(),
                came_to,
                also: None,
            });
        }
        Ok(())
    }

    fn tell_also(&mut self, also: Option<Also>) {
        if let Some(also) = also {
            (self.on_event)(HuntEvent::Also(also));
        }
    }

    /// Takes a finding in; its id.
    fn found(&mut self, quarry: &mut Quarry, finding: Finding) -> String {
        let id = finding.id.clone();
        // Of the earlier part of the hunt, when there was no time to make it smaller.
        quarry
            .awaited
            .retain(|known| known.is_minimal || known.first_cause != finding.first_cause);
        if quarry.tally.take(&finding, self.options.is_strict) {
            (self.on_event)(HuntEvent::Found(Box::new(finding)));
        }
        id
    }
}
