//! What a search finds, as a table that fits the window.

use std::time::Duration;

use super::{game::numbered, paint::Paint};
use crate::{
    eval::{to_centipawns, win_draw_loss},
    position::Position,
    search::SearchReport,
    tt::Bound,
    types::{Color, Move, Score},
};

/// Where a line of moves begins, in columns from the left.
const INDENT: usize = 44;

pub(super) fn header(paint: Paint, width: usize) -> String {
    let [depth, score, win, draw, loss, nodes, time] = ["depth", "score", "win", "draw", "loss", "nodes", "time"];
    let header = format!(" {depth:<6}{score:>7} {win:>4} {draw:>4} {loss:>4} {nodes:>5} {time:>6}  line");
    paint.dim(&console::truncate_str(&header, width, ""))
}

/// One report in one line.
pub(super) fn row(position: &Position, report: &SearchReport, paint: Paint, width: usize) -> String {
    let [win, draw, loss] = chances(position, report.score).map(|share| format!("{share}%"));
    let depth = format!("{}/{}", report.depth, report.seldepth);
    let score = paint.bold(&format!("{:>7}", score(position, report.score, report.bound)));
    let (nodes, time) = (count(report.nodes), duration(report.time));
    let line = fitting(&numbered(position, &report.pv), width.saturating_sub(INDENT)).0;
    let row = format!(" {depth:<6}{score} {win:>4} {draw:>4} {loss:>4} {nodes:>5} {time:>6}  {line}");
    console::truncate_str(&row, width, "").into_owned()
}

/// A score in pawns, or in moves to mate, as White sees it. What is only known to be better or worse says so.
pub(super) fn score(position: &Position, score: Score, bound: Bound) -> String {
    let white = position.side_to_move() == Color::White;
    // For a mate the sign is not all: the side that gives it has a move more to make.
    let mate = score.mate_moves().map(|moves| if white { moves } else { -moves });
    let seen = if white { score } else { -score };
    let mark = match (bound, white) {
        (Bound::Exact, _) => "",
        (Bound::Lower, true) | (Bound::Upper, false) => ">",
        (Bound::Lower, false) | (Bound::Upper, true) => "<",
    };
    let text = match mate {
        Some(moves) => format!("#{moves}"),
        None if seen.is_win() => "won".to_owned(),
        None if seen.is_loss() => "lost".to_owned(),
        None => format!("{:+.2}", f64::from(to_centipawns(seen.0)) / 100.0),
    };
    format!("{mark}{text}")
}

/// White's chances to win, to draw and to lose, in percent.
pub(super) fn chances(position: &Position, score: Score) -> [u32; 3] {
    let [win, draw, loss] = win_draw_loss(score);
    let [win, loss] = if position.side_to_move() == Color::White { [win, loss] } else { [loss, win] };
    let percent = |permille: u32| (permille + 5) / 10;
    let (win, loss) = (percent(win), percent(loss));
    // Both may have been rounded up.
    [win, if draw == 0 { 0 } else { 100_u32.saturating_sub(win + loss) }, loss]
}

/// A line of moves over as many lines of text as it takes, the first one `used` columns shorter and the others
/// indented so far.
pub(super) fn wrapped(position: &Position, line: &[Move], used: usize, width: usize) -> String {
    indented(&numbered(position, line), used, width)
}

/// Words over as many lines as it takes.
pub(super) fn listed(words: &[String], width: usize) -> String {
    indented(words, 0, width)
}

fn indented(words: &[String], used: usize, width: usize) -> String {
    let room = width.saturating_sub(used).max(12);
    let mut rest = words;
    let mut lines = Vec::new();
    while !rest.is_empty() {
        let (text, taken) = fitting(rest, room);
        lines.push(text);
        rest = &rest[taken.max(1)..];
    }
    lines.join(&format!("\n{}", " ".repeat(used)))
}

/// As many of the words as fit, and how many they are.
fn fitting(words: &[String], room: usize) -> (String, usize) {
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let gap = usize::from(at > 0);
        if at > 0 && text.len() + gap + word.len() > room {
            return (text, at);
        }
        text.push_str(&" "[..gap]);
        text += word;
    }
    (text, words.len())
}

/// A number in three or four digits.
pub(super) fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..1_000_000_000 => scaled(number, 1_000_000, "M"),
        _ => scaled(number, 1_000_000_000, "G"),
    }
}

fn scaled(number: u64, unit: u64, sign: &str) -> String {
    let decimals = if number >= 100 * unit { 0 } else { 1 };
    format!("{:.decimals$}{sign}", number as f64 / unit as f64)
}

/// A time in milliseconds, in seconds, or in minutes and seconds.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 => format!("{} ms", time.as_millis()),
        1..60 => format!("{}.{} s", seconds, time.subsec_millis() / 100),
        _ => format!("{}:{:02}", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::game::Game, *};

    const PLAIN: Paint = Paint { colors: false, moves: false };

    fn report(position: &Position, moves: &[&str]) -> SearchReport {
        let mut game = Game::of(crate::engine::Setup { fen: Some(position.fen()), moves: vec![] }).unwrap().0;
        let pv = moves.iter().map(|mv| {
            game.play_text(mv).unwrap();
            game.last().unwrap().0
        });
        SearchReport {
            depth: 14,
            seldepth: 21,
            multipv: 1,
            score: Score(35),
            bound: Bound::Exact,
            nodes: 1_234_567,
            time: Duration::from_millis(1100),
            hashfull: 7,
            tbhits: 0,
            pv: pv.collect(),
        }
    }

    #[test]
    fn rows_stand_under_their_header_and_fit_the_window() {
        let position = Position::startpos();
        let report = report(&position, &["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"]);
        let row = row(&position, &report, PLAIN, 80);
        assert!(row.starts_with(&format!(" 14/21   +0.{}  ", to_centipawns(35))), "{row}");
        assert!(row.ends_with("  1.2M  1.1 s  1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4"), "{row}");
        let header = header(PLAIN, 80);
        assert_eq!(header.find("line"), Some(INDENT));
        assert_eq!(row.find("1. e4"), Some(INDENT));
        for width in [1, 20, 60, 100] {
            let row = super::row(&position, &report, Paint { colors: true, moves: true }, width);
            assert!(console::measure_text_width(&row) <= width);
        }
    }

    #[test]
    fn scores_are_as_white_sees_them() {
        let [white, black] =
            ["w", "b"].map(|side| Position::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 1")).unwrap());
        let pawns = format!("{:.2}", f64::from(to_centipawns(137)) / 100.0);
        assert_eq!(score(&white, Score(137), Bound::Exact), format!("+{pawns}"));
        assert_eq!(score(&black, Score(137), Bound::Exact), format!("-{pawns}"));
        assert_eq!(score(&black, Score(137), Bound::Lower), format!("<-{pawns}"));
        assert_eq!(score(&black, Score::mated_in(4), Bound::Exact), "#2");
        assert_eq!(score(&black, Score::mate_in(1), Bound::Exact), "#-1");
        assert_eq!(score(&white, Score::mate_in(3), Bound::Exact), "#2");
        assert_eq!(score(&white, Score::mated_in(4), Bound::Exact), "#-2");
        assert_eq!(score(&white, Score::TB_WIN, Bound::Exact), "won");
        let [win, draw, loss] = chances(&white, Score(137));
        assert_eq!(chances(&black, Score(137)), [loss, draw, win]);
        assert_eq!(win + draw + loss, 100);
        assert_eq!(chances(&black, Score::mate_in(3)), [0, 0, 100]);
    }

    #[test]
    fn long_lines_are_wrapped_between_moves() {
        let position = Position::startpos();
        let report = report(&position, &["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
        assert_eq!(wrapped(&position, &report.pv, 2, 22), "1. e4 e5 2. Nf3 Nc6\n  3. Bb5 a6");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0, 9_999, 10_000, 1_234_567, 123_456_789, 4_000_000_000].map(count),
            ["0", "9999", "10k", "1.2M", "123M", "4.0G"]
        );
        let durations = [900, 1_950, 61_000].map(|time| duration(Duration::from_millis(time)));
        assert_eq!(durations, ["900 ms", "1.9 s", "1:01"]);
    }
}
