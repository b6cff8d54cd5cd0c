//! Tells the compiler which network to embed, and what the build is for.

use std::{env, path::Path};

/// The network in the repository.
const NETWORK: &str = "networks/default.nnue";

fn main() {
    let given = match env::var("EVALFILE") {
        Ok(path) => Some(path).filter(|path| !path.is_empty()),
        Err(env::VarError::NotPresent) => None,
        // Cargo passes nothing on that is not UTF-8.
        Err(error) => panic!("EVALFILE: {error}"),
    };
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let path = Path::new(&root).join(given.as_deref().unwrap_or(NETWORK));
    if env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        // As much as hosts of the threaded build reserve: web/engine/engine.js.
        println!("cargo:rustc-link-arg-bins=--max-memory={}", 1 << 30);
        // No `cfg` of the compiler tells the two WebAssembly targets apart.
        if env::var("TARGET").is_ok_and(|target| target.ends_with("-threads")) {
            println!("cargo:rustc-link-arg-bins=--initial-memory={}", 16 << 20);
        } else {
            println!("cargo:rustc-cfg=single_threaded");
            // No thread's stack could be as large as a deep search needs: the size of `search::STACK_BYTES`.
            println!("cargo:rustc-link-arg-bins=-zstack-size={}", 32 << 20);
            println!("cargo:rustc-link-arg-bins=--export-if-defined=resume");
        }
    }
    println!("cargo:rustc-env=SLEIGHT_NETWORK={}", path.display());
    // `make dist` names the commit; asking git would build anew after each.
    let commit = env::var("SLEIGHT_COMMIT").ok().filter(|commit| !commit.is_empty());
    let build = env::var("TARGET").into_iter().chain(commit.map(|commit| format!("commit {commit}")));
    println!("cargo:rustc-env=SLEIGHT_BUILD={}", build.collect::<Vec<_>>().join(", "));
    println!("cargo:rerun-if-env-changed=SLEIGHT_COMMIT");
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed={}", path.display());
    println!("cargo:rerun-if-changed=build.rs");
}
