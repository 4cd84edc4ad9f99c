//! The JSON document of `raddle analyze --json`; `docs/analyze-json.md` describes it.
//!
//! Written as the run goes: the opening, each class on a line of its own, the end. Apart from the times, the same
//! input gives the same bytes.

use std::io::{self, Write};
use std::time::Duration;

use raddle_summary::ClassFacts;
use serde::Serialize;

use crate::skipped::Skipped;
use crate::total::Total;
use crate::{AnalyzeReport, Header};

/// Changes its number whenever a reader of the old document would misread the new one.
const SCHEMA: &str = "raddle.analyze/1";

/// Writes one JSON document.
pub struct JsonReport<'w> {
    out: &'w mut dyn Write,
    total: Total,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Jdk<'a> {
    home: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct TimedClass<'a> {
    #[serde(flatten)]
    facts: &'a ClassFacts,
    time_ms: f64,
}

#[derive(Serialize)]
struct TimedTotal {
    classes: usize,
    skipped: usize,
    methods: usize,
    m: usize,
    mpc: usize,
    md: usize,
    union: usize,
    time_ms: f64,
}

impl<'w> JsonReport<'w> {
    /// Opens the document.
    pub fn begin(out: &'w mut dyn Write, header: &Header) -> io::Result<Self> {
        let tool = Tool {
            name: header.tool,
            version: header.version,
        };
        let jdk = Jdk {
            home: &header.jdk_home,
            version: &header.jdk_version,
        };
        write!(
            out,
            r#"{{"schema":"{SCHEMA}","tool":{},"jdk":{},"classes":["#,
            json(&tool)?,
            json(&jdk)?
        )?;
        Ok(JsonReport {
            out,
            total: Total::ZERO,
        })
    }
}

impl AnalyzeReport for JsonReport<'_> {
    fn class(&mut self, facts: &ClassFacts, time: Duration) -> io::Result<()> {
        self.out
            .write_all(if self.total.classes == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(
            &mut *self.out,
            &TimedClass {
                facts,
                time_ms: milliseconds(time),
            },
        )?;
        self.total.add(facts);
        self.out.flush()
    }

    fn finish(&mut self, skipped: &[Skipped], time: Duration) -> io::Result<()> {
        let Total {
            classes,
            methods,
            counts,
        } = self.total;
        let total = TimedTotal {
            classes,
            skipped: skipped.len(),
            methods,
            m: counts.m,
            mpc: counts.mpc,
            md: counts.md,
            union: counts.union,
            time_ms: milliseconds(time),
        };
        writeln!(
            self.out,
            "\n],\"skipped\":{},\"total\":{}}}",
            json(skipped)?,
            json(&total)?
        )?;
        self.out.flush()
    }
}

fn json<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    serde_json::to_string(value)
}

/// To the microsecond.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SkipKind, sample};

    fn document(classes: &[ClassFacts], skipped: &[Skipped]) -> String {
        let mut bytes = Vec::new();
        let mut report = JsonReport::begin(&mut bytes, &sample::header()).unwrap();
        for facts in classes {
            report.class(facts, Duration::from_micros(1500)).unwrap();
        }
        report.finish(skipped, Duration::from_millis(7)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_document_names_its_schema_and_carries_every_fact() {
        let skipped = Skipped {
            class: "a.Shape".to_owned(),
            kind: SkipKind::Interface,
            reason: "a.Shape is an interface; name a class".to_owned(),
        };
        let text = document(&[sample::account()], &[skipped]);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], "raddle.analyze/1");
        assert_eq!(value["tool"]["name"], "raddle");
        assert_eq!(value["jdk"]["version"], "17.0.15");
        let class = &value["classes"][0];
        assert_eq!(class["class"], "a.Account");
        assert_eq!(class["precision"], "precise");
        assert_eq!(class["time_ms"], 1.5);
        assert_eq!(class["methods"][1]["accesses"][0]["kind"], "R");
        assert_eq!(class["methods"][1]["double_locks"][0]["second"], "to");
        assert_eq!(class["pairs"][1]["double_lock"]["first_lock"], 0);
        assert_eq!(value["skipped"][0]["kind"], "interface");
        assert_eq!(value["total"]["classes"], 1);
        assert_eq!(value["total"]["skipped"], 1);
        assert_eq!(value["total"]["m"], 6);
        assert_eq!(value["total"]["time_ms"], 7.0);
    }

    #[test]
    fn a_document_without_classes_is_valid() {
        let value: serde_json::Value = serde_json::from_str(&document(&[], &[])).unwrap();
        assert_eq!(value["classes"], serde_json::json!([]));
    }

    #[test]
    fn each_class_has_a_line_of_its_own() {
        let text = document(&[sample::account(), sample::account()], &[]);
        assert_eq!(text.lines().count(), 4);
    }
}
