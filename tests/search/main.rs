//! The search, the evaluation network and the tablebases.

mod nnue;
mod syzygy;
mod whole;
