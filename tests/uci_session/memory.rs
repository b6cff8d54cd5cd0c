//! Changes of `Hash`, `Threads` and `EvalFile` where memory is short: each needs no more than the larger of before and
//! after.

use std::process::Command;

use crate::client::{count, mentions};

/// The answers to these commands and a short search, where the process may have this many MiB of address space.
fn within(mebibytes: usize, commands: &str) -> Vec<String> {
    let script = format!(
        "ulimit -v {} && printf '{commands}\nposition startpos\ngo depth 5\n' | '{}'",
        mebibytes << 10,
        env!("CARGO_BIN_EXE_sleight")
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(count(&lines, "bestmove"), commands.matches("go ").count() + 1, "{lines:#?}");
    assert!(mentions(&lines, "info depth 5 "), "{lines:#?}");
    lines
}

fn hash(mebibytes: usize) -> String {
    format!("setoption name Hash value {mebibytes}\\n")
}

fn threads(threads: usize) -> String {
    format!("setoption name Threads value {threads}\\n")
}

#[test]
fn no_change_needs_two_tables() {
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("net.nnue");
    std::fs::copy("networks/default.nnue", &network).unwrap();
    let network = format!("setoption name EvalFile value {}\\n", network.display());
    let search = "go depth 4\\n";
    for (limit, commands, machine) in [
        // The order of ChessBase.
        (1000, hash(600) + &threads(2), [2, 600]),
        (1000, threads(2) + &hash(600), [2, 600]),
        (1000, hash(600) + &hash(650) + &hash(600), [1, 600]),
        (1000, hash(600) + &hash(600) + &threads(1), [1, 600]),
        (1000, hash(600) + &network + "setoption name EvalFile value \\n", [1, 600]),
        // glibc takes 64 MiB of address space for a thread, beside its stack of 32. Two tables do not fit in here,
        // either.
        (1150, hash(600) + &threads(3) + &threads(1) + &threads(2) + &hash(620), [2, 620]),
    ] {
        let lines = within(limit, &commands);
        assert!(!mentions(&lines, "error"), "{commands}: {lines:#?}");
        let [threads, hash] = machine;
        assert!(mentions(&lines, &format!(", threads {threads}, hash {hash} MiB")), "{commands}: {lines:#?}");
    }
    for between in
        ["ucinewgame\\n".to_owned(), "setoption name Clear Hash\\n".to_owned(), hash(620), threads(2), network]
    {
        let lines = within(1000, &(hash(600) + search + &between));
        assert!(!mentions(&lines, "error"), "{between}: {lines:#?}");
    }
}

/// Threads that go on are not replaced: with so many there is no room for as many again.
#[test]
fn threads_that_go_on_stay() {
    let lines = within(2200, &(threads(16) + &threads(17) + &threads(15) + &threads(16)));
    assert!(!mentions(&lines, "error") && mentions(&lines, ", threads 16,"), "{lines:#?}");
}

/// Where the system refuses memory or threads, the old size comes back, and the answer says so.
#[test]
fn refused_memory_and_threads_change_nothing() {
    let lines = within(600, &(hash(100_000) + &threads(1024)));
    assert!(mentions(&lines, "error: no memory for a hash table of 100000 MiB: "), "{lines:#?}");
    assert!(mentions(&lines, "; back to 16 MiB"), "{lines:#?}");
    assert!(mentions(&lines, "error: no search thread: ") && mentions(&lines, "; back to 1"), "{lines:#?}");
    assert!(mentions(&lines, ", threads 1, hash 16 MiB"), "{lines:#?}");
    let lines = within(1000, &(hash(600) + &threads(2) + &hash(1000) + &threads(500)));
    assert!(mentions(&lines, "; back to 600 MiB") && mentions(&lines, "; back to 2"), "{lines:#?}");
    assert!(mentions(&lines, ", threads 2, hash 600 MiB"), "{lines:#?}");
}
