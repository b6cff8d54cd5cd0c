//! The `sleight` binary.

fn main() {}
