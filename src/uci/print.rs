//! The form of the protocol's answers.

use std::fmt::Write as _;

use vampirc_uci::UciMessage;

use super::{
    error::{MOVES_EXAMPLE, POSITION_EXAMPLE},
    options::announcements,
};
use crate::{
    attacks::Lookup,
    engine::{Client, EngineError, EngineOptions, Event},
    eval::displayed_centipawns,
    game::GameError,
    nnue::Kernel,
    notation::UciMove,
    search::{Line, SearchReport, nps},
    types::{Bound, Move, Score},
    util::{print, printable},
};

/// The name that the engine goes by. It has the commit in it unless the build is a release.
pub(crate) const NAME: &str = concat!("Sleight ", env!("SLEIGHT_VERSION"));

/// The output: to a program that speaks UCI, or to a person at a terminal.
pub(crate) trait Output: Client {
    /// Shows lines that a command asked for.
    fn show(&self, text: &str);
    /// Shows something that may be of interest.
    fn notice(&self, text: &str);
    /// Shows an error, and to a person an example of how to do it right.
    fn error(&self, text: &str, example: Option<&str>);
}

/// The UCI protocol on standard output.
pub(crate) struct UciOutput;

impl Client for UciOutput {
    fn on_event(&self, event: &Event<'_>, options: &EngineOptions) {
        match event {
            Event::Ready => print(&UciMessage::ReadyOk.to_string()),
            Event::Report(report) => print(&info(report, options)),
            Event::BestMove { best, ponder } => print(&best_move([*best, *ponder], options)),
            Event::Progress(report, mv, number) => {
                let (mv, depth) = (UciMove::new(*mv, options.chess960), report.depth);
                print(&format!("info currmove {mv} currmovenumber {number} depth {depth} {}", counts(report)));
            }
            event => show_message(self, event),
        }
    }
}

impl Output for UciOutput {
    fn show(&self, text: &str) {
        print(text);
    }

    fn notice(&self, text: &str) {
        print(&format!("info string {}", printable(text)));
    }

    fn error(&self, text: &str, _example: Option<&str>) {
        self.notice(&format!("error: {text}"));
    }
}

/// The answer to `uci`.
pub(super) fn identification() -> String {
    let name = format!("id name {NAME}\nid author the Sleight developers");
    [vec![name], announcements(), vec![UciMessage::UciOk.to_string()]].concat().join("\n")
}

/// Shows an event that is a message in words.
pub(crate) fn show_message(output: &dyn Output, event: &Event<'_>) {
    match event {
        Event::Machine { threads, hash } => {
            let (kernel, sliders) = (Kernel::detect().name(), Lookup::detect().name());
            output.notice(&format!("kernel {kernel}, sliders {sliders}, threads {threads}, hash {hash} MiB"));
        }
        Event::Understood(job) => output.notice(&format!("search {}: {}", job.search_id, job.limits)),
        Event::TablebasesOpened { files, max_pieces } => {
            output.notice(&format!("{files} tablebase files, up to {max_pieces} pieces"));
        }
        Event::Error(EngineError::Game(error)) => report_game_error(output, error),
        Event::Error(error) => output.error(&error.to_string(), None),
        Event::Ready | Event::Report(_) | Event::Progress(..) | Event::BestMove { .. } | Event::TaskEnded => {}
    }
}

/// Shows that there is no position, and why.
pub(crate) fn report_game_error(output: &dyn Output, error: &GameError) {
    let example = if matches!(error, GameError::Fen(_)) { POSITION_EXAMPLE } else { MOVES_EXAMPLE };
    output.error(&error.to_string(), Some(example));
}

fn best_move([best, ponder]: [Option<Move>; 2], options: &EngineOptions) -> String {
    let spelled = |mv| UciMove::new(mv, options.chess960);
    let best = best.map_or_else(|| "(none)".to_owned(), |mv| spelled(mv).to_string());
    let ponder = ponder.map_or_else(String::new, |mv| format!(" ponder {}", spelled(mv)));
    format!("bestmove {best}{ponder}")
}

fn counts(report: &SearchReport) -> String {
    let SearchReport { nodes, hashfull, tbhits, time, .. } = report;
    let (nps, time) = (nps(*nodes, *time), time.as_millis());
    format!("nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time}")
}

/// The lines of a report.
fn info(report: &SearchReport, options: &EngineOptions) -> String {
    let counts = counts(report);
    let lines = report.lines.iter().zip(1..).map(|(line, multipv)| info_line(line, multipv, &counts, options));
    lines.collect::<Vec<_>>().join("\n")
}

fn info_line(line: &Line, multipv: usize, counts: &str, options: &EngineOptions) -> String {
    let bound = match line.bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact => "",
    };
    let [win, draw, loss] = line.win_draw_loss();
    let wdl = if options.show_wdl.contains(&true) { format!(" wdl {win} {draw} {loss}") } else { String::new() };
    let (depth, seldepth, score) = (line.depth, line.seldepth, score(line.score));
    let mut text =
        format!("info depth {depth} seldepth {seldepth} multipv {multipv} score {score}{bound}{wdl} {counts}");
    if !line.pv.is_empty() {
        text += " pv";
        for &mv in &line.pv {
            // Writing to a string cannot fail.
            let _ = write!(text, " {}", UciMove::new(mv, options.chess960));
        }
    }
    text
}

fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", displayed_centipawns(score)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        eval::to_centipawns,
        types::{MoveKind, Square},
    };

    fn report() -> SearchReport {
        let pv = vec![Move::new(Square::E1, Square::H1, MoveKind::Castle)];
        let line = Line::new(12, 20, Score(-37), Bound::Exact, pv);
        let time = Duration::from_micros(1500);
        SearchReport { depth: 12, lines: vec![line], nodes: 3000, time, hashfull: 7, tbhits: 0 }
    }

    fn options(chess960: bool) -> EngineOptions {
        EngineOptions { chess960, ..EngineOptions::default() }
    }

    #[test]
    fn reports_have_every_field() {
        let line = |report: &SearchReport, chess960| info(report, &options(chess960));
        let plain = format!(
            "info depth 12 seldepth 20 multipv 1 score cp {} nodes 3000 nps 2000000 hashfull 7 tbhits 0 time 1 pv ",
            to_centipawns(-37)
        );
        assert_eq!(line(&report(), false), format!("{plain}e1g1"));
        assert_eq!(line(&report(), true), format!("{plain}e1h1"));
        let bare = Line::new(11, 17, Score::mated_in(4), Bound::Lower, Vec::new());
        let two = SearchReport { lines: vec![report().lines[0].clone(), bare], ..report() };
        let lines = line(&two, false);
        let (first, second) = lines.split_once('\n').unwrap();
        assert_eq!(first, format!("{plain}e1g1"));
        assert!(second.starts_with("info depth 11 seldepth 17 multipv 2 score mate -2 lowerbound nodes 3000 "));
        assert!(!second.contains(" pv") && !second.contains('\n'));
    }

    #[test]
    fn what_is_proven_is_shown_as_such() {
        let options = EngineOptions { show_wdl: [true, false], ..EngineOptions::default() };
        let line = |score, is_draw| {
            let lines = vec![Line { is_draw, ..Line::new(9, 9, score, Bound::Exact, vec![]) }];
            info(&SearchReport { lines, ..report() }, &options)
        };
        assert!(line(Score::ZERO, true).contains(" score cp 0 wdl 0 1000 0 "));
        assert!(!line(Score::ZERO, false).contains(" wdl 0 1000 0 "), "an evaluation of zero proves nothing");
        assert!(line(Score::TB_WIN - 7, false).contains(" score cp 19993 wdl 1000 0 0 "));
        assert!(line(-Score::TB_WIN, false).contains(" score cp -20000 wdl 0 0 1000 "));
        assert!(line(Score::MAX_EVAL, false).contains(" score cp 19753 "), "less than any tablebase win");
    }

    #[test]
    fn best_moves_come_with_the_ponder_move() {
        let castle = Some(Move::new(Square::E8, Square::A8, MoveKind::Castle));
        let best = |best, ponder, chess960| best_move([best, ponder], &options(chess960));
        assert_eq!(best(None, None, false), "bestmove (none)");
        assert_eq!(best(castle, None, false), "bestmove e8c8");
        assert_eq!(best(castle, castle, true), "bestmove e8a8 ponder e8a8");
    }
}
