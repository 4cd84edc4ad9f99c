//! The page in a real browser: it is searched, filtered, opened and stepped through, as people do it.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::hunt_folder::HuntFolder;
use crate::hunt_sample;

const CLASSES: usize = 500;
const FINDINGS: usize = 4;

/// Does what a reader does, and leaves what it has seen in the document.
const READER: &str = include_str!("../../../html/reader.js");

/// A large hunt; its findings share the folders of a few.
fn large(root: &Path) -> HuntReport {
    let mut report = hunt_sample::several();
    let mut folder = HuntFolder::new(root);
    let mut few: Vec<FoundHere> = Vec::new();
    for class in &mut report.classes {
        for found in &mut class.findings {
            found.file = folder.found(&found.finding).unwrap();
            few.push(found.clone());
        }
    }
    let template = report.classes[0].clone();
    report.classes = (0..CLASSES)
        .map(|number| {
            let mut class = template.clone();
            class.class = format!("com.acme.shop.part{}.Class{number}", number % 7);
            class.findings = few
                .iter()
                .take(FINDINGS)
                .map(|found| {
                    let mut found = found.clone();
                    found.finding.class.clone_from(&class.class);
                    found
                })
                .collect();
            class
        })
        .collect();
    let evil = "</script><img src=x onerror=alert(1)>";
    report.classes[1].class = evil.to_owned();
    for found in &mut report.classes[1].findings {
        found.finding.class = evil.to_owned();
        found.finding.violation.summary = evil.to_owned();
    }
    report
}

/// What the reader has seen, as JSON.
fn read(page: &Path) -> serde_json::Value {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg("--virtual-time-budget=60000")
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("chromium can be started; .ci/run installs it");
    let dom = String::from_utf8_lossy(&output.stdout);
    let seen = dom
        .split_once("<pre id=\"seen\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"));
    let (seen, _) = seen.unwrap_or_else(|| panic!("{}\n{dom}", String::from_utf8_lossy(&output.stderr)));
    let text = seen
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_reader_finds_opens_and_steps_through_one_of_two_thousand_findings() {
    let root = tempfile::tempdir().unwrap();
    let report = large(root.path());
    let page = html(&report, &Sources::default()).unwrap();
    let page = page.replace("</body>", &format!("<script>{READER}</script></body>"));
    let path = root.path().join("report.html");
    fs::write(&path, page).unwrap();
    let seen = read(&path);
    let expected = serde_json::json!({
        "problems": [],
        "findings": "2000 of 2000 findings",
        "rowsAtFirst": 60,
        "rowsLater": 120,
        "searched": "4 of 2000 findings",
        "filtered": "1 of 2000 findings",
        "opened": "deadlock com.acme.shop.part4.Class123 deadlock-1f00c4a2",
        "lanes": ["thread 1", "thread 2holds java.util.Hashtable#2"],
        "lastStep": "Step 10 of 10",
        "stepBack": "Step 9 of 10",
        "commands": 3,
        "copied": "raddle replay",
        "classes": "500 of 500 classes",
        "theme": ["dark", "light"],
        "evilIsText": true,
        "images": 0,
    });
    assert_eq!(seen, expected, "{seen:#}");
}
