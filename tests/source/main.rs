//! What the files of the repository promise: layers, floating-point functions, the engine file for OpenBench.

mod floats;
mod layers;
mod openbench;
