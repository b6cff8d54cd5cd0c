//! The best lines of a search as a table.

use console::{style, truncate_str};

use crate::{
    eval::displayed_centipawns,
    game::Game,
    notation::numbered,
    search::{Line, SearchReport},
    types::{Bound, Color, Score},
};

/// The best lines of a search, as they were reported last.
pub(super) struct Table {
    /// The game that is searched.
    pub(super) game: Game,
    pub(super) report: Option<SearchReport>,
}

impl Table {
    /// True if the last report was made within an iteration.
    pub(super) fn is_preliminary(&self) -> bool {
        self.report.as_ref().is_some_and(|report| !report.is_complete())
    }

    /// The header and a row per line, none wider than `width` columns.
    pub(super) fn rows(&self, width: usize) -> Vec<String> {
        let rows = self.report.iter().flat_map(|report| report.lines.iter().map(|line| self.row(report, line, width)));
        [header(width)].into_iter().chain(rows).collect()
    }

    /// A line in one row: depth, score and chances from White's side, and what the search has cost.
    fn row(&self, report: &SearchReport, line: &Line, width: usize) -> String {
        let side = self.game.position().side_to_move();
        let depth = format!("{}/{}", line.depth, line.seldepth);
        let score = style(format!("{:>7}", score(side, line.score, line.bound))).bold();
        let [win, draw, loss] = chances(side, line.win_draw_loss()).map(|share| format!("{share}%"));
        let (knodes, seconds) = (report.nodes / 1000, report.time.as_secs_f64());
        let line = numbered(self.game.position(), &line.pv);
        let row = format!(" {depth:<6}{score} {win:>4} {draw:>4} {loss:>4} {knodes:>8}k {seconds:>6.1}s  {line}");
        truncate_str(&row, width, "").into_owned()
    }
}

pub(super) fn header(width: usize) -> String {
    let [depth, score, win, draw, loss, nodes, time] = ["depth", "score", "win", "draw", "loss", "nodes", "time"];
    let header = format!(" {depth:<6}{score:>7} {win:>4} {draw:>4} {loss:>4} {nodes:>9} {time:>7}  line");
    style(truncate_str(&header, width, "")).dim().to_string()
}

/// A score in pawns, or in moves to mate, from White's side; `>` and `<` mark bounds.
fn score(side: Color, score: Score, bound: Bound) -> String {
    let white = side == Color::White;
    let sign = if white { 1 } else { -1 };
    let mark = match (bound, white) {
        (Bound::Exact, _) => "",
        (Bound::Lower, true) | (Bound::Upper, false) => ">",
        (Bound::Lower, false) | (Bound::Upper, true) => "<",
    };
    match score.mate_moves() {
        Some(moves) => format!("{mark}#{}", sign * moves),
        None if score.is_decisive() => format!("{mark}{}", if score.is_win() == white { "won" } else { "lost" }),
        None => format!("{mark}{:+.2}", f64::from(sign * displayed_centipawns(score)) / 100.0),
    }
}

/// White's chances to win, draw and lose, in percent.
fn chances(side: Color, permille: [u32; 3]) -> [u32; 3] {
    let [win, draw, loss] = permille.map(|permille| (permille + 5) / 10);
    if side == Color::White { [win, draw, loss] } else { [loss, draw, win] }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{super::typed_moves::after, *};
    use crate::eval::{to_centipawns, win_draw_loss};

    #[test]
    fn rows_align_with_the_header_and_fit_the_window() {
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
        let pv = (1..=moves.len()).map(|plies| after(&moves[..plies]).last_move().unwrap().1);
        let line = Line::new(14, 21, Score(35), Bound::Exact, pv.collect());
        let mut report = SearchReport {
            depth: 14,
            lines: vec![line.clone()],
            nodes: 1_234_567,
            time: Duration::from_millis(1100),
            hashfull: 7,
            tbhits: 0,
        };
        let mut table = Table { game: Game::default(), report: Some(report.clone()) };
        report.lines.push(Line { depth: 13, ..line });
        assert!(!table.is_preliminary());
        table.report = Some(report.clone());
        assert!(table.is_preliminary());
        let rows = table.rows(80);
        assert_eq!(rows.len(), 3);
        let row = console::strip_ansi_codes(&rows[1]);
        assert!(row.starts_with(&format!(" 14/21   +0.{}  ", to_centipawns(35))), "{row}");
        assert!(row.contains("  1234k    1.1s  1. e4 e5 2. Nf3 Nc6 3. Bb5"), "{row}");
        assert_eq!(console::strip_ansi_codes(&rows[0]).find("line"), row.find("1. e4"));
        for width in [1, 20, 60, 100] {
            assert!(table.rows(width).iter().all(|row| console::measure_text_width(row) <= width));
        }
    }

    #[test]
    fn scores_are_from_whites_side() {
        use Color::{Black, White};
        let pawns = format!("{:.2}", f64::from(to_centipawns(137)) / 100.0);
        assert_eq!(score(White, Score(137), Bound::Exact), format!("+{pawns}"));
        assert_eq!(score(Black, Score(137), Bound::Exact), format!("-{pawns}"));
        assert_eq!(score(Black, Score(137), Bound::Lower), format!("<-{pawns}"));
        assert_eq!(score(Black, Score::mated_in(4), Bound::Exact), "#2");
        assert_eq!(score(Black, Score::mate_in(1), Bound::Exact), "#-1");
        assert_eq!(score(White, Score::mate_in(3), Bound::Exact), "#2");
        assert_eq!(score(White, Score::TB_WIN, Bound::Exact), "won");
        assert_eq!(score(Black, Score::TB_WIN, Bound::Exact), "lost");
        let [win, draw, loss] = chances(White, win_draw_loss(Score(137)));
        assert!(win > loss && chances(Black, win_draw_loss(Score(137))) == [loss, draw, win]);
        assert_eq!(chances(Black, win_draw_loss(Score::mate_in(3))), [0, 0, 100]);
    }
}
