//! What the files of the repository promise: layers, floating-point functions, the engine file for OpenBench, the names
//! of builds, what is installed.

mod floats;
#[cfg(unix)]
mod install;
mod layers;
mod openbench;
mod version;
