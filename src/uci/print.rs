//! Standard output: the only place that writes to it, and the protocol's side of [`OutputSink`].

use std::{fmt::Write as _, io, io::Write as _, process, thread, time::Duration};

use crate::{
    engine::{EngineOptions, Event, announcements},
    eval::displayed_centipawns,
    notation::UciMove,
    search::{Line, SearchReport},
    tt::Bound,
    types::{Move, Score},
    util::nps,
};

/// The name that the engine goes by. It has the commit in it unless the build is a release.
pub(crate) const NAME: &str = concat!("Sleight ", env!("SLEIGHT_VERSION"));
const AUTHOR: &str = "the Sleight developers";

/// How long to wait before trying again to use a pipe that is set not to block.
pub(super) const RETRY_DELAY: Duration = Duration::from_millis(1);

/// Where output goes: to a program that speaks UCI, or to a person at a terminal.
pub(super) trait OutputSink: Send + Sync {
    /// Shows an event, in the form that the options ask for.
    fn on_event(&self, event: &Event<'_>, options: &EngineOptions);
    /// Shows lines that a command asked for.
    fn show(&self, text: &str);
    /// A task has ended, or has been dropped without having run.
    fn on_task_end(&self) {}
}

/// The UCI protocol on standard output.
pub(super) struct UciOutput;

impl OutputSink for UciOutput {
    fn on_event(&self, event: &Event<'_>, options: &EngineOptions) {
        print(&line(event, options));
    }

    fn show(&self, text: &str) {
        print(text);
    }
}

/// Prints a line and flushes it. Exits with status 0 when the pipe is closed, and with status 1 when the line cannot be
/// written for another reason.
pub(crate) fn print(text: &str) {
    write_all(&[text, "\n"]);
}

/// As [`print`], without a line end.
pub(super) fn write_all(parts: &[&str]) {
    if let Err(error) = write(&mut io::stdout().lock(), parts) {
        if is_closed_pipe(&error) {
            process::exit(0);
        }
        let _ = writeln!(io::stderr(), "sleight: cannot write: {error}");
        process::exit(1);
    }
}

/// True if nobody reads the pipe any more.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    /// Windows' `ERROR_PIPE_NOT_CONNECTED`, for which the standard library has no kind.
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED)
}

/// Writes and flushes all parts, also to a pipe that whoever started us has set not to block.
fn write(out: &mut impl io::Write, parts: &[&str]) -> io::Result<()> {
    // In one piece: the process may be ended at any time, but not between a line and its end.
    let bytes = parts.concat().into_bytes();
    let mut written = 0;
    while written < bytes.len() {
        match retry(|| out.write(&bytes[written..]))? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            more => written += more,
        }
    }
    retry(|| out.flush())
}

/// Tries again for as long as the operation would block or is interrupted.
fn retry<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(RETRY_DELAY),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// An event as lines of the protocol.
fn line(event: &Event<'_>, options: &EngineOptions) -> String {
    let spelled = |mv: Move| UciMove::new(mv, options.chess960);
    match event {
        Event::Identity => identity(),
        Event::Ready => "readyok".to_owned(),
        Event::Notice(notice) => info_string(&notice.to_string()),
        Event::Error(error) => info_string(&format!("error: {error}")),
        Event::Report(report) => info(report, options),
        Event::Progress(progress) => format!(
            "info currmove {} currmovenumber {} depth {} nodes {} nps {} hashfull {} tbhits {} time {}",
            spelled(progress.current_move),
            progress.number,
            progress.depth,
            progress.nodes,
            nps(progress.nodes, progress.time),
            progress.hashfull,
            progress.tbhits,
            progress.time.as_millis(),
        ),
        Event::BestMove { best: None, .. } => "bestmove (none)".to_owned(),
        Event::BestMove { best: Some(best), ponder: None } => format!("bestmove {}", spelled(*best)),
        Event::BestMove { best: Some(best), ponder: Some(ponder) } => {
            format!("bestmove {} ponder {}", spelled(*best), spelled(*ponder))
        }
    }
}

fn info_string(text: &str) -> String {
    format!("info string {}", printable(text))
}

/// Replaces control characters: messages quote input, which may hold anything.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn identity() -> String {
    let mut text = format!("id name {}\nid author {}\n", NAME, AUTHOR);
    for option in announcements() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{option}");
    }
    text + "uciok"
}

/// The lines of a report.
fn info(report: &SearchReport, options: &EngineOptions) -> String {
    let counts = format!(
        "nodes {} nps {} hashfull {} tbhits {} time {}",
        report.nodes,
        nps(report.nodes, report.time),
        report.hashfull,
        report.tbhits,
        report.time.as_millis(),
    );
    let lines = report.lines.iter().zip(1..).map(|(line, multipv)| info_line(line, multipv, &counts, options));
    lines.collect::<Vec<_>>().join("\n")
}

fn info_line(line: &Line, multipv: usize, counts: &str, options: &EngineOptions) -> String {
    let bound = match line.bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact => "",
    };
    let wdl = if options.show_wdl { wdl(line) } else { String::new() };
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

fn wdl(line: &Line) -> String {
    let [win, draw, loss] = line.win_draw_loss();
    format!(" wdl {win} {draw} {loss}")
}

fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", displayed_centipawns(score)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{EngineError, GameError, Notice, Progress},
        eval::{to_centipawns, win_draw_loss},
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
        let line = |report: &SearchReport, chess960| line(&Event::Report(report), &options(chess960));
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
    fn wdl_follows_the_score_if_wanted() {
        let options = EngineOptions { show_wdl: true, ..EngineOptions::default() };
        let line = line(&Event::Report(&report()), &options);
        let [win, draw, loss] = win_draw_loss(Score(-37));
        assert!(line.contains(&format!(" score cp {} wdl {win} {draw} {loss} ", to_centipawns(-37))), "{line}");
    }

    #[test]
    fn what_is_proven_is_shown_as_such() {
        let options = EngineOptions { show_wdl: true, ..EngineOptions::default() };
        let line = |score, is_draw| {
            let lines = vec![Line { is_draw, ..Line::new(9, 9, score, Bound::Exact, vec![]) }];
            line(&Event::Report(&SearchReport { lines, ..report() }), &options)
        };
        assert!(line(Score::ZERO, true).contains(" score cp 0 wdl 0 1000 0 "));
        assert!(!line(Score::ZERO, false).contains(" wdl 0 1000 0 "), "an evaluation of zero proves nothing");
        assert!(line(Score::TB_WIN - 7, false).contains(" score cp 19993 wdl 1000 0 0 "));
        assert!(line(-Score::TB_WIN, false).contains(" score cp -20000 wdl 0 0 1000 "));
        assert!(line(Score::MAX_EVAL, false).contains(" score cp 19753 "), "less than any tablebase win");
    }

    #[test]
    fn progress_names_the_current_move() {
        let progress = Progress {
            depth: 21,
            current_move: Move::new(Square::G1, Square::F3, MoveKind::Quiet),
            number: 3,
            nodes: 8000,
            time: Duration::from_millis(4000),
            hashfull: 5,
            tbhits: 1,
        };
        let expected = "info currmove g1f3 currmovenumber 3 depth 21 nodes 8000 nps 2000 hashfull 5 tbhits 1 time 4000";
        assert_eq!(line(&Event::Progress(progress), &options(false)), expected);
    }

    #[test]
    fn best_moves_come_with_the_ponder_move() {
        let castle = Some(Move::new(Square::E8, Square::A8, MoveKind::Castle));
        let best = |best, ponder, chess960| line(&Event::BestMove { best, ponder }, &options(chess960));
        assert_eq!(best(None, None, false), "bestmove (none)");
        assert_eq!(best(castle, None, false), "bestmove e8c8");
        assert_eq!(best(castle, castle, true), "bestmove e8a8 ponder e8a8");
    }

    #[test]
    fn messages_stay_on_their_line() {
        let line = |event: &Event<'_>| line(event, &options(false));
        let error = EngineError::DamagedTablebase("a\nb\u{1b}c é".to_owned());
        assert_eq!(line(&Event::Error(error)), "info string error: a\u{fffd}b\u{fffd}c é");
        assert!(line(&Event::Error(GameError::NoPosition.into())).starts_with("info string error: there is no"));
        let notice = Notice::TablebasesOpened { files: 2, max_pieces: 3 };
        assert_eq!(line(&Event::Notice(notice)), "info string 2 tablebase files, up to 3 pieces");
    }
}
