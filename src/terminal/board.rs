//! The drawn board.

use console::{Style, colors_enabled};

use crate::{
    game::Game,
    notation::numbered,
    position::Position,
    types::{Color, File, Move, Piece, Rank, Square},
};

/// Backgrounds of a light and a dark square, in the 256-color palette.
const PLAIN: [u8; 2] = [137, 94];
const LAST_MOVE: [u8; 2] = [106, 64];
const CHECK: [u8; 2] = [160, 124];

/// The board from White's side, the side to move or the result, the last move, and the FEN.
pub(super) fn draw(game: &Game) -> String {
    draw_in(game, colors_enabled())
}

fn draw_in(game: &Game, colors: bool) -> String {
    let style = |text: &str| Style::new().force_styling(colors).apply_to(text.to_owned());
    let position = game.position();
    let to_move = format!("{} to move", name(position.side_to_move()));
    let status = position.termination().map_or(to_move, |termination| termination.to_string());
    let last_move = game.last_move();
    let last = last_move.as_ref().map(|(before, mv)| format!("Last move: {}", numbered(before, &[*mv])));
    let last_move = last_move.map(|(_, mv)| mv);
    let mut text = String::from("\n");
    for rank in Rank::ALL.into_iter().rev() {
        let squares: String =
            File::ALL.map(|file| square(position, last_move, Square::new(file, rank), colors)).concat();
        let note = match rank {
            Rank::Eight => style(&status).bold().to_string(),
            Rank::Seven => last.clone().unwrap_or_default(),
            _ => String::new(),
        };
        text += &format!(" {} {squares}   {note}\n", rank.index() + 1);
    }
    let files: String = File::ALL.iter().map(|file| format!(" {} ", file.letter())).collect();
    text + &format!("   {files}\n\n {}\n", style(&position.fen()).dim())
}

pub(super) fn name(side: Color) -> &'static str {
    if side == Color::White { "White" } else { "Black" }
}

/// Three columns: a piece letter, on a colored square or between marks. `[ ]` marks the last move, `! !` a king in
/// check.
fn square(position: &Position, last_move: Option<Move>, square: Square, in_color: bool) -> String {
    let piece = position.piece_at(square);
    let king = |side| position.board().king(side);
    let (side, other) = (position.side_to_move(), !position.side_to_move());
    // A castling move is stored as king takes rook.
    let target = |mv: Move| if mv.is_castle() { king(other) } else { mv.to() };
    let (marks, colors) = if position.in_check() && square == king(side) {
        (['!', '!'], CHECK)
    } else if last_move.is_some_and(|mv| [mv.from(), target(mv)].contains(&square)) {
        (['[', ']'], LAST_MOVE)
    } else {
        ([' ', ' '], PLAIN)
    };
    if !in_color {
        return format!("{}{}{}", marks[0], piece.map_or('.', Piece::letter), marks[1]);
    }
    let dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
    let foreground = if piece.is_some_and(|piece| piece.color() == Color::Black) { 16 } else { 231 };
    let style = Style::new().force_styling(true).bold().color256(foreground).on_color256(colors[usize::from(dark)]);
    style.apply_to(format!(" {} ", piece.map_or(' ', Piece::letter))).to_string()
}

#[cfg(test)]
mod tests {
    use super::{super::typed_moves::after, *};

    #[test]
    fn colors_or_marks_show_the_last_move_and_the_check() {
        let game = after(&["e4", "f6", "Qh5+"]);
        let expected = "
 8  r  n  b  q !k! b  n  r    Black to move
 7  p  p  p  p  p  .  p  p    Last move: 2. Qh5+
 6  .  .  .  .  .  p  .  .
 5  .  .  .  .  .  .  . [Q]
 4  .  .  .  .  P  .  .  .
 3  .  .  .  .  .  .  .  .
 2  P  P  P  P  .  P  P  P
 1  R  N  B [.] K  B  N  R
    a  b  c  d  e  f  g  h

 rnbqkbnr/ppppp1pp/5p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2";
        let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&draw_in(&game, false)), lines(expected));
        // All three squares are light.
        let colored = draw_in(&game, true);
        let squares = |color: u8| colored.matches(&format!("48;5;{color}m")).count();
        assert_eq!([LAST_MOVE[0], LAST_MOVE[1], CHECK[0], CHECK[1]].map(squares), [2, 0, 1, 0], "{colored:?}");
        assert!(!colored.contains("[Q]") && !colored.contains("!k!"), "{colored:?}");
    }
}
