//! Plans for classes of the papers' subjects, whose jars `.ci/run` fetches.

#![allow(clippy::unwrap_used, clippy::panic)] // a failed assumption should fail the test

#[allow(dead_code, reason = "shared with tests that use more of it")]
mod support;

use raddle_generate::StrategyKind;
use raddle_plan::{Call, TestPlan};
use raddle_program::Program;
use raddle_testkit::cached_jar;

use support::{facts, plans};

fn program(jars: &[&str]) -> Program {
    let jar = |name: &&str| cached_jar(&format!("subjects/{name}")).unwrap_or_else(|error| panic!("{error}"));
    raddle_testkit::program(&jars.iter().map(jar).collect::<Vec<_>>()).unwrap()
}

#[test]
fn views_of_multimaps_are_made_by_their_multimap() {
    let program = program(&["google-collections-1.0.jar"]);
    let facts = facts(&program, "com.google.common.collect.AbstractMultimap$AsMap");
    let made = plans(&program, &facts, StrategyKind::Portfolio, 1, 100);
    assert!(made.len() == 100);
    let is_entry_set = |call: &Call| call.on.as_deref() == Some("a") && call.member.name == "entrySet";
    let is_twice =
        |plan: &TestPlan| plan.threads.len() == 2 && plan.threads.iter().all(|calls| is_entry_set(&calls[0]));
    assert!(made.iter().any(|candidate| is_twice(&candidate.plan)));
}

#[test]
fn subjects_of_the_papers_can_be_tested() {
    let subjects: [(&[&str], &[&str]); 9] = [
        (
            &["commons-lang-2.4.jar"],
            &["org.apache.commons.lang.math.IntRange"],
        ),
        (
            &["commons-dbcp-1.4.jar", "commons-pool-1.5.4.jar"],
            &[
                "org.apache.commons.dbcp.datasources.PerUserPoolDataSource",
                "org.apache.commons.dbcp.datasources.SharedPoolDataSource",
            ],
        ),
        (&["hsqldb-2.3.3.jar"], &["org.hsqldb.lib.DoubleIntIndex"]),
        (
            &["hsqldb-2.3.2.jar"],
            &[
                "org.hsqldb.lib.ClosableByteArrayOutputStream",
                "org.hsqldb.lib.ClosableCharArrayWriter",
            ],
        ),
        (
            &["jfreechart-1.0.13.jar", "jcommon-1.0.16.jar"],
            &[
                "org.jfree.data.time.Day",
                "org.jfree.data.time.TimeSeries",
                "org.jfree.data.xy.XYSeries",
            ],
        ),
        (
            &["jfreechart-0.9.21.jar", "jcommon-0.9.6.jar"],
            &["org.jfree.chart.axis.NumberAxis"],
        ),
        (
            &["jfreechart-1.0.9.jar", "jcommon-1.0.12.jar"],
            &["org.jfree.chart.plot.XYPlot"],
        ),
        (
            &["log4j-1.2.17.jar"],
            &["org.apache.log4j.FileAppender", "org.apache.log4j.WriterAppender"],
        ),
        (
            &["colt-1.2.0.jar", "concurrent-1.3.4.jar"],
            &["hep.aida.bin.DynamicBin1D"],
        ),
    ];
    for (jars, classes) in subjects {
        let program = program(jars);
        for class in classes {
            let facts = facts(&program, class);
            let made = plans(&program, &facts, StrategyKind::Portfolio, 1, 100);
            assert!(made.len() == 100, "{class}: {}", made.len());
            for candidate in &made {
                candidate.plan.check().unwrap();
            }
        }
    }
}
