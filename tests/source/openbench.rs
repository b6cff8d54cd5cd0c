//! The engine file for OpenBench agrees with the engine.

use serde_json::Value;
use std::process::Command;

const ENGINE_FILE: &str = include_str!("../../docs/openbench/Sleight.json");

#[test]
fn the_engine_file_fits() {
    let file: Value = serde_json::from_str(ENGINE_FILE).unwrap();
    assert_eq!(file["private"], false);
    assert!(file["nps"].as_u64().is_some_and(|nps| nps > 0));
    assert!(file["source"].as_str().is_some_and(|source| source.starts_with("https://github.com/")));
    // Older compilers are told to stay away, and no newer one is asked for than Cargo.toml does.
    let compiler = concat!("cargo>=", env!("CARGO_PKG_RUST_VERSION"), ".0");
    assert_eq!(file["build"]["compilers"], serde_json::json!([compiler]));

    let uci = Command::new(env!("CARGO_BIN_EXE_sleight")).arg("uci").output().unwrap();
    let uci = String::from_utf8(uci.stdout).unwrap();
    let mut settings = 0;
    for kind in ["test_presets", "tune_presets", "datagen_presets"] {
        let presets = file[kind].as_object().unwrap();
        assert!(presets.contains_key("default"), "{kind}");
        for (name, preset) in presets {
            let options =
                ["both_options", "dev_options", "base_options"].iter().filter_map(|key| preset[*key].as_str());
            for setting in options.flat_map(str::split_whitespace) {
                let (option, value) = setting.split_once('=').unwrap();
                assert!(uci.contains(&format!("option name {option} type spin ")), "{kind}, {name}: {option}");
                assert!(value.parse::<u32>().is_ok_and(|value| value > 0), "{kind}, {name}: {setting}");
                settings += 1;
            }
        }
    }
    // OpenBench demands both of every workload; its form begins with the preset `STC`.
    assert!(settings >= 2 * 8, "{settings}");
    assert!(file["test_presets"].get("STC").is_some());
}
