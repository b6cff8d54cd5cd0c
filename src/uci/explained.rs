//! The evaluation of a position, taken apart for people.

use std::{fmt::Write, sync::Arc};

use crate::{
    eval::to_centipawns,
    nnue::{Explanation, Network},
    position::Position,
    types::{Color, File, Rank, Square},
};

/// The board with what each man is worth to its own side, and where the evaluation comes from: in pawns, the sides'
/// parts as White sees them.
pub(super) fn explained(position: &Position, network: &Arc<Network>) -> String {
    const EDGE: &str = "+-------+-------+-------+-------+-------+-------+-------+-------+\n";
    let parts = network.explain(position);
    let mut text = String::from(EDGE);
    for rank in Rank::ALL.into_iter().rev() {
        let squares = File::ALL.map(|file| Square::new(file, rank));
        for square in squares {
            let letter = position.piece_at(square).map_or(' ', |piece| piece.letter());
            text += &format!("|   {letter}   ");
        }
        text += &format!("| {}\n", rank.index() + 1);
        for square in squares {
            text +=
                &parts.worth[square.index()].map_or("|       ".to_owned(), |worth| format!("|{:^7.2}", pawns(worth)));
        }
        text += &format!("|\n{EDGE}");
    }
    text += "    a       b       c       d       e       f       g       h\n\n";
    text += "Under each man: by how much the evaluation falls, for its own side, without it.\n\n";
    text += &sources(position.side_to_move(), &parts);
    text
}

fn sources(side: Color, parts: &Explanation) -> String {
    let white = |part: i32| pawns(if side == Color::White { part } else { -part });
    let [mover, other] = [side, !side].map(|color| if color == Color::White { "White" } else { "Black" });
    let mut text = String::new();
    for (bucket, &output) in parts.outputs.iter().enumerate() {
        let mark = if bucket == parts.bucket { "  <- for this number of men" } else { "" };
        let _always_fits = writeln!(text, "Output {}: {:+.2}{mark}", bucket + 1, white(output));
    }
    text += &format!(
        "Seen by {mover}, to move: {:+.2}\nSeen by {other}: {:+.2}\n",
        white(parts.shares[0]),
        white(parts.shares[1])
    );
    text + &format!("\nEvaluation: {:+.2} pawns for White, without searching", white(parts.total))
}

fn pawns(evaluation: i32) -> f64 {
    f64::from(to_centipawns(evaluation)) / 100.0
}
