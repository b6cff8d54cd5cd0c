//! Standard output: the only place that writes to it, and the words of the protocol.

use std::{fmt::Write as _, io, process, thread, time::Duration};

use super::NAP;
use crate::{
    engine::{Event, Style, announcements},
    eval::{to_centipawns, win_draw_loss},
    notation::UciMove,
    search::SearchReport,
    tt::Bound,
    types::{Move, Score},
};

/// Whoever reads what we write: a program, or a person at a terminal.
pub(super) trait Audience: Send + Sync {
    /// The engine says something.
    fn hear(&self, event: &Event<'_>);
    /// Here are lines that were asked for, ready to be shown.
    fn show(&self, text: &str);
    /// A task that was to be run is over, or never will be run.
    fn task_ended(&self) {}
}

/// A program that speaks the protocol.
pub(super) struct Protocol;

impl Audience for Protocol {
    fn hear(&self, event: &Event<'_>) {
        print(&line(event));
    }

    fn show(&self, text: &str) {
        print(text);
    }
}

/// Writes lines and sees to it that they leave at once. Nobody may be listening any more: then the process ends
/// quietly, as there is nothing left to live for. What cannot be written for another reason is an error.
pub fn print(text: &str) {
    put(&[text, "\n"]);
}

/// As [`print`], of work that is worth doing even if nobody is listening any more.
pub fn mention(text: &str) {
    match write(&mut io::stdout().lock(), &[text, "\n"]) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => log::warn!("cannot write: {error}"),
        _ => {}
    }
}

/// As [`print`], with nothing after the last part.
pub(super) fn put(parts: &[&str]) {
    if let Err(error) = write(&mut io::stdout().lock(), parts) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            process::exit(0);
        }
        eprintln!("sleight: cannot write: {error}");
        process::exit(1);
    }
}

/// Writes all of it, however often the other end has to be waited for. Whoever started us may have made the pipe one
/// that does not wait by itself, which is a property of the pipe and none of ours to change.
fn write(out: &mut impl io::Write, parts: &[&str]) -> io::Result<()> {
    // In one piece: the process may be ended at any time, and not between a line and its end.
    let bytes = parts.concat().into_bytes();
    let mut written = 0;
    while written < bytes.len() {
        match patiently(|| out.write(&bytes[written..]))? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            more => written += more,
        }
    }
    patiently(|| out.flush())
}

fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(NAP),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// An event in the words of the protocol.
fn line(event: &Event<'_>) -> String {
    match event {
        Event::Identity => identity(),
        Event::Ready => "readyok".to_owned(),
        Event::Message(text) => format!("info string {}", printable(text)),
        Event::Report { report, style } => info(report, *style),
        Event::Progress { current, number, nodes, time, hashfull, tbhits, style } => format!(
            "info currmove {} currmovenumber {number} nodes {nodes} nps {} hashfull {hashfull} tbhits {tbhits} time {}",
            UciMove::new(*current, style.chess960),
            nps(*nodes, *time),
            time.as_millis(),
        ),
        Event::BestMove { best: None, .. } => "bestmove (none)".to_owned(),
        Event::BestMove { best: Some(best), ponder, chess960 } => {
            let spelled = |mv: &Move| UciMove::new(*mv, *chess960);
            let ponder = ponder.as_ref().map(|mv| format!(" ponder {}", spelled(mv)));
            format!("bestmove {}{}", spelled(best), ponder.unwrap_or_default())
        }
    }
}

/// Errors quote their input, which may hold anything.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn identity() -> String {
    let mut text = format!("id name {}\nid author {}\n", super::NAME, super::AUTHOR);
    for option in announcements() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{option}");
    }
    text + "uciok"
}

pub(super) fn nps(nodes: u64, time: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / time.as_micros().max(1)
}

fn info(report: &SearchReport, style: Style) -> String {
    let nps = nps(report.nodes, report.time);
    let bound = match report.bound {
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
        Bound::Exact => "",
    };
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{} nodes {} nps {nps} hashfull {} tbhits {} time {}",
        report.depth,
        report.seldepth,
        report.multipv,
        score(report.score),
        if style.wdl { wdl(report.score) } else { String::new() },
        report.nodes,
        report.hashfull,
        report.tbhits,
        report.time.as_millis(),
    );
    if !report.pv.is_empty() {
        text += " pv";
        for &mv in &report.pv {
            // Writing to a string cannot fail.
            let _ = write!(text, " {}", UciMove::new(mv, style.chess960));
        }
    }
    text
}

fn wdl(score: Score) -> String {
    let [win, draw, loss] = win_draw_loss(score);
    format!(" wdl {win} {draw} {loss}")
}

fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        // A tablebase result is no evaluation: its distance to the greatest score says how far away it is.
        None if score.is_decisive() => format!("cp {}", score.0),
        None => format!("cp {}", to_centipawns(score.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MoveKind, Square};

    fn report() -> SearchReport {
        SearchReport {
            depth: 12,
            seldepth: 20,
            multipv: 1,
            score: Score(-37),
            bound: Bound::Exact,
            nodes: 3000,
            time: Duration::from_micros(1500),
            hashfull: 7,
            tbhits: 0,
            pv: vec![Move::new(Square::E1, Square::H1, MoveKind::Castle)],
        }
    }

    #[test]
    fn reports_have_every_field() {
        let line = |report: &SearchReport, chess960| {
            let style = Style { chess960, wdl: false };
            line(&Event::Report { report, style })
        };
        let plain = format!(
            "info depth 12 seldepth 20 multipv 1 score cp {} nodes 3000 nps 2000000 hashfull 7 tbhits 0 time 1 pv ",
            to_centipawns(-37)
        );
        assert_eq!(line(&report(), false), format!("{plain}e1g1"));
        assert_eq!(line(&report(), true), format!("{plain}e1h1"));
        let bare = SearchReport { score: Score::mated_in(4), bound: Bound::Lower, pv: Vec::new(), ..report() };
        assert!(line(&bare, false).contains(" score mate -2 lowerbound nodes "));
        assert!(!line(&bare, false).contains(" pv"));
    }

    #[test]
    fn chances_are_shown_when_wanted() {
        let style = Style { chess960: false, wdl: true };
        let line = line(&Event::Report { report: &report(), style });
        let [win, draw, loss] = win_draw_loss(Score(-37));
        assert!(line.contains(&format!(" score cp {} wdl {win} {draw} {loss} ", to_centipawns(-37))), "{line}");
    }

    #[test]
    fn long_searches_tell_the_move_they_are_at() {
        let current = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
        let time = Duration::from_millis(4000);
        let style = Style::default();
        let progress = Event::Progress { current, number: 3, nodes: 8000, time, hashfull: 5, tbhits: 1, style };
        let expected = "info currmove g1f3 currmovenumber 3 nodes 8000 nps 2000 hashfull 5 tbhits 1 time 4000";
        assert_eq!(line(&progress), expected);
    }

    #[test]
    fn moves_are_told_with_the_expected_answer() {
        let castle = Some(Move::new(Square::E8, Square::A8, MoveKind::Castle));
        let best = |best, ponder, chess960| line(&Event::BestMove { best, ponder, chess960 });
        assert_eq!(best(None, None, false), "bestmove (none)");
        assert_eq!(best(castle, None, false), "bestmove e8c8");
        assert_eq!(best(castle, castle, true), "bestmove e8a8 ponder e8a8");
    }

    #[test]
    fn messages_stay_on_their_line() {
        assert_eq!(line(&Event::Message("a\nb\u{1b}c é".into())), "info string a\u{fffd}b\u{fffd}c é");
    }
}
