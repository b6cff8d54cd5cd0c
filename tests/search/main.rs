//! The search, the evaluation network and the tablebases.

mod endings;
mod nnue;
mod syzygy;
mod whole;
