//! Reports, at the end of a hunt and afterwards.

use std::fs;

use serde_json::Value;

use crate::closing::{BOUNDS, shop};
use crate::hunt::{Ground, assert_contains, class_path};
use crate::raddle::{Run, command, raddle};

const FILES: [&str; 4] = ["report.sarif", "report.xml", "report.md", "report.html"];

#[test]
fn a_hunt_writes_reports_and_they_can_be_made_again_from_its_folder() {
    let shop = shop();
    let ground = Ground::new();
    let sources = ground.0.path().join("src/main/java/shop");
    fs::create_dir_all(&sources).unwrap();
    fs::write(sources.join("Till.java"), "").unwrap();
    let formats = "sarif,junit,markdown,html";
    let arguments = [
        &["-cp", class_path(&shop), "shop.*", "--report", formats][..],
        &BOUNDS,
    ]
    .concat();
    let run = ground.hunt(&arguments);
    assert_eq!(run.code, 1, "{run:#?}");
    let folder = ground.0.path().join("raddle-out");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for name in FILES {
        assert_contains(&run.stdout, &[&format!("raddle-out/{name}\n")]);
    }
    let first = FILES.map(read);
    let log: Value = serde_json::from_str(&first[0]).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results[0]["ruleId"], "exception", "{results:#?}");
    let till = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(
        till["artifactLocation"]["uri"], "src/main/java/shop/Till.java",
        "{till:#}"
    );
    let flows = results[1]["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 2, "{flows:#?}");
    assert_contains(&first[1], &["<testsuite name=\"shop.Bell\"", "failures=\"2\""]);
    assert_contains(
        &first[2],
        &["| wrong result | shop.Till |", "What the threads did"],
    );

    let run = Run::of(command().arg("report").current_dir(ground.0.path()));
    assert_eq!(
        run.succeeds(),
        FILES.map(|name| format!("raddle-out/{name}\n")).concat()
    );
    assert_eq!(read("report.sarif"), first[0], "nothing in it depends on time");
    let both = [&first[2], &read("report.md")].map(|text| text.split_once('|').unwrap().1.to_owned());
    assert_eq!(both[0], both[1]);
}

#[test]
fn a_folder_without_a_hunt_cannot_be_reported_on() {
    let ground = Ground::new();
    let folder = ground.0.path().to_str().unwrap();
    raddle(&["report", folder]).is_refused(&["there is no hunt in ", folder]);
    let run = raddle(&["report", folder, "--format", "pdf"]);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_contains(&run.stderr, &["choose from sarif, junit, markdown, html"]);
}
