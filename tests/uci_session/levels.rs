//! What the processor has, the environment can take away: whichever instructions are used, the play is the same.

use std::process::{Command, Output};

use sleight::{attacks::Lookup, nnue::Kernel};

use crate::client::count;

/// The plainest lookup that the build has: magics, or PEXT where that is built in.
fn plain_sliders() -> &'static str {
    Lookup::available()[0].name()
}

fn output(variables: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sleight"));
    ["SLEIGHT_SLIDERS", "SLEIGHT_FILL", "SLEIGHT_KERNEL", "RUST_LOG"].iter().for_each(|name| {
        command.env_remove(name);
    });
    command.envs(variables.iter().copied()).args(args).output().unwrap()
}

fn lines(variables: &[(&str, &str)], args: &[&str]) -> Vec<String> {
    let output = output(variables, args);
    assert!(output.status.success() && output.stderr.is_empty(), "{variables:?} {args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn nodes(variables: &[(&str, &str)], args: &[&str]) -> String {
    lines(variables, args).last().unwrap().split(' ').next().unwrap().to_owned()
}

#[test]
fn the_version_tells_what_the_machine_runs_on() {
    let version = lines(&[], &["--version"]);
    assert!(version[0].starts_with(concat!("sleight ", env!("CARGO_PKG_VERSION"))), "{version:?}");
    assert!(version[1].starts_with("sliders: ") && version[2].starts_with("network: "), "{version:?}");
    assert!(version[3].starts_with(&format!("build: {}-", std::env::consts::ARCH)), "{version:?}");
    let logged = output(&[("RUST_LOG", "debug")], &["isready", "quit"]).stderr;
    let logged = String::from_utf8(logged).unwrap();
    assert_eq!(logged.matches(&version[1..].join("; ")).count(), 1, "{logged}");
}

#[test]
fn every_level_can_be_forced_and_plays_alike() {
    let mut levels = Vec::new();
    for lookup in Lookup::available() {
        let variables = vec![("SLEIGHT_SLIDERS", lookup.name()), ("SLEIGHT_FILL", lookup.fill().unwrap_or("off"))];
        let by = |fill| format!(", several at once by Kogge-Stone fill ({fill})");
        levels.push((variables, format!("sliders: {}{}\n", lookup.name(), lookup.fill().map_or_else(String::new, by))));
    }
    for kernel in Kernel::available() {
        levels.push((vec![("SLEIGHT_KERNEL", kernel.name())], format!("network: {}\n", kernel.name())));
    }
    let bench = nodes(&[], &["bench", "5"]);
    for (variables, expected) in levels {
        let version = lines(&variables, &["--version"]).join("\n") + "\n";
        assert!(version.contains(&expected), "{variables:?}: {version}");
        assert_eq!(nodes(&variables, &["bench", "5"]), bench, "{variables:?}");
        assert_eq!(nodes(&variables, &["perft", "4"]), "197281", "{variables:?}");
    }
}

#[test]
fn a_level_that_is_not_there_is_named_and_the_plain_one_taken() {
    let sliders = format!("sliders: {}", plain_sliders());
    let mut cases = vec![("SLEIGHT_SLIDERS", sliders.as_str()), ("SLEIGHT_KERNEL", "network: scalar\n")];
    let has_choice_of_fills =
        Lookup::available().iter().any(|lookup| lookup.name() == "pext" && lookup.fill().is_none());
    if has_choice_of_fills && Lookup::detect().fill().is_some() {
        cases.push(("SLEIGHT_FILL", "sliders: pext\n"));
    }
    for (name, plain) in cases {
        let output = output(&[(name, "rotated")], &["--version"]);
        let (version, warning) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(version.contains(plain), "{version}");
        assert!(warning.contains(name) && warning.contains("rotated"), "{warning}");
    }
}

#[test]
fn empty_values_say_nothing_and_letters_may_be_large() {
    let version = lines(&[], &["--version"]);
    for name in ["SLEIGHT_SLIDERS", "SLEIGHT_FILL", "SLEIGHT_KERNEL"] {
        assert_eq!(lines(&[(name, "")], &["--version"]), version, "{name}");
    }
    assert_eq!(lines(&[("SLEIGHT_KERNEL", "Scalar")], &["--version"])[2], "network: scalar");
    let upper = plain_sliders().to_uppercase();
    let version = lines(&[("SLEIGHT_SLIDERS", &upper), ("SLEIGHT_FILL", "OFF")], &["--version"]);
    assert!(version[1].starts_with(&format!("sliders: {}", plain_sliders())), "{version:?}");
}

/// The first search of a process tells what it runs on, once and before all else.
#[test]
fn the_first_search_names_the_levels() {
    const MACHINE: &str = "info string kernel ";
    let levels = [("SLEIGHT_SLIDERS", plain_sliders()), ("SLEIGHT_KERNEL", "scalar")];
    let machine = format!("info string kernel scalar, sliders {}, threads 2, hash 3 MiB", plain_sliders());
    let options = ["setoption name Threads value 2", "setoption name Hash value 3"];
    let mate = "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    for first in
        [&["go depth 2"][..], &["go infinite", "stop"], &["go searchmoves e2e5 depth 1"], &[mate, "go depth 1"]]
    {
        let told = lines(&levels, &[&options, first, &["go depth 1", "ucinewgame", "go depth 1"]].concat());
        assert_eq!(told[0], machine, "{first:?}: {told:#?}");
        assert_eq!((count(&told, MACHINE), count(&told, "bestmove")), (1, 3), "{first:?}: {told:#?}");
    }
    // Where there is no position, there is no search.
    let told = lines(&levels, &["position fen 8/8 w", "go depth 1", "position startpos", "go depth 1"]);
    let after: Vec<_> = told.iter().skip_while(|line| *line != "bestmove (none)").skip(1).collect();
    assert!(after[0].starts_with(MACHINE) && count(&told, MACHINE) == 1, "{told:#?}");
    assert_eq!(count(&lines(&levels, &["perft 2", "bench 1", "eval", "isready"]), MACHINE), 0);
}
