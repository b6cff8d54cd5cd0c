//! The commands about the slider backends, run with the real binary.

use std::process::{Command, Output};

use serde_json::Value;
use sleight_lab::sliders::{Backend, Verify};

fn lab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sleight-lab")).args(args).output().unwrap()
}

/// What the command prints, which must succeed.
fn printed(args: &[&str]) -> String {
    let output = lab(args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

fn available() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|backend| backend.is_available())
}

const SETTINGS: [&str; 6] = ["sparse", "game", "dense", "sparse*", "game*", "dense*"];

#[test]
fn sliders_are_checked_and_compared_in_a_table() {
    let text = printed(&["sliders", "--rounds", "1"]);
    assert_eq!(
        text.matches(&format!("agrees with the ray scan on {} cases", Verify::CASES)).count(),
        available().count()
    );
    let (_, table) = text.split_once("backend").unwrap();
    for setting in SETTINGS {
        assert!(table.lines().next().unwrap().split_whitespace().any(|word| word == setting), "{setting}: {table}");
    }
    for backend in available() {
        let row = table.lines().find(|line| line.split_whitespace().next() == Some(backend.name()));
        let words: Vec<&str> = row.unwrap_or_else(|| panic!("{backend}: {table}")).split_whitespace().collect();
        assert_eq!(words.len(), 3 + 2 * SETTINGS.len(), "{words:?}");
        assert_eq!(words[2], backend.needs());
        for pair in words[3..].chunks(2) {
            let [queens, ratio] = [pair[0], pair[1]].map(|word| word.parse::<f64>().unwrap());
            assert!(queens > 0.0 && ratio <= 1.0, "{words:?}");
        }
    }
    for setting in 0..SETTINGS.len() {
        let fastest = |row: &str| row.split_whitespace().nth(4 + 2 * setting) == Some("1.00");
        assert!(table.lines().skip(1).any(fastest), "somebody is the fastest: {table}");
    }
}

#[test]
fn json_has_the_backends_that_were_asked_for() {
    let output = lab(&["sliders", "--json", "--rounds", "2", "--seed", "5", "sbamg", "magic"]);
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("standard output is one JSON value");
    assert_eq!(report["rounds"], 2);
    let backends = list(&report["backends"]);
    let names: Vec<&Value> = backends.iter().map(|backend| &backend["backend"]).collect();
    assert_eq!(names, ["sbamg", "magic"]);
    for (backend, known) in backends.iter().zip([Backend::Sbamg, Backend::Magic]) {
        assert_eq!(backend["table_bytes"], known.table_bytes());
        assert_eq!(backend["needs"], known.needs());
        let settings = list(&backend["settings"]);
        assert_eq!(settings.iter().map(|setting| &setting["setting"]).collect::<Vec<_>>(), SETTINGS);
        assert!(settings.iter().all(|setting| number(&setting["million_queens_per_second"]) > 0.0));
    }
    for setting in 0..SETTINGS.len() {
        let ratios = backends.iter().map(|backend| number(&backend["settings"][setting]["ratio_to_fastest"]));
        assert_eq!(ratios.fold(0.0, f64::max), 1.0, "{report}");
    }
    // What was checked is told, but not in the midst of the JSON.
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told.matches(&format!("{} cases", Verify::CASES)).count(), 2, "{told}");
}

#[test]
fn perft_counts_with_the_backends_that_were_asked_for() {
    let counts = |args: &[&str]| -> Vec<(String, u64)> {
        let text = printed(args);
        let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        words.map(|words| (words[0].to_owned(), words[1].parse().unwrap())).collect()
    };
    let all: Vec<_> = available().map(|backend| (backend.name().to_owned(), 8902)).collect();
    assert_eq!(counts(&["perft", "3"]), all);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let expected = ["soft-pext", "rays"].map(|name| (name.to_owned(), 97862));
    assert_eq!(counts(&["perft", "3", "soft-pext", "rays", "--fen", kiwipete]), expected);
    for (args, named) in [
        (&["perft", "3", "rotated"][..], "rotated"),
        (&["sliders", "rotated"], "rotated"),
        (&["perft", "3", "--fen", "8/8 w - -"], "sleight-lab: "),
        (&["perft"], "<DEPTH>"),
    ] {
        let output = lab(args);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty() && told.contains(named), "{args:?}: {told}");
    }
}

#[test]
fn the_papers_table_has_its_four_rows() {
    let rows = [
        ("file (h1)", "51.61"),
        ("NE diagonal (h1)", "21.05"),
        ("NE diagonal (h1-hat)", "15.72"),
        ("NW diagonal (h2)", "50.53"),
    ];
    let table = printed(&["paper", "--rounds", "1"]);
    assert_eq!(table.lines().count(), 1 + rows.len(), "{table}");
    for (line, (operation, published)) in table.lines().skip(1).zip(rows) {
        assert!(line.starts_with(operation) && line.contains(&format!(" {published}%")), "{table}");
    }
    let report: Value = serde_json::from_str(&printed(&["paper", "--json", "--rounds", "1"])).unwrap();
    assert_eq!(list(&report["rows"]).len(), rows.len());
    for (row, (operation, published)) in list(&report["rows"]).iter().zip(rows) {
        assert_eq!(row["operation"], operation);
        assert_eq!(number(&row["published_percent"]), published.parse::<f64>().unwrap());
        let [looped, hashed] = ["loop_seconds", "hash_seconds"].map(|seconds| number(&row[seconds]));
        assert!((number(&row["improvement_percent"]) - 100.0 * (1.0 - hashed / looped)).abs() < 1e-6, "{row}");
        // A hundred times the same lines of 1,001 positions.
        let calls = number(&row["calls"]);
        assert!(calls >= 100.0 * 1001.0 && calls % 100.0 == 0.0, "{row}");
    }
    // The positions are the same in every run, and others with another seed.
    let files = |args: &[&str]| {
        let report: Value = serde_json::from_str(&printed(args)).unwrap();
        number(&report["rows"][0]["calls"])
    };
    assert_eq!(files(&["paper", "--json", "--rounds", "1"]), number(&report["rows"][0]["calls"]));
    assert_ne!(files(&["paper", "--json", "--rounds", "1", "--seed", "9"]), number(&report["rows"][0]["calls"]));
}

#[test]
fn the_chart_is_well_formed() {
    let file = tempfile::tempdir().unwrap();
    let path = file.path().join("chart.svg");
    printed(&["sliders", "--rounds", "1", "--svg", path.to_str().unwrap()]);
    let text = std::fs::read_to_string(path).unwrap();
    let svg = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(svg.root_element().tag_name().name(), "svg");
    let words: Vec<&str> = svg.descendants().filter_map(|node| node.text()).map(str::trim).collect();
    for backend in available() {
        assert!(words.contains(&backend.name()), "{backend}: {words:?}");
    }
    let bars = svg.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "rect"))).count();
    assert!(bars >= 2 * available().count(), "{text}");
}

/// The numbers in what `sleight-lab magics` prints.
fn magics(listing: &str) -> Vec<u64> {
    let words = listing.split([' ', ',', '\n']).filter_map(|word| word.strip_prefix("0x"));
    let numbers: Vec<u64> = words.map(|digits| u64::from_str_radix(digits, 16).unwrap()).collect();
    assert_eq!(numbers.len(), 128, "{listing}");
    numbers
}

#[test]
fn magics_are_found_anew_and_told_square_by_square() {
    let output = lab(&["magics", "--find", "--seed", "11"]);
    assert!(output.status.success(), "{output:?}");
    let listing = String::from_utf8(output.stdout).unwrap();
    assert_eq!(listing, printed(&["magics", "--find", "--seed", "11"]), "the seed decides all");
    assert!(listing.contains("SEED: u64 = 11;"));
    // A line for each square, with its number, the candidates that were drawn, and the time.
    let told = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<Vec<&str>> = told.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.len(), 128, "{told}");
    for (line, number) in lines.iter().zip(magics(&listing)) {
        let [_, _, magic, _, _, time] = line[..] else { panic!("{line:?}") };
        assert_eq!(magic, format!("{number:#018x}"));
        assert!(time.ends_with('s') && time.starts_with(|c: char| c.is_ascii_digit()), "{line:?}");
    }
}

#[test]
fn the_magics_in_use_are_what_the_default_seed_finds() {
    assert_eq!(printed(&["magics"]), printed(&["magics", "--find"]));
}
