//! A search as the person sees it.

use std::time::Duration;

use super::{
    game::numbered,
    paint::Paint,
    table::{chances, count, duration, header, row, score, wrapped},
};
use crate::{movegen::legal_moves, position::Position, search::SearchReport, tt::Bound, types::Move, util::nps};

/// One that has been asked for and is not over.
pub(super) struct Search {
    position: Position,
    /// Whether its move is to be played.
    reply: bool,
    /// The best lines, each as it was last reported.
    lines: Vec<SearchReport>,
    /// What is being looked at, once that takes long.
    progress: Option<Progress>,
    /// The line that was reported last, until it has been shown.
    news: Option<usize>,
    /// Whether the table has been begun.
    headed: bool,
}

/// The root move that is being searched, and what the search has cost so far.
struct Progress {
    mv: Move,
    number: u32,
    nodes: u64,
    time: Duration,
}

impl Search {
    pub(super) fn new(position: Position, reply: bool) -> Self {
        Self { position, reply, lines: Vec::new(), progress: None, news: None, headed: false }
    }

    pub(super) fn is_reply(&self) -> bool {
        self.reply
    }

    pub(super) fn note(&mut self, report: &SearchReport) {
        if report.pv.is_empty() {
            return;
        }
        let index = report.multipv.saturating_sub(1).min(self.lines.len());
        match self.lines.get_mut(index) {
            Some(line) => *line = report.clone(),
            None => self.lines.push(report.clone()),
        }
        self.news = Some(index);
        if let Some(progress) = &mut self.progress {
            (progress.nodes, progress.time) = (report.nodes, report.time);
        }
    }

    pub(super) fn set_progress(&mut self, mv: Move, number: u32, nodes: u64, time: Duration) {
        self.progress = Some(Progress { mv, number, nodes, time });
    }

    fn told(&self, progress: &Progress) -> String {
        let mv = numbered(&self.position, &[progress.mv]).concat();
        let all = legal_moves(&self.position).len();
        let (nodes, time) = (count(progress.nodes), duration(progress.time));
        format!(" looking at {mv}, move {} of {all}; {nodes} nodes, {time}", progress.number)
    }

    /// The table as it stands.
    pub(super) fn rows(&self, paint: Paint, width: usize) -> Vec<String> {
        // A window may begin a new line as soon as the last column is written.
        let width = width.saturating_sub(1);
        let lines = self.lines.iter().map(|line| row(&self.position, line, paint, width));
        let progress = self.progress.iter().map(|progress| self.told(progress));
        let progress = progress.map(|text| paint.dim(&console::truncate_str(&text, width, "")));
        [header(paint, width)].into_iter().chain(lines).chain(progress).collect()
    }

    /// What is new since the last call, below what was shown then.
    pub(super) fn news(&mut self, paint: Paint, width: usize) -> Option<String> {
        let line = self.lines.get(self.news.take()?).filter(|line| line.bound == Bound::Exact)?;
        let row = row(&self.position, line, paint, width);
        let first = !std::mem::replace(&mut self.headed, true);
        Some(if first { format!("{}\n{row}", header(paint, width)) } else { row })
    }

    /// The move that is played, with the reason for it.
    pub(super) fn answer(&self, best: Move, paint: Paint) -> String {
        let mv = paint.bold(&numbered(&self.position, &[best]).concat());
        let reason = self.lines.first().map(|line| {
            let score = score(&self.position, line.score, line.bound);
            format!("   {score} for White, depth {}, {}", line.depth, duration(line.time))
        });
        format!("Sleight plays {mv}{}", paint.dim(&reason.unwrap_or_default()))
    }

    /// What the search came to.
    pub(super) fn summary(&self, best: Move, paint: Paint, width: usize) -> String {
        const INDENT: usize = 10;
        let title = |title: &str| paint.dim(&format!(" {title:<0$}", INDENT - 1));
        let mut lines = Vec::new();
        if self.lines.len() > 1 {
            let table = self.lines.iter().map(|line| row(&self.position, line, paint, width - 1));
            lines.extend([header(paint, width)].into_iter().chain(table));
        }
        lines.push(title("best") + &paint.bold(&numbered(&self.position, &[best]).concat()));
        if let Some(line) = self.lines.first() {
            let [win, draw, loss] = chances(&self.position, line.score);
            let score = score(&self.position, line.score, line.bound);
            lines.push(title("score") + &format!("{score} for White, who wins {win}%, draws {draw}%, loses {loss}%"));
            lines.push(title("line") + &wrapped(&self.position, &line.pv, INDENT, width));
            let speed = count(nps(line.nodes, line.time));
            let (nodes, time) = (count(line.nodes), duration(line.time));
            let depth = format!("{}/{}", line.depth, line.seldepth);
            lines.push(title("search") + &format!("depth {depth}, {nodes} nodes in {time}, {speed} a second"));
        }
        lines.join("\n")
    }
}
