//! The `sleight` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Warnings unless asked for more: what standard error brings, some front ends show.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    sleight::cli::run()
}
