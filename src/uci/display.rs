//! The drawn board of `d`, and the answer to `eval`: the static evaluation and where it comes from.

use std::sync::Arc;

use crate::{
    eval::{evaluate, to_centipawns},
    nnue::{AccumulatorStack, Network},
    position::Position,
    types::{Color, File, Rank, Square},
};

/// A board from White's side. `cell` gives the lines on a square, each of at most `width` columns.
fn grid<const LINES: usize>(width: usize, cell: impl Fn(Square) -> [String; LINES]) -> String {
    let edge = format!("+{}\n", format!("{:-<width$}+", "").repeat(File::COUNT));
    let mut text = edge.clone();
    for rank in Rank::ALL.into_iter().rev() {
        let cells = File::ALL.map(|file| cell(Square::new(file, rank)));
        for line in 0..LINES {
            cells.iter().for_each(|cell| text += &format!("|{:^width$}", cell[line]));
            text += &if line == 0 { format!("| {}\n", rank.index() + 1) } else { "|\n".to_owned() };
        }
        text += &edge;
    }
    let files = File::ALL.map(|file| format!(" {:^width$}", file.letter())).concat();
    format!("{text}{}\n\n", files.trim_end())
}

/// The letter of the piece on a square.
fn letter(position: &Position, square: Square) -> String {
    position.piece_at(square).map_or(' ', |piece| piece.letter()).to_string()
}

/// The board from White's side with FEN, hash key and checkers.
pub(super) fn board(position: &Position) -> String {
    let checkers: Vec<String> = position.checkers_and_pins().checkers.map(|square| square.to_string()).collect();
    let board = grid(3, |square| [letter(position, square)]);
    format!("{board}Fen: {}\nKey: {:016X}\nCheckers: {}", position.fen(), position.key(), checkers.join(" "))
}

/// The board with the value of each piece to its own side, and the parts of the evaluation from White's side, in pawns.
pub(super) fn eval_trace(position: &Position, network: &Arc<Network>) -> String {
    let parts = network.trace(position);
    let worth = |square: Square| parts.piece_values[square.index()].map(|worth| format!("{:.2}", pawns(worth)));
    let mut text = grid(7, |square| [letter(position, square), worth(square).unwrap_or_default()]);
    text += "Below each piece: the loss of evaluation, for its own side, if it is removed.\n\n";
    let side = position.side_to_move();
    for (bucket, &output) in parts.outputs.iter().enumerate() {
        let mark = if bucket == parts.bucket { "  <- in use for this number of pieces" } else { "" };
        text += &format!("Output bucket {}: {:+.2}{mark}\n", bucket + 1, from_white(side, output));
    }
    // In check the search uses no static evaluation. In an elementary ending, it is not the network's.
    text += &if position.in_check() {
        "\nFinal evaluation: none (in check)\n".to_owned()
    } else {
        let evaluation = evaluate(position, &mut AccumulatorStack::new(network.clone()));
        // Scripts wait for this line and the empty one after it.
        // CITE: Stockfish - the form of the line, as the Python package `stockfish` reads it.
        format!("\nFinal evaluation       {:+.2} (white side)\n", from_white(side, evaluation.0))
    };
    text
}

/// An evaluation for `side` as pawns for White.
fn from_white(side: Color, evaluation: i32) -> f64 {
    pawns(if side == Color::White { evaluation } else { -evaluation })
}

fn pawns(evaluation: i32) -> f64 {
    f64::from(to_centipawns(evaluation)) / 100.0
}
