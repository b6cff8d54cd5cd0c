//! The network architectures of Stockfish's versions, by the hash in the file's header.
// CITE: the hashes, shapes and formulas are Stockfish's, from the sources of each version.

use sleight::types::PieceType;

use super::board::Board;

/// The outputs of the first layer; the last one skips the other layers.
pub(super) const L1_OUTPUTS: usize = 16;
/// The inputs of the second layer: squares and clipped values of the outputs before the last, padded.
pub(super) const L2_INPUTS: usize = 32;
/// The outputs of the second layer.
pub(super) const L2_OUTPUTS: usize = 32;
/// Layer stacks and piece-square outputs, selected by the number of pieces.
pub(super) const BUCKETS: usize = 8;

const HALF_KA_HASH: u32 = 0x7f23_4cb8;
const FULL_THREATS_HASH: u32 = 0x8f23_4cb8;

/// The shape of a network, and what its version makes of its two outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Architecture {
    /// The version of Stockfish.
    pub name: &'static str,
    /// The neurons of each perspective.
    pub width: usize,
    /// True if threats are features beside the pieces on their squares.
    pub threats: bool,
    pub formula: Formula,
}

/// How a version blends the outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Formula {
    V15,
    V16,
    V16_1,
    V17,
    V18,
}

/// The main networks since 15.1.
pub(super) const KNOWN: [Architecture; 5] = [
    Architecture { name: "18", width: 1024, threats: true, formula: Formula::V18 },
    Architecture { name: "17 and 17.1", width: 3072, threats: false, formula: Formula::V17 },
    Architecture { name: "16.1", width: 2560, threats: false, formula: Formula::V16_1 },
    Architecture { name: "16", width: 1536, threats: false, formula: Formula::V16 },
    Architecture { name: "15.1", width: 1024, threats: false, formula: Formula::V15 },
];

impl Architecture {
    /// The hash in the header of the file.
    pub(super) fn hash(&self) -> u32 {
        self.transformer_hash() ^ self.stack_hash()
    }

    /// The hash at the beginning of the feature transformer.
    pub(super) fn transformer_hash(&self) -> u32 {
        (if self.threats { FULL_THREATS_HASH } else { HALF_KA_HASH }) ^ self.width_hash()
    }

    /// The hash at the beginning of each layer stack.
    pub(super) fn stack_hash(&self) -> u32 {
        let affine = |before: u32, outputs: u32| (0xcc03_dae4 + outputs) ^ before.rotate_right(1);
        let clipped = |before: u32| before.wrapping_add(0x538d_24c7);
        let first = clipped(affine(0xec42_e90d ^ self.width_hash(), L1_OUTPUTS as u32));
        affine(clipped(affine(first, L2_OUTPUTS as u32)), 1)
    }

    fn width_hash(&self) -> u32 {
        2 * self.width as u32
    }
}

/// The two outputs of a network for the side to move, in Stockfish's internal units times 16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outputs {
    pub psqt: i32,
    pub positional: i32,
}

/// Internal units of a network's output.
const OUTPUT_SCALE: i32 = 16;

impl Formula {
    /// The static evaluation of the version without optimism, and without what depends on the fifty-move clock or on
    /// the position's key.
    pub(super) fn value(self, outputs: Outputs, board: &Board) -> i32 {
        let Outputs { psqt: raw_psqt, positional: raw_positional } = outputs;
        let (psqt, positional) = (raw_psqt / OUTPUT_SCALE, raw_positional / OUTPUT_SCALE);
        let complexity = (psqt - positional).abs();
        let recent = (125 * psqt + 131 * positional) / 128;
        let non_pawns = non_pawn_material(board);
        let pawns = board.count(PieceType::Pawn);
        let with_delta = |delta: i32| {
            let sum =
                i64::from(1024 - delta) * i64::from(raw_psqt) + i64::from(1024 + delta) * i64::from(raw_positional);
            (sum / i64::from(1024 * OUTPUT_SCALE)) as i32
        };
        match self {
            Self::V18 => scaled(damped(recent, complexity, 18_236), 77_871 + 534 * pawns + non_pawns, 77_871),
            Self::V17 => scaled(damped(recent, complexity, 18_000), 77_777 + 535 * pawns + non_pawns, 77_777),
            Self::V16_1 => {
                let value = with_delta(24);
                let value = damped(value, complexity_16(outputs) + (material_balance(board) - value).abs(), 32_768);
                scaled(value, 915 + non_pawns / 64 + 9 * pawns, 1024)
            }
            Self::V16 => scaled(with_delta(24), 945 + non_pawns / 64, 1024),
            Self::V15 => scaled(with_delta(24 - non_pawns / 9560), 1064 + 106 * non_pawns / 5120, 1024),
        }
    }
}

fn complexity_16(outputs: Outputs) -> i32 {
    (outputs.psqt - outputs.positional).abs() / OUTPUT_SCALE
}

/// Draws a value toward zero where material and position disagree.
fn damped(value: i32, complexity: i32, divisor: i64) -> i32 {
    value - (i64::from(value) * i64::from(complexity) / divisor) as i32
}

fn scaled(value: i32, factor: i32, divisor: i64) -> i32 {
    (i64::from(value) * i64::from(factor) / divisor) as i32
}

const PAWN: i32 = 208;
/// The values of knight, bishop, rook and queen in Stockfish's internal units.
const VALUES: [(PieceType, i32); 4] =
    [(PieceType::Knight, 781), (PieceType::Bishop, 825), (PieceType::Rook, 1276), (PieceType::Queen, 2538)];

fn non_pawn_material(board: &Board) -> i32 {
    VALUES.into_iter().map(|(piece_type, value)| value * board.count(piece_type)).sum()
}

/// Own material less the opponent's, for the side to move.
fn material_balance(board: &Board) -> i32 {
    let balance = |(piece_type, value): (PieceType, i32)| value * board.balance(piece_type);
    [(PieceType::Pawn, PAWN)].into_iter().chain(VALUES).map(balance).sum()
}
