//! What the files of the repository promise: layers, floating-point functions, the engine file for OpenBench, the names of
//! builds.

mod floats;
mod layers;
mod openbench;
mod version;
