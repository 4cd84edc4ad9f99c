//! Violations that a plan showed: the new ones are looked into, and become findings or sightings.

use super::Run;
use crate::class_state::ClassState;
use crate::confirm::Unconfirmed;
use crate::error::HuntError;
use crate::event::{Also, HuntEvent};
use crate::explore_candidate::Suspect;
use crate::finding::{Finding, Sighting};
use crate::found::finding;
use crate::journal::Settled;
use crate::settle::{CameTo, Settling};

impl Run<'_, '_> {
    /// Looks into violations whose cause is new, as many at a time as there are workers and findings may be.
    pub(super) fn settle_all(
        &mut self,
        class_state: &mut ClassState,
        suspects: Vec<Suspect>,
    ) -> Result<(), HuntError> {
        let mut suspects = suspects.into_iter();
        loop {
            let room = self
                .most_findings()
                .saturating_sub(class_state.stats.findings.len());
            let most = room.min(self.pool.len());
            let mut batch: Vec<Suspect> = Vec::new();
            while batch.len() < most
                && let Some(suspect) = suspects.next()
            {
                match class_state.stats.is_new(&suspect) {
                    Ok(()) => batch.push(suspect),
                    Err(Some(id)) => {
                        let also = class_state.is_also(&suspect, id, false);
                        self.tell_also(also);
                    }
                    Err(None) => {}
                }
            }
            if batch.is_empty() {
                return Ok(());
            }
            self.settle(class_state, &batch)?;
            self.progress(class_state);
        }
    }

    /// Makes violations as small as possible, and makes sure of them, unless that was done before the hunt was resumed.
    fn settle(&mut self, class_state: &mut ClassState, batch: &[Suspect]) -> Result<(), HuntError> {
        let known: Vec<Option<Finding>> = batch
            .iter()
            .map(|suspect| class_state.take_awaited(&suspect.cause))
            .collect();
        let unknown = batch.iter().zip(&known).filter(|(_, known)| known.is_none());
        let unknown: Vec<&Suspect> = unknown.map(|(suspect, _)| suspect).collect();
        let mut settling = Settling {
            pool: self.pool,
            program: self.program,
            class_state,
        };
        let mut answers = settling.settle(&unknown)?.into_iter();
        for (suspect, known) in batch.iter().zip(known) {
            let came_to = if let Some(finding) = known {
                class_state.stats.take(&finding, self.options.is_strict);
                Ok(finding.id)
            } else {
                match class_state.again(answers.next().ok_or(HuntError::LostWorkerThread)?) {
                    CameTo::Known(id) => {
                        class_state.stats.numbers.repeats += 1;
                        let also = class_state.is_also(suspect, id, true);
                        self.tell_also(also);
                        continue;
                    }
                    CameTo::Unconfirmed(minimal, Unconfirmed { why, is_no_violation }) => Err(Sighting {
                        kind: minimal.violation.kind,
                        methods: class_state.subject.methods.names(&minimal.plan),
                        summary: minimal.violation.summary,
                        why,
                        is_no_violation,
                    }),
                    CameTo::New(sure) => {
                        let finding = finding(self.program, class_state, suspect, *sure);
                        Ok(self.found(class_state, finding))
                    }
                }
            };
            match &came_to {
                Ok(id) => tracing::info!(id, "found"),
                Err(sighting) => tracing::info!(why = sighting.why, "not confirmed"),
            }
            if let Err(sighting) = &came_to {
                class_state.stats.saw(&suspect.cause, sighting.clone());
            }
            class_state.settled.push(Settled {
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
    fn found(&mut self, class_state: &mut ClassState, finding: Finding) -> String {
        let id = finding.id.clone();
        // Of the earlier part of the hunt, when there was no time to make it smaller.
        class_state
            .awaited
            .retain(|known| known.is_minimal || known.first_cause != finding.first_cause);
        if class_state.stats.take(&finding, self.options.is_strict) {
            (self.on_event)(HuntEvent::Found(Box::new(finding)));
        }
        id
    }
}
