//! The sums of the active features' weights, kept from position to position.
//!
//! Each side's sums are kept for every square of its king (pieces) and both halves of the board (threats), together
//! with the position that they are of; the next position with that king adds and subtracts what differs. So moves of a
//! game, positions of one search tree and king moves are all the same: a difference to the last position of the kind.
// CITE: the table of accumulators by king square is by Luecx (Koivisto), known as Finny tables.

use bytemuck::Pod;

use sleight::types::{Color, Piece, Square};

use super::{
    board::Board,
    features::{Difference, threat_half},
    network::{FeatureWeights, Network, Psqt},
};
use crate::train::Aligned;

/// Neurons that are summed together, within the registers of the processor.
pub(super) const TILE: usize = 128;

/// The sums of one kind of features.
#[derive(Clone)]
struct Sums {
    neurons: Aligned<i16>,
    psqt: Psqt,
}

/// Sums over pieces, and the pieces.
#[derive(Clone)]
struct PieceEntry {
    sums: Sums,
    pieces: [u64; Piece::COUNT],
}

/// Sums over threats, and the position.
#[derive(Clone)]
struct ThreatEntry {
    sums: Sums,
    board: Board,
}

/// The sums of both sides.
pub(super) struct Accumulators {
    /// By perspective and the square of its king.
    pieces: Vec<PieceEntry>,
    /// By perspective and the half of the board that its king is on.
    threats: Vec<ThreatEntry>,
    difference: Difference,
}

impl Accumulators {
    /// The sums of empty boards.
    pub(super) fn new(network: &Network) -> Self {
        let pieces = PieceEntry {
            sums: Sums { neurons: network.biases.clone(), psqt: Psqt::default() },
            pieces: [0; Piece::COUNT],
        };
        let none = Aligned::zeros(network.architecture.width);
        let threats = ThreatEntry { sums: Sums { neurons: none, psqt: Psqt::default() }, board: Board::EMPTY };
        Self {
            pieces: vec![pieces; Color::COUNT * Square::COUNT],
            threats: vec![threats; 2 * Color::COUNT],
            difference: Difference::default(),
        }
    }

    /// Brings the sums of a side up to a position.
    #[inline(always)]
    pub(super) fn update(&mut self, network: &Network, board: &Board, perspective: Color) {
        let difference = &mut self.difference;
        let entry = &mut self.pieces[piece_entry(board, perspective)];
        difference.of_pieces(&entry.pieces, board, perspective);
        entry.sums.apply(&network.pieces, difference);
        entry.pieces = Piece::ALL.map(|piece| board.pieces(piece));
        if network.architecture.threats {
            let entry = &mut self.threats[threat_entry(board, perspective)];
            difference.of_threats(&network.threat_numbers, &entry.board, board, perspective);
            entry.sums.apply(&network.threats, difference);
            entry.board.clone_from(board);
        }
    }

    /// The neurons of a side after [`Self::update`]: sums over pieces and over threats.
    #[inline(always)]
    pub(super) fn neurons(&self, board: &Board, perspective: Color) -> (&[i16], &[i16]) {
        let (pieces, threats) = self.entries(board, perspective);
        (&pieces.sums.neurons, &threats.sums.neurons)
    }

    /// The piece-square sum of a side after [`Self::update`].
    pub(super) fn psqt(&self, board: &Board, perspective: Color, bucket: usize) -> i32 {
        let (pieces, threats) = self.entries(board, perspective);
        pieces.sums.psqt[bucket].wrapping_add(threats.sums.psqt[bucket])
    }

    fn entries(&self, board: &Board, perspective: Color) -> (&PieceEntry, &ThreatEntry) {
        (&self.pieces[piece_entry(board, perspective)], &self.threats[threat_entry(board, perspective)])
    }
}

fn piece_entry(board: &Board, perspective: Color) -> usize {
    Square::COUNT * perspective.index() + board.king(perspective)
}

fn threat_entry(board: &Board, perspective: Color) -> usize {
    2 * perspective.index() + threat_half(board, perspective)
}

impl Sums {
    #[inline(always)]
    fn apply<W: Pod + Into<i16>>(&mut self, weights: &FeatureWeights<W>, difference: &Difference) {
        let width = self.neurons.len();
        let (tiles, _) = self.neurons.as_chunks_mut::<TILE>();
        for (tile, sums) in tiles.iter_mut().enumerate() {
            let row = |feature: u32| &weights.neurons[feature as usize * width + tile * TILE..][..TILE];
            for &feature in &difference.added {
                sums.iter_mut().zip(row(feature)).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight.into()));
            }
            for &feature in &difference.removed {
                sums.iter_mut().zip(row(feature)).for_each(|(sum, &weight)| *sum = sum.wrapping_sub(weight.into()));
            }
        }
        for &feature in &difference.added {
            let row = &weights.psqt[feature as usize];
            self.psqt.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
        }
        for &feature in &difference.removed {
            let row = &weights.psqt[feature as usize];
            self.psqt.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_sub(weight));
        }
    }
}
