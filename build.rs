//! Tells the compiler which network to embed, and what the build is: its version, commit and target.

use std::{env, fs, path::Path, process::Command};

#[expect(unreachable_pub, reason = "a module of the library")]
#[path = "src/util/checksum.rs"]
mod checksum;
#[expect(dead_code, reason = "the network is read by the program")]
#[path = "src/nnue/header.rs"]
mod header;

/// The network to embed, and that of the page, which is to be downloaded soon.
const NETWORK: &str = "networks/default.nnue";
const SMALL_NETWORK: &str = "networks/small.nnue";
/// What a build is made of: changes to it since the commit make another program.
const SOURCES: [&str; 7] = ["src", NETWORK, SMALL_NETWORK, "bench.epd", "Cargo.toml", "Cargo.lock", "build.rs"];

/// Stack size of a thread that searches, in bytes: `search::STACK_BYTES`.
const STACK_BYTES: usize = 32 << 20;

fn main() {
    println!("cargo:rustc-env=SLEIGHT_STACK_BYTES={STACK_BYTES}");
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let for_web = env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm");
    embed_network(Path::new(&root), if for_web { SMALL_NETWORK } else { NETWORK });
    name_build(Path::new(&root));
    if for_web {
        link_for_web();
    }
}

fn link_for_web() {
    // As much as hosts of the threaded build reserve: web/engine/engine.js.
    println!("cargo:rustc-link-arg-bins=--max-memory={}", 1 << 30);
    // No `cfg` of the compiler tells the two WebAssembly targets apart.
    if env::var("TARGET").is_ok_and(|target| target.ends_with("-threads")) {
        println!("cargo:rustc-link-arg-bins=--initial-memory={}", 16 << 20);
    } else {
        println!("cargo:rustc-cfg=single_threaded");
        // The only thread searches.
        println!("cargo:rustc-link-arg-bins=-zstack-size={STACK_BYTES}");
        println!("cargo:rustc-link-arg-bins=--export-if-defined=resume");
    }
}

fn embed_network(root: &Path, default: &str) {
    let given = match env::var("EVALFILE") {
        Ok(path) => Some(path).filter(|path| !path.is_empty()),
        Err(env::VarError::NotPresent) => None,
        // Cargo passes nothing on that is not UTF-8.
        Err(error) => panic!("EVALFILE: {error}"),
    };
    let path = root.join(given.as_deref().unwrap_or(default));
    println!("cargo:rustc-env=SLEIGHT_NETWORK={}", path.display());
    // The compiler reports a file that is missing.
    let bytes = fs::read(&path).unwrap_or_default();
    println!("cargo:rustc-env=SLEIGHT_NETWORK_CHECKSUM={}", network_checksum(&bytes));
    // The compiler refuses what they do not fit.
    for (name, at) in [("HIDDEN", header::HIDDEN_AT), ("INPUT_BUCKETS", header::INPUT_BUCKETS_AT)] {
        let field = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
        println!("cargo:rustc-env=SLEIGHT_NETWORK_{name}={field}");
    }
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed={}", path.display());
}

/// Sets the version, with the commit unless this is a release, and the line of `--version` about the build.
fn name_build(root: &Path) {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let (name, commit) = match env::var("SLEIGHT_COMMIT").ok().filter(|commit| !commit.is_empty()) {
        Some(commit) => (format!("{version}-dev-{commit}"), Some(commit)),
        // A source archive: what is packed is a release.
        None if !root.join(".git").exists() => (version, None),
        None => match commit(root) {
            Some((commit, tags)) if tags.lines().any(|tag| tag.strip_prefix('v') == Some(&version)) => {
                (version, Some(commit))
            }
            Some((commit, _)) => (format!("{version}-dev-{commit}"), Some(commit)),
            None => (format!("{version}-dev"), None),
        },
    };
    let build = env::var("TARGET").into_iter().chain(commit.map(|commit| format!("commit {commit}")));
    println!("cargo:rustc-env=SLEIGHT_VERSION={name}");
    println!("cargo:rustc-env=SLEIGHT_BUILD={}", build.collect::<Vec<_>>().join(", "));
    println!("cargo:rerun-if-env-changed=SLEIGHT_COMMIT");
    // A path that does not exist would count as changed at every command.
    let watched = SOURCES.iter().map(|path| root.join(path)).filter(|path| path.exists());
    watched.for_each(|path| println!("cargo:rerun-if-changed={}", path.display()));
}

/// The short name of the commit, with `-dirty` if the sources differ from it, and its tags, which are those of a commit
/// only if the sources do not differ. `None` without git.
fn commit(root: &Path) -> Option<(String, String)> {
    // The file of the branch is another one after a checkout, and may be packed away; the log of HEAD is written to by
    // every commit and checkout, in a worktree its own.
    for path in ["HEAD", "logs/HEAD", "refs/tags"] {
        let path = root.join(git(root, &["rev-parse", "--git-path", path])?);
        if fs::exists(&path).unwrap_or(false) {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    let commit = git(root, &["rev-parse", "--short=7", "HEAD"])?;
    let changed = git(root, &[&["status", "--porcelain", "--"], &SOURCES[..]].concat())?;
    if changed.is_empty() {
        Some((commit, git(root, &["tag", "--points-at", "HEAD"])?))
    } else {
        Some((format!("{commit}-dirty"), String::new()))
    }
}

/// The output of a git command in this repository, whichever one cargo was called from.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(arguments).env("GIT_OPTIONAL_LOCKS", "0");
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].iter().for_each(|name| {
        command.env_remove(name);
    });
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The checksum of a network file: of all its bytes but the checksum's own eight at the end of the header.
fn network_checksum(bytes: &[u8]) -> u64 {
    let (start, body) = bytes.split_at(bytes.len().min(header::HEADER));
    checksum::fnv1a_continued(checksum::fnv1a(&start[..start.len().min(header::CHECKSUM_AT)]), body)
}
