//! The board, drawn.

use console::Style;

use super::{game::Game, paint::Paint};
use crate::types::{Color, File, Move, Piece, Rank, Square};

/// Backgrounds out of the 256 colors, for a light and a dark square each.
const PLAIN: [u8; 2] = [137, 94];
const MOVED: [u8; 2] = [106, 64];
const CHECKED: [u8; 2] = [160, 124];

/// The board as White sees it, who is to move, the last move, and the FEN.
pub(super) fn drawn(game: &Game, paint: Paint) -> String {
    let notes = notes(game, paint);
    let mut text = String::from("\n");
    for (row, rank) in Rank::ALL.into_iter().rev().enumerate() {
        let squares: String = File::ALL.map(|file| square(game, Square::new(file, rank), paint)).concat();
        let note = notes.get(row).map(|note| format!("   {note}")).unwrap_or_default();
        text += &format!(" {} {squares}{note}\n", paint.dim(&(rank.index() + 1).to_string()));
    }
    let files: String = File::ALL.iter().map(|file| format!(" {} ", file.letter())).collect();
    text + &format!("   {}\n\n {}", paint.dim(&files), paint.dim(&game.position().fen()))
}

/// What stands beside the board, from the top.
fn notes(game: &Game, paint: Paint) -> Vec<String> {
    let position = game.position();
    let to_move = || paint.bold(&format!("{} to move", side_name(position.side_to_move())));
    let state = match game.end() {
        Some(end) => paint.warn(end),
        None if position.in_check() => to_move() + &paint.warn(", in check"),
        None => to_move(),
    };
    let last = game.last().map(|(_, text)| format!("Last move: {text}"));
    [Some(state), last].into_iter().flatten().collect()
}

/// What people call a side.
pub(super) fn side_name(side: Color) -> &'static str {
    if side == Color::White { "White" } else { "Black" }
}

/// Three columns: a man's letter on a colored square, or between marks that say the same.
fn square(game: &Game, square: Square, paint: Paint) -> String {
    let position = game.position();
    let piece = position.piece_at(square);
    let king = |side| position.board().king(side);
    let (mover, other) = (position.side_to_move(), !position.side_to_move());
    let checked = position.in_check() && square == king(mover);
    // A castling move is written onto the rook.
    let end = |mv: Move| if mv.is_castle() { king(other) } else { mv.to() };
    let moved = game.last().is_some_and(|&(mv, _)| [mv.from(), end(mv)].contains(&square));
    let (marks, grounds) = match (checked, moved) {
        (true, _) => (['!', '!'], CHECKED),
        (false, true) => (['[', ']'], MOVED),
        (false, false) => ([' ', ' '], PLAIN),
    };
    if !paint.colors {
        return format!("{}{}{}", marks[0], piece.map_or('.', Piece::letter), marks[1]);
    }
    let dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
    let color = piece.map_or(Color::White, Piece::color);
    let style = Style::new().bold().color256(if color == Color::White { 231 } else { 16 });
    let text = format!(" {} ", piece.map_or(' ', Piece::letter));
    paint.paint(&style.on_color256(grounds[usize::from(dark)]), &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN_TEXT: Paint = Paint { colors: false, moves: false };

    #[test]
    fn a_board_without_colors_marks_the_last_move_and_the_check() {
        let mut game = Game::new();
        for mv in ["e4", "f6", "Qh5+"] {
            game.play_text(mv).unwrap();
        }
        let expected = "
 8  r  n  b  q !k! b  n  r    Black to move, in check
 7  p  p  p  p  p  .  p  p    Last move: 2. Qh5+
 6  .  .  .  .  .  p  .  .
 5  .  .  .  .  .  .  . [Q]
 4  .  .  .  .  P  .  .  .
 3  .  .  .  .  .  .  .  .
 2  P  P  P  P  .  P  P  P
 1  R  N  B [.] K  B  N  R
    a  b  c  d  e  f  g  h

 rnbqkbnr/ppppp1pp/5p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2";
        let drawn = drawn(&game, PLAIN_TEXT);
        let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&drawn), lines(expected));
    }

    #[test]
    fn colors_take_no_room() {
        let colored = drawn(&Game::new(), Paint { colors: true, moves: true });
        assert!(colored.contains("\u{1b}[48;5;137"), "{colored:?}");
        let widths = |text: &str| text.lines().map(console::measure_text_width).collect::<Vec<_>>();
        assert_eq!(widths(&colored), widths(&drawn(&Game::new(), PLAIN_TEXT)));
    }
}
