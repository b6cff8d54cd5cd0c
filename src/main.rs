//! The `sleight` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Silent unless asked: what standard error brings, some front ends show.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    sleight::cli::run()
}
