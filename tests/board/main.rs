//! Board, moves, notation and exchanges: against published counts, another implementation, and computation from
//! scratch.

mod checks;
mod games;
mod legality;
mod notation;
mod oracle;
mod parallel;
mod perft;
mod repetition;
mod see;
mod tables;
mod unmake;
