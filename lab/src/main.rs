//! The `sleight-lab` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    sleight_lab::cli::run()
}
