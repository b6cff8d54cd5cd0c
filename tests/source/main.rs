//! What the files of the repository promise: layers, floating-point functions, the engine file for OpenBench, the names
//! of builds, what is installed, links.

mod floats;
#[cfg(unix)]
mod install;
mod layers;
mod links;
mod openbench;
mod version;
