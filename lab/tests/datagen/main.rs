//! Self-play: the file format, whole runs, statistics.

mod format;
mod run;
mod survey;
